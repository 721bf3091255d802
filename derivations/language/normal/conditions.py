"""Formulas by their form: signs at a glance, what they need to have a value, their values where symbols are zero."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from fractions import Fraction
from typing import Any

from derivations.language.evaluate import exact
from derivations.language.terms import LEAVES, ONE, ZERO, Term, children, fraction_of, rational, subtract

STRONGER = {">": (">",), ">=": (">", ">="), "!=": (">",)}
ZERO_AT_ZERO, ONE_AT_ZERO = ("asin", "atan", "sin", "sinh", "tanh", "erf", "abs"), ("exp", "cos", "cosh")


def plus(*terms: Term) -> Term:
    """A sum without terms that are literally zero."""
    kept = [t for t in terms if t != ZERO]
    return ("+", *kept) if len(kept) > 1 else kept[0] if kept else ZERO


def times(*terms: Term) -> Term:
    """A product without factors that are literally one; zero where a factor is."""
    if ZERO in terms:
        return ZERO
    kept = [t for t in terms if t != ONE]
    return ("*", *kept) if len(kept) > 1 else kept[0] if kept else ONE


def demands(term: Term) -> Iterator[tuple[str, Term]]:
    """The conditions under which a term has a value, from the inside out."""
    for child in children(term):
        yield from demands(child)
    head = term[0]
    if head == "asin":
        yield ">=", subtract(ONE, ("^", term[1], rational(2)))
    elif head == "log":
        yield ">", term[1]
    elif head == "^":
        if term[2][0] != "q":
            yield ">", term[1]
        elif fraction_of(term[2]).denominator != 1:
            yield (">" if fraction_of(term[2]) < 0 else ">="), term[1]
        elif fraction_of(term[2]) < 0:
            yield "!=", term[1]


def by_form(term: Term, symbols: dict[str, Any]) -> str:
    """The sign that the form of a term shows: ">", ">=", or nothing."""
    match term[0]:
        case "q":
            value = fraction_of(term)
            return ">" if value > 0 else ">=" if value == 0 else ""
        case "pi" | "exp" | "cosh":
            return ">"
        case "abs":
            return ">="
        case "s":
            told = symbols.get(term[1], [])
            return ">" if "positive" in told else ">=" if "nonnegative" in told else ""
        case "+" | "*":
            found = [by_form(t, symbols) for t in term[1:]]
            if "" in found:
                return ""
            strict = all(f == ">" for f in found) if term[0] == "*" else ">" in found
            return ">" if strict else ">="
        case "^" if term[2][0] == "q":
            inner, exponent = by_form(term[1], symbols), fraction_of(term[2])
            if inner == ">" or (inner and exponent > 0):
                return inner
            return ">=" if exponent > 0 and exponent % 2 == 0 else ""
        case "^":
            return ">" if by_form(term[1], symbols) == ">" else ""
    return ""


def placed(term: Term, names: Collection[str], value: Term) -> Term:
    """A term where some symbols are zero or one: what is literally zero in sums and products is gone."""
    head = term[0]
    if head == "s":
        return value if term[1] in names else term
    if head in LEAVES:
        return term
    inner = [placed(t, names, value) for t in term[1:]]
    if all(child[0] == "q" for child in inner) and (number := _number(head, inner)) is not None:
        return rational(number)
    if head in ("+", "*"):
        return plus(*inner) if head == "+" else times(*inner)
    if inner[0] == ZERO and (head in ZERO_AT_ZERO or (head == "^" and by_form(inner[1], {}) == ">")):
        return ZERO
    return ONE if (inner[0] == ZERO and head in ONE_AT_ZERO) or (inner[0] == ONE and head == "^") else (head, *inner)


def _number(head: str, inner: list[Term]) -> Fraction | None:
    """The rational number that a sum, a product, or a power of a positive number is."""
    if head not in ("+", "*") and not (head == "^" and by_form(inner[0], {}) == ">"):
        return None
    return exact((head, *inner), {})
