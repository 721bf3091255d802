"""Exact matrices of fractions, as cases for laws that are checked to many digits."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.object_]  # of fractions


def fractions(values: object) -> Matrix:
    """An array of exact fractions from numbers."""
    exact: Matrix = np.vectorize(Fraction, otypes=[object])(np.asarray(values, dtype=object))
    return exact


def matrix(rng: np.random.Generator, rows: int, columns: int) -> Matrix:
    """Eighths between -1 and 1."""
    return fractions([[Fraction(int(k), 8) for k in row] for row in rng.integers(-8, 9, (rows, columns))])


def with_strengths(rng: np.random.Generator, strengths: Sequence[int]) -> Matrix:
    """A square matrix with these singular values."""
    size = len(strengths)
    return np.asarray(orthogonal(rng, size) @ fractions(np.diag(strengths)) @ orthogonal(rng, size).T)


def orthogonal(rng: np.random.Generator, size: int) -> Matrix:
    """Cayley's transform (I - K)^-1 (I + K) of a skew K."""
    skew = fractions(np.zeros((size, size), dtype=int))
    for i in range(size):
        for j in range(i):
            skew[i, j] = Fraction(int(rng.integers(-4, 5)), 4)
            skew[j, i] = -skew[i, j]
    unit = fractions(np.eye(size, dtype=int))
    return _solved(unit - skew, unit + skew)


def middle(ball: Any) -> Fraction:
    """The middle of a real ball."""
    mantissa, exponent = ball.mid().man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def _solved(left: Matrix, right: Matrix) -> Matrix:
    """left^-1 right by elimination; I - K has no zero pivot."""
    size = len(left)
    rows = np.hstack([left, right])
    for k in range(size):
        rows[k] = rows[k] / rows[k, k]
        for i in range(size):
            if i != k:
                rows[i] = rows[i] - rows[i, k] * rows[k]
    return rows[:, size:]
