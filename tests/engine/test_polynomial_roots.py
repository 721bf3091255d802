"""Inequalities with roots: squares of both sides decide them, and near misses are never proved."""

from __future__ import annotations

import copy
import json
from functools import cache
from typing import Any

import pytest
import sympy as sp
from case_files import Cases
from each import each
from engine.reference import accepted

from derivations.prove import Verdict, inequality
from derivations.recheck import Rejected, check

FAMILIES = Cases(__file__, globals())

p, q = sp.symbols("p q", positive=True)
root = sp.sqrt


def strict(left: Any, right: Any = 0) -> Any:
    return sp.StrictGreaterThan(left, right, evaluate=False)


def weak(left: Any, right: Any = 0) -> Any:
    return sp.GreaterThan(left, right, evaluate=False)


HOLD = FAMILIES["hold"]
FAIL = FAMILIES["fail"]


@each("name", [*HOLD], one_of=3)
def test_what_holds_is_proved(name: str) -> None:
    assert accepted(inequality(*HOLD[name])).verdict is Verdict.PROVED


@each("name", [*FAIL], one_of=3)
def test_a_near_miss_is_refuted(name: str) -> None:
    assert accepted(inequality(*FAIL[name])).verdict is Verdict.REFUTED


@cache
def by_squares() -> str:
    relation = weak(p + q, root(p**2 + q**2))
    certificate = accepted(inequality(relation))
    assert certificate.method == "by squares of both sides"
    return json.dumps(certificate.as_json())


@each("key", ["larger", "smaller"])
@each("change", ["turned", "doubled", "undefined", "missing", "no formula"])
def test_no_corruption_of_the_parameters_is_accepted(key: str, change: str) -> None:
    broken = json.loads(by_squares())
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
    whole = json.loads(by_squares())
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
