"""Comparison: what falls behind at the start, and moves no faster, stays behind.

All three theorems compare rates with one rate of a bound symbol, the state. That rate is smooth, so that on the
stretch between the two it changes no faster than a constant times their distance, and the distance keeps its sign.
"""

from __future__ import annotations

from derivations.language.terms import ZERO, Term
from derivations.prove.certificate import Json
from derivations.prove.schemas.flows.along import Flow, in_region, since, smooth
from derivations.prove.schemas.schema import SCALARS, Schema, SlotError, Use, at_least, concluded, without

ORDERS = (">=", ">")


def _order(slots: Json) -> str:
    """Whether the two are apart at the start, and so at all times, or may be equal."""
    if slots["order"] not in ORDERS:
        raise SlotError(f"the order is >= or >, got {slots['order']}")
    return str(slots["order"])


def _with_state(slots: Json, value: Term) -> Term:
    """The rate where its state has a value."""
    return ("at", slots["rate"], ((slots["state"], value),))


def on_an_interval(slots: Json) -> Use:
    lower, upper, time, low, high = (slots[key] for key in ("lower", "upper", "variable", "low", "high"))
    without([slots["state"]], [lower, upper, low, high, *slots["assuming"]])
    without([time], [low, high, *slots["assuming"]])
    if time == slots["state"] or slots["symbols"][time]:
        raise SlotError(f"{time} is the time, and ranges over the interval alone: declare it real and nothing else")
    if slots["ends"] not in ("between", "above") or (slots["ends"] == "above" and high != ZERO):
        raise SlotError("the interval is 'between' its ends, or all that is 'above' the low one, with 0 for the high")
    t, order = ("s", time), _order(slots)
    inside: list[Term] = [(">=", t, low), *([(">=", high, t)] if slots["ends"] == "between" else [])]
    begun = [("at", function, ((time, low),)) for function in (upper, lower)]
    needs = {
        "start": {**at_least(slots, *begun), "relation": order},
        "lower rate": at_least(slots, _with_state(slots, lower), ("D", lower, time), *inside),
        "upper rate": at_least(slots, ("D", upper, time), _with_state(slots, upper), *inside),
        **smooth(slots, [lower, upper, slots["rate"]], *inside),
        **in_region(slots, slots["state"], {"lower": lower, "upper": upper}, *inside),
    }
    return Use(needs, {**at_least(slots, upper, lower, *inside), "relation": order})


def along_a_flow(slots: Json) -> Use:
    moving, lower, upper, order = Flow(slots), slots["lower"], slots["upper"], _order(slots)
    if slots["state"] in {*moving.flow, moving.time}:
        raise SlotError(f"{slots['state']} is bound by the theorem, so it is no variable of the flow and not the time")
    without([slots["state"]], [*moving.flow.values(), *moving.start.values(), lower, upper, *slots["assuming"]])
    needs = {
        "start": {**at_least(slots, moving.begun(upper), moving.begun(lower)), "relation": order},
        "lower rate": at_least(slots, _with_state(slots, lower), moving.change(lower), moving.since),
        "upper rate": at_least(slots, moving.change(upper), _with_state(slots, upper), moving.since),
        **smooth(slots, [lower, upper, slots["rate"]], moving.since),
        **in_region(slots, slots["state"], {"lower": lower, "upper": upper}, moving.since),
    }
    kept = {key: slots[key] for key in ("flow", "start", "time", "lower", "upper", "order")}
    return Use(needs, concluded("in order along the solution", slots, **kept))


def differential_inequality(slots: Json) -> Use:
    state, time, bound = slots["state"], slots["time"], slots["bound"]
    if state == time or {*slots["symbols"][state]} & {"negative", "nonpositive"}:
        raise SlotError(f"{state} is the function that is bounded: declare it real, positive or nonnegative")
    without([state], [bound, *slots["assuming"]])
    without([state, time], [slots["start"]])
    later = since(slots, time)
    needs = {
        "start": at_least(slots, ("at", bound, ((time, ZERO),)), slots["start"]),
        "rate": at_least(slots, ("D", bound, time), _with_state(slots, bound), later),
        **smooth(slots, [bound, slots["rate"]], later),
        **in_region(slots, state, {"bound": bound}, later),
    }
    kept = {key: slots[key] for key in ("state", "rate", "start", "bound", "time")}
    return Use(needs, concluded("bounded by its rate", slots, **kept))


SOURCE = "Walter, Ordinary Differential Equations, section 9"
SCHEMAS = (
    Schema(
        "comparison on an interval",
        "Where one function of time moves no faster than a rate allows, another one no slower, and the first is not"
        " above the second at the start, it stays so; if it is below, it stays below.",
        "The rate is smooth for all times of the interval and all that its state is declared to be, which is every"
        " number, or those of one sign; both functions are smooth and such numbers on the whole interval. An interval"
        " 'above' its low end has no high end, which is written as 0.",
        SOURCE,
        SCALARS,
        {
            "state": "symbol", "rate": "term", "lower": "term", "upper": "term", "variable": "symbol", "ends": "text",
            "low": "term", "high": "term", "order": "text",
        },
        on_an_interval,
    ),
    Schema(
        "comparison along a flow",
        "Of two functions of state and time, of which along a flow one moves no faster than a rate allows and the"
        " other no slower, the first is never above the second on a solution that starts so; if it starts below, it"
        " stays below.",
        "The conclusion holds for as long as the solution satisfies the hypotheses. There both functions and the rate"
        " are smooth, the rate for all that its own symbol is declared to be, which is every number, or those of one"
        " sign, and both functions are such numbers.",
        SOURCE,
        SCALARS,
        {
            "flow": "flow", "start": "flow", "time": "symbol", "lower": "term", "upper": "term", "state": "symbol",
            "rate": "term", "order": "text",
        },
        along_a_flow,
    ),
    Schema(
        "bound from a differential inequality",
        "A continuous function that is not above a bound at the start, and wherever it is as declared moves no faster"
        " than a rate allows, stays below the bound if the bound moves no slower.",
        "The rate is smooth for all that the function is declared to be: every number, or the positive or nonnegative"
        " ones, among which the bound then is; the bound is smooth from time 0 on. The conclusion holds for as long as"
        " the hypotheses do.",
        "Gronwall's inequality; Walter, Ordinary Differential Equations, section 9",
        SCALARS,
        {"state": "symbol", "rate": "term", "start": "term", "bound": "term", "time": "symbol"},
        differential_inequality,
    ),
)  # fmt: skip
