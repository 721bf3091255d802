"""Arithmetic in twice the digits of a double: a number is the unevaluated sum of a pair (high, low)."""

# mypy: ignore-errors

from math import sqrt

from numba import njit


@njit(cache=True)
def two_sum(a, b):
    """a + b without error."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


@njit(cache=True)
def two_product(a, b):
    """a b without error."""
    product = a * b
    shifted = 134217729.0 * a
    a_high = shifted - (shifted - a)
    a_low = a - a_high
    shifted = 134217729.0 * b
    b_high = shifted - (shifted - b)
    b_low = b - b_high
    return product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low


@njit(cache=True)
def plus(a, b):
    """a + b."""
    high, low = two_sum(a[0], b[0])
    tail, rest = two_sum(a[1], b[1])
    high, low = two_sum(high, low + tail)
    return two_sum(high, low + rest)


@njit(cache=True)
def minus(a, b):
    """a - b."""
    return plus(a, (-b[0], -b[1]))


@njit(cache=True)
def times(a, b):
    """a b."""
    high, low = two_product(a[0], b[0])
    return two_sum(high, low + (a[0] * b[1] + a[1] * b[0]))


@njit(cache=True)
def quotient(a, b):
    """a/b, for b other than zero."""
    first = a[0] / b[0]
    rest = minus(a, times((first, 0.0), b))
    return two_sum(first, rest[0] / b[0])


@njit(cache=True)
def wide_root(a):
    """The square root, and zero of what is negative."""
    if a[0] <= 0.0:
        return 0.0, 0.0
    first = sqrt(a[0])
    rest = minus(a, two_product(first, first))
    return two_sum(first, rest[0] / (2.0 * first))


@njit(cache=True)
def wide(x):
    """A double as a pair."""
    return (x, 0.0)


@njit(cache=True)
def above_one(x):
    """1 + x for a double x."""
    return two_sum(1.0, x)


@njit(cache=True)
def rounded(a):
    """The nearest double."""
    return a[0] + a[1]


@njit(cache=True)
def determinant(aa, bb, ab):
    """The determinant of the symmetric matrix [aa, ab; ab, bb]."""
    return minus(times(aa, bb), times(ab, ab))


@njit(cache=True)
def leg(a):
    """The square root as a double, and zero of what is negative."""
    return sqrt(max(a[0] + a[1], 0.0))
