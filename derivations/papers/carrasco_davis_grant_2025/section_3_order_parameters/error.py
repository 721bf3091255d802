"""Equations 16 and 19: the generalisation error as averages over pairs of fields."""

from derivations.papers.carrasco_davis_grant_2025.setup import *
from derivations.models.committee.population import CENTRED, CHANCES, NOISE, average
from derivations.papers.carrasco_davis_grant_2025.source import examples

# Noises of mean 0 and variance 1, of another mean, and of another variance.
DATA = [examples.data(noise=noises) for noises in (("2", "-1/2"), ("2", "1/2"), ("4", "-1"))]
UNIT_NOISE = NOISE[1:]
EQ_16_1 = paper.equation("Eq. 16, line 1", r"\mathcal{E} = \frac{1}{2} \left< \left( \hat{y} - y \right)^{2} \right>")
EQ_16_2 = paper.equation(["Eq. 16, line 1", "Eq. 16, line 2"],
    r"\mathcal{E} = \frac{1}{2} \sum_{i=1}^{K} \sum_{j=1}^{K} \left< g(\lambda_{i}^{u}) g(\lambda_{j}^{u}) \right> "
    r"- \sum_{m=1}^{M} \sum_{i=1}^{K} \left< g(\rho_{m}^{u}) g(\lambda_{i}^{u}) \right> + \frac{1}{2} "
    r"\sum_{m=1}^{M} \sum_{n=1}^{M} \left< g(\rho_{m}^{u}) g(\rho_{n}^{u}) \right>  + \frac{\sigma^{2}}{2}")
EQ_19 = paper.equation("Eq. 19",
    r"\mathcal{E} = \frac{1}{2} \sum_{i=1}^{K} \sum_{j=1}^{K} I_{2}(i, j) - \sum_{n=1}^{M} \sum_{i=1}^{K} I_{2}(i, n)"
    r"+ \frac{1}{2} \sum_{m=1}^{M} \sum_{n=1}^{M} I_{2}(n, m) + \frac{\sigma^{2}}{2}")
@EQ_16_2.claim(given=CHANCES, needs={"centred_noise": CENTRED, "noise_of_variance_one": UNIT_NOISE}, among=DATA)
def generalisation_error():
    """With a noise of mean 0 and variance 1 that is drawn apart from the input, half the mean squared error is the sum over pairs of
    students, minus that over teachers and students, plus that over pairs of teachers, and a floor of sigma^2/2."""

@paper.claim("Eq. 16, an error without the noise of the target", rests_on="generalisation_error")
def error_of_the_map():
    """The distance from the teacher's output before the noise has no floor: it is Eq. 16 without sigma^2/2."""
    missed = total(g_student[k, s], k) - total(g_teacher[m, s], m)
    yield same(HALF * average(missed**2, s), EQ_16_2.right - HALF * sigma * sigma, among=DATA)

@EQ_19.claim(rests_on="generalisation_error printed_average_for_scaled_erf", given=NOISE, among=DATA)
def error_by_integrals():
    """With I2(a, b) the average of the values at two fields, of a student for i and j and of a teacher for n and m, the error is that
    of Eq. 19; for erf(x/sqrt 2) the averages are those of Eq. 18."""
