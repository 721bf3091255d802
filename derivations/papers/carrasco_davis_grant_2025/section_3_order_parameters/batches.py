"""Section 3, the step from equation 14 to 15: averages over pairs of samples, and |x|^2/N.

Each sentence of the step is judged at every N and for every batch size, and then in the limit of large N.
"""

from derivations.papers.carrasco_davis_grant_2025.setup import *
from derivations.language.sums import number, size
from derivations.models.committee import population
from derivations.models.committee.population import CHANCES, WHITE, average, e, over_batches, p
from derivations.papers.carrasco_davis_grant_2025.source import examples

PER_INPUT, ROOT = net.RECIPROCALS[1:]
# The pairs of different samples, and one of them.
DIFFERENT, ONE_PAIR = (number(0), size(B) * size(B) - size(B)), (number(0), number(1))

def mean_direction(unit, place):
    """v = <Delta g'(lambda) x>."""
    return average(net.error(s) * slope[unit, s] * net.x[s, place], s)

squared_mean_direction = overlap(mean_direction(i, a), mean_direction(k, a))  # v_i . v_k/N.
common_input = overlap(net.x[s, a], net.x[s_other, a])
straight = {array.name: population.of_data(array) for array in (net.g_student, slope, net.g_teacher)}
# g(x) = x.
LINES = [
    (straight["g_student"][k, p], root * total(W[k, a] * population.x[p, a], a)),
    (straight["g_teacher"][m, p], root * total(W_teacher[m, a] * population.x[p, a], a)),
    (straight["slope"][k, p], 1),
    *WHITE,
    *population.CENTRED,
    PER_INPUT,
    ROOT,
]
MEANS = [(total(population.chance[p] * population.x[p, a], p), 0)]
WHITE_INPUTS = [examples.centred()]
few = Symbol("few", positive=True)  # 1/N
@paper.claim("Section 3, expectations over s and s', at every N")
def average_over_different_samples():
    """For samples drawn apart the pairs of different samples contribute B (B - 1) v_i . v_k/N, with v_i = <Delta g'(lambda_i) x>, for
    inputs of any distribution: nothing is 0 as they are independent, but the average of the product is that of each."""
    product = net.error(s) * net.error(s_other) * slope[i, s] * slope[k, s_other] * common_input
    different_samples = over_batches(total(product, s, s_other), DIFFERENT)
    yield same(different_samples, size(B) * (size(B) - 1) * squared_mean_direction)

@paper.claim("Section 3, expectations over s and s', lines", rests_on="average_over_different_samples")
def mean_gradients_of_lines():
    """For g(x) = x and inputs with <x_a x_b> = delta_ab, v_i is the sum of the teachers' weights minus that of the students', over
    sqrt(N): v_i . v_k/N vanishes only where these sums are equal, and is 1/N times a sum of order parameters."""
    gap = total(W_teacher[m, a], m) - total(W[k, a], k)
    among = [examples.data(examples.CORNERS, activation=examples.STRAIGHT)]
    yield same(mean_direction(i, a), root * gap, LINES, among=among)

by_student, by_teacher = Array("by_student", K, K), Array("by_teacher", K, M)
@paper.claim("Section 3, expectations over s and s', any activation", rests_on="average_over_different_samples")
def squared_mean_gradient_by_order_parameters():
    """Where v_i is sqrt(1/N) times a sum of weights, as Stein's lemma makes it for Gaussian inputs with averages over the fields as
    coefficients, v_i . v_k/N is 1/N times a quadratic form of these coefficients in Q, R and T."""

    def combined(unit):
        return root * (total(by_student[unit, k] * W[k, a], k) + total(by_teacher[unit, m] * W_teacher[m, a], m))

    form = (
        total(by_student[i, j] * by_student[l, k] * overlap(W[j, a], W[k, a]), j, k)
        + total(by_student[i, j] * by_teacher[l, m] * overlap(W[j, a], W_teacher[m, a]), j, m)
        + total(by_student[l, j] * by_teacher[i, m] * overlap(W[j, a], W_teacher[m, a]), j, m)
        + total(by_teacher[i, m] * by_teacher[l, n] * overlap(W_teacher[m, a], W_teacher[n, a]), m, n)
    )
    yield same(overlap(combined(i), combined(l)), per_input * form, [ROOT])

@paper.claim("Eq. 1, one noise for all samples of an update, in Eq. 14")
def different_samples_with_one_noise():
    """Read without an index of the sample, as Eq. 1 prints it, the noise adds sigma^2 <g'(lambda_i) x> . <g'(lambda_k) x>/N for each pair
    of different samples, for inputs of any distribution; noises of their own add nothing."""

    def gap(unit, sample):
        return (total(net.g_teacher[m, sample], m) - total(net.g_student[k, sample], k)) * slope[unit, sample]

    def noisy(unit, sample):
        return gap(unit, sample) + net.sigma * population.noise[e] * slope[unit, sample]

    def product(first, second):
        return overlap(*(average(at * net.x[s, a], s) for at in (first, second)))

    pairs = over_batches(total(noisy(i, s) * noisy(l, s_other) * common_input, s, s_other), ONE_PAIR)
    right = product(gap(i, s), gap(l, s)) + net.sigma * net.sigma * product(slope[i, s], slope[l, s])
    known = [*population.NOISE, CHANCES[1]]
    yield same(total(population.noise_chance[e] * pairs, e), right, known, among=examples.data())

# --- the length of an input -------------------------------------------------------------------------------------------
squared_length = overlap(net.x[s, a], net.x[s, a])
@paper.claim("Section 3, x x'/N for one sample", given=[CHANCES[0], PER_INPUT], needs={"white_inputs": WHITE})
def mean_squared_length():
    """For inputs with <x_a x_b> = delta_ab the average of |x|^2/N is 1 at every N, not only in the limit."""
    yield same(average(squared_length, s), 1, among=[*WHITE_INPUTS, examples.data()])

c, d = (net.N.index(name) for name in "cd")
PAIRINGS = ((a, b, c, d), (a, c, b, d), (a, d, b, c))
# Those of x ~ N(0, I).
FOURTH_MOMENTS = (
    total(population.chance[p] * population.x[p, a] * population.x[p, b] * population.x[p, c] * population.x[p, d], p),
    sum((delta(first, second) * delta(third, fourth) for first, second, third, fourth in PAIRINGS), number(0)),
)
@paper.claim("Section 3, x x'/N by the central limit theorem",
    quote=r"$\frac{x_{s}^{u}(x_{s}^{y})^{T}}{N} \rightarrow 1 $ by the central limit theorem")
def squared_length_concentrates():
    """For x ~ N(0, I) the mean squared distance of |x|^2/N from 1 is 2/N, which vanishes in the limit: |x|^2/N tends to 1, by the law of
    large numbers. The central limit theorem speaks of what is left after multiplying by sqrt(N), which does not vanish."""
    variance = average((squared_length - 1) * (squared_length - 1), s)
    known = [*WHITE, CHANCES[0], FOURTH_MOMENTS, PER_INPUT]
    yield same(variance, 2 * per_input, known, among=examples.two_shells())
    yield tends(2 * few, [few], 0)
    yield tends((2 * few) / few, [few], 2)

@paper.claim("Section 3, x x'/N for two samples", among=WHITE_INPUTS)
def products_of_different_samples():
    """For two samples drawn apart, of mean 0 and with <x_a x_b> = delta_ab, x_s . x_s'/N has the average 0 and the average square
    1/N: it tends to 0, so that only pairs of one sample twice bring a factor of 1."""
    mean, mean_square = (over_batches(total(common_input**power, s, s_other), ONE_PAIR) for power in (1, 2))
    yield same(mean, 0, MEANS)
    yield same(mean_square, per_input, [*WHITE, PER_INPUT])
