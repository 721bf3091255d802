"""Starts that are nearly of two levels: the nearest exact solution, and how far from it the weights' own QQ' can be.

Weights drawn at random have more than two levels, and no formula. `nearly` takes the solution from the nearest start of
two levels instead, and says at each time how far QQ' of the given weights is from it at most. There are two bounds, by
one inequality (derived in `numerics.theory.deep_linear.following`): for two networks that learn the same task,
x = |Q - P| obeys dx/dt <= |e| x + x^3/16, with the residual e = Sigma - P2 P1 of one of them.

- From the distance of the starts alone: with P the exact solution, g the integral of |e| and x(0) the distance,

      x = x(0) exp(g)/sqrt(1 - x(0)^2/8 * integral of exp(2 g)),    |QQ' - PP'| <= 2 |P| x + x^2,

  and infinite from where the root vanishes. Along a gradient flow de/dt = -P2 P2' e - e P1'P1, so that |e| never grows:
  sums of its values at the beginnings of intervals are no less than its integral.
- By following the weights' own flow with Taylor series, with a bound of what that misses, and measuring the distance.

Roundings of the exact solution are allowed for by ROUNDED, relative to its size.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from numerics.theory.deep_linear.following import followed, spectral
from numerics.theory.deep_linear.modes import Array, Modes, fewer_columns, modes
from numerics.theory.deep_linear.nearest import nearest
from numerics.theory.deep_linear.riccati import robust

ROUNDED = 1e-13
INTERVALS = 200  # of equal length, and as many growing ones, in which |e| is summed
FIRST = 1e-6  # of the last time: the first of the growing intervals


@dataclass(frozen=True)
class Nearly:
    """The exact solution from the nearest start of two levels, and bounds of the distance from it to the true QQ'.

    Distances are roots of sums of squares of all entries.
    """

    states: Array  # (T, m, m): QQ' of the nearest exact solution
    bound: Array  # (T): the true QQ' is never further from it; the smaller of both bounds
    bound_from_distance: Array  # (T): the one from the distance of the starts alone
    followed: Array  # (T, m, m): QQ' of the given weights by Taylor series, nan where that was given up
    missed: Array  # (T): the true QQ' is never further from that
    a: float
    b: float
    distance: float  # of the weights from those of the exact solution at time zero


def nearest_solution(W1: Array, W2: Array, sigma: Array, times: Array) -> Nearly:
    """The nearest exact solution of one network at times in units of tau."""
    inputs, Q = W1.shape[1], np.concatenate([W1.T, W2])
    if Q.shape[1] > Q.shape[0]:
        Q = fewer_columns(Q)
    P, a, b = nearest(Q, inputs)
    seen = modes(P[:inputs].T, P[inputs:], sigma, np.float64(b - a), np.float64(np.sqrt(a) * np.sqrt(b)))
    states, distance = robust.states(seen, times), float(np.linalg.norm(Q - P))
    sizes = np.linalg.norm(states, axis=(1, 2))
    start = distance + float(np.finfo(float).eps) * float(np.linalg.norm(Q))
    direct = _distances(seen, sigma, start, times)
    largest = np.sqrt(spectral(states))
    with np.errstate(over="ignore", invalid="ignore"):
        from_distance = (2.0 * largest + direct) * direct
        true, missed = followed(Q, inputs, sigma, times)
        from_following = np.linalg.norm(true - states, axis=(1, 2)) + missed
    from_distance[np.isnan(from_distance)], from_following[np.isnan(from_following)] = np.inf, np.inf
    rounded = ROUNDED * sizes
    best = np.minimum(from_distance, from_following)
    return Nearly(states, best + rounded, from_distance + rounded, true, missed + rounded, float(a), float(b), distance)


def _distances(seen: Modes, sigma: Array, start: float, times: Array) -> Array:
    """x at every time, for x = `start` at time zero."""
    last = float(times.max(initial=0.0))
    if last == 0.0:
        return np.full(times.size, start)
    even, growing = np.linspace(0.0, last, INTERVALS + 1), last * np.geomspace(FIRST, 1.0, INTERVALS)
    grid = np.unique(np.concatenate([even, growing, times]))
    states, n = robust.states(seen, grid[:-1]), seen.inputs
    rounded = ROUNDED * np.linalg.norm(states, axis=(1, 2))
    sizes = spectral(sigma - states[:, n:, :n]) + rounded
    with np.errstate(over="ignore", invalid="ignore"):
        steps = sizes * np.diff(grid)
        g = np.concatenate([[0.0], np.cumsum(steps)])
        means = np.divide(np.expm1(2.0 * steps), 2.0 * steps, out=np.ones_like(steps), where=steps > 0.0)
        integral = np.concatenate([[0.0], np.cumsum(np.exp(2.0 * g[:-1]) * means * np.diff(grid))])
        remaining = 1.0 - start**2 / 8.0 * integral
        x = np.where(remaining > 0.0, start * np.exp(g) / np.sqrt(np.where(remaining > 0.0, remaining, 1.0)), np.inf)
    return np.asarray(x[np.searchsorted(grid, times)])
