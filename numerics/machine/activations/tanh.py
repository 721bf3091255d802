"""g(x) = tanh x."""

# mypy: ignore-errors

from numba import njit

from numerics.machine.lanes.functions import hyperbolic_tangent


@njit(cache=True, forceinline=True)
def value_and_slope(x):
    """The activation and its slope."""
    return hyperbolic_tangent(x)
