"""The rule by which facts that are shown need not be supposed."""

from __future__ import annotations

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, part, shown
from derivations.recheck.core.statements import setting, side
from derivations.recheck.kinds.schemas.slots import Needs, Theorem, above_zero, counted, must_be_positive

RELATIONS = {"identity": ("=",), "sign": (">", ">=")}


def _cut(slots: Data) -> tuple[Needs, Data]:
    goal = slots["goal"]
    _relation(goal, "the goal")
    needs: Needs = {}
    more: list[Term] = []
    for k, fact in enumerate(slots["facts"], 1):
        found = _relation(fact, f"fact {k}")
        for symbol, told in fact["symbols"].items():
            if symbol not in goal["symbols"] or not set(told) <= set(goal["symbols"][symbol]):
                raise Rejected(f"fact {k} supposes more of {symbol} than the goal does")
        if any(supposed not in goal["assuming"] for supposed in fact["assuming"]):
            raise Rejected(f"fact {k} has a hypothesis that the goal has not")
        more.append(found)
        needs[f"fact {k}"] = fact
        values = {g: None for formula in found[1:] for g in must_be_positive(formula, goal["symbols"])}
        needs |= counted(f"value of fact {k},", [above_zero(goal, g) for g in values])
    needs["goal"] = goal | {"assuming": (*goal["assuming"], *more)}
    return needs, goal


def _relation(statement: Data, what: str) -> Term:
    kind = part(statement, "kind", str, what)
    if kind not in RELATIONS:
        raise Rejected(f"{what} must be an equation or an inequality, got {shown(kind)}")
    setting(statement).free(side(statement, "left"), side(statement, "right"))
    order = statement.get("relation", "=")
    if order not in RELATIONS[kind]:
        raise Rejected(f"{what} has the relation {shown(order)}")
    return (order, statement["left"], statement["right"])


THEOREMS = {
    "from facts": Theorem(
        "What follows from facts that are shown holds without naming them as hypotheses.",
        {"facts": "statements", "goal": "statement"},
        _cut,
    ),
}
