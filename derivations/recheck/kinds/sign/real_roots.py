"""Inequalities in one variable: the signs of all polynomials on the line, by Sturm's theorem.

The roots of everything that a statement speaks of cut the line into points and open intervals, on each of which every
polynomial keeps its sign. Wherever the hypotheses hold and the sides have values, the inequality must hold. The roots
are found here: the evidence names the variable alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from flint import fmpq, fmpq_poly

from derivations.recheck.core.budget import spend
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.fractions import Poly, longest
from derivations.recheck.core.load import Data, Rational, name, part
from derivations.recheck.kinds.sign.polynomial import Condition, Problem, read, require_a_point

MOST_DEGREE, MOST_BITS = 200, 20_000
CHAIN_WORK, VALUE_WORK = 300, 60  # see `spend`
HOLDS = {">": (1,), ">=": (0, 1), "=": (0,), "!=": (-1, 1)}


@dataclass(frozen=True)
class Cell:
    """A root of `cut` between two numbers that are none, or all that lies between two roots around one number."""

    low: Rational
    high: Rational


def check_real_roots(statement: Data, payload: Data) -> None:
    symbol = name(part(payload, "symbol", str, "the payload"))
    relation = part(statement, "relation", str, "the statement")
    if relation not in (">", ">="):
        raise Rejected(f"the relation of an inequality must be > or >=, got {relation!r}")
    problem = read(statement, (symbol,), relation)
    line = _Line(problem)
    spoken = [cell for cell in line.cells() if _speaks(line, problem, cell)]
    if not all(line.holds(problem.conclusion, cell) for cell in spoken):
        raise Rejected(f"the inequality fails for some {symbol} at which the hypotheses hold")
    if not spoken:
        raise Rejected("the hypotheses hold nowhere, so the statement is about nothing")
    if not problem.complete:
        require_a_point(statement, payload)
    if set(payload) != {"symbol"} | (set() if problem.complete else {"inhabited"}):
        raise Rejected("the evidence of an inequality in one variable holds something that nobody reads")


def _speaks(line: _Line, problem: Problem, cell: Cell) -> bool:
    alive = [poly for c in (problem.conclusion, *problem.conditions) for poly in c.alive]
    return all(line.sign(poly, cell) for poly in alive) and all(line.holds(c, cell) for c in problem.conditions)


class _Line:
    """The real line, cut at the roots of all polynomials of a problem."""

    def __init__(self, problem: Problem) -> None:
        self.dense: dict[str, Any] = {}
        for condition in (problem.conclusion, *problem.conditions):
            for poly in (condition.poly, *condition.alive):
                self.dense[str(poly)] = _dense(poly)
        self.cut = _without_squares(self.dense.values())
        self.chain = _chain(self.cut)
        self.common: dict[str, Any] = {}

    def cells(self) -> list[Cell]:
        """Roots in disjoint intervals, and the intervals between them, each by a number in it."""
        bound = _bound(self.cut)
        roots: list[Cell] = []
        todo = [(-bound, bound)] if self.cut.degree() > 0 else []
        while todo:
            low, high = todo.pop()
            count = self._changes(low) - self._changes(high)
            if count == 1:
                roots.append(Cell(low, high))
            elif count > 1:
                middle = self._between(low, high)
                todo += [(middle, high), (low, middle)]
        ends = [fmpq(0)] if not roots else [*(root.low for root in roots), roots[-1].high]
        return [*roots, *(Cell(end, end) for end in ends)]

    def _between(self, low: Rational, high: Rational) -> Rational:
        """A number between two others that is no root."""
        for parts in range(2, self.cut.degree() + 4):
            middle = low + (high - low) / parts
            if self.cut(middle) != 0:
                return middle
        raise AssertionError("a polynomial has more roots than its degree")

    def _changes(self, value: Rational) -> int:
        size = max(int(value.p).bit_length(), int(value.q).bit_length())
        spend(len(self.chain) * self.cut.degree() * (VALUE_WORK + size * self.cut.degree() // 8))
        signs = [sign for sign in (_sign(poly(value)) for poly in self.chain) if sign]
        return sum(a != b for a, b in pairwise(signs))

    def sign(self, poly: Poly, cell: Cell) -> int:
        """The sign on a cell: no polynomial has a root in an interval of `cut` but the one that `cut` has there."""
        dense = self.dense[str(poly)]
        if dense == 0:
            return 0
        if cell.low != cell.high:
            key = str(poly)
            if key not in self.common:
                self.common[key] = dense.gcd(self.cut)
            shared = self.common[key]
            if _sign(shared(cell.low)) != _sign(shared(cell.high)):
                return 0
        return _sign(dense(cell.low))

    def holds(self, condition: Condition, cell: Cell) -> bool:
        return self.sign(condition.poly, cell) in HOLDS[condition.relation]


def _sign(value: Rational) -> int:
    return int(value > 0) - int(value < 0)


def _dense(poly: Poly) -> Any:
    table = {int(exponents[0]): coefficient for exponents, coefficient in poly.to_dict().items()}
    degree = max(table, default=0)
    if degree > MOST_DEGREE or longest(poly) > MOST_BITS:
        raise Rejected("a polynomial is too large for its real roots to be found: state the claim in smaller parts")
    return fmpq_poly([table.get(k, fmpq(0)) for k in range(degree + 1)])


def _without_squares(polys: Iterable[Any]) -> Any:
    """A polynomial with simple roots: all those of the given ones that are not zero."""
    product = fmpq_poly([1])
    for poly in polys:
        if poly.degree() < 1:
            continue
        if product.degree() + poly.degree() > MOST_DEGREE:
            raise Rejected("the polynomials have too many roots together: state the claim in smaller parts")
        spend((product.degree() + poly.degree()) ** 3 * CHAIN_WORK)
        simple = _primitive(poly // poly.gcd(poly.derivative()))
        product = _primitive(product * (simple // simple.gcd(product)))
    return product


def _primitive(poly: Any) -> Any:
    """A positive multiple with short coefficients."""
    numbers = poly.numer()
    return fmpq_poly(numbers) / abs(numbers.content()) if numbers != 0 else poly


def _chain(poly: Any) -> list[Any]:
    """Sturm's chain of a polynomial with simple roots."""
    spend(poly.degree() ** 4 * CHAIN_WORK)
    chain = [poly, poly.derivative()]
    while chain[-1].degree() > 0:
        chain.append(_primitive(-(chain[-2] % chain[-1])))
    return chain


def _bound(poly: Any) -> Rational:
    """A number beyond the size of every root, after Cauchy."""
    lead = abs(poly[poly.degree()])
    largest = max((abs(poly[k]) for k in range(poly.degree())), default=fmpq(0))
    return fmpq(2) + fmpq(int((largest / lead).ceil()))
