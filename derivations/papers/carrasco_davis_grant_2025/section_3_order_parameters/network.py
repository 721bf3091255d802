"""Equations 7 to 11: soft committee machines, their loss and its gradient, the update, and the overlaps with a teacher.

Sides are sums over units, samples and inputs of any number. One noise for each sample is the general case: a noise that
a batch shares is an array whose entries are equal. Shapes are judged with matrices of any size.
"""

from derivations.papers.carrasco_davis_grant_2025.setup import *
from derivations.language.sums import derivative, number, size
from derivations.latex import Indexed

PER_SAMPLE = net.RECIPROCALS[0]

# --- equation 7 -------------------------------------------------------------------------------------------------------
EQ_7 = paper.equation("Eq. 7", r"\hat{y}_{s}^{u} = \sum_{k=1}^{K} g\left( \frac{W_{k} x_{s}^{u}}{\sqrt{N}} \right),",
    name="soft_committee_student", says="A soft committee machine as the student: the sum of its units.")
per_unit = Array("per_unit").value
average_unit = per_unit * EQ_7.right
PER_UNIT = (per_unit * size(K), 1)  # 1/K
@paper.claim("Section 3, an average of non-linear perceptrons",
    quote="In Saad and Solla's work, both the teacher and student networks were modeled as a soft-committee machine, which is an average of non-linear perceptrons. We define the teacher and student networks as follows (with a slightly modified version)",
    corrected_by="output_is_a_sum_of_units")
def output_is_an_average_of_units():
    """The output of the student in Eq. 7 is the average of its K units."""
    yield same(EQ_7.right, average_unit, [PER_UNIT])

@paper.claim("Section 3, an average of non-linear perceptrons, corrected")
def output_is_a_sum_of_units():
    """The output of the student in Eq. 7 is the sum of its K units, which is K times their average."""
    yield same(EQ_7.right, size(K) * average_unit, [PER_UNIT])

# --- shapes: words are matrices of any size ---------------------------------------------------------------------------
# student_unit picks a row: a one at its place, zeros elsewhere.
row, teacher_row, column = letters("W_i: 1 x N, W_teacher_n: 1 x N, x_s: N")
over_root, student_unit = letters("root_per_input, e_i: K")
@paper.claim(
    "Eq. 7, rows of W in R^{1 x N}", quote=r"$k$ indexes the perceptrons (rows of $W \in \mathbb{R}^{1 \times N}$)")
def a_row_for_each_unit():
    """With W a K x N matrix each row e_i' W is 1 x N: its product with the column x is the number that is entry i of W x."""
    yield same(student_unit.T @ students @ column, (students @ column).T @ student_unit)

@paper.claim(["Eq. 8, line 4, shapes", "Eq. 9, shapes"])
def gradient_is_a_row():
    """The gradient of W_i x_s/sqrt(N) by the row W_i is the row x_s'/sqrt(N): Eqs. 8 and 9 print the column x_s, which Eq. 7 needs."""
    yield same(gradient(row @ column * over_root, row), column.T * over_root)

@paper.claim("Eq. 11, shapes", rests_on="gradient_is_a_row")
def row_times_column():
    """What Eq. 11 needs for x_s (W_n*)'/sqrt(N) is x_s' (W_n*)'/sqrt(N), the number W_n* x_s/sqrt(N): the teacher's field."""
    yield same(column.T @ teacher_row.T * over_root, teacher_row @ column * over_root)

# --- equation 8 -------------------------------------------------------------------------------------------------------
y, y_hat = Array("y", B), Array("y_hat", B)
# Outputs of any two networks, and the loss of Eq. 3 for them.
MEASURED = {
    "y_s": Indexed(y[s]),
    "yhat_s": Indexed(y_hat[s]),
    "loss": Indexed(net.HALF * per_sample * total((y_hat[s] - y[s]) ** 2, s)),
}
OVER_I = r"\mathcal{L^{u}} = \frac{1}{2B} \sum_{i=1}^{B} \left( y_{s}^{u} - \hat{y}_{s}^{u} \right)^{2}"
@paper.equation("Eq. 8, line 1", OVER_I, letters=MEASURED).claim(corrected=OVER_I.replace("i=1", "s=1"),
    corrected_name="loss_is_summed_over_samples",
    because="Summed over s, line 1 is the loss of Eq. 3, in which the difference has the other sign.",
    given=[PER_SAMPLE])
def loss_is_summed_over_i():
    """With the summed index i read as printed, line 1 is the loss of Eq. 3."""

EQ_8_2 = paper.equation("Eq. 8, line 2",
    r"\mathcal{L^{u}} = \frac{1}{2B} \sum_{s=1}^{B} \left[ \sum_{m=1}^{M} g\left( \frac{W^{*}_{m}x_{s}^{u}}{\sqrt{N}} \right) "
    r"+ \sigma \xi^{u} -\sum_{k=1}^{K} g\left( \frac{W_{k}x_{s}^{u}}{\sqrt{N}} \right) \right]^{2}")
EQ_8_3 = paper.equation("Eq. 8, line 3",
    r"\frac{\partial \mathcal{L}}{\partial W_{i}} = \frac{1}{B}\sum_{s=1}^{B} \left[\sum_{m=1}^{M} "
    r"g\left( \frac{W^{*}_{m}x_{s}^{u}}{\sqrt{N}} \right) + \sigma \xi ^{u} -\sum_{k=1}^{K} "
    r"g\left( \frac{W_{k}x_{s}^{u}}{\sqrt{N}} \right) \right]  \cdot  "
    r"\left( -g'\left( \frac{W_{i}x_{s}^{u}}{\sqrt{N}} \right)  \cdot  \frac{x_{s}^{u}}{\sqrt{N}} \right)")
EQ_8_4 = paper.equation("Eq. 8, line 4",
    r"\frac{\partial \mathcal{L}}{\partial W_{i}} = - \frac{1}{B}\sum_{s=1}^{B} \Delta_{s}^{u}  \cdot  "
    r"g'\left( \frac{W_{i}x_{s}^{u}}{\sqrt{N}} \right) \cdot \frac{x_{s}^{u}}{\sqrt{N}}")
@paper.claim("Eq. 8, line 1, what it says as printed")
def loss_over_i_is_that_of_one_sample():
    """With the summed index i read as printed, line 1 is half the squared error of the one sample s, for any batch size."""
    printed = paper.equation("Eq. 8, line 1", OVER_I, letters=MEASURED).right
    yield same(printed, net.HALF * (y_hat[s] - y[s]) ** 2, [PER_SAMPLE])

@EQ_8_2.claim(rests_on="loss_is_summed_over_samples")
def loss_of_units():
    """With the outputs of Eq. 7, the loss of Eq. 3 is line 2."""

@paper.claim("Eq. 8, line 3, inner derivative")
def field_by_weight():
    """The derivative of a unit's field by a weight is x/sqrt(N) for the weights of this unit and zero for the others."""
    by_entry = derivative(net.student_field(j, s), {W: lambda p, q: delta(p, i) * delta(q, b)})
    yield same(by_entry, delta(i, j) * root * x[s, b])

@EQ_8_3.claim(rests_on="loss_of_units field_by_weight")
def gradient_by_units():
    """Line 3 is the derivative of line 2 by each entry of W_i, by the chain rule through g and the field."""

@EQ_8_4.claim(rests_on="gradient_by_units")
def gradient_by_error():
    """Line 4 is that derivative with Delta_s for the bracket."""

# --- equation 9 -------------------------------------------------------------------------------------------------------
@paper.equation("Eq. 9",
    r"W_{i}^{u+1} = W_{i}^{u} + \frac{\eta_{W}}{B}\sum_{s=1}^{B} \Delta_{s}^{u}  \cdot  "
    r"g'\left( \frac{W_{i}x_{s}^{u}}{\sqrt{N}} \right)  \cdot \frac{x_{s}^{u}}{\sqrt{N}}.",
).claim(rests_on="gradient_by_error")
def update_of_weights():
    """Eq. 9 is Eq. 4 with the gradient of Eq. 8: descent by the learning rate times the derivative of the loss of the batch."""

# --- equation 10 ------------------------------------------------------------------------------------------------------
MATRICES = {"W": students, "W_teacher": teachers, "N": inputs}
# As many teachers as students, U: for other numbers the shapes of both sides differ.
as_many = {"W": letters("W: U x N"), "W_teacher": letters("W_teacher: U x N"), "N": inputs}
# Two students and two teachers, and columns that pick the first student and the second teacher.
TWO_EACH = instance(
    "U=2 N=2", W="1 0; 1 2", W_teacher="3 0; 0 1", per_input="1/2", e_i="1; 0", e_n="0; 1", R="3/2 3/2; 0 1")
EQ_10_R = paper.equation("Eq. 10, R", r"R = \frac{W^{*}W^{T}}{N}",
    letters={**as_many, "R": as_many["W"] @ as_many["W_teacher"].T * over_inputs})
for name, says, latex in (
    ("student_overlaps", "The overlaps of the students with each other.", r"Q = \frac{W W^{T}}{N}"),
    ("teacher_overlaps", "The overlaps of the teachers with each other.", r"T = \frac{W^{*}(W^{*})^{T}}{N}."),
):
    paper.equation("Eq. 10", latex, letters=MATRICES, name=name, says=says)

@EQ_10_R.claim(corrected=r"R = \frac{W(W^{*})^{T}}{N}", corrected_name="overlaps_with_students_first",
    because="R = W (W*)'/N, the transpose of what is printed, has a row for each student: it is K x M, and its entry (i, n) is "
    "W_i (W_n*)'/N, which Eq. 11 updates.")
def printed_R_has_students_first(eq):
    """With as many students as teachers, the entry (i, n) of this R is the overlap W_i (W_n*)'/N of student i and teacher n, which
    Eq. 11 updates."""
    R, student, teacher = letters("R: U x U, e_i: U, e_n: U")
    row, other = student.T @ as_many["W"], teacher.T @ as_many["W_teacher"]
    yield same(student.T @ R @ teacher, over_inputs * (row @ other.T), [(R, eq.right)], among=TWO_EACH)

@paper.claim("Eq. 10, Q and T")
def overlaps_are_symmetric():
    """Q = W W'/N and T = W* (W*)'/N are symmetric."""
    products = [units @ units.T * over_inputs for units in (students, teachers)]
    yield from (same(product.T, product) for product in products)

@paper.claim("Eq. 10, T does not change", quote="(which do not change throughout training as the teacher is fixed)")
def updates_leave_the_teacher():
    """T does not change where only the student learns: along the updates of W its derivative is zero, and that of R is the overlap
    of the updates with W*."""
    change = {W: net.step}
    among_teachers = overlap(net.W_teacher[m, a], net.W_teacher[n, a])
    across = overlap(W[i, a], net.W_teacher[n, a])
    yield same(derivative(among_teachers + across, change), overlap(net.step(i, a), net.W_teacher[n, a]))
    yield same(derivative(among_teachers, change), number(0))

# --- equation 11 ------------------------------------------------------------------------------------------------------
EQ_11_1 = paper.equation("Eq. 11, line 1",
    r"\frac{W_{i}^{u+1}(W_{n}^{*})^{T}}{N} = \frac{W_{i}^{u}(W_{n}^{*})^{T}}{N} + \frac{\eta_{W}}{NB}\sum_{s=1}^{B} "
    r"\Delta_{s}^{u}  \cdot  g'\left( \frac{W_{i}x_{s}^{u}}{\sqrt{N}} \right)  \cdot  "
    r"\frac{x_{s}^{u} (W_{n}^{*})^{T}}{\sqrt{N}}")
EQ_11_2 = paper.equation("Eq. 11, line 2",
    r"R_{in}^{u+1} = R_{in}^{u} + \frac{\eta_{W} dt}{B}\sum_{s=1}^{B} \Delta_{s}^{u}  \cdot  "
    r"g'\left( \frac{W_{i}x_{s}^{u}}{\sqrt{N}} \right)  \cdot  \frac{x_{s}^{u} (W_{n}^{*})^{T}}{\sqrt{N}}.",
    symbols=TIME_STEP)
@EQ_11_1.claim(rests_on="update_of_weights row_times_column")
def overlap_update_by_weights():
    """Eq. 9 multiplied by (W_n*)'/N is line 1."""

@EQ_11_2.claim(rests_on="overlap_update_by_weights overlaps_with_students_first")
def overlap_update():
    """With dt = 1/N line 1 is line 2: one update adds dt times the batch mean of eta Delta g'(lambda_i) rho_n to R_in."""
