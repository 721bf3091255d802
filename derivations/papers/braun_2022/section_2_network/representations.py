"""Equations 6 to 9: what the matrix QQ' holds, the two similarity matrices, and the tangent kernel."""

from derivations.papers.braun_2022.setup import *
from derivations.papers.braun_2022.source.equations import EQ_7, EQ_8_I, EQ_8_O, EQ_9

# --- equations 6 and 7: the quadrants ---------------------------------------------------------------------------------
# The quadrants of QQ'; the upper right one is the lower left one, transposed.
(input_block, _), (function_block, output_block) = (Q @ Q.T).rows
output, hidden = W2 @ W1 @ X, W1 @ X  # the output and the hidden layer on all inputs
@EQ_7.claim()
def function_block_gives_the_output(eq):
    """What the loss compares with the targets is the lower left block of QQ' times the data; the upper right block is its
    transpose."""
    upper_right = (Q @ Q.T).rows[0][1]
    yield same(miss + Y, eq.right)
    yield same(upper_right, function_block.T)

@paper.claim("Eq. 6, temporal dynamics of the loss", rests_on="function_block_gives_the_output")
def loss_through_quadrants():
    """The loss depends on the weights through the lower left block L of QQ' alone: it is
    tr(L S_xx L')/2 - tr(L S_yx') + tr(S_yy)/2, for any data, white or not."""
    L = function_block
    yield same(loss, HALF * trace(L @ net.data_xx @ L.T) - trace(L @ net.data_yx.T) + HALF * trace(net.data_yy))

# --- equation 8: similarity matrices ----------------------------------------------------------------------------------
@EQ_8_I.claim()
def input_similarity_is_the_hidden_kernel(eq):
    """RSM_I is the kernel matrix of the hidden layer, (W1 X)' (W1 X), at all times, from every start, and the upper left
    block of QQ' gives it."""
    block = letters("QQ_ii: N_i x N_i")
    by_block = substitute(X.T @ block @ X, {block: input_block})
    yield same(eq.right, hidden.T @ hidden)
    yield same(eq.right, by_block)

projection = W2.T @ output_pinv @ W2  # Projects the hidden layer to what the second weights read out
# Each is zero for balanced weights, as its product with its transpose is.
unread, unseen = output_gram @ output_pinv @ W2 - W2, W1 - projection @ W1

def hidden_kernel_by_outputs(similarity, known):
    """Y' (W2 W2')+ Y against the hidden kernel, for balanced weights and targets that the network produces."""
    return [
        same(unread @ unread.T, 0, PENROSE),
        same(unseen @ unseen.T, 0, [*PENROSE, (output_gram @ output_pinv @ W2, W2), BALANCED]),
        same(similarity, hidden.T @ hidden, [*PENROSE, (projection @ W1, W1), *known]),
    ]

def hidden_kernel_without(*kept):
    """RSM_O against the hidden kernel with some of the hypotheses only."""
    return lambda: same(EQ_8_O.right, hidden.T @ hidden, [*PENROSE, *kept])

@EQ_8_O.claim(
    needs={"the_targets_learned": hidden_kernel_without(BALANCED), "balance": hidden_kernel_without((Y, output))},
    rests_on="balance_persists")
def output_similarity_is_the_hidden_kernel(eq):
    """For balanced weights that have learned every target, RSM_O = Y' (W2 W2')^+ Y is the kernel matrix of the hidden layer:
    with P = W2' (W2 W2')^+ W2, both W2 W2' (W2 W2')^+ W2 - W2 and W1 - P W1 vanish, as their products with their
    transposes do."""
    yield hidden_kernel_by_outputs(eq.right, [(Y, output)])

@paper.claim("Eq. 8, RSM_O, with outputs in the place of targets", rests_on="balance_persists")
def similarity_of_outputs_is_the_hidden_kernel():
    """For balanced weights and at all times, Yhat' (W2 W2')^+ Yhat is the kernel matrix of the hidden layer, Yhat = W2 W1 X."""
    yield hidden_kernel_by_outputs(substitute(EQ_8_O.right, {Y: output}), [])

@paper.claim("Eq. 8, RSM_O, as the kernel of the activity that the targets call for", given=PENROSE)
def output_similarity_is_a_backward_kernel():
    """At all times and from every start, RSM_O is the kernel matrix of H = W2' (W2 W2')^+ Y, and H misses the targets by a
    residual to which all outputs that W2 can make are orthogonal: the smallest activity that comes closest to them."""
    called_for = W2.T @ output_pinv @ Y
    yield same(called_for.T @ called_for, EQ_8_O.right)
    yield same(output_gram @ (Y - W2 @ called_for), 0)

# --- equation 9: the tangent kernel -----------------------------------------------------------------------------------
# How the outputs move when the weights follow the gradient: the tangent kernel, applied to `error`.
tangent = along(output, {w: gradient(trace(error.T @ output), w) for w in (W1, W2)})
@EQ_9.claim()
def tangent_kernel(eq):
    """If the weights follow the gradient that pulls the outputs along any E, the outputs move by the printed kernel applied
    to E, the entries of E stacked row by row, W2 W2' E X'X + E X' W1' W1 X; it depends on the weights through the
    diagonal blocks of QQ' alone."""
    blocks = output_block @ error @ X.T @ X + error @ X.T @ input_block @ X
    yield same(tangent, eq.right)
    yield same(eq.right, blocks)

@paper.claim("Eq. 9, under gradient flow", rests_on="tangent_kernel flow_for_any_inputs")
def outputs_move_by_the_kernel():
    """Under the gradient flow of the loss, on any data, the outputs move at minus 1/P times the printed kernel applied to
    Yhat - Y, and the loss falls at the rate at which the kernel measures Yhat - Y, over P^2."""
    pulled = substitute(EQ_9.right, {error: miss})
    yield same(along(output, descent), -1 * pulled * per_sample)
    yield same(along(loss, descent), -1 * trace(miss.T @ pulled) * per_sample * per_sample)

square_error, square_X = letters("error: N x N, X: N_i x N")
# As many outputs as training pairs: only then can the columns of E be multiplied by the factors as printed.
square_output = Letter("W2", "N", "N_h") @ W1 @ square_X

def by_columns(left, right):
    """The Kronecker product of left and right, applied to the entries of E stacked column by column."""
    return right @ square_error @ left.T

def kernel_by_columns(swapped):
    """The printed kernel, or the one with its factors in the other order, as the tangent kernel column by column."""
    second = letters("W2: N x N_h")
    pulled = along(square_output, {w: gradient(trace(square_error.T @ square_output), w) for w in (W1, second)})
    similarity, overlap = square_X.T @ W1.T @ W1 @ square_X, square_X.T @ square_X
    pairs = [(identity("N"), similarity), (second @ second.T, overlap)]
    first, last = (by_columns(*(pair[::-1] if swapped else pair)) for pair in pairs)
    return same(pulled, first + last)

@paper.claim("Eq. 9, column by column", corrected_by="tangent_kernel_by_columns")
def printed_kernel_by_columns():
    """The printed kernel is the tangent kernel for the entries of E stacked column by column too (here: with as many
    outputs as training pairs, without which the factors do not fit)."""
    yield kernel_by_columns(swapped=False)

@paper.claim("Eq. 9, column by column, corrected")
def tangent_kernel_by_columns():
    """For the entries of E stacked column by column, the factors of the tangent kernel change places:
    X'W1'W1X (x) I + X'X (x) W2W2'."""
    yield kernel_by_columns(swapped=True)

@paper.claim("Eq. 9, the kernel is never negative", rests_on="tangent_kernel")
def kernel_is_positive():
    """The tangent kernel is positive semidefinite: the entries of E against those of the kernel applied to E sum to
    |W2' E X'|^2 + |E X' W1'|^2, the squared sizes of the two gradients."""
    yield same(trace(error.T @ tangent), norm2(W2.T @ error @ X.T) + norm2(W1 @ X @ error.T))
