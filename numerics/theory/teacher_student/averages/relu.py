"""Averages for g(x) = max(x, 0), whose slope is 1 where x is positive, as a part for `numerics.machine.specialise`.

With fields of variance 1, legs l_ij = sqrt(1 - r_ij^2), P the probability that all fields are positive and P(kl|ij)
that k and l are where i and j vanish, Stein's lemma gives (Tallis 1961)

    <g'(a) g'(b) g(c) g(d)> = r_cd P(abcd) + (k_ab P(cd|ab) + l_cd P(ab|cd) + r_ad l_ac P(bd|ac) + r_bd l_bc P(ad|bc)
                              + r_ac l_ad P(bc|ad) + r_bc l_bd P(ac|bd))/(2 pi),
    k_ab = (r_ac (r_bd - r_ab r_ad) + r_bc (r_ad - r_ab r_bd))/l_ab,

and with fewer fields averages without any integral. A field without variance is zero for every input, where the slope
of a rectifier is 0, as it is in a simulation: such a unit never moves.
"""

# mypy: ignore-errors
# ruff: noqa: PLR0917

from math import atan2, pi, sqrt

import numpy as np
from numba import njit

from numerics.theory.teacher_student.averages.orthants import (
    PAIRS,
    WORK,
    correlation,
    four_positive,
    given,
    pair,
    parts,
    place,
    settle,
    sine,
    three_positive,
)
from numerics.theory.teacher_student.averages.twofold import determinant, leg, minus, plus, rounded, times, wide

INDEX_OF_PAIR = np.zeros((4, 4), dtype=np.int64)  # where a pair stands in PAIRS
INDEX_OF_PAIR[PAIRS[:, 0], PAIRS[:, 1]] = INDEX_OF_PAIR[PAIRS[:, 1], PAIRS[:, 0]] = np.arange(6)


@njit(cache=True)
def J2(C):
    """<g'(a) g'(b)>."""
    if C[0, 0] == 0.0 or C[1, 1] == 0.0:
        return 0.0
    return atan2(_area(C, 0, 1), -C[0, 1]) / (2.0 * pi)


@njit(cache=True)
def I2(C):
    """<g(a) g(b)>."""
    return _area(C, 0, 1) / (2.0 * pi) + C[0, 1] * J2(C)


@njit(cache=True)
def I3(C):
    """<g'(a) b g(c)>."""
    if C[0, 0] == 0.0 or C[2, 2] == 0.0:
        return 0.0
    area = _area(C, 0, 2)
    return C[1, 2] * atan2(area, -C[0, 2]) / (2.0 * pi) + C[0, 1] / C[0, 0] * area / (2.0 * pi)


@njit(cache=True)
def I4(C):
    """<g'(a) g'(b) g(c) g(d)>."""
    if C[0, 0] == 0.0 or C[1, 1] == 0.0:
        return 0.0
    ab, ac, ad = _correlated(C, 0, 1), _correlated(C, 0, 2), _correlated(C, 0, 3)
    bc, bd, cd = _correlated(C, 1, 2), _correlated(C, 1, 3), _correlated(C, 2, 3)
    return sqrt(C[2, 2]) * sqrt(C[3, 3]) * four_fields(ab, ac, ad, bc, bd, cd, np.empty(WORK))


@njit(cache=True)
def _area(C, a, b):
    return leg(determinant(wide(C[a, a]), wide(C[b, b]), wide(C[a, b])))


@njit(cache=True)
def _correlated(C, a, b):
    return correlation(C[a, b], C[a, a], C[b, b])


# --- fields of variance 1 ---------------------------------------------------------------------------------------------


@njit(cache=True)
def slope_and_values(ac, ad, cd):
    """<g'(a) g(c) g(d)>."""
    legs = sine(cd) + ac[0] * sine(ad) + ad[0] * sine(ac)
    return cd[0] * three_positive(ac, ad, cd) + legs / (4.0 * pi)


@njit(cache=True)
def slopes_and_square(ab, ac, bc):
    """<g'(a) g'(b) g(c)^2>."""
    legs = ac[0] * sine(ac) + bc[0] * sine(bc) + mixed(ab, ac, ac, bc, bc)
    return three_positive(ab, ac, bc) + legs / (4.0 * pi)


@njit(cache=True)
def mixed(ab, ac, ad, bc, bd):
    """k_ab, which vanishes with its leg."""
    length = sine(ab)
    if length == 0.0:
        return 0.0
    first = times(ac, minus(bd, times(ab, ad)))
    return rounded(plus(first, times(bc, minus(ad, times(ab, bd))))) / length


@njit(cache=True)
def four_fields(ab, ac, ad, bc, bd, cd, work):
    """<g'(a) g'(b) g(c) g(d)>."""
    if abs(ab[0]) == 1.0:
        return slope_and_values(ac, ad, cd) if ab[0] > 0.0 else 0.0
    if abs(cd[0]) == 1.0:
        return slopes_and_square(ab, ac, bc) if cd[0] > 0.0 else 0.0
    if abs(ac[0]) == 1.0:
        return slope_and_values(ab, bd, ad) if ac[0] > 0.0 else 0.0
    if abs(ad[0]) == 1.0:
        return slope_and_values(ab, bc, ac) if ad[0] > 0.0 else 0.0
    if abs(bc[0]) == 1.0:
        return slope_and_values(ab, ad, bd) if bc[0] > 0.0 else 0.0
    if abs(bd[0]) == 1.0:
        return slope_and_values(ab, ac, bc) if bd[0] > 0.0 else 0.0
    for p, r in enumerate((ab, ac, ad, bc, bd, cd)):
        place(work, PAIRS[p, 0], PAIRS[p, 1], r)
    settle(work)
    chances = np.empty(6)
    for p in range(6):
        chances[p] = given(work, p)
    return stein(work, four_positive(work), chances, 0, 1, 2, 3)


@njit(cache=True)
def stein(work, all_positive, chances, a, b, c, d):
    """The sum of all terms, for fields at these places of a work space that is settled."""
    r, once, _, _ = parts(work)
    mixing = rounded(plus(times(pair(r[a, c]), pair(once[a, b, d])), times(pair(r[b, c]), pair(once[b, a, d]))))
    total = (
        mixing / height(once, a, b) * chances[INDEX_OF_PAIR[a, b]] + height(once, c, d) * chances[INDEX_OF_PAIR[c, d]]
    )
    total += r[a, d, 0] * height(once, a, c) * chances[INDEX_OF_PAIR[a, c]]
    total += r[b, d, 0] * height(once, b, c) * chances[INDEX_OF_PAIR[b, c]]
    total += r[a, c, 0] * height(once, a, d) * chances[INDEX_OF_PAIR[a, d]]
    total += r[b, c, 0] * height(once, b, d) * chances[INDEX_OF_PAIR[b, d]]
    return r[c, d, 0] * all_positive + total / (2.0 * pi)


@njit(cache=True)
def height(once, a, b):
    """The leg of two fields."""
    return leg(pair(once[a, b, b]))
