"""What the abstract and sections 4, 5 and 7 say besides their theorems: task-agnostic starts, small and large ones, and the tree."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import sympy as sp

from derivations import prove
from derivations.language.words import Letter, identity
from derivations.language.words.blocks import Blocks
from derivations.models.two_layer_linear import W1, W2, Sigma, Ut, Vt
from derivations.papers.braun_2022.section_3_solution.long_time import Q_start, overlap_holds_the_growing_parts
from derivations.papers.braun_2022.section_3_solution.theorem_32 import a as strength
from derivations.papers.braun_2022.section_3_solution.theorem_32 import across, angle, tilted
from derivations.papers.braun_2022.section_3_solution.theorem_32 import fade as slow_fade
from derivations.papers.braun_2022.section_5_decoupling.peak import D, alpha, below, fade, gamma, trace
from derivations.papers.braun_2022.section_5_decoupling.theorem_51 import in_task_basis
from derivations.papers.braun_2022.section_6_tasks.revising import ITEMS, gains, similarity
from derivations.papers.braun_2022.setup import a1, a2, b, paper, s, s1
from derivations.papers.braun_2022.source.vocabulary import A
from derivations.prove import Certificate, Verdict

# --- "task-agnostic" ----------------------------------------------------------------------------------------------------

turn = Letter("R", "N_o", "N_o", symmetric=True, orthonormal_columns=True)
"""The reflection of one output."""

on_task, on_mirror, task_det = sp.symbols("p p_mirror q", real=True)
"""det(W2 W1) while the task is trained, while its mirror image is, and det(Sigma)."""


@paper.claim(
    "Section 4, task-agnostic, a task and its mirror image",
    rests_on=["determinant_keeps_its_sign", "different_signs_make_overlap_singular"],
)
def mirror_tasks_need_different_starts() -> Certificate:
    """For N_i = N_o and full rank, the task R Sigma with one output reflected, det R = -1, has the same singular values and
    the determinant -det(Sigma), while det(W2 W1) keeps the sign of the start. Where the signs differ the distance of
    det(W2 W1) from that of the task is more than |det(Sigma)|: each start fails on one of the two tasks."""
    return prove.chain(
        "det(W2 W1) stays away from the determinant of a task or from that of its mirror image",
        "determinants multiply",
        products=prove.every(
            prove.words(turn @ (turn @ Sigma), Sigma), prove.words((turn @ Sigma).T @ (turn @ Sigma), Sigma.T @ Sigma)
        ),
        numbers=prove.every(
            prove.inequality((on_task - task_det) ** 2 > task_det**2, assuming=[on_task * task_det < 0]),
            prove.inequality((on_mirror + task_det) ** 2 > task_det**2, assuming=[on_mirror * task_det > 0]),
        ),
    )


@paper.claim(
    ["Section 4, task-agnostic, independent of the task structure", "Abstract, task-independent initialisations"],
    expect=Verdict.REFUTED,
    corrected_by="mirror_tasks_need_different_starts",
)
def one_start_learns_mirror_tasks() -> Certificate:
    """For N_i = N_o some balanced start of full rank learns a task of full rank and the same task with one output
    reflected: as good a start for one as for the other."""
    return prove.contrary(
        "det(W2 W1) keeps its sign, and the two tasks have determinants of different sign",
        mirror_tasks_need_different_starts(),
    )


# --- where starts of the other sign end ----------------------------------------------------------------------------------

first_V = Letter("V_a", "N_i", "N_a", orthonormal_columns=True)
first_U = Letter("U_a", "N_o", "N_a", orthonormal_columns=True)
largest = Blocks([[first_V], [first_U]])
grip = (largest.T @ Q_start).only
right_inverse = Letter("K", "N_h", "N_a")


@paper.claim(
    "Beyond: starts with the other sign learn all modes but the smallest",
    rests_on=["long_time_limit", "what_is_learned", "different_signs_make_overlap_singular"],
)
def other_sign_misses_the_smallest_mode() -> Certificate:
    """Let V_a and U_a be the singular vectors of some largest singular values, the next one being smaller. If
    T = [V_a; U_a]'Q(0) has an inverse K from the right, the columns 2 Q(0) K are [V_a; U_a] and parts orthogonal to it,
    of lower eigenvalues: these modes are learned. For N_i = N_o and a B with one zero singular value, N - 1 modes meet
    this unless T loses rank, and the column with B'y = 0 leaves nothing: the smallest mode alone is missed."""
    columns = 2 * (Q_start @ right_inverse)
    return prove.every(
        prove.words((largest.T @ (columns - largest)).only, 0, [(grip @ right_inverse, identity("N_a"))], [GRIPPED]),
        overlap_holds_the_growing_parts(),
    )


GRIPPED: dict[str, Any] = {
    "dims": {"N_i": 2, "N_o": 2, "N_h": 2, "N_a": 1},
    "matrices": {
        "V_a": [["1"], ["0"]], "U_a": [["1"], ["0"]], "Q_i": [["1", "0"], ["0", "1"]], "Q_o": [["1", "0"], ["0", "-1"]],
        "K": [["1/2"], ["0"]],
    },
}  # fmt: skip
"""Two modes, the smaller one opposed to the task."""

# --- "fast exponential trajectories" of large starts ---------------------------------------------------------------------

overlap, inverse_strength = sp.symbols("overlap inverse_strength", positive=True)
"""B of two inputs and one output, one plus the cosine between start and task; one over the singular value of the start."""

opposed = {angle: overlap - 1, across: sp.sqrt(overlap * (2 - overlap)), strength: 1 / inverse_strength}
along_both = (1 - ((1 - angle) / (1 + angle)) ** 2 * slow_fade**4) / tilted
"""W2 W1 along the task's input direction, from equations 11 and 12."""

FADES = [slow_fade < 1]


def largest_start_near_the_opposite(value: sp.Expr) -> Certificate:
    """At a fixed time, from starts that grow without bound and come close to the opposite of the task."""
    course = sp.together(along_both.subs(opposed))
    return prove.limit(course, [inverse_strength, overlap], value, assuming=FADES)


@paper.claim(
    "Section 7, large initialisations lead to exponential learning curves, close to the opposite",
    rests_on=["theorem_31"],
)
def large_starts_can_wait_at_the_saddle() -> Certificate:
    """With two inputs and one output, from balanced starts that grow without bound and whose overlap B with the task
    goes to zero, the network function along the task tends to -s f/(1 - f) at every fixed time t > 0, f = e^(-2 s t):
    it has the wrong sign and rises to zero, however large the start is."""
    return largest_start_near_the_opposite(-s * slow_fade**2 / (1 - slow_fade**2))


@paper.claim(
    ["Abstract, fast exponential trajectories, every large start", "Section 4, Figure 3F, every large balanced start"],
    expect=Verdict.REFUTED,
    corrected_by="large_starts_can_wait_at_the_saddle",
)
def every_large_start_is_fast() -> Certificate:
    """Balanced starts that are large enough are fast whatever their overlap with the task: with two inputs and one output
    the network function along the task is at s/(1 - f), f = e^(-2 s t), as from large aligned starts."""
    return largest_start_near_the_opposite(s / (1 - slow_fade**2))


# --- "without incorporating their fine-scale structure" ------------------------------------------------------------------

rare, kept, aligned, lowered = sp.symbols("rare kept aligned lowered", positive=True)
"""One over the logarithm of one over the size of the start; size e^(2 s1 t); a1, and r = D/a2 = a1 - b^2/a2."""


def weaker_mode(start: sp.Expr) -> sp.Expr:
    return kept * start / (1 + kept * start / s1)


@paper.claim(
    "Abstract, previous solutions described learning without the fine-scale structure",
    rests_on=["weaker_mode_of_small_starts", "stronger_mode_of_small_starts"],
)
def fine_structure_shifts_one_time() -> Certificate:
    """For s2 > s1 and vanishing starts the solution without coupling gives the weaker mode the start a1 in place of
    r = a1 - b^2/a2: the mode is half learned at size e^(2 s1 t) = s1/r, not s1/a1. The two times differ by the constant
    ln(a1/r)/(2 s1), while their ratio tends to one."""
    half = s1 / lowered
    times = [(1 / rare + sp.log(s1 / start)) / (2 * s1) for start in (lowered, aligned)]
    return prove.every(
        prove.identity(weaker_mode(lowered).subs(kept, half), s1 / 2),
        prove.identity(weaker_mode(aligned).subs(kept, s1 / aligned), s1 / 2),
        prove.identity(times[0] - times[1], sp.log(aligned / lowered) / (2 * s1)),
        prove.limit(times[0] / times[1], [rare], 1),
    )


late, root = sp.symbols("late root", positive=True)
"""e^(-2 s t) over the size of the start, and the root of D."""

TWO_MODES = {a1: aligned, a2: (root**2 + b**2) / aligned}
learned = (late * a1 + D / s) / (late**2 + late * (a1 + a2) / s + D / s**2)


@paper.claim(
    "Abstract, previous solutions described learning without the fine-scale structure, equal singular values",
    expect=Verdict.REFUTED,
    corrected_by="diagonal_of_small_starts",
    rests_on=["diagonal_of_small_starts"],
)
def equal_modes_ignore_the_fine_structure() -> Certificate:
    """For equal singular values and vanishing starts, too, a1 is learned as without coupling: while e^(-2 s t) is l times
    the size, its course is a1/(l + a1/s)."""
    return prove.identity(learned.subs(TWO_MODES), aligned / (late + aligned / s))


# --- the height of the peak ----------------------------------------------------------------------------------------------

root_alpha, root_gamma = sp.symbols("root_alpha root_gamma", positive=True)
beta = trace / s - 2 * D / s**2
middle = sp.Symbol("beta", real=True)
first, second = sp.symbols("a1_peak a2_peak", positive=True)
size = sp.Symbol("size", positive=True)
SMALL = {a1: size * a1, a2: size * a2, b: size * b}


@paper.claim("Section 5, the height of the peak, equal singular values", rests_on=["peak_time"])
def peak_height() -> Certificate:
    """For equal singular values b is e^(-2 s t) b(0) over alpha e^(-4 s t) + beta e^(-2 s t) + gamma with
    beta = (a1 + a2)/s - 2 D/s^2, which at e^(-2 s t) = sqrt(gamma/alpha) is b(0)/(beta + 2 sqrt(alpha gamma)). As
    a1 + a2 = s there, and b^2 < a1 a2, the peak is always lower than s/2. For a start of vanishing size its height tends
    to s b/(a1 + a2 + 2 sqrt(D))."""
    at = root_gamma / root_alpha
    quadratic = root_alpha**2 * at**2 + middle * at + root_gamma**2
    exact = size * b / (beta + 2 * sp.sqrt(alpha * gamma)).subs(SMALL, simultaneous=True)
    return prove.every(
        prove.identity(below, alpha * fade**2 + beta * fade + gamma),
        prove.identity(
            at * b / quadratic, b / (middle + 2 * root_alpha * root_gamma), assuming=[middle + root_alpha > 0]
        ),
        prove.implies([sp.Eq(first + second, s), first * second > b**2], s**2 / 4 > b**2),
        prove.limit(exact.subs(TWO_MODES), [size], (s * b / (trace + 2 * root)).subs(TWO_MODES)),
    )


# --- theorem 5.1 on inputs that are not white ----------------------------------------------------------------------------

correlation = Letter("S_xx", "N_i", "N_i", symmetric=True)
BOTH_COMPLETE = [(Vt @ Vt.T, identity("N_i")), (Ut @ Ut.T, identity("N_o"))]
ONE_TWO = [["1", "0"], ["0", "1"]]
COLOURED: dict[str, Any] = {
    "dims": {"N_i": 2, "N_o": 2, "N_m": 2, "N_h": 2},
    "matrices": {
        "U_t": ONE_TWO, "V_t": ONE_TWO, "S_t": ONE_TWO, "A": [["1", "1"], ["0", "1"]], "S_xx": [["1", "0"], ["0", "2"]],
    },
}  # fmt: skip
"""Two inputs of different variance, as many outputs, and a task of full rank."""


def layers_ask_for_one_rate(assuming: Any) -> Certificate:
    error = Sigma - W2 @ W1 @ correlation
    by_first, by_second = in_task_basis(W2.T @ error) @ Vt, in_task_basis(error @ W1.T).T @ Ut
    return prove.words(by_first, by_second, assuming, [COLOURED])


@paper.claim(
    "Theorem 5.1, without assumption 2.2",
    expect=Verdict.REFUTED,
    corrected_by="ansatz_persists_where_correlations_commute",
)
def layers_agree_on_any_inputs() -> Certificate:
    """With assumptions 2.1 and 2.4, so that Ut and Vt are square, both layers of the ansatz W1 = A Vt', W2 = Ut A' ask for
    one rate of A for inputs that are not white too."""
    return layers_ask_for_one_rate(BOTH_COMPLETE)


@paper.claim("Theorem 5.1, without assumption 2.2, corrected")
def ansatz_persists_where_correlations_commute() -> Certificate:
    """With T = Vt' S_xx Vt the layers ask for the rates A (St - A'A T) and A (St - T A'A): they agree where A'A and T
    commute."""
    turned = Vt.T @ correlation @ Vt
    commute = (A.T @ A @ turned, turned @ A.T @ A)
    error = Sigma - W2 @ W1 @ correlation
    St = Ut.T @ in_task_basis(Sigma) @ Vt
    return prove.every(
        prove.words(in_task_basis(W2.T @ error) @ Vt, A @ (St - A.T @ A @ turned)),
        prove.words(in_task_basis(error @ W1.T).T @ Ut, A @ (St - turned @ A.T @ A)),
        prove.words(A @ (St - A.T @ A @ turned), A @ (St - turned @ A.T @ A), [commute], [COMMUTING]),
    )


COMMUTING: dict[str, Any] = {
    "dims": {"N_i": 2, "N_o": 2, "N_m": 2, "N_h": 2},
    "matrices": {
        "U_t": ONE_TWO, "V_t": ONE_TWO, "S_t": ONE_TWO, "A": [["1", "0"], ["0", "3"]], "S_xx": [["1", "0"], ["0", "2"]],
    },
}  # fmt: skip

# --- the tree of section 4 -----------------------------------------------------------------------------------------------

steps = sp.symbols("d0:4", positive=True)
"""The singular value of the lowest level, and by how much each higher one is above the one below it."""

levels = [sp.Add(*steps[: level + 1]) for level in range(4)]


def shared(values: list[sp.Expr]) -> list[sp.Expr]:
    """What two items have in common on each level, from the eigenvalues on all levels, the lowest first."""
    return [values[0], *((high - low) / 2**k for k, (low, high) in enumerate(pairwise(values), 1))]


by_level = [sp.Add(*shared(levels)[level:]) for level in range(4)]
representation = sp.Matrix([[by_level[(i ^ j).bit_length()] for j in ITEMS] for i in ITEMS])
"""Vt St Vt' of a tree with three levels."""


@paper.claim("Section 4, the representational similarity reveals the structure", rests_on=["theorem_32"])
def similarity_follows_the_tree() -> Certificate:
    """For eight items on a tree with three levels Vt St Vt', the root of Sigma' Sigma, is a tree as well: each item is most
    similar to itself, then to its neighbour, then to its cousins and least to all others."""
    squared = dict(zip(gains, shared([value**2 for value in levels]), strict=True))
    return prove.every(
        prove.identity(representation**2, similarity.subs(squared, simultaneous=True)),
        *(prove.positive(near - far) for near, far in pairwise(by_level)),
    )
