"""Equation 20: equations 12 and 15 with Delta = sum of g(rho_m) + sigma xi - sum of g(lambda_j) inserted.

The averages of equation 17 are sums over any data here; only their closed forms need Gaussian fields. The two printed
mistakes of the last line are judged one by one.
"""

from __future__ import annotations

from typing import Any

from derivations import prove
from derivations.language.sums import Array, Index, Sums, total
from derivations.models import committee as net
from derivations.models.committee import B, eta, g_student, i, j, k, l, m, n, per_sample, population, s, sigma, slope
from derivations.models.committee.population import CENTRED, CHANCES, I3, I4, J2, NOISE, chance, p
from derivations.papers.carrasco_davis_grant_2025.section_3_averages.integrals import SCALED, C
from derivations.papers.carrasco_davis_grant_2025.section_3_order_parameters.flow import (
    linear_rate,
    printed_teacher_rate,
    squared,
)
from derivations.papers.carrasco_davis_grant_2025.setup import paper
from derivations.papers.carrasco_davis_grant_2025.source import examples
from derivations.prove import Certificate, Verdict

DATA, BIASED = [examples.data()], [examples.data(noise=("2", "1"))]
LOUD = [examples.data(noise=("4", "-1"))]
"""A noise of mean 0 and variance 4."""


def pulled(unit: Index, along: Index) -> Sums:
    """The printed brackets of lines 1 to 3."""
    return eta * (total(I3(unit, along, m), m) - total(I3(unit, along, j), j))


def by_values(first: Index, second: Index, *, other: Index) -> Sums:
    """The sums over I4 of line 4."""
    return (
        total(I4(first, second, n, m), m, n)
        - 2 * total(I4(first, second, other, n), other, n)
        + total(I4(first, second, other, l), other, l)
    )


printed_teacher_flow = pulled(i, n)
"""Line 1."""
EQ_20_1 = paper.printed(
    r"\frac{dR_{in}}{dt} = \eta_{W} \left[ \sum_{m=1}^{M} I_{3}(i,n,m) - \sum_{j=1}^{K} I_{3}(i, n, j) \right]",
    printed_teacher_flow,
)
printed_linear_flow = pulled(i, k) + pulled(k, i)
"""Lines 2 and 3."""
values = by_values(i, k, other=j)
printed_quadratic_flow = eta * eta * (values + sigma * sigma * J2(i, j))
"""Line 4: the j of J2 is no index of the left side."""
EQ_20_2 = paper.printed(
    r"\frac{dQ_{ik}}{dt} = \eta_{W} \left[ \sum_{m=1}^{M} I_{3}(i,k,m) - \sum_{j=1}^{K} I_{3}(i, k, j) \right] "
    r"+ \eta_{W} \left[ \sum_{m=1}^{M} I_{3}(k, i, m) - \sum_{j=1}^{K} I_{3}(k, i, j) \right] "
    r"+ \eta_{W}^{2} \left[ \sum_{m, n}^{M} I_{4}(i, k, n, m) - 2 \sum_{j, n} I_{4}(i, k, j, n) "
    r"+ \sum_{j, l} I_{4}(i, k, j, l) + \sigma^{2} J_{2}(i, j) \right].",
    printed_linear_flow + printed_quadratic_flow,
)
quadratic_flow = eta * eta * per_sample * (values + sigma * sigma * J2(i, k))
"""Line 4, corrected."""


@paper.claim("Eq. 20, line 1", rests_on=["teacher_overlap_rate"], printed=EQ_20_1)
def teacher_flow() -> Certificate:
    """With a noise of mean 0, Eq. 12 is eta times the sum of I3(i, n, m) over teachers minus that of I3(i, n, j) over students."""
    return prove.sums(printed_teacher_rate, printed_teacher_flow, CENTRED, DATA)


@paper.claim("Eq. 20, line 1, noise of another mean", expect=Verdict.REFUTED, corrected_by="teacher_flow")
def teacher_flow_under_biased_noise() -> Certificate:
    """The noise need not have mean 0: Eq. 12 is the printed sum for every noise that is drawn apart from the input."""
    return prove.sums(printed_teacher_rate, printed_teacher_flow, CHANCES[1:], BIASED)


unlike_noise = Array("unlike_noise", B)
"""A noise that depends on the input."""


@paper.claim("Eq. 20, line 1, noise that depends on the input", expect=Verdict.REFUTED, corrected_by="teacher_flow")
def teacher_flow_under_dependent_noise() -> Certificate:
    """A noise of mean 0 may depend on the input: Eq. 12 with such a noise is the printed sum."""
    noisy = total(net.g_teacher[m, s], m) + sigma * unlike_noise[s] - total(g_student[k, s], k)
    centred = (total(chance[p] * population.of_data(unlike_noise)[p], p), 0)
    rate = eta * population.average(noisy * slope[i, s] * net.teacher_field(n, s), s)
    return prove.sums(rate, printed_teacher_flow, [centred], [examples.data(unlike_noise=["1", "1", "-2"])])


@paper.claim(["Eq. 20, line 2", "Eq. 20, line 3"], rests_on=["student_overlap_rate"])
def linear_flow_of_students() -> Certificate:
    """With a noise of mean 0, the two terms of Eq. 15 that are linear in eta are lines 2 and 3."""
    return prove.sums(linear_rate(k), printed_linear_flow, CENTRED, DATA)


def _expanded(rate: Sums, flow: Sums, noise: Any = NOISE, data: Any = DATA) -> Certificate:
    return prove.sums(rate, flow, noise, data)


@paper.claim("Eq. 20, line 4", expect=Verdict.REFUTED, corrected_by="quadratic_flow_of_students", printed=EQ_20_2)
def quadratic_flow_as_printed() -> Certificate:
    """The quadratic term of Eq. 15, corrected, is line 4 as printed, for batches of every size and whatever j is in J2(i, j)."""
    return _expanded(per_sample * squared(k), printed_quadratic_flow)


@paper.claim("Eq. 20, line 4, corrected", rests_on=["student_overlap_rate"])
def quadratic_flow_of_students() -> Certificate:
    """With a noise of mean 0 and variance 1, the quadratic term of Eq. 15, corrected, is eta^2/B times the printed sums over I4, with
    the factor -2 as I4 is symmetric in its last two places, and sigma^2 J2(i, k)."""
    return _expanded(per_sample * squared(k), quadratic_flow)


@paper.claim("Eq. 20, line 4, J2(i, k) without 1/B", expect=Verdict.REFUTED, corrected_by="quadratic_flow_of_students")
def quadratic_flow_without_batch() -> Certificate:
    """With J2(i, k) in place of J2(i, j), line 4 is right for batches of every size."""
    return _expanded(per_sample * squared(k), eta * eta * (values + sigma * sigma * J2(i, k)))


@paper.claim("Eq. 20, line 4, J2(i, k), batches of one sample", rests_on=["student_overlap_rate_for_one_sample"])
def quadratic_flow_for_one_sample() -> Certificate:
    """With J2(i, k) in place of J2(i, j), line 4 is what Eq. 15 as printed expands to, and so right for batches of one sample."""
    return _expanded(squared(k), eta * eta * (values + sigma * sigma * J2(i, k)))


@paper.claim(
    "Eq. 20, line 4, j as the index of the sum before it",
    expect=Verdict.REFUTED,
    corrected_by="quadratic_flow_for_one_sample",
)
def noise_summed_with_the_values() -> Certificate:
    """J2(i, j) belongs to the sum over j and l before it, so that line 4 is what Eq. 15 as printed expands to."""
    summed = values + total(sigma * sigma * J2(i, j), j, l)
    return _expanded(squared(k), eta * eta * summed)


@paper.claim("Eq. 20, line 4, j as any index", expect=Verdict.REFUTED, corrected_by="slopes_of_one_student")
def slopes_of_any_student() -> Certificate:
    """For g(x) = erf(x/sqrt 2) and Gaussian fields, <g'(lambda_i) g'(lambda_j)> is <g'(lambda_i) g'(lambda_k)> whatever j is."""
    return prove.identity(SCALED.slopes(C, 0, 1), SCALED.slopes(C, 0, 2))


@paper.claim("Eq. 20, line 4, j as any index, corrected", rests_on=["average_of_slopes"])
def slopes_of_one_student() -> Certificate:
    """For g(x) = erf(x/sqrt 2) they agree where lambda_j and lambda_k have one variance and one covariance with lambda_i."""
    alike = {C[2, 2]: C[1, 1], C[0, 2]: C[0, 1]}
    return prove.identity(SCALED.slopes(C, 0, 1), SCALED.slopes(C, 0, 2).subs(alike))


@paper.claim(
    "Eq. 20, line 4, noise of another variance", expect=Verdict.REFUTED, corrected_by="quadratic_flow_of_students"
)
def quadratic_flow_under_louder_noise() -> Certificate:
    """The noise need not have variance 1: line 4, corrected, holds for every noise of mean 0."""
    return _expanded(per_sample * squared(k), quadratic_flow, noise=[*CENTRED, CHANCES[1]], data=LOUD)
