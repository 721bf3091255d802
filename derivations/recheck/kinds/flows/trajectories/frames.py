"""Frames of vectors in which what was lost is kept: a matrix near an orthogonal one, and its inverse in balls.

Floats propose the matrix; any matrix with an inverse in balls will do.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from flint import arb_mat

Matrix = Any  # flint.arb_mat
SMALL = 1e-6  # of a column that is left, once its part along earlier ones is taken out


def frame_near(turned: Matrix, rest: Matrix, moving: Sequence[int]) -> tuple[Matrix, Matrix]:
    """A point matrix and its inverse: the longest sides of what the set became come first.

    Constant states keep axes of their own, so that what is not known of them never grows. As long as nothing is lost
    there is nothing to turn.
    """
    n = turned.nrows()
    same = arb_mat(n, n, [int(i == j) for i in range(n) for j in range(n)])
    columns = [[float(turned[i, j].mid()) for i in moving] for j in moving]
    widths = [float(rest[j, 0].rad()) for j in moving]
    if not any(widths):
        return same, same
    entries = {(i, i): 1.0 for i in range(n)}
    try:
        for j, direction in zip(moving, _orthogonal(columns, widths), strict=True):
            entries |= {(i, j): entry for i, entry in zip(moving, direction, strict=True)}
        frame = arb_mat(n, n, [entries.get((i, j), 0.0) for i in range(n) for j in range(n)])
        return frame, frame.inv()
    except (ZeroDivisionError, ValueError, OverflowError):
        return same, same


def _orthogonal(columns: list[list[float]], widths: list[float]) -> list[list[float]]:
    """The columns made orthogonal, by the length of the sides that they stand for; gaps are filled by axes."""
    n = len(columns)
    lengths = [math.hypot(*column) for column in columns]
    order = sorted(range(n), key=lambda j: -lengths[j] * widths[j])
    found: list[list[float]] = []
    for candidate in (*(columns[j] for j in order if lengths[j]), *_axes(n)):
        size = math.hypot(*candidate)
        left = [entry / size for entry in candidate]
        for _ in range(2):
            for other in found:
                along = math.fsum(map(float.__mul__, left, other))
                left = [x - along * y for x, y in zip(left, other, strict=True)]
        size = math.hypot(*left)
        if size > SMALL and len(found) < n:
            found.append([entry / size for entry in left])
    if len(found) < n or not all(map(math.isfinite, (entry for row in found for entry in row))):
        raise ValueError("no frame was found")
    return found


def _axes(n: int) -> list[list[float]]:
    return [[float(i == j) for i in range(n)] for j in range(n)]
