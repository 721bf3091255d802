"""Equations 6 to 9: what the matrix QQ' holds, the two similarity matrices, and the tangent kernel."""

from __future__ import annotations

from typing import Any

from derivations import prove
from derivations.language.words import Letter, Words, along, gradient, identity, norm2, trace
from derivations.models import two_layer_linear as net
from derivations.models.two_layer_linear import BALANCED, HALF, W1, W2, Q, X, Y, descent, loss, miss, per_sample
from derivations.papers.braun_2022.setup import paper
from derivations.papers.braun_2022.source import printed
from derivations.papers.braun_2022.source.vocabulary import PENROSE, error, output_gram, output_pinv
from derivations.prove import Certificate, Verdict

# --- equations 6 and 7: the quadrants ---------------------------------------------------------------------------------

(input_block, _), (function_block, output_block) = (Q @ Q.T).rows
"""The quadrants of QQ'; the upper right one is the lower left one, transposed."""

output = W2 @ W1 @ X
hidden = W1 @ X
"""The output and the hidden layer on all inputs."""


@paper.claim("Eq. 7", printed=printed.EQ_7)
def function_block_gives_the_output() -> Certificate:
    """The lower left block of QQ' times the data is the network's output, and the upper right block is its transpose."""
    upper_right = (Q @ Q.T).rows[0][1]
    return prove.every(prove.words(function_block @ X, output), prove.words(upper_right, function_block.T))


@paper.claim("Eq. 7, without the data", expect=Verdict.REFUTED, corrected_by="function_block_gives_the_output")
def function_block_is_the_output() -> Certificate:
    """The lower left block of QQ' by itself is the output of equation 7, with as many training pairs as inputs."""
    square = Letter("X", "N_i", "N_i")
    one: dict[str, Any] = {
        "dims": {"N_i": 1, "N_h": 1, "N_o": 1}, "matrices": {"X": [["2"]], "W1": [["1"]], "W2": [["1"]]}
    }  # fmt: skip
    return prove.words(function_block, W2 @ W1 @ square, [], [one])


@paper.claim("Eq. 6, temporal dynamics of the loss", rests_on=["function_block_gives_the_output"])
def loss_through_quadrants() -> Certificate:
    """The loss depends on the weights through the lower left block L of QQ' alone: it is tr(L S_xx L')/2 - tr(L S_yx') + tr(S_yy)/2, for any
    data, white or not."""
    L = function_block
    return prove.words(loss, HALF * trace(L @ net.data_xx @ L.T) - trace(L @ net.data_yx.T) + HALF * trace(net.data_yy))


# --- equation 8: similarity matrices ----------------------------------------------------------------------------------


@paper.claim("Eq. 8, RSM_I", printed=printed.EQ_8_I)
def input_similarity_is_the_hidden_kernel() -> Certificate:
    """RSM_I is the kernel matrix of the hidden layer, (W1 X)' (W1 X), at all times, from every start, and the upper left block of
    QQ' gives it."""
    return prove.every(prove.words(printed.rsm_i, hidden.T @ hidden), prove.words(printed.rsm_i, X.T @ input_block @ X))


LEARNED = (Y, output)
"""The network has learned every target."""

WEIGHTS: dict[str, Any] = {
    "X": [["1", "2"], ["0", "1"]], "W1": [["3/5", "4/5"], ["-8/5", "6/5"]], "W2": [["1", "0"], ["0", "2"], ["0", "0"]],
    "W2W2_pinv": [["1", "0", "0"], ["0", "1/4", "0"], ["0", "0", "0"]],
}  # fmt: skip
"""Balanced weights that leave one of three outputs silent."""

SIZES = {"N_i": 2, "N_h": 2, "N_o": 3, "P": 2}
ALIKE = {"dims": SIZES, "matrices": WEIGHTS | {"Y": [["3/5", "2"], ["-16/5", "-4"], ["0", "0"]]}}
UNLEARNED: dict[str, Any] = {
    "dims": {"N_i": 1, "N_h": 1, "N_o": 1, "P": 1},
    "matrices": {"X": [["1"]], "W1": [["1"]], "W2": [["1"]], "W2W2_pinv": [["1"]], "Y": [["0"]]},
}  # fmt: skip
UNBALANCED: dict[str, Any] = {
    "dims": {"N_i": 2, "N_h": 2, "N_o": 1, "P": 2},
    "matrices": {
        "X": [["1", "0"], ["0", "1"]], "W1": [["1", "0"], ["0", "1"]], "W2": [["1", "0"]], "W2W2_pinv": [["1"]],
        "Y": [["1", "0"]],
    },
}  # fmt: skip
"""A second hidden neuron that no output reads."""


@paper.claim(
    "Eq. 8, RSM_O, as the kernel of the hidden layer at any time",
    expect=Verdict.REFUTED,
    corrected_by="output_similarity_is_the_hidden_kernel",
)
def output_similarity_at_any_time() -> Certificate:
    """For balanced weights, RSM_O is the kernel matrix of the hidden layer at any time of training."""
    return prove.words(printed.rsm_o, hidden.T @ hidden, [*PENROSE, BALANCED], [UNLEARNED])


@paper.claim(
    "Eq. 8, RSM_O, as the kernel of the hidden layer once learned, any weights",
    expect=Verdict.REFUTED,
    corrected_by="output_similarity_is_the_hidden_kernel",
)
def output_similarity_of_unbalanced_weights() -> Certificate:
    """Once the network has learned every target, RSM_O is the kernel matrix of the hidden layer even if the weights are not
    balanced."""
    return prove.words(printed.rsm_o, hidden.T @ hidden, [*PENROSE, LEARNED], [UNBALANCED])


projection = W2.T @ output_pinv @ W2
"""Projects the hidden layer to what the second weights read out."""

unread = output_gram @ output_pinv @ W2 - W2
"""Zero, as its product with its transpose is."""

READS = (output_gram @ output_pinv @ W2, W2)
unseen = W1 - projection @ W1


def hidden_kernel_by_outputs(targets: Words, known: list[Any]) -> Certificate:
    """Y' (W2 W2')+ Y against the hidden kernel, for balanced weights and targets that the network produces.

    A matrix vanishes if its product with its transpose does; it happens twice, for `unread` and then for `unseen`.
    """
    return prove.every(
        prove.words(unread @ unread.T, 0, PENROSE, [ALIKE]),
        prove.words(unseen @ unseen.T, 0, [*PENROSE, READS, BALANCED], [ALIKE]),
        prove.words(
            targets.T @ output_pinv @ targets, hidden.T @ hidden, [*PENROSE, (projection @ W1, W1), *known], [ALIKE]
        ),
    )


@paper.claim("Eq. 8, RSM_O", printed=printed.EQ_8_O, rests_on=["balance_persists"])
def output_similarity_is_the_hidden_kernel() -> Certificate:
    """For balanced weights that have learned every target, RSM_O = Y' (W2 W2')^+ Y is the kernel matrix of the hidden layer: with
    P = W2' (W2 W2')^+ W2, both W2 W2' (W2 W2')^+ W2 - W2 and W1 - P W1 vanish, as their products with their transposes do."""
    return hidden_kernel_by_outputs(Y, [LEARNED])


@paper.claim("Eq. 8, RSM_O, with outputs in the place of targets", rests_on=["balance_persists"])
def similarity_of_outputs_is_the_hidden_kernel() -> Certificate:
    """For balanced weights and at all times, Yhat' (W2 W2')^+ Yhat is the kernel matrix of the hidden layer, Yhat = W2 W1 X."""
    return hidden_kernel_by_outputs(output, [])


called_for = W2.T @ output_pinv @ Y
"""The smallest hidden activity whose output comes closest to the targets."""


@paper.claim("Eq. 8, RSM_O, as the kernel of the activity that the targets call for")
def output_similarity_is_a_backward_kernel() -> Certificate:
    """At all times and from every start, RSM_O is the kernel matrix of H = W2' (W2 W2')^+ Y, and H misses the targets by a residual to
    which the second weights are blind: W2 W2' (Y - W2 H) = 0."""
    return prove.every(
        prove.words(called_for.T @ called_for, printed.rsm_o, PENROSE, [ALIKE]),
        prove.words(output_gram @ (Y - W2 @ called_for), 0, PENROSE, [ALIKE]),
    )


# --- equation 9: the tangent kernel -----------------------------------------------------------------------------------

pull = trace(error.T @ output)
"""What changes first when the outputs are pulled along `error`."""

pulled = {w: gradient(pull, w) for w in (W1, W2)}
tangent = along(output, pulled)
"""How the outputs move when the weights follow the gradient: the tangent kernel, applied to `error`."""


@paper.claim("Eq. 9", printed=printed.EQ_9)
def tangent_kernel() -> Certificate:
    """If the weights follow the gradient that pulls the outputs along any E, the outputs move by the printed kernel applied to E,
    the entries of E stacked row by row: W2 W2' E X'X + E X' W1' W1 X."""
    return prove.words(tangent, printed.ntk(error))


@paper.claim("Eq. 9, under gradient flow", rests_on=["tangent_kernel", "flow_for_any_inputs"])
def outputs_move_by_the_kernel() -> Certificate:
    """Under the gradient flow of the loss, on any data, the outputs move at minus 1/P times the printed kernel applied to Yhat - Y."""
    return prove.words(along(output, descent), -1 * printed.ntk(miss) * per_sample)


@paper.claim("Eq. 9, from the diagonal blocks", rests_on=["tangent_kernel"])
def kernel_through_quadrants() -> Certificate:
    """The tangent kernel depends on the weights through the diagonal blocks of QQ' alone."""
    return prove.words(tangent, output_block @ error @ X.T @ X + error @ X.T @ input_block @ X)


square_error, square_X = Letter("error", "N", "N"), Letter("X", "N_i", "N")
square_W2 = Letter("W2", "N", "N_h")
"""As many outputs as training pairs: only then can the columns of E be multiplied by the factors as printed."""

square_output = square_W2 @ W1 @ square_X
square_pull = trace(square_error.T @ square_output)
square_tangent = along(square_output, {w: gradient(square_pull, w) for w in (W1, square_W2)})
similarity, overlap = square_X.T @ W1.T @ W1 @ square_X, square_X.T @ square_X


def by_columns(left: Words, right: Words) -> Words:
    """The Kronecker product of left and right, applied to the entries of E stacked column by column."""
    return right @ square_error @ left.T


TWO_BY_TWO: dict[str, Any] = {
    "dims": {"N": 2, "N_h": 1, "N_i": 1},
    "matrices": {"W1": [["0"]], "W2": [["1"], ["0"]], "X": [["1", "1"]], "error": [["1", "0"], ["0", "1"]]},
}  # fmt: skip
"""A silent first layer, and two inputs that are alike."""


@paper.claim("Eq. 9, column by column", expect=Verdict.REFUTED, corrected_by="tangent_kernel_by_columns")
def printed_kernel_by_columns() -> Certificate:
    """The printed kernel is the tangent kernel for the entries of E stacked column by column too (here: with as many outputs as
    training pairs, without which the factors do not fit)."""
    read = by_columns(identity("N"), similarity) + by_columns(square_W2 @ square_W2.T, overlap)
    return prove.words(square_tangent, read, [], [TWO_BY_TWO])


@paper.claim("Eq. 9, column by column, corrected")
def tangent_kernel_by_columns() -> Certificate:
    """For the entries of E stacked column by column, the factors of the tangent kernel change places: X'W1'W1X (x) I + X'X (x) W2W2'."""
    read = by_columns(similarity, identity("N")) + by_columns(overlap, square_W2 @ square_W2.T)
    return prove.words(square_tangent, read)


@paper.claim("Eq. 9, the kernel is never negative", rests_on=["tangent_kernel"])
def kernel_is_positive() -> Certificate:
    """The tangent kernel is positive semidefinite: the entries of E against those of the kernel applied to E sum to |W2' E X'|^2 + |E X' W1'|^2, the squared sizes of the
    two gradients."""
    return prove.words(trace(error.T @ tangent), norm2(W2.T @ error @ X.T) + norm2(W1 @ X @ error.T))


@paper.claim("Eq. 9, and the loss", rests_on=["outputs_move_by_the_kernel"])
def loss_falls_by_the_kernel() -> Certificate:
    """Under the gradient flow the loss falls at the rate at which the tangent kernel measures the residual, over P^2."""
    residual = printed.ntk(miss)
    return prove.words(along(loss, descent), -1 * trace(miss.T @ residual) * per_sample * per_sample)
