"""Section 6: the shallow network, which learns a reversed task without slowing down."""

from __future__ import annotations

from typing import Any

import sympy as sp

from derivations import prove
from derivations.language.words import Letter, along, gradient, norm2, number, substitute, trace
from derivations.models.two_layer_linear import HALF, WHITE, X, Y, data_xx, data_yx, per_sample
from derivations.papers.braun_2022.setup import paper, s, t
from derivations.prove import Certificate, Verdict

W, start = Letter("W", "N_o", "N_i"), Letter("W_0", "N_o", "N_i")
task = Letter("Sigma", "N_o", "N_i")

miss = W @ X - Y
loss = HALF * trace(miss.T @ miss) * per_sample
descent = {W: -gradient(loss, W)}
"""One layer of weights, with the same loss on the same data."""


@paper.claim("Section 6, shallow networks, gradient flow")
def shallow_flow() -> Certificate:
    """For whitened inputs, one layer of weights moves at the rate S_yx - W."""
    return prove.words(descent[W], data_yx - W, [WHITE])


decay = Letter("e", 1, 1, positive=True)
"""exp(-t/tau)."""

course = start * decay + task * (1 - decay)


@paper.claim("Section 6, shallow networks", rests_on=["shallow_flow"])
def shallow_solution() -> Certificate:
    """From W(0), one layer of weights is at e^(-t) W(0) + (1 - e^(-t)) S_yx, for any dimensions and any task."""
    return prove.chain(
        "W(t) = e^(-t) W(0) + (1 - e^(-t)) S_yx",
        "uniqueness of solutions",
        solution=prove.every(
            prove.words(along(course, {decay: -decay}), task - course),
            prove.words(substitute(course, {decay: number(1)}), start),
        ),
    )


reversed_course = substitute(course, {start: -task})


@paper.claim(
    "Section 6, shallow networks do succeed",
    rests_on=["shallow_solution"],
)
def shallow_network_relearns() -> Certificate:
    """From the opposite of the task, a shallow network is at (1 - 2 e^(-t)) S_yx, which tends to the task, as it does from every start."""
    done = {decay: number(0)}
    return prove.chain(
        "a shallow network learns the reversed task",
        "limit by decaying exponentials",
        form=prove.words(reversed_course, task * (1 - 2 * decay)),
        value=prove.every(
            prove.words(substitute(course, done), task), prove.words(substitute(reversed_course, done), task)
        ),
    )


gap = task - W


@paper.claim("Section 6, shallow networks, without catastrophic slowing", rests_on=["shallow_flow"])
def shallow_network_never_slows() -> Certificate:
    """For whitened inputs, what a shallow network has not yet learned falls at the same relative rate in every direction, at all times, from
    every start and for every task: d(S_yx - W) = -(S_yx - W), so that |S_yx - W|^2 = e^(-2t) |S_yx - W(0)|^2."""
    flow = {W: gap}
    return prove.every(
        prove.words(along(gap, flow), -gap),
        prove.words(along(norm2(gap), flow), -2 * norm2(gap)),
        prove.words(norm2(task - course), decay * decay * norm2(task - start)),
    )


ONE_PAIR: dict[str, Any] = {
    "dims": {"N_i": 1, "N_o": 1, "P": 1},
    "matrices": {"W": [["0"]], "X": [["2"]], "Y": [["1"]], "per_sample": [["1"]]},
}  # fmt: skip
"""One training pair whose input is not white."""


@paper.claim(
    "Section 6, shallow networks, without catastrophic slowing, without assumption 2.2",
    expect=Verdict.REFUTED,
    corrected_by="shallow_network_slows_with_the_inputs",
)
def shallow_network_never_slows_on_any_inputs() -> Certificate:
    """What a shallow network has not yet learned falls at the relative rate 2 for inputs that are not white too."""
    excess = data_yx - W @ data_xx
    return prove.words(along(norm2(excess), descent), -2 * norm2(excess), [], [ONE_PAIR])


@paper.claim("Section 6, shallow networks, without catastrophic slowing, without assumption 2.2, corrected")
def shallow_network_slows_with_the_inputs() -> Certificate:
    """For any inputs G = S_yx - W S_xx moves at -G S_xx: in directions in which the inputs hardly vary, it falls slowly."""
    excess = data_yx - W @ data_xx
    return prove.every(
        prove.words(along(excess, descent), -(excess @ data_xx)),
        prove.words(along(norm2(excess), descent), -2 * trace(excess @ data_xx @ excess.T)),
    )


weight = sp.Symbol("w", real=True)
fading = sp.Symbol("e", positive=True)


@paper.claim("Section 6, shallow networks, time of reversal", rests_on=["shallow_solution"])
def shallow_reversal_takes_log_two() -> Certificate:
    """With one input and one output, a shallow network passes zero on its way from -s to s at t = tau ln 2, whatever s is."""
    path = s * (1 - 2 * sp.exp(-t))
    return prove.every(
        prove.solves({weight: s - weight}, {weight: path}, {weight: -s}, t),
        prove.identity(path.subs(t, sp.log(2)), 0),
        prove.limit(s * (1 - 2 * fading), [fading], s),
    )
