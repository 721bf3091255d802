"""Inequalities by logarithms of both sides: powers with symbolic exponents, near misses, corruptions."""

from __future__ import annotations

import json
from typing import Any

import pytest
import sympy as sp

from derivations import prove
from derivations.recheck import Rejected, check

x, y, w = sp.symbols("x y w", real=True)
a, b, p = sp.symbols("a b p", positive=True)
exp, log = sp.exp, sp.log

HOLD: dict[str, tuple[Any, list[Any]]] = {
    "exponents compared": (sp.Ge(exp(x**2), exp(2 * x - 1)), []),
    "self power": (sp.Ge(p**p, p), []),
    "Bernoulli with a small exponent": (sp.Ge(1 + w * x, (1 + x) ** w), [x > -1, w >= 0, w <= 1]),
    "compound interest": (sp.Gt((1 + 1 / p) ** (p + 1), sp.E), []),
    "mean of powers": (sp.Ge((a**p + b**p) / 2, ((a + b) / 2) ** p), [p >= 1]),
    "exponential between two points": (
        sp.Ge(w * exp(x) + (1 - w) * exp(y), exp(w * x + (1 - w) * y)),
        [w >= 0, w <= 1],
    ),
    "slope of a sigmoid": (sp.Ge(exp(x) / (1 + exp(x)) ** 2, exp(-sp.Abs(x)) / 4), []),
}
FAIL: dict[str, tuple[Any, list[Any]]] = {
    "exponents compared": (sp.Ge(exp(x**2), exp(2 * x)), []),
    "self power": (sp.Ge(p**p, p**2), []),
    "Bernoulli with a large exponent": (sp.Ge(1 + w * x, (1 + x) ** w), [x > -1, w >= 0, w <= 2]),
    "compound interest": (sp.Gt((1 + 1 / p) ** p, sp.E), []),
    "mean of small powers": (sp.Ge((a**p + b**p) / 2, ((a + b) / 2) ** p), [p <= 1]),
    "exponential beyond two points": (sp.Ge(w * exp(x) + (1 - w) * exp(y), exp(w * x + (1 - w) * y)), [w >= 0, w <= 2]),
    "slope of a sigmoid": (sp.Ge(exp(x) / (1 + exp(x)) ** 2, exp(-sp.Abs(x)) / 3), []),
}


@pytest.mark.parametrize("name", HOLD)
def test_what_holds_is_shown_and_its_certificate_accepted(name: str) -> None:
    found = prove.inequality(*HOLD[name])
    assert found.verdict.value in ("proved", "certified"), found.reason
    check(found.as_json())


@pytest.mark.parametrize("name", FAIL)
def test_a_near_miss_is_not_shown(name: str) -> None:
    found = prove.inequality(*FAIL[name])
    assert found.verdict.value in ("refuted", "open")
    check(found.as_json())


def by_logarithms(data: Any) -> list[dict[str, Any]]:
    """Every part of a certificate that is shown by logarithms."""
    if isinstance(data, dict):
        own = [data] if data.get("method") == "by logarithms of both sides" else []
        return [*own, *(found for value in data.values() for found in by_logarithms(value))]
    return [found for value in data for found in by_logarithms(value)] if isinstance(data, list) else []


@pytest.mark.parametrize("name", ["exponents compared", "self power", "mean of powers", "slope of a sigmoid"])
def test_no_corruption_is_accepted(name: str) -> None:
    found = json.loads(json.dumps(prove.inequality(*HOLD[name]).as_json()))
    uses = by_logarithms(found)
    assert uses
    for data in uses:
        kept = data["payload"]
        parameters, parts = dict(kept["parameters"]), list(kept["parts"])
        larger, smaller = parameters["larger"], parameters["smaller"]
        changes: list[dict[str, Any]] = [
            {"larger": smaller, "smaller": larger},
            {"larger": ["*", ["q", "2"], larger]},
            {"smaller": ["*", ["q", "-1"], smaller]},
            {"factor": ["q", "-1"]},
            {"more": 1},
        ]
        broken = [kept | {"parameters": parameters | change} for change in changes]
        broken += [kept | {"parts": parts[:k] + parts[k + 1 :]} for k in range(len(parts))]
        for payload in broken:
            data["payload"] = payload
            with pytest.raises(Rejected):
                check(found)
        data["payload"] = kept
    check(found)
