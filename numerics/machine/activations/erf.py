"""g(x) = erf(x/sqrt 2)."""

# mypy: ignore-errors

from numba import njit

from numerics.machine.lanes import spread
from numerics.machine.lanes.functions import error_function


@njit(cache=True, forceinline=True)
def value_and_slope(x):
    """The activation and its slope."""
    value, bell = error_function(x)
    return value, spread(0.7978845608028654) * bell  # sqrt(2/pi)
