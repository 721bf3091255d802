"""A flow with a start at time 0, and what its solutions make of functions of the state and the time."""

from __future__ import annotations

from derivations.language.terms import ZERO, Term
from derivations.prove.certificate import Json
from derivations.prove.rules.analysis.values import asked, speaks_of
from derivations.prove.schemas.schema import SlotError, at_least, numbered, positive, strongest, total, without


class Flow:
    """A flow, its start, and the time, which begins at 0."""

    def __init__(self, slots: Json) -> None:
        self.flow, self.start, self.time = slots["flow"], slots["start"], slots["time"]
        if set(self.flow) != set(self.start):
            raise SlotError(
                f"flow and start must speak of the same variables, got {sorted(self.flow)} and {sorted(self.start)}"
            )
        if self.time in self.flow:
            raise SlotError(f"{self.time} is the time, so it cannot be a variable of the flow as well")
        without([*self.flow, self.time], self.start.values())
        self.since = since(slots, self.time)

    def change(self, function: Term) -> Term:
        """The derivative by the time along a solution."""
        by_state = (("*", ("D", function, x), self.flow[x]) for x in sorted(self.flow))
        return total([("D", function, self.time), *by_state])

    def begun(self, function: Term) -> Term:
        """The value at the start."""
        return ("at", function, tuple(sorted({**self.start, self.time: ZERO}.items())))


def since(slots: Json, time: str) -> Term:
    """That the time is not negative, of which nothing more may be declared, and supposed no more than where it ends."""
    if set(slots["symbols"][time]) - {"nonnegative"}:
        raise SlotError(f"{time} is the time from 0 on: declare it real, or nonnegative, and nothing else")
    now = ("s", time)
    for order, larger, smaller in slots["assuming"]:
        ends = order in (">", ">=") and smaller == now and not speaks_of((order, larger, ZERO), time)
        if speaks_of((order, larger, smaller), time) and not ends:
            raise SlotError(
                f"{time} is the time from 0 on: a hypothesis may say {time} < T or {time} <= T, and no more"
            )
    return (">=", now, ZERO)


def smooth(slots: Json, functions: list[Term], *extra: Term) -> dict[str, Json]:
    """That functions are smooth wherever the hypotheses hold."""
    known = slots["symbols"]
    found = dict.fromkeys(inner for f in functions for _, inner in asked(f, known, smooth=True))
    return numbered("smooth", (positive(slots, inner, *extra) for inner in found))


def in_region(slots: Json, name: str, functions: dict[str, Term], *extra: Term) -> dict[str, Json]:
    """That functions have values that a symbol may have, which must be all numbers on one side of zero, or all."""
    told, needs = strongest(slots["symbols"][name]), {}
    if "nonzero" in told:
        raise SlotError(f"{name} ranges over an interval: declare it real, or of one sign, and not as nonzero")
    for role, function in functions.items():
        for sign in told:
            high, low = (function, ZERO) if sign in ("positive", "nonnegative") else (ZERO, function)
            relation = ">" if sign in ("positive", "negative") else ">="
            needs[f"{role} {sign}"] = {**at_least(slots, high, low, *extra), "relation": relation}
    return needs
