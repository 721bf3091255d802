"""Theorems that compare: a smooth rate of one bound symbol stands between the rates of two functions."""

from __future__ import annotations

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term
from derivations.recheck.core.terms import ZERO
from derivations.recheck.kinds.schemas.flows.course import admitted, all_smooth, course, ordered, time_runs
from derivations.recheck.kinds.schemas.slots import Needs, Theorem, conclusion, forbid, relations_of


def _order(slots: Data) -> str:
    if slots["order"] != ">" and slots["order"] != ">=":
        raise Rejected("two functions are compared by > or by >=")
    return str(slots["order"])


def _rate_at(slots: Data, value: Term) -> Term:
    return ("at", slots["rate"], ((slots["state"], value),))


def _on_an_interval(slots: Data) -> tuple[Needs, Data]:
    state, clock, order = slots["state"], slots["variable"], _order(slots)
    below, above, first, last = slots["lower"], slots["upper"], slots["low"], slots["high"]
    if state == clock or slots["symbols"].get(clock) != ():
        raise Rejected(f"the time {clock} may have no assumption but its interval, and is not the state")
    forbid([state, clock], [first, last, *relations_of(slots)])
    forbid([state], [below, above])
    now: Term = ("s", clock)
    during: tuple[Term, ...] = ((">=", now, first),)
    if slots["ends"] == "between":
        during = (*during, (">=", last, now))
    elif slots["ends"] != "above" or last != ZERO:
        raise Rejected("the interval is between two ends, or above one, and the other is written as 0")
    at_first = {key: ("at", slots[key], ((clock, first),)) for key in ("lower", "upper")}
    needs = {
        "start": ordered(slots, at_first["upper"], at_first["lower"], order=order),
        "lower rate": ordered(slots, _rate_at(slots, below), ("D", below, clock), *during),
        "upper rate": ordered(slots, ("D", above, clock), _rate_at(slots, above), *during),
    }
    needs |= all_smooth(slots, (below, above, slots["rate"]), *during)
    needs |= admitted(slots, state, {"lower": below, "upper": above}, *during)
    return needs, ordered(slots, above, below, *during, order=order)


def _along(slots: Data) -> tuple[Needs, Data]:
    path, state, order = course(slots), slots["state"], _order(slots)
    below, above = slots["lower"], slots["upper"]
    if state == path.clock or state in path.rates:
        raise Rejected(f"the symbol {state} stands for a value, and is neither the time nor a variable of the flow")
    forbid([state], [below, above, *path.rates.values(), *path.start.values(), *relations_of(slots)])
    needs = {
        "start": ordered(slots, path.at_first(above), path.at_first(below), order=order),
        "lower rate": ordered(slots, _rate_at(slots, below), path.rate_of(below), path.begun),
        "upper rate": ordered(slots, path.rate_of(above), _rate_at(slots, above), path.begun),
    }
    needs |= all_smooth(slots, (below, above, slots["rate"]), path.begun)
    needs |= admitted(slots, state, {"lower": below, "upper": above}, path.begun)
    said = {"lower": below, "upper": above, "order": order}
    said |= {"flow": path.rates, "start": path.start, "time": path.clock}
    return needs, conclusion("in order along the solution", slots, **said)


def _inequality(slots: Data) -> tuple[Needs, Data]:
    state, clock, bound = slots["state"], slots["time"], slots["bound"]
    later = time_runs(slots, clock)
    if state == clock or not {"negative", "nonpositive"}.isdisjoint(slots["symbols"][state]):
        raise Rejected(f"the function {state} may be declared positive or nonnegative, and is not the time")
    forbid([state], [bound, *relations_of(slots)])
    forbid([state, clock], [slots["start"]])
    needs = {
        "start": ordered(slots, ("at", bound, ((clock, ZERO),)), slots["start"]),
        "rate": ordered(slots, ("D", bound, clock), _rate_at(slots, bound), later),
    }
    needs |= all_smooth(slots, (bound, slots["rate"]), later)
    needs |= admitted(slots, state, {"bound": bound}, later)
    said = {key: slots[key] for key in ("bound", "rate", "start", "state", "time")}
    return needs, conclusion("bounded by its rate", slots, **said)


THEOREMS = {
    "comparison on an interval": Theorem(
        "Where one function of time moves no faster than a rate allows, another one no slower, and the first is not"
        " above the second at the start, it stays so; if it is below, it stays below.",
        {
            "state": "symbol",
            "rate": "term",
            "lower": "term",
            "upper": "term",
            "variable": "symbol",
            "ends": "text",
            "low": "term",
            "high": "term",
            "order": "text",
        },
        _on_an_interval,
    ),
    "comparison along a flow": Theorem(
        "Of two functions of state and time, of which along a flow one moves no faster than a rate allows and the"
        " other no slower, the first is never above the second on a solution that starts so; if it starts below, it"
        " stays below.",
        {
            "flow": "flow",
            "start": "flow",
            "time": "symbol",
            "lower": "term",
            "upper": "term",
            "state": "symbol",
            "rate": "term",
            "order": "text",
        },
        _along,
    ),
    "bound from a differential inequality": Theorem(
        "A continuous function that is not above a bound at the start, and wherever it is as declared moves no faster"
        " than a rate allows, stays below the bound if the bound moves no slower.",
        {"state": "symbol", "rate": "term", "start": "term", "bound": "term", "time": "symbol"},
        _inequality,
    ),
}
