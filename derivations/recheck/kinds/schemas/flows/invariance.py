"""Theorems about sets that solutions stay in, and about the way to a point where a flow rests."""

from __future__ import annotations

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term
from derivations.recheck.core.terms import ZERO
from derivations.recheck.kinds.schemas.flows.course import all_smooth, course, ordered
from derivations.recheck.kinds.schemas.slots import (
    Needs,
    Theorem,
    above_zero,
    added,
    conclusion,
    equal,
    forbid,
    negative,
    relations_of,
    valued,
)


def _set(slots: Data) -> tuple[Needs, Data]:
    path, functions = course(slots), slots["barriers"]
    kept_in = [(">=", ZERO, function) for function in functions]
    needs = all_smooth(slots, functions, path.begun)
    for place, function in enumerate(functions):
        label = f"barrier {place + 1}"
        needs[f"{label} at the start"] = ordered(slots, ZERO, path.at_first(function))
        rest = [wall for other, wall in enumerate(kept_in) if other != place]
        touched = (path.begun, ("=", function, ZERO), *rest)
        needs[f"{label} pushes back"] = above_zero(slots, negative(path.rate_of(function)), *touched)
    said = {"barriers": functions, "flow": path.rates, "start": path.start, "time": path.clock}
    return needs, conclusion("stays in a set", slots, **said)


def _box(slots: Data) -> tuple[Needs, Data]:
    path, floors, ceilings = course(slots), slots["low"], slots["high"]
    names, bounded = sorted(path.rates), set(floors) | set(ceilings)
    if not bounded or bounded - set(names):
        raise Rejected("a box has at least one end, and its ends are those of variables of the flow")
    for x in names:
        if slots["symbols"].get(x) != ():
            raise Rejected(f"the variable {x} may have no assumption but the box")
    forbid([path.clock, *names], [*floors.values(), *ceilings.values(), *relations_of(slots)])
    within: dict[str, list[Term]] = {x: [] for x in names}
    for x in names:
        if x in floors:
            within[x].append((">=", ("s", x), floors[x]))
        if x in ceilings:
            within[x].append((">=", ceilings[x], ("s", x)))
    needs = all_smooth(slots, [path.rates[x] for x in names], path.begun, *[r for x in names for r in within[x]])
    needs |= valued(slots, *[table[x] for table in (floors, ceilings, path.start) for x in sorted(table)])
    for x in names:
        elsewhere = [r for y in names for r in within[y] if y != x]
        if x in floors:
            inwards: Term = ("at", path.rates[x], ((x, floors[x]),))
            needs[f"start of {x} at the low end"] = ordered(slots, path.start[x], floors[x])
            needs[f"{x} at its low end"] = ordered(slots, inwards, ZERO, path.begun, *elsewhere)
        if x in ceilings:
            outwards: Term = ("at", path.rates[x], ((x, ceilings[x]),))
            needs[f"start of {x} at the high end"] = ordered(slots, ceilings[x], path.start[x])
            needs[f"{x} at its high end"] = ordered(slots, ZERO, outwards, path.begun, *elsewhere)
    compact = set(floors) == set(ceilings) == set(names)
    said = {"low": floors, "high": ceilings, "flow": path.rates, "start": path.start, "time": path.clock}
    return needs, conclusion("stays in a box", slots, **said, lasts="forever" if compact else "while it exists")


def _to_rest(slots: Data) -> tuple[Needs, Data]:
    if not len(slots["flow"]) == len(slots["start"]) == len(slots["point"]) == 1:
        raise Rejected("the flow must have one variable, with one start and one point of rest")
    ((x, rate),), ((of_start, begin),), ((of_point, end),) = (slots[k].items() for k in ("flow", "start", "point"))
    if not x == of_start == of_point or slots["symbols"].get(x) != ():
        raise Rejected(f"start and point must be of {x}, which may have no assumption but the interval")
    if slots["time"] in slots["symbols"]:
        raise Rejected(f"the rate and its setting may not speak of the time {slots['time']}")
    forbid([x], [begin, end, *relations_of(slots)])
    here: Term = ("s", x)
    if slots["side"] == "below":
        gap, speed = added([end, negative(begin)]), rate
        on_the_way, at_most = ((">=", here, begin), (">", end, here)), ((">=", here, begin), (">=", end, here))
    elif slots["side"] == "above":
        gap, speed = negative(added([end, negative(begin)])), negative(rate)
        on_the_way, at_most = ((">=", begin, here), (">", here, end)), ((">=", begin, here), (">=", here, end))
    else:
        raise Rejected("the start stands below or above the point of rest")
    needs = {
        "order": above_zero(slots, gap),
        "rate at rest": equal(slots, ("at", rate, ((x, end),)), ZERO),
        "moves": above_zero(slots, speed, *on_the_way),
    }
    needs |= all_smooth(slots, [rate], *at_most) | valued(slots, begin, end)
    return needs, conclusion("tends to rest", slots, **{key: slots[key] for key in ("flow", "start", "point", "time")})


THEOREMS = {
    "set that a flow does not leave": Theorem(
        "Where each of several functions falls along a flow at every point at which it is zero and none of the others"
        " is positive, a solution on which none is positive at the start keeps them so.",
        {"flow": "flow", "start": "flow", "time": "symbol", "barriers": "terms"},
        _set,
    ),
    "box that a flow does not leave": Theorem(
        "Where a flow does not lead out of a box at any of its faces, a solution that starts in it stays in it; if the"
        " box is bounded, the solution exists for all times from 0.",
        {"flow": "flow", "start": "flow", "time": "symbol", "low": "flow or none", "high": "flow or none"},
        _box,
    ),
    "motion towards a rest point": Theorem(
        "The solution of a flow in one variable that starts on one side of a point where it rests, and moves towards it"
        " all the way there, exists for all times from 0 and tends to that point without turning.",
        {"flow": "flow", "start": "flow", "point": "flow", "side": "text", "time": "fresh"},
        _to_rest,
    ),
}
