"""Sets that solutions do not leave, and rest points that they tend to."""

from __future__ import annotations

from derivations.language.terms import ZERO, Term
from derivations.prove.certificate import Json
from derivations.prove.schemas.flows.along import Flow, smooth
from derivations.prove.schemas.schema import (
    SCALARS,
    Schema,
    SlotError,
    Use,
    at_least,
    concluded,
    identity,
    minus,
    positive,
    total,
    with_values,
    without,
)


def barriers(slots: Json) -> Use:
    moving, walls = Flow(slots), slots["barriers"]
    inside: list[Term] = [(">=", ZERO, wall) for wall in walls]
    needs = smooth(slots, walls, moving.since)
    for k, wall in enumerate(walls):
        others = [*inside[:k], *inside[k + 1 :]]
        falls = minus(moving.change(wall))
        needs[f"barrier {k + 1} at the start"] = at_least(slots, ZERO, moving.begun(wall))
        needs[f"barrier {k + 1} pushes back"] = positive(slots, falls, moving.since, ("=", wall, ZERO), *others)
    kept = {key: slots[key] for key in ("flow", "start", "time", "barriers")}
    return Use(needs, concluded("stays in a set", slots, **kept))


def box(slots: Json) -> Use:
    moving, low, high = Flow(slots), slots["low"], slots["high"]
    if not {*low, *high} <= {*moving.flow} or not {*low, *high}:
        raise SlotError(f"the ends of a box are those of variables of the flow, got {sorted({*low, *high})}")
    if declared := [x for x in sorted(moving.flow) if slots["symbols"][x]]:
        raise SlotError(f"{declared[0]} ranges over the box alone: declare it real and nothing else")
    without([*moving.flow, moving.time], [*low.values(), *high.values(), *slots["assuming"]])
    ends = {x: [(table, end) for end, table in (("low", low), ("high", high)) if x in table] for x in moving.flow}
    inside = {x: [_inside(end, ("s", x), table[x]) for table, end in ends[x]] for x in moving.flow}
    all_inside = [relation for x in sorted(moving.flow) for relation in inside[x]]
    needs = smooth(slots, [moving.flow[x] for x in sorted(moving.flow)], moving.since, *all_inside)
    needs |= with_values(slots, *(table[x] for table in (low, high, moving.start) for x in sorted(table)))
    for x in sorted(moving.flow):
        others = [relation for y in sorted(moving.flow) if y != x for relation in inside[y]]
        for table, end in ends[x]:
            rate: Term = ("at", moving.flow[x], ((x, table[x]),))
            needs[f"start of {x} at the {end} end"] = at_least(slots, *_inside(end, moving.start[x], table[x])[1:])
            needs[f"{x} at its {end} end"] = at_least(slots, *_inside(end, rate, ZERO)[1:], moving.since, *others)
    lasts = all(len(ends[x]) == 2 for x in moving.flow)
    kept = {key: slots[key] for key in ("flow", "start", "time", "low", "high")}
    return Use(needs, concluded("stays in a box", slots, **kept, lasts="forever" if lasts else "while it exists"))


def _inside(end: str, value: Term, limit: Term) -> Term:
    return (">=", value, limit) if end == "low" else (">=", limit, value)


def towards_rest(slots: Json) -> Use:
    flow, start, point, side = (slots[key] for key in ("flow", "start", "point", "side"))
    if len(flow) != 1 or not set(flow) == set(start) == set(point) or side not in ("below", "above"):
        raise SlotError("the flow has one variable, whose start stands below or above of the point where it rests")
    [name] = flow
    if slots["time"] in slots["symbols"]:
        raise SlotError(f"{slots['time']} is the time, and the rate, the start and the point must not speak of it")
    if slots["symbols"][name]:
        raise SlotError(f"{name} ranges over the interval alone: declare it real and nothing else")
    without(flow, [start[name], point[name], *slots["assuming"]])
    x, rate, begin, end = ("s", name), flow[name], start[name], point[name]
    from_start = (">=", x, begin) if side == "below" else (">=", begin, x)
    before_end, up_to_end = ((order, *((end, x) if side == "below" else (x, end))) for order in (">", ">="))
    way, speed = total([end, minus(begin)]), rate
    needs = {
        "order": positive(slots, way if side == "below" else minus(way)),
        "rate at rest": identity(slots, ("at", rate, ((name, end),)), ZERO),
        "moves": positive(slots, speed if side == "below" else minus(speed), from_start, before_end),
        **smooth(slots, [rate], from_start, up_to_end),
        **with_values(slots, begin, end),
    }
    return Use(needs, concluded("tends to rest", slots, flow=flow, start=start, point=point, time=slots["time"]))


SCHEMAS = (
    Schema(
        "set that a flow does not leave",
        "Where each of several functions falls along a flow at every point at which it is zero and none of the others"
        " is positive, a solution on which none is positive at the start keeps them so.",
        "The functions are smooth wherever the hypotheses hold, inside of the set and outside, and each falls strictly"
        " where it is zero; the conclusion holds for as long as the solution exists and satisfies the hypotheses.",
        "Hirsch, Smale and Devaney, Differential Equations, Chapter 9",
        SCALARS,
        {"flow": "flow", "start": "flow", "time": "symbol", "barriers": "terms"},
        barriers,
    ),
    Schema(
        "box that a flow does not leave",
        "Where a flow does not lead out of a box at any of its faces, a solution that starts in it stays in it; if the"
        " box is bounded, the solution exists for all times from 0.",
        "The rates are smooth on the whole box, at all times from 0 on; nothing is supposed of the variables but that"
        " they lie in the box, whose ends are constants; a box without some ends holds the solution for as long as it"
        " exists.",
        "Nagumo's theorem; Walter, Ordinary Differential Equations, section 10",
        SCALARS,
        {"flow": "flow", "start": "flow", "time": "symbol", "low": "flow or none", "high": "flow or none"},
        box,
    ),
    Schema(
        "motion towards a rest point",
        "The solution of a flow in one variable that starts on one side of a point where it rests, and moves towards it"
        " all the way there, exists for all times from 0 and tends to that point without turning.",
        "The rate does not depend on time, is smooth between the start and the point, both included, and of one sign"
        " between them, the start included; nothing else is supposed of the variable.",
        "Hirsch, Smale and Devaney, Differential Equations, Chapter 1",
        SCALARS,
        {"flow": "flow", "start": "flow", "point": "flow", "side": "text", "time": "fresh"},
        towards_rest,
    ),
)
