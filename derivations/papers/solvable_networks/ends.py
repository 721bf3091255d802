"""Section 3: where a start of two levels ends, and which starts end on a saddle."""

from __future__ import annotations

from typing import Any

from derivations import prove
from derivations.language.words import Letter, identity, norm2, zero
from derivations.language.words.blocks import Blocks, block_diagonal, paired
from derivations.models.two_layer_linear import HALF, Q_0, Sigma, start_1, start_2
from derivations.papers.braun_2022.source.theorems import ends_at
from derivations.papers.solvable_networks.setup import EXAMPLE, ONE, ROOTS, F_ab, J, R, R_i, R_o, a, b, paper
from derivations.papers.solvable_networks.solution import R_inv, inv_i, inv_o
from derivations.prove import Certificate

# --- what is learned ----------------------------------------------------------------------------------------------------

X_i = Letter("X_i", "N_i", "N_i", symmetric=True, commutes_with=[R_i])
X_o = Letter("X_o", "N_o", "N_o", symmetric=True, commutes_with=[R_o])
X = block_diagonal(X_i, X_o)
"""exp(-R t)."""

L = Blocks([[Letter("L_i", "N_i", "N")], [Letter("L_o", "N_o", "N")]])
T_i, T_o = Letter("T_i", "N", "N_i"), Letter("T_o", "N", "N_o")
T = Blocks([[T_i, T_o]])
FULL = [*paired(L @ T, ONE), *paired(T @ L, identity("N"))]
"""L L' = QQ'(0) + R - F has an inverse: L can be square, with the inverse T."""

scaled = (L.T @ (X @ T.T @ T @ X + HALF * (R_inv @ (ONE - X @ X))) @ L).only
scaled_inv = Letter("H", "N", "N", inverse_of=scaled)
learned = F_ab + R
E_inv = block_diagonal(Letter("E_i", "N_i", "N_i", inverse_of=X_i), Letter("E_o", "N_o", "N_o", inverse_of=X_o))


def of_exponentials(left: Any, right: Any) -> list[Certificate]:
    return [prove.words(x, y, [*ROOTS, *FULL], [EXAMPLE]) for x, y in paired(left, right)]


@paper.claim("3.1 What is learned", rests_on=["solution_from_every_start"])
def full_gap_learns_the_task() -> Certificate:
    """If QQ'(0) + R - F has an inverse, and R has one, then QQ' tends to R + F: W2 W1 tends to the task S, W1'W1 to
    (S'S + (a + b)^2/4)^(1/2) + (a - b)/2 and W2 W2' to (S S' + (a + b)^2/4)^(1/2) - (a - b)/2."""
    E, at_end = E_inv, 2 * (T @ R @ T.T)
    bracket = identity("N") + (L.T @ (HALF * (R_inv @ (E @ E - ONE))) @ L).only
    turned = L.T @ X @ T.T @ bracket @ T @ X @ L
    known: dict[str, Any] = {"assuming": FULL, "among": [EXAMPLE]}
    ended = ends_at(F_ab - R + L @ scaled_inv @ L.T, learned, {X_i: R_i, X_o: R_o}, {scaled_inv: at_end.only}, **known)
    return prove.every(*of_exponentials(turned, Blocks([[scaled]])), ended)


# --- what is not ----------------------------------------------------------------------------------------------------------

x_i, x_o = Letter("x_i", "N_i", 1), Letter("x_o", "N_o", 1)
x = Blocks([[x_i], [x_o]])
"""A direction in which QQ'(0) + R - F is zero."""


@paper.claim("3.2 The starts that miss something", rests_on=["solution_from_every_start"])
def singular_gap_stays_singular() -> Certificate:
    """If (QQ'(0) + R - F) x = 0, then (QQ'(t) + R - F) exp(-R t) x = 0 at all times, while R + F + R - F = 2 R has an inverse: the
    starts that do not learn everything are exactly those whose QQ'(0) + R - F has none."""
    L_r, K_r = Blocks([[Letter("L_i", "N_i", "N_r")], [Letter("L_o", "N_o", "N_r")]]), Letter("K_inv", "N_r", "N_r")
    over_time = E_inv @ L_r @ K_r @ L_r.T @ E_inv
    zero_there = paired(L_r @ L_r.T @ x, 0)
    return prove.every(
        prove.words(norm2((L_r.T @ x).only), 0, zero_there),
        *(prove.words(y, 0, paired(L_r.T @ x, 0)) for y in over_time @ X @ x),
    )


ROOTED: dict[str, Any] = {
    "dims": {"N_i": 1, "N_o": 1, "N_h": 1},
    "matrices": {
        "Sigma": [["24"]], "a": [["14"]], "b": [["0"]], "R_i": [["25"]], "R_o": [["25"]], "R_i_inv": [["1/25"]],
        "R_o_inv": [["1/25"]], "G_i": [["1/5"]], "G_o": [["1/5"]], "W1_0": [["9/2"]], "W2_0": [["5/2"]],
    },
}  # fmt: skip

# --- which starts those are ---------------------------------------------------------------------------------------------

G_i = Letter("G_i", "N_i", "N_i", symmetric=True, commutes_with=[R_i, inv_i])
G_o = Letter("G_o", "N_o", "N_o", symmetric=True, commutes_with=[R_o, inv_o])
G = block_diagonal(G_i, G_o)
"""The root of R^-1."""

HALVED = [*ROOTS, (G_i @ G_i, inv_i), (G_o @ G_o, inv_o)]
gap = R - F_ab
pull = (x.T @ (Q_0 @ Q_0.T + gap) @ x).only


@paper.claim("3.3 Two levels that are not zero", rests_on=["full_gap_learns_the_task", "gap_is_not_negative"])
def positive_levels_always_learn() -> Certificate:
    """2 x'(QQ'(0) + R - F) x = 2 |Q(0)'x|^2 + |R^(-1/2) (R - F) x|^2 + a b |R^(-1/2) x|^2: where neither level is zero, the gap has an
    inverse, so that every start learns the task; where one is zero, x is missed exactly if Q(0)'x = 0 and F x = R x."""
    level = (a @ b) * sum(norm2(part) for part in G @ x)
    squares = 2 * norm2((Q_0.T @ x).only) + sum((norm2(part) for part in G @ gap @ x), level)
    return prove.words(2 * pull, squares, HALVED, [ROOTED])


z = Letter("z", "N_h", 1)
begun = (start_2.T @ start_2 - start_1 @ start_1.T, identity("N_h") * b)
orthogonal = (start_1 @ x_i, -1 * (z * b + start_1 @ start_1.T @ z))
ON_TOP = [*paired(F_ab @ x, R @ x), (Sigma @ G_i, G_o @ Sigma), (G_i @ G_i, inv_i), (G_o @ G_o, inv_o), (a, 0)]
"""F x = R x, for a start with a = 0 and b = lambda."""

TOP: dict[str, Any] = ROOTED | {
    "matrices": ROOTED["matrices"] | {"a": [["0"]], "b": [["14"]], "x_i": [["3"]], "x_o": [["4"]]}
}


@paper.claim("3.4 As many hidden neurons as outputs", rests_on=["positive_levels_always_learn"])
def square_layers_always_learn() -> Certificate:
    """For lambda > 0 and N_h = N_o every start learns the task; by transposition so it does for lambda < 0 and N_h = N_i. What is
    missed has x'J x = -lambda |R^(-1/2) x|^2/2; W2 is square and has an inverse, so that x_o = W2 z and
    x'J x = |x_i + W1'z|^2 + lambda |z|^2: hence x = 0."""
    inside = Blocks([[x_i], [start_2 @ z]])
    lost = sum((norm2(part) for part in G @ x), zero(1, 1))
    return prove.every(
        prove.words((Q_0.T @ inside).only, start_1 @ x_i - orthogonal[1], [begun]),
        prove.words((inside.T @ J @ inside).only, norm2(x_i + start_1.T @ z) + b @ norm2(z), [begun, orthogonal]),
        prove.words((x.T @ J @ x).only, -HALF * (b @ lost), ON_TOP, [TOP]),
    )
