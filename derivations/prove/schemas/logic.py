"""Facts that are shown once and used as hypotheses."""

from __future__ import annotations

from derivations.language.terms import Term
from derivations.prove.certificate import Json
from derivations.prove.schemas.schema import STATEMENTS, Schema, SlotError, Use, numbered, positive, smooth_where


def from_facts(slots: Json) -> Use:
    goal, facts = slots["goal"], slots["facts"]
    if goal["kind"] not in ("identity", "sign"):
        raise SlotError(f"what follows from facts is an equation or an inequality, got {goal['kind']}")
    relations: list[Term] = []
    needs: dict[str, Json] = {}
    for k, fact in enumerate(facts, 1):
        relations.append(_relation(fact, goal, k))
        needs[f"fact {k}"] = fact
        defined = dict.fromkeys(g for side in relations[-1][1:] for g in smooth_where(side, goal["symbols"]))
        needs |= numbered(f"value of fact {k},", (positive(goal, g) for g in defined))
    needs["goal"] = {**goal, "assuming": [*goal["assuming"], *relations]}
    return Use(needs, goal)


def _relation(fact: Json, goal: Json, k: int) -> Term:
    """A fact as a hypothesis; it must hold wherever the goal's own hypotheses do."""
    if fact["kind"] not in ("identity", "sign"):
        raise SlotError(f"fact {k} must be an equation or an inequality, got {fact['kind']}")
    known = goal["symbols"]
    weaker = all(x in known and set(told) <= set(known[x]) for x, told in fact["symbols"].items())
    if not weaker or not all(relation in goal["assuming"] for relation in fact["assuming"]):
        raise SlotError(f"fact {k} supposes more than the goal does: state the goal under the same hypotheses")
    return (fact.get("relation", "="), fact["left"], fact["right"])


SCHEMAS = (
    Schema(
        "from facts",
        "What follows from facts that are shown holds without naming them as hypotheses.",
        "Every fact holds under the hypotheses of the goal, and both of its sides have a value there.",
        "the rule of cut",
        STATEMENTS,
        {"facts": "statements", "goal": "statement"},
        from_facts,
    ),
)
