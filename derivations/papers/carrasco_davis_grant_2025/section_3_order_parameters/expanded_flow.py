"""Equation 20: equations 12 and 15 with Delta = sum of g(rho_m) + sigma xi - sum of g(lambda_j) inserted.

The averages of equation 17 are sums over any data here; only their closed forms need Gaussian fields.
"""

from derivations.papers.carrasco_davis_grant_2025.setup import *
from derivations.latex import Indexed
from derivations.models.committee.population import CENTRED, NOISE
from derivations.papers.carrasco_davis_grant_2025.section_3_averages import SCALED, C
from derivations.papers.carrasco_davis_grant_2025.section_3_order_parameters.flow import (
    EQ_15, IN_THE_LIMIT, ON_SPHERE, linear_rate,
)
from derivations.papers.carrasco_davis_grant_2025.source import examples

DATA = [examples.data(samples=3, noise=noises) for noises in (("2", "-1/2"), ("2", "1"))]
EQ_20_1 = paper.equation("Eq. 20, line 1",
    r"\frac{dR_{in}}{dt} = \eta_{W} \left[ \sum_{m=1}^{M} I_{3}(i,n,m) - \sum_{j=1}^{K} I_{3}(i, n, j) \right]")
# Lines 2 and 3.
EQ_20_LINEAR = (
    r"\eta_{W} \left[ \sum_{m=1}^{M} I_{3}(i,k,m) - \sum_{j=1}^{K} I_{3}(i, k, j) \right] "
    r"+ \eta_{W} \left[ \sum_{m=1}^{M} I_{3}(k, i, m) - \sum_{j=1}^{K} I_{3}(k, i, j) \right]"
)

def line_4(rate, slopes):
    """Lines 2 to 4 as LaTeX, with the factor of line 4 and what stands beside sigma^2 there."""
    return (
        rf"\frac{{dQ_{{ik}}}}{{dt}} = {EQ_20_LINEAR} + {rate} \left[ \sum_{{m, n}}^{{M}} I_{{4}}(i, k, n, m) "
        rf"- 2 \sum_{{j, n}} I_{{4}}(i, k, j, n) + \sum_{{j, l}} I_{{4}}(i, k, j, l) + \sigma^{{2}} {slopes} \right]."
    )

EQ_20_4 = paper.equation("Eq. 20, line 4", line_4(r"\eta_{W}^{2}", r"J_{2}(i, j)"))
EQ_20_4_CORRECTED = line_4(r"\frac{\eta_{W}^{2}}{B}", r"J_{2}(i, k)")
MENDED_SLOPES = line_4(r"\eta_{W}^{2}", r"J_{2}(i, k)")
@EQ_20_1.claim(rests_on="teacher_overlap_rate", given=net.RECIPROCALS, needs={"centred_noise": CENTRED}, among=DATA)
def teacher_flow():
    """With a noise of mean 0, Eq. 12 is eta times the sum of I3(i, n, m) over teachers minus that of I3(i, n, j) over students."""

@paper.equation(["Eq. 20, line 2", "Eq. 20, line 3"], EQ_20_LINEAR).claim(
    rests_on="student_overlap_rate", needs={"centred_noise": CENTRED})
def linear_flow_of_students(eq):
    """With a noise of mean 0, the two terms of Eq. 15 that are linear in eta are lines 2 and 3."""
    yield same(linear_rate(k), eq.right, among=DATA)

@EQ_20_4.claim(corrected=EQ_20_4_CORRECTED, corrected_name="quadratic_flow_of_students",
    because="With a noise of mean 0 and variance 1, |x|^2 = N and without the pairs of different samples, dQ/dt is lines 2 to 4 with "
    "eta^2/B for eta^2, and sigma^2 J2(i, k): the factor -2 stands as I4 is symmetric in its last two places.",
    given=[*IN_THE_LIMIT, *NOISE], among=ON_SPHERE)
def quadratic_flow_as_printed():
    """For batches of every size, and whatever student j is in J2(i, j), the mean update of Q over dt is lines 2 to 4 as printed."""

@paper.claim("Eq. 20, line 4, from Eq. 15 as printed", rests_on="student_overlap_rate_for_one_sample")
def quadratic_flow_for_one_sample():
    """With J2(i, k) in place of J2(i, j), lines 2 to 4 are what Eq. 15 as printed expands to: right for batches of one sample, and
    without 1/B as Eq. 15 is."""
    mended = paper.equation("Eq. 20, line 4", MENDED_SLOPES)
    for_k = EQ_15.put({"lambda_j": Indexed(student_field(k, s)), "Q_ij": students_moving(k)})
    yield same(for_k.right, mended.right, NOISE, among=DATA)

@paper.claim("Eq. 20, line 4, j as any student, corrected", rests_on="average_of_slopes")
def slopes_of_one_student():
    """For g(x) = erf(x/sqrt 2), J2(i, j) is J2(i, k) where lambda_j and lambda_k have one variance and one covariance with lambda_i."""
    alike = {C[2, 2]: C[1, 1], C[0, 2]: C[0, 1]}
    yield same(SCALED.slopes(C, 0, 1), put(SCALED.slopes(C, 0, 2), alike))
