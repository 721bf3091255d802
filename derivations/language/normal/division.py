"""Polynomials of flint by powers of one generator, their powers and their factors, none of which takes long."""

from __future__ import annotations

from math import comb
from typing import Any

from derivations.text.work import spend

Poly = Any  # flint.fmpq_mpoly; python-flint ships no types

MOST_POWER = 10_000  # of an exponential in one generator; the checker bounds exponents, too
MOST_DEGREE, MOST_TERMS, MOST_BITS = 100_000, 1_000_000, 400_000  # of a power that is written out
MAX_FACTOR_DEGREE, MAX_FACTOR_COST = 1000, 12_000  # terms * degree * letters: beyond it factors may take seconds
PER_TERM, PER_STEP, PAIRS = 4, 25, 16  # units of work: of a term that is read, a step; pairs of terms for one unit


def bounded_power(poly: Poly, exponent: int) -> Poly:
    """A power of a polynomial; OverflowError where it is too long to be written out."""
    size, degree = len(poly), max(map(int, poly.degrees()), default=0)
    terms = comb(size - 1 + exponent, exponent) if size > 1 and exponent > 1 else size
    spend(1 + terms // PAIRS)
    bits = max((int(c.height_bits()) for c in poly.coeffs()), default=0)
    if degree * exponent > MOST_DEGREE or terms > MOST_TERMS or bits * exponent > MOST_BITS:
        raise OverflowError(f"the power {exponent} of a polynomial of {size} terms")
    return poly**exponent


def irreducible_factors(poly: Poly) -> tuple[Any, list[tuple[Poly, int]]]:
    """A number and irreducible factors with their multiplicities; the polynomial itself where it is large."""
    if not can_be_factored(poly):
        return poly.context().constant(1).leading_coefficient(), [(poly, 1)]
    spend(PER_STEP + _cost(poly))
    content, found = poly.factor()
    return content, [(factor, int(times)) for factor, times in found]


def can_be_factored(poly: Poly) -> bool:
    """Check whether a polynomial is small enough for its factors to be looked for."""
    highest = max(map(int, poly.degrees()), default=0)
    return highest <= MAX_FACTOR_DEGREE and (len(poly) < 2 or _cost(poly) <= MAX_FACTOR_COST)


def _cost(poly: Poly) -> int:
    degrees = [int(d) for d in poly.degrees() if d]
    return len(poly) * max(degrees, default=0) * len(degrees)


def by_powers(poly: Poly, index: int) -> dict[int, Poly]:
    """The coefficients of a polynomial with respect to one generator."""
    groups: dict[int, dict[tuple[int, ...], Any]] = {}
    spend(PER_STEP + PER_TERM * len(poly))
    for exponents, c in poly.terms():
        groups.setdefault(int(exponents[index]), {})[(*exponents[:index], 0, *exponents[index + 1 :])] = c
    from_dict = poly.context().from_dict
    return {k: from_dict(d) for k, d in groups.items()}


def eliminate(poly: Poly, relation: Poly, index: int) -> tuple[Poly, Poly, Poly]:
    """Pseudo-division in one generator: multiplier * poly = cofactor * relation + remainder."""
    one = poly.context().constant(1)
    if poly == 0 or poly.degrees()[index] < relation.degrees()[index]:
        return poly, one, one * 0
    x = poly.context().gen(index)
    divisor = by_powers(relation, index)
    degree = max(divisor)
    lead = divisor.pop(degree)
    multiplier, cofactor = one, one * 0
    parts = by_powers(poly, index)
    while parts and (top := max(parts)) >= degree:
        step = parts.pop(top)
        size = len(lead) * (sum(map(len, parts.values())) + len(cofactor)) + len(step) * len(relation)
        spend(PER_STEP + size // PAIRS)
        parts = {power: lead * part for power, part in parts.items()}
        for power, part in divisor.items():
            place = power + top - degree
            parts[place] = parts.get(place, 0) - step * part
        parts = {power: part for power, part in parts.items() if part != 0}
        cofactor = lead * cofactor + step * x ** (top - degree)
        multiplier = lead * multiplier
    remainder = one * 0
    for power, part in parts.items():
        remainder += part * x**power
    return remainder, multiplier, cofactor


class Solved:
    """An equation for a power of one generator, made once to be put into many polynomials."""

    def __init__(self, relation: Poly, index: int) -> None:
        parts = by_powers(relation, index)
        self.relation, self.index, self.degree = relation, index, max(parts)
        lead = parts[self.degree]
        whole = lead * relation.context().gen(index) ** self.degree
        self.value = (whole - relation) / lead if lead.is_constant() else None

    def put_into(self, poly: Poly) -> Poly:
        """The polynomial, or a multiple if the highest coefficient is no number, with lower powers of the generator."""
        if self.value is None:
            return eliminate(poly, self.relation, self.index)[0]
        at, make = self.index, poly.context().from_dict
        while poly.degrees()[at] >= self.degree:
            spend(PER_STEP // 2 + PER_TERM * len(poly))
            groups: dict[int, dict[tuple[int, ...], Any]] = {}
            for exponents, c in poly.terms():
                times, rest = divmod(int(exponents[at]), self.degree)
                groups.setdefault(times, {})[(*exponents[:at], rest, *exponents[at + 1 :])] = c
            poly = sum((make(group) * self.value**times for times, group in groups.items()), start=make({}))
        return poly
