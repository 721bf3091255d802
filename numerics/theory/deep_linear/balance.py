"""Balanced weights: W2'W2 - W1 W1' is a multiple of the identity, which the gradient flow conserves."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

import numpy as np
from numpy.typing import ArrayLike

from numerics import NumericsError
from numerics.machine.blas import one_thread
from numerics.machine.checks import doubles, is_real
from numerics.theory.deep_linear.modes import Array, specialised

TOLERANCE = 1e-10  # of the imbalance, relative to the sum of squares of the weights
NOISE = 1e-14  # a balance below it, relative to the same, is rounding and is read as zero


class StartError(NumericsError):
    """Weights, tasks or times that the formulas do not hold for; the message says in one sentence what to do."""


@dataclass(frozen=True)
class Balanced:
    """Weights after `balance`, and how far they are from those before (root of the sum of squares of all changes)."""

    W1: Array
    W2: Array
    distance: float


def weights_checked(W1: ArrayLike, W2: ArrayLike) -> tuple[Array, Array]:
    """Both as arrays of floats, if they are finite and the hidden units of one are those of the other."""
    first, second = doubles("W1", W1, StartError), doubles("W2", W2, StartError)
    for name, W in (("W1", first), ("W2", second)):
        if W.ndim < 2 or 0 in W.shape[-2:]:
            raise StartError(f"{name} must be a matrix with at least one row and one column, not of shape {W.shape}.")
        if 0 in W.shape:
            raise StartError(f"{name} has the shape {W.shape}, which holds no network.")
    if first.shape[-2] != second.shape[-1]:
        raise StartError(
            f"W1 has {first.shape[-2]} rows and W2 has {second.shape[-1]} columns, "
            "but both are the number of hidden units."
        )
    if not isfinite(np.vdot(first, first) + np.vdot(second, second)):  # seldom: where all is well, this is one pass
        _finite_squares(first, second)
    return first, second


def _finite_squares(W1: Array, W2: Array) -> None:
    """Refuse entries that are not finite numbers, and networks whose squares overflow."""
    for name, W in (("W1", W1), ("W2", W2)):
        if not np.isfinite(W).all():
            raise StartError(f"{name} has an entry that is not a finite number.")
    with np.errstate(over="ignore"):
        if not np.isfinite([_size(W1).max(initial=0.0), _size(W2).max(initial=0.0)]).all():
            raise StartError("The squares of the weights overflow: choose other units for inputs and outputs.")


def side_by_side(names: str, *arrays: Array) -> tuple[tuple[int, ...], list[Array]]:
    """The leading axes that matrices have together, and the matrices with them."""
    shapes = [array.shape[:-2] for array in arrays]
    if not any(shapes):  # one network
        return (), list(arrays)
    try:
        leading = np.broadcast_shapes(*shapes)
    except ValueError:
        shapes_in_words = f"{', '.join(map(str, shapes[:-1]))} and {shapes[-1]}"
        raise StartError(f"{names} have leading axes {shapes_in_words}, which do not fit together.") from None
    return leading, [np.broadcast_to(array, (*leading, *array.shape[-2:])) for array in arrays]


def balance_of(W1: Array, W2: Array, tolerance: float = TOLERANCE) -> Array:
    """The number that W2'W2 - W1 W1' is a multiple of the identity by, for each network.

    The largest entry of the rest may be `tolerance` times the sum of squares of the weights. A balance that is as small
    as the rounding of the weights counts as zero.
    """
    multiple, deviation, size = _imbalance(W1, W2)
    if (deviation > tolerance * size).any():
        worst = np.unravel_index(np.argmax(deviation - tolerance * size), deviation.shape)
        raise StartError(
            "The weights are not balanced: W2'W2 - W1 W1' differs from a multiple of the identity by "
            f"{deviation[worst]:.3g}, which is {deviation[worst] / size[worst]:.2g} of the sum of their squares where "
            f"{tolerance:.0e} is allowed; call balance(W1, W2) for the nearest balanced weights with the same product."
        )
    return np.asarray(multiple)


def balance_if_any(W1: Array, W2: Array, tolerance: float) -> tuple[float, float] | None:
    """Return the balance of one network and how far it is off, relative to the sum of squares; or nothing."""
    multiple, deviation, size = _imbalance(W1, W2)
    off = float(deviation / size) if size > 0.0 else 0.0
    return (float(multiple), off) if off <= tolerance else None


def off_balance(W1: Array, W2: Array) -> Array:
    """How far the weights of each network are from balanced ones, relative to the sum of their squares."""
    _, deviation, size = _imbalance(W1, W2)
    return np.divide(deviation, size, out=np.zeros_like(deviation), where=size > 0.0)


def _imbalance(W1: Array, W2: Array) -> tuple[Array, Array, Array]:
    """The balance, the largest entry of W2'W2 - W1 W1' beside it, and the sum of squares of the weights."""
    excess = np.swapaxes(W2, -1, -2) @ W2 - W1 @ np.swapaxes(W1, -1, -2)
    leading = excess.shape[:-2]
    flat = [np.ascontiguousarray(array).reshape(-1, *array.shape[len(leading) :]) for array in (excess, W1, W2)]
    multiple, deviation, size = (array.reshape(leading) for array in specialised("balances_of")(*flat, NOISE))
    return multiple, deviation, size


@one_thread()
def balance(W1: ArrayLike, W2: ArrayLike, to: float = 0.0) -> Balanced:
    """The nearest weights with the same product and W2'W2 - W1 W1' = `to` times the identity, and how far they are.

    `W1` is (Nh, Ni) and `W2` (No, Nh), one network. Refused with `StartError`: shapes that do not fit, and a balance
    that no weights of these dimensions have.

    All such weights are R S1 V' and U S2 R', with U, V singular vectors of the product, S2^2 - S1^2 = to, and
    orthonormal columns R, one for each hidden unit that carries something. R is the polar factor of W1 V S1 + W2'U S2,
    which makes the distance as small as it gets for these U and V (orthogonal Procrustes problem). They leave a choice
    only where `to` is not zero and units are to carry what is not in the product.

    >>> found = balance([[1.0]], [[4.0]])
    >>> found.W1.round(4).tolist(), found.W2.round(4).tolist(), round(found.distance, 4)
    ([[2.0]], [[2.0]], 2.2361)
    """
    before1, before2 = weights_checked(W1, W2)
    if before1.ndim != 2 or before2.ndim != 2:
        raise StartError("balance takes one network at a time.")
    hidden, inputs, outputs = *before1.shape, before2.shape[0]
    exists(to, inputs, hidden, outputs)
    left, values, right = np.linalg.svd(before2 @ before1)
    units = hidden if to else min(inputs, hidden, outputs)
    s = np.zeros(units)
    s[: min(units, values.size)] = values[:units]
    first, second = _split(s, to)
    V, U = _columns(right.T, units), _columns(left, units)
    outer, _, inner = np.linalg.svd(before1 @ V * first + before2.T @ U * second, full_matrices=False)
    R = outer @ inner
    after1, after2 = (R * first) @ V.T, (U * second) @ R.T
    distance = np.hypot(np.linalg.norm(after1 - before1), np.linalg.norm(after2 - before2))
    return Balanced(after1, after2, float(distance))


def exists(to: float, inputs: int, hidden: int, outputs: int) -> None:
    """Refuse a balance that no weights of these dimensions have."""
    if not is_real(to):
        raise StartError("The balance must be a finite number.")
    if to > 0 and hidden > outputs:
        raise StartError(
            f"W2'W2 = W1 W1' + {to:g} I has rank {hidden}, the number of hidden units, but W2 has only {outputs} rows: "
            "a positive balance needs at least as many outputs as hidden units."
        )
    if to < 0 and hidden > inputs:
        raise StartError(
            f"W1 W1' = W2'W2 + {-to:g} I has rank {hidden}, the number of hidden units, but W1 has only {inputs} "
            "columns: a negative balance needs at least as many inputs as hidden units."
        )


def _split(values: Array, to: float) -> tuple[Array, Array]:
    """Roots a, b of numbers with a b = values and b^2 - a^2 = to; the smaller one is a quotient, so nothing cancels."""
    larger = np.sqrt(np.hypot(values, 0.5 * to) + 0.5 * abs(to))
    smaller = np.divide(values, larger, out=np.zeros_like(values), where=larger > 0.0)
    return (smaller, larger) if to >= 0 else (larger, smaller)


def _columns(matrix: Array, count: int) -> Array:
    """The first columns, and zeros where there are no more."""
    columns = np.zeros((matrix.shape[0], count))
    kept = min(count, matrix.shape[1])
    columns[:, :kept] = matrix[:, :kept]
    return columns


def _size(W: Array) -> Array:
    return np.asarray(np.sum(np.square(W), axis=(-2, -1)))
