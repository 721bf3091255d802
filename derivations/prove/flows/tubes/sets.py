"""Sets of states at a moment: a point, the start box through a matrix, and what was rounded in a turning frame."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from flint import arb, arb_mat, fmpq

Ball = Any  # flint.arb
Box = list[Ball]
Matrix = Any  # flint.arb_mat
Sides = Sequence[tuple[Fraction, Fraction]]


FINE = 2**16  # parts of 1 to which a frame is written down
NOTHING = arb(2) ** -3000  # smaller numbers are too long to be written down


def exact(value: Fraction) -> Ball:
    return arb(fmpq(value.numerator, value.denominator))


def between(low: Fraction, high: Fraction) -> Ball:
    """A ball that holds an interval."""
    middle, half = exact((low + high) / 2), exact((high - low) / 2)
    return middle + arb(0, half.abs_upper())


def around(sides: Sides) -> Box:
    return [between(*side) for side in sides]


def fraction(value: Ball) -> Fraction:
    """The exact number that a ball without a radius is."""
    mantissa, exponent = value.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def power(base: Ball, exponent: int) -> Ball:
    """A whole power by multiplication: python-flint's own power is undefined on balls that contain zero."""
    result = arb(1)
    for bit in bin(exponent)[2:]:
        result = result * result * (base if bit == "1" else 1)
    return result


def ends(value: Ball) -> tuple[Fraction, Fraction]:
    """Exact ends of a ball; those of one that is next to nothing are a little outside."""
    middle, radius = value.mid(), value.rad()
    if abs(middle) < NOTHING:
        middle, radius = arb(0), (radius + NOTHING).mid()
    elif radius < NOTHING:
        radius = NOTHING
    return fraction(middle) - fraction(radius), fraction(middle) + fraction(radius)


def identity(size: int) -> Matrix:
    return arb_mat(size, size, [int(i == j) for i in range(size) for j in range(size)])


def column(values: Sequence[Any]) -> Matrix:
    return arb_mat(len(values), 1, list(values))


@dataclass(frozen=True)
class Reached:
    """All of m + C r0 + Q r: the middle m, the start r0 about its middle, and the rest r in the frame Q."""

    middle: Matrix
    start: Matrix
    through: Matrix | None  # C, none where the start is a point
    frame: Matrix
    rest: Matrix
    still: Mapping[int, Ball]  # the states that never change, with where they start

    @staticmethod
    def of(sides: Sides, constant: Sequence[int] = ()) -> Reached:
        """The start box; what is rounded where a state starts from a single number goes to the rest."""
        size = len(sides)
        middle = [exact((low + high) / 2).mid() for low, high in sides]
        about = [between(*side) - centre for side, centre in zip(sides, middle, strict=True)]
        start = [a if low < high else 0 for a, (low, high) in zip(about, sides, strict=True)]
        rest = [0 if low < high else a for a, (low, high) in zip(about, sides, strict=True)]
        through = identity(size) if any(low < high for low, high in sides) else None
        still = {i: between(*sides[i]) for i in constant}
        return Reached(column(middle), column(start), through, identity(size), column(rest), still)

    def moved(self, matrix: Matrix | None = None) -> Matrix:
        """What lies about the middle, taken through a matrix."""
        frame = self.frame if matrix is None else matrix * self.frame
        about = frame * self.rest
        if self.through is not None:
            about += (self.through if matrix is None else matrix * self.through) * self.start
        return about

    def hull(self) -> Box:
        """A box that holds the set; a state that never changes is where it started."""
        return [self.still.get(i, value) for i, value in enumerate((self.middle + self.moved()).entries())]

    def onward(self, landed: Matrix, slope: Matrix) -> Reached:
        """The set after a step that takes the middle into `landed` and what is about it through `slope`."""
        middle = landed.mid()
        rest = landed - middle
        through = None
        if self.through is not None:
            carried = slope * self.through
            through = carried.mid()
            rest += (carried - through) * self.start
        turned = slope * self.frame
        known = all(value == 0 for value in self.rest.entries())
        frame = identity(middle.nrows()) if known else _orthogonal(turned, self.rest, self.still)
        back = frame.inv()
        return replace(
            self, middle=middle, through=through, frame=frame, rest=(back * turned) * self.rest + back * rest
        )


def _orthogonal(matrix: Matrix, weights: Matrix, still: Container[int]) -> Matrix:
    """Orthogonal columns, nearly and in floats: the longest of a matrix first. Any frame with an inverse would do.

    States that never change keep axes of their own.
    """
    size = matrix.nrows()
    moving = [i for i in range(size) if i not in still]
    columns = []
    for j in moving:
        entries = [matrix[i, j].mid() for i in moving]
        longest = max((abs(e) for e in entries), key=_logarithm)
        vector = [float(e / longest) for e in entries] if longest > 0 else [0.0] * len(moving)
        shape = math.log2(math.hypot(*vector)) if longest > 0 else 0.0
        columns.append((_logarithm(longest) + _logarithm(weights[j, 0].rad()) + shape, vector))
    columns.sort(key=lambda column: -column[0])
    found: list[list[float]] = []
    for vector in [c[1] for c in columns] + [[float(i == j) for i in moving] for j in moving]:
        left = list(vector)
        for _ in range(2):
            for other in found:
                share = _product(left, other)
                left = [a - share * b for a, b in zip(left, other, strict=True)]
        length = math.sqrt(_product(left, left))
        if len(found) < len(moving) and length > 1e-6 * math.hypot(*vector) and length > 0:
            found.append([a / length for a in left])
    turned = {(i, j): round(found[n][m] * FINE) / FINE for n, j in enumerate(moving) for m, i in enumerate(moving)}
    return arb_mat(size, size, [turned.get((i, j), int(i == j)) for i in range(size) for j in range(size)])


def _product(first: Sequence[float], second: Sequence[float]) -> float:
    return math.fsum(a * b for a, b in zip(first, second, strict=True))


def _logarithm(value: Ball) -> float:
    """How large a number is, for numbers beyond the floats too."""
    if not value > 0:
        return -math.inf
    mantissa, exponent = value.mid().man_exp()
    return math.log2(int(mantissa)) + int(exponent)
