"""The activation erf(x/sqrt 2) as a user would write a new one: two jitted functions of a number, also on arrays."""

from math import erf, exp, pi, sqrt

from numba import vectorize


@vectorize(["float64(float64)"], cache=True)
def g(x: float) -> float:
    """The activation."""
    return erf(x / sqrt(2.0))


@vectorize(["float64(float64)"], cache=True)
def slope(x: float) -> float:
    """Its slope."""
    return sqrt(2.0 / pi) * exp(-x * x / 2.0)
