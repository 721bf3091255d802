"""Taylor coefficients along flows with known solutions: a pole, an exponential, and a product of both that decays.

dp/dt = c p^2,   dq/dt = -c q,   dz/dt = c (p z - z)
"""

# mypy: ignore-errors

from numba import njit

from numerics.machine.lanes import LANES, load, spread, store
from numerics.machine.lanes.jets import ROW, over

STATES = 3
PARAMETERS = 1
SERIES = 3
FIXED = 1


@njit(cache=True)
def fix(given, fixed):
    """Write the coefficient that stays the same during a run."""
    store(fixed, 0, load(given, 0))


@njit(cache=True)
def jets(series, fixed, first, last):
    """Write the coefficients up to the order `last`, the state's from those up to `first`."""
    c = load(fixed, 0)
    for k in range(first, last):
        square = product = spread(0.0)
        for j in range(k + 1):
            p = load(series, j * LANES)
            square += p * load(series, (k - j) * LANES)
            product += p * load(series, 2 * ROW + (k - j) * LANES)
        at = k * LANES
        q, z = load(series, ROW + at), load(series, 2 * ROW + at)
        store(series, at + LANES, over(c * square, k + 1.0))
        store(series, ROW + at + LANES, over(spread(0.0) - c * q, k + 1.0))
        store(series, 2 * ROW + at + LANES, over(c * (product - z), k + 1.0))
