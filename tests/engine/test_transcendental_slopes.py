"""Inequalities by slopes: what is true is proved and its certificate accepted, near misses and holes are not."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp

from derivations import prove
from derivations.prove.rules.analysis.interval import as_way, beyond
from derivations.prove.rules.analysis.slope import SLOPE
from derivations.recheck import Rejected, check

x, a, t = sp.symbols("x a t", real=True)
p, q, u, w = sp.symbols("p q u w", positive=True)
n = sp.symbols("n", nonnegative=True)
exp, log, tanh, sinh, cosh = sp.exp, sp.log, sp.tanh, sp.sinh, sp.cosh


def kl(first: Any, second: Any) -> Any:
    return first * log(first / second) + (1 - first) * log((1 - first) / (1 - second))


HOLD: dict[str, tuple[Any, list[Any]]] = {
    "exponential": (sp.Ge(exp(x), 1 + x), []),
    "exponential, strictly": (sp.Gt(exp(p), 1 + p), []),
    "exponential, two terms": (sp.Ge(exp(n), 1 + n + n**2 / 2), []),
    "exponential from above": (sp.Ge(1 / (1 - x), exp(x)), [x < 1]),
    "logarithm": (sp.Ge(p - 1, log(p)), []),
    "logarithm, domain unsaid": (sp.Ge(x - 1, log(x)), []),
    "logarithm from below": (sp.Ge(log(1 + x), x / (1 + x)), [x > -1]),
    "logarithm, two terms": (sp.Ge(log(1 + n), n - n**2 / 2), []),
    "logarithm by a fraction": (sp.Ge(log(x), 2 * (x - 1) / (x + 1)), [x >= 1]),
    "tanh below its tangent": (sp.Gt(p, tanh(p)), []),
    "tanh, two terms": (sp.Gt(tanh(p), p - p**3 / 3), []),
    "sinh": (sp.Gt(sinh(p), p), []),
    "cosh": (sp.Ge(cosh(x), 1 + x**2 / 2), []),
    "cosh below a bell": (sp.Ge(exp(x**2 / 2), cosh(x)), []),
    "entropy of two states": (sp.Ge(log(2), -p * log(p) - (1 - p) * log(1 - p)), [p < 1]),
    "relative entropy of two states": (sp.Ge(kl(p, q), 0), [p < 1, q < 1]),
    "Pinsker for two states": (sp.Ge(kl(p, q), 2 * (p - q) ** 2), [p < 1, q < 1]),
    "sub-Gaussian": (sp.Ge(x**2 / 8, log((1 + exp(x)) / 2) - x / 2), []),
}
FAIL: dict[str, tuple[Any, list[Any]]] = {
    "exponential, too steep": (sp.Ge(exp(x), 1 + 2 * x), []),
    "exponential, strictly at its tangent": (sp.Gt(exp(x), 1 + x), []),
    "logarithm, shifted": (sp.Ge(p - sp.Rational(11, 10), log(p)), []),
    "tanh, too much": (sp.Gt(tanh(p), p - p**3 / 4), []),
    "Pinsker, too much": (sp.Ge(kl(p, q), sp.Rational(21, 10) * (p - q) ** 2), [p < 1, q < 1]),
    "entropy, too little": (sp.Ge(sp.Rational(69, 100), -p * log(p) - (1 - p) * log(1 - p)), [p < 1]),
    "a pole": (sp.Ge(exp(1 / x), 1), [x >= -1, x <= 1]),
    "tangent past its pole": (sp.Ge(sp.tan(x), x), [x >= 0, x <= 3]),
}


def proof(name: str) -> prove.Certificate:
    relation, assuming = HOLD[name]
    return prove.inequality(relation, assuming)


@pytest.mark.parametrize("name", HOLD)
def test_what_holds_is_proved_and_its_certificate_accepted(name: str) -> None:
    found = proof(name)
    assert found.verdict.value == "proved", found.reason
    check(found.as_json())


@pytest.mark.parametrize("name", FAIL)
def test_a_near_miss_is_not_proved(name: str) -> None:
    relation, assuming = FAIL[name]
    found = prove.inequality(relation, assuming)
    assert found.verdict.value in ("refuted", "open")
    check(found.as_json())


def changed(found: prove.Certificate, **parameters: Any) -> dict[str, Any]:
    data = found.as_json()
    return data | {"payload": data["payload"] | {"parameters": data["payload"]["parameters"] | parameters}}


@pytest.mark.parametrize("name", ["exponential", "exponential, strictly", "logarithm", "tanh below its tangent"])
def test_no_corruption_of_a_slope_is_accepted(name: str) -> None:
    found = proof(name)
    assert found.method == "by slope"
    data, parts = found.as_json(), found.payload["parts"]
    corruptions = [
        changed(found, **{"from": ("q", "3")}),
        changed(found, **{"from": ("s", "x" if name == "exponential" else "p")}),
        changed(found, sides=[-1]),
        changed(found, sides=[]),
        changed(found, sides=[1, 1]),
        changed(found, steep=not found.payload["parameters"]["steep"]),
        changed(found, symbol="other"),
        changed(found, factor=("q", "-1")),
        changed(found, function=("q", "1")),
        changed(found, more=1),
        *(data | {"payload": data["payload"] | {"parts": parts[:k] + parts[k + 1 :]}} for k in range(len(parts))),
        data | {"payload": data["payload"] | {"parts": parts[::-1]}},
        data | {"method": "by distance"},
    ]
    for broken in corruptions:
        with pytest.raises(Rejected):
            check(broken)


def forged(function: Any, end: Any, assuming: list[Any], way: dict[str, Any] | None = None) -> dict[str, Any]:
    """A slope as it would be written down for a function with a hole, each part decided where that can be."""
    statement = {"kind": "sign", "symbols": {"x": []}, "assuming": assuming, "relation": ">="}
    statement |= {"left": function, "right": ("q", "0")}
    parameters = {"factor": ("q", "1"), "function": function, "symbol": "x", "from": end, "sides": [1]}
    there = way or as_way(beyond(statement, "x", end, [1], 1), "x", 2)
    there = {"by": [0] * len(there["assuming"]), **there}
    parameters |= {"steep": False, "letter": "s", "ways": [there]}
    parts = [as_far_as_it_goes(part) for part in SLOPE.parts(statement, parameters)]
    payload = {"parameters": parameters, "parts": parts, "inhabited": {"x": "1"}}
    return {"statement": statement, "verdict": "proved", "method": "by slope", "payload": payload}


def as_far_as_it_goes(part: dict[str, Any]) -> dict[str, Any]:
    try:
        return prove.decide(part).as_json()
    except (ZeroDivisionError, prove.Unsatisfiable):
        return {"statement": part, "verdict": "proved", "method": "positive combination", "payload": {}}


def test_no_hole_is_stepped_over() -> None:
    """-1/x rises wherever it has a value, and is 1 at -1; across 0 it becomes negative."""
    symbol = ("s", "x")
    minus_reciprocal = ("*", ("q", "-1"), ("^", symbol, ("q", "-1")))
    between = [(">=", symbol, ("q", "-1")), (">=", ("q", "1"), symbol)]
    with pytest.raises(Rejected):
        check(forged(minus_reciprocal, ("q", "-1"), between))
    vanishing = ("^", ("+", symbol, ("*", ("q", "-1"), symbol)), ("q", "0"))  # its slope has a value nowhere
    falling = ("+", vanishing, ("*", ("q", "-1"), symbol))
    with pytest.raises(Rejected):
        check(forged(falling, ("q", "0"), [(">=", symbol, ("q", "0"))]))
    square = ("log", ("^", symbol, ("q", "2")))
    with pytest.raises(Rejected):
        check(forged(square, ("q", "-1"), between))


@pytest.mark.parametrize(
    "way",
    [
        {"told": ["positive"], "assuming": []},
        {"told": ["negative"], "assuming": []},
        {"told": [], "assuming": [(">", ("s", "x"), ("q", "0"))]},
        {"told": [], "assuming": [(">", ("q", "-1/2"), ("s", "x"))]},
    ],
)
def test_nothing_is_supposed_on_the_way_that_is_not_shown_there(way: dict[str, Any]) -> None:
    """On each of these ways -1/x rises without a hole; none of them is the way from -1 to a point up to 1."""
    reciprocal = ("*", ("q", "-1"), ("^", ("s", "x"), ("q", "-1")))
    within = [(">=", ("s", "x"), ("q", "-1")), (">=", ("q", "1"), ("s", "x"))]
    with pytest.raises(Rejected):
        check(forged(reciprocal, ("q", "-1"), within, way))


@pytest.mark.parametrize(
    "way",
    [
        {"told": ["nonzero"], "assuming": []},
        {"told": [], "assuming": [("!=", ("s", "x"), ("q", "0"))]},
        {"told": [], "assuming": [(">", ("q", "1"), ("q", "0"))]},
        {"told": [], "assuming": [(">", ("log", ("s", "x")), ("q", "-9"))]},
        {"told": [], "assuming": [], "more": 1},
    ],
)
def test_a_way_supposes_orders_alone_of_what_has_values_all_along_it(way: dict[str, Any]) -> None:
    with pytest.raises(prove.NotExact):
        forged(("s", "x"), ("q", "-1"), [(">=", ("s", "x"), ("q", "-1"))], way)
