"""Equal students, equal teachers: K = M, T = 1, four order parameters, as `derivations.models.committee.equal_units` has them.

Beside the flow stand the rest points, the plateau written in m = 2 K - 1, which is what stands under its roots, and
specialisation as an eigenvalue that changes its sign while equal students grow.
"""

from derivations.papers.carrasco_davis_grant_2025.setup import *
from dataclasses import replace
from derivations.language.averages import field, mean
from derivations.models.committee.equal_units import *
from derivations.papers.carrasco_davis_grant_2025.section_3_averages import with_products

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
paper.states("flow_of_equal_units: average_of_slope_field_value", "Eq. 20 for equal students and teachers",
    "For K students of K orthonormal teachers that are alike, g(x) = erf(x/sqrt 2), the linear parts of the rates of "
    "R, S, Q, C over eta are <Delta g'(lambda_1) rho_1>, <Delta g'(lambda_1) rho_2>, 2 <Delta g'(lambda_1) lambda_1> "
    "and 2 <Delta g'(lambda_1) lambda_2>, equal units counted: closed forms in R, S, Q, C and K.",
    lambda: [same(_average_drift(*DRIFTS[of]), linear_rate(of, SPREAD)) for of in ORDER])

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

squares = {R**2: overlap**2, S**2: overlap**2}  # those under roots are multiplied out
rates = [linear_rate(of).subs(UNITS) for of in ORDER]
rates = [rate.replace(lambda e: e.is_Pow and e.exp < 0, lambda e: e.xreplace(squares)) for rate in rates]
plateau_rests = paper.states("plateau_rests", "Beyond: the symmetric plateau",
    "With erf(x/sqrt 2) and small rates students alike, R = S = 1/sqrt(K(2K - 1)), Q = C = 1/(2K - 1), are at rest.",
    lambda: same(tuple(put(rate, AT_PLATEAU) for rate in rates), (0, 0, 0, 0)))

error = PLATEAU.error().subs(UNITS)
angles = [angle for angle in error.atoms(asin) if angle.free_symbols]
common, units = asin(1 / (m + 1)), (m + 1) / 2
paper.states("plateau_error: plateau_rests", "Beyond: the error on the plateau",
    "On the plateau the error is (K/pi)(pi/6 - K asin(1/(2K))): all overlaps stand under one arcsine of 1/(2K).",
    lambda: [*(same(angle.args[0], 1 / (m + 1)) for angle in sorted(angles, key=str)),
        same(error.subs(dict.fromkeys(angles, common)), units / pi * (pi / 6 - units * common))])

def error_on_plateau(units):
    return units / pi * (pi / 6 - units * asin(Rational(1, 2 * units)))

paper.states("students_can_rest_before_they_have_learned: plateau_rests plateau_error",
    "Section 2, effectively learning the same mapping as the teacher",
    "At small rates students that are alike rest on the plateau, whose error is between 0.0116 and 0.0117 for two "
    "students of two teachers, which could represent these without error.",
    lambda: [plateau_rests(), perfect_has_no_error(),
        enclosed(error_on_plateau(2), {}, Rational(116, 10**4), Rational(117, 10**4))], expect="certified")

# === Beyond: specialisation as an eigenvalue that changes its sign while equal students grow ===
EQUAL = Overlaps(R=R, S=R, Q=Q, C=Q)
to_teachers = 2 / (pi * sqrt(2 * (1 + Q) - R**2))
to_students = 2 / (pi * sqrt(1 + 2 * Q))  # <g'(lambda) g'(rho)>, and <g'(lambda) g'(lambda)> for two students
curvature = -K * (R * to_teachers - Q * to_students) / (1 + Q)  # <Delta g''(lambda)>
overlap_rate = R * curvature + to_teachers - K * R * to_students
length_rate = 2 * (Q * curvature + K * R * to_teachers - K * Q * to_students)
specialising_rate = curvature + R * to_teachers / (2 * (1 + Q) - R**2)  # all of them over eta
paper.states("equal_students_stay_equal: average_of_slope_field_value", "Beyond: equal students stay equal",
    "At small learning rates R and S have one rate where students are equal, and so have Q and C.",
    lambda: same(tuple([linear_rate(x, EQUAL) for x in (R, S, Q, C)]), (overlap_rate, overlap_rate, length_rate,
        length_rate)))

turn, wrt = Matrix([K - 1, -1]), (R, S)
jacobian = Matrix(4, 2, lambda p, q: put(Derivative(linear_rate(ORDER[p]), wrt[q]), {S: R, C: Q}))
specialising_direction = paper.states("specialising_direction: equal_students_stay_equal",
    "Beyond: the specialising direction",
    "Wherever students are equal, a turn of each student toward a teacher of its own is an eigenvector of the flow, "
    "at the rate <Delta g''(lambda)> + R <g'(lambda) g'(rho)>/(2 (1 + Q) - R^2) over eta.",
    lambda: same(jacobian * turn, specialising_rate * Matrix([*turn, 0, 0])))

@paper.claim("Beyond: specialisation leaves the plateau", rests_on="plateau_rests specialising_direction")
def plateau_is_left():
    """Specialising is an eigenvector on the plateau, of eigenvalue 2 K eta/(pi (2K - 1)^(1/2) (2K + 1)^(3/2)) > 0."""
    not_zero = prove.positive((pi * escape_rate) ** 2)  # and no root under m + 1 is negative
    yield specialising_direction()
    yield rate_on_plateau()
    yield not_zero
    yield positive(m + 1)

r = reals("r > 0")
rate = specialising_rate.subs({Q: K * r**2, R: r}).subs({**UNITS, r: overlap})
rate_on_plateau = paper.states("rate_on_plateau: specialising_direction", "Beyond: the rate on the plateau",
    "On the plateau the specialising rate is 2 K/(pi (2K - 1)^(1/2) (2K + 1)^(3/2)) over eta.",
    lambda: same(with_products(rate), escape_rate))

# === Beyond: the largest learning rate at which the perfect solution is stable ===
z, scaled_z, more = reals("z scaled_z more > 0")
# e = Q - 2 R + T and f = C - 2 S, whose rates follow from those of R, S, Q and C.
TO_DIFFERENCES = Matrix([[-2, 0, 1, 0], [0, -2, 0, 1]])
root2, root3, root5 = (sqrt(n) for n in (2, 3, 5))
decay = 2 / pi * Matrix([[2 / root3, K - 1], [1, K - 2 + 2 / root3]])
growth = (4 / pi**2 * Matrix([[1 / root5 + (K - 1) / 3, (K - 1) * (1 / root2 + (K - 2) / (2 * root3))],
            [1 / root2 + (K - 2) / (2 * root3), Rational(2, 3) + 2 * (K - 2) / root3 + (K - 2) * (K - 3) / 4]]))
# The linear flow of R and S over eta where e = f = 0.
closing = Matrix([[-root3 / 9, -(K - 1) / 4], [-Rational(1, 4), -(K - 2) / 2 - root3 / 3]]) * 2 / pi
def near_perfect(of, at):
    """To first order there the sum that the factor of tilting multiplies vanishes: it keeps its value."""
    return quadratic_rate(of, at, AT_PERFECT)

paper.states("differences_decay: perfect_rests", "Beyond: differences decay",
    "Near the perfect solution, small rates: d(e, f)/dt = -eta decay (e, f), decay_ik being sums of 2 <g'_i g'_k>.",
    lambda: same(TO_DIFFERENCES * slopes(linear_rate, AT_PERFECT), -decay * TO_DIFFERENCES))
paper.states("differences_grow: perfect_rests", "Beyond: noise of the steps makes differences grow",
    "The part in eta^2/B of their flow is growth (e, f): <g'_i g'_k g'_n g'_m> summed over equal entries.",
    lambda: same(TO_DIFFERENCES * slopes(near_perfect, AT_PERFECT), growth * TO_DIFFERENCES))

flow = z * growth - decay  # of (e, f), in units of eta
COEFFICIENTS = (4 * (2 - root3) * (root3 * (K - 1) + 2) / (3 * pi**2),
    4 * (15 * (root3 - 2) * K**2 + (90 * root2 - 35 * root3 - 18 * root5 - 30) * K) / (45 * pi**3)
    + 4 * (180 - 90 * root2 - 50 * root3 + 36 * root5 - 12 * root3 * root5) / (45 * pi**3), 4 * (
        (40 * root3 + 9 * root5 - 30 * root2 * root3 - 15) * K**2
        + (24 * root3 * root5 + 90 * root2 * root3 - 120 * root3 - 45 * root5 - 5) * K
        + (20 + 80 * root3 + 78 * root5 - 48 * root3 * root5 - 60 * root2 * root3)) / (45 * pi**4))

def determinant(z):
    """The determinant of the flow of (e, f) over eta^2."""
    return sum(z**power * coefficient for power, coefficient in enumerate(COEFFICIENTS))

paper.states("critical_polynomial: differences_decay differences_grow", "Beyond: the critical learning rate",
    "The determinant of the flow of (e, f) over eta^2 is a quadratic in z = eta/B with closed coefficients in K.",
    lambda: same(flow.det(), determinant(z)))

own, other, share, fall, down, pushed = reals("own other, share != 0, fall down > 0, pushed >= 0")
@paper.claim("Beyond: above the critical rate", rests_on="critical_polynomial")
def differences_grow_above():
    """Where that determinant is -fall < 0, one eigenvalue is -down, the other fall/down > 0: (e, f) leaves zero."""
    rate = fall / down
    trace = rate - down
    pushes = ((trace - own) * own + fall) / share
    e, f = reals("e f")
    moved = Matrix([[own, pushes], [share, trace - own]]) * Matrix([e, f])
    yield same(own * (trace - own) - sp.Mul(pushes, share, evaluate=False), -fall)
    yield prove.by("linear instability", flow={e: moved[0], f: moved[1]}, point={e: 0, f: 0},
        vector={e: share, f: rate - own}, growth=rate, side="left")

paper.states("differences_vanish_below: critical_polynomial", "Beyond: below the critical rate",
    "Where the determinant is positive and e alone decays, at the rate fall, f alone decays as well: the two push "
    "each other with one sign, as the product of what they give each other, pushed, is K - 1 times a square.",
    lambda: [same(flow[0, 1], (K - 1) * flow[1, 0]), holds(other < 0, given=-fall * other - pushed > 0)])

at_least_two = [expand(COEFFICIENTS[k].subs(K, 2 + more) * pi**4) for k in (0, 2)]
paper.states("least_root_is_critical: critical_polynomial differences_vanish_below differences_grow_above",
    "Beyond: the least critical rate",
    "For two or more units the determinant is positive at z = 0 and opens upwards, and is not positive where e alone "
    "would not decay: both decay up to its least root, so that B times that root is the largest such rate.",
    lambda: [holds(own * other - pushed <= 0, given=Eq(own, 0)), positive(decay[0, 0]),
        positive(growth[0, 0].subs(K, 2 + more)),
        *(enclosed(c, {}, 0, 1000) for of in at_least_two for c in sp.Poly(of, more).all_coeffs())], expect="certified")

@paper.claim("Beyond: overlaps with teachers follow", rests_on="differences_decay differences_grow", expect="certified")
def overlaps_follow():
    """For two or more units the flow of R and S where e = f = 0 decays: trace negative, determinant positive."""
    kept = Matrix([[1, 0], [0, 1], [2, 0], [0, 2]])
    jacobian = slopes(linear_rate, AT_PERFECT)
    at_least_two = closing.subs(K, 2 + more)
    constant, slope = Rational(7, 36), 37 / (108 + 96 * root3)
    yield same(jacobian[:2, :] * kept, closing)
    yield same(jacobian[2:, :] * kept, 2 * closing)
    yield positive(-at_least_two.trace())
    yield same(at_least_two.det() * pi**2, constant + more * slope)
    yield enclosed(slope, {}, 0, 1)

paper.states("critical_rate_of_one: differences_decay differences_grow", "Beyond: the critical rate of one unit",
    "For K = M = 1 and erf(x/sqrt 2) e alone decides: it grows for eta > pi sqrt(5/3) B, and decays below.",
    lambda: [same(put(flow[0, 1], {K: 1})),
        same(flow[0, 0].subs(K, 1), (4 / (pi**2 * root5)) * (z - pi * sqrt(Rational(5, 3)))),
        positive(4 / (pi**2 * root5))])
paper.states("critical_rate_of_many: critical_polynomial", "Beyond: the critical rate of many units",
    "For z = scaled_z/K and many units the determinant over K tends to a positive number times 1 - scaled_z/(sqrt(3) "
    "pi).",
    lambda: tends(determinant(scaled_z / K) / K, {K: oo}, (4 * (2 / root3 - 1) / pi**2)
        * (1 - scaled_z / (root3 * pi))))

signs = {Rational(2306, 1000): (0, 1), Rational(2307, 1000): (-1, 0)}
paper.states("critical_rate_of_two: critical_polynomial", "Beyond: the critical rate of two units",
    "For K = M = 2 and erf(x/sqrt 2) the determinant is positive at eta = 2.306 B and negative at 2.307 B.",
    lambda: [enclosed(determinant(z).subs(K, 2), {z: (at, at)}, *sides) for at, sides in signs.items()],
    expect="certified")

noise, rate_per_sample = reals("noise rate_per_sample > 0")  # sigma^2 and eta/B
@paper.claim("Beyond: the error that noise leaves", rests_on="differences_decay perfect_has_no_error")
def error_left_by_noise():
    """At small rates noise keeps e = sigma^2 eta/(2 B), f = 0 and the error K sigma^2 eta/(2 sqrt(3) pi B)."""
    pushed = TO_DIFFERENCES * Matrix([put(noise_rate(x), PERFECT) for x in ORDER])
    e, f = reals("e f")
    kept = {e: noise * rate_per_sample / 2, f: 0}
    decayed = (decay * Matrix([e, f])).applyfunc(lambda fall: put(fall, kept))
    slopes_of_error = Matrix([[slope(Overlaps.error, AT_PERFECT, x) for x in ORDER]])
    by_differences = K * Matrix([[root3 / (3 * pi), (K - 1) / (2 * pi)]])
    yield same(decayed, noise * rate_per_sample * pushed)
    yield same(slopes_of_error, by_differences * TO_DIFFERENCES)
    yield same(put((by_differences * Matrix([e, f]))[0], kept), K * noise * rate_per_sample / (2 * root3 * pi))
