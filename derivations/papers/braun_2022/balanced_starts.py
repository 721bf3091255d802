"""Beyond the paper: starts with W2'W2 - W1 W1' = lambda I, of which the paper's zero-balanced starts are the case lambda = 0.

Dominé et al. (2024), "From lazy to rich: exact learning dynamics in deep linear networks", arXiv:2409.14623, treat them.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from derivations import prove
from derivations.language.words import Letter, Words, along, identity, norm2, substitute, trace, zero
from derivations.language.words.blocks import Blocks, along_blocks, block_diagonal
from derivations.models.two_layer_linear import EVEN, HALF, W1, W2, F, Q, Sigma, St, Up, Ut, Vp, Vt, balance, flow
from derivations.papers.braun_2022.section_2_network.riccati import riccati_solution
from derivations.papers.braun_2022.section_6_tasks.reversal import from_reversal, growing, height, kappa, lam, product
from derivations.papers.braun_2022.setup import paper, s, t
from derivations.prove import Certificate, Verdict

# --- the Riccati equation -----------------------------------------------------------------------------------------------

F_balance = F + block_diagonal(identity("N_i") * (-HALF * balance), identity("N_o") * (HALF * balance))
"""F of these starts: [-lambda I/2, Sigma'; Sigma, lambda I/2]."""

UNEQUAL: dict[str, Any] = {
    "dims": {"N_i": 2, "N_h": 2, "N_o": 3},
    "matrices": {
        "W1": [["1", "0"], ["0", "7"]], "W2": [["4", "0"], ["0", "8"], ["0", "0"]], "lambda": [["15"]],
        "Sigma": [["1", "2"], ["-1", "3"], ["2", "0"]], "K": [["1/16", "0"], ["0", "1/64"]],
        "x": [["0"], ["0"], ["1"]], "y": [["2"], ["-3"]],
    },
}  # fmt: skip
"""Weights with lambda = 15."""

SMALLEST: dict[str, Any] = {
    "dims": {"N_i": 1, "N_h": 1, "N_o": 2},
    "matrices": {"W1": [["0"]], "W2": [["1"], ["0"]], "lambda": [["1"]], "Sigma": [["0"], ["1"]], "x": [["0"], ["1"]]},
}  # fmt: skip
"""Weights with lambda = 1 that do not reach the second output."""

P = Q @ Q.T


@paper.claim("Beyond: lambda-balanced starts, Riccati equation", rests_on=["flow_for_white_inputs", "balance_persists"])
def lambda_riccati_equation() -> Certificate:
    """If W2'W2 - W1 W1' = lambda I, then dQ = F Q - Q Q'Q/2 and d(QQ') = F QQ' + QQ' F - (QQ')^2 with F = [-lambda I/2, S'; S, lambda I/2], for
    any dimensions, any task and any lambda."""
    return prove.every(
        prove.words(along_blocks(Q, flow), F_balance @ Q - HALF * (Q @ Q.T @ Q), [EVEN], [UNEQUAL]),
        prove.words(along_blocks(P, flow), F_balance @ P + P @ F_balance - P @ P, [EVEN], [UNEQUAL]),
    )


@paper.claim(
    "Beyond: lambda-balanced starts, with F as printed",
    expect=Verdict.REFUTED,
    corrected_by="lambda_riccati_equation",
)
def lambda_riccati_with_printed_f() -> Certificate:
    """If W2'W2 - W1 W1' = lambda I, the Riccati equation holds with the F of equation 4, without lambda."""
    return prove.words(along_blocks(P, flow), F @ P + P @ F - P @ P, [EVEN], [SMALLEST])


flipped = block_diagonal(-identity("N_i"), identity("N_o"))
"""J: minus one for inputs, one for outputs."""


@paper.claim("Beyond: any start, balanced or not", rests_on=["flow_for_white_inputs"])
def flow_from_every_start() -> Certificate:
    """From every start d(QQ') = F P + P F - P^2 + (J P J P + P J P J)/2 with P = QQ', J = diag(-I, I) and F of equation 4: QQ' moves by itself also
    where nothing is balanced, but not by a Riccati equation."""
    turned = flipped @ P @ flipped @ P
    return prove.words(along_blocks(P, flow), F @ P + P @ F - P @ P + HALF * (turned + turned.T))


@paper.claim("Beyond: lambda-balanced starts, exact solution", rests_on=["lambda_riccati_equation", "riccati_solution"])
def lambda_solution() -> Certificate:
    """F with lambda is symmetric, so that QQ'(t) = Z M^-1 Z', Z = e^(Ft) Q(0), M = I + Q(0)' Phi Q(0), solves the Riccati equation for every
    lambda, every number of input, hidden and output neurons, and every rank."""
    return prove.every(riccati_solution(), prove.words(F_balance.T, F_balance))


at = Blocks([[Letter("x_i", "N_i", 1)], [Letter("x_o", "N_o", 1)]])


@paper.claim("Beyond: lambda-balanced starts, square of F")
def lambda_f_squared() -> Certificate:
    """F^2 = diag(S'S + lambda^2/4, S S' + lambda^2/4): hence |F x|^2 >= lambda^2 |x|^2/4, F has an inverse for every task and any dimensions
    unless lambda = 0, and equation 5 holds there without assumptions 2.1 and 2.4."""
    (inputs,), (outputs,) = at.rows
    quarter = HALF * HALF * balance * balance
    squared = block_diagonal(Sigma.T @ Sigma + identity("N_i") * quarter, Sigma @ Sigma.T + identity("N_o") * quarter)
    rest = norm2(Sigma @ inputs) + norm2(Sigma.T @ outputs)
    return prove.every(
        prove.words(F_balance @ F_balance, squared),
        prove.words((at.T @ F_balance.T @ F_balance @ at).only, rest + quarter * (at.T @ at).only),
    )


# --- eigenvectors -------------------------------------------------------------------------------------------------------

pace = Letter("kappa", "N_m", "N_m", diagonal=True)
half_balance = identity("N_m") * (HALF * balance)
PACE = (pace @ pace, St @ St + half_balance @ half_balance)
THREE_FOUR_FIVE: dict[str, Any] = {
    "dims": {"N_i": 2, "N_o": 3, "N_m": 1, "N_u": 2, "N_v": 1},
    "matrices": {
        "U_t": [["3/5"], ["4/5"], ["0"]], "V_t": [["5/13"], ["12/13"]], "S_t": [["3"]], "lambda": [["8"]],
        "kappa": [["5"]], "V_p": [["-12/13"], ["5/13"]], "U_p": [["-4/5", "0"], ["3/5", "0"], ["0", "1"]],
    },
}  # fmt: skip

grows = Blocks([[Vt @ St], [Ut @ (pace + half_balance)]])
shrinks = Blocks([[Vt @ St], [-(Ut @ (pace - half_balance))]])
F_task = F_balance.map(lambda block: substitute(block, {Sigma: Ut @ St @ Vt.T}))


@paper.claim("Beyond: lambda-balanced starts, eigenvectors of F", rests_on=["lambda_f_squared"])
def lambda_eigenvectors() -> Certificate:
    """With kappa^2 = St^2 + lambda^2/4, F takes [Vt St; Ut (kappa + lambda/2)] to itself times kappa and [Vt St; -Ut (kappa - lambda/2)] to itself
    times -kappa; they are orthogonal, and the first has the squared length 2 kappa (kappa + lambda/2). Outside of the task's singular
    vectors F is -lambda/2 for inputs and lambda/2 for outputs."""
    inputs, outputs = Blocks([[Vp], [zero("N_o", "N_v")]]), Blocks([[zero("N_i", "N_u")], [Up]])
    apart = [(Ut.T @ Up, 0), (Vt.T @ Vp, 0)]
    return prove.every(
        prove.words(F_task @ grows, grows @ pace, [PACE], [THREE_FOUR_FIVE]),
        prove.words(F_task @ shrinks, -1 * (shrinks @ pace), [PACE], [THREE_FOUR_FIVE]),
        prove.words(grows.T @ shrinks, 0, [PACE], [THREE_FOUR_FIVE]),
        prove.words(grows.T @ grows, 2 * pace @ (pace + half_balance), [PACE], [THREE_FOUR_FIVE]),
        prove.words(F_task @ inputs, -HALF * (inputs @ (identity("N_v") * balance)), apart, [THREE_FOUR_FIVE]),
        prove.words(F_task @ outputs, HALF * (outputs @ (identity("N_u") * balance)), apart, [THREE_FOUR_FIVE]),
    )


small = sp.Symbol("nu", positive=True)
"""One over lambda."""

root = sp.sqrt(s**2 + lam**2 / 4)
tangent = s / (root + lam / 2)


@paper.claim("Beyond: lambda-balanced starts, how the eigenvectors turn", rests_on=["lambda_eigenvectors"])
def lambda_turns_the_eigenvectors() -> Certificate:
    """For one mode of singular value s, [-lambda/2, s; s, lambda/2] has the eigenvector (sin a, cos a) with tan a = s/(kappa + lambda/2): 45
    degrees at lambda = 0, where both layers learn alike, and zero as lambda grows, where the second layer is all that counts."""
    mode = sp.Matrix([[-lam / 2, s], [s, lam / 2]])
    vector = sp.Matrix([tangent, 1])
    return prove.every(
        prove.identity(tuple(mode * vector), tuple(root * vector)),
        prove.limit(tangent, [lam], 1),
        prove.limit(tangent.subs(lam, 1 / small), [small], 0),
    )


# --- which lambda there are ----------------------------------------------------------------------------------------------

above, below = Letter("lambda", 1, 1, positive=True), Letter("mu", 1, 1, positive=True)
"""lambda where it is positive, and -lambda where it is negative."""

POSITIVE = (W2.T @ W2 - W1 @ W1.T, identity("N_h") * above)
NEGATIVE = (W1 @ W1.T - W2.T @ W2, identity("N_h") * below)
hidden = Letter("y", "N_h", 1)
gram_inv = Letter("K", "N_h", "N_h", inverse_of=W2.T @ W2)
input_inv = Letter("K", "N_h", "N_h", inverse_of=W1 @ W1.T)
NEGATED: dict[str, Any] = {
    "dims": {"N_i": 2, "N_h": 2, "N_o": 2},
    "matrices": {
        "W1": [["4", "0"], ["0", "8"]], "W2": [["1", "0"], ["0", "7"]], "mu": [["15"]], "y": [["2"], ["-3"]],
        "K": [["1/16", "0"], ["0", "1/64"]], "Sigma": [["1", "2"], ["-1", "3"]],
    },
}  # fmt: skip


@paper.claim("Beyond: lambda-balanced starts, lambda > 0 needs N_h <= N_o", rests_on=["lambda_riccati_equation"])
def positive_balance_needs_outputs() -> Certificate:
    """If W2'W2 - W1 W1' = lambda I with lambda > 0, then |W2 y|^2 = |W1' y|^2 + lambda |y|^2, so that W2'W2 has an inverse K, and N_o - N_h is the
    squared size of I - W2 K W2': there are at least as many outputs as hidden neurons."""
    return prove.every(
        prove.words(norm2(W2 @ hidden), norm2(W1.T @ hidden) + above * norm2(hidden), [POSITIVE], [UNEQUAL]),
        prove.words(trace(identity("N_o")) - trace(identity("N_h")), norm2(identity("N_o") - W2 @ gram_inv @ W2.T)),
    )


@paper.claim("Beyond: lambda-balanced starts, lambda < 0 needs N_h <= N_i", rests_on=["lambda_riccati_equation"])
def negative_balance_needs_inputs() -> Certificate:
    """If W2'W2 - W1 W1' = -mu I with mu > 0, then |W1' y|^2 = |W2 y|^2 + mu |y|^2, so that W1 W1' has an inverse K, and N_i - N_h is the squared
    size of I - W1' K W1: there are at least as many inputs as hidden neurons."""
    return prove.every(
        prove.words(norm2(W1.T @ hidden), norm2(W2 @ hidden) + below * norm2(hidden), [NEGATIVE], [NEGATED]),
        prove.words(trace(identity("N_i")) - trace(identity("N_h")), norm2(identity("N_i") - W1.T @ input_inv @ W1)),
    )


half = Letter("H", "N_h", "N_h")
out_frame, in_frame = (Letter("D", rows, "N_h", orthonormal_columns=True) for rows in ("N_o", "N_i"))
ROOTED: dict[str, Any] = {
    "dims": {"N_i": 2, "N_h": 2, "N_o": 2},
    "matrices": {
        "W1": [["1", "0"], ["0", "7"]], "W2": [["1", "0"], ["0", "7"]], "H": [["4", "0"], ["0", "8"]],
        "lambda": [["15"]], "mu": [["15"]], "D": [["3/5", "-4/5"], ["4/5", "3/5"]],
    },
}  # fmt: skip


@paper.claim("Beyond: lambda-balanced starts, lambda > 0 exists for N_h <= N_o")
def positive_balance_exists() -> Certificate:
    """For N_h <= N_o there are D with orthonormal columns, and every W1 and lambda > 0 have the second layer W2 = D H with
    H'H = W1 W1' + lambda I, a root of a positive matrix: W2'W2 - W1 W1' = lambda I."""
    layer = out_frame @ half
    rooted = (half.T @ half, W1 @ W1.T + identity("N_h") * above)
    return prove.words(layer.T @ layer - W1 @ W1.T, identity("N_h") * above, [rooted], [ROOTED])


@paper.claim("Beyond: lambda-balanced starts, lambda < 0 exists for N_h <= N_i")
def negative_balance_exists() -> Certificate:
    """For N_h <= N_i, every W2 and mu > 0 have the first layer W1 = H D' with H H' = W2'W2 + mu I: W1 W1' - W2'W2 = mu I."""
    layer = half @ in_frame.T
    rooted = (half @ half.T, W2.T @ W2 + identity("N_h") * below)
    return prove.words(layer @ layer.T - W2.T @ W2, identity("N_h") * below, [rooted], [ROOTED])


@paper.claim(
    "Beyond: lambda-balanced starts, any lambda for any dimensions",
    expect=Verdict.REFUTED,
    corrected_by="positive_balance_needs_outputs",
)
def any_balance_exists() -> Certificate:
    """There are weights with lambda > 0 for any dimensions, such as one output, one input and two hidden neurons."""
    return prove.contrary(
        "lambda > 0 makes N_o - N_h a squared size, which is never negative", positive_balance_needs_outputs()
    )


# --- no saddles ---------------------------------------------------------------------------------------------------------

gap = Sigma - W2 @ W1
wide_W2 = Letter("W2", "N", "N")
wide_W1, wide_task = Letter("W1", "N", "N_i"), Letter("Sigma", "N", "N_i")
wide_inv = Letter("K", "N", "N", inverse_of=wide_W2.T @ wide_W2)
wide_gap = wide_task - wide_W2 @ wide_W1
WIDE_POSITIVE = (wide_W2.T @ wide_W2 - wide_W1 @ wide_W1.T, identity("N") * above)
AT_REST: dict[str, Any] = {
    "dims": {"N": 2, "N_i": 2},
    "matrices": {
        "W1": [["1", "0"], ["0", "7"]], "W2": [["4", "0"], ["0", "8"]], "Sigma": [["4", "0"], ["0", "56"]],
        "K": [["1/16", "0"], ["0", "1/64"]], "lambda": [["15"]], "W2_inv": [["1/4", "0"], ["0", "1/8"]],
        "C": [["1/16", "0"], ["0", "1/64"]],
    },
}  # fmt: skip


@paper.claim("Beyond: lambda-balanced starts, no saddles for N_h = N_o", rests_on=["positive_balance_needs_outputs"])
def lambda_removes_the_saddles() -> Certificate:
    """For lambda > 0 and as many hidden neurons as outputs, W2 has an inverse at all times, so that the weights rest only where they have learned
    the task: G = S_yx - W2 W1 is the transposed inverse of W2 times W2'G, which vanishes at rest."""
    inverse = Letter("W2_inv", "N", "N", inverse_of=wide_W2)
    return prove.words(inverse.T @ (wide_W2.T @ wide_gap), wide_gap, [], [AT_REST])


@paper.claim(
    "Beyond: lambda-balanced starts, no saddles, lambda = 0",
    expect=Verdict.REFUTED,
    corrected_by="lambda_removes_the_saddles",
)
def balanced_weights_rest_on_the_task_alone() -> Certificate:
    """Balanced weights, lambda = 0, with N_h = N_o = N_i, rest only where they have learned the task."""
    first = Letter("W1", "N", "N")
    second, task = Letter("W2", "N", "N"), Letter("Sigma", "N", "N")
    miss = task - second @ first
    at_rest: list[tuple[Words, Words | int]] = [
        (second.T @ second, first @ first.T),
        (second.T @ miss, 0),
        (miss @ first.T, 0),
    ]
    return prove.words(miss, 0, at_rest)


# --- lambda -> 0 and lambda -> infinity ----------------------------------------------------------------------------------

begin = sp.Symbol("g0", positive=True)
"""The square of w1 + w2 at the start, of a network with one neuron in each layer."""

high, low = 2 * (kappa + s), -2 * (kappa - s)
course = (low * (high - begin) + high * (begin - low) * growing) / (high - begin + (begin - low) * growing)
ROOT = sp.Eq(kappa**2, s**2 + lam**2 / 4)


@paper.claim("Beyond: lambda-balanced starts, one neuron in each layer", rests_on=["narrow_network_in_one_variable"])
def narrow_lambda_solution() -> Certificate:
    """With one neuron in each layer, g = (w1 + w2)^2 goes from g0 to (L (H - g0) + H (g0 - L) X)/(H - g0 + (g0 - L) X), with H = 2 (kappa + s),
    L = -2 (kappa - s) and X = e^(2 kappa t)."""
    return prove.solves(
        {height: 2 * s * height - height**2 / 2 + lam**2 / 2},
        {height: course.subs(growing, sp.exp(2 * kappa * t))},
        {height: begin},
        t,
        assuming=[ROOT, kappa >= s],
    )


output_now = product.subs(height, course)
v0 = sp.Symbol("v0", positive=True)
E = sp.Symbol("E", positive=True)
"""exp(-2 kappa t)."""

excess, gained = sp.symbols("d q", positive=True)
"""kappa - s, which goes to zero with lambda, and e^(2 kappa t) - 1."""

lambda_squared = 4 * excess * (2 * s + excess)


def excess_goes_with_lambda() -> Certificate:
    return prove.every(
        prove.identity(lambda_squared.subs(excess, kappa - s), lam**2, assuming=[ROOT]), prove.limit(root - s, [lam], 0)
    )


@paper.claim("Beyond: lambda-balanced starts, lambda -> 0", rests_on=["narrow_lambda_solution"])
def small_lambda_is_zero_balance() -> Certificate:
    """With one neuron in each layer, w1 + w2 not zero at the start, and at any fixed time, w2 w1 tends to the balanced course s v0 (1 + q)/(s + v0 q),
    1 + q = e^(2 kappa t) where kappa tends to s, as lambda goes to zero, with (w1 + w2)^2 = 4 v0 at the start."""
    value = course.subs({kappa: s + excess, begin: 4 * v0, growing: 1 + gained})
    return prove.every(
        excess_goes_with_lambda(),
        prove.limit(value / 4, [excess], s * v0 * (1 + gained) / (s + v0 * gained)),
        prove.limit(lambda_squared / value, [excess], 0),
    )


@paper.claim(
    "Beyond: lambda-balanced starts, lambda -> 0 from reversed knowledge",
    rests_on=["unbalanced_noise_escapes", "reversal_course"],
)
def limits_do_not_commute() -> Certificate:
    """For a network that has learned -s, w2 w1 tends to the balanced course -s/(1 + 2 q), 1 + q = e^(2 kappa t) where kappa tends to s, as lambda goes to
    zero at a fixed time, which ends at zero, while every lambda > 0 ends at s: the two limits do not commute."""
    value = from_reversal.subs({growing: 1 + gained, kappa: s + excess})
    return prove.every(
        excess_goes_with_lambda(),
        prove.limit(value, [excess], 0),
        prove.limit(lambda_squared / value / 4, [excess], s / (1 + 2 * gained)),
    )


p0 = sp.Symbol("p0", real=True)
"""The network function at the start."""

lazy_start = 2 * p0 + sp.sqrt(4 * p0**2 + lam**2)


@paper.claim("Beyond: lambda-balanced starts, lambda -> infinity", rests_on=["narrow_lambda_solution"])
def large_lambda_is_lazy() -> Certificate:
    """With one neuron in each layer, w2 w1 tends to s + (p0 - s) E with E = e^(-2 kappa t) as lambda grows, from every p0, and 2 kappa/lambda tends to one: learning
    becomes exponential, at a rate that does not depend on the task."""
    scaled = {lam: 1 / small}
    value = sp.together((course / lam).subs({kappa: root, begin: lazy_start, growing: 1 / E}).subs(scaled))
    return prove.every(
        prove.identity(product.subs(height, lazy_start), p0),
        prove.limit(2 * root.subs(scaled) * small, [small], 1),
        prove.limit((value - 1 / value) / small / 4, [small], s + (p0 - s) * E),
    )


function = W2 @ W1
output_gram, input_gram = W2 @ W2.T, W1.T @ W1


@paper.claim("Beyond: lambda-balanced starts, the layers follow the function", rests_on=["lambda_riccati_equation"])
def lambda_grams() -> Certificate:
    """If W2'W2 - W1 W1' = lambda I and Y = W2 W1, then (W2 W2')^2 - lambda W2 W2' = Y Y', (W1'W1)^2 + lambda W1'W1 = Y'Y and W2 W2' Y = lambda Y +
    Y W1'W1, for any dimensions."""
    return prove.every(
        prove.words(output_gram @ output_gram - output_gram * balance, function @ function.T, [EVEN], [UNEQUAL]),
        prove.words(input_gram @ input_gram + input_gram * balance, function.T @ function, [EVEN], [UNEQUAL]),
        prove.words(output_gram @ function, function * balance + function @ input_gram, [EVEN], [UNEQUAL]),
    )


wide_function = wide_W2 @ wide_W1
wide_flow = {wide_W1: wide_W2.T @ wide_gap, wide_W2: wide_gap @ wide_W1.T}
inner = Letter("C", "N", "N", inverse_of=wide_W2 @ wide_W2.T)


@paper.claim("Beyond: lambda-balanced starts, lazy learning of any size", rests_on=["lambda_grams"])
def lazy_learning_of_any_size() -> Certificate:
    """For N_h = N_o and lambda > 0, Y = W2 W1 moves at lambda (S - Y) + Y Y' C (S - Y) + (S - Y) W1'W1, with C the inverse of W2 W2'. The two last
    terms fade as lambda grows: by (W2 W2')^2 = lambda W2 W2' + Y Y' and (W1'W1)^2 + lambda W1'W1 = Y'Y, C is at most 1/lambda and W1'W1 at
    most Y'Y/lambda."""
    rate = wide_gap * above + wide_function @ wide_function.T @ inner @ wide_gap + wide_gap @ wide_W1.T @ wide_W1
    return prove.every(
        prove.words(along(wide_function, wide_flow), rate, [WIDE_POSITIVE], [AT_REST]),
        prove.words(
            wide_W2 @ wide_W2.T @ wide_W2 @ wide_W2.T,
            wide_W2 @ wide_W2.T * above + wide_function @ wide_function.T,
            [WIDE_POSITIVE],
            [AT_REST],
        ),
        prove.words(
            wide_W1.T @ wide_W1 @ wide_W1.T @ wide_W1 + wide_W1.T @ wide_W1 * above,
            wide_function.T @ wide_function,
            [WIDE_POSITIVE],
            [AT_REST],
        ),
    )


blind = Letter("x", "N_o", 1)


@paper.claim("Beyond: lambda-balanced starts, lazy learning with few hidden neurons", rests_on=["lambda_grams"])
def silent_outputs_learn_by_the_first_layer() -> Certificate:
    """Along outputs x that the second layer does not reach, W2'x = 0, the function moves at (S - Y) W1'W1 alone."""
    return prove.words(
        blind.T @ along(function, flow), blind.T @ gap @ input_gram, [(W2.T @ blind, 0), EVEN], [UNEQUAL]
    )


@paper.claim(
    "Beyond: lambda-balanced starts, lazy learning of any dimensions",
    expect=Verdict.REFUTED,
    corrected_by="silent_outputs_learn_by_the_first_layer",
)
def every_output_is_lazy() -> Certificate:
    """With fewer hidden neurons than outputs, too, the function moves at lambda (S - Y) + (S - Y) W1'W1 along outputs that the second layer does not
    reach."""
    return prove.words(
        blind.T @ along(function, flow),
        blind.T @ gap * balance + blind.T @ gap @ input_gram,
        [(W2.T @ blind, 0), EVEN],
        [SMALLEST],
    )
