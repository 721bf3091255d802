"""Trajectories of a kernel from many starts at once, to a requested tolerance.

    trajectory = integrate(kernel, starts, params, times, rtol=1e-10, atol=1e-12)
    trajectory.states[start, time, component], trajectory.messages[start]

A kernel is the name of a module that defines three jitted functions (numerics/methods/decay.py is the smallest one):
`rates(t, state, params, out, scratch)` writes the rates of change, `scratch_size(params)` says how many doubles it
works in, and `prepare(params, scratch)` writes there what stays the same. Each start is integrated by one thread from
beginning to end, so that the bits do not depend on the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from numba import get_num_threads
from numpy.typing import ArrayLike, NDArray

from numerics.specialise import specialise

Floats = NDArray[np.float64]

MESSAGES = ("", "too many steps", "left the domain", "step too small")
SMALLEST_RTOL = 2.0**-44  # below it, rounding would decide over steps
MOST_STEPS = 1_000_000
SHARES = 8  # pieces of work for each thread: starts differ in length


class IntegrateError(ValueError):
    """Arguments from which nothing can be integrated; the message says why in one sentence."""


@dataclass(frozen=True)
class Trajectory:
    """Where each start was at each time; not a number where it did not arrive, and then the message says why."""

    times: Floats
    states: Floats  # start, time, component
    messages: tuple[str, ...]  # "" is success
    calls: NDArray[np.int64]  # evaluations of the rates, for each start

    @property
    def succeeded(self) -> bool:
        return not any(self.messages)


def integrate(  # noqa: PLR0917
    kernel: str,
    starts: ArrayLike,
    params: ArrayLike,
    times: ArrayLike,
    rtol: float = 1e-10,
    atol: ArrayLike = 1e-12,
    *,
    parts: Sequence[str] = (),
    threads: int | None = None,
    most_steps: int = MOST_STEPS,
) -> Trajectory:
    """The trajectories from `starts` (start, component) at `times`, of which the first is where they start.

    `params` is one row for all starts or one for each; `atol` one number or one for each component. `parts` names
    modules that the kernel imports from.
    """
    moments = increasing(times)
    rows = _table("starts", starts)
    given = _table("params", params)
    if given.shape[0] not in (1, rows.shape[0]):
        raise IntegrateError(
            f"params has {given.shape[0]} rows for {rows.shape[0]} starts; give one row, or one for each"
        )
    absolute = _tolerances(rtol, atol, rows.shape[1])
    count = rows.shape[0]
    states = np.empty((count, moments.size, rows.shape[1]))
    codes, outputs, calls = (np.zeros(count, dtype=np.int64) for _ in range(3))
    advance = compiled(kernel, parts)

    def piece(bounds: tuple[int, int]) -> None:
        advance(*bounds, rows, given, moments, float(rtol), absolute, most_steps, states, codes, outputs, calls)

    _share(piece, count, get_num_threads() if threads is None else threads)
    return Trajectory(moments, states, tuple(MESSAGES[code] for code in codes), calls)


def compiled(kernel: str, parts: Sequence[str] = (), name: str = "advance") -> Callable[..., Any]:
    """A function of the file that an integrator and a kernel make together."""
    return _compiled(kernel, tuple(parts), name)


@cache
def _compiled(kernel: str, parts: tuple[str, ...], name: str) -> Callable[..., Any]:
    return specialise(name, ("numerics.lanes", *parts, kernel, "numerics.methods.dop853"))


def _share(piece: Callable[[tuple[int, int]], None], count: int, threads: int) -> None:
    if threads < 1:
        raise IntegrateError(f"threads must be at least 1, got {threads}")
    if count <= 1 or threads == 1:
        piece((0, count))
        return
    ends = np.linspace(0, count, min(count, SHARES * threads) + 1).astype(int).tolist()
    with ThreadPoolExecutor(threads) as pool:
        for _ in pool.map(piece, pairwise(ends)):
            pass


def increasing(times: ArrayLike) -> Floats:
    """Output times as an array, or a sentence that says what is wrong with them."""
    try:
        moments = np.array(times, dtype=np.float64, order="C")
    except (TypeError, ValueError):
        raise IntegrateError("times must be numbers") from None
    if moments.ndim != 1 or moments.size == 0:
        raise IntegrateError(f"times must be a list of at least one number, got shape {moments.shape}")
    if not np.isfinite(moments).all():
        raise IntegrateError("times must be finite")
    if (steps := np.diff(moments)).size and steps.min() <= 0:
        at = int(np.argmax(steps <= 0))
        raise IntegrateError(f"times must increase, but {moments[at + 1]:g} follows {moments[at]:g}")
    return moments


def _table(name: str, values: ArrayLike) -> Floats:
    try:
        table = np.array(values, dtype=np.float64, order="C", ndmin=2)
    except (TypeError, ValueError):
        raise IntegrateError(f"{name} must be numbers in rows of equal length") from None
    if table.ndim != 2 or (name == "starts" and table.shape[1] == 0):
        raise IntegrateError(f"{name} must be one row or a table of rows, got shape {table.shape}")
    return table


def _tolerances(rtol: float, atol: ArrayLike, dims: int) -> Floats:
    if not SMALLEST_RTOL <= rtol < 1:
        raise IntegrateError(f"rtol must be at least {SMALLEST_RTOL:.2g} and below 1, got {rtol}")
    given = np.asarray(atol, dtype=np.float64)
    if given.shape not in ((), (dims,)):
        raise IntegrateError(f"atol must be one number or one for each of {dims} components, got shape {given.shape}")
    if not (given >= 0).all():
        raise IntegrateError("atol must not be negative")
    return np.array(np.broadcast_to(given, (dims,)))
