"""Sentences about time: tubes hold the known solutions, and every proposition is decided as it should be."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from case_files import Cases
from each import each

from derivations import prove
from derivations.audit.ledger import plain
from derivations.language.terms import NotExact
from derivations.papers.van_rossem_saxe_2024.beyond.in_time import fitted
from derivations.recheck import check

FAMILIES = Cases(__file__, globals())

x, y, k = sp.symbols("x y k", real=True)
t = sp.Symbol("t", real=True)
HALF = sp.Rational(1, 2)
TURN = {x: y, y: -x}

KNOWN = FAMILIES["known"]  # a flow, a start, a time, and x at that time


def _accepted(found: prove.Certificate) -> prove.Certificate:
    """The certificate, once the checker has followed it."""
    if found.verdict is not prove.Verdict.OPEN:
        check(plain(found))
    return found


def _asked(flow: Any, start: Any, until: Any, **more: Any) -> Any:
    return _accepted(prove.trajectory(flow, start, until, time=t, **more))


@each(("flow", "start", "time", "value"), KNOWN)
def test_tubes_hold_solutions_that_are_known(flow: Any, start: Any, time: Any, value: Any) -> None:
    for digits in (4, 12, 25):
        found = _asked(flow, start, time, digits=digits)
        assert found.verdict is prove.Verdict.CERTIFIED
        low, high = map(sp.Rational, found.statement["says"][0]["box"]["x"])
        assert low < sp.N(value, 60) < high
        assert high - low < 2 * sp.Rational(10) ** -digits * max(1, abs(high))


def test_boxes_of_starts_and_parameters_hold_every_solution() -> None:
    found = _asked({x: -k * x}, {x: (1, sp.Rational(101, 100))}, 2, parameters={k: (1, sp.Rational(51, 50))})
    low, high = map(Fraction, found.statement["says"][0]["box"]["x"])
    assert found.statement["states"]["k"] == ("q", "0")
    least, most = math.exp(-2.04), 1.01 * math.exp(-2)
    assert low < least < most < high
    assert high - low < 1.5 * (most - least)


@each(("said", "verdict"), FAMILIES["what is said of a circle"])
def test_what_is_said_of_a_circle(said: Any, verdict: str) -> None:
    found = _accepted(prove.trajectory(TURN, {x: 1, y: 0}, says=said))
    assert found.verdict.value == verdict
    assert prove.decide(found.statement).verdict is found.verdict
    assert bool(found.reason) is (verdict == "open")


def test_first_times_are_found() -> None:
    found = _accepted(prove.trajectory(TURN, {x: 1, y: 0}, 5, says=prove.reaches(sp.Eq(x, 0))))
    said = found.statement["says"][0]
    assert found.verdict is prove.Verdict.CERTIFIED
    assert Fraction(said["from"]) < Fraction(str(sp.N(sp.pi / 2, 40))) < Fraction(said["to"])
    assert Fraction(said["to"]) - Fraction(said["from"]) < Fraction(1, 10**10)


@each(("flow", "start", "until", "reason"), FAMILIES["what cannot be followed says when and why"])
def test_what_cannot_be_followed_says_when_and_why(flow: Any, start: Any, until: Any, reason: str) -> None:
    found = prove.trajectory(flow, start, until)
    assert found.verdict is prove.Verdict.OPEN
    assert reason in found.reason


@each(("asked", "reason"), FAMILIES["what says nothing exact is refused"])
def test_what_says_nothing_exact_is_refused(asked: Any, reason: str) -> None:
    with pytest.raises(NotExact, match=reason):
        asked()


SPIRAL, WIDE = {x: -x + y + x**3, y: -x / 2 - y}, {x: (-2, 2), y: (-2, 2)}
SWING = {x: y, y: -sp.sin(x) - y / 10}  # loses a twentieth of itself in a unit of time, and turns faster
SWINGS_BESIDE = {**SWING, k: -k + x * y}
NARROWER, UNIT = dict.fromkeys((x, y), (-HALF / 2, HALF / 2)), dict.fromkeys((x, y), (-1, 1))
TENTH, BESIDE_ONE = sp.Rational(1, 10), {x: (sp.Rational(99, 100), sp.Rational(101, 100))}


@each(("asked", "verdict"), FAMILIES["maps and points of rest"], one_of=3)
def test_maps_and_points_of_rest(asked: Any, verdict: str) -> None:
    found = _accepted(asked())
    assert found.verdict.value == verdict
    assert found.verdict is prove.Verdict.OPEN or prove.decide(found.statement).verdict is found.verdict
    assert bool(found.reason) is (verdict == "open")


def test_a_start_may_be_known_to_a_thirtieth() -> None:
    """Two points with the constants that fit a linear network, until the end of its training."""
    flow, start = fitted("linear")
    middles = {s: (low + high) / 2 for s, (low, high) in start.items()}
    wide = {s: (m - abs(m) / 60, m + abs(m) / 60) for s, m in middles.items()}
    assert _accepted(prove.trajectory(flow, wide, 2500)).verdict is prove.Verdict.CERTIFIED


def test_iterates_of_every_start_and_step_lie_in_the_box() -> None:
    step, sizes = {x: x - k * (x**3 - x)}, (TENTH, sp.Rational(101, 1000))
    found = _accepted(prove.iteration(step, {x: (HALF, sp.Rational(501, 1000))}, 10, parameters={k: sizes}))
    low, high = map(Fraction, found.statement["says"][0]["box"]["x"])
    for start in (0.5, 0.501):
        for size in (0.1, 0.101):
            at = start
            for _ in range(10):
                at -= size * (at**3 - at)
            assert low < at < high


test_statements_have_their_verdicts = FAMILIES.verdicts()
