"""Section 3: the singular value decompositions, equations 11 and 12, and a form that needs no inverse of B."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from derivations import prove
from derivations.language.words import Letter, Words, along, identity, norm2, number, substitute, trace, zero
from derivations.language.words.blocks import Blocks, along_blocks
from derivations.models import two_layer_linear as net
from derivations.models.two_layer_linear import COMPLETE, W1, W2, F, S, S_inv, Sigma, St, St_inv, U, Up, Ut, V, Vp, Vt
from derivations.papers.braun_2022.setup import paper
from derivations.papers.braun_2022.source import printed
from derivations.papers.braun_2022.source.examples import FRAMES, WIDE
from derivations.papers.braun_2022.source.vocabulary import DECAY, ONE, B, B_inv, E, Z, inner_11, outside, time
from derivations.prove import Certificate, Verdict

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
UNIQUE = "uniqueness of solutions"

# --- compact singular value decompositions (equation 10) ---------------------------------------------------------------

DECOMPOSED = (W2 @ W1, U @ S @ V.T)
root = Letter("S_root", "N_m", "N_m", diagonal=True)
ROOT = (root @ root, S)
"""Singular values are positive: they have roots."""

output_excess = W2 @ W2.T - U @ S @ U.T
input_excess = W1.T @ W1 - V @ S @ V.T

ALIGNED: dict[str, Any] = {
    "dims": {"N_i": 2, "N_h": 2, "N_o": 2, "N_m": 2},
    "matrices": {
        "W1": [["2", "0"], ["0", "3"]], "W2": [["0", "3"], ["2", "0"]], "S": [["4", "0"], ["0", "9"]],
        "S_root": [["2", "0"], ["0", "3"]], "U": [["0", "1"], ["1", "0"]], "V": [["1", "0"], ["0", "1"]],
    },
}  # fmt: skip
"""Balanced weights with two singular values."""


@paper.claim(["Eq. 10", "Assumption 2.3"], rests_on=["ranks_agree"])
def balanced_start_in_singular_vectors() -> Certificate:
    """For balanced weights with W2 W1 = U S V', the matrices A = W2 W2' and R = U S U' have one square, and
    |W2'(A - R)|^2 + |S^(1/2) U'(A - R)|^2 = 0; hence (A - R)^2 = 0 and W2 W2' = U S U', and in the same way W1' W1 = V S V'."""
    known = [net.BALANCED, DECOMPOSED, ROOT]
    parts = []
    for excess, layer, vectors in ((output_excess, W2.T, U), (input_excess, W1, V)):
        gram, spectral = layer.T @ layer, vectors @ S @ vectors.T
        parts += [
            prove.words(gram @ gram, spectral @ spectral, known, [ALIGNED]),
            prove.words(norm2(layer @ excess) + norm2(root @ vectors.T @ excess), 0, known, [ALIGNED]),
            prove.words(
                excess @ excess, layer.T @ (layer @ excess) - vectors @ root @ (root @ vectors.T @ excess), [ROOT]
            ),
        ]
    return prove.every(*parts)


@paper.claim(
    "Theorem 3.1, without assumption 2.3", expect=Verdict.REFUTED, corrected_by="balanced_start_in_singular_vectors"
)
def unbalanced_start_in_singular_vectors() -> Certificate:
    """If W2 W1 = U S V', then W1' W1 = V S V' for weights that are not balanced too."""
    return prove.words(input_excess, 0, [DECOMPOSED, ROOT], [LOPSIDED])


LOPSIDED: dict[str, Any] = {
    "dims": {"N_i": 1, "N_h": 1, "N_o": 1, "N_m": 1},
    "matrices": {"W1": [["2"]], "W2": [["1/2"]], "S": [["1"]], "S_root": [["1"]], "U": [["1"]], "V": [["1"]]},
}
"""One neuron in each layer, the first weight larger than the second."""


@paper.claim(
    "Section 3, non-zero eigenvalues on the diagonal of S",
    expect=Verdict.REFUTED,
    corrected_by="diagonal_holds_singular_values",
)
def diagonal_holds_eigenvalues() -> Certificate:
    """The diagonal of S holds eigenvalues of W2 W1 = U S V', for equal numbers of inputs and outputs: (U S V') U = U S."""
    square = Letter("V", "N_o", "N_m", orthonormal_columns=True)
    negative = {"U": [["1"]], "V": [["-1"]], "S": [["1"]]}
    return prove.words(U @ S @ square.T @ U, U @ S, among=[{"dims": {"N_o": 1, "N_m": 1}, "matrices": negative}])


@paper.claim("Section 3, non-zero eigenvalues on the diagonal of S, corrected")
def diagonal_holds_singular_values() -> Certificate:
    """The diagonal of S holds singular values: U S V' takes V to U S and its transpose takes U to V S, so that S^2 holds eigenvalues
    of the product with the transpose."""
    network = U @ S @ V.T
    return prove.every(
        prove.words(network @ V, U @ S),
        prove.words(network.T @ U, V @ S),
        prove.words(network @ network.T @ U, U @ S @ S),
    )


# --- the complements ----------------------------------------------------------------------------------------------------


@paper.claim("Section 3, shapes of the complements, corrected")
def shapes_of_the_complements() -> Certificate:
    """What completes the N_m singular vectors of the task has N_o - N_m columns for the outputs and N_i - N_m for the inputs: with
    N_m = min(N_i, N_o), U_perp is there for N_o > N_i and V_perp for N_i > N_o."""
    parts = []
    for vectors, rest, rule in ((Ut, Up, COMPLETE[2]), (Vt, Vp, COMPLETE[3])):
        whole = vectors @ vectors.T + rest @ rest.T
        columns = trace(identity(vectors.shape[1])) + trace(identity(rest.shape[1]))
        parts += [
            prove.words(trace(whole), columns, among=FRAMES),
            prove.words(trace(whole), trace(identity(vectors.shape[0])), [rule], FRAMES),
        ]
    return prove.every(*parts)


inputs, outputs = sp.symbols("N_i N_o", positive=True)


@paper.claim(
    "Section 3, shape of U_perp for N_i > N_o", expect=Verdict.REFUTED, corrected_by="shapes_of_the_complements"
)
def printed_shape_of_the_output_complement() -> Certificate:
    """For N_i > N_o, N_o - N_i is a possible number of columns of U_perp: it is not negative."""
    return prove.inequality(sp.Ge(outputs - inputs, 0, evaluate=False), assuming=[inputs > outputs])


@paper.claim(
    "Section 3, singular vectors that are not square", expect=Verdict.REFUTED, corrected_by="shapes_of_the_complements"
)
def singular_vectors_are_complete() -> Certificate:
    """The right singular vectors of the task are an orthonormal basis of all inputs, whatever the dimensions: V_t V_t' = I."""
    return prove.words(Vt @ Vt.T, identity("N_i"))


# --- equations 11 and 12 ------------------------------------------------------------------------------------------------

TASK = (Sigma, Ut @ St @ Vt.T)
F_task = F.map(lambda block: substitute(block, {Sigma: Ut @ St @ Vt.T}))
AT_START = {E: ONE, time: number(0)}

frame = Blocks([[V], [U]])
"""Q(0)Q(0)' = [V; U] S [V; U]' for balanced weights."""

moving_parts = (Letter("Z_i", "N_i", "N_m"), Letter("Z_o", "N_o", "N_m"))
moving = Blocks([[part] for part in moving_parts])
bracket = Letter("K", "N_m", "N_m", symmetric=True)
bracket_inv = Letter("K_inv", "N_m", "N_m", inverse_of=bracket)


def at_split_start(words: Words) -> Words:
    return substitute(words, SPLIT_START)


def by_linear_flows(scales: Words) -> Certificate:
    """Z K^-1 Z' solves the Riccati equation if dZ = F Z - Z S and dK = Z'Z - S K - K S."""
    rate = F @ moving - moving @ scales
    linear = dict(zip(moving_parts, rate, strict=True)) | {
        bracket: (moving.T @ moving).only - scales @ bracket - bracket @ scales
    }
    state = moving @ bracket_inv @ moving.T
    return prove.words(along_blocks(state, linear), F @ state + state @ F - state @ state)


def at_start(words: Words) -> Words:
    return substitute(words, AT_START)


@paper.claim("Eq. 12", printed=printed.EQ_12, rests_on=["riccati_solution"])
def equation_12() -> Certificate:
    """Z moves by dZ = F Z - Z S_t from 2 [V; U] B^-T: it is 2 e^(Ft) [V; U] B^-T e^(-S_t t)."""
    return prove.every(
        prove.words(along_blocks(Z, DECAY), F_task @ Z - Z @ St, COMPLETE, FRAMES),
        prove.words(Z.map(at_start), 2 * frame @ B_inv.T, COMPLETE, FRAMES),
    )


@paper.claim(
    ["Eq. 11", "Theorem 3.1"],
    printed=printed.EQ_11,
    rests_on=["riccati_equation", "balanced_start_in_singular_vectors", "equation_12"],
)
def theorem_31() -> Certificate:
    """If B has an inverse, the printed QQ'(t) solves the Riccati equation from [V; U] S [V; U]', for any numbers of inputs and outputs and
    any equal number of non-zero singular values of start and task, in any order."""
    begun = B.T @ S @ B
    return prove.chain(
        "equations 11 and 12 are the solution",
        UNIQUE,
        solution=prove.every(
            by_linear_flows(St),
            equation_12(),
            prove.words(along(inner_11, DECAY), (Z.T @ Z).only - St @ inner_11 - inner_11 @ St, COMPLETE, FRAMES),
            prove.words(begun @ at_start(inner_11), 4 * ONE, COMPLETE, FRAMES),
            prove.words(Z.map(at_start) @ begun @ Z.map(at_start).T, 4 * frame @ S @ frame.T, COMPLETE, FRAMES),
        ),
    )


# --- which hypotheses it needs ------------------------------------------------------------------------------------------


@paper.claim(["Theorem 3.1, without assumption 2.4", "Theorem 3.1, without assumption 2.1"], rests_on=["theorem_31"])
def theorem_31_below_full_rank() -> Certificate:
    """Theorem 3.1 needs no full rank and no equal dimensions: it holds if both bases need completing, by N_u = N_o - N_m and
    N_v = N_i - N_m columns, so that N_m, the rank of start and task, is less than N_o and N_i."""
    return prove.every(theorem_31(), shapes_of_the_complements())


start_U = Letter("U", "N_o", "N_s", orthonormal_columns=True)
start_V = Letter("V", "N_i", "N_s", orthonormal_columns=True)
start_S = Letter("S", "N_s", "N_s", diagonal=True)
start_S_inv = Letter("S_inv", "N_s", "N_s", inverse_of=start_S)
start_frame = Blocks([[start_V], [start_U]])
overlap = start_U.T @ Ut + start_V.T @ Vt
difference = start_U.T @ Ut - start_V.T @ Vt
"""The start with a rank of its own, N_s, and B and C for it."""

overlap_inv = Letter("B_inv", "N_m", "N_s")


@paper.claim("Assumption 3.1, ranks")
def overlap_inverse_needs_equal_ranks() -> Certificate:
    """If B has an inverse from both sides, the start and the task have one rank: both ranks are the trace of B times its inverse."""
    both = trace(overlap_inv @ overlap)
    return prove.every(
        prove.words(both, trace(identity("N_m")), [(overlap_inv @ overlap, ONE)]),
        prove.words(both, trace(identity("N_s")), [(overlap @ overlap_inv, identity("N_s"))]),
    )


@paper.claim(
    "Theorem 3.1, from a start of another rank than the task",
    expect=Verdict.REFUTED,
    corrected_by="theorem_31_for_every_balanced_start",
    rests_on=["overlap_inverse_needs_equal_ranks"],
)
def overlap_inverse_for_any_ranks() -> Certificate:
    """B can have an inverse for a start of another rank than the task."""
    return prove.contrary("an inverse of B makes the two ranks equal", overlap_inverse_needs_equal_ranks())


vector = Letter("x", "N_m", 1)


@paper.claim(
    ["Assumption 3.1, dropped", "Theorem 3.1, without assumption 3.1"],
    expect=Verdict.REFUTED,
    corrected_by="theorem_31_for_every_balanced_start",
)
def overlap_always_has_an_inverse() -> Certificate:
    """B, whose inverse the theorem uses, takes only zero to zero, whatever the singular vectors of start and task."""
    return prove.words(norm2(vector), 0, [(B @ vector, 0)], [OPPOSITE])


OPPOSITE: dict[str, Any] = {
    "dims": {"N_i": 1, "N_o": 1, "N_m": 1},
    "matrices": {
        "U": [["1"]], "V": [["1"]], "U_t": [["1"]], "V_t": [["-1"]], "B": [["0"]], "x": [["1"]],
    },
}  # fmt: skip
"""One neuron in each layer, start and task of different sign."""

# --- a form that needs no inverse of B ----------------------------------------------------------------------------------

OTHER_FRAMES = [
    {
        **example,
        "dims": {**example["dims"], "N_s": example["dims"]["N_m"]},
        "matrices": example["matrices"] | {"y": example["matrices"]["x"]},
    }
    for example in FRAMES
]
"""The same with a rank of the start that has a name of its own."""

grown = Letter("G", "N_m", "N_m", inverse_of=E)
"""exp(S_t t)."""

SPLIT_START = {E: ONE, grown: ONE, time: number(0)}


def split(u: Words, v: Words) -> Blocks:
    """e^(Ft) [V; U] in parts that grow, decay and stand still."""
    growing = Blocks([[Vt], [Ut]]) @ grown @ (u.T @ Ut + v.T @ Vt).T
    falling = Blocks([[Vt], [-Ut]]) @ E @ (u.T @ Ut - v.T @ Vt).T
    return HALF * growing - HALF * falling + Blocks([[Vp @ Vp.T @ v], [Up @ Up.T @ u]])


def gathered(u: Words, v: Words, base: Words) -> Words:
    """The bracket that belongs to it: S^-1 and the integral of its square."""
    sums, differences = u.T @ Ut + v.T @ Vt, u.T @ Ut - v.T @ Vt
    growing = sums @ (grown @ grown - ONE) @ St_inv @ sums.T
    falling = differences @ (ONE - E @ E) @ St_inv @ differences.T
    left_out = v.T @ Vp @ Vp.T @ v + u.T @ Up @ Up.T @ u
    return base + QUARTER * growing + QUARTER * falling + left_out * time


free_Z, free_bracket = split(start_U, start_V), gathered(start_U, start_V, start_S_inv)


@paper.claim(
    "Theorem 3.1, without assumptions 2.1, 2.4 and 3.1",
    rests_on=["riccati_equation", "balanced_start_in_singular_vectors"],
)
def theorem_31_for_every_balanced_start() -> Certificate:
    """From every balanced start QQ'(t) = Z N^-1 Z' with Z = [Vt; Ut] e^(St t) B'/2 - [Vt; -Ut] e^(-St t) C'/2 + [Vp Vp'V; Up Up'U] and
    N = S^-1 + B (e^(2 St t) - I) St^-1 B'/4 + C (I - e^(-2 St t)) St^-1 C'/4 + t (V'Vp Vp'V + U'Up Up'U), without an inverse of B and with
    different ranks of start and task."""
    return prove.chain(
        "the form without an inverse of B is the solution",
        UNIQUE,
        solution=prove.every(
            by_linear_flows(zero("N_m", "N_m")),
            prove.words(along_blocks(free_Z, DECAY), F_task @ free_Z, COMPLETE, OTHER_FRAMES),
            prove.words(along(free_bracket, DECAY), (free_Z.T @ free_Z).only, COMPLETE, OTHER_FRAMES),
            prove.words(free_Z.map(at_split_start), start_frame, COMPLETE, OTHER_FRAMES),
            prove.words(start_S @ at_split_start(free_bracket), identity("N_s"), COMPLETE, OTHER_FRAMES),
        ),
    )


start_vector = Letter("y", "N_s", 1)


@paper.claim(
    "Theorem 3.1, without assumptions 2.1, 2.4 and 3.1, its inverse", rests_on=["theorem_31_for_every_balanced_start"]
)
def bracket_without_inverse_grows() -> Certificate:
    """For every vector y, y'N y starts at y'S^-1 y and grows at the rate |Z y|^2, which is never negative: N stays at least S^-1, and has
    an inverse at all times."""
    return prove.every(
        prove.words(
            along(start_vector.T @ free_bracket @ start_vector, DECAY),
            ((free_Z @ start_vector).T @ (free_Z @ start_vector)).only,
            COMPLETE,
            OTHER_FRAMES,
        ),
        prove.words(
            start_vector.T @ at_split_start(free_bracket) @ start_vector,
            start_vector.T @ start_S_inv @ start_vector,
            COMPLETE,
            OTHER_FRAMES,
        ),
    )


@paper.claim("Theorem 3.1, from the form without an inverse of B", rests_on=["theorem_31_for_every_balanced_start"])
def theorem_31_from_the_general_form() -> Certificate:
    """Where B has an inverse, the printed Z is 2 Z B^-T e^(-St t) of the form without it, and the printed bracket is
    4 e^(-St t) B^-1 N B^-T e^(-St t): both forms are one."""
    scaled = 4 * E @ B_inv @ gathered(U, V, S_inv) @ B_inv.T @ E
    return prove.every(
        prove.words(Z, 2 * split(U, V) @ B_inv.T @ E, COMPLETE, FRAMES),
        prove.words(inner_11, scaled, COMPLETE, FRAMES),
    )


# --- readings of the text -----------------------------------------------------------------------------------------------


@paper.claim(
    "Section 3, time-dependent variables only occur in matrix exponentials",
    expect=Verdict.REFUTED,
    corrected_by="time_outside_exponentials",
)
def time_only_in_exponentials() -> Certificate:
    """Time occurs in equation 11 only in matrix exponentials: what multiplies the bare t vanishes, for any dimensions."""
    return prove.words(outside, 0, COMPLETE, [WIDE, *FRAMES])


@paper.claim("Section 3, time-dependent variables only occur in matrix exponentials, corrected")
def time_outside_exponentials() -> Certificate:
    """What multiplies the bare t in equation 11 is 2 I - V'Vt Vt'V - U'Ut Ut'U; it vanishes where the task's singular vectors are complete
    for inputs and outputs, V_t V_t' = I and U_t U_t' = I."""
    square = [(Ut @ Ut.T, identity("N_o")), (Vt @ Vt.T, identity("N_i"))]
    return prove.every(
        prove.words(outside, 2 * ONE - V.T @ Vt @ Vt.T @ V - U.T @ Ut @ Ut.T @ U, COMPLETE, FRAMES),
        prove.words(2 * ONE - V.T @ Vt @ Vt.T @ V - U.T @ Ut @ Ut.T @ U, 0, square),
    )
