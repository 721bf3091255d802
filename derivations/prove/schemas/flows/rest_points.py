"""What the linear part of a flow says of a point where it rests."""

from __future__ import annotations

from derivations.language.terms import ZERO, Term, rational
from derivations.prove.certificate import Json
from derivations.prove.schemas.schema import (
    SCALARS,
    Schema,
    SlotError,
    Use,
    concluded,
    identity,
    keep_the_time_apart,
    minus,
    numbered,
    positive,
    sign_of,
    smooth_where,
    strongest,
    total,
    with_values,
    without,
)


def _rests(slots: Json) -> dict[str, Json]:
    """That every rate vanishes at the point and is smooth near it, and that the point lies inside of the region."""
    flow, point = slots["flow"], slots["point"]
    if set(flow) != set(point):
        raise SlotError(f"flow and point must speak of the same variables, got {sorted(flow)} and {sorted(point)}")
    without(flow, [*point.values(), *slots["assuming"]])
    keep_the_time_apart(slots)
    smooth = dict.fromkeys(g for x in sorted(flow) for g in smooth_where(flow[x], slots["symbols"]))
    rests = {f"rate of {x} at rest": identity(slots, _at(flow[x], slots), ZERO) for x in sorted(flow)}
    inside = {
        f"{x} {told} at the point": positive(slots, _at(sign_of(x, told), slots))
        for x in sorted(flow)
        for told in strongest(slots["symbols"][x])
    }
    return rests | numbered("smooth", (positive(slots, _at(g, slots)) for g in smooth)) | inside


def _at(term: Term, slots: Json) -> Term:
    return ("at", term, tuple(sorted(slots["point"].items())))


def _slope(slots: Json, of: str, by: str) -> Term:
    return _at(("D", slots["flow"][of], by), slots)


def instability(slots: Json) -> Use:
    flow, vector, growth, side = slots["flow"], slots["vector"], slots["growth"], slots["side"]
    if side not in ("left", "right") or set(vector) != set(flow):
        raise SlotError("the eigenvector needs one number for each variable, and a side: left or right")
    without(flow, [growth, *vector.values()])
    names = sorted(flow)
    needs = _rests(slots)
    for x in names:
        slopes = (_slope(slots, x, y) if side == "right" else _slope(slots, y, x) for y in names)
        moved = total(("*", slope, vector[y]) for slope, y in zip(slopes, names, strict=True))
        needs[f"eigenvector along {x}"] = identity(slots, moved, ("*", growth, vector[x]))
    needs["growth"] = positive(slots, growth)
    needs["a direction"] = positive(slots, total(("^", vector[x], rational(2)) for x in names))
    needs |= with_values(slots, growth, *(vector[x] for x in names))
    return Use(needs, concluded("not stable", slots, flow=flow, point=slots["point"]))


def stability_in_the_plane(slots: Json) -> Use:
    if len(slots["flow"]) != 2:
        raise SlotError(f"a flow in the plane has two variables, got {sorted(slots['flow'])}")
    x, y = sorted(slots["flow"])
    a, b, c, d = (_slope(slots, row, column) for row in (x, y) for column in (x, y))
    needs = _rests(slots) | {
        "trace": positive(slots, minus(total([a, d]))),
        "determinant": positive(slots, total([("*", a, d), minus(("*", b, c))])),
    }
    return Use(needs, concluded("attracts", slots, flow=slots["flow"], point=slots["point"]))


def instability_by_the_trace(slots: Json) -> Use:
    trace = total(_slope(slots, x, x) for x in sorted(slots["flow"]))
    needs = _rests(slots) | {"trace": positive(slots, trace)}
    return Use(needs, concluded("not stable", slots, flow=slots["flow"], point=slots["point"]))


def stability_on_a_line(slots: Json) -> Use:
    if len(slots["flow"]) != 1:
        raise SlotError(f"a flow on a line has one variable, got {sorted(slots['flow'])}")
    [x] = slots["flow"]
    needs = _rests(slots) | {"slope": positive(slots, minus(_slope(slots, x, x)))}
    return Use(needs, concluded("attracts", slots, flow=slots["flow"], point=slots["point"]))


SOURCE = "Lyapunov's indirect method; e.g. Hirsch, Smale and Devaney, Differential Equations, Chapter 8"
SCHEMAS = (
    Schema(
        "linear instability",
        "A point where a flow rests and its Jacobian has a positive eigenvalue is not stable.",
        "The Jacobian is that of the flow at the point, the flow is smooth near it, and the eigenvector, from the"
        " right or from the left, is not zero and has a value, as the eigenvalue has; the point lies inside of the"
        " region in which the variables are declared.",
        SOURCE,
        SCALARS,
        {"flow": "flow", "point": "flow", "vector": "flow", "growth": "term", "side": "text"},
        instability,
    ),
    Schema(
        "linear stability in the plane",
        "A point where a flow in the plane rests, and its Jacobian has negative trace and positive determinant,"
        " attracts every start near it.",
        "The Jacobian is that of the flow at the point, the flow is smooth near it, and the point lies inside of the"
        " region in which the variables are declared.",
        SOURCE,
        SCALARS,
        {"flow": "flow", "point": "flow"},
        stability_in_the_plane,
    ),
    Schema(
        "instability by the trace",
        "A point where a flow rests and its Jacobian has a positive trace is not stable.",
        "The Jacobian is that of the flow at the point, the flow is smooth near it, and the point lies inside of the"
        " region in which the variables are declared.",
        SOURCE,
        SCALARS,
        {"flow": "flow", "point": "flow"},
        instability_by_the_trace,
    ),
    Schema(
        "linear stability on a line",
        "A point where a flow in one variable rests, and its rate has a negative slope, attracts every start near it.",
        "The slope is that of the rate at the point, the rate is smooth near it, and the point lies inside of the"
        " region in which the variable is declared.",
        SOURCE,
        SCALARS,
        {"flow": "flow", "point": "flow"},
        stability_on_a_line,
    ),
)
