"""A theorem says nothing false where what its conclusion does not hold has no value: its steps are silent there."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp

from derivations import prove
from derivations.recheck import Rejected, check

a = sp.Symbol("a", real=True, nonzero=True)
x, y, b = sp.symbols("x y b", real=True)


def only_above_zero(value: Any) -> Any:
    """The value, written so that it is one for positive a alone."""
    return sp.Add(value, sp.log(a), -sp.log(a), evaluate=False)


SIZE = sp.sqrt(a**2)
STRAIGHT = {"integrand": SIZE, "antiderivative": SIZE * x, "variable": x, "low": 0, "high": 1}
FALSE: list[tuple[str, dict[str, Any]]] = [  # for negative a
    (
        "linear instability",
        {"flow": {y: a * y}, "point": {y: 0}, "vector": {y: 1}, "growth": only_above_zero(a), "side": "right"},
    ),
    (
        "linear instability",
        {"flow": {y: a * y}, "point": {y: 0}, "vector": {y: 1}, "growth": sp.sqrt(a**3) / sp.sqrt(a), "side": "left"},
    ),
    (
        "improper integral by an antiderivative",
        STRAIGHT | {"low_limit": 0, "high_limit": only_above_zero(SIZE), "value": a},
    ),
    (
        "improper integral by an antiderivative",
        STRAIGHT | {"low_limit": only_above_zero(0), "high_limit": SIZE, "value": a},
    ),
]


@pytest.mark.parametrize(("schema", "slots"), FALSE, ids=[f"{k} {schema}" for k, (schema, _) in enumerate(FALSE)])
def test_what_a_conclusion_does_not_hold_must_have_a_value(schema: str, slots: dict[str, Any]) -> None:
    found = prove.by(schema, **slots)
    assert found.verdict.value == "open"
    assert "has a value" in found.reason


@pytest.mark.parametrize(("schema", "slots"), FALSE, ids=[f"{k} {schema}" for k, (schema, _) in enumerate(FALSE)])
def test_the_checker_asks_for_it_as_well(schema: str, slots: dict[str, Any]) -> None:
    data = prove.by(schema, **slots, assuming=[a**3 > 0]).as_json()
    assert data["verdict"] == "proved"
    check(data)
    fewer = {role: step for role, step in data["payload"]["steps"].items() if not role.startswith("has a value")}
    with pytest.raises(Rejected):
        check(data | {"payload": {"steps": fewer}})


def test_an_integral_is_not_refuted_where_it_has_no_ends() -> None:
    size = sp.sqrt(b**2)
    true_where_it_speaks = sp.LambertW(size * sp.exp(size))
    over = sp.Integral(2 * x, (x, 0, sp.sqrt(b)))
    assert prove.integral(over, true_where_it_speaks).verdict.value != "refuted"
    refuted = prove.integral(over, b + 1)
    if refuted.verdict.value == "refuted":
        check(refuted.as_json())


def test_the_checker_does_not_refute_there_either() -> None:
    p = sp.Symbol("p", positive=True)
    data = prove.integral(sp.Integral(2 * x, (x, 0, sp.sqrt(p))), p + 1).as_json()
    check(data)
    assert data["verdict"] == "refuted"
    lower = ("^", ("+", ("s", "p"), ("q", "-1000000")), ("q", "1/2"))
    moved = data["statement"] | {"high": lower}
    with pytest.raises(Rejected):
        check(data | {"statement": moved})
