"""Section 3 for erf(x): the averages that the scaled error function does not give, and what bells tend to.

The activation share erf(zoom x/sqrt 2) has a bell as its slope. Its averages are those of erf(x/sqrt 2) with all
covariances times zoom^2; erf(x) is the case zoom^2 = 2. A wide bell is a line, and a narrow one a sign.
"""

from derivations.papers.carrasco_davis_grant_2025.setup import *
from derivations.language.averages import Bell, Line
from derivations.papers.carrasco_davis_grant_2025.section_3_averages import integrals
from derivations.papers.carrasco_davis_grant_2025.section_3_averages.integrals import (
    PLAIN, SCALED, C, a, apart, b, c, d, slope_field_value, slopes_and_values, two_slopes, two_values,
)
from derivations.papers.carrasco_davis_grant_2025.source.unevaluated import derivative

zoom, share, reach, x = symbols("zoom share reach x", positive=True)
ZOOMED = Bell(share * zoom * sqrt(2 / pi), 1 / zoom**2)  # g(x) = share erf(zoom x/sqrt 2)
LINE = Line()

def averages(g, C):
    """J2, I2 and I3."""
    return g.slopes(C, a, b), g.values(C, a, b), g.slope_linear_value(C, a, b, c)

def without_cases(expression):
    """With one fraction under every root, whose factors are positive."""
    return integrals.with_products(expression.replace(lambda e: e.is_Pow, lambda e: sp.together(e.base) ** e.exp))

@paper.claim("Section 3, other activations: scaled fields", rests_on="average_of_slopes")
def zoomed_averages():
    """For g(x) = share erf(zoom x/sqrt 2) all averages are those of erf(x/sqrt 2) with the covariance zoom^2 C, times share^2 zoom^2 for
    J2, share^2 for I2 and I3, and share^4 zoom^2 for I4."""
    slope = ZOOMED.height * exp(-(x**2) / (2 * ZOOMED.width2))
    J2, I2, I3 = averages(SCALED, zoom**2 * C)
    I4 = SCALED.slopes_values(zoom**2 * C, a, b, c, d)
    yield same(derivative(share * erf(reach * x), x), slope.subs(zoom, sqrt(2) * reach))
    yield two_slopes(ZOOMED, share**2 * zoom**2 * J2)
    yield two_values(ZOOMED, share**2 * I2)
    yield slope_field_value(ZOOMED, share**2 * I3)
    yield slopes_and_values(ZOOMED, share**4 * zoom**2 * I4)

def whole(first, second):
    """(1 + 2 C_xx)(1 + 2 C_yy) - 4 C_xy^2."""
    return (1 + 2 * C[first, first]) * (1 + 2 * C[second, second]) - 4 * C[first, second] ** 2

@paper.claim("Section 3, closed form for erf(x): slopes", rests_on="average_of_slopes")
def slopes_for_erf():
    """For g(x) = erf(x), <g'(a) g'(b)> = (4/pi)/sqrt((1 + 2 C_aa)(1 + 2 C_bb) - 4 C_ab^2)."""
    yield two_slopes(PLAIN, 4 / (pi * sqrt(whole(a, b))))

@paper.claim("Section 3, closed form for erf(x): slope, field and value", rests_on="average_of_slope_field_value")
def slope_field_value_for_erf():
    """For g(x) = erf(x), <g'(a) b g(c)> = (4/pi) (C_bc - 2 C_ab C_ac/(1 + 2 C_aa))/sqrt((1 + 2 C_aa)(1 + 2 C_cc) - 4 C_ac^2)."""
    seen = C[b, c] - 2 * C[a, b] * C[a, c] / (1 + 2 * C[a, a])
    yield slope_field_value(PLAIN, 4 / (pi * sqrt(whole(a, c))) * seen)

def kept(first, second):
    """The covariance of two fields after tilting by the slopes of a and b, where g(x) = erf(x)."""
    seen = C[[a, b], [first, second]]
    block = Matrix([[1 + 2 * C[b, b], -2 * C[a, b]], [-2 * C[a, b], 1 + 2 * C[a, a]]])
    return C[first, second] - 2 * (seen[:, 0].T * block * seen[:, 1])[0] / whole(a, b)

@paper.claim("Section 3, closed form for erf(x): two slopes and two values", rests_on="average_of_slopes_and_values")
def slopes_and_values_for_erf():
    """For g(x) = erf(x), I4 is (8/pi^2) asin(2 S_cd/sqrt((1 + 2 S_cc)(1 + 2 S_dd))) over the root of (1 + 2 C_aa)(1 + 2 C_bb) - 4
    C_ab^2, with S_cd = C_cd - 2 (c's covariances with a and b) (1 + 2 C)^-1 (d's), C being that of a and b."""
    sine = 2 * kept(c, d) / (sqrt(1 + 2 * kept(c, c)) * sqrt(1 + 2 * kept(d, d)))
    yield slopes_and_values(PLAIN, 8 / (pi**2 * sqrt(whole(a, b))) * asin(sine))

@paper.claim("Section 3, closed form for erf(x): from erf(x/sqrt 2)", rests_on="zoomed_averages")
def erf_by_scaled_erf():
    """erf(x) is erf(zoom x/sqrt 2) with zoom^2 = 2: its J2 and I4 are twice, and its I2 and I3 just, those of erf(x/sqrt 2) with the
    covariance 2 C."""
    J2, I2, I3 = averages(SCALED, 2 * C)
    yield two_slopes(PLAIN, 2 * J2)
    yield two_values(PLAIN, I2)
    yield slope_field_value(PLAIN, I3)
    yield slopes_and_values(PLAIN, 2 * SCALED.slopes_values(2 * C, a, b, c, d))

# --- wide and narrow bells ---------------------------------------------------------------------------------------------
@paper.claim("Section 3, other activations: wide bells", rests_on="zoomed_averages line_averages")
def wide_bell_is_a_line():
    """For a small zoom and a slope of 1 at zero, J2 tends to 1 and I3 to C_bc: both flows of a committee of small fields are those of
    g(x) = x, up to I4."""
    J2, _, I3 = (without_cases(found.subs(share, sqrt(pi / 2) / zoom)) for found in averages(ZOOMED, C))
    of_a_line = averages(LINE, C)
    yield tends(J2, [zoom], of_a_line[0])
    yield tends(I3, [zoom], of_a_line[2])

few = Symbol("few", positive=True)  # 1/zoom
@paper.claim("Section 3, other activations: narrow bells", rests_on="zoomed_averages")
def narrow_bell_is_a_sign():
    """For a large zoom g is the sign of its field, as in a perceptron: I2 is 2/pi times the arcsine of what tends to
    C_ab/sqrt(C_aa C_bb), and I3 tends to (2/pi) (C_bc - C_ab C_ac/C_aa)/sqrt(C_aa C_cc - C_ac^2)."""
    narrow = Bell(sqrt(2 / pi) / few, few**2)
    I3 = without_cases(narrow.slope_linear_value(C, a, b, c))
    sine = C[a, b] / (sqrt(C[a, a] + few**2) * sqrt(C[b, b] + few**2))
    slope = 2 / pi * (C[b, c] - C[a, b] * C[a, c] / C[a, a]) / sqrt(C[a, a] * C[c, c] - C[a, c] ** 2)
    yield two_values(narrow, 2 / pi * asin(sine))
    yield tends(sine, [few], C[a, b] / sqrt(C[a, a] * C[b, b]))
    yield tends(apart(I3, 0, a, c), [few], apart(slope, 0, a, c))
