"""Section 6: linear attention that learns regression in context (Zhang, Singh, Latham & Saxe 2025), as deep linear networks.

A context has B tokens x ~ N(0, L) in N dimensions, with y = w'x for one w ~ N(0, I); Lh is the average of x x' over it.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from derivations import prove
from derivations.language.averages import covariance, field, mean
from derivations.language.sums import Array, Range, Sums, delta, number, size, total
from derivations.models.committee import B, N, a, b, s, s_other, x
from derivations.models.committee.population import CHANCES, D, chance, over_batches, p
from derivations.models.committee.population import x as drawn
from derivations.papers.solvable_networks.setup import paper
from derivations.prove import Certificate
from derivations.prove.sums import Hypothesis

# --- the second moment of the context's covariance ------------------------------------------------------------------------

c, d = (N.index(name) for name in "cd")
L = Array("L", N, N, symmetric=True)
PAIRINGS = ((a, b, c, d), (a, c, b, d), (a, d, b, c))
SECOND: Hypothesis = (total(chance[p] * drawn[p, a] * drawn[p, b], p), L[a, b])
FOURTH: Hypothesis = (
    total(chance[p] * drawn[p, a] * drawn[p, b] * drawn[p, c] * drawn[p, d], p),
    sum((L[i, j] * L[k, m] for i, j, k, m in PAIRINGS), number(0)),
)
"""The moments of x ~ N(0, L)."""

MOMENTS, square = [SECOND, FOURTH, CHANCES[0]], total(L[a, c] * L[c, b], c)
SQUARED: Sums = size(B) * size(B) * square + size(B) * (square + total(L[c, c], c) * L[a, b])
"""B^2 <Lh^2>."""


TASKS = Range("tasks")
task, likely = Array("w", TASKS, N), Array("chance_w", TASKS)
k = TASKS.index("k")
WHITE: Hypothesis = (total(likely[k] * task[k, a] * task[k, b], k), delta(a, b))
"""Those of w ~ N(0, I)."""


NEAR = ((0, 0), (3, 0), (-3, 0), ("3/2", "3/2"), ("-3/2", "-3/2"))
FAR = ((9, 3), (3, -3), (-3, 3), (-9, -3))
INPUTS = [[str(at) for at in place] for place in (*NEAR, *FAR)]
EXAMPLE: dict[str, Any] = {
    "sizes": {"N": 2, "B": 2, "D": 9, "tasks": 2},
    "arrays": {
        "x": INPUTS, "chance": ["16/81"] * 5 + ["1/324"] * 4, "L": [["5", "1"], ["1", "1"]],
        "w": [["1", "1"], ["1", "-1"]], "chance_w": ["1/2", "1/2"],
    },
}  # fmt: skip
"""Nine inputs with the second and fourth moments of x ~ N(0, L), L = [5, 1; 1, 1], and two tasks."""


@paper.claim("6.1 The moments of a context's covariance (Zhang et al. 2025)")
def squared_covariance_of_a_context() -> Certificate:
    """For x ~ N(0, L), whose fourth moments are L_ab L_cd + L_ac L_bd + L_ad L_bc, <(sum x x')^2> = B^2 L^2 + B (L^2 + tr(L) L), for
    every number B of tokens in every dimension: <Lh^2> = L^2 + (L^2 + tr(L) L)/B, and c l^2 with c = 1 + (1 + N)/B for L = l I."""
    C = covariance("a", "b", "c", "d")
    pairs = (C[0, 1] * C[2, 3], C[0, 2] * C[1, 3], C[0, 3] * C[1, 2])
    squared = over_batches(total(x[s, a] * x[s, c] * x[s_other, c] * x[s_other, b], s, s_other, c))
    return prove.every(
        prove.average(mean(field(0) * field(1) * field(2) * field(3), C), sum(pairs)),
        prove.sums(squared, SQUARED, MOMENTS, [EXAMPLE]),
    )


# --- what attention sees ------------------------------------------------------------------------------------------------

query, e, f = D.index("query"), N.index("e"), N.index("f")
asked = drawn[query, e] * drawn[query, f]


def weighed(of: Sums) -> Sums:
    """The average over queries and tasks."""
    return total(chance[query] * likely[k] * of, query, k)


def answer(at: Any, inputs: Array) -> Sums:
    """w'x."""
    return total(task[k, d] * inputs[at, d], d)


@paper.claim("6.2 The features of attention (Zhang et al. 2025)", rests_on=["squared_covariance_of_a_context"])
def attention_is_linear_in_cubic_features() -> Certificate:
    """Merged attention is a two-layer linear network on the features z = beta x_q', with beta the context's average of y x and the
    query x_q: <z z'> = <Lh^2> (x) L, and <y_q z> = L^2. For L = l I these are c l^3 I and l^2 I, a single mode of l^2 N^(1/2)."""
    one, other = (answer(at, x) * x[at, i] for at, i in ((s, a), (s_other, b)))
    seen = weighed(over_batches(total(one * other, s, s_other)) * asked)
    target = weighed(over_batches(total(one, s)) * answer(query, drawn) * drawn[query, e])
    return prove.every(
        prove.sums(seen, SQUARED * L[e, f], [*MOMENTS, WHITE], [EXAMPLE]),
        prove.sums(target, size(B) * total(L[a, c] * L[c, e], c), [*MOMENTS, WHITE], [EXAMPLE]),
    )


# --- merged keys and queries ----------------------------------------------------------------------------------------------

t = sp.Symbol("t", nonnegative=True)
l, strength, start, spread, inputs = sp.symbols("l s s0 c N", positive=True)
MERGED = 2 * strength * (l**2 * sp.sqrt(inputs) - l**3 * spread * strength)


@paper.claim(
    "6.3 Merged attention is one two-layer mode",
    rests_on=["attention_is_linear_in_cubic_features", "sigmoid_is_the_rich_mode"],
)
def merged_attention_is_a_sigmoid() -> Certificate:
    """ds = 2 s (l^2 N^(1/2) - l^3 c s) is the mode of two layers in the time l^3 c t with the task N^(1/2)/(l c): s is that task times
    E/(E - 1 + task/s0), with E = exp(2 l^2 N^(1/2) t). It is half of it where E = task/s0 - 1, after a wait of
    ln(1/s0)/(2 l^2 N^(1/2)) to leading order."""
    wanted, pace = sp.sqrt(inputs) / (l * spread), 2 * l**2 * sp.sqrt(inputs)
    grown, half = sp.exp(pace * t), sp.log(wanted / start - 1) / pace
    course = wanted * grown / (grown - 1 + wanted / start)
    return prove.every(
        prove.identity(MERGED, l**3 * spread * (2 * strength * (wanted - strength))),
        prove.solves({strength: MERGED}, {strength: course}, {strength: start}, t),
        prove.identity(course.subs(grown, wanted / start - 1), wanted / 2),
        prove.limit(half / (-sp.log(start) / pace), {start: 0}, 1),
    )


# --- separate keys and queries ----------------------------------------------------------------------------------------------

v, key, ask, root, tokens, trace = sp.symbols("v kappa rho k B T", positive=True)


@paper.claim("6.4 Separate keys and queries: three layers", rests_on=["attention_is_linear_in_cubic_features"])
def separate_attention_is_three_layers() -> Certificate:
    """A head with value v, key kappa u and query rho u on a direction u with L u = l u has, up to a constant, the loss
    l^3 c p^2/2 - l^2 p with p = v kappa rho and c = 1 + (1 + tr(L)/l)/B. With equal factors dv = l^2 v^2 - l^3 c v^5."""
    product, many = v * key * ask, 1 + (1 + trace / l) / tokens
    loss = l**3 * spread * product**2 / 2 - l**2 * product
    squared = l**2 + (l**2 + trace * l) / tokens
    equal = sp.Subs(-sp.Derivative(loss, v), (key, ask), (v, v))
    return prove.every(
        prove.identity(l * squared, l**3 * many),
        prove.identity(equal, l**2 * v**2 - l**3 * spread * v**5),
    )


@paper.claim("6.5 The solution and the plateau of separate attention", rests_on=["separate_attention_is_three_layers"])
def separate_attention_waits() -> Certificate:
    """With k^3 = l c, l^2 T = (k/3)(ln(1 + k v + k^2 v^2)/2 - ln(1 - k v) - 3^(1/2) arctan((2 k v + 1)/3^(1/2))) - 1/v grows at the rate
    l^2, v rests at 1/k, and the wait from v0 is 1/(l^2 v0) to leading order, whatever v is."""
    turn = sp.sqrt(3) * sp.atan((2 * root * v + 1) / sp.sqrt(3))
    bent = sp.log(1 + root * v + root**2 * v**2) / 2 - sp.log(1 - root * v) - turn
    passed, known = (root / 3 * bent - 1 / v) / l**2, [root * v < 1]
    first = passed.subs(v, start)
    return prove.every(
        prove.identity(
            sp.Derivative(passed, v) * (l**2 * v**2 - l**3 * spread * v**5), 1, [*known, sp.Eq(root**3, l * spread)]
        ),
        prove.identity(sp.Subs(v**2 - root**3 * v**5, v, 1 / root), 0),
        prove.limit(start * (passed - first), {start: 0}, 1 / l**2, known),
    )
