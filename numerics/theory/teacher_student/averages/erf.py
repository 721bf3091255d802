"""Averages for g(x) = erf(x/sqrt 2): the emitted kernels, of covariances in a matrix.

A slope is a Gaussian bell, which only tilts the covariance of the other fields, so that two of them leave an arcsine
(Saad & Solla 1995).
"""

# mypy: ignore-errors

from numba import njit

from numerics.kernels.carrasco_davis_grant_2025 import erf_I2, erf_I3, erf_I4, erf_J2


@njit(cache=True)
def J2(C):
    """<g'(a) g'(b)>."""
    return erf_J2(C[0, 0], C[1, 1], C[0, 1])[0]


@njit(cache=True)
def I2(C):
    """<g(a) g(b)>."""
    return erf_I2(C[0, 0], C[1, 1], C[0, 1])[0]


@njit(cache=True)
def I3(C):
    """<g'(a) b g(c)>."""
    return erf_I3(C[0, 0], C[2, 2], C[0, 1], C[1, 2], C[0, 2])[0]


@njit(cache=True)
def I4(C):
    """<g'(a) g'(b) g(c) g(d)>."""
    variances = C[0, 0], C[1, 1], C[2, 2], C[3, 3]
    return erf_I4(*variances, C[0, 1], C[0, 2], C[1, 2], C[0, 3], C[1, 3], C[2, 3])[0]
