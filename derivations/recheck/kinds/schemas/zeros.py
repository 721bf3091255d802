"""The theorem about how often a sum of exponentials vanishes."""

from __future__ import annotations

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term
from derivations.recheck.kinds.schemas.slots import Needs, Theorem, above_zero, added, conclusion, negative


def _exponentials(slots: Data) -> tuple[Needs, Data]:
    coefficients, exponents, signs, begins = (slots[k] for k in ("coefficients", "exponents", "signs", "begins"))
    variable = slots["variable"]
    if variable in slots["symbols"]:
        raise Rejected(f"{variable} is the time, and coefficients and exponents must not depend on it")
    if not len(coefficients) == len(exponents) == len(signs):
        raise Rejected("coefficients, exponents and signs must be equally many")
    if any(s not in ("+", "-", "?") for s in signs) or signs[0] == "?" or begins not in ("+", "-"):
        raise Rejected("signs are + or - or ?, and those of the first coefficient and of the start are known")
    needs: Needs = {}
    for k in range(1, len(exponents)):
        needs[f"order {k}"] = above_zero(slots, added([exponents[k - 1], negative(exponents[k])]))
    for k, (sign, coefficient) in enumerate(zip(signs, coefficients, strict=True)):
        if sign != "?":
            needs[f"coefficient {k + 1}"] = above_zero(slots, coefficient if sign == "+" else negative(coefficient))
    first = added(coefficients)
    needs["start"] = above_zero(slots, first if begins == "+" else negative(first))
    odd = begins != signs[0]
    counts = tuple(str(n) for n in range(_changes(signs) + 1) if (n % 2 == 1) == odd)
    if not counts:
        raise Rejected("no number of zeros agrees with these signs")
    clock: Term = ("s", variable)
    function = added([("*", c, ("exp", ("*", e, clock))) for c, e in zip(coefficients, exponents, strict=True)])
    return needs, conclusion("zeros after the start", slots, function=function, variable=variable, counts=counts)


def _changes(signs: tuple[str, ...]) -> int:
    """The most changes of sign, zeros left out, by the last sign that is not zero."""
    best = {signs[0]: 0}
    for sign in signs[1:]:
        options = ("+", "-") if sign == "?" else (sign,)
        reached = {s: max(n + (last != s) for last, n in best.items()) for s in options}
        best = best | reached if sign == "?" else reached
    return max(best.values())


THEOREMS = {
    "zeros of a sum of exponentials": Theorem(
        "A sum of real exponentials has at most as many zeros, counted with multiplicity, as its coefficients in the"
        " order of the exponents change their sign; after time 0 the number is even if it starts with the sign of its"
        " largest exponential, and odd if not.",
        {"coefficients": "terms", "exponents": "terms", "signs": "texts", "begins": "text", "variable": "fresh"},
        _exponentials,
    ),
}
