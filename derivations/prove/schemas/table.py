"""The table of theorems, `derivations/theorems`: what one of them needs and concludes, as the checker reads it."""

from __future__ import annotations

from typing import Any, NamedTuple

from derivations.prove.certificate import Json
from derivations.recheck.core.budget import budget
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import normal
from derivations.recheck.core.table.by import needs_and_conclusion
from derivations.recheck.core.theorems import Theorem, theorems
from derivations.text import DerivationError, did_you_mean
from derivations.text.doors import shown


class SlotError(DerivationError):
    """The fillings of the letters make no use of the theorem; the message is one sentence."""


class Use(NamedTuple):
    """The use of a theorem with its slots: the statements that it needs, by role, and the one that it concludes."""

    needs: dict[str, Json]
    concludes: Json


def theorem_named(name: str) -> Theorem:
    table = theorems()
    if name not in table:
        hint = did_you_mean(name, table) or ":"
        raise SlotError(f"no theorem is called {shown(name)}{hint} docs/trusted.md lists all {len(table)}")
    return table[name]


def use_of(name: str, slots: Json) -> Use:
    """The needed statements and the conclusion."""
    theorem_named(name)
    try:
        with budget():
            needs, concludes = needs_and_conclusion(name, normal(slots))
    except Rejected as refusal:
        raise SlotError(str(refusal)) from None
    return Use({role: as_stated(need) for role, need in needs.items()}, as_stated(concludes))


def as_stated(statement: Any) -> Json:
    """A statement as provers have it: what is told of symbols, and what is supposed, in lists."""
    lists: Json = {}
    if "symbols" in statement:
        lists["symbols"] = {name: [*told] for name, told in statement["symbols"].items()}
    for key in ("assuming", "rules", "orders", "determinants"):
        if key in statement:
            lists[key] = [*statement[key]]
    return {**statement, **lists}
