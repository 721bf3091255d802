"""The value v of a separate head on an eigenvector: dv/dt = l^2 v^2 - l^3 c v^5, by its implicit solution.

With k^3 = l c and r = 1/(k v) the time is k/l^2 times r0 - r + B(r) - B(r0), where
B = (ln(r^2 + r + 1)/2 - ln|r - 1| - 3^(1/2) arctan((r + 2)/(3^(1/2) r)))/3. As a function of y = ln|r - 1| it bends to
one side alone, so that Newton's steps find y from everywhere. Far above the end, where r is small and the terms cancel,
the time that a head has taken from infinity is the series r^4/4 + r^7/7 + ... instead.
"""

from __future__ import annotations

from math import atan, inf, log, log1p, pi, sqrt

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

ROOT, STEPS = sqrt(3.0), 100
FAR = 0.5  # r up to which the series is used
POWERS = np.arange(4, 61, 3)


def _bent(r: Array | float, y: Array | float) -> Array:
    """B at r, with y = ln|r - 1|."""
    return np.asarray((np.log(r * r + r + 1.0) / 2.0 - y - ROOT * np.arctan((r + 2.0) / (ROOT * r))) / 3.0)


_HALF = 2.0 ** (1 / 3)
HALF = float(_bent(_HALF, log(_HALF - 1.0))) - _HALF + ROOT * pi / 18.0
"""Half of what there is to learn is learned this later than a head that stays small escapes, in units of k/l^2."""


def value_at(times: Array, start: float, strength: float, spread: float) -> Array:
    """The value of a head at these times: it starts from `start` on an eigenvector of value `strength`.

    `times` (T) count from the start, `spread` is that of `time_between`. Returns one value for each of the times.

    >>> value_at(np.array([0.0, 5.0, 10.0, 40.0]), 0.1, 1.0, 1.0).round(3).tolist()
    [0.1, 0.199, 0.969, 1.0]
    """
    k = float(strength * spread) ** (1.0 / 3.0)
    if start == 0.0 or start * k == 1.0:
        return np.full_like(times, start)
    first, passed = 1.0 / (k * start), strength**2 / k * times
    value = _from_below(first, passed) if first > 1.0 else _from_above(first, passed)
    return np.where(times == 0.0, start, 1.0 / (k * value))


def _from_below(first: float, passed: Array) -> Array:
    """r > 1 after these times."""
    y = np.log(np.maximum(first - passed, min(first, 2.0)) - 1.0)
    return np.asarray(1.0 + np.exp(_settled(y, first - _bent(first, log(first - 1.0)) - passed, 1.0)))


def _from_above(first: float, passed: Array) -> Array:
    """r < 1 after these times."""
    spent = _time_from_infinity(first) + passed
    early = np.minimum(spent, _time_from_infinity(FAR))
    r = (4.0 * early) ** 0.25
    for _ in range(STEPS):
        r, before = r - ((r[:, None] ** POWERS / POWERS).sum(-1) - early) * (1.0 - r**3) / r**3, r
        if np.abs(r / before - 1.0).max(initial=0.0) <= 1e-15:
            break
    y = _settled(np.full_like(r, log(FAR)), ROOT * pi / 6.0 - spent, -1.0)
    return np.where(spent <= _time_from_infinity(FAR), r, 1.0 - np.exp(y))


def _settled(y: Array, known: Array, side: float) -> Array:
    """Newton's steps for y where known - r + B(r) is zero, with r = 1 + exp(y) or 1 - exp(y)."""
    for _ in range(STEPS):
        r = 1.0 + side * np.exp(y)
        change = (known - r + _bent(r, y)) * (r * r + r + 1.0) / r**3
        y = y + change
        if np.abs(change).max(initial=0.0) <= 1e-15 * np.abs(y).max(initial=1.0):
            break
    return y


def _time_from_infinity(r: float) -> float:
    """Return the time from r = infinity to r < 1."""
    if r <= FAR:
        return float((r**POWERS / POWERS).sum())
    return float(_bent(r, log1p(-r))) - r + ROOT * pi / 6.0


def time_between(start: float, value: float, strength: float, spread: float) -> float:
    """The time that a head takes from one value to another one, which is between it and the end.

    start: its value at first. value: the later one. strength, spread: l and c in the flow of this module, the
    eigenvalue and what ends the growth. Returns infinity where the end itself is asked for.

    >>> round(time_between(0.1, 0.5, 1.0, 1.0), 3), time_between(0.1, 1.0, 1.0, 1.0)
    (8.127, inf)
    """
    k = float(strength * spread) ** (1.0 / 3.0)
    u, v, far = k * start, k * value, 1.0 / FAR
    if v == 1.0:
        return inf
    if u <= far:
        taken = _between(u, v, k * (value - start))
    elif v >= far:
        taken = _from_far(u, (start - value) / value)
    else:
        taken = _from_far(u, (u - far) / far) + _between(far, v, v - far)
    return float(k / strength**2 * taken)


def _between(u: float, v: float, gained: float) -> float:
    """In units of k/l^2 and 1/k, by differences of the terms."""
    bent = log1p(gained * (1.0 + v + u) / (1.0 + u + u * u)) / 2.0 + log1p(gained / (1.0 - v))
    turned = atan(2.0 * gained / ROOT / (1.0 + (2.0 * u + 1.0) * (2.0 * v + 1.0) / 3.0))
    return gained / (u * v) + (bent - ROOT * turned) / 3.0


def _from_far(u: float, share: float) -> float:
    """Return the same for a value that falls by this share of what is left of it, by differences of the series."""
    return float((u ** -POWERS.astype(float) * np.expm1(POWERS * log1p(share)) / POWERS).sum())
