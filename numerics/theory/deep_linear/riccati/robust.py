"""QQ' at any time from any start of two levels, balanced or not: one algorithm that is right for every one of them.

What it computes and why it is stable stands in `numerics.theory.deep_linear.riccati.exchange`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np

from numerics.machine.crew import threads_for, together
from numerics.machine.lanes.registers import lanes_for, registers
from numerics.machine.specialise import specialise
from numerics.theory.deep_linear.modes import Array, Modes, fewer_columns

PARTS = (
    "numerics.machine.lanes",
    "numerics.machine.lanes.pieces",
    "numerics.theory.deep_linear.riccati.growth",
    "numerics.theory.deep_linear.riccati.exchange",
)
STATE, FACTOR, DISTANCE = 0, 1, 2  # as in `riccati.exchange`
STEADY = 2500  # what a time costs besides
CROSSOVER = 3_000_000  # of such costs, from which on other threads repay being woken: about a millisecond of one


def states(modes: Modes, times: Array) -> Array:
    """QQ' with shape (..., T, m, m) at times (T,) in units of tau."""
    m = modes.frequencies.shape[-1]
    return _solutions(STATE, modes, times, (m, m))


def factors(modes: Modes, times: Array) -> Array:
    """Q up to a rotation of the hidden units, (..., T, m, r): a matrix whose product with its transpose is QQ'.

    It keeps what QQ' rounds away, so that it is the right start for the next task.
    """
    m, columns = modes.components.shape[-2:]
    if not modes.means.any():
        return _solutions(FACTOR, modes, times, (m, columns))
    return fewer_columns(_solutions(FACTOR, modes, times, (m, columns + m)))


def distances(modes: Modes, times: Array) -> Array:
    """The sum of squares of Sigma - W2 W1, (..., T), accurate however small it is, at positive times."""
    return _solutions(DISTANCE, modes, times, ())


def _solutions(what: int, modes: Modes, times: Array, shape: tuple[int, ...]) -> Array:
    out = np.empty((modes.balance.size, times.size, math.prod(shape)))
    tasks, (m, columns) = modes.balance.size * times.size, modes.components.shape[-2:]
    if tasks:
        arguments = (np.zeros(1, dtype=np.int64), what, out, *_arguments(modes), times)
        together(partial(_kernel(), *arguments), threads_for(tasks * (m * m * columns + STEADY), CROSSOVER))
    return out.reshape(*modes.balance.shape, times.size, *shape)


@cache
def _kernel() -> Callable[..., Any]:
    return specialise("solutions", PARTS, {"LANES": _lanes()})


def _lanes() -> int:
    return lanes_for(registers())


def _arguments(modes: Modes) -> tuple[Array, ...]:
    """The arrays of the kernel, with one axis of networks."""
    n = modes.pairs
    excesses = np.zeros_like(modes.frequencies)
    excesses[..., :n] = 2.0 * modes.frequencies[..., :n] * np.minimum(modes.cosines, modes.sines) ** 2
    vectors = (_turned(modes.right), _turned(modes.left))
    arrays = (modes.frequencies, excesses, modes.components, *vectors, modes.cosines, modes.sines)
    leading = modes.balance.ndim
    flat = [np.ascontiguousarray(array).reshape(-1, *array.shape[leading:]) for array in arrays]
    means, halves = modes.means.reshape(-1), 0.5 * np.abs(modes.balance.reshape(-1))
    return flat[0], means, halves, *flat[1:]


def _turned(vectors: Array) -> Array:
    """The transposed matrices with rows padded by zeros to whole registers."""
    side = vectors.shape[-1]
    rows = np.zeros((*vectors.shape[:-1], -(-side // _lanes()) * _lanes()))
    rows[..., :side] = np.swapaxes(vectors, -1, -2)
    return rows
