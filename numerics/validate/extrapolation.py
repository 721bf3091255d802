"""Gradient descent extrapolated to steps of size zero.

A quantity after n steps of size t/n is a power series in t/n whose constant term belongs to gradient flow at time t.
Runs with n, 2n, 4n, ... steps give that term by Richardson's scheme. It is evaluated in fractions, so that nothing is
rounded but the steps themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import log, log2

import numpy as np
from numpy.typing import NDArray

from numerics.simulate import linear_network
from numerics.simulate.linear_network import double_double as split
from numerics.validate.rationals import Matrix, fractions

FIRST = 16  # steps of the shortest run
LEVELS = {False: 8, True: 15}  # runs in doubles and in pairs of doubles
BOUND = {False: 1e-12, True: 1e-25}  # of the distance between limit and theory
ROUNDING = {False: 2.0**-53, True: 2.0**-104}
KINDS = {False: "doubles", True: "pairs of doubles"}


@dataclass(frozen=True)
class Case:
    """A linear network in fractions, its task, how long it learns, and what is looked at."""

    name: str
    weights: tuple[Matrix, ...]
    task: Matrix | tuple[Matrix, Matrix]  # Sigma_yx, or inputs and answers
    time: Fraction
    view: Callable[[Sequence[Matrix]], Matrix]


@dataclass(frozen=True)
class Found:
    """The limit of the runs of a case, and how far each of them was from it at its end."""

    limit: Matrix
    gaps: tuple[float, ...]

    @property
    def order(self) -> float:
        """The slope of the gap in the size of the steps, from the two longest runs."""
        return log2(self.gaps[-2] / self.gaps[-1])


def descend(cases: Sequence[Case], *, double_double: bool) -> Iterator[Found]:
    """The limits of some cases, which are run side by side."""
    networks = [[_given(W, double_double) for W in case.weights] for case in cases]
    tasks = [_task(case.task, double_double) for case in cases]
    views: list[list[Matrix]] = [[] for _ in cases]
    for level in range(LEVELS[double_double]):
        steps = FIRST * 2**level
        rates = [case.time / steps if double_double else float(case.time / steps) for case in cases]
        runs = linear_network.learn(networks, tasks, rates=rates, weights_at=[steps], double_double=double_double)
        for case, run, seen in zip(cases, runs, views, strict=True):
            seen.append(case.view([_exact(W, double_double) for W in run.weights]))
    for seen in views:
        limit = extrapolated(seen)
        yield Found(limit, tuple(distance(one, limit) for one in seen))


def extrapolated(values: Sequence[Matrix]) -> Matrix:
    """The constant term of power series of which each value has half the argument of the one before."""
    row = list(values)
    for order in range(1, len(values)):
        row = [fine + (fine - coarse) / (2**order - 1) for coarse, fine in pairwise(row)]
    return row[0]


def time_beside_a_saddle(rate: float, bound: float, double_double: bool) -> Fraction:
    """When rounding that grows like e^{rate t} beside a separatrix has grown to a hundredth of a bound, in eighths."""
    return Fraction(int(8 * log(bound / ROUNDING[double_double] / 100) / rate), 8)


def distance(first: Matrix, other: Matrix) -> float:
    """The largest difference of two entries, relative to the largest entry or to 1."""
    return float(np.abs(first - other).max() / max(np.abs(other).max(), 1))


def _given(matrix: Matrix, double_double: bool) -> NDArray[np.float64]:
    return split.pairs(matrix.tolist()) if double_double else matrix.astype(np.float64)


def _task(task: Matrix | tuple[Matrix, Matrix], double_double: bool) -> linear_network.Task:
    if isinstance(task, tuple):
        return linear_network.Data(*(_given(part, double_double) for part in task))
    return _given(task, double_double)


def _exact(weights: NDArray[np.float64], double_double: bool) -> Matrix:
    return split.fractions(weights[:, 0]) if double_double else fractions(weights[0])
