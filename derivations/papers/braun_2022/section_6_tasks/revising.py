"""Section 6: revised classes and hierarchies, and what old knowledge is worth for a new task."""

from __future__ import annotations

from typing import Any

import sympy as sp

from derivations import prove
from derivations.language.words import Letter, Words, identity, norm2, trace
from derivations.papers.braun_2022.section_6_tasks.reversal import partial_reversal_ends_on_a_saddle
from derivations.papers.braun_2022.setup import paper, s, t
from derivations.prove import Certificate, Verdict

# --- swapped classes --------------------------------------------------------------------------------------------------

U, V = Letter("U", "N", "N", orthonormal_columns=True), Letter("V", "N", "N", orthonormal_columns=True)
"""The singular vectors of a task of full rank, with as many inputs as outputs."""

differences = Letter("D", "N", "pairs")
PAIRS = (differences.T @ differences, 2 * identity("pairs"))
"""One column e_i - e_j for each of the swapped pairs."""

ONE_PAIR: dict[str, Any] = {
    "dims": {"N": 2, "pairs": 1},
    "matrices": {
        "U": [["1", "0"], ["0", "1"]], "V": [["1", "0"], ["0", "1"]], "D": [["1"], ["-1"]], "s": [["1"]],
        "y": [["1"], ["1"]],
    },
}  # fmt: skip
TWO_PAIRS: dict[str, Any] = {
    "dims": {"N": 5, "pairs": 2},
    "matrices": {
        "U": [[str(int(i == j)) for j in range(5)] for i in range(5)],
        "V": [["3/5", "4/5", "0", "0", "0"], ["-4/5", "3/5", "0", "0", "0"], ["0", "0", "1", "0", "0"],
              ["0", "0", "0", "0", "1"], ["0", "0", "0", "1", "0"]],
        "D": [["1", "0"], ["-1", "0"], ["0", "1"], ["0", "-1"], ["0", "0"]], "s": [["2"]],
        "y": [["1"], ["1"], ["-2"], ["-2"], ["3"]],
    },
}  # fmt: skip
SWAPS = [ONE_PAIR, TWO_PAIRS]

swap = identity("N") - differences @ differences.T
other = Letter("y", "N", 1)


def swap_reverses_pairs(overlap: Words, vectors: Words) -> Certificate:
    """B vanishes on the differences of the swapped pairs and is 2 on all that is orthogonal to them."""
    coordinates = vectors.T @ differences
    return prove.every(
        prove.words(swap @ swap, identity("N"), [PAIRS], SWAPS),
        prove.words(overlap @ coordinates, 0, [PAIRS], SWAPS),
        prove.words(coordinates.T @ coordinates, 2 * identity("pairs"), [PAIRS], SWAPS),
        prove.words(overlap @ other, 2 * other, [(coordinates.T @ other, 0)]),
    )


@paper.claim("Section 6, B in the case of swapped classes")
def swapped_classes_make_b_singular() -> Certificate:
    """If k pairs of outputs change places in a task of full rank, N_i = N_o, then B = U' P U + I is zero on the k differences of the swapped
    pairs, in the singular vectors' coordinates, and 2 on what is orthogonal to them: U'Ut Vt'V has the eigenvalue -1 with multiplicity k."""
    return swap_reverses_pairs(U.T @ (swap @ U) + V.T @ V, U)


@paper.claim(["Section 6, B in the case of swapped items", "Section 6, swapping two neighbouring nodes"])
def swapped_items_make_b_singular() -> Certificate:
    """If k pairs of items, that is of inputs, change places in a task of full rank, N_i = N_o, then B = I + V' P V is zero on the k differences of
    the swapped pairs, in the singular vectors' coordinates, and 2 on what is orthogonal to them."""
    return swap_reverses_pairs(U.T @ U + V.T @ (swap @ V), V)


strength = Letter("s", 1, 1, positive=True)
partners = V @ U.T @ differences
"""What the inputs of the swapped classes have in common with their differences."""

swapped_task = swap @ (U @ V.T) * strength
kept_part = (U @ V.T - differences @ partners.T / 2) * strength


@paper.claim(
    "Section 6, reversal learning, swapped classes of one size", rests_on=["partial_reversal_ends_on_a_saddle"]
)
def swapped_classes_are_a_partial_reversal() -> Certificate:
    """If all singular values of the task are s, as with equally many items in each class, a swap of k pairs of classes reverses k modes and
    keeps the others: the old task s U V' is the kept part plus s D D' U V'/2, the new one is the kept part minus it, and both have orthogonal
    inputs and outputs. The network ends at the kept part, whose squared size is s^2 (N - k)."""
    reversed_part = differences @ partners.T * strength / 2
    left = strength * strength * (trace(identity("N")) - trace(identity("pairs")))
    return prove.every(
        prove.words(swapped_task, kept_part - reversed_part),
        prove.words(kept_part + reversed_part, U @ V.T * strength),
        prove.words(partners.T @ partners, 2 * identity("pairs"), [PAIRS], SWAPS),
        prove.words(kept_part @ partners, 0, [PAIRS], SWAPS),
        prove.words(kept_part.T @ differences, 0, [PAIRS], SWAPS),
        prove.words(norm2(kept_part), left, [PAIRS], SWAPS),
    )


@paper.claim(
    "Section 6, converge to zero, swapped classes",
    expect=Verdict.REFUTED,
    corrected_by="swapped_classes_are_a_partial_reversal",
    rests_on=["partial_reversal_ends_on_a_saddle"],
)
def swapped_classes_end_at_zero() -> Certificate:
    """When the labels of two classes change places, the network function converges to zero, where s U V' was learned before."""
    return prove.words(norm2(kept_part), 0, [PAIRS], SWAPS)


cycle = Letter("P", "N", "N", orthonormal_columns=True)
"""Classes that change places."""

IN_THREES = (cycle @ cycle @ cycle, identity("N"))
CYCLE: dict[str, Any] = {
    "dims": {"N": 3},
    "matrices": {
        "P": [["0", "0", "1"], ["1", "0", "0"], ["0", "1", "0"]],
        "U": [["1", "0", "0"], ["0", "3/5", "4/5"], ["0", "-4/5", "3/5"]],
        "V": [["1", "0", "0"], ["0", "1", "0"], ["0", "0", "1"]],
    },
}  # fmt: skip


@paper.claim("Beyond: three classes in a cycle", rests_on=["theorem_32"])
def cycle_of_three_keeps_b_invertible() -> Certificate:
    """If classes change places in cycles of three, P^3 = I, then B = U' P U + I has the inverse U' (I - P + P^2) U/2, so that the
    network learns the new task."""
    overlap = U.T @ (cycle @ U) + V.T @ V
    inverse = U.T @ (identity("N") - cycle + cycle @ cycle) @ U / 2
    return prove.every(
        prove.words(overlap @ inverse, identity("N"), [IN_THREES], [CYCLE]),
        prove.words(inverse @ overlap, identity("N"), [IN_THREES], [CYCLE]),
    )


@paper.claim(
    "Section 6, B in the case of any exchange of classes",
    expect=Verdict.REFUTED,
    corrected_by="cycle_of_three_keeps_b_invertible",
)
def exchange_always_makes_b_singular() -> Certificate:
    """Whenever classes change places, B is not invertible."""
    return prove.contrary(
        "where three classes change places in a cycle, B has an inverse", cycle_of_three_keeps_b_invertible()
    )


# --- a hierarchy of eight items ---------------------------------------------------------------------------------------

gains = sp.symbols("q0:4", positive=True)
"""What two items have in common on each level on which one node stands above both, the lowest level first."""

c0, c1, c2, c3 = (sp.Add(*gains[level:]) for level in range(4))
"""The similarity of an item with itself, its neighbour, its cousins and all others."""

ITEMS = range(8)
similarity = sp.Matrix([[(c0, c1, c2, c3)[(i ^ j).bit_length()] for j in ITEMS] for i in ITEMS])
"""Sigma' Sigma of a tree with three levels, by the level on which two items meet."""

HAAR = {
    1: [[1]],
    2: [[1, 1], [1, -1]],
    4: [[1, 1, 1, 1], [1, 1, -1, -1], [1, -1, 0, 0], [0, 0, 1, -1]],
}
"""Bases for the items below one node."""


def reversed_modes(below: int) -> list[sp.Matrix]:
    """The differences between two neighbouring nodes, in the bases of the items below them."""
    return [sp.Matrix([*basis, *(-x for x in basis), *[0] * (8 - 2 * below)]) for basis in HAAR[below]]


def swapped_nodes(below: int) -> sp.Matrix:
    """The first node on a level changes places with its neighbour, along with all items below them."""
    return sp.Matrix([[int(i == (j ^ below if j < 2 * below else j)) for j in ITEMS] for i in ITEMS])


STRENGTHS = {1: c0 - c1, 2: c0 + c1 - 2 * c2, 4: c0 + c1 + 2 * c2 - 4 * c3}
"""The squared singular value of the mode that tells a node from its neighbour."""


def level_is_reversed(below: int) -> Certificate:
    """Each difference between the two nodes is a mode of the tree and changes its sign; one for each pair of items."""
    parts = []
    for mode, inner in zip(reversed_modes(below), HAAR[below], strict=True):
        support = sum(x != 0 for x in inner)
        strength_of = STRENGTHS[below] if all(x == 1 for x in inner) else STRENGTHS[support // 2]
        parts.append(prove.identity(tuple(similarity * mode), tuple(strength_of * mode)))
        parts.append(prove.identity(tuple(swapped_nodes(below) * mode), tuple(-mode)))
    parts.append(prove.identity(swapped_nodes(below).trace(), len(ITEMS) - 2 * len(HAAR[below])))
    return prove.every(*parts)


@paper.claim(
    "Section 6, swapping two neighbouring nodes on any level of the hierarchy",
    rests_on=["partial_reversal_ends_on_a_saddle", "swapped_items_make_b_singular"],
)
def swapped_nodes_reverse_modes() -> Certificate:
    """In a tree with eight items, a swap of two neighbouring nodes with 1, 2 or 4 items below each reverses exactly as many modes of the task:
    the differences between the nodes are singular vectors and change sign. The network loses these modes and keeps the others."""
    return prove.every(*(level_is_reversed(below) for below in HAAR), partial_reversal_ends_on_a_saddle())


@paper.claim(
    "Section 6, the task is identical to reversal learning",
    expect=Verdict.REFUTED,
    corrected_by="swapped_nodes_reverse_modes",
)
def swapped_nodes_reverse_everything() -> Certificate:
    """A swap of two neighbouring nodes turns the task of a tree into its opposite."""
    return prove.identity(tuple(similarity * swapped_nodes(1)), tuple(-similarity))


# --- what old knowledge is worth ----------------------------------------------------------------------------------------

v0, ahead, E = sp.symbols("v0 ahead E", positive=True)
"""The start of an aligned mode, exp(-2 s t), and amounts by which one start exceeds another."""


def learned(start: sp.Expr) -> sp.Expr:
    """An aligned mode of the task s, from the start."""
    return s * start / (start + (s - start) * E)


lead = learned(v0 + ahead) - learned(v0)


@paper.claim(
    "Section 6, structured knowledge does not speed up learning, read of knowledge of the task's own modes",
    expect=Verdict.REFUTED,
    corrected_by="old_knowledge_of_the_same_modes_helps",
)
def old_knowledge_never_helps() -> Certificate:
    """A network that knows more of the task from before, v0 + a instead of v0 in an aligned mode, is no nearer to it in the end: its
    lead over e^(-2 s t) goes to zero."""
    return prove.limit(lead / E, [E], 0)


@paper.claim("Section 6, structured knowledge does not speed up learning, corrected")
def old_knowledge_of_the_same_modes_helps() -> Certificate:
    """What is known of the task's own modes is a lead that lasts: from v0, an aligned mode solves dv = 2 v (s - v) as s v0/(v0 (1 - E) + s E),
    E = e^(-2 s t), and from v0 + a it is ahead by s^2 a E over the product of both denominators, which tends to s^2 a E/(v0 (v0 + a))."""
    value = sp.Symbol("value", positive=True)
    course = learned(v0).subs(E, sp.exp(-2 * s * t))
    product = (v0 * (1 - E) + s * E) * ((v0 + ahead) * (1 - E) + s * E)
    return prove.every(
        prove.solves({value: 2 * value * (s - value)}, {value: course}, {value: v0}, t),
        prove.identity(lead, s**2 * ahead * E / product),
        prove.limit(lead / E, [E], s**2 * ahead / (v0 * (v0 + ahead))),
    )


@paper.claim("Section 6, sped up by large zero-balanced weights", rests_on=["old_knowledge_of_the_same_modes_helps"])
def large_starts_need_bounded_time() -> Certificate:
    """From every start s + a, however large, an aligned mode is above s by s a E/(a (1 - E) + s), E = e^(-2 s t), which is less than
    s E/(1 - E) by s^2 E/((1 - E) (a (1 - E) + s)): the time to come near s is bounded."""
    excess = learned(s + ahead) - s
    bound = s * E / (1 - E)
    return prove.every(
        prove.identity(excess, s * ahead * E / (ahead * (1 - E) + s)),
        prove.identity(bound - excess, s**2 * E / ((1 - E) * (ahead * (1 - E) + s))),
    )


@paper.claim(
    "Section 6, sped up by large zero-balanced weights, small starts",
    rests_on=["old_knowledge_of_the_same_modes_helps"],
)
def small_starts_need_long() -> Certificate:
    """From v0 an aligned mode is half learned when e^(2 s t) = (s - v0)/v0, which times v0 tends to s as v0 goes to zero."""
    half_time = (s - v0) / v0
    return prove.every(prove.identity(learned(v0).subs(E, 1 / half_time), s / 2), prove.limit(v0 * half_time, [v0], s))
