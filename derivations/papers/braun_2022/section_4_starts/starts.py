"""Section 4: "guaranteed", "task-agnostic", "any learning task"; which balanced starts have no inverse of B, and how many."""

from __future__ import annotations

from typing import Any

import sympy as sp

from derivations import prove
from derivations.language.words import Letter, identity, norm2, substitute
from derivations.models.two_layer_linear import BALANCED, W1, W2, U, Ut, V, Vt
from derivations.papers.braun_2022.section_3_solution.long_time import overlap_holds_the_growing_parts
from derivations.papers.braun_2022.section_3_solution.theorem_32 import (
    input_representation_is_rich,
    output_representation_is_rich,
)
from derivations.papers.braun_2022.section_6_tasks.reversal import reversal_ends_at_zero
from derivations.papers.braun_2022.setup import paper, s, t
from derivations.papers.braun_2022.source.vocabulary import ONE
from derivations.prove import Certificate, Verdict

DETERMINANTS = "determinants multiply"

# --- "guaranteed" ---------------------------------------------------------------------------------------------------------

fade = sp.Symbol("E", positive=True)
"""exp(-2 s t)."""

a = sp.Symbol("a", positive=True)
opposed_square = s * a * fade / (s + a * (1 - fade))
"""The square of both weights from w1 = -w2, which began at a, on the task s."""


def opposed_weights() -> Certificate:
    """One neuron in each layer, weights of different sign: balanced, and the solution of the flow."""
    first, second = sp.symbols("w1 w2", real=True)
    size = sp.sqrt(opposed_square.subs(fade, sp.exp(-2 * s * t)))
    error = s - second * first
    flow = {first: second * error, second: error * first}
    return prove.solves(flow, {first: size, second: -size}, {first: sp.sqrt(a), second: -sp.sqrt(a)}, t)


@paper.claim(
    [
        "Section 4, guaranteed to find a rich solution",
        "Section 7, zero-balanced weights lead to task-specific representations",
        "Theorem 3.2, without assumption 3.1",
    ],
    expect=Verdict.REFUTED,
    corrected_by="guaranteed_where_overlap_has_an_inverse",
)
def every_balanced_start_becomes_rich() -> Certificate:
    """From every balanced start W1' W1 tends to Vt St Vt': with one neuron in each layer, from w1 = -w2, to the task s."""
    return prove.every(opposed_weights(), prove.limit(opposed_square, [fade], s))


@paper.claim(
    [
        "Section 4, guaranteed to find a rich solution, read with assumption 3.1",
        "Section 4, guaranteed to find a rich solution, corrected",
    ],
    rests_on=["theorem_32"],
)
def guaranteed_where_overlap_has_an_inverse() -> Certificate:
    """From every balanced start for which B has an inverse, of any size, both representations become rich: W1' W1 tends to Vt St Vt' and W2 W2'
    to Ut St Ut'."""
    return prove.every(input_representation_is_rich(), output_representation_is_rich())


@paper.claim("Beyond: the end of one neuron in each layer", rests_on=["long_time_limit"])
def opposed_weights_go_to_zero() -> Certificate:
    """With one neuron in each layer, w1 = -w2 at the start and a task s > 0, both weights go to zero."""
    return prove.every(opposed_weights(), prove.limit(opposed_square, [fade], 0))


# --- "task-agnostic", "any learning task" -----------------------------------------------------------------------------------


@paper.claim(
    [
        "Section 4, task-agnostic, as one start for all tasks",
        "Section 4, applies to any learning task, whatever the start",
    ],
    expect=Verdict.REFUTED,
    corrected_by="mirror_tasks_need_different_starts",
    rests_on=["reversal_ends_at_zero"],
)
def one_start_learns_every_task() -> Certificate:
    """There is a balanced start other than zero from which every task is learned."""
    return prove.contrary("the start U S V' goes to zero on the task -U S V'", reversal_ends_at_zero())


@paper.claim("Section 4, applies to any learning task", rests_on=["guaranteed_where_overlap_has_an_inverse"])
def every_task_has_rich_starts() -> Certificate:
    """For every task there are balanced starts of any size that become rich: those aligned with it, W1 = H S^(1/2) Vt' and
    W2 = Ut S^(1/2) H' with orthonormal columns in H, have B = 2 I. They depend on the task."""
    H, root = Letter("H", "N_h", "N_m", orthonormal_columns=True), Letter("S_root", "N_m", "N_m", diagonal=True)
    first, second = H @ root @ Vt.T, Ut @ root @ H.T
    return prove.every(
        prove.words(first @ first.T, second.T @ second),
        prove.words(second @ first, Ut @ root @ root @ Vt.T),
        prove.words(substitute(U.T @ Ut + V.T @ Vt, {U: Ut, V: Vt}), 2 * ONE),
        guaranteed_where_overlap_has_an_inverse(),
    )


# --- N_i = N_o: the sign of the determinant decides ---------------------------------------------------------------------------


def frame(name: str) -> Letter:
    """Singular vectors where inputs, outputs and modes are equally many."""
    return Letter(name, "N", "N", orthonormal_columns=True)


square_U, square_V, square_Ut, square_Vt = map(frame, ("U", "V", "U_t", "V_t"))
mirror = Letter("O", "N", "N", equals=square_U.T @ square_Ut @ square_Vt.T @ square_V)
square_B = square_U.T @ square_Ut + square_V.T @ square_Vt
whole = identity("N")

u, v, u_t, v_t = sp.symbols("u v u_t v_t", nonzero=True, real=True)
size_start, size_task = sp.symbols("size size_t", positive=True)
x = sp.Symbol("det", real=True)
keeping, reversing = sp.Symbol("det_O", positive=True), sp.Symbol("det_O", negative=True)
"""Determinants: of the four bases, of S and St, of O + I, and of O, which is positive or negative."""


@paper.claim(
    ["Beyond: B for determinants of different sign", "Assumption 3.1, for N_i = N_o"],
    rests_on=["balanced_start_in_singular_vectors"],
)
def different_signs_make_overlap_singular() -> Certificate:
    """For N_i = N_o and full rank, B = (O + I) V'Vt with the orthogonal O = U'Ut Vt'V, and O + I = O (O + I)'. If det(W2 W1) and det(Sigma)
    differ in sign, then det O < 0, as it has the sign of their product, and det(O + I) = det O det(O + I) makes (1 - det O) det(O + I)
    zero: B has no inverse."""
    sign = u * u_t * v_t * v
    network, task = u * size_start * v, u_t * size_task * v_t
    return prove.chain(
        "B has no inverse if det(W2 W1) det(Sigma) < 0",
        DETERMINANTS,
        products=prove.every(
            prove.words(square_B, (mirror + whole) @ square_V.T @ square_Vt),
            prove.words(mirror.T @ mirror, whole),
            prove.words(mirror + whole, mirror @ (mirror + whole).T),
        ),
        numbers=prove.every(
            prove.identity(sign * size_start * size_task, network * task),
            prove.positive(keeping * size_start * size_task),
            prove.positive(-reversing * size_start * size_task),
            prove.identity((1 - reversing) * x, x - reversing * x),
            prove.positive(1 - reversing),
        ),
    )


turn = Letter("R", "N_o", "N_o", symmetric=True, orthonormal_columns=True)
"""The reflection of one output."""

fraction, other = sp.symbols("fraction other", nonnegative=True)
network_det = sp.Symbol("y", real=True)


@paper.claim(
    ["Beyond: how often B is singular for N_i = N_o", "Assumption 3.1, for random starts"],
    rests_on=["different_signs_make_overlap_singular"],
)
def half_of_the_starts_have_the_other_sign() -> Certificate:
    """Reflecting an output of W2, W2 -> R W2 with det R = -1, keeps weights balanced, is its own inverse and changes the sign of det(W2 W1):
    if random balanced starts have full rank and are as likely as their reflections, half of them have the sign for which B is singular."""
    reflected = {W2: turn @ W2}
    return prove.chain(
        "each sign of det(W2 W1) has probability 1/2",
        DETERMINANTS,
        products=prove.every(
            prove.words(substitute(W2.T @ W2, reflected), W1 @ W1.T, [BALANCED]),
            prove.words(turn @ turn @ W2, W2),
            prove.words(substitute(W2 @ W1, reflected), turn @ (W2 @ W1)),
        ),
        numbers=prove.every(
            prove.identity((-1) * network_det, -network_det),
            prove.identity(fraction, sp.Rational(1, 2), assuming=[sp.Eq(fraction, other), sp.Eq(fraction + other, 1)]),
        ),
    )


learned, task_det = sp.symbols("p q", real=True)


@paper.claim(
    "Beyond: starts with the other sign of the determinant",
    rests_on=["determinant_keeps_its_sign", "different_signs_make_overlap_singular", "long_time_limit"],
)
def other_sign_never_arrives() -> Certificate:
    """As det(W2 W1) keeps its sign, from a start of the other sign its distance from det(Sigma) is never less than |det(Sigma)|: the task is
    not learned, and the start has a column without growing part."""
    apart = sp.Ge((learned - task_det) ** 2, task_det**2, evaluate=False)
    return prove.every(
        prove.inequality(apart, assuming=[sp.Le(learned * task_det, 0, evaluate=False)]),
        overlap_holds_the_growing_parts(),
    )


@paper.claim(
    ["Assumption 3.1, for starts of one sign", "Beyond: starts with the sign of the task"],
    expect=Verdict.REFUTED,
    corrected_by="different_signs_make_overlap_singular",
)
def one_sign_makes_overlap_invertible() -> Certificate:
    """For N_i = N_o, B has an inverse whenever det(W2 W1) and det(Sigma) have one sign: with two modes and det O = 1, B x = 0 only for x = 0."""
    null = Letter("x", "N", 1)
    bases = [(square_U, whole), (square_Ut, whole)]
    return prove.words(norm2(null), 0, [(square_B @ null, 0), *bases, (square_V @ square_V, whole)], [HALF_TURN])


HALF_TURN: dict[str, Any] = {
    "dims": {"N": 2},
    "matrices": {
        "U": [["1", "0"], ["0", "1"]], "U_t": [["1", "0"], ["0", "1"]], "V": [["1", "0"], ["0", "1"]],
        "V_t": [["-1", "0"], ["0", "-1"]], "x": [["1"], ["2"]],
    },
}  # fmt: skip
"""Two modes, both reversed."""

# --- where such starts end: two modes -----------------------------------------------------------------------------------------

ratio, later, lower, gap = sp.symbols("r E s_2 delta", positive=True)
"""exp(-(s_1 - s_2) t), exp(-s_2 t), the smaller singular value, and s_1 - s_2."""


def function_from_an_exchange() -> sp.Matrix:
    """W2 W1 on the task diag(s_1, s_2), from W1 = I and W2 = [0, 1; 1, 0], by the form without an inverse of B."""
    values = sp.diag(lower + gap, lower)
    decay = sp.diag(ratio * later, later)
    exchange, one = sp.Matrix([[0, 1], [1, 0]]), sp.eye(2)
    B, C = exchange + one, exchange - one  # U = W2, V = S = I, and Ut = Vt = I, all symmetric
    growing, falling = decay.inv() * B / 2, decay * C / 2
    integrals = B * (decay.inv() ** 2 - one) * values.inv() * B + C * (one - decay**2) * values.inv() * C
    inverse = (one + integrals / 4).to_DM(field=True).inv()
    left, right = ((growing + sign * falling).to_DM(field=True) for sign in (1, -1))
    product = left.unify(inverse)[0] * left.unify(inverse)[1]
    return (product.unify(right)[0] * product.unify(right)[1].transpose()).to_Matrix()


@paper.claim(
    "Beyond: the end of two modes with the other sign, an example",
    rests_on=["theorem_31_for_every_balanced_start", "other_sign_never_arrives"],
)
def smaller_mode_is_not_learned() -> Certificate:
    """With two modes s_1 > s_2, from W1 = I and W2 = [0, 1; 1, 0], W2 W1 ends at diag(s_1, 0): the larger mode is learned and the smaller
    one is not."""
    end = sp.diag(lower + gap, 0)
    function = function_from_an_exchange()
    return prove.every(*(prove.limit(entry, [ratio, later], value) for entry, value in zip(function, end, strict=True)))


# --- N_i different from N_o ---------------------------------------------------------------------------------------------------

null = Letter("x", "N_m", 1)
OUTPUTS_COMPLETE = [(U @ U.T, identity("N_o")), (Ut @ Ut.T, identity("N_o"))]


@paper.claim(["Beyond: B for N_i > N_o", "Assumption 3.1, for N_i > N_o, where it fails"])
def kernel_of_the_overlap() -> Certificate:
    """For N_i > N_o and full rank, B x = 0 needs V (U'Ut x) = -Vt x: the two sets of right singular vectors, N_o directions each among N_i, have
    to share a direction, with the coefficients that U'Ut gives."""
    return prove.words(
        norm2(Vt @ null + V @ U.T @ Ut @ null), 0, [((U.T @ Ut + V.T @ Vt) @ null, 0), *OUTPUTS_COMPLETE], MIRRORED
    )


MIRRORED: list[dict[str, Any]] = [
    {
        "dims": {"N_i": 2, "N_o": 1, "N_m": 1},
        "matrices": {
            "U": [["1"]], "U_t": [[sign]], "V": [["3/5"], ["4/5"]], "V_t": [[f"{-3 * int(sign)}/5"], [f"{-4 * int(sign)}/5"]],
            "x": [["1"]],
        },
    }
    for sign in ("1", "-1")
]  # fmt: skip
"""Two inputs, one output, the start opposite to the task."""


@paper.claim(
    "Assumption 3.1, always met for N_i different from N_o",
    expect=Verdict.REFUTED,
    corrected_by="kernel_of_the_overlap",
)
def overlap_of_unequal_dimensions_has_an_inverse() -> Certificate:
    """For N_i > N_o and full rank B always has an inverse: B x = 0 only for x = 0."""
    return prove.words(norm2(null), 0, [((U.T @ Ut + V.T @ Vt) @ null, 0), *OUTPUTS_COMPLETE], MIRRORED)
