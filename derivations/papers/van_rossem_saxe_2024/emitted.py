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
"""

from derivations.papers.van_rossem_saxe_2024.setup import *
from derivations.language.functions import relexp
from derivations.papers.van_rossem_saxe_2024.beyond.closed_form import K, alpha, beta, rho
from derivations.papers.van_rossem_saxe_2024.in_numbers import (
    RATES, SIGNED_RATES, flow_in_numbers, signed_flow_in_numbers)

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
    returns={"a_rate": signed_flow[a], "b_rate": signed_flow[b], "n_rate": signed_flow[n]}, cites=CITES, jets=True,
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
gone = opening * t >= 1
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
    (numerator_a, Piecewise((fade + lead * glide, gone), (1 - shift, begun), (fade + lead * glide, True))),
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

def closed(*, balanced, early):
    """The solution from starts with K zero or not, with the smaller or the larger rate taken out of w."""
    level = sp.S.Zero if balanced else K
    K_of_start = beta * h0 - alpha * y0 / h0
    return Equals("closed_form_squared_balanced" if balanced else "closed_form_squared", {"h": "h", "y": "y", "w": "w"},
        where={y0: h0 * (beta * h0 - level) / alpha, S: (rho**2 - level**2 / 4) / (alpha * beta)},
        reached={K: K_of_start, rho: sqrt(K_of_start**2 / 4 + alpha * beta * S)},
        parts={K_: level, rho_: rho, **BOTH_SIDES}, holds={Eq(K_, 0): balanced, mild: early})

paper.emits("closed_form",
    says="h, y and w at time t from their values at time zero, for different targets (s > 0) and dh that does not rotate.",
    state=[h0, y0, w0], params=[X, S, tau_h, tau_y, t],
    returns={"h": CLOSED["h"], "y": CLOSED["y"], "w": CLOSED["w"]}, shared=PARTS, domain=[(y0 - w0) ** 2 <= y0 * S],
    cites=CITES,
    equals=[closed(balanced=balanced, early=early) for balanced in (False, True) for early in (False, True)])
