"""Inequalities by slopes towards a limit and by the sign of a base; and what corrupts such proofs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import sympy as sp

from derivations import prove
from derivations.recheck import Rejected, check

x = sp.symbols("x", real=True)
p = sp.symbols("p", positive=True)
n = sp.symbols("n", nonnegative=True)
exp, log, erf, erfc, atan, pi = sp.exp, sp.log, sp.erf, sp.erfc, sp.atan, sp.pi


def ge(left: Any, right: Any) -> Any:
    return sp.Ge(left, right, evaluate=False)


def gt(left: Any, right: Any) -> Any:
    return sp.Gt(left, right, evaluate=False)


HOLD: dict[str, tuple[Any, list[Any]]] = {
    "error function": (gt(1, erf(x)), []),
    "error function from below": (gt(erf(x), -1), []),
    "arc": (gt(pi / 2, atan(x)), []),
    "two arcs": (ge(atan(p) + atan(1 / p), pi / 2), []),
    "softplus": (gt(log(1 + exp(x)), 0), []),
    "softplus above its asymptote": (ge(log(1 + exp(x)), x), []),
    "Mills ratio from above": (ge(exp(-(p**2)) / (2 * p), sp.sqrt(pi) / 2 * erfc(p)), []),
    "Mills ratio from below": (ge(sp.sqrt(pi) / 2 * erfc(p), exp(-(p**2)) * p / (1 + 2 * p**2)), []),
    "tail below a bell": (ge(exp(-(n**2)), erfc(n)), []),
    "compound interest": (gt(sp.E, (1 + 1 / p) ** p), []),
}
FAIL: dict[str, tuple[Any, list[Any]]] = {
    "error function": (gt(sp.Rational(999, 1000), erf(x)), []),
    "arc": (gt(sp.Rational(3, 2), atan(x)), []),
    "softplus": (gt(log(1 + exp(x)), sp.Rational(1, 1000)), []),
    "Mills ratio": (ge(exp(-(p**2)) / (3 * p), sp.sqrt(pi) / 2 * erfc(p)), []),
    "compound interest": (gt(sp.Rational(27, 10), (1 + 1 / p) ** p), []),
}


@pytest.mark.parametrize("name", HOLD)
def test_what_holds_is_decided_and_its_certificate_accepted(name: str) -> None:
    found = prove.inequality(*HOLD[name])
    assert found.verdict.value in ("proved", "certified"), found.reason
    check(found.as_json())


@pytest.mark.parametrize("name", FAIL)
def test_a_near_miss_is_not_proved(name: str) -> None:
    found = prove.inequality(*FAIL[name])
    assert found.verdict.value in ("refuted", "open")
    check(found.as_json())


def test_no_corruption_of_a_slope_towards_a_limit_is_accepted() -> None:
    found = prove.inequality(*HOLD["error function"])
    assert found.method == "by slope towards a limit"
    data, parts = found.as_json(), found.payload["parts"]
    parameters = found.payload["parameters"]
    assert parameters["towards"] == ["oo"]
    changes: list[dict[str, Any]] = [
        {"towards": ["-oo"]},
        {"towards": ["above", ("q", "0")]},
        {"towards": ["nowhere"]},
        {"value": ("q", "1/2")},
        {"value": ("q", "-1")},
        {"value": ("pi",)},
        {"steep": False},
        {"symbol": "y"},
        {"factor": ("q", "2")},
        {"function": ("q", "1")},
        {"more": 1},
    ]
    broken = [data | {"payload": data["payload"] | {"parameters": parameters | change}} for change in changes]
    broken += [data | {"payload": data["payload"] | {"parts": parts[:k] + parts[k + 1 :]}} for k in range(len(parts))]
    for each in broken:
        with pytest.raises(Rejected):
            check(each)


def test_a_function_that_falls_only_beyond_a_hole_is_not_above_its_limit() -> None:
    """1/x falls on both sides of 0 and tends to 0 at infinity, and is negative at -1."""
    name, reciprocal = "x", ("^", ("s", "x"), ("q", "-1"))
    statement = {"kind": "sign", "symbols": {name: []}, "assuming": [], "relation": ">="}
    statement |= {"left": reciprocal, "right": ("q", "0")}
    parameters = {"factor": ("q", "1"), "function": reciprocal, "symbol": name, "towards": ["oo"], "value": ("q", "0")}
    setting = {"symbols": {name: []}, "assuming": []}
    limit = {"kind": "limit", **setting, "variables": [name], "expression": reciprocal, "value": ("q", "0")}
    square = ("^", ("s", name), ("q", "2"))
    needed = [
        {"kind": "sign", **setting, "relation": ">", "left": square, "right": ("q", "0")},
        {"kind": "sign", **setting, "relation": ">=", "left": ("q", "0"), "right": ("q", "0")},
        limit | {"towards": ["oo"]},
        {"kind": "sign", **setting, "relation": ">", "left": square, "right": ("q", "0")},
        {"kind": "sign", **setting, "relation": ">=", "left": ("q", "0"), "right": ("D", reciprocal, name)},
    ]
    decided = [prove.decide(part) for part in needed]
    assert [each.verdict.value for each in decided] == ["refuted", "proved", "proved", "refuted", "proved"]
    payload = {"parameters": parameters | {"steep": False}, "parts": [each.as_json() for each in decided]}
    payload |= {"inhabited": {name: "1"}}
    with pytest.raises(Rejected):
        check({"statement": statement, "verdict": "proved", "method": "by slope towards a limit", "payload": payload})


def steps(certificate: Any, method: str) -> Iterator[Any]:
    """The steps of a proof that a rule made."""
    if isinstance(certificate, dict):
        if certificate.get("method") == method:
            yield certificate
        for inner in certificate.values():
            yield from steps(inner, method)
    elif isinstance(certificate, list):
        for inner in certificate:
            yield from steps(inner, method)


def test_no_corruption_of_the_sign_of_a_base_is_accepted() -> None:
    found = prove.inequality(gt((exp(p) - 1 - p) ** 2, 0)).as_json()
    (step, *_) = steps(found, "by the sign of a base")
    check(found)
    payload = step["payload"]
    changes = [
        {"parameters": payload["parameters"] | {"sign": "-"}},
        {"parameters": payload["parameters"] | {"more": 1}},
        {"parameters": {}},
        {"parts": payload["parts"][1:]},
        {"parts": [*payload["parts"], payload["parts"][0]]},
        {"parts": [*payload["parts"][:-1], payload["parts"][-1] | {"verdict": "refuted"}]},
    ]
    whole = dict(payload)
    for change in changes:
        payload.clear()
        payload.update(whole | change)
        with pytest.raises(Rejected):
            check(found)
