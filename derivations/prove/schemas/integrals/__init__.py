"""Integrals by an antiderivative: over a closed interval, and improper ones as limits at the ends."""

from __future__ import annotations

from derivations.language.terms import ZERO, Term
from derivations.prove.certificate import Json
from derivations.prove.schemas.integrals import compared, pieces, tails
from derivations.prove.schemas.schema import (
    SCALARS,
    Schema,
    SlotError,
    Use,
    concluded,
    identity,
    minus,
    numbered,
    positive,
    setting,
    smooth_where,
    total,
    with_values,
    without,
)

ENDS = {"open", "above", "below", "line"}


def _free_variable(slots: Json, *terms: Term) -> Term:
    """The variable of integration, of which nothing is supposed but that it lies in the interval."""
    name = slots["variable"]
    without([name], [*terms, slots["value"], *slots["assuming"]])
    if slots["symbols"][name]:
        raise SlotError(f"{name} ranges over the interval alone: declare it real and nothing else")
    return ("s", name)


def _inside(slots: Json, *between: Term) -> dict[str, Json]:
    """On the interval both are smooth, and one is the derivative of the other."""
    f, F = slots["integrand"], slots["antiderivative"]
    smooth = dict.fromkeys([*smooth_where(F, slots["symbols"]), *smooth_where(f, slots["symbols"])])
    return {
        "derivative": identity(slots, ("D", F, slots["variable"]), f, *between),
        **numbered("smooth", (positive(slots, g, *between) for g in smooth)),
    }


def integral(slots: Json) -> Use:
    low, high, name = slots["low"], slots["high"], slots["variable"]
    x, F = _free_variable(slots, low, high), slots["antiderivative"]
    at_high, at_low = ("at", F, ((name, high),)), ("at", F, ((name, low),))
    value = {"value": identity(slots, total([at_high, minus(at_low)]), slots["value"])}
    if slots["ends"] == "any order":
        return Use({**_inside(slots), **value}, _concluded(slots, low, high))
    if slots["ends"] != "in order":
        raise SlotError(f"the ends of an integral stand 'in order' or in 'any order', got {slots['ends']}")
    order = {**positive(slots, total([high, minus(low)])), "relation": ">="}
    return Use(
        {**_inside(slots, (">=", x, low), (">=", high, x)), "order": order, **value}, _concluded(slots, low, high)
    )


def improper_integral(slots: Json) -> Use:
    ends, low, high = slots["ends"], slots["low"], slots["high"]
    if ends not in ENDS:
        raise SlotError(f"the ends of an improper integral are one of {', '.join(sorted(ENDS))}, got {ends}")
    x = _free_variable(slots, low, high, slots["low_limit"], slots["high_limit"])
    if (ends in ("below", "line") and low != ZERO) or (ends in ("above", "line") and high != ZERO):
        raise SlotError(f"an integral of the kind '{ends}' makes no use of an end that is given: write 0 for it")
    from_below, to_above = ends in ("below", "line"), ends in ("above", "line")
    between = ([] if from_below else [(">", x, low)]) + ([] if to_above else [(">", high, x)])
    needs = {
        **_inside(slots, *between),
        "low end": _tends(slots, slots["low_limit"], ["-oo"] if from_below else ["above", low]),
        "high end": _tends(slots, slots["high_limit"], ["oo"] if to_above else ["below", high]),
        "value": identity(slots, total([slots["high_limit"], minus(slots["low_limit"])]), slots["value"]),
        **with_values(slots, slots["low_limit"], slots["high_limit"]),
    }
    if ends == "open":
        needs["order"] = positive(slots, total([high, minus(low)]))
    return Use(needs, _concluded(slots, ("-oo",) if from_below else low, ("oo",) if to_above else high))


def _tends(slots: Json, value: Term, towards: list[object]) -> Json:
    head = {"kind": "limit", **setting(slots), "variables": [slots["variable"]], "towards": towards}
    return {**head, "expression": slots["antiderivative"], "value": value}


def _concluded(slots: Json, low: Term, high: Term) -> Json:
    kept = {"variable": slots["variable"], "integrand": slots["integrand"], "value": slots["value"]}
    return concluded("integral", slots, **kept, low=low, high=high)


SCHEMAS = (
    *compared.SCHEMAS,
    *pieces.SCHEMAS,
    *tails.SCHEMAS,
    Schema(
        "integral by an antiderivative",
        "The integral of a continuous function over a closed interval is the difference of the values of an"
        " antiderivative at its ends.",
        "The low end is not above the high end ('in order'; in 'any order' the interval is the whole line), nothing"
        " else is supposed of the variable, and on the closed interval both functions are smooth: denominators are not"
        " zero, and what stands under roots and in logarithms is positive.",
        "Rudin, Principles of Mathematical Analysis, Theorem 6.21",
        SCALARS,
        {
            "integrand": "term", "antiderivative": "term", "variable": "symbol", "ends": "text",
            "low": "term", "high": "term", "value": "term",
        },
        integral,
    ),
    Schema(
        "improper integral by an antiderivative",
        "Where an antiderivative tends to limits at the ends of an open interval, finite or not, the integral, as the"
        " limit of integrals over closed intervals inside, is their difference.",
        "Inside the interval both functions are smooth, and nothing else is supposed of the variable; the limits have"
        " values. Ends that are not"
        " used ('above' has no high end, 'below' no low one, 'line' neither) are written as 0.",
        "Rudin, Principles of Mathematical Analysis, Theorem 6.21 and Exercises 6.7 and 6.8",
        SCALARS,
        {
            "integrand": "term", "antiderivative": "term", "variable": "symbol", "ends": "text", "low": "term",
            "high": "term", "low_limit": "term", "high_limit": "term", "value": "term",
        },
        improper_integral,
    ),
)  # fmt: skip
