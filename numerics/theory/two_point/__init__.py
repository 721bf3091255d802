"""The solved two-point theory of van Rossem & Saxe (2024): h = |dh|^2, y = |dy|^2 and w = y - dy.(y2 - y1) at any time.

    states = closed_form(starts, params, times)             # start, time, component (h, y, w)
    by_taus = sensitivities(start, params, times)           # time, component, derivative by tau_h and by tau_y

A row of `starts` is (h, y, w), a row of `params` is (X, s, tau_h, tau_y) with X = |x2 - x1|^2 and s = |y2 - y1|^2; the
time constants are those of the system derived from the loss, in which they stand where equation 7 prints half of them.
Equal targets, s = 0, are solved as well; there w is y. A start at h = 0 has no direction of dh, and is refused:
`numerics.theory.two_point.flow` integrates through it.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numerics.machine.specialise import specialise
from numerics.ode.trajectories import IntegrateError, increasing, share, starts_and_params
from numerics.theory.one_time import or_one_time
from numerics.theory.two_point import slopes

Floats = NDArray[np.float64]

PARTS = (
    "numerics.kernels.elementary",
    "numerics.kernels.van_rossem_saxe_2024",
    "numerics.theory.two_point.loops",
)
ORDINARY = 1e20  # sizes up to it and down to its inverse never leave the doubles on the way
SLACK = 1e-9  # of the inequality between dy.(y2 - y1) and the norms, which rounded starts may miss


@or_one_time(axis=1)
def closed_form(starts: ArrayLike, params: ArrayLike, times: ArrayLike, *, threads: int | None = None) -> Floats:
    """h, y and w at `times`, counted from the start, for one start or many.

    `starts` is one row (h, y, w) or a table of them, `params` one row (X, s, tau_h, tau_y) or one for each start, and
    `times`, several that increase or one, are 0 or later, in the unit of the time constants. The result is an array of
    shape (starts, times, 3), or (starts, 3) for one time. `threads` limits the threads; the numbers do not depend on
    it. Rows that no network has are refused with an `IntegrateError` that names the first: h, X or a time constant that
    is not positive, s or y below zero, and (y - w)^2 above y s.

    >>> closed_form([0.05, 0.02, -0.05], [0.25, 1.0, 1.5, 0.8], [0.0, 2.0]).round(6).tolist()
    [[[0.05, 0.02, -0.05], [0.060834, 0.029276, -0.080837]]]
    """
    rows, given = checked(starts, params)
    moments = _moments(times)
    states = np.empty((rows.shape[0], moments.size, 3))
    solve = _loop("solve")
    share(lambda bounds: solve(*bounds, rows, given, moments, states), rows.shape[0], threads)
    if not _ordinary(rows, given):
        _warn_of_overflow(states)
    return states


@or_one_time(axis=0)
def sensitivities(start: ArrayLike, params: ArrayLike, times: ArrayLike) -> Floats:
    """The derivatives of h, y and w by tau_h and by tau_y at `times`, counted from the start.

    `start` is one row (h, y, w), `params` one row (X, s, tau_h, tau_y), `times` (T); the result has a row for each
    time, in it a row for each of h, y and w, and in that the derivatives by tau_h and by tau_y. What `closed_form`
    refuses is refused.

    Every number is right to the last digit, which for different targets takes one or two milliseconds for each time.

    >>> sensitivities([0.05, 0.02, -0.05], [0.25, 1.0, 1.5, 0.8], [2.0])[0].round(6).tolist()
    [[-0.007486, -0.002804], [-0.003723, -0.008808], [0.00393, 0.034378]]
    """
    rows, given = checked(start, params)
    moments = _moments(times)
    slopes_by_time = np.empty((moments.size, 6))
    write = slopes.exact if given[0, 1] > 0 else _loop("differentiate_equal")
    write(rows[0], given[0], moments, slopes_by_time)
    return slopes_by_time.reshape(-1, 3, 2)


def checked(starts: ArrayLike, params: ArrayLike) -> tuple[Floats, Floats]:
    """Starts and params as tables of floats, or an `IntegrateError` about the first row that no network has.

    starts: rows of h, y and w at time zero. params: rows of |dx|^2, |dy_target|^2, tau_h and tau_y.

    >>> [table.shape for table in checked([0.05, 0.02, -0.05], [0.25, 1.0, 1.5, 0.8])]
    [(1, 3), (1, 4)]
    """
    rows, given = starts_and_params(starts, params)
    if rows.shape[1] != 3 or given.shape[1] != 4:
        raise IntegrateError(
            "starts must be rows (h, y, w) and params rows (X, s, tau_h, tau_y), "
            f"got {rows.shape[1]} and {given.shape[1]} columns"
        )
    h, y, w = rows.T
    X, s, tau_h, tau_y = given.T
    positive = (X > 0) & (tau_h > 0) & (tau_y > 0) & (s >= 0) & np.isfinite(given).all(axis=1)
    if not positive.all():
        k = int(np.argmin(positive))
        raise IntegrateError(
            f"row {k} of params is {given[k].tolist()}: X, tau_h and tau_y must be positive, s not negative"
        )
    if not (h > 0).all():
        k = int(np.argmin(h > 0))
        raise IntegrateError(
            f"start {k} has h = {h[k]:g}, where dh has no direction: give h > 0, or (a, b, n) to `signed_trajectories`"
        )
    with np.errstate(over="ignore", invalid="ignore"):
        distance, room = (y - w) ** 2, y * s * (1 + SLACK) + (SLACK * y) ** 2
    possible = (y >= 0) & (distance <= room) & np.isfinite(rows).all(axis=1)
    if not possible.all():
        k = int(np.argmin(possible))
        raise IntegrateError(
            f"start {k} has y = {y[k]:g} and w = {w[k]:g}, but y must not be negative and (y - w)^2 not exceed y s"
        )
    return rows, given


def _ordinary(rows: Floats, given: Floats) -> bool:
    """Check whether all sizes are so far from the ends of the doubles that no intermediate result can leave them."""
    least = min(rows[:, 0].min(initial=1.0), given[:, [0, 2, 3]].min(initial=1.0))
    largest = max(rows.max(initial=1.0), -rows.min(initial=-1.0), given.max(initial=1.0))
    return bool(least >= 1 / ORDINARY and largest <= ORDINARY)


def _warn_of_overflow(states: Floats) -> None:
    """Name the first start whose solution is no number; those of the others stay."""
    bad = ~np.isfinite(states).all(axis=(1, 2))
    if bad.any():
        warnings.warn(
            f"the solution from start {int(np.argmax(bad))} is not a number, and so are {int(bad.sum())} in all, "
            "because sizes in it leave the range of doubles: choose other units",
            RuntimeWarning,
            stacklevel=3,
        )


def _moments(times: ArrayLike) -> Floats:
    moments = increasing(times)
    if moments[0] < 0:
        raise IntegrateError(f"times are counted from the start and must not be negative, got {moments[0]:g}")
    return moments


@cache
def _loop(name: str) -> Callable[..., Any]:
    return specialise(name, PARTS)
