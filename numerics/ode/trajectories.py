"""Common parts of integrators: trajectories, checked arguments, and starts shared among threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite

import numpy as np
from numba import get_num_threads
from numpy.typing import ArrayLike, NDArray

from numerics import NumericsError
from numerics.labelled import Labelled
from numerics.machine.checks import doubles, is_real, is_whole, listed, shown

Floats = NDArray[np.float64]

MESSAGES = ("", "too many steps", "left the domain", "step too small")
STIFF = len(MESSAGES)  # how the explicit method ends a start that it leaves to the implicit one
MOST_STEPS = 1_000_000
SHARES = 8  # pieces of work for each thread: starts differ in length


class IntegrateError(NumericsError):
    """Arguments from which nothing can be integrated; the message says why in one sentence."""


@dataclass(frozen=True)
class Trajectory(
    Labelled,
    axes={"states": ("start", "time", "component"), "messages": ("start",), "calls": ("start",)},
    clock={"times": "time"},
    units={"time": "that of the rates"},
):
    """The states of all starts at all times; they are nan where a start did not arrive, and its message says why."""

    times: Floats
    states: Floats  # start, time, component
    messages: Sequence[str]  # "" is success
    calls: NDArray[np.int64]  # evaluations of the rates, or steps of a series, for each start

    @property
    def succeeded(self) -> bool:
        return not any(self.messages)


def increasing(times: ArrayLike) -> Floats:
    """The output times as an array; refused with a sentence where they do not increase."""
    moments = doubles("times", times, IntegrateError)
    if moments.ndim != 1 or moments.size == 0:
        raise IntegrateError(f"times must be a list of at least one number, got shape {moments.shape}")
    rises = moments[1:] > moments[:-1]
    if not (rises.all() and isfinite(moments[0]) and isfinite(moments[-1])):
        if not np.isfinite(moments).all():
            raise IntegrateError("times must be finite numbers")
        at = int(np.argmin(rises))
        raise IntegrateError(f"times must increase, but {moments[at + 1]:g} follows {moments[at]:g}")
    return moments


def starts_and_params(starts: ArrayLike, params: ArrayLike) -> tuple[Floats, Floats]:
    """Both as tables, params with one row or as many rows as there are starts."""
    rows, given = _table("starts", starts), _table("params", params)
    if given.shape[0] not in (1, rows.shape[0]):
        raise IntegrateError(
            f"params has {given.shape[0]} rows for {rows.shape[0]} starts; give one row, or one for each"
        )
    return rows, given


def absolute_tolerances(rtol: float, atol: ArrayLike, dims: int, smallest_rtol: float) -> Floats:
    """One for each component, after a look at both tolerances."""
    if not (is_real(rtol) and smallest_rtol <= rtol < 1):
        raise IntegrateError(f"rtol must be at least {smallest_rtol:.2g} and below 1, got {shown(rtol)}")
    given = doubles("atol", atol, IntegrateError)
    if given.shape not in ((), (dims,)):
        raise IntegrateError(f"atol must be one number or one for each of {dims} components, got shape {given.shape}")
    absolute = np.empty(dims)
    absolute[:] = given
    if not absolute.min() >= 0:
        raise IntegrateError("atol must not be negative")
    return absolute


def steps_allowed(most_steps: int) -> int:
    """The largest number of steps, checked."""
    if not (is_whole(most_steps, 1) and most_steps < 2**62):
        raise IntegrateError(f"most_steps must be a whole number from 1 on, got {shown(most_steps)}")
    return int(most_steps)


def names_of(parts: object) -> tuple[str, ...]:
    """The names of modules in a list.

    >>> names_of(["numerics.machine.lanes"])
    ('numerics.machine.lanes',)
    """
    names = listed("parts", parts, IntegrateError)
    if not all(isinstance(name, str) for name in names):
        raise IntegrateError(f"parts must be a list of names of modules, got {shown(parts)}")
    return tuple(names)


def share(piece: Callable[[tuple[int, int]], None], count: int, threads: int | None, smallest: int = 1) -> None:
    """Do `piece(first, end)` for all starts, in pieces of at least `smallest`, of which an interruption drops the rest.

    A piece ends within `most_steps` steps of each of its starts.
    """
    threads = get_num_threads() if threads is None else threads
    if not is_whole(threads, 1):
        raise IntegrateError(f"threads must be at least 1, got {shown(threads)}")
    pieces = max(1, min(SHARES * threads, count // smallest))
    parts = list(pairwise(np.linspace(0, count, pieces + 1).astype(int).tolist()))
    if threads == 1 or pieces == 1:
        for part in parts:
            piece(part)
        return
    with ThreadPoolExecutor(threads) as pool:
        waiting = [pool.submit(piece, part) for part in parts]
        try:
            for each in waiting:
                each.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _table(name: str, values: ArrayLike) -> Floats:
    table = np.array(doubles(name, values, IntegrateError), ndmin=2)
    if table.ndim != 2 or (name == "starts" and table.shape[1] == 0):
        raise IntegrateError(f"{name} must be one row or a table of rows, got shape {table.shape}")
    return table
