"""Integrals between two others, and integrals cut in two: what must be shown, and what follows."""

from __future__ import annotations

from itertools import pairwise

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term
from derivations.recheck.core.terms import ZERO, difference
from derivations.recheck.kinds.rules.analysis.values import conditions
from derivations.recheck.kinds.schemas.integrals.compared import (
    INFINITE,
    TABLE,
    about_integrals,
    letters_of,
    require_bound,
)
from derivations.recheck.kinds.schemas.slots import (
    Needs,
    Theorem,
    above_zero,
    added,
    conclusion,
    counted,
    forbid,
    valued,
)


def _between(slots: Data) -> tuple[Needs, Data]:
    require_bound(slots)
    name, bound, side = slots["variable"], slots["bound"], slots["side"]
    if slots["relation"] != ">=" or side not in ("above", "below") or len(slots["integrals"]) != 1:
        raise Rejected("one integral is bounded by >=, from 'above' or from 'below'")
    ((letter, (f, low, high)),) = slots["integrals"].items()
    worth = {"below": slots["low_integral"], "above": slots["high_integral"]}
    forbid([name, letter], [*worth.values(), bound])
    forbid([letter], [slots["below"], slots["above"]])
    x = ("s", name)
    inside: tuple[Term, ...] = () if low in INFINITE else ((">", x, low),)
    inside += () if high in INFINITE else ((">", high, x),)
    functions = (f, slots["below"], slots["above"])
    asked = {c: None for g in functions for c in conditions(g, slots["symbols"], smooth=False)}
    needs = counted("value", [above_zero(slots, g, *inside, strict=order == ">") for order, g in asked])
    needs["from below"] = above_zero(slots, difference(f, slots["below"]), *inside, strict=False)
    needs["from above"] = above_zero(slots, difference(slots["above"], f), *inside, strict=False)
    plain = slots | {"symbols": {s: told for s, told in slots["symbols"].items() if s != letter}}
    for key, value in worth.items():
        parts = {"variable": name, "integrand": slots[key], "value": value, "low": low, "high": high}
        needs[f"integral {key}"] = conclusion("integral", plain, **parts)
    finite = [end for end in (low, high) if end not in INFINITE]
    if len(finite) == 2:
        needs["order"] = above_zero(slots, difference(high, low))
    if side == "above":
        gap, left = difference(bound, worth["above"]), difference(bound, ("s", letter))
    else:
        gap, left = difference(worth["below"], bound), difference(("s", letter), bound)
    needs["bound"] = above_zero(slots, gap, strict=False)
    needs |= valued(slots, *finite, worth["below"], worth["above"], bound)
    return needs, about_integrals(slots, left, ZERO)


def _cut_in_two(slots: Data) -> tuple[Needs, Data]:
    require_bound(slots)
    table = slots["integrals"]
    whole, first, second = slots["whole"], slots["first"], slots["second"]
    if slots["relation"] != "=" or len({whole, first, second}) != 3 or set(table) != {whole, first, second}:
        raise Rejected("an integral equals the sum of two others, and the table holds these three")
    (f, low, high), middle = table[whole], table[first][2]
    if middle in INFINITE or table[first] != (f, low, middle) or table[second] != (f, middle, high):
        raise Rejected("the two parts must have the integrand of the whole, and meet in a number")
    seen = {letter for fact in slots["facts"] for letter in letters_of(slots, fact)}
    if not {first, second} <= seen:
        raise Rejected("a part of the interval is in none of the facts, so its integral need not exist")
    finite = [end for end in (low, middle, high) if end not in INFINITE]
    needs: Needs = {f"fact {k + 1}": fact for k, fact in enumerate(slots["facts"])}
    needs |= counted("order", [above_zero(slots, difference(upper, lower)) for lower, upper in pairwise(finite)])
    needs |= valued(slots, *finite)
    return needs, about_integrals(slots, ("s", whole), added([("s", first), ("s", second)]))


THEOREMS = {
    "integral between two others": Theorem(
        "A continuous function between two others whose integrals are known has an integral, between theirs.",
        TABLE
        | {"below": "term", "above": "term", "low_integral": "term", "high_integral": "term", "bound": "term"}
        | {"side": "text"},
        _between,
    ),
    "integral cut in two": Theorem(
        "An integral is the sum of the integrals over the two parts of its interval.",
        TABLE | {"whole": "text", "first": "text", "second": "text", "facts": "facts"},
        _cut_in_two,
    ),
}
