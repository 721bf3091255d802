"""Acceptances and refusals of the checker about trajectories, with evidence that plain floats propose."""

from __future__ import annotations

import math
import time
from fractions import Fraction
from typing import Any

import flint
import mpmath
import numpy as np
import pytest
from case_files import Cases
from each import each
from recheck.handmade import Json, Term, add, mul, power, q, s
from recheck.trajectories_proposed import (
    DECAY,
    LOGISTIC,
    SHRINK,
    converges,
    decay_rate,
    ends,
    flow,
    iteration,
    logistic_rate,
    proposed,
    reaches,
    stays,
    unit,
    x,
)

from derivations.recheck import Rejected, check
from derivations.recheck.core.load import normal
from derivations.recheck.kinds.flows.trajectories import settling
from derivations.recheck.kinds.flows.trajectories.claims import Claim
from derivations.recheck.kinds.flows.trajectories.step import System

FAMILIES = Cases(__file__, globals())


def refused(certificate: Json, *words: str) -> None:
    with pytest.raises(Rejected) as told:
        check(certificate)
    sentence = str(told.value)
    assert "\n" not in sentence
    assert all(word in sentence for word in words), sentence


# --- flows with known solutions ---------------------------------------------------------------------------------------


def decay(says: list[Json], until: Any = 2, start: Any = 1, **more: Any) -> Json:
    both = start if isinstance(start, tuple) else (start, start)
    return flow(DECAY, {"x": start}, says, proposed(decay_rate, [both], until, "1/4"), **more)


@each("order", [5, 9, 16, 30])
def test_decay_ends_where_the_exponential_is(order: int) -> None:
    with mpmath.workdps(40):
        value = Fraction(str(mpmath.exp(-2)))
    width = Fraction(1, 10 ** (4 if order < 9 else 10 if order < 16 else 16))
    check(decay([ends(2, x=(value - width, value + width))], order=order))
    refused(decay([ends(2, x=(value + width, value + 3 * width))], order=order), "is not certain at the times")


def test_a_parameter_in_a_box_is_a_state_that_never_changes() -> None:
    start = {"x": Fraction(1, 10), "c": (Fraction(1), Fraction(101, 100))}
    steps = proposed(logistic_rate, [start["c"], (start["x"], start["x"])], 3, "1/8")
    low, high = (1 / (1 + 9 * math.exp(-3 * rate)) for rate in (1, 1.01))
    check(
        flow(LOGISTIC, start, [ends(3, x=(Fraction(low) - Fraction(1, 500), Fraction(high) + Fraction(1, 500)))], steps)
    )
    refused(flow(LOGISTIC, start, [ends(3, x=(Fraction(low) + Fraction(1, 500), Fraction(high)))], steps))


FUNCTIONS = {
    **FAMILIES["functions"],
    "third": (
        power(add(q(1), x), "-2/3"),
        lambda v: (1 + v) ** mpmath.mpf(-2) ** 1**1 if False else (1 + v) ** (mpmath.mpf(-2) / 3),
    ),
}


@each("name", sorted(FUNCTIONS))
def test_every_function_agrees_with_another_library(name: str) -> None:
    term, rate = FUNCTIONS[name]
    steps = proposed(lambda t, at: np.array([float(mpmath.re(rate(at[0])))]), [("1/2", "1/2")], 1, "1/8")
    with mpmath.workdps(16):
        value = mpmath.odefun(lambda t, at: [mpmath.re(rate(at[0]))], 0, [mpmath.mpf(1) / 2], tol=1e-12)(1)[0]
        exact = Fraction(str(value))
    width = Fraction(1, 10**6)
    check(flow({"x": term}, {"x": "1/2"}, [ends(1, x=(exact - width, exact + width))], steps, order=14))
    refused(flow({"x": term}, {"x": "1/2"}, [ends(1, x=(exact + width, exact + 2 * width))], steps, order=14))


# --- hypotheses that fail ---------------------------------------------------------------------------------------------

OUTSIDE = FAMILIES["outside"]


@each("name", sorted(OUTSIDE))
def test_what_has_no_value_or_no_derivative_is_refused(name: str) -> None:
    term, start = OUTSIDE[name]
    low, high = (str(Fraction(start) + off) for off in (Fraction(-1, 16), Fraction(1, 16)))
    says = [ends("1/64", x=(-100, 100))]
    refused(flow({"x": term}, {"x": start}, says, [["1/64", [[low, high]], unit(1)]]), "no finite value")
    refused(flow({"x": term}, {"x": start}, says, [["1/64", [[start, high]], unit(1)]]))
    refused(flow({"x": term}, {"x": start}, says, [["1/64", [[start, start]], unit(1)]]))


# --- what is said of solutions ----------------------------------------------------------------------------------------


# --- maps, rest points, refutations -----------------------------------------------------------------------------------


def test_a_map_is_followed_from_iteration_to_iteration() -> None:
    start = {"x": (Fraction(9, 10), Fraction(1)), "y": Fraction(1)}
    at: list[tuple[Fraction, Fraction]] = []
    for first in start["x"]:
        here = (first, Fraction(1))
        for _ in range(5):
            here = ((here[0] + here[1] / 4) / 2, here[1] / 3)
        at.append(here)
    off = Fraction(1, 10**9)
    check(iteration(SHRINK, start, [ends(5, x=(at[0][0] - off, at[1][0] + off))], 5))
    refused(iteration(SHRINK, start, [ends(5, x=(at[0][0] + off, at[1][0]))], 5))
    check(iteration(SHRINK, start, [stays(0, 5, ">", x, q("1/50")), reaches(1, 2, q("1/2"), x)], 5))
    check(iteration(SHRINK, start, [reaches(0, 1, q("2/3"), x), ends(2, y=(0, 1))], 2))
    for window in ((2, 5), (0, 1), (4, 5)):
        refused(iteration(SHRINK, start, [reaches(*window, q("1/3"), x), ends(5, x=(0, 1))], 5))
    refused(iteration(SHRINK, start, [ends(5, x=(0, 1))], 4), "iterations")
    refused(iteration(SHRINK, start, [ends(5, x=(0, 1))], 6), "iterations")


def settles(radius: Any = "6/25", centre: Any = ("0", "0")) -> list[Json]:
    return [{"centre": list(centre), "frame": [["1", "0"], ["0", "1"]], "radius": str(Fraction(radius))}]


SPIRAL: dict[str, Term] = FAMILIES["spiral"]


def spiral(said: Json, until: Any = 4, **more: Any) -> Json:
    def rate(_: float, at: Any) -> Any:
        return np.array([-at[0] + at[1] + at[0] ** 3, -at[0] / 2 - at[1]])

    return flow(SPIRAL, {"x": "1/2", "y": 0}, [said], proposed(rate, [("1/2", "1/2"), (0, 0)], until, "1/4"), **more)


TURNING: dict[str, Term] = FAMILIES["turning"]
TURNED: dict[str, Term] = FAMILIES["turned"]


def test_a_spiral_settles_in_a_circle() -> None:
    def rate(_: float, at: Any) -> Any:
        return np.array([-at[0] / 10 + at[1] + at[0] ** 3, -at[0] - at[1] / 10])

    def turning(rate_: str, start: Any = ("1/16", "1/16"), side: str = "1/7") -> Json:
        said = converges("1/4", rate_, x=(f"-{side}", side), y=(f"-{side}", side))
        steps = proposed(rate, [(each, each) for each in start], "1/4", "1/4")
        return flow(TURNING, dict(zip("xy", start, strict=True)), [said], steps, settles=settles("1/8"))

    check(turning("1/20"))
    refused(turning("1/11"), "rate 1/11")
    refused(turning("1/20", side="1/9"), "inside the stated box")
    refused(turning("1/20", start=("1/9", "1/9")), "arrived")  # in the square, and not in the circle


def test_a_map_that_turns_settles_in_a_circle() -> None:
    def turned(rate: str) -> Json:
        said = converges(30, rate, x=("-1/4", "1/4"), y=("-1/4", "1/4"))
        return iteration(TURNED, {"x": 1, "y": 1}, [said], 30, settles=settles("1/8"))

    check(turned("91/100"))
    refused(turned("89/100"), "rate")


@each("form", ["flow", "map"])
@each("size", [1, 2, 4])
def test_what_a_neighbourhood_says_is_above_what_its_derivative_does_to_vectors(form: str, size: int) -> None:
    """Eigenvalues of linear systems, by the largest over many directions, in random frames."""
    rng = np.random.default_rng(size)
    names = [f"x{k}" for k in range(size)]
    for _ in range(10):
        entries, frame = (
            rng.integers(-9, 9, (size, size)),
            rng.integers(-3, 3, (size, size)) + 7 * np.eye(size, dtype=int),
        )
        rates = {a: add(*[mul(q(int(entries[i, j])), s(b)) for j, b in enumerate(names)]) for i, a in enumerate(names)}
        make = flow if form == "flow" else iteration
        claim = Claim(normal(make(rates, dict.fromkeys(names, 0), [ends(1, x0=(0, 1))], [])["statement"]))
        matrix = flint.arb_mat(frame.tolist())
        near = settling.Neighbourhood(claim, System(claim), flint.arb_mat(size, 1), matrix)
        inside = np.linalg.inv(frame) @ entries @ frame
        form_ = (inside + inside.T) / 2 if form == "flow" else inside.T @ inside
        exact = np.linalg.eigvalsh(form_).max()
        bound = float(near.slowest([flint.arb(0)] * size))
        assert bound >= (exact if form == "flow" else np.sqrt(exact)) - 1e-9
        assert size > 1 or bound <= (exact if form == "flow" else np.sqrt(exact)) + 1e-9
        ways = rng.normal(size=(size, 200))
        reach = np.abs(frame @ (ways / np.linalg.norm(ways, axis=0))).max(1)
        assert all(np.array([float(each) for each in near.reach(flint.arb(1))]) >= reach - 1e-9)


# --- evidence that is not whole ---------------------------------------------------------------------------------------


def changed(certificate: Json, **payload: Any) -> Json:
    return {**certificate, "payload": {**certificate["payload"], **payload}}


MALFORMED = [
    *FAMILIES["malformed"],
    *({"steps": [[length, [["0", "1"]], [["1"]]]]} for length in ("0", "-1/4", 0.25, "nan", None)),
    *({"steps": [["1/4", box, [["1"]]]]} for box in ([["1", "0"]], [["0"]], [["0", "1"]] * 2, [["-inf", "inf"]], "1")),
]


@each("number", range(len(MALFORMED)))
def test_malformed_evidence_is_refused(number: int) -> None:
    refused(changed(decay([ends(2, x=(0, 1))]), **MALFORMED[number]))


def said(**changes: Any) -> Json:
    certificate = decay([ends(2, x=(0, 1))])
    statement = {key: value for key, value in {**certificate["statement"], **changes}.items() if value is not None}
    return {**certificate, "statement": statement}


STATEMENTS = [
    *FAMILIES["statements"],
    {"says": [{**ends(2, x=(0, 1)), "more": 1}]},
    {"says": [{**reaches(0, 1, x, q(0)), "relation": [">", x, q(0)]}]},
]


@each("number", range(len(STATEMENTS)))
def test_malformed_statements_are_refused(number: int) -> None:
    refused(said(**STATEMENTS[number]))


# --- what floats and the ends of windows hide -------------------------------------------------------------------------

HALF_BOXES = [["-1", "1"], ["-1", "1"]]
UNIT = [["1", "0"], ["0", "1"]]


def two_rates(first: str, second: str, by: str, rate: str) -> Json:
    """Two states with rates of their own, in one neighbourhood that settles at a stated rate."""
    says = {"that": "converges", "by": by, "box": {"x": ["-1", "1"], "y": ["-1", "1"]}, "rate": rate}
    statement = {
        "kind": "trajectory", "form": "flow", "time": "t", "says": [says],
        "states": {"x": mul(q(first), s("x")), "y": mul(q(second), s("y"))},
        "start": {"x": ["0", "0"], "y": ["1/8", "1/8"]},
    }  # fmt: skip
    shows = [{"centre": ["0", "0"], "frame": UNIT, "radius": "1/2"}]
    payload = {"bits": 128, "order": 4, "steps": [[by, HALF_BOXES, UNIT]], "shows": shows}
    return {"statement": statement, "verdict": "certified", "method": "enclosed solutions", "payload": payload}


@pytest.mark.parametrize(("start", "accepted"), [("1", False), ("9/10", True)])
def test_an_event_just_when_its_window_begins_is_not_early(start: str, accepted: bool) -> None:
    says = {"that": "reaches", "from": "1", "to": "2", "relation": ["=", s("x"), q(0)]}
    statement = {"kind": "trajectory", "form": "flow", "time": "t", "says": [says]}
    statement |= {"states": {"x": q(-1)}, "start": {"x": [start, start]}}
    payload = {"bits": 128, "order": 2, "steps": [["1", [["-1", "2"]], [["1"]]]]}
    payload["fails"] = {"says": 0, "sign": 1, "time": "1"}
    certificate = {"statement": statement, "verdict": "refuted", "method": "enclosed solutions", "payload": payload}
    if accepted:
        check(certificate)
    else:
        refused(certificate, "not certain")


def test_derivatives_by_states_are_carried_out() -> None:
    """-x is the derivative of -x^2/2, and what is differentiated must have a value."""
    half = mul(q("-1/2"), power(x, 2))
    steps = proposed(decay_rate, [(1, 1)], 2, "1/4")
    for told, fits in (((0, "1/5"), True), (("1/5", 1), False)):
        certificate = flow({"x": ["D", half, "x"]}, {"x": 1}, [ends(2, x=told)], steps)
        check(certificate) if fits else refused(certificate, "is not certain at the times")
    for beside in (["log", q(-1)], power(add(x, mul(q(-1), x)), -1)):
        refused(flow({"x": ["D", add(half, beside), "x"]}, {"x": 1}, [ends(2, x=(0, "1/5"))], steps))
    for refuses in (["D", mul(half, s("t")), "t"], ["at", half, [["x", q(1)]]]):
        refused(flow({"x": refuses}, {"x": 1}, [ends(2, x=(0, 1))], steps), "written without")


# --- work that nobody should do ---------------------------------------------------------------------------------------


LONG = ["1", [["0", "2"]], [["1"]]]


def hostile() -> dict[str, Json]:
    names = [f"x{number:02d}" for number in range(60)]
    coupled: dict[str, Term] = {a: mul(q("1/100"), add(*[mul(s(a), s(b)) for b in names])) for a in names}
    box = [["-8", "8"]] * 60
    tower: Term = x
    for _ in range(30):
        tower = ["exp", tower]
    digits = int("9" * 1999)
    undecided = [stays(0, 1, ">", x, add(["sin", mul(q(4000), x)], x, q("-999/1000"))) for _ in range(60)]
    many = add(*[["erf", mul(q(Fraction(1, k + 2)), x)] for k in range(7000)])
    return {
        "many states": flow(
            coupled, dict.fromkeys(names, 1), [ends(1, x00=(0, 1))], [["1", box, unit(60)]], order=60, bits=1000
        ),
        "many steps": flow({"x": q(0)}, {"x": 1}, [ends(10**5, x=(0, 2))], [LONG] * 10**5, order=1),
        "many pieces": flow(DECAY, {"x": 1}, undecided, [LONG]),
        "many functions": flow({"x": many}, {"x": 1}, [ends(1, x=(0, 2))], [LONG], order=60, bits=1000),
        "many iterations": iteration({"x": mul(q("1/2"), x)}, {"x": 1}, [ends(10**6, x=(0, 1))], 10**6),
        "a tower": flow({"x": tower}, {"x": 5}, [ends(1, x=(0, 2))], [["1", [["0", "8"]], [["1"]]]]),
        "long numbers": flow({"x": ["sin", mul(q(digits), x)]}, {"x": 1}, [ends(1, x=(0, 2))], [LONG]),
        "high powers": flow(
            {"x": power(power(x, 9999), 9999)}, {"x": 2}, [ends(1, x=(0, 2))], [["1", [["0", "3"]], [["1"]]]]
        ),
    }


@each("name", sorted(hostile()), one_of=3)
def test_hostile_evidence_is_refused_soon(name: str) -> None:
    certificate, begin = hostile()[name], time.process_time()
    refused(certificate)
    assert time.process_time() - begin < 10


test_statements_have_their_verdicts = FAMILIES.verdicts()
