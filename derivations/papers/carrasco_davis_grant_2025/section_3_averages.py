"""Equations 17 and 18: the four averages, derived for erf(x/sqrt 2), erf(x), the rectified line and a line.

Every claim here states an average over Gaussian fields and its value; rules derive the value from the average. Bells and
error functions have averages for every covariance, singular ones too; steps need one that is positive definite.
"""

from derivations.papers.carrasco_davis_grant_2025.setup import *
from derivations.language.averages import Bell, Line, Ramp, covariance, field, mean

C = covariance("a", "b", "c", "d")
a, b, c, d = range(4)
SCALED = Bell(sqrt(2 / pi), Integer(1))  # g(x) = erf(x/sqrt 2)
PLAIN = Bell(2 / sqrt(pi), Rational(1, 2))  # g(x) = erf(x)
height, width2 = symbols("height width2", positive=True)
GENERAL = Bell(height, width2)  # any odd activation with a Gaussian bell as its slope
RAMP, LINE = Ramp(), Line()
shifted, other_shifted, determinant = symbols("shifted other_shifted determinant", positive=True)

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

# --- slopes that are bells --------------------------------------------------------------------------------------------
@paper.claim("Eq. 17, line 4, integrated")
def average_of_slopes():
    """For a slope height exp(-x^2/(2 width2)) the average of two slopes is height^2 width2 over the root of
    (width2 + C_aa)(width2 + C_bb) - C_ab^2."""
    yield two_slopes(GENERAL, GENERAL.slopes(C, a, b))

@paper.claim("Eq. 17, line 4, for erf(x/sqrt 2)")
def average_of_slopes_for_scaled_erf():
    """For g(x) = erf(x/sqrt 2), <g'(a) g'(b)> = (2/pi)/sqrt((1 + C_aa)(1 + C_bb) - C_ab^2)."""
    yield two_slopes(SCALED, 2 / pi / sqrt((1 + C[a, a]) * (1 + C[b, b]) - C[a, b] ** 2))

@paper.claim("Eq. 18, any bell")
def average_of_values():
    """For an odd g with that slope, <g(a) g(b)> = height^2 width2 asin(C_ab/sqrt((width2 + C_aa)(width2 + C_bb)))."""
    yield two_values(GENERAL, GENERAL.values(C, a, b))

EQ_18 = paper.equation("Eq. 18",
    r"I_{2}(a, b) = \frac{2}{\pi} \text{arcsin}\left( \frac{C_{ab}}{\sqrt{1 + C_{aa}} \sqrt{1+C_{bb}}} \right)",
    scalars=True)
@EQ_18.claim()
def printed_average_for_scaled_erf(eq):
    """For g(x) = erf(x/sqrt 2), which Saad and Solla call the error function, <g(a) g(b)> is as printed."""
    yield two_values(SCALED, eq.right)

@EQ_18.part("for the error function itself", EQ_18.latex).claim(
    corrected=r"I_{2}(a, b) = \frac{2}{\pi} \text{arcsin}\left( \frac{2C_{ab}}{\sqrt{1 + 2C_{aa}} \sqrt{1+2C_{bb}}} \right)",
    corrected_name="average_for_erf",
    because="For g(x) = erf(x), <g(a) g(b)> = (2/pi) asin(2 C_ab/sqrt((1 + 2 C_aa)(1 + 2 C_bb))).")
def printed_average_for_erf(eq):
    """For g(x) = erf(x), the error function as it is usually defined, <g(a) g(b)> is as printed."""
    yield two_values(PLAIN, eq.right)

@paper.claim("Eq. 17, line 2, integrated: curvature")
def average_of_curvature_and_value():
    """For a slope that is a bell, g''(a) = -a g'(a)/width2 and <g''(a) g(c)> = -C_ac <g'(a) g'(c)>/(width2 + C_aa)."""
    yield same(mean(GENERAL.curvature(a) * GENERAL.value(c), C), GENERAL.curvature_value(C, a, c))

@paper.claim("Eq. 17, line 2, integrated")
def average_of_slope_field_value():
    """For a slope that is a bell, <g'(a) b g(c)> = C_ab <g''(a) g(c)> + C_bc <g'(a) g'(c)>, with the averages of curvature and value
    and of slopes in closed form."""
    yield slope_field_value(GENERAL, GENERAL.slope_linear_value(C, a, b, c))

@paper.claim("Eq. 17, line 2, for erf(x/sqrt 2)")
def average_of_slope_field_value_for_scaled_erf():
    """For g(x) = erf(x/sqrt 2), <g'(a) b g(c)> = (2/pi) (C_bc (1 + C_aa) - C_ab C_ac)/((1 + C_aa) sqrt(L)) with
    L = (1 + C_aa)(1 + C_cc) - C_ac^2."""
    numerator = C[b, c] * (1 + C[a, a]) - C[a, b] * C[a, c]
    root = sqrt((1 + C[a, a]) * (1 + C[c, c]) - C[a, c] ** 2)
    yield slope_field_value(SCALED, 2 / pi * numerator / ((1 + C[a, a]) * root))

@paper.claim("Eq. 17, line 3, integrated")
def average_of_slopes_and_values():
    """For a slope that is a bell, <g'(a) g'(b) g(c) g(d)> is height^2 width2 over the root of the determinant of width2 + C_ab, times
    <g(c) g(d)> under the covariance that the bells of a and b leave: C' with C' (1 + D C) = C, D = 1/width2 for a and b."""
    yield slopes_and_values(GENERAL, GENERAL.slopes_values(C, a, b, c, d))

@paper.claim("Eq. 17, line 3, for erf(x/sqrt 2)")
def average_of_slopes_and_values_for_scaled_erf():
    """For g(x) = erf(x/sqrt 2), <g'(a) g'(b) g(c) g(d)> is (4/pi^2) asin(S_cd/sqrt((1 + S_cc)(1 + S_dd))) over the root of
    (1 + C_aa)(1 + C_bb) - C_ab^2, S being the covariance that the bells of a and b leave."""
    yield slopes_and_values(SCALED, SCALED.slopes_values(C, a, b, c, d))

# --- the rectified line -----------------------------------------------------------------------------------------------
@paper.claim("Section 3, closed form for ReLU: slopes")
def ramp_slopes():
    """For the rectified line <g'(a) g'(b)> = 1/4 + asin(C_ab/sqrt(C_aa C_bb))/(2 pi), where C_aa C_bb > C_ab^2."""
    yield two_slopes(RAMP, RAMP.slopes(C, a, b), (a, b))

@paper.claim("Section 3, closed form for ReLU: values")
def ramp_values():
    """For the rectified line <g(a) g(b)> = C_ab <g'(a) g'(b)> + sqrt(C_aa C_bb - C_ab^2)/(2 pi), where C_aa C_bb > C_ab^2."""
    yield two_values(RAMP, RAMP.values(C, a, b), (a, b))

@paper.claim("Section 3, closed form for ReLU: one value")
def ramp_mean():
    """For the rectified line <g(a)> = sqrt(C_aa/(2 pi)), and <delta(a) g(c)> is the density of a = 0 times <g(c)> there."""
    yield same(mean(RAMP.value(a), C, (a,)), sqrt(C[a, a] / (2 * pi)))
    yield same(mean(RAMP.curvature(a) * RAMP.value(c), C, (a, c)), RAMP.curvature_value(C, a, c))

@paper.claim("Section 3, closed form for ReLU: slope, field and value")
def ramp_slope_field_value():
    """For the rectified line <g'(a) b g(c)> = C_ab sqrt(C_aa C_cc - C_ac^2)/(2 pi C_aa) + C_bc <g'(a) g'(c)>, where C_aa C_cc > C_ac^2,
    whatever the variance of b."""
    curved = sqrt(C[a, a] * C[c, c] - C[a, c] ** 2) / (2 * pi * C[a, a])
    yield slope_field_value(RAMP, C[a, b] * curved + C[b, c] * RAMP.slopes(C, a, c), (a, c))

@paper.claim("Section 3, linear networks")
def line_averages():
    """For g(x) = x every average is one covariance: <g g> = C_ab, <g' b g> = C_bc, <g' g' g g> = C_cd and <g' g'> = 1."""
    yield two_values(LINE, LINE.values(C, a, b))
    yield slope_field_value(LINE, LINE.slope_linear_value(C, a, b, c))
    yield slopes_and_values(LINE, LINE.slopes_values(C, a, b, c, d))
    yield two_slopes(LINE, LINE.slopes(C, a, b))
