"""Averages at the edges: one field twice, more averages of the rectified line, and inputs of finite dimension.

Where a field occurs twice its covariance matrix has no inverse; the averages there are the formulas' own values.
"""

from derivations.papers.carrasco_davis_grant_2025.setup import *
from derivations.language.averages import conditioned, field, mean
from derivations.papers.carrasco_davis_grant_2025.section_3_averages.integrals import GENERAL, RAMP, SCALED, C, a, b
from derivations.papers.carrasco_davis_grant_2025.source.unevaluated import put

variance = Symbol("variance", positive=True)
TWICE = Matrix(2, 2, lambda i, j: variance)  # one field in both places
IN_BOTH = dict.fromkeys((C[a, a], C[a, b], C[b, b]), variance)
@paper.claim("Eq. 18, equal indices", rests_on="average_of_values")
def value_squared():
    """For one field in both places Eq. 18 gives <g(a)^2> for g(x) = erf(x/sqrt 2), and J2 gives <g'(a)^2> = 2/(pi sqrt(1 + 2 C_aa))."""
    of_field = C.subs(C[a, a], variance)
    yield same(mean(SCALED.value(a) * SCALED.value(a), of_field), SCALED.values(TWICE, 0, 1))
    yield same(mean(SCALED.slope(a) * SCALED.slope(a), of_field), 2 / (pi * sqrt(1 + 2 * variance)))
    yield same(put(SCALED.slopes(C, a, b), IN_BOTH), 2 / (pi * sqrt(1 + 2 * variance)))

@paper.claim("Section 3, closed form for ReLU: equal indices", rests_on="ramp_slopes ramp_values")
def ramp_squared():
    """For the rectified line and one field in both places <g'^2> = 1/2 and <g^2> = C_aa/2, which is what the closed forms give there."""
    of_field = C.subs(C[a, a], variance)
    yield same(mean(RAMP.slope(a) * RAMP.slope(a), of_field, (a,)), RAMP.slopes(TWICE, 0, 1))
    yield same(mean(RAMP.value(a) * RAMP.value(a), of_field, (a,)), RAMP.values(TWICE, 0, 1))

# --- more averages of the rectified line: variances are 1, as g(s x) = s g(x) for s > 0 --------------------------------
r_ac, r_ad, r_cd = symbols("r_ac r_ad r_cd", real=True)
UNIT = Matrix([[1, r_ac, r_ad], [r_ac, 1, r_cd], [r_ad, r_cd, 1]])

def slope_value(C, c, d):
    """<g'(c) g(d)>."""
    return (C[c, d] / sqrt(C[c, c]) + sqrt(C[d, d])) / (2 * sqrt(2 * pi))

def three_steps(C):
    """The probability that three fields of variance 1 are positive."""
    angles = asin(C[0, 1]) + asin(C[0, 2]) + asin(C[1, 2])
    return Rational(1, 8) + angles / (4 * pi)

def at_zero(C, field, slope, value):
    """<delta(field) g'(slope) g(value)>."""
    density, given = conditioned(C, [field])
    return density * slope_value(given, slope, value)

def slope_values(C):
    """<g'(a) g(c) g(d)>."""
    return C[1, 0] * at_zero(C, 0, 1, 2) + C[1, 1] * at_zero(C, 1, 0, 2) + C[1, 2] * three_steps(C)

@paper.claim("Section 3, closed form for ReLU: a slope and a value")
def ramp_slope_and_value():
    """For the rectified line <g'(a) g(b)> = (C_ab/sqrt(C_aa) + sqrt(C_bb))/(2 sqrt(2 pi))."""
    yield same(mean(RAMP.slope(a) * RAMP.value(b), C, (a, b)), slope_value(C, a, b))

@paper.claim("Section 3, closed form for ReLU: three slopes")
def ramp_three_slopes():
    """The probability that three fields of variance 1 are positive is 1/8 plus the sum of the arcsines of their covariances over 4 pi."""
    yield same(mean(RAMP.slope(0) * RAMP.slope(1) * RAMP.slope(2), UNIT, range(3), "acd"), three_steps(UNIT))

@paper.claim("Section 3, closed form for ReLU: two values and a slope")
def ramp_slope_and_two_values():
    """<g'(a) g(c) g(d)>, which is I4 where two indices of slopes are equal, or one of a slope and one of a value, is elementary: r_ac
    <delta(a) g'(c) g(d)> + <delta(c) g'(a) g(d)> + r_cd times the probability of three positive fields."""
    product = RAMP.slope(0) * RAMP.value(1) * RAMP.value(2)
    yield same(mean(product, UNIT, range(3), "acd"), slope_values(UNIT))

# --- inputs of finite dimension ---------------------------------------------------------------------------------------
dimension, scale = symbols("N scale", positive=True)

def told_of_length(C):
    """What two fields phi tell of |x|^2: phi'C^-1 phi."""
    inverse = C.extract([a, b], [a, b]).inv()
    square = field(a).times(field(a)).times(inverse[a, a]).plus(field(b).times(field(b)).times(inverse[b, b]))
    return square.plus(field(a).times(field(b)).times(2 * inverse[a, b]))

@paper.claim("Eq. 14, averages with |x|^2/N", rests_on="average_of_slopes")
def squared_length_scales():
    """For a slope that is a bell <g'(a) g'(b) phi'C^-1 phi>, phi being the two fields, is 2 J2 and twice the rate at which J2 grows where
    all covariances are multiplied by a scale."""
    slopes = GENERAL.slopes(scale * C, a, b)
    found = 2 * (slopes + sp.diff(slopes, scale)).subs(scale, 1)
    yield same(mean(GENERAL.slope(a) * GENERAL.slope(b) * told_of_length(C), C, (a, b)), found)

@paper.claim("Eq. 14, slopes with |x|^2/N", rests_on="squared_length_scales")
def slopes_with_squared_length():
    """For g(x) = erf(x/sqrt 2) <g'(a) g'(b) |x|^2/N> = <g'(a) g'(b)> (1 - (C_aa + C_bb + 2 (C_aa C_bb - C_ab^2))/(N L)) with
    L = (1 + C_aa)(1 + C_bb) - C_ab^2: of |x|^2 the two fields phi tell phi'C^-1 phi, and the other N - 2 directions have mean 1."""
    area = C[a, a] * C[b, b] - C[a, b] ** 2
    whole = 1 + C[a, a] + C[b, b] + area
    found = SCALED.slopes(C, a, b) * (1 - (C[a, a] + C[b, b] + 2 * area) / (dimension * whole))
    length = told_of_length(C).plus(dimension - 2).times(1 / dimension)
    yield same(mean(SCALED.slope(a) * SCALED.slope(b) * length, C, (a, b)), found)
