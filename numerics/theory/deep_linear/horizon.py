"""How long the exact solution from weights in floats is that of the weights that were meant.

A start may see nothing of a direction in which the modes of the task grow: a start of the other sign, or knowledge of
the opposite. Exactly, it then stays on a saddle for ever. In floats it sees rounding there, or what its balance is off
by, and grows from that: as e^(f t), which is more than 10^15 after 36/f.
"""

from __future__ import annotations

import math

import numpy as np

from numerics.theory.deep_linear.modes import HARDLY, Array, Modes

HALVINGS = 60


def horizon(modes: Modes, off_balance: float) -> float:
    """The time up to which QQ' of one network shows neither rounding nor imbalance, in units of tau.

    It ends where what the start does not see has grown to the root of its size, so that its square, which is what QQ'
    has of it, is still as small as it was itself. Infinite where the start sees every growing direction clearly.
    """
    if modes.means > 0.0:
        return math.inf  # between two levels a start sees every direction
    noise = max(float(np.finfo(float).eps), off_balance)
    n = modes.pairs
    vectors, values, _ = np.linalg.svd(modes.components[:n])
    seen = np.zeros(n)
    seen[: values.size] = values
    unseen = vectors[:, seen <= noise / HARDLY * np.linalg.norm(modes.components)]
    rates = modes.frequencies[:n]
    if unseen.size == 0 or not (rates > 0.0).any():
        return math.inf
    last = -0.5 * math.log(noise) / float(rates[rates > 0.0].min())
    return _bisected(unseen, rates, math.sqrt(noise), last)


def _bisected(unseen: Array, rates: Array, level: float, last: float) -> float:
    """When the size of what maps the grown modes to the unseen directions falls to a level."""

    def above(time: float) -> bool:
        return bool(np.linalg.svd(np.exp(-rates * time)[:, None] * unseen, compute_uv=False)[-1] > level)

    if above(last * (1.0 + 1e-9)):
        return math.inf  # a mode of rate zero, which does not grow
    early, late = 0.0, last
    for _ in range(HALVINGS):
        middle = 0.5 * (early + late)
        early, late = (middle, late) if above(middle) else (early, middle)
    return early
