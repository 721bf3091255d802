"""Section 2: the network, its gradient flow as a Riccati equation, and what Q Q' holds."""

from derivations.papers.braun_2022.setup import *
from derivations.paper.matrix_flows import keeps_inverse, only_solution

def rates_agree(task):
    """State that the descent on the data has the given rates."""
    return [same(descent[w], task[w]) for w in (W1, W2)]

gap = data_yx - W2 @ W1 @ data_xx
paper.states("flow_for_any_inputs", "Section 2, gradient flow",
    "The gradient flow of the mean squared loss is dW1 = W2'(S_yx - W2 W1 S_xx) and dW2 = (S_yx - W2 W1 S_xx) W1', in "
    "units of tau, for any data and any numbers of input, hidden and output neurons.",
    lambda: rates_agree({W1: W2.T @ gap, W2: gap @ W1.T}))
paper.states("flow_for_white_inputs: flow_for_any_inputs", "Assumption 2.2",
    "On white inputs the flow depends on the data through S_yx: dW1 = W2'(S_yx - W2 W1), dW2 = (S_yx - W2 W1) W1'.",
    lambda: rates_agree({w: substitute(rate, {Sigma: data_yx}) for w, rate in flow.items()}),
    needs={"white_inputs": WHITE})
paper.states("loss_for_white_inputs: flow_for_white_inputs", "Section 2, loss",
    "For whitened inputs the loss is |S_yx - W2 W1|^2/2 plus (tr S_yy - |S_yx|^2)/2, which no weights change.",
    lambda: same(loss, HALF * norm2(data_yx - W2 @ W1) + HALF * (trace(net.data_yy) - norm2(data_yx))), given=[WHITE])

@paper.claim("Section 1, non-convex loss landscape",
    quote="While simple, deep linear networks have a non-convex loss landscape and have been shown to recapitulate several features of nonlinear deep networks while retaining mathematical tractability.",
    rests_on="loss_for_white_inputs")
def loss_is_not_convex():
    """With a neuron in each layer (r, r) and (-r, -r) learn the task r^2; half way between, the loss is positive."""
    r, first, second = reals("r > 0, w1 w2")
    missed = (r**2 - second * first) ** 2 / 2
    yield from [same(Subs(missed, (first, second), (end, end)), 0) for end in (r, -r)]
    yield positive(missed.subs({first: (r - r) / 2, second: (r - r) / 2}))

gram_in, gram_out = W1 @ W1.T, W2.T @ W2
change = letters("change: N_h x N_h")
paper.states("balance_persists: flow_for_any_inputs", "Assumption 2.3, persists throughout training",
    "Under the gradient flow W1 W1' and W2' W2 change at the same rate, for any data, white or not: balanced weights "
    "stay balanced, and W2' W2 - W1 W1' is what it was at the start for as long as the flow goes on.",
    lambda: [same(along(gram_in, descent), along(gram_out, descent)),
        by("zero stays zero", values={change: imbalance - at_start(imbalance)}, rates={change: 0 * change},
            motion=descent, begin={W1: start_1, W2: start_2})],
    quote="If this condition holds at initialisation, it will persist throughout training [17, 24].")

@paper.claim("Assumption 2.3, persists throughout training, with a finite learning rate")
def balance_after_a_step():
    """One step of gradient descent changes W2' W2 - W1 W1' by the square of the learning rate times
    W1 G'G W1' - W2' G G' W2 with G = S_yx - W2 W1, from every start: balance is kept to first order only."""
    rate, gap = letters("eta", positive=True), net.gap
    step = {w: w + rate * velocity for w, velocity in flow.items()}
    after = substitute(gram_out, step) - substitute(gram_in, step)
    yield same(after, gram_out - gram_in + rate * rate * (W1 @ gap.T @ gap @ W1.T - W2.T @ gap @ gap.T @ W2))

null = letters("x: N_i")
@paper.claim("Assumption 2.4, not bottlenecked",
    quote=r"This implies that the network is not bottlenecked, i.e. $N_h \ge \min(N_i, N_o)$.")
def full_rank_needs_hidden_neurons():
    """If W2 W1 is square and has an inverse, then W1' W1 x = 0 only for x = 0, and with the inverse K of W1' W1 the number
    N_h - N_i is the squared size of I - W1 K W1': there are at least as many hidden neurons as inputs."""
    second = letters("W2: N_i x N_h")
    projection = identity("N_h") - W1 @ letters("K", inverse_of=W1.T @ W1) @ W1.T
    yield same(null.T @ W1.T @ W1 @ null, norm2(W1 @ null))
    yield same(letters("Y_inv", inverse_of=second @ W1) @ second @ W1 @ null, null)
    yield same(trace(identity("N_h")) - trace(identity("N_i")), norm2(projection))

@paper.claim("Assumption 2.4, as printed")
def printed_full_rank_forces_equal_dimensions():
    """If the task has an inverse from both sides, as of rank N_i and N_o, N_i = N_o: both are one trace."""
    task_inv = letters("Sigma_inv: N_i x N_o")
    both = trace(task_inv @ Sigma)
    left, right = (task_inv @ Sigma, identity("N_i")), (Sigma @ task_inv, identity("N_o"))
    yield same(both, trace(identity("N_i")), [left])
    yield same(both, trace(identity("N_o")), [right])

paper.states("unequal_dimensions_under_printed_full_rank: printed_full_rank_forces_equal_dimensions",
    "Section 3, overcoming assumption 2.1, with assumption 2.4 as printed",
    "Assumption 2.4, which theorem 3.1 keeps, can hold as printed for unequal numbers of inputs and outputs.",
    lambda: denied(printed_full_rank_forces_equal_dimensions()),
    quote="Further, we alter the equations to be applicable to equal and unequal input and output dimensions, "
    "overcoming Assumption 2.1).", corrected_by="theorem_31")

# === Equations 6 to 9: what the matrix QQ' holds, the two similarity matrices, and the tangent kernel =================
# The quadrants of QQ'; the upper right one is the lower left one, transposed.
(input_block, _), (function_block, output_block) = (Q @ Q.T).rows
output, hidden = W2 @ W1 @ X, W1 @ X  # the output and the hidden layer on all inputs
EQ_7.states("function_block_gives_the_output",
    "The loss compares targets with the lower left block of QQ' times the data; the upper right is its transpose.",
    lambda eq: [same(miss + Y, eq.right), same((Q @ Q.T).rows[0][1], function_block.T)])

L = function_block
paper.states("loss_through_quadrants: function_block_gives_the_output", "Eq. 6, temporal dynamics of the loss",
    "The loss is tr(L S_xx L')/2 - tr(L S_yx') + tr(S_yy)/2 with the lower left block L of QQ', for any data.",
    lambda: same(loss, HALF * trace(L @ net.data_xx @ L.T) - trace(L @ net.data_yx.T) + HALF * trace(net.data_yy)))

block = letters("QQ_ii: N_i x N_i")
EQ_8_I.states("input_similarity_is_the_hidden_kernel",
    "RSM_I is the kernel matrix (W1 X)'(W1 X) of the hidden layer, and the upper left block of QQ' gives it.",
    lambda eq: [same(eq.right, hidden.T @ hidden), same(eq.right, substitute(X.T @ block @ X, {block: input_block}))])

projection = W2.T @ output_pinv @ W2  # Projects the hidden layer to what the second weights read out
# Each is zero for balanced weights, as its product with its transpose is.
unread, unseen = output_gram @ output_pinv @ W2 - W2, W1 - projection @ W1

def hidden_kernel_by_outputs(similarity, known):
    """Y' (W2 W2')+ Y against the hidden kernel, for balanced weights and targets that the network produces."""
    return [same(unread @ unread.T, 0, PENROSE),
        same(unseen @ unseen.T, 0, [*PENROSE, (output_gram @ output_pinv @ W2, W2), BALANCED]),
        same(similarity, hidden.T @ hidden, [*PENROSE, (projection @ W1, W1), *known])]

def hidden_kernel_without(*kept):
    """RSM_O against the hidden kernel with some of the hypotheses only."""
    return lambda: same(EQ_8_O.right, hidden.T @ hidden, [*PENROSE, *kept])

EQ_8_O.states("output_similarity_is_the_hidden_kernel: balance_persists",
    "For balanced weights that have learned every target, RSM_O is the kernel matrix of the hidden layer: with P = "
    "W2'(W2 W2')^+ W2, both W2 W2'(W2 W2')^+ W2 - W2 and W1 - P W1 vanish, as their products with their transposes do.",
    lambda eq: hidden_kernel_by_outputs(eq.right, [(Y, output)]),
    needs={"the_targets_learned": hidden_kernel_without(BALANCED), "balance": hidden_kernel_without((Y, output))})
paper.states("similarity_of_outputs_is_the_hidden_kernel: balance_persists",
    "Eq. 8, RSM_O, with outputs in the place of targets",
    "For balanced weights Yhat'(W2 W2')^+ Yhat, Yhat = W2 W1 X, is the kernel matrix of the hidden layer.",
    lambda: hidden_kernel_by_outputs(substitute(EQ_8_O.right, {Y: output}), []))

called_for = W2.T @ output_pinv @ Y
paper.states("output_similarity_is_a_backward_kernel",
    "Eq. 8, RSM_O, as the kernel of the activity that the targets call for",
    "At all times and from every start, RSM_O is the kernel matrix of H = W2'(W2 W2')^+ Y, which misses the targets "
    "by a residual to which all outputs that W2 can make are orthogonal.",
    lambda: [same(called_for.T @ called_for, EQ_8_O.right), same(output_gram @ (Y - W2 @ called_for), 0)],
    given=PENROSE)

# How the outputs move when the weights follow the gradient: the tangent kernel, applied to `error`.
tangent = along(output, {w: gradient(trace(error.T @ output), w) for w in (W1, W2)})
EQ_9.states("tangent_kernel",
    "If the weights follow the gradient that pulls the outputs along any E, stacked row by row, the outputs move by "
    "the printed kernel applied to E, W2 W2'E X'X + E X'W1'W1 X, in which the diagonal blocks of QQ' enter alone.",
    lambda eq: [same(tangent, eq.right),
        same(eq.right, output_block @ error @ X.T @ X + error @ X.T @ input_block @ X)])

pulled = substitute(EQ_9.right, {error: miss})
paper.states("outputs_move_by_the_kernel: tangent_kernel flow_for_any_inputs", "Eq. 9, under gradient flow",
    "Under the gradient flow of the loss, on any data, the outputs move at minus 1/P times the printed kernel "
    "applied to Yhat - Y, and the loss falls at the rate at which the kernel measures Yhat - Y, over P^2.",
    lambda: [same(along(output, descent), -1 * pulled * per_sample),
        same(along(loss, descent), -1 * trace(miss.T @ pulled) * per_sample * per_sample)])

square_error, square_X = letters("error: N x N, X: N_i x N")
# As many outputs as training pairs: only then can the columns of E be multiplied by the factors as printed.
square_output = letters("W2: N x N_h") @ W1 @ square_X

def kernel_by_columns(swapped):
    """The printed kernel, or the one with its factors in the other order, as the tangent kernel column by column."""
    second = letters("W2: N x N_h")
    pulled = along(square_output, {w: gradient(trace(square_error.T @ square_output), w) for w in (W1, second)})
    similarity, overlap = square_X.T @ W1.T @ W1 @ square_X, square_X.T @ square_X
    pairs = [(identity("N"), similarity), (second @ second.T, overlap)]
    ordered = [pair[::-1] if swapped else pair for pair in pairs]
    # The Kronecker product of two factors takes E, its entries stacked column by column, to the last one times E times the first.
    first, last = (outer @ square_error @ inner.T for inner, outer in ordered)
    return same(pulled, first + last)

paper.states("printed_kernel_by_columns", "Eq. 9, column by column",
    "The printed kernel is the tangent kernel for E stacked column by column, too (here: as many outputs as pairs).",
    lambda: kernel_by_columns(swapped=False), corrected_by="tangent_kernel_by_columns")
paper.states("tangent_kernel_by_columns", "Eq. 9, column by column, corrected",
    "For E stacked column by column the factors change places: the kernel is X'W1'W1X (x) I + X'X (x) W2W2'.",
    lambda: kernel_by_columns(swapped=True))
paper.states("kernel_is_positive: tangent_kernel", "Eq. 9, the kernel is never negative",
    "The tangent kernel is positive semidefinite: applied to E, and times E, it is |W2'E X'|^2 + |E X'W1'|^2.",
    lambda: same(trace(error.T @ tangent), norm2(W2.T @ error @ X.T) + norm2(W1 @ X @ error.T)))

# === Sections 2 and 3: the matrix Riccati equation, its solution for every balanced start, and Fukumizu's equation 5 ===
P = Q @ Q.T
riccati_rate = net.riccati(F, P)

def on_data(*kept):
    """Decide whether QQ' obeys the Riccati equation with the correlation of the data in F."""
    rate = riccati_rate.map(lambda block: substitute(block, {Sigma: data_yx}))
    return same(along_blocks(P, descent), rate, kept)

paper.states("riccati_equation: flow_for_white_inputs balance_persists", "Section 2, the matrix Riccati equation",
    "Balanced weights on whitened inputs move so that d(QQ') = F QQ' + QQ' F - (QQ')^2, for any numbers of input, "
    "hidden and output neurons and any task; without balance or without white inputs they do not.",
    lambda: [same(along_blocks(P, flow), riccati_rate, [BALANCED]), on_data(BALANCED, WHITE)],
    needs={"balance": lambda: on_data(WHITE), "white_inputs": lambda: on_data(BALANCED)})
paper.states("flow_of_the_weights: balance_persists", "Section 2, the matrix Riccati equation for Q itself",
    "Balanced weights on whitened inputs move so that dQ = F Q - Q Q'Q/2.",
    lambda: same(along_blocks(Q, flow), F @ Q - HALF * (Q @ Q.T @ Q), [BALANCED]))

grown = letters("G: N x N", symmetric=True, commutes_with=[F_whole])  # exp(F t)
Phi = letters("Phi: N x N", symmetric=True, commutes_with=[F_whole])  # the integral of exp(2 F s) over s from 0 to t
GROW = {grown: HALF * (F_whole @ grown + grown @ F_whole), Phi: grown @ grown}
BEGIN = {grown: identity("N"), Phi: zero("N", "N")}
ONE, P_start = identity("N"), Q_start @ Q_start.T
Z = grown @ Q_start
M = letters("M", equals=identity("N_h") + Q_start.T @ Phi @ Q_start)
M_inv = letters("M_inv", inverse_of=M)
solution = Z @ M_inv @ Z.T

def riccati(state):
    """The rate of QQ' at any value."""
    return net.riccati(F_whole, state)

@paper.claim("Eq. 5, for every balanced start", rests_on="riccati_equation")
def riccati_solution():
    """From every Q(0), QQ'(t) = Z M^-1 Z' with Z = e^(Ft) Q(0), M = I + Q(0)'Phi Q(0) and Phi the integral of e^(2Fs)
    up to t solves the Riccati equation from Q(0) Q(0)', for any dimensions, any rank and any F, invertible or not."""
    inner = identity("N_h")
    begin, shown = BEGIN | {M: inner, M_inv: inner}, {"M_inv": bracket_grows()}
    yield only_solution(solution, riccati, Q_start @ Q_start.T, GROW, begin, inverses=shown)

@paper.claim("Beyond: solutions of the Riccati equation by two linear flows")
def riccati_by_linear_flows():
    """Where dZ = F Z - Z S and dM = Z'Z - S M - M S, Z M^-1 Z' solves the Riccati equation: columns may be scaled."""
    moving, columns = letters("Z: N x N_h"), letters("S: N_h x N_h", diagonal=True)
    bracket = letters("M: N_h x N_h", symmetric=True)
    linear = {moving: F_whole @ moving - moving @ columns,
        bracket: moving.T @ moving - columns @ bracket - bracket @ columns}
    state = moving @ letters("M_inv", inverse_of=bracket) @ moving.T
    yield same(along(state, linear), riccati(state))

bracket_grows = paper.states("bracket_grows: riccati_equation", "Beyond: the bracket always has an inverse",
    "M starts at the identity and grows by Z'Z, so that it has an inverse at all times.",
    lambda: keeps_inverse(M, [Z], GROW, BEGIN | {M: identity("N_h")}))

# The inverse of I + P(0) Phi, by the inverse of M.
pushed = letters("K", equals=ONE - Q_start @ M_inv @ Q_start.T @ Phi)
shrunk = letters("G_inv", inverse_of=grown)
paper.states("rank_is_conserved: riccati_solution bracket_grows", "Beyond: the rank is conserved",
    "At all finite times QQ' is QQ'(0) times e^(Ft) (I + QQ'(0) Phi)^-1 from the left and e^(Ft) from the right, with "
    "the inverse I - Q(0) M^-1 Q(0)'Phi of the bracket, so that balanced weights keep the rank of QQ'.",
    lambda: by("rank of a product", product=solution, left=grown @ pushed, core=P_start, right=grown,
        left_inverse=(ONE + P_start @ Phi) @ shrunk, right_inverse=shrunk))

@paper.claim("Beyond: one rank for both layers and the network", rests_on="balance_persists")
def ranks_agree():
    """For balanced weights Q'Q = 2 W1 W1' = 2 W2' W2 and (W2 W1)(W2 W1)' = (W2 W2')^2: W1' y = 0 exactly if W2 y = 0, and
    |(W2 W1)' x| = |W2 W2' x|, so Q, W1, W2 and W2 W1 have one rank."""
    output, inner = letters("x: N_o, y: N_h")
    yield same((Q.T @ Q).only, 2 * W1 @ W1.T, [BALANCED])
    yield same(norm2(W1.T @ inner), norm2(W2 @ inner), [BALANCED])
    yield same(norm2(W1.T @ W2.T @ output), norm2(W2 @ W2.T @ output), [BALANCED])
    yield same(output.T @ W2 @ W2.T @ output, norm2(W2.T @ output))

at = Blocks([[letters("x: N_i")], [letters("y: N_o")]])
task_inv = letters("Sigma_inv: N_i x N_o")
FROM_RIGHT, FROM_LEFT = (Sigma @ task_inv, identity("N_o")), (task_inv @ Sigma, identity("N_i"))

def f_takes_only_zero_to_zero(*known):
    """Decide whether F, whose inverse equation 5 uses, takes only zero to zero."""
    return same((at.T @ at).only, 0, [(F @ at, 0), *known])

@EQ_5.claim(needs={"the_full_rank_of_the_task": f_takes_only_zero_to_zero,
        "assumption_2_1": lambda: f_takes_only_zero_to_zero(FROM_RIGHT)}, rests_on="riccati_equation")
def fukumizu_solution(eq):
    """If F has an inverse, as it has for square tasks of full rank alone, the printed QQ'(t) is at all times t >= 0 the
    only solution of the Riccati equation from Q(0) Q(0)', for every Q(0) of any rank, zero included."""
    motion, begin, inner = {growth: GROWTH[growth]}, {growth: ONE}, identity("N_h")
    shown = {inner_5_inv.name: keeps_inverse(inner_5, [growth @ Q_start], motion, begin)}
    yield only_solution(eq.right, riccati, P_start, motion, begin | {inner_5_inv: inner}, inverses=shown)
    yield same(eq.right.T, eq.right)

doubled = HALF * (growth @ F_inv @ growth - F_inv)
paper.states("integral_by_the_inverse: riccati_solution", "Eq. 5, from the form without an inverse of F",
    "Where F has an inverse, Phi, the integral of e^(2Fs), is (e^(Ft) F^-1 e^(Ft) - F^-1)/2, as in equation 5.",
    lambda: [same(along(doubled, GROWTH), growth @ growth), same(substitute(doubled, {growth: ONE}), zero("N", "N"))])

inverse = Blocks([[zero("N_i", "N_i"), task_inv], [task_inv.T, zero("N_o", "N_o")]])
whole = Blocks([[identity("N_i"), zero("N_i", "N_o")], [zero("N_o", "N_i"), identity("N_o")]])
both = [FROM_LEFT, FROM_RIGHT]
paper.states("f_has_an_inverse", "Eq. 5, with an invertible task",
    "If the task has an inverse, then F has the inverse [0, T; T', 0] with T the inverse of the task.",
    lambda: [same(F @ inverse, whole, both), same(inverse @ F, whole, both)])

TURNED = "Section 3, weights up to a time varying orthogonal transformation"
rotation = letters("O: N_h x N_h", orthonormal_columns=True)
# A start that is a rotation: I + Phi has a root.
TWO_BY_TWO = instance("N=2 N_h=2", F="1 0; 0 7", G="2 0; 0 5", Phi="3 0; 0 8", Q_0="3/5 4/5; -4/5 3/5",
    H="3/10 -4/15; 2/5 1/5", Q="5/13 12/13; -20/13 25/39")
@paper.claim(TURNED,
    quote=r"We note that a solution for the weights $\mathbf{W}_1(t)$ and $\mathbf{W}_2(t)$, i.e., $\mathbf{Q}(t)$, can be derived up to a time varying orthogonal transformation as demonstrated in Appendix C.",
    rests_on="riccati_solution")
def weights_up_to_rotation():
    """Q(t) = e^(Ft) Q(0) H O with H H' = M^-1 and some orthogonal O."""
    root = letters("H: N_h x N_h")
    weights, ROOTED = Z @ root, (root @ root.T, M_inv)
    moved = letters("Q: N x N_h")
    known = [(moved @ moved.T, solution), ROOTED]
    yield by("equal Gram matrices", left=moved, right=weights, given=known, among=TWO_BY_TWO)

other_start = letters("Q_1: N x N_h")  # with the same QQ'
turned = {W1: rotation.T @ W1, W2: W2 @ rotation}
paper.states("rotation_is_free", "Section 3, the orthogonal transformation cannot be known from QQ'",
    "Weights Q and Q O with an orthogonal O have one QQ' and one function, and move to weights that differ by O.",
    lambda: [same(Q_start @ rotation @ (Q_start @ rotation).T, P_start), same(substitute(W2 @ W1, turned), W2 @ W1),
        same(substitute(flow[W1], turned), rotation.T @ flow[W1]),
        same(substitute(flow[W2], turned), flow[W2] @ rotation)],
    needs={"the_transformation": lambda: same(other_start, Q_start, [(other_start @ other_start.T, P_start)])})
