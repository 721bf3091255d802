"""Equations 12, 15 and 20: the mean update of R and Q over dt = 1/N, at every N and for batches of every size.

The updates are those computed from the loss in `arrays`. Only two steps take large N: |x|^2/N -> 1, and that pairs of
different samples no longer count (see `batches`). Here the first is an exact hypothesis, inputs with |x|^2 = N, and
the second leaves such pairs out.
"""

from __future__ import annotations

import sympy as sp

from derivations import prove
from derivations.language.sums import Index, Sums, size, total
from derivations.models import committee
from derivations.models import committee as net
from derivations.models.committee import RECIPROCALS, B, N, W, a, eta, i, j, k, n, per_input, per_sample, s, slope
from derivations.models.committee.population import COPIES, ONE_SAMPLE_TWICE, average, over_batches
from derivations.papers.carrasco_davis_grant_2025.section_3_order_parameters.batches import squared_mean_gradient
from derivations.papers.carrasco_davis_grant_2025.setup import paper
from derivations.papers.carrasco_davis_grant_2025.source import examples
from derivations.prove import Certificate, Verdict

ON_SPHERE, ONE_DRAWN = (
    [
        examples.data(examples.SPHERE, drawn, noise=noise, chances=("1/3", "2/3"))
        for noise in (("2", "-1/2"), ("2", "1"))
    ]
    for drawn in (3, 1)
)
"""With the noise of the model first; a noise of another mean tells more false statements from true ones."""
ANY_LENGTH = [examples.data(examples.INPUTS[:2])]
ONE_SAMPLE = [(size(B), 1), (per_sample, 1)]
IN_THE_LIMIT = [*RECIPROCALS, *net.population.ON_A_SPHERE]

teacher_overlap = per_input * total(W[i, a] * net.W_teacher[n, a], a)
mean_teacher_rate = size(N) * (over_batches(net.teacher_overlap_after_step(i, n)) - teacher_overlap)
"""The mean update of R over dt."""


def mean_student_rate(other: Index, pairs: tuple[Sums, Sums] = net.population.INDEPENDENT) -> Sums:
    """The mean update of Q over dt, for batches whose pairs of samples are counted so."""
    overlap = per_input * total(W[i, a] * W[other, a], a)
    return size(N) * (over_batches(net.overlap_after_step(i, other), pairs) - overlap)


# --- equations 12 and 15 ----------------------------------------------------------------------------------------------


def pushed(unit: Index, along: Sums) -> Sums:
    """eta <Delta g'(lambda_unit) along>."""
    return eta * average(net.error(s) * slope[unit, s] * along, s)


def squared(other: Index, weight: Sums | int = 1) -> Sums:
    """eta^2 <Delta^2 g'(lambda_i) g'(lambda_other) weight>."""
    return eta * eta * average(net.error(s) ** 2 * slope[i, s] * slope[other, s] * weight, s)


def linear_rate(other: Index) -> Sums:
    return pushed(other, net.student_field(i, s)) + pushed(i, net.student_field(other, s))


printed_teacher_rate = pushed(i, net.teacher_field(n, s))
"""Equation 12."""
EQ_12 = paper.printed(
    r"\frac{d R_{in}}{d t} = \eta_{W} \left< \Delta_{s}^{u} g'(\lambda_{i}^{u}) \rho_{n}^{u} \right>",
    printed_teacher_rate,
)
printed_student_rate = linear_rate(j) + squared(j)
"""Equation 15."""
EQ_15 = paper.printed(
    r"\frac{dQ_{ij}}{dt} = \eta_{W} \left< \Delta_{s}^{u} g'(\lambda_{j}^{u}) \lambda_{i}^{u} \right> + "
    r"\eta_{W} \left<\Delta_{s}^{u} g'(\lambda_{i}^{u}) \lambda_{j}^{u} \right> + \eta_{W}^{2} "
    r"\left< (\Delta_{s}^{u})^{2} g'(\lambda_{i}^{u}) g'(\lambda_{j}^{u}) \right>.",
    printed_student_rate,
)
student_rate = linear_rate(j) + per_sample * squared(j)
"""Equation 15, corrected."""


@paper.claim("Eq. 12", printed=EQ_12)
def teacher_overlap_rate() -> Certificate:
    """The mean update of R over dt is eta <Delta g'(lambda_i) rho_n> at every N, for batches of every size and inputs of any
    distribution: it takes no limit, and no more than the average over one sample."""
    return prove.sums(mean_teacher_rate, printed_teacher_rate, RECIPROCALS)


@paper.claim("Eq. 15, at every N", rests_on=["average_over_different_samples", "squared_length_scales"])
def student_overlap_rate_at_every_dimension() -> Certificate:
    """The mean update of Q over dt is that of Eq. 15 with eta^2/B times <Delta^2 g'_i g'_k |x|^2/N> + (B - 1) v_i . v_k/N as its
    quadratic term, v_i = <Delta g'(lambda_i) x>, at every N and B and for inputs of any distribution."""
    length = per_input * total(committee.x[s, a] * committee.x[s, a], a)
    different = eta * eta * (size(B) - 1) * squared_mean_gradient
    return prove.sums(mean_student_rate(k), linear_rate(k) + per_sample * (squared(k, length) + different), RECIPROCALS)


@paper.claim(
    "Section 2, the batch size has no effect on the dynamics, except to reduce the noise",
    rests_on=["student_overlap_rate_at_every_dimension"],
)
def batch_divides_the_noise_of_the_gradient() -> Certificate:
    """Read as noise of the gradient, it is right: the mean update of Q over dt is what the mean gradient and its square give, without
    a B, and 1/B times the covariance of the gradients of one sample, at every N."""
    length = per_input * total(committee.x[s, a] * committee.x[s, a], a)
    of_the_mean = eta * eta * squared_mean_gradient
    around_it = squared(k, length) - of_the_mean
    return prove.sums(mean_student_rate(k), linear_rate(k) + of_the_mean + per_sample * around_it, RECIPROCALS)


@paper.claim("Eq. 15", expect=Verdict.REFUTED, corrected_by="student_overlap_rate", printed=EQ_15)
def student_overlap_rate_as_printed() -> Certificate:
    """For batches of any size, with |x|^2 = N and without the pairs of different samples, the mean update of Q over dt is that of
    Eq. 15, whose eta^2 is not divided by B."""
    return prove.sums(mean_student_rate(j, ONE_SAMPLE_TWICE), printed_student_rate, IN_THE_LIMIT, ON_SPHERE)


@paper.claim("Eq. 15, corrected")
def student_overlap_rate() -> Certificate:
    """For batches of any size, with |x|^2 = N and without the pairs of different samples, the mean update of Q over dt is that of
    Eq. 15 with eta^2/B in place of eta^2."""
    return prove.sums(mean_student_rate(j, ONE_SAMPLE_TWICE), student_rate, IN_THE_LIMIT, ON_SPHERE)


@paper.claim(
    "Eq. 15, corrected, inputs of any length",
    expect=Verdict.REFUTED,
    corrected_by="student_overlap_rate_at_every_dimension",
)
def student_overlap_rate_for_any_length() -> Certificate:
    """At every N the corrected rate takes no |x|^2 = N: leaving out the pairs of different samples is enough."""
    return prove.sums(mean_student_rate(j, ONE_SAMPLE_TWICE), student_rate, RECIPROCALS, ANY_LENGTH)


@paper.claim(
    "Eq. 15, corrected, with the pairs of different samples",
    expect=Verdict.REFUTED,
    corrected_by="student_overlap_rate_at_every_dimension",
)
def student_overlap_rate_with_all_pairs() -> Certificate:
    """At every N the corrected rate holds with the pairs of different samples as well, where they are drawn apart and |x|^2 = N."""
    return prove.sums(mean_student_rate(j), student_rate, IN_THE_LIMIT, ON_SPHERE)


@paper.claim("Eq. 15, batches of one sample", printed=EQ_15)
def student_overlap_rate_for_one_sample() -> Certificate:
    """For batches of one sample, where no pair of different samples exists, and |x|^2 = N, Eq. 15 is exact as printed at every N."""
    return prove.sums(mean_student_rate(j), printed_student_rate, [*ONE_SAMPLE, *IN_THE_LIMIT[1:]], ONE_DRAWN)


@paper.claim("Eq. 15, copies of one sample", expect=Verdict.REFUTED, corrected_by="student_overlap_rate_for_copies")
def student_overlap_rate_needs_independence() -> Certificate:
    """The samples of a batch need not be independent: where they are copies of one, the quadratic term has eta^2/B as well."""
    return prove.sums(mean_student_rate(j, COPIES), student_rate, IN_THE_LIMIT, ON_SPHERE)


@paper.claim("Eq. 15, copies of one sample, corrected")
def student_overlap_rate_for_copies() -> Certificate:
    """Where a batch is one sample B times and |x|^2 = N, Eq. 15 is exact as printed: what divides eta^2 by B is independence."""
    return prove.sums(mean_student_rate(j, COPIES), printed_student_rate, IN_THE_LIMIT, ON_SPHERE)


few, samples = sp.symbols("few samples", positive=True)
"""1/N and B."""
kept, moved, different = sp.symbols("kept moved different", real=True)


@paper.claim(
    "Eq. 15, the limit of large N",
    rests_on=[
        "student_overlap_rate_at_every_dimension",
        "squared_length_scales",
        "squared_mean_gradient_by_order_parameters",
    ],
)
def quadratic_term_in_the_limit() -> Certificate:
    """With F = Delta^2 g'_i g'_k the quadratic term at every N is (<F> + (2/N) d<F>/ds + (B - 1) q/N)/B, q being the quadratic form of
    the order parameters in v_i . v_k/N: at fixed order parameters and B it tends to <F>/B, with an error of order 1/N."""
    exact = (kept + 2 * few * moved + (samples - 1) * few * different) / samples
    return prove.every(
        prove.limit(exact, [few], kept / samples),
        prove.limit((exact - kept / samples) / few, [few], (2 * moved + (samples - 1) * different) / samples),
    )
