"""Equations 12 to 15 and 20: the mean update of R and Q over dt = 1/N, at every N and for batches of every size.

Only two steps take large N, and come first: |x|^2/N -> 1, and that pairs of different samples no longer count. Then
the one is an exact hypothesis, inputs with |x|^2 = N, and the other leaves such pairs out.
"""

from derivations.papers.carrasco_davis_grant_2025.setup import *
from derivations.language.sums import number, size
from derivations.models.committee import population
from derivations.models.committee.population import (
    CENTRED, CHANCES, COPIES, FOURTH_MOMENTS, INDEPENDENT, NOISE, ON_A_SPHERE, WHITE, average, e, over_batches, p,
    student_rate)
from derivations.models.committee import examples
from derivations.latex import Indexed
from derivations.papers.carrasco_davis_grant_2025.section_3_averages import SCALED, C

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
LINES = [(straight["g_student"][k, p], root * total(W[k, a] * population.x[p, a], a)),
    (straight["g_teacher"][m, p], root * total(W_teacher[m, a] * population.x[p, a], a)),
    (straight["slope"][k, p], 1), *WHITE, *population.CENTRED, PER_INPUT, ROOT]
WHITE_INPUTS = [examples.centred()]
few = reals("few > 0")  # 1/N
@paper.claim("Section 3, expectations over s and s', at every N")
def average_over_different_samples():
    """For samples drawn apart the pairs of different samples contribute B (B - 1) v_i . v_k/N, with v_i = <Delta
    g'(lambda_i) x>, for inputs of any distribution: the average of a product is that of the averages, and not 0."""
    product = net.error(s) * net.error(s_other) * slope[i, s] * slope[k, s_other] * common_input
    different_samples = over_batches(total(product, s, s_other), DIFFERENT)
    yield same(different_samples, size(B) * (size(B) - 1) * squared_mean_direction)

among = [examples.data(examples.CORNERS, activation=examples.STRAIGHT)]
paper.states("mean_gradients_of_lines: average_over_different_samples", "Section 3, expectations over s and s', lines",
    "For g(x) = x and <x_a x_b> = delta_ab, v_i is the teachers' weights less the students', summed, over sqrt(N).",
    lambda: same(mean_direction(i, a), root * (total(W_teacher[m, a], m) - total(W[k, a], k)), LINES, among=among))

by_student, by_teacher = Array("by_student", K, K), Array("by_teacher", K, M)
@paper.claim("Section 3, expectations over s and s', any activation", rests_on="average_over_different_samples")
def squared_mean_gradient_by_order_parameters():
    """Where v_i is sqrt(1/N) times a sum of weights, v_i . v_k/N is 1/N times a quadratic form of these in Q, R and
    T."""

    def combined(unit):
        return root * (total(by_student[unit, k] * W[k, a], k) + total(by_teacher[unit, m] * W_teacher[m, a], m))

    form = (total(by_student[i, j] * by_student[l, k] * overlap(W[j, a], W[k, a]), j, k)
        + total(by_student[i, j] * by_teacher[l, m] * overlap(W[j, a], W_teacher[m, a]), j, m)
        + total(by_student[l, j] * by_teacher[i, m] * overlap(W[j, a], W_teacher[m, a]), j, m)
        + total(by_teacher[i, m] * by_teacher[l, n] * overlap(W_teacher[m, a], W_teacher[n, a]), m, n))
    yield same(overlap(combined(i), combined(l)), per_input * form, [ROOT])

@paper.claim("Eq. 1, one noise for all samples of an update, in Eq. 14")
def different_samples_with_one_noise():
    """Read without an index of the sample, as Eq. 1 prints it, the noise adds sigma^2 <g'(lambda_i) x> . <g'(lambda_k)
    x>/N for each pair of different samples, for inputs of any distribution."""

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

squared_length = overlap(net.x[s, a], net.x[s, a])
paper.states("mean_squared_length", "Section 3, x x'/N for one sample",
    "For inputs with <x_a x_b> = delta_ab the average of |x|^2/N is 1 at every N, not only in the limit.",
    lambda: same(average(squared_length, s), 1, among=[*WHITE_INPUTS, examples.data()]), given=[CHANCES[0], PER_INPUT],
    needs={"white_inputs": WHITE})

variance = average((squared_length - 1) * (squared_length - 1), s)
paper.states("squared_length_concentrates", "Section 3, x x'/N by the central limit theorem",
    "For x ~ N(0, I) the mean squared distance of |x|^2/N from 1 is 2/N, which vanishes: |x|^2/N tends to 1, by the "
    "law of large numbers. Times N it does not vanish, and of that the central limit theorem speaks.",
    lambda: [same(variance, 2 * per_input, [*WHITE, CHANCES[0], FOURTH_MOMENTS, PER_INPUT],
            among=examples.two_shells()), tends(2 * few, [few], 0), tends((2 * few) / few, [few], 2)],
    quote=r"$\frac{x_{s}^{u}(x_{s}^{y})^{T}}{N} \rightarrow 1 $ by the central limit theorem")

mean, mean_square = (over_batches(total(common_input**power, s, s_other), ONE_PAIR) for power in (1, 2))
paper.states("products_of_different_samples", "Section 3, x x'/N for two samples",
    "For samples drawn apart, <x_a> = 0, <x_a x_b> = delta_ab, x_s . x_s'/N has mean 0 and mean square 1/N.",
    lambda: [same(mean, 0, [(total(population.chance[p] * population.x[p, a], p), 0)]),
        same(mean_square, per_input, [*WHITE, PER_INPUT])], among=WHITE_INPUTS)

# === Equations 12 and 15: the mean update of R and Q over dt = 1/N, at every N and for batches of every size ===
# With the noise of the model first; a noise of another mean tells more false statements from true ones.
ON_SPHERE, ONE_DRAWN = ([examples.data(examples.SPHERE, drawn, noise=noise, chances=("1/3", "2/3"))
        for noise in (("2", "-1/2"), ("2", "1"))] for drawn in (3, 1))
ONE_SAMPLE = [(size(B), 1), (per_sample, 1)]
IN_THE_LIMIT = [*RECIPROCALS, *ON_A_SPHERE]
EQ_15_LINEAR = (r"\frac{dQ_{ij}}{dt} = \eta_{W} \left< \Delta_{s}^{u} g'(\lambda_{j}^{u}) \lambda_{i}^{u} \right> + "
    r"\eta_{W} \left<\Delta_{s}^{u} g'(\lambda_{i}^{u}) \lambda_{j}^{u} \right> + ")
EQ_15_QUADRATIC = r" \left< (\Delta_{s}^{u})^{2} g'(\lambda_{i}^{u}) g'(\lambda_{j}^{u}) \right>."
# dQ/dt is the mean update over dt, without the pairs of different samples.
EQ_15 = paper.equation("Eq. 15", EQ_15_LINEAR + r"\eta_{W}^{2}" + EQ_15_QUADRATIC)

def pushed(unit, along):
    """eta <Delta g'(lambda_unit) along>."""
    return eta * average(net.error(s) * slope[unit, s] * along, s)

def squared(other, weight=1):
    """eta^2 <Delta^2 g'(lambda_i) g'(lambda_other) weight>."""
    return eta * eta * average(net.error(s) ** 2 * slope[i, s] * slope[other, s] * weight, s)

def linear_rate(other):
    return pushed(other, student_field(i, s)) + pushed(i, student_field(other, s))

paper.equation(
    "Eq. 12", r"\frac{d R_{in}}{d t} = \eta_{W} \left< \Delta_{s}^{u} g'(\lambda_{i}^{u}) \rho_{n}^{u} \right>").states(
    "teacher_overlap_rate",
    "The mean update of R over dt is eta <Delta g'(lambda_i) rho_n> at every N, for batches of every size and inputs "
    "of any distribution: it takes no limit, and no more than the average over one sample.", given=RECIPROCALS)
EQ_15.states("student_overlap_rate_as_printed",
    "For batches of any size, |x|^2 = N and no pairs of different samples, Q moves as in Eq. 15, with eta^2.",
    corrected=EQ_15_LINEAR + r"\frac{\eta_{W}^{2}}{B}" + EQ_15_QUADRATIC, corrected_name="student_overlap_rate",
    because="For batches of any size, with |x|^2 = N and without the pairs of different samples, the mean update of Q "
    "over dt is that of Eq. 15 with eta^2/B in place of eta^2.", given=IN_THE_LIMIT, among=ON_SPHERE)
EQ_15.part("batches of one sample", EQ_15.latex).states("student_overlap_rate_for_one_sample",
    "For batches of one sample, |x|^2 = N and no pair of different samples Eq. 15 is exact as printed at every N.",
    put={"Q_ij": students_moving(j, INDEPENDENT)}, given=[*ONE_SAMPLE, *IN_THE_LIMIT[1:]], among=ONE_DRAWN)
EQ_15.part("copies of one sample", EQ_15.latex).states("student_overlap_rate_for_copies",
    "Where a batch is one sample B times, |x|^2 = N, Eq. 15 is exact as printed: independence divides eta^2 by B.",
    put={"Q_ij": students_moving(j, COPIES)}, given=IN_THE_LIMIT, among=ON_SPHERE)

length = overlap(net.x[s, a], net.x[s, a])
@paper.claim("Eq. 15, at every N", rests_on="average_over_different_samples squared_length_scales")
def student_overlap_rate_at_every_dimension():
    """At every N and B and for inputs of any distribution Q moves as in Eq. 15 with the quadratic term eta^2/B
    (<Delta^2 g'_i g'_k |x|^2/N> + (B - 1) v_i . v_k/N), v_i = <Delta g'(lambda_i) x>."""
    different = eta * eta * (size(B) - 1) * squared_mean_direction
    yield same(student_rate(k), linear_rate(k) + per_sample * (squared(k, length) + different), RECIPROCALS)

of_the_mean = eta * eta * squared_mean_direction
paper.states("batch_divides_the_noise_of_the_gradient: student_overlap_rate_at_every_dimension",
    "Section 2, the batch size has no effect on the dynamics, except to reduce the noise",
    "At every N the mean update of Q over dt is what the mean gradient and its square give, without a B, and 1/B "
    "times the covariance of the gradients of one sample: the batch acts through the noise of the gradient.",
    lambda: same(student_rate(k), linear_rate(k) + of_the_mean + per_sample * (squared(k, length) - of_the_mean),
        RECIPROCALS),
    quote="as new samples are drawn, the batch size has no effect on the dynamics, except to reduce the noise in the gradient estimate")

samples = reals("samples > 0")  # B
kept, moved, different = reals("kept moved different")
exact = (kept + 2 * few * moved + (samples - 1) * few * different) / samples
paper.states("quadratic_term_in_the_limit: student_overlap_rate_at_every_dimension squared_length_scales "
    "squared_mean_gradient_by_order_parameters",
    "Eq. 15, the limit of large N",
    "Where the quadratic term at N is (<F> + (2/N) d<F>/ds + (B - 1) q/N)/B, F = Delta^2 g'_i g'_k and q being the "
    "form of v_i . v_k/N, it tends to <F>/B at fixed order parameters and B, with an error of order 1/N.",
    lambda: [tends(exact, [few], kept / samples),
        tends((exact - kept / samples) / few, [few], (2 * moved + (samples - 1) * different) / samples)],
    quote="expectations over $s$ and $s'$ are $0$ as they are independent samples")

# === Equation 20: equations 12 and 15 with Delta = sum of g(rho_m) + sigma xi - sum of g(lambda_j) inserted ===
DATA = [examples.data(samples=3, noise=noises) for noises in (("2", "-1/2"), ("2", "1"))]
# Lines 2 and 3.
EQ_20_LINEAR = (r"\eta_{W} \left[ \sum_{m=1}^{M} I_{3}(i,k,m) - \sum_{j=1}^{K} I_{3}(i, k, j) \right] "
    r"+ \eta_{W} \left[ \sum_{m=1}^{M} I_{3}(k, i, m) - \sum_{j=1}^{K} I_{3}(k, i, j) \right]")

def line_4(rate, slopes, begin="", end=""):
    """Lines 2 to 4 as LaTeX, with the factor of line 4, what stands beside sigma^2 there, and brackets of sums."""
    return (rf"\frac{{dQ_{{ik}}}}{{dt}} = {EQ_20_LINEAR} + {rate} \left[ \sum_{{m, n}}^{{M}} I_{{4}}(i, k, n, m) "
        rf"- 2 {begin}\sum_{{j, n}} I_{{4}}(i, k, j, n){end} + {begin}\sum_{{j, l}} I_{{4}}(i, k, j, l){end} "
        rf"+ \sigma^{{2}} {slopes} \right].")

AS_PRINTED = (r"\eta_{W}^{2}", r"J_{2}(i, j)")
MENDED_SLOPES = line_4(r"\eta_{W}^{2}", r"J_{2}(i, k)")
teacher_flow = paper.equation("Eq. 20, line 1",
    r"\frac{dR_{in}}{dt} = \eta_{W} \left[ \sum_{m=1}^{M} I_{3}(i,n,m) - \sum_{j=1}^{K} I_{3}(i, n, j) \right]").states(
    "teacher_flow: teacher_overlap_rate",
    "With a noise of mean 0, Eq. 12 is eta times I3(i, n, m) summed over teachers, less I3(i, n, j) over students.",
    given=net.RECIPROCALS, needs={"centred_noise": CENTRED}, among=DATA)
paper.equation(["Eq. 20, line 2", "Eq. 20, line 3"], EQ_20_LINEAR).states(
    "linear_flow_of_students: student_overlap_rate",
    "With a noise of mean 0, the two terms of Eq. 15 that are linear in eta are lines 2 and 3.",
    lambda eq: same(linear_rate(k), eq.right, among=DATA), needs={"centred_noise": CENTRED})
paper.equation("Eq. 20, line 4", line_4(*AS_PRINTED), reads=line_4(*AS_PRINTED, "(", ")")).states(
    "quadratic_flow_as_printed",
    "For batches of every size and any student j in J2(i, j), the mean update of Q is lines 2 to 4 as printed.",
    corrected=line_4(r"\frac{\eta_{W}^{2}}{B}", r"J_{2}(i, k)"), corrected_name="quadratic_flow_of_students",
    because="With a noise of mean 0 and variance 1, |x|^2 = N and without the pairs of different samples, dQ/dt is "
    "lines 2 to 4 with eta^2/B for eta^2, and sigma^2 J2(i, k).", given=[*IN_THE_LIMIT, *NOISE], among=ON_SPHERE)

for_k = EQ_15.put({"lambda_j": Indexed(student_field(k, s)), "Q_ij": students_moving(k)})
paper.states("quadratic_flow_for_one_sample: student_overlap_rate_for_one_sample",
    "Eq. 20, line 4, from Eq. 15 as printed",
    "With J2(i, k) in place of J2(i, j), lines 2 to 4 are what Eq. 15 expands to as printed, without 1/B.",
    lambda: same(for_k.right, paper.equation("Eq. 20, line 4", MENDED_SLOPES).right, NOISE, among=DATA))
paper.states("slopes_of_one_student: average_of_slopes", "Eq. 20, line 4, j as any student, corrected",
    "For erf(x/sqrt 2) J2(i, j) is J2(i, k) if lambda_j and lambda_k share variance and covariance with lambda_i.",
    lambda: same(SCALED.slopes(C, 0, 1), put(SCALED.slopes(C, 0, 2), {C[2, 2]: C[1, 1], C[0, 2]: C[0, 1]})))
