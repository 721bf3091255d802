"""Stiff flows: starts whose explicit steps are bound by stability, followed by an implicit method instead.

An explicit method must resolve the fastest rate of decay for as long as it runs, even where nothing decays any more.
`numerics.ode.methods.radau` need not. It takes over a start at which that would pay, and has to meet the same
tolerances; a start that it cannot follow either is given back to the explicit method.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from numerics.machine.specialise import specialise
from numerics.ode.trajectories import Floats, IntegrateError, share

METHODS = ("auto", "explicit", "implicit")
SMALLEST_RTOL = 1e-13  # below it, Newton's method would stop at rounding
LANES, NUMBERS = "numerics.machine.lanes", "numerics.ode.methods.numbers"


@dataclass(frozen=True)
class Task:
    """A checked request to an integrator."""

    rows: Floats  # start, component
    given: Floats  # parameters: one row, or one for each start
    moments: Floats
    rtol: float
    absolute: Floats
    threads: int | None

    def some(self, which: NDArray[np.intp]) -> Task:
        """Return the same for some of the starts."""
        return replace(self, rows=self.rows[which], given=self.given if len(self.given) == 1 else self.given[which])


class Found(NamedTuple):
    """States (start, time, component), and for each start how it ended and how many rates or steps it took."""

    states: Floats
    codes: NDArray[np.int64]
    calls: NDArray[np.int64]


def chosen(method: object, rtol: float) -> str:
    """The method, if there is one of this name that can meet the tolerance.

    >>> chosen("auto", 1e-10)
    'auto'
    """
    if method not in METHODS:
        raise IntegrateError(f"method must be one of {', '.join(METHODS)}, got {method!r}")
    if method == "implicit" and rtol < SMALLEST_RTOL:
        raise IntegrateError(f"the implicit method takes an rtol of at least {SMALLEST_RTOL:g}, got {rtol:g}")
    return str(method)


def follow(advance: Callable[..., None], task: Task, *steps: float) -> Found:
    """All starts, shared among threads; `steps` are the limits that the integrator takes."""
    count, components = task.rows.shape
    states = np.empty((count, task.moments.size, components))
    codes, outputs, calls = np.zeros((3, count), dtype=np.int64)
    tables = (task.rows, task.given, task.moments, task.rtol, task.absolute, *steps, states, codes, outputs, calls)
    share(lambda bounds: advance(*bounds, *tables), count, task.threads)
    return Found(states, codes, calls)


def implicit(kernel: str, parts: Sequence[str], task: Task, steps: int) -> Found:
    """All starts by the implicit method."""
    return follow(_compiled(kernel, tuple(parts)), task, steps)


def taken_over(found: Found, stiff: NDArray[np.bool_], again: Sequence[Callable[[Task], Found]], task: Task) -> None:
    """Replace what was found of stiff starts by the first of these ways that arrives, or by the last one."""
    left = np.flatnonzero(stiff)
    for way in again:
        if left.size == 0:
            return
        states, codes, calls = way(task.some(left))
        found.states[left], found.codes[left] = states, codes
        found.calls[left] += calls
        left = left[codes != 0]


@cache
def _compiled(kernel: str, parts: tuple[str, ...]) -> Callable[..., Any]:
    module = import_module(kernel)
    if hasattr(module, "jets"):
        files = ("numerics.machine.lanes.jets", *parts, kernel, "numerics.ode.methods.rates_of_jets")
    else:
        files = (*parts, kernel, *(() if hasattr(module, "jacobian") else ("numerics.ode.methods.differences",)))
    return specialise("advance", (LANES, *files, NUMBERS, "numerics.ode.methods.radau"))
