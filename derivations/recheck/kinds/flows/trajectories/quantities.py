"""A quantity along a tube: balls around its values, and around its rate, during some time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from flint import arb, fmpq

from derivations.recheck.core.balls import Undefined
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Rational, Term
from derivations.recheck.kinds.flows.trajectories import effort
from derivations.recheck.kinds.flows.trajectories.claims import FLOW, Claim, Interval
from derivations.recheck.kinds.flows.trajectories.jets import Ball, values
from derivations.recheck.kinds.flows.trajectories.sets import between

DEEPEST, MOST_PIECES = 60, 5000


class Stretch(Protocol):
    """A part of a tube in time: of a flow a step, of a map one iteration."""

    begin: Rational
    end: Rational
    order: int

    @property
    def coordinates(self) -> list[Ball]: ...

    def rough(self, low: Rational, high: Rational) -> list[Ball]: ...

    def fine(self, low: Rational, high: Rational) -> list[Ball]: ...

    def around_centre(self, moment: Rational) -> tuple[list[Ball], list[list[Ball]]]: ...


class Quantity:
    """left - right, its slopes by the states, and its rate along the flow."""

    def __init__(self, claim: Claim, left: Term, right: Term) -> None:
        program = claim.program
        asked: set[int] = set()
        a, b = program.read(left, asked), program.read(right, asked)
        minus = program.number(fmpq(-1))
        self.root = program.total((a, program.product(minus, b)))
        self.program = program
        self.nodes = sorted(asked | program.inside((self.root,)))
        self.slopes = [program.slope(self.root, i) for i in range(len(claim.names))]
        self.slope_nodes = sorted({*self.nodes, *program.inside(self.slopes)})
        self.rate, self.rate_nodes = program.zero, self.nodes
        if claim.form == FLOW:
            parts = [program.product(s, f) for s, f in zip(self.slopes, claim.rates, strict=True)]
            self.rate = program.total([*parts, program.slope(self.root, -1)])
            self.rate_nodes = sorted({*self.slope_nodes, *program.inside((self.rate,))})

    def balls(self, tube: Stretch, low: Rational, high: Rational) -> Iterator[Ball]:
        """Balls around all values from one time to another, each narrower in general and slower than the one before."""
        when = between(low, high)
        self._spend(tube, 1)
        yield from self._at(self.root, self.nodes, tube.rough(low, high), when)
        self._spend(tube, 3 * len(tube.coordinates))
        if low == high:
            yield from self._in_mean_value_form(tube, low)
            return
        middle = (low + high) / 2
        states = tube.fine(low, high)
        yield from self._at(self.root, self.nodes, states, when)
        for rate in self._at(self.rate, self.rate_nodes, states, when):
            for value in self._in_mean_value_form(tube, middle):
                yield from _finite(value + rate * (when - arb(middle)))

    def rates(self, tube: Stretch, low: Rational, high: Rational) -> Iterator[Ball]:
        when = between(low, high)
        self._spend(tube, 1)
        yield from self._at(self.rate, self.rate_nodes, tube.rough(low, high), when)
        self._spend(tube, len(tube.coordinates))
        yield from self._at(self.rate, self.rate_nodes, tube.fine(low, high), when)

    def _spend(self, tube: Stretch, rows: int) -> None:
        states = len(self.slopes)
        effort.spend_on_a_piece(len(self.rate_nodes) + len(self.slope_nodes), states, rows * tube.order)

    def _at(self, root: int, nodes: list[int], states: list[Ball], when: Ball) -> Iterator[Ball]:
        try:
            yield values(self.program, nodes, states, when)[root]
        except (Undefined, ZeroDivisionError):
            return

    def _in_mean_value_form(self, tube: Stretch, moment: Rational) -> Iterator[Ball]:
        """What is common to how states deviate from the centre of the tube is kept."""
        centre, slopes = tube.around_centre(moment)
        try:
            around = [x.union(m) for x, m in zip(tube.fine(moment, moment), centre, strict=True)]
            found = values(self.program, self.slope_nodes, around, arb(moment))
            middle = values(self.program, self.nodes, centre, arb(moment))[self.root]
        except (Undefined, ZeroDivisionError):
            return
        total = middle
        for j, coordinate in enumerate(tube.coordinates):
            slope = sum((found[each] * row[j] for each, row in zip(self.slopes, slopes, strict=True)), arb(0))
            total = total + slope * coordinate
        yield from _finite(total)


def _finite(ball: Ball) -> Iterator[Ball]:
    if ball.is_finite():
        yield ball


Balls = Callable[[Stretch, Rational, Rational], Iterator[Ball]]


class Pieces:
    """Cuts some time into pieces until what is asked is certain on each, for one proposition."""

    def __init__(self, what: str) -> None:
        self.what, self.left = what, MOST_PIECES

    def require(self, holds: Callable[[Ball], bool], balls: Balls, tube: Stretch, times: Interval) -> None:
        """At all times of an interval inside a stretch."""
        todo = [(*times, DEEPEST)]
        while todo:
            low, high, depth = todo.pop()
            self.left -= 1
            if any(ball.is_finite() and holds(ball) for ball in balls(tube, low, high)):
                continue
            if low == high or not depth or self.left <= 0:
                raise Rejected(f"{self.what} is not certain at the times from {low} to {high}")
            middle = (low + high) / 2
            todo += [(middle, high, depth - 1), (low, middle, depth - 1)]

    def sign(self, balls: Balls, tube: Stretch, moment: Rational) -> int:
        """The strict sign at one moment, which must be certain."""
        for ball in balls(tube, moment, moment):
            if ball > 0:
                return 1
            if ball < 0:
                return -1
        raise Rejected(f"{self.what} is not certain at the time {moment}")


def has_sign(sign: int) -> Callable[[Ball], bool]:
    return (lambda ball: ball > 0) if sign > 0 else (lambda ball: ball < 0)
