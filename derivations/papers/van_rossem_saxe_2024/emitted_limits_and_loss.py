"""The final distance, the eigenvalues of the flow there and the loss as kernels, in forms that do not cancel."""

from __future__ import annotations

import sympy as sp

from derivations import prove
from derivations.kernels.kernel import Kernel
from derivations.models.two_point import (
    X,
    h0,
    s,
    t,
    tau_b,
    tau_h,
    tau_y,
    w,
    y,
    y0,
)
from derivations.papers.van_rossem_saxe_2024.emitted import CITES, S
from derivations.papers.van_rossem_saxe_2024.setup import paper
from derivations.prove import Certificate

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
