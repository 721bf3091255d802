"""Data sets as the theory needs them: white inputs, the correlation with the targets, and the loss that remains."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from numerics.machine.blas import one_thread
from numerics.machine.checks import finite, is_real
from numerics.theory.deep_linear.balance import StartError
from numerics.theory.deep_linear.modes import Array

WHITE = 1e-10  # how far an entry of XX'/P may be from that of the identity


@dataclass(frozen=True)
class Task:
    """Statistics of a data set that the flow depends on: Sigma_yx = YX'/P, and the loss of the best linear map."""

    sigma_yx: Array  # (No, Ni)
    least_loss: float = 0.0  # half the trace of Sigma_yy - Sigma_yx Sigma_yx'


@dataclass(frozen=True)
class Whitened:
    """White inputs, and what the way to them dropped.

    `map` takes inputs to white ones, whose axes are the principal directions of the inputs, largest variance first.
    """

    X: Array  # (kept, P)
    Y: Array  # (No, P), unchanged
    map: Array  # (kept, Ni)
    dropped: int  # directions of the inputs without variance
    dropped_variance: float  # share of the variance in them


@one_thread()
def task(X: ArrayLike, Y: ArrayLike) -> Task:
    """Return what the flow sees of white inputs X (Ni, P) and targets Y (No, P), whose columns are examples.

    Refused with `StartError`: inputs that are not white, whose message names `whiten`; and shapes that do not fit.

    >>> found = task([[1.0, -1.0]], [[2.0, -2.0]])
    >>> found.sigma_yx.tolist(), found.least_loss
    ([[2.0]], 0.0)
    """
    inputs, targets = _examples(X, Y)
    P = inputs.shape[1]
    off = float(np.abs(inputs @ inputs.T / P - np.eye(inputs.shape[0])).max())
    if off > WHITE:
        raise StartError(
            f"The inputs are not white: XX'/P differs from the identity by {off:.3g}; call whiten(X, Y) first."
        )
    sigma = targets @ inputs.T / P
    return Task(sigma, float(0.5 * np.sum((targets - sigma @ inputs) ** 2) / P))


@one_thread()
def whiten(X: ArrayLike, Y: ArrayLike, tolerance: float = 1e-10) -> Whitened:
    """Inputs in their principal directions, each with variance one (the mean is not taken out), and what that dropped.

    `X` (Ni, P) and `Y` (No, P) have examples as columns. Directions whose standard deviation is at most `tolerance`
    times the largest one are dropped: no linear network could learn from them, and dividing by them would turn rounding
    into data. Refused with `StartError`: inputs that are all zero, and shapes that do not fit.

    >>> white = whiten([[3.0, -3.0], [0.0, 0.0]], [[1.0, 2.0]])
    >>> abs(white.X).round(12).tolist(), white.dropped
    ([[1.0, 1.0]], 1)
    """
    inputs, targets = _examples(X, Y)
    if not (is_real(tolerance) and tolerance >= 0.0):
        raise StartError(f"The tolerance must be a number that is not negative, not {tolerance}.")
    directions, sizes, _ = np.linalg.svd(inputs, full_matrices=False)
    kept = sizes > tolerance * sizes[0]
    if not kept.any():
        raise StartError("The inputs are all zero, so that nothing of them can be whitened.")
    to_white = np.sqrt(inputs.shape[1]) * directions[:, kept].T / sizes[kept, None]
    white = _polished(to_white @ inputs)
    total = float(np.sum(sizes**2))
    dropped = inputs.shape[0] - int(kept.sum())
    return Whitened(white, targets, to_white, dropped, float(np.sum(sizes[~kept] ** 2)) / total)


def _polished(X: Array) -> Array:
    """Inputs that are white but for rounding, white to the last digits: one step of Newton's for the polar factor."""
    deviation = X @ X.T / X.shape[1] - np.eye(X.shape[0])
    return np.asarray(X - 0.5 * deviation @ X)


def _examples(X: ArrayLike, Y: ArrayLike) -> tuple[Array, Array]:
    inputs, targets = finite("X", X, StartError), finite("Y", Y, StartError)
    for name, data in (("X", inputs), ("Y", targets)):
        if data.ndim != 2 or 0 in data.shape:
            raise StartError(f"{name} must be a matrix whose columns are examples, not of shape {data.shape}.")
    if inputs.shape[1] != targets.shape[1]:
        raise StartError(f"X has {inputs.shape[1]} examples and Y has {targets.shape[1]}; examples are columns.")
    return inputs, targets
