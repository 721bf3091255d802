"""Appendix A.5, equations 41-43: large initial weights as a rescaling."""

from __future__ import annotations

import sympy as sp

from derivations import prove
from derivations.language.terms import as_expression
from derivations.models.two_point import X, h, h0, s, t, tau_h, tau_y, w, y
from derivations.papers.van_rossem_saxe_2024.section_3_final_distance.equal_targets import EQUAL
from derivations.papers.van_rossem_saxe_2024.setup import paper
from derivations.papers.van_rossem_saxe_2024.source.readings import FROM_LOSS, Reading, two_readings
from derivations.prove import Certificate, Verdict

G, small = sp.symbols("G epsilon", positive=True)
hp = sp.Symbol("hp", positive=True)
yp = sp.Symbol("yp", nonnegative=True)
wp = sp.Symbol("wp", real=True)
cosine = sp.Symbol("c", real=True)
large_y, target = sp.symbols("y s", positive=True)

paper.definition(
    "Eq. 41",
    "larger_weights",
    "Larger weights multiply |dh|^2 by G and |dy|^2 and w by G^2.",
    paper.printed(r"||dh||^{2}\to G||dh||^{2}\\||dy||^{2}\to G^{2}||dy||^{2}\\w\to G^{2}w"),
)
paper.definition(
    "Eq. 42",
    "primed_variables",
    "Primed variables are G |dh|^2, G^2 |dy|^2, G^2 w and t/G.",
    paper.printed(
        r"{||dh||^{2}}^{\prime}=G||dh||^{2}\\{||dy||^{2}}^{\prime}=G^{2}||dy||^{2}\\w^{\prime}=G^{2}w\\t^{\prime}=G^{-1}t"
    ),
)


def alignment(prediction: sp.Expr) -> sp.Expr:
    """w for a prediction of given squared size at a fixed angle to the target."""
    return prediction - sp.sqrt(prediction) * sp.sqrt(target) * cosine


@paper.claim("Section A.5, w at large weights")
def alignment_at_large_weights() -> Certificate:
    """At a fixed angle between prediction and target, w/|dy|^2 goes to one as |dy| grows."""
    return prove.limit(alignment(large_y / small**2) / (large_y / small**2), [small], 1)


@paper.claim("Eq. 41, line 3, exactly", expect=Verdict.REFUTED, corrected_by="alignment_scales_to_leading_order")
def alignment_scales_exactly() -> Certificate:
    """When |dy|^2 is multiplied by G^2 at a fixed angle and target, w is multiplied by exactly G^2."""
    return prove.identity(alignment(G**2 * large_y), G**2 * alignment(large_y))


@paper.claim("Eq. 41, line 3, corrected")
def alignment_scales_to_leading_order() -> Certificate:
    """At a fixed angle and target, multiplying |dy|^2 by a given G^2 multiplies w by a factor that tends to G^2 as |dy| grows."""
    large = large_y / small**2
    return prove.limit(alignment(G**2 * large) / (G**2 * alignment(large)), [small], 1)


PRIMES = {h: hp / G, y: yp / G**2, w: wp / G**2}
INVERSE = {h: G * hp, y: G**2 * yp, w: G**2 * wp}
with sp.evaluate(False):
    primed = {
        h: -(1 / tau_h) * X * wp,
        y: -wp * (1 / tau_y * hp + 1 / tau_h * X * (yp / hp)),
        w: -(1 / tau_y) * sp.Rational(1, 2) * (3 * wp - yp + G ** (-2) * s) * hp
        - 1 / tau_h * sp.Rational(1, 2) * X * ((yp + wp) * wp / hp),
    }
    primed_true = -(1 / tau_y) * sp.Rational(1, 2) * (3 * wp - yp + G**2 * s) * hp - 1 / tau_h * sp.Rational(
        1, 2
    ) * X * ((yp + wp) * wp / hp)
POWER = {h: 2, y: 3, w: 3}  # d(G h)/d(t/G) = G^2 dh/dt, and G^3 for |dy|^2 and w

HP, YP, WP = r"{||dh||^{2}}^{\prime}", r"{||dy||^{2}}^{\prime}", r"w^{\prime}"


def in_primes(r: Reading, variable: sp.Symbol) -> sp.Expr:
    """The rate of a primed variable in primed time."""
    return G ** POWER[variable] * as_expression(r.flow[variable]).doit().subs(PRIMES, simultaneous=True)


@two_readings(
    "Eq. 43, line 1",
    printed=paper.printed(
        rf"\frac{{\mathrm{{d}}}}{{\mathrm{{d}}t^{{\prime}}}}{HP}=-\frac{{1}}{{\tau_{{h}}}}||x_{{2}}-x_{{1}}||^{{2}}{WP}",
        sp.Symbol("dhp_dt"),
        primed[h],
    ),
)
def primed_line1(r: Reading) -> Certificate:
    """In the variables of equation 42 the rate of the distance is the printed one."""
    return prove.identity(in_primes(r, h), r.of(primed[h]))


@two_readings(
    "Eq. 43, line 2",
    printed=paper.printed(
        rf"\frac{{\mathrm{{d}}}}{{\mathrm{{d}}t^{{\prime}}}}{YP}=-{WP}(\frac{{1}}{{\tau_{{y}}}}{HP}"
        rf"+\frac{{1}}{{\tau_{{h}}}}||x_{{2}}-x_{{1}}||^{{2}}\frac{{{YP}}}{{{HP}}})",
        sp.Symbol("dyp_dt"),
        primed[y],
    ),
)
def primed_line2(r: Reading) -> Certificate:
    """In the variables of equation 42 the rate of the prediction is the printed one."""
    return prove.identity(in_primes(r, y), r.of(primed[y]))


@two_readings(
    "Eq. 43, line 3",
    printed=paper.printed(
        rf"\frac{{\mathrm{{d}}}}{{\mathrm{{d}}t^{{\prime}}}}{WP}=-\frac{{1}}{{\tau_{{y}}}}\frac{{1}}{{2}}(3{WP}-{YP}+G^{{-2}}||y_{{2}}-y_{{1}}||^{{2}}){HP}"
        rf"-\frac{{1}}{{\tau_{{h}}}}\frac{{1}}{{2}}||x_{{2}}-x_{{1}}||^{{2}}\frac{{({YP}+{WP}){WP}}}{{{HP}}}",
        sp.Symbol("dwp_dt"),
        primed[w],
    ),
    expect=Verdict.REFUTED,
    corrected_by="primed_line3_corrected",
)
def primed_line3(r: Reading) -> Certificate:
    """In the variables of equation 42 the target term of the rate of w carries the factor G^-2."""
    return prove.identity(in_primes(r, w), r.of(primed[w]))


@two_readings("Eq. 43, line 3, corrected")
def primed_line3_corrected(r: Reading) -> Certificate:
    """In the variables of equation 42 the target term of the rate of w carries the factor G^2, not G^-2."""
    return prove.identity(in_primes(r, w), r.of(primed_true))


@two_readings("Eq. 43, line 3, primes on the small variables")
def primed_line3_inverse(r: Reading) -> Certificate:
    """If instead the unprimed variables are the large ones, |dh|^2 = G |dh|^2' and so on, the factor is G^-2 as printed."""
    rate = as_expression(r.flow[w]).doit().subs(INVERSE, simultaneous=True) / G**3
    return prove.identity(rate, r.of(primed[w]))


@paper.claim("Section A.5, limit of Eq. 43", rests_on=["primed_line3_inverse"])
def large_weights_like_equal_targets() -> Certificate:
    """With the factor G^-2, the rate of w in equation 43 tends to that for equal targets as G grows, and w/|dy|^2 to one, as it is
    there."""
    limit = as_expression(primed[w]).doit()
    rate = prove.limit(limit.subs(G, 1 / small), [small], limit.subs(s, 0))
    return prove.every(rate, prove.limit(alignment(large_y / small**2) / (large_y / small**2), [small], 1))


@paper.claim(
    "Section A.5, limit of Eq. 43 as defined by Eq. 42",
    expect=Verdict.REFUTED,
    corrected_by="large_weights_like_equal_targets",
    rests_on=["primed_line3_corrected"],
)
def large_weights_like_equal_targets_as_defined() -> Certificate:
    """With the factor G^2 that equation 42 implies, the system tends to that for equal targets as G grows."""
    limit = as_expression(primed_true).doit()
    return prove.limit(limit.subs({G: 1 / small, s: target}), [small], limit.subs(s, 0))


steepness = h / (2 * tau_y) + X * y / (2 * tau_h * h)  # -d log|dy|^2/dt for equal targets


@paper.claim("Section A.5, no plateau", rests_on=["large_weights_like_equal_targets", "derived_system"])
def equal_targets_loss_is_log_convex() -> Certificate:
    """For equal targets |dy|^2, and with it the loss, falls at a relative rate that never increases: the fall is steepest at the
    start, so there is no plateau."""
    rates = {k: FROM_LOSS.flow[k].subs(EQUAL) for k in (h, y)}
    relative = prove.identity(rates[y], -steepness * y)
    slowing = sp.diff(steepness, h) * rates[h] + sp.diff(steepness, y) * rates[y]
    return prove.every(relative, prove.inequality(sp.Le(slowing, 0, evaluate=False)))


@paper.claim(
    "Section A.5, exponential decay",
    expect=Verdict.REFUTED,
    corrected_by="decay_is_exponential",
    rests_on=["algebraic_distance"],
)
def decay_is_always_exponential() -> Certificate:
    """For equal targets the loss decays exponentially from every start, A_high = 0 included."""
    decayed = h0 / (1 + h0 * t / (2 * tau_y))
    slow = prove.limit((decayed * t).subs(t, 1 / small), [small], 2 * tau_y)
    return prove.contrary("for A_high = 0 the distance falls like 2 tau_y/t, and |dy|^2 like its square", slow)


level, fading = sp.symbols("A_high fading", positive=True)


@paper.claim("Section A.5, exponential decay, corrected", rests_on=["logistic_prediction"])
def decay_is_exponential() -> Certificate:
    """For equal targets and A_high not zero, |dy|^2 exp(|A_high| t/(2 tau_y)) goes to a positive constant."""
    c1 = tau_h / (tau_y * X)
    distance = level / (1 + (level / h0 - 1) * fading)
    prediction = c1 * distance * (distance - level)
    constant = c1 * level**2 * (1 - level / h0)
    settled = prove.limit(prediction / fading, [fading], constant, assuming=[h0 > level])
    merging = level * h0 * fading / (h0 + level - h0 * fading)  # A_high = -level
    merging_prediction = c1 * merging * (merging + level)
    left = c1 * level**2 * h0 / (h0 + level)
    return prove.every(
        settled,
        prove.positive(constant, assuming=[h0 > level]),
        prove.limit(merging_prediction / fading, [fading], left),
        prove.positive(left),
    )
