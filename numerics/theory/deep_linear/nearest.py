"""The nearest start of two levels to any weights."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from numerics.theory.deep_linear.balance import NOISE, balance
from numerics.theory.deep_linear.modes import Array

Start = tuple[Array, float, float]


def nearest(Q: Array, inputs: int) -> Start:
    """Q of a start of two levels near to Q = [W1'; W2], with no more columns than rows, and its levels a and b."""
    return min(_candidates(Q, inputs), key=lambda start: float(np.linalg.norm(Q - start[0])))


def _candidates(Q: Array, inputs: int) -> Iterator[Start]:
    """Each eigenvector of W2'W2 - W1 W1' scaled to its level; and weights with the same product that are balanced."""
    excess = Q[inputs:].T @ Q[inputs:] - Q[:inputs].T @ Q[:inputs]
    values, vectors = np.linalg.eigh(excess)
    seen = Q @ vectors
    sizes = np.sum(seen * seen, axis=0)
    full = Q.shape[0] == Q.shape[1]
    below = inputs if full else 0 if values[0] > 0.0 else values.size
    clear = NOISE * float(sizes.sum())
    if np.all(values[:below] < -clear) and np.all(values[below:] > clear):
        levels = [_level(np.abs(values[part]), sizes[part]) for part in (slice(below), slice(below, None))]
        wanted = np.repeat(levels, [below, values.size - below])
        yield (seen * np.sqrt(wanted / np.abs(values))) @ vectors.T, *levels
    mean = float(values @ sizes) / float(sizes.sum()) if sizes.any() else 0.0
    possible = Q.shape[1] <= (Q.shape[0] - inputs if mean > 0.0 else inputs)
    for to in (0.0, mean) if possible and abs(mean) > clear else (0.0,):
        balanced_start = balance(Q[:inputs].T, Q[inputs:], to)
        yield np.concatenate([balanced_start.W1.T, balanced_start.W2]), max(-to, 0.0), max(to, 0.0)


def _level(values: Array, sizes: Array) -> float:
    """The level that the columns change least to, in squares."""
    if values.size == 0:
        return 0.0
    weights = sizes / values
    return float((weights @ np.sqrt(values) / weights.sum()) ** 2)
