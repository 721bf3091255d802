"""The two-point flow of van Rossem & Saxe (2024) for many starts at once, through dh = 0 too.

    run = trajectories(starts, params, times)                    # h = |dh|^2, y = |dy|^2 and w = y - dy.(y2 - y1)
    run.states[start, time, component], run.messages[start]

A row of `starts` is (h, y, w), a row of `params` is (X, s, tau_h, tau_y) with X = |x2 - x1|^2 and s = |y2 - y1|^2.

The flow of (h, y, w) divides by h, so that starts which pass through dh = 0 lose all digits there. What is integrated
is the flow of the signed distance a, of b = u.(y2 - y1) and of n = |u|^2, where dh = a e and dy = a u: it is polynomial
(claim van_rossem_saxe_2024:signed_coordinates), and h = a^2, y = a^2 n and w = a^2 n - a b obey the system derived from
the loss (claim van_rossem_saxe_2024:signed_flow_gives_squared).
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from numerics.machine.code_cache import seal
from numerics.ode.series import by_series
from numerics.ode.trajectories import Trajectory
from numerics.theory.two_point import checked

# mypy: allow-untyped-decorators

Floats = NDArray[np.float64]

JETS = "numerics.theory.two_point.jets"


def trajectories(
    starts: ArrayLike,
    params: ArrayLike,
    times: ArrayLike,
    rtol: float = 1e-12,
    atol: float = 1e-12,
    *,
    threads: int | None = None,
) -> Trajectory:
    """h, y and w at `times`, of which the first is where the starts are, by power series of the flow.

    `starts` are rows (h, y, w) with h > 0 and `params` one row (X, s, tau_h, tau_y) or one for each start; `rtol` and
    `atol` are the tolerances of the signed coordinates a, b and n. The result has `states` of shape (starts, times, 3)
    and a message for each start that could not be followed. What `signed` refuses is refused.

    >>> run = trajectories([0.05, 0.02, -0.05], [0.25, 1.0, 1.5, 0.8], [0.0, 2.0])
    >>> run.states[0, 1].round(6).tolist()
    [0.060834, 0.029276, -0.080837]
    """
    return by_series(JETS, signed(starts, params), params, times, rtol, atol, view=_square, threads=threads)


def signed_trajectories(
    starts: ArrayLike,
    params: ArrayLike,
    times: ArrayLike,
    rtol: float = 1e-12,
    atol: float = 1e-12,
    *,
    threads: int | None = None,
) -> Trajectory:
    """a, b and n at `times` from starts (a, b, n), for which a may be zero or negative; else as `trajectories`.

    >>> run = signed_trajectories([0.0, 0.3, 0.5], [0.25, 1.0, 1.5, 0.8], [0.0, 2.0])
    >>> run.states[0, 1].round(6).tolist()
    [0.024696, 0.307699, 0.504574]
    """
    return by_series(JETS, starts, params, times, rtol, atol, threads=threads)


def signed(starts: ArrayLike, params: ArrayLike) -> Floats:
    """The rows (a, b, n) with a > 0 for rows (h, y, w), or an `IntegrateError` about the first that no network has.

    >>> signed([0.25, 0.04, -0.06], [0.25, 1.0, 1.5, 0.8]).round(6).tolist()
    [[0.5, 0.2, 0.16]]
    """
    rows, _ = checked(starts, params)
    h, y, w = rows.T
    a = np.sqrt(h)
    return np.column_stack([a, (y - w) / a, y / h])


@njit(cache=True, nogil=True)
def _square(states: Floats) -> None:
    """Rewrite a, b, n as h, y, w."""
    for k in range(states.shape[0]):
        for j in range(states.shape[2]):
            a, b, n = states[k, 0, j], states[k, 1, j], states[k, 2, j]
            states[k, 0, j] = a * a
            states[k, 1, j] = a * (a * n)
            states[k, 2, j] = a * (a * n - b)


seal([_square])
