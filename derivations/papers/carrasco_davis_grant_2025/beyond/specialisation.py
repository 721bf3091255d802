"""Beyond: specialisation as an eigenvalue that changes its sign while equal students grow.

Students that are all alike, S = R and C = Q, stay so at small learning rates, and a turn of each student toward a teacher
of its own has a rate of its own. Where students lie in the span of the teachers Q = K R^2, here written in m = 2 K - 1 and r = R.
"""

from derivations.papers.carrasco_davis_grant_2025.setup import *
from derivations.papers.carrasco_davis_grant_2025.beyond.plateau import UNITS, escape_rate, m, overlap
from derivations.papers.carrasco_davis_grant_2025.beyond.symmetric import ORDER, C, K, Overlaps, Q, R, S, linear_rate
from derivations.papers.carrasco_davis_grant_2025.section_3_averages import with_products

EQUAL = Overlaps(R=R, S=R, Q=Q, C=Q)
to_teachers = 2 / (pi * sqrt(2 * (1 + Q) - R**2))
to_students = 2 / (pi * sqrt(1 + 2 * Q))  # <g'(lambda) g'(rho)>, and <g'(lambda) g'(lambda)> for two students
curvature = -K * (R * to_teachers - Q * to_students) / (1 + Q)  # <Delta g''(lambda)>
overlap_rate = R * curvature + to_teachers - K * R * to_students
length_rate = 2 * (Q * curvature + K * R * to_teachers - K * Q * to_students)
specialising_rate = curvature + R * to_teachers / (2 * (1 + Q) - R**2)  # all of them over eta
@paper.claim("Beyond: equal students stay equal", rests_on="average_of_slope_field_value")
def equal_students_stay_equal():
    """At small learning rates R and S have one rate where students are equal, and so have Q and C."""
    rates = [linear_rate(x, EQUAL) for x in (R, S, Q, C)]
    yield same(tuple(rates), (overlap_rate, overlap_rate, length_rate, length_rate))

def jacobian(wrt):
    """The Jacobian of the four rates over eta, where students are equal."""
    return Matrix(4, len(wrt), lambda p, q: put(Derivative(linear_rate(ORDER[p]), wrt[q]), {S: R, C: Q}))

@paper.claim("Beyond: the specialising direction", rests_on="equal_students_stay_equal")
def specialising_direction():
    """Wherever students are equal, a turn of each student toward a teacher of its own is an eigenvector of the flow, at the rate <Delta
    g''(lambda)> + R <g'(lambda) g'(rho)>/(2 (1 + Q) - R^2) over eta."""
    turn = Matrix([K - 1, -1])
    yield same(jacobian((R, S)) * turn, specialising_rate * Matrix([*turn, 0, 0]))

@paper.claim("Beyond: specialisation leaves the plateau", rests_on="plateau_rests specialising_direction")
def plateau_is_left():
    """The direction in which students specialise is an eigenvector of the Jacobian on the plateau with the positive eigenvalue
    2 K eta/(pi (2K - 1)^(1/2) (2K + 1)^(3/2))."""
    not_zero = prove.positive((pi * escape_rate) ** 2)  # and no root under m + 1 is negative
    yield specialising_direction()
    yield rate_on_plateau()
    yield not_zero
    yield positive(m + 1)

r = Symbol("r", positive=True)
@paper.claim("Beyond: the rate on the plateau", rests_on="specialising_direction")
def rate_on_plateau():
    """On the plateau the specialising rate is 2 K/(pi (2K - 1)^(1/2) (2K + 1)^(3/2)) over eta."""
    found = specialising_rate.subs({Q: K * r**2, R: r}).subs({**UNITS, r: overlap})
    yield same(with_products(found), escape_rate)
