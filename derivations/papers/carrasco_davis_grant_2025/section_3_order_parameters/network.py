"""Equations 7 to 14: soft committee machines, their loss and its gradient, the update, and the overlaps it changes.

One noise for each sample is the general case. Shapes are judged with matrices of any size; where the source's
transpositions ask for another product than the sums over the columns, a claim of its own says so.
"""

from derivations.papers.carrasco_davis_grant_2025.setup import *
from derivations.language.sums import derivative, number, size
from derivations.latex import Indexed
from derivations.papers.carrasco_davis_grant_2025.section_3_averages import SCALED, C, slope_field_value
from dataclasses import replace
from derivations.models.committee.population import CHANCES, WHITE, average, chance, p
from derivations.models.committee import examples

PER_SAMPLE = net.RECIPROCALS[0]

EQ_7 = paper.equation("Eq. 7", r"\hat{y}_{s}^{u} = \sum_{k=1}^{K} g\left( \frac{W_{k} x_{s}^{u}}{\sqrt{N}} \right),",
    name="soft_committee_student", says="A soft committee machine as the student: the sum of its units.")
per_unit = Array("per_unit").value
average_unit = per_unit * EQ_7.right
PER_UNIT = (per_unit * size(K), 1)  # 1/K
paper.states("output_is_an_average_of_units", "Section 3, an average of non-linear perceptrons",
    "The output of the student in Eq. 7 is the average of its K units.",
    lambda: same(EQ_7.right, average_unit, [PER_UNIT]),
    quote="In Saad and Solla's work, both the teacher and student networks were modeled as a soft-committee machine, "
    "which is an average of non-linear perceptrons. We define the teacher and student networks as follows (with a "
    "slightly modified version)", corrected_by="output_is_a_sum_of_units")
paper.states("output_is_a_sum_of_units", "Section 3, an average of non-linear perceptrons, corrected",
    "The output of the student in Eq. 7 is the sum of its K units, which is K times their average.",
    lambda: same(EQ_7.right, size(K) * average_unit, [PER_UNIT]))

# student_unit picks a row: a one at its place, zeros elsewhere.
row, teacher_row, column = letters("W_i: 1 x N, W_teacher_n: 1 x N, x_s: N")
over_root, student_unit = letters("root_per_input, e_i: K")
paper.states("a_row_for_each_unit", "Eq. 7, rows of W in R^{1 x N}",
    "With W a K x N matrix each row e_i'W is 1 x N, and its product with the column x is entry i of W x.",
    lambda: same(student_unit.T @ students @ column, (students @ column).T @ student_unit),
    quote=r"$k$ indexes the perceptrons (rows of $W \in \mathbb{R}^{1 \times N}$)")
paper.states("gradient_is_a_row", ["Eq. 8, line 4, shapes", "Eq. 9, shapes"],
    "The gradient of W_i x_s/sqrt(N) by the row W_i is the row x_s'/sqrt(N), not the column x_s of Eqs. 8 and 9.",
    lambda: same(gradient(row @ column * over_root, row), column.T * over_root))
paper.states("row_times_column: gradient_is_a_row", "Eq. 11, shapes",
    "Eq. 11 needs x_s'(W_n*)'/sqrt(N) for x_s (W_n*)'/sqrt(N): the number W_n* x_s/sqrt(N), the teacher's field.",
    lambda: same(column.T @ teacher_row.T * over_root, teacher_row @ column * over_root))

y, y_hat = Array("y", B), Array("y_hat", B)
# Outputs of any two networks, and the loss of Eq. 3 for them.
MEASURED = {"y_s": Indexed(y[s]),
    "yhat_s": Indexed(y_hat[s]),
    "loss": Indexed(net.HALF * per_sample * total((y_hat[s] - y[s]) ** 2, s))}
OVER_I = r"\mathcal{L^{u}} = \frac{1}{2B} \sum_{i=1}^{B} \left( y_{s}^{u} - \hat{y}_{s}^{u} \right)^{2}"
paper.equation("Eq. 8, line 1", OVER_I, letters=MEASURED).states("loss_is_summed_over_i",
    "With the summed index i read as printed, line 1 is the loss of Eq. 3.", corrected=OVER_I.replace("i=1", "s=1"),
    corrected_name="loss_is_summed_over_samples",
    because="Summed over s, line 1 is the loss of Eq. 3, in which the difference has the other sign.",
    given=[PER_SAMPLE])

paper.states("loss_over_i_is_that_of_one_sample", "Eq. 8, line 1, what it says as printed",
    "With the summed index i read as printed, line 1 is half the squared error of sample s, for any batch size.",
    lambda: same(paper.equation("Eq. 8, line 1", OVER_I, letters=MEASURED).right, net.HALF * (y_hat[s] - y[s]) ** 2,
        [PER_SAMPLE]))
paper.equation("Eq. 8, line 2",
    r"\mathcal{L^{u}} = \frac{1}{2B} \sum_{s=1}^{B} \left[ \sum_{m=1}^{M} g\left( \frac{W^{*}_{m}x_{s}^{u}}{\sqrt{N}} \right) "
    r"+ \sigma \xi^{u} -\sum_{k=1}^{K} g\left( \frac{W_{k}x_{s}^{u}}{\sqrt{N}} \right) \right]^{2}").states(
    "loss_of_units: loss_is_summed_over_samples", "With the outputs of Eq. 7, the loss of Eq. 3 is line 2.")

by_entry = derivative(net.student_field(j, s), {W: lambda p, q: delta(p, i) * delta(q, b)})
paper.states("field_by_weight", "Eq. 8, line 3, inner derivative",
    "The derivative of a unit's field by a weight is x/sqrt(N) for its own weights and zero for the others.",
    lambda: same(by_entry, delta(i, j) * root * x[s, b]))
paper.equation("Eq. 8, line 3",
    r"\frac{\partial \mathcal{L}}{\partial W_{i}} = \frac{1}{B}\sum_{s=1}^{B} \left[\sum_{m=1}^{M} "
    r"g\left( \frac{W^{*}_{m}x_{s}^{u}}{\sqrt{N}} \right) + \sigma \xi ^{u} -\sum_{k=1}^{K} "
    r"g\left( \frac{W_{k}x_{s}^{u}}{\sqrt{N}} \right) \right]  \cdot  "
    r"\left( -g'\left( \frac{W_{i}x_{s}^{u}}{\sqrt{N}} \right)  \cdot  \frac{x_{s}^{u}}{\sqrt{N}} \right)").states(
    "gradient_by_units: loss_of_units field_by_weight",
    "Line 3 is the derivative of line 2 by each entry of W_i, by the chain rule through g and the field.")
paper.equation("Eq. 8, line 4",
    r"\frac{\partial \mathcal{L}}{\partial W_{i}} = - \frac{1}{B}\sum_{s=1}^{B} \Delta_{s}^{u}  \cdot  "
    r"g'\left( \frac{W_{i}x_{s}^{u}}{\sqrt{N}} \right) \cdot \frac{x_{s}^{u}}{\sqrt{N}}").states(
    "gradient_by_error: gradient_by_units", "Line 4 is that derivative with Delta_s for the bracket.")
paper.equation("Eq. 9", r"W_{i}^{u+1} = W_{i}^{u} + \frac{\eta_{W}}{B}\sum_{s=1}^{B} \Delta_{s}^{u}  \cdot  "
    r"g'\left( \frac{W_{i}x_{s}^{u}}{\sqrt{N}} \right)  \cdot \frac{x_{s}^{u}}{\sqrt{N}}.",
).states("update_of_weights: gradient_by_error",
    "Eq. 9 is Eq. 4 with the gradient of Eq. 8: descent by the learning rate times the derivative of the loss.")

# As many teachers as students, U: for other numbers the shapes of both sides differ.
as_many = {"W": letters("W: U x N"), "W_teacher": letters("W_teacher: U x N"), "N": inputs}
# Two students and two teachers, and columns that pick the first student and the second teacher.
TWO_EACH = instance(
    "U=2 N=2", W="1 0; 1 2", W_teacher="3 0; 0 1", per_input="1/2", e_i="1; 0", e_n="0; 1", R="3/2 3/2; 0 1")
EQ_10_R = paper.equation("Eq. 10, R", r"R = \frac{W^{*}W^{T}}{N}",
    letters={**as_many, "R": as_many["W"] @ as_many["W_teacher"].T * over_inputs})
for name, says, latex in (
    ("student_overlaps", "The overlaps of the students with each other.", r"Q = \frac{W W^{T}}{N}"),
    ("teacher_overlaps", "The overlaps of the teachers with each other.", r"T = \frac{W^{*}(W^{*})^{T}}{N}.")):
    paper.equation("Eq. 10", latex, letters={"W": students, "W_teacher": teachers, "N": inputs}, name=name, says=says)

@EQ_10_R.claim(corrected=r"R = \frac{W(W^{*})^{T}}{N}", corrected_name="overlaps_with_students_first",
    because="R = W (W*)'/N, the transpose of what is printed, has a row for each student: it is K x M, and its entry (i, n) is "
    "W_i (W_n*)'/N, which Eq. 11 updates.")
def printed_R_has_students_first(eq):
    """With as many students as teachers, the entry (i, n) of this R is W_i (W_n*)'/N, which Eq. 11 updates."""
    R, student, teacher = letters("R: U x U, e_i: U, e_n: U")
    row, other = student.T @ as_many["W"], teacher.T @ as_many["W_teacher"]
    yield same(student.T @ R @ teacher, over_inputs * (row @ other.T), [(R, eq.right)], among=TWO_EACH)

products = [units @ units.T * over_inputs for units in (students, teachers)]
paper.states("overlaps_are_symmetric", "Eq. 10, Q and T",
    "Q = W W'/N and T = W* (W*)'/N are symmetric.", lambda: [same(product.T, product) for product in products])

among_teachers = overlap(net.W_teacher[m, a], net.W_teacher[n, a])
paper.states("updates_leave_the_teacher", "Eq. 10, T does not change",
    "Along the updates of W the derivative of T is zero, and that of R the overlap of the updates with W*.",
    lambda: [same(derivative(among_teachers + overlap(W[i, a], net.W_teacher[n, a]), {W: net.step}),
            overlap(net.step(i, a), net.W_teacher[n, a])), same(derivative(among_teachers, {W: net.step}), number(0))],
    quote="(which do not change throughout training as the teacher is fixed)")

paper.equation("Eq. 11, line 1",
    r"\frac{W_{i}^{u+1}(W_{n}^{*})^{T}}{N} = \frac{W_{i}^{u}(W_{n}^{*})^{T}}{N} + \frac{\eta_{W}}{NB}\sum_{s=1}^{B} "
    r"\Delta_{s}^{u}  \cdot  g'\left( \frac{W_{i}x_{s}^{u}}{\sqrt{N}} \right)  \cdot  "
    r"\frac{x_{s}^{u} (W_{n}^{*})^{T}}{\sqrt{N}}").states(
    "overlap_update_by_weights: update_of_weights row_times_column", "Eq. 9 multiplied by (W_n*)'/N is line 1.")
paper.equation("Eq. 11, line 2",
    r"R_{in}^{u+1} = R_{in}^{u} + \frac{\eta_{W} dt}{B}\sum_{s=1}^{B} \Delta_{s}^{u}  \cdot  "
    r"g'\left( \frac{W_{i}x_{s}^{u}}{\sqrt{N}} \right)  \cdot  \frac{x_{s}^{u} (W_{n}^{*})^{T}}{\sqrt{N}}.",
    symbols=TIME_STEP).states("overlap_update: overlap_update_by_weights overlaps_with_students_first",
    "With dt = 1/N line 1 is line 2: dt times the batch mean of eta Delta g'(lambda_i) rho_n is added to R_in.")

# === Section 3: the mean update of the weights, which the text says has no closed form ===
# likely is the chance of each sample: the average is over all inputs and noises, each a sample.
slope_teacher, curvature, likely = Array("slope_teacher", M, B), Array("curvature", K, B), Array("chance", B)

# What satisfies all hypotheses; a noise that depends on the input; and inputs of mean 1/2.
AMONG = [examples.squares(examples.NORMAL, lambda at: (1, -1)),
    examples.squares(examples.NORMAL, lambda at: (at + at**2, 1)),
    examples.squares({0: "1/2", 1: "1/2"}, lambda at: (1, -1))]

def averaged(of):
    return total(likely[s] * of, s)

def toward(unit, steepness, of, weights):
    """<dF/dx_a> for F = g'(lambda_unit) g(field), by the chain rule."""
    bent = curvature[unit, s] * (g_student if weights is W else g_teacher)[of, s] * W[unit, a]
    return root * averaged(bent + slope[unit, s] * steepness[of, s] * weights[of, a])

# <F x_a> = <dF/dx_a>: Stein's lemma, for x ~ N(0, I), whose entries are independent with variance one.
STEIN = [(averaged(slope[i, s] * g_student[k, s] * x[s, a]), toward(i, slope, k, W)),
    (averaged(slope[i, s] * g_teacher[m, s] * x[s, a]), toward(i, slope_teacher, m, W_teacher))]
# The noise is drawn apart from the input, with mean zero.
FAIR_NOISE = (averaged(net.noise[s] * slope[i, s] * x[s, a]), 0)
toward_teachers = total(averaged(slope[i, s] * slope_teacher[m, s]) * W_teacher[m, a], m)
curved = total(averaged(curvature[i, s] * g_teacher[m, s]), m) - total(averaged(curvature[i, s] * g_student[k, s]), k)
combined = per_input * (toward_teachers - total(averaged(slope[i, s] * slope[k, s]) * W[k, a], k) + curved * W[i, a])
mean_update_of_the_weights = paper.states("mean_update_of_the_weights: average_of_slopes",
    "Section 3, the expectation does not have a closed form solution, corrected",
    "For inputs that obey Stein's lemma, as x ~ N(0, I) does, and noise of mean 0 drawn apart from them, the mean of "
    "Delta g'(lambda_i) x/sqrt(N) is, over N, the sum over teachers of J2(i, m) W*_m less that over students of J2(i, "
    "k) W_k, plus <Delta g''(lambda_i)> W_i: closed where J2 and <g'' g> are, as for erf.",
    lambda: same(root * averaged(net.error(s) * slope[i, s] * x[s, a]), combined, among=AMONG),
    given=[(root * root, per_input)], needs={"inputs_that_obey_Steins_lemma": STEIN, "fair_noise": FAIR_NOISE})
paper.states("mean_update_has_no_closed_form", "Section 3, the expectation does not have a closed form solution",
    "The average of the update of the weights has no closed form.", lambda: denied(mean_update_of_the_weights()),
    quote="the expectation induced in the right hand side does not have a closed form solution",
    corrected_by="mean_update_of_the_weights")

# J2 of a student and another field, and <g''(lambda_i) g> of them.
J_teacher, J_student = Array("J_teacher", K, M), Array("J_student", K, K)
bent_teacher, bent_student = Array("bent_teacher", K, M), Array("bent_student", K, K)
@paper.claim(
    "Section 3, the expectation has a solution in terms of the order parameters", rests_on="mean_update_of_the_weights")
def mean_update_gives_overlaps():
    """The overlap of that mean update with a teacher is equation 20 for R: I3(i, n, f) = <g''(lambda_i) g(f)> R_in +
    J2(i, f) C_fn summed over teachers less that over students, which for erf(x/sqrt 2) is its closed form."""
    bent = total(bent_teacher[i, m], m) - total(bent_student[i, k], k)
    update = total(J_teacher[i, m] * W_teacher[m, a], m) - total(J_student[i, k] * W[k, a], k) + bent * W[i, a]
    share = overlap(W[i, a], W_teacher[n, a])
    by_teachers = bent_teacher[i, m] * share + J_teacher[i, m] * overlap(W_teacher[m, a], W_teacher[n, a])
    by_students = bent_student[i, k] * share + J_student[i, k] * overlap(W[k, a], W_teacher[n, a])
    in_fields = SCALED.curvature_value(C, 0, 2) * C[0, 1] + SCALED.slopes(C, 0, 2) * C[1, 2]
    yield same(overlap(update, W_teacher[n, a]), total(by_teachers, m) - total(by_students, k))
    yield slope_field_value(SCALED, in_fields)

# === Equations 13 and 14: the local fields, and the update of the overlaps of students line by line ===
ROOT = net.RECIPROCALS[2]
BATCH, CENTRED_INPUTS = [examples.batch()], [examples.centred()]
COVARIANCES = [(student_field(i, s) * student_field(j, s), overlap(W[i, a], W[j, a])),
    (student_field(i, s) * teacher_field(n, s), overlap(W[i, a], W_teacher[n, a])),
    (teacher_field(n, s) * teacher_field(m, s), overlap(W_teacher[n, a], W_teacher[m, a]))]

paper.states("teacher_field_of_a_transposed_row", "Eq. 13, W*_n as a row",
    "With W*_n a row, as in Eqs. 7 and 10, each entry of (W*_n)'x'/sqrt(N), for two inputs, is the teacher's field.",
    lambda: same(root * W_teacher[n, a] * x[s, b], teacher_field(n, s), among=BATCH),
    corrected_by="teacher_field_of_a_row")
paper.states("teacher_field_of_a_row", "Eq. 13, W*_n as a row, corrected",
    "With W*_n a row the field is W*_n x/sqrt(N), the trace of (W*_n)'x'/sqrt(N), without the transposition.",
    lambda: same(total(delta(a, b) * root * W_teacher[n, a] * x[s, b], a, b), teacher_field(n, s), among=BATCH))

@paper.claim("Eq. 13, means and covariances of the fields",
    quote="where the local fields are simply a gaussian scalar as $x \\sim \\mathcal{N}(0, I)$", given=[ROOT],
    needs={"white_inputs": WHITE})
def covariances_of_fields():
    """For <x_a> = 0, <x_a x_b> = delta_ab fields have mean 0 and the covariances Q, R (students first) and T."""
    centred = (total(chance[p] * net.population.x[p, a], p), 0)
    for field in (student_field(i, s), teacher_field(n, s)):
        yield prove.sums(average(field, s), 0, [centred], CENTRED_INPUTS)
    for left, right in COVARIANCES:
        yield same(average(left, s), right, [CHANCES[0]], among=[*CENTRED_INPUTS, examples.data()])

# What is right in lines 4 and 5.
LINEAR = (r"Q^{u+1}_{ij} = Q^{u}_{ij} + \frac{\eta_{W}dt}{B}\sum_{s=1}^{B} \Delta_{s}^{u}  \cdot  "
    r"g'\left( \lambda_{j}^ {u} \right) \lambda_{i}^{u} + \frac{\eta_{W}dt}{B}\sum_{s=1}^{B} \Delta_{s}^{u}  \cdot  "
    r"g'\left( \lambda_{i}^{u} \right) \lambda_{j}^{u} + \frac{\eta_{W}^{2}dt}{B^{2}}\sum_{s=1}^{B}\sum_{s'=1}^{B} ")
LAST_CORRECTED = (r"\Delta_{s}^{u} \Delta_{s'}^{u}g'\left( \lambda_{i}^{u} \right)"
    r"g'\left( \lambda_{j,s'}^{u} \right) \frac{x_{s}^{u}(x_{s'}^{u})^{T}}{N}.")
EQ_14_4 = paper.equation(["Eq. 14, line 4", "Eq. 14, line 5"],
    LINEAR + r"\Delta_{s}^{u} \Delta_{s'}^{u}g'\left( \lambda_{i}^{u} \right)g'\left( \lambda_{j}^{u} \right) "
    r"\frac{x_{s}^{u}(x_{s}^{u})^{T}}{N}.", symbols={**TIME_STEP, r"x_{s'}^{u}": "x_s_other",
        r"\lambda_{j,s'}^{u}": "lambda_j_other",
    }, letters={"lambda_j_other": Indexed(student_field(j, net.s_other))})
EQ_14_4_CORRECTED = replace(EQ_14_4, formula=replace(EQ_14_4.formula, latex=LINEAR + LAST_CORRECTED))
paper.equation("Eq. 14, line 1",
    r"\frac{W_{i}^{u+1}(W_{j}^{u+1})^{T}}{N} = \frac{W_{i}^{u}(W_{j}^{u+1})^{T}}{N} + \frac{\eta_{W}}{NB}\sum_{s=1}^{B} "
    r"\Delta_{s}^{u}  \cdot  g'\left( \lambda_{i}^{u} \right)  \cdot  \frac{x_{s}^{u}}{\sqrt{N}}(W_{j}^{u+1})^{T}").states(
    "overlap_with_left_factor_inserted",
    "One update of W_i, times W_j after the update, over N: line 1, for any numbers of units, inputs and samples.",
    among=BATCH)
paper.equation(["Eq. 14, line 2", "Eq. 14, line 3"],
    r"Q^{u+1}_{ij} = \frac{W_{i}^{u}}{N}\left( W_{j}^{u} + \frac{\eta_{W}}{B}\sum_{s=1}^{B} \Delta_{s}^{u} \cdot "
    r"g'\left( \frac{W_{j}x_{s}^{u}}{\sqrt{N}} \right)  \cdot  \frac{x_{s}^{u}}{\sqrt{N}} \right)^{T} "
    r"+ \frac{\eta_{W}}{NB}\sum_{s=1}^{B} \Delta_{s}^{u}  \cdot  g'\left( \lambda_{i}^ {u} \right)  \cdot  "
    r"\frac{x_{s}^{u}}{\sqrt{N}} \left( W_{j}^{u} + \frac{\eta_{W}}{B}\sum_{s=1}^{B} \Delta_{s}^{u}  \cdot  "
    r"g'\left( \frac{W_{j}x_{s}^{u}}{\sqrt{N}} \right)  \cdot  \frac{x_{s}^{u}}{\sqrt{N}} \right)^{T}").states(
    "overlap_with_both_factors_inserted",
    "The update of W_j inserted in both places of line 1; the inner sum over s is its own.", among=BATCH)
EQ_14_4.states("overlap_expanded_as_printed",
    "An update takes Q to lines 4 and 5, whose quadratic term takes both slopes and both inputs from sample s.",
    corrected=EQ_14_4_CORRECTED.formula, corrected_name="overlap_expanded",
    because="The quadratic term is eta^2 dt/B^2 times the sum over s and s' of Delta_s Delta_s' g'(lambda_i of s) "
    "g'(lambda_j of s') x_s . x_s'/N: each sample brings its own error, slope and input.", given=[ROOT], among=BATCH)

@paper.claim(["Eq. 14, line 4, for erf(x/sqrt 2)", "Eq. 14, line 5, for erf(x/sqrt 2)"], corrected_by="overlap_expanded",
)
def overlap_expanded_in_the_model():
    """For erf(x/sqrt 2), one input, a student of weight 1/2, a teacher of weight 1, no noise and eta = 1, an update
    with the batch x = 1, 2 takes Q to what Eq. 14 prints."""
    sizes, network = examples.in_the_model(1, 2)
    yield same(*(examples.evaluated(side, sizes, network) for side in (EQ_14_4.left, EQ_14_4.right)))

outer_product = per_input * x[s, a] * x[s, b]
paper.states("outer_product_has_the_identity_as_mean", "Eq. 14, line 5, x_s as a column",
    "With x_s as a column, x_s (x_s)'/N is a matrix with trace |x_s|^2/N, and has the identity over N as its mean.",
    lambda: [same(average(outer_product, s), per_input * delta(a, b), WHITE, among=CENTRED_INPUTS),
        same(total(delta(a, b) * outer_product, a, b), overlap(x[s, a], x[s, a]), among=BATCH)])
