"""Beyond: the rest points of equal students and teachers, and how specialisation leaves the plateau.

The plateau is written in m = 2 K - 1, which is what stands under its roots.
"""

from derivations.papers.carrasco_davis_grant_2025.setup import *
from derivations.papers.carrasco_davis_grant_2025.beyond.symmetric import (
    AT_PERFECT, GENERAL, ORDER, PERFECT, C, K, Overlaps, Q, R, S, linear_rate, quadratic_rate,
)

m = Symbol("m", positive=True)
overlap = 1 / sqrt(m * (m + 1) / 2)
PLATEAU = Overlaps(R=overlap, S=overlap, Q=1 / m, C=1 / m)
AT_PLATEAU = {x: getattr(PLATEAU, x.name) for x in ORDER}
UNITS = {K: (m + 1) / 2}  # R = S = 1/sqrt(K (2 K - 1)) and Q = C = 1/(2 K - 1)
# At which specialisation leaves the plateau, over eta.
escape_rate = (m + 1) / (pi * sqrt(m) * (m + 2) ** Rational(3, 2))
@paper.claim("Beyond: fields after tilting by two slopes", rests_on="average_of_slopes_and_values")
def tilted_covariances():
    """Tilting by the slopes of two students, or of one student twice, takes from the covariance of two fields what their sums and
    differences with the students say."""
    for k, students, exponents in (("1", "1", (2, 0, 0)), ("2", "12", (1, 1, 0, 0))):
        fields = [*(("student", unit) for unit in students), ("teacher", "1"), ("student", "other")]
        before, one = GENERAL.among(*fields), eye(len(fields))
        after = Matrix(*one.shape, lambda a, b, k=k, of=fields: GENERAL.narrowed("1", k, of[a], of[b]))
        tilt = one + diag(*exponents) * before
        yield same(after * tilt, before)
        yield same(sp.Mul(GENERAL.tilting_factor("1", k) ** 2, tilt.det(), evaluate=False), 1)

@paper.claim("Beyond: the perfect solution is a rest point")
def perfect_rests():
    """For K = M and T = 1 the order parameters R = Q = 1 stand still without noise, for every learning rate and batch."""
    linear = [put(linear_rate(x), PERFECT) for x in ORDER]
    yield same([*linear, quadratic_rate(Q, AT_PERFECT), quadratic_rate(C, AT_PERFECT)])

@paper.claim("Beyond: the perfect solution has no error")
def perfect_has_no_error():
    """Its generalisation error is zero."""
    yield same(AT_PERFECT.error(), 0)

@paper.claim("Beyond: the symmetric plateau")
def plateau_rests():
    """For small learning rates all students alike, R = S = 1/sqrt(K(2K - 1)) and Q = C = 1/(2K - 1), is a rest point."""
    squares = {R**2: overlap**2, S**2: overlap**2}  # those under roots are multiplied out
    rates = [linear_rate(of).subs(UNITS) for of in ORDER]
    rates = [rate.replace(lambda e: e.is_Pow and e.exp < 0, lambda e: e.xreplace(squares)) for rate in rates]
    yield same(tuple(put(rate, AT_PLATEAU) for rate in rates), (0, 0, 0, 0))

@paper.claim("Beyond: the error on the plateau", rests_on="plateau_rests")
def plateau_error():
    """On the plateau the error is (K/pi)(pi/6 - K asin(1/(2K))): all overlaps of students, with each other and with teachers, stand
    under the same arcsine of 1/(m + 1) = 1/(2K)."""
    found = PLATEAU.error().subs(UNITS)
    angles = [angle for angle in found.atoms(asin) if angle.free_symbols]
    common, units = asin(1 / (m + 1)), (m + 1) / 2
    yield from (same(angle.args[0], 1 / (m + 1)) for angle in sorted(angles, key=str))
    yield same(found.subs(dict.fromkeys(angles, common)), units / pi * (pi / 6 - units * common))

def error_on_plateau(units):
    return units / pi * (pi / 6 - units * asin(Rational(1, 2 * units)))

@paper.claim("Section 2, effectively learning the same mapping as the teacher", rests_on="plateau_rests plateau_error",
    expect="certified")
def students_can_rest_before_they_have_learned():
    """At small learning rates students that are all alike rest on the plateau, whose error is between 0.0116 and 0.0117 for two students
    of two teachers, which could represent these without error."""
    bounds = (Rational(116, 10**4), Rational(117, 10**4))
    yield plateau_rests()
    yield perfect_has_no_error()
    yield enclosed(error_on_plateau(2), {}, *bounds)
