"""The kernels of this paper, and the claims that their rewritten forms rest on. Everything here comes from derived formulas."""

from __future__ import annotations

import sympy as sp

from derivations import prove
from derivations.kernels import Kernel
from derivations.papers.van_rossem_saxe_2024.closed_form import SQUARED_START, K, alpha, beta, rho, squared_solution
from derivations.papers.van_rossem_saxe_2024.equal_targets import logistic
from derivations.papers.van_rossem_saxe_2024.readings import REPAIRED
from derivations.papers.van_rossem_saxe_2024.setup import (
    A,
    X,
    a,
    b,
    derived_flow,
    h,
    h0,
    n,
    paper,
    s,
    signed_flow,
    t,
    tau_b,
    tau_h,
    tau_y,
    w,
    w0,
    y,
    y0,
)
from derivations.prove import Certificate
from derivations.special import relexp

CITES = "van Rossem & Saxe (2024), arXiv:2402.09142v1"
S = sp.Symbol("s", positive=True)  # |y2 - y1|^2 of different targets

two_point_kernel = paper.kernel(
    Kernel(
        "two_point_flow",
        says="Rates of h = |dh|^2, y = |dy|^2 and w along the gradient flow of the loss (equation 7 with both time constants doubled).",
        state=[h, y, w],
        params=[X, s, tau_h, tau_y],
        returns={"h_rate": derived_flow[h], "y_rate": derived_flow[y], "w_rate": derived_flow[w]},
        rests_on=["derived_system"],
        cites=f"{CITES}, Eq. 7",
    )
)
paper.kernel(two_point_kernel.jacobian("two_point_jacobian", wrt=[h, y, w]))
signed_kernel = paper.kernel(
    Kernel(
        "signed_flow",
        says="Rates of the signed distance a, of b = u.(y2 - y1) and of n = |u|^2, where dh = a e and u = D_y e: polynomial, valid through a = 0.",
        state=[a, b, n],
        params=[X, s, tau_h, tau_y],
        returns={"a_rate": signed_flow[a], "b_rate": signed_flow[b], "n_rate": signed_flow[n]},
        rests_on=["signed_coordinates"],
        cites=CITES,
        jets=True,
    )
)
paper.kernel(signed_kernel.jacobian("signed_jacobian", wrt=[a, b, n]))

# --- the closed form, in parts that neither overflow, nor divide by K, nor cancel where h, y or w settle ---------------

fade, shut, glide, settle, slope, excess = sp.symbols("fade shut glide settle slope excess", real=True)
alpha_, beta_, K_, rho_, opening, closing = sp.symbols("alpha beta K rho opening closing", real=True)
lead, trail, across, numerator_a, numerator_b = sp.symbols("lead trail across numerator_a numerator_b", real=True)
norm, gap, lag, pull, turn, sideways = sp.symbols("norm gap lag pull turn sideways", real=True)
missed, room, steer, crossing, apart = sp.symbols("missed room steer crossing apart", real=True)
tilt, shift, along, drawn = sp.symbols("tilt shift along drawn", real=True)
slow, late_fade, late_shut, late_settle, late_w = sp.symbols("slow late_fade late_shut late_settle late_w", real=True)

against = missed > 0  # the start leads through dh = 0, or nearly
gone = opening * t >= 1
begun = shift < sp.Rational(1, 2)  # then one minus the shift is the more accurate
held = alpha_ * sp.Abs(slope) > 2 * opening * sp.Abs(trail) * glide
balanced_start = sp.Abs(K_) < beta_ * h0 / 2
fresh = shut > 2 * drawn  # where K < 0 the norm then falls from one as `shut` does, and the rest is small
heavy = sp.Lt(K_, -beta_ * h0 / 2)
mild = closing < 2 * opening
even = opening < 2 * closing  # then lead and K may both be small, and only both together say how small w is
unsettled = sp.Abs(K_) * t < 1
aimed = alpha_ * beta_ * S  # = opening * closing
PARTS = [
    (alpha_, alpha),
    (beta_, beta),
    (K_, beta_ * h0 - alpha_ * y0 / h0),
    (rho_, sp.sqrt(K_**2 / 4 + aimed)),
    (opening, sp.Piecewise((rho_ + K_ / 2, K_ >= 0), (aimed / (rho_ - K_ / 2), True))),
    (closing, sp.Piecewise((aimed / (rho_ + K_ / 2), K_ >= 0), (rho_ - K_ / 2, True))),
    (missed, w0 - y0),
    (room, S + missed),
    (slope, -missed / h0),
    (excess, -room / S),
    (fade, sp.exp(-2 * rho_ * t)),
    (shut, sp.exp(-2 * opening * t)),
    (glide, t * relexp(-2 * rho_ * t)),
    (settle, sp.Piecewise((fade * t * relexp(-K_ * t), K_ >= 0), (shut * t * relexp(K_ * t), True))),
    (apart, y0 * S - missed**2),
    (sideways, apart / (h0 * S)),
    (across, alpha_ * sideways / h0),
    (steer, alpha_ * w0 / h0**2),
    (tilt, -alpha_ / h0),
    (
        crossing,
        sp.Piecewise(((K_ * room - tilt * apart) / h0, balanced_start), (beta_ * room - steer * missed, True)),
    ),
    (lead, sp.Piecewise((alpha_ * crossing / (closing - alpha_ * slope), against), (opening + alpha_ * slope, True))),
    (trail, sp.Piecewise((closing - alpha_ * slope, against), (alpha_ * crossing / (opening + alpha_ * slope), True))),
    (shift, trail * glide),
    (
        numerator_a,
        sp.Piecewise((fade + lead * glide, gone), (1 - shift, begun), (fade + lead * glide, True)),
    ),
    (
        numerator_b,
        sp.Piecewise(
            (slope + opening / alpha_ * trail * glide, held), (slope * fade + closing / alpha_ * lead * glide, True)
        ),
    ),
    (along, beta_ * glide / (2 * rho_) * (lead**2 / opening + trail**2 * fade / closing)),
    (drawn, alpha_ * missed**2 / (h0 * S) * settle),
    (
        norm,
        sp.Piecewise(
            (fade + h0 * (along + across * settle), K_ >= 0),
            (shut - drawn + h0 * (along + beta_ * settle), fresh),
            (fade + h0 * (along + across * settle), True),
        ),
    ),
    (gap, (fade * excess - h0 * across * settle) / norm),
    (slow, sp.Piecewise((sp.exp(-rho_ * t), mild), (sp.exp(-opening * t), True))),
    (late_fade, sp.Piecewise((sp.exp(-rho_ * t), mild), (sp.exp(-closing * t), True))),
    (late_shut, sp.Piecewise((sp.exp(-(rho_ + K_) * t), mild), (sp.exp(-opening * t), True))),
    (
        late_settle,
        sp.Piecewise((late_fade * t * relexp(-K_ * t), K_ >= 0), (late_shut * t * relexp(K_ * t), True)),
    ),
    (
        lag,
        sp.Piecewise(
            ((late_settle * (1 + fade) - glide * (late_fade + late_shut)) / 2, unsettled),
            (
                aimed * t / (rho_ * K_) * (late_fade * relexp(-2 * opening * t) - late_shut * relexp(-2 * closing * t)),
                True,
            ),
        ),
    ),
    (
        pull,
        sp.Piecewise(
            (aimed * late_settle * glide + K_ * lag, K_ * t > -1),
            (
                aimed
                / (-K_ * rho_)
                * (
                    opening * late_shut * t * relexp(-2 * closing * t)
                    + closing * late_fade * t * relexp(-2 * opening * t)
                    - 2 * rho_ * late_fade * glide
                ),
                True,
            ),
        ),
    ),
    (
        turn,
        sp.Piecewise(
            (
                late_fade * ((fade - K_ * glide) * w0 / h0 + glide * lead * beta_ * (y0 - S) / (beta_ * h0 + closing)),
                even,
            ),
            (late_fade * ((fade + closing * glide) * w0 / h0 - beta_ * room * glide), True),
        ),
    ),
    (late_w, h0 * numerator_a / norm**2 * (turn - sideways * (pull + alpha_ * slope * lag))),
]
"""What w is made of has the factor `slow`, which is taken out: w may be a normal float where it times another is none."""
distance = h0 * numerator_a**2 / norm
CLOSED = {
    "h": distance,
    "y": sp.Piecewise(
        (S * (1 + gap) ** 2 + distance * sideways * shut / norm, sp.Abs(gap) < sp.Rational(1, 2)),
        (distance * (beta_ * distance - K_) / alpha_, heavy),
        (distance * (h0 * numerator_b**2 / S + sideways * shut) / norm, True),
    ),
    "w": slow * late_w,
}


def in_full(expression: sp.Expr, assuming: dict[sp.Basic, bool], level: sp.Expr = K) -> sp.Expr:
    """A formula of the kernel with its parts put back, in the branches that hold, for comparison with the solution."""
    parts = dict(PARTS) | {
        opening: rho_ + K_ / 2,
        closing: rho_ - K_ / 2,
    }  # both branches are these, which is proved apart

    def branch(part: sp.Expr) -> sp.Expr:
        if not isinstance(part, sp.Piecewise):
            return part
        return next(value for value, condition in part.args if condition == sp.true or assuming[condition])

    expression = branch(expression)
    for name, _ in reversed(PARTS):
        if name not in (K_, rho_):
            expression = expression.subs(name, branch(parts[name]))
    start = {y0: SQUARED_START[y], S: (rho**2 - K**2 / 4) / (alpha * beta)}
    return expression.subs(K_, level).rewrite(sp.exp).subs(rho_, rho).subs(start, simultaneous=True).subs(K, level)


@paper.claim("Beyond: closed form, as emitted", rests_on=["closed_form_squared", "closed_form_squared_balanced"])
def emitted_closed_form() -> Certificate:
    """In every branch, K = 0 included, the emitted rewriting in decaying exponentials equals the
    closed form for |dh|^2, |dy|^2 and w."""
    time = {sp.Symbol("t", real=True): t}

    def agree(above: bool, near: bool, level: sp.Expr, back: bool = True) -> Certificate:
        solution = squared_solution(balanced=level == 0)
        small = {unsettled: near, sp.Abs(gap) < sp.Rational(1, 2): near}
        branches = {
            K_ >= 0: above,
            K_ * t > -1: above or near,
            against: back,
            even: near,
            begun: near,
            held: back,
            fresh: near and not above,
            gone: not near,
            mild: above or near,
            heavy: not above,
            balanced_start: near,
            **small,
        }
        names = {"h": h, "y": y, "w": w}
        return prove.every(
            *(prove.identity(in_full(CLOSED[k], branches, level), solution[v].subs(time)) for k, v in names.items())
        )

    either = (True, False)
    sides = [agree(above, near, K, back) for above in either for near in either for back in either]
    balanced = [agree(above=True, near=True, level=sp.Integer(0), back=back) for back in either]
    other = (alpha * beta * S / (rho - K / 2)).subs(S, (rho**2 - K**2 / 4) / (alpha * beta))
    return prove.every(prove.identity((other, other.subs(K, -K)), (rho + K / 2, rho - K / 2)), *balanced, *sides)


closed_kernel = paper.kernel(
    Kernel(
        "closed_form",
        says="h, y and w at time t from their values at time zero, for different targets (s > 0) and dh that does not rotate.",
        state=[h0, y0, w0],
        params=[X, S, tau_h, tau_y, t],
        returns={"h": CLOSED["h"], "y": CLOSED["y"], "w": CLOSED["w"]},
        shared=PARTS,
        domain=[(y0 - w0) ** 2 <= y0 * S],
        rests_on=["emitted_closed_form", "closed_form_squared_balanced"],
        cites=CITES,
    )
)
paper.kernel(closed_kernel.jacobian("closed_form_sensitivities", wrt=[tau_h, tau_y], lost_digits=3))

# --- equal targets ----------------------------------------------------------------------------------------------------

level, pace, drop, shrunk = sp.symbols("level pace drop shrunk", real=True)
EQUAL_PARTS = [
    (level, h0 - tau_y * X / tau_h * y0 / h0),
    (pace, t / (2 * tau_y)),
    (drop, sp.Piecewise((level * pace, level >= 0), (-level * pace, True))),
    (fade, sp.exp(-drop)),
    (shrunk, h0 * pace * relexp(-drop)),
    (norm, sp.Piecewise((fade + shrunk, level >= 0), (1 + shrunk, True))),
]
EQUAL = {
    "h": sp.Piecewise((h0 / norm, level >= 0), (h0 * fade / norm, True)),
    "y": y0 * fade / norm**2,
}


@paper.claim(
    "Eq. 39 and 40, as emitted",
    rests_on=["logistic_distance_doubled", "logistic_prediction_doubled", "algebraic_distance"],
)
def emitted_equal_targets() -> Certificate:
    """The emitted forms for equal targets, with |A_high| in the exponent, equal the corrected equations 39 and 40 on both sides of
    A_high = 0."""
    solution = logistic(REPAIRED)
    c1 = tau_h / (tau_y * X)
    start = c1 * h0 * (h0 - A)
    decay = {True: sp.exp(-A * t / (2 * tau_y)), False: sp.exp(A * t / (2 * tau_y))}
    rest = {True: h0 * (1 - decay[True]) / A, False: h0 * (decay[False] - 1) / A}
    above, under = decay[True] + rest[True], 1 + rest[False]
    return prove.every(
        prove.identity(h0 / above, solution),
        prove.identity(h0 * decay[False] / under, solution),
        prove.identity(start * decay[True] / above**2, c1 * solution * (solution - A)),
        prove.identity(start * decay[False] / under**2, c1 * solution * (solution - A)),
    )


equal_kernel = paper.kernel(
    Kernel(
        "equal_targets",
        says="h and y = w at time t for equal targets, A_high = 0 included.",
        state=[h0, y0],
        params=[X, tau_h, tau_y, t],
        returns=EQUAL,
        shared=EQUAL_PARTS,
        rests_on=[
            "emitted_equal_targets",
            "logistic_distance_doubled",
            "logistic_prediction_doubled",
            "algebraic_distance",
        ],
        cites=f"{CITES}, Eqs. 39 and 40, corrected",
    )
)
paper.kernel(equal_kernel.jacobian("equal_targets_sensitivities", wrt=[tau_h, tau_y], lost_digits=3))

# --- fixed points and loss --------------------------------------------------------------------------------------------

high, low2, root = sp.symbols("high low2 root", real=True)
FINAL_PARTS = [
    (high, h0 - tau_y * X / tau_h * y0 / h0),
    (low2, tau_y * X * S / tau_h),
    (root, sp.sqrt(high**2 + 4 * low2)),
]


@paper.claim("Eq. 10, as emitted", rests_on=["final_rest_distance"])
def emitted_final_distance() -> Certificate:
    """For A_high < 0 the final distance is 2 A_low^2/(sqrt(A_high^2 + 4 A_low^2) - A_high), a form without cancellation."""
    negative, low = sp.Symbol("A_high", negative=True), sp.Symbol("A_low", positive=True)
    R = sp.sqrt(negative**2 + 4 * low**2)
    return prove.identity(negative / 2 + R / 2, 2 * low**2 / (R - negative))


paper.kernel(
    Kernel(
        "final_distance",
        says="The final |dh|^2 of equation 10 and the two eigenvalues of the flow there, for different targets (s > 0).",
        state=[h0, y0],
        params=[X, S, tau_h, tau_y],
        returns={
            "final": sp.Piecewise(((high + root) / 2, high >= 0), (2 * low2 / (root - high), True)),
            "slow": sp.Piecewise((-root / (4 * tau_y), high >= 0), (-low2 / (tau_y * (root - high)), True)),
            "fast": sp.Piecewise((-(root + high) / (4 * tau_y), high >= 0), (-root / (4 * tau_y), True)),
        },
        shared=FINAL_PARTS,
        rests_on=["emitted_final_distance", "final_rest_distance", "final_point_is_a_node_doubled"],
        cites=f"{CITES}, Eqs. 10 and 28",
    )
)

mean_error = sp.Symbol("mean_error", nonnegative=True)
loss_kernel = paper.kernel(
    Kernel(
        "training_loss",
        says="The loss at time t, from |ybar(0) - (y1 + y2)/2|^2 and the values of y and w at that time.",
        state=[y, w],
        params=[s, mean_error, tau_b, t],
        returns={"loss": mean_error * sp.exp(-2 * t / tau_b) / 2 + (w + (s - y) / 2) / 4},
        rests_on=["training_loss", "mean_output_decays"],
        cites=f"{CITES}, Eq. 9",
    )
)
paper.kernel(loss_kernel.jacobian("training_loss_sensitivity", wrt=[tau_b]))
