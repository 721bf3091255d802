"""g(x) = max(x, 0), with slope 0 at 0."""

# mypy: ignore-errors

from numba import njit

from numerics.machine.lanes import chosen, spread


@njit(cache=True, forceinline=True)
def value_and_slope(x):
    """The activation and its slope."""
    zero = spread(0.0)
    return chosen(x, zero, zero, x), chosen(x, zero, zero, spread(1.0))
