"""Beyond the paper: starts with W2'W2 - W1 W1' = lambda I, of which the paper's zero-balanced starts are the case lambda = 0.

Dominé et al. (2024), "From lazy to rich: exact learning dynamics in deep linear networks", arXiv:2409.14623, treat them.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from derivations import prove
from derivations.language.words import Letter, Words, identity, norm2, substitute, trace, zero
from derivations.language.words.blocks import Blocks, along_blocks, block_diagonal
from derivations.models.two_layer_linear import EVEN, HALF, W1, W2, F, Q, Sigma, St, Up, Ut, Vp, Vt, balance, flow
from derivations.papers.braun_2022.section_2_network.riccati import riccati_solution
from derivations.papers.braun_2022.section_6_tasks.reversal import (
    ROOT,
    from_reversal,
    growing,
    height,
    kappa,
    lam,
    product,
)
from derivations.papers.braun_2022.setup import paper, s, t
from derivations.prove import Certificate

# --- the Riccati equation -----------------------------------------------------------------------------------------------

F_balance = F + block_diagonal(identity("N_i") * (-HALF * balance), identity("N_o") * (HALF * balance))
"""F of these starts: [-lambda I/2, Sigma'; Sigma, lambda I/2]."""

P = Q @ Q.T


def riccati_with(matrix: Blocks) -> Certificate:
    return prove.words(along_blocks(P, flow), matrix @ P + P @ matrix - P @ P, [EVEN])


@paper.claim(
    "Beyond: lambda-balanced starts, Riccati equation",
    needs={"lambda_in_F": lambda: riccati_with(F)},
    rests_on=["flow_for_white_inputs", "balance_persists", "riccati_solution"],
)
def lambda_riccati_equation() -> Certificate:
    """If W2'W2 - W1 W1' = lambda I, then dQ = F Q - Q Q'Q/2 and d(QQ') = F QQ' + QQ' F - (QQ')^2 with the symmetric
    F = [-lambda I/2, S'; S, lambda I/2], so that QQ'(t) = Z M^-1 Z', Z = e^(Ft) Q(0), M = I + Q(0)' Phi Q(0), for any
    dimensions, any rank, any task and any lambda."""
    return prove.every(
        prove.words(along_blocks(Q, flow), F_balance @ Q - HALF * (Q @ Q.T @ Q), [EVEN]),
        riccati_with(F_balance),
        prove.words(F_balance.T, F_balance),
        riccati_solution(),
    )


@paper.claim("Beyond: any start, balanced or not", rests_on=["flow_for_white_inputs"])
def flow_from_every_start() -> Certificate:
    """From every start d(QQ') = F P + P F - P^2 + (J P J P + P J P J)/2 with P = QQ', J = diag(-I, I) and F of equation 4: QQ'
    moves by itself also where nothing is balanced, but not by a Riccati equation."""
    flipped = block_diagonal(-identity("N_i"), identity("N_o"))
    turned = flipped @ P @ flipped @ P
    return prove.words(along_blocks(P, flow), F @ P + P @ F - P @ P + HALF * (turned + turned.T))


@paper.claim("Beyond: lambda-balanced starts, square of F")
def lambda_f_squared() -> Certificate:
    """F^2 = diag(S'S + lambda^2/4, S S' + lambda^2/4): hence |F x|^2 >= lambda^2 |x|^2/4, F has an inverse for every task and any
    dimensions unless lambda = 0, and equation 5 holds there without assumptions 2.1 and 2.4."""
    inputs, outputs = Letter("x_i", "N_i", 1), Letter("x_o", "N_o", 1)
    at, quarter = Blocks([[inputs], [outputs]]), HALF * HALF * balance * balance
    squared = block_diagonal(Sigma.T @ Sigma + identity("N_i") * quarter, Sigma @ Sigma.T + identity("N_o") * quarter)
    rest = norm2(Sigma @ inputs) + norm2(Sigma.T @ outputs)
    return prove.every(
        prove.words(F_balance @ F_balance, squared),
        prove.words((at.T @ F_balance.T @ F_balance @ at).only, rest + quarter * (at.T @ at).only),
    )


# --- eigenvectors -------------------------------------------------------------------------------------------------------

pace = Letter("kappa", "N_m", "N_m", diagonal=True)
half_balance = identity("N_m") * (HALF * balance)
PACE: list[tuple[Words, Any]] = [(pace @ pace, St @ St + half_balance @ half_balance)]
THREE_FOUR_FIVE: dict[str, Any] = {
    "dims": {"N_i": 2, "N_o": 3, "N_m": 1, "N_u": 2, "N_v": 1},
    "matrices": {
        "U_t": [["3/5"], ["4/5"], ["0"]], "V_t": [["5/13"], ["12/13"]], "S_t": [["3"]], "lambda": [["8"]],
        "kappa": [["5"]], "V_p": [["-12/13"], ["5/13"]], "U_p": [["-4/5", "0"], ["3/5", "0"], ["0", "1"]],
    },
}  # fmt: skip


@paper.claim("Beyond: lambda-balanced starts, eigenvectors of F", rests_on=["lambda_f_squared"])
def lambda_eigenvectors() -> Certificate:
    """With kappa^2 = St^2 + lambda^2/4, F takes [Vt St; Ut (kappa + lambda/2)] to itself times kappa and [Vt St; -Ut (kappa -
    lambda/2)] to itself times -kappa; they are orthogonal, and the first has the squared length 2 kappa (kappa + lambda/2).
    Outside of the task's singular vectors F is -lambda/2 for inputs and lambda/2 for outputs."""
    F_task = F_balance.map(lambda block: substitute(block, {Sigma: Ut @ St @ Vt.T}))
    grows, shrinks = (
        Blocks([[Vt @ St], [Ut @ (pace + half_balance)]]),
        Blocks([[Vt @ St], [-(Ut @ (pace - half_balance))]]),
    )
    inputs, outputs = Blocks([[Vp], [zero("N_o", "N_v")]]), Blocks([[zero("N_i", "N_u")], [Up]])
    apart: list[tuple[Words, Any]] = [(Ut.T @ Up, 0), (Vt.T @ Vp, 0)]
    statements: list[tuple[Any, Any, Any]] = [
        (F_task @ grows, grows @ pace, PACE),
        (F_task @ shrinks, -1 * (shrinks @ pace), PACE),
        (grows.T @ shrinks, 0, PACE),
        (grows.T @ grows, 2 * pace @ (pace + half_balance), PACE),
        (F_task @ inputs, -HALF * (inputs @ (identity("N_v") * balance)), apart),
        (F_task @ outputs, HALF * (outputs @ (identity("N_u") * balance)), apart),
    ]
    return prove.every(*(prove.words(a, b, known, [THREE_FOUR_FIVE]) for a, b, known in statements))


# --- which lambda there are ----------------------------------------------------------------------------------------------

above, below = Letter("lambda", 1, 1, positive=True), Letter("mu", 1, 1, positive=True)
"""lambda where it is positive, and -lambda where it is negative."""

ROOTED: dict[str, Any] = {
    "dims": {"N_i": 3, "N_o": 3, "N_h": 2},
    "matrices": {
        "W1": [["5/3", "10/3", "10/3"], ["6", "3", "-6"]], "W2": [["5/3", "6"], ["10/3", "3"], ["10/3", "-6"]],
        "H": [["39/5", "-12"], ["52/5", "9"]], "lambda": [["144"]], "mu": [["144"]],
        "D": [["2/7", "3/7"], ["3/7", "-6/7"], ["6/7", "2/7"]],
    },
}  # fmt: skip
"""25 + 144 = 169 and 81 + 144 = 225."""

hidden, half = Letter("y", "N_h", 1), Letter("H", "N_h", "N_h")


@paper.claim("Beyond: lambda-balanced starts, which widths they need", rests_on=["lambda_riccati_equation"])
def balance_needs_width() -> Certificate:
    """If W2'W2 - W1 W1' = lambda I with lambda > 0, then |W2 y|^2 = |W1' y|^2 + lambda |y|^2, so that W2'W2 has an inverse K, and
    N_o - N_h is the squared size of I - W2 K W2': there are at least as many outputs as hidden neurons. For lambda < 0 there
    are, in the same way, at least as many inputs."""
    parts = []
    for outer, inner, excess, width in ((W2, W1.T, above, "N_o"), (W1.T, W2, below, "N_i")):
        even = (outer.T @ outer - inner.T @ inner, identity("N_h") * excess)
        inverse = Letter("K", "N_h", "N_h", inverse_of=outer.T @ outer)
        missing = norm2(identity(width) - outer @ inverse @ outer.T)
        parts.append(prove.words(norm2(outer @ hidden), norm2(inner @ hidden) + excess * norm2(hidden), [even]))
        parts.append(prove.words(trace(identity(width)) - trace(identity("N_h")), missing))
    return prove.every(*parts)


@paper.claim("Beyond: lambda-balanced starts, those widths are enough")
def width_allows_balance() -> Certificate:
    """For N_h <= N_o there are D with orthonormal columns, and every W1 and lambda > 0 have the second layer W2 = D H with
    H'H = W1 W1' + lambda I, a root of a positive matrix: W2'W2 - W1 W1' = lambda I. For N_h <= N_i and mu > 0 the first layer
    W1 = H' D' with H'H = W2'W2 + mu I does the same for -mu."""
    parts = []
    for inner, excess, width in ((W1.T, above, "N_o"), (W2, below, "N_i")):
        layer = Letter("D", width, "N_h", orthonormal_columns=True) @ half
        rooted = (half.T @ half, inner.T @ inner + identity("N_h") * excess)
        parts.append(prove.words(layer.T @ layer - inner.T @ inner, identity("N_h") * excess, [rooted], [ROOTED]))
    return prove.every(*parts)


wide_W1, wide_W2, wide_task = Letter("W1", "N", "N"), Letter("W2", "N", "N"), Letter("Sigma", "N", "N")
missed = wide_task - wide_W2 @ wide_W1


def rests_on_the_task_alone() -> Certificate:
    """Whether balanced weights, lambda = 0, rest only where they have learned the task."""
    at_rest: list[tuple[Words, Any]] = [(wide_W2.T @ missed, 0), (missed @ wide_W1.T, 0)]
    return prove.words(missed, 0, [(wide_W2.T @ wide_W2, wide_W1 @ wide_W1.T), *at_rest])


@paper.claim(
    "Beyond: lambda-balanced starts, no saddles for N_h = N_o",
    needs={"lambda_above_zero": rests_on_the_task_alone},
    rests_on=["balance_needs_width"],
)
def lambda_removes_the_saddles() -> Certificate:
    """For lambda > 0 and as many hidden neurons as outputs, W2 has an inverse at all times, so that the weights rest only where
    they have learned the task: with W2'(S_yx - W2 W1) = 0 at rest, |S_yx - W2 W1|^2 = 0."""
    inverse = Letter("W2_inv", "N", "N", inverse_of=wide_W2)
    return prove.words(norm2(inverse.T @ (wide_W2.T @ missed)), norm2(missed))


# --- lambda -> 0 and lambda -> infinity ----------------------------------------------------------------------------------

begin = sp.Symbol("g0", positive=True)
"""The square of w1 + w2 at the start, of a network with one neuron in each layer."""

high, low = 2 * (kappa + s), -2 * (kappa - s)
course = (low * (high - begin) + high * (begin - low) * growing) / (high - begin + (begin - low) * growing)


@paper.claim("Beyond: lambda-balanced starts, one neuron in each layer", rests_on=["narrow_network_in_one_variable"])
def narrow_lambda_solution() -> Certificate:
    """With one neuron in each layer, g = (w1 + w2)^2 goes from g0 to (L (H - g0) + H (g0 - L) X)/(H - g0 + (g0 - L) X), with
    H = 2 (kappa + s), L = -2 (kappa - s) and X = e^(2 kappa t)."""
    return prove.solves(
        {height: 2 * s * height - height**2 / 2 + lam**2 / 2},
        {height: course.subs(growing, sp.exp(2 * kappa * t))},
        {height: begin},
        t,
        assuming=[ROOT, kappa >= s],
    )


small, E, v0 = sp.symbols("nu E v0", positive=True)
p0 = sp.Symbol("p0", real=True)
"""One over lambda, exp(-2 kappa t), a quarter of (w1 + w2)^2 at the start, and the network function there."""

root = sp.sqrt(s**2 + lam**2 / 4)
excess, gained = sp.symbols("d q", positive=True)
"""kappa - s, which goes to zero with lambda, and e^(2 kappa t) - 1."""

lambda_squared = 4 * excess * (2 * s + excess)


@paper.claim(
    "Beyond: lambda-balanced starts, lambda -> 0", rests_on=["narrow_lambda_solution", "unbalanced_noise_escapes"]
)
def small_lambda_is_zero_balance() -> Certificate:
    """With one neuron in each layer, w1 + w2 not zero at the start, and at any fixed time, w2 w1 tends to the balanced course
    s v0 (1 + q)/(s + v0 q), 1 + q = e^(2 kappa t), as lambda goes to zero, with (w1 + w2)^2 = 4 v0 at the start. From the
    learned opposite it tends to -s/(1 + 2 q), which ends at zero, while every lambda > 0 ends at s: the two limits do not
    commute."""
    value = course.subs({kappa: s + excess, begin: 4 * v0, growing: 1 + gained})
    reversing = from_reversal.subs({growing: 1 + gained, kappa: s + excess})
    return prove.every(
        prove.identity(lambda_squared.subs(excess, kappa - s), lam**2, assuming=[ROOT]),
        prove.limit(root - s, [lam], 0),
        prove.limit(value / 4, [excess], s * v0 * (1 + gained) / (s + v0 * gained)),
        prove.limit(lambda_squared / value, [excess], 0),
        prove.limit(reversing, [excess], 0),
        prove.limit(lambda_squared / reversing / 4, [excess], s / (1 + 2 * gained)),
    )


@paper.claim("Beyond: lambda-balanced starts, lambda -> infinity", rests_on=["narrow_lambda_solution"])
def large_lambda_is_lazy() -> Certificate:
    """With one neuron in each layer, w2 w1 tends to s + (p0 - s) E with E = e^(-2 kappa t) as lambda grows, from every p0, and
    2 kappa/lambda tends to one: learning becomes exponential, at a rate that does not depend on the task."""
    lazy_start, scaled = 2 * p0 + sp.sqrt(4 * p0**2 + lam**2), {lam: 1 / small}
    value = sp.together((course / lam).subs({kappa: root, begin: lazy_start, growing: 1 / E}).subs(scaled))
    return prove.every(
        prove.identity(product.subs(height, lazy_start), p0),
        prove.limit(2 * root.subs(scaled) * small, [small], 1),
        prove.limit((value - 1 / value) / small / 4, [small], s + (p0 - s) * E),
    )
