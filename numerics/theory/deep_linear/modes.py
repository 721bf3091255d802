"""A task and a start of a two-layer linear network, seen in the eigenvectors of the flow of QQ'.

With white inputs, Q = [W1'; W2] and time in units of tau, weights with W2'W2 - W1 W1' = balance I obey
d(QQ')/dt = F QQ' + QQ' F - (QQ')^2, where F = [-balance/2 I, Sigma'; Sigma, balance/2 I]. Starts of two levels a and b
have b - a for the balance, and a b I besides. A full singular value
decomposition of Sigma turns F into 2 x 2 blocks, so that its eigenvectors come out orthonormal to rounding whatever the
singular values are: zero, tiny, repeated or huge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numerics.machine.specialise import specialise

Array = NDArray[np.float64]
HARDLY = 1e-6  # of the size of a start: what it sees of a growing mode is worth a closer look below it
CLEARLY = 1e-5  # of the same: above it nobody need look
ROUNDING = 4 * float(np.finfo(float).eps)


@dataclass(frozen=True)
class Modes:
    """Eigenvectors of F, their frequencies, and the start in their coordinates; leading axes count networks.

    With n = min(Ni, No) the m = Ni + No modes come in this order:

    - n growing ones, cosines*right + sines*left, of frequency +hypot(singular value, balance/2);
    - n decaying ones, sines*right - cosines*left, of the opposite frequency;
    - Ni - n inputs that the task ignores, of frequency -balance/2;
    - No - n outputs that the task never uses, of frequency +balance/2.
    """

    frequencies: Array  # (..., m)
    components: Array  # (..., m, r): rows are modes; its product with its transpose is QQ' at time zero in the modes
    right: Array  # (..., Ni, Ni): columns are right singular vectors of Sigma, with those of the null space
    left: Array  # (..., No, No): columns are left singular vectors of Sigma, with those of the null space
    cosines: Array  # (..., n)
    sines: Array  # (..., n)
    balance: Array  # (...)
    means: Array  # (...): the geometric mean of the two levels of the start, zero for balanced ones

    @property
    def pairs(self) -> int:
        """How many growing modes there are, and how many decaying ones."""
        return int(self.cosines.shape[-1])

    @property
    def inputs(self) -> int:
        return int(self.right.shape[-1])

    @property
    def outputs(self) -> int:
        return int(self.left.shape[-1])

    @property
    def basis(self) -> Array:
        """The modes as columns, inputs first: (..., m, m)."""
        n, inputs = self.pairs, self.inputs
        basis = np.zeros((*self.frequencies.shape, self.frequencies.shape[-1]))
        basis[..., :inputs, :n] = self.right[..., :n] * self.cosines[..., None, :]
        basis[..., inputs:, :n] = self.left[..., :n] * self.sines[..., None, :]
        basis[..., :inputs, n : 2 * n] = self.right[..., :n] * self.sines[..., None, :]
        basis[..., inputs:, n : 2 * n] = -self.left[..., :n] * self.cosines[..., None, :]
        basis[..., :inputs, 2 * n : n + inputs] = self.right[..., n:]
        basis[..., inputs:, n + inputs :] = self.left[..., n:]
        return basis

    def each(self) -> Iterator[Modes]:
        """The networks one by one, in the order of the leading axes."""
        if self.balance.ndim == 0:
            yield self
            return
        for at in np.ndindex(self.balance.shape):
            yield self.one(at)

    def one(self, at: tuple[int, ...]) -> Modes:
        """The network at these places of the leading axes."""
        return Modes(
            self.frequencies[at],
            self.components[at],
            self.right[at],
            self.left[at],
            self.cosines[at],
            self.sines[at],
            np.asarray(self.balance[at]),
            np.asarray(self.means[at]),
        )


def modes(W1: Array, W2: Array, sigma: Array, balance: Array | float = 0.0, means: Array | float = 0.0) -> Modes:
    """The modes of arrays W1 (..., Nh, Ni), W2 (..., No, Nh), sigma (..., No, Ni) whose leading axes are the same.

    Starts of two levels a and b have the balance b - a and the geometric mean sqrt(a b).
    """
    outputs, inputs = sigma.shape[-2:]
    left, values, transposed = np.linalg.svd(sigma)
    right = np.ascontiguousarray(np.swapaxes(transposed, -1, -2))
    balance, means = (np.full(sigma.shape[:-2], x, dtype=float) for x in (balance, means))
    frequencies, components, cosines, sines = into_modes(
        transposed @ np.swapaxes(W1, -1, -2), np.swapaxes(left, -1, -2) @ W2, values, balance
    )
    in_modes = Modes(frequencies, components, right, left, cosines, sines, balance, means)
    missing = misses_growth(components, n := min(inputs, outputs))
    for at in np.argwhere(missing) if missing.any() else ():
        place = tuple(at)
        components[place][:n] = refined(in_modes.one(place), W1[place], W2[place], sigma[place])
    if components.shape[-1] <= components.shape[-2]:
        return in_modes
    return replace(in_modes, components=np.ascontiguousarray(fewer_columns(components)))


def misses_growth(components: Array, n: int) -> NDArray[np.bool_]:
    """Check whether a start has so little of some growing direction that rounding decides what becomes of it."""
    leading = components.shape[:-2]
    bounds = specialised("least_seen")(components.reshape(-1, *components.shape[-2:]), n).reshape(leading)
    missing = ~(bounds > CLEARLY)
    if not missing.any():
        return np.asarray(missing)
    growing = components[..., :n, :]
    seen = np.linalg.svd(growing, compute_uv=False)[..., -1]
    if components.shape[-1] < n:  # otherwise no row is shorter than the smallest singular value
        seen = np.minimum(seen, np.sqrt(np.sum(growing * growing, axis=-1).min(axis=-1)))
    return np.asarray(seen <= HARDLY * np.sqrt(np.sum(components * components, axis=(-2, -1))))


def refined(rough: Modes, W1: Array, W2: Array, sigma: Array) -> Array:
    """Return one start's share of the exact growing modes, in extended precision where the machine has it.

    Singular vectors in floats are off by rounding, and so is what they see of the start. Near a saddle that is all
    there is to see: it may even vanish, and a start that should leave the saddle would stay there for ever. One step of
    Ogita and Aishima's refinement of eigenvectors (2018) makes good for it. Only turns as small as rounding are made:
    larger ones, between modes of nearly the same frequency, would part the start from the basis it is written in.
    """
    n, inputs, half = rough.pairs, rough.inputs, 0.5 * np.longdouble(rough.balance)
    W = rough.basis.astype(np.longdouble)
    growing, upper, lower = W[:, :n], W[:inputs, :n], W[inputs:, :n]
    action = W.T @ np.concatenate([sigma.T @ lower - half * upper, sigma @ upper + half * lower])
    slack = np.eye(W.shape[0], n) - W.T @ growing
    own = np.diagonal(slack)
    frequencies = np.diagonal(action) / (1.0 - own)
    gaps = frequencies - np.concatenate([frequencies, rough.frequencies[n:]])[:, None]
    wanted = np.divide(action + slack * frequencies, gaps, out=np.zeros_like(gaps), where=gaps != 0.0)
    turn = np.where(np.abs(wanted) <= ROUNDING * W.shape[0], wanted, 0.0)
    seen = growing.T @ np.concatenate([W1.T, W2])
    return np.asarray(seen + 0.5 * own[:, None] * seen + turn.T @ rough.components, dtype=float)


def into_modes(on_right: Array, on_left: Array, values: Array, balance: Array) -> tuple[Array, Array, Array, Array]:
    """Frequencies, the start in the modes, cosines and sines, from the start in singular vectors of a task."""
    leading = balance.shape
    flat = [array.reshape(-1, *array.shape[len(leading) :]) for array in (on_right, on_left, values, balance)]
    arrays = specialised("into_modes")(*map(np.ascontiguousarray, flat))
    return tuple(array.reshape(*leading, *array.shape[1:]) for array in arrays)


@cache
def specialised(name: str) -> Callable[..., Any]:
    """A function of the kernel that modes and balances are computed by."""
    return specialise(name, ("numerics.theory.deep_linear.mode_kernel",))


def fewer_columns(components: Array) -> Array:
    """A matrix with the same product with its transpose and no more columns than rows.

    The error of a row is relative to that row, however small it is beside others.
    """
    rows, columns = components.shape[-2:]
    if columns <= rows:
        return components
    triangle = np.linalg.qr(np.swapaxes(components, -1, -2)).R
    return np.swapaxes(triangle, -1, -2)
