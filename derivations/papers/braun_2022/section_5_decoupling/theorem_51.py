"""Theorem 5.1: the dynamics in the basis of the task, for matrices of any size, and which hypotheses it needs."""

from __future__ import annotations

from derivations import prove
from derivations.language.words import Letter, Words, along, identity, substitute
from derivations.models.two_layer_linear import W1, W2, Sigma, St, St_inv, Ut, Vt, flow
from derivations.papers.braun_2022.setup import paper
from derivations.papers.braun_2022.source import printed
from derivations.papers.braun_2022.source.vocabulary import DECAY, ONE, A, A_start, E, gram_inv, inner_13
from derivations.prove import Certificate, Verdict

UNIQUE = "uniqueness of solutions"
TASK = Ut @ St @ Vt.T
ANSATZ = {W1: A @ Vt.T, W2: Ut @ A.T, Sigma: TASK}
descent_of_A = {A: A @ (St - A.T @ A)}


def in_task_basis(words: Words) -> Words:
    return substitute(words, ANSATZ)


def rate_of_gram(state: Words) -> Words:
    """d(A'A) at any value of A'A."""
    return St @ state + state @ St - 2 * state @ state


@paper.claim("Theorem 5.1, the ansatz persists", printed=printed.START_INPUT, rests_on=["flow_for_white_inputs"])
def ansatz_persists() -> Certificate:
    """Weights W1 = A Vt', W2 = Ut A' keep that form, with dA = A (St - A'A): both layers ask for the same A."""
    return prove.every(
        prove.words(in_task_basis(flow[W1]), descent_of_A[A] @ Vt.T),
        prove.words(in_task_basis(flow[W2]), Ut @ descent_of_A[A].T),
    )


@paper.claim("Theorem 5.1, without assumption 2.3", printed=printed.START_OUTPUT, rests_on=["ansatz_persists"])
def ansatz_is_balanced() -> Certificate:
    """The ansatz is balanced by itself, W2' W2 = A A' = W1 W1': assumption 2.3 adds nothing to it."""
    return prove.every(prove.words(in_task_basis(W2.T @ W2), A @ A.T), prove.words(in_task_basis(W1 @ W1.T), A @ A.T))


@paper.claim("Section 5, what A'A tells", rests_on=["ansatz_persists"])
def gram_is_the_network_in_the_task_basis() -> Certificate:
    """In the basis of the task the network function is A'A, Ut' W2 W1 Vt = A'A: an entry off the diagonal leads from
    one input mode to another output mode, and the task is performed perfectly exactly if A'A = St."""
    network = in_task_basis(W2 @ W1)
    return prove.every(
        prove.words(Ut.T @ network @ Vt, A.T @ A),
        prove.words(network, TASK, [(A.T @ A, St)]),
        prove.words(A.T @ A, St, [(Ut @ A.T @ A @ Vt.T, TASK)]),
    )


@paper.claim("Section 5, QQ' is determined by A'A", rests_on=["ansatz_persists"])
def quadrants_by_gram() -> Certificate:
    """Three quadrants of QQ' are A'A between the task's singular vectors: W1' W1 = Vt A'A Vt', W2 W1 = Ut A'A Vt', W2
    W2' = Ut A'A Ut'."""
    pairs = [(W1.T @ W1, Vt, Vt), (W2 @ W1, Ut, Vt), (W2 @ W2.T, Ut, Ut)]
    return prove.every(*(prove.words(in_task_basis(w), left @ A.T @ A @ right.T) for w, left, right in pairs))


@paper.claim("Section 5, the flow of A'A", rests_on=["ansatz_persists"])
def flow_of_gram() -> Certificate:
    """A'A moves by d(A'A) = St A'A + A'A St - 2 (A'A)^2, whatever the shape and the rank of A."""
    return prove.words(along(A.T @ A, descent_of_A), rate_of_gram(A.T @ A))


bracket = Letter("L", "N_m", "N_m", symmetric=True)
bracket_inv = Letter("L_inv", "N_m", "N_m", inverse_of=bracket)
begin = {E: ONE}


@paper.claim("Eq. 13", printed=printed.EQ_13, rests_on=["flow_of_gram"])
def theorem_51() -> Certificate:
    """If A(0)'A(0) and St have inverses, the printed A'A(t) solves that flow from A(0)'A(0): the bracket moves by dL
    = 2 I - St L - L St and starts at the inverse of A(0)'A(0)."""
    return prove.chain(
        "equation 13 is the solution",
        UNIQUE,
        solution=prove.every(
            prove.words(
                along(bracket_inv, {bracket: 2 * ONE - St @ bracket - bracket @ St}), rate_of_gram(bracket_inv)
            ),
            prove.words(along(inner_13, DECAY), 2 * ONE - St @ inner_13 - inner_13 @ St),
            prove.words(substitute(inner_13, begin), gram_inv),
        ),
    )


@paper.claim(
    ["Theorem 5.1, without assumption 2.1", "Theorem 5.1, A with more rows than columns"], rests_on=["theorem_51"]
)
def theorem_51_for_any_shape() -> Certificate:
    """The theorem needs neither equal numbers of inputs and outputs nor a square A: it holds for N_m modes of N_i
    inputs and N_o outputs and for every N_h x N_m matrix A whose A'A has an inverse."""
    return prove.every(ansatz_persists(), flow_of_gram(), theorem_51())


# --- without inverses ---------------------------------------------------------------------------------------------------

Phi = Letter("Phi", "N_m", "N_m", diagonal=True)
"""The integral of exp(2 St s) from 0 to t, which needs no inverse of St."""

grown = Letter("G", "N_m", "N_m", inverse_of=E)
M = Letter("M", "N_h", "N_h", equals=identity("N_h") + 2 * A_start @ Phi @ A_start.T)
M_inv = Letter("M_inv", "N_h", "N_h", inverse_of=M)
GROWTH = {E: -(St @ E), Phi: grown @ grown}


@paper.claim(["Theorem 5.1, without assumption 2.4", "Theorem 5.1, for any A"], rests_on=["flow_of_gram"])
def theorem_51_without_inverses() -> Certificate:
    """For every A(0) and every task, singular ones included, A'A(t) = e^(St t) A(0)' (I + 2 A(0) Phi A(0)')^-1 A(0)
    e^(St t) with the integral Phi of e^(2 St s)."""
    state = grown @ A_start.T @ M_inv @ A_start @ grown
    start = {grown: ONE, Phi: 0 * ONE}
    return prove.chain(
        "the form without inverses is the solution",
        UNIQUE,
        solution=prove.every(
            prove.words(along(state, GROWTH), rate_of_gram(state)),
            prove.words(identity("N_h") + 2 * A_start @ start[Phi] @ A_start.T, identity("N_h")),
            prove.words(substitute(grown @ A_start.T @ A_start @ grown, start), A_start.T @ A_start),
        ),
    )


vector = Letter("x", "N_m", 1)


@paper.claim("Theorem 5.1, A without full rank", expect=Verdict.REFUTED, corrected_by="theorem_51_without_inverses")
def gram_always_has_an_inverse() -> Certificate:
    """A(0)'A(0), whose inverse equation 13 uses, takes only zero to zero for every A(0)."""
    return prove.words((vector.T @ vector), 0, [(A_start.T @ A_start @ vector, vector * 0)])


@paper.claim("Theorem 5.1, task without full rank", expect=Verdict.REFUTED, corrected_by="theorem_51_without_inverses")
def task_always_has_an_inverse() -> Certificate:
    """St, whose inverse equation 13 uses, takes only zero to zero for every task."""
    return prove.words((vector.T @ vector), 0, [(St @ vector, vector * 0)])


# --- remarks ----------------------------------------------------------------------------------------------------------

ut, vt = printed.SQUARE["U_t"], printed.SQUARE["V_t"]
turn = Letter("O", "N", "N", orthonormal_columns=True)
START_VECTORS = (ut @ turn, vt @ turn)
"""A(0)'A(0) = O D O' with orthogonal O makes Ut O and Vt O the singular vectors of the start."""


@paper.claim(
    "Section 5, the remark on U V",
    printed=printed.PRODUCT_OF_BASES,
    expect=Verdict.REFUTED,
    corrected_by="bases_agree_up_to_one_rotation",
)
def printed_product_of_bases() -> Certificate:
    """The ansatz, whose start has the singular vectors U = Ut O and V = Vt O, implies U V = Ut Vt."""
    u, v = START_VECTORS
    return prove.words(u @ v, ut @ vt)


@paper.claim("Section 5, the remark on U V, corrected")
def bases_agree_up_to_one_rotation() -> Certificate:
    """The ansatz implies U V' = Ut Vt': one rotation takes the task's singular vectors to those of the start on both
    sides."""
    u, v = START_VECTORS
    return prove.words(u @ v.T, ut @ vt.T)


@paper.claim("Section 5, less general than Theorem 3.1", rests_on=["bases_agree_up_to_one_rotation"])
def ansatz_has_no_difference_of_overlaps() -> Certificate:
    """For the ansatz the matrices of Theorem 3.1 are B = 2 O', which always has an inverse, and C = 0: equation 11's
    third term is absent."""
    u, v = START_VECTORS
    return prove.every(
        prove.words(u.T @ ut - v.T @ vt, 0 * turn),
        prove.words(u.T @ ut + v.T @ vt, 2 * turn.T),
        prove.words((2 * turn.T) @ (2 * turn.T).T, 4 * identity("N")),
    )


diagonal_start = Letter("D_0", "N_m", "N_m", diagonal=True)
diagonal_inv = Letter("D_inv", "N_m", "N_m", inverse_of=E @ E + (ONE - E @ E) @ St_inv @ diagonal_start)


@paper.claim("Section 5, the decoupled start", rests_on=["theorem_51_without_inverses"])
def decoupled_modes_stay_decoupled() -> Certificate:
    """If A(0)'A(0) is diagonal then A'A(t) is: D(0) (e^(-2 St t) + (I - e^(-2 St t)) St^-1 D(0))^-1 solves the flow
    from D(0), one mode at a time."""
    state = diagonal_start @ diagonal_inv
    inside = E @ E + (ONE - E @ E) @ St_inv @ diagonal_start
    return prove.chain(
        "a diagonal start stays diagonal",
        UNIQUE,
        solution=prove.every(
            prove.words(along(state, DECAY), rate_of_gram(state)), prove.words(substitute(inside, begin), ONE)
        ),
    )
