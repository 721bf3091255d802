"""Section 3: where every start of two levels ends, how fast, and which starts learn all that they can."""

from derivations.papers.solvable_networks.setup import *
from derivations.language.words import number
from derivations.paper.matrix_flows import ends_at, keeps_inverse, only_solution
from derivations.papers.solvable_networks.solution import R_inv, inv_i, inv_o
from derivations.models.two_layer_linear import trained

F, R_whole = letters("F: N x N, R: N x N", symmetric=True)
P1, P2, P3 = (Letter(f"P_{k}", "N", n, orthonormal_columns=True) for k, n in enumerate(("N_h", "N_r", "N_z"), 1))
S1, S2, lag, lower = letters("S_1: N_h x N_h, S_2: N_r x N_r, D: N_l x N_l, G: N_l x N_l", diagonal=True)
Y1, Y2, Y3 = letters("Y_1: N_l x N_h, Y_2: N_r x N_l, Y_3: N_z x N_h")
product, one = letters("ab"), identity("N_h")
MODES = [(R_whole @ R_whole, F @ F + identity("N") * product), (P1.T @ P2, 0), (P1.T @ P3, 0), (P2.T @ P3, 0),
    (R_whole @ P1, P1 @ S1), (R_whole @ P2, P2 @ S2), (R_whole @ P3, 0), (S2 @ Y2, Y2 @ lower),
    (Y1 @ S1, (lower + lag) @ Y1)]
A = letters("A: N_h x N_h")
A_inv, V1, V2 = (Letter(f"{x.name}_inv", *x.shape, inverse_of=x) for x in (A, S1, S2))
X, E, t = *letters("T: N_h x N_h, E: N_l x N_l", diagonal=True), letters("t")  # exp(-S_1 t), exp(-D t), and the time
grown, slow = letters("E_T", inverse_of=X), letters("tT", equals=t * X)
MOTION, BEGIN = {X: -(S1 @ X), E: -(lag @ E), t: number(1)}, {X: one, E: identity("N_l"), t: number(0)}
start, Z = P1 + P2 @ Y2 @ Y1 + P3 @ Y3, P1 + P2 @ Y2 @ E @ Y1 + P3 @ Y3 @ X
at_first = A_inv.T @ A_inv - HALF * (V1 + Y1.T @ Y2.T @ V2 @ Y2 @ Y1)
bracket = HALF * (V1 + Y1.T @ E @ Y2.T @ V2 @ Y2 @ E @ Y1) + X @ at_first @ X + X @ Y3.T @ Y3 @ slow
bracket_inv = letters("K_inv", inverse_of=bracket)
part, whole = letters("Z: N x N_h, K: N_h x N_h")
whole_inv = letters("K_whole_inv", inverse_of=whole)
THREE = instance("N=3 N_h=1 N_r=1 N_z=1 N_l=1", F="5/3 0 0; 0 5/4 0; 0 0 1", R="4/3 0 0; 0 3/4 0; 0 0 0", ab=-1,
    P_1="1; 0; 0", P_2="0; 1; 0", P_3="0; 0; 1", S_1="4/3", S_2="3/4", S_1_inv="3/4", S_2_inv="4/3", G="3/4", D="7/12",
    Y_2=1, Y_1=3, Y_3=5, A=5, A_inv="1/5", T="1/2", E="1/3", t=2, E_T=2, tT=1)
KNOWN = {"assuming": MODES, "among": [THREE]}
@paper.claim("3.1 Where every start ends", rests_on="two_levels_make_a_riccati_flow")
def starts_end_on_their_leading_modes():
    """Let R^2 = F^2 + a b I with eigenvectors R P_1 = P_1 S_1, R P_2 = P_2 S_2 and R P_3 = 0, and QQ'(0) = F - R + L L' with
    L = (P_1 + P_2 Y_2 Y_1 + P_3 Y_3) A, which is the echelon form of its columns: A has an inverse, S_1 is positive, and
    S_2 Y_2 = Y_2 G and Y_1 S_1 = (G + D) Y_1 with positive D say that each column has its largest value of R in P_1. Then
    QQ' exists at all times and tends to F - R + 2 P_1 S_1 P_1', as exp(-D t) and exp(-2 S_1 t) vanish. With the root R
    this is every start of two levels, if R has an inverse: it ends on F + R exactly where L L' has an inverse too. With
    R = F and a b = 0 it is every balanced start Q(0) = L whose columns are led by positive values of F: it ends on
    2 P_1 S_1 P_1', and keeps the N_h largest values exactly where P_1'Q(0) has an inverse for these."""
    options = {"root": (A_inv, A), "scale": grown, **KNOWN}
    shown = keeps_inverse(bracket, [Z @ grown], MOTION, BEGIN | {grown: one, slow: 0 * one}, **options)
    end, everything = F - R_whole + 2 * P1 @ S1 @ P1.T, [(P1 @ P1.T, identity("N")), (R_whole @ P1, P1 @ S1)]
    yield only_solution(
        F - R_whole + part @ whole_inv @ part.T, lambda state: riccati(F, state) + identity("N") * product,
        F - R_whole + start @ A @ A.T @ start.T, MOTION, BEGIN | {bracket_inv: A @ A.T, slow: 0 * one},
        inverses={bracket_inv.name: shown}, through={part: Z, whole: bracket, whole_inv: bracket_inv},
        drift={part: R_whole @ part - part @ S1, whole: part.T @ part - S1 @ whole - whole @ S1}, **KNOWN)
    yield ends_at(
        [F - R_whole + Z @ bracket_inv @ Z.T], [end], {X: S1, E: lag}, {bracket_inv: 2 * S1}, slow={slow: X}, **KNOWN)
    yield same(end, F + R_whole, everything)

first = A_inv.T @ A_inv - HALF * V1
base, all_inv = HALF * V1 + first @ X @ X, letters("K_inv", inverse_of=HALF * V1 + X @ first @ X)
# The bracket of a start that learns everything, and the same between exp(S_1 t) and exp(-S_1 t).
base_inv = letters("H", inverse_of=base)
@paper.claim("3.2 How fast it ends", rests_on="starts_end_on_their_leading_modes")
def what_is_left_falls_by_the_roots():
    """P_2'(QQ' - F + R) P_1 = Y_2 exp(-D t) Y_1 K^-1 with K^-1 going to 2 S_1. Where all is learned exp(S_1 t) P_1'(F +
    R - QQ'(t)) P_1 exp(S_1 t) tends to 4 S_1 (A A')^-1 S_1 - 2 S_1: what is missing of an entry falls as the
    exponential of minus the sum of its two roots, each (s^2 + (a + b)^2/4)^(1/2)."""
    lacking, gap, end = grown @ (2 * S1 - all_inv) @ grown, 2 * first @ S1, 4 * S1 @ A_inv.T @ A_inv @ S1 - 2 * S1
    yield same(P2.T @ Z @ bracket_inv @ Z.T @ P1, Y2 @ E @ Y1 @ bracket_inv, MODES, among=THREE)
    yield same(base @ lacking, gap, among=THREE)
    yield same(whole, base_inv @ gap, [(base @ whole, gap)], among=THREE)
    yield ends_at([base_inv @ gap], [end], {X: S1}, {base_inv: 2 * S1}, among=[THREE])

x_i, x_o = letters("x_i: N_i, x_o: N_o")
x = Blocks([[x_i], [x_o]])
G_i = letters("G_i: N_i x N_i", symmetric=True, commutes_with=[R_i, inv_i])
G_o = letters("G_o: N_o x N_o", symmetric=True, commutes_with=[R_o, inv_o])
G = block_diagonal(G_i, G_o)  # the root of R^-1
ROOTED = instance("N_i=1 N_o=1 N_h=1", Sigma=24, a=14, b=0, R_i=25, R_o=25, R_i_inv="1/25", R_o_inv="1/25", G_i="1/5",
    G_o="1/5", W1_0="9/2", W2_0="5/2")
RISEN = ROOTED | {"matrices": ROOTED["matrices"] | {"a": [["0"]], "b": [["14"]], "W1_0": [["5/2"]], "W2_0": [["9/2"]]}}
gap = R - F_ab
pull, level = (x.T @ (Q_0 @ Q_0.T + gap) @ x).only, (a @ b) * sum(norm2(part) for part in G @ x)
squares = 2 * norm2((Q_0.T @ x).only) + sum((norm2(part) for part in G @ gap @ x), level)
paper.states("positive_levels_always_learn: starts_end_on_their_leading_modes gap_is_not_negative",
    "3.3 Two levels that are not zero",
    "2 x'(QQ'(0) + R - F) x = 2 |Q(0)'x|^2 + |R^(-1/2) (R - F) x|^2 + a b |R^(-1/2) x|^2: where no level is zero, "
    "the gap has an inverse, and every start learns the task; else x is missed exactly if Q(0)'x = 0 and F x = R x.",
    lambda: same(2 * pull, squares, [*ROOTS, (G_i @ G_i, inv_i), (G_o @ G_o, inv_o)], among=ROOTED))

begun = (start_2.T @ start_2 - start_1 @ start_1.T, identity("N_h") * b)
# The projections on positive and on negative values of F, for a = 0 and b = lambda.
rising, falling = HALF * (ONE + F_ab @ R_inv), HALF * (ONE - F_ab @ R_inv)
bent = (falling * b + 2 * J @ R @ rising) @ Q_0
seen = Q_0.T @ rising @ (4 * R + R_inv * (b @ b)) @ rising @ Q_0
least = 2 * identity("N_h") * (b @ b) + (bent.T @ R_inv @ bent).only
paper.states("no_mode_is_lost: starts_end_on_their_leading_modes", "3.4 Balanced starts, lambda not zero",
    "For lambda > 0, with the projection P = (I + F R^-1)/2 on positive values of F, Q(0)'P (4 R + lambda^2 R^-1) P "
    "Q(0) is 2 lambda^2 I + Y'R^-1 Y with Y = (lambda (I - P) + 2 J R P) Q(0), positive: no Q(0) z but 0 has P Q(0) "
    "z = 0, each column of Q(0) is led by a positive value of F, and as many modes are learned as there are hidden "
    "neurons, the task for N_h = N_o. By transposition so it is for lambda < 0, and N_h = N_i.",
    lambda: same(seen.only, least, [*ROOTS, begun, (a, 0)], among=RISEN))

# === Seen in simulations ===
paper.observe("starts_end_on_their_leading_modes", ["lambda_balanced"])(trained.the_task_is_learned)
paper.observe("no_mode_is_lost", ["lambda_balanced"])(trained.every_hidden_neuron_keeps_a_mode)
paper.observe("solution_without_differences", ["lambda_balanced", "balanced", "aligned", "bottleneck"])(
    trained.the_flow_follows_the_formula)
