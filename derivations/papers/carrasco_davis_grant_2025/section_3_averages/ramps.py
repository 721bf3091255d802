"""Section 3 for the rectified line: <g'(a) g'(b) g(c) g(d)> by the probability that four fields are positive.

Stein's lemma on both values leaves averages in which two of the four fields are zero, which are elementary, and C_cd times
that probability, which grows along a path of correlations as one integral says. Where only steps occur, or one scale is
enough, variances are 1, as g(s x) = s g(x) for s > 0.
"""

from derivations.papers.carrasco_davis_grant_2025.setup import *
from itertools import combinations
from math import prod
from derivations.language.averages import conditioned, mean
from derivations.papers.carrasco_davis_grant_2025.section_3_averages.integrals import RAMP, C, a, b, c, d
from derivations.papers.carrasco_davis_grant_2025.section_3_averages.limits_of_covariances import (
    slope_value,
    three_steps,
)
from derivations.papers.carrasco_davis_grant_2025.source.unevaluated import derivative

FIELDS = (a, b, c, d)
POSITIVE = Symbol("all_positive", real=True)  # the probability that four fields are positive

def slopes(*fields):
    """The product of their slopes."""
    return prod((RAMP.slope(f) for f in fields[1:]), start=RAMP.slope(fields[0]))

# --- two slopes and two values ----------------------------------------------------------------------------------------
@paper.claim("Section 3, closed form for ReLU: two zeros and two slopes", rests_on="ramp_slopes")
def ramp_zeros_and_slopes():
    """For the rectified line <delta(a) delta(b) g'(c) g'(d)> is the density of a = b = 0 times the average of the slopes under the
    covariance that c and d have there."""
    zeros = RAMP.curvature(a) * RAMP.curvature(b)
    yield same(mean(zeros * slopes(c, d), C, FIELDS), RAMP.zeros_and_slopes(C, [a, b], c, d))

@paper.claim("Section 3, closed form for ReLU: two slopes and two values", rests_on="ramp_zeros_and_slopes")
def ramp_slopes_and_values():
    """For the rectified line and four fields <g'(a) g'(b) g(c) g(d)> is C_cd times the probability that all are positive, and a weight
    for every pair x, y times <delta(x) delta(y)> with steps of the other two."""
    product = slopes(a, b) * RAMP.value(c) * RAMP.value(d)
    closed = RAMP.slopes_values(C, *FIELDS, all_positive=POSITIVE)
    yield prove.average(mean(product, C, FIELDS), closed, given={POSITIVE: slopes(*FIELDS)})

apart = C.copy()
# Slopes whose fields are independent of those of the values.
for row, column in ((a, c), (a, d), (b, c), (b, d)):
    apart[row, column] = apart[column, row] = 0

@paper.claim("Section 3, closed form for ReLU: slopes apart from values",
    rests_on="ramp_slopes_and_values ramp_values ramp_pairs_of_slopes")
def ramp_slopes_apart_from_values():
    """Where a and b are independent of c and d the closed form is <g'(a) g'(b)> <g(c) g(d)>, as the probability of four positive fields
    is that of two times that of two."""
    steps, values = RAMP.slopes(apart, a, b), RAMP.values(apart, c, d)
    product = slopes(a, b) * RAMP.value(c) * RAMP.value(d)
    found = RAMP.slopes_values(apart, *FIELDS, all_positive=steps * RAMP.slopes(apart, c, d))
    yield same(mean(product, apart, FIELDS), steps * values)
    yield same(found, steps * values, C[c, c] * C[d, d] > C[c, d] ** 2)

# --- four positive fields ----------------------------------------------------------------------------------------------
t = Symbol("t", positive=True)
r_ab, r_ac, r_ad, r_bc, r_bd, r_cd = symbols("r_ab r_ac r_ad r_bc r_bd r_cd", real=True)
UNIT = Matrix([[1, r_ab, r_ac, r_ad], [r_ab, 1, r_bc, r_bd], [r_ac, r_bc, 1, r_cd], [r_ad, r_bd, r_cd, 1]])
PATH = UNIT.copy()
# The correlations of a grow with t, from 0 to their values at t = 1.
for other in (b, c, d):
    PATH[a, other] = PATH[other, a] = t * UNIT[a, other]

def angle(j):
    """The arcsine of the correlation that the other two have where a and j are zero."""
    k, l = (k for k in (b, c, d) if k != j)
    _, given = conditioned(PATH, [a, j])
    return asin(given[k, l] / sqrt(given[k, k]) / sqrt(given[l, l]))

def integrand():
    """The integrand of the integral from t = 0 to 1 that remains of the probability, over 1/(4 pi^2)."""
    return sum(UNIT[a, j] * angle(j) / sqrt(1 - t**2 * UNIT[a, j] ** 2) for j in (b, c, d))

@paper.claim("Section 3, closed form for ReLU: four positive fields", rests_on="ramp_zeros_and_slopes")
def ramp_four_slopes():
    """Where the correlations of one field are multiplied by t, the probability that four fields are positive is 1/16 + the sum of
    asin(r)/(8 pi) at t = 0, and grows as that does and by 1/(4 pi^2) times a sum over the other fields j: r_aj/sqrt(1 - t^2 r_aj^2)
    times the arcsine of the correlation of the other two where a = j = 0. So it is elementary but for one integral."""
    known = sum(asin(PATH[x, y]) for x, y in combinations(FIELDS, 2)) / (8 * pi) + Rational(1, 16)
    growth = derivative(known, t) + integrand() / (4 * pi**2)
    yield same(mean(slopes(*FIELDS), PATH, FIELDS), growth, rate=t)
    yield same(mean(slopes(*FIELDS), PATH.subs(t, 0), FIELDS), known.subs(t, 0))

sine, correlation = symbols("sine correlation", real=True)
@paper.claim("Section 3, closed form for ReLU: an integral without poles", rests_on="ramp_four_slopes")
def ramp_integrand_is_bounded():
    """With t = sin(angle) no part of the integrand is larger than its arcsine times |r_aj|, also where r_aj = 1 or -1: (dt/d angle)^2 =
    1 - t^2 is less than 1 - t^2 r_aj^2 by t^2 (1 - r_aj^2)."""
    turned = 1 / derivative(asin(sine), sine)
    yield same(1 - sine**2 * correlation**2 - turned**2, sine**2 * (1 - correlation**2))

@paper.claim("Section 3, closed form for ReLU: two pairs of positive fields", rests_on="ramp_zeros_and_slopes")
def ramp_pairs_of_slopes():
    """Where a and b are independent of c and d the probability of four positive fields is elementary: that of two times that of two."""
    pairs = UNIT.subs({r_ac: 0, r_ad: 0, r_bc: 0, r_bd: 0})
    product = RAMP.slopes(pairs, a, b) * RAMP.slopes(pairs, c, d)
    yield same(mean(slopes(*FIELDS), pairs, FIELDS), product)

@paper.claim("Section 3, closed form for ReLU: one field apart", rests_on="ramp_three_slopes")
def ramp_one_field_apart():
    """Where d is independent of the others the probability of four positive fields is half of 1/8 + (asin r_ab + asin r_ac + asin
    r_bc)/(4 pi): it is elementary."""
    alone = UNIT.subs({r_ad: 0, r_bd: 0, r_cd: 0})
    yield same(mean(slopes(*FIELDS), alone, FIELDS), three_steps(alone[:3, :3]) / 2)

# --- equal indices -----------------------------------------------------------------------------------------------------
THREE = UNIT[:3, :3]

def slopes_and_square(C):
    """<g'(a) g'(b) g(c)^2>."""
    total = C[c, c] * three_steps(C)
    for zero, slope in ((a, b), (b, a)):
        density, given = conditioned(C, [zero])
        total += C[c, zero] * density * slope_value(given, slope, c)
    return total

@paper.claim("Section 3, closed form for ReLU: two slopes and one value twice", rests_on="ramp_slopes")
def ramp_two_slopes_and_square():
    """<g'(a) g'(b) g(c)^2>, which is I4 where both values are of one field, is elementary: the probability of three positive fields, and
    C_ca <delta(a) g'(b) g(c)> and C_cb <delta(b) g'(a) g(c)>."""
    product = slopes(a, b) * RAMP.value(c) * RAMP.value(c)
    yield same(mean(product, THREE, (a, b, c)), slopes_and_square(THREE))
