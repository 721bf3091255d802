"""Sentences about time: tubes hold the known solutions, and every proposition is decided as it should be."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp

from derivations import prove
from derivations.language.functions import relexp
from derivations.language.terms import NotExact
from derivations.papers.van_rossem_saxe_2024.beyond.in_time import fitted
from derivations.recheck import check

x, y, k = sp.symbols("x y k", real=True)
t = sp.Symbol("t", real=True)
HALF = sp.Rational(1, 2)
TURN = {x: y, y: -x}
POSITIVE, X_B = sp.Symbol("x", positive=True), sp.Symbol("x_b", real=True)

KNOWN: list[tuple[dict[Any, Any], dict[Any, Any], Any, Any]] = [  # a flow, a start, a time, and x at that time
    ({x: -x}, {x: 1}, 2, sp.exp(-2)),
    ({x: -x}, {x: sp.Rational(1, 3)}, sp.Rational(1, 3), sp.exp(-sp.Rational(1, 3)) / 3),
    (TURN, {x: 1, y: 0}, 20, sp.cos(20)),
    ({x: x**2}, {x: 1}, HALF, 2),
    ({x: -x * t}, {x: 1}, 3, sp.exp(-sp.Rational(9, 2))),
    ({x: x * (1 - x)}, {x: sp.Rational(1, 10)}, 10, 1 / (1 + 9 * sp.exp(-10))),
    ({x: 1 / (2 * x)}, {x: 1}, 8, 3),
    ({x: sp.sqrt(x)}, {x: 1}, 2, 4),
    ({x: sp.exp(-x)}, {x: 0}, 1, sp.log(2)),
    ({x: sp.sqrt(1 - x**2)}, {x: 0}, 1, sp.sin(1)),
    ({x: 1 / sp.cos(x)}, {x: 0}, HALF, sp.asin(HALF)),
    ({x: sp.cosh(x) ** -1}, {x: 0}, 2, sp.asinh(2)),
    ({x: sp.exp(x**2) * sp.sqrt(sp.pi) / 2}, {x: 0}, HALF, sp.erfinv(HALF)),
    ({x: sp.tanh(x)}, {x: 1}, 1, sp.asinh(sp.E * sp.sinh(1))),
    ({x: sp.LambertW(x * sp.exp(x))}, {x: 1}, HALF, sp.exp(HALF)),
]


def _accepted(found: prove.Certificate) -> prove.Certificate:
    """The certificate, once the checker has followed it."""
    if found.verdict is not prove.Verdict.OPEN:
        check(json.loads(json.dumps(found.as_json())))
    return found


def _asked(flow: Any, start: Any, until: Any, **more: Any) -> Any:
    return _accepted(prove.trajectory(flow, start, until, time=t, **more))


@pytest.mark.parametrize(("flow", "start", "time", "value"), KNOWN)
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


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        (prove.stays(x > HALF, between=(0, 1)), "certified"),
        (prove.stays(x >= HALF, between=(1, 1)), "certified"),
        (prove.stays(x < HALF, between=(sp.Rational(11, 10), 5)), "certified"),
        (prove.stays(x > 0, between=(0, 2)), "refuted"),
        (prove.stays(x**2 + y**2 > 1, between=(0, 1)), "open"),
        (prove.reaches(sp.Eq(x, 0), between=(sp.Rational(157, 100), sp.Rational(158, 100))), "certified"),
        (prove.reaches(sp.Eq(x, 0), between=(2, 5)), "refuted"),
        (prove.reaches(sp.Eq(x, 2), between=(2, 5)), "refuted"),
        (prove.reaches(sp.Eq(x, 0), between=(1, 5)), "open"),
        (prove.reaches(sp.Eq(x, 1), between=(1, 5)), "open"),
        (prove.ends(3, {x: (-1, 0)}), "certified"),
        (prove.ends(3, {x: (-1, 0), y: (0, 1)}), "refuted"),
        ([prove.ends(0, {x: (0, 2)}), prove.ends(1, {x: (0, 1)})], "certified"),
        ([prove.ends(0, {x: (2, 3)}), prove.ends(1, {x: (0, 1)})], "refuted"),
    ],
)
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


@pytest.mark.parametrize(
    ("flow", "start", "until", "reason"),
    [
        ({x: x**2}, {x: 1}, 2, "no step goes beyond the time 1, where x comes to"),
        ({x: 1 / (1 - x)}, {x: 0}, 1, "no step goes beyond the time 0.5, where x comes to 1"),
        ({x: sp.sqrt(x)}, {x: 0}, 1, "may have no value"),
        ({x: -sp.sqrt(x)}, {x: 1}, 3, "beyond the time 2"),
        ({x: sp.asin(x)}, {x: 1}, 1, "may have no value"),
        ({x: 0 * y + sp.log(y, evaluate=False), y: 0}, {x: 1, y: -1}, 1, "may have no value"),
        ({x: sp.Mul(0, sp.log(y), evaluate=False), y: 0}, {x: 1, y: -1}, 1, "may have no value"),
    ],
)
def test_what_cannot_be_followed_says_when_and_why(flow: Any, start: Any, until: Any, reason: str) -> None:
    found = prove.trajectory(flow, start, until)
    assert found.verdict is prove.Verdict.OPEN
    assert reason in found.reason


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        (lambda: prove.trajectory({x: 0.5 * x}, {x: 1}, 1), "float"),
        (lambda: prove.trajectory({x: k * x}, {x: 1}, 1), "holds k"),
        (lambda: prove.trajectory({x: -t * x}, {x: 1}, 1), "t is no variable"),
        (lambda: prove.trajectory({x: -x}, {x: 1}, says=prove.stays(x > -t, between=(0, 1))), "t is no variable"),
        (lambda: prove.trajectory({x: x}, {y: 1}, 1), "same variables"),
        (lambda: prove.trajectory({x: x}, {x: 1}), "nothing is asked"),
        (lambda: prove.trajectory({x: x}, {x: sp.sqrt(2)}, 1), "rational"),
        (lambda: prove.trajectory({x: x}, {x: (2, 1)}, 1), "ends before it begins"),
        (lambda: prove.trajectory({x: x}, {x: 1}, -1), "negative"),
        (lambda: prove.trajectory({x: x}, {x: 1}, 0), "only the start"),
        (lambda: prove.trajectory({x: x}, {x: 1}, 1, digits=1000), "whole number from 1 to"),
        (lambda: prove.iteration({x: x}, {x: 1}, HALF), "whole number of times"),
        (lambda: prove.trajectory({x: x}, {x: 1}, says=prove.stays(x > 0, between=3)), "interval of time"),
        (lambda: prove.trajectory({x: x}, {x: 1}, says=prove.stays(sp.Eq(x, 1), between=(0, 1))), "takes a relation"),
        (lambda: prove.trajectory({x: x}, {x: 1}, says=prove.ends(1, {y: (0, 1)})), "no variable"),
        (lambda: prove.trajectory({x: relexp(x)}, {x: 1}, 1), "head .relexp."),
        (lambda: prove.trajectory({t: t}, {t: 1}, 1, time=t), "given twice"),
        (lambda: prove.trajectory({x: -x}, {x: 1}, 2, parameters={x: HALF}), "given twice"),
        (lambda: prove.trajectory({x: -x}, {x: 1}, 2, parameters={x: (1, 2)}), "given twice"),
        (lambda: prove.trajectory({x: -t * x}, {x: 1}, 2, parameters={t: 3}, time=t), "given twice"),
        (lambda: prove.trajectory({x: -x, POSITIVE: POSITIVE}, {x: 1, POSITIVE: 2}, 2), "given twice"),
        (lambda: prove.trajectory({x: -k * x}, {x: 1, k: 5}, 2, parameters={k: (1, 2)}), "given twice"),
        (lambda: prove.trajectory({x: -x}, {x: 1}, says=prove.ends(1, {x: (0, 1), POSITIVE: (4, 5)})), "both called x"),
        (lambda: prove.trajectory({POSITIVE: sp.sqrt(POSITIVE**2)}, {POSITIVE: -1}, 1), "real=True alone"),
        (lambda: prove.trajectory({y: POSITIVE}, {y: 1}, 1, parameters={POSITIVE: (-1, 0)}), "real=True alone"),
        (lambda: prove.trajectory({y: POSITIVE}, {y: 1}, 1, parameters={POSITIVE: -1}), "real=True alone"),
        (lambda: prove.beside(a=({x: -X_B * x}, {x: 1}), b=({x: 0}, {x: 3})), "given twice"),
        (lambda: prove.beside(a=({X_B: 1}, {X_B: 1}), b_a=({x: 1}, {x: 3})), "given twice"),
    ],
)
def test_what_says_nothing_exact_is_refused(asked: Any, reason: str) -> None:
    with pytest.raises(NotExact, match=reason):
        asked()


LOGISTIC = {x: x * (1 - x)}
DESCENT = {x: x - sp.Rational(1, 10) * (x**3 - x)}
SPIRAL, WIDE = {x: -x + y + x**3, y: -x / 2 - y}, {x: (-2, 2), y: (-2, 2)}
SWING = {x: y, y: -sp.sin(x) - y / 10}  # loses a twentieth of itself in a unit of time, and turns faster
SWINGS_BESIDE = {**SWING, k: -k + x * y}
TURNED = {x: sp.Rational(9, 10) * x + sp.Rational(3, 10) * y, y: sp.Rational(9, 10) * y - sp.Rational(3, 10) * x}
NARROWER, UNIT = dict.fromkeys((x, y), (-HALF / 2, HALF / 2)), dict.fromkeys((x, y), (-1, 1))
TENTH, BESIDE_ONE = sp.Rational(1, 10), {x: (sp.Rational(99, 100), sp.Rational(101, 100))}


@pytest.mark.parametrize(
    ("asked", "verdict"),
    [
        (lambda: prove.trajectory(LOGISTIC, {x: TENTH}, says=prove.converges(10)), "certified"),
        (lambda: prove.trajectory(LOGISTIC, {x: TENTH}, says=prove.converges(10, BESIDE_ONE, HALF)), "certified"),
        (lambda: prove.trajectory(LOGISTIC, {x: TENTH}, says=prove.converges(10, BESIDE_ONE, 2)), "open"),
        (lambda: prove.trajectory(LOGISTIC, {x: TENTH}, says=prove.converges(1, BESIDE_ONE, HALF)), "refuted"),
        (lambda: prove.trajectory({x: x * (x - 1)}, {x: 1}, says=prove.converges(1, BESIDE_ONE, HALF)), "open"),
        (lambda: prove.trajectory({x: y, y: -x - 3 * y}, {x: 1, y: 0}, says=prove.converges(20)), "certified"),
        (lambda: prove.trajectory(TURN, {x: 1, y: 0}, says=prove.converges(20)), "open"),
        (lambda: prove.trajectory({x: -x - y, y: -y}, {x: 1, y: 1}, says=prove.converges(20)), "certified"),
        (
            lambda: prove.trajectory({x: -x, y: sp.Mul(0, y, evaluate=False)}, {x: 1, y: 1}, says=prove.converges(9)),
            "open",
        ),
        (lambda: prove.trajectory({x: -x, y: 0}, {x: 1, y: 1}, says=prove.converges(9)), "certified"),
        (lambda: prove.trajectory({x: -x}, {x: 0}, says=prove.converges(1)), "certified"),
        (lambda: prove.trajectory({x: -(x**3)}, {x: 0}, says=prove.converges(1)), "open"),
        (lambda: prove.trajectory({x: sp.exp(sp.exp(x))}, {x: -9}, says=prove.converges(1)), "open"),
        (lambda: prove.trajectory(SPIRAL, {x: HALF, y: 0}, says=prove.converges(8)), "certified"),
        (lambda: prove.trajectory(SPIRAL, {x: HALF, y: 0}, says=prove.converges(8, WIDE, TENTH)), "open"),
        (lambda: prove.trajectory(SPIRAL, {x: HALF, y: 0}, says=prove.converges(4, NARROWER, TENTH / 2)), "certified"),
        (lambda: prove.trajectory(SWING, {x: 1, y: 0}, says=prove.converges(20)), "certified"),
        (lambda: prove.trajectory(SWING, {x: 1, y: 0}, says=prove.converges(50, UNIT, TENTH / 3)), "certified"),
        (lambda: prove.trajectory(SWING, {x: 1, y: 0}, says=prove.converges(50, UNIT, TENTH)), "open"),
        (lambda: prove.trajectory(SWING, {x: 1, y: 0}, says=prove.converges(1, UNIT, TENTH / 3)), "open"),
        (lambda: prove.trajectory({x: y, y: -x + y / 10}, {x: TENTH, y: 0}, says=prove.converges(9)), "open"),
        (lambda: prove.trajectory(SWINGS_BESIDE, {x: 1, y: 0, k: 1}, says=prove.converges(80)), "certified"),
        (lambda: prove.iteration(TURNED, {x: 1, y: 0}, says=prove.converges(80)), "certified"),
        (lambda: prove.iteration({x: y, y: -x}, {x: 1, y: 0}, says=prove.converges(80)), "open"),
        (lambda: prove.iteration(DESCENT, {x: HALF}, says=prove.converges(50)), "certified"),
        (lambda: prove.iteration(DESCENT, {x: HALF}, says=prove.converges(50, BESIDE_ONE, HALF)), "open"),
        (
            lambda: prove.iteration({x: x / 2}, {x: 1}, says=prove.reaches(sp.Eq(x, HALF**6), between=(5, 6))),
            "certified",
        ),
        (lambda: prove.iteration({x: x / 2}, {x: 1}, says=prove.reaches(sp.Eq(x, HALF**6), between=(6, 9))), "open"),
        (
            lambda: prove.iteration({x: x / 2}, {x: 1}, says=prove.reaches(sp.Eq(x, TENTH / 5), between=(7, 9))),
            "refuted",
        ),
        (lambda: prove.iteration({x: x / 2}, {x: 1}, says=prove.reaches(sp.Eq(x, HALF**6), between=(2, 5))), "refuted"),
        (lambda: prove.iteration({x: x / 2}, {x: 1}, says=prove.stays(x > HALF**6, between=(0, 5))), "certified"),
        (lambda: prove.iteration({x: x / 2}, {x: 1}, says=prove.stays(x > HALF**6, between=(0, 6))), "refuted"),
        (lambda: prove.iteration({x: 1 / x}, {x: (-1, 1)}, 2), "open"),
    ],
)
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


def test_a_sign_that_changes_at_a_pole_is_no_event() -> None:
    """1/(x - 3/4) + 2 loses its sign at the time 1/4, and is zero for the first time at 3/4."""
    event = sp.Eq(1 / (x - sp.Rational(3, 4)), -2)
    found = _asked({x: -1}, {x: 1}, None, says=prove.reaches(event, between=(HALF, 1)))
    assert found.verdict is prove.Verdict.OPEN
    assert "may have no value" in found.reason


def test_parameters_may_be_numbers_that_are_not_rational() -> None:
    root = sp.Symbol("root", positive=True)
    assert _asked({x: -root * x}, {x: 1}, 1, parameters={root: sp.sqrt(2)}).verdict is prove.Verdict.CERTIFIED


def test_runs_beside_each_other_are_compared() -> None:
    flow, start = prove.beside(slow=({x: -x}, {x: 1}), fast=({x: -2 * x}, {x: 1}))
    slow, fast = sp.symbols("x_slow x_fast", real=True)
    later = prove.stays(slow > fast, between=(TENTH, 5))
    assert prove.trajectory(flow, start, says=later).verdict is prove.Verdict.CERTIFIED
    assert prove.trajectory(flow, start, says=prove.stays(slow < fast, between=(TENTH, 5))).verdict.value == "refuted"
