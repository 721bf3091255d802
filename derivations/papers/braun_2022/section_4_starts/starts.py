"""Section 4: "guaranteed", "task-agnostic", "any learning task"; which balanced starts have no inverse of B, and how many."""

from derivations.papers.braun_2022.setup import *
from derivations.papers.braun_2022.section_3_solution.long_time import overlap_holds_the_growing_parts
from derivations.papers.braun_2022.section_3_solution.theorem_32 import theorem_32
from derivations.papers.braun_2022.source.theorems import det, determinants

# --- N_i = N_o: the sign of the determinant decides ---------------------------------------------------------------------------
def frame(name):
    """Singular vectors where inputs, outputs and modes are equally many."""
    return Letter(name, "N", "N", orthonormal_columns=True)

square_U, square_V, square_Ut, square_Vt = map(frame, ("U", "V", "U_t", "V_t"))
mirror = letters("O", equals=square_U.T @ square_Ut @ square_Vt.T @ square_V)
square_B = square_U.T @ square_Ut + square_V.T @ square_Vt
whole = identity("N")
# Two modes, both reversed.
HALF_TURN = instance("N=2", U="1 0; 0 1", U_t="1 0; 0 1", V="1 0; 0 1", V_t="-1 0; 0 -1", x="1; 2")

def one_sign_is_enough():
    """Decide whether B takes only zero to zero for two modes and determinants of one sign."""
    null, bases = Letter("x", "N", 1), [(square_U, whole), (square_Ut, whole), (square_V @ square_V, whole)]
    return same(norm2(null), 0, [(square_B @ null, 0), *bases], among=HALF_TURN)

@paper.claim(["Beyond: B for determinants of different sign", "Assumption 3.1, for N_i = N_o"],
    needs={"different_signs": one_sign_is_enough}, rests_on="balanced_start_in_singular_vectors")
def different_signs_make_overlap_singular():
    """For N_i = N_o and full rank, B = (O + I) V'Vt with the orthogonal O = U'Ut Vt'V, and O + I = O (O + I)'. If det(W2 W1) and
    det(Sigma) differ in sign, then det O < 0, as it has the sign of their product, and det(O + I) = det O det(O + I) makes
    (1 - det O) det(O + I) zero: B has no inverse."""
    S, St = letters("S: N x N, S_t: N x N", diagonal=True)
    network = letters("W", equals=square_U @ S @ square_V.T)
    task = letters("Sigma", equals=square_Ut @ St @ square_Vt.T)
    raised, overlap = Letter("K", "N", "N", equals=mirror + whole), Letter("B", "N", "N", equals=square_B)
    turned = ([mirror], [square_U.T, square_Ut, square_Vt.T, square_V])
    start_size, task_size = symbols("det_S det_S_t", positive=True)
    different_signs = Symbol("product", negative=True)
    yield determinants([turned, ([network], [square_U, S, square_V.T]), ([task], [square_Ut, St, square_Vt.T])],
        Eq(det("W") * det("Sigma"), det("O") * det("S") * det("S_t")),
        [-det("S") * det("S_t"), det("Sigma"), det("U") * det("S") * det("V")])
    yield positive(-different_signs / (start_size * task_size))
    yield determinants(
        [([mirror.T, mirror], []), ([raised], [mirror, raised.T]), ([overlap], [raised, square_V.T, square_Vt])],
        Eq(det("B"), 0), [0, det("V") * det("V_t"), 1 - det("O")], supposing=[det("O") < 0], scale=1 - det("O"))

turn = letters("R: N_o x N_o", symmetric=True, orthonormal_columns=True)  # the reflection of one output

def reflection_changes_the_sign():
    """det(R P) = -det P for a square P, as det R = -1."""
    reflection, product = Letter("R", "N", "N", symmetric=True, orthonormal_columns=True), Letter("P", "N", "N")
    reflected = letters("P_mirror", equals=reflection @ product)
    products, goal = [([reflected], [reflection, product])], Eq(det("P_mirror"), -det("P"))
    return determinants(products, goal, [1, det("P")], supposing=[Eq(det("R"), -1)])

@paper.claim(["Beyond: how often B is singular for N_i = N_o", "Assumption 3.1, for random starts"],
    rests_on="different_signs_make_overlap_singular")
def half_of_the_starts_have_the_other_sign():
    """Reflecting an output of W2, W2 -> R W2 with det R = -1, keeps weights balanced, is its own inverse and changes the sign of
    det(W2 W1): if random zero-balanced starts have full rank and are as likely as their reflections, half of them have the
    sign for which B is singular."""
    reflected, fraction = {W2: turn @ W2}, symbols("fraction other", nonnegative=True)
    yield same(substitute(W2.T @ W2, reflected), W1 @ W1.T, [BALANCED])
    yield same(turn @ turn @ W2, W2)
    yield same(substitute(W2 @ W1, reflected), turn @ (W2 @ W1))
    yield reflection_changes_the_sign()
    yield same(fraction[0], Rational(1, 2), given=[Eq(fraction[0], fraction[1]), Eq(sp.Add(*fraction), 1)])

learned, task_det = symbols("p q", real=True)
@paper.claim("Beyond: starts with the other sign of the determinant",
    rests_on="determinant_keeps_its_sign different_signs_make_overlap_singular long_time_limit")
def other_sign_never_arrives():
    """As det(W2 W1) keeps its sign, from a start of the other sign its distance from det(Sigma) is never less than |det(Sigma)|:
    the task is not learned, and the start has a column without growing part."""
    apart = sp.Ge((learned - task_det) ** 2, task_det**2, evaluate=False)
    yield holds(apart, given=[sp.Le(learned * task_det, 0, evaluate=False)])
    yield overlap_holds_the_growing_parts()

# --- where such starts end: two modes -----------------------------------------------------------------------------------------
# exp(-(s_1 - s_2) t), exp(-s_2 t), the smaller singular value, and s_1 - s_2.
ratio, later, lower, gap = symbols("r E s_2 delta", positive=True)

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

@paper.claim("Beyond: the end of two modes with the other sign, an example",
    rests_on="theorem_31_for_every_balanced_start other_sign_never_arrives")
def smaller_mode_is_not_learned():
    """With two modes s_1 > s_2, from W1 = I and W2 = [0, 1; 1, 0], W2 W1 ends at diag(s_1, 0): the larger mode is learned and the
    smaller one is not."""
    yield ends_at(diag(lower + gap, 0))

@paper.claim([
        "Section 6, any arbitrary zero-balanced initialisation",
        "Section 7, zero-balanced weights lead to task-specific representations",
    ],
    quote="From Theorem 3.2 it follows that from any arbitrary zero-balanced initialisation 2.3, the network converges to the global "
    "optimum such that the initialisation is completely overwritten and forgetting is truly catastrophic.",
    corrected_by="theorem_32",
    rests_on="smaller_mode_is_not_learned half_of_the_starts_have_the_other_sign largest_modes_are_learned")
def every_balanced_start_is_overwritten():
    """From every zero-balanced start W2 W1 ends at the task: with two modes s_1 > s_2, from W1 = I and W2 = [0, 1; 1, 0], at
    diag(s_1, s_2)."""
    yield ends_at(diag(lower + gap, lower))

# --- "guaranteed" and "any learning task" -----------------------------------------------------------------------------------
@paper.claim("Section 4, guaranteed to find a rich solution",
    quote="However, from Theorem 3.2 it directly follows that our setup is guaranteed to find a rich solution in which the weights' RSM is identical to the task's RSM",
    needs={"assumption_3_1": lambda: ends_at(diag(lower + gap, lower))}, rests_on="theorem_32")
def guaranteed_where_overlap_has_an_inverse():
    """From every balanced start for which B has an inverse, of any size, both representations become rich: W1' W1 tends to
    Vt St Vt' and W2 W2' to Ut St Ut'."""
    yield theorem_32()

@paper.claim("Section 4, applies to any learning task",
    quote="This finding applies to any learning task with well defined input-output correlation.",
    rests_on="guaranteed_where_overlap_has_an_inverse")
def every_task_has_rich_starts():
    """For every task there are balanced starts of any size that become rich: those aligned with it, W1 = H S^(1/2) Vt' and
    W2 = Ut S^(1/2) H' with orthonormal columns in H, have B = 2 I. They depend on the task."""
    H, root = Letter("H", "N_h", "N_m", orthonormal_columns=True), Letter("S_root", "N_m", "N_m", diagonal=True)
    first, second = H @ root @ Vt.T, Ut @ root @ H.T
    yield same(first @ first.T, second.T @ second)
    yield same(second @ first, Ut @ root @ root @ Vt.T)
    yield same(substitute(U.T @ Ut + V.T @ Vt, {U: Ut, V: Vt}), 2 * ONE)

# --- "task-agnostic" --------------------------------------------------------------------------------------------------------
# det(W2 W1) while the task is trained, and while its mirror image is; `task_det` is det(Sigma).
on_task, on_mirror = symbols("p p_mirror", real=True)

def reflected_task():
    """That reflecting one output of a task is its own inverse, keeps the singular values and changes the sign."""
    kept = same((turn @ Sigma).T @ (turn @ Sigma), Sigma.T @ Sigma)
    return [same(turn @ (turn @ Sigma), Sigma), kept, reflection_changes_the_sign()]

@paper.claim("Section 4, task-agnostic, a task and its mirror image",
    rests_on="determinant_keeps_its_sign different_signs_make_overlap_singular")
def mirror_tasks_need_different_starts():
    """For N_i = N_o and full rank, the task R Sigma with one output reflected, det R = -1, has the same singular values and
    the determinant -det(Sigma), while det(W2 W1) keeps the sign of the start. Where the signs differ the distance of
    det(W2 W1) from that of the task is more than |det(Sigma)|: each start fails on one of the two tasks."""
    yield from reflected_task()
    yield holds((on_task - task_det) ** 2 > task_det**2, given=on_task * task_det < 0)
    yield holds((on_mirror + task_det) ** 2 > task_det**2, given=on_mirror * task_det > 0)

@paper.claim([
        "Section 4, task-agnostic, as one start for all tasks",
        "Section 4, applies to any learning task, whatever the start",
        "Abstract, task-independent initialisations, as one start for all tasks",
    ], corrected_by="mirror_tasks_need_different_starts")
def one_start_learns_mirror_tasks():
    """For N_i = N_o some balanced start of full rank learns a task of full rank and the same task with one output
    reflected: as good a start for one as for the other."""
    yield denied(mirror_tasks_need_different_starts())

# --- N_i different from N_o ---------------------------------------------------------------------------------------------------
null = letters("x: N_m")
OUTPUTS_COMPLETE = [(U @ U.T, identity("N_o")), (Ut @ Ut.T, identity("N_o"))]
IN_KERNEL = ((U.T @ Ut + V.T @ Vt) @ null, 0)
@paper.claim(["Beyond: B for N_i > N_o", "Assumption 3.1, for N_i > N_o, where it fails"],
    needs={"the_shared_direction": lambda: same(norm2(null), 0, [IN_KERNEL, *OUTPUTS_COMPLETE])})
def kernel_of_the_overlap():
    """For N_i > N_o and full rank, B x = 0 needs V (U'Ut x) = -Vt x: the two sets of right singular vectors, N_o directions each
    among N_i, have to share a direction, with the coefficients that U'Ut gives."""
    yield same(norm2(Vt @ null + V @ U.T @ Ut @ null), 0, [IN_KERNEL, *OUTPUTS_COMPLETE])
