"""Integrals over endless intervals: a function between two others with known integrals, and an interval cut in two."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from derivations.language.terms import ZERO, Term, subtract
from derivations.prove.certificate import Json
from derivations.prove.rules.analysis.values import asked
from derivations.prove.schemas.integrals.compared import INFINITE, TABLE, declared, spoken_of, states
from derivations.prove.schemas.schema import (
    SCALARS,
    Schema,
    SlotError,
    Use,
    concluded,
    numbered,
    setting,
    total,
    with_values,
    without,
)

BETWEEN, CUT = "integral between two others", "integral cut in two"


def _above_zero(where: Json, what: Term, order: str = ">=") -> Json:
    return {"kind": "sign", **where, "relation": order, "left": what, "right": ZERO}


def between(slots: Json) -> Use:
    """The integral of a function between two others exists, and a number bounds it as it bounds one of theirs."""
    declared(slots)
    table, x, bound = slots["integrals"], slots["variable"], slots["bound"]
    if len(table) != 1 or slots["relation"] != ">=" or slots["side"] not in ("below", "above"):
        raise SlotError("one integral is bounded, by >=, from 'below' or from 'above'")
    ((letter, (f, low, high)),) = table.items()
    known = [slots["low_integral"], slots["high_integral"], bound]
    without([x, letter], known)
    without([letter], [slots["below"], slots["above"]])
    inside = [] if low in INFINITE else [(">", ("s", x), low)]
    inside += [] if high in INFINITE else [(">", high, ("s", x))]
    there, plain = setting(slots, *inside), _plain(slots)
    demands = dict.fromkeys(d for g in (f, slots["below"], slots["above"]) for d in asked(g, slots["symbols"]))
    needs = numbered("value", [_above_zero(there, what, order) for order, what in demands])
    needs |= {
        "from below": _above_zero(there, subtract(f, slots["below"])),
        "from above": _above_zero(there, subtract(slots["above"], f)),
    }
    for side, worth in (("below", "low_integral"), ("above", "high_integral")):
        parts = {"variable": x, "integrand": slots[side], "value": slots[worth], "low": low, "high": high}
        needs[f"integral {side}"] = concluded("integral", plain, **parts)
    finite = [end for end in (low, high) if end not in INFINITE]
    if len(finite) > 1:
        needs["order"] = _above_zero(setting(slots), subtract(high, low), ">")
    upwards = slots["side"] == "above"
    gap = subtract(bound, slots["high_integral"]) if upwards else subtract(slots["low_integral"], bound)
    needs |= {"bound": _above_zero(setting(slots), gap), **with_values(slots, *finite, *known)}
    left = subtract(bound, ("s", letter)) if upwards else subtract(("s", letter), bound)
    return Use(needs, states(slots, left, ZERO))


def _plain(slots: Json) -> Json:
    """The symbols and hypotheses without letters for integrals."""
    return slots | {"symbols": {s: told for s, told in slots["symbols"].items() if s not in slots["integrals"]}}


def cut_in_two(slots: Json) -> Use:
    """An integral is the sum of two over the parts of its interval, both of which exist."""
    declared(slots)
    table, names = slots["integrals"], [slots[key] for key in ("whole", "first", "second")]
    if slots["relation"] != "=" or sorted(names) != sorted(table) or len(set(names)) != 3:
        raise SlotError("an integral equals two others, and the table has these three")
    (f, low, high), first, second = (table[name] for name in names)
    middle = first[2]
    if first != [f, low, middle] or second != [f, middle, high] or middle in INFINITE:
        raise SlotError("the parts have the same integrand, and their intervals meet in a number")
    told: set[str] = set().union(*(spoken_of(slots, fact) for fact in slots["facts"]))
    if not {*names[1:]} <= told:
        raise SlotError("of each part a fact must tell something, so that it exists")
    finite = [end for end in (low, middle, high) if end not in INFINITE]
    gaps = [subtract(high, low) for low, high in pairwise(finite)]
    needs: dict[str, Any] = {f"fact {k}": fact for k, fact in enumerate(slots["facts"], 1)}
    needs |= numbered("order", [_above_zero(setting(slots), gap, ">") for gap in gaps]) | with_values(slots, *finite)
    return Use(needs, states(slots, ("s", names[0]), total([("s", name) for name in names[1:]])))


SCHEMAS = (
    Schema(
        BETWEEN,
        "A continuous function between two others whose integrals are known has an integral, between theirs.",
        "Inside the interval, which may be endless, the three functions have values; the bound is not below the"
        " integral of the larger one, or not above that of the smaller one.",
        "Rudin, Principles of Mathematical Analysis, Theorem 6.12 and Exercise 6.8",
        SCALARS,
        TABLE
        | {"below": "term", "above": "term", "low_integral": "term", "high_integral": "term", "bound": "term"}
        | {"side": "text"},
        between,
    ),
    Schema(
        CUT,
        "An integral is the sum of the integrals over the two parts of its interval.",
        "The cut lies strictly between the ends, and facts show that both parts have an integral.",
        "Rudin, Principles of Mathematical Analysis, Theorem 6.12",
        SCALARS,
        TABLE | {"whole": "text", "first": "text", "second": "text", "facts": "facts"},
        cut_in_two,
    ),
)
