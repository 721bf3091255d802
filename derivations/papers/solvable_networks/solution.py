"""Section 2: the solution from every start of two levels, for all times, and which levels a start can have."""

from derivations.papers.solvable_networks.setup import *
from derivations.paper.matrix_flows import keeps_inverse, only_solution

L_i, L_o = letters("L_i: N_i x N_r, L_o: N_o x N_r")
L = Blocks([[L_i], [L_o]])
# L L' = QQ'(0) + R - F; the block that is another one transposed is left out.
GAP = [pair for k, pair in enumerate(paired(L @ L.T, Q_0 @ Q_0.T + R - F_ab)) if k != 1]
E_i, Phi_i = letters("E_i: N_i x N_i, Phi_i: N_i x N_i", symmetric=True, commutes_with=[R_i])
E_o, Phi_o = letters("E_o: N_o x N_o, Phi_o: N_o x N_o", symmetric=True, commutes_with=[R_o])
MOTION = {E_i: HALF * (R_i @ E_i + E_i @ R_i), Phi_i: E_i @ E_i, E_o: HALF * (R_o @ E_o + E_o @ R_o), Phi_o: E_o @ E_o}
# E = exp(R t), and Phi is the integral of exp(2 R s) over s from 0 to t.
BEGIN = {E_i: identity("N_i"), Phi_i: zero("N_i", "N_i"), E_o: identity("N_o"), Phi_o: zero("N_o", "N_o")}
bracket = identity("N_r") + L_i.T @ Phi_i @ L_i + L_o.T @ Phi_o @ L_o
K_inv = letters("K_inv", inverse_of=bracket)
grown = block_diagonal(E_i, E_o) @ L
solution = F_ab - R + grown @ K_inv @ grown.T
KNOWN = {"assuming": [*ROOTS[:2], *GAP], "among": [EXAMPLE]}
paper.states("solution_from_every_start: two_levels_make_a_riccati_flow",
    "2.1 The solution for every shape, task and level",
    "From every start of two levels QQ'(t) = F - R + E L K^-1 L'E, where R is the root of F^2 + a b I, E = exp(R t), "
    "L L' = QQ'(0) + R - F and K = I + L'Phi L with Phi the integral of exp(2 R s) up to t. K has an inverse at all "
    "times, and this is the only solution: for any numbers of neurons, any task, any singular values and any levels.",
    lambda: only_solution(solution, two_level_rate, Q_0 @ Q_0.T, MOTION, BEGIN | {K_inv: identity("N_r")},
        inverses={"K_inv": keeps_inverse(bracket, [E_i @ L_i, E_o @ L_o], MOTION, BEGIN, **KNOWN)}, **KNOWN))

inv_i, inv_o = letters("R_i_inv", inverse_of=R_i), letters("R_o_inv", inverse_of=R_o)
R_inv = block_diagonal(inv_i, inv_o)
gap = R - F_ab
squares = HALF * (gap @ R_inv @ gap) + R_inv * (HALF * (a @ b))
paper.states("gap_is_not_negative: solution_from_every_start", "2.2 The matrix that the solution starts from",
    "R - F is (R - F) R^-1 (R - F)/2 + a b R^-1/2, not negative, and so is L L' = QQ'(0) + R - F: L exists.",
    lambda: [*(same(left, right, ROOTS, among=EXAMPLE) for left, right in paired(gap, squares))])

begun, inner = L @ L.T, L @ K_inv @ L.T
paper.states("each_task_starts_where_the_last_one_ended: solution_from_every_start levels_are_conserved",
    "2.3 Sequences of tasks",
    "L K^-1 L' solves (I + L L'Phi) X = L L': the solution depends on the start through QQ'(0) alone, and the levels "
    "stay on every task, so that it holds on each task of a sequence from QQ' at the end of the last one.",
    lambda: [same(x, y) for x, y in paired(inner + begun @ block_diagonal(Phi_i, Phi_o) @ inner, begun)])

amount, gram_inv = letters("lambda", positive=True), letters("P", inverse_of=W2.T @ W2)
paper.states("positive_balance_needs_outputs: balanced_starts_have_two_levels",
    "2.4 The balances that a start can have, lambda > 0",
    "For lambda > 0 W2'W2 = lambda I + W1 W1' is positive and has an inverse P, and N_o - N_h = |I - W2 P W2'|^2: "
    "there are as many outputs as hidden neurons, or more. By transposition lambda < 0 needs as many inputs.",
    lambda: [holds(identity("N_h") * amount + W1 @ W1.T > 0),
        same(norm2(identity("N_o") - W2 @ gram_inv @ W2.T), trace(identity("N_o")) - trace(identity("N_h")))])

frame, root = letters("U: N_o x N_h", orthonormal_columns=True), letters("G: N_h x N_h", symmetric=True)
rooted = (root @ root, identity("N_h") * balance + W1 @ W1.T)
paper.states("every_other_balance_has_starts: positive_balance_needs_outputs",
    "2.5 Starts of every balance that can be",
    "For N_h <= N_o, any W1 and lambda >= 0, W2 = U G has the balance lambda, U'U = I and G^2 = lambda I + W1 W1'.",
    lambda: same(substitute(EVEN[0], {W2: frame @ root}), EVEN[1], [rooted], among=SHAPES))

# Two inputs, one output, and a positive balance.
SHAPES = instance("N_i=2 N_h=1 N_o=1", W1="2 2", lambda_=1, G=3, U=1, W2=3)
@paper.claim("2.6 Anguita's theorem 3.4.1 as read: more inputs than outputs need a negative lambda",
    corrected_by="positive_balance_needs_outputs")
def more_inputs_need_a_negative_balance():
    """With one input more than outputs a start has no positive balance: W2'W2 - W1 W1' = lambda I gives lambda = 0."""
    first, last = letters("W1: N_h x N_o, w: N_h")
    lam = letters("lambda", positive=True)
    uneven = (W2.T @ W2 - first @ first.T - last @ last.T, identity("N_h") * lam)
    yield same(lam, 0, [uneven], among=instance("N_h=1 N_o=1", W1=2, w=2, lambda_=1, W2=3))

F, start = letters("F: N x N", symmetric=True), letters("Q_0: N x N_h")
G = letters("G: N x N", symmetric=True, commutes_with=[F])
H = letters("H: N x N", symmetric=True, commutes_with=[F, G])
product = letters("ab")
inner_inv = letters("K_inv", inverse_of=identity("N_h") + start.T @ G @ start)
t, g, h = reals("t >= 0, g h")
below, above = reals("m n > 0")  # R - f and R + f for a value f of F, so that a b = m n
@paper.claim("2.7 The solution as a sum of squares", rests_on="two_levels_make_a_riccati_flow")
def solution_without_differences():
    """QQ'(t) = a b G + H Q(0) (I + Q(0)'G Q(0))^-1 Q(0)'H, with functions of F whose values at f = (n - m)/2 are
    G = (1 - e)/(m + n e) and H = (m + n) exp(-R t)/(m + n e), where R = (m + n)/2, m n = a b and e = exp(-2 R t): they solve
    dG = H^2, dH = (F - a b G) H from 0 and I, with H^2 = I + 2 F G - a b G^2. Nothing is subtracted, G is positive, and the
    inverse exists. For a b = 0, G is the integral of exp(2 F s) and H is exp(F t)."""
    pulled = HALF * (F @ H + H @ F - product * (G @ H + H @ G))
    state = G * product + H @ start @ inner_inv @ start.T @ H
    fade, rate = exp(-(below + above) * t), (above - below) / 2
    divisor = below + above * fade
    grown, turned = (1 - fade) / divisor, (below + above) * exp(-(below + above) * t / 2) / divisor
    kept = (H @ H, identity("N") + 2 * (F @ G) - product * (G @ G))
    yield same(along(state, {G: H @ H, H: pulled}), riccati(F, state) + identity("N") * product, [kept])
    yield solves({g: h**2, h: (rate - below * above * g) * h}, {g: grown, h: turned}, {g: 0, h: 1}, t)
    yield same(turned**2, 1 + 2 * rate * grown - below * above * grown**2)
