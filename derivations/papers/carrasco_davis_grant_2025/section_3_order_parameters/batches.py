"""Section 3, the step from equation 14 to 15: averages over pairs of samples, and |x|^2/N.

Each sentence of the step is judged by itself, at every N and for every batch size, and then in the limit of large N.
"""

from __future__ import annotations

import sympy as sp

from derivations import prove
from derivations.language.sums import Array, Index, Sums, delta, number, size, total
from derivations.models import committee
from derivations.models import committee as net
from derivations.models.committee import B, K, W, a, b, i, j, k, l, m, n, per_input, population, root, s, s_other, slope
from derivations.models.committee.population import CHANCES, WHITE, average, e, over_batches, p, x
from derivations.papers.carrasco_davis_grant_2025.setup import paper
from derivations.papers.carrasco_davis_grant_2025.source import examples
from derivations.prove import Certificate, Verdict
from derivations.prove.sums import Hypothesis

PER_INPUT, ROOT = net.RECIPROCALS[1:]
APART = (number(0), size(B) * size(B) - size(B))
"""Only the pairs of different samples."""
ONE_PAIR = (number(0), number(1))


def mean_gradient(unit: Index, place: Index) -> Sums:
    """v = <Delta g'(lambda) x>."""
    return average(net.error(s) * slope[unit, s] * committee.x[s, place], s)


squared_mean_gradient = per_input * total(mean_gradient(i, a) * mean_gradient(k, a), a)
"""v_i . v_k/N."""
common_input = per_input * total(committee.x[s, a] * committee.x[s_other, a], a)
different_samples = over_batches(
    total(net.error(s) * net.error(s_other) * slope[i, s] * slope[k, s_other] * common_input, s, s_other), APART
)
"""What the pairs of different samples add to the double sum of equation 14, corrected."""

straight_student, straight_slope, straight_teacher = (
    population.of_data(array) for array in (net.g_student, slope, net.g_teacher)
)
STRAIGHT: list[Hypothesis] = [
    (straight_student[k, p], root * total(W[k, a] * x[p, a], a)),
    (straight_teacher[m, p], root * total(net.W_teacher[m, a] * x[p, a], a)),
    (straight_slope[k, p], 1),
]
"""g(x) = x."""
LINES: list[Hypothesis] = [*STRAIGHT, *WHITE, *population.CENTRED, PER_INPUT, ROOT]
STRAIGHT_CORNERS = [examples.data(examples.CORNERS, activation=examples.STRAIGHT)]
WHITE_INPUTS = [examples.centred()]
MEANS: list[Hypothesis] = [(total(population.chance[p] * x[p, a], p), 0)]
DATA = [examples.data()]
SHELLS = [examples.two_shells()]
c, d = (net.N.index(name) for name in "cd")
few = sp.Symbol("few", positive=True)
"""1/N."""


def overlap(first: Sums, second: Sums) -> Sums:
    return per_input * total(first * second, a)


@paper.claim("Section 3, expectations over s and s', corrected")
def average_over_different_samples() -> Certificate:
    """For samples drawn apart the pairs of different samples contribute B (B - 1) v_i . v_k/N, with v_i = <Delta g'(lambda_i) x>, for
    inputs of any distribution: nothing is 0 as they are independent, but the average of the product is that of each."""
    pairs = size(B) * (size(B) - 1)
    return prove.sums(different_samples, pairs * squared_mean_gradient)


@paper.claim(
    "Section 3, expectations over s and s'",
    expect=Verdict.REFUTED,
    corrected_by="average_over_different_samples",
)
def different_samples_average_to_zero() -> Certificate:
    """The expectations over s and s' are 0 as the samples are independent, for lines and inputs with <x_a x_b> = delta_ab."""
    return prove.sums(different_samples, 0, LINES, STRAIGHT_CORNERS)


@paper.claim("Section 3, expectations over s and s', lines", rests_on=["average_over_different_samples"])
def mean_gradients_of_lines() -> Certificate:
    """For g(x) = x and inputs with <x_a x_b> = delta_ab, v_i is the sum of the teachers' weights minus that of the students', over
    sqrt(N): v_i . v_k/N vanishes only where these sums are equal, and is 1/N times a sum of order parameters."""
    gap = total(net.W_teacher[m, a], m) - total(W[k, a], k)
    return prove.sums(mean_gradient(i, a), root * gap, LINES, STRAIGHT_CORNERS)


by_student, by_teacher = Array("by_student", K, K), Array("by_teacher", K, net.M)


@paper.claim("Section 3, expectations over s and s', any activation", rests_on=["average_over_different_samples"])
def squared_mean_gradient_by_order_parameters() -> Certificate:
    """Where v_i is sqrt(1/N) times a sum of weights, as Stein's lemma makes it for Gaussian inputs with averages over the fields as
    coefficients, v_i . v_k/N is 1/N times a quadratic form of these coefficients in Q, R and T."""

    def combined(unit: Index, place: Index) -> Sums:
        students, teachers = (
            total(by_student[unit, k] * W[k, place], k),
            total(by_teacher[unit, m] * net.W_teacher[m, place], m),
        )
        return root * (students + teachers)

    form = (
        total(by_student[i, j] * by_student[l, k] * overlap(W[j, a], W[k, a]), j, k)
        + total(by_student[i, j] * by_teacher[l, m] * overlap(W[j, a], net.W_teacher[m, a]), j, m)
        + total(by_student[l, j] * by_teacher[i, m] * overlap(W[j, a], net.W_teacher[m, a]), j, m)
        + total(by_teacher[i, m] * by_teacher[l, n] * overlap(net.W_teacher[m, a], net.W_teacher[n, a]), m, n)
    )
    return prove.sums(per_input * total(combined(i, a) * combined(l, a), a), per_input * form, [ROOT])


def _with_one_noise(unit: Index, sample: Index) -> Sums:
    """Delta g'(lambda) where the noise is that of the update."""
    values = total(net.g_teacher[m, sample], m) - total(net.g_student[k, sample], k)
    return (values + net.sigma * population.noise[e]) * slope[unit, sample]


different_samples_of_one_noise = total(
    population.noise_chance[e]
    * over_batches(total(_with_one_noise(i, s) * _with_one_noise(l, s_other) * common_input, s, s_other), ONE_PAIR),
    e,
)


def mean_of(quantity: Sums, other: Sums) -> Sums:
    """<quantity x> . <other x>/N."""
    first, second = (average(at * committee.x[s, a], s) for at in (quantity, other))
    return per_input * total(first * second, a)


def values_gap(unit: Index) -> Sums:
    return (total(net.g_teacher[m, s], m) - total(net.g_student[k, s], k)) * slope[unit, s]


@paper.claim(
    "Eq. 1, the noise of an update, in Eq. 14", expect=Verdict.REFUTED, corrected_by="different_samples_with_one_noise"
)
def one_noise_is_as_good_as_many() -> Certificate:
    """Read without an index of the sample, as Eq. 1 prints it, the noise adds nothing to the pairs of different samples, as noises of
    their own do."""
    return prove.sums(different_samples_of_one_noise, mean_of(values_gap(i), values_gap(l)), population.NOISE, DATA)


@paper.claim("Eq. 1, the noise of an update, in Eq. 14, corrected")
def different_samples_with_one_noise() -> Certificate:
    """One noise for all samples of a batch adds sigma^2 <g'(lambda_i) x> . <g'(lambda_k) x>/N for each pair of different samples, for
    inputs of any distribution."""
    by_noise = net.sigma * net.sigma * mean_of(slope[i, s], slope[l, s])
    right = mean_of(values_gap(i), values_gap(l)) + by_noise
    return prove.sums(different_samples_of_one_noise, right, [*population.NOISE, CHANCES[1]], DATA)


# --- the length of an input -------------------------------------------------------------------------------------------

squared_length = per_input * total(committee.x[s, a] * committee.x[s, a], a)


@paper.claim("Section 3, x x'/N for one sample")
def mean_squared_length() -> Certificate:
    """For inputs with <x_a x_b> = delta_ab the average of |x|^2/N is 1 at every N, not only in the limit."""
    return prove.sums(average(squared_length, s), 1, [*WHITE, PER_INPUT], WHITE_INPUTS)


@paper.claim(
    "Section 3, x x'/N for one sample, inputs of other covariance",
    expect=Verdict.REFUTED,
    corrected_by="mean_squared_length",
)
def mean_squared_length_of_any_inputs() -> Certificate:
    """Whatever the covariance of the inputs, the average of |x|^2/N is 1."""
    return prove.sums(average(squared_length, s), 1, [CHANCES[0], PER_INPUT], [examples.data()])


PAIRINGS = ((a, b, c, d), (a, c, b, d), (a, d, b, c))
FOURTH_MOMENTS: Hypothesis = (
    total(population.chance[p] * x[p, a] * x[p, b] * x[p, c] * x[p, d], p),
    sum((delta(first, second) * delta(third, fourth) for first, second, third, fourth in PAIRINGS), number(0)),
)
"""Those of x ~ N(0, I)."""
GAUSSIAN: list[Hypothesis] = [*WHITE, CHANCES[0], FOURTH_MOMENTS, PER_INPUT]
variance = average((squared_length - 1) * (squared_length - 1), s)


@paper.claim(
    "Section 3, x x'/N by the central limit theorem", expect=Verdict.REFUTED, corrected_by="squared_length_concentrates"
)
def squared_length_is_one() -> Certificate:
    """For x ~ N(0, I), |x|^2/N is 1 at each N: its mean squared distance from 1 is 0."""
    return prove.sums(variance, 0, GAUSSIAN, SHELLS)


@paper.claim("Section 3, x x'/N by the central limit theorem, corrected")
def squared_length_concentrates() -> Certificate:
    """For x ~ N(0, I) the mean squared distance of |x|^2/N from 1 is 2/N, which vanishes in the limit: |x|^2/N tends to 1 by the law of
    large numbers. The central limit theorem speaks of what is left after multiplying by sqrt(N), which does not vanish."""
    return prove.every(
        prove.sums(variance, 2 * per_input, GAUSSIAN, SHELLS),
        prove.limit(2 * few, [few], 0),
        prove.limit((2 * few) / few, [few], 2),
    )


@paper.claim("Section 3, x x'/N for two samples", expect=Verdict.REFUTED, corrected_by="products_of_different_samples")
def product_of_different_samples_is_one() -> Certificate:
    """For two samples drawn apart the average of x_s . x_s'/N is 1, as it is for one."""
    return prove.sums(
        over_batches(total(common_input, s, s_other), ONE_PAIR),
        1,
        [*MEANS, *WHITE, PER_INPUT, CHANCES[0]],
        WHITE_INPUTS,
    )


@paper.claim("Section 3, x x'/N for two samples, corrected")
def products_of_different_samples() -> Certificate:
    """For two samples drawn apart, of mean 0 and with <x_a x_b> = delta_ab, x_s . x_s'/N has the average 0 and the average square
    1/N: it tends to 0, so that only pairs of one sample twice bring a factor of 1."""
    return prove.every(
        prove.sums(over_batches(total(common_input, s, s_other), ONE_PAIR), 0, MEANS, WHITE_INPUTS),
        prove.sums(
            over_batches(total(common_input * common_input, s, s_other), ONE_PAIR),
            per_input,
            [*WHITE, PER_INPUT],
            WHITE_INPUTS,
        ),
    )
