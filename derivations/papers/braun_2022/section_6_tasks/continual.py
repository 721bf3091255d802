"""Section 6: a sequence of tasks, what it overwrites, and what survives."""

from derivations.papers.braun_2022.setup import *
from derivations.papers.braun_2022.section_4 import learned, reflected_task, task_det

LEARNED_J = (W2 @ W1, task_j)
ON_DATA_I = [(data_yx, task_i), (rest, HALF * (trace(data_yy) - norm2(task_i)))]  # the data of task i, and the constant
FORGETTING.states("loss_of_another_task: loss_for_white_inputs",
    "If W2 W1 = S_j, on white inputs the loss of task i is |S_j - S_i|^2/2 + c, c = (tr S_yy - |S_i|^2)/2.",
    lambda eq: same(loss, eq.right), needs={"convergence_on_task_j": LEARNED_J, "assumption_2_2": WHITE},
    given=ON_DATA_I)

value = HALF * trace(task_j @ data_xx @ task_j.T) - trace(task_j @ task_i.T) + HALF * trace(data_yy)
paper.states("loss_of_another_task_on_any_inputs", "Section 6, loss of another task, on inputs that are not white",
    "If W2 W1 = S_j, then the loss of task i is tr(S_j S_xx S_j')/2 - tr(S_j S_i') + tr(S_yy)/2, for any inputs.",
    lambda: same(loss, value, [LEARNED_J, (data_yx, task_i)]))

# No line through zero passes through both.
TWO_SAMPLES = instance("N_i=1 N_o=1 P=2", X="1 1", Y="1 4", per_sample="1/2", Sigma_i="5/2", c="9/8")
paper.states("constant_is_the_loss_that_stays: loss_of_another_task",
    "Section 6, c is a constant that only depends on training data of task i",
    "On white inputs c is |Y - S_i X|^2/(2 P), which the data of task i decide, and which is never negative.",
    lambda: same(rest, HALF * norm2(Y - task_i @ X) * net.per_sample, [WHITE, *ON_DATA_I], among=TWO_SAMPLES),
    quote=r"where c is a constant that only depends on training data of task $\mathcal{T}_i$ (Appendix F).")

a_, b_, c_ = (Letter(f"Sigma_{name}", "N_o", "N_i") for name in "abc")

def after(trained, evaluated):
    """The loss of one task after another one was learned."""
    return substitute(FORGETTING.right, {task_j: trained, task_i: evaluated})

def inner(left, right):
    return trace(left.T @ right)

# |S_b - S_a|^2/2 and |S_c - S_a|^2/2, and the constants of two sets of data with the same correlations.
near, far, floor, other_floor = reals("d_b d_c c c_other > 0")
RATIO, OTHER_RATIO = ((far - near) / (near + constant) for constant in (floor, other_floor))
@paper.claim("Section 6, amount of forgetting",
    quote="As a consequence, the amount of forgetting, i.e. the relative change of loss, is fully determined by the similarity "
    "structure of the tasks and thus can be fully determined for a sequence of tasks before the onset of training",
    needs={"differences_in_the_place_of_ratios": lambda: same(RATIO, OTHER_RATIO)}, rests_on="loss_of_another_task")
def forgetting_by_similarity():
    """L_a(T_c) - L_a(T_b) = (|S_c|^2 - |S_b|^2)/2 - <S_c, S_a> + <S_b, S_a>: the inner products of the tasks determine
    it, not c and not the start. The ratio (L_a(T_c) - L_a(T_b))/L_a(T_b) depends on the targets through c."""
    similar = HALF * (inner(c_, c_) - inner(b_, b_)) - inner(c_, a_) + inner(b_, a_)
    then, before = reals("L_c L_b > 0")
    difference = (far - near) * other_floor / ((near + floor) * (near + floor + other_floor))
    yield same(after(c_, a_) - after(b_, a_), similar)
    yield same(Subs((then - before) / before, (then, before), (far + floor, near + floor)), RATIO)
    yield same(RATIO - RATIO.subs(floor, floor + other_floor), difference)

old, between, new = reals("S_a S_b S_c")  # three tasks with one input and one output
paper.states("forgetting_of_the_last_task: forgetting_by_similarity",
    ["Figure 5A, the loss of other tasks increases", "Section 6, truly catastrophic"],
    "The task that was learned last loses |S_c - S_a|^2/2: any other task that follows raises its loss.",
    lambda: same(after(c_, a_) - after(a_, a_), HALF * norm2(c_ - a_)),
    quote="As the network function is optimised on the current task, the loss of other tasks increases.",
    needs={"the_task_learned_last": lambda: holds(at_least((new - old) ** 2 / 2, (between - old) ** 2 / 2))})

polar = letters("O: N x N", orthonormal_columns=True)
input_layer, second_layer = letters("W1: N_h x N, W2: N x N_h")
output_layer = polar @ input_layer.T
task = letters("Sigma: N x N")
slope = task - output_layer @ input_layer
@paper.claim("Beyond: the sign of the determinant survives", rests_on="balance_persists rank_is_conserved")
def determinant_keeps_its_sign():
    """For N_i = N_o and weights W2 = O W1' with an orthogonal O, which are balanced, tr((W2 W1)^-1 d(W2 W1)) = 2
    tr(O'(S - W2 W1)) where W2 W1 has an inverse: det(W2 W1) keeps its sign, and that is not overwritten."""
    rate = output_layer @ output_layer.T @ slope + slope @ input_layer.T @ input_layer
    inverse, error = letters("K", inverse_of=input_layer.T @ input_layer) @ polar.T, task - second_layer @ input_layer
    square_flow = {input_layer: second_layer.T @ error, second_layer: error @ input_layer.T}
    yield same(output_layer.T @ output_layer, input_layer @ input_layer.T)
    yield prove.by("determinant of a flow", matrix=second_layer @ input_layer, rate=rate, inverse=inverse,
        relative=2 * trace(polar.T @ slope), motion=square_flow, assuming=[(second_layer, output_layer)])

@paper.claim(["Section 6, exact solutions for the full continual learning process", "Figure 5A"],
    quote="As shown in Fig. 5A, our dynamics immediately enable exact solutions for the full continual learning process, whereby the "
    "final state after training on one task becomes the initial network state for the next task.",
    rests_on="riccati_solution")
def tasks_follow_each_other():
    """The solution goes on from any state Q_1 that a task leaves behind, at any time: QQ' on the next task is G (I + P
    Phi)^-1 P G with P = Q_1 Q_1', so that of what came before QQ' alone matters."""
    then, integral = letters("G_2: N x N, Phi_2: N x N", symmetric=True)
    state = letters("Q_1: N x N_h")
    inverse = letters("M_2_inv", inverse_of=identity("N_h") + state.T @ integral @ state)
    before, one = state @ state.T, identity("N")
    pushed = one - state @ inverse @ state.T @ integral
    yield same(then @ state @ inverse @ state.T @ then, then @ pushed @ before @ then)
    yield same(pushed @ (one + before @ integral), one)
    yield same((one + before @ integral) @ pushed, one)

half, other = reals("fraction other >= 0")
paper.states("half_of_the_pairs_are_not_learned: determinant_keeps_its_sign loss_after_a_reversal_in_part",
    ["Section 6, arbitrary sequences of tasks, with as many inputs as outputs", "Beyond: sequences of square tasks"],
    "For square tasks of full rank det(W2 W1), det(S_j) after T_j, keeps its sign: if det(S_i) has the other one, T_i "
    "is not learned. Reflecting an output changes that sign: of pairs as likely as their reflections, half are not "
    "learned.",
    lambda: [*reflected_task(), holds((learned - task_det) ** 2 > task_det**2, given=learned * task_det < 0),
        same(half, Rational(1, 2), given=[Eq(half, other), Eq(half + other, 1)])])
