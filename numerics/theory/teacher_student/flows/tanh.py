"""The activation g(x) = tanh x and its slope: functions of numbers and of arrays, for averages and for flows."""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators

import numpy as np
from numba import njit


@njit(cache=True)
def g(x):
    """The activation."""
    return np.tanh(x)


@njit(cache=True)
def slope(x):
    """Its slope, without the cancellation in 1 - tanh^2."""
    return 1.0 / np.cosh(x) ** 2
