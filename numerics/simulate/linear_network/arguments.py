"""Reads the arguments of linear networks: each network with its task and rate, or a sentence about what is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numerics import NumericsError
from numerics.machine.blas import one_thread
from numerics.machine.checks import counts, doubles, is_real, listed, shown
from numerics.simulate.linear_network.double_double import pair

Floats = NDArray[np.float64]
Number = Fraction | float


class LinearNetworkError(NumericsError):
    """Arguments from which nothing can be learned; the message says why in one sentence."""


class Data(NamedTuple):
    """Examples as columns: inputs (inputs, examples) and answers (outputs, examples)."""

    X: ArrayLike
    Y: ArrayLike


Task = Data | ArrayLike  # an array is Sigma_yx of white inputs


@dataclass(frozen=True)
class Job:
    """One network with its task and rate, checked; numbers are split, into one part where they are doubles."""

    weights: tuple[Floats, ...]
    given: tuple[Floats, ...]  # Sigma_yx, or inputs and answers
    count: int  # of examples: 1 for white inputs
    least: float  # mean square that is not in the examples that are given
    rate: tuple[float, ...]

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        return (self.weights[0].shape[2], *(W.shape[1] for W in self.weights))

    @property
    def effort(self) -> int:
        sizes = self.sizes
        return sum(first * second for first, second in pairwise(sizes)) * sizes[0]


def jobs_of(
    networks: Sequence[Sequence[ArrayLike]], tasks: Sequence[Task], rates: Number | Sequence[Number], parts: int
) -> list[Job]:
    """Each network with its task and rate, as numbers with so many parts."""
    networks = listed("networks", networks, LinearNetworkError)
    tasks = listed("tasks", tasks, LinearNetworkError)
    if networks and all(isinstance(W, np.ndarray) and W.ndim == 2 for W in networks):
        raise LinearNetworkError("Networks are a list of weights: give [(W1, W2)], and not (W1, W2), for one network.")
    one: Any = rates
    if np.ma.is_masked(one):
        raise LinearNetworkError("rates has masked entries: fill or drop them first.")
    one = one.item() if isinstance(one, np.ndarray) and one.ndim == 0 else one
    each_rate = list(one) if isinstance(one, Sequence | np.ndarray) else [one] * len(networks)
    if not len(networks) == len(tasks) == len(each_rate):
        raise LinearNetworkError(
            f"There are {len(networks)} networks, {len(tasks)} tasks and {len(each_rate)} rates, but each network needs"
            " one."
        )
    return [_job(f"Network {k}", *given, parts) for k, given in enumerate(zip(networks, tasks, each_rate, strict=True))]


def _job(name: str, network: Sequence[ArrayLike], task: Task, rate: Number, parts: int) -> Job:
    layers = listed(f"{name}'s weights", network, LinearNetworkError)
    weights = tuple(_matrix(f"{name}: W{k}", W, parts) for k, W in enumerate(layers, 1))
    if not weights:
        raise LinearNetworkError(f"{name} has no weights; give a matrix for each layer.")
    for k, (below, above) in enumerate(pairwise(weights), 1):
        if above.shape[2] != below.shape[1]:
            raise LinearNetworkError(
                f"{name}: W{k + 1} has {above.shape[2]} columns, but W{k} has {below.shape[1]} rows; a layer has one "
                "column for each unit below it."
            )
    if not _positive(rate):
        raise LinearNetworkError(f"{name}: the rate must be a positive number, not {shown(rate)}.")
    inputs, outputs = weights[0].shape[2], weights[-1].shape[1]
    given, count, least = _task(name, task, inputs, outputs, parts)
    return Job(weights, given, count, least, number_of(rate, parts))


def _task(name: str, task: Task, inputs: int, outputs: int, parts: int) -> tuple[tuple[Floats, ...], int, float]:
    """Sigma_yx, or examples; how many examples there were, and the mean square that the given ones leave out."""
    if not isinstance(task, Data):
        sigma = _matrix(f"{name}: Sigma_yx", task, parts)
        if sigma.shape[1:] != (outputs, inputs):
            raise LinearNetworkError(
                f"{name}: Sigma_yx has shape {sigma.shape[1:]}, but the weights take {inputs} inputs to {outputs} "
                f"outputs, so it must be {(outputs, inputs)}."
            )
        return (sigma,), 1, 0.0
    X, Y = _matrix(f"{name}: X", task.X, parts), _matrix(f"{name}: Y", task.Y, parts)
    if X.shape[1] != inputs or Y.shape[1] != outputs or X.shape[2] != Y.shape[2]:
        raise LinearNetworkError(
            f"{name}: X has shape {X.shape[1:]} and Y has shape {Y.shape[1:]}, but examples must be columns, with "
            f"{inputs} inputs and {outputs} outputs."
        )
    count = X.shape[2]
    if parts == 2 or count <= inputs:
        return (X, Y), count, 0.0
    with one_thread(), np.errstate(over="ignore", invalid="ignore"):  # with the same bits for any number of threads
        basis, triangle = np.linalg.qr(X[0].T)  # fewer examples with the same correlations
        answers = Y[0] @ basis
        least = float(np.sum((Y[0] - answers @ basis.T) ** 2)) / count
    return (triangle.T[None], answers[None]), count, least


def _matrix(name: str, values: ArrayLike, parts: int) -> Floats:
    """A matrix as (part, row, column)."""
    try:
        array = doubles(name, values, LinearNetworkError, "a matrix of numbers")
    except LinearNetworkError as mistake:
        raise LinearNetworkError(f"{mistake}.") from None
    if array.ndim == 2:
        array = array[None] if parts == 1 else np.stack([array, np.zeros_like(array)])
    elif parts == 1 or array.ndim != 3 or array.shape[0] != 2:
        split = "" if parts == 1 else ", or a pair of them"
        raise LinearNetworkError(f"{name} must be a matrix{split}, but has shape {array.shape}.")
    if array.size == 0:
        raise LinearNetworkError(f"{name} is empty: its shape is {array.shape[1:]}.")
    if not np.isfinite(array).all():
        raise LinearNetworkError(f"{name} has an entry that is not a finite number.")
    return array


def number_of(number: Number, parts: int) -> tuple[float, ...]:
    """A number, split into so many parts."""
    return pair(number)[:parts] if parts == 2 else (float(number),)


def _positive(number: Number) -> bool:
    return isinstance(number, Real) and is_real(number) and float(number) > 0.0


def steps_of(name: str, steps: Iterable[int]) -> NDArray[np.int64]:
    """The steps at which something is recorded, increasing."""
    given = steps if isinstance(steps, np.ndarray) else listed(name, steps, LinearNetworkError)
    try:
        return counts(name, given, LinearNetworkError)
    except LinearNetworkError as mistake:
        raise LinearNetworkError(f"{mistake}.") from None
