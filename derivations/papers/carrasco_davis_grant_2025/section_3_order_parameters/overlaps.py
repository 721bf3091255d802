"""Equations 13 and 14: the local fields, and the update of the overlaps of students line by line.

Weights and inputs are rows of arrays and their products are sums over the columns. Where the source's transpositions ask
for another product than this, a claim of its own says so.
"""

from __future__ import annotations

from derivations import prove
from derivations.language.sums import Index, Sums, delta, total
from derivations.models import committee as net
from derivations.models.committee import W, a, b, error, eta, i, j, m, n, per_input, root, s, s_other, slope, step, x
from derivations.models.committee.population import CHANCES, WHITE, average, chance, p
from derivations.papers.carrasco_davis_grant_2025.setup import paper
from derivations.papers.carrasco_davis_grant_2025.source import examples
from derivations.papers.carrasco_davis_grant_2025.source.vocabulary import TIME_STEP
from derivations.prove import Certificate, Verdict

BATCH = [examples.batch()]
ROOT = net.RECIPROCALS[2]
CENTRED_INPUTS = [examples.centred()]
COVARIANCES = [
    (average(net.student_field(i, s) * net.student_field(j, s), s), per_input * total(W[i, a] * W[j, a], a)),
    (
        average(net.student_field(i, s) * net.teacher_field(n, s), s),
        per_input * total(W[i, a] * net.W_teacher[n, a], a),
    ),
    (
        average(net.teacher_field(n, s) * net.teacher_field(m, s), s),
        per_input * total(net.W_teacher[n, a] * net.W_teacher[m, a], a),
    ),
]

# --- equation 13 ------------------------------------------------------------------------------------------------------


@paper.claim("Eq. 13, W*_n as a row", expect=Verdict.REFUTED, corrected_by="teacher_field_of_a_row")
def teacher_field_of_a_transposed_row() -> Certificate:
    """With W*_n a row, as in Eq. 7 and Eq. 10, (W*_n)' x' has a row and a column for every input; each of its entries over sqrt(N)
    is the field that Eq. 7 gives to g."""
    return prove.sums(root * net.W_teacher[n, a] * x[s, b], net.teacher_field(n, s), (), BATCH)


@paper.claim("Eq. 13, W*_n as a row, corrected")
def teacher_field_of_a_row() -> Certificate:
    """With W*_n a row the field is W*_n x/sqrt(N), the trace of (W*_n)' x'/sqrt(N); the transposition belongs to a column."""
    return prove.sums(
        total(delta(a, b) * root * net.W_teacher[n, a] * x[s, b], a, b), net.teacher_field(n, s), (), BATCH
    )


@paper.claim("Eq. 13, means and covariances of the fields")
def covariances_of_fields() -> Certificate:
    """For inputs with <x_a> = 0 and <x_a x_b> = delta_ab the fields have mean 0, and their covariances are the entries of Q, of R with
    a row per student, and of T."""
    centred = (total(chance[p] * net.population.x[p, a], p), 0)
    return prove.every(
        prove.sums(average(net.student_field(i, s), s), 0, [centred], CENTRED_INPUTS),
        prove.sums(average(net.teacher_field(n, s), s), 0, [centred], CENTRED_INPUTS),
        *(prove.sums(left, right, [*WHITE, ROOT], CENTRED_INPUTS) for left, right in COVARIANCES),
    )


@paper.claim("Eq. 13, inputs of other covariance", expect=Verdict.REFUTED, corrected_by="covariances_of_fields")
def covariances_need_white_inputs() -> Certificate:
    """Whatever the covariance of the inputs, the fields' second moments are the entries of Q, R and T."""
    return prove.every(*(prove.sums(left, right, [ROOT, CHANCES[0]], [examples.data()]) for left, right in COVARIANCES))


# --- equation 14 ------------------------------------------------------------------------------------------------------


def moved(unit: Index, sample: Index, place: Index) -> Sums:
    """What one sample adds to the weights of a unit, by equation 9, but for the factor eta/B."""
    return error(sample) * slope[unit, sample] * root * x[sample, place]


stepped = W[j, a] + eta * net.per_sample * total(moved(j, s, a), s)
"""W_j after the update, as lines 2 and 3 insert it."""
by_the_left_factor = eta * per_input * net.per_sample

printed_with_left_factor_inserted = per_input * total(W[i, a] * (W[j, a] + step(j, a)), a) + (
    by_the_left_factor * total(moved(i, s, a) * (W[j, a] + step(j, a)), s, a)
)
"""Line 1."""
EQ_14_1 = paper.printed(
    r"\frac{W_{i}^{u+1}(W_{j}^{u+1})^{T}}{N} = \frac{W_{i}^{u}(W_{j}^{u+1})^{T}}{N} + \frac{\eta_{W}}{NB}\sum_{s=1}^{B} "
    r"\Delta_{s}^{u}  \cdot  g'\left( \lambda_{i}^{u} \right)  \cdot  \frac{x_{s}^{u}}{\sqrt{N}}(W_{j}^{u+1})^{T}",
    net.overlap_after_step(i, j),
    printed_with_left_factor_inserted,
)
printed_with_both_factors_inserted = per_input * total(W[i, a] * stepped, a) + by_the_left_factor * total(
    moved(i, s, a) * stepped, s, a
)
"""Lines 2 and 3."""
EQ_14_2 = paper.printed(
    r"Q^{u+1}_{ij} = \frac{W_{i}^{u}}{N}\left( W_{j}^{u} + \frac{\eta_{W}}{B}\sum_{s=1}^{B} \Delta_{s}^{u} \cdot "
    r"g'\left( \frac{W_{j}x_{s}^{u}}{\sqrt{N}} \right)  \cdot  \frac{x_{s}^{u}}{\sqrt{N}} \right)^{T} "
    r"+ \frac{\eta_{W}}{NB}\sum_{s=1}^{B} \Delta_{s}^{u}  \cdot  g'\left( \lambda_{i}^ {u} \right)  \cdot  "
    r"\frac{x_{s}^{u}}{\sqrt{N}} \left( W_{j}^{u} + \frac{\eta_{W}}{B}\sum_{s=1}^{B} \Delta_{s}^{u}  \cdot  "
    r"g'\left( \frac{W_{j}x_{s}^{u}}{\sqrt{N}} \right)  \cdot  \frac{x_{s}^{u}}{\sqrt{N}} \right)^{T}",
    printed_with_both_factors_inserted,
)
overlap = per_input * total(W[i, a] * W[j, a], a)
printed_linear_terms = overlap + by_the_left_factor * total(
    error(s) * slope[j, s] * net.student_field(i, s) + error(s) * slope[i, s] * net.student_field(j, s), s
)
"""Line 4."""


def quadratic(second_slope: Index, second_input: Index) -> Sums:
    """Line 5, with the samples of the second slope and of the second input."""
    together = per_input * total(x[s, a] * x[second_input, a], a)
    return (
        eta
        * eta
        * per_input
        * net.per_sample
        * net.per_sample
        * total(error(s) * error(s_other) * slope[i, s] * slope[j, second_slope] * together, s, s_other)
    )


printed_quadratic_term = quadratic(s, s)
"""Line 5: both slopes and both inputs are those of sample s."""
EQ_14_4 = paper.printed(
    r"Q^{u+1}_{ij} = Q^{u}_{ij} + \frac{\eta_{W}dt}{B}\sum_{s=1}^{B} \Delta_{s}^{u}  \cdot  "
    r"g'\left( \lambda_{j}^ {u} \right) \lambda_{i}^{u} + \frac{\eta_{W}dt}{B}\sum_{s=1}^{B} \Delta_{s}^{u}  \cdot  "
    r"g'\left( \lambda_{i}^{u} \right) \lambda_{j}^{u} + \frac{\eta_{W}^{2}dt}{B^{2}}\sum_{s=1}^{B}\sum_{s'=1}^{B} "
    r"\Delta_{s}^{u} \Delta_{s'}^{u}g'\left( \lambda_{i}^{u} \right)g'\left( \lambda_{j}^{u} \right) "
    r"\frac{x_{s}^{u}(x_{s}^{u})^{T}}{N}.",
    printed_linear_terms + printed_quadratic_term,
    symbols=TIME_STEP,
)
quadratic_term = quadratic(s_other, s_other)
"""Line 5, corrected."""


def _expanded_to(last: Sums) -> Certificate:
    return prove.sums(net.overlap_after_step(i, j), printed_linear_terms + last, [ROOT], BATCH)


@paper.claim("Eq. 14, line 1", printed=EQ_14_1)
def overlap_with_left_factor_inserted() -> Certificate:
    """One update of W_i, times W_j after the update, over N: line 1, for any numbers of units, inputs and samples."""
    return prove.sums(net.overlap_after_step(i, j), printed_with_left_factor_inserted, (), BATCH)


@paper.claim(["Eq. 14, line 2", "Eq. 14, line 3"], printed=EQ_14_2)
def overlap_with_both_factors_inserted() -> Certificate:
    """The update of W_j inserted in both places of line 1; the inner sum over s is its own."""
    return prove.sums(net.overlap_after_step(i, j), printed_with_both_factors_inserted, (), BATCH)


@paper.claim(
    ["Eq. 14, line 4", "Eq. 14, line 5"], expect=Verdict.REFUTED, corrected_by="overlap_expanded", printed=EQ_14_4
)
def overlap_expanded_as_printed() -> Certificate:
    """As printed, the quadratic term takes both slopes and both inputs from sample s, and only the errors from s and s'."""
    return _expanded_to(printed_quadratic_term)


@paper.claim(["Eq. 14, line 4, corrected", "Eq. 14, line 5, corrected"])
def overlap_expanded() -> Certificate:
    """The quadratic term is eta^2 dt/B^2 times the sum over s and s' of Delta_s Delta_s' g'(lambda_i of s) g'(lambda_j of s')
    x_s . x_s'/N: each sample brings its own error, slope and input."""
    return _expanded_to(quadratic_term)


@paper.claim("Eq. 14, line 5, two inputs", expect=Verdict.REFUTED, corrected_by="overlap_expanded")
def overlap_with_two_inputs_and_slopes_of_one_sample() -> Certificate:
    """With x_s . x_s' and both slopes at sample s the quadratic term is right."""
    return _expanded_to(quadratic(s, s_other))


@paper.claim("Eq. 14, line 5, two slopes", expect=Verdict.REFUTED, corrected_by="overlap_expanded")
def overlap_with_two_slopes_and_one_input() -> Certificate:
    """With |x_s|^2 and the slopes at s and s' the quadratic term is right."""
    return _expanded_to(quadratic(s_other, s))


outer_product = per_input * x[s, a] * x[s, b]
squared_length = per_input * total(x[s, a] * x[s, a], a)


@paper.claim(
    "Eq. 14, line 5, x_s as a column", expect=Verdict.REFUTED, corrected_by="outer_product_has_the_identity_as_mean"
)
def outer_product_is_a_number() -> Certificate:
    """With x_s as a column, x_s (x_s)'/N is the number |x_s|^2/N in every entry."""
    return prove.sums(outer_product, squared_length, (), BATCH)


@paper.claim("Eq. 14, line 5, x_s as a column, corrected")
def outer_product_has_the_identity_as_mean() -> Certificate:
    """With x_s as a column, x_s (x_s)'/N is an N x N matrix with trace |x_s|^2/N, whose mean is the identity over N and not 1."""
    return prove.every(
        prove.sums(average(outer_product, s), per_input * delta(a, b), WHITE, [examples.centred()]),
        prove.sums(total(delta(a, b) * outer_product, a, b), squared_length, (), BATCH),
    )
