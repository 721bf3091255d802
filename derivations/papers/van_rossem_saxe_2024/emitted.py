"""The flow and the closed form as kernels, and the claims that their rewritten forms rest on.

The names of parts, which stand in the emitted programs too. Of the start, with dh = a e and dy = a u:

    missed, room     w0 - y0 = -dy.(y2 - y1), and s + missed
    slope            u.(y2 - y1)/a
    sideways         the square of the part of u that is orthogonal to y2 - y1; apart is h0 s times it, across
                     alpha/h0 times it
    opening, closing rho + K/2 and rho - K/2, the rates of which the larger one settles first
    lead, trail      2 rho times the shares of dh in the direction that grows and in the one that decays; their sum is
                     2 rho, their product alpha crossing, and steer and tilt are parts of crossing

Of time:

    fade, shut       e^(-2 rho t) and e^(-2 opening t)
    glide, settle    (1 - fade)/(2 rho) and (fade - shut)/K, which have their limits where rho or K is zero
    shift            trail glide, the share of dh that is lost
    numerator_a, _b  the distance over its start and the output along y2 - y1 over its scale, before both are divided
                     by the root of norm
    norm             fade (1 + int |Z|^2), by which the solution of the Riccati equation is divided; along and drawn
                     are parts of it
    gap              how far the output along y2 - y1 is from the target, over its length
    slow             a decaying factor of w, which is taken out of it; late_fade, late_shut, late_settle and late_w are
                     fade, shut, settle and w without it
    turn, pull, lag  what w owes to its start, and to the part of u that is orthogonal to y2 - y1

For equal targets:

    stay, drive      h0 t/(2 tau_y) and X y0 t/(2 tau_h h0); their difference is A_high t/(2 tau_y), lesser the smaller one
    half             half of the size of that difference; half_fade is e^(-half), half_glide (1 - e^(-half))/half and
                     half_turn the derivative of relexp at -half
    glide, later     relexp and its derivative at -2 half; rest is later or what it leaves of glide
    norm             what the solution is divided by; share is half_fade/norm
    faded, carried   h0 half_fade and y0 share
    h_by_y, ...      the derivative of the logarithm of h by tau_y, and so on; upward, turning and spread are parts of them
"""

from derivations.papers.van_rossem_saxe_2024.setup import *
from derivations.models.two_point.closed_form import K, aim, alpha, beta, rho, y_start
from derivations.papers.van_rossem_saxe_2024.in_numbers import (
    LOSS as LOSS_IN_NUMBERS, RATES, SIGNED_RATES, flow_in_numbers, loss_in_numbers, signed_flow_in_numbers)
from derivations.language.functions import relexp, relexp1
from dataclasses import replace
from derivations.papers.van_rossem_saxe_2024.section_3_final_distance.final_distance import level
from derivations.papers.van_rossem_saxe_2024.source.readings import FROM_LOSS

CITES = "van Rossem & Saxe (2024), arXiv:2402.09142v1"
lift, push, outward, inward = reals("lift push outward inward")
FLOW_PARTS = [(lift, h / (4 * tau_y)), (push, X / (4 * tau_h * h)), (outward, y - s - 3 * w), (inward, w * (y + w))]
# The two layers apart, so that rates cancel in one difference of two products, which are not rounded before.
FLOW = {"h_rate": -X * w / (2 * tau_h), "y_rate": -2 * w * (lift + push * y), "w_rate": lift * outward - push * inward}

RATE_OF = {f"{name}_rate": rate for name, rate in RATES.items()}
SIGNED_RATE_OF = {f"{name}_rate": rate for name, rate in SIGNED_RATES.items()}
paper.emits("two_point_flow",
    says="Rates of h = |dh|^2, y = |dy|^2 and w along the gradient flow of the loss (equation 7 with both time constants doubled).",
    state=[h, y, w], params=[X, s, tau_h, tau_y], returns=FLOW, shared=FLOW_PARTS, cites=f"{CITES}, Eq. 7",
    equals=[Equals(flow_in_numbers, RATE_OF)])

signed_flow_kernel = paper.emits("signed_flow",
    says="Rates of the signed distance a, of b = u.(y2 - y1) and of n = |u|^2, where dh = a e and u = D_y e: polynomial, valid through a = 0.",
    state=[a, b, n], params=[X, s, tau_h, tau_y],
    returns={"a_rate": signed_flow[a], "b_rate": signed_flow[b], "n_rate": signed_flow[n]}, cites=CITES,
    equals=[Equals(signed_flow_in_numbers, SIGNED_RATE_OF)])

# --- the closed form, in parts that neither overflow, nor divide by K, nor cancel where h, y or w settle ---------------
fade, shut, glide, settle, slope, excess = reals("fade shut glide settle slope excess")
alpha_, beta_, K_, rho_, opening, closing = reals("alpha beta K rho opening closing")
lead, trail, across, numerator_a, numerator_b = reals("lead trail across numerator_a numerator_b")
norm, gap, lag, pull, turn, sideways = reals("norm gap lag pull turn sideways")
missed, room, steer, crossing, apart = reals("missed room steer crossing apart")
tilt, shift, along, drawn = reals("tilt shift along drawn")
slow, late_fade, late_shut, late_settle, late_w = reals("slow late_fade late_shut late_settle late_w")
open_glide, close_glide, slow_rate, fade_rate, shut_rate = reals("open_glide close_glide slow_rate fade_rate shut_rate")
against = missed > 0  # the start leads through dh = 0, or nearly
begun = shift < Rational(1, 2)  # then one minus the shift is the more accurate
held = alpha_ * Abs(slope) > 2 * opening * Abs(trail) * glide
balanced_start = Abs(K_) < beta_ * h0 / 2
fresh = shut > 2 * drawn  # where K < 0 the norm then falls from one as `shut` does, and the rest is small
mild = closing < 2 * opening
even = opening < 2 * closing  # then lead and K may both be small, and only both together say how small w is
aimed = alpha_ * beta_ * S  # = opening * closing
# What w is made of has the factor `slow`, which is taken out: w may be a normal float where it times another is none.
# Branches choose arguments of exponentials, not exponentials, for a program that computes several points at once takes
# every branch.
PARTS = [(alpha_, alpha),
    (beta_, beta),
    (K_, beta_ * h0 - alpha_ * y0 / h0),
    (rho_, sqrt(K_**2 / 4 + aimed)),
    (opening, Piecewise((rho_ + K_ / 2, K_ >= 0), (aimed / (rho_ - K_ / 2), True))),
    (closing, Piecewise((aimed / (rho_ + K_ / 2), K_ >= 0), (rho_ - K_ / 2, True))),
    (missed, w0 - y0),
    (room, S + missed),
    (slope, -missed / h0),
    (excess, -room / S),
    (fade, exp(-2 * rho_ * t)),
    (shut, exp(-2 * opening * t)),
    (glide, t * relexp(-2 * rho_ * t)),
    (settle, Piecewise((fade * t * relexp(-K_ * t), K_ >= 0), (shut * t * relexp(K_ * t), True))),
    (apart, y0 * S - missed**2),
    (sideways, apart / (h0 * S)),
    (across, alpha_ * sideways / h0),
    (steer, alpha_ * w0 / h0**2),
    (tilt, -alpha_ / h0),
    (crossing, Piecewise(((K_ * room - tilt * apart) / h0, balanced_start), (beta_ * room - steer * missed, True))),
    (lead, Piecewise((alpha_ * crossing / (closing - alpha_ * slope), against), (opening + alpha_ * slope, True))),
    (trail, Piecewise((closing - alpha_ * slope, against), (alpha_ * crossing / (opening + alpha_ * slope), True))),
    (shift, trail * glide),
    (numerator_a, Piecewise((fade + lead * glide, opening * t >= 1), (1 - shift, begun), (fade + lead * glide, True))),
    (numerator_b, Piecewise(
            (slope + opening / alpha_ * trail * glide, held), (slope * fade + closing / alpha_ * lead * glide, True))),
    (along, beta_ * glide / (2 * rho_) * (lead**2 / opening + trail**2 * fade / closing)),
    (drawn, alpha_ * missed**2 / (h0 * S) * settle),
    (norm, Piecewise((fade + h0 * (along + across * settle), K_ >= 0),
            (shut - drawn + h0 * (along + beta_ * settle), fresh), (fade + h0 * (along + across * settle), True))),
    (gap, (fade * excess - h0 * across * settle) / norm),
    (slow_rate, Piecewise((rho_, mild), (opening, True))),
    (fade_rate, Piecewise((rho_, mild), (closing, True))),
    (shut_rate, Piecewise((rho_ + K_, mild), (opening, True))),
    (slow, exp(-slow_rate * t)),
    (late_fade, exp(-fade_rate * t)),
    (late_shut, exp(-shut_rate * t)),
    (late_settle, Piecewise((late_fade * t * relexp(-K_ * t), K_ >= 0), (late_shut * t * relexp(K_ * t), True))),
    (open_glide, t * relexp(-2 * opening * t)),
    (close_glide, t * relexp(-2 * closing * t)),
    (lag, Piecewise(((late_settle * (1 + fade) - glide * (late_fade + late_shut)) / 2, Abs(K_) * t < 1),
            (aimed / (rho_ * K_) * (late_fade * open_glide - late_shut * close_glide), True))),
    (pull, Piecewise((aimed * late_settle * glide + K_ * lag, K_ * t > -1),
            (aimed / (-K_ * rho_)
                * (opening * late_shut * close_glide + closing * late_fade * open_glide - 2 * rho_ * late_fade * glide),
                True))),
    (turn, Piecewise((
                late_fade * ((fade - K_ * glide) * w0 / h0 + glide * lead * beta_ * (y0 - S) / (beta_ * h0 + closing)),
                even),
            (late_fade * ((fade + closing * glide) * w0 / h0 - beta_ * room * glide), True))),
    (late_w, h0 * numerator_a / norm**2 * (turn - sideways * (pull + alpha_ * slope * lag)))]
distance = h0 * numerator_a**2 / norm
CLOSED = {"h": distance,
    "y": Piecewise((S * (1 + gap) ** 2 + distance * sideways * shut / norm, Abs(gap) < Rational(1, 2)),
        (distance * (beta_ * distance - K_) / alpha_, sp.Lt(K_, -beta_ * h0 / 2)),
        (distance * (h0 * numerator_b**2 / S + sideways * shut) / norm, True)),
    "w": slow * late_w}
# What both branches of these parts are, which is proved apart.
BOTH_SIDES = {opening: rho_ + K_ / 2, closing: rho_ - K_ / 2}

def closed(*, balanced=False, early=False):
    """The solution from starts with K zero or not, with the smaller or the larger rate taken out of w."""
    level = sp.S.Zero if balanced else K
    K_of_start = beta * h0 - alpha * y0 / h0
    # What the solution is divided by is one and h0 times the integral of a square, and of what is orthogonal to that.
    aimed, orthogonal = (y_start - w0) / h0, alpha * y_start / h0**2 - alpha * ((y_start - w0) / h0) ** 2 / aim
    rates, run = (rho + level / 2, rho - level / 2), t if balanced else (1 - exp(-K * t)) / K
    rise, fall = exp(2 * rho * t) - 1, 1 - exp(-2 * rho * t)
    (up, down), push = rates, alpha * aimed
    grown = beta * ((up + push) ** 2 / up * rise + (down - push) ** 2 / down * fall)
    beside = sp.Mul(orthogonal.subs(K, level), run, evaluate=False)
    whole = 1 + h0 * (grown.subs(K, level) / (4 * rho**2) + beside)
    positive = [*(above(rate, 0) for rate in rates), *(at_least(part, 0) for part in (rise, fall, run, beside.args[0]))]
    return Equals("closed_form_squared_balanced" if balanced else "closed_form_squared", {"h": "h", "y": "y", "w": "w"},
        where={y0: h0 * (beta * h0 - level) / alpha, S: (rho**2 - level**2 / 4) / (alpha * beta)},
        reached={K: K_of_start, rho: sqrt(K_of_start**2 / 4 + alpha * beta * S)},
        parts={K_: level, rho_: rho, **BOTH_SIDES}, holds={Eq(K_, 0): balanced, **({} if balanced else {mild: early})},
        assuming=tuple(positive), sums=tuple(fades * whole for fades in (1, exp(-2 * rho * t), exp(-2 * t * rates[0]))))

paper.emits("closed_form",
    says="h, y and w at time t from their values at time zero, for different targets (s > 0) and dh that does not rotate.",
    state=[h0, y0, w0], params=[X, S, tau_h, tau_y, t],
    returns={"h": CLOSED["h"], "y": CLOSED["y"], "w": CLOSED["w"]}, shared=PARTS, domain=[(y0 - w0) ** 2 <= y0 * S],
    cites=CITES,
    equals=[closed(), closed(early=True), closed(balanced=True)])

# === Equal targets, in sums of positive parts ===
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
at_zero = Eq(HIGH, 0)

def on_a_side(*, above):
    """Equations 39 and 40 for A_high above zero or below."""
    return Equals("logistic_prediction_doubled", {"h": "h", "y": "y"}, where={y0: tau_h / (tau_y * X) * h0 * (h0 - A)},
        reached={A: HIGH}, holds={staying: above, at_zero: False}, off=(Ne(t, 0),))

BETWEEN = Equals(
    "algebraic_distance", {"h": "h", "y": "y"}, where={y0: tau_h / (tau_y * X) * h0**2}, holds={at_zero: True})

def slope_on_a_side(*, above):
    """The derivatives of equations 39 and 40 by both time constants, on which A_high depends too; not at A_high = 0."""
    fading = exp(-HIGH * t / (2 * tau_y))
    known = (HIGH > 0, at_least(1, fading)) if above else (HIGH < 0, at_least(fading, 1))
    by = {"dh_dtau_h": tau_h, "dh_dtau_y": tau_y, "dy_dtau_h": tau_h, "dy_dtau_y": tau_y}
    return Equals(
        "logistic_prediction_doubled", {name: name[1] for name in by}, at={A: HIGH}, by=by, holds={staying: above},
        off=(Ne(t, 0), Ne(HIGH, 0)), assuming=known)

paper.emits("equal_targets", says="h and y = w at time t for equal targets, A_high = 0 included.", state=[h0, y0],
    params=[X, tau_h, tau_y, t], returns=EQUAL, shared=EQUAL_PARTS, cites=f"{CITES}, Eqs. 39 and 40, corrected",
    equals=[on_a_side(above=True), on_a_side(above=False), BETWEEN])

paper.emits("equal_targets_sensitivities", says="The derivatives of h, y (equal_targets) by tau_h, tau_y.",
    state=[h0, y0], params=[X, tau_h, tau_y, t], returns=EQUAL_SLOPES, shared=EQUAL_SLOPE_PARTS,
    cites=f"{CITES}, Eqs. 39 and 40, corrected", equals=[slope_on_a_side(above=True), slope_on_a_side(above=False)])

# === The final distance, the eigenvalues of the flow there and the loss, in forms that do not cancel ===
high, low2, root = reals("high low2 root")
FINAL_PARTS = [(high, h0 - tau_y * X / tau_h * y0 / h0),
    (low2, tau_y * X * S / tau_h),
    (root, sqrt(high**2 + 4 * low2))]
LINEAR = Matrix(level(FROM_LOSS)).jacobian([h, w]).subs(w, 0).subs(h, final)
eigenvalue = reals("eigenvalue")
CHARACTERISTIC = eigenvalue**2 - LINEAR.trace() * eigenvalue + LINEAR.det()
FROM_ROOT, FROM_SUM = -sqrt(A**2 + 4 * B**2) / (4 * tau_y), -(A + sqrt(A**2 + 4 * B**2)) / (4 * tau_y)
rest_and_eigenvalues = paper.states("rest_and_eigenvalues: final_rest_distance derived_system",
    "Eq. 10 and 28, in numbers",
    "With w = 0 the flow of the loss rests at the positive distance of equation 10, and the eigenvalues of its "
    "Jacobian there are -sqrt(A_high^2 + 4 A_low^2)/(4 tau_y) and -(A_high + sqrt(A_high^2 + 4 A_low^2))/(4 tau_y).",
    lambda: [same(Subs(level(FROM_LOSS)[1].subs(w, 0).xreplace(without_signs(h)), without_signs(h)[h], final), 0),
        positive(final, squares=[A + 2 * sqrt(A**2 / 4 + B**2)]),
        *(same(Subs(CHARACTERISTIC, eigenvalue, value), 0) for value in (FROM_ROOT, FROM_SUM))])

def at_rest(*, above):
    """The distance and eigenvalues for a start with A_high above zero or below, which tells the slower one."""
    slow, fast = (FROM_ROOT, FROM_SUM) if above else (FROM_SUM, FROM_ROOT)
    return Equals(rest_and_eigenvalues, {"final": final, "slow": slow, "fast": fast},
        where={y0: tau_h / (tau_y * X) * h0 * (h0 - A), S: tau_h * B**2 / (tau_y * X)},
        reached={A: h0 - tau_y * X / tau_h * y0 / h0, B: sqrt(tau_y * X * S / tau_h)}, holds={high >= 0: above})

paper.emits("final_distance",
    says="The final |dh|^2 of equation 10 and the two eigenvalues of the flow there, for different targets (s > 0).",
    state=[h0, y0], params=[X, S, tau_h, tau_y], returns={
        "final": Piecewise(((high + root) / 2, high >= 0), (2 * low2 / (root - high), True)),
        "slow": Piecewise((-root / (4 * tau_y), high >= 0), (-low2 / (tau_y * (root - high)), True)),
        "fast": Piecewise((-(root + high) / (4 * tau_y), high >= 0), (-root / (4 * tau_y), True)),
    }, shared=FINAL_PARTS, cites=f"{CITES}, Eqs. 10 and 28", equals=[at_rest(above=True), at_rest(above=False)])

mean_error, decay = reals("mean_error >= 0, decay > 0")
# The decay is that of `decay_in_numbers`.
LOSS_OF_TIME = Equals(loss_in_numbers, {"loss": LOSS_IN_NUMBERS}, at={decay: exp(-t / tau_b)})
LOSS = mean_error * exp(-2 * t / tau_b) / 2 + (w + (s - y) / 2) / 4
paper.emits("training_loss",
    says="The loss at time t, from |ybar(0) - (y1 + y2)/2|^2 and the values of y and w at that time.", state=[y, w],
    params=[s, mean_error, tau_b, t], returns={"loss": LOSS}, cites=f"{CITES}, Eq. 9", equals=[LOSS_OF_TIME])

root_fade, early_half, late_half = reals("root_fade early_half late_half >= 0")
LOSS_PARTS = [(root_fade, exp(-t / tau_b)),
    (early_half, mean_error * root_fade / tau_b),
    (late_half, t * root_fade / tau_b)]
paper.emits("training_loss_sensitivity", says="The derivative of loss (training_loss) by tau_b.",
    state=[y, w], params=[s, mean_error, tau_b, t], returns={"dloss_dtau_b": early_half * late_half},
    shared=LOSS_PARTS, cites=f"{CITES}, Eq. 9",
    equals=[replace(LOSS_OF_TIME, returns={"dloss_dtau_b": LOSS_IN_NUMBERS}, by={"dloss_dtau_b": tau_b})])
