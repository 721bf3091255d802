"""Averages at the edges: one field twice, more averages of the rectified line, and inputs of finite dimension.

Where a field occurs twice its covariance matrix has no inverse; the averages there are the formulas' own values, which is
shown by averaging over one field instead.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from derivations import prove
from derivations.language.averages import conditioned
from derivations.papers.carrasco_davis_grant_2025.section_3_averages.integrals import (
    RAMP,
    SCALED,
    C,
    a,
    b,
    with_products,
)
from derivations.papers.carrasco_davis_grant_2025.setup import paper
from derivations.prove import Certificate

variance = sp.Symbol("variance", positive=True)
TWICE = sp.Matrix(2, 2, lambda i, j: variance)
"""One field in both places."""


@paper.claim("Eq. 18, equal indices", rests_on=["average_of_values"])
def value_squared() -> Certificate:
    """For one field in both places Eq. 18 gives <g(a)^2> for g(x) = erf(x/sqrt 2): it vanishes without variance, and grows with it at
    the rate <(g^2)''>/2 = <g'^2> + <g g''>, of which <g'^2> = (2/pi) <exp(-a^2)> = 2/(pi sqrt(1 + 2 C_aa))."""
    squared = SCALED.values(TWICE, 0, 1)
    slopes, curvature = SCALED.slopes(TWICE, 0, 1), SCALED.curvature_value(TWICE, 0, 1)
    return prove.every(
        prove.identity(slopes, 2 / (sp.pi * sp.sqrt(1 + 2 * variance))),
        prove.identity(curvature * (1 + variance), -variance * slopes),
        prove.identity(squared, 2 / sp.pi * sp.asin(variance / (1 + variance))),
        prove.identity(with_products(sp.diff(squared, variance)), slopes + curvature),
    )


@paper.claim("Section 3, closed form for ReLU: equal indices", rests_on=["ramp_slopes", "ramp_values"])
def ramp_squared() -> Certificate:
    """For the rectified line and one field in both places the closed forms give <g'^2> = 1/2 and <g^2> = C_aa/2: half of the field's
    own averages, as its sign is even."""
    return prove.identity((RAMP.slopes(TWICE, 0, 1), RAMP.values(TWICE, 0, 1)), (sp.Rational(1, 2), variance / 2))


# --- more averages of the rectified line: variances are 1, as g(s x) = s g(x) for s > 0 --------------------------------

r_ac, r_ad, r_cd = sp.symbols("r_ac r_ad r_cd", real=True)
UNIT = sp.Matrix([[1, r_ac, r_ad], [r_ac, 1, r_cd], [r_ad, r_cd, 1]])


def slope_value(C: Any, c: int, d: int) -> Any:
    """<g'(c) g(d)>, by Stein's lemma on d."""
    return (C[c, d] / sp.sqrt(C[c, c]) + sp.sqrt(C[d, d])) / (2 * sp.sqrt(2 * sp.pi))


def three_steps(C: Any) -> Any:
    """The probability that three fields of variance 1 are positive."""
    angles = sp.asin(C[0, 1]) + sp.asin(C[0, 2]) + sp.asin(C[1, 2])
    return sp.Rational(1, 8) + angles / (4 * sp.pi)


def at_zero(C: Any, field: int, slope: int, value: int) -> Any:
    """<delta(field) g'(slope) g(value)>."""
    density, given = conditioned(C, [field])
    return density * slope_value(given, slope, value)


def slope_values(C: Any) -> Any:
    """<g'(a) g(c) g(d)>, by Stein's lemma on c."""
    return C[1, 0] * at_zero(C, 0, 1, 2) + C[1, 1] * at_zero(C, 1, 0, 2) + C[1, 2] * three_steps(C)


INSIDE = [r_ac**2 < 1, r_ad**2 < 1, r_cd**2 < 1]


@paper.claim("Section 3, closed form for ReLU: two values and a slope", rests_on=["ramp_slopes"])
def ramp_slope_and_two_values() -> Certificate:
    """<g'(a) g(c) g(d)>, which is I4 where two indices of slopes are equal, or one of a slope and one of a value, is elementary. Its
    derivative by C_cd is the probability of three positive fields, that by C_ad is <delta(a) g(c) g'(d)>, and where d is
    independent it is <g'(a) g(c)> <g(d)>."""
    value = slope_values(UNIT)
    independent = {r_ad: 0, r_cd: 0}
    return prove.chain(
        "both derivatives, and independent fields",
        "Price",
        derivative=prove.every(
            prove.identity(with_products(sp.diff(value, r_cd)), three_steps(UNIT), INSIDE),
            prove.identity(with_products(sp.diff(value, r_ad)), at_zero(UNIT, 0, 2, 1), INSIDE),
        ),
        base=prove.identity(value.subs(independent), slope_value(UNIT, 0, 1) / sp.sqrt(2 * sp.pi)),
    )


# --- inputs of finite dimension ---------------------------------------------------------------------------------------

dimension, tilt, scale = sp.symbols("N tilt scale", positive=True)


@paper.claim("Eq. 14, averages with |x|^2/N", rests_on=["average_of_slopes"])
def squared_length_scales() -> Certificate:
    """Tilting two fields by exp(-tilt phi'C^-1 phi/2) divides their covariance by 1 + tilt, and averages by 1 + tilt."""
    block = C.extract([a, b], [a, b])
    inverse = block.adjugate() / block.det()
    unit = sp.eye(2)
    return prove.chain(
        "tilting by the inverse covariance",
        "Gaussian tilting",
        covariance=prove.identity(block / (1 + tilt) * (unit + tilt * inverse * block), block),
        factor=prove.identity((unit + tilt * inverse * block).det() / (1 + tilt) ** 2, 1),
    )


@paper.claim("Eq. 14, slopes with |x|^2/N", rests_on=["squared_length_scales"])
def slopes_with_squared_length() -> Certificate:
    """For g(x) = erf(x/sqrt 2) <g'(a) g'(b) |x|^2/N> = <g'(a) g'(b)> (1 - (C_aa + C_bb + 2 (C_aa C_bb - C_ab^2))/(N L)) with
    L = (1 + C_aa)(1 + C_bb) - C_ab^2."""
    average = SCALED.slopes(scale * C, a, b)
    found = average.subs(scale, 1) + 2 / dimension * sp.diff(average, scale).subs(scale, 1)
    area = C[a, a] * C[b, b] - C[a, b] ** 2
    whole = 1 + C[a, a] + C[b, b] + area
    return prove.identity(found / average.subs(scale, 1), 1 - (C[a, a] + C[b, b] + 2 * area) / (dimension * whole))
