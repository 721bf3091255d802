"""Inequalities by rules: families that hold are decided and accepted, near misses and changed proofs are not."""

from __future__ import annotations

import random
from typing import Any

import pytest
from case_files import Cases
from drawn import drawn
from each import each
from recheck.corrupt import taken

from derivations import prove
from derivations.audit.ledger import plain
from derivations.prove.rules.rule import Step, parts_left
from derivations.recheck import Rejected, check

FAMILIES = Cases(__file__, globals())

Json = dict[str, Any]
LIES = drawn(25)  # of each proof, that are tried


HOLD = FAMILIES["hold"]
FAIL = FAMILIES["fail"]


@pytest.mark.drawn
@each("name", [*HOLD], one_of=24)
def test_what_holds_is_decided_and_no_changed_proof_is_accepted(name: str) -> None:
    found = prove.inequality(*HOLD[name])
    assert found.verdict.value in ("proved", "certified"), found.reason
    check(found.as_json())
    assert taken(plain(found), random.Random(name), LIES) == []


@each("name", [*FAIL])
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


@each(("function", "end", "assuming", "more"), FAMILIES["no hole is stepped over and no side is the other"])
def test_no_hole_is_stepped_over_and_no_side_is_the_other(function: Any, end: Any, assuming: Any, more: Json) -> None:
    step, statement = slope(function, end, assuming, **more)
    try:
        forged = shown(step, statement)
    except prove.NotExact:
        return  # no use of the rule
    with pytest.raises(Rejected):
        check(forged)


@each(("declared", "supposed"), FAMILIES["nothing is supposed on the way that is not shown there"])
def test_nothing_is_supposed_on_the_way_that_is_not_shown_there(declared: list[str], supposed: list[Any]) -> None:
    """On each of these ways -1/x rises without a hole; none of them is the way from -1 to a point up to 1."""
    step, statement = slope(MINUS_RECIPROCAL, ("q", "-1"), WITHIN)
    signs = {"h": declared} | ({"x": []} if any("x" in str(r) for r in supposed) else {})
    with pytest.raises(Rejected):
        check(shown(step, statement, Step("other hypotheses", {"declared": signs, "supposed": supposed})))
