"""Starts in the eigenvectors of the flow of QQ', and how far weights are balanced, for `numerics.machine.specialise`.

For small networks NumPy would take ten times as long to begin with each of these sums as they take.
"""

# mypy: ignore-errors

from math import hypot, sqrt

import numpy as np
from numba import njit


@njit(cache=True)
def rotation(value, balance):
    """The eigenvector (cosine, sine) and the positive eigenvalue of [-balance/2, value; value, balance/2].

    The larger of cosine and sine is a root of a sum of positive numbers, the smaller one a quotient: nothing cancels.
    Without balance they are the same float, so that weights that are exactly opposite see nothing of a growing mode.
    """
    half = 0.5 * abs(balance)
    rate = hypot(value, half)
    safe = rate if rate > 0.0 else 1.0
    larger = sqrt(0.5 + 0.5 * (half / safe))
    smaller = 0.5 * (value / safe) / larger if half > 0.0 else larger
    return (smaller, larger, rate) if balance >= 0.0 else (larger, smaller, rate)


@njit(cache=True)
def into_modes(on_right, on_left, values, balances):
    """Frequencies, the start in the modes, cosines and sines of several networks, in the order that `Modes` tells.

    The start is given in singular vectors of the inputs (networks, Ni, r) and of the outputs (networks, No, r).
    """
    (networks, inputs, width), outputs, n = on_right.shape, on_left.shape[1], values.shape[1]
    cosines, sines = np.empty(values.shape), np.empty(values.shape)
    frequencies = np.empty((networks, inputs + outputs))
    components = np.empty((networks, inputs + outputs, width))
    for at in range(networks):
        for k in range(n):
            c, s, rate = rotation(values[at, k], balances[at])
            cosines[at, k], sines[at, k] = c, s
            frequencies[at, k], frequencies[at, n + k] = rate, -rate
            for q in range(width):
                components[at, k, q] = c * on_right[at, k, q] + s * on_left[at, k, q]
                components[at, n + k, q] = s * on_right[at, k, q] - c * on_left[at, k, q]
        for k in range(n, inputs):
            frequencies[at, n + k] = -0.5 * balances[at]
            components[at, n + k] = on_right[at, k]
        for k in range(n, outputs):
            frequencies[at, inputs + k] = 0.5 * balances[at]
            components[at, inputs + k] = on_left[at, k]
    return frequencies, components, cosines, sines


@njit(cache=True)
def least_seen(components, n):
    """Return, for each network, a lower bound for sigma_min(first n rows)/norm(all rows).

    It is the inverse of the root of the sum of squares of an inverse of their triangular factor.
    """
    networks, rows, width = components.shape
    found = np.zeros(networks)
    for at in range(networks):
        size = squares = 0.0
        for k in range(rows):
            size += _dot(components[at, k], components[at, k])
        directions, inverse = np.zeros((n, width)), np.zeros((n, n))
        for k in range(n):
            directions[k] = components[at, k]
            for q in range(k):
                factor = _dot(directions[q], directions[k])
                _add(directions[k], -factor, directions[q])
                _add(inverse[k, : q + 1], -factor, inverse[q, : q + 1])
            inverse[k, k] = 1.0
            length = sqrt(_dot(directions[k], directions[k]))
            scale = 1.0 / length if length > 0.0 else np.inf
            directions[k] *= scale
            inverse[k] *= scale
            squares += _dot(inverse[k], inverse[k])
        found[at] = 1.0 / sqrt(squares * size) if squares * size > 0.0 else 0.0
    return found


@njit(cache=True)
def _add(target, factor, row):
    for k in range(target.size):
        target[k] += factor * row[k]


@njit(cache=True, fastmath={"reassoc", "contract"})
def _dot(left, right):
    total = 0.0
    for k in range(left.size):
        total += left[k] * right[k]
    return total


@njit(cache=True)
def balances_of(excesses, W1, W2, noise):
    """Return, for each network, the number that W2'W2 - W1 W1' is nearest to, the largest entry of the difference,
    and the sum of squares of the weights. A balance of at most `noise` times that is zero."""
    networks, hidden = excesses.shape[:2]
    found, rest, size = np.zeros(networks), np.zeros(networks), np.zeros(networks)
    for at in range(networks):
        for weight in W1[at].flat:
            size[at] += weight * weight
        for weight in W2[at].flat:
            size[at] += weight * weight
        for i in range(hidden):
            found[at] += excesses[at, i, i] / hidden
        if abs(found[at]) <= noise * size[at]:
            found[at] = 0.0
        for i in range(hidden):
            for j in range(hidden):
                rest[at] = max(rest[at], abs(excesses[at, i, j] - (found[at] if i == j else 0.0)))
    return found, rest, size
