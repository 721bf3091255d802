"""Averages for g(x) = x, as a part for `numerics.machine.specialise`."""

# mypy: ignore-errors

from numba import njit


@njit(cache=True)
def J2(C):
    """<g'(a) g'(b)>."""
    return 1.0


@njit(cache=True)
def I2(C):
    """<g(a) g(b)>."""
    return C[0, 1]


@njit(cache=True)
def I3(C):
    """<g'(a) b g(c)>."""
    return C[1, 2]


@njit(cache=True)
def I4(C):
    """<g'(a) g'(b) g(c) g(d)>."""
    return C[2, 3]
