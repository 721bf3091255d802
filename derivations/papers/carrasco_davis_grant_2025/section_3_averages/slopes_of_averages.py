"""How the averages for erf(x/sqrt 2) change with every covariance of their fields, in forms that cancel little.

By Price's theorem each of these derivatives is an average again; here they are derivatives of the closed forms. That of
I4 goes through the covariance S of c and d after tilting by both slopes, which changes at rates of two shares:

    p_x = <a x>' and q_x = <b x>' under the covariance tilted by the slopes of a and b, for x = c, d.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from derivations import prove
from derivations.language.averages import tilted
from derivations.language.parts import put_back
from derivations.papers.carrasco_davis_grant_2025.emitted import (
    AS_DERIVED,
    PAIR,
    TURNED,
    TWICE,
    aa,
    ab,
    ac,
    ad,
    bb,
    bc,
    bd,
    both,
    cc,
    grown,
    in_full,
    once,
    turned,
    twice,
)
from derivations.papers.carrasco_davis_grant_2025.section_3_averages.integrals import SCALED, C, a, b, c, d
from derivations.papers.carrasco_davis_grant_2025.setup import paper
from derivations.papers.carrasco_davis_grant_2025.source.unevaluated import derivative, put
from derivations.prove import Certificate

root = sp.Symbol("root", positive=True)
ROOT = (root, sp.sqrt(grown))
cubed = grown * root
UNIT = 2 / sp.pi

# --- J2 and I2 --------------------------------------------------------------------------------------------------------

J2_SLOPES = {"aa": -UNIT * (1 + bb) / (2 * cubed), "bb": -UNIT * (1 + aa) / (2 * cubed), "ab": UNIT * ab / cubed}
I2_SLOPES = {"aa": -UNIT * ab / (2 * (1 + aa) * root), "bb": -UNIT * ab / (2 * (1 + bb) * root), "ab": UNIT / root}

# --- I3 ---------------------------------------------------------------------------------------------------------------

lead = sp.Symbol("lead", real=True)
LEAD = (lead, ab * cc - ac * bc)
I3_SLOPES = {
    "aa": UNIT * (ab * ac / (1 + aa) - turned * (1 + cc) / (2 * grown)) / ((1 + aa) * root),
    "cc": -UNIT * turned / (2 * cubed),
    "ab": -UNIT * ac / ((1 + aa) * root),
    "bc": UNIT / root,
    "ac": -UNIT * (ab + lead) / cubed,
}
I3_PARTS = [*TURNED, LEAD, ROOT]


first_root, second_root, tangent = sp.symbols("first_root second_root tangent", positive=True)


def every(first: int, second: int) -> dict[Any, Any]:
    """All variances and covariances of two fields whose determinant with 1 + C on its diagonal is positive, without roots."""
    cosine = (1 - tangent**2) / (1 + tangent**2)
    return {
        C[first, first]: first_root**2 - 1,
        C[second, second]: second_root**2 - 1,
        C[first, second]: first_root * second_root * cosine,
    }


def entry(name: str) -> Any:
    return C["abcd".index(name[0]), "abcd".index(name[1])]


@paper.claim("Eq. 17 and 18, slopes of the averages as emitted", rests_on=["average_of_slopes"])
def emitted_slopes() -> Certificate:
    """The emitted derivatives of J2, I2 and I3 by each covariance equal those of the derived averages."""
    cases = [
        (J2_SLOPES, SCALED.slopes(C, a, b), [*PAIR, ROOT], b),
        (I2_SLOPES, SCALED.values(C, a, b), [*PAIR, ROOT], b),
        (I3_SLOPES, SCALED.slope_linear_value(C, a, b, c), I3_PARTS, c),
    ]
    return prove.every(
        *(
            prove.identity(
                put(derivative(average, entry(name)), every(a, other)), in_full(emitted, parts).subs(every(a, other))
            )
            for slopes, average, parts, other in cases
            for name, emitted in slopes.items()
        )
    )


# --- I4 ---------------------------------------------------------------------------------------------------------------

REAL = "lead_c lead_d p_c p_d q_c q_d turn_pc turn_pd turn_qc turn_qd by_ac by_ad by_bc by_bd value"
lead_c, lead_d, p_c, p_d, q_c, q_d, turn_pc, turn_pd, turn_qc, turn_qd, by_ac, by_ad, by_bc, by_bd, value = sp.symbols(
    REAL, real=True
)
scale = sp.Symbol("scale", positive=True)
S_cc, S_dd, S_cd = twice[c, c], twice[d, d], twice[c, d]
SHARES = [
    (lead_c, bb * ac - ab * bc),
    (lead_d, bb * ad - ab * bd),
    (p_c, (ac + lead_c) / both),
    (p_d, (ad + lead_d) / both),
    (q_c, once[b, c] / both),
    (q_d, once[b, d] / both),
]
TURNS = [
    (turn_pc, S_cc * p_d - S_cd * p_c),
    (turn_pd, S_dd * p_c - S_cd * p_d),
    (turn_qc, S_cc * q_d - S_cd * q_c),
    (turn_qd, S_dd * q_c - S_cd * q_d),
    (by_ac, -scale * (p_d + turn_pc) / (1 + S_cc)),
    (by_ad, -scale * (p_c + turn_pd) / (1 + S_dd)),
    (by_bc, -scale * (q_d + turn_qc) / (1 + S_cc)),
    (by_bd, -scale * (q_c + turn_qd) / (1 + S_dd)),
]
I4_SLOPES = {
    "aa": -(p_c * by_ac + p_d * by_ad + value * (1 + bb) / both) / 2,
    "bb": -(q_c * by_bc + q_d * by_bd + value * (1 + aa) / both) / 2,
    "cc": -scale * S_cd / (2 * (1 + S_cc)),
    "dd": -scale * S_cd / (2 * (1 + S_dd)),
    "ab": ab * value / both - q_c * by_ac - q_d * by_ad,
    "ac": by_ac,
    "bc": by_bc,
    "ad": by_ad,
    "bd": by_bd,
    "cd": scale,
}
SCALE = (scale, 4 / (sp.pi**2 * sp.sqrt(both) * sp.sqrt(grown)))
RATES: dict[str, tuple[Any, Any, Any, Any]] = {
    "aa": (p_c**2, p_d**2, p_c * p_d, 1 + bb),
    "bb": (q_c**2, q_d**2, q_c * q_d, 1 + aa),
    "cc": (1, 0, 0, 0),
    "dd": (0, 1, 0, 0),
    "ab": (2 * p_c * q_c, 2 * p_d * q_d, p_c * q_d + q_c * p_d, -2 * ab),
    "ac": (-2 * p_c, 0, -p_d, 0),
    "bc": (-2 * q_c, 0, -q_d, 0),
    "ad": (0, -2 * p_d, -p_c, 0),
    "bd": (0, -2 * q_d, -q_c, 0),
    "cd": (0, 0, 1, 0),
}
"""How S_cc, S_dd, S_cd and the determinant `both` change with each covariance."""
WITHIN = {
    S_cc: -scale * S_cd / (2 * (1 + S_cc)),
    S_dd: -scale * S_cd / (2 * (1 + S_dd)),
    S_cd: scale,
    both: -value / (2 * both),
}
"""How I4 changes with each of those."""


@paper.claim("Eq. 17, line 3, slopes: the tilted covariance", rests_on=["erf_I4_kernel"])
def rates_of_the_tilted_covariance() -> Certificate:
    """After tilting by the slopes of a and b the covariances of c and d change with the old ones at rates that are products
    of the tilted covariances p, q with a and b, and the determinant of the two shifted fields at those of its entries."""
    factor, narrowed = tilted(C, [a, b], 1)
    shares = {p_c: narrowed[a, c], p_d: narrowed[a, d], q_c: narrowed[b, c], q_d: narrowed[b, d]} | AS_DERIVED
    parts = [*TWICE, *SHARES]
    weights = sp.symbols("of_cc of_dd of_cd of_both", real=True)
    found = sp.Matrix(weights).dot([narrowed[c, c], narrowed[d, d], narrowed[c, d], factor**-2])
    return prove.every(
        *(prove.identity(in_full(name, parts), shares[name]) for name in (p_c, p_d, q_c, q_d)),
        *(
            prove.identity(
                derivative(found, entry(name)), sp.Matrix(weights).dot(rates).subs(shares, simultaneous=True)
            )
            for name, rates in RATES.items()
        ),
    )


@paper.claim(
    "Eq. 17, line 3, slopes as emitted",
    rests_on=["rates_of_the_tilted_covariance", "average_of_slopes_and_values", "emitted_slopes"],
)
def emitted_slopes_of_slopes_and_values() -> Certificate:
    """By the chain rule through the tilted covariance and the determinant the emitted derivatives are those of I4."""
    whole = 2 / (sp.pi * sp.sqrt(both)) * SCALED.values(C, c, d)
    shifted = (1 + C[c, c]) * (1 + C[d, d]) - C[c, d] ** 2
    renamed = {S_cc: C[c, c], S_dd: C[d, d], S_cd: C[c, d], scale: SCALE[1].subs(grown, shifted), value: whole}
    return prove.every(
        *(
            prove.identity(
                put(derivative(whole, renamed.get(s, s)), every(c, d)),
                put(slope.subs(renamed, simultaneous=True), every(c, d)),
            )
            for s, slope in WITHIN.items()
        ),
        *(
            prove.identity(
                put_back(I4_SLOPES[name], TURNS),
                sum(slope * rate for slope, rate in zip(WITHIN.values(), RATES[name], strict=True)),
            )
            for name in RATES
            if name not in ("cc", "dd", "cd")
        ),
    )
