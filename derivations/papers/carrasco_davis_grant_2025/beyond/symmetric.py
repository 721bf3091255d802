"""Equal students, equal teachers: K = M, T = 1, four order parameters, and sums counted instead of unrolled.

    Q_ii = Q, Q_ik = C, R_ii = R, R_in = S

A sum over all fields meets the units that the term names one by one, and all others as one representative times their
number, so that K stays a symbol. The slopes of two students tilt their sum and their difference apart, which keeps
every covariance a difference of squares. Then come the rest points, the plateau written in m = 2 K - 1, which is what
stands under its roots, and specialisation as an eigenvalue that changes its sign while equal students grow.
"""

from __future__ import annotations
from derivations.papers.carrasco_davis_grant_2025.setup import *
from dataclasses import dataclass, replace
from functools import cache
from derivations.language.averages import Bell, field, mean
from derivations.papers.carrasco_davis_grant_2025.section_3_averages import with_products

K, Q, C, R, S = reals("K > 0, Q C R S")
SCALED = Bell(sqrt(2 / pi), Integer(1))
ORDER = (R, S, Q, C)

@dataclass(frozen=True)
class Overlaps:
    """Averages at given values of the four order parameters, which may be symbols or numbers."""

    R: Any = R
    S: Any = S
    Q: Any = Q
    C: Any = C

    def covariance(self, f, h):
        same = f[1] == h[1]
        if f[0] == h[0] == "student":
            return self.Q if same else self.C
        if f[0] == h[0]:
            return Integer(same)
        return self.R if same else self.S

    def among(self, *fields):
        return Matrix(len(fields), len(fields), lambda a, b: self.covariance(fields[a], fields[b]))

    def drift(self, i, toward):
        """<Delta g'(lambda_i) field>."""
        student = ("student", i)
        return sum(weight * SCALED.slope_linear_value(self.among(student, toward, f), 0, 1, 2) for f,
            weight in counted((i, toward[1]), "other"))

    def narrowed(self, i, k, f, h):
        """The covariance of two fields after tilting by the slopes of the students i and k."""
        at, first, second = self.covariance, ("student", i), ("student", k)
        if i == k:
            return at(f, h) - 2 * at(f, first) * at(h, first) / (1 + 2 * self.Q)
        along, across = ([at(x, first) + side * at(x, second) for x in (f, h)] for side in (1, -1))
        fade = along[0] * along[1] / (1 + self.Q + self.C) + across[0] * across[1] / (1 + self.Q - self.C)
        return at(f, h) - fade / 2

    def tilting_factor(self, i, k):
        """The factor that remains when the constant 1 is tilted by both slopes."""
        if i == k:
            return 1 / sqrt(1 + 2 * self.Q)
        return 1 / (sqrt(1 + self.Q + self.C) * sqrt(1 + self.Q - self.C))

    def value_pairs(self, i, k):
        """All (weight, C') with <Delta^2 g'(lambda_i) g'(lambda_k)> = sum of weight <g' g'> <g g>_C', without noise."""
        gathered = {}
        for f, first in counted((i, k), "other"):
            for h, second in counted((i, k, f[1]), "another"):
                ends = sorted((self.narrowed(i, k, x, x) for x in (f, h)), key=sp.default_sort_key)
                kind = (*ends, self.narrowed(i, k, f, h))
                gathered[kind] = gathered.get(kind, 0) + first * second
        for (one, other, both), weight in gathered.items():
            yield sp.factor(weight), Matrix([[one, both], [both, other]])

    def spread(self, i, k, factor_at=None):
        """<Delta^2 g'(lambda_i) g'(lambda_k)> without noise; the factor of tilting may be that of other overlaps."""
        parts = (weight * SCALED.values(narrowed, 0, 1) for weight, narrowed in self.value_pairs(i, k))
        return SCALED.height**2 * (factor_at or self).tilting_factor(i, k) * sp.Add(*parts, evaluate=False)

    def error(self):
        """Half the mean squared difference of the outputs, without noise."""
        parts = (first * second * SCALED.values(self.among(f, h), 0, 1) / 2 for f, first in counted((), "one")
            for h, second in counted((f[1],), "another"))
        return sp.Add(*parts, evaluate=False)

def counted(named, label):
    """Every field with the sign of its output in the error, how often it occurs included."""
    labels = tuple(dict.fromkeys(named))
    for kind, sign in (("student", -1), ("teacher", 1)):
        yield from (((kind, unit), Integer(sign)) for unit in labels)
        yield (kind, label), sign * (K - len(labels))

PERFECT = {R: sp.S.One, S: sp.S.Zero, Q: sp.S.One, C: sp.S.Zero}
GENERAL = Overlaps()
AT_PERFECT = Overlaps(**{x.name: value for x, value in PERFECT.items()})
@cache
def linear_rate(of, at=GENERAL):
    """The part of an order parameter's rate that is linear in eta, over eta."""
    if of in (R, S):
        return at.drift("1", ("teacher", "1" if of == R else "2"))
    other = "1" if of == Q else "2"
    return at.drift("1", ("student", other)) + at.drift(other, ("student", "1"))

@cache
def quadratic_rate(of, at=GENERAL):
    """The part in eta^2/B, over eta^2/B, without noise."""
    return at.spread("1", "1" if of == Q else "2") if of in (Q, C) else Integer(0)

def rate_near_perfect(of, at):
    """To first order around the perfect solution, where the sum that the factor of tilting multiplies vanishes."""
    return at.spread("1", "1" if of == Q else "2", AT_PERFECT) if of in (Q, C) else Integer(0)

@cache
def noise_rate(of, at=GENERAL):
    """The contribution of the teacher's noise to it, over sigma^2 eta^2/B."""
    if of in (R, S):
        return Integer(0)
    return SCALED.height**2 * at.tilting_factor("1", "1" if of == Q else "2")

SPREAD = Overlaps(Q=reals("Q > 0"))  # with students that are not zero

def _average_drift(i, toward, times=1):
    """<Delta g'(lambda_i) field>, with each kind of unit that the term does not name as one field times its number."""
    student, others = ("student", i), list(counted((i, toward[1]), "other"))
    fields = list(dict.fromkeys([student, toward, *(f for f, _ in others)]))
    error = sum((weight * SCALED.value(fields.index(f)) for f, weight in others[1:]), others[0][1] * SCALED.value(0))
    return mean(times * SCALED.slope(0) * field(fields.index(toward)) * error, SPREAD.among(*fields))

DRIFTS = {R: ("1", ("teacher", "1"), 1),
    S: ("1", ("teacher", "2"), 1),
    Q: ("1", ("student", "1"), 2),
    C: ("1", ("student", "2"), 2)}
paper.states("flow_of_equal_units", "Eq. 20 for equal students and teachers",
    "For K students of K orthonormal teachers that are alike, g(x) = erf(x/sqrt 2), the linear parts of the rates of "
    "R, S, Q, C over eta are <Delta g'(lambda_1) rho_1>, <Delta g'(lambda_1) rho_2>, 2 <Delta g'(lambda_1) lambda_1> "
    "and 2 <Delta g'(lambda_1) lambda_2>, equal units counted: closed forms in R, S, Q, C and K.",
    lambda: [same(_average_drift(*DRIFTS[of]), linear_rate(of, SPREAD)) for of in ORDER],
    rests_on="average_of_slope_field_value")

def single_roots(expression):
    """With all roots of a product inside an arcsine as one, whose square the derivative of the arcsine takes."""

    def joined(sine):
        roots = [f for f in sp.Mul.make_args(sine) if f.is_Pow and f.exp.is_Rational and f.exp.q == 2]
        return asin(sine / sp.prod(roots) / sqrt(expand(sp.prod([root**-2 for root in roots]))))

    return expression.replace(asin, joined)

def slopes(rate, at, wrt=ORDER):
    """The Jacobian of the four rates at a point, where all but one order parameter take their values first."""
    return Matrix(4, len(wrt), lambda i, j: slope(lambda moving: rate(ORDER[i], moving), at, wrt[j]))

def slope(quantity, at, by):
    """The derivative of a quantity by an order parameter, at a point."""
    return put(Derivative(single_roots(quantity(replace(at, **{by.name: by}))), by), {by: getattr(at, by.name)})

# === Beyond: the rest points of equal students and teachers, and how specialisation leaves the plateau ===
m = reals("m > 0")
overlap = 1 / sqrt(m * (m + 1) / 2)
PLATEAU = Overlaps(R=overlap, S=overlap, Q=1 / m, C=1 / m)
AT_PLATEAU = {x: getattr(PLATEAU, x.name) for x in ORDER}
UNITS = {K: (m + 1) / 2}  # R = S = 1/sqrt(K (2 K - 1)) and Q = C = 1/(2 K - 1)
# At which specialisation leaves the plateau, over eta.
escape_rate = (m + 1) / (pi * sqrt(m) * (m + 2) ** Rational(3, 2))
@paper.claim("Beyond: fields after tilting by two slopes", rests_on="average_of_slopes_and_values")
def tilted_covariances():
    """Tilting by two slopes, or one twice, takes from covariances the sums and differences with the students."""
    for k, students, exponents in (("1", "1", (2, 0, 0)), ("2", "12", (1, 1, 0, 0))):
        fields = [*(("student", unit) for unit in students), ("teacher", "1"), ("student", "other")]
        before, one = GENERAL.among(*fields), eye(len(fields))
        after = Matrix(*one.shape, lambda a, b, k=k, of=fields: GENERAL.narrowed("1", k, of[a], of[b]))
        tilt = one + diag(*exponents) * before
        yield same(after * tilt, before)
        yield same(sp.Mul(GENERAL.tilting_factor("1", k) ** 2, tilt.det(), evaluate=False), 1)

paper.states("perfect_rests", "Beyond: the perfect solution is a rest point",
    "For K = M, T = 1, g(x) = erf(x/sqrt 2) R = Q = 1 rests without noise, for every learning rate and batch.",
    lambda: same([*[put(linear_rate(x), PERFECT) for x in ORDER], quadratic_rate(Q, AT_PERFECT),
        quadratic_rate(C, AT_PERFECT)]))
perfect_has_no_error = paper.states("perfect_has_no_error", "Beyond: the perfect solution has no error",
    "Its generalisation error is zero.", lambda: same(AT_PERFECT.error(), 0))

@paper.claim("Beyond: the symmetric plateau")
def plateau_rests():
    """With erf(x/sqrt 2) and small rates students alike, R = S = 1/sqrt(K(2K - 1)), Q = C = 1/(2K - 1), are at rest."""
    squares = {R**2: overlap**2, S**2: overlap**2}  # those under roots are multiplied out
    rates = [linear_rate(of).subs(UNITS) for of in ORDER]
    rates = [rate.replace(lambda e: e.is_Pow and e.exp < 0, lambda e: e.xreplace(squares)) for rate in rates]
    yield same(tuple(put(rate, AT_PLATEAU) for rate in rates), (0, 0, 0, 0))

@paper.claim("Beyond: the error on the plateau", rests_on="plateau_rests")
def plateau_error():
    """On the plateau the error is (K/pi)(pi/6 - K asin(1/(2K))): all overlaps stand under one arcsine of 1/(2K)."""
    error = PLATEAU.error().subs(UNITS)
    angles = [angle for angle in error.atoms(asin) if angle.free_symbols]
    common, units = asin(1 / (m + 1)), (m + 1) / 2
    yield from (same(angle.args[0], 1 / (m + 1)) for angle in sorted(angles, key=str))
    yield same(error.subs(dict.fromkeys(angles, common)), units / pi * (pi / 6 - units * common))

def error_on_plateau(units):
    return units / pi * (pi / 6 - units * asin(Rational(1, 2 * units)))

paper.states("students_can_rest_before_they_have_learned",
    "Section 2, effectively learning the same mapping as the teacher",
    "At small rates students that are alike rest on the plateau, whose error is between 0.0116 and 0.0117 for two "
    "students of two teachers, which could represent these without error.",
    lambda: [plateau_rests(), perfect_has_no_error(),
        enclosed(error_on_plateau(2), {}, Rational(116, 10**4), Rational(117, 10**4))],
    rests_on="plateau_rests plateau_error", expect="certified")

# === Beyond: specialisation as an eigenvalue that changes its sign while equal students grow ===
EQUAL = Overlaps(R=R, S=R, Q=Q, C=Q)
to_teachers = 2 / (pi * sqrt(2 * (1 + Q) - R**2))
to_students = 2 / (pi * sqrt(1 + 2 * Q))  # <g'(lambda) g'(rho)>, and <g'(lambda) g'(lambda)> for two students
curvature = -K * (R * to_teachers - Q * to_students) / (1 + Q)  # <Delta g''(lambda)>
overlap_rate = R * curvature + to_teachers - K * R * to_students
length_rate = 2 * (Q * curvature + K * R * to_teachers - K * Q * to_students)
specialising_rate = curvature + R * to_teachers / (2 * (1 + Q) - R**2)  # all of them over eta
paper.states("equal_students_stay_equal", "Beyond: equal students stay equal",
    "At small learning rates R and S have one rate where students are equal, and so have Q and C.",
    lambda: same(tuple([linear_rate(x, EQUAL) for x in (R, S, Q, C)]), (overlap_rate, overlap_rate, length_rate,
        length_rate)), rests_on="average_of_slope_field_value")

@paper.claim("Beyond: the specialising direction", rests_on="equal_students_stay_equal")
def specialising_direction():
    """Wherever students are equal, a turn of each student toward a teacher of its own is an eigenvector of the flow, at
    the rate <Delta g''(lambda)> + R <g'(lambda) g'(rho)>/(2 (1 + Q) - R^2) over eta."""
    turn, wrt = Matrix([K - 1, -1]), (R, S)
    jacobian = Matrix(4, 2, lambda p, q: put(Derivative(linear_rate(ORDER[p]), wrt[q]), {S: R, C: Q}))
    yield same(jacobian * turn, specialising_rate * Matrix([*turn, 0, 0]))

@paper.claim("Beyond: specialisation leaves the plateau", rests_on="plateau_rests specialising_direction")
def plateau_is_left():
    """Specialising is an eigenvector on the plateau, of eigenvalue 2 K eta/(pi (2K - 1)^(1/2) (2K + 1)^(3/2)) > 0."""
    not_zero = prove.positive((pi * escape_rate) ** 2)  # and no root under m + 1 is negative
    yield specialising_direction()
    yield rate_on_plateau()
    yield not_zero
    yield positive(m + 1)

r = reals("r > 0")
@paper.claim("Beyond: the rate on the plateau", rests_on="specialising_direction")
def rate_on_plateau():
    """On the plateau the specialising rate is 2 K/(pi (2K - 1)^(1/2) (2K + 1)^(3/2)) over eta."""
    rate = specialising_rate.subs({Q: K * r**2, R: r}).subs({**UNITS, r: overlap})
    yield same(with_products(rate), escape_rate)
