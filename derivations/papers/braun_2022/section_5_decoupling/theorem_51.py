"""Theorem 5.1: the dynamics in the basis of the task, for matrices of any size, and which hypotheses it needs."""

from derivations.papers.braun_2022.setup import *
from derivations.papers.braun_2022.source.equations import (
    BASES, EQ_13, SQUARE, START_INPUT, START_OUTPUT, inner_13, inner_13_inv,
)
from derivations.papers.braun_2022.source.theorems import keeps_inverse, only_solution

TASK = Ut @ St @ Vt.T
ANSATZ = {
    W1: substitute(START_INPUT.right, {A_start: A}),
    W2: substitute(START_OUTPUT.right, {A_start: A}),
    Sigma: TASK,
}
descent_of_A = {A: A @ (St - A.T @ A)}

def in_task_basis(words):
    return substitute(words, ANSATZ)

def rate_of_gram(state):
    """d(A'A) at any value of A'A."""
    return St @ state + state @ St - 2 * state @ state

correlation = letters("S_xx: N_i x N_i", symmetric=True)
seen = Vt.T @ correlation @ Vt
BOTH_COMPLETE = [(Vt @ Vt.T, identity("N_i")), (Ut @ Ut.T, identity("N_o"))]

def layers_agree(known):
    """Decide whether both layers of the ansatz ask for one rate of A on inputs of any correlation."""
    error = Sigma - W2 @ W1 @ correlation
    by_first, by_second = in_task_basis(W2.T @ error) @ Vt, in_task_basis(error @ W1.T).T @ Ut
    return same(by_first, by_second, known)

@START_INPUT.claim(
    put={"A_0": A}, needs={"assumption_2_2": lambda: layers_agree(BOTH_COMPLETE)}, rests_on="flow_for_white_inputs")
def ansatz_persists(eq):
    """Weights W1 = A Vt', W2 = Ut A' keep that form, with dA = A (St - A'A): both layers ask for the same A. On inputs that are
    not white they ask for A (St - A'A T) and A (St - T A'A), T = Vt' S_xx Vt, which agree where A'A and T commute."""
    yield same(in_task_basis(flow[W1]), descent_of_A[A] @ Vt.T)
    yield same(in_task_basis(flow[W2]), Ut @ descent_of_A[A].T)
    yield same(in_task_basis(W1), eq.right)
    yield layers_agree([(A.T @ A @ seen, seen @ A.T @ A), *BOTH_COMPLETE])

@START_OUTPUT.claim(put={"A_0": A}, rests_on="ansatz_persists")
def ansatz_is_balanced(eq):
    """The ansatz is balanced by itself, W2' W2 = A A' = W1 W1': assumption 2.3 adds nothing to it."""
    yield same(in_task_basis(W2), eq.right)
    yield same(in_task_basis(W2.T @ W2), A @ A.T)
    yield same(in_task_basis(W1 @ W1.T), A @ A.T)

@paper.claim("Section 5, what A'A tells",
    quote=r"Here the matrix $\mathbf{A}^T\mathbf{A}$ represents the dynamics directly in the SVD basis of the task.",
    rests_on="ansatz_persists")
def gram_is_the_network_in_the_task_basis():
    """In the basis of the task the network function is A'A, Ut' W2 W1 Vt = A'A, and the task is performed perfectly exactly if
    A'A = St. Three quadrants of QQ' are A'A between the task's singular vectors, W1' W1 = Vt A'A Vt', W2 W1 = Ut A'A Vt',
    W2 W2' = Ut A'A Ut', so that A'A determines QQ'."""
    network, pairs = in_task_basis(W2 @ W1), [(W1.T @ W1, Vt, Vt), (W2 @ W1, Ut, Vt), (W2 @ W2.T, Ut, Ut)]
    yield same(Ut.T @ network @ Vt, A.T @ A)
    yield same(network, TASK, [(A.T @ A, St)])
    yield same(A.T @ A, St, [(Ut @ A.T @ A @ Vt.T, TASK)])
    yield from (same(in_task_basis(w), left @ A.T @ A @ right.T) for w, left, right in pairs)

@paper.claim("Section 5, the flow of A'A", rests_on="ansatz_persists")
def flow_of_gram():
    """A'A moves by d(A'A) = St A'A + A'A St - 2 (A'A)^2, whatever the shape and the rank of A."""
    yield same(along(A.T @ A, descent_of_A), rate_of_gram(A.T @ A))

begin = {E: ONE}
vector = letters("x: N_m")
@EQ_13.claim("Eq. 13, without assumption 2.1", "Eq. 13, A with more rows than columns",
    needs={
        "the_full_rank_of_A": lambda: same(norm2(vector), 0, [(A_start.T @ A_start @ vector, vector * 0)]),
        "the_full_rank_of_the_task": lambda: same(norm2(vector), 0, [(St @ vector, vector * 0)]),
    }, rests_on="flow_of_gram")
def theorem_51(eq):
    """If A(0)'A(0) and St have inverses, the printed A'A(t) solves that flow from A(0)'A(0): the bracket moves by dL
    = 2 I - St L - L St and starts at the inverse of A(0)'A(0). For N_m modes of N_i inputs and N_o outputs and for every
    N_h x N_m matrix A whose A'A has an inverse: it needs neither equal dimensions nor a square A."""
    bracket = letters("L: N_m x N_m")
    inverse = letters("L_whole_inv", inverse_of=bracket)
    grown = letters("G", inverse_of=E)
    root, whole = (A_start @ gram_inv, A_start.T), A_start.T @ A_start
    motion, start = {E: DECAY[E]}, begin | {grown: ONE}
    shown = keeps_inverse(inner_13, [grown, grown], motion, start, root=root, scale=grown)
    yield only_solution(
        inverse, rate_of_gram, whole, motion, start | {inner_13_inv: whole}, inverses={inner_13_inv.name: shown},
        through={bracket: inner_13, inverse: inner_13_inv}, drift={bracket: 2 * ONE - St @ bracket - bracket @ St})
    yield same(eq.right @ inner_13 @ eq.right, eq.right)

# --- without inverses ---------------------------------------------------------------------------------------------------
# The integral of exp(2 St s) from 0 to t, which needs no inverse of St.
Phi = letters("Phi: N_m x N_m", diagonal=True)
grown = letters("G", inverse_of=E)
@paper.claim(["Theorem 5.1, without assumption 2.4", "Theorem 5.1, for any A"], rests_on="flow_of_gram")
def theorem_51_without_inverses():
    """For every A(0) and every task, singular ones included, A'A(t) = e^(St t) A(0)' (I + 2 A(0) Phi A(0)')^-1 A(0)
    e^(St t) with the integral Phi of e^(2 St s)."""
    inner, motion = identity("N_h"), {E: -(St @ E), Phi: grown @ grown}
    M = letters("M", equals=inner + 2 * A_start @ Phi @ A_start.T)
    M_inv = letters("M_inv", inverse_of=M)
    start = {E: ONE, grown: ONE, Phi: zero("N_m", "N_m"), M: inner}
    shown = keeps_inverse(M, [grown @ A_start.T, grown @ A_start.T], motion, start)
    state, begun = grown @ A_start.T @ M_inv @ A_start @ grown, A_start.T @ A_start
    yield only_solution(state, rate_of_gram, begun, motion, start | {M_inv: inner}, inverses={"M_inv": shown})

# --- remarks ----------------------------------------------------------------------------------------------------------
ut, vt, turn = SQUARE["U_t"], SQUARE["V_t"], letters("O: N x N", orthonormal_columns=True)
# A(0)'A(0) = O D O' with orthogonal O makes Ut O and Vt O the singular vectors of the start.
START_VECTORS = {"U": ut @ turn, "V": vt @ turn}
@BASES.claim(put=START_VECTORS, corrected=r"\mathbf{U}\mathbf{V}^{T} = \tilde{\mathbf{U}}\tilde{\mathbf{V}}^{T}",
    corrected_name="bases_agree_up_to_one_rotation",
    because="The ansatz implies U V' = Ut Vt': one rotation takes the task's singular vectors to those of the start on both "
    "sides.", changes="A remark beside theorem 5.1, which nothing uses.")
def printed_product_of_bases():
    """The ansatz, whose start has the singular vectors U = Ut O and V = Vt O, implies U V = Ut Vt."""

@paper.claim("Section 5, less general than Theorem 3.1",
    quote="We remark that this form is less general than that in Theorem 3.1",
    rests_on="bases_agree_up_to_one_rotation")
def ansatz_has_no_difference_of_overlaps():
    """For the ansatz the matrices of Theorem 3.1 are B = 2 O', which always has an inverse, and C = 0: equation 11's
    third term is absent."""
    u, v = START_VECTORS.values()
    yield same(u.T @ ut - v.T @ vt, 0 * turn)
    yield same(u.T @ ut + v.T @ vt, 2 * turn.T)
    yield same((2 * turn.T) @ (2 * turn.T).T, 4 * identity("N"))

@paper.claim("Section 5, the decoupled start", rests_on="theorem_51_without_inverses")
def decoupled_modes_stay_decoupled():
    """If A(0)'A(0) is diagonal then A'A(t) is: D(0) (e^(-2 St t) + (I - e^(-2 St t)) St^-1 D(0))^-1 solves the flow
    from D(0), one mode at a time."""
    diagonal, root = letters("D_0: N_m x N_m, R: N_m x N_m", diagonal=True)
    inside = E @ E + (ONE - E @ E) @ St_inv @ diagonal
    inverse = letters("D_inv", diagonal=True, inverse_of=inside)
    grown, motion, start = (letters("G", inverse_of=E), {E: DECAY[E]}, begin | {letters("G", inverse_of=E): ONE})
    options = {"assuming": [(root @ root, diagonal)]}
    shown = keeps_inverse(inside, [grown @ root, grown @ root], motion, start, scale=grown, **options)
    yield only_solution(diagonal @ inverse, rate_of_gram, diagonal, motion, start | {inverse: ONE},
        inverses={"D_inv": shown}, **options)
