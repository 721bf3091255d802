"""Numbers, balls and frames of tubes: what is written into the evidence, and how boxes are rounded outward."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from flint import arb, arb_mat, fmpq

from derivations.language.evaluate import precision
from derivations.recheck.core.budget import budget
from derivations.recheck.kinds.flows.trajectories.step import identity

Ball = Any  # flint.arb
Matrix = Any  # flint.arb_mat
Sides = Sequence[tuple[Fraction, Fraction]]
FINE = 2**16  # parts of 1 to which a frame is written down
NOTHING = arb(2) ** -3000  # smaller numbers are too long to be written down


@contextmanager
def working(bits: int) -> Iterator[None]:
    """With so many bits, and with as much work as one check may take."""
    with precision(bits), budget():
        yield


def rational(value: Fraction) -> Any:
    """The number as the checker computes with it."""
    return fmpq(value.numerator, value.denominator)


def exact(value: Fraction) -> Ball:
    return arb(rational(value))


def fraction(value: Ball) -> Fraction:
    """The exact number that a ball without a radius is."""
    mantissa, exponent = value.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def ends(value: Ball) -> tuple[Fraction, Fraction]:
    """Exact ends of a ball; those of one that is next to nothing are a little outside."""
    middle, radius = value.mid(), value.rad()
    if abs(middle) < NOTHING:
        middle, radius = arb(0), (radius + NOTHING).mid()
    elif radius < NOTHING:
        radius = NOTHING
    return fraction(middle) - fraction(radius), fraction(middle) + fraction(radius)


def orthogonal(matrix: Matrix, weights: Sequence[Ball], moving: Sequence[int]) -> Matrix:
    """Orthogonal columns, nearly and in floats: the longest of a matrix first. Any frame with an inverse would do.

    States that never change keep axes of their own.
    """
    size = matrix.nrows()
    if all(weight == 0 for weight in weights):
        return identity(size)
    columns = []
    for j in moving:
        entries = [matrix[i, j].mid() for i in moving]
        longest = max((abs(e) for e in entries), key=_logarithm)
        vector = [float(e / longest) for e in entries] if longest > 0 else [0.0] * len(moving)
        shape = math.log2(math.hypot(*vector)) if longest > 0 else 0.0
        columns.append((_logarithm(longest) + _logarithm(weights[j].rad()) + shape, vector))
    columns.sort(key=lambda column: -column[0])
    found: list[list[float]] = []
    for vector in [c[1] for c in columns] + [[float(i == j) for i in moving] for j in moving]:
        left = list(vector)
        for _ in range(2):
            for other in found:
                share = math.fsum(a * b for a, b in zip(left, other, strict=True))
                left = [a - share * b for a, b in zip(left, other, strict=True)]
        length = math.hypot(*left)
        if len(found) < len(moving) and length > 1e-6 * math.hypot(*vector) and length > 0:
            found.append([a / length for a in left])
    turned = {(i, j): round(found[n][m] * FINE) / FINE for n, j in enumerate(moving) for m, i in enumerate(moving)}
    return arb_mat(size, size, [turned.get((i, j), int(i == j)) for i in range(size) for j in range(size)])


def _logarithm(value: Ball) -> float:
    """How large a number is, for numbers beyond the floats too."""
    if not value > 0:
        return -math.inf
    mantissa, exponent = value.mid().man_exp()
    return math.log2(int(mantissa)) + int(exponent)
