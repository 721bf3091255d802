"""Section 3, continued: starts with fewer directions than there is to learn, and the modes that they end on."""

from __future__ import annotations

from typing import Any

from derivations import prove
from derivations.language.words import Letter, identity
from derivations.models.two_layer_linear import HALF, riccati
from derivations.papers.braun_2022.source.theorems import ends_at, keeps_inverse, only_solution
from derivations.papers.solvable_networks.setup import paper
from derivations.prove import Certificate

F = Letter("F", "N", "N", symmetric=True)
P1, P2 = (Letter(f"P_{k}", "N", n, orthonormal_columns=True) for k, n in ((1, "N_h"), (2, "N_r")))
above, below = Letter("D_1", "N_h", "N_h", diagonal=True), Letter("D_2", "N_r", "N_r", diagonal=True)
level, level_h, one = Letter("m", 1, 1), Letter("m_h", "N_h", "N_h", diagonal=True), identity("N_h")
kept, lower = above + one * level, identity("N_r") * level - below
"""F P_1 = P_1 (m + D_1) and F P_2 = P_2 (m - D_2): values of F above and below a positive number m."""

kept_inv, lower_inv = Letter("V_1", "N_h", "N_h", inverse_of=kept), Letter("V_2", "N_r", "N_r", inverse_of=lower)
A1, A2 = Letter("A_1", "N_h", "N_h"), Letter("A_2", "N_r", "N_h")
A1_inv = Letter("A_1_inv", "N_h", "N_h", inverse_of=A1)
SPLIT: Any = [(level_h, one * level), (P1.T @ P2, 0), (F @ P1, P1 @ kept), (F @ P2, P2 @ lower)]

X, Y = Letter("X_1", "N_h", "N_h", diagonal=True), Letter("Y", "N_r", "N_r", diagonal=True)
fade = Letter("T", "N_h", "N_h", diagonal=True)
"""exp(-D_1 t), exp(-D_2 t) and exp(-m t)."""

MOTION, BEGIN = {X: -(above @ X), Y: -(below @ Y), fade: -(level_h @ fade)}, {X: one, Y: identity("N_r"), fade: one}
W = A2 @ A1_inv
Z = P1 + P2 @ Y @ W @ X
held = A1_inv.T @ A1_inv - HALF * kept_inv - HALF * (W.T @ lower_inv @ W)
bracket = HALF * kept_inv + X @ fade @ held @ fade @ X + HALF * (X @ W.T @ Y @ lower_inv @ Y @ W @ X)
bracket_inv = Letter("K_inv", "N_h", "N_h", inverse_of=bracket)
grown, grown_2 = Letter("E_X", "N_h", "N_h", inverse_of=X), Letter("E_T", "N_h", "N_h", inverse_of=fade)
Q_0 = P1 @ A1 + P2 @ A2
SPLIT_EXAMPLE: dict[str, Any] = {
    "dims": {"N": 2, "N_h": 1, "N_r": 1},
    "matrices": {
        "F": [["3", "0"], ["0", "-1"]], "P_1": [["1"], ["0"]], "P_2": [["0"], ["1"]], "D_1": [["1"]], "D_2": [["3"]], "m": [["2"]], "m_h": [["2"]],
        "V_1": [["1/3"]], "V_2": [["-1"]], "A_1": [["2"]], "A_2": [["5"]], "A_1_inv": [["1/2"]], "X_1": [["1/2"]], "Y": [["1/3"]], "T": [["1/4"]],
    },
}  # fmt: skip


KNOWN: dict[str, Any] = {"assuming": SPLIT, "among": [SPLIT_EXAMPLE]}
part, whole = Letter("Z", "N", "N_h"), Letter("K", "N_h", "N_h")
whole_inv = Letter("K_whole_inv", "N_h", "N_h", inverse_of=whole)


@paper.claim("3.5 Balanced starts that are narrower than the task", rests_on=["balanced_starts_have_two_levels"])
def narrow_starts_end_on_the_top_modes() -> Certificate:
    """Let F P_1 = P_1 (m + D_1) and F P_2 = P_2 (m - D_2) with orthonormal columns, as many in P_1 as there are hidden neurons, and
    positive m, D_1 and D_2; let Q(0) = P_1 A_1 + P_2 A_2 be balanced. If A_1 has an inverse, QQ' tends to
    2 P_1 (m + D_1) P_1': to the modes with the largest values of F, N_h of them, whatever there is to learn beyond
    them."""
    scale, moved = {"root": (A1_inv, A1), "scale": (grown @ grown_2, X @ fade)}, BEGIN | {grown: one, grown_2: one}
    shown = keeps_inverse(bracket, [Z @ grown @ grown_2], MOTION, moved, **scale, **KNOWN)
    solved = only_solution(
        part @ whole_inv @ part.T,
        lambda state: riccati(F, state),
        Q_0 @ Q_0.T,
        MOTION,
        BEGIN | {bracket_inv: A1 @ A1.T},
        inverses={bracket_inv.name: shown},
        through={part: Z, whole: bracket, whole_inv: bracket_inv},
        drift={part: F @ part - part @ kept, whole: part.T @ part - kept @ whole - whole @ kept},
        **KNOWN,
    )
    end, rates = 2 * (P1 @ kept @ P1.T), {X: above, Y: below, fade: level_h}
    return prove.every(solved, ends_at([Z @ bracket_inv @ Z.T], [end], rates, {bracket_inv: 2 * kept}, **KNOWN))


left, any_inverse = Letter("c", "N_h", 1), Letter("H", "N_h", "N_h", symmetric=True)


@paper.claim("3.6 Starts without one of those modes", rests_on=["narrow_starts_end_on_the_top_modes"])
def missed_modes_stay_missed() -> Certificate:
    """If c'A_1 = 0, then c'exp(-(m + D_1) t) P_1'QQ'(t) = 0 at all times, while it is 2 c'exp(-(m + D_1) t) (m + D_1) P_1' where all
    modes are learned: the starts whose A_1 has no inverse are exactly those that do not end there."""
    beyond = Letter("B_2", "N", "N_h")
    moving = P1 @ grown @ grown_2 @ A1 + beyond
    seen = left.T @ X @ fade @ P1.T @ moving @ any_inverse @ moving.T
    return prove.words(seen, 0, [(P1.T @ beyond, 0), (left.T @ A1, 0)])
