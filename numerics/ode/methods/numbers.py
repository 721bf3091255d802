"""Loops over rows of numbers, compiled as a part of integrators."""

# mypy: ignore-errors

from numba import njit


@njit(cache=True)
def copy(source, target):
    """Write numbers into an array that is as long; a slice assignment takes seconds to compile."""
    for k in range(source.size):
        target[k] = source[k]


@njit(cache=True)
def is_finite(numbers):
    """Check whether all of them are."""
    total = 0.0
    for x in numbers:
        total += x - x
    return total == 0.0
