"""Sets of states {m + C r0 + Q r}: r0 is the start box around its midpoint, at all times, r what was lost since.

The frame Q is any matrix with an inverse; one that turns with the flow keeps the loss small (Lohner 1987).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from flint import arb, arb_mat

from derivations.recheck.core.load import Data, Rational, require, shown
from derivations.recheck.kinds.flows.trajectories.claims import Interval, numbers
from derivations.recheck.kinds.flows.trajectories.series import Ball

Matrix = Any  # flint.arb_mat


def between(low: Rational, high: Rational) -> Ball:
    """A ball that holds an interval."""
    return arb((low + high) / 2) + arb(0, arb((high - low) / 2).abs_upper())


def column(entries: Sequence[Ball]) -> Matrix:
    return arb_mat(len(entries), 1, list(entries))


def identity(n: int) -> Matrix:
    return arb_mat(n, n, [int(i == j) for i in range(n) for j in range(n)])


def square(data: Data, n: int) -> Matrix:
    """The matrix with stated entries."""
    require(isinstance(data, tuple) and len(data) == n, f"a frame has {n} rows, got {shown(data)}")
    return arb_mat([[arb(each) for each in numbers(row, n, "a row of a frame")] for row in data])


class States(NamedTuple):
    """All centre + directions r, with r in a box: of the start and of the losses, in this order."""

    centre: list[Ball]
    directions: Matrix
    coordinates: list[Ball]

    @staticmethod
    def of(box: Sequence[Interval]) -> States:
        """The set of a start box; what is rounded where a state starts from one number is a loss."""
        n, wide = len(box), [i for i, (low, high) in enumerate(box) if low != high]
        centre = [arb((low + high) / 2).mid() for low, high in box]
        off = [between(*sides) - m for sides, m in zip(box, centre, strict=True)]
        ways = [[int(i == j) for j in (*wide, *range(n))] for i in range(n)]
        lost = [arb(0) if i in wide else ball for i, ball in enumerate(off)]
        return States(centre, arb_mat(ways), [*(off[i] for i in wide), *lost])

    def hull(self) -> list[Ball]:
        """The box around the set and its centre."""
        off = (self.directions * column(self.coordinates)).entries()
        return [(m + d).union(m) for m, d in zip(self.centre, off, strict=True)]

    def moved(self, image: Sequence[Ball], turned: Matrix, frame: Matrix) -> States:
        """The set whose centre went into the image, and whose directions were turned by the derivative."""
        n, width = len(image), len(self.coordinates) - len(image)
        centre = [ball.mid() for ball in image]
        kept = [[entry.mid() for entry in row[:width]] for row in turned.tolist()]
        lost = turned - arb_mat([[*row, *[0] * n] for row in kept])
        try:
            back = frame.inv()
        except ZeroDivisionError:
            require(False, "the frame of a step has no certain inverse")
        rounded = column([ball - m for ball, m in zip(image, centre, strict=True)])
        losses = (back * lost) * column(self.coordinates) + back * rounded
        ways = [[*row, *frame_row] for row, frame_row in zip(kept, frame.tolist(), strict=True)]
        return States(centre, arb_mat(ways), [*self.coordinates[:width], *losses.entries()])
