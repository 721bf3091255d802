"""Equations 17 and 18: the four averages, derived for erf(x/sqrt 2), erf(x), the rectified line and a line.

Stein's lemma, Price's theorem and tilting reduce every average to one derivative identity and one known value.
Covariances are written through the positive determinant of two shifted fields, so that roots need no cases.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from derivations import prove
from derivations.language.averages import Bell, Line, Ramp, conditioned, covariance, tilted
from derivations.papers.carrasco_davis_grant_2025.setup import paper
from derivations.prove import Certificate, Verdict

C = covariance("a", "b", "c", "d")
a, b, c, d = range(4)
SCALED = Bell(sp.sqrt(2 / sp.pi), sp.Integer(1))
"""g(x) = erf(x/sqrt 2)."""
PLAIN = Bell(2 / sp.sqrt(sp.pi), sp.Rational(1, 2))
"""g(x) = erf(x)."""
height, width2 = sp.symbols("height width2", positive=True)
GENERAL = Bell(height, width2)
"""Any odd activation with a Gaussian bell as its slope."""

shifted, other_shifted, determinant = sp.symbols("shifted other_shifted determinant", positive=True)


def apart(expression: Any, width: Any, first: int = a, second: int = b) -> Any:
    """An expression with C_aa + width = shifted and (C_aa + width)(C_bb + width) - C_ab^2 = determinant."""
    other = (determinant + C[first, second] ** 2) / shifted
    return expression.subs({C[first, first]: shifted - width, C[second, second]: other - width})


def with_products(expression: Any) -> Any:
    """With what stands under roots as products, in which every factor is positive."""
    return expression.replace(lambda e: e.is_Pow, lambda e: sp.factor(e.base) ** e.exp)


@paper.claim("Eq. 17, line 4, integrated")
def average_of_slopes() -> Certificate:
    """For a slope height exp(-x^2/(2 width2)) the average of two slopes is height^2 width2 over the root of
    (width2 + C_aa)(width2 + C_bb) - C_ab^2."""
    factor, narrowed = tilted(C.extract([a, b], [a, b]), [0, 1], width2)
    block, unit = C.extract([a, b], [a, b]), sp.eye(2)
    return prove.chain(
        "tilting the constant 1 by both slopes",
        "Gaussian tilting",
        covariance=prove.identity(narrowed * (unit + block / width2), block),
        factor=prove.identity(factor**2 * (unit + block / width2).det(), 1),
    )


@paper.claim("Eq. 18, any bell", rests_on=["average_of_slopes"])
def average_of_values() -> Certificate:
    """For an odd g with that slope, <g(a) g(b)> = height^2 width2 asin(C_ab/sqrt((width2 + C_aa)(width2 + C_bb)))."""
    return prove.chain(
        "the derivative by C_ab, and independent fields",
        "Price",
        derivative=_derivative_by_covariance(GENERAL, width2),
        base=prove.identity(GENERAL.values(C, a, b).subs(C[a, b], 0), 0),
    )


def _derivative_by_covariance(g: Any, width: Any) -> Certificate:
    moved = sp.diff(g.values(C, a, b), C[a, b])
    return prove.identity(with_products(apart(moved, width)), sp.together(apart(g.slopes(C, a, b), width)))


def _printed(C: Any) -> Any:
    return 2 / sp.pi * sp.asin(C[a, b] / (sp.sqrt(1 + C[a, a]) * sp.sqrt(1 + C[b, b])))


EQ_18 = paper.printed(
    r"I_{2}(a, b) = \frac{2}{\pi} \text{arcsin}\left( \frac{C_{ab}}{\sqrt{1 + C_{aa}} \sqrt{1+C_{bb}}} \right)",
    _printed(C),
)


@paper.claim("Eq. 18", rests_on=["average_of_values"], printed=EQ_18)
def printed_average_for_scaled_erf() -> Certificate:
    """For g(x) = erf(x/sqrt 2), which Saad and Solla call the error function, <g(a) g(b)> is as printed."""
    return prove.identity(SCALED.values(C, a, b), _printed(C))


@paper.claim(
    "Eq. 18, for the error function itself",
    expect=Verdict.REFUTED,
    corrected_by="average_for_erf",
    rests_on=["average_of_values"],
    printed=EQ_18,
)
def printed_average_for_erf() -> Certificate:
    """For g(x) = erf(x), the error function as it is usually defined, <g(a) g(b)> is as printed."""
    return prove.identity(PLAIN.values(C, a, b), _printed(C))


@paper.claim("Eq. 18, for the error function itself, corrected", rests_on=["average_of_values"])
def average_for_erf() -> Certificate:
    """For g(x) = erf(x), <g(a) g(b)> = (2/pi) asin(2 C_ab/sqrt((1 + 2 C_aa)(1 + 2 C_bb)))."""
    corrected = 2 / sp.pi * sp.asin(2 * C[a, b] / (sp.sqrt(1 + 2 * C[a, a]) * sp.sqrt(1 + 2 * C[b, b])))
    halves = {C[a, a]: shifted - sp.Rational(1, 2), C[b, b]: other_shifted - sp.Rational(1, 2)}
    return prove.identity(PLAIN.values(C, a, b).subs(halves), corrected.subs(halves))


@paper.claim("Eq. 17, line 2, integrated", rests_on=["average_of_slopes"])
def average_of_slope_field_value() -> Certificate:
    """Stein's lemma on b turns <g'(a) b g(c)> into C_ab <g''(a) g(c)> + C_bc <g'(a) g'(c)>, and on the field in
    g''(a) = -a g'(a)/width2 into one linear equation for <g''(a) g(c)>."""
    curved, slopes = GENERAL.curvature_value(C, a, c), GENERAL.slopes(C, a, c)
    x = sp.Symbol("x", real=True)
    slope = height * sp.exp(-(x**2) / (2 * width2))
    return prove.chain(
        "Stein's lemma twice",
        "Stein",
        equation=prove.every(
            prove.identity(sp.diff(slope, x), -x * slope / width2),
            prove.identity(-width2 * curved, C[a, a] * curved + C[a, c] * slopes),
            prove.identity(GENERAL.slope_linear_value(C, a, b, c), C[a, b] * curved + C[b, c] * slopes),
        ),
    )


@paper.claim("Eq. 17, line 2, for erf(x/sqrt 2)", rests_on=["average_of_slope_field_value"])
def average_of_slope_field_value_for_scaled_erf() -> Certificate:
    """For g(x) = erf(x/sqrt 2), <g'(a) b g(c)> = (2/pi) (C_bc (1 + C_aa) - C_ab C_ac)/((1 + C_aa) sqrt(L)) with
    L = (1 + C_aa)(1 + C_cc) - C_ac^2."""
    numerator = C[b, c] * (1 + C[a, a]) - C[a, b] * C[a, c]
    root = sp.sqrt((1 + C[a, a]) * (1 + C[c, c]) - C[a, c] ** 2)
    found, written = SCALED.slope_linear_value(C, a, b, c), 2 / sp.pi * numerator / ((1 + C[a, a]) * root)
    return prove.identity(with_products(apart(found, 1, a, c)), with_products(apart(written, 1, a, c)))


@paper.claim("Eq. 17, line 3, integrated", rests_on=["average_of_values", "average_of_slopes"])
def average_of_slopes_and_values() -> Certificate:
    """Tilting by the slopes of a and b leaves the average of two values under the covariance (C^-1 + D)^-1, which solves
    C' (1 + D C) = C and so needs no inverse of C."""
    factor, narrowed = tilted(C, [a, b], width2)
    tilt = sp.diag(1 / width2, 1 / width2, 0, 0)
    return prove.chain(
        "tilting <g(c) g(d)> by both slopes",
        "Gaussian tilting",
        covariance=prove.identity(narrowed * (sp.eye(4) + tilt * C), C),
        factor=prove.identity(factor**2 * (sp.eye(4) + tilt * C).det(), 1),
    )


# --- the rectified line ----------------------------------------------------------------------------------------------

RAMP, LINE = Ramp(), Line()
x, spread = sp.symbols("x spread", positive=True)


@paper.claim("Section 3, closed form for ReLU: slopes")
def ramp_slopes() -> Certificate:
    """For the rectified line <g'(a) g'(b)> = 1/4 + asin(C_ab/sqrt(C_aa C_bb))/(2 pi), where C_aa C_bb > C_ab^2."""
    density, _ = conditioned(C.extract([a, b], [a, b]), [0, 1])
    moved = sp.diff(RAMP.slopes(C, a, b), C[a, b])
    return prove.chain(
        "the density of a = b = 0, and independent signs",
        "Price",
        derivative=prove.identity(with_products(apart(moved, 0)), apart(density, 0)),
        base=prove.identity(RAMP.slopes(C, a, b).subs(C[a, b], 0), sp.Rational(1, 4)),
    )


@paper.claim("Section 3, closed form for ReLU: values", rests_on=["ramp_slopes"])
def ramp_values() -> Certificate:
    """For the rectified line <g(a) g(b)> = C_ab <g'(a) g'(b)> + sqrt(C_aa C_bb - C_ab^2)/(2 pi); independent fields have the
    means sqrt(C_aa/(2 pi)) and sqrt(C_bb/(2 pi))."""
    moved = sp.diff(RAMP.values(C, a, b), C[a, b])
    density = sp.exp(-(x**2) / (2 * spread**2)) / (spread * sp.sqrt(2 * sp.pi))
    mean = sp.sqrt(C[a, a] / (2 * sp.pi)) * sp.sqrt(C[b, b] / (2 * sp.pi))
    return prove.chain(
        "the average of the slopes, and independent values",
        "Price",
        derivative=prove.identity(apart(moved, 0), apart(RAMP.slopes(C, a, b), 0)),
        base=prove.every(
            prove.identity(RAMP.values(C, a, b).subs(C[a, b], 0), mean),
            prove.identity(sp.diff(-(spread**2) * density, x), x * density),
        ),
    )


@paper.claim("Section 3, closed form for ReLU: slope, field and value", rests_on=["ramp_slopes"])
def ramp_slope_field_value() -> Certificate:
    """For the rectified line <g'(a) b g(c)> = C_ab sqrt(C_aa C_cc - C_ac^2)/(2 pi C_aa) + C_bc <g'(a) g'(c)>."""
    curved = sp.sqrt(C[a, a] * C[c, c] - C[a, c] ** 2) / (2 * sp.pi * C[a, a])
    density, given = conditioned(C, [a])
    return prove.chain(
        "Stein's lemma on b; the curvature of the rectified line is a point mass",
        "Stein",
        equation=prove.every(
            prove.identity(apart(RAMP.curvature_value(C, a, c), 0, a, c), apart(curved, 0, a, c)),
            prove.identity(given[c, c] * C[a, a], C[a, a] * C[c, c] - C[a, c] ** 2),
            prove.identity(2 * sp.pi * C[a, a] * density**2, 1),
        ),
    )


@paper.claim("Section 3, linear networks")
def line_averages() -> Certificate:
    """For g(x) = x every average is one covariance: <g g> = C_ab, <g' b g> = C_bc, <g' g' g g> = C_cd and <g' g'> = 1."""
    field = sp.Symbol("x", real=True)
    values = (LINE.slopes(C, a, b), LINE.values(C, a, b), LINE.slope_linear_value(C, a, b, c))
    return prove.chain(
        "Stein's lemma with a constant slope",
        "Stein",
        equation=prove.every(
            prove.identity(sp.diff(field, field), 1),
            prove.identity(values, (1, C[a, b], C[b, c])),
            prove.identity(LINE.slopes_values(C, a, b, c, d), C[c, d]),
        ),
    )
