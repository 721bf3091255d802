"""The kernels of this paper, and the claims that their rewritten forms rest on. Everything here comes from derived formulas."""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

from derivations import prove
from derivations.kernels.kernel import Kernel
from derivations.language.functions import relexp, relexp1
from derivations.language.parts import put_back
from derivations.models.two_point import (
    X,
    a,
    b,
    derived_flow,
    h,
    h0,
    n,
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
from derivations.papers.van_rossem_saxe_2024.beyond.closed_form import (
    SQUARED_START,
    K,
    alpha,
    beta,
    rho,
    squared_solution,
)
from derivations.papers.van_rossem_saxe_2024.section_3_final_distance.equal_targets import logistic, on_level
from derivations.papers.van_rossem_saxe_2024.setup import A, paper
from derivations.papers.van_rossem_saxe_2024.source.readings import REPAIRED
from derivations.prove import Certificate

Parts = Sequence[tuple[sp.Symbol, sp.Expr]]

CITES = "van Rossem & Saxe (2024), arXiv:2402.09142v1"
S = sp.Symbol("s", positive=True)  # |y2 - y1|^2 of different targets

lift, push, outward, inward = sp.symbols("lift push outward inward", real=True)
FLOW_PARTS = [
    (lift, h / (4 * tau_y)),
    (push, X / (4 * tau_h * h)),
    (outward, y - s - 3 * w),
    (inward, w * (y + w)),
]
FLOW = {
    "h_rate": -X * w / (2 * tau_h),
    "y_rate": -2 * w * (lift + push * y),
    "w_rate": lift * outward - push * inward,
}
"""The two layers apart, so that rates cancel in one difference of two products, which are not rounded before."""


@paper.claim("Eq. 7, as emitted", rests_on=["derived_system"])
def emitted_flow() -> Certificate:
    """With what each layer contributes gathered, the emitted rates of h, y and w are those of the gradient flow."""
    rates = [rate.subs(FLOW_PARTS[::-1]) for rate in FLOW.values()]
    return prove.identity(tuple(rates), (derived_flow[h], derived_flow[y], derived_flow[w]))


def two_point_flow(rates: dict[str, sp.Expr], parts: Parts, *rests_on: str) -> Kernel:
    """The flow in one form or another."""
    return Kernel(
        "two_point_flow",
        says="Rates of h = |dh|^2, y = |dy|^2 and w along the gradient flow of the loss (equation 7 with both time constants doubled).",
        state=[h, y, w],
        params=[X, s, tau_h, tau_y],
        returns=rates,
        shared=parts,
        rests_on=["derived_system", *rests_on],
        cites=f"{CITES}, Eq. 7",
    )


@paper.kernel
def flow_kernel() -> Kernel:
    return two_point_flow(FLOW, FLOW_PARTS, "emitted_flow")


@paper.kernel
def jacobian_kernel() -> Kernel:
    rates = {"h_rate": derived_flow[h], "y_rate": derived_flow[y], "w_rate": derived_flow[w]}
    return two_point_flow(rates, []).jacobian("two_point_jacobian", wrt=[h, y, w])


@paper.kernel
def signed_kernel() -> Kernel:
    return Kernel(
        "signed_flow",
        says="Rates of the signed distance a, of b = u.(y2 - y1) and of n = |u|^2, where dh = a e and u = D_y e: polynomial, valid through a = 0.",
        state=[a, b, n],
        params=[X, s, tau_h, tau_y],
        returns={"a_rate": signed_flow[a], "b_rate": signed_flow[b], "n_rate": signed_flow[n]},
        rests_on=["signed_coordinates"],
        cites=CITES,
        jets=True,
    )


@paper.kernel
def signed_jacobian_kernel() -> Kernel:
    return signed_kernel().jacobian("signed_jacobian", wrt=[a, b, n])


# --- the closed form, in parts that neither overflow, nor divide by K, nor cancel where h, y or w settle ---------------

fade, shut, glide, settle, slope, excess = sp.symbols("fade shut glide settle slope excess", real=True)
alpha_, beta_, K_, rho_, opening, closing = sp.symbols("alpha beta K rho opening closing", real=True)
lead, trail, across, numerator_a, numerator_b = sp.symbols("lead trail across numerator_a numerator_b", real=True)
norm, gap, lag, pull, turn, sideways = sp.symbols("norm gap lag pull turn sideways", real=True)
missed, room, steer, crossing, apart = sp.symbols("missed room steer crossing apart", real=True)
tilt, shift, along, drawn = sp.symbols("tilt shift along drawn", real=True)
slow, late_fade, late_shut, late_settle, late_w = sp.symbols("slow late_fade late_shut late_settle late_w", real=True)
open_glide, close_glide = sp.symbols("open_glide close_glide", real=True)
slow_rate, fade_rate, shut_rate = sp.symbols("slow_rate fade_rate shut_rate", real=True)

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
    (slow_rate, sp.Piecewise((rho_, mild), (opening, True))),
    (fade_rate, sp.Piecewise((rho_, mild), (closing, True))),
    (shut_rate, sp.Piecewise((rho_ + K_, mild), (opening, True))),
    (slow, sp.exp(-slow_rate * t)),
    (late_fade, sp.exp(-fade_rate * t)),
    (late_shut, sp.exp(-shut_rate * t)),
    (late_settle, sp.Piecewise((late_fade * t * relexp(-K_ * t), K_ >= 0), (late_shut * t * relexp(K_ * t), True))),
    (open_glide, t * relexp(-2 * opening * t)),
    (close_glide, t * relexp(-2 * closing * t)),
    (
        lag,
        sp.Piecewise(
            ((late_settle * (1 + fade) - glide * (late_fade + late_shut)) / 2, unsettled),
            (aimed / (rho_ * K_) * (late_fade * open_glide - late_shut * close_glide), True),
        ),
    ),
    (
        pull,
        sp.Piecewise(
            (aimed * late_settle * glide + K_ * lag, K_ * t > -1),
            (
                aimed
                / (-K_ * rho_)
                * (opening * late_shut * close_glide + closing * late_fade * open_glide - 2 * rho_ * late_fade * glide),
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
"""What w is made of has the factor `slow`, which is taken out: w may be a normal float where it times another is none. Branches
choose arguments of exponentials, not exponentials, for a program that computes several points at once takes every branch."""
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


BOTH_SIDES = {opening: rho_ + K_ / 2, closing: rho_ - K_ / 2}
"""What both branches of these parts are, which is proved apart."""


def in_full(expression: sp.Expr, holds: dict[sp.Basic, bool], level: sp.Expr = K, parts: Parts = PARTS) -> sp.Expr:
    """A formula of a kernel with its parts put back, in the branches that hold, for comparison with the solution."""
    whole = [(name, BOTH_SIDES.get(name, part)) for name, part in parts if name not in {K_, rho_}]
    start = {y0: SQUARED_START[y], S: (rho**2 - K**2 / 4) / (alpha * beta)}
    found = put_back(expression, whole, holds).xreplace({K_: level}).rewrite(sp.exp)
    return found.xreplace({rho_: rho}).xreplace(start).subs(K, level)


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


@paper.kernel
def closed_kernel() -> Kernel:
    return Kernel(
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


# --- equal targets ----------------------------------------------------------------------------------------------------

stay, drive, lesser, half, half_fade = sp.symbols("stay drive lesser half half_fade", nonnegative=True)
half_glide, share, faded, carried = sp.symbols("half_glide share faded carried", nonnegative=True)
half_turn, later, spread, rest = sp.symbols("half_turn later spread rest", nonnegative=True)
h_by_h, h_by_y, y_by_h, y_by_y, upward, turning = sp.symbols("h_by_h h_by_y y_by_h y_by_y upward turning", real=True)
staying = drive <= stay  # A_high >= 0
EQUAL_PARTS = [
    (stay, h0 * t / (2 * tau_y)),
    (drive, X * y0 * t / (2 * tau_h * h0)),
    (lesser, sp.Piecewise((drive, staying), (stay, True))),
    (half, sp.Piecewise(((stay - drive) / 2, staying), ((drive - stay) / 2, True))),
    (half_fade, sp.exp(-half)),
    (half_glide, relexp(-half)),
    (glide, half_glide * (1 + half_fade) / 2),
    (norm, 1 + lesser * glide),
    (share, half_fade / norm),
    (faded, h0 * half_fade),
    (carried, y0 * share),
]
"""In sums of positive parts, with |A_high| t/(2 tau_y) = |stay - drive|. The exponential of that comes as two factors, for it
may be no normal float where a large factor beside it still makes a normal result."""
EQUAL = {
    "h": sp.Piecewise((h0 / norm, staying), (faded * share, True)),
    "y": carried * share,
}
EQUAL_SLOPE_PARTS = [
    *EQUAL_PARTS,
    (half_turn, relexp1(-half)),
    (later, (half_turn + half_fade * (half_glide + half_turn)) / 4),
    (spread, (half_glide - half_turn - half_fade * half_turn) / 2),
    (rest, sp.Piecewise((later, staying), (glide - later, True))),
    (upward, (1 + lesser * spread) / norm),
    (turning, (half_glide * (1 + half_fade) - 1 - lesser * spread) / norm),
    (h_by_h, drive * (glide + drive * rest) / (tau_h * norm)),
    (h_by_y, -drive * rest * stay / (tau_y * norm)),
    (y_by_h, sp.Piecewise((share * drive * turning / tau_h, staying), (share * drive * upward / tau_h, True))),
    (y_by_y, sp.Piecewise((share * stay * upward / tau_y, staying), (share * stay * turning / tau_y, True))),
]
"""`later` is relexp1 of the whole exponent, and `spread` how much more the first half of it counts than the second."""
EQUAL_SLOPES = {
    "dh_dtau_h": sp.Piecewise((h0 / norm * h_by_h, staying), (EQUAL["h"].args[1].expr * h_by_h, True)),
    "dh_dtau_y": sp.Piecewise((h0 / norm * h_by_y, staying), (EQUAL["h"].args[1].expr * h_by_y, True)),
    "dy_dtau_h": carried * y_by_h,
    "dy_dtau_y": carried * y_by_y,
}


def on_one_side(expression: sp.Expr, above: bool) -> sp.Expr:
    """An emitted formula for equal targets with its parts put back, where A_high is above zero or below, from a start with this
    A_high."""
    expression = put_back(expression, EQUAL_SLOPE_PARTS, {staying: above})
    return expression.subs(y0, tau_h / (tau_y * X) * h0 * (h0 - A)).rewrite(sp.exp)


def equal_targets_solution() -> dict[str, sp.Expr]:
    """h and y of equations 39 and 40, corrected."""
    distance = logistic(REPAIRED)
    return {"h": distance, "y": on_level(distance)}


@paper.claim(
    "Eq. 39 and 40, as emitted",
    rests_on=["logistic_distance_doubled", "logistic_prediction_doubled", "algebraic_distance"],
)
def emitted_equal_targets() -> Certificate:
    """The emitted forms for equal targets, in the size of A_high, equal the corrected equations 39 and 40 on both sides of
    A_high = 0."""
    solution = equal_targets_solution()
    return prove.every(
        *(prove.identity(on_one_side(EQUAL[k], above), solution[k]) for above in (True, False) for k in solution)
    )


@paper.claim("Eq. 39 and 40, sensitivities as emitted", rests_on=["emitted_equal_targets"])
def emitted_equal_targets_sensitivities() -> Certificate:
    """On both sides of A_high = 0 the emitted derivatives by tau_h and tau_y are those of the corrected equations 39 and 40, in
    which A_high depends on both."""
    moves = {tau_h: (h0 - A) / tau_h, tau_y: -(h0 - A) / tau_y}
    slopes = {
        f"d{k}_d{tau}": sp.diff(value, tau) + sp.diff(value, A) * move
        for k, value in equal_targets_solution().items()
        for tau, move in moves.items()
    }
    high = h0 - tau_y * X * y0 / (tau_h * h0)
    start = {y0: tau_h / (tau_y * X) * h0 * (h0 - A)}
    return prove.every(
        *(prove.identity(sp.diff(high, tau).subs(start), move) for tau, move in moves.items()),
        *(
            prove.identity(on_one_side(EQUAL_SLOPES[name], above), slope)
            for above in (True, False)
            for name, slope in slopes.items()
        ),
    )


@paper.kernel
def equal_kernel() -> Kernel:
    return Kernel(
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


@paper.kernel
def equal_targets_sensitivities_kernel() -> Kernel:
    return Kernel(
        "equal_targets_sensitivities",
        says="The derivatives of h, y (equal_targets) by tau_h, tau_y.",
        state=equal_kernel().state,
        params=equal_kernel().params,
        returns=EQUAL_SLOPES,
        shared=EQUAL_SLOPE_PARTS,
        rests_on=[*equal_kernel().rests_on, "emitted_equal_targets_sensitivities"],
        cites=equal_kernel().cites,
    )


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


@paper.kernel
def final_distance_kernel() -> Kernel:
    return Kernel(
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


mean_error = sp.Symbol("mean_error", nonnegative=True)
LOSS = mean_error * sp.exp(-2 * t / tau_b) / 2 + (w + (s - y) / 2) / 4


@paper.kernel
def loss_kernel() -> Kernel:
    return Kernel(
        "training_loss",
        says="The loss at time t, from |ybar(0) - (y1 + y2)/2|^2 and the values of y and w at that time.",
        state=[y, w],
        params=[s, mean_error, tau_b, t],
        returns={"loss": LOSS},
        rests_on=["training_loss", "mean_output_decays"],
        cites=f"{CITES}, Eq. 9",
    )


root_fade, early_half, late_half = sp.symbols("root_fade early_half late_half", nonnegative=True)
LOSS_PARTS = [
    (root_fade, sp.exp(-t / tau_b)),
    (early_half, mean_error * root_fade / tau_b),
    (late_half, t * root_fade / tau_b),
]


@paper.claim("Eq. 9, sensitivity as emitted", rests_on=["mean_output_decays"])
def emitted_loss_sensitivity() -> Certificate:
    """With half of the decay in each of two factors the emitted derivative of the loss by tau_b is that of its decaying part."""
    whole = (early_half * late_half).subs(LOSS_PARTS[1:]).subs(*LOSS_PARTS[0])
    return prove.identity(whole, sp.diff(LOSS, tau_b))


@paper.kernel
def training_loss_sensitivity_kernel() -> Kernel:
    return Kernel(
        "training_loss_sensitivity",
        says="The derivative of loss (training_loss) by tau_b.",
        state=loss_kernel().state,
        params=loss_kernel().params,
        returns={"dloss_dtau_b": early_half * late_half},
        shared=LOSS_PARTS,
        rests_on=[*loss_kernel().rests_on, "emitted_loss_sensitivity"],
        cites=loss_kernel().cites,
    )
