"""Sets of states, and the courses that they take during one step.

A set is {m + C r0 + Q r}: r0 is the start box around its midpoint, the same at all times, and r what was lost since, in
a frame Q near an orthogonal one (Lohner 1987).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

from flint import arb, arb_mat, arb_poly

from derivations.recheck.core.load import Rational
from derivations.recheck.kinds.flows.trajectories.frames import frame_near
from derivations.recheck.kinds.flows.trajectories.jets import Ball

HALVINGS = 6  # of a step on which a box is checked
Polynomial = Any  # flint.arb_poly
Matrix = Any  # flint.arb_mat


def between(low: Rational, high: Rational) -> Ball:
    """A ball that holds an interval."""
    return arb((low + high) / 2) + arb(0, arb((high - low) / 2).abs_upper())


def is_certain(holds: Callable[[Ball], bool], low: Rational, high: Rational, halvings: int) -> bool:
    """Whether something holds on an interval: on the whole, or on each piece of it after some halvings."""
    if holds(between(low, high)):
        return True
    middle = (low + high) / 2
    return halvings > 0 and all(is_certain(holds, *ends, halvings - 1) for ends in ((low, middle), (middle, high)))


def over_a_step(coefficients: Sequence[Ball], length: Ball) -> Ball:
    """A polynomial at all times from 0 to a length, term by term."""
    total, power = coefficients[0], arb(1)
    for coefficient in coefficients[1:]:
        power = power * length
        half = power.abs_upper() / 2
        total = total + coefficient * (half + arb(0, half))
    return total


def column(entries: Sequence[Ball]) -> Matrix:
    return arb_mat(len(entries), 1, list(entries))


class States(NamedTuple):
    """centre + spread r0 + frame rest; without a spread where the start is a point."""

    centre: list[Ball]
    spread: Matrix | None
    frame: Matrix
    rest: Matrix

    def deviation(self, start: Matrix | None) -> Matrix:
        off = self.frame * self.rest
        return off if self.spread is None else off + self.spread * start

    def hull(self, start: Matrix | None) -> list[Ball]:
        """The box around the set and its centre."""
        off = self.deviation(start).entries()
        return [(m + d).union(m) for m, d in zip(self.centre, off, strict=True)]

    def directions(self) -> Matrix:
        """The matrix by which (r0, rest) goes into the deviation from the centre."""
        n = self.frame.nrows()
        if self.spread is None:
            return self.frame
        rows = zip(self.spread.tolist(), self.frame.tolist(), strict=True)
        return arb_mat(n, self.spread.ncols() + n, [entry for a, b in rows for entry in (*a, *b)])

    def coordinates(self, start: Matrix | None) -> list[Ball]:
        return [*(start.entries() if start is not None else ()), *self.rest.entries()]


def begin(box: Sequence[tuple[Rational, Rational]]) -> tuple[States, Matrix | None]:
    """The set of a start box, and its r0."""
    n = len(box)
    centre = [arb((low + high) / 2).mid() for low, high in box]
    wide = [i for i, (low, high) in enumerate(box) if low != high]
    off = [between(low, high) - m for (low, high), m in zip(box, centre, strict=True)]
    rest = column([arb(0) if i in wide else ball for i, ball in enumerate(off)])
    identity = arb_mat(n, n, [int(i == j) for i in range(n) for j in range(n)])
    spread = arb_mat(n, len(wide), [int(i == j) for i in range(n) for j in wide]) if wide else None
    return States(centre, spread, identity, rest), column([off[i] for i in wide]) if wide else None


def moved(states: States, start: Matrix | None, image: list[Ball], slope: Matrix, still: Collection[int]) -> States:
    """The set after one step: its centre goes into the image, and deviations are multiplied by a slope.

    still: the numbers of the constant states.
    """
    centre = [ball.mid() for ball in image]
    loss = column([ball - m for ball, m in zip(image, centre, strict=True)])
    spread = None
    if states.spread is not None:
        carried = slope * states.spread
        spread = carried.mid()
        loss = loss + (carried - spread) * start
    turned = slope * states.frame
    frame, back = frame_near(turned, states.rest, [i for i in range(len(image)) if i not in still])
    return States(centre, spread, frame, (back * turned) * states.rest + back * loss)


class Stated(NamedTuple):
    """A step as the evidence states it: when it begins, how long it is, and its a-priori box."""

    begin: Rational
    length: Rational
    box: Sequence[tuple[Rational, Rational]]


class Course:
    """All solutions from a set during one step, as polynomials in the time since it began, with balls as coefficients.

    hull: around each state. centre: around each state of the solution from the centre of the set. dependence: the
    coefficients of a matrix by which a solution's deviation from that one follows from its deviation at the beginning.
    """

    def __init__(
        self,
        states: States,
        start: Matrix | None,
        hull: Sequence[Sequence[Ball]],
        centre: Sequence[Sequence[Ball]],
        dependence: Sequence[Matrix],
    ) -> None:
        self.states, self.start, self.dependence = states, start, dependence
        self.hull, self.centre = ([arb_poly(list(each)) for each in polynomials] for polynomials in (hull, centre))
        self.is_sharp = True  # whether no other way to find one need be tried
        self.coordinates = states.coordinates(start)
        self._rows: dict[int, list[Polynomial]] = {}

    def slopes(self, i: int, s: Ball) -> list[Ball]:
        """How state i, s after the beginning, changes with the coordinates of the set."""
        found = self._rows.get(i)
        if found is None:
            n, ways = len(self.centre), self.states.directions()
            rows = [(arb_mat(1, n, [each[i, j] for j in range(n)]) * ways).entries() for each in self.dependence]
            found = self._rows[i] = [arb_poly(list(along)) for along in zip(*rows, strict=True)]
        return [entry(s) for entry in found]

    def from_centre(self, i: int, s: Ball) -> Ball:
        """State i, s after the beginning, of all solutions."""
        off = sum((slope * r for slope, r in zip(self.slopes(i, s), self.coordinates, strict=True)), arb(0))
        return self.centre[i](s) + off

    def widths(self, length: Rational) -> list[Ball]:
        """What is not known of the states at the end of a step."""
        return [self.from_centre(i, arb(length)).rad() for i in range(len(self.centre))]

    def after(self, length: Rational, still: Collection[int]) -> States:
        """The set at the end of a step."""
        h = arb(length)
        slope = self.dependence[-1]
        for each in reversed(self.dependence[:-1]):
            slope = slope * h + each
        return moved(self.states, self.start, [centre(h) for centre in self.centre], slope, still)
