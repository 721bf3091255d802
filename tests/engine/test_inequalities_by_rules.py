"""Inequalities by rules: families that hold are decided and accepted, near misses and changed proofs are not."""

from __future__ import annotations

import random
from typing import Any

import pytest
import sympy as sp
from engine.changed_steps import changes
from sympy import E, atan, cos, cosh, erf, erfc, exp, log, pi, sin, sinh, sqrt, tan, tanh
from sympy import Rational as R

from derivations import prove
from derivations.prove.rules.rule import Step, parts_left
from derivations.recheck import Rejected, check

x, y, w = sp.symbols("x y w", real=True)
a, b, p, q = sp.symbols("a b p q", positive=True)
n = sp.symbols("n", nonnegative=True)
QUARTER = [x >= 0, x <= pi / 2]
Json = dict[str, Any]
LIES = 25  # of each proof, that are tried


def ge(left: Any, right: Any) -> Any:
    return sp.Ge(left, right, evaluate=False)


def gt(left: Any, right: Any) -> Any:
    return sp.Gt(left, right, evaluate=False)


def kl(first: Any, second: Any) -> Any:
    return first * log(first / second) + (1 - first) * log((1 - first) / (1 - second))


HOLD: dict[str, tuple[Any, list[Any]]] = {
    "slopes: exponential": (ge(exp(x), 1 + x), []),
    "slopes: exponential, strictly": (gt(exp(p), 1 + p), []),
    "slopes: exponential, two terms": (ge(exp(n), 1 + n + n**2 / 2), []),
    "slopes: exponential from above": (ge(1 / (1 - x), exp(x)), [x < 1]),
    "slopes: logarithm": (ge(p - 1, log(p)), []),
    "slopes: logarithm, domain unsaid": (ge(x - 1, log(x)), []),
    "slopes: logarithm from below": (ge(log(1 + x), x / (1 + x)), [x > -1]),
    "slopes: logarithm, two terms": (ge(log(1 + n), n - n**2 / 2), []),
    "slopes: logarithm by a fraction": (ge(log(x), 2 * (x - 1) / (x + 1)), [x >= 1]),
    "slopes: tanh below its tangent": (gt(p, tanh(p)), []),
    "slopes: tanh, two terms": (gt(tanh(p), p - p**3 / 3), []),
    "slopes: sinh": (gt(sinh(p), p), []),
    "slopes: cosh": (ge(cosh(x), 1 + x**2 / 2), []),
    "slopes: cosh below a bell": (ge(exp(x**2 / 2), cosh(x)), []),
    "slopes: entropy of two states": (ge(log(2), -p * log(p) - (1 - p) * log(1 - p)), [p < 1]),
    "slopes: relative entropy of two states": (ge(kl(p, q), 0), [p < 1, q < 1]),
    "slopes: Pinsker for two states": (ge(kl(p, q), 2 * (p - q) ** 2), [p < 1, q < 1]),
    "slopes: sub-Gaussian": (ge(x**2 / 8, log((1 + exp(x)) / 2) - x / 2), []),
    "far slopes: error function": (gt(1, erf(x)), []),
    "far slopes: error function from below": (gt(erf(x), -1), []),
    "far slopes: arc": (gt(pi / 2, atan(x)), []),
    "far slopes: two arcs": (ge(atan(p) + atan(1 / p), pi / 2), []),
    "far slopes: softplus": (gt(log(1 + exp(x)), 0), []),
    "far slopes: softplus above its asymptote": (ge(log(1 + exp(x)), x), []),
    "far slopes: Mills ratio from above": (ge(exp(-(p**2)) / (2 * p), sqrt(pi) / 2 * erfc(p)), []),
    "far slopes: Mills ratio from below": (
        ge(sqrt(pi) / 2 * erfc(p), exp(-(p**2)) * p / (1 + 2 * p**2)),
        [],
    ),
    "far slopes: tail below a bell": (ge(exp(-(n**2)), erfc(n)), []),
    "far slopes: compound interest": (gt(E, (1 + 1 / p) ** p), []),
    "half turns: sine": (ge(sin(x), 0), [x >= 0, x <= pi]),
    "half turns: sine, strictly": (gt(sin(x), 0), [x > 0, x < pi]),
    "half turns: cosine": (gt(cos(x), 0), [x > -pi / 2, x < pi / 2]),
    "half turns: negative cosine": (ge(0, cos(x)), [x >= pi / 2, x <= pi]),
    "half turns: sine below its tangent": (ge(n, sin(n)), []),
    "half turns: sine, two terms": (ge(sin(n), n - n**3 / 6), []),
    "half turns: cosine, two terms": (ge(cos(x), 1 - x**2 / 2), []),
    "half turns: tangent": (ge(tan(x), x), [x >= 0, x < pi / 2]),
    "half turns: x cos x": (ge(sin(x), x * cos(x)), [x >= 0, x <= pi / 2]),
    "pieces of a range: chord of a cosine": (ge(cos(x), 1 - 2 * x / pi), QUARTER),
    "pieces of a range: parabola above a cosine": (ge(1 - x**2 / pi, cos(x)), QUARTER),
    "pieces of a range: two kinds of waves": (ge(sin(x), tanh(x)), QUARTER),
    "pieces of a range: contact inside": (ge(1, cosh(x) * cos(x)), [x >= -pi / 2, x <= pi / 2]),
    "pieces of a range: logarithm of a sine": (ge(sin(x), log(1 + sin(x))), [x >= 0, x <= pi]),
    "pieces of a range: strictly": (gt(sin(x), x - x**3 / 6), [x > 0, x < 1]),
    "pieces of a range: up to a pole": (ge(2 * sin(x) + tan(x), 3 * x), [x >= 0, x < pi / 2]),
    "pieces of a range: contact of order five": (ge(tan(x), 3 * x / (3 - x**2)), [x >= 0, x < pi / 2]),
    "pieces of a range: error function": (ge(erf(n), n), [n <= R(1, 2)]),
    "pieces of a range: two waves": (gt(sin(x) + sin(2 * x) / 2, 0), [x > 0, x < pi]),
    "pieces of a range: tangent below a fraction": (ge(pi**2 * x / (pi**2 - 4 * x**2), tan(x)), [x >= 0, x < pi / 2]),
    "pieces of a range: no equality": (gt(3 - x**2, 0), QUARTER),
    "logarithms: exponents compared": (ge(exp(x**2), exp(2 * x - 1)), []),
    "logarithms: self power": (ge(p**p, p), []),
    "logarithms: Bernoulli with a small exponent": (
        ge(1 + w * x, (1 + x) ** w),
        [x > -1, w >= 0, w <= 1],
    ),
    "logarithms: compound interest": (gt((1 + 1 / p) ** (p + 1), E), []),
    "logarithms: mean of powers": (ge((a**p + b**p) / 2, ((a + b) / 2) ** p), [p >= 1]),
    "logarithms: exponential between two points": (
        ge(w * exp(x) + (1 - w) * exp(y), exp(w * x + (1 - w) * y)),
        [w >= 0, w <= 1],
    ),
    "logarithms: slope of a sigmoid": (ge(exp(x) / (1 + exp(x)) ** 2, exp(-sp.Abs(x)) / 4), []),
    "balls: pi": (gt(pi, 3), []),
    "balls: e": (gt(3, E), []),
    "balls: logarithm of two": (gt(R(7, 10), log(2)), []),
    "balls: e to the pi": (gt(exp(pi), pi**E), []),
    "balls: one symbol": (gt(exp(x), x**2 + R(1, 2)), [x >= 1, x <= 2]),
    "balls: two symbols": (gt(exp(x + y), sin(x * y)), [x >= 0, x <= 1, y >= 0, y <= 1]),
}
FAIL: dict[str, tuple[Any, list[Any]]] = {
    "slopes: exponential, too steep": (ge(exp(x), 1 + 2 * x), []),
    "slopes: exponential, strictly at its tangent": (gt(exp(x), 1 + x), []),
    "slopes: logarithm, shifted": (ge(p - R(11, 10), log(p)), []),
    "slopes: tanh, too much": (gt(tanh(p), p - p**3 / 4), []),
    "slopes: Pinsker, too much": (ge(kl(p, q), R(21, 10) * (p - q) ** 2), [p < 1, q < 1]),
    "slopes: entropy, too little": (ge(R(69, 100), -p * log(p) - (1 - p) * log(1 - p)), [p < 1]),
    "slopes: a pole": (ge(exp(1 / x), 1), [x >= -1, x <= 1]),
    "slopes: tangent past its pole": (ge(tan(x), x), [x >= 0, x <= 3]),
    "far slopes: error function": (gt(R(999, 1000), erf(x)), []),
    "far slopes: arc": (gt(R(3, 2), atan(x)), []),
    "far slopes: softplus": (gt(log(1 + exp(x)), R(1, 1000)), []),
    "far slopes: Mills ratio": (ge(exp(-(p**2)) / (3 * p), sqrt(pi) / 2 * erfc(p)), []),
    "far slopes: compound interest": (gt(R(27, 10), (1 + 1 / p) ** p), []),
    "half turns: sine past a half turn": (ge(sin(x), 0), [x >= 0, x <= pi + 1]),
    "half turns: sine, strictly up to its zero": (gt(sin(x), 0), [x >= 0, x < pi]),
    "half turns: cosine, too far": (ge(cos(x), 0), [x >= 0, x <= 2]),
    "half turns: sine, too much": (ge(sin(n), n - n**3 / 7), []),
    "half turns: tangent past its pole": (ge(tan(x), x), [x >= 0, x <= 3]),
    "pieces of a range: chord too flat": (ge(cos(x), 1 - 3 * x / 5), QUARTER),
    "pieces of a range: range too long": (ge(cos(x), 1 - 2 * x / pi), [x >= 0, x <= 2]),
    "pieces of a range: strictly where they touch": (gt(sin(x), x - x**3 / 6), [x >= 0, x < 1]),
    "pieces of a range: order too low": (ge(tan(x), 3 * x / (3 - R(11, 10) * x**2)), [x >= 0, x < pi / 2]),
    "pieces of a range: past a pole": (ge(tan(x), x), [x >= 0, x <= 3]),
    "pieces of a range: no slope at an end": (ge(sqrt(x), R(11, 10) * x), [x >= 0, x <= 1]),
    "pieces of a range: touched from the wrong side": (ge(sin(x), x), [x >= -1, x <= 1]),
    "logarithms: exponents compared": (ge(exp(x**2), exp(2 * x)), []),
    "logarithms: self power": (ge(p**p, p**2), []),
    "logarithms: Bernoulli with a large exponent": (
        ge(1 + w * x, (1 + x) ** w),
        [x > -1, w >= 0, w <= 2],
    ),
    "logarithms: compound interest": (gt((1 + 1 / p) ** p, E), []),
    "logarithms: mean of small powers": (ge((a**p + b**p) / 2, ((a + b) / 2) ** p), [p <= 1]),
    "logarithms: exponential beyond two points": (
        ge(w * exp(x) + (1 - w) * exp(y), exp(w * x + (1 - w) * y)),
        [w >= 0, w <= 2],
    ),
    "logarithms: slope of a sigmoid": (ge(exp(x) / (1 + exp(x)) ** 2, exp(-sp.Abs(x)) / 3), []),
    "balls: pi": (gt(3, pi), []),
    "balls: one symbol": (gt(exp(x), x**2 + R(1, 2)), [x >= -2, x <= 2]),
    "balls: a pole inside": (gt(3 * exp(x), 1 / x), [x >= -1, x <= 1]),
}


@pytest.mark.parametrize("name", HOLD)
def test_what_holds_is_decided_and_no_changed_proof_is_accepted(name: str) -> None:
    found = prove.inequality(*HOLD[name])
    assert found.verdict.value in ("proved", "certified"), found.reason
    proof = found.as_json()
    check(proof)
    for change in random.Random(name).sample(lies := list(changes(proof)), min(LIES, len(lies))):
        with change(), pytest.raises(Rejected):
            check(proof)
    check(proof)


@pytest.mark.parametrize("name", FAIL)
def test_a_near_miss_is_not_decided(name: str) -> None:
    found = prove.inequality(*FAIL[name])
    assert found.verdict.value in ("refuted", "open")
    check(found.as_json())


# --- forged proofs ----------------------------------------------------------------------------------------------------

X = ("s", "x")
WITHIN = [(">=", X, ("q", "-1")), (">=", ("q", "1"), X)]
MINUS_RECIPROCAL = ("*", ("q", "-1"), ("^", X, ("q", "-1")))


def shown(step: Step, statement: Json, then: Step | None = None) -> Json:
    """A step as it would be written down, each part decided where that can be, or on the way by another step."""
    parts = []
    for role, part in parts_left(step, statement).items():
        on_way = then is not None and (role == "slope" or role.startswith("smooth"))
        parts.append(shown(then, part) if then and on_way else as_far_as_it_goes(part))
    payload = {"parameters": step.parameters, "parts": parts, "inhabited": {"x": "1"}}
    return {"statement": statement, "verdict": "proved", "method": f"by {step.rule}", "payload": payload}


def as_far_as_it_goes(part: Json) -> Json:
    try:
        return prove.decide(part).as_json()
    except (ZeroDivisionError, prove.Unsatisfiable):
        return {"statement": part, "verdict": "proved", "method": "positive combination", "payload": {}}


def slope(function: Any, end: Any, assuming: list[Any], **more: Any) -> tuple[Step, Json]:
    statement = {"kind": "sign", "symbols": {"x": []}, "assuming": assuming, "relation": ">="}
    going = {"symbol": "x", "end": end, "side": "above", "letter": "h", "start": ">=", "rate": ">="}
    rule = "slope towards a limit" if "value" in more else "slope"
    return Step(rule, going | more), statement | {"left": function, "right": ("q", "0")}


@pytest.mark.parametrize(
    ("function", "end", "assuming", "more"),
    [
        (MINUS_RECIPROCAL, ("q", "-1"), WITHIN, {}),  # it rises wherever it has a value, and is 1 at -1
        (("log", ("^", X, ("q", "2"))), ("q", "-1"), WITHIN, {}),
        (("+", ("^", ("q", "0"), ("q", "0")), ("*", ("q", "-1"), X)), ("q", "0"), [(">=", X, ("q", "0"))], {}),
        (("^", X, ("q", "-1")), ("oo",), [], {"side": "below", "value": ("q", "0")}),  # it falls on both sides of 0
        (("*", ("q", "-1"), X), ("q", "0"), [(">=", X, ("q", "0"))], {"side": "below"}),
        (("exp", ("*", ("q", "-1"), X)), ("oo",), [], {"side": "above", "value": ("q", "0")}),
    ],
)
def test_no_hole_is_stepped_over_and_no_side_is_the_other(function: Any, end: Any, assuming: Any, more: Json) -> None:
    step, statement = slope(function, end, assuming, **more)
    try:
        forged = shown(step, statement)
    except prove.NotExact:
        return  # no use of the rule
    with pytest.raises(Rejected):
        check(forged)


@pytest.mark.parametrize(
    ("declared", "supposed"),
    [
        (["positive"], []),
        (["negative"], []),
        (["nonzero"], []),
        ([], [(">", ("s", "h"), ("q", "0"))]),
        ([], [(">", ("q", "-1/2"), ("s", "h"))]),
        ([], [("!=", ("s", "h"), ("q", "0"))]),
        ([], [(">", ("log", ("s", "h")), ("q", "-9"))]),
        ([], [("=", ("s", "h"), ("s", "x"))]),
    ],
)
def test_nothing_is_supposed_on_the_way_that_is_not_shown_there(declared: list[str], supposed: list[Any]) -> None:
    """On each of these ways -1/x rises without a hole; none of them is the way from -1 to a point up to 1."""
    step, statement = slope(MINUS_RECIPROCAL, ("q", "-1"), WITHIN)
    signs = {"h": declared} | ({"x": []} if any("x" in str(r) for r in supposed) else {})
    with pytest.raises(Rejected):
        check(shown(step, statement, Step("other hypotheses", {"declared": signs, "supposed": supposed})))
