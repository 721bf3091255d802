"""The value v of a separate head on an eigenvector: dv/dt = l^2 v^2 - l^3 c v^5, by its implicit solution.

With k^3 = l c and r = 1/v the time is l^2 t = r0 - r + B(r) - B(r0), where
B = (k/3)(ln(r^2 + k r + k^2)/2 - ln|r - k| - 3^(1/2) arctan((r + 2 k)/(3^(1/2) r))). As a function of y = ln|r - k| it
bends to one side alone, so that Newton's steps find y from everywhere; v is 1/k at the end.
"""

from __future__ import annotations

from math import atan, inf, log, log1p, pi, sqrt

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

ROOT, STEPS = sqrt(3.0), 100


def _bent(r: float) -> float:
    """B for k = 1 and r > 1."""
    return (log(r * r + r + 1.0) / 2.0 - log(r - 1.0) - ROOT * atan((r + 2.0) / (ROOT * r))) / 3.0


HALF = _bent(2.0 ** (1 / 3)) - 2.0 ** (1 / 3) + ROOT * pi / 18.0
"""Half of what there is to learn is learned this later than a head that stays small escapes, in units of k/l^2."""


def value_at(times: Array, start: float, strength: float, spread: float) -> Array:
    """The value of a head at these times: it starts from `start` on an eigenvector of value `strength`.

    >>> value_at(np.array([0.0, 5.0, 10.0, 40.0]), 0.1, 1.0, 1.0).round(3).tolist()
    [0.1, 0.199, 0.969, 1.0]
    """
    k = (strength * spread) ** (1.0 / 3.0)
    if start == 0.0 or start * k == 1.0:
        return np.full_like(times, start)
    first, passed = 1.0 / start, strength**2 * times
    side = 1.0 if first > k else -1.0
    guess = np.maximum(first - passed, min(first, 2.0 * k)) if side > 0.0 else np.full_like(times, first)
    y = np.log(side * (guess - k))
    begun = first - _part(first, log(side * (first - k)), k)
    for _ in range(STEPS):
        r = k + side * np.exp(y)
        change = (begun - r + _part(r, y, k) - passed) * (r * r + k * r + k * k) / r**3
        y = y + change
        if np.abs(change).max(initial=0.0) <= 1e-15 * np.abs(y).max(initial=1.0):
            break
    return np.where(times == 0.0, start, 1.0 / (k + side * np.exp(y)))


def _part(r: Array | float, y: Array | float, k: float) -> Array:
    """B at r, with y = ln|r - k|."""
    return np.asarray(
        k / 3.0 * (np.log(r * r + k * r + k * k) / 2.0 - y - ROOT * np.arctan((r + 2.0 * k) / (ROOT * r)))
    )


def time_between(start: float, value: float, strength: float, spread: float) -> float:
    """The time that a head takes from one value to another one, which is between it and the end.

    >>> round(time_between(0.1, 0.5, 1.0, 1.0), 3), time_between(0.1, 1.0, 1.0, 1.0)
    (8.127, inf)
    """
    k = float(strength * spread) ** (1.0 / 3.0)
    u, v = k * start, k * value
    if v == 1.0:
        return inf
    gained = v - u
    bent = log1p(gained * (1.0 + v + u) / (1.0 + u + u * u)) / 2.0 + log1p(gained / (1.0 - v))
    turned = atan(2.0 * gained / ROOT / (1.0 + (2.0 * u + 1.0) * (2.0 * v + 1.0) / 3.0))
    return float(k / strength**2 * (gained / (u * v) + (bent - ROOT * turned) / 3.0))
