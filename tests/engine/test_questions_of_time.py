"""Questions with names: which event comes first, which run is ahead, where starts end, and where rest is left."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp
from case_files import Cases
from each import each

from derivations import prove
from derivations.audit.ledger import plain
from derivations.language.terms import NotExact
from derivations.recheck import check

FAMILIES = Cases(__file__, globals())

x, y, k, t = sp.symbols("x y k t", real=True)
HALF = sp.Rational(1, 2)
TURN, FROM_ONE = {x: y, y: -x}, {x: 1, y: 0}
WELLS = {x: x - x**3}
DOWN, HALVED = sp.Eq(y, -HALF), {x: x / 2}


def _verdict(found: prove.Certificate) -> str:
    """The verdict, once the checker has followed the certificate."""
    if found.verdict is not prove.Verdict.OPEN:
        check(plain(found))
    assert bool(found.reason) is (found.verdict is prove.Verdict.OPEN)
    return found.verdict.value


@each(("start", "event", "later", "verdict"), FAMILIES["which event comes first"])
def test_which_event_comes_first(start: Any, event: Any, later: Any, verdict: str) -> None:
    assert _verdict(prove.trajectory(TURN, start, 10, prove.before(event, later))) == verdict


@each(("levels", "verdict"), [((10, 100), "certified"), ((100, 10), "refuted"), ((10, 11), "open")])
def test_which_iterate_comes_first(levels: tuple[int, int], verdict: str) -> None:
    first, later = (sp.Eq(x, sp.Rational(1, level)) for level in levels)
    assert _verdict(prove.iteration(HALVED, {x: 1}, 20, prove.before(first, later))) == verdict


FAST, SLOW = ({x: -k * x}, {x: 1}, x), ({x: -x}, {x: 1}, x**2 + x)
ONE, TIMED = (TURN, FROM_ONE, x), ({x: -t * x}, {x: 1}, x)


@each(("lower", "higher", "verdict"), FAMILIES["a quantity of one run is below that of another"])
def test_a_quantity_of_one_run_is_below_that_of_another(lower: Any, higher: Any, verdict: str) -> None:
    asked = {"parameters": {k: (2, sp.Rational(21, 10))}} if FAST in (lower, higher) else {"time": t}
    assert _verdict(prove.less(lower, higher, between=(sp.Rational(1, 10), 3), **asked)) == verdict


@each(("first", "second", "by", "verdict"), FAMILIES["two starts end at different points"])
def test_two_starts_end_at_different_points(first: Any, second: Any, by: Any, verdict: str) -> None:
    assert _verdict(prove.separates(WELLS, {x: first}, {x: second}, by)) == verdict


DAMPED = {x: y, y: x - x**3 - y}


@each(("flow", "near", "growth"), FAMILIES["directions in which a flow leaves a point of rest"])
def test_directions_in_which_a_flow_leaves_a_point_of_rest(flow: Any, near: Any, growth: Any) -> None:
    found = prove.unstable_direction(flow, near, parameters={k: sp.E} if len(near) == 1 else None)
    assert _verdict(found) == "certified"
    low, high = map(sp.Rational, found.statement["parts"][1]["says"][0]["box"]["growth"])
    assert low < sp.N(growth, 40) < high < low + sp.Rational(1, 10**10)


@each(("flow", "near"), FAMILIES["where no direction is certain the question stays open"])
def test_where_no_direction_is_certain_the_question_stays_open(flow: Any, near: Any) -> None:
    assert _verdict(prove.unstable_direction(flow, near)) == "open"


@each(("asked", "reason"), FAMILIES["questions that say nothing exact are refused"])
def test_questions_that_say_nothing_exact_are_refused(asked: Any, reason: str) -> None:
    with pytest.raises(NotExact, match=reason):
        asked()


@each("asked", FAMILIES["what moves has no sign"])
def test_what_moves_has_no_sign(asked: Any) -> None:
    """There SymPy has simplified |p| to p, which it need not be."""
    with pytest.raises(NotExact, match="real=True alone"):
        asked()


test_statements_have_their_verdicts = FAMILIES.verdicts()
