"""One step of a trajectory: all solutions stay beside a polynomial that nearly is one.

Let y be a polynomial with y' = f(y) + d, and |d| <= delta for a time h. On a box E let B have the sizes of the entries
of Df, on its diagonal the largest values or 0. As long as a solution x and y are in E, the sizes of the differences
obey |x - y|' <= B |x - y| + delta, so that |x - y| <= G |x(0) - y(0)| + h F delta, with G = exp(B h) and F the mean of
exp(B s). The derivative by the start is treated alike: a polynomial P nearly has P' = Df P, and what it misses times
the width of the set is added to delta. If all that is left for x is inside E, no solution leaves E.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from operator import add, sub
from typing import Any

from flint import arb, arb_mat, arb_poly

from derivations.prove.flows.tubes.jets import Box, Field, Matrix
from derivations.prove.flows.tubes.programs import NoValue
from derivations.prove.flows.tubes.sets import Reached, Sides, around, between, column, ends, exact, identity

Ball = Any  # flint.arb
FARTHEST = 2.0**500  # a number beyond which nothing is followed
FASTEST = 12  # the largest entry of B h whose exponential is taken
MORE = 2  # times as many terms of series are known as of the polynomials
TRIES, PARTS = 4, 8
MARGIN = 1.3  # by which a bound is guessed larger than the last one
DOUBT = 17 / 16  # times a bound of the linear part is taken, as the same computed in another order may be larger
ROOM = Fraction(1, 4)  # of its radius, by which a stated box is wider
LEAST_ROOM = Fraction(1, 2**40)  # of its size, where it has no radius
GRAIN = 5  # bits to which the width of a stated box is written down


@dataclass(frozen=True)
class Step:
    """Where all solutions are from one moment to the next."""

    time: Fraction
    length: Fraction
    begins: Reached
    apriori: Sides
    polynomials: list[Any]
    off: list[Ball]  # how far solutions may be from them
    beside: list[Ball]  # how fast a solution may leave them that begins with them
    blurred: list[Ball]  # how fast others may, beside their linear part
    entries: list[Any]  # of that part, as polynomials

    @cached_property
    def inside(self) -> Box:
        return around(self.apriori)

    @cached_property
    def lands(self) -> Reached:
        """Where the step ends."""
        h = exact(self.length)
        return self.begins.onward(column(self._centre(h)), self._slope(h))

    def at(self, since: Ball) -> Box:
        """A box that holds all solutions after some time since the step began, a moment or an interval."""
        about = self.begins.moved(self._slope(since)).entries()
        found = []
        for i, (value, off, crude) in enumerate(zip(self._centre(since), about, self.off, strict=True)):
            found.append(self.begins.still.get(i, common(value + off, self.polynomials[i](since) + crude)))
        return found

    def _centre(self, since: Ball) -> Box:
        lost = map(add, self.beside, self.blurred)
        return [p(since) + since * arb(0, each) for p, each in zip(self.polynomials, lost, strict=True)]

    def _slope(self, since: Ball) -> Matrix:
        size = len(self.polynomials)
        return arb_mat(size, size, [p(since) for p in self.entries])


class Beside:
    """The polynomial from the middle of a set, and the steps of any length beside it."""

    def __init__(self, field: Field, time: Fraction, begins: Reached, order: int) -> None:
        self.field, self.time, self.begins, self.order = field, time, begins, order
        self.known = field.near(list(begins.middle.entries()), exact(time), order)
        self.polynomials = [arb_poly(row) for row in self.known]
        rates = field.along(self.known, exact(time), MORE * order)
        rising = [[(k + 1) * c for k, c in enumerate(row[1:])] + [arb(0)] * order for row in self.known]
        self.residue = [list(map(abs, map(sub, *rows))) for rows in zip(rates, rising, strict=True)]
        self.hull = begins.hull()
        self.width = column([abs(value - row[0]).abs_upper() for value, row in zip(self.hull, self.known, strict=True)])

    def step(self, length: Fraction) -> Step:
        """A step of a length; raises `NoValue` where solutions do not certainly stay beside the polynomial."""
        h, times = exact(length), exact(self.time) + between(Fraction(0), length)
        later = self.field.left_out(self.known, exact(self.time), h, MORE * self.order, self.field.rates)
        delta = column([(arb_poly(row)(h) + last).abs_upper() for row, last in zip(self.residue, later, strict=True)])
        sides, off, growth = self._box(length, times, delta)
        known = [[row[0] + each, *row[1:]] for row, each in zip(self.known, off, strict=True)]
        found, missed = self._dependence(known, h)
        beside, blurred = (_upper(growth * each) for each in (delta, missed * self.width * DOUBT))
        size = len(self.known)
        return Step(
            time=self.time,
            length=length,
            begins=self.begins,
            apriori=sides,
            polynomials=self.polynomials,
            off=off,
            beside=beside,
            blurred=blurred,
            entries=[arb_poly([matrix[i, j] for matrix in found]) for i in range(size) for j in range(size)],
        )

    def _box(self, length: Fraction, times: Ball, delta: Matrix) -> tuple[Sides, list[Ball], Matrix]:
        """A box that no solution leaves, how far solutions are from the polynomial in it, and F."""
        h = exact(length)
        ranges = [_range(p, length) for p in self.polynomials]
        guess = ((self.width + h * delta) * 2).entries()
        for _ in range(TRIES):
            aimed = [value + arb(0, (MARGIN * g).abs_upper()) for value, g in zip(ranges, guess, strict=True)]
            if not all(abs(value) < FARTHEST for value in aimed):
                break
            sides = hull_of(aimed)
            slopes = self.field.jacobian(around(sides), times) * h
            speeds = _speeds(slopes)
            if not all(entry < FASTEST for entry in speeds.entries()):
                break
            growth, forced = _growth(speeds)
            guess = (growth * self.width + forced * delta * h).entries()
            held = [value + arb(0, g.abs_upper()) for value, g in zip(ranges, guess, strict=True)]
            if all(exact(low) < value < exact(high) for value, (low, high) in zip(held, sides, strict=True)):
                return sides, [arb(0, g.abs_upper()) for g in guess], forced
        raise NoValue("solutions do not certainly stay beside the polynomial")

    def _dependence(self, known: list[Box], h: Ball) -> tuple[list[Matrix], Matrix]:
        """The coefficients of P, and bounds of P' - Df P."""
        size, q, terms = len(known), self.order, self.order + 1
        powers = [h**k for k in range(terms)]
        linear = self.field.linear(known, exact(self.time), terms)
        later = self.field.left_out(known, exact(self.time), h, terms, self.field.all_slopes)
        found, missed = [identity(size)], arb_mat(size, size)
        for k in range(q):
            total = sum((linear[i] * found[k - i] for i in range(1, k + 1)), linear[0] * found[k])
            found.append((total / (k + 1)).mid())
            missed += _sizes(total - found[-1] * (k + 1)) * powers[k]
        scaled = [_sizes(matrix) * p for matrix, p in zip(found, powers, strict=False)]
        missed += arb_mat(size, size, later) * sum(scaled[1:], scaled[0])
        for k, matrix in enumerate(linear):
            missed += _sizes(matrix) * powers[k] * sum(scaled[q - k + 1 :], scaled[q - k])
        return found, missed


def common(first: Ball, second: Ball) -> Ball:
    """What two enclosures of one number have in common."""
    if not first.is_finite() or first.contains(second):
        return second
    if second.contains(first):
        return first
    return first.intersection(second)


def hull_of(box: Sequence[Ball]) -> Sides:
    """A box with room about a computed one, with short ends."""
    return [_wider(value) for value in box]


def _wider(value: Ball) -> tuple[Fraction, Fraction]:
    low, high = ends(value)
    room = (high - low) / 2 * ROOM + max(abs(low), abs(high)) * LEAST_ROOM + Fraction(1, 2**100)
    low, high = low - room, high + room
    width = high - low
    grain = Fraction(2) ** (width.numerator.bit_length() - width.denominator.bit_length() - GRAIN)
    return math.floor(low / grain) * grain, math.ceil(high / grain) * grain


def _range(polynomial: Any, length: Fraction) -> Ball:
    """A ball with all values on an interval from 0."""
    parts = [polynomial(between(length * k / PARTS, length * (k + 1) / PARTS)) for k in range(PARTS)]
    found = parts[0]
    for part in parts[1:]:
        found = found.union(part)
    return found


def _sizes(matrix: Matrix) -> Matrix:
    return arb_mat(matrix.nrows(), matrix.ncols(), [abs(entry).abs_upper() for entry in matrix.entries()])


def _upper(vector: Matrix) -> list[Ball]:
    return [entry.abs_upper() for entry in vector.entries()]


def _speeds(slopes: Matrix) -> Matrix:
    """The sizes of the entries, on the diagonal the largest value or 0."""
    found, size = _sizes(slopes), slopes.nrows()
    for i in range(size):
        high = slopes[i, i].upper()
        found[i, i] = high if high > 0 else 0
    return found


def _growth(speeds: Matrix) -> tuple[Matrix, Matrix]:
    """exp(B h) and the mean of exp(B s), as blocks of one exponential."""
    n, rows = speeds.nrows(), speeds.tolist()
    whole = arb_mat(
        [[*row, *(int(i == j) for j in range(n))] for i, row in enumerate(rows)] + [[0] * (2 * n)] * n
    ).exp()
    blocks = ([[whole[i, shift + j] for j in range(n)] for i in range(n)] for shift in (0, n))
    grown, mean = map(arb_mat, blocks)
    return grown, mean
