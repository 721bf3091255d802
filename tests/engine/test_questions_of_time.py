"""Questions with names: which event comes first, which run is ahead, where starts end, and where rest is left."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp

from derivations import prove
from derivations.language.terms import NotExact
from derivations.recheck import check

x, y, z, k, t = sp.symbols("x y z k t", real=True)
HALF = sp.Rational(1, 2)
TURN, FROM_ONE = {x: y, y: -x}, {x: 1, y: 0}
WELLS = {x: x - x**3}
DOWN, HALVED = sp.Eq(y, -HALF), {x: x / 2}
BOX = {x: (1, sp.Rational(101, 100)), y: (0, sp.Rational(1, 100))}


def _verdict(found: prove.Certificate) -> str:
    """The verdict, once the checker has followed the certificate."""
    if found.verdict is not prove.Verdict.OPEN:
        check(json.loads(json.dumps(found.as_json())))
    assert bool(found.reason) is (found.verdict is prove.Verdict.OPEN)
    return found.verdict.value


@pytest.mark.parametrize(
    ("start", "event", "later", "verdict"),
    [
        (FROM_ONE, DOWN, sp.Eq(x, 0), "certified"),
        (FROM_ONE, sp.Eq(x, 0), DOWN, "refuted"),
        (FROM_ONE, sp.Eq(y, -sp.Rational(99, 100)), sp.Eq(x, 0), "certified"),
        (FROM_ONE, sp.Eq(x, 0), sp.Eq(y, -sp.Rational(99, 100)), "refuted"),
        (FROM_ONE, sp.Eq(x, 0), sp.Eq(y, 2), "certified"),  # what never comes is later
        (FROM_ONE, sp.Eq(y, 2), sp.Eq(x, 0), "open"),
        (FROM_ONE, sp.Eq(x, 0), sp.Eq(x, 0), "open"),
        (FROM_ONE, sp.Eq(x, 0), sp.Eq(x, 1), "open"),  # the later one may have come at the start
        (BOX, DOWN, sp.Eq(x, 0), "certified"),
        (BOX, DOWN, sp.Eq(x, sp.Rational(86, 100)), "open"),  # the windows of all starts overlap
    ],
)
def test_which_event_comes_first(start: Any, event: Any, later: Any, verdict: str) -> None:
    assert _verdict(prove.trajectory(TURN, start, 10, prove.before(event, later))) == verdict


def test_an_event_in_the_window_of_the_first_refutes_nothing() -> None:
    window = (HALF, sp.Rational(8, 5))  # y reaches -1/2 at 0.52 and x reaches 0 at 1.57
    assert _verdict(prove.trajectory(TURN, FROM_ONE, says=prove.before(DOWN, sp.Eq(x, 0), window))) == "open"


def test_a_later_event_with_a_pole_is_no_event() -> None:
    later = sp.Eq(1 / (x - sp.Rational(3, 4)), -2)  # the sign changes at the pole, 1/4, long before the event at 3/4
    assert _verdict(prove.trajectory({x: -1}, {x: 1}, 3, prove.before(sp.Eq(x, HALF), later))) == "open"


@pytest.mark.parametrize(("levels", "verdict"), [((10, 100), "certified"), ((100, 10), "refuted"), ((10, 11), "open")])
def test_which_iterate_comes_first(levels: tuple[int, int], verdict: str) -> None:
    first, later = (sp.Eq(x, sp.Rational(1, level)) for level in levels)
    assert _verdict(prove.iteration(HALVED, {x: 1}, 20, prove.before(first, later))) == verdict


FAST, SLOW = ({x: -k * x}, {x: 1}, x), ({x: -x}, {x: 1}, x**2 + x)
ONE, TIMED = (TURN, FROM_ONE, x), ({x: -t * x}, {x: 1}, x)


@pytest.mark.parametrize(
    ("lower", "higher", "verdict"),
    [
        (FAST, SLOW, "certified"),
        (SLOW, FAST, "refuted"),
        ((TURN, FROM_ONE, x - 3), ONE, "certified"),
        (ONE, ONE, "open"),
        (TIMED, ({x: -x}, {x: 1}, 1 + t), "certified"),
    ],
)
def test_a_quantity_of_one_run_is_below_that_of_another(lower: Any, higher: Any, verdict: str) -> None:
    asked = {"parameters": {k: (2, sp.Rational(21, 10))}} if FAST in (lower, higher) else {"time": t}
    assert _verdict(prove.less(lower, higher, between=(sp.Rational(1, 10), 3), **asked)) == verdict


@pytest.mark.parametrize(
    ("first", "second", "by", "verdict"),
    [
        (1, -HALF, 20, "certified"),
        ((HALF, sp.Rational(11, 20)), -1, 20, "certified"),
        (1, 2, 20, "refuted"),
        (sp.Rational(1, 10), (2, sp.Rational(21, 10)), 30, "refuted"),
        (0, 1, 20, "open"),  # 0 is a point of rest that does not attract
        (1, -HALF, HALF, "open"),  # too early
    ],
)
def test_two_starts_end_at_different_points(first: Any, second: Any, by: Any, verdict: str) -> None:
    assert _verdict(prove.separates(WELLS, {x: first}, {x: second}, by)) == verdict


DAMPED = {x: y, y: x - x**3 - y}


@pytest.mark.parametrize(
    ("flow", "near", "growth"),
    [
        (DAMPED, {x: sp.Rational(1, 10), y: 0}, (sp.sqrt(5) - 1) / 2),
        ({x: x**2 - 2, y: x - y}, {x: 1, y: 1}, 2 * sp.sqrt(2)),
        ({x: x + sp.erf(x * y) - x**3, y: -y + x * sp.asin(y / sp.sqrt(1 + x**2 + y**2))}, {x: 0, y: 0}, 1),
        ({x: k * x}, {x: 1}, sp.E),
    ],
)
def test_directions_in_which_a_flow_leaves_a_point_of_rest(flow: Any, near: Any, growth: Any) -> None:
    found = prove.unstable_direction(flow, near, parameters={k: sp.E} if len(near) == 1 else None)
    assert _verdict(found) == "certified"
    low, high = map(sp.Rational, found.statement["parts"][1]["says"][0]["box"]["growth"])
    assert low < sp.N(growth, 40) < high < low + sp.Rational(1, 10**10)


@pytest.mark.parametrize(
    ("flow", "near"),
    [
        (DAMPED, {x: 1, y: 0}),  # attracts
        (TURN, {x: 1, y: 1}),  # turns
        ({x: x, y: y}, {x: 1, y: 1}),  # every direction grows alike
        ({x: x**2, y: y}, {x: 0, y: 1}),  # no linear part along x
        ({x: 1 + x**2, y: y}, {x: 1, y: 0}),  # no point of rest
        ({x: y, y: 0}, {x: 1, y: 1}),
        ({x: x, y: 2 * y + z, z: 2 * z - y}, {x: 0, y: 0, z: 0}),  # what turns grows faster
        ({x: 2 * x, y: 2 * y + z, z: 2 * z - y}, {x: 0, y: 0, z: 0}),  # or as fast
    ],
)
def test_where_no_direction_is_certain_the_question_stays_open(flow: Any, near: Any) -> None:
    assert _verdict(prove.unstable_direction(flow, near)) == "open"


def test_a_false_rate_of_growth_is_not_accepted() -> None:
    """The statement of a direction, with the interval of its eigenvalue moved beside it."""
    found = prove.unstable_direction(DAMPED, {x: 0, y: 0})
    pair = found.statement["parts"][1]
    (said,) = pair["says"]
    low, high = map(Fraction, said["box"]["growth"])
    moved = said | {"box": said["box"] | {"growth": [str(high), str(2 * high - low)]}}
    assert prove.decide(pair | {"says": [moved]}).verdict is prove.Verdict.REFUTED


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        (lambda: prove.less(1, ONE, (0, 1)), "flow, its start and a quantity"),  # type: ignore[arg-type]
        (lambda: prove.less(TIMED, TIMED, (0, 1)), "t is no variable"),
        (lambda: prove.trajectory(TURN, FROM_ONE, 1, prove.before(x > 0, DOWN)), "takes a relation"),
        (lambda: prove.trajectory(TURN, FROM_ONE, 1, prove.before(DOWN, x > 0)), "takes a relation"),
        (lambda: prove.separates({x: -x * t}, {x: 1}, {x: 2}, 3), "t is no variable"),
        (lambda: prove.unstable_direction({x: x - k}, {x: 1}), "holds k"),
    ],
)
def test_questions_that_say_nothing_exact_are_refused(asked: Any, reason: str) -> None:
    with pytest.raises(NotExact, match=reason):
        asked()


POSITIVE, BELOW = sp.Symbol("p", positive=True), sp.Symbol("p", nonnegative=True)


@pytest.mark.parametrize(
    "asked",
    [
        lambda: prove.trajectory({POSITIVE: -1, y: sp.sqrt(POSITIVE**2)}, {POSITIVE: 1, y: 0}, 2),
        lambda: prove.trajectory({POSITIVE: -1}, {POSITIVE: 1}, says=prove.stays(abs(POSITIVE) < 2, (0, 4))),
        lambda: prove.trajectory({BELOW: -1}, {BELOW: 1}, HALF),
        lambda: prove.trajectory({BELOW: -BELOW}, {BELOW: 1}, says=prove.converges(9)),
        lambda: prove.iteration({POSITIVE: POSITIVE - HALF}, {POSITIVE: 2}, 4),
        lambda: prove.unstable_direction({POSITIVE: 2 * POSITIVE + 2}, {POSITIVE: 1}),
    ],
)
def test_what_moves_has_no_sign(asked: Any) -> None:
    """There SymPy has simplified |p| to p, which it need not be."""
    with pytest.raises(NotExact, match="real=True alone"):
        asked()


def test_what_moves_is_no_whole_number() -> None:
    whole = sp.Symbol("n", integer=True)
    with pytest.raises(NotExact, match="declared integer"):
        prove.trajectory({whole: 1, x: sp.sin(sp.pi * whole)}, {whole: 0, x: 0}, 1)
