"""Inequalities with roots: squares of both sides decide them, and near misses are never proved."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
import sympy as sp
from engine.reference import accepted

from derivations.prove import Verdict, inequality
from derivations.recheck import Rejected, check

x, y, a, b = sp.symbols("x y a b", real=True)
p, q, r = sp.symbols("p q r", positive=True)
root = sp.sqrt


def strict(left: Any, right: Any = 0) -> Any:
    return sp.StrictGreaterThan(left, right, evaluate=False)


def weak(left: Any, right: Any = 0) -> Any:
    return sp.GreaterThan(left, right, evaluate=False)


HOLD: dict[str, tuple[Any, list[Any]]] = {
    "a root of a sum": (weak(root(p) + root(q), root(p + q)), []),
    "a root is concave": (weak(root((p + q) / 2), (root(p) + root(q)) / 2), []),
    "Minkowski": (weak(root(x**2 + y**2) + root(a**2 + b**2), root((x + a) ** 2 + (y + b) ** 2)), []),
    "root mean square": (weak(root((p**2 + q**2) / 2), (p + q) / 2), []),
    "triangle": (weak(root(x**2) + root(y**2), root((x + y) ** 2)), []),
    "the larger eigenvalue": (weak((a + b) / 2 + root((a - b) ** 2 / 4 + x**2), a), []),
    "the smaller eigenvalue": (weak(b, (a + b) / 2 - root((a - b) ** 2 / 4 + x**2)), []),
    "below the tangent": (weak(1 + x / 2, root(1 + x)), [x >= -1]),
    "above the parabola": (weak(root(1 + p), 1 + p / 2 - p**2 / 8), []),
    "means of three": (weak((p + q + r) / 3, (p * q * r) ** sp.Rational(1, 3)), []),
    "slope of a root": (strict(1 / (2 * root(p)), root(p + 1) - root(p)), []),
    "a root rises": (strict(root(p), root(q)), [p > q]),
    "a root is Lipschitz": (weak(root((x - y) ** 2), root(1 + x**2) - root(1 + y**2)), []),
    "below a circle": (strict(root(1 - x**2), 1 - x), [x > 0, x < 1]),
}
FAIL = {
    "a root of a sum": (weak(root(p) + root(q), root(p + q + sp.Rational(1, 100))), []),
    "below the tangent": (weak(1 + sp.Rational(49, 100) * p, root(1 + p)), []),
    "below the tangent, from -1 on": (weak(1 + sp.Rational(49, 100) * x, root(1 + x)), [x >= -1]),
    "turned": (weak(root((x + y) ** 2), root(x**2) + root(y**2)), []),
    "of a negative side": (weak(root(x**2), 2 * x), []),
    "the larger eigenvalue": (strict((a + b) / 2 + root((a - b) ** 2 / 4 + x**2), a), []),
}


@pytest.mark.parametrize("name", HOLD)
def test_what_holds_is_proved(name: str) -> None:
    assert accepted(inequality(*HOLD[name])).verdict is Verdict.PROVED


@pytest.mark.parametrize("name", FAIL)
def test_a_near_miss_is_refuted(name: str) -> None:
    assert accepted(inequality(*FAIL[name])).verdict is Verdict.REFUTED


def by_squares() -> Any:
    relation = weak(p + q, root(p**2 + q**2))
    certificate = accepted(inequality(relation))
    assert certificate.method == "by squares of both sides"
    return json.loads(json.dumps(certificate.as_json()))


@pytest.mark.parametrize("key", ["larger", "smaller"])
@pytest.mark.parametrize("change", ["turned", "doubled", "undefined", "missing", "no formula"])
def test_no_corruption_of_the_parameters_is_accepted(key: str, change: str) -> None:
    broken = by_squares()
    parameters = broken["payload"]["parameters"]
    before = parameters[key]
    nowhere = ["^", ["+", ["q", "-1"], ["*", ["q", "-1"], ["^", ["s", "p"], ["q", "2"]]]], ["q", "1/2"]]
    changed = {
        "turned": ["*", ["q", "-1"], before],
        "doubled": ["*", ["q", "2"], before],
        "undefined": ["+", before, nowhere, ["*", ["q", "-1"], nowhere]],
        "no formula": ["+"],
    }
    if change == "missing":
        del parameters[key]
    else:
        parameters[key] = changed[change]
    with pytest.raises(Rejected):
        check(broken)


def test_no_part_may_be_missing_and_no_other_statement_stand_above() -> None:
    whole = by_squares()
    for k in range(len(whole["payload"]["parts"])):
        broken = copy.deepcopy(whole)
        del broken["payload"]["parts"][k]
        with pytest.raises(Rejected):
            check(broken)
    for key, value in {
        "relation": ">",
        "left": whole["statement"]["right"],
        "assuming": [["!=", ["s", "p"], ["q", "7"]]],
    }.items():
        broken = copy.deepcopy(whole)
        broken["statement"][key] = value
        with pytest.raises(Rejected):
            check(broken)
