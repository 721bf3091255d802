"""Contexts of tokens, from which attention learns regression: B tokens x ~ N(0, L), each with y = w'x for one w.

**Symbols.** `L` is the covariance of tokens, `task` the vector w of each of the tasks, and `query` the token that is
asked for. SQUARED is B^2 <Lh^2> with Lh the average of x x' over a context, and `weighed` the average over queries and
tasks. MOMENTS and WHITE are the moments of x ~ N(0, L) and of w ~ N(0, I), and EXAMPLE has both.

**Features.** Of any contexts with the answers y and the features z = beta x_q', beta being the average of y x over a
context, FEATURES are the moments that attention learns from, with <Lh^2> = M; SEEN has them.
"""

from __future__ import annotations

from derivations.language.sums import Array, Index, Range, Sums, delta, size, total
from derivations.models.committee.averages import CHANCES, D, c, chance, d, fourth_moments, p
from derivations.models.committee.averages import x as drawn
from derivations.models.committee.definitions import B, N, a, b
from derivations.models.sampling import Rule

L = Array("L", N, N, symmetric=True)
SECOND: Rule = (total(chance[p] * drawn[p, a] * drawn[p, b], p), L[a, b])
MOMENTS: list[Rule] = [SECOND, fourth_moments(lambda one, other: L[one, other]), CHANCES[0]]
square = total(L[a, c] * L[c, b], c)
SQUARED = size(B) * size(B) * square + size(B) * (square + total(L[c, c], c) * L[a, b])

TASKS = Range("tasks")
task, likely = Array("w", TASKS, N), Array("chance_w", TASKS)
k, query, e, f = TASKS.index("k"), D.index("query"), N.index("e"), N.index("f")
WHITE: Rule = (total(likely[k] * task[k, a] * task[k, b], k), delta(a, b))
NEAR = [["0", "0"], ["3", "0"], ["-3", "0"], ["3/2", "3/2"], ["-3/2", "-3/2"]]
FAR = [["9", "3"], ["3", "-3"], ["-3", "3"], ["-9", "-3"]]
CHANCES_OF_BOTH = ["16/81"] * len(NEAR) + ["1/324"] * len(FAR)
TWO_TASKS = {"w": [["1", "1"], ["1", "-1"]], "chance_w": ["1/2", "1/2"]}
EXAMPLE = {
    "sizes": {"N": 2, "B": 2, "D": 9, "tasks": 2},
    "arrays": {"x": NEAR + FAR, "chance": CHANCES_OF_BOTH, "L": [["5", "1"], ["1", "1"]], **TWO_TASKS},
}
"""Nine inputs with the second and fourth moments of x ~ N(0, L), L = [5, 1; 1, 1], and two tasks."""


def weighed(of: Sums) -> Sums:
    """The average over queries and tasks."""
    return total(chance[query] * likely[k] * of, query, k)


def answer(at: Index, inputs: Array) -> Sums:
    """w'x."""
    return total(task[k, d] * inputs[at, d], d)


CONTEXTS = Range("contexts")
of = CONTEXTS.index("of")
P, mean_square = Array("P", N, N), Array("M", N, N, symmetric=True)
often, wanted_of, feature = Array("chance", CONTEXTS), Array("y", CONTEXTS), Array("z", CONTEXTS, N, N)
FEATURES: list[Rule] = [
    (total(often[of] * wanted_of[of] * wanted_of[of], of), total(L[c, c], c)),
    (total(often[of] * wanted_of[of] * feature[of, a, e], of), total(L[a, c] * L[c, e], c)),
    (total(often[of] * feature[of, a, e] * feature[of, b, f], of), mean_square[a, b] * L[e, f]),
]
FOUR = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
SEEN = {
    "sizes": {"N": 2, "contexts": 4},
    "arrays": {
        "chance": ["1/4"] * 4,
        "y": [str(i + 2) for i, _ in FOUR],
        "z": [[[str(i), str(2 * j)], [str(4 * i * j), "8"]] for i, j in FOUR],
        "P": [["1", "2"], ["3", "5"]],
        "L": [["1", "0"], ["0", "4"]],
        "M": [["1", "0"], ["0", "16"]],
    },
}
