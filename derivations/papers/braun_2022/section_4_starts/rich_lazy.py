"""Sections 3 and 4: numerical stability as far as it is mathematics, and small, large, balanced and unbalanced starts."""

from derivations.papers.braun_2022.setup import *
from itertools import pairwise
from derivations.papers.braun_2022.section_3_solution.theorem_32 import a, across, along_both, angle, fade, value

# --- "numerically stable" -------------------------------------------------------------------------------------------------
@paper.claim("Section 2, equation 5 is often unstable",
    quote="Second, when evaluated numerically, it is often unstable.", rests_on="fukumizu_solution")
def equation_5_holds_growing_terms():
    """For one aligned mode, the bracket of equation 5 is 1 + a (e^(2 s t) - 1)/s and e^(Ft) is e^(st): divided by e^(2 s t) the
    bracket tends to a/s, so that it grows without bound, while QQ', their combination, tends to s."""
    bracket = 1 + a * (fade**-2 - 1) / s
    yield tends(bracket * fade**2, [fade], a / s)
    yield tends(fade**-2 * a / bracket, [fade], s)

# B of one mode, for two inputs and one output: one plus the cosine between start and task.
near = Symbol("b", positive=True)
some_number = Symbol("k", real=True)
@paper.claim("Section 3, numerically stable",
    quote="As the solution contains only negative exponentials, it is numerically stable and provides high precision across a wide range of learning rates and network architectures (Fig. 2C, D).",
    needs={"an_overlap_that_is_not_nearly_singular": lambda: tends(2 / near, [near], some_number)},
    rests_on="theorem_31")
def negative_exponentials_are_bounded():
    """In equations 11 and 12 time occurs in e^(-s t), which only decays, and in t e^(-2 s t), whose rate (1 - 2 s t) e^(-2 s t)
    is zero at t = 1/(2 s) only: neither grows without bound. But at the start of one mode Z is 2/B and the bracket is
    4/(a B^2), which grow without bound as B goes to zero, while (2/B)^2 (a B^2/4) stays a."""
    peak, (begun, held) = t * exp(-2 * s * t), symbols("Z_0 K_0", positive=True)
    yield same(Derivative(exp(-s * t), t), -s * exp(-s * t))
    yield same(Derivative(peak, t), (1 - 2 * s * t) * exp(-2 * s * t))
    yield same(Subs(begun**2 / held, (begun, held), (2 / near, 4 / (a * near**2))), a)
    yield tends(1 / (2 / near), [near], 0)
    yield tends(1 / (4 / (a * near**2)), [near], 0)

# --- small and large balanced starts ----------------------------------------------------------------------------------------
course = a * s / (a + (s - a) * exp(-2 * s * t))
faded = Symbol("F", positive=True)  # exp(-2 s t)
mode = a * s / (a + (s - a) * faded)
@paper.claim("Section 4, one aligned mode", rests_on="riccati_equation")
def aligned_mode():
    """An aligned mode of singular value s moves by da = 2 a (s - a), from a it is a s/(a + (s - a) e^(-2 s t)), and the rate of
    its rate is 4 a (s - a)(s - 2 a): it is sigmoidal, with an inflection at s/2, exactly if it starts below s/2. At any
    fixed time a mode from a small start is still small: e^(2 s t) a in the limit of small a."""
    rate = 2 * value * (s - value)
    yield solves({value: rate}, {value: course}, {value: a}, t)
    yield same(Derivative(rate, value) * rate, 4 * value * (s - value) * (s - 2 * value))
    yield tends(mode, [a], 0)
    yield tends(mode / a, [a], 1 / faded)

@paper.claim([
        "Section 7, large initialisations lead to exponential learning curves",
        "Section 4, exponential learning curves, one aligned mode",
    ], quote="and that large initialisations lead to exponential rather than sigmoidal learning curves.",
    needs={"late_times": lambda: same(mode - s, (a - s) * faded, given=faded < 1)}, rests_on="aligned_mode")
def large_starts_fall_fast():
    """Above s the distance g of an aligned mode from s falls at the relative rate 2 a, which is more than 2 s and goes down to
    it: from every large start the curve is steeper than the exponential e^(-2 s t) and becomes one. As the start grows
    without bound, the distance tends to s F/(1 - F) with F = e^(-2 s t): finite at every time after zero."""
    huge, gone = symbols("x G", positive=True)
    yield same(2 * value * (s - value), -2 * value * (value - s))
    yield holds(2 * value > 2 * s, given=value > s)
    yield tends(2 * value, {value: s}, 2 * s)
    yield tends((mode - s).subs({a: 1 / huge, faded: 1 / (1 + gone)}), [huge], s / gone)

# B of two inputs and one output, one plus the cosine between start and task; one over the singular value of the start.
overlap, inverse_strength = symbols("overlap inverse_strength", positive=True)

def largest_start_near_the_opposite(goal):
    """At a fixed time, from starts that grow without bound and come close to the opposite of the task."""
    opposed = {angle: overlap - 1, across: sqrt(overlap * (2 - overlap)), a: 1 / inverse_strength}
    return tends(sp.together(along_both.subs(opposed)), [inverse_strength, overlap], goal, given=fade < 1)

@paper.claim("Section 7, large initialisations lead to exponential learning curves, close to the opposite",
    needs={"so_much_patience": lambda: largest_start_near_the_opposite(s / (1 - fade**2))}, rests_on="theorem_31")
def large_starts_can_wait_at_the_saddle():
    """With two inputs and one output, from balanced starts that grow without bound and whose overlap B with the task
    goes to zero, the network function along the task tends to -s f/(1 - f) at every fixed time t > 0, f = e^(-2 s t):
    it has the wrong sign and rises to zero, however large the start is; s/(1 - f) is what large aligned starts do."""
    yield largest_start_near_the_opposite(-s * fade**2 / (1 - fade**2))

# --- balanced and unbalanced ends -------------------------------------------------------------------------------------------
skew = Symbol("delta", positive=True)  # w1^2 - w2^2 of one neuron in each layer, which the flow conserves
input_end = (skew + sqrt(skew**2 + 4 * s**2)) / 2  # w1^2 where w1 w2 = s
@paper.claim("Section 4, small random weights, identical at convergence",
    quote="When training a two layer network from random small initial weights, the weights' input and output RSM (Fig. 3C, upper "
    "left and lower right quadrant) are identical to the task's structure at convergence.",
    needs={"the_limit_of_small_weights": lambda: same(input_end, s)}, rests_on="balance_persists")
def small_starts_become_nearly_rich():
    """With one neuron in each layer, w1^2 - w2^2 = delta and w1 w2 = s give w1^2 = (delta + (delta^2 + 4 s^2)^(1/2))/2 and the
    same less delta for w2^2: the representation of small weights ends at s + delta/2 to first order in their imbalance
    delta, the smaller the start, the closer to that of the task."""
    yield same(input_end * (input_end - skew), s**2)
    yield tends(input_end, [skew], s)
    yield tends((input_end - s) / skew, [skew], Rational(1, 2))

@paper.claim("Section 4, large random weights, lazy",
    quote="However, when training from large initial weights, the RSM reveals that the network has converged to a lazy solution (Fig. 3D).",
    rests_on="small_starts_become_nearly_rich")
def large_imbalance_stays():
    """As the imbalance grows, the representation in the end is the imbalance of the start, whatever the task: w1^2 - delta goes
    to zero."""
    yield tends(input_end - skew, {skew: oo}, 0)

# --- the tree -----------------------------------------------------------------------------------------------------------------
# What two items have in common on each level on which one node stands above both, the lowest level first.
gains = symbols("q0:4", positive=True)
ITEMS = range(8)

def tree(shared):
    """A matrix of eight items of a tree with three levels, by the level on which two items meet."""
    by_level = [sp.Add(*shared[level:]) for level in range(4)]
    return Matrix([[by_level[(i ^ j).bit_length()] for j in ITEMS] for i in ITEMS])

similarity = tree(gains)  # Sigma' Sigma
# The singular value of the lowest level, and by how much each higher one is above the one below it.
steps = symbols("d0:4", positive=True)
@paper.claim("Section 4, the representational similarity reveals the structure",
    quote=r"The representational similarity of the input of the task ($\tilde{\mathbf{V}}\tilde{\mathbf{S}}\tilde{\mathbf{V}}^T$) reveals its inherent structure (Fig. 3B).",
    rests_on="theorem_32")
def similarity_follows_the_tree():
    """For eight items on a tree with three levels Vt St Vt', the root of Sigma' Sigma, is a tree as well: each item is most
    similar to itself, then to its neighbour, then to its cousins and least to all others."""
    levels = [sp.Add(*steps[: level + 1]) for level in range(4)]

    def shared(values):
        return [values[0], *((high - low) / 2**k for k, (low, high) in enumerate(pairwise(values), 1))]

    squared = dict(zip(gains, shared([x**2 for x in levels]), strict=True))
    representation = tree(shared(levels))
    first_row = [representation[0, k] for k in (0, 1, 2, 4)]
    yield same(representation**2, similarity.subs(squared, simultaneous=True))
    yield from (positive(close - far) for close, far in pairwise(first_row))
