"""Section 6: revised classes and hierarchies, and what old knowledge is worth for a new task."""

from derivations.papers.braun_2022.setup import *
from derivations.papers.braun_2022.section_4 import ITEMS, gains, similarity
from derivations.papers.braun_2022.section_6_tasks.reversal import partial_reversal_ends_on_a_saddle

# The singular vectors of a task of full rank, with as many inputs as outputs.
U, V = letters("U: N x N, V: N x N", orthonormal_columns=True)
differences = letters("D: N x pairs")
PAIRS = [(differences.T @ differences, 2 * identity("pairs"))]  # one column e_i - e_j for each of the swapped pairs
one = identity("N")
swap = one - differences @ differences.T
other = letters("y: N")

def three_classes(orthogonal):
    """Two of three classes change places, or all of them; the vector is orthogonal to the difference."""
    matrices = {"U": [["2/3", "2/3", "1/3"], ["1/3", "-2/3", "2/3"], ["-2/3", "1/3", "2/3"]],
        "V": [["3/5", "-4/5", "0"], ["4/5", "3/5", "0"], ["0", "0", "1"]],
        "D": [["1"], ["-1"], ["0"]], "P": [["0", "1", "0"], ["0", "0", "1"], ["1", "0", "0"]],
        "y": [[entry] for entry in orthogonal]}
    return {"dims": {"N": 3, "pairs": 1}, "matrices": matrices}

THREE_CLASSES = [three_classes(["5", "-1", "1"]), three_classes(["7", "-1", "2"])]

def swap_reverses_pairs(overlap, vectors):
    """B vanishes on the differences of the swapped pairs and is 2 on all that is orthogonal to them."""
    coordinates = vectors.T @ differences
    return [same(swap @ swap, one, PAIRS), same(overlap @ coordinates, 0, PAIRS, among=THREE_CLASSES),
        same(coordinates.T @ coordinates, 2 * identity("pairs"), PAIRS, among=THREE_CLASSES),
        same(overlap @ other, 2 * other, [(coordinates.T @ other, 0)], among=THREE_CLASSES)]

cycle = letters("P: N x N", orthonormal_columns=True)  # Classes that change places
IN_THREES = [(cycle @ cycle @ cycle, one)]
overlap, inverse = U.T @ (cycle @ U) + V.T @ V, U.T @ (one - cycle + cycle @ cycle) @ U / 2
paper.states("swaps_make_b_singular",
    ["Section 6, B in the case of swapped classes", "Section 6, B in the case of swapped items"],
    "If k pairs of outputs, or of inputs, change places in a task of full rank, N_i = N_o, then B = U'P U + I, or I + "
    "V'P V, is zero on the k differences of the swapped pairs, in singular vectors' coordinates, and 2 on what is "
    "orthogonal to them. Cycles of three do no harm: if P^3 = I, then U'P U + I has the inverse U'(I - P + P^2) U/2.",
    lambda: [swap_reverses_pairs(U.T @ (swap @ U) + V.T @ V, U), swap_reverses_pairs(U.T @ U + V.T @ (swap @ V), V),
        same(overlap @ inverse, one, IN_THREES), same(inverse @ overlap, one, IN_THREES)])

strength = letters("s", positive=True)
partners = V @ U.T @ differences  # what the inputs of the swapped classes have in common with their differences
kept_part = (U @ V.T - differences @ partners.T / 2) * strength
reversed_part = differences @ partners.T * strength / 2
paper.states("swapped_classes_are_a_partial_reversal: partial_reversal_ends_on_a_saddle",
    "Section 6, reversal learning, swapped classes of one size",
    "If all singular values of the task are s, as with equally many items in each class, a swap of k pairs of classes "
    "reverses k modes: the old task s U V' is a kept part plus s D D'U V'/2, the new one that part minus it. The kept "
    "part, where the network ends, has the squared size s^2 (N - k).",
    lambda: [same(swap @ (U @ V.T) * strength, kept_part - reversed_part),
        same(kept_part + reversed_part, U @ V.T * strength), same(partners.T @ partners, 2 * identity("pairs"), PAIRS),
        same(kept_part @ partners, 0, PAIRS), same(kept_part.T @ differences, 0, PAIRS),
        same(norm2(kept_part), strength * strength * (trace(one) - trace(identity("pairs"))), PAIRS)],
    needs={"the_classes_that_stay": lambda: same(norm2(kept_part), 0, PAIRS)})

# The similarity of an item with itself, its neighbour, its cousins and all others.
c0, c1, c2, c3 = (sp.Add(*gains[level:]) for level in range(4))
# Bases for the items below one node.
HAAR = {1: [[1]], 2: [[1, 1], [1, -1]], 4: [[1, 1, 1, 1], [1, 1, -1, -1], [1, -1, 0, 0], [0, 0, 1, -1]]}
# The squared singular value of the mode that tells a node from its neighbour.
STRENGTHS = {1: c0 - c1, 2: c0 + c1 - 2 * c2, 4: c0 + c1 + 2 * c2 - 4 * c3}

def swapped_nodes(below):
    """The first node on a level changes places with its neighbour, along with all items below them."""
    return Matrix([[int(i == (j ^ below if j < 2 * below else j)) for j in ITEMS] for i in ITEMS])

def level_is_reversed(below):
    """Each difference between the two nodes is a mode of the tree and changes its sign; one for each pair of items."""
    for inner in HAAR[below]:
        mode = Matrix([*inner, *(-x for x in inner), *[0] * (8 - 2 * below)])
        support = sum(x != 0 for x in inner)
        strength_of = STRENGTHS[below] if all(x == 1 for x in inner) else STRENGTHS[support // 2]
        yield same(product(similarity, mode), strength_of * mode)
        yield same(product(swapped_nodes(below), mode), -mode)
    yield same(sp.Add(*swapped_nodes(below).diagonal(), evaluate=False), len(ITEMS) - 2 * len(HAAR[below]))

@paper.claim("Section 6, swapping two neighbouring nodes on any level of the hierarchy",
    quote="If the revision involves swapping two neighbouring nodes on any level of the hierarchy, e.g. the identity of the two fish on "
    "the lowest level of the hierarchy (Fig. 6C, top), the task is identical to reversal learning",
    rests_on="partial_reversal_ends_on_a_saddle swaps_make_b_singular")
def swapped_nodes_reverse_modes():
    """In a tree with eight items, a swap of two neighbouring nodes with 1, 2 or 4 items below each reverses exactly as
    many modes: the differences between the nodes are singular vectors of the task, and change sign."""
    yield from (level_is_reversed(below) for below in HAAR)
    yield partial_reversal_ends_on_a_saddle()

paper.states("swapped_nodes_reverse_everything",
    "Section 6, the task is identical to reversal learning, read of all modes",
    "A swap of two neighbouring nodes turns the task of a tree into its opposite.",
    lambda: same(product(similarity, swapped_nodes(1)), -similarity), corrected_by="swapped_nodes_reverse_modes")

# The start of an aligned mode, exp(-2 s t), and amounts by which one start exceeds another.
v0, ahead, E = reals("v0 ahead E > 0")

def learned(start):
    """An aligned mode of the task s, from the start."""
    return s * start / (start + (s - start) * E)

lead = learned(v0 + ahead) - learned(v0)
value = reals("value")
paper.states("old_knowledge_of_the_same_modes_helps", "Section 6, structured knowledge does not speed up learning",
    "Knowledge of the task's own modes is a lead that lasts: from v0, an aligned mode solves dv = 2 v (s - v) as s "
    "v0/(v0 (1 - E) + s E), E = e^(-2 s t), and from v0 + a it is ahead by s^2 a E/(v0 (v0 + a)) in the end.",
    lambda: [solves({value: 2 * value * (s - value)}, {value: learned(v0).subs(E, exp(-2 * s * t))}, {value: v0}, t),
        same(lead, s**2 * ahead * E / ((v0 * (1 - E) + s * E) * ((v0 + ahead) * (1 - E) + s * E))),
        tends(lead / E, [E], s**2 * ahead / (v0 * (v0 + ahead)))],
    quote="In summary, having incorporated structured knowledge before revision does not speed up or even slows down learning in comparison to learning from random zero-balanced weights.",
    needs={"knowledge_of_other_modes": lambda: tends(lead / E, [E], 0)})

excess, bound, half_time = learned(s + ahead) - s, s * E / (1 - E), (s - v0) / v0
paper.states("large_starts_need_bounded_time: old_knowledge_of_the_same_modes_helps",
    "Section 6, sped up by large zero-balanced weights",
    "From every start s + a an aligned mode is above s by s a E/(a (1 - E) + s), E = e^(-2 s t), less than s E/(1 - "
    "E): the time to come near s is bounded. From v0 it is half learned at e^(2 s t) = (s - v0)/v0, about s/v0.",
    lambda: [same(excess, s * ahead * E / (ahead * (1 - E) + s)),
        same(bound - excess, s**2 * E / ((1 - E) * (ahead * (1 - E) + s))),
        same(Subs(learned(v0), E, 1 / half_time).xreplace(without_signs(E)), s / 2), tends(v0 * half_time, [v0], s)],
    quote="Importantly, from Theorem 3.2 it follows, that the learning process can be sped up significantly by initialising from large zero-balanced weights")
