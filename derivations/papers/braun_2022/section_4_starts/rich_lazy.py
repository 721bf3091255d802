"""Sections 3 and 4: numerical stability as far as it is mathematics, and small, large, balanced and unbalanced starts."""

from __future__ import annotations

from itertools import pairwise

import sympy as sp

from derivations import prove
from derivations.papers.braun_2022.section_3_solution.theorem_32 import a, across, along_both, angle, fade, value
from derivations.papers.braun_2022.setup import paper, s, t
from derivations.prove import Certificate

# --- "numerically stable" -------------------------------------------------------------------------------------------------


@paper.sentence(
    "Section 2, equation 5 is often unstable", "Second, when evaluated numerically, it is often unstable."
).claim(rests_on=["fukumizu_solution"])
def equation_5_holds_growing_terms() -> Certificate:
    """For one aligned mode, the bracket of equation 5 is 1 + a (e^(2 s t) - 1)/s and e^(Ft) is e^(st): divided by e^(2 s t) the
    bracket tends to a/s, so that it grows without bound, while QQ', their combination, tends to s."""
    bracket = 1 + a * (fade**-2 - 1) / s
    return prove.every(prove.limit(bracket * fade**2, [fade], a / s), prove.limit(fade**-2 * a / bracket, [fade], s))


near = sp.Symbol("b", positive=True)
"""B of one mode, for two inputs and one output: one plus the cosine between start and task."""
some_number = sp.Symbol("k", real=True)


@paper.sentence(
    "Section 3, numerically stable",
    "As the solution contains only negative exponentials, it is numerically stable and provides high precision across a wide range of learning rates and network architectures (Fig. 2C, D).",
).claim(
    needs={"an_overlap_that_is_not_nearly_singular": lambda: prove.limit(2 / near, [near], some_number)},
    rests_on=["theorem_31"],
)
def negative_exponentials_are_bounded() -> Certificate:
    """In equations 11 and 12 time occurs in e^(-s t), which only decays, and in t e^(-2 s t), whose rate (1 - 2 s t) e^(-2 s t)
    is zero at t = 1/(2 s) only: neither grows without bound. But at the start of one mode Z is 2/B and the bracket is
    4/(a B^2), which grow without bound as B goes to zero, while (2/B)^2 (a B^2/4) stays a."""
    peak, (begun, held) = t * sp.exp(-2 * s * t), sp.symbols("Z_0 K_0", positive=True)
    return prove.every(
        prove.identity(sp.Derivative(sp.exp(-s * t), t), -s * sp.exp(-s * t)),
        prove.identity(sp.Derivative(peak, t), (1 - 2 * s * t) * sp.exp(-2 * s * t)),
        prove.identity(sp.Subs(begun**2 / held, (begun, held), (2 / near, 4 / (a * near**2))), a),
        prove.limit(1 / (2 / near), [near], 0),
        prove.limit(1 / (4 / (a * near**2)), [near], 0),
    )


# --- small and large balanced starts ----------------------------------------------------------------------------------------

course = a * s / (a + (s - a) * sp.exp(-2 * s * t))
faded = sp.Symbol("F", positive=True)
"""exp(-2 s t)."""

mode = a * s / (a + (s - a) * faded)


@paper.claim("Section 4, one aligned mode", rests_on=["riccati_equation"])
def aligned_mode() -> Certificate:
    """An aligned mode of singular value s moves by da = 2 a (s - a), from a it is a s/(a + (s - a) e^(-2 s t)), and the rate of
    its rate is 4 a (s - a)(s - 2 a): it is sigmoidal, with an inflection at s/2, exactly if it starts below s/2. At any
    fixed time a mode from a small start is still small: e^(2 s t) a in the limit of small a."""
    rate = 2 * value * (s - value)
    return prove.every(
        prove.solves({value: rate}, {value: course}, {value: a}, t),
        prove.identity(sp.Derivative(rate, value) * rate, 4 * value * (s - value) * (s - 2 * value)),
        prove.limit(mode, [a], 0),
        prove.limit(mode / a, [a], 1 / faded),
    )


@paper.sentence(
    "Section 7, large initialisations lead to exponential learning curves",
    "and that large initialisations lead to exponential rather than sigmoidal learning curves.",
).claim(
    "Section 4, exponential learning curves, one aligned mode",
    needs={"late_times": lambda: prove.identity(mode - s, (a - s) * faded, assuming=[faded < 1])},
    rests_on=["aligned_mode"],
)
def large_starts_fall_fast() -> Certificate:
    """Above s the distance g of an aligned mode from s falls at the relative rate 2 a, which is more than 2 s and goes down to
    it: from every large start the curve is steeper than the exponential e^(-2 s t) and becomes one. As the start grows
    without bound, the distance tends to s F/(1 - F) with F = e^(-2 s t): finite at every time after zero."""
    huge, gone = sp.symbols("x G", positive=True)
    return prove.every(
        prove.identity(2 * value * (s - value), -2 * value * (value - s)),
        prove.inequality(2 * value > 2 * s, assuming=[value > s]),
        prove.limit(2 * value, {value: s}, 2 * s),
        prove.limit((mode - s).subs({a: 1 / huge, faded: 1 / (1 + gone)}), [huge], s / gone),
    )


overlap, inverse_strength = sp.symbols("overlap inverse_strength", positive=True)
"""B of two inputs and one output, one plus the cosine between start and task; one over the singular value of the start."""


def largest_start_near_the_opposite(goal: sp.Expr) -> Certificate:
    """At a fixed time, from starts that grow without bound and come close to the opposite of the task."""
    opposed = {angle: overlap - 1, across: sp.sqrt(overlap * (2 - overlap)), a: 1 / inverse_strength}
    return prove.limit(sp.together(along_both.subs(opposed)), [inverse_strength, overlap], goal, assuming=[fade < 1])


@paper.claim(
    "Section 7, large initialisations lead to exponential learning curves, close to the opposite",
    needs={"so_much_patience": lambda: largest_start_near_the_opposite(s / (1 - fade**2))},
    rests_on=["theorem_31"],
)
def large_starts_can_wait_at_the_saddle() -> Certificate:
    """With two inputs and one output, from balanced starts that grow without bound and whose overlap B with the task
    goes to zero, the network function along the task tends to -s f/(1 - f) at every fixed time t > 0, f = e^(-2 s t):
    it has the wrong sign and rises to zero, however large the start is; s/(1 - f) is what large aligned starts do."""
    return largest_start_near_the_opposite(-s * fade**2 / (1 - fade**2))


# --- balanced and unbalanced ends -------------------------------------------------------------------------------------------

skew = sp.Symbol("delta", positive=True)
"""w1^2 - w2^2 of one neuron in each layer, which the flow conserves."""

input_end = (skew + sp.sqrt(skew**2 + 4 * s**2)) / 2
"""w1^2 where w1 w2 = s."""


@paper.sentence(
    "Section 4, small random weights, identical at convergence",
    "When training a two layer network from random small initial weights, the weights' input and output RSM (Fig. 3C, upper "
    "left and lower right quadrant) are identical to the task's structure at convergence.",
).claim(needs={"the_limit_of_small_weights": lambda: prove.identity(input_end, s)}, rests_on=["balance_persists"])
def small_starts_become_nearly_rich() -> Certificate:
    """With one neuron in each layer, w1^2 - w2^2 = delta and w1 w2 = s give w1^2 = (delta + (delta^2 + 4 s^2)^(1/2))/2 and the
    same less delta for w2^2: the representation of small weights ends at s + delta/2 to first order in their imbalance
    delta, the smaller the start, the closer to that of the task."""
    return prove.every(
        prove.identity(input_end * (input_end - skew), s**2),
        prove.limit(input_end, [skew], s),
        prove.limit((input_end - s) / skew, [skew], sp.Rational(1, 2)),
    )


@paper.sentence(
    "Section 4, large random weights, lazy",
    "However, when training from large initial weights, the RSM reveals that the network has converged to a lazy solution (Fig. 3D).",
).claim(rests_on=["small_starts_become_nearly_rich"])
def large_imbalance_stays() -> Certificate:
    """As the imbalance grows, the representation in the end is the imbalance of the start, whatever the task: w1^2 - delta goes
    to zero."""
    return prove.limit(input_end - skew, {skew: sp.oo}, 0)


# --- the tree -----------------------------------------------------------------------------------------------------------------

gains = sp.symbols("q0:4", positive=True)
"""What two items have in common on each level on which one node stands above both, the lowest level first."""

ITEMS = range(8)


def tree(shared: tuple[sp.Expr, ...] | list[sp.Expr]) -> sp.Matrix:
    """A matrix of eight items of a tree with three levels, by the level on which two items meet."""
    by_level = [sp.Add(*shared[level:]) for level in range(4)]
    return sp.Matrix([[by_level[(i ^ j).bit_length()] for j in ITEMS] for i in ITEMS])


similarity = tree(gains)
"""Sigma' Sigma."""

steps = sp.symbols("d0:4", positive=True)
"""The singular value of the lowest level, and by how much each higher one is above the one below it."""


@paper.sentence(
    "Section 4, the representational similarity reveals the structure",
    r"The representational similarity of the input of the task ($\tilde{\mathbf{V}}\tilde{\mathbf{S}}\tilde{\mathbf{V}}^T$) reveals its inherent structure (Fig. 3B).",
).claim(rests_on=["theorem_32"])
def similarity_follows_the_tree() -> Certificate:
    """For eight items on a tree with three levels Vt St Vt', the root of Sigma' Sigma, is a tree as well: each item is most
    similar to itself, then to its neighbour, then to its cousins and least to all others."""
    levels = [sp.Add(*steps[: level + 1]) for level in range(4)]

    def shared(values: list[sp.Expr]) -> list[sp.Expr]:
        return [values[0], *((high - low) / 2**k for k, (low, high) in enumerate(pairwise(values), 1))]

    squared = dict(zip(gains, shared([x**2 for x in levels]), strict=True))
    representation = tree(shared(levels))
    first_row = [representation[0, k] for k in (0, 1, 2, 4)]
    return prove.every(
        prove.identity(representation**2, similarity.subs(squared, simultaneous=True)),
        *(prove.positive(close - far) for close, far in pairwise(first_row)),
    )
