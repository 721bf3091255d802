"""Smooth activations of one number, by their kind, as a part of what trains networks."""

# mypy: ignore-errors

import math

from numba import njit

BENT = 0  # not smooth: it bends at 0
ELU = 1
TANH = 2
SWISH = 3


@njit(cache=True, forceinline=True)
def smooth(kind, z):
    """A smooth activation and its slope."""
    if kind == ELU:
        return (z, 1.0) if z > 0 else (math.expm1(z), math.exp(z))
    if kind == TANH:
        t = math.tanh(z)
        return t, 1.0 - t * t
    s = 1.0 / (1.0 + math.exp(-z))
    return z * s, s + z * s * (1.0 - s)
