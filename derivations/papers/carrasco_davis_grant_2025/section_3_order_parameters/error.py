"""Equations 16 and 19: the generalisation error, two snippets that compute it, and equations inside the model."""

from __future__ import annotations
from derivations.papers.carrasco_davis_grant_2025.setup import *
from derivations.models.committee.population import CENTRED, CHANCES, NOISE, average
from derivations.models.committee import examples
from derivations.models.committee.overlaps import among, between, broadcast
from derivations.papers.carrasco_davis_grant_2025.section_3_averages import C, EQ_18, PLAIN, SCALED
from derivations.papers.carrasco_davis_grant_2025.section_3_order_parameters.network import EQ_10_R

# Noises of mean 0 and variance 1, of another mean, and of another variance.
DATA = [examples.data(noise=noises) for noises in (("2", "-1/2"), ("2", "1/2"), ("4", "-1"))]
EQ_16_2 = paper.equation(["Eq. 16, line 1", "Eq. 16, line 2"],
    r"\mathcal{E} = \frac{1}{2} \sum_{i=1}^{K} \sum_{j=1}^{K} \left< g(\lambda_{i}^{u}) g(\lambda_{j}^{u}) \right> "
    r"- \sum_{m=1}^{M} \sum_{i=1}^{K} \left< g(\rho_{m}^{u}) g(\lambda_{i}^{u}) \right> + \frac{1}{2} "
    r"\sum_{m=1}^{M} \sum_{n=1}^{M} \left< g(\rho_{m}^{u}) g(\rho_{n}^{u}) \right>  + \frac{\sigma^{2}}{2}")
EQ_19 = paper.equation("Eq. 19",
    r"\mathcal{E} = \frac{1}{2} \sum_{i=1}^{K} \sum_{j=1}^{K} I_{2}(i, j) - \sum_{n=1}^{M} \sum_{i=1}^{K} I_{2}(i, n)"
    r"+ \frac{1}{2} \sum_{m=1}^{M} \sum_{n=1}^{M} I_{2}(n, m) + \frac{\sigma^{2}}{2}")
generalisation_error = EQ_16_2.states("generalisation_error",
    "With a noise of mean 0 and variance 1 that is drawn apart from the input, half the mean squared error is the sum "
    "over pairs of students, less that over teachers and students, plus that over pairs of teachers, and sigma^2/2.",
    given=CHANCES, needs={"centred_noise": CENTRED, "noise_of_variance_one": NOISE[1:]}, among=DATA)

missed = total(g_student[k, s], k) - total(g_teacher[m, s], m)
paper.states("error_of_the_map: generalisation_error", "Eq. 16, an error without the noise of the target",
    "The distance from the teacher's output before the noise has no floor: it is Eq. 16 without sigma^2/2.",
    lambda: same(HALF * average(missed**2, s), EQ_16_2.right - HALF * sigma * sigma, among=DATA))
error_by_integrals = EQ_19.states("error_by_integrals: generalisation_error printed_average_for_scaled_erf",
    "With I2(a, b) the average of values at two fields, students for i and j, teachers for n and m, Eq. 19 holds.",
    given=NOISE, among=DATA)

# === Section 3, the two code snippets: what they compute, with arrays that broadcast as those of JAX do ===
def get_I2(c12, c11, c22):
    """The first snippet, line by line."""
    denom = broadcast(lambda one, other: sqrt((1 + one) * (1 + other)), c11.diagonal().T, c22.diagonal())
    return broadcast(lambda c, d: asin(c / d) * (2 / pi), c12, denom)

def order_parameter_loss(Q, R, T, sigma):
    """The second."""
    return sum(get_I2(Q, Q, Q)) / 2 - sum(get_I2(R, Q, T)) + sum(get_I2(T, T, T)) / 2 + sigma**2 / 2

def printed_I2(of_both, of_one, of_other):
    """Equation 18, as printed."""
    return EQ_18.put({"C_ab": of_both, "C_aa": of_one, "C_bb": of_other}).right.doit()

def printed_error(Q, R, T, sigma):
    """Equation 19, with R_in the overlap of student i and teacher n."""
    students, teachers = range(Q.rows), range(T.rows)
    parts = [*(printed_I2(Q[i, j], Q[i, i], Q[j, j]) / 2 for i in students for j in students),
        *(-printed_I2(R[i, n], Q[i, i], T[n, n]) for n in teachers for i in students),
        *(printed_I2(T[n, m], T[n, n], T[m, m]) / 2 for m in teachers for n in teachers)]
    return sp.Add(*parts, sigma**2 / 2, evaluate=False)

# K = 2, M = 3, and R with the student first.
STUDENTS, TEACHERS, BOTH = among("Q", 2), among("T", 3), between("R", 2, 3)
@paper.claim("Section 3, snippet get_I2")
def snippet_computes_equation_18():
    """For R of shape K x M, entry (i, n) of get_I2(R, Q, T) is equation 18 with C_ab = R_in, C_aa = Q_ii, C_bb =
    T_nn."""

    def wanted(i, n):
        return put(EQ_18.right.doit(), {C[0, 1]: BOTH[i, n], C[0, 0]: STUDENTS[i, i], C[1, 1]: TEACHERS[n, n]})

    yield same(get_I2(BOTH, STUDENTS, TEACHERS), sp.Matrix(2, 3, wanted))

arguments = (STUDENTS, BOTH, TEACHERS, reals("sigma"))
paper.states("snippet_computes_equation_19: snippet_computes_equation_18", "Section 3, snippet order_parameter_loss",
    "For R of shape K x M, order_parameter_loss is equation 19; here for two students and three teachers.",
    lambda: same(order_parameter_loss(*arguments), printed_error(*arguments)))

third, NO_NOISE = Rational(1, 3), Integer(0)

def overlaps(students, teachers):
    """Q, R and T for one input and these weights, R as equation 10 says."""
    W, W_teacher = sp.Matrix(students), sp.Matrix(teachers)
    R = EQ_10_R.put({"W": W, "W_teacher": W_teacher, "N": Fraction(1)}).right
    return W * W.T, R, W_teacher * W_teacher.T

def agrees(students, teachers):
    """The snippet with the R of equation 10, against equation 19."""
    Q, R, T = overlaps(students, teachers)
    students_first = sp.Matrix(students) * sp.Matrix(teachers).T
    return same(order_parameter_loss(Q, R, T, NO_NOISE), printed_error(Q, students_first, T, NO_NOISE))

paper.states("snippet_takes_printed_overlaps", "Section 3, snippet order_parameter_loss, R as in Eq. 10",
    "With R = W* W'/N as equation 10 prints it, order_parameter_loss is equation 19: for N = 1, the students (1/3, "
    "2/3) and the teachers (1/3, 1), without noise.", lambda: agrees([third, 2 * third], [third, 1]),
    corrected_by="snippet_computes_equation_19")
paper.states("snippet_takes_a_printed_row", "Section 3, snippet order_parameter_loss, R as in Eq. 10, one teacher",
    "With one teacher the R of equation 10 is a row, which broadcasts against the column of students, and the loss is "
    "equation 19: for N = 1, the students (1/3, 2/3) and the teacher 1, without noise.",
    lambda: agrees([third, 2 * third], [1]), corrected_by="snippet_computes_equation_19")

@paper.claim("Section 3, snippet order_parameter_loss, R as in Eq. 10, beyond the arcsine")
def printed_overlaps_leave_the_arcsine():
    """With the R of equation 10 the argument of the arcsine can exceed one: for N = 1, the students (0, w) and the
    teachers (w, 0), the code asks for asin(w^2) where equation 18 has asin(w^2/(1 + w^2)), which has a value."""
    w, beyond = reals("w beyond > 0")

    def asked_for(of_both, of_one, of_other):
        values = {BOTH[0, 0]: of_both, STUDENTS[0, 0]: of_one, TEACHERS[0, 0]: of_other}
        (angle,) = get_I2(BOTH, STUDENTS, TEACHERS)[0, 0].atoms(asin)
        bare = without_signs(*values)
        return put(angle.args[0].xreplace(bare), {bare[letter]: value for letter, value in values.items()})

    Q, R, T = overlaps([0, w], [w, 0])
    yield same(asked_for(R[0, 1], Q[0, 0], T[1, 1]), w**2)
    yield same(asked_for(R.T[1, 0], Q[1, 1], T[0, 0]), w**2 / (1 + w**2))
    yield positive((w**2 - 1).subs(w, 1 + beyond))
    yield positive(1 - w**2 / (1 + w**2))

length = reals("length > 0")
Q, T = (sp.Matrix([[length, off], [off, length]]) for off in reals("Q_12 T_12"))
R = between("R", 2, 2)
paper.states("equal_lengths_hide_the_order", "Section 3, snippet order_parameter_loss, R as in Eq. 10, equal units",
    "For units of one length, here two students and two teachers, the snippet is equation 19 with R or R'.",
    lambda: same(order_parameter_loss(Q, R.T, T, NO_NOISE), printed_error(Q, R, T, NO_NOISE)))

# === Equations 15, 18, 19 and 20 inside the printed model, with few units: each side is one number ===
rate, batch, noise = reals("rate batch noise > 0")  # eta, B, sigma^2
# The signs of a student and a teacher; units have length one and are at right angles to each other.

def own_rate(of_batch, signs=(-1, 1), slopes_with=0):
    """dQ/dt of the first student by Eqs. 15 and 20 with eta^2/B; J2 pairs it with itself, or with another unit."""
    units = dict(enumerate(signs))

    def at(*fields):
        return eye(len(units)).extract(list(fields), list(fields))

    drift = sum(sign * SCALED.slope_linear_value(at(0, 0, f), 0, 1, 2) for f, sign in units.items())
    pushed = sum(units[f] * units[h] * SCALED.slopes_values(at(0, 0, f, h), 0, 1, 2, 3) for f in units for h in units)
    return 2 * rate * drift + rate**2 / of_batch * (pushed + noise * SCALED.slopes(at(0, slopes_with), 0, 1))

paper.states("student_overlap_rate_in_the_model: average_of_slopes_and_values",
    ["Eq. 15, for erf(x/sqrt 2)", "Eq. 20, line 4, for erf(x/sqrt 2) and two samples"],
    "For one student and one teacher of length one at a right angle, eta = 3 and no noise, dQ/dt in batches of two "
    "samples is what Eqs. 15 and 20 give, which is that of one sample.",
    lambda: same(*(own_rate(of).subs({noise: 0, rate: 3}) for of in (2, 1))),
    corrected_by="batch_enters_with_the_square_of_the_rate")

quadratic = 4 / pi**2 / sqrt(3) * (asin(Rational(1, 4)) + asin(Rational(1, 2)))
noiseless, small = own_rate(batch).subs(noise, 0), reals("small")
slope = put(Derivative(own_rate(1).subs(rate, small), small), {small: 0})
paper.states("batch_enters_with_the_square_of_the_rate: average_of_slopes_and_values",
    "Eq. 15, for erf(x/sqrt 2), corrected",
    "At that state and without noise, a batch of B changes dQ/dt by eta^2 (1/B - 1) (4/pi^2)(asin(1/4) + "
    "asin(1/2))/sqrt(3) from that of one sample; over eta, dQ/dt forgets the batch as eta goes to zero.",
    lambda: [same(noiseless - noiseless.subs(batch, 1), rate**2 * (1 / batch - 1) * quadratic),
        tends(own_rate(batch) / rate, [rate], slope)])

signs = (-1, -1, 1)
paper.states("quadratic_flow_in_the_model: average_of_slopes", "Eq. 20, line 4, for erf(x/sqrt 2), one sample",
    "For two students and a teacher of length one, all at right angles, eta = sigma = 1 and batches of one sample, "
    "J2(i, j) of i = k = 1 may be that of the other student, j = 2.",
    lambda: same(*(own_rate(1, signs, j).subs({noise: 1, rate: 1}) for j in (0, 1))),
    corrected_by="slopes_of_one_student")

def true_error(Q, R, T):
    """The generalisation error without noise of one student and one teacher with g(x) = erf(x)."""
    C = Matrix([[Q[0, 0], R[0, 0]], [R[0, 0], T[0, 0]]])
    return (PLAIN.values(C, 0, 0) + PLAIN.values(C, 1, 1)) / 2 - PLAIN.values(C, 0, 1)

ONE_EACH = (eye(1) / 4, sp.zeros(1), eye(1) / 4)  # Q, R and T of a student and a teacher of length 1/2 at a right angle
paper.states("error_for_erf: average_of_values", "Eq. 19, for the error function itself",
    "For g(x) = erf(x), the error of a student and a teacher of length 1/2 at a right angle is Eq. 19 with Eq. 18.",
    lambda: same(true_error(*ONE_EACH), printed_error(*ONE_EACH, NO_NOISE)), corrected_by="average_for_erf")
paper.states("snippet_for_erf: average_of_values",
    "Section 3, snippet order_parameter_loss, for the error function itself",
    "For g(x) = erf(x) and the same student and teacher, order_parameter_loss is the error.",
    lambda: same(true_error(*ONE_EACH), order_parameter_loss(*ONE_EACH, NO_NOISE)), corrected_by="average_for_erf")
