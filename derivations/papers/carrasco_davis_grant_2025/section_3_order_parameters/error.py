"""Equations 16 and 19: the generalisation error as averages over pairs of fields."""

from __future__ import annotations

from derivations import prove
from derivations.language.sums import total
from derivations.models.committee import HALF, g_student, g_teacher, i, j, m, n, s, sigma
from derivations.models.committee.population import CENTRED, CHANCES, I2, NOISE, average
from derivations.papers.carrasco_davis_grant_2025.section_3_order_parameters.network import (
    printed_student_output,
    printed_teacher_output,
)
from derivations.papers.carrasco_davis_grant_2025.setup import paper
from derivations.papers.carrasco_davis_grant_2025.source import examples
from derivations.prove import Certificate, Verdict

DATA, BIASED, LOUD = ([examples.data(noise=noises)] for noises in (("2", "-1/2"), ("2", "1/2"), ("4", "-1")))

output = printed_student_output(s)
mean_squared_error = HALF * average((output - printed_teacher_output(s)) ** 2, s)
"""Equation 16, line 1."""
EQ_16_1 = paper.printed(r"\mathcal{E} = \frac{1}{2} \left< \left( \hat{y} - y \right)^{2} \right>", mean_squared_error)
error_without_noise = HALF * average((output - total(g_teacher[m, s], m)) ** 2, s)
printed_error = (
    HALF * total(average(g_student[i, s] * g_student[j, s], s), i, j)
    - total(average(g_teacher[m, s] * g_student[i, s], s), m, i)
    + HALF * total(average(g_teacher[m, s] * g_teacher[n, s], s), m, n)
    + HALF * sigma * sigma
)
"""Equation 16, line 2."""
EQ_16_2 = paper.printed(
    r"\mathcal{E} = \frac{1}{2} \sum_{i=1}^{K} \sum_{j=1}^{K} \left< g(\lambda_{i}^{u}) g(\lambda_{j}^{u}) \right> "
    r"- \sum_{m=1}^{M} \sum_{i=1}^{K} \left< g(\rho_{m}^{u}) g(\lambda_{i}^{u}) \right> + \frac{1}{2} "
    r"\sum_{m=1}^{M} \sum_{n=1}^{M} \left< g(\rho_{m}^{u}) g(\rho_{n}^{u}) \right>  + \frac{\sigma^{2}}{2}",
    printed_error,
)
printed_error_by_integrals = (
    HALF * total(I2(i, j), i, j) - total(I2(i, n), n, i) + HALF * total(I2(n, m), m, n) + HALF * sigma * sigma
)
"""Equation 19."""
EQ_19 = paper.printed(
    r"\mathcal{E} = \frac{1}{2} \sum_{i=1}^{K} \sum_{j=1}^{K} I_{2}(i, j) - \sum_{n=1}^{M} \sum_{i=1}^{K} I_{2}(i, n)"
    r"+ \frac{1}{2} \sum_{m=1}^{M} \sum_{n=1}^{M} I_{2}(n, m) + \frac{\sigma^{2}}{2}",
    printed_error_by_integrals,
)


@paper.claim(["Eq. 16, line 1", "Eq. 16, line 2"], printed=EQ_16_2)
def generalisation_error() -> Certificate:
    """With a noise of mean 0 and variance 1 that is drawn apart from the input, half the mean squared error is the sum over pairs of
    students, minus that over teachers and students, plus that over pairs of teachers, and a floor of sigma^2/2."""
    return prove.sums(mean_squared_error, printed_error, NOISE, DATA)


@paper.claim("Eq. 16, noise of another mean", expect=Verdict.REFUTED, corrected_by="generalisation_error")
def error_under_biased_noise() -> Certificate:
    """The noise need not have mean 0, only the mean square 1, for the error to be that of Eq. 16."""
    return prove.sums(mean_squared_error, printed_error, NOISE[1:], BIASED)


@paper.claim("Eq. 16, noise of another variance", expect=Verdict.REFUTED, corrected_by="generalisation_error")
def error_under_louder_noise() -> Certificate:
    """The noise need not have variance 1 for the floor of the error to be sigma^2/2."""
    return prove.sums(mean_squared_error, printed_error, [*CENTRED, CHANCES[1]], LOUD)


@paper.claim(
    "Eq. 16, an error without the noise of the target", expect=Verdict.REFUTED, corrected_by="error_of_the_map"
)
def error_of_the_map_has_a_floor() -> Certificate:
    """Read as the distance from the teacher's output before the noise, the error is that of Eq. 16 as well."""
    return prove.sums(error_without_noise, printed_error, (), DATA)


@paper.claim("Eq. 16, an error without the noise of the target, corrected", rests_on=["generalisation_error"])
def error_of_the_map() -> Certificate:
    """The distance from the teacher's output before the noise has no floor: it is Eq. 16 without sigma^2/2."""
    return prove.sums(error_without_noise, printed_error - HALF * sigma * sigma, (), DATA)


@paper.claim(
    "Eq. 19, for every activation",
    rests_on=["generalisation_error", "printed_average_for_scaled_erf"],
    printed=EQ_19,
)
def error_by_integrals() -> Certificate:
    """With I2(a, b) the average of the values at two fields, of a student for i and j and of a teacher for n and m, the error is that
    of Eq. 19; for erf(x/sqrt 2) the averages are those of Eq. 18."""
    return prove.sums(mean_squared_error, printed_error_by_integrals, NOISE, DATA)
