"""Steps of trajectories: known solutions lie in what they say, no box lies, and what bounds coefficients does so."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import mpmath
import numpy as np
import pytest
from case_files import Cases
from each import each
from flint import arb, arb_mat, arb_poly, arb_series, ctx, fmpq
from recheck.handmade import Term, add, mul, power, q, s
from recheck.trajectories_proposed import around, ends, flow, proposed

from derivations.recheck import Rejected, check
from derivations.recheck.core.balls import Undefined
from derivations.recheck.core.load import normal
from derivations.recheck.kinds.flows.trajectories.claims import Claim
from derivations.recheck.kinds.flows.trajectories.formulas import Formulas, _coefficients
from derivations.recheck.kinds.flows.trajectories.step import Beside, States, Step, System, _apart, missed

FAMILIES = Cases(__file__, globals())

x, t = s("x"), s("t")
BITS, ORDER = 160, 20
TINY = arb(2) ** -200  # a coefficient that makes a polynomial longer, and changes it by nothing that is seen
Solution = Callable[[Any, Any], Any]


class Known(NamedTuple):
    """A rate, its solution from a start at a time, a start, and the length of a step."""

    rate: Term
    solution: Solution
    start: str
    length: str


def primitive_of_lambertw(at: Any) -> Any:
    w = mpmath.lambertw(at).real
    return at * (w - 1 + 1 / w)


KNOWN = FAMILIES["known"]


def first_step(known: Known, radius: Any, cut: Fraction = Fraction(0)) -> Step:
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
    beside = Beside(System(claim), States.of(claim.start), fmpq(0), ORDER)
    return Step(beside, rational(length), [(rational(low), rational(high))])


def ends_of(length: Fraction) -> Any:
    return ends(length, x=(-(10**9), 10**9))


def rational(value: Fraction) -> fmpq:
    return fmpq(value.numerator, value.denominator)


@each("name", [*KNOWN])
@each("radius", ["0", "1/1000"])
def test_known_solutions_lie_in_what_a_step_says(name: str, radius: str) -> None:
    known = KNOWN[name]
    with ctx.workprec(BITS), mpmath.workdps(50):
        step = first_step(known, radius)
        start, length = Fraction(known.start), Fraction(known.length)
        for at in (Fraction(0), length / 3, length):
            moment = rational(at)
            for off in (-1, Fraction(1, 3), 1):
                exact = known.solution(number(start + off * Fraction(radius)), number(at))
                value = arb(mpmath.nstr(exact, 45)) + arb(0, arb(10) ** -42)
                assert step.at(moment, moment)[0].overlaps(value)
            if radius == "0":
                assert step.at(moment, moment)[0].rad() < 1e-11


@each("name", [*KNOWN])
@each("radius", ["0", "1/1000"])
def test_what_a_step_says_is_no_wider_than_it_must_be(name: str, radius: str) -> None:
    """A tube that is moved by its own width misses solutions."""
    known = KNOWN[name]
    with ctx.workprec(BITS), mpmath.workdps(50):
        step = first_step(known, radius)
        start, length = Fraction(known.start), Fraction(known.length)
        (ball,) = step.at(rational(length), rational(length))
        exact = known.solution(number(start - Fraction(radius)), number(length))
        moved = ball + 3 * (ball.rad() + arb(10) ** -42)
        assert not moved.overlaps(arb(mpmath.nstr(exact, 45)))


def number(value: Fraction) -> Any:
    return mpmath.mpf(value.numerator) / value.denominator


@each("name", [*KNOWN])
@each("cut", ["1/7", "1/2"])
def test_a_box_that_does_not_hold_all_solutions_is_not_taken(name: str, cut: str) -> None:
    with ctx.workprec(BITS), mpmath.workdps(50), pytest.raises((Rejected, Undefined)):
        first_step(KNOWN[name], "0", Fraction(cut))


# --- long steps -------------------------------------------------------------------------------------------------------

SLOW: dict[str, Term] = FAMILIES["slow"]


def slow(end: float, by: float = 1e-6) -> Any:
    """Four steps of length 3/2, with boxes around what plain floats find."""
    start = {"x": Fraction(517, 500), "y": Fraction(1)}
    steps = proposed(
        lambda _, at: np.array([3 * (at[1] ** 2 - at[0]), -at[0] * at[1] / 20]),
        [(each, each) for each in start.values()], 6, "3/2",
    )  # fmt: skip
    return flow(SLOW, start, [ends(6, y=around(end, by))], steps, order=24)


# --- frames -----------------------------------------------------------------------------------------------------------


def turned(frame: Any, by: float = 1e-8) -> Any:
    """A rotation, with a frame at the end of each of its steps."""
    start = {"x": Fraction(1), "y": Fraction(1, 3)}
    steps = proposed(lambda _, at: np.array([-at[1], at[0]]), [(each, each) for each in start.values()], 3, "1/4")
    end = float(np.cos(3) - np.sin(3) / 3)
    rates = {"x": mul(q(-1), s("y")), "y": x}
    return flow(rates, start, [ends(3, x=around(end, by))], [[*step[:2], frame] for step in steps])


@each("frame", FAMILIES["any frame with an inverse will do"])
def test_any_frame_with_an_inverse_will_do(frame: Any) -> None:
    check(turned(frame))


@each("frame", FAMILIES["a frame without an inverse or of another shape is refused"])
def test_a_frame_without_an_inverse_or_of_another_shape_is_refused(frame: Any) -> None:
    with pytest.raises(Rejected):
        check(turned(frame))


# --- what polynomials miss --------------------------------------------------------------------------------------------


@each("name", [*KNOWN])
@each("terms", [1, 6])
def test_what_a_polynomial_misses_is_bounded_and_not_much_larger(name: str, terms: int) -> None:
    """Along a polynomial, at nine times; and its slope along the same one moved by a half."""
    known = KNOWN[name]
    statement = {"kind": "trajectory", "form": "flow", "time": "t", "states": {"x": known.rate},
                 "start": {"x": [known.start, known.start]}, "says": [ends_of(Fraction(1))]}  # fmt: skip
    claim = Claim(normal(statement))
    with ctx.workprec(256):
        span = arb(Fraction(known.length).numerator) / Fraction(known.length).denominator / 64
        system, centre = System(claim), States.of(claim.start).centre[0]
        nothing = [arb(0)] * (terms - 1)
        y, w = arb_poly([centre, arb(1) / 3, *nothing, TINY]), arb_poly([1, arb(1) / 2, *nothing, TINY])
        bounds = [each[0, 0] for each in missed(system, ([y], [[w]]), [arb(0)], arb(0), span * arb(0.5, 0.5))]
        most = [arb(0), arb(0)]
        for part in range(9):
            since = span * part / 8
            (rate,), slope = system.values([y(since)], since), system.slopes([y(since)], since)[0, 0]
            for i, exact in enumerate((abs(arb(1) / 3 - rate), abs(arb(1) / 2 - slope * w(since)))):
                assert not exact > bounds[i]
                most[i] = max(most[i], exact, key=float)
        assert all(float(bound) <= 1.5 * float(exact) + 1e-9 for bound, exact in zip(bounds, most, strict=True))


def test_coefficients_that_a_series_does_not_know_are_not_taken_for_zero() -> None:
    geometric = Formulas(["x"], [power(x, -1)])
    assert geometric.along([arb_poly([1, -1])], 12)[0] == [[arb(1)] * 12]
    before, ctx.cap = ctx.cap, 5
    try:
        short = 1 / arb_series([1, -1])
    finally:
        ctx.cap = before
    assert _coefficients(short, 5) == [arb(1)] * 5
    with pytest.raises(Undefined):
        _coefficients(short, 6)
    with pytest.raises(Undefined):
        geometric.along([arb_poly([1, -1])], 5, 6)


@pytest.mark.parametrize("h", ["1/100", "1/4", "1"])
def test_how_far_solutions_part_is_bounded_and_not_much_more(h: str) -> None:
    """d' = A d + rho from 0, for matrices with entries of both signs, by their exponential."""
    rng = np.random.default_rng(5)
    length = float(Fraction(h))
    for _ in range(20):
        a = rng.uniform(-1, 0.4, (3, 3))
        rho = rng.uniform(0, 1, 3)
        step, d = length / 400, np.zeros(3)
        for _ in range(400):  # the largest that may be: all signs work together
            worst = np.abs(a) - np.diag(np.abs(np.diag(a))) + np.diag(np.diag(a))
            d = d + step * (worst @ d + rho)
        (bound,) = _apart(arb_mat(a.tolist()), arb(length), arb_mat([[each] for each in rho.tolist()]))
        found = np.array([float(each) for each in bound.entries()])
        assert (found >= d).all()
        assert (found <= 8 * d).all()


# --- starts and kinks -------------------------------------------------------------------------------------------------


@each(("off", "holds"), [("0", True), ("1/4503599627370496", False), ("-1/4503599627370496", False)])
def test_a_start_that_is_off_by_an_ulp_is_noticed(off: str, holds: bool) -> None:
    with mpmath.workdps(40):
        end = Fraction(str(mpmath.exp(-1)))
    box = (end - Fraction(1, 10**17), end + Fraction(1, 10**17))
    steps = proposed(lambda _, at: -at, [(1, 1)], 1, "1/4")
    certificate = flow({"x": mul(q(-1), x)}, {"x": 1 + Fraction(off)}, [ends(1, x=box)], steps, order=30)
    if holds:
        check(certificate)
    else:
        with pytest.raises(Rejected, match="is not certain at the times"):
            check(certificate)


@each("kink", [["abs", x], power(power(x, 2), "1/2"), mul(x, power(["abs", x], "1/2"))])
@each("length", ["1/8", "1/2"])
def test_no_step_goes_through_a_kink(kink: Term, length: str) -> None:
    """x falls through 0 at the rate 1 + |x|: the polynomial of one side says nothing of the other."""
    rate = add(q(-1), mul(q(-1), kink))
    steps = proposed(lambda _, at: -1 - abs(at), [("1/4", "1/4")], 1, length)
    with pytest.raises(Rejected):
        check(flow({"x": rate}, {"x": "1/4"}, [ends(1, x=(-9, 9))], steps))


test_statements_have_their_verdicts = FAMILIES.verdicts()
