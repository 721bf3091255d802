"""The smallest module of jets, d/dt x = -rate x. It shows what a Taylor method expects of one.

The coefficient of order k of series number s stands at s*ROW + k*LANES, one for each lane; the first STATES series are
the state. With IN_PAIRS both functions are also called with tuples of two arrays, for twice the digits.
"""

# mypy: ignore-errors

from numba import njit

from numerics.machine.lanes import LANES
from numerics.machine.lanes.jets import fetch, lay, over, same

ORDER = 16
ROW = (ORDER + 1) * LANES
STATES = 1
PARAMETERS = 1
SERIES = 1
FIXED = 1
IN_PAIRS = True


@njit(cache=True)
def fix(given, fixed):
    """Write the coefficients that stay the same during a run."""
    lay(fixed, 0, same(0.0, given) - fetch(given, 0))


@njit(cache=True)
def jets(series, fixed, first, last):
    """Write the coefficients up to the order `last`, the state's from those up to `first`."""
    slope = fetch(fixed, 0)
    for k in range(first, last):
        lay(series, (k + 1) * LANES, over(slope * fetch(series, k * LANES), k + 1.0))
