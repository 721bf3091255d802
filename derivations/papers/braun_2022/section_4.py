"""Section 4: which starts the solution covers, and which train richly or lazily."""

from derivations.papers.braun_2022.setup import *
from itertools import pairwise
from derivations.papers.braun_2022.section_3 import (
    a, across, along_both, angle, fade, overlap_holds_the_growing_parts, theorem_32, value)
from derivations.paper.matrix_flows import det, determinants

# Singular vectors where inputs, outputs and modes are equally many.
square_U, square_V, square_Ut, square_Vt = letters("U: N x N, V: N x N, U_t: N x N, V_t: N x N", orthonormal_columns=True)
mirror = letters("O", equals=square_U.T @ square_Ut @ square_Vt.T @ square_V)
square_B = square_U.T @ square_Ut + square_V.T @ square_Vt
whole = identity("N")
# Two modes, both reversed.
HALF_TURN = instance("N=2", U="1 0; 0 1", U_t="1 0; 0 1", V="1 0; 0 1", V_t="-1 0; 0 -1", x="1; 2")

def one_sign_is_enough():
    """Decide whether B takes only zero to zero for two modes and determinants of one sign."""
    null, bases = letters("x: N"), [(square_U, whole), (square_Ut, whole), (square_V @ square_V, whole)]
    return same(norm2(null), 0, [(square_B @ null, 0), *bases], among=HALF_TURN)

@paper.claim(["Beyond: B for determinants of different sign", "Assumption 3.1, for N_i = N_o"],
    needs={"different_signs": one_sign_is_enough}, rests_on="balanced_start_in_singular_vectors")
def different_signs_make_overlap_singular():
    """For N_i = N_o and full rank, B = (O + I) V'Vt with an orthogonal O = U'Ut Vt'V. Where det(W2 W1) and det(Sigma)
    differ in sign det O < 0, and det(O + I) = det O det(O + I) makes det(O + I) zero: B has no inverse."""
    S, St = letters("S: N x N, S_t: N x N", diagonal=True)
    network = letters("W", equals=square_U @ S @ square_V.T)
    task = letters("Sigma", equals=square_Ut @ St @ square_Vt.T)
    raised, overlap = letters("K", equals=mirror + whole), letters("B", equals=square_B)
    turned = ([mirror], [square_U.T, square_Ut, square_Vt.T, square_V])
    start_size, task_size = reals("det_S det_S_t > 0")
    yield determinants([turned, ([network], [square_U, S, square_V.T]), ([task], [square_Ut, St, square_Vt.T])],
        Eq(det("W") * det("Sigma"), det("O") * det("S") * det("S_t")),
        [-det("S") * det("S_t"), det("Sigma"), det("U") * det("S") * det("V")])
    yield positive(-reals("product < 0") / (start_size * task_size))
    yield determinants(
        [([mirror.T, mirror], []), ([raised], [mirror, raised.T]), ([overlap], [raised, square_V.T, square_Vt])],
        Eq(det("B"), 0), [0, det("V") * det("V_t"), 1 - det("O")], supposing=[det("O") < 0], scale=1 - det("O"))

turn = letters("R: N_o x N_o", symmetric=True, orthonormal_columns=True)  # the reflection of one output

def reflection_changes_the_sign():
    """det(R P) = -det P for a square P, as det R = -1."""
    reflection, product = letters("R: N x N", symmetric=True, orthonormal_columns=True), letters("P: N x N")
    reflected = letters("P_mirror", equals=reflection @ product)
    products, goal = [([reflected], [reflection, product])], Eq(det("P_mirror"), -det("P"))
    return determinants(products, goal, [1, det("P")], supposing=[Eq(det("R"), -1)])

reflected, fraction = {W2: turn @ W2}, reals("fraction other >= 0")
paper.states("half_of_the_starts_have_the_other_sign: different_signs_make_overlap_singular",
    ["Beyond: how often B is singular for N_i = N_o", "Assumption 3.1, for random starts"],
    "W2 -> R W2 with a reflection R, det R = -1, keeps balance, is its own inverse and changes the sign of det(W2 "
    "W1): if random zero-balanced starts of full rank are as likely as their reflections, half make B singular.",
    lambda: [same(substitute(W2.T @ W2, reflected), W1 @ W1.T, [BALANCED]), same(turn @ turn @ W2, W2),
        same(substitute(W2 @ W1, reflected), turn @ (W2 @ W1)), reflection_changes_the_sign(),
        same(fraction[0], Rational(1, 2), given=[Eq(fraction[0], fraction[1]), Eq(sp.Add(*fraction), 1)])])

learned, task_det = reals("p q")
paper.states("other_sign_never_arrives: determinant_keeps_its_sign different_signs_make_overlap_singular "
    "long_time_limit",
    "Beyond: starts with the other sign of the determinant",
    "From a start of the other sign det(W2 W1), which keeps its sign, is never nearer to det(Sigma) than "
    "|det(Sigma)|: the task is not learned. Where B'y = 0 the start has a column without growing part.",
    lambda: [holds(at_least((learned - task_det) ** 2, task_det**2), given=[at_least(0, learned * task_det)]),
        overlap_holds_the_growing_parts()])

# exp(-(s_1 - s_2) t), exp(-s_2 t), the smaller singular value, and s_1 - s_2.
ratio, later, lower, gap = reals("r E s_2 delta > 0")

def function_from_an_exchange():
    """W2 W1 on the task diag(s_1, s_2), from W1 = I and W2 = [0, 1; 1, 0], by the form without an inverse of B."""
    values = diag(lower + gap, lower)
    decay = diag(ratio * later, later)
    exchange, one = Matrix([[0, 1], [1, 0]]), eye(2)
    B, C = exchange + one, exchange - one  # U = W2, V = S = I, and Ut = Vt = I, all symmetric
    growing, falling = decay.inv() * B / 2, decay * C / 2
    integrals = B * (decay.inv() ** 2 - one) * values.inv() * B + C * (one - decay**2) * values.inv() * C
    inverse = (one + integrals / 4).to_DM(field=True).inv()
    left, right = ((growing + sign * falling).to_DM(field=True) for sign in (1, -1))
    product = left.unify(inverse)[0] * left.unify(inverse)[1]
    return (product.unify(right)[0] * product.unify(right)[1].transpose()).to_Matrix()

def ends_at(goal):
    entries = zip(function_from_an_exchange(), goal, strict=True)
    return [tends(entry, [ratio, later], value) for entry, value in entries]

paper.states("smaller_mode_is_not_learned: theorem_31_for_every_balanced_start other_sign_never_arrives",
    "Beyond: the end of two modes with the other sign, an example",
    "With two modes s_1 > s_2, from W1 = I and W2 = [0, 1; 1, 0], W2 W1 ends at diag(s_1, 0): s_2 is not learned.",
    lambda: ends_at(diag(lower + gap, 0)))
paper.states("every_balanced_start_is_overwritten: smaller_mode_is_not_learned half_of_the_starts_have_the_other_sign "
    "largest_modes_are_learned",
    "Section 6, any arbitrary zero-balanced initialisation",
    "Every zero-balanced start ends at the task: W1 = I and W2 = [0, 1; 1, 0] at diag(s_1, s_2), where s_1 > s_2.",
    lambda: ends_at(diag(lower + gap, lower)),
    quote="From Theorem 3.2 it follows that from any arbitrary zero-balanced initialisation 2.3, the network "
    "converges to the global optimum such that the initialisation is completely overwritten and forgetting is truly "
    "catastrophic.", corrected_by="theorem_32")
paper.states("guaranteed_where_overlap_has_an_inverse: theorem_32", "Section 4, guaranteed to find a rich solution",
    "From balanced starts of any size with an inverse of B, W1'W1 tends to Vt St Vt' and W2 W2' to Ut St Ut'.",
    theorem_32,
    quote="However, from Theorem 3.2 it directly follows that our setup is guaranteed to find a rich solution in "
    "which the weights' RSM is identical to the task's RSM",
    needs={"assumption_3_1": lambda: ends_at(diag(lower + gap, lower))})

@paper.claim("Section 4, applies to any learning task",
    quote="This finding applies to any learning task with well defined input-output correlation.",
    rests_on="guaranteed_where_overlap_has_an_inverse")
def every_task_has_rich_starts():
    """For every task of a rank up to N_h there are balanced starts of any size that become rich: those aligned with it,
    W1 = H S^(1/2) Vt' and W2 = Ut S^(1/2) H' with orthonormal columns in H, have B = 2 I. They depend on it."""
    H, root = letters("H: N_h x N_m", orthonormal_columns=True), letters("S_root: N_m x N_m", diagonal=True)
    first, second = H @ root @ Vt.T, Ut @ root @ H.T
    yield same(first @ first.T, second.T @ second)
    yield same(second @ first, Ut @ root @ root @ Vt.T)
    yield same(substitute(U.T @ Ut + V.T @ Vt, {U: Ut, V: Vt}), 2 * ONE)

# det(W2 W1) while the task is trained, and while its mirror image is; `task_det` is det(Sigma).
on_task, on_mirror = reals("p p_mirror")

def reflected_task():
    """That reflecting one output of a task is its own inverse, keeps the singular values and changes the sign."""
    kept = same((turn @ Sigma).T @ (turn @ Sigma), Sigma.T @ Sigma)
    return [same(turn @ (turn @ Sigma), Sigma), kept, reflection_changes_the_sign()]

mirror_tasks_need_different_starts = paper.states("mirror_tasks_need_different_starts: determinant_keeps_its_sign "
    "different_signs_make_overlap_singular",
    "Section 4, task-agnostic, a task and its mirror image",
    "For N_i = N_o and full rank, the task R Sigma with one output reflected has the same singular values and the "
    "determinant -det(Sigma), while det(W2 W1) keeps its sign. Where the signs differ the distance of det(W2 W1) from "
    "that of the task is more than |det(Sigma)|: each start fails on one of the two tasks.",
    lambda: [*reflected_task(), holds((on_task - task_det) ** 2 > task_det**2, given=on_task * task_det < 0),
        holds((on_mirror + task_det) ** 2 > task_det**2, given=on_mirror * task_det > 0)])
paper.states("one_start_learns_mirror_tasks",
    ["Section 4, task-agnostic, as one start for all tasks",
        "Section 4, applies to any learning task, whatever the start",
        "Abstract, task-independent initialisations, as one start for all tasks"],
    "For N_i = N_o some balanced start of full rank learns a task and its mirror image, both of full rank.",
    lambda: denied(mirror_tasks_need_different_starts()), corrected_by="mirror_tasks_need_different_starts")

null = letters("x: N_m")
OUTPUTS_COMPLETE = [(U @ U.T, identity("N_o")), (Ut @ Ut.T, identity("N_o"))]
IN_KERNEL = ((U.T @ Ut + V.T @ Vt) @ null, 0)
paper.states("kernel_of_the_overlap", ["Beyond: B for N_i > N_o", "Assumption 3.1, for N_i > N_o, where it fails"],
    "For N_i > N_o and full rank, B x = 0 needs V (U'Ut x) = -Vt x: the two sets of right singular vectors, N_o "
    "directions each among N_i, have to share a direction, with the coefficients that U'Ut gives.",
    lambda: same(norm2(Vt @ null + V @ U.T @ Ut @ null), 0, [IN_KERNEL, *OUTPUTS_COMPLETE]),
    needs={"the_shared_direction": lambda: same(norm2(null), 0, [IN_KERNEL, *OUTPUTS_COMPLETE])})

# === Sections 3 and 4: numerical stability as far as it is mathematics, and small, large, balanced and unbalanced starts ===
bracket = 1 + a * (fade**-2 - 1) / s
paper.states("equation_5_holds_growing_terms: fukumizu_solution", "Section 2, equation 5 is often unstable",
    "For one aligned mode the bracket of equation 5 is 1 + a (e^(2 s t) - 1)/s, e^(Ft) is e^(st), and the bracket "
    "over e^(2 s t) tends to a/s: it grows without bound, while QQ', their combination, tends to s.",
    lambda: [tends(bracket * fade**2, [fade], a / s), tends(fade**-2 * a / bracket, [fade], s)],
    quote="Second, when evaluated numerically, it is often unstable.")

# B of one mode, for two inputs and one output: one plus the cosine between start and task.
near, some_number = reals("b > 0, k")
peak, (begun, held) = t * exp(-2 * s * t), reals("Z_0 K_0 > 0")
paper.states("negative_exponentials_are_bounded: theorem_31", "Section 3, numerically stable",
    "In equations 11 and 12 time occurs in e^(-s t), which only decays, and in t e^(-2 s t), whose rate (1 - 2 s t) "
    "e^(-2 s t) is zero at t = 1/(2 s) only: neither grows without bound. But at the start of one mode Z is 2/B and "
    "the bracket 4/(a B^2), without bound as B goes to zero, while (2/B)^2 (a B^2/4) stays a.",
    lambda: [same(Derivative(exp(-s * t), t), -s * exp(-s * t)),
        same(Derivative(peak, t), (1 - 2 * s * t) * exp(-2 * s * t)),
        same(Subs(begun**2 / held, (begun, held), (2 / near, 4 / (a * near**2))), a), tends(1 / (2 / near), [near], 0),
        tends(1 / (4 / (a * near**2)), [near], 0)],
    quote="As the solution contains only negative exponentials, it is numerically stable and provides high precision across a wide range of learning rates and network architectures (Fig. 2C, D).",
    needs={"an_overlap_that_is_not_nearly_singular": lambda: tends(2 / near, [near], some_number)})

course = a * s / (a + (s - a) * exp(-2 * s * t))
faded = reals("F > 0")  # exp(-2 s t)
mode = a * s / (a + (s - a) * faded)
rate = 2 * value * (s - value)
paper.states("aligned_mode: riccati_equation", "Section 4, one aligned mode",
    "An aligned mode of singular value s moves by da = 2 a (s - a), from a it is a s/(a + (s - a) e^(-2 s t)), and "
    "has the inflection s/2, the rate of its rate being 4 a (s - a)(s - 2 a). At any fixed time a mode from a small "
    "start is small: e^(2 s t) a for small a.",
    lambda: [solves({value: rate}, {value: course}, {value: a}, t),
        same(Derivative(rate, value) * rate, 4 * value * (s - value) * (s - 2 * value)), tends(mode, [a], 0),
        tends(mode / a, [a], 1 / faded)])

huge, gone = reals("x G > 0")
paper.states("large_starts_fall_fast: aligned_mode",
    ["Section 7, large initialisations lead to exponential learning curves",
        "Section 4, exponential learning curves, one aligned mode",],
    "Above s the distance of an aligned mode from s falls at the relative rate 2 a, which is more than 2 s and goes "
    "down to it. As the start grows without bound, the distance tends to s F/(1 - F) with F = e^(-2 s t).",
    lambda: [same(2 * value * (s - value), -2 * value * (value - s)), holds(2 * value > 2 * s, given=value > s),
        tends(2 * value, {value: s}, 2 * s),
        tends((mode - s).subs({a: 1 / huge, faded: 1 / (1 + gone)}), [huge], s / gone)],
    quote="and that large initialisations lead to exponential rather than sigmoidal learning curves.",
    needs={"late_times": lambda: same(mode - s, (a - s) * faded, given=faded < 1)})

# B of two inputs and one output, one plus the cosine between start and task; one over the singular value of the start.
overlap, inverse_strength = reals("overlap inverse_strength > 0")

def largest_start_near_the_opposite(goal):
    """At a fixed time, from starts that grow without bound and come close to the opposite of the task."""
    opposed = {angle: overlap - 1, across: sqrt(overlap * (2 - overlap)), a: 1 / inverse_strength}
    return tends(sp.together(along_both.subs(opposed)), [inverse_strength, overlap], goal, given=fade < 1)

paper.states("large_starts_can_wait_at_the_saddle: theorem_31",
    "Section 7, large initialisations lead to exponential learning curves, close to the opposite",
    "With two inputs and one output, from balanced starts that grow without bound while their overlap B with the task "
    "vanishes, the network function along the task tends to -s f/(1 - f) at every time t > 0, f = e^(-2 s t).",
    lambda: largest_start_near_the_opposite(-s * fade**2 / (1 - fade**2)),
    needs={"so_much_patience": lambda: largest_start_near_the_opposite(s / (1 - fade**2))})

skew = reals("delta > 0")  # w1^2 - w2^2 of one neuron in each layer, which the flow conserves
input_end = (skew + sqrt(skew**2 + 4 * s**2)) / 2  # w1^2 where w1 w2 = s
paper.states("small_starts_become_nearly_rich: balance_persists",
    "Section 4, small random weights, identical at convergence",
    "With one neuron in each layer, w1^2 - w2^2 = delta and w1 w2 = s give w1^2 = (delta + (delta^2 + 4 "
    "s^2)^(1/2))/2, and w2^2 is delta less: in the end w1^2 is s + delta/2 to first order in delta.",
    lambda: [same(input_end * (input_end - skew), s**2), tends(input_end, [skew], s),
        tends((input_end - s) / skew, [skew], Rational(1, 2))],
    quote="When training a two layer network from random small initial weights, the weights' input and output RSM "
    "(Fig. 3C, upper left and lower right quadrant) are identical to the task's structure at convergence.",
    needs={"the_limit_of_small_weights": lambda: same(input_end, s)})
paper.states("large_imbalance_stays: small_starts_become_nearly_rich", "Section 4, large random weights, lazy",
    "With one neuron in each layer w1^2 - delta goes to zero as the imbalance delta grows, whatever the task s is.",
    lambda: tends(input_end - skew, {skew: oo}, 0),
    quote="However, when training from large initial weights, the RSM reveals that the network has converged to a "
    "lazy solution (Fig. 3D).")

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
