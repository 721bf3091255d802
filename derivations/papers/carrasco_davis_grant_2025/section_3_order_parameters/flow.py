"""Equations 12 and 15: the mean update of R and Q over dt = 1/N, at every N and for batches of every size.

The updates are those computed from the loss. Only two steps take large N: |x|^2/N -> 1, and that pairs of different
samples no longer count (see `batches`). Here the first is an exact hypothesis, inputs with |x|^2 = N, and the second
leaves such pairs out.
"""

from derivations.papers.carrasco_davis_grant_2025.setup import *
from derivations.language.sums import size
from derivations.models.committee.population import COPIES, INDEPENDENT, ON_A_SPHERE, average
from derivations.papers.carrasco_davis_grant_2025.section_3_order_parameters.batches import squared_mean_direction
from derivations.papers.carrasco_davis_grant_2025.source import examples

# With the noise of the model first; a noise of another mean tells more false statements from true ones.
ON_SPHERE, ONE_DRAWN = (
    [
        examples.data(examples.SPHERE, drawn, noise=noise, chances=("1/3", "2/3"))
        for noise in (("2", "-1/2"), ("2", "1"))
    ]
    for drawn in (3, 1)
)
ONE_SAMPLE = [(size(B), 1), (per_sample, 1)]
IN_THE_LIMIT = [*RECIPROCALS, *ON_A_SPHERE]
EQ_12 = paper.equation(
    "Eq. 12", r"\frac{d R_{in}}{d t} = \eta_{W} \left< \Delta_{s}^{u} g'(\lambda_{i}^{u}) \rho_{n}^{u} \right>")
EQ_15_LINEAR = (
    r"\frac{dQ_{ij}}{dt} = \eta_{W} \left< \Delta_{s}^{u} g'(\lambda_{j}^{u}) \lambda_{i}^{u} \right> + "
    r"\eta_{W} \left<\Delta_{s}^{u} g'(\lambda_{i}^{u}) \lambda_{j}^{u} \right> + "
)
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

@EQ_12.claim(given=RECIPROCALS)
def teacher_overlap_rate():
    """The mean update of R over dt is eta <Delta g'(lambda_i) rho_n> at every N, for batches of every size and inputs of any
    distribution: it takes no limit, and no more than the average over one sample."""

@EQ_15.claim(corrected=EQ_15_LINEAR + r"\frac{\eta_{W}^{2}}{B}" + EQ_15_QUADRATIC,
    corrected_name="student_overlap_rate",
    because="For batches of any size, with |x|^2 = N and without the pairs of different samples, the mean update of Q over dt is that "
    "of Eq. 15 with eta^2/B in place of eta^2.", given=IN_THE_LIMIT, among=ON_SPHERE)
def student_overlap_rate_as_printed():
    """For batches of any size, with |x|^2 = N and without the pairs of different samples, the mean update of Q over dt is that of
    Eq. 15, whose eta^2 is not divided by B."""

@EQ_15.part("batches of one sample", EQ_15.latex).claim(
    put={"Q_ij": students_moving(j, INDEPENDENT)}, given=[*ONE_SAMPLE, *IN_THE_LIMIT[1:]], among=ONE_DRAWN)
def student_overlap_rate_for_one_sample():
    """For batches of one sample, where no pair of different samples exists, and |x|^2 = N, Eq. 15 is exact as printed at every N."""

@EQ_15.part("copies of one sample", EQ_15.latex).claim(
    put={"Q_ij": students_moving(j, COPIES)}, given=IN_THE_LIMIT, among=ON_SPHERE)
def student_overlap_rate_for_copies():
    """Where a batch is one sample B times and |x|^2 = N, Eq. 15 is exact as printed: what divides eta^2 by B is independence."""

length = overlap(net.x[s, a], net.x[s, a])
@paper.claim("Eq. 15, at every N", rests_on="average_over_different_samples squared_length_scales")
def student_overlap_rate_at_every_dimension():
    """The mean update of Q over dt is that of Eq. 15 with eta^2/B times <Delta^2 g'_i g'_k |x|^2/N> + (B - 1) v_i . v_k/N as its
    quadratic term, v_i = <Delta g'(lambda_i) x>, at every N and B and for inputs of any distribution."""
    different = eta * eta * (size(B) - 1) * squared_mean_direction
    yield same(student_rate(k), linear_rate(k) + per_sample * (squared(k, length) + different), RECIPROCALS)

@paper.claim("Section 2, the batch size has no effect on the dynamics, except to reduce the noise",
    quote="as new samples are drawn, the batch size has no effect on the dynamics, except to reduce the noise in the gradient estimate",
    rests_on="student_overlap_rate_at_every_dimension")
def batch_divides_the_noise_of_the_gradient():
    """The mean update of Q over dt is what the mean gradient and its square give, without a B, and 1/B times the covariance of the
    gradients of one sample, at every N: the batch acts through the noise of the gradient, which moves the mean of Q."""
    of_the_mean = eta * eta * squared_mean_direction
    around_it = squared(k, length) - of_the_mean
    yield same(student_rate(k), linear_rate(k) + of_the_mean + per_sample * around_it, RECIPROCALS)

few, samples = symbols("few samples", positive=True)  # 1/N and B
kept, moved, different = symbols("kept moved different", real=True)
@paper.claim("Eq. 15, the limit of large N",
    quote="expectations over $s$ and $s'$ are $0$ as they are independent samples",
    rests_on="student_overlap_rate_at_every_dimension squared_length_scales squared_mean_gradient_by_order_parameters")
def quadratic_term_in_the_limit():
    """With F = Delta^2 g'_i g'_k the quadratic term at every N is (<F> + (2/N) d<F>/ds + (B - 1) q/N)/B, q being the quadratic form of
    the order parameters in v_i . v_k/N: at fixed order parameters and B it tends to <F>/B, with an error of order 1/N. The pairs
    of different samples vanish in the limit, as 1/N, and not as they are independent."""
    exact = (kept + 2 * few * moved + (samples - 1) * few * different) / samples
    yield tends(exact, [few], kept / samples)
    yield tends((exact - kept / samples) / few, [few], (2 * moved + (samples - 1) * different) / samples)
