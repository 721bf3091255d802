"""Theorem 3.2: where the solution ends if B has an inverse, how fast, and which hypotheses it needs."""

from __future__ import annotations

from typing import Any

import sympy as sp

from derivations import prove
from derivations.language.words import Letter, Words, identity, norm2, substitute
from derivations.language.words.blocks import Blocks
from derivations.models import two_layer_linear as net
from derivations.models.two_layer_linear import W1, W2, Sigma, St, St_inv, U, Up, Ut, V, Vp, Vt, data_xx, data_yx, flow
from derivations.papers.braun_2022.setup import paper, s, t
from derivations.papers.braun_2022.source import printed
from derivations.papers.braun_2022.source.examples import FRAMES
from derivations.papers.braun_2022.source.vocabulary import ONE, B_inv, C, E, Z, inner_11, inner_11_inv, outside, time
from derivations.prove import Certificate, Verdict

DECAYING = "limit by decaying exponentials"

# --- the limit ------------------------------------------------------------------------------------------------------------

slow = Letter("D", "N_m", "N_m", diagonal=True)
"""t exp(-S_t t), which vanishes with time as E = exp(-S_t t) does."""

vanishing_bracket = (
    St_inv
    + 4 * E @ B_inv @ net.S_inv @ B_inv.T @ E
    - E @ E @ St_inv
    + E @ B_inv @ C @ (ONE - E @ E) @ St_inv @ C.T @ B_inv.T @ E
    + 4 * slow @ B_inv @ outside @ B_inv.T @ E
)
"""The bracket of equation 11: the inverse of S_t, and terms that each hold E or D as a factor."""

GONE = {E: 0 * ONE, slow: 0 * ONE}


def in_the_end(words: Words) -> Words:
    return substitute(words, GONE)


final_Z = Blocks([[Vt], [Ut]])
final = final_Z @ St @ final_Z.T


@paper.claim("Theorem 3.2", rests_on=["theorem_31"])
def theorem_32() -> Certificate:
    """If B has an inverse, QQ' tends to [Vt; Ut] St [Vt; Ut]': everything in equations 11 and 12 that depends on time holds e^(-St t) or
    t e^(-St t) as a factor, and where these vanish the bracket is St^-1 and Z is [Vt; Ut]. For any dimensions, any equal ranks of start and
    task, and equal singular values too."""
    return prove.chain(
        "QQ' tends to [Vt; Ut] St [Vt; Ut]'",
        DECAYING,
        form=prove.words(inner_11, vanishing_bracket, [(slow, E * time)], FRAMES),
        value=prove.every(
            prove.words(Z.map(in_the_end), final_Z),
            prove.words(in_the_end(vanishing_bracket) @ St, ONE),
            prove.words(Z.map(in_the_end) @ St @ Z.map(in_the_end).T, final),
        ),
    )


TASK = (Sigma, Ut @ St @ Vt.T)


def corner(row: int, column: int, value: Words) -> Certificate:
    """One block of the limit."""
    return prove.every(theorem_32(), prove.words(final.rows[row][column], value))


@paper.claim("Theorem 3.2, network function", rests_on=["theorem_32", "loss_for_white_inputs"])
def network_learns_the_task() -> Certificate:
    """If B has an inverse, the network function W2 W1 tends to Ut St Vt', the task, where the loss has no part left that depends on
    the weights."""
    task = Ut @ St @ Vt.T
    return prove.every(corner(1, 0, task), prove.words(norm2(Sigma - final.rows[1][0]), 0, [TASK]))


@paper.claim("Theorem 3.2, representation of inputs", printed=printed.FINAL_INPUT, rests_on=["theorem_32"])
def input_representation_is_rich() -> Certificate:
    """If B has an inverse, W1' W1 tends to Vt St Vt'."""
    return corner(0, 0, Vt @ St @ Vt.T)


@paper.claim("Theorem 3.2, representation of outputs", printed=printed.FINAL_OUTPUT, rests_on=["theorem_32"])
def output_representation_is_rich() -> Certificate:
    """If B has an inverse, W2 W2' tends to Ut St Ut'."""
    return corner(1, 1, Ut @ St @ Ut.T)


# --- how fast -------------------------------------------------------------------------------------------------------------

held = (
    4 * B_inv @ net.S_inv @ B_inv.T
    - St_inv
    + B_inv @ C @ (ONE - E @ E) @ St_inv @ C.T @ B_inv.T
    + 4 * (B_inv @ outside @ B_inv.T) * time
)
"""What stands between two factors E in the bracket."""

moved = Blocks([[-(Vt @ E @ C.T)], [Ut @ E @ C.T]]) @ B_inv.T @ E
"""What Z lacks of its end inside the task's singular vectors."""

stray = 2 * Blocks([[Vp @ Vp.T @ V], [Up @ Up.T @ U]]) @ B_inv.T @ E
"""And outside of them: one factor E only."""


@paper.claim("Section 3, convergence rate", rests_on=["theorem_32"])
def deviation_of_the_parts() -> Certificate:
    """Z = [Vt; Ut] + X + Y and K^-1 = St - St E L E K^-1, where X holds e^(-St t) twice, Y, the part outside the task's singular vectors,
    holds it once, and L has a limit up to a term in t that is there for Y only."""
    whole = St @ E @ held @ E @ inner_11_inv
    return prove.every(
        prove.words(Z, final_Z + moved + stray),
        prove.words(inner_11, St_inv + E @ held @ E),
        prove.words(inner_11_inv, St - whole),
    )


left_over = 2 * Blocks([[V - Vt @ Vt.T @ V], [U - Ut @ Ut.T @ U]]) @ B_inv.T @ E
COMPLETE_ON_BOTH_SIDES = [(Ut @ Ut.T, identity("N_o")), (Vt @ Vt.T, identity("N_i"))]


@paper.claim("Section 3, convergence rate, N_i = N_o", rests_on=["deviation_of_the_parts", "time_outside_exponentials"])
def deviation_for_equal_dimensions() -> Certificate:
    """For N_i = N_o and full rank, Y vanishes, and every term of QQ'(t) - QQ'(infinity) = X K^-1 Z' + T K^-1 X' -
    T St E L E K^-1 T', with T = [Vt; Ut], holds E = e^(-St t) twice: the distance from the end is at most a multiple of e^(-2 s t) with the
    smallest singular value s of the task."""
    shifted = Blocks([[Letter("Z_i", "N_i", "N_m")], [Letter("Z_o", "N_o", "N_m")]])
    change = shifted - final_Z
    bracket = Letter("K", "N_m", "N_m", symmetric=True, equals=St_inv + E @ core @ E)
    inverse = Letter("K_inv", "N_m", "N_m", inverse_of=bracket)
    difference = (
        change @ inverse @ shifted.T + final_Z @ inverse @ change.T - final_Z @ St @ E @ core @ E @ inverse @ final_Z.T
    )
    return prove.every(
        prove.words(stray, left_over, net.COMPLETE, FRAMES),
        prove.words(left_over, 0, COMPLETE_ON_BOTH_SIDES),
        prove.words(shifted @ inverse @ shifted.T - final, difference),
    )


core = Letter("L", "N_m", "N_m", symmetric=True)
"""What stands between two factors E in the bracket, as one letter."""

a = sp.Symbol("a", positive=True)
fade, bare = sp.symbols("E T", positive=True)
"""exp(-s t), and t exp(-2 s t)."""

aligned = a * s / (a + (s - a) * fade**2)


@paper.claim("Section 3, convergence rate, N_i = N_o, is reached", rests_on=["deviation_for_equal_dimensions"])
def rate_for_equal_dimensions_is_reached() -> Certificate:
    """One aligned mode of singular value s from a is a s/(a + (s - a) e^(-2 s t)); its distance from s is -s (s - a)/a times e^(-2 s t) in
    the end."""
    value = sp.Symbol("value", positive=True)
    course = aligned.subs(fade, sp.exp(-s * t))
    return prove.every(
        prove.solves({value: 2 * value * (s - value)}, {value: course}, {value: a}, t),
        prove.limit((aligned - s) / fade**2, [fade], -s * (s - a) / a),
    )


angle, across = sp.symbols("c p", positive=True)
"""Two inputs, one output: V' Vt and V' Vp, the cosine and the sine between start and task."""

tilted = (
    4 * fade**2 / ((1 + angle) ** 2 * a)
    + (1 - fade**2) / s
    + fade**2 * (1 - angle) ** 2 * (1 - fade**2) / ((1 + angle) ** 2 * s)
    + 4 * bare * across**2 / (1 + angle) ** 2
)
along_task = 1 - (1 - angle) / (1 + angle) * fade**2
off_task = 2 * across / (1 + angle) * fade
cross_entry = off_task * along_task / tilted
"""An entry of W1' W1 between the task's input direction and the other one, from equations 11 and 12."""


@paper.claim("Section 3, convergence rate, N_i different from N_o", rests_on=["theorem_31"])
def rate_for_unequal_dimensions() -> Certificate:
    """With two inputs and one output, the entry of W1' W1 between the task's input direction and the other one goes to zero as
    2 p s/(1 + c) e^(-s t), with the cosine c and the sine p between start and task: half the rate of equal dimensions."""
    return prove.limit(cross_entry / fade, [fade, bare], 2 * across * s / (1 + angle))


@paper.claim(
    "Section 3, convergence rate of equal dimensions for N_i different from N_o",
    expect=Verdict.REFUTED,
    corrected_by="rate_for_unequal_dimensions",
)
def fast_rate_for_unequal_dimensions() -> Certificate:
    """The distance from the end vanishes as e^(-2 s t) for unequal numbers of inputs and outputs too: divided by e^(-3 s t/2) it goes
    to zero."""
    return prove.limit(cross_entry.subs(fade, half_fade**2) / half_fade**3, [half_fade, bare], 0)


half_fade = sp.Symbol("h", positive=True)
"""exp(-s t/2)."""


later = sp.Symbol("x", positive=True)
"""One over t/tau."""


@paper.claim("Beyond: zero singular values of the task")
def zero_singular_value_decays_slowly() -> Certificate:
    """Where the task has singular value 0, a mode of the start decays as a/(1 + 2 a t), which is 1/(2 t) in the end from every a: the rate
    is algebraic, not exponential."""
    value = sp.Symbol("value", positive=True)
    course = a / (1 + 2 * a * t)
    return prove.every(
        prove.solves({value: -2 * value**2}, {value: course}, {value: a}, t),
        prove.limit(a / (1 + 2 * a / later) / later, [later], sp.Rational(1, 2)),
    )


# --- which hypotheses it needs ------------------------------------------------------------------------------------------


@paper.claim(
    ["Theorem 3.2, without assumption 2.4", "Theorem 3.2, without assumption 2.1"],
    rests_on=["theorem_31_below_full_rank"],
)
def theorem_32_below_full_rank() -> Certificate:
    """Theorem 3.2 needs no full rank and no equal dimensions: it holds for any equal ranks of start and task, below N_o and N_i."""
    return prove.every(theorem_32(), prove.words(in_the_end(vanishing_bracket), St_inv))


UNEVEN: dict[str, Any] = {
    "dims": {"N_i": 1, "N_h": 1, "N_o": 1},
    "matrices": {"W1": [["2"]], "W2": [["1/2"]], "Sigma": [["1"]], "R": [["1"]], "A": [["1"]]},
}
input_rich, output_rich = Letter("R", "N_i", "N_i", symmetric=True), Letter("A", "N_o", "N_o", symmetric=True)
"""The roots of Sigma' Sigma and Sigma Sigma', which are Vt St Vt' and Ut St Ut'."""

LEARNED = (W2 @ W1, Sigma)
RICH = [(input_rich @ input_rich, Sigma.T @ Sigma), (output_rich @ output_rich, Sigma @ Sigma.T)]


@paper.claim("Theorem 3.2, without assumption 2.3", expect=Verdict.REFUTED, corrected_by="rich_means_balanced")
def rich_without_balance() -> Certificate:
    """Weights that have learned the task, W2 W1 = Sigma, have the rich representation W1' W1 = (Sigma' Sigma)^(1/2), balanced or not."""
    return prove.words(W1.T @ W1, input_rich, [LEARNED, *RICH], [UNEVEN])


imbalance = W2.T @ W2 - W1 @ W1.T


@paper.claim("Theorem 3.2, without assumption 2.3, corrected", rests_on=["balance_persists"])
def rich_means_balanced() -> Certificate:
    """If W2 W1 = Sigma and both representations are rich, (W1' W1)^2 = Sigma' Sigma and (W2 W2')^2 = Sigma Sigma', then the weights are
    balanced; as W2' W2 - W1 W1' is conserved, no unbalanced start becomes rich while learning the task, be it small or large."""
    rich = [(W1.T @ W1, input_rich), (W2 @ W2.T, output_rich)]
    return prove.words(norm2(imbalance), 0, [LEARNED, *rich, *RICH], [EVEN])


EVEN: dict[str, Any] = {
    "dims": {"N_i": 2, "N_h": 2, "N_o": 2},
    "matrices": {
        "W1": [["1", "0"], ["0", "2"]], "W2": [["0", "2"], ["1", "0"]], "Sigma": [["0", "4"], ["1", "0"]],
        "R": [["1", "0"], ["0", "4"]], "A": [["4", "0"], ["0", "1"]],
    },
}  # fmt: skip


@paper.claim("Theorem 3.2, without assumption 2.2", expect=Verdict.REFUTED, corrected_by="learning_with_any_inputs")
def learning_without_white_inputs() -> Certificate:
    """Balanced weights at which no input's error is left to correct, W2 W1 S_xx = S_yx, compute S_yx for inputs that are not white too."""
    return prove.words(W2 @ W1, data_yx, [(W2 @ W1 @ data_xx, data_yx), net.BALANCED], [COLOURED])


COLOURED: dict[str, Any] = {
    "dims": {"N_i": 1, "N_h": 1, "N_o": 1, "P": 1},
    "matrices": {
        "X": [["2"]], "Y": [["1/2"]], "per_sample": [["1"]], "W1": [["1/2"]], "W2": [["1/2"]], "S_xx_inv": [["1/4"]],
    },
}  # fmt: skip
"""One input whose mean square is four."""

xx_inv = Letter("S_xx_inv", "N_i", "N_i", inverse_of=data_xx)


@paper.claim("Theorem 3.2, without assumption 2.2, corrected")
def learning_with_any_inputs() -> Certificate:
    """Weights with W2 W1 S_xx = S_yx compute S_yx S_xx^-1."""
    return prove.words(W2 @ W1, data_yx @ xx_inv, [(W2 @ W1 @ data_xx, data_yx)], [COLOURED])


AT_REST = [(rate, 0) for rate in flow.values()]


@paper.claim(
    "Theorem 3.2, from a start of lower rank than the task",
    expect=Verdict.REFUTED,
    corrected_by="full_rank_rest_has_learned",
)
def every_rest_has_learned() -> Certificate:
    """Balanced weights that no longer move have learned the task, whatever the rank of W2 W1."""
    return prove.words(W2 @ W1, Sigma, [*AT_REST, net.BALANCED], [ASLEEP])


ASLEEP: dict[str, Any] = {
    "dims": {"N_i": 1, "N_h": 1, "N_o": 1},
    "matrices": {"W1": [["0"]], "W2": [["0"]], "Sigma": [["1"]]},
}
network_inv = Letter("T", "N_i", "N_o")


@paper.claim("Theorem 3.2, from a start of lower rank than the task, corrected")
def full_rank_rest_has_learned() -> Certificate:
    """Weights that no longer move and whose network function has an inverse from the left or from the right have learned the task."""
    left = (network_inv @ W2 @ W1, identity("N_i"))
    right = (W2 @ W1 @ network_inv, identity("N_o"))
    error = Sigma - W2 @ W1
    return prove.every(
        prove.words(network_inv.T @ W1.T @ flow[W1], error, [right]),
        prove.words(flow[W2] @ W2.T @ network_inv.T, error, [left]),
    )
