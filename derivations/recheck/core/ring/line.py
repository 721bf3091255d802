"""Inequalities between fractions of polynomials in one symbol: the signs of all polynomials on the line.

The roots of everything that a statement speaks of cut the line into points and open intervals, on each of which every
polynomial keeps its sign. Wherever the givens hold and the sides have values, the inequality must hold. The evidence
names the symbol alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from flint import ctx, fmpq, fmpq_poly

from derivations.recheck.core.budget import spend
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Rational, Term, name, part, rational, require
from derivations.recheck.core.statements import relation_of, require_inhabited, setting, side
from derivations.recheck.core.terms import difference, prepared, whole_exponent

Poly = Any  # flint.fmpq_poly
Cell = tuple[Rational, Rational]  # a number twice: an interval around it; two numbers: the one root between them

MOST_DEGREE, MOST_BITS = 200, 20_000
ROOTS_WORK, VALUE_WORK = 3000, 60  # see `spend`
HOLDS = {">": (1,), ">=": (0, 1), "=": (0,), "!=": (-1, 1)}
GIVEN = "the inequality fails for some value of the symbol at which the givens hold"


class _OtherFormula(Exception):
    """A formula that is no fraction of polynomials in the symbol."""


@dataclass(frozen=True)
class Condition:
    """A polynomial in a relation to zero, and the polynomials that vanish nowhere where it is defined."""

    poly: Poly
    relation: str
    alive: tuple[Poly, ...]


def check_on_line(statement: Data, payload: Data) -> None:
    """A given that speaks of more than the symbol is left out: then a point must show that the givens can hold."""
    symbol = name(part(payload, "symbol", str, "the payload"))
    where, left, right = setting(statement), side(statement, "left"), side(statement, "right")
    require(symbol in where.free(left, right), "the evidence names a symbol of which the statement does not speak")
    conclusion = _condition((relation_of(statement), left, right), symbol)
    if conclusion is None:
        raise Rejected(f"the sides must be fractions of polynomials in {symbol} alone for this method")
    conditions = [found for given in where.givens if (found := _condition(given, symbol)) is not None]
    line = _Line([conclusion, *conditions])
    spoken = [cell for cell in line.cells() if line.speaks(conclusion, cell) and line.satisfies(conditions, cell)]
    require(all(line.holds(conclusion, cell) for cell in spoken), GIVEN)
    require(spoken, "the givens hold nowhere, so the statement is about nothing")
    require(set(payload) <= {"symbol", "inhabited"}, "the evidence holds something that nobody reads")
    if len(conditions) < len(where.givens) or "inhabited" in payload:
        require_inhabited(where, part(payload, "inhabited", dict, "the payload"), left, right)


def _condition(relation: Term, symbol: str) -> Condition | None:
    alive: list[Poly] = []
    try:
        num, den = _fraction(prepared(difference(*relation[1:])), symbol, alive)
    except _OtherFormula:
        return None
    return Condition(_product(num, den), relation[0], (*alive, den))


def _fraction(formula: Term, symbol: str, alive: list[Poly]) -> tuple[Poly, Poly]:
    """Numerator and denominator; what must not vanish for the formula to have a value is added to a list."""
    if formula == ("s", symbol):
        return fmpq_poly([0, 1]), fmpq_poly([1])
    if formula[0] == "q":
        return fmpq_poly([rational(formula[1])]), fmpq_poly([1])
    k = whole_exponent(formula) if formula[0] == "^" else None
    if k is not None:
        num, den = _fraction(formula[1], symbol, alive)
        if k < 0:
            alive.append(num)
            num, den = den, num
        return _power(num, abs(k)), _power(den, abs(k))
    if formula[0] not in ("+", "*"):
        raise _OtherFormula
    num, den = fmpq_poly([int(formula[0] == "*")]), fmpq_poly([1])
    for child in formula[1:]:
        n, d = _fraction(child, symbol, alive)
        num = _product(num, n) if formula[0] == "*" else _product(num, d) + _product(n, den)
        den = _product(den, d)
    return num, den


def _product(a: Poly, b: Poly) -> Poly:
    _require_small(a.degree() + b.degree(), _bits(a) + _bits(b))
    return a * b


def _power(a: Poly, k: int) -> Poly:
    _require_small(a.degree() * k, _bits(a) * k)
    return a**k


def _require_small(degree: int, bits: int) -> None:
    small = degree <= MOST_DEGREE and bits <= MOST_BITS
    require(small, "a polynomial is too large for its real roots to be found: state the claim in smaller parts")
    spend(max(degree, 1) * (VALUE_WORK + bits))


def _bits(poly: Poly) -> int:
    return max([int(poly.denom()).bit_length(), *(int(c).bit_length() for c in poly.numer().coeffs())])


class _Line:
    """The real line, cut at the roots of all polynomials of some conditions."""

    def __init__(self, conditions: list[Condition]) -> None:
        self.cut = _without_squares(poly for c in conditions for poly in (c.poly, *c.alive))

    def cells(self) -> list[Cell]:
        """The roots, each between two numbers that are none, and the intervals between them, each by a number in it."""
        spend(self.cut.degree() ** 3 * (ROOTS_WORK + _bits(self.cut)))
        with ctx.workprec(64):
            found = self.cut.numer().complex_roots() if self.cut.degree() > 0 else []
        real = [root.real for root, _ in found if root.imag.is_zero()]
        roots = sorted((root.lower().fmpq(), root.upper().fmpq()) for root in real)
        apart = all(a[1] < b[0] for a, b in pairwise(roots))
        require(apart, "two real roots lie too close together: state the claim in smaller parts")
        ends = [fmpq(0)] if not roots else [roots[0][0] - 1, *((a[1] + b[0]) / 2 for a, b in pairwise(roots))]
        ends += [roots[-1][1] + 1] if roots else []
        return [*pairwise(ends), *((end, end) for end in ends)]

    def sign(self, poly: Poly, cell: Cell) -> int:
        """The sign on a cell, where no polynomial has a root but the one that `cut` has there."""
        spend(max(poly.degree(), 1) * (VALUE_WORK + _bits(poly)))
        if poly == 0:
            return 0
        if cell[0] != cell[1]:
            shared = poly.gcd(self.cut)
            if _sign(shared(cell[0])) != _sign(shared(cell[1])):
                return 0
        return _sign(poly(cell[0]))

    def holds(self, condition: Condition, cell: Cell) -> bool:
        return self.sign(condition.poly, cell) in HOLDS[condition.relation]

    def speaks(self, condition: Condition, cell: Cell) -> bool:
        return all(self.sign(poly, cell) for poly in condition.alive)

    def satisfies(self, conditions: list[Condition], cell: Cell) -> bool:
        return all(self.speaks(c, cell) and self.holds(c, cell) for c in conditions)


def _sign(value: Rational) -> int:
    return int(value > 0) - int(value < 0)


def _without_squares(polys: Iterable[Poly]) -> Poly:
    """A polynomial with simple roots: all those of the given ones that are not zero."""
    product = fmpq_poly([1])
    for poly in polys:
        if poly.degree() > 0:
            spend((product.degree() + poly.degree()) ** 3 * VALUE_WORK)
            simple = poly // poly.gcd(poly.derivative())
            product = _product(product, simple // simple.gcd(product))
            product = fmpq_poly(product.numer()) / product.numer().content()
    return product
