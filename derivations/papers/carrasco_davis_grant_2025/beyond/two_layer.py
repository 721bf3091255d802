"""Beyond: a learned second layer; and for Gaussian inputs the order parameters are a Markov chain at every finite N.

A batch is the columns of X. With E an orthonormal frame of D = K + M directions that span all weights, W/sqrt(N) = S E'
and W*/sqrt(N) = U E', so that Q = S S', R = S U' and T = U U'; and X = E Z + V with V outside of the frame. An update
needs Z, the noises and V' V alone; their laws do not depend on the weights, and V' V has one in closed form.
"""

from derivations.papers.carrasco_davis_grant_2025.setup import *
from derivations.models.committee.population import CENTRED, NOISE
from derivations.models.committee import examples
from derivations.models.committee.second_layer import *
from derivations.models.committee import slope as slopes, x as inputs

LAYERS = {"v": ["-2", "1/3"], "v_teacher": ["3/2", "5", "-1"], "eta_second": "7", "change": ["1", "-4"]}
DATA = [examples.data(samples=3, **LAYERS)]
ON_SPHERE = [examples.data(examples.SPHERE, 3, chances=("1/3", "2/3"), **LAYERS)]
IN_THE_LIMIT = [*net.RECIPROCALS, *NOISE, *net.population.ON_A_SPHERE]
BIASED = examples.data(samples=3, noise=("2", "1"), **LAYERS)  # a noise of mean 6/5
second_layer_flow = paper.states("second_layer_flow", "Beyond: a learned second layer",
    "With a noise of mean 0 and a rate of eta_second/N, the mean update of v_i over dt = 1/N is eta_second times the "
    "sum of v*_m I2(i, m) less that of v_j I2(i, j), at every N and for batches of every size.",
    lambda: same(per_time(per_input * second_step(i)), second_flow, among=[*DATA, BIASED]), given=net.RECIPROCALS,
    needs={"centred_noise": CENTRED})

both_moved = [W[unit, a] + first_step(unit, a) for unit in (i, k)]
updates = [per_input * total(step, a)
    for step in (first_step(i, a) * W_teacher[n, a], both_moved[0] * both_moved[1] - W[i, a] * W[k, a])]
two_layer_teacher_flow = paper.states("two_layer_teacher_flow: second_layer_flow",
    "Beyond: overlaps with a second layer, R",
    "With a noise of mean 0, R_in moves at eta v_i times the sums of v*_m I3(i, n, m) less v_j I3(i, n, j).",
    lambda: same(per_time(updates[0]), teacher_flow, [*net.RECIPROCALS, *CENTRED], among=DATA))
two_layer_student_flow = paper.states("two_layer_student_flow", "Beyond: overlaps with a second layer, Q",
    "With |x|^2 = N and without pairs of different samples, the mean update of Q_ik over dt has v_i and v_k in its "
    "linear terms, v_i v_k eta^2/B before I4 and J2, and an entry of v or v* with each value of a field.",
    lambda: same(per_time(updates[1]), student_flow, IN_THE_LIMIT, among=ON_SPHERE))

COMMITTEE = [(v[k], 1), (v_teacher[m], 1)]
# Soft committee machines are networks whose second layer is one.
ONES = [examples.data(**(LAYERS | {"v": ["1"] * 2, "v_teacher": ["1"] * 3}))]

# === A Markov chain at every finite N ===
second = eta_second * per_input * per_sample * total(delta_s * g_student[i, s], s)
pull = eta * per_sample * v[i] * delta_s * slopes[i, s]  # A
paper.states("update_by_fields", "Beyond: an update by fields",
    "An update adds sum_s A_is x_s/sqrt(N) to W_i, with A_is = eta/B v_i Delta_s g'(lambda_i of s), and "
    "eta_second/(N B) times the sum of Delta_s g(lambda_i of s) to v_i: beside the inputs only fields and noises "
    "enter.",
    lambda: [same(first_step(i, a), root * total(pull * inputs[s, a], s)), same(per_input * second_step(i), second)])

E = letters("E: N x D", orthonormal_columns=True)  # 1/sqrt(N) and sqrt(N)
S, U, Z, V, A = letters("S: K x D, U: M x D, Z: D x B, V: N x B, A: K x B")
over_root, root_inputs = letters("root_per_input, root_inputs", positive=True)
over_inputs = over_root * over_root
ROOTS = (over_root * root_inputs, 1)
OUTSIDE = (E.T @ V, 0)
students, teachers = root_inputs * S @ E.T, root_inputs * U @ E.T
batch = E @ Z + V
moved = students + over_root * A @ batch.T  # the weights after the update
moved_coordinates = S + over_inputs * A @ Z.T
beside = over_inputs * over_inputs * A @ V.T @ V @ A.T
# What is left of the input is not outside of the frame.
ONE_INPUT_IN_THE_FRAME = instance(
    "N=2 D=1 K=1 M=1 B=1", E="1; 0", S=2, U=3, Z=1, V="1; 1", A=1, root_per_input="1/2", root_inputs=2)
pairs = [(over_root * weights @ batch, turned @ Z) for weights, turned in ((students, S), (teachers, U))]
paper.states("fields_in_a_frame", "Beyond: fields in a frame",
    "The fields of a batch are S Z and U Z: what is outside of the frame does not enter.",
    lambda: [same(left, right) for left, right in pairs], given=[ROOTS], needs={"rest_outside_of_the_frame": OUTSIDE},
    among=ONE_INPUT_IN_THE_FRAME)
paper.states("overlaps_after_an_update: update_by_fields fields_in_a_frame", "Beyond: order parameters after an update",
    "With G = V'V an update takes S S' to (S + A Z'/N)(S + A Z'/N)' + A G A'/N^2, and S U' to (S + A Z'/N) U'.",
    lambda: [same(over_inputs * moved @ moved.T, moved_coordinates @ moved_coordinates.T + beside),
        same(over_inputs * moved @ teachers.T, moved_coordinates @ U.T)],
    given=[ROOTS], needs={"rest_outside_of_the_frame": OUTSIDE}, among=ONE_INPUT_IN_THE_FRAME)

L, O = letters("L: B x B"), letters("O: wide x wide", orthonormal_columns=True)
own, drawn, steps = letters("own: K x wide, drawn: B x wide, steps: K x B")
turned = own @ O + steps @ (drawn @ O)
paper.states("turned_frame: overlaps_after_an_update", "Beyond: a turned frame",
    "With G = L L' the students after an update have the coordinates S + A Z'/N and, beside the frame, A L/N. Turning "
    "students and directions by one orthogonal matrix changes neither their products nor which step follows.",
    lambda: [same(over_inputs * over_inputs * A @ L @ L.T @ A.T, (over_inputs * A @ L) @ (over_inputs * A @ L).T),
        same(turned @ turned.T, (own + steps @ drawn) @ (own + steps @ drawn).T)])

X = letters("X: N x B")
F = letters("F: N x n", orthonormal_columns=True)  # the other N - D directions
COMPLETE = (F @ F.T, identity("N") - E @ E.T)
ONE_INPUT = instance("N=2 D=1 n=1 B=1", E="3/5; 4/5", F="-4/5; 3/5", X="1; 7")
Y = F.T @ X  # the coordinates outside of the frame
outer = X - E @ (E.T @ X)
paper.states("law_of_the_coordinates: overlaps_after_an_update", "Beyond: law of the coordinates",
    "For inputs x ~ N(0, I) all entries of Z and of Y = F'X are independent standard normal numbers, D and N - D for "
    "each input, whatever the weights are, and G = Y'Y: (Q, R, v) is a Markov chain with N only in 1/N and N - D.",
    lambda: argued(
        "standard normal numbers turned by an orthogonal matrix are standard normal: so are Z = E'X and Y = F'X, and "
        "V'V = Y'Y", orthogonal=prove.words(E @ E.T + F @ F.T, identity("N"), [COMPLETE], [ONE_INPUT]),
        coordinates=prove.every(prove.words(outer.T @ outer, Y.T @ Y, [COMPLETE], [ONE_INPUT]),
            prove.words(E.T @ outer, 0))), expect="argued")

outside, directions = letters("Y: n x B"), letters("directions: n x B", orthonormal_columns=True)
paper.states("law_of_the_products: law_of_the_coordinates turned_frame",
    "Beyond: law of the products outside of the frame",
    "Where N - D is at least B, G = L L' with independent entries of the triangle L: standard normal below the "
    "diagonal, and on it roots of chi-square numbers with N - D, N - D - 1, ... degrees of freedom.",
    lambda: argued(
        "Y'Y = L L' for Y of orthonormal columns times L', whose entries have these laws by Bartlett's decomposition",
        gram=prove.words(outside.T @ outside, L @ L.T, [(outside, directions @ L.T)])), expect="argued")

first, others = letters("Y_first: n x n, Y_others: n x others")
all_directions, corner = letters("directions: n x n", orthonormal_columns=True), letters("L_first: n x n")
below = others.T @ all_directions
paper.states("law_of_the_products_in_few_dimensions: law_of_the_products",
    "Beyond: law of the products in few dimensions",
    "For n = N - D < B, L is that triangle for n inputs, and for each other a row of n standard normal numbers.",
    lambda: argued(
        "turned by the directions of the first n inputs, the others are standard normal rows below their triangle",
        orthogonal=prove.words(all_directions @ all_directions.T, identity("n")),
        coordinates=prove.every(prove.words(first.T @ first, corner @ corner.T, [(first, all_directions @ corner.T)]),
            prove.words(others.T @ first, below @ corner.T, [(first, all_directions @ corner.T)]),
            prove.words(others.T @ others, below @ below.T))), expect="argued")
