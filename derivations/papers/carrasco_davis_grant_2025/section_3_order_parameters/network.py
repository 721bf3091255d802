"""Equations 7 to 11: soft committee machines, their loss and its gradient, the update, and the overlaps with a teacher.

Where the sides are sums, one noise for each sample is the general case: a noise that all samples of a batch share is an
array whose entries are equal. Shapes are judged with matrices of any size.
"""

from __future__ import annotations

from typing import Any

from derivations import prove
from derivations.language.sums import Array, Index, Range, Sums, delta, derivative, number, size, total
from derivations.language.words import Letter, gradient
from derivations.models import committee as net
from derivations.models.committee import HALF, B, K, N, W, a, eta, i, j, m, n, per_input, per_sample, root, s, slope, x
from derivations.papers.carrasco_davis_grant_2025.setup import paper
from derivations.papers.carrasco_davis_grant_2025.source.vocabulary import TIME_STEP, inputs, over_inputs
from derivations.prove import Certificate, Verdict

# --- equation 7 -------------------------------------------------------------------------------------------------------


def printed_teacher_output(sample: Index) -> Sums:
    """Equation 7, first."""
    return total(net.g_teacher[m, sample], m) + net.sigma * net.noise[sample]


def printed_student_output(sample: Index) -> Sums:
    """Equation 7, second."""
    return total(net.g_student[net.k, sample], net.k)


per_unit = Array("per_unit").value
average_unit = per_unit * printed_student_output(s)
PER_UNIT = (per_unit * size(K), 1)
"""1/K."""


@paper.claim(
    "Eq. 7, an average of non-linear perceptrons", expect=Verdict.REFUTED, corrected_by="output_is_a_sum_of_units"
)
def output_is_an_average_of_units() -> Certificate:
    """The output of the student in Eq. 7 is the average of its K units."""
    return prove.sums(printed_student_output(s), average_unit, [PER_UNIT])


@paper.claim("Eq. 7, an average of non-linear perceptrons, corrected")
def output_is_a_sum_of_units() -> Certificate:
    """The output of the student in Eq. 7 is the sum of its K units, which is K times their average."""
    return prove.sums(printed_student_output(s), size(K) * average_unit, [PER_UNIT])


# --- shapes: words are matrices of any size ---------------------------------------------------------------------------

students, teachers = Letter("W", "K", "N"), Letter("W_teacher", "M", "N")
row, teacher_row = Letter("W_i", 1, "N"), Letter("W_teacher_n", 1, "N")
column = Letter("x_s", "N", 1)
over_root = Letter("root_per_input", 1, 1)
student_unit, other_unit = Letter("e_i", "K", 1), Letter("e_j", "K", 1)
teacher_unit = Letter("e_n", "M", 1)
"""Columns that pick a row: a one at its place, zeros elsewhere."""


@paper.claim(
    "Eq. 7, rows of W in R^{1 x N}, read as the shape of W", expect=Verdict.REFUTED, corrected_by="a_row_for_each_unit"
)
def weights_are_one_row() -> Certificate:
    """The weights W of the K students are a 1 x N matrix: they have one row."""
    return prove.sums(size(K), number(1))


@paper.claim("Eq. 7, rows of W in R^{1 x N}, read as the shape of each row")
def a_row_for_each_unit() -> Certificate:
    """With W a K x N matrix each row e_i' W is 1 x N: its product with the column x is the number that is entry i of W x."""
    return prove.words(student_unit.T @ students @ column, (students @ column).T @ student_unit)


@paper.claim(
    ["Eq. 8, line 4, x_s as a column", "Eq. 9, x_s as a column"],
    expect=Verdict.REFUTED,
    corrected_by="gradient_is_a_row",
)
def columns_are_added_to_rows() -> Certificate:
    """With x_s as a column of N entries, as W_i x_s in Eq. 7 needs, Eq. 9 adds to W_i something with as many rows: N is 1."""
    return prove.sums(size(N), number(1))


@paper.claim(
    ["Eq. 8, line 4, x_s as a row", "Eq. 9, x_s as a row"], expect=Verdict.REFUTED, corrected_by="gradient_is_a_row"
)
def rows_are_multiplied_with_rows() -> Certificate:
    """With x_s as a row of N entries, as the sum in Eq. 9 needs, the N columns of W_i in W_i x_s are as many as the rows of x_s: one."""
    return prove.sums(size(N), number(1))


@paper.claim(["Eq. 8, line 4, shapes, corrected", "Eq. 9, shapes, corrected"])
def gradient_is_a_row() -> Certificate:
    """The gradient of W_i x_s/sqrt(N) by the row W_i is the row x_s'/sqrt(N), which is what Eqs. 8 and 9 need for x_s/sqrt(N)."""
    return prove.words(gradient(row @ column * over_root, row), column.T * over_root)


@paper.claim("Eq. 11, x_s as a row")
def rows_meet_columns() -> Certificate:
    """With x_s as a row of N entries x_s (W_n*)^T/sqrt(N) is the number W_n* x_s'/sqrt(N), the teacher's field: read so, line 1 of Eq. 11
    needs no other transposition."""
    x_row = Letter("x_s_row", 1, "N")
    return prove.words(x_row @ teacher_row.T * over_root, teacher_row @ x_row.T * over_root)


@paper.claim("Eq. 11, x_s as a column", expect=Verdict.REFUTED, corrected_by="row_times_column")
def columns_are_multiplied_with_columns() -> Certificate:
    """In x_s (W_n*)^T both are columns of N entries: the one column of x_s meets as many rows of (W_n*)^T."""
    return prove.sums(number(1), size(N))


@paper.claim("Eq. 11, x_s as a column, corrected", rests_on=["gradient_is_a_row"])
def row_times_column() -> Certificate:
    """What Eq. 11 needs is x_s' (W_n*)'/sqrt(N), the number W_n* x_s/sqrt(N): the teacher's field."""
    return prove.words(column.T @ teacher_row.T * over_root, teacher_row @ column * over_root)


# --- equation 8 -------------------------------------------------------------------------------------------------------

y, y_hat = Array("y", B), Array("y_hat", B)
OUTPUTS = [(y[s], printed_teacher_output(s)), (y_hat[s], printed_student_output(s))]
"""Equation 7 as rules for the outputs."""

DRAWN = {
    "sizes": {"B": 2, "K": 2, "M": 2, "N": 1},
    "arrays": {
        "y": ["17", "-11"], "y_hat": ["3", "1"], "Delta": ["14", "-12"], "sigma": "2", "per_sample": "1/2",
        "noise": ["5", "-3"], "g_student": [["1", "2"], ["2", "-1"]], "g_teacher": [["3", "-3"], ["4", "-2"]],
        "slope": [["2", "5"], ["-1", "3"]], "x": [["3"], ["-2"]], "root_per_input": "1",
    },
}  # fmt: skip
"""Two students and two teachers on two samples, with outputs as in equation 7."""


def printed_batch_loss(target: Any, output: Any) -> Sums:
    """Equation 3, for outputs as functions of the sample."""
    return HALF * per_sample * total((output(s) - target(s)) ** 2, s)


def printed_loss_over_i(target: Any, output: Any) -> Sums:
    """Equation 8, line 1, as printed: i runs through the batch, and the sample s stays free."""
    return HALF * per_sample * total((target(s) - output(s)) ** 2, B.index("i"))


def corrected_loss_over_samples(target: Any, output: Any) -> Sums:
    """Equation 8, line 1, with s for i."""
    return HALF * per_sample * total((target(s) - output(s)) ** 2, s)


MEASURED = (y.__getitem__, y_hat.__getitem__)
BY_UNITS = (printed_teacher_output, printed_student_output)
bracket = printed_teacher_output(s) - printed_student_output(s)
"""What stands in the brackets of lines 2 and 3, and what Delta_s is defined to be."""

printed_loss_by_i = printed_loss_over_i(*BY_UNITS)
"""Equation 8, line 1, with the outputs of equation 7."""
EQ_8_1 = paper.printed(
    r"\mathcal{L^{u}} = \frac{1}{2B} \sum_{i=1}^{B} \left( y_{s}^{u} - \hat{y}_{s}^{u} \right)^{2}", printed_loss_by_i
)
printed_loss_of_units = HALF * per_sample * total(bracket**2, s)
"""Equation 8, line 2."""
EQ_8_2 = paper.printed(
    r"\mathcal{L^{u}} = \frac{1}{2B} \sum_{s=1}^{B} \left[ \sum_{m=1}^{M} g\left( \frac{W^{*}_{m}x_{s}^{u}}{\sqrt{N}} \right) "
    r"+ \sigma \xi^{u} -\sum_{k=1}^{K} g\left( \frac{W_{k}x_{s}^{u}}{\sqrt{N}} \right) \right]^{2}",
    printed_loss_of_units,
)
printed_gradient_by_units = per_sample * total(bracket * (-1 * slope[i, s] * root * x[s, a]), s)
"""Equation 8, line 3; the entry a of the vector."""
EQ_8_3 = paper.printed(
    r"\frac{\partial \mathcal{L}}{\partial W_{i}} = \frac{1}{B}\sum_{s=1}^{B} \left[\sum_{m=1}^{M} "
    r"g\left( \frac{W^{*}_{m}x_{s}^{u}}{\sqrt{N}} \right) + \sigma \xi ^{u} -\sum_{k=1}^{K} "
    r"g\left( \frac{W_{k}x_{s}^{u}}{\sqrt{N}} \right) \right]  \cdot  "
    r"\left( -g'\left( \frac{W_{i}x_{s}^{u}}{\sqrt{N}} \right)  \cdot  \frac{x_{s}^{u}}{\sqrt{N}} \right)",
    printed_gradient_by_units,
)


def printed_gradient_by_error(of: Any) -> Sums:
    """Equation 8, line 4, for Delta as a function of the sample; the entry a of the vector."""
    return -1 * per_sample * total(of(s) * slope[i, s] * root * x[s, a], s)


EQ_8_4 = paper.printed(
    r"\frac{\partial \mathcal{L}}{\partial W_{i}} = - \frac{1}{B}\sum_{s=1}^{B} \Delta_{s}^{u}  \cdot  "
    r"g'\left( \frac{W_{i}x_{s}^{u}}{\sqrt{N}} \right) \cdot \frac{x_{s}^{u}}{\sqrt{N}}",
    printed_gradient_by_error(net.error),
)


@paper.claim("Eq. 8, line 1", expect=Verdict.REFUTED, corrected_by="loss_is_summed_over_samples", printed=EQ_8_1)
def loss_is_summed_over_i() -> Certificate:
    """With the summed index i read as printed, line 1 is the loss of Eq. 3."""
    return prove.sums(printed_loss_over_i(*MEASURED), printed_batch_loss(*MEASURED), net.RECIPROCALS[:1])


@paper.claim("Eq. 8, line 1, what it says as printed")
def loss_over_i_is_that_of_one_sample() -> Certificate:
    """With the summed index i read as printed, line 1 is half the squared error of the one sample s, for any batch size."""
    return prove.sums(printed_loss_over_i(*MEASURED), HALF * (y_hat[s] - y[s]) ** 2, [(per_sample * size(B), 1)])


@paper.claim("Eq. 8, line 1, corrected")
def loss_is_summed_over_samples() -> Certificate:
    """Summed over s, line 1 is the loss of Eq. 3, in which the difference has the other sign."""
    return prove.sums(corrected_loss_over_samples(*MEASURED), printed_batch_loss(*MEASURED))


@paper.claim("Eq. 8, line 2", rests_on=["loss_is_summed_over_samples"], printed=EQ_8_2)
def loss_of_units() -> Certificate:
    """With the outputs of Eq. 7, line 1 summed over s becomes line 2."""
    return prove.sums(corrected_loss_over_samples(*MEASURED), printed_loss_of_units, OUTPUTS, [DRAWN])


@paper.claim("Eq. 8, line 3, inner derivative")
def field_by_weight() -> Certificate:
    """The derivative of a unit's field by a weight is x/sqrt(N) for the weights of this unit and zero for the others."""
    by_entry = derivative(net.student_field(j, s), {W: lambda p, q: delta(p, i) * delta(q, net.b)})
    return prove.sums(by_entry, delta(i, j) * root * x[s, net.b])


@paper.claim("Eq. 8, line 3", rests_on=["loss_of_units", "field_by_weight"], printed=EQ_8_3)
def gradient_by_units() -> Certificate:
    """Line 3 is the derivative of line 2 by each entry of W_i, by the chain rule through g and the field."""
    return prove.sums(net.by_weight(printed_loss_of_units, i, a), printed_gradient_by_units)


Delta = Array("Delta", B)
DIFFERENCES = [(Delta[s], bracket)]


@paper.claim("Eq. 8, line 4", rests_on=["gradient_by_units"], printed=EQ_8_4)
def gradient_by_error() -> Certificate:
    """Line 4 is line 3 with Delta_s for the bracket."""
    left = printed_gradient_by_units
    return prove.sums(left, printed_gradient_by_error(lambda at: Delta[at]), DIFFERENCES, [DRAWN])


# --- equation 9 -------------------------------------------------------------------------------------------------------

printed_update = W[i, a] + eta * per_sample * total(net.error(s) * slope[i, s] * root * x[s, a], s)
"""Equation 9; the entry a of the vector."""
EQ_9 = paper.printed(
    r"W_{i}^{u+1} = W_{i}^{u} + \frac{\eta_{W}}{B}\sum_{s=1}^{B} \Delta_{s}^{u}  \cdot  "
    r"g'\left( \frac{W_{i}x_{s}^{u}}{\sqrt{N}} \right)  \cdot \frac{x_{s}^{u}}{\sqrt{N}}.",
    printed_update,
)


@paper.claim("Eq. 9", rests_on=["gradient_by_error"], printed=EQ_9)
def update_of_weights() -> Certificate:
    """Eq. 9 is Eq. 4 with the gradient of Eq. 8: descent by the learning rate times the derivative of the loss of the batch."""
    return prove.sums(W[i, a] - eta * net.by_weight(net.loss, i, a), printed_update)


# --- equation 10 ------------------------------------------------------------------------------------------------------

U = Range("U")
p, q = U.index("p"), U.index("q")
equal_W, equal_W_teacher = Array("W", U, N), Array("W_teacher", U, N)
"""As many teachers as students."""


def teacher_overlap(unit: Index, teacher: Index) -> Sums:
    """What W_i and W_n* have in common, entry by entry, over N."""
    return per_input * total(W[unit, a] * net.W_teacher[teacher, a], a)


printed_R = teachers @ students.T * over_inputs
printed_Q = students @ students.T * over_inputs
printed_T = teachers @ teachers.T * over_inputs
"""Equation 10, as matrices."""
MATRICES = {"W": students, "W_teacher": teachers, "N": inputs}
EQ_10_R = paper.printed(r"R = \frac{W^{*}W^{T}}{N}", printed_R, letters=MATRICES)
EQ_10_Q = paper.printed(r"Q = \frac{W W^{T}}{N}", printed_Q, letters=MATRICES)
EQ_10_T = paper.printed(r"T = \frac{W^{*}(W^{*})^{T}}{N}.", printed_T, letters=MATRICES)

printed_R_entry = per_input * total(equal_W_teacher[p, a] * equal_W[q, a], a)
"""Equation 10, first: the entry (p, q) of W* W'/N for K = M."""


@paper.claim(
    "Eq. 10, R for K = M", expect=Verdict.REFUTED, corrected_by="overlaps_with_students_first", printed=EQ_10_R
)
def printed_R_has_students_first() -> Certificate:
    """For as many students as teachers, the entry (p, q) of W* W'/N is the overlap R_pq of student p and teacher q, of Eq. 11."""
    overlap = per_input * total(equal_W[p, a] * equal_W_teacher[q, a], a)
    return prove.sums(printed_R_entry, overlap, net.RECIPROCALS[1:2])


@paper.claim("Eq. 10, R for any K and M", expect=Verdict.REFUTED, corrected_by="overlaps_with_students_first")
def printed_R_has_a_row_for_each_student() -> Certificate:
    """W* W'/N has a row for each student, as R_in in Eq. 11 needs: its M rows are K."""
    return prove.sums(size(net.M), size(K))


@paper.claim("Eq. 10, R, corrected")
def overlaps_with_students_first() -> Certificate:
    """R = W (W*)'/N, the transpose of what is printed, is K x M, and its entry (i, n) is W_i (W_n*)'/N, which Eq. 11 updates."""
    picked = total(delta(i, j) * W[j, a] * net.W_teacher[m, a] * delta(m, n), j, m, a)
    return prove.every(
        prove.words(printed_R.T, students @ teachers.T * over_inputs),
        prove.sums(per_input * picked, teacher_overlap(i, n)),
    )


@paper.claim("Eq. 10, Q and T")
def overlaps_are_symmetric() -> Certificate:
    """Q = W W'/N and T = W* (W*)'/N are symmetric."""
    return prove.every(prove.words(printed_Q.T, printed_Q), prove.words(printed_T.T, printed_T))


def moved_along_teacher(teacher: Index) -> Sums:
    return per_input * total(net.step(i, a) * net.W_teacher[teacher, a], a)


@paper.claim("Eq. 10, T does not change")
def updates_leave_the_teacher() -> Certificate:
    """T does not change where only the student learns: along the updates of W its derivative is zero, and that of R is the overlap
    of the updates with W*."""
    change = {W: net.step}
    teachers_overlap = per_input * total(net.W_teacher[m, a] * net.W_teacher[n, a], a)
    return prove.every(
        prove.sums(derivative(teachers_overlap + teacher_overlap(i, n), change), moved_along_teacher(n)),
        prove.sums(derivative(teachers_overlap, change), number(0)),
    )


# --- equation 11 ------------------------------------------------------------------------------------------------------

projected = total(net.error(s) * slope[i, s] * root * total(x[s, a] * net.W_teacher[n, a], a), s)
"""The sum on the right, with x_s and W_n* multiplied entry by entry."""

printed_R_update_by_weights = teacher_overlap(i, n) + eta * per_input * per_sample * projected
"""Equation 11, line 1, right."""
EQ_11_1 = paper.printed(
    r"\frac{W_{i}^{u+1}(W_{n}^{*})^{T}}{N} = \frac{W_{i}^{u}(W_{n}^{*})^{T}}{N} + \frac{\eta_{W}}{NB}\sum_{s=1}^{B} "
    r"\Delta_{s}^{u}  \cdot  g'\left( \frac{W_{i}x_{s}^{u}}{\sqrt{N}} \right)  \cdot  "
    r"\frac{x_{s}^{u} (W_{n}^{*})^{T}}{\sqrt{N}}",
    net.teacher_overlap_after_step(i, n),
    printed_R_update_by_weights,
)


def printed_R_update(dt: Sums) -> Sums:
    """Equation 11, line 2, right."""
    return teacher_overlap(i, n) + eta * dt * per_sample * projected


EQ_11_2 = paper.printed(
    r"R_{in}^{u+1} = R_{in}^{u} + \frac{\eta_{W} dt}{B}\sum_{s=1}^{B} \Delta_{s}^{u}  \cdot  "
    r"g'\left( \frac{W_{i}x_{s}^{u}}{\sqrt{N}} \right)  \cdot  \frac{x_{s}^{u} (W_{n}^{*})^{T}}{\sqrt{N}}.",
    printed_R_update(per_input),
    symbols=TIME_STEP,
)


@paper.claim("Eq. 11, line 1", rests_on=["update_of_weights", "row_times_column"], printed=EQ_11_1)
def overlap_update_by_weights() -> Certificate:
    """Eq. 9 multiplied by (W_n*)'/N is line 1."""
    return prove.sums(net.teacher_overlap_after_step(i, n), printed_R_update_by_weights)


dt = Array("dt").value


@paper.claim("Eq. 11, line 2", rests_on=["overlap_update_by_weights", "overlaps_with_students_first"], printed=EQ_11_2)
def overlap_update() -> Certificate:
    """With dt = 1/N line 1 is line 2: one update adds dt times the batch mean of eta Delta g'(lambda_i) rho_n to R_in."""
    added = eta * dt * per_sample * total(net.error(s) * slope[i, s] * net.teacher_field(n, s), s)
    return prove.every(
        prove.sums(printed_R_update_by_weights, printed_R_update(dt), [(dt, per_input)]),
        prove.sums(printed_R_update(dt) - teacher_overlap(i, n), added),
    )
