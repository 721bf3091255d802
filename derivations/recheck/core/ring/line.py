"""Inequalities between fractions of polynomials in one symbol: the signs of all polynomials on the line.

The roots of everything that a statement speaks of cut the line into points and open intervals, on each of which every
polynomial keeps its sign. Wherever the givens hold and the sides have values, the inequality must hold. The evidence
names the symbol alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any, NamedTuple

from flint import ctx, fmpq, fmpq_poly

from derivations.recheck.core.budget import spend
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Rational, Term, name, part, require
from derivations.recheck.core.ring import Ring
from derivations.recheck.core.statements import SIGNS, relation_of, require_inhabited, setting, side, sign_of
from derivations.recheck.core.terms import difference, prepared, subterms, whole_exponent

Poly = Any  # flint.fmpq_poly
Cell = tuple[Rational, Rational]  # a number twice: an interval around it; two numbers: the one root between them

MOST_DEGREE, MOST_BITS = 200, 20_000
ROOTS_WORK, VALUE_WORK = 3000, 60  # see `spend`
GIVEN = "the inequality fails for some value of the symbol at which the givens hold"


class Condition(NamedTuple):
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
    conditions = [condition for given in where.givens if (condition := _condition(given, symbol)) is not None]
    line = _Line([conclusion, *conditions])
    spoken = [cell for cell in line.cells() if line.speaks(conclusion, cell) and line.satisfies(conditions, cell)]
    require(all(line.holds(conclusion, cell) for cell in spoken), GIVEN)
    require(spoken, "the givens hold nowhere, so the statement is about nothing")
    require(set(payload) <= {"symbol", "inhabited"}, "the evidence holds something that nobody reads")
    if len(conditions) < len(where.givens) or "inhabited" in payload:
        require_inhabited(where, part(payload, "inhabited", dict, "the payload"), left, right)


def _condition(relation: Term, symbol: str) -> Condition | None:
    """A relation between fractions of polynomials in the symbol; None where it speaks of anything else."""
    gap = prepared(difference(*relation[1:]))
    inside = list(subterms(gap))
    powers = [f for f in inside if f[0] == "^"]
    plain = all(f[0] in ("q", "+", "*", "^") or f == ("s", symbol) for f in inside)
    if not plain or None in map(whole_exponent, powers):
        return None
    letter = {"generators": (("s", symbol),), "steps": (("generator", 0),)}
    ring = Ring((symbol,), [], [gap], letter)
    num, den = ring.fraction(gap)
    alive = [ring.fraction(f[1])[0] for f in powers if (whole_exponent(f) or 0) < 0]
    return Condition(_product(_plain(num), _plain(den)), relation[0], tuple(map(_plain, (*alive, den))))


def _plain(poly: Any) -> Poly:
    """A polynomial in one letter, written by its degrees."""
    rows = {int(exponents[0]): coefficient for exponents, coefficient in poly.to_dict().items()}
    _require_small(max(rows, default=0), 0)
    return fmpq_poly([rows.get(degree, 0) for degree in range(max(rows, default=0) + 1)])


def _product(a: Poly, b: Poly) -> Poly:
    _require_small(a.degree() + b.degree(), _bits(a) + _bits(b))
    return a * b


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
            complex_roots = self.cut.numer().complex_roots() if self.cut.degree() > 0 else []
        real = [root.real for root, _ in complex_roots if root.imag.is_zero()]
        roots = sorted((root.lower().fmpq(), root.upper().fmpq()) for root in real)
        apart = all(a[1] < b[0] for a, b in pairwise(roots))
        require(apart, "two real roots lie too close together: state the claim in smaller parts")
        ends = [fmpq(0)] if not roots else [roots[0][0] - 1, *((a[1] + b[0]) / 2 for a, b in pairwise(roots))]
        ends += [roots[-1][1] + 1] if roots else []
        return [*pairwise(ends), *((end, end) for end in ends)]

    def sign(self, poly: Poly, cell: Cell) -> int:
        """The sign on a cell, where no polynomial has a root but the one that `cut` has there."""
        spend(max(poly.degree(), 1) * (VALUE_WORK + _bits(poly)))
        if cell[0] != cell[1]:
            shared = poly.gcd(self.cut)
            if sign_of(shared(cell[0])) != sign_of(shared(cell[1])):
                return 0
        return sign_of(poly(cell[0]))

    def holds(self, condition: Condition, cell: Cell) -> bool:
        return self.sign(condition.poly, cell) in SIGNS[condition.relation]

    def speaks(self, condition: Condition, cell: Cell) -> bool:
        return all(self.sign(poly, cell) for poly in condition.alive)

    def satisfies(self, conditions: list[Condition], cell: Cell) -> bool:
        return all(self.speaks(c, cell) and self.holds(c, cell) for c in conditions)


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
