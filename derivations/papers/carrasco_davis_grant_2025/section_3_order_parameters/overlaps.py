"""Equations 13 and 14: the local fields, and the update of the overlaps of students line by line.

Weights and inputs are rows of arrays and their products are sums over the columns. Where the source's transpositions ask
for another product than this, a claim of its own says so.
"""

from derivations.papers.carrasco_davis_grant_2025.setup import *
from dataclasses import replace
from derivations.latex import Indexed
from derivations.models.committee.population import CHANCES, WHITE, average, chance, p
from derivations.papers.carrasco_davis_grant_2025.source import examples

ROOT = net.RECIPROCALS[2]
BATCH, CENTRED_INPUTS = [examples.batch()], [examples.centred()]
COVARIANCES = [
    (student_field(i, s) * student_field(j, s), overlap(W[i, a], W[j, a])),
    (student_field(i, s) * teacher_field(n, s), overlap(W[i, a], W_teacher[n, a])),
    (teacher_field(n, s) * teacher_field(m, s), overlap(W_teacher[n, a], W_teacher[m, a])),
]

# --- equation 13 ------------------------------------------------------------------------------------------------------
@paper.claim("Eq. 13, W*_n as a row", corrected_by="teacher_field_of_a_row")
def teacher_field_of_a_transposed_row():
    """With W*_n a row, as in Eq. 7 and Eq. 10, (W*_n)' x' has a row and a column for every input; each of its entries over sqrt(N)
    is the field that Eq. 7 gives to g."""
    yield same(root * W_teacher[n, a] * x[s, b], teacher_field(n, s), among=BATCH)

@paper.claim("Eq. 13, W*_n as a row, corrected")
def teacher_field_of_a_row():
    """With W*_n a row the field is W*_n x/sqrt(N), the trace of (W*_n)' x'/sqrt(N); the transposition belongs to a column."""
    yield same(total(delta(a, b) * root * W_teacher[n, a] * x[s, b], a, b), teacher_field(n, s), among=BATCH)

@paper.claim("Eq. 13, means and covariances of the fields",
    quote="where the local fields are simply a gaussian scalar as $x \\sim \\mathcal{N}(0, I)$", given=[ROOT],
    needs={"white_inputs": WHITE})
def covariances_of_fields():
    """For inputs with <x_a> = 0 and <x_a x_b> = delta_ab the fields have mean 0, and their covariances are the entries of Q, of R with
    a row per student, and of T."""
    centred = (total(chance[p] * net.population.x[p, a], p), 0)
    for field in (student_field(i, s), teacher_field(n, s)):
        yield prove.sums(average(field, s), 0, [centred], CENTRED_INPUTS)
    for left, right in COVARIANCES:
        yield same(average(left, s), right, [CHANCES[0]], among=[*CENTRED_INPUTS, examples.data()])

# --- equation 14 ------------------------------------------------------------------------------------------------------
EQ_14_1 = paper.equation("Eq. 14, line 1",
    r"\frac{W_{i}^{u+1}(W_{j}^{u+1})^{T}}{N} = \frac{W_{i}^{u}(W_{j}^{u+1})^{T}}{N} + \frac{\eta_{W}}{NB}\sum_{s=1}^{B} "
    r"\Delta_{s}^{u}  \cdot  g'\left( \lambda_{i}^{u} \right)  \cdot  \frac{x_{s}^{u}}{\sqrt{N}}(W_{j}^{u+1})^{T}")
EQ_14_2 = paper.equation(["Eq. 14, line 2", "Eq. 14, line 3"],
    r"Q^{u+1}_{ij} = \frac{W_{i}^{u}}{N}\left( W_{j}^{u} + \frac{\eta_{W}}{B}\sum_{s=1}^{B} \Delta_{s}^{u} \cdot "
    r"g'\left( \frac{W_{j}x_{s}^{u}}{\sqrt{N}} \right)  \cdot  \frac{x_{s}^{u}}{\sqrt{N}} \right)^{T} "
    r"+ \frac{\eta_{W}}{NB}\sum_{s=1}^{B} \Delta_{s}^{u}  \cdot  g'\left( \lambda_{i}^ {u} \right)  \cdot  "
    r"\frac{x_{s}^{u}}{\sqrt{N}} \left( W_{j}^{u} + \frac{\eta_{W}}{B}\sum_{s=1}^{B} \Delta_{s}^{u}  \cdot  "
    r"g'\left( \frac{W_{j}x_{s}^{u}}{\sqrt{N}} \right)  \cdot  \frac{x_{s}^{u}}{\sqrt{N}} \right)^{T}")
# What is right in lines 4 and 5.
LINEAR = (
    r"Q^{u+1}_{ij} = Q^{u}_{ij} + \frac{\eta_{W}dt}{B}\sum_{s=1}^{B} \Delta_{s}^{u}  \cdot  "
    r"g'\left( \lambda_{j}^ {u} \right) \lambda_{i}^{u} + \frac{\eta_{W}dt}{B}\sum_{s=1}^{B} \Delta_{s}^{u}  \cdot  "
    r"g'\left( \lambda_{i}^{u} \right) \lambda_{j}^{u} + \frac{\eta_{W}^{2}dt}{B^{2}}\sum_{s=1}^{B}\sum_{s'=1}^{B} "
)
LAST_CORRECTED = (
    r"\Delta_{s}^{u} \Delta_{s'}^{u}g'\left( \lambda_{i,s}^{u} \right)"
    r"g'\left( \lambda_{j,s'}^{u} \right) \frac{x_{s}^{u}(x_{s'}^{u})^{T}}{N}."
)
EQ_14_4 = paper.equation(["Eq. 14, line 4", "Eq. 14, line 5"],
    LINEAR + r"\Delta_{s}^{u} \Delta_{s'}^{u}g'\left( \lambda_{i}^{u} \right)g'\left( \lambda_{j}^{u} \right) "
    r"\frac{x_{s}^{u}(x_{s}^{u})^{T}}{N}.",
    symbols={
        **TIME_STEP,
        r"x_{s'}^{u}": "x_s_other",
        r"\lambda_{i,s}^{u}": "lambda_i",
        r"\lambda_{j,s'}^{u}": "lambda_j_other",
    }, letters={"lambda_j_other": Indexed(student_field(j, net.s_other))})
EQ_14_4_CORRECTED = replace(EQ_14_4, formula=replace(EQ_14_4.formula, latex=LINEAR + LAST_CORRECTED))
@EQ_14_1.claim(among=BATCH)
def overlap_with_left_factor_inserted():
    """One update of W_i, times W_j after the update, over N: line 1, for any numbers of units, inputs and samples."""

@EQ_14_2.claim(among=BATCH)
def overlap_with_both_factors_inserted():
    """The update of W_j inserted in both places of line 1; the inner sum over s is its own."""

@EQ_14_4.claim(corrected=EQ_14_4_CORRECTED.formula, corrected_name="overlap_expanded",
    because="The quadratic term is eta^2 dt/B^2 times the sum over s and s' of Delta_s Delta_s' g'(lambda_i of s) g'(lambda_j of s') "
    "x_s . x_s'/N: each sample brings its own error, slope and input.", given=[ROOT], among=BATCH)
def overlap_expanded_as_printed():
    """As printed, the quadratic term takes both slopes and both inputs from sample s, and only the errors from s and s'."""

@paper.claim(["Eq. 14, line 4, for erf(x/sqrt 2)", "Eq. 14, line 5, for erf(x/sqrt 2)"], corrected_by="overlap_expanded",
)
def overlap_expanded_in_the_model():
    """For erf(x/sqrt 2), one input, a student of weight 1/2, a teacher of weight 1, no noise and eta = 1, an update with the batch
    x = 1, 2 takes Q to what Eq. 14 prints."""
    sizes, network = examples.in_the_model(inputs=((1,), (2,)), students=(("1/2",),), teachers=(("1",),))
    yield same(*(examples.evaluated(side, sizes, network) for side in (EQ_14_4.left, EQ_14_4.right)))

@paper.claim("Eq. 14, line 5, x_s as a column")
def outer_product_has_the_identity_as_mean():
    """With x_s as a column, x_s (x_s)'/N is an N x N matrix with trace |x_s|^2/N, whose mean is the identity over N and not 1."""
    outer_product = per_input * x[s, a] * x[s, b]
    yield same(average(outer_product, s), per_input * delta(a, b), WHITE, among=CENTRED_INPUTS)
    yield same(total(delta(a, b) * outer_product, a, b), overlap(x[s, a], x[s, a]), among=BATCH)
