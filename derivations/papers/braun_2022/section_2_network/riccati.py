"""Sections 2 and 3: the matrix Riccati equation, its solution for every balanced start, and Fukumizu's equation 5."""

from derivations.papers.braun_2022.setup import *
from derivations.papers.braun_2022.source.equations import EQ_5, inner_5, inner_5_inv
from derivations.papers.braun_2022.source.theorems import keeps_inverse, only_solution

# --- from the gradient flow to the Riccati equation -------------------------------------------------------------------
P = Q @ Q.T
riccati_rate = net.riccati(F, P)

def on_data(*kept):
    """Decide whether QQ' obeys the Riccati equation with the correlation of the data in F."""
    rate = riccati_rate.map(lambda block: substitute(block, {Sigma: data_yx}))
    return same(along_blocks(P, descent), rate, kept)

@paper.claim("Section 2, the matrix Riccati equation",
    needs={"balance": lambda: on_data(WHITE), "white_inputs": lambda: on_data(BALANCED)},
    rests_on="flow_for_white_inputs balance_persists")
def riccati_equation():
    """Balanced weights on whitened inputs move so that d(QQ') = F QQ' + QQ' F - (QQ')^2, for any numbers of input, hidden and
    output neurons and any task; without balance or without white inputs they do not."""
    yield same(along_blocks(P, flow), riccati_rate, [BALANCED])
    yield on_data(BALANCED, WHITE)

@paper.claim("Section 2, the matrix Riccati equation for Q itself", rests_on="balance_persists")
def flow_of_the_weights():
    """Balanced weights on whitened inputs move so that dQ = F Q - Q Q'Q/2."""
    yield same(along_blocks(Q, flow), F @ Q - HALF * (Q @ Q.T @ Q), [BALANCED])

# --- the solution, without an inverse of F ------------------------------------------------------------------------------
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
    """From every Q(0), QQ'(t) = Z M^-1 Z' with Z = e^(Ft) Q(0), M = I + Q(0)' Phi Q(0) and Phi the integral of e^(2Fs) up to
    t: it solves the Riccati equation and starts at Q(0) Q(0)', for any dimensions, any rank and any F, invertible or
    not."""
    inner = identity("N_h")
    begin, shown = BEGIN | {M: inner, M_inv: inner}, {"M_inv": bracket_grows()}
    yield only_solution(solution, riccati, Q_start @ Q_start.T, GROW, begin, inverses=shown)

@paper.claim("Beyond: solutions of the Riccati equation by two linear flows")
def riccati_by_linear_flows():
    """Whenever dZ = F Z - Z S and dM = Z'Z - S M - M S, the matrix Z M^-1 Z' solves the Riccati equation: columns may be
    scaled in time."""
    moving, columns = Letter("Z", "N", "N_h"), Letter("S", "N_h", "N_h", diagonal=True)
    bracket = letters("M: N_h x N_h", symmetric=True)
    linear = {
        moving: F_whole @ moving - moving @ columns,
        bracket: moving.T @ moving - columns @ bracket - bracket @ columns,
    }
    state = moving @ Letter("M_inv", "N_h", "N_h", inverse_of=bracket) @ moving.T
    yield same(along(state, linear), riccati(state))

@paper.claim("Beyond: the bracket always has an inverse", rests_on="riccati_equation")
def bracket_grows():
    """M starts at the identity and grows by Z'Z, so that it has an inverse at all times."""
    yield keeps_inverse(M, [Z], GROW, BEGIN | {M: identity("N_h")})

# The inverse of I + P(0) Phi, by the inverse of M.
pushed = letters("K", equals=ONE - Q_start @ M_inv @ Q_start.T @ Phi)
@paper.claim("Beyond: the rank is conserved", rests_on="riccati_solution bracket_grows")
def rank_is_conserved():
    """At all finite times QQ' is QQ'(0) times matrices that have inverses, e^(Ft) (I + QQ'(0) Phi)^-1 from the left, with the
    inverse I - Q(0) M^-1 Q(0)' Phi, and e^(Ft) from the right, so that balanced weights keep the rank of QQ'."""
    shrunk = letters("G_inv", inverse_of=grown)
    yield by("rank of a product", product=solution, left=grown @ pushed, core=P_start, right=grown,
        left_inverse=(ONE + P_start @ Phi) @ shrunk, right_inverse=shrunk)

@paper.claim("Beyond: one rank for both layers and the network", rests_on="balance_persists")
def ranks_agree():
    """For balanced weights Q'Q = 2 W1 W1' = 2 W2' W2 and (W2 W1)(W2 W1)' = (W2 W2')^2: W1' y = 0 exactly if W2 y = 0, and
    |(W2 W1)' x| = |W2 W2' x|, so Q, W1, W2 and W2 W1 have one rank."""
    output, inner = letters("x: N_o, y: N_h")
    yield same((Q.T @ Q).only, 2 * W1 @ W1.T, [BALANCED])
    yield same(norm2(W1.T @ inner), norm2(W2 @ inner), [BALANCED])
    yield same(norm2(W1.T @ W2.T @ output), norm2(W2 @ W2.T @ output), [BALANCED])
    yield same(output.T @ W2 @ W2.T @ output, norm2(W2.T @ output))

# --- equation 5 ---------------------------------------------------------------------------------------------------------
at = Blocks([[Letter("x", "N_i", 1)], [Letter("y", "N_o", 1)]])
task_inv = letters("Sigma_inv: N_i x N_o")
FROM_RIGHT, FROM_LEFT = (Sigma @ task_inv, identity("N_o")), (task_inv @ Sigma, identity("N_i"))

def f_takes_only_zero_to_zero(*known):
    """Decide whether F, whose inverse equation 5 uses, takes only zero to zero."""
    return same((at.T @ at).only, 0, [(F @ at, 0), *known])

@EQ_5.claim(needs={
        "the_full_rank_of_the_task": f_takes_only_zero_to_zero,
        "assumption_2_1": lambda: f_takes_only_zero_to_zero(FROM_RIGHT),
    }, rests_on="riccati_equation")
def fukumizu_solution(eq):
    """If F has an inverse, the printed QQ'(t) exists at all times t >= 0 and is the only solution of the Riccati equation from
    Q(0) Q(0)', for every Q(0) of any rank, zero included. F has an inverse only for a square task of full rank."""
    motion, begin, inner = {growth: GROWTH[growth]}, {growth: ONE}, identity("N_h")
    shown = {inner_5_inv.name: keeps_inverse(inner_5, [growth @ Q_start], motion, begin)}
    yield only_solution(eq.right, riccati, P_start, motion, begin | {inner_5_inv: inner}, inverses=shown)
    yield same(eq.right.T, eq.right)

@paper.claim("Eq. 5, from the form without an inverse of F", rests_on="riccati_solution")
def integral_by_the_inverse():
    """Where F has an inverse, the integral Phi of e^(2Fs) is (e^(Ft) F^-1 e^(Ft) - F^-1)/2, the matrix in equation 5."""
    doubled = HALF * (growth @ F_inv @ growth - F_inv)
    yield same(along(doubled, GROWTH), growth @ growth)
    yield same(substitute(doubled, {growth: ONE}), zero("N", "N"))

@paper.claim("Eq. 5, with an invertible task")
def f_has_an_inverse():
    """If the task has an inverse, then F has the inverse [0, T; T', 0] with T the inverse of the task."""
    inverse = Blocks([[zero("N_i", "N_i"), task_inv], [task_inv.T, zero("N_o", "N_o")]])
    whole = Blocks([[identity("N_i"), zero("N_i", "N_o")], [zero("N_o", "N_i"), identity("N_o")]])
    both = [FROM_LEFT, FROM_RIGHT]
    yield same(F @ inverse, whole, both)
    yield same(inverse @ F, whole, both)

# --- Q itself -----------------------------------------------------------------------------------------------------------
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

def same_gram_same_weights():
    """Decide whether two starts with the same QQ' are the same weights."""
    other = letters("Q_1: N x N_h")
    return same(other, Q_start, [(other @ other.T, P_start)])

@paper.claim("Section 3, the orthogonal transformation cannot be known from QQ'",
    needs={"the_transformation": same_gram_same_weights})
def rotation_is_free():
    """Weights that differ by an orthogonal transformation of the hidden neurons have the same QQ', compute the same function,
    and move to weights that differ by the same transformation."""
    turned = {W1: rotation.T @ W1, W2: W2 @ rotation}
    yield same(Q_start @ rotation @ (Q_start @ rotation).T, P_start)
    yield same(substitute(W2 @ W1, turned), W2 @ W1)
    yield same(substitute(flow[W1], turned), rotation.T @ flow[W1])
    yield same(substitute(flow[W2], turned), flow[W2] @ rotation)
