"""Steps that are verified by comparison with a polynomial: known solutions lie in what they say, and no box lies."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import mpmath
import numpy as np
import pytest
from flint import arb, ctx, fmpq

from derivations.recheck import Rejected, check
from derivations.recheck.core import load
from derivations.recheck.core.load import normal
from derivations.recheck.kinds.flows.trajectories.analytic import Cover, Needed, bounds_on_disc
from derivations.recheck.kinds.flows.trajectories.claims import Claim
from derivations.recheck.kinds.flows.trajectories.comparison import Place, by_comparison
from derivations.recheck.kinds.flows.trajectories.jets import Flow
from derivations.recheck.kinds.flows.trajectories.program import Program
from derivations.recheck.kinds.flows.trajectories.sets import Course, Stated, begin
from derivations.recheck.kinds.flows.trajectories.tube import Way, by_high_order
from tests.recheck.handmade import Term, add, mul, power, q, s
from tests.recheck.trajectories_proposed import around, ends, flow, proposed

x, t = s("x"), s("t")
BITS, ORDER = 160, 20
Solution = Callable[[Any, Any], Any]


class Known(NamedTuple):
    """A rate, its solution from a start at a time, a start, and the length of a step."""

    rate: Term
    solution: Solution
    start: str
    length: str


def primitive_of_erf(at: Any) -> Any:
    return at * mpmath.erf(at) + mpmath.exp(-at * at) / mpmath.sqrt(mpmath.pi)


def primitive_of_lambertw(at: Any) -> Any:
    w = mpmath.lambertw(at).real
    return at * (w - 1 + 1 / w)


KNOWN = {
    "decay": Known(mul(q(-1), x), lambda b, t: b * mpmath.exp(-t), "1", "1"),
    "logistic": Known(
        add(x, mul(q(-1), power(x, 2))), lambda b, t: 1 / (1 + (1 / b - 1) * mpmath.exp(-t)), "1/10", "1/2"
    ),
    "inverse": Known(mul(q(-1), power(x, -1)), lambda b, t: mpmath.sqrt(b * b - 2 * t), "2", "1/2"),
    "root": Known(power(x, "1/2"), lambda b, t: (mpmath.sqrt(b) + t / 2) ** 2, "2", "1/2"),
    "exponential": Known(["exp", mul(q(-1), x)], lambda b, t: mpmath.log(mpmath.exp(b) + t), "1", "1/2"),
    "logarithm": Known(mul(x, ["log", x]), lambda b, t: mpmath.exp(mpmath.log(b) * mpmath.exp(t)), "3/2", "1/4"),
    "tangent": Known(add(q(1), power(x, 2)), lambda b, t: mpmath.tan(mpmath.atan(b) + t), "1/4", "1/4"),
    "sine": Known(["sin", t], lambda b, t: b + 1 - mpmath.cos(t), "1", "2"),
    "cosine": Known(["cos", t], lambda b, t: b + mpmath.sin(t), "1", "2"),
    "erf": Known(["erf", t], lambda b, t: b + primitive_of_erf(t) - primitive_of_erf(mpmath.mpf(0)), "1", "1/2"),
    "asin": Known(
        mul(["asin", x], power(add(q(1), mul(q(-1), power(x, 2))), "1/2")),
        lambda b, t: mpmath.sin(mpmath.asin(b) * mpmath.exp(t)), "1/3", "1/4",
    ),
    "atan": Known(["atan", t], lambda b, t: b + t * mpmath.atan(t) - mpmath.log(1 + t * t) / 2, "1", "1/4"),
    "lambertw": Known(
        ["lambertw", add(q(2), t)], lambda b, t: b + primitive_of_lambertw(2 + t) - primitive_of_lambertw(2), "1", "1/4"
    ),
    "abs": Known(mul(q(-1), ["abs", x]), lambda b, t: b * mpmath.exp(t), "-1", "1/4"),
}  # fmt: skip


def beginning(known: Known, radius: Any, cut: Fraction = Fraction(0)) -> Place:
    """The first step of a flow from a box, whose stated box holds its solutions with some room; or it is cut."""
    middle, length = Fraction(known.start), Fraction(known.length)
    sides = (middle - Fraction(radius), middle + Fraction(radius))
    ends = [Fraction(str(known.solution(mpmath.mpf(b.numerator) / b.denominator, at))) for b in sides for at in
            mpmath.linspace(0, mpmath.mpf(length.numerator) / length.denominator, 9)]  # fmt: skip
    low, high = min(ends), max(ends)
    room = (high - low) / 8
    low, high = low - room, high + room - cut * (high - low)
    statement = {"kind": "trajectory", "form": "flow", "time": "t", "states": {"x": known.rate},
                 "start": {"x": list(map(str, sides))}, "says": [ends_of(length)]}  # fmt: skip
    claim = Claim(normal(statement))
    states, start = begin(claim.start)
    stated = Stated(fmpq(0), fmpq(length.numerator, length.denominator), [(rational(low), rational(high))])
    return Place(Flow(claim.program, claim.rates, claim.asked, claim.still), states, start, ORDER, stated)


def ends_of(length: Fraction) -> Any:
    return ends(length, x=(-(10**9), 10**9))


def rational(value: Fraction) -> fmpq:
    return fmpq(value.numerator, value.denominator)


@pytest.mark.parametrize("name", KNOWN)
@pytest.mark.parametrize("radius", ["0", "1/1000"])
def test_known_solutions_lie_in_what_a_comparison_says(name: str, radius: str) -> None:
    known = KNOWN[name]
    with ctx.workprec(BITS), mpmath.workdps(50):
        here = beginning(known, radius)
        course = by_comparison(here)
        assert isinstance(course, Course)
        start, length = Fraction(known.start), Fraction(known.length)
        for at in (Fraction(0), length / 3, length):
            since = arb(rational(at))
            for off in (-1, Fraction(1, 3), 1):
                exact = known.solution(number(start + off * Fraction(radius)), number(at))
                value = arb(mpmath.nstr(exact, 45)) + arb(0, arb(10) ** -42)
                for ball in (course.hull[0](since), course.from_centre(0, since)):
                    assert ball.overlaps(value)
            if radius == "0":
                assert course.from_centre(0, since).rad() < 1e-12


def number(value: Fraction) -> Any:
    return mpmath.mpf(value.numerator) / value.denominator


@pytest.mark.parametrize("name", KNOWN)
def test_a_box_that_does_not_hold_all_solutions_is_not_taken(name: str) -> None:
    with ctx.workprec(BITS), mpmath.workdps(50):
        for cut in ("1/7", "1/2"):
            assert by_comparison(beginning(KNOWN[name], "0", Fraction(cut))) is None


# --- long steps -------------------------------------------------------------------------------------------------------

SLOW: dict[str, Term] = {  # x follows y at once, and y changes slowly
    "x": mul(q(3), add(power(s("y"), 2), mul(q(-1), x))),
    "y": mul(q("-1/20"), x, s("y")),
}


def slow(end: float, by: float = 1e-6) -> Any:
    """Four steps of length 3/2, with boxes around what plain floats find."""
    start = {"x": Fraction(517, 500), "y": Fraction(1)}
    steps = proposed(
        lambda _, at: np.array([3 * (at[1] ** 2 - at[0]), -at[0] * at[1] / 20]),
        [(each, each) for each in start.values()], 6, "3/2",
    )  # fmt: skip
    return flow(SLOW, start, [ends(6, y=around(end, by))], steps, order=24)


def test_long_steps_lose_less_than_in_enclosures_of_high_order() -> None:
    end = 0.786433072
    check(slow(end))
    for off in (3e-6, -3e-6, 0.1):
        with pytest.raises(Rejected, match="stated box at time 6"):
            check(slow(end + off))
    assert 100 * lost_in_first_step(slow(end), by_comparison) < lost_in_first_step(slow(end), by_high_order)


def lost_in_first_step(certificate: Any, way: Way) -> Any:
    certificate = normal(certificate)
    claim, (length, *box) = Claim(certificate["statement"]), certificate["payload"]["steps"][0]
    stated = Stated(fmpq(0), load.rational(length), [(load.rational(low), load.rational(high)) for low, high in box])
    with ctx.workprec(128):
        states, start = begin(claim.start)
        place = Place(Flow(claim.program, claim.rates, claim.asked, claim.still), states, start, 24, stated)
        course = way(place)
        assert course is not None
        return course.from_centre(0, arb(stated.length)).rad()


# --- bounds on discs --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "function", ["exp", "sin", "cos", "erf", "log", "asin", "atan", "lambertw", "abs", "root", "^-1"]
)
@pytest.mark.parametrize("cover", [Cover(40, 0), Cover(60, 2), Cover(90, 3)])
def test_bounds_hold_on_discs_and_there_are_none_around_what_is_not_analytic(function: str, cover: Cover) -> None:
    term: Term = power(x, "1/2") if function == "root" else power(x, -1) if function == "^-1" else [function, x]
    program = Program(["x"], "t")
    needed = Needed(sorted(program.inside([root := program.read(normal(term), set())])), [root])
    evaluate = {"root": mpmath.sqrt, "^-1": lambda z: 1 / z, "abs": lambda z: z, "log": mpmath.log}.get(
        function, getattr(mpmath, function.replace("abs", "fabs"), None)
    )
    with ctx.workprec(64):
        bound = bounds_on_disc(program, needed, [[arb(1) / 2, arb(1) / 3], [arb(0), arb(1)]], arb(1), cover)
        assert bound is not None
        for k in range(64):
            z = mpmath.mpc(0.5) + mpmath.expjpi(mpmath.mpf(k) / 32) * ((k % 3 + 1) / 9)
            assert abs(evaluate(z)) <= float(bound[0])
        singular = {
            "exp": (),
            "sin": (),
            "cos": (),
            "erf": (),
            "asin": (1, -1),
            "atan": (1j, -1j),
            "lambertw": (-0.3679,),
        }
        for where in singular.get(function, (0,)):
            wide = 1.1 * abs(where - 0.5)
            assert bounds_on_disc(program, needed, [[arb(1) / 2, arb(wide)], [arb(0), arb(1)]], arb(1), cover) is None
