"""Sections 2 and 3: the matrix Riccati equation, its solution for every balanced start, and Fukumizu's equation 5."""

from __future__ import annotations

from typing import Any

from derivations import prove
from derivations.language.words import Letter, Words, along, identity, norm2, substitute, zero
from derivations.language.words.blocks import Blocks, along_blocks
from derivations.models.two_layer_linear import BALANCED, HALF, W1, W2, F, Q, Sigma, data_yx, descent, flow
from derivations.papers.braun_2022.setup import paper
from derivations.papers.braun_2022.source import printed
from derivations.papers.braun_2022.source.vocabulary import (
    GROWTH,
    F_inv,
    F_whole,
    Q_start,
    growth,
    inner_5,
    inner_5_inv,
)
from derivations.prove import Certificate, Verdict

UNIQUE = "uniqueness of solutions"


# --- from the gradient flow to the Riccati equation -------------------------------------------------------------------

P = Q @ Q.T
riccati_rate = F @ P + P @ F - P @ P

LOPSIDED: dict[str, Any] = {
    "dims": {"N_i": 1, "N_h": 1, "N_o": 1},
    "matrices": {"W1": [["1"]], "W2": [["0"]], "Sigma": [["0"]]},
}
"""Weights at rest that are not balanced."""


@paper.claim("Section 2, the matrix Riccati equation", rests_on=["flow_for_white_inputs", "balance_persists"])
def riccati_equation() -> Certificate:
    """Balanced weights on whitened inputs move so that d(QQ') = F QQ' + QQ' F - (QQ')^2, for any numbers of input, hidden and output
    neurons and any task."""
    return prove.words(along_blocks(P, flow), riccati_rate, [BALANCED])


@paper.claim("Section 2, the matrix Riccati equation for Q itself", rests_on=["balance_persists"])
def flow_of_the_weights() -> Certificate:
    """Balanced weights on whitened inputs move so that dQ = F Q - Q Q'Q/2."""
    return prove.words(along_blocks(Q, flow), F @ Q - HALF * (Q @ Q.T @ Q), [BALANCED])


@paper.claim(
    ["Assumption 2.3, dropped", "Eq. 5, without assumption 2.3"],
    expect=Verdict.REFUTED,
    corrected_by="riccati_equation",
)
def riccati_without_balance() -> Certificate:
    """The Riccati equation holds for weights that are not balanced too."""
    return prove.words(along_blocks(P, flow), riccati_rate, among=[LOPSIDED])


@paper.claim(
    ["Eq. 5, without assumption 2.2", "Theorem 3.1, without assumption 2.2"],
    expect=Verdict.REFUTED,
    corrected_by="riccati_equation",
)
def riccati_without_white_inputs() -> Certificate:
    """The Riccati equation, with the correlation of the data in F, holds for balanced weights on inputs that are not white too."""
    rate = riccati_rate.map(lambda block: substitute(block, {Sigma: data_yx}))
    return prove.words(along_blocks(P, descent), rate, [BALANCED])


# --- the solution, without an inverse of F ------------------------------------------------------------------------------

grown = Letter("G", "N", "N", symmetric=True, commutes_with=[F_whole])
"""exp(F t)."""

Phi = Letter("Phi", "N", "N", symmetric=True, commutes_with=[F_whole])
"""The integral of exp(2 F s) over s from 0 to t."""

GROW = {grown: HALF * (F_whole @ grown + grown @ F_whole), Phi: grown @ grown}
BEGIN = {grown: identity("N"), Phi: zero("N", "N")}

Z = grown @ Q_start
M = Letter("M", "N_h", "N_h", equals=identity("N_h") + Q_start.T @ Phi @ Q_start)
M_inv = Letter("M_inv", "N_h", "N_h", inverse_of=M)
solution = Z @ M_inv @ Z.T


def riccati(state: Words) -> Words:
    """The rate of QQ' at any value."""
    return F_whole @ state + state @ F_whole - state @ state


@paper.claim("Eq. 5, for every balanced start", rests_on=["riccati_equation"])
def riccati_solution() -> Certificate:
    """From every Q(0), QQ'(t) = Z M^-1 Z' with Z = e^(Ft) Q(0), M = I + Q(0)' Phi Q(0) and Phi the integral of e^(2Fs) up to t: it
    solves the Riccati equation and starts at Q(0) Q(0)', for any dimensions, any rank and any F, invertible or not."""
    return prove.chain(
        "QQ'(t) = Z M^-1 Z' is the solution of the Riccati equation from Q(0) Q(0)'",
        UNIQUE,
        solution=prove.every(
            prove.words(along(solution, GROW), riccati(solution)),
            prove.words(substitute(Z, BEGIN), Q_start),
            prove.words(identity("N_h") + Q_start.T @ BEGIN[Phi] @ Q_start, identity("N_h")),
        ),
    )


moving = Letter("Z", "N", "N_h")
bracket = Letter("M", "N_h", "N_h", symmetric=True)
bracket_inv = Letter("M_inv", "N_h", "N_h", inverse_of=bracket)
columns = Letter("S", "N_h", "N_h", diagonal=True)


@paper.claim("Beyond: solutions of the Riccati equation by two linear flows")
def riccati_by_linear_flows() -> Certificate:
    """Whenever dZ = F Z - Z S and dM = Z'Z - S M - M S, the matrix Z M^-1 Z' solves the Riccati equation: columns may be scaled in
    time."""
    linear = {
        moving: F_whole @ moving - moving @ columns,
        bracket: moving.T @ moving - columns @ bracket - bracket @ columns,
    }
    state = moving @ bracket_inv @ moving.T
    return prove.words(along(state, linear), riccati(state))


vector = Letter("x", "N_h", 1)


@paper.claim("Beyond: the bracket always has an inverse", rests_on=["riccati_solution"])
def bracket_grows() -> Certificate:
    """For every vector x, x'Mx starts at |x|^2 and grows at the rate |Z x|^2, which is never negative: M stays at least the identity, and has
    an inverse at all times."""
    form = vector.T @ M @ vector
    return prove.every(
        prove.words(along(form, GROW), norm2(Z @ vector)),
        prove.words(vector.T @ (identity("N_h") + Q_start.T @ BEGIN[Phi] @ Q_start) @ vector, norm2(vector)),
    )


# --- the rank is conserved ----------------------------------------------------------------------------------------------

P_start = Q_start @ Q_start.T
pushed = Letter("K", "N", "N", equals=identity("N") - Q_start @ M_inv @ Q_start.T @ Phi)
"""The inverse of I + P(0) Phi, by the inverse of M."""

shrunk = Letter("G_inv", "N", "N", inverse_of=grown)


@paper.claim("Beyond: push-through", rests_on=["riccati_solution"])
def push_through() -> Certificate:
    """QQ'(t) = e^(Ft) (I + P Phi)^-1 P e^(Ft) with P = Q(0) Q(0)'; the inverse of I + P Phi is I - Q(0) M^-1 Q(0)' Phi."""
    return prove.every(
        prove.words(pushed @ (identity("N") + P_start @ Phi), identity("N")),
        prove.words((identity("N") + P_start @ Phi) @ pushed, identity("N")),
        prove.words(solution, grown @ pushed @ P_start @ grown),
    )


@paper.claim("Beyond: the rank is conserved", rests_on=["riccati_solution", "bracket_grows"])
def rank_is_conserved() -> Certificate:
    """At all finite times QQ' is QQ'(0) times matrices that have inverses, e^(Ft) (I + QQ'(0) Phi)^-1 from the left and e^(Ft) from
    the right, so that balanced weights keep the rank of QQ'."""
    return prove.chain(
        "the rank of QQ' is conserved",
        "rank of a product",
        product=prove.words(solution, grown @ pushed @ P_start @ grown),
        inverses=prove.every(
            prove.words(pushed @ (identity("N") + P_start @ Phi), identity("N")),
            prove.words((identity("N") + P_start @ Phi) @ pushed, identity("N")),
            prove.words(shrunk @ grown, identity("N")),
        ),
    )


output, inner = Letter("x", "N_o", 1), Letter("y", "N_h", 1)


@paper.claim("Beyond: one rank for both layers and the network", rests_on=["balance_persists"])
def ranks_agree() -> Certificate:
    """For balanced weights Q'Q = 2 W1 W1' = 2 W2' W2 and (W2 W1)(W2 W1)' = (W2 W2')^2: W1' y = 0 exactly if W2 y = 0, and
    |(W2 W1)' x| = |W2 W2' x|, so Q, W1, W2 and W2 W1 have one rank."""
    return prove.every(
        prove.words((Q.T @ Q).only, 2 * W1 @ W1.T, [BALANCED]),
        prove.words(norm2(W1.T @ inner), norm2(W2 @ inner), [BALANCED]),
        prove.words(norm2(W1.T @ W2.T @ output), norm2(W2 @ W2.T @ output), [BALANCED]),
        prove.words(output.T @ W2 @ W2.T @ output, norm2(W2.T @ output)),
    )


# --- equation 5 ---------------------------------------------------------------------------------------------------------


def solved_by_equation_5() -> Certificate:
    """Rate and start of equation 5 as printed."""
    begin = {growth: identity("N")}
    value = printed.solution_5
    return prove.every(
        prove.words(along(value, GROWTH), riccati(value)),
        prove.words(substitute(inner_5, begin), identity("N_h")),
        prove.words(substitute(substitute(value, begin), {inner_5_inv: identity("N_h")}), P_start),
    )


@paper.claim("Eq. 5", printed=printed.EQ_5, rests_on=["riccati_equation"])
def fukumizu_solution() -> Certificate:
    """If F has an inverse, the printed QQ'(t) solves the Riccati equation from Q(0) Q(0)', for every Q(0)."""
    return prove.chain("equation 5 is the solution", UNIQUE, solution=solved_by_equation_5())


tall, wide = Letter("L", "N", "rank"), Letter("R", "rank", "N_h")


@paper.claim("Eq. 5, without the full rank of W2 W1", rests_on=["fukumizu_solution"])
def fukumizu_from_any_rank() -> Certificate:
    """Equation 5 needs no full rank of the start: it holds for Q(0) = L R of any rank, zero included."""
    low = tall @ wide
    inner_low = identity("N_h") + HALF * low.T @ (growth @ F_inv @ growth - F_inv) @ low
    low_inv = Letter("M_inv", "N_h", "N_h", inverse_of=inner_low)
    value = growth @ low @ low_inv @ low.T @ growth
    return prove.chain(
        "equation 5 is the solution from a start of any rank",
        UNIQUE,
        solution=prove.every(
            prove.words(along(value, GROWTH), riccati(value)),
            prove.words(substitute(inner_low, {growth: identity("N")}), identity("N_h")),
            prove.words(low @ low.T, tall @ wide @ wide.T @ tall.T),
        ),
    )


doubled = Letter("Phi", "N", "N", equals=HALF * (growth @ F_inv @ growth - F_inv))


@paper.claim("Eq. 5, from the form without an inverse of F", rests_on=["riccati_solution"])
def integral_by_the_inverse() -> Certificate:
    """Where F has an inverse, the integral Phi of e^(2Fs) is (e^(Ft) F^-1 e^(Ft) - F^-1)/2, the matrix in equation 5."""
    return prove.every(
        prove.words(along(doubled, GROWTH), growth @ growth),
        prove.words(substitute(HALF * (growth @ F_inv @ growth - F_inv), {growth: identity("N")}), zero("N", "N")),
    )


at = Blocks([[Letter("x", "N_i", 1)], [Letter("y", "N_o", 1)]])
size = (at.T @ at).only

FLAT: dict[str, Any] = {
    "dims": {"N_i": 2, "N_o": 1},
    "matrices": {"Sigma": [["1", "0"]], "Sigma_inv": [["1"], ["0"]], "x": [["0"], ["1"]], "y": [["0"]]},
}
"""Two inputs, one of which tells nothing about the output."""
task_inv = Letter("Sigma_inv", "N_i", "N_o")


@paper.claim("Eq. 5, with an invertible task")
def f_has_an_inverse() -> Certificate:
    """If the task has an inverse, then F has the inverse [0, T; T', 0] with T the inverse of the task."""
    inverse = Blocks([[zero("N_i", "N_i"), task_inv], [task_inv.T, zero("N_o", "N_o")]])
    one = Blocks([[identity("N_i"), zero("N_i", "N_o")], [zero("N_o", "N_i"), identity("N_o")]])
    both = [(task_inv @ Sigma, identity("N_i")), (Sigma @ task_inv, identity("N_o"))]
    return prove.every(prove.words(F @ inverse, one, both), prove.words(inverse @ F, one, both))


@paper.claim("Eq. 5, without the full rank of the task", expect=Verdict.REFUTED, corrected_by="riccati_solution")
def f_of_any_task_has_an_inverse() -> Certificate:
    """F, whose inverse equation 5 uses, takes only zero to zero, whatever the rank of the task."""
    blank = {"Sigma": [["0"]], "x": [["1"]], "y": [["0"]]}
    return prove.words(size, 0, [(F @ at, 0)], [{"dims": {"N_i": 1, "N_o": 1}, "matrices": blank}])


@paper.claim("Eq. 5, without assumption 2.1", expect=Verdict.REFUTED, corrected_by="riccati_solution")
def f_of_unequal_dimensions_has_an_inverse() -> Certificate:
    """F, whose inverse equation 5 uses, takes only zero to zero for unequal numbers of inputs and outputs too, if the task has full
    rank (an inverse from the right)."""
    full = (Sigma @ task_inv, identity("N_o"))
    return prove.words(size, 0, [(F @ at, 0), full], [FLAT])


# --- Q itself -----------------------------------------------------------------------------------------------------------

root = Letter("H", "N_h", "N_h")
"""A root of M^-1: M^-1 = H H'."""

rotation = Letter("O", "N_h", "N_h", orthonormal_columns=True)


ROOTED: dict[str, Any] = {
    "dims": {"N": 2, "N_h": 2},
    "matrices": {
        "F": [["1", "0"], ["0", "-2"]], "G": [["2", "0"], ["0", "5"]], "Phi": [["3", "0"], ["0", "8"]],
        "Q_0": [["1", "0"], ["0", "1"]], "M": [["4", "0"], ["0", "9"]], "M_inv": [["1/4", "0"], ["0", "1/9"]],
        "H": [["3/10", "2/5"], ["-4/15", "1/5"]],
    },
}  # fmt: skip
"""A bracket with a rational root."""


@paper.claim("Section 3, weights up to a time varying orthogonal transformation", rests_on=["riccati_solution"])
def weights_up_to_rotation() -> Certificate:
    """Q(t) = e^(Ft) Q(0) H O with H H' = M^-1 and some orthogonal O."""
    weights = Z @ root
    return prove.chain(
        "Q(t) and e^(Ft) Q(0) H have the same Gram matrix",
        "equal Gram matrices",
        gram=prove.words(weights @ weights.T, solution, [(root @ root.T, M_inv)], [ROOTED]),
    )


start_rotated = Q_start @ rotation
OPPOSITE: dict[str, Any] = {"dims": {"N": 1, "N_h": 1}, "matrices": {"Q_0": [["1"]], "Q_1": [["-1"]]}}


@paper.claim("Section 3, the orthogonal transformation cannot be known from QQ'")
def rotation_is_free() -> Certificate:
    """Weights that differ by an orthogonal transformation of the hidden neurons have the same QQ', compute the same function, and
    move to weights that differ by the same transformation."""
    turned = {W1: rotation.T @ W1, W2: W2 @ rotation}
    return prove.every(
        prove.words(start_rotated @ start_rotated.T, P_start),
        prove.words(substitute(W2 @ W1, turned), W2 @ W1),
        prove.words(substitute(flow[W1], turned), rotation.T @ flow[W1]),
        prove.words(substitute(flow[W2], turned), flow[W2] @ rotation),
    )


@paper.claim(
    "Section 3, weights up to a time varying orthogonal transformation, the transformation dropped",
    expect=Verdict.REFUTED,
    corrected_by="weights_up_to_rotation",
)
def weights_without_rotation() -> Certificate:
    """Two starts with the same QQ' are the same weights."""
    other = Letter("Q_1", "N", "N_h")
    return prove.words(other, Q_start, [(other @ other.T, P_start)], [OPPOSITE])
