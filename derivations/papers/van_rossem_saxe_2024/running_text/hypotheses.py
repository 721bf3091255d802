"""Twins: statements of the other files with one hypothesis dropped, to show whether the hypothesis is needed."""

from __future__ import annotations

import sympy as sp

from derivations import prove
from derivations.language.terms import as_expression
from derivations.language.words import Letter, along, norm2, substitute
from derivations.models import two_point as net
from derivations.models.two_point import HALF, D_y, X, c_ddh, c_dh, c_dy, c_flow, dy, h, h0, h_mid, inv_h, s, w, y, ybar
from derivations.papers.van_rossem_saxe_2024.appendix_initial_weights.lazy import G, cosine, primed, target
from derivations.papers.van_rossem_saxe_2024.appendix_initial_weights.lazy import alignment as alignment_at
from derivations.papers.van_rossem_saxe_2024.beyond import closed_form, rotation
from derivations.papers.van_rossem_saxe_2024.section_2_model import loss_curve
from derivations.papers.van_rossem_saxe_2024.section_2_model.reduction import (
    across_dh,
    eigen,
    gap,
    pulled,
    straight,
    true_ddy,
    wide,
)
from derivations.papers.van_rossem_saxe_2024.section_3_final_distance import final_distance, reach
from derivations.papers.van_rossem_saxe_2024.section_3_final_distance.equal_targets import EQUAL
from derivations.papers.van_rossem_saxe_2024.section_3_final_distance.regimes import LOW, p, q, r, small, unit
from derivations.papers.van_rossem_saxe_2024.section_3_final_distance.regimes import final as final_of
from derivations.papers.van_rossem_saxe_2024.section_3_final_distance.regimes import high as high_of
from derivations.papers.van_rossem_saxe_2024.setup import A, paper
from derivations.papers.van_rossem_saxe_2024.source.readings import FROM_LOSS, PRINTED
from derivations.prove import Certificate, Verdict

# --- equations 5 and 15: affine maps ----------------------------------------------------------------------------------

u, v = sp.symbols("u v", real=True)
middle = (u + v) / 2


@paper.claim("Eq. 15, line 2, any smooth decoder", expect=Verdict.REFUTED, corrected_by="decoder_expansion_quadratic")
def decoder_expansion_any() -> Certificate:
    """The expansion of the decoder is exact for every smooth decoder (here: the square of a scalar representation)."""
    return prove.identity(u**2, middle**2 + middle * (u - v))


@paper.claim("Eq. 15, line 2, any smooth decoder, corrected")
def decoder_expansion_quadratic() -> Certificate:
    """For the square of a scalar representation the expansion around the mean misses the square of half the difference."""
    return prove.identity(u**2 - (u - v) ** 2 / 4, middle**2 + middle * (u - v))


h_1, h_2 = Letter("h1", "n_h", 1), Letter("h2", "n_h", 1)


@paper.claim(
    "Eq. 15, line 2, any smooth encoder", expect=Verdict.REFUTED, corrected_by="decoder_expansion_around_the_mean"
)
def decoder_expansion_around_any_point() -> Certificate:
    """For an affine decoder, y(h_1) = y(h_mid) + D_y (h_1 - h_2)/2 even if h_mid, the representation of the mean input, is not the mean of
    h_1 and h_2."""
    return prove.words(ybar + D_y @ (h_1 - h_mid), ybar + HALF * (D_y @ (h_1 - h_2)))


@paper.claim("Eq. 15, line 2, any smooth encoder, corrected")
def decoder_expansion_around_the_mean() -> Certificate:
    """For an affine decoder, y(h_1) = y(h_mid) + D_y (h_1 - h_2)/2 if h_mid is the mean of h_1 and h_2."""
    return prove.words(
        ybar + D_y @ (h_1 - h_mid), ybar + HALF * (D_y @ (h_1 - h_2)), assuming=[(h_mid, HALF * (h_1 + h_2))]
    )


@paper.claim("Eq. 15, line 3, any smooth encoder", expect=Verdict.REFUTED, corrected_by="encoder_difference_cubic")
def encoder_difference_any() -> Certificate:
    """The difference of the representations is the Jacobian at the mean times the difference of the inputs for every smooth encoder
    (here: the cube of a scalar input)."""
    return prove.identity(u**3 - v**3, 3 * middle**2 * (u - v))


@paper.claim("Eq. 15, line 3, any smooth encoder, corrected")
def encoder_difference_cubic() -> Certificate:
    """For the cube of a scalar input, the Jacobian at the mean times the difference of the inputs misses a quarter of its cube."""
    return prove.identity(u**3 - v**3 - (u - v) ** 3 / 4, 3 * middle**2 * (u - v))


@paper.claim(
    "Section 4.2, different representations",
    expect=Verdict.REFUTED,
    corrected_by="same_representation_same_output",
)
def any_representation_same_output() -> Certificate:
    """The predictions agree even where the two points have different representations."""
    return prove.words(dy, 0 * dy)


# --- equations 19-21: dh that does not rotate -------------------------------------------------------------------------


@paper.claim("Eq. 19, when it is preserved, targets only", expect=Verdict.REFUTED, corrected_by="straight_is_preserved")
def straight_with_targets_alone() -> Certificate:
    """dh moves along itself if D_y^T (y2 - y1) is a multiple of dh, whatever D_y^T D_y dh is."""
    return prove.words(c_ddh, c_dh * (c_dh.T @ c_ddh) * inv_h, assuming=eigen[1:])


@paper.claim(
    "Eq. 19, when it is preserved, predictions only", expect=Verdict.REFUTED, corrected_by="straight_is_preserved"
)
def straight_with_predictions_alone() -> Certificate:
    """dh moves along itself if D_y^T D_y dh is a multiple of dh, whatever D_y^T (y2 - y1) is."""
    return prove.words(c_ddh, c_dh * (c_dh.T @ c_ddh) * inv_h, assuming=eigen[:1])


@paper.claim(
    "Eq. 19, necessity, where dh turns",
    expect=Verdict.REFUTED,
    corrected_by="straightness_is_lost_unless_eigenvector",
)
def turning_of_a_turning_dh() -> Certificate:
    """Also where dh does not move along itself, the part of the derivative of D_y^T (dy - (y2 - y1)) across dh is the growth rate times
    the part of D_y^T D_y dh across dh."""
    image = D_y.T @ D_y @ c_dh
    return prove.words(across_dh(along(pulled, c_flow)), (c_dh.T @ c_ddh) * inv_h * across_dh(image))


@paper.claim("Eq. 20, link 9, without equation 19", expect=Verdict.REFUTED, corrected_by="prediction_link9_corrected")
def prediction_rate_without_straightness() -> Certificate:
    """The corrected rate of |dy|^2, 2 dy times the velocity for dh that does not rotate, holds for every dh."""
    return prove.words(along(norm2(c_dy), c_flow), 2 * (c_dy.T @ true_ddy))


@paper.claim("Eq. 20, link 12, without equation 19", expect=Verdict.REFUTED, corrected_by="alignment_link12_corrected")
def alignment_rate_without_straightness() -> Certificate:
    """The corrected rate of w, with the velocity of dy for dh that does not rotate, holds for every dh."""
    return prove.words(along(gap, c_flow), wide.T @ true_ddy)


# --- equations 23 and 24: the conserved quantity ----------------------------------------------------------------------

d_distance, d_prediction = along(norm2(c_dh), c_flow), along(norm2(c_dy), c_flow)
slowing = -HALF * net.rate_y * gap * norm2(c_dh) * norm2(c_dh)  # |dh|^4 times the rate of |dy|^2/|dh|^2


@paper.claim(
    ("Eq. 23, link 2, without equation 19", "Eq. 24, without equation 19"),
    expect=Verdict.REFUTED,
    corrected_by="ratio_slows_when_straight",
)
def ratio_slows_when_rotating() -> Certificate:
    """|dy|^2/|dh|^2 changes at the rate -w/(2 tau_y), multiplied out by |dh|^4, even if dh rotates."""
    return prove.words(norm2(c_dh) * d_prediction - norm2(c_dy) * d_distance, slowing)


@paper.claim(
    ("Eq. 23, link 2, with equation 19", "Eq. 24, with equation 19"),
    rests_on=["derived_system"],
)
def ratio_slows_when_straight() -> Certificate:
    """For dh that does not rotate, |dy|^2/|dh|^2 changes at the rate -w/(2 tau_y), multiplied out by |dh|^4."""
    straight_rate = 2 * (c_dy.T @ net.straight_ddy)
    return prove.every(
        prove.words(d_prediction, straight_rate, assuming=straight),
        prove.words(norm2(c_dh) * straight_rate - norm2(c_dy) * d_distance, slowing),
    )


@paper.claim(
    "Eq. 23, what remains without equation 19", rests_on=["encoder_link6_corrected", "decoder_link9_corrected"]
)
def balance_is_conserved_for_every_dh() -> Certificate:
    """For every dh, rotating or not, tau_h dh dh^T and tau_y |x2 - x1|^2 D_y^T D_y change at the same rate, so their difference is
    conserved."""
    return prove.words(
        net.const_h * along(c_dh @ c_dh.T, c_flow), net.const_y * norm2(net.delta) * along(D_y.T @ D_y, c_flow)
    )


@paper.claim("Eq. 27, line 2, where w is not zero", expect=Verdict.REFUTED, corrected_by="rest_condition")
def rest_condition_without_rest() -> Certificate:
    """Where w does not change, the printed cubic in |dh|^2 vanishes, even if w is not zero."""
    rate_of_w = as_expression(PRINTED.flow[w]).doit().subs(y, final_distance.on_level)
    return prove.identity(final_distance.rest_cubic, 0, assuming=[sp.Eq(rate_of_w, 0)])


@paper.claim(
    "Section A.3, reach of the fixed point at zero, above A_high",
    expect=Verdict.REFUTED,
    corrected_by="zero_distance_needs_negative_level",
)
def no_distance_is_in_the_state_space() -> Certificate:
    """When A_high is positive, distances above A_high would need a negative |dy|^2 too."""
    c1 = final_distance.c1
    return prove.positive(c1 * A * h - c1 * h**2, assuming=[h > A, A > 0])


# --- equation 9 -------------------------------------------------------------------------------------------------------


@paper.claim("Eq. 9, monotone, any y and w", expect=Verdict.REFUTED, corrected_by="loss_never_rises")
def loss_never_rises_anywhere() -> Certificate:
    """The loss never rises, even where 2 w - |dy|^2 + |y2 - y1|^2, which is a squared error in the model, is negative."""
    return prove.inequality(sp.Le(FROM_LOSS.rate(loss_curve.second_term), 0, evaluate=False))


@paper.claim("Eq. 19, moments with growth", expect=Verdict.REFUTED, corrected_by="growth_stops_only_for_an_instant")
def alignment_falls_with_the_error() -> Certificate:
    """w falls at the rate |dh|^2 |dy - (y2 - y1)|^2/(4 tau_y) also where |dh| changes."""
    return prove.identity(FROM_LOSS.flow[w], -h * (2 * w - y + s) / (4 * net.tau_y))


# --- equations 12 and 13 ----------------------------------------------------------------------------------------------


@paper.claim("Eq. 13, p alone", expect=Verdict.REFUTED, corrected_by="small_weights", rests_on=["final_rest_distance"])
def small_encoder_alone() -> Certificate:
    """As p goes to zero with q fixed, the final distance goes to A_low."""
    return prove.limit(final_of(high_of(small * p, q)), [small], LOW)


@paper.claim("Eq. 13, q alone", expect=Verdict.REFUTED, corrected_by="small_weights", rests_on=["final_rest_distance"])
def small_decoder_alone() -> Certificate:
    """As q goes to zero with p fixed, the final distance goes to A_low."""
    return prove.limit(final_of(high_of(p, small * q)), [small], LOW)


@paper.claim(
    "Eq. 12 and 13, units, fixed time constants",
    expect=Verdict.REFUTED,
    corrected_by="level_scales_like_a_distance",
)
def level_scales_with_fixed_constants() -> Certificate:
    """If representations are measured in units c times smaller and the time constants are left alone, A_high scales like a squared
    distance."""

    def level(start: sp.Expr) -> sp.Expr:
        return start - r * X * net.y0 / start

    return prove.identity(level(unit**2 * h0), unit**2 * level(h0))


# --- equal targets and large weights ----------------------------------------------------------------------------------


@paper.claim(
    "Section 4.2, equal targets approach, equal predictions",
    expect=Verdict.REFUTED,
    corrected_by="equal_targets_never_part",
)
def equal_targets_always_approach() -> Certificate:
    """For equal targets the distance falls even when the predictions are equal."""
    return prove.positive(-FROM_LOSS.flow[h].subs(EQUAL))


@paper.claim(
    "Section 4.2, equal targets approach, different targets",
    expect=Verdict.REFUTED,
    corrected_by="equal_targets_never_part",
)
def different_targets_always_approach() -> Certificate:
    """The distance falls as long as the predictions differ, for different targets too."""
    return prove.positive(-FROM_LOSS.flow[h], assuming=[y > 0])


depth, fading = sp.symbols("depth fading", positive=True)  # -A_high > 0 and exp(A_high t/(2 tau_y))


@paper.claim("Section A.5, exponential decay, A_high < 0", rests_on=["logistic_prediction"])
def decay_is_exponential_below() -> Certificate:
    """For equal targets and A_high < 0 as well, |dy|^2 exp(|A_high| t/(2 tau_y)) goes to a positive constant."""
    c1 = net.tau_h / (net.tau_y * X)
    distance = -depth / (1 + (-depth / h0 - 1) / fading)
    prediction = c1 * distance * (distance + depth)
    constant = c1 * depth**2 * h0 / (depth + h0)
    return prove.every(prove.limit(prediction / fading, [fading], constant), prove.positive(constant))


@paper.claim("Section A.5, w at large weights, any angle")
def alignment_at_large_weights_any_angle() -> Certificate:
    """(w/|dy|^2 - 1)^2 is at most |y2 - y1|^2/|dy|^2 at every angle, so w/|dy|^2 goes to one as |dy| grows even if the angle varies."""
    prediction = sp.Symbol("y", positive=True)
    misfit = (alignment_at(prediction) / prediction - 1) ** 2
    return prove.every(
        prove.identity(misfit, target / prediction * cosine**2),
        prove.inequality(
            sp.Le(target / prediction * cosine**2, target / prediction, evaluate=False), assuming=[sp.Le(cosine**2, 1)]
        ),
    )


g_h, g_y = Letter("g_h", 1, 1, positive=True), Letter("g_y", 1, 1, positive=True)
scaled = {net.D_h: net.D_h * g_h, D_y: D_y * g_y}


@paper.claim(
    "Eq. 41, lines 1 and 2, different factors", expect=Verdict.REFUTED, corrected_by="common_factor_scales_as_printed"
)
def any_factors_scale_as_printed() -> Certificate:
    """If D_h is multiplied by g_h, so that |dh|^2 is multiplied by G = g_h^2, and D_y by any g_y, then |dy|^2 is multiplied by G^2."""
    return prove.every(
        prove.words(substitute(norm2(c_dh), scaled), g_h**2 * norm2(c_dh)),
        prove.words(substitute(norm2(c_dy), scaled), g_h**4 * norm2(c_dy)),
    )


@paper.claim("Eq. 41, lines 1 and 2, one factor")
def common_factor_scales_as_printed() -> Certificate:
    """If D_h and D_y are multiplied by the same g_h, then |dh|^2 is multiplied by G = g_h^2 and |dy|^2 by G^2."""
    same = [(g_y, g_h)]
    return prove.every(
        prove.words(substitute(norm2(c_dh), scaled), g_h**2 * norm2(c_dh), assuming=same),
        prove.words(substitute(norm2(c_dy), scaled), g_h**4 * norm2(c_dy), assuming=same),
    )


@paper.claim(
    "Section A.5, limit of Eq. 43, targets that grow as well",
    expect=Verdict.REFUTED,
    corrected_by="large_weights_like_equal_targets",
)
def large_weights_with_growing_targets() -> Certificate:
    """With the factor G^-2, equation 43 tends to the system for equal targets even if |y2 - y1|^2 grows like G^2."""
    rate = as_expression(primed[w]).doit()
    return prove.limit(rate.subs({G: 1 / small, s: target / small**2}), [small], rate.subs(s, 0))


loss_left = loss_curve.second_term
relative_fall = -FROM_LOSS.rate(loss_left) / loss_left


@paper.claim(
    "Section A.5, no plateau, different targets",
    expect=Verdict.REFUTED,
    corrected_by="equal_targets_loss_is_log_convex",
)
def loss_is_always_log_convex() -> Certificate:
    """For different targets too, the loss of the difference falls at a relative rate that never increases, wherever
    (|dy|^2 - w)^2 <= |dy|^2 |y2 - y1|^2 (Cauchy-Schwarz)."""
    return prove.inequality(
        sp.Le(FROM_LOSS.rate(relative_fall), 0, evaluate=False), assuming=[sp.Ge(y * s, (y - w) ** 2, evaluate=False)]
    )


# --- beyond the paper -------------------------------------------------------------------------------------------------


@paper.claim(
    "Beyond: Riccati equation, without the conserved quantity",
    expect=Verdict.REFUTED,
    corrected_by="riccati_equation",
)
def riccati_for_any_constant() -> Certificate:
    """The flow of p and v is the Riccati equation for every number K, not only for K = p^2 - |v|^2."""
    p_, k_, v_, Y_ = closed_form.p_, closed_form.k_, closed_form.v_, closed_form.Y_
    size = p_ * p_ + norm2(v_)
    return prove.words(v_.T @ Y_ - p_ * norm2(v_), (k_ * p_ - size * p_) / 2 + Y_.T @ v_)


@paper.claim("Beyond: no crossing, any g", expect=Verdict.REFUTED, corrected_by="distance_stays_positive")
def distance_stays_positive_from_every_start() -> Certificate:
    """The signed distance never vanishes, even if g is less than -rho."""
    return prove.positive(reach.numerator, assuming=[reach.E < 1])


@paper.claim(
    "Eq. 10, as a lower bound, without Cauchy-Schwarz", expect=Verdict.REFUTED, corrected_by="rotation_ends_farther"
)
def any_start_ends_farther() -> Certificate:
    """The distance at which a rotating start ends is at least that of equation 10, whatever c and K are."""
    straight_root = sp.sqrt(rotation.shift**2 + rotation.overlap**2)
    return prove.inequality(sp.Ge(rotation.omega - straight_root, 0, evaluate=False))
