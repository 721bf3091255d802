"""Polynomials of flint by powers of one generator."""

from __future__ import annotations

from typing import Any

Poly = Any  # flint.fmpq_mpoly; python-flint ships no types


def by_powers(poly: Poly, index: int) -> dict[int, Poly]:
    """The coefficients of a polynomial with respect to one generator."""
    groups: dict[int, dict[tuple[int, ...], Any]] = {}
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
