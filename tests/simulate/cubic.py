"""The activation x + x^3/10 as a user would write it."""

from numba import njit, vectorize


@njit
def g(x: float) -> float:
    """The activation."""
    return x + x**3 / 10.0


@vectorize(["float64(float64)"], cache=True)
def slope(x: float) -> float:
    """Its slope."""
    return 1.0 + 0.3 * x * x
