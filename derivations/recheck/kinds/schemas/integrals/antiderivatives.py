"""Integrals: what an antiderivative must be, and what follows from its values or limits at the ends."""

from __future__ import annotations

from itertools import pairwise

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term
from derivations.recheck.core.terms import ZERO
from derivations.recheck.kinds.rules.analysis.values import conditions
from derivations.recheck.kinds.schemas.slots import (
    Needs,
    Theorem,
    above_zero,
    added,
    conclusion,
    counted,
    equal,
    forbid,
    must_be_positive,
    negative,
    relations_of,
    under,
    valued,
)

BELOW, ABOVE = ("-oo",), ("oo",)
KINDS = {"open": (False, False), "above": (False, True), "below": (True, False), "line": (True, True)}
"""Whether the low end and the high end are infinite."""


def _derivative_inside(slots: Data, bounds: tuple[Term, ...], bound_free: tuple[Term, ...]) -> Needs:
    """F' = f between the bounds, with f and F smooth there; the variable is bound, and only the bounds speak of it."""
    variable, f, primitive = slots["variable"], slots["integrand"], slots["antiderivative"]
    forbid([variable], [*bound_free, slots["value"], *relations_of(slots)])
    if slots["symbols"].get(variable) != ():
        raise Rejected(f"the variable {variable} may have no assumption but its interval")
    needs = {"derivative": equal(slots, ("D", primitive, variable), f, *bounds)}
    asked = {g: None for formula in (primitive, f) for g in must_be_positive(formula, slots["symbols"])}
    return needs | counted("smooth", [above_zero(slots, g, *bounds) for g in asked])


def _between(slots: Data, low: Term, high: Term) -> Data:
    return conclusion(
        "integral", slots, variable=slots["variable"], integrand=slots["integrand"], value=slots["value"],
        low=low, high=high,
    )  # fmt: skip


def _closed(slots: Data) -> tuple[Needs, Data]:
    low, high, x = slots["low"], slots["high"], ("s", slots["variable"])
    if slots["ends"] not in ("in order", "any order"):
        raise Rejected("the ends of an integral must stand 'in order' or in 'any order'")
    bounds: tuple[Term, ...] = ((">=", x, low), (">=", high, x)) if slots["ends"] == "in order" else ()
    needs = _derivative_inside(slots, bounds, (low, high))
    top, bottom = (("at", slots["antiderivative"], ((slots["variable"], end),)) for end in (high, low))
    if bounds:
        needs["order"] = above_zero(slots, added([high, negative(low)]), strict=False)
    needs["value"] = equal(slots, added([top, negative(bottom)]), slots["value"])
    return needs, _between(slots, low, high)


def _improper(slots: Data) -> tuple[Needs, Data]:
    if slots["ends"] not in KINDS:
        raise Rejected(f"the ends of an improper integral must be one of {', '.join(sorted(KINDS))}")
    no_low, no_high = KINDS[slots["ends"]]
    low, high, x = slots["low"], slots["high"], ("s", slots["variable"])
    if (no_low and low != ZERO) or (no_high and high != ZERO):
        raise Rejected("an end of an integral that is not used must be written as 0")
    bounds: tuple[Term, ...] = () if no_low else ((">", x, low),)
    bounds += () if no_high else ((">", high, x),)
    needs = _derivative_inside(slots, bounds, (low, high, slots["low_limit"], slots["high_limit"]))

    def tends(value: Term, towards: Data) -> Data:
        data = {"kind": "limit", "variables": (slots["variable"],), "towards": towards, "value": value}
        return data | {"expression": slots["antiderivative"]} | under(slots)

    needs["low end"] = tends(slots["low_limit"], BELOW if no_low else ("above", low))
    needs["high end"] = tends(slots["high_limit"], ABOVE if no_high else ("below", high))
    needs["value"] = equal(slots, added([slots["high_limit"], negative(slots["low_limit"])]), slots["value"])
    needs |= valued(slots, slots["low_limit"], slots["high_limit"])
    if slots["ends"] == "open":
        needs["order"] = above_zero(slots, added([high, negative(low)]))
    return needs, _between(slots, BELOW if no_low else low, ABOVE if no_high else high)


def _pieces(slots: Data) -> tuple[Needs, Data]:
    name, x, f = slots["variable"], ("s", slots["variable"]), slots["integrand"]
    ends = [slots["low"], *slots["cuts"], slots["high"]]
    finite = [end for end in ends if end not in (BELOW, ABOVE)]
    if len(slots["pieces"]) != len(ends) - 1 or len(slots["values"]) != len(ends) - 1:
        raise Rejected("there must be one piece more than there are cuts, each with a function and a value")
    forbid([name], [*finite, *slots["values"], slots["value"], *relations_of(slots)])
    if slots["symbols"].get(name) != ():
        raise Rejected(f"the variable {name} may have no assumption but its interval")
    if slots["low"] == ABOVE or slots["high"] == BELOW:
        raise Rejected("an integral in pieces goes upwards")
    needs: Needs = {}
    for k, piece in enumerate(slots["pieces"]):
        low, high = ends[k], ends[k + 1]
        inside: tuple[Term, ...] = ((">", x, low),) if low != BELOW else ()
        inside += ((">", high, x),) if high != ABOVE else ()
        asked = {c: None for g in (f, piece) for c in conditions(g, slots["symbols"], smooth=False)}
        values = [above_zero(slots, g, *inside, strict=order == ">") for order, g in asked]
        needs[f"piece {k + 1}"] = equal(slots, f, piece, *inside)
        needs |= counted(f"piece {k + 1}: value", values)
        part = {"variable": name, "integrand": piece, "value": slots["values"][k], "low": low, "high": high}
        needs[f"integral {k + 1}"] = conclusion("integral", slots, **part)
    steps = [added([upper, negative(lower)]) for lower, upper in pairwise(finite)]
    needs |= counted("order", [above_zero(slots, step) for step in steps])
    needs["value"] = equal(slots, added(slots["values"]), slots["value"])
    return needs | valued(slots, *finite, *slots["values"], slots["value"]), _between(
        slots, slots["low"], slots["high"]
    )


THEOREMS = {
    "integral by an antiderivative": Theorem(
        "The integral of a continuous function over a closed interval is the difference of the values of an"
        " antiderivative at its ends.",
        {
            "integrand": "term", "antiderivative": "term", "variable": "symbol", "ends": "text",
            "low": "term", "high": "term", "value": "term",
        },
        _closed,
    ),
    "improper integral by an antiderivative": Theorem(
        "Where an antiderivative tends to limits at the ends of an open interval, finite or not, the integral, as the"
        " limit of integrals over closed intervals inside, is their difference.",
        {
            "integrand": "term", "antiderivative": "term", "variable": "symbol", "ends": "text", "low": "term",
            "high": "term", "low_limit": "term", "high_limit": "term", "value": "term",
        },
        _improper,
    ),
    "integral in pieces": Theorem(
        "The integral of a function that is another one between each two cuts is the sum of their integrals.",
        {
            "integrand": "term", "variable": "symbol", "low": "end", "high": "end", "cuts": "terms", "pieces": "terms",
            "values": "terms", "value": "term",
        },
        _pieces,
    ),
}  # fmt: skip
