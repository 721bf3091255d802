"""One step of a trajectory: a box that no solution leaves, proved first, and then where all of them are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from flint import arb, arb_mat, arb_poly

from derivations.prove.flows.tubes.jets import Field
from derivations.prove.flows.tubes.programs import NoValue
from derivations.prove.flows.tubes.sets import Reached, around, column, ends, exact, power

Ball = Any  # flint.arb
Box = list[Ball]
Matrix = Any  # flint.arb_mat
Sides = list[tuple[Fraction, Fraction]]

FARTHEST = 2.0**500  # a number beyond which nothing is followed
LEAST_ROOM = Fraction(1, 2**40)  # of its size, where it has no radius
GRAIN = 5  # bits to which the width of a stated box is written down
TRIES = 3
GENEROUS = 2  # times a remainder that is taken for it, as another's may be larger


@dataclass(frozen=True)
class Series:
    """The solutions from one moment as polynomials in the time since."""

    central: list[Any]  # from the middle of the set
    straight: list[Any]  # over the hull of the set
    entries: list[Any]  # how they depend on where they begin, by rows

    @staticmethod
    def of(order: int, central: list[Box], straight: list[Box], dependence: list[Matrix]) -> Series:
        size = len(central)
        entries = [[matrix[i, j] for matrix in dependence] for i in range(size) for j in range(size)]
        return Series(*([arb_poly(row[:order]) for row in rows] for rows in (central, straight, entries)))

    def slope(self, since: Ball) -> Matrix:
        """The derivative of the states by where they begin."""
        size = len(self.central)
        return arb_mat(size, size, [p(since) for p in self.entries])


@dataclass(frozen=True)
class Step:
    """What is known of all solutions from one moment to the next."""

    field: Field
    time: Fraction
    length: Fraction
    order: int
    begins: Reached
    apriori: Sides
    remainder: Box  # the coefficient of the order, over the a-priori box
    series: Series

    @cached_property
    def inside(self) -> Box:
        return around(self.apriori)

    def landing(self) -> Reached:
        """Where the step ends."""
        h = exact(self.length)
        rest = h**self.order
        landed = column([p(h) + rest * r for p, r in zip(self.series.central, self.remainder, strict=True)])
        return self.begins.onward(landed, self.series.slope(h))

    def at(self, since: Ball) -> Box:
        """A box that holds all solutions after some time since the step began, a moment or an interval."""
        central, straight = self.series.central, self.series.straight
        about = self.begins.moved(self.series.slope(since)).entries()
        rests = [power(since, self.order) * r for r in self.remainder]
        found = []
        for i, box in enumerate(self.inside):
            value = common(central[i](since) + rests[i] + about[i], straight[i](since) + rests[i])
            found.append(self.begins.still.get(i, common(value, box)))
        return found


def common(first: Ball, second: Ball) -> Ball:
    """What two enclosures of one number have in common."""
    if not first.is_finite() or first.contains(second):
        return second
    if second.contains(first):
        return first
    return first.intersection(second)


def _generous(remainder: Ball) -> Ball:
    """A remainder with room for one that is computed in another order."""
    return remainder + arb(0, (GENEROUS - 1) * abs(remainder).abs_upper())


def hull_of(box: Sequence[Ball], room: Fraction) -> Sides:
    """A box with room about a computed one, with short ends."""
    return [_wider(value, room) for value in box]


def _wider(value: Ball, share: Fraction) -> tuple[Fraction, Fraction]:
    low, high = ends(value)
    room = (high - low) / 2 * share + max(abs(low), abs(high)) * LEAST_ROOM + Fraction(1, 2**100)
    low, high = low - room, high + room
    grain = Fraction(2) ** (_exponent(high - low) - GRAIN)
    return math.floor(low / grain) * grain, math.ceil(high / grain) * grain


def _exponent(value: Fraction) -> int:
    return value.numerator.bit_length() - value.denominator.bit_length()


def apriori(field: Field, time: Fraction, h: Fraction, straight: list[Box], room: Fraction) -> tuple[Sides, Box] | None:
    """A box that no solution leaves within h, and the coefficient of the order on it; None if none was found."""
    order = len(straight[0]) - 1
    span = exact(h / 2) + arb(0, exact(h / 2).abs_upper())
    powers = [exact(h**i / 2) + arb(0, exact(h**i / 2).abs_upper()) for i in range(order + 1)]
    powers[0] = arb(1)
    sums = [sum((p * c for p, c in zip(powers, row[:order], strict=False)), arb(0)) for row in straight]
    guess = [
        arb(0, 2 * GENEROUS * abs(row[order]).abs_upper()) if row[order].is_finite() else arb(0) for row in straight
    ]
    for _ in range(TRIES):
        aimed = [s + powers[order] * g for s, g in zip(sums, guess, strict=True)]
        if not all(abs(value) < FARTHEST for value in aimed):
            return None
        sides = hull_of(aimed, room)
        box = around(sides)
        try:
            field.jacobian(box, exact(time) + span)
            remainder = [_generous(row[order]) for row in field.one_by_one(box, exact(time) + span, order + 1)]
        except NoValue:
            return None
        if not all(r.is_finite() for r in remainder):
            return None
        reached = [s + powers[order] * r for s, r in zip(sums, remainder, strict=True)]
        if all(exact(low) < r < exact(high) for r, (low, high) in zip(reached, sides, strict=True)):
            return sides, remainder
        guess = [arb(0, 2 * abs(r).abs_upper()) for r in remainder]
    return None
