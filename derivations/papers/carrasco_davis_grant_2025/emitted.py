"""The kernels of this paper in forms that stay accurate, and the claims that these equal the derived averages.

Every shifted determinant is 1 + C_aa + C_bb + (C_aa C_bb - C_ab^2), of which programs form the difference of products
without rounding them. Angles come from the smaller of two legs, so that no argument of an arcsine can exceed 1, and
fields that are fully correlated, the same field twice and fields without variance are no exceptions.

The names of parts, which stand in the emitted programs too:

    area, grown      the determinant of two fields, and that of two fields with 1 added to both variances
    slant, nearer    the longest side of the right triangle with the legs in question, and its smaller leg
    small, turn      the angle opposite to the smaller leg, and the one opposite to the covariance
    across, again    minors of the covariance; once and twice are covariances after one tilt and after both
    inside           area, or zero where rounding took it below
    near, half       (1 - |correlation|)/2, and half the angle between two fields over pi
    steps            the average of two steps; lag is the covariance times a root over a variance
    leg, opening     the root of inside, and 2 pi times the average of two steps
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import sympy as sp

from derivations import prove
from derivations.kernels.kernel import Kernel
from derivations.language.averages import tilted
from derivations.language.parts import put_back
from derivations.language.terms import as_expression
from derivations.paper.equals import RIGHT, Equals, Lemma
from derivations.paper.model import Claim
from derivations.papers.carrasco_davis_grant_2025.section_3_averages.integrals import (
    SCALED,
    C,
    a,
    b,
    c,
    d,
    with_products,
)
from derivations.papers.carrasco_davis_grant_2025.setup import paper
from derivations.prove import Certificate

CITES = "Carrasco-Davis & Grant (2025)"


def field(*names: str) -> Any:
    """Variances that may be zero, and covariances, by name."""
    return [sp.Symbol(name, **{"nonnegative" if name[-1] == name[-2] else "real": True}) for name in names]


aa, bb, cc, dd, ab, ac, ad, bc, bd, cd = field(
    "C_aa", "C_bb", "C_cc", "C_dd", "C_ab", "C_ac", "C_ad", "C_bc", "C_bd", "C_cd"
)
ENTRIES = {
    (a, a): aa, (b, b): bb, (c, c): cc, (d, d): dd, (a, b): ab, (a, c): ac, (a, d): ad, (b, c): bc, (b, d): bd, (c, d): cd,
}  # fmt: skip
AS_DERIVED = {symbol: C[place] for place, symbol in ENTRIES.items()}


def derived(expression: Any) -> Any:
    """An emitted expression in the symbols of the derived averages, whose variances are positive."""
    return as_expression(expression).subs(AS_DERIVED)


def in_full(expression: Any, parts: list[tuple[Any, Any]]) -> Any:
    """With its shared parts put back, in the symbols of the derived averages."""
    return derived(put_back(expression, parts))


# --- g(x) = erf(x/sqrt 2) ---------------------------------------------------------------------------------------------

area = sp.Symbol("area", real=True)
grown = sp.Symbol("grown", positive=True)


def determinant(first: Any, second: Any, both: Any) -> list[tuple[Any, Any]]:
    """(1 + first)(1 + second) - both^2, as shared parts of which the first is a difference of two products."""
    return [(area, first * second - both**2), (grown, 1 + first + second + area)]


slant = sp.Symbol("slant", nonnegative=True)
nearer, small, turn = sp.symbols("nearer small turn", real=True)


def angle(leg: Any) -> list[tuple[Any, Any]]:
    """The angle opposite to the leg in a right triangle whose other leg is sqrt(grown), from the smaller leg: the arcsine of
    a number near 1 would lose half its digits, which arguments that are one and the same number do not excuse."""
    low = leg**2 <= grown
    return [
        (slant, sp.sqrt(leg**2 + grown)),
        (nearer, sp.Piecewise((leg, low), (sp.sqrt(grown), True))),
        (small, sp.asin(nearer / slant)),
        (turn, sp.Piecewise((small, low), (sp.pi / 2 - small, leg > 0), (small - sp.pi / 2, True))),
    ]


PAIR, SIDE = determinant(aa, bb, ab), determinant(aa, cc, ac)
SLOPES = 2 / (sp.pi * sp.sqrt(grown))
VALUES = 2 * turn / sp.pi
difference, turned = sp.symbols("difference turned", real=True)
SLOPE_FIELD_VALUE = 2 * turned / (sp.pi * (1 + aa) * sp.sqrt(grown))
TURNED = [*SIDE, (difference, aa * bc - ab * ac), (turned, bc + difference)]


tangent = sp.Symbol("tangent", positive=True)


@paper.claim("Eq. 17 and 18, angles as emitted")
def emitted_angles() -> Certificate:
    """In a right triangle the angle opposite to a leg is what the other leg leaves of a right angle."""
    leg, other = tangent / sp.sqrt(1 + tangent**2), 1 / sp.sqrt(1 + tangent**2)
    return same(sp.asin(leg), sp.pi / 2 - sp.asin(other), tangent)


def same(emitted: Any, derived: Any, by: Any) -> Certificate:
    """Equality of functions of a positive number."""
    slopes = [with_products(sp.diff(side, by)) for side in (emitted, derived)]
    return prove.chain(
        "equal slopes, and equal values at 1",
        "fundamental theorem of calculus",
        derivative=prove.identity(*slopes),
        base=prove.identity(emitted.subs(by, 1), derived.subs(by, 1)),
    )


@paper.claim(
    "Eq. 17 and 18, as emitted", rests_on=["average_of_slopes", "average_of_values", "average_of_slope_field_value"]
)
def emitted_averages() -> Certificate:
    """The emitted J2, I2 and I3 equal the derived ones; for I2 the argument of the arcsine and its sign are compared."""
    legs = in_full(ab / sp.sqrt(ab**2 + grown), PAIR)
    printed = C[a, b] / (sp.sqrt(1 + C[a, a]) * sp.sqrt(1 + C[b, b]))
    return prove.every(
        prove.identity(in_full(grown, PAIR), (1 + C[a, a]) * (1 + C[b, b]) - C[a, b] ** 2),
        prove.identity(legs, printed),
        prove.identity(SCALED.values(C, a, b), 2 / sp.pi * sp.asin(printed)),
        prove.identity(in_full(SLOPES, PAIR), SCALED.slopes(C, a, b)),
        prove.identity(in_full(SLOPE_FIELD_VALUE, TURNED), SCALED.slope_linear_value(C, a, b, c)),
    )


# --- what they equal: an angle is the arcsine that the claim states, in each of the three ways in which it is computed ---

tangent = sp.Symbol("tangent", positive=True)
OF_LEG, OF_OTHER = tangent / sp.sqrt(1 + tangent**2), 1 / sp.sqrt(1 + tangent**2)
COMPLEMENT = Lemma(sp.pi / 2 - sp.asin(OF_OTHER), sp.asin(OF_LEG), tangent)
OPPOSITE = Lemma(sp.asin(OF_OTHER) - sp.pi / 2, -sp.asin(OF_LEG), tangent)
"""In a right triangle the angle opposite to a leg is what the other leg leaves of a right angle."""
NO_VARIANCE = (aa, bb, cc, dd)
"""Variances may be zero here, where all of these averages are continuous."""


def angles(claim: Claim | str, **returns: str) -> list[Equals]:
    """The average of two values, whose angle has its leg and both signs as cases; the covariance has a positive determinant."""
    of_a, of_b, both_, spare = C[a, a], C[b, b], C[a, b], sp.Symbol("spare", positive=True)
    low = ab**2 <= grown
    short = sp.asin(ab / (sp.sqrt(1 + aa) * sp.sqrt(1 + bb)))
    first = Equals(
        claim,
        returns,
        parts={turn: short},
        inside=NO_VARIANCE,
        fix={of_b: (spare + both_**2) / of_a},
        reached={spare: of_a * of_b - both_**2},
        holds={low: True},
    )
    above, below = (replace(lemma, at=sign * ab / sp.sqrt(grown)) for lemma, sign in ((COMPLEMENT, 1), (OPPOSITE, -1)))
    return [
        first,
        replace(first, holds={low: False, ab > 0: True}, assuming=(both_ > 0,), lemmas={turn: above}),
        replace(first, holds={low: False, ab > 0: False}, assuming=(both_ < 0,), lemmas={turn: below}),
    ]


COVARIANCE = aa * bb >= ab**2


@paper.kernel(equals=[Equals("average_of_slopes_for_scaled_erf", {"J2": RIGHT}, inside=NO_VARIANCE)])
def erf_J2_kernel() -> Kernel:
    return Kernel(
        "erf_J2",
        says="<g'(a) g'(b)> for g(x) = erf(x/sqrt 2) and Gaussian fields a, b of mean zero.",
        state=[aa, bb, ab],
        returns={"J2": SLOPES},
        shared=PAIR,
        domain=[COVARIANCE],
        rests_on=["average_of_slopes", "emitted_averages"],
        cites=f"{CITES}, Eq. 17, line 4",
    )


@paper.kernel(equals=angles("printed_average_for_scaled_erf", I2=RIGHT))
def erf_I2_kernel() -> Kernel:
    return Kernel(
        "erf_I2",
        says="<g(a) g(b)> for g(x) = erf(x/sqrt 2) and Gaussian fields a, b of mean zero.",
        state=[aa, bb, ab],
        returns={"I2": VALUES},
        shared=[*PAIR, *angle(ab)],
        domain=[COVARIANCE],
        rests_on=["average_of_values", "printed_average_for_scaled_erf", "emitted_averages", "emitted_angles"],
        cites=f"{CITES}, Eq. 18",
    )


@paper.kernel(equals=[Equals("average_of_slope_field_value_for_scaled_erf", {"I3": RIGHT}, inside=NO_VARIANCE)])
def erf_I3_kernel() -> Kernel:
    return Kernel(
        "erf_I3",
        says="<g'(a) b g(c)> for g(x) = erf(x/sqrt 2) and Gaussian fields a, b, c of mean zero, whatever the variance of b.",
        state=[aa, cc, ab, bc, ac],
        returns={"I3": SLOPE_FIELD_VALUE},
        shared=TURNED,
        domain=[aa * cc >= ac**2],
        rests_on=["average_of_slope_field_value", "emitted_averages"],
        cites=f"{CITES}, Eq. 17, line 2",
    )


# --- I4: first the bell of a, then the bell of b ----------------------------------------------------------------------

above = 1 + aa
both = sp.Symbol("both", positive=True)


def named(kind: str) -> dict[tuple[int, int], Any]:
    return {(i, j): sp.Symbol(f"{kind}_{'abcd'[i]}{'abcd'[j]}", real=True) for i, j in ENTRIES}


across, once, across_again, twice = map(named, ("across", "once", "again", "twice"))


def after_a() -> list[tuple[Any, Any]]:
    """(1 + C_aa) times every covariance after tilting by the slope of a."""
    parts = []
    for i, j in ((b, b), (b, c), (b, d), (c, c), (d, d), (c, d)):
        whole, left, right = ENTRIES[i, j], ENTRIES[a, i], ENTRIES[a, j]
        parts += [(across[i, j], aa * whole - left * right), (once[i, j], whole + across[i, j])]
    return parts


def after_both() -> list[tuple[Any, Any]]:
    """Every covariance after tilting by both slopes, from `once`."""
    parts = []
    for i, j in ((c, c), (d, d), (c, d)):
        whole, left, right = once[i, j], once[b, i], once[b, j]
        parts.append((across_again[i, j], once[b, b] * whole - left * right))
        parts.append((twice[i, j], (above * whole + across_again[i, j]) / (above * both)))
    return parts


TWICE = [*after_a(), (both, above + once[b, b]), *after_both()]
LEGS = [*determinant(twice[c, c], twice[d, d], twice[c, d]), *angle(twice[c, d])]
SLOPES_VALUES = 4 * turn / (sp.pi**2 * sp.sqrt(both))


@paper.claim("Eq. 17, line 3, as emitted", rests_on=["average_of_slopes_and_values", "emitted_averages"])
def emitted_slopes_and_values() -> Certificate:
    """Tilting first by the slope of a and then by that of b gives the covariance and the factor of tilting by both."""
    factor, narrowed = tilted(C, [a, b], 1)
    legs = in_full(slant**2, LEGS)
    return prove.every(
        prove.identity(in_full(both, TWICE), factor**-2),
        *(prove.identity(in_full(twice[x, y], TWICE), narrowed[x, y]) for x, y in ((c, c), (d, d), (c, d))),
        prove.identity(legs, (1 + twice[c, c]) * (1 + twice[d, d])),
    )


def covariances() -> list[Any]:
    """No principal minor is negative: the fields have a covariance, which may be singular."""
    whole = sp.Matrix(4, 4, lambda i, j: ENTRIES[min(i, j), max(i, j)])
    chosen = [fields for count in (2, 3, 4) for fields in combinations(range(4), count)]
    return [sp.expand(whole.extract(list(f), list(f)).det()) >= 0 for f in chosen]


@paper.kernel
def erf_I4_kernel() -> Kernel:
    return Kernel(
        "erf_I4",
        says="<g'(a) g'(b) g(c) g(d)> for g(x) = erf(x/sqrt 2) and Gaussian fields a, b, c, d of mean zero.",
        state=[aa, bb, cc, dd, ab, ac, bc, ad, bd, cd],
        returns={"I4": SLOPES_VALUES},
        shared=[*TWICE, *LEGS],
        domain=covariances(),
        rests_on=["average_of_slopes_and_values", "emitted_slopes_and_values", "emitted_angles"],
        cites=f"{CITES}, Eq. 17, line 3",
    )


# --- the rectified line -----------------------------------------------------------------------------------------------

root, near, half, steps = sp.symbols("root near half steps", nonnegative=True)
inside = sp.Symbol("inside", nonnegative=True)


def half_angle(first: Any, second: Any, both: Any) -> list[tuple[Any, Any]]:
    """The average of two steps from half the angle between the fields, or between one and the other's opposite if that is
    smaller; a covariance that rounding took over its bound counts as being there."""
    return [
        (area, first * second - both**2),
        (inside, sp.Piecewise((area, area > 0), (0, True))),
        (root, sp.sqrt(first * second)),
        (near, sp.Piecewise((inside / (2 * root * (root + sp.Abs(both))), root > 0), (sp.Rational(1, 2), True))),
        (half, sp.asin(sp.sqrt(near)) / sp.pi),
        (steps, sp.Piecewise((sp.Rational(1, 2) - half, both >= 0), (half, True))),
    ]


lag = sp.Symbol("lag", real=True)
RAMP_PAIR, RAMP_SIDE = half_angle(aa, bb, ab), half_angle(aa, cc, ac)
LAG = (lag, sp.Piecewise((ab * sp.sqrt(inside) / (2 * sp.pi * aa), aa > 0), (0, True)))

cotangent = sp.Symbol("cotangent", positive=True)


@paper.claim(
    "Section 3, closed form for ReLU, as emitted", rests_on=["ramp_slopes", "ramp_values", "ramp_slope_field_value"]
)
def emitted_ramp() -> Certificate:
    """With near = (1 - |correlation|)/2 and half = asin(sqrt(near))/pi the average of two steps is 1/2 - half for a correlation that
    is not negative and half for one that is not positive. All are functions of the half angle's cotangent."""
    near = 1 / (1 + cotangent**2)
    half, size = sp.asin(sp.sqrt(near)) / sp.pi, sp.factor(1 - 2 * near)
    forms = {1: sp.Rational(1, 2) - half, -1: half}
    return prove.every(
        *(same(form, sp.Rational(1, 4) + side * sp.asin(size) / (2 * sp.pi), cotangent) for side, form in forms.items())
    )


variance_a, variance_b, size = sp.symbols("variance_a variance_b size", positive=True)


@paper.claim("Section 3, closed form for ReLU, correlation as emitted")
def emitted_correlation() -> Certificate:
    """(C_aa C_bb - C_ab^2)/(root (root + |C_ab|)) is 1 - |C_ab|/root, root = sqrt(C_aa C_bb)."""
    product = sp.sqrt(variance_a * variance_b)
    emitted = (variance_a * variance_b - size**2) / (2 * product * (product + size))
    return prove.identity(emitted, (1 - size / product) / 2)


leg, opening = sp.symbols("leg opening", nonnegative=True)
NARROW = [
    *RAMP_PAIR[:2],
    (leg, sp.sqrt(inside)),
    (slant, sp.sqrt(ab**2 + inside)),
    (nearer, sp.Piecewise((leg, inside < ab**2), (sp.Abs(ab), True))),
    (small, sp.Piecewise((sp.asin(nearer / slant), slant > 0), (0, True))),
    (turn, sp.Piecewise((small, inside < ab**2), (sp.pi / 2 - small, True))),
    (opening, sp.Piecewise((sp.pi - turn, ab >= 0), (turn, True))),
]
"""The angle between one field and the other or its opposite, from the smaller leg, and 2 pi times the average of two steps.
For opposite fields the two terms of the average cancel but for its third power, and as many roundings as can be are common."""


@paper.claim("Section 3, closed form for ReLU, two values as emitted", rests_on=["ramp_values", "emitted_angles"])
def emitted_ramp_values() -> Certificate:
    """With the angle whose tangent is sqrt(C_aa C_bb - C_ab^2)/|C_ab| the average of two steps is one half less 1/(2 pi) of it for a
    covariance that is not negative, and 1/(2 pi) of it for one that is not positive; its slant is sqrt(C_aa C_bb)."""
    narrow, correlation = 1 / sp.sqrt(1 + cotangent**2), cotangent / sp.sqrt(1 + cotangent**2)
    forms = {1: sp.pi - sp.asin(narrow), -1: sp.asin(narrow)}
    squared = variance_a * variance_b - size**2
    return prove.every(
        prove.identity(squared + size**2, variance_a * variance_b),
        *(
            same(form / (2 * sp.pi), sp.Rational(1, 4) + side * sp.asin(correlation) / (2 * sp.pi), cotangent)
            for side, form in forms.items()
        ),
    )


RELU_RESTS = ["emitted_ramp", "emitted_correlation"]


@paper.kernel
def relu_J2_kernel() -> Kernel:
    return Kernel(
        "relu_J2",
        says="<g'(a) g'(b)> for the rectified line and Gaussian fields a, b of mean zero; a field without variance is "
        "as often above zero as below.",
        state=[aa, bb, ab],
        returns={"J2": steps},
        shared=RAMP_PAIR,
        domain=[COVARIANCE],
        rests_on=["ramp_slopes", *RELU_RESTS],
        cites=f"{CITES}, Eq. 17, line 4",
    )


@paper.kernel
def relu_I2_kernel() -> Kernel:
    return Kernel(
        "relu_I2",
        says="<g(a) g(b)> for the rectified line and Gaussian fields a, b of mean zero.",
        state=[aa, bb, ab],
        returns={"I2": (leg + ab * opening) / (2 * sp.pi)},
        shared=NARROW,
        domain=[COVARIANCE],
        rests_on=["ramp_values", "emitted_angles", "emitted_ramp_values"],
        cites=f"{CITES}, Eq. 17, line 1",
    )


@paper.kernel
def relu_I3_kernel() -> Kernel:
    return Kernel(
        "relu_I3",
        says="<g'(a) b g(c)> for the rectified line and Gaussian fields a, b, c of mean zero, whatever the variance of b.",
        state=[aa, cc, ab, bc, ac],
        returns={"I3": bc * steps + lag},
        shared=[*RAMP_SIDE, LAG],
        domain=[aa * cc >= ac**2],
        rests_on=["ramp_slope_field_value", *RELU_RESTS],
        cites=f"{CITES}, Eq. 17, line 2",
    )
