"""Formulas by their form: sums and products without what is literally zero, signs at a glance, values at zero."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from derivations.recheck.core.balls import exact
from derivations.recheck.core.budget import spend
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Rational, Term, rational
from derivations.recheck.core.terms import MINUS_ONE, ONE, TWO, ZERO, difference

STEP_WORK = 5000  # see `spend`
ZERO_AT_ZERO, ONE_AT_ZERO = ("asin", "atan", "sin", "sinh", "tanh", "erf", "abs"), ("exp", "cos", "cosh")


def sum_of_terms(*terms: Term) -> Term:
    """A sum without what is literally zero."""
    rest = tuple(t for t in terms if t != ZERO)
    if not rest:
        return ZERO
    return rest[0] if len(rest) == 1 else ("+", *rest)


def product_of_terms(*terms: Term) -> Term:
    """A product without what is literally one, which literal zero makes zero."""
    rest = []
    for t in terms:
        if t == ZERO:
            return ZERO
        if t != ONE:
            rest.append(t)
    if not rest:
        return ONE
    return rest[0] if len(rest) == 1 else ("*", *rest)


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
    if inner[0] == ZERO and (head in ZERO_AT_ZERO or (head == "^" and by_form(inner[1], {}) == ">")):
        return ZERO
    return ONE if (inner[0] == ZERO and head in ONE_AT_ZERO) or (inner[0] == ONE and head == "^") else (head, *inner)


def _number(head: str, inner: list[Term]) -> Rational | None:
    """The rational number that a sum, a product, or a power of a positive number is."""
    if head not in ("+", "*") and not (head == "^" and by_form(inner[0], {}) == ">"):
        return None
    return exact((head, *inner), {})


def demands(formula: Term) -> Iterator[tuple[str, Term]]:
    """Under which conditions a formula without derivatives and substitutions has a value."""
    spend(STEP_WORK // 10)
    head = formula[0]
    if head in ("s", "q", "pi"):
        return
    for child in formula[1:]:
        yield from demands(child)
    if head == "asin":
        yield ">=", difference(ONE, ("^", formula[1], TWO))
    elif head == "log":
        yield ">", formula[1]
    elif head == "^":
        exponent = rational(formula[2][1]) if formula[2][0] == "q" else None
        if exponent is None:
            yield ">", formula[1]
        elif exponent.q != 1:
            yield (">" if exponent < 0 else ">="), formula[1]
        elif exponent < 0:
            yield "!=", formula[1]


def by_form(formula: Term, symbols: Data) -> str:
    """The sign that a formula shows at a glance: ">", ">=", or nothing."""
    head = formula[0]
    if head == "q":
        value = rational(formula[1])
        return ">" if value > 0 else ">=" if value == 0 else ""
    if head in ("pi", "exp", "cosh"):
        return ">"
    if head == "abs":
        return ">="
    if head == "s":
        told = symbols.get(formula[1], ())
        return ">" if "positive" in told else ">=" if "nonnegative" in told else ""
    if head in ("+", "*"):
        signs = {by_form(child, symbols) for child in formula[1:]}
        if "" in signs:
            return ""
        return ">" if (">" in signs if head == "+" else ">=" not in signs) else ">="
    if head == "^" and formula[2][0] == "q":
        exponent, inner = rational(formula[2][1]), by_form(formula[1], symbols)
        if inner == ">" or (inner == ">=" and exponent > 0):
            return inner
        return ">=" if exponent > 0 and exponent.q == 1 and int(exponent.p) % 2 == 0 else ""
    return ">" if head == "^" and by_form(formula[1], symbols) == ">" else ""


def minus(formula: Term) -> Term:
    return product_of_terms(MINUS_ONE, formula)
