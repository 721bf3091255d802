"""By a witness: a root is the number that is not negative and has the right power; a logarithm is a sum of logarithms.

The witness of a root comes from the square root of a polynomial, or from sqrt(a + b sqrt(c)) = sqrt(u) + sqrt(v) with
u + v = a and 4 u v = b^2 c. Factors of an argument of a logarithm take the sign that they have at some point. The value
of an exponent is the same fraction in lowest terms.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import isqrt

from derivations.language.normal import lowest, prepared, to_fraction
from derivations.language.normal.division import irreducible_factors
from derivations.language.normal.linear import linear_form
from derivations.language.points import Values, points
from derivations.language.terms import MINUS_ONE, ONE, Term, fraction_of, rational
from derivations.prove.certificate import Json
from derivations.prove.rules.analysis.samples import sign
from derivations.prove.rules.rule import Step, formulas, inner_terms

HALF = rational("1/2")


# --- roots ------------------------------------------------------------------------------------------------------------


def by_root(statement: Json) -> Iterator[Step]:
    """The value of a root, from a square or from nested roots of numbers."""
    point = next(points(statement), None)
    for term in inner_terms(map(prepared, formulas(statement))):
        if term[0] == "^" and term[2] == HALF and point is not None:
            for value in (_nested(term[1]), _perfect(term[1], statement, point)):
                if value is not None and value != term:
                    yield Step("a root's value", {"inside": term[1], "value": value})


def _perfect(base: Term, statement: Json, point: Values) -> Term | None:
    """The square root of a square of polynomials, with the sign that it has at a point."""
    try:
        field, num, den = lowest(base, statement["symbols"])
        above, below = irreducible_factors(num), irreducible_factors(den)
    except (ZeroDivisionError, AssertionError):
        return None
    constant = to_fraction(above[0]) / to_fraction(below[0])
    powers = above[1] + [(f, -m) for f, m in below[1]]
    if constant <= 0 or any(m % 2 for _, m in powers) or not powers:
        return None
    if all(field.generators[i][0] == "root" for f, _ in powers for i, d in enumerate(f.degrees()) if d):
        return None
    value: Term = ("*", ("^", rational(constant), HALF))
    value += tuple(("^", field.poly_term(f), rational(m // 2)) for f, m in powers)
    return value if sign(value, point) != -1 else ("*", MINUS_ONE, value)


def _nested(base: Term) -> Term | None:
    """sqrt(u) + sqrt(v), or their difference, for a base a + b sqrt(c) of rational numbers."""
    table = linear_form(base)
    whole = table.get((), Fraction(0))
    others = [(monomial, times) for monomial, times in table.items() if monomial]
    if len(others) != 1:
        return None
    ((monomial, times),) = others
    if len(monomial) != 1 or monomial[0][1] != 1:
        return None
    root = monomial[0][0]
    if root[0] != "^" or root[2] != HALF or root[1][0] != "q":
        return None
    gap = _rational_root(whole**2 - times**2 * fraction_of(root[1]))
    if gap is None or whole <= 0:
        return None
    larger, smaller = ((("^", rational((whole + s * gap) / 2), HALF)) for s in (1, -1))
    return ("+", larger, smaller if times > 0 else ("*", MINUS_ONE, smaller))


def _rational_root(value: Fraction) -> Fraction | None:
    if value < 0:
        return None
    found = Fraction(isqrt(value.numerator), isqrt(value.denominator))
    return found if found**2 == value else None


# --- logarithms -------------------------------------------------------------------------------------------------------


def by_factors(statement: Json) -> Iterator[Step]:
    """A logarithm as a sum of those of positive factors."""
    point = next(points(statement), None)
    for term in inner_terms(map(prepared, formulas(statement))):
        if term[0] == "log" and point is not None:
            factors = _factors(term[1], statement, point)
            if factors is not None:
                used = {"whole": term[1], "bases": [f for f, _ in factors], "powers": [m for _, m in factors]}
                yield Step("a logarithm's factors", used)


def _factors(inside: Term, statement: Json, point: Values) -> list[list[Term]] | None:
    """Positive factors with their powers, if there is more than one of which the form does not show it."""
    try:
        field, num, den = lowest(inside, statement["symbols"])
        parts = [(irreducible_factors(num), 1), (irreducible_factors(den), -1)]
    except (ZeroDivisionError, AssertionError):
        return None
    constant, found = Fraction(1), []
    for (content, factors), side in parts:
        constant *= to_fraction(content) ** side
        for factor, multiplicity in factors:
            term = field.poly_term(factor)
            if sign(term, point) == -1:
                term = field.poly_term(-factor)
                constant *= (-1) ** int(multiplicity)
            is_power = term[0] == "^" and term[2][0] == "q"
            power = fraction_of(term[2]) if is_power else Fraction(1)
            found.append([term[1] if is_power else term, rational(side * int(multiplicity) * power)])
    if constant <= 0 or found == [[inside, ONE]] or not found:
        return None
    return found if constant == 1 else [[rational(constant), ONE], *found]


# --- exponents --------------------------------------------------------------------------------------------------------


def by_exponent(statement: Json) -> Iterator[Step]:
    """An exponent in lowest terms."""
    for term in inner_terms(map(prepared, formulas(statement))):
        if term[0] == "exp":
            value = _in_lowest_terms(term[1], statement)
            if value is not None:
                yield Step("equal arguments", {"whole": term[1], "value": value})


def _in_lowest_terms(exponent: Term, statement: Json) -> Term | None:
    """The exponent without what its numerator and its denominator have in common, if there is such a factor."""
    try:
        field, num, den = lowest(exponent, statement["symbols"])
    except (ZeroDivisionError, AssertionError):
        return None
    if field.fraction(prepared(exponent))[1].total_degree() == den.total_degree():
        return None
    return ("*", field.poly_term(num), ("^", field.poly_term(den), MINUS_ONE))
