"""A statement about trajectories as the checker reads it: refused, in one sentence, where it says nothing exact."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from derivations.language.terms import NotExact, as_tuples, symbols_in
from derivations.prove.certificate import Json
from derivations.prove.checking import as_a_checker
from derivations.recheck.core.load import normal
from derivations.recheck.kinds.flows.trajectories.claims import Claim


def claim_of(statement: Json) -> Claim:
    """The statement as the checker reads it; refuses what is none (`NotExact`)."""
    states = statement["states"]
    if set(states) != set(statement["start"]):
        raise NotExact(
            "the flow and its start must speak of the same variables, got"
            f" {sorted(states)} and {sorted(statement['start'])}: give every variable a rate and a start"
        )
    for term in formulas_of(statement):
        if unknown := symbols_in(as_tuples(term)) - {*states, statement["time"]}:
            raise NotExact(
                f"a rate or a relation holds {min(unknown)}, which is neither a variable nor the time"
                f" {statement['time']}: give it a value or an interval with parameters="
            )
    with as_a_checker():
        claim = Claim(normal(statement))
    if claim.latest == 0:
        raise NotExact("only the start is spoken of: name a time after 0 in at least one proposition")
    return claim


def above(high: str, low: str) -> Json:
    """That a number is above another."""
    head = {"kind": "sign", "symbols": {}, "assuming": [], "relation": ">"}
    return head | {"left": ("q", high), "right": ("q", low)}


def formulas_of(statement: Json) -> list[Any]:
    """The rates, and the sides of the relations."""
    sides = [side for said in statement["says"] for side in said.get("relation", ())[1:]]
    return [*statement["states"].values(), *sides]


def moving_states(states: Mapping[str, Any], is_map: bool) -> list[str]:
    """The states whose rate is not literally 0, or which a map does not literally keep."""
    return [name for name in sorted(states) if as_tuples(states[name]) != (("s", name) if is_map else ("q", "0"))]
