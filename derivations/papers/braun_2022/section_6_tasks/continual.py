"""Section 6: a sequence of tasks, what it overwrites, and what survives."""

from __future__ import annotations

from typing import Any

import sympy as sp

from derivations import prove
from derivations.language.words import Letter, Words, along, identity, norm2, substitute, trace
from derivations.models import two_layer_linear as net
from derivations.models.two_layer_linear import HALF, W1, W2, WHITE, Sigma, X, Y, data_xx, data_yx, data_yy, flow, loss
from derivations.papers.braun_2022.section_2_network.riccati import GROW, Phi, grown
from derivations.papers.braun_2022.setup import paper, s, t
from derivations.papers.braun_2022.source import printed
from derivations.papers.braun_2022.source.vocabulary import F_whole, rest, task_i, task_j
from derivations.prove import Certificate, Verdict

# --- the loss of a task after another one was learned ----------------------------------------------------------------

LEARNED_J = (W2 @ W1, task_j)
ON_DATA_I: list[tuple[Words, Words | int]] = [(data_yx, task_i), (rest, HALF * (trace(data_yy) - norm2(task_i)))]
"""The data of task i, and the constant."""

TWO_TASKS: dict[str, Any] = {
    "dims": {"N_i": 2, "N_h": 1, "N_o": 2, "P": 4},
    "matrices": {
        "X": [["1", "1", "-1", "-1"], ["1", "-1", "1", "-1"]], "per_sample": [["1/4"]],
        "Y": [["1", "2", "-1", "0"], ["-1", "3", "0", "2"]],
        "W1": [["1", "2"]], "W2": [["1"], ["-2"]], "Sigma_j": [["1", "2"], ["-2", "-4"]],
        "Sigma_i": [["1", "-1/2"], ["0", "-3/2"]], "c": [["3/4"]],
    },
}  # fmt: skip
"""Four whitened training pairs of task i, after task j was learned."""

ONES = {"N_i": 1, "N_h": 1, "N_o": 1, "P": 1}
UNTRAINED: dict[str, Any] = {
    "dims": ONES,
    "matrices": {
        "X": [["1"]], "per_sample": [["1"]], "Y": [["0"]], "W1": [["0"]], "W2": [["0"]],
        "Sigma_j": [["1"]], "Sigma_i": [["0"]], "c": [["0"]],
    },
}  # fmt: skip
"""One training pair, and weights that have not moved."""

COLOURED: dict[str, Any] = {
    "dims": ONES,
    "matrices": {
        "X": [["2"]], "per_sample": [["1"]], "Y": [["2"]], "W1": [["1"]], "W2": [["1"]],
        "Sigma_j": [["1"]], "Sigma_i": [["4"]], "c": [["-6"]],
    },
}  # fmt: skip
"""One training pair whose input is not white."""


@paper.claim(
    "Section 6, loss of another task",
    printed=printed.FORGETTING,
    rests_on=["loss_for_white_inputs"],
)
def loss_of_another_task() -> Certificate:
    """If W2 W1 = S_j, then on whitened inputs the loss of task i is |S_j - S_i|^2/2 + c with c = (tr S_yy - |S_i|^2)/2, for any data of
    task i."""
    return prove.words(loss, printed.forgetting, [WHITE, LEARNED_J, *ON_DATA_I], [TWO_TASKS])


@paper.claim(
    "Section 6, loss of another task, before convergence",
    expect=Verdict.REFUTED,
    corrected_by="loss_of_another_task",
    rests_on=["loss_for_white_inputs"],
)
def loss_of_another_task_before_convergence() -> Certificate:
    """On whitened inputs the loss of task i is |S_j - S_i|^2/2 + c while task j is still being learned, for any weights."""
    return prove.words(loss, printed.forgetting, [WHITE, *ON_DATA_I], [UNTRAINED])


@paper.claim(
    "Section 6, loss of another task, without assumption 2.2",
    expect=Verdict.REFUTED,
    corrected_by="loss_of_another_task_on_any_inputs",
)
def loss_of_another_task_without_white_inputs() -> Certificate:
    """The loss of task i after learning S_j is |S_j - S_i|^2/2 + c for inputs that are not white too."""
    return prove.words(loss, printed.forgetting, [LEARNED_J, *ON_DATA_I], [COLOURED])


@paper.claim("Section 6, loss of another task, without assumption 2.2, corrected")
def loss_of_another_task_on_any_inputs() -> Certificate:
    """If W2 W1 = S_j, then the loss of task i is tr(S_j S_xx S_j')/2 - tr(S_j S_i') + tr(S_yy)/2, for any inputs."""
    value = HALF * trace(task_j @ data_xx @ task_j.T) - trace(task_j @ task_i.T) + HALF * trace(data_yy)
    return prove.words(loss, value, [LEARNED_J, (data_yx, task_i)], [TWO_TASKS])


@paper.claim(
    "Section 6, c is a constant that only depends on training data of task i", rests_on=["loss_of_another_task"]
)
def constant_is_the_loss_that_stays() -> Certificate:
    """On whitened inputs c is |Y - S_i X|^2/(2 P), the loss on task i of the best linear network: it depends on the data of task i alone, and
    is never negative."""
    best = HALF * norm2(Y - task_i @ X) * net.per_sample
    return prove.words(rest, best, [WHITE, *ON_DATA_I], [TWO_TASKS])


# --- how much is forgotten ----------------------------------------------------------------------------------------------

a_, b_, c_ = (Letter(f"Sigma_{name}", "N_o", "N_i") for name in "abc")


def after(learned: Letter, evaluated: Letter) -> Words:
    """The loss of one task after another one was learned."""
    return substitute(printed.forgetting, {task_j: learned, task_i: evaluated})


def inner(left: Words, right: Words) -> Words:
    return trace(left.T @ right)


@paper.claim("Section 6, amount of forgetting", rests_on=["loss_of_another_task"])
def forgetting_by_similarity() -> Certificate:
    """L_a(T_c) - L_a(T_b) = (|S_c|^2 - |S_b|^2)/2 - <S_c, S_a> + <S_b, S_a>: the inner products of the tasks determine it, and neither c nor the
    start matters."""
    similar = HALF * (inner(c_, c_) - inner(b_, b_)) - inner(c_, a_) + inner(b_, a_)
    return prove.words(after(c_, a_) - after(b_, a_), similar)


@paper.claim("Section 6, truly catastrophic", rests_on=["forgetting_by_similarity"])
def forgetting_of_the_last_task() -> Certificate:
    """What is forgotten of the task that was learned last is |S_c - S_a|^2/2: any other task that follows raises its loss."""
    return prove.words(after(c_, a_) - after(a_, a_), HALF * norm2(c_ - a_))


@paper.claim(
    "Figure 5A, the loss of other tasks increases",
    expect=Verdict.REFUTED,
    corrected_by="forgetting_of_the_last_task",
)
def other_losses_increase() -> Certificate:
    """Learning task c after task b never lowers the loss of another task a (here: with one input and one output)."""
    old, between, new = sp.symbols("S_a S_b S_c", real=True)
    return prove.inequality(sp.Ge((new - old) ** 2 / 2, (between - old) ** 2 / 2, evaluate=False))


near, far = sp.symbols("d_b d_c", positive=True)
"""|S_b - S_a|^2/2 and |S_c - S_a|^2/2."""

floor, other_floor = sp.symbols("c c_other", positive=True)
"""The constants of two sets of data with the same correlations."""


@paper.claim(
    "Section 6, relative change of loss, as a ratio",
    expect=Verdict.REFUTED,
    corrected_by="forgetting_by_similarity",
)
def ratio_by_similarity() -> Certificate:
    """The ratio of losses before and after is determined by the tasks: it is the same for two data sets with the same S_yx."""
    return prove.identity((far - near) / (near + floor), (far - near) / (near + other_floor))


@paper.claim("Section 6, relative change of loss, as a ratio, corrected", rests_on=["loss_of_another_task"])
def ratio_needs_the_constant() -> Certificate:
    """The relative change (L_a(T_c) - L_a(T_b))/L_a(T_b) is the amount of forgetting over |S_b - S_a|^2/2 + c: it depends on the targets
    through c, and data with less of a rest c forget relatively more."""
    change = (far + floor) - (near + floor)
    lower = (far - near) / (near + floor)
    shifted = lower.subs(floor, floor + other_floor)
    return prove.every(
        prove.identity(change / (near + floor), lower),
        prove.identity(lower - shifted, (far - near) * other_floor / ((near + floor) * (near + floor + other_floor))),
    )


# --- whether the start is overwritten -----------------------------------------------------------------------------------

first, second, start = sp.symbols("w1 w2 a", real=True)
positive_start = sp.Symbol("a", positive=True)
E = sp.Symbol("E", positive=True)
"""exp(-2 s t)."""

narrow_flow = {first: second * (s - second * first), second: first * (s - second * first)}


def square_at(sign: int) -> sp.Expr:
    """The square of the weights that start at a and at a or -a."""
    return s * positive_start**2 * (E if sign < 0 else 1) / _denominator(sign)


def _denominator(sign: int) -> sp.Expr:
    return s + positive_start**2 * (1 - E) if sign < 0 else positive_start**2 + (s - positive_start**2) * E


def solved(sign: int) -> Certificate:
    weight = sp.sqrt(square_at(sign).subs(E, sp.exp(-2 * s * t)))
    motion = {first: weight, second: sign * weight}
    return prove.solves(narrow_flow, motion, {first: positive_start, second: sign * positive_start}, t)


@paper.claim(
    ["Section 6, any arbitrary zero-balanced initialisation", "Section 6, completely overwritten"],
    expect=Verdict.REFUTED,
    corrected_by="theorem_32",
)
def every_balanced_start_is_overwritten() -> Certificate:
    """From any balanced start the network converges to the task: with one neuron in each layer, from w1 = a and w2 = -a, w2 w1 goes
    to s."""
    return prove.every(solved(-1), prove.limit(-square_at(-1), [E], s))


@paper.claim("Section 6, completely overwritten, one neuron in each layer")
def same_sign_is_overwritten() -> Certificate:
    """With one neuron in each layer and from w1 = w2 = a, where B = 2, w2 w1 goes to the task s, whatever a > 0 is."""
    return prove.every(solved(1), prove.limit(square_at(1), [E], s))


@paper.claim(
    "Section 6, completely overwritten, as said of the weights",
    expect=Verdict.REFUTED,
    corrected_by="theorem_32",
    rests_on=["rotation_is_free", "same_sign_is_overwritten"],
)
def weights_are_overwritten() -> Certificate:
    """Where the network converges, the weights do not remember the start: from w1 = w2 = a and from w1 = w2 = -a they go to the same
    numbers."""
    root = sp.Symbol("r", positive=True)
    at_rest = {first: start, second: start}
    return prove.every(
        prove.identity(narrow_flow[first].subs(at_rest).subs({start: root, s: root**2}), 0),
        prove.identity(narrow_flow[first].subs(at_rest).subs({start: -root, s: root**2}), 0),
        prove.identity(root, -root),
    )


polar = Letter("O", "N", "N", orthonormal_columns=True)
input_layer = Letter("W1", "N_h", "N")
gram_inv = Letter("K", "N", "N", inverse_of=input_layer.T @ input_layer)
output_layer = polar @ input_layer.T
task = Letter("Sigma", "N", "N")
slope = task - output_layer @ input_layer


@paper.claim("Beyond: the sign of the determinant survives", rests_on=["balance_persists", "rank_is_conserved"])
def determinant_keeps_its_sign() -> Certificate:
    """If N_i = N_o and W2 W1 has an inverse, balanced weights have W2 = O W1' for an orthogonal O, and W2 W1 = O K with K = W1' W1. Then
    tr((W2 W1)^-1 d(W2 W1)) = 2 tr(O'(S - W2 W1)), so that det(W2 W1) never changes its sign: this bit of the start is not overwritten."""
    rate = output_layer @ output_layer.T @ slope + slope @ input_layer.T @ input_layer
    inverse = gram_inv @ polar.T
    second_layer = Letter("W2", "N", "N_h")
    square_flow = {
        input_layer: second_layer.T @ (task - second_layer @ input_layer),
        second_layer: (task - second_layer @ input_layer) @ input_layer.T,
    }
    return prove.chain(
        "det(W2 W1) keeps its sign",
        "determinant of a flow",
        inverse=prove.words(inverse @ output_layer @ input_layer, identity("N")),
        rate=prove.every(
            prove.words(output_layer.T @ output_layer, input_layer @ input_layer.T),
            prove.words(along(second_layer @ input_layer, square_flow), rate, [(second_layer, output_layer)], [SQUARE]),
            prove.words(trace(inverse @ rate), 2 * trace(polar.T @ slope)),
        ),
    )


SQUARE: dict[str, Any] = {
    "dims": {"N": 2, "N_h": 2},
    "matrices": {
        "W1": [["1", "2"], ["0", "1"]], "W2": [["-2", "-1"], ["1", "0"]], "O": [["0", "-1"], ["1", "0"]],
        "Sigma": [["1", "2"], ["3", "5"]], "K": [["1", "-2"], ["-2", "5"]],
    },
}  # fmt: skip

# --- sequences of tasks -------------------------------------------------------------------------------------------------

tall, wide = Letter("L", "N", "rank"), Letter("R", "rank", "N_h")
"""What a task of low rank leaves behind."""


@paper.claim(
    [
        "Section 6, exact solutions for the full continual learning process",
        "Section 6, arbitrary sequences of tasks",
        "Figure 5A",
    ],
    rests_on=["riccati_solution"],
)
def tasks_follow_each_other() -> Certificate:
    """The solution goes on from any state Q_1 that a task leaves behind, at any time: QQ' on the next task is G (I + P Phi)^-1 P G with
    P = Q_1 Q_1', so that all that matters of what came before is QQ', which the solution for the last task gives."""
    then, integral = Letter("G_2", "N", "N", symmetric=True), Letter("Phi_2", "N", "N", symmetric=True)
    state = Letter("Q_1", "N", "N_h")
    inverse = Letter("M_2_inv", "N_h", "N_h", inverse_of=identity("N_h") + state.T @ integral @ state)
    before = state @ state.T
    pushed = identity("N") - state @ inverse @ state.T @ integral
    return prove.every(
        prove.words(then @ state @ inverse @ state.T @ then, then @ pushed @ before @ then),
        prove.words(pushed @ (identity("N") + before @ integral), identity("N")),
        prove.words((identity("N") + before @ integral) @ pushed, identity("N")),
    )


@paper.claim("Beyond: a task of low rank before one of high rank", rests_on=["riccati_solution", "rank_is_conserved"])
def low_rank_is_inherited() -> Certificate:
    """If a task of rank r was learned to the end, so that Q = L R with r columns in L, then on the next task QQ' = e^(Ft) L (R M^-1 R') L' e^(Ft)
    at all times, which has at most the rank r: a task of higher rank is never learned."""
    low = tall @ wide
    inverse = Letter("M_inv", "N_h", "N_h", inverse_of=identity("N_h") + low.T @ Phi @ low)
    middle = wide @ inverse @ wide.T
    state = grown @ low @ inverse @ low.T @ grown
    return prove.every(
        prove.words(state, grown @ tall @ middle @ tall.T @ grown),
        prove.words(along(state, GROW), F_whole @ state + state @ F_whole - state @ state),
    )


@paper.claim(
    "Section 6, arbitrary sequences of tasks, each of them learned",
    expect=Verdict.REFUTED,
    corrected_by="low_rank_is_inherited",
)
def every_sequence_is_learned() -> Certificate:
    """A network that has learned any task goes on to learn any other one."""
    blank = {W1: 0 * W1, W2: 0 * W2}
    stuck = prove.every(
        prove.words(substitute(flow[W1], blank), 0 * W1),
        prove.words(substitute(flow[W2], blank), 0 * W2),
        prove.words(norm2(substitute(Sigma - W2 @ W1, blank)), norm2(Sigma)),
    )
    return prove.contrary("after the task zero, which ends at zero weights, no task moves the weights", stuck)
