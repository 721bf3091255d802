"""Section 3 for the rectified line: <g'(a) g'(b) g(c) g(d)> by the probability that four fields are positive.

Stein's lemma on both values leaves averages in which two of the four fields are zero, which are elementary, and C_cd times
that probability, which Price's theorem turns into one integral over a correlation. Where only steps occur, or one scale
is enough, variances are 1, as g(s x) = s g(x) for s > 0.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import sympy as sp

from derivations import prove
from derivations.language.averages import conditioned, zero_weight
from derivations.papers.carrasco_davis_grant_2025.section_3_averages.integrals import RAMP, C, a, b, c, d, with_products
from derivations.papers.carrasco_davis_grant_2025.section_3_averages.limits_of_covariances import (
    slope_value,
    three_steps,
)
from derivations.papers.carrasco_davis_grant_2025.setup import paper
from derivations.prove import Certificate

# --- two zeros and two slopes ------------------------------------------------------------------------------------------

first, area, given_first, given_second, given_area = sp.symbols(
    "first area given_first given_second given_area", positive=True
)
both, given_both = sp.symbols("both given_both", real=True)
SEEN = sp.Matrix(2, 2, sp.symbols("C_ac C_ad C_bc C_bd", real=True))
"""The covariances of a and b with c and d."""
PAIR = sp.Matrix([[first, both], [both, (area + both**2) / first]])
GIVEN = sp.Matrix([[given_first, given_both], [given_both, given_second]])
"""The covariance of a and b, and that of c and d where a = b = 0."""
WHOLE = sp.BlockMatrix([[PAIR, SEEN], [SEEN.T, GIVEN + SEEN.T * PAIR.inv() * SEEN]]).as_explicit()
BY_AREA = {given_second: (given_area + given_both**2) / given_first}


@paper.claim("Section 3, closed form for ReLU: two zeros and two slopes", rests_on=["ramp_slopes"])
def ramp_zeros_and_slopes() -> Certificate:
    """For the rectified line <delta(a) delta(b) g'(c) g'(d)> is the density of a = b = 0 times the average of the slopes under the
    covariance that c and d have there: its derivative by C_cd is the density of four zeros."""
    density, given = conditioned(WHOLE, [a, b])
    value = density * RAMP.slopes(GIVEN, 0, 1)
    all_four = 1 / (4 * sp.pi**2 * sp.sqrt(area * given_area))
    return prove.chain(
        "the density of four zeros, and signs that are independent where a = b = 0",
        "Price",
        derivative=prove.every(
            prove.identity(given[2:, 2:], GIVEN),
            prove.identity(WHOLE.det(), area * GIVEN.det()),
            prove.identity(with_products(sp.diff(value, given_both)).subs(BY_AREA), all_four),
        ),
        base=prove.identity(value.subs(given_both, 0), 1 / (8 * sp.pi * sp.sqrt(area))),
    )


# --- two slopes and two values -----------------------------------------------------------------------------------------


@paper.claim("Section 3, closed form for ReLU: two slopes and two values", rests_on=["ramp_zeros_and_slopes"])
def ramp_slopes_and_values() -> Certificate:
    """For the rectified line and four fields <g'(a) g'(b) g(c) g(d)> is C_cd times the probability that all are positive, and a weight
    for every pair x, y times <delta(x) delta(y)> with steps of the other two: Stein's lemma on c brings out one zero, and on d,
    where that field is zero, the other."""
    return prove.chain(
        "Stein's lemma on c and on d",
        "Stein",
        equation=prove.every(
            *(_weight_by_two_steps(x, y) for x, y in combinations((a, b, c, d), 2)),
            _one_zero_after_the_other(),
        ),
    )


def _weight_by_two_steps(x: int, y: int) -> Certificate:
    ways = [C[c, zero] * conditioned(C, [zero])[1][d, other] for zero, other in ((x, y), (y, x))]
    return prove.identity(zero_weight(C, x, y, c, d), sum(ways))


def _one_zero_after_the_other() -> Certificate:
    """Conditioning on a = 0 and then on b = 0 is conditioning on both."""
    density, once = conditioned(C, [a])
    further, twice = conditioned(once, [b])
    at_once, given = conditioned(C, [a, b])
    return prove.every(
        prove.identity((density * further) ** 2, at_once**2),
        prove.identity(twice[2:, 2:], given[2:, 2:]),
    )


apart = C.copy()
for row, column in ((a, c), (a, d), (b, c), (b, d)):
    apart[row, column] = apart[column, row] = 0
"""Slopes whose fields are independent of those of the values."""


@paper.claim(
    "Section 3, closed form for ReLU: slopes apart from values",
    rests_on=["ramp_slopes_and_values", "ramp_values", "ramp_pairs_of_slopes"],
)
def ramp_slopes_apart_from_values() -> Certificate:
    """Where a and b are independent of c and d the closed form is <g'(a) g'(b)> <g(c) g(d)>, as the probability of four positive fields
    is that of two times that of two."""
    slopes, values = RAMP.slopes(apart, a, b), RAMP.values(apart, c, d)
    found = RAMP.slopes_values(apart, a, b, c, d, all_positive=slopes * RAMP.slopes(apart, c, d))
    return prove.identity(found, slopes * values, [C[c, c] * C[d, d] > C[c, d] ** 2])


# --- four positive fields ----------------------------------------------------------------------------------------------

t = sp.Symbol("t", positive=True)
r_ab, r_ac, r_ad, r_bc, r_bd, r_cd = sp.symbols("r_ab r_ac r_ad r_bc r_bd r_cd", real=True)
UNIT = sp.Matrix([[1, r_ab, r_ac, r_ad], [r_ab, 1, r_bc, r_bd], [r_ac, r_bc, 1, r_cd], [r_ad, r_bd, r_cd, 1]])
CORRELATIONS = (r_ab, r_ac, r_ad, r_bc, r_bd, r_cd)
INSIDE = {r: (1 - h**2) / (1 + h**2) for r, h in zip(CORRELATIONS, sp.symbols("h_:6", positive=True), strict=True)}
"""Correlations between -1 and 1, by tangents of half their angles: sqrt(1 - r^2) is a fraction."""


def _same(left: Any, right: Any) -> Certificate:
    return prove.identity(*(with_products(side.xreplace(INSIDE)) for side in (left, right)))


PATH = UNIT.copy()
for other in (b, c, d):
    PATH[a, other] = PATH[other, a] = t * UNIT[a, other]
"""The correlations of a grow with t, from 0 to their values at t = 1."""


def given_zeros(j: int) -> Any:
    """The covariance of all fields where a = j = 0 on the path, times 1 - t^2 r_aj^2."""
    along = PATH[a, j]

    def entry(k: int, l: int) -> Any:
        alone = PATH[a, k] * PATH[a, l] + PATH[j, k] * PATH[j, l]
        crossed = along * (PATH[a, k] * PATH[j, l] + PATH[j, k] * PATH[a, l])
        return PATH[k, l] * (1 - along**2) - alone + crossed

    return sp.Matrix(4, 4, entry)


def angle(j: int) -> Any:
    """The arcsine of the correlation that the other two have there."""
    (k, l), given = (k for k in (b, c, d) if k != j), given_zeros(j)
    return sp.asin(given[k, l] / sp.sqrt(given[k, k] * given[l, l]))


def integrand() -> Any:
    """Of the integral from t = 0 to 1 that is left of the probability, over 1/(4 pi^2)."""
    return sum(UNIT[a, j] * angle(j) / sp.sqrt(1 - t**2 * UNIT[a, j] ** 2) for j in (b, c, d))


@paper.claim("Section 3, closed form for ReLU: four positive fields", rests_on=["ramp_zeros_and_slopes"])
def ramp_four_slopes() -> Certificate:
    """The probability that four fields are positive is 1/16 + the sum of asin(r)/(8 pi) over the six correlations, and one integral from
    t = 0 to 1 over 4 pi^2: the correlations of one field are multiplied by t, and each adds r_aj/sqrt(1 - t^2 r_aj^2) times the
    arcsine of the correlation of the other two where a = j = 0."""
    known = sum(sp.asin(PATH[x, y]) for x, y in combinations((a, b, c, d), 2)) / (8 * sp.pi) + sp.Rational(1, 16)
    others = UNIT.extract([b, c, d], [b, c, d])
    return prove.chain(
        "two zeros and two slopes along the path, and one field apart at its start",
        "Price",
        derivative=prove.every(
            *(_given_on_the_path(j) for j in (b, c, d)),
            prove.identity(_rate_on_the_path(), sp.diff(known, t) + integrand() / (4 * sp.pi**2)),
        ),
        base=prove.identity(three_steps(others) / 2, known.subs(t, 0)),
    )


def _given_on_the_path(j: int) -> Certificate:
    density, given = conditioned(PATH, [a, j])
    inside = 1 - PATH[a, j] ** 2
    return prove.every(
        prove.identity(inside * given, given_zeros(j)),
        prove.identity(density * sp.sqrt(inside), 1 / (2 * sp.pi), [inside > 0]),
    )


def _rate_on_the_path() -> Any:
    densities = (1 / (2 * sp.pi * sp.sqrt(1 - PATH[a, j] ** 2)) for j in (b, c, d))
    return sum(
        UNIT[a, j] * density * (sp.Rational(1, 4) + angle(j) / (2 * sp.pi))
        for j, density in zip((b, c, d), densities, strict=True)
    )


sine, correlation = sp.symbols("sine correlation", real=True)


@paper.claim("Section 3, closed form for ReLU: an integral without poles", rests_on=["ramp_four_slopes"])
def ramp_integrand_is_bounded() -> Certificate:
    """With t = sin(angle) no part of the integrand is larger than its arcsine times |r_aj|, also where r_aj = 1 or -1: (dt/d angle)^2 =
    1 - t^2 is less than 1 - t^2 r_aj^2 by t^2 (1 - r_aj^2)."""
    turned = 1 / sp.diff(sp.asin(sine), sine)
    return prove.identity(1 - sine**2 * correlation**2 - turned**2, sine**2 * (1 - correlation**2))


@paper.claim("Section 3, closed form for ReLU: two pairs of positive fields", rests_on=["ramp_zeros_and_slopes"])
def ramp_pairs_of_slopes() -> Certificate:
    """Where a and b are independent of c and d the probability of four positive fields is elementary: that of two times that of two."""
    pairs = UNIT.subs({r_ac: 0, r_ad: 0, r_bc: 0, r_bd: 0})
    product = RAMP.slopes(pairs, a, b) * RAMP.slopes(pairs, c, d)
    return prove.chain(
        "two zeros and two slopes, and one field apart",
        "Price",
        derivative=_same(sp.diff(product, r_ab), RAMP.zeros_and_slopes(pairs, [a, b], c, d)),
        base=prove.identity(product.subs(r_ab, 0), RAMP.slopes(pairs, c, d) / 4),
    )


@paper.claim("Section 3, closed form for ReLU: one field apart", rests_on=["ramp_zeros_and_slopes"])
def ramp_one_field_apart() -> Certificate:
    """Where d is independent of the others the probability of four positive fields is half of 1/8 + (asin r_ab + asin r_ac + asin
    r_bc)/(4 pi): it is elementary."""
    alone = UNIT.subs({r_ad: 0, r_bd: 0, r_cd: 0})
    half = three_steps(alone[:3, :3]) / 2
    return prove.chain(
        "two zeros and two slopes for each correlation, and four independent signs",
        "Price",
        derivative=prove.every(
            _same(sp.diff(half, r_ab), RAMP.zeros_and_slopes(alone, [a, b], c, d)),
            _same(sp.diff(half, r_ac), RAMP.zeros_and_slopes(alone, [a, c], b, d)),
            _same(sp.diff(half, r_bc), RAMP.zeros_and_slopes(alone, [b, c], a, d)),
        ),
        base=prove.identity(half.subs({r_ab: 0, r_ac: 0, r_bc: 0}), sp.Rational(1, 16)),
    )


# --- equal indices -----------------------------------------------------------------------------------------------------

THREE = UNIT[:3, :3]


def slopes_and_square(C: Any) -> Any:
    """<g'(a) g'(b) g(c)^2>, by Stein's lemma on c."""
    total = C[c, c] * three_steps(C)
    for zero, slope in ((a, b), (b, a)):
        density, given = conditioned(C, [zero])
        total += C[c, zero] * density * slope_value(given, slope, c)
    return total


@paper.claim("Section 3, closed form for ReLU: two slopes and one value twice", rests_on=["ramp_slopes"])
def ramp_two_slopes_and_square() -> Certificate:
    """<g'(a) g'(b) g(c)^2>, which is I4 where both values are of one field, is elementary: its derivative by C_ab is <delta(a) delta(b)
    g(c)^2>, that by C_ac is 2 <delta(a) g'(b) g(c)>, and where c is independent it is <g'(a) g'(b)> C_cc/2."""
    value = slopes_and_square(THREE)
    density, given = conditioned(THREE, [a, b])
    one, once = conditioned(THREE, [a])
    return prove.chain(
        "both derivatives, and an independent value",
        "Price",
        derivative=prove.every(
            _same(sp.diff(value, r_ab), density * given[c, c] / 2),
            _same(sp.diff(value, r_ac), 2 * one * slope_value(once, b, c)),
        ),
        base=prove.identity(value.subs({r_ac: 0, r_bc: 0}), RAMP.slopes(THREE, a, b) / 2),
    )
