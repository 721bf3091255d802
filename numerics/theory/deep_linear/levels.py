"""The two levels of a start: a at the inputs and b at the outputs, which the gradient flow conserves on every task.

With J = diag(I, -I), one for inputs and minus one for outputs, QQ'J has two values a and -b at such starts:
(QQ'J - a)(QQ'J + b) = 0. The values of QQ'J are those of W1 W1' - W2'W2, and zeros. Balanced starts are among them,
W2'W2 - W1 W1' = lambda I with a = 0 and b = lambda, or a = -lambda and b = 0; orthogonal columns of W1 and rows of W2,
QQ' = diag(a I, b I), to which wide random layers come close; and every start with one input and one output.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from numerics.machine.blas import one_thread
from numerics.machine.checks import is_real
from numerics.theory.deep_linear.balance import (
    NOISE,
    TOLERANCE,
    StartError,
    balance_if_any,
    side_by_side,
    weights_checked,
)
from numerics.theory.deep_linear.modes import Array, fewer_columns


@dataclass(frozen=True)
class Levels:
    """The levels of each network, and the largest entry of (QQ'J - a)(QQ'J + b) relative to the square of tr QQ'."""

    a: Array
    b: Array
    deviation: Array

    @property
    def balance(self) -> Array:
        """Return what takes the place of the balance in F."""
        return np.asarray(self.b - self.a)

    @property
    def mean(self) -> Array:
        """The geometric mean, which is zero for balanced starts."""
        return np.asarray(np.sqrt(self.a) * np.sqrt(self.b))


@one_thread()
def levels_of(W1: ArrayLike, W2: ArrayLike, tolerance: float = TOLERANCE) -> Levels:
    """The two levels of weights W1 (..., Nh, Ni) and W2 (..., No, Nh), for each network.

    Refused with `StartError`: weights whose deviation is above the tolerance. A level that is as small as the rounding
    of the weights counts as zero, and so does one of the two wherever QQ' has not full rank.

    >>> found = levels_of([[2.0], [2.0]], [[-1.0, -2.0]])
    >>> found.a.round(12).tolist(), found.b.round(12).tolist()
    (4.0, 1.0)
    """
    return levels_between(*weights_checked(W1, W2), tolerance)


def levels_between(first: Array, second: Array, tolerance: float = TOLERANCE) -> Levels:
    """Return the same for arrays that were checked."""
    if not (is_real(tolerance) and tolerance >= 0.0):
        raise StartError(f"The tolerance must be a number that is not negative, not {tolerance}.")
    leading, (first, second) = side_by_side("W1 and W2", first, second)
    if leading:
        levels = np.array([_one(first[at], second[at], tolerance) for at in np.ndindex(leading)]).reshape(*leading, 3)
    else:
        levels = np.array(_one(first, second, tolerance))
    a, b, deviation = (levels[..., k] for k in range(3))
    if (deviation > tolerance).any():
        raise StartError(
            f"The weights have more than two levels: (QQ'J - a)(QQ'J + b) is at least {deviation.max():.2g} of the "
            f"square of tr QQ' where {tolerance:.0e} is allowed; call nearly(W1, W2, sigma_yx, times) for the "
            "nearest exact solution and a bound of its error."
        )
    return Levels(np.asarray(a), np.asarray(b), np.asarray(deviation))


def _one(W1: Array, W2: Array, tolerance: float) -> tuple[float, float, float]:
    """Levels and deviation of one network: those of its balance, if it has one within the tolerance."""
    inputs, Q = W1.shape[1], np.concatenate([W1.T, W2])
    if Q.shape[1] > Q.shape[0]:  # only a balance of zero leaves no unit idle
        Q = fewer_columns(Q)
    known = balance_if_any(Q[:inputs].T, Q[inputs:], tolerance)
    if known is not None:
        return max(-known[0], 0.0), max(known[0], 0.0), known[1]
    excess = Q[inputs:].T @ Q[inputs:] - Q[:inputs].T @ Q[:inputs]
    size = float(np.sum(Q * Q))
    values = np.linalg.eigvalsh(excess)
    one_level = float(np.sum((Q @ excess) * Q)) / size
    candidates = [(max(-one_level, 0.0), max(one_level, 0.0))]
    if Q.shape[0] == Q.shape[1]:
        candidates.append((max(-float(values[:inputs].mean()), 0.0), max(float(values[inputs:].mean()), 0.0)))
    levels = []
    for a, b in candidates:
        a, b = (level if level > NOISE * size else 0.0 for level in (a, b))  # noqa: PLW2901
        levels.append((_deviation(Q, excess, inputs, a, b) / size**2, a, b))
    deviation, a, b = min(levels)
    return a, b, deviation


def _deviation(Q: Array, excess: Array, inputs: int, a: float, b: float) -> float:
    """The largest entry of (QQ'J - a)(QQ'J + b), up to signs of columns."""
    missed = Q @ (excess @ Q.T + (a - b) * Q.T)
    missed[np.diag_indices_from(missed)] += a * b * np.repeat([1.0, -1.0], [inputs, Q.shape[0] - inputs])
    return float(np.abs(missed).max())
