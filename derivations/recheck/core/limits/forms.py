"""Formulas by their form: sums and products without what is literally zero or one, and values at a point."""

from __future__ import annotations

from collections.abc import Collection

from derivations.recheck.core.balls import exact
from derivations.recheck.core.budget import spend
from derivations.recheck.core.conditions import sign_by_form
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Rational, Term
from derivations.recheck.core.terms import ONE, ZERO

STEP_WORK = 5000  # see `spend`
ZERO_AT_ZERO, ONE_AT_ZERO = ("asin", "atan", "sin", "sinh", "tanh", "erf", "abs"), ("exp", "cos", "cosh")


def sum_of_terms(*terms: Term) -> Term:
    """A sum without what is literally zero."""
    kept = tuple(t for t in terms if t != ZERO)
    if not kept:
        return ZERO
    return kept[0] if len(kept) == 1 else ("+", *kept)


def product_of_terms(*terms: Term) -> Term:
    """A product without what is literally one, which literal zero makes zero."""
    kept = []
    for t in terms:
        if t == ZERO:
            return ZERO
        if t != ONE:
            kept.append(t)
    if not kept:
        return ONE
    return kept[0] if len(kept) == 1 else ("*", *kept)


def placed(formula: Term, names: Collection[str], value: Term) -> Term:
    """A formula where some symbols have a value; all of its parts have values there."""
    spend(STEP_WORK)
    head = formula[0]
    if head == "s":
        return value if formula[1] in names else formula
    if head in ("q", "pi"):
        return formula
    if head in ("D", "at"):
        raise Rejected("a formula whose symbols get values must be written without derivatives and substitutions")
    inner = [placed(child, names, value) for child in formula[1:]]
    if all(child[0] == "q" for child in inner) and (number := _number(head, inner)) is not None:
        return ("q", str(number))
    if head == "+":
        return sum_of_terms(*inner)
    if head == "*":
        return product_of_terms(*inner)
    if inner[0] == ZERO and (head in ZERO_AT_ZERO or (head == "^" and sign_by_form(inner[1], {}) == ">")):
        return ZERO
    return ONE if (inner[0] == ZERO and head in ONE_AT_ZERO) or (inner[0] == ONE and head == "^") else (head, *inner)


def _number(head: str, inner: list[Term]) -> Rational | None:
    """The rational number that a sum, a product, or a power of a positive number is."""
    if head not in ("+", "*") and not (head == "^" and sign_by_form(inner[0], {}) == ">"):
        return None
    return exact((head, *inner), {})
