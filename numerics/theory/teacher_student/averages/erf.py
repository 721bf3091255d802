"""Averages for g(x) = erf(x/sqrt 2), whose slope is a Gaussian bell, as a part for `numerics.machine.specialise`.

A bell only tilts the covariance of the other fields, so that two of them leave an arcsine (Saad & Solla 1995).
"""

# mypy: ignore-errors

from math import atan2, pi

from numba import njit

from numerics.theory.teacher_student.averages.twofold import (
    above_one,
    determinant,
    leg,
    minus,
    plus,
    rounded,
    times,
    wide,
)


@njit(cache=True)
def J2(C):
    """<g'(a) g'(b)>."""
    return 2.0 / pi / leg(determinant(above_one(C[0, 0]), above_one(C[1, 1]), wide(C[0, 1])))


@njit(cache=True)
def I2(C):
    """<g(a) g(b)>."""
    return 2.0 / pi * atan2(C[0, 1], leg(determinant(above_one(C[0, 0]), above_one(C[1, 1]), wide(C[0, 1]))))


@njit(cache=True)
def I3(C):
    """<g'(a) b g(c)>."""
    a = above_one(C[0, 0])
    tilted = minus(times(wide(C[1, 2]), a), times(wide(C[0, 1]), wide(C[0, 2])))
    return 2.0 / pi * rounded(tilted) / rounded(a) / leg(determinant(a, above_one(C[2, 2]), wide(C[0, 2])))


@njit(cache=True)
def I4(C):
    """<g'(a) g'(b) g(c) g(d)>."""
    a, b, ab = above_one(C[0, 0]), above_one(C[1, 1]), wide(C[0, 1])
    L = determinant(a, b, ab)
    cc, dd, cd = schur(C, 2, 2, a, b, ab, L), schur(C, 3, 3, a, b, ab, L), schur(C, 2, 3, a, b, ab, L)
    other = leg(determinant(plus(L, cc), plus(L, dd), cd))
    return 4.0 / (pi * pi) / leg(L) * atan2(rounded(cd), other)


@njit(cache=True)
def schur(C, c, d, a, b, ab, L):  # noqa: PLR0917
    """L times the covariance of fields c and d after tilting by the bells of the first two."""
    ca, cb, da, db = wide(C[c, 0]), wide(C[c, 1]), wide(C[d, 0]), wide(C[d, 1])
    straight = plus(times(times(ca, da), b), times(times(cb, db), a))
    across = times(ab, plus(times(ca, db), times(cb, da)))
    return plus(minus(times(wide(C[c, d]), L), straight), across)
