"""The smallest module of jets, d/dt x = -rate x. It shows what a Taylor method expects of one.

The coefficient of order k of series number s stands at s*ROW + k*LANES, one for each lane; the first STATES series are
the state.
"""

# mypy: ignore-errors

from numba import njit

from numerics.machine.lanes import LANES, load, spread, store
from numerics.machine.lanes.jets import over

STATES = 1
PARAMETERS = 1
SERIES = 1
FIXED = 1


@njit(cache=True)
def fix(given, fixed):
    """Write the coefficients that stay the same during a run."""
    store(fixed, 0, spread(0.0) - load(given, 0))


@njit(cache=True)
def jets(series, fixed, first, last):
    """Write the coefficients up to the order `last`, the state's from those up to `first`."""
    slope = load(fixed, 0)
    for k in range(first, last):
        store(series, (k + 1) * LANES, over(slope * load(series, k * LANES), k + 1.0))
