"""A range in pieces: around points of equality by slopes of slopes, and by balls where the sides stay apart.

What is proposed has been enclosed already; whether the points are points of equality is for the provers to decide.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

from derivations.language.evaluate import exact, value
from derivations.language.terms import (
    MINUS_ONE,
    ONE,
    ZERO,
    Term,
    carried_out,
    children,
    derivative,
    rational,
    rebuild,
    subtract,
    symbols_in,
)
from derivations.prove.certificate import Json
from derivations.prove.rules import effort
from derivations.prove.rules.analysis.balls import upper_bound
from derivations.prove.rules.analysis.factors import Factor, cores
from derivations.prove.rules.analysis.interval import bounds
from derivations.prove.rules.analysis.slopes import of_function
from derivations.prove.rules.analysis.zeros import zeros
from derivations.prove.rules.contact.steps import Piece, Touch, on_pieces
from derivations.prove.rules.rule import Step, inner_terms

PARTS = (1, 6)  # of a piece that balls enclose
MOST_ORDER, MOST_RISING, MOST_TERMS = 6, 4, 1500
HALVINGS, DEPTH = 10, 6
FINE = 10**6  # denominators of what surrounds an irrational end
ROUGH = 1000  # denominators of where pieces meet
TINY = 1e-25
MOST_PRODUCTS = 2
DEEPEST = 3
SMALL = [str(k) for k in range(2, 9)]


def by_pieces_of_a_range(statement: Json) -> Iterator[Step]:
    """Pieces of the range of the only symbol, if every one of them is plainly decided."""
    gap = carried_out(subtract(statement["left"], statement["right"]))
    names = symbols_in(gap)
    if statement["kind"] != "sign" or len(names) != 1 or effort.depth() > DEEPEST:
        return
    (name,) = names
    low, high = _ends(statement, name)
    if low is None or high is None or not low.number < high.number:
        return
    at, found = cores(statement)
    for factor, core in (found[:MOST_PRODUCTS] or [(Factor(), gap)]) if at else []:
        if symbols_in(core) == names:
            function = _multiplied(core)
            pieces = _Search(function, name, low, high).pieces()
            if pieces is not None:
                plan = partial(on_pieces, name, low.term, high.term, pieces)
                yield of_function(statement, factor, function, plan)
                return


def _multiplied(term: Term) -> Term:
    """The term with small whole powers as products, whose derivatives divide by nothing."""
    if term[0] == "^" and term[2][0] == "q" and term[2][1] in SMALL:
        return ("*", *[_multiplied(term[1])] * int(term[2][1]))
    return rebuild(term, tuple(map(_multiplied, children(term))))


@dataclass(frozen=True)
class _End:
    term: Term
    number: Any  # a ball


def _ends(statement: Json, name: str) -> tuple[_End | None, _End | None]:
    """The closest ends of the range that are numbers."""
    sides = (dict.fromkeys(side) for side in bounds(statement, name))
    lows, highs = ([_End(t, v) for t in side if (v := _number(t)) is not None] for side in sides)
    low = max(lows, key=lambda end: float(end.number.mid()), default=None)
    return low, min(highs, key=lambda end: float(end.number.mid()), default=None)


def _number(term: Term) -> Any:
    return None if symbols_in(term) else value(carried_out(term), {})


class _Search:
    """The pieces for one function of one symbol between two ends."""

    def __init__(self, function: Term, name: str, low: _End, high: _End) -> None:
        self.name, self.low, self.high = name, low, high
        self._derivatives = [function]
        self.start, self.stop = _outward(low, -1), _outward(high, 1)

    def pieces(self) -> list[Piece] | None:
        """Pieces that cover the range, or None."""
        near = []
        for touch in self._touches():
            piece = self._near(touch)
            if piece is None:
                return None
            near.append(piece)
        found: list[Piece] = []
        here = self.start
        for piece in sorted(near, key=lambda piece: piece.low):
            between = self._between(here, piece.low) if here < piece.low else []
            if between is None:
                return None
            here = max(here, piece.low)
            found += [*between, replace(piece, low=here)]
            here = piece.high
        rest = self._between(here, self.stop) if here < self.stop else []
        return None if rest is None else [*found, *rest]

    def derivative(self, k: int) -> Term | None:
        """The k-th derivative carried out, unless it is too long."""
        while len(self._derivatives) <= k:
            term = derivative(self._derivatives[-1], self.name)
            if sum(1 for _ in inner_terms([term])) > MOST_TERMS:
                return None
            self._derivatives.append(term)
        return self._derivatives[k]

    def _touches(self) -> Iterator[Touch]:
        slope = self.derivative(1)
        known: dict[str, list[str]] = {self.name: []}
        inner = [] if slope is None else list(zeros(slope, self.name, known))
        points = [self.low.term, self.high.term, ZERO, ONE, MINUS_ONE, rational("1/2"), *inner]
        seen: list[Any] = []
        for term in dict.fromkeys(points):
            number = _number(term)
            if number is None or number < self.low.number or number > self.high.number:
                continue
            if any(abs(number - other) < TINY**0.5 for other in seen):
                continue
            seen.append(number)
            touch = self._touch(term, number)
            if touch is not None:
                yield touch

    def _touch(self, term: Term, number: Any) -> Touch | None:
        """The contact at a point; None where the function does not vanish there."""
        for k in range(MOST_ORDER + 1):
            derived = self.derivative(k)
            there = None if derived is None else value(derived, {self.name: number})
            if there is None:
                return None
            if abs(there) < TINY:
                continue
            return Touch(term, number, k, 1 if there > 0 else -1) if k else None
        return None

    def _near(self, touch: Touch) -> Piece | None:
        """A piece around the point on which the derivative of its order keeps its sign."""
        above, below = bool(touch.number < self.high.number), bool(touch.number > self.low.number)
        sides = [side for side, there in ((1, above), (-1, below)) if there]
        derived = self.derivative(touch.order)
        if derived is None or any(side**touch.order != touch.sign for side in sides):
            return None
        turned = derived if touch.sign > 0 else ("*", MINUS_ONE, derived)
        point = exact(touch.at, {})
        middle = Fraction(float(touch.number.mid())).limit_denominator(FINE) if point is None else point
        reach = self.stop - self.start
        for _ in range(HALVINGS):
            low = max(self.start, _simple(middle - reach)) if below else self.start
            high = min(self.stop, _simple(middle + reach)) if above else self.stop
            upper = self._upper(turned, low, high)
            if upper is not None:
                return Piece(low, high, [upper], touch, sides)
            reach /= 3
        return None

    def _between(self, low: Fraction, high: Fraction, depth: int = 0) -> list[Piece] | None:
        """Pieces on which the function itself is positive, or rises from an end at which it is."""
        upper = self._upper(self._derivatives[0], low, high)
        if upper is not None:
            return [Piece(low, high, [upper])]
        for side in (1, -1):
            rising = self._rising(low, high, side)
            if rising is not None:
                return [rising]
        if depth == DEPTH:
            return None
        middle = _simple((low + high) / 2)
        if not low < middle < high:
            return None
        left = self._between(low, middle, depth + 1)
        right = None if left is None else self._between(middle, high, depth + 1)
        return None if left is None or right is None else [*left, *right]

    def _upper(self, term: Term, low: Fraction, high: Fraction) -> str | None:
        return upper_bound(term, {self.name: [str(low), str(high)]}, PARTS)

    def _rising(self, low: Fraction, high: Fraction, side: int) -> Piece | None:
        """A piece on which the function rises from one end, at which it is positive."""
        at = low if side > 0 else high
        uppers: list[str] = []
        for k in range(MOST_RISING):
            derived = self.derivative(k)
            if derived is None:
                return None
            turned = derived if side**k > 0 else ("*", MINUS_ONE, derived)
            upper = self._upper(turned, low, high) if k else None
            if upper is not None:
                return Piece(low, high, [*uppers, upper], sides=[side])
            upper = self._upper(turned, at, at)
            if upper is None:
                return None
            uppers.append(upper)
        return None


def _outward(end: _End, side: int) -> Fraction:
    """A number at an end or a little outside."""
    found = exact(end.term, {})
    if found is not None:
        return found
    near = Fraction(float(end.number.mid())).limit_denominator(FINE)
    return near + Fraction(side, FINE)


def _simple(number: Fraction) -> Fraction:
    """A number nearby with a small denominator."""
    return number.limit_denominator(ROUGH)
