"""Equations 15, 18, 19 and 20 inside the printed model: g(x) = erf(x/sqrt 2) or erf(x), Gaussian inputs, few units.

Every average is the closed form of equation 17 at a covariance in numbers, so that each side is one number.
"""

from derivations.papers.carrasco_davis_grant_2025.setup import *
from derivations.papers.carrasco_davis_grant_2025.section_3_averages import PLAIN, SCALED
from derivations.papers.carrasco_davis_grant_2025.section_3_order_parameters.snippets import (
    NO_NOISE, order_parameter_loss, printed_error,
)

rate, batch, noise = symbols("rate batch noise", positive=True)  # eta, B, sigma^2
# The signs of a student and a teacher; units have length one and are at right angles to each other.
RIGHT_ANGLE = (-1, 1)

def own_rate(of_batch, signs=RIGHT_ANGLE, slopes_with=0):
    """dQ/dt of the first student by Eqs. 15 and 20 with eta^2/B; J2 pairs it with itself, or with another unit."""
    units = dict(enumerate(signs))

    def at(*fields):
        return eye(len(units)).extract(list(fields), list(fields))

    drift = sum(sign * SCALED.slope_linear_value(at(0, 0, f), 0, 1, 2) for f, sign in units.items())
    pushed = sum(units[f] * units[h] * SCALED.slopes_values(at(0, 0, f, h), 0, 1, 2, 3) for f in units for h in units)
    by_noise = noise * SCALED.slopes(at(0, slopes_with), 0, 1)
    return 2 * rate * drift + rate**2 / of_batch * (pushed + by_noise)

@paper.claim(["Eq. 15, for erf(x/sqrt 2)", "Eq. 20, line 4, for erf(x/sqrt 2) and two samples"],
    corrected_by="batch_enters_with_the_square_of_the_rate", rests_on="average_of_slopes_and_values")
def student_overlap_rate_in_the_model():
    """For one student and one teacher of length one at a right angle, eta = 3 and no noise, dQ/dt in batches of two samples is what
    Eqs. 15 and 20 give, which is that of one sample."""
    yield same(*(own_rate(of).subs({noise: 0, rate: 3}) for of in (2, 1)))

@paper.claim("Eq. 15, for erf(x/sqrt 2), corrected", rests_on="average_of_slopes_and_values")
def batch_enters_with_the_square_of_the_rate():
    """At that state and without noise, a batch of B changes dQ/dt by eta^2 (1/B - 1) (4/pi^2)(asin(1/4) + asin(1/2))/sqrt(3) from that
    of one sample; over eta, dQ/dt forgets the batch as eta goes to zero."""
    quadratic = 4 / pi**2 / sqrt(3) * (asin(Rational(1, 4)) + asin(Rational(1, 2)))
    noiseless, small = own_rate(batch).subs(noise, 0), Symbol("small", real=True)
    slope = put(Derivative(own_rate(1).subs(rate, small), small), {small: 0})
    yield same(noiseless - noiseless.subs(batch, 1), rate**2 * (1 / batch - 1) * quadratic)
    yield tends(own_rate(batch) / rate, [rate], slope)

@paper.claim(
    "Eq. 20, line 4, for erf(x/sqrt 2), one sample", corrected_by="slopes_of_one_student", rests_on="average_of_slopes")
def quadratic_flow_in_the_model():
    """For two students and a teacher of length one, all at right angles, eta = sigma = 1 and batches of one sample, J2(i, j) of i = k = 1
    may be that of the other student, j = 2."""
    signs = (-1, -1, 1)
    yield same(*(own_rate(1, signs, j).subs({noise: 1, rate: 1}) for j in (0, 1)))

# --- g(x) = erf(x), as the draft calls it -----------------------------------------------------------------------------
def true_error(Q, R, T):
    """The generalisation error without noise of one student and one teacher with g(x) = erf(x)."""
    C = Matrix([[Q[0, 0], R[0, 0]], [R[0, 0], T[0, 0]]])
    return (PLAIN.values(C, 0, 0) + PLAIN.values(C, 1, 1)) / 2 - PLAIN.values(C, 0, 1)

ONE_EACH = (eye(1) / 4, sp.zeros(1), eye(1) / 4)  # Q, R and T of a student and a teacher of length 1/2 at a right angle
@paper.claim("Eq. 19, for the error function itself", corrected_by="average_for_erf", rests_on="average_of_values")
def error_for_erf():
    """For g(x) = erf(x), the error of a student and a teacher of length 1/2 at a right angle is Eq. 19 with Eq. 18."""
    yield same(true_error(*ONE_EACH), printed_error(*ONE_EACH, NO_NOISE))

@paper.claim("Section 3, snippet order_parameter_loss, for the error function itself", corrected_by="average_for_erf",
    rests_on="average_of_values")
def snippet_for_erf():
    """For g(x) = erf(x) and the same student and teacher, order_parameter_loss is the error."""
    yield same(true_error(*ONE_EACH), order_parameter_loss(*ONE_EACH, NO_NOISE))
