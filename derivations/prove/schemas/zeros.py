"""How often a sum of exponentials vanishes after time 0."""

from __future__ import annotations

from itertools import pairwise, product

from derivations.language.terms import Term
from derivations.prove.certificate import Json
from derivations.prove.schemas.schema import (
    SCALARS,
    Schema,
    SlotError,
    Use,
    concluded,
    minus,
    numbered,
    positive,
    total,
)

SIGNS = {"+": (1,), "-": (-1,), "?": (-1, 0, 1)}


def exponential_sum(slots: Json) -> Use:
    coefficients, exponents, signs = slots["coefficients"], slots["exponents"], slots["signs"]
    if not len(coefficients) == len(exponents) == len(signs) >= 1 or not {*signs, slots["begins"]} <= {*SIGNS}:
        raise SlotError("each coefficient needs an exponent and a sign, + or - or ?, and the start a sign too")
    if signs[0] == "?" or slots["begins"] == "?":
        raise SlotError("the signs of the first coefficient and of the start must be known, + or -")
    if slots["variable"] in slots["symbols"]:
        raise SlotError(f"{slots['variable']} is the time, so coefficients and exponents must not speak of it")
    known = {
        f"coefficient {k}": positive(slots, _with(sign, c))
        for k, (sign, c) in enumerate(zip(signs, coefficients, strict=True), 1)
        if sign != "?"
    }
    order = numbered("order", (positive(slots, total([a, minus(b)])) for a, b in pairwise(exponents)))
    start = {"start": positive(slots, _with(slots["begins"], total(coefficients)))}
    parity = signs[0] != slots["begins"]
    counts = [str(n) for n in range(parity, _most_changes(signs) + 1, 2)]
    if not counts:
        raise SlotError("these signs contradict each other: a sum that changes its sign has a change among them")
    t: Term = ("s", slots["variable"])
    function = total(("*", c, ("exp", ("*", e, t))) for c, e in zip(coefficients, exponents, strict=True))
    found = concluded("zeros after the start", slots, function=function, variable=slots["variable"], counts=counts)
    return Use({**order, **known, **start}, found)


def _with(sign: str, term: Term) -> Term:
    return term if sign == "+" else minus(term)


def _most_changes(signs: list[str]) -> int:
    """The most changes of sign in the sequence, whatever the unknown signs are; zeros do not count."""
    ways = ([s for s in way if s] for way in product(*(SIGNS[sign] for sign in signs)))
    return max(sum(a != b for a, b in pairwise(way)) for way in ways)


SCHEMAS = (
    Schema(
        "zeros of a sum of exponentials",
        "A sum of real exponentials has at most as many zeros, counted with multiplicity, as its coefficients in the"
        " order of the exponents change their sign; after time 0 the number is even if it starts with the sign of its"
        " largest exponential, and odd if not.",
        "The exponents are different and in falling order; coefficients of unknown sign may have any sign or be zero;"
        " the first coefficient and the value at time 0 are not zero; exponents and coefficients do not depend on"
        " time.",
        "Jameson, Counting zeros of generalised polynomials, The Mathematical Gazette 90 (2006) 223",
        SCALARS,
        {"coefficients": "terms", "exponents": "terms", "signs": "texts", "begins": "text", "variable": "fresh"},
        exponential_sum,
    ),
)
