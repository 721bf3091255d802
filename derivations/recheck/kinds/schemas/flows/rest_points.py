"""Theorems about the linear part of a flow at a point where it rests."""

from __future__ import annotations

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term
from derivations.recheck.core.terms import ZERO
from derivations.recheck.kinds.schemas.slots import (
    Needs,
    Theorem,
    above_zero,
    added,
    conclusion,
    counted,
    equal,
    forbid,
    forbid_the_time,
    must_be_positive,
    negative,
    relations_of,
    squared,
    valued,
)


class _Rest:
    """A flow at a point."""

    def __init__(self, slots: Data) -> None:
        self.slots, self.flow, self.point = slots, slots["flow"], slots["point"]
        self.names = sorted(self.flow)
        if set(self.point) != set(self.flow):
            raise Rejected("flow and point must speak of the same variables")
        forbid(self.flow, [*self.point.values(), *relations_of(slots)])
        forbid_the_time(slots)

    def there(self, formula: Term) -> Term:
        return ("at", formula, tuple((x, self.point[x]) for x in sorted(self.point)))

    def jacobian(self, row: str, column: str) -> Term:
        return self.there(("D", self.flow[row], column))

    def needs(self) -> Needs:
        found = {f"rate of {x} at rest": equal(self.slots, self.there(self.flow[x]), ZERO) for x in self.names}
        smooth = {g: None for x in self.names for g in must_be_positive(self.flow[x], self.slots["symbols"])}
        found |= counted("smooth", [above_zero(self.slots, self.there(g)) for g in smooth])
        for x in self.names:
            declared = self.slots["symbols"][x]
            strict = tuple(told for told in ("positive", "negative") if told in declared)
            for told in strict or declared:
                found[f"{x} {told} at the point"] = above_zero(self.slots, self.there(_inside(x, told)))
        return found


def _inside(x: str, told: str) -> Term:
    symbol: Term = ("s", x)
    if told == "nonzero":
        return squared(symbol)
    return negative(symbol) if told in ("negative", "nonpositive") else symbol


def _unstable(slots: Data) -> tuple[Needs, Data]:
    rest, vector, growth = _Rest(slots), slots["vector"], slots["growth"]
    if slots["side"] not in ("left", "right") or set(vector) != set(rest.flow):
        raise Rejected("the eigenvector must give a number for each variable, and its side as left or right")
    forbid(rest.flow, [growth, *vector.values()])
    needs = rest.needs()
    for i in rest.names:
        entries = [(rest.jacobian(i, j) if slots["side"] == "right" else rest.jacobian(j, i), j) for j in rest.names]
        moved = added([("*", entry, vector[j]) for entry, j in entries])
        needs[f"eigenvector along {i}"] = equal(slots, moved, ("*", growth, vector[i]))
    needs["growth"] = above_zero(slots, growth)
    needs["a direction"] = above_zero(slots, added([squared(vector[x]) for x in rest.names]))
    needs |= valued(slots, growth, *[vector[x] for x in rest.names])
    return needs, conclusion("not stable", slots, flow=slots["flow"], point=slots["point"])


def _stable(slots: Data) -> tuple[Needs, Data]:
    rest = _Rest(slots)
    if len(rest.names) != 2:
        raise Rejected(f"a plane has two variables, got {len(rest.names)}")
    x, y = rest.names
    xx, xy, yx, yy = rest.jacobian(x, x), rest.jacobian(x, y), rest.jacobian(y, x), rest.jacobian(y, y)
    needs = rest.needs()
    needs["trace"] = above_zero(slots, negative(added([xx, yy])))
    needs["determinant"] = above_zero(slots, added([("*", xx, yy), negative(("*", xy, yx))]))
    return needs, conclusion("attracts", slots, flow=slots["flow"], point=slots["point"])


def _unstable_by_trace(slots: Data) -> tuple[Needs, Data]:
    rest = _Rest(slots)
    needs = rest.needs()
    needs["trace"] = above_zero(slots, added([rest.jacobian(x, x) for x in rest.names]))
    return needs, conclusion("not stable", slots, flow=slots["flow"], point=slots["point"])


def _stable_on_a_line(slots: Data) -> tuple[Needs, Data]:
    rest = _Rest(slots)
    if len(rest.names) != 1:
        raise Rejected(f"a line has one variable, got {len(rest.names)}")
    x = rest.names[0]
    needs = rest.needs() | {"slope": above_zero(slots, negative(rest.jacobian(x, x)))}
    return needs, conclusion("attracts", slots, flow=slots["flow"], point=slots["point"])


THEOREMS = {
    "instability by the trace": Theorem(
        "A point where a flow rests and its Jacobian has a positive trace is not stable.",
        {"flow": "flow", "point": "flow"},
        _unstable_by_trace,
    ),
    "linear stability on a line": Theorem(
        "A point where a flow in one variable rests, and its rate has a negative slope, attracts every start near it.",
        {"flow": "flow", "point": "flow"},
        _stable_on_a_line,
    ),
    "linear instability": Theorem(
        "A point where a flow rests and its Jacobian has a positive eigenvalue is not stable.",
        {"flow": "flow", "point": "flow", "vector": "flow", "growth": "term", "side": "text"},
        _unstable,
    ),
    "linear stability in the plane": Theorem(
        "A point where a flow in the plane rests, and its Jacobian has negative trace and positive determinant,"
        " attracts every start near it.",
        {"flow": "flow", "point": "flow"},
        _stable,
    ),
}
