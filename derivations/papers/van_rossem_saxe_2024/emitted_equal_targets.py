"""The solution for equal targets and its derivatives by both time constants as kernels, in sums of positive parts.

The names of parts, which stand in the emitted programs too:

    stay, drive      h0 t/(2 tau_y) and X y0 t/(2 tau_h h0); their difference is A_high t/(2 tau_y), lesser the smaller one
    half             half of the size of that difference; half_fade is e^(-half), half_glide (1 - e^(-half))/half and
                     half_turn the derivative of relexp at -half
    glide, later     relexp and its derivative at -2 half; rest is later or what it leaves of glide
    norm             what the solution is divided by; share is half_fade/norm
    faded, carried   h0 half_fade and y0 share
    h_by_y, ...      the derivative of the logarithm of h by tau_y, and so on; upward, turning and spread are parts of them
"""

from derivations.papers.van_rossem_saxe_2024.setup import *
from derivations.language.functions import relexp, relexp1
from derivations.papers.van_rossem_saxe_2024.emitted import CITES, glide, norm

stay, drive, lesser, half, half_fade = reals("stay drive lesser half half_fade >= 0")
half_glide, share, faded, carried = reals("half_glide share faded carried >= 0")
half_turn, later, spread, rest = reals("half_turn later spread rest >= 0")
h_by_h, h_by_y, y_by_h, y_by_y, upward, turning = reals("h_by_h h_by_y y_by_h y_by_y upward turning")
staying = drive <= stay  # A_high >= 0
# In sums of positive parts, with |A_high| t/(2 tau_y) = |stay - drive|. The exponential of that comes as two factors,
# for it may be no normal float where a large factor beside it still makes a normal result.
EQUAL_PARTS = [(stay, h0 * t / (2 * tau_y)),
    (drive, X * y0 * t / (2 * tau_h * h0)),
    (lesser, Piecewise((drive, staying), (stay, True))),
    (half, Piecewise(((stay - drive) / 2, staying), ((drive - stay) / 2, True))),
    (half_fade, exp(-half)),
    (half_glide, relexp(-half)),
    (glide, half_glide * (1 + half_fade) / 2),
    (norm, 1 + lesser * glide),
    (share, half_fade / norm),
    (faded, h0 * half_fade),
    (carried, y0 * share)]
EQUAL = {"h": Piecewise((h0 / norm, staying), (faded * share, True)), "y": carried * share}
# `later` is relexp1 of the whole exponent, and `spread` how much more the first half of it counts than the second.
EQUAL_SLOPE_PARTS = [*EQUAL_PARTS, (half_turn, relexp1(-half)),
    (later, (half_turn + half_fade * (half_glide + half_turn)) / 4),
    (spread, (half_glide - half_turn - half_fade * half_turn) / 2),
    (rest, Piecewise((later, staying), (glide - later, True))),
    (upward, (1 + lesser * spread) / norm),
    (turning, (half_glide * (1 + half_fade) - 1 - lesser * spread) / norm),
    (h_by_h, drive * (glide + drive * rest) / (tau_h * norm)),
    (h_by_y, -drive * rest * stay / (tau_y * norm)),
    (y_by_h, Piecewise((share * drive * turning / tau_h, staying), (share * drive * upward / tau_h, True))),
    (y_by_y, Piecewise((share * stay * upward / tau_y, staying), (share * stay * turning / tau_y, True)))]
EQUAL_SLOPES = {"dh_dtau_h": Piecewise((h0 / norm * h_by_h, staying), (EQUAL["h"].args[1].expr * h_by_h, True)),
    "dh_dtau_y": Piecewise((h0 / norm * h_by_y, staying), (EQUAL["h"].args[1].expr * h_by_y, True)),
    "dy_dtau_h": carried * y_by_h,
    "dy_dtau_y": carried * y_by_y}

# --- what the claims say ----------------------------------------------------------------------------------------------
HIGH = h0 - tau_y * X * y0 / (tau_h * h0)  # A_high of a start
level = Eq(HIGH, 0)

def on_a_side(*, above):
    """Equations 39 and 40 for A_high above zero or below."""
    return Equals("logistic_prediction_doubled", {"h": "h", "y": "y"}, where={y0: tau_h / (tau_y * X) * h0 * (h0 - A)},
        reached={A: HIGH}, holds={staying: above, level: False})

BETWEEN = Equals(
    "algebraic_distance", {"h": "h", "y": "y"}, where={y0: tau_h / (tau_y * X) * h0**2}, holds={level: True})

def slope_on_a_side(*, above):
    """The derivatives of equations 39 and 40 by both time constants, on which A_high depends too."""
    by = {"dh_dtau_h": tau_h, "dh_dtau_y": tau_y, "dy_dtau_h": tau_h, "dy_dtau_y": tau_y}
    return Equals(
        "logistic_prediction_doubled", {name: name[1] for name in by}, at={A: HIGH}, by=by, holds={staying: above})

paper.emits("equal_targets", says="h and y = w at time t for equal targets, A_high = 0 included.", state=[h0, y0],
    params=[X, tau_h, tau_y, t], returns=EQUAL, shared=EQUAL_PARTS, cites=f"{CITES}, Eqs. 39 and 40, corrected",
    equals=[on_a_side(above=True), on_a_side(above=False), BETWEEN])

paper.emits("equal_targets_sensitivities", says="The derivatives of h, y (equal_targets) by tau_h, tau_y.",
    state=[h0, y0], params=[X, tau_h, tau_y, t], returns=EQUAL_SLOPES, shared=EQUAL_SLOPE_PARTS,
    cites=f"{CITES}, Eqs. 39 and 40, corrected", equals=[slope_on_a_side(above=True), slope_on_a_side(above=False)])
