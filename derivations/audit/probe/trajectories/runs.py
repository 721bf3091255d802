"""Runs of flows and maps from many starts at once.

Two integrations of different accuracy tell how far the finer one may be off; of a map, two starts that are apart by a
rounding error.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from derivations.audit.probe.numbers import value

Array = Any  # numpy.ndarray of floats
EVALUATIONS = 20_000  # of all rates, after which an integration is given up
FINE, COARSE, SLACK = 1e-11, 1e-8, 1e-7
WIDER = 30  # times the difference of two integrations
LEAST_TIME = 1e-9  # of an integration


@dataclass
class Runs:
    """Runs of the same states: a row for each state and a column for each run."""

    names: list[str]
    at: Callable[[float], Array]
    off: Callable[[float], Array]  # by how much each run may be off at a time

    def first(self, time: float) -> dict[str, float]:
        """The states of the first run."""
        return dict(zip(self.names, map(float, self.at(time)[:, 0]), strict=True))


class TooLong(ArithmeticError):
    """A run that asks for more evaluations than it is worth."""


def run(statement: Any, starts: Array, last: float) -> Runs:
    """The runs from some starts, in the sorted order of states, until a time; `TooLong`, or `NoValue` if one has none.

    >>> grows = {"form": "flow", "time": "t", "states": {"x": ("s", "x")}, "start": {"x": ("1", "2")}}
    >>> np.round(run(grows, np.array([[1.0, 2.0]]), 1.0).at(1.0), 9)
    array([[2.71828183, 5.43656366]])
    """
    names = sorted(statement["start"])

    def rates(time: float, states: Array) -> Array:
        at = {**dict(zip(names, states, strict=True)), statement["time"]: time}
        found = np.empty_like(states)
        for row, x in enumerate(names):
            found[row] = value(statement["states"][x], at, fast=True)
        return found

    ways = _integrated if statement["form"] == "flow" else _iterated
    return Runs(names, *ways(rates, starts, last))


def _integrated(
    rates: Callable[[float, Array], Array], starts: Array, last: float
) -> tuple[Callable[[float], Array], Callable[[float], Array]]:
    from scipy.integrate import solve_ivp

    left = [EVALUATIONS]

    def rate(time: float, states: Array) -> Array:
        left[0] -= 1
        if left[0] < 0:
            raise TooLong
        return rates(time, states.reshape(starts.shape)).ravel()

    def integrated(accuracy: float) -> Callable[[float], Array]:
        each = accuracy / math.sqrt(starts.shape[1])  # the error of all runs together is held below it
        way = {"method": "DOP853", "rtol": each, "atol": each, "dense_output": True}
        found: Any = solve_ivp(rate, (0.0, last or LEAST_TIME), starts.ravel(), **way)
        if not found.success:
            raise TooLong
        return lambda time: found.sol(time).reshape(starts.shape)

    fine, coarse = integrated(FINE), integrated(COARSE)

    def off(time: float) -> Array:
        difference = np.max(np.abs(fine(time) - coarse(time)), axis=0)
        return WIDER * difference + SLACK * (1 + np.max(np.abs(fine(time)), axis=0))

    return fine, off


def _iterated(
    rates: Callable[[float, Array], Array], starts: Array, last: float
) -> tuple[Callable[[float], Array], Callable[[float], Array]]:
    if last * len(starts) > EVALUATIONS:
        raise TooLong
    runs = [[starts], [starts * (1 + 1e-12) + 1e-13]]
    for seen in runs:
        for k in range(round(last)):
            seen.append(rates(float(k), seen[-1]))

    def off(time: float) -> Array:
        near, far = (seen[round(time)] for seen in runs)
        return WIDER * np.max(np.abs(near - far), axis=0) + SLACK * (1e-3 + np.max(np.abs(near), axis=0))

    return lambda time: runs[0][round(time)], off
