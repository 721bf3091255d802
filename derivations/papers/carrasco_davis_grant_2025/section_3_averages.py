"""Equations 17 and 18: the four averages, derived for erf(x/sqrt 2), erf(x), the rectified line and a line.

Every claim here states an average over Gaussian fields and its value; rules derive the value from the average. Bells
and error functions have averages for every covariance, singular ones too; steps need one that is positive definite.
"""

from derivations.papers.carrasco_davis_grant_2025.setup import *
from derivations.language.averages import Bell, Line, Ramp, conditioned, covariance, field, mean
from itertools import combinations
from math import prod

C = covariance("a", "b", "c", "d")
a, b, c, d = range(4)
SCALED = Bell(sqrt(2 / pi), Integer(1))  # g(x) = erf(x/sqrt 2)
PLAIN = Bell(2 / sqrt(pi), Rational(1, 2))  # g(x) = erf(x)
height, width2 = reals("height width2 > 0")
GENERAL = Bell(height, width2)  # any odd activation with a Gaussian bell as its slope
RAMP, LINE = Ramp(), Line()
shifted, determinant = reals("shifted determinant > 0")

def apart(expression, width, first=a, second=b):
    """An expression with C_aa + width = shifted and (C_aa + width)(C_bb + width) - C_ab^2 = determinant."""
    other = (determinant + C[first, second] ** 2) / shifted
    return expression.subs({C[first, first]: shifted - width, C[second, second]: other - width})

def with_products(expression):
    """With what stands under roots as products, in which every factor is positive."""
    return expression.replace(lambda e: e.is_Pow, lambda e: sp.factor(e.base) ** e.exp)

def two_slopes(g, value, definite=()):
    """<g'(a) g'(b)> has this value."""
    return same(mean(g.slope(a) * g.slope(b), C, definite), value)

def two_values(g, value, definite=()):
    """<g(a) g(b)> has this value."""
    return same(mean(g.value(a) * g.value(b), C, definite), value)

def slope_field_value(g, value, definite=()):
    """<g'(a) b g(c)> has this value."""
    return same(mean(g.slope(a) * field(b) * g.value(c), C, definite), value)

def slopes_and_values(g, value):
    """<g'(a) g'(b) g(c) g(d)> has this value."""
    return same(mean(g.slope(a) * g.slope(b) * g.value(c) * g.value(d), C), value)

paper.states("average_of_slopes", "Eq. 17, line 4, integrated",
    "For a slope height exp(-x^2/(2 width2)) the average of two slopes is height^2 width2 over the root of (width2 + "
    "C_aa)(width2 + C_bb) - C_ab^2.", lambda: two_slopes(GENERAL, GENERAL.slopes(C, a, b)))
paper.states("average_of_slopes_for_scaled_erf", "Eq. 17, line 4, for erf(x/sqrt 2)",
    "For g(x) = erf(x/sqrt 2), <g'(a) g'(b)> = (2/pi)/sqrt((1 + C_aa)(1 + C_bb) - C_ab^2).",
    lambda: two_slopes(SCALED, 2 / pi / sqrt((1 + C[a, a]) * (1 + C[b, b]) - C[a, b] ** 2)))
paper.states("average_of_values", "Eq. 18, any bell",
    "For an odd g with that slope, <g(a) g(b)> = height^2 width2 asin(C_ab/sqrt((width2 + C_aa)(width2 + C_bb))).",
    lambda: two_values(GENERAL, GENERAL.values(C, a, b)))

EQ_18 = paper.equation("Eq. 18",
    r"I_{2}(a, b) = \frac{2}{\pi} \text{arcsin}\left( \frac{C_{ab}}{\sqrt{1 + C_{aa}} \sqrt{1+C_{bb}}} \right)",
    scalars=True)
EQ_18.states("printed_average_for_scaled_erf",
    "For g(x) = erf(x/sqrt 2), which Saad and Solla call the error function, <g(a) g(b)> is as printed.",
    lambda eq: two_values(SCALED, eq.right))
EQ_18.part("for the error function itself", EQ_18.latex).states("printed_average_for_erf",
    "For g(x) = erf(x), the error function as it is usually defined, <g(a) g(b)> is as printed.",
    lambda eq: two_values(PLAIN, eq.right),
    corrected=r"I_{2}(a, b) = \frac{2}{\pi} \text{arcsin}\left( \frac{2C_{ab}}{\sqrt{1 + 2C_{aa}} \sqrt{1+2C_{bb}}} "
    r"\right)", corrected_name="average_for_erf",
    because="For g(x) = erf(x), <g(a) g(b)> = (2/pi) asin(2 C_ab/sqrt((1 + 2 C_aa)(1 + 2 C_bb))).")
paper.states("average_of_curvature_and_value", "Eq. 17, line 2, integrated: curvature",
    "For a slope that is a bell, <g''(a) g(c)>, g''(a) = -a g'(a)/width2, is -C_ac <g'(a) g'(c)>/(width2 + C_aa).",
    lambda: same(mean(GENERAL.curvature(a) * GENERAL.value(c), C), GENERAL.curvature_value(C, a, c)))
paper.states("average_of_slope_field_value", "Eq. 17, line 2, integrated",
    "For a slope that is a bell, <g'(a) b g(c)> = C_ab <g''(a) g(c)> + C_bc <g'(a) g'(c)>, in closed form.",
    lambda: slope_field_value(GENERAL, GENERAL.slope_linear_value(C, a, b, c)))

@paper.claim("Eq. 17, line 2, for erf(x/sqrt 2)")
def average_of_slope_field_value_for_scaled_erf():
    """For g(x) = erf(x/sqrt 2), <g'(a) b g(c)> = (2/pi) (C_bc (1 + C_aa) - C_ab C_ac)/((1 + C_aa) sqrt(L)) with L = (1
    + C_aa)(1 + C_cc) - C_ac^2."""
    numerator = C[b, c] * (1 + C[a, a]) - C[a, b] * C[a, c]
    root = sqrt((1 + C[a, a]) * (1 + C[c, c]) - C[a, c] ** 2)
    yield slope_field_value(SCALED, 2 / pi * numerator / ((1 + C[a, a]) * root))

paper.states("average_of_slopes_and_values", "Eq. 17, line 3, integrated",
    "For a slope that is a bell, <g'(a) g'(b) g(c) g(d)> is height^2 width2 over the root of the determinant of "
    "width2 + C_ab, times <g(c) g(d)> under the covariance C' with C' (1 + D C) = C, D = 1/width2 for a and b.",
    lambda: slopes_and_values(GENERAL, GENERAL.slopes_values(C, a, b, c, d)))
paper.states("average_of_slopes_and_values_for_scaled_erf", "Eq. 17, line 3, for erf(x/sqrt 2)",
    "For g(x) = erf(x/sqrt 2), <g'(a) g'(b) g(c) g(d)> is (4/pi^2) asin(S_cd/sqrt((1 + S_cc)(1 + S_dd))) over the "
    "root of (1 + C_aa)(1 + C_bb) - C_ab^2, S being the covariance that the bells of a and b leave.",
    lambda: slopes_and_values(SCALED, SCALED.slopes_values(C, a, b, c, d)))
paper.states("ramp_slopes", "Section 3, closed form for ReLU: slopes",
    "For the rectified line <g'(a) g'(b)> = 1/4 + asin(C_ab/sqrt(C_aa C_bb))/(2 pi), where C_aa C_bb > C_ab^2.",
    lambda: two_slopes(RAMP, RAMP.slopes(C, a, b), (a, b)))
paper.states("ramp_values", "Section 3, closed form for ReLU: values",
    "For the rectified line <g g> = C_ab <g'(a) g'(b)> + sqrt(C_aa C_bb - C_ab^2)/(2 pi), where C_aa C_bb > C_ab^2.",
    lambda: two_values(RAMP, RAMP.values(C, a, b), (a, b)))
paper.states("ramp_mean", "Section 3, closed form for ReLU: one value",
    "For the rectified line <g(a)> = sqrt(C_aa/(2 pi)), and <delta(a) g(c)> is the density of a = 0 times <g(c)>.",
    lambda: [same(mean(RAMP.value(a), C, (a,)), sqrt(C[a, a] / (2 * pi))),
        same(mean(RAMP.curvature(a) * RAMP.value(c), C, (a, c)), RAMP.curvature_value(C, a, c))])

curved = sqrt(C[a, a] * C[c, c] - C[a, c] ** 2) / (2 * pi * C[a, a])
paper.states("ramp_slope_field_value", "Section 3, closed form for ReLU: slope, field and value",
    "For the rectified line <g'(a) b g(c)> = C_ab sqrt(C_aa C_cc - C_ac^2)/(2 pi C_aa) + C_bc <g'(a) g'(c)>.",
    lambda: slope_field_value(RAMP, C[a, b] * curved + C[b, c] * RAMP.slopes(C, a, c), (a, c)))
paper.states("line_averages", "Section 3, linear networks",
    "For g(x) = x averages are one covariance: <g g> = C_ab, <g' b g> = C_bc, <g' g' g g> = C_cd and <g' g'> = 1.",
    lambda: [two_values(LINE, LINE.values(C, a, b)), slope_field_value(LINE, LINE.slope_linear_value(C, a, b, c)),
        slopes_and_values(LINE, LINE.slopes_values(C, a, b, c, d)), two_slopes(LINE, LINE.slopes(C, a, b))])

# === Section 3: that fields are Gaussian, what follows for their moments, and what is assumed beyond that =============
weights = letters("W_all: units x N")  # the weights of all students and teachers, a row for each
root = letters("root_per_input")
paper.states("fields_are_gaussian", "Section 3, fields are jointly Gaussian",
    "For x ~ N(0, I) fields W x/sqrt(N) are jointly Gaussian of mean zero with the covariance W W'/N: Q, R and T.",
    lambda: by("linear map of a Gaussian vector", map=root * weights, covariance=identity("N"), image=root * root
        * weights @ weights.T))

@paper.claim("Section 3, moments of fields")
def moments_of_fields():
    """Gaussian fields have the covariances C_ab, and <a b c d> = C_ab C_cd + C_ac C_bd + C_ad C_bc."""
    x = [field(place) for place in (a, b, c, d)]
    pairings = [((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c))]
    yield from (same(mean(x[i] * x[j], C), C[i, j]) for i, j in combinations((a, b, c, d), 2))
    yield same(mean(x[a] * x[b] * x[c] * x[d], C), sum(prod(C[pair] for pair in pairs) for pairs in pairings))
    yield same(mean(x[a] * x[a] * x[a] * x[a], C), 3 * C[a, a] ** 2)

paper.remarks.tells("What is proved of the averages, and what is assumed",
    "The closed forms of <g' g'>, <g g>, <g' b g> and <g' g' g g> are derived from the averages that they are, for every "
    "covariance that is not singular where g has a kink, and for singular ones too where g is erf or a line.",
    "For Gaussian inputs and given weights the fields are Gaussian at every N, and |x|^2/N has mean 1 and variance 2/N.",
    "Assumed, as in the source: that overlaps stay near the solution of their mean flow as N grows. Proved at finite N is "
    "the mean of one update.")

# === Averages at the edges: one field twice, more averages of the rectified line, and inputs of finite dimension ======
# Where a field occurs twice its covariance matrix has no inverse; the averages there are the formulas' own values.
variance = reals("variance > 0")
TWICE = Matrix(2, 2, lambda i, j: variance)  # one field in both places
IN_BOTH = dict.fromkeys((C[a, a], C[a, b], C[b, b]), variance)
of_field = C.subs(C[a, a], variance)
paper.states("value_squared: average_of_values", "Eq. 18, equal indices",
    "For one field twice, g(x) = erf(x/sqrt 2), Eq. 18 gives <g(a)^2>, and J2 <g'(a)^2> = 2/(pi sqrt(1 + 2 C_aa)).",
    lambda: [same(mean(SCALED.value(a) * SCALED.value(a), of_field), SCALED.values(TWICE, 0, 1)),
        same(mean(SCALED.slope(a) * SCALED.slope(a), of_field), 2 / (pi * sqrt(1 + 2 * variance))),
        same(put(SCALED.slopes(C, a, b), IN_BOTH), 2 / (pi * sqrt(1 + 2 * variance)))])

@paper.claim("Section 3, closed form for ReLU: equal indices", rests_on="ramp_slopes ramp_values")
def ramp_squared():
    """For the rectified line and one field twice <g'^2> = 1/2 and <g^2> = C_aa/2, as the closed forms give."""
    yield same(mean(RAMP.slope(a) * RAMP.slope(a), of_field, (a,)), RAMP.slopes(TWICE, 0, 1))
    yield same(mean(RAMP.value(a) * RAMP.value(a), of_field, (a,)), RAMP.values(TWICE, 0, 1))

r_ac, r_ad, r_cd = reals("r_ac r_ad r_cd")
UNIT_THREE = Matrix([[1, r_ac, r_ad], [r_ac, 1, r_cd], [r_ad, r_cd, 1]])

paper.states("ramp_slope_and_value", "Section 3, closed form for ReLU: a slope and a value",
    "For the rectified line <g'(a) g(b)> = (C_ab/sqrt(C_aa) + sqrt(C_bb))/(2 sqrt(2 pi)).",
    lambda: same(mean(RAMP.slope(a) * RAMP.value(b), C, (a, b)), RAMP.slope_value(C, a, b)))
paper.states("ramp_three_slopes", "Section 3, closed form for ReLU: three slopes",
    "Three fields of variance 1 are positive with the probability 1/8 + (the arcsines of the covariances)/(4 pi).",
    lambda: same(mean(RAMP.slope(0) * RAMP.slope(1) * RAMP.slope(2), UNIT_THREE, range(3), "acd"),
        RAMP.three_slopes(UNIT_THREE)))

@paper.claim("Section 3, closed form for ReLU: two values and a slope")
def ramp_slope_and_two_values():
    """<g'(a) g(c) g(d)>, which is I4 where two indices of slopes are equal, or one of a slope and one of a value, is
    elementary: r_ac <delta(a) g'(c) g(d)> + <delta(c) g'(a) g(d)> + r_cd times a probability of three signs."""
    product, C = RAMP.slope(0) * RAMP.value(1) * RAMP.value(2), UNIT_THREE
    at_zeros = (C[1, x] * RAMP.zero_slope_value(C, x, slope, 2) for x, slope in ((0, 1), (1, 0)))
    closed = sum(at_zeros) + C[1, 2] * RAMP.three_slopes(C)
    yield same(mean(product, C, range(3), "acd"), closed)

dimension, scale = reals("N scale > 0")

def length_of_fields(C):
    """Return what two fields phi tell of |x|^2: phi'C^-1 phi."""
    inverse = C.extract([a, b], [a, b]).inv()
    square = field(a).times(field(a)).times(inverse[a, a]).plus(field(b).times(field(b)).times(inverse[b, b]))
    return square.plus(field(a).times(field(b)).times(2 * inverse[a, b]))

@paper.claim("Eq. 14, averages with |x|^2/N", rests_on="average_of_slopes")
def squared_length_scales():
    """For a slope that is a bell <g'(a) g'(b) phi'C^-1 phi>, phi being the two fields, is 2 J2 and twice the rate at
    which J2 grows where all covariances are multiplied by a scale."""
    slopes = GENERAL.slopes(scale * C, a, b)
    grown = 2 * (slopes + sp.diff(slopes, scale)).subs(scale, 1)
    yield same(mean(GENERAL.slope(a) * GENERAL.slope(b) * length_of_fields(C), C, (a, b)), grown)

@paper.claim("Eq. 14, slopes with |x|^2/N", rests_on="squared_length_scales")
def slopes_with_squared_length():
    """For g(x) = erf(x/sqrt 2) <g'(a) g'(b) |x|^2/N> = <g'(a) g'(b)> (1 - (C_aa + C_bb + 2 (C_aa C_bb - C_ab^2))/(N
    L)), L = (1 + C_aa)(1 + C_bb) - C_ab^2: |x|^2 is phi'C^-1 phi of both fields phi, and N - 2 directions of mean 1."""
    area = C[a, a] * C[b, b] - C[a, b] ** 2
    whole = 1 + C[a, a] + C[b, b] + area
    closed = SCALED.slopes(C, a, b) * (1 - (C[a, a] + C[b, b] + 2 * area) / (dimension * whole))
    length = length_of_fields(C).plus(dimension - 2).times(1 / dimension)
    yield same(mean(SCALED.slope(a) * SCALED.slope(b) * length, C, (a, b)), closed)

# === Section 3 for the rectified line: <g'(a) g'(b) g(c) g(d)> by the probability that four fields are positive =======
# Stein's lemma on both values leaves averages in which two of the four fields are zero, which are elementary, and C_cd
# times that probability, which grows along a path of correlations as one integral says. Where only steps occur, or one
# scale is enough, variances are 1, as g(s x) = s g(x) for s > 0.
FIELDS = (a, b, c, d)
POSITIVE = reals("all_positive")  # the probability that four fields are positive

def slopes(*fields):
    """The product of their slopes."""
    return prod((RAMP.slope(f) for f in fields[1:]), start=RAMP.slope(fields[0]))

paper.states("ramp_zeros_and_slopes: ramp_slopes", "Section 3, closed form for ReLU: two zeros and two slopes",
    "For the rectified line <delta(a) delta(b) g'(c) g'(d)> is the density of a = b = 0 times the average of the "
    "slopes under the covariance that c and d have there.",
    lambda: same(mean((RAMP.curvature(a) * RAMP.curvature(b)) * slopes(c, d), C, FIELDS),
        RAMP.zeros_and_slopes(C, [a, b], c, d)))

product = slopes(a, b) * RAMP.value(c) * RAMP.value(d)
closed = RAMP.slopes_values(C, *FIELDS, all_positive=POSITIVE)
paper.states("ramp_slopes_and_values: ramp_zeros_and_slopes",
    "Section 3, closed form for ReLU: two slopes and two values",
    "For the rectified line and four fields <g'(a) g'(b) g(c) g(d)> is C_cd times the probability that all are "
    "positive, and a weight for every pair x, y times <delta(x) delta(y)> with steps of the other two.",
    lambda: prove.average(mean(product, C, FIELDS), closed, given={POSITIVE: slopes(*FIELDS)}))

slopes_apart = C.copy()
# Slopes whose fields are independent of those of the values.
for row, column in ((a, c), (a, d), (b, c), (b, d)):
    slopes_apart[row, column] = slopes_apart[column, row] = 0

@paper.claim("Section 3, closed form for ReLU: slopes apart from values",
    rests_on="ramp_slopes_and_values ramp_values ramp_pairs_of_slopes")
def ramp_slopes_apart_from_values():
    """Where a and b are independent of c and d the closed form is <g'(a) g'(b)> <g(c) g(d)>."""
    steps, values = RAMP.slopes(slopes_apart, a, b), RAMP.values(slopes_apart, c, d)
    closed = RAMP.slopes_values(slopes_apart, *FIELDS, all_positive=steps * RAMP.slopes(slopes_apart, c, d))
    yield same(mean(slopes(a, b) * RAMP.value(c) * RAMP.value(d), slopes_apart, FIELDS), steps * values)
    yield same(closed, steps * values, C[c, c] * C[d, d] > C[c, d] ** 2)

t, r_ab, r_ac, r_ad, r_bc, r_bd, r_cd = reals("t > 0, r_ab r_ac r_ad r_bc r_bd r_cd")
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

known = sum(asin(PATH[x, y]) for x, y in combinations(FIELDS, 2)) / (8 * pi) + Rational(1, 16)
paper.states("ramp_four_slopes: ramp_zeros_and_slopes", "Section 3, closed form for ReLU: four positive fields",
    "Where the correlations of one field are multiplied by t, the probability that four fields are positive is 1/16 + "
    "the sum of asin(r)/(8 pi) at t = 0, and grows as that and by 1/(4 pi^2) times a sum over the other fields j of "
    "r_aj/sqrt(1 - t^2 r_aj^2) times the arcsine of the correlation of the other two where a = j = 0.",
    lambda: [same(mean(slopes(*FIELDS), PATH, FIELDS), Derivative(known, t) + integrand() / (4 * pi**2), rate=t),
        same(mean(slopes(*FIELDS), PATH.subs(t, 0), FIELDS), known.subs(t, 0))])

sine, correlation = reals("sine correlation")
paper.states("ramp_integrand_is_bounded: ramp_four_slopes",
    "Section 3, closed form for ReLU: an integral without poles",
    "For t = sin(angle) (dt/d angle)^2 = 1 - t^2 is less than 1 - t^2 r_aj^2 by t^2 (1 - r_aj^2).",
    lambda: same(1 - sine**2 * correlation**2 - (1 / Derivative(asin(sine), sine))**2, sine**2 * (1 - correlation**2)))

pairs = UNIT.subs({r_ac: 0, r_ad: 0, r_bc: 0, r_bd: 0})
paper.states("ramp_pairs_of_slopes: ramp_zeros_and_slopes",
    "Section 3, closed form for ReLU: two pairs of positive fields",
    "For a and b independent of c and d the probability of four positive fields is that of two times that of two.",
    lambda: same(mean(slopes(*FIELDS), pairs, FIELDS), RAMP.slopes(pairs, a, b) * RAMP.slopes(pairs, c, d)))

alone = UNIT.subs({r_ad: 0, r_bd: 0, r_cd: 0})
paper.states("ramp_one_field_apart: ramp_three_slopes", "Section 3, closed form for ReLU: one field apart",
    "For d independent of the others four fields are positive with half the probability of three of them.",
    lambda: same(mean(slopes(*FIELDS), alone, FIELDS), RAMP.three_slopes(alone) / 2))

THREE = UNIT[:3, :3]
at_zeros = (THREE[c, x] * RAMP.zero_slope_value(THREE, x, slope, c) for x, slope in ((a, b), (b, a)))
slopes_and_square = RAMP.three_slopes(THREE) + sum(at_zeros)
paper.states("ramp_two_slopes_and_square: ramp_slopes",
    "Section 3, closed form for ReLU: two slopes and one value twice",
    "<g'(a) g'(b) g(c)^2> is the probability of three positive fields, and C_ca <delta(a) g'(b) g(c)> and C_cb "
    "<delta(b) g'(a) g(c)>.",
    lambda: same(mean(slopes(a, b) * RAMP.value(c) * RAMP.value(c), THREE, (a, b, c)), slopes_and_square))

# === Section 3 for erf(x): the averages that the scaled error function does not give, and what bells tend to ==========
# The activation share erf(zoom x/sqrt 2) has a bell as its slope. Its averages are those of erf(x/sqrt 2) with all
# covariances times zoom^2; erf(x) is the case zoom^2 = 2. A wide bell is a line, and a narrow one a sign.
zoom, share, reach, x = reals("zoom share reach x > 0")
ZOOMED = Bell(share * zoom * sqrt(2 / pi), 1 / zoom**2)  # g(x) = share erf(zoom x/sqrt 2)

def averages(g, C):
    """J2, I2 and I3."""
    return g.slopes(C, a, b), g.values(C, a, b), g.slope_linear_value(C, a, b, c)

def without_cases(expression):
    """With one fraction under every root, whose factors are positive."""
    return with_products(expression.replace(lambda e: e.is_Pow, lambda e: sp.together(e.base) ** e.exp))

@paper.claim("Section 3, other activations: scaled fields", rests_on="average_of_slopes")
def zoomed_averages():
    """For g(x) = share erf(zoom x/sqrt 2) all averages are those of erf(x/sqrt 2) with the covariance zoom^2 C, times share^2 zoom^2 for
    J2, share^2 for I2 and I3, and share^4 zoom^2 for I4."""
    slope = ZOOMED.height * exp(-(x**2) / (2 * ZOOMED.width2))
    J2, I2, I3 = averages(SCALED, zoom**2 * C)
    yield same(Derivative(share * erf(reach * x), x), slope.subs(zoom, sqrt(2) * reach))
    yield two_slopes(ZOOMED, share**2 * zoom**2 * J2)
    yield two_values(ZOOMED, share**2 * I2)
    yield slope_field_value(ZOOMED, share**2 * I3)
    yield slopes_and_values(ZOOMED, share**4 * zoom**2 * SCALED.slopes_values(zoom**2 * C, a, b, c, d))

def whole(first, second):
    """(1 + 2 C_xx)(1 + 2 C_yy) - 4 C_xy^2."""
    return (1 + 2 * C[first, first]) * (1 + 2 * C[second, second]) - 4 * C[first, second] ** 2

paper.states("slopes_for_erf: average_of_slopes", "Section 3, closed form for erf(x): slopes",
    "For g(x) = erf(x), <g'(a) g'(b)> = (4/pi)/sqrt((1 + 2 C_aa)(1 + 2 C_bb) - 4 C_ab^2).",
    lambda: two_slopes(PLAIN, 4 / (pi * sqrt(whole(a, b)))))

seen = C[b, c] - 2 * C[a, b] * C[a, c] / (1 + 2 * C[a, a])
paper.states("slope_field_value_for_erf: average_of_slope_field_value",
    "Section 3, closed form for erf(x): slope, field and value",
    "For erf <g'(a) b g(c)> is (4/pi)(C_bc - 2 C_ab C_ac/(1 + 2 C_aa))/sqrt((1 + 2 C_aa)(1 + 2 C_cc) - 4 C_ac^2).",
    lambda: slope_field_value(PLAIN, 4 / (pi * sqrt(whole(a, c))) * seen))

def kept(first, second):
    """The covariance of two fields after tilting by the slopes of a and b, where g(x) = erf(x)."""
    seen = C[[a, b], [first, second]]
    block = Matrix([[1 + 2 * C[b, b], -2 * C[a, b]], [-2 * C[a, b], 1 + 2 * C[a, a]]])
    return C[first, second] - 2 * (seen[:, 0].T * block * seen[:, 1])[0] / whole(a, b)

@paper.claim("Section 3, closed form for erf(x): two slopes and two values", rests_on="average_of_slopes_and_values")
def slopes_and_values_for_erf():
    """For g(x) = erf(x), I4 is (8/pi^2) asin(2 S_cd/sqrt((1 + 2 S_cc)(1 + 2 S_dd))) over the root of (1 + 2 C_aa)(1 + 2
    C_bb) - 4 C_ab^2, S_cd = C_cd - 2 (c's covariances with a and b) (1 + 2 C)^-1 (d's), C being that of both."""
    sine = 2 * kept(c, d) / (sqrt(1 + 2 * kept(c, c)) * sqrt(1 + 2 * kept(d, d)))
    yield slopes_and_values(PLAIN, 8 / (pi**2 * sqrt(whole(a, b))) * asin(sine))

J2, I2, I3 = averages(SCALED, 2 * C)
paper.states("erf_by_scaled_erf: zoomed_averages", "Section 3, closed form for erf(x): from erf(x/sqrt 2)",
    "J2 and I4 of erf(x) are twice, and I2 and I3 just, those of erf(x/sqrt 2) with the covariance 2 C.",
    lambda: [two_slopes(PLAIN, 2 * J2), two_values(PLAIN, I2), slope_field_value(PLAIN, I3),
        slopes_and_values(PLAIN, 2 * SCALED.slopes_values(2 * C, a, b, c, d))])

@paper.claim("Section 3, other activations: wide bells", rests_on="zoomed_averages line_averages")
def wide_bell_is_a_line():
    """For a small zoom and a slope of 1 at zero, J2 tends to 1 and I3 to C_bc, as they are for g(x) = x."""
    J2, _, I3 = (without_cases(of.subs(share, sqrt(pi / 2) / zoom)) for of in averages(ZOOMED, C))
    of_a_line = averages(LINE, C)
    yield tends(J2, [zoom], of_a_line[0])
    yield tends(I3, [zoom], of_a_line[2])

few = reals("few > 0")  # 1/zoom
@paper.claim("Section 3, other activations: narrow bells", rests_on="zoomed_averages")
def narrow_bell_is_a_sign():
    """For a large zoom, as for the sign of a field, I2 is 2/pi times the arcsine of what tends to C_ab/sqrt(C_aa C_bb),
    and I3 tends to (2/pi) (C_bc - C_ab C_ac/C_aa)/sqrt(C_aa C_cc - C_ac^2)."""
    narrow = Bell(sqrt(2 / pi) / few, few**2)
    I3 = without_cases(narrow.slope_linear_value(C, a, b, c))
    sine = C[a, b] / (sqrt(C[a, a] + few**2) * sqrt(C[b, b] + few**2))
    slope = 2 / pi * (C[b, c] - C[a, b] * C[a, c] / C[a, a]) / sqrt(C[a, a] * C[c, c] - C[a, c] ** 2)
    yield two_values(narrow, 2 / pi * asin(sine))
    yield tends(sine, [few], C[a, b] / sqrt(C[a, a] * C[b, b]))
    yield tends(apart(I3, 0, a, c), [few], apart(slope, 0, a, c))
