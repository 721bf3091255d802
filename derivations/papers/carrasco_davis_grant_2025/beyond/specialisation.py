"""Beyond: specialisation as an eigenvalue that changes its sign while equal students grow.

Students that are all alike, S = R and C = Q, stay so at small learning rates. They learn what all teachers share, and
a turn of each student toward a teacher of its own first shrinks, then grows. The path on which students lie in the span of
the teachers, Q = K R^2, leads from small weights to the plateau; it is written in m = 2 K - 1 and r = R.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from derivations import prove
from derivations.papers.carrasco_davis_grant_2025.beyond.plateau import UNITS, escape_rate, m, overlap
from derivations.papers.carrasco_davis_grant_2025.beyond.symmetric import ORDER, C, K, Overlaps, Q, R, S, linear_rate
from derivations.papers.carrasco_davis_grant_2025.section_3_averages.integrals import with_products
from derivations.papers.carrasco_davis_grant_2025.setup import paper
from derivations.papers.carrasco_davis_grant_2025.source.unevaluated import derivative, put
from derivations.prove import Certificate, Verdict

EQUAL = Overlaps(R=R, S=R, Q=Q, C=Q)
to_teachers = 2 / (sp.pi * sp.sqrt(2 * (1 + Q) - R**2))
to_students = 2 / (sp.pi * sp.sqrt(1 + 2 * Q))
"""<g'(lambda) g'(rho)>, and <g'(lambda) g'(lambda)> for two students."""
curvature = -K * (R * to_teachers - Q * to_students) / (1 + Q)
"""<Delta g''(lambda)>."""
overlap_rate = R * curvature + to_teachers - K * R * to_students
length_rate = 2 * (Q * curvature + K * R * to_teachers - K * Q * to_students)
specialising_rate = curvature + R * to_teachers / (2 * (1 + Q) - R**2)
"""All of them over eta."""


@paper.claim("Beyond: equal students stay equal", rests_on=["average_of_slope_field_value"])
def equal_students_stay_equal() -> Certificate:
    """At small learning rates R and S have one rate where students are equal, and so have Q and C."""
    rates = [linear_rate(x, EQUAL) for x in (R, S, Q, C)]
    return prove.identity(tuple(rates), (overlap_rate, overlap_rate, length_rate, length_rate))


def jacobian(wrt: tuple[Any, ...]) -> Any:
    """Of the four rates over eta, where students are equal."""
    return sp.Matrix(4, len(wrt), lambda p, q: put(derivative(linear_rate(ORDER[p]), wrt[q]), {S: R, C: Q}))


@paper.claim("Beyond: the specialising direction", rests_on=["equal_students_stay_equal"])
def specialising_direction() -> Certificate:
    """Wherever students are equal, a turn of each student toward a teacher of its own is an eigenvector of the flow, at the rate <Delta
    g''(lambda)> + R <g'(lambda) g'(rho)>/(2 (1 + Q) - R^2) over eta."""
    turn = sp.Matrix([K - 1, -1])
    return prove.identity(jacobian((R, S)) * turn, specialising_rate * sp.Matrix([*turn, 0, 0]))


@paper.claim("Beyond: specialisation leaves the plateau", rests_on=["plateau_rests", "specialising_direction"])
def plateau_is_left() -> Certificate:
    """The direction in which students specialise is an eigenvector of the Jacobian on the plateau with the positive eigenvalue
    2 K eta/(pi (2K - 1)^(1/2) (2K + 1)^(3/2))."""
    not_zero = prove.positive((sp.pi * escape_rate) ** 2)  # and no root under m + 1 is negative
    return prove.every(specialising_direction(), rate_on_plateau(), not_zero, prove.positive(m + 1))


@paper.claim("Beyond: many units leave the plateau slowly", rests_on=["plateau_is_left"])
def escape_of_many_units() -> Certificate:
    """For many units the escape rate over eta tends to 1/(2 pi K): K times it goes to 1/(2 pi)."""
    few = sp.Symbol("few", positive=True)  # 1/m
    return prove.limit((escape_rate * (m + 1) / 2).subs(m, 1 / few), [few], 1 / (2 * sp.pi))


# --- the path from small weights to the plateau --------------------------------------------------------------------------

r = sp.Symbol("r", positive=True)
under_teachers, under_students = 2 + m * r**2, 1 + (m + 1) * r**2
"""2 (1 + Q) - R^2 and 1 + 2 Q where Q = K R^2."""
ON_THE_PATH = {Q: (m + 1) / 2 * r**2, **UNITS, R: r}
units = UNITS[K]
roots = sp.sqrt(under_teachers) * sp.sqrt(under_students)


def on_the_path(rate: Any) -> Any:
    return rate.subs({Q: K * R**2}).subs(ON_THE_PATH)


@paper.claim("Beyond: equal students turn to the span of the teachers", rests_on=["equal_students_stay_equal"])
def span_attracts() -> Certificate:
    """Where students are equal, Q - K R^2, the part of their length outside the span of the teachers, decays at the rate 2 K (R <g'(lambda)
    g'(rho)> + <g'(lambda) g'(lambda)>)/(1 + Q) over eta, for every R >= 0; where R = 0 the rate of R is <g'(lambda) g'(rho)>."""
    decay = 2 * K * (R * to_teachers + to_students) / (1 + Q)
    toward, among = sp.symbols("toward among", positive=True)  # the averages of slopes
    length, turned = sp.symbols("length turned", nonnegative=True)
    positive = {to_teachers: toward, to_students: among, R: turned, Q: length}
    return prove.every(
        prove.identity(length_rate - 2 * K * R * overlap_rate, -decay * (Q - K * R**2)),
        prove.positive(decay.subs(positive)),
        prove.identity(put(overlap_rate, {R: 0}), to_teachers.subs(R, 0)),
    )


@paper.claim("Beyond: the path to the plateau", rests_on=["span_attracts"])
def path_to_plateau() -> Certificate:
    """In the span of the teachers the rate of R is 1 - K (2K - 1) R^2 over a scale that is a sum of products of positive numbers: R grows
    up to its value on the plateau, and falls beyond."""
    scale = sp.pi / 2 * roots * (sp.sqrt(under_students) + units * r * sp.sqrt(under_teachers))
    return prove.every(
        prove.identity(scale * on_the_path(overlap_rate), 1 - units * m * r**2),
        prove.identity(1 - units * m * overlap**2, 0),
    )


y = sp.Symbol("y", positive=True)
"""R^2."""
COEFFICIENTS = (
    -(m**2),
    (m + 1) * (m**3 + 5 * m + 1) / 2,
    (m + 1) ** 2 * (2 * m**3 + m**2 + 4 * m - 2) / 4,
    m**3 * (m + 1) ** 3 / 8,
)


def balance(y: Any) -> Any:
    """What has the sign of the specialising rate on the path."""
    return sum(coefficient * y**power for power, coefficient in enumerate(COEFFICIENTS))


@paper.claim("Beyond: where specialisation sets in", rests_on=["specialising_direction", "path_to_plateau"])
def specialisation_sets_in() -> Certificate:
    """In the span of the teachers the specialising rate is a cubic in R^2 over a positive scale. For one or more units the cubic grows
    with R^2, is negative at 0 and positive on the plateau: the rate changes its sign just once, before the plateau."""
    grown = units**2 * r / sp.sqrt(under_students)
    left = (m + units * (m - 1) * r**2) / sp.sqrt(under_teachers) ** 3
    scale = sp.pi / (2 * r) * under_students * under_teachers**3 * (grown + left)
    at = sp.Symbol("y", real=True)
    ends: dict[str, Any] = {"low": 0, "high": 1 / (units * m)}
    return prove.every(
        prove.identity(scale * on_the_path(specialising_rate), balance(r**2)),
        prove.inequality(sp.cancel(4 * COEFFICIENTS[2] / (m + 1) ** 2) > 0, [m >= 1]),
        prove.by("intermediate value", function=balance(at), variable=at, **ends, assuming=[m >= 1]),
    )


@paper.claim("Beyond: the rate on the plateau", rests_on=["specialisation_sets_in", "plateau_is_left"])
def rate_on_plateau() -> Certificate:
    """At the end of the path the specialising rate is that of the plateau, 2 K/(pi (2K - 1)^(1/2) (2K + 1)^(3/2)) over eta."""
    found = on_the_path(specialising_rate).subs(r, overlap)
    return prove.identity(with_products(found), escape_rate)


@paper.claim("Beyond: specialisation without overlaps", rests_on=["specialising_direction"])
def differences_grow_without_overlaps() -> Certificate:
    """Where students are equal and R = 0, outside the span of the teachers, the specialising rate is K Q <g'(lambda) g'(lambda)>/(1 + Q)
    over eta, which is positive: there the direction grows from the start."""
    return prove.identity(put(specialising_rate, {R: 0}), K * Q * to_students / (1 + Q))


@paper.claim("Beyond: differences outside the span", rests_on=["equal_students_stay_equal", "plateau_rests"])
def differences_outside_are_marginal() -> Certificate:
    """To first order around equal students Q - C moves at 2 <Delta g''(lambda)> over eta times itself and by nothing else; on the plateau
    that rate vanishes: differences outside the span of the teachers neither grow nor decay there to first order."""
    found = jacobian((R, S, Q, C))
    plateau = {Q: 1 / m, R: overlap, **UNITS}
    return prove.every(
        prove.identity(found[2, :] - found[3, :], 2 * curvature * sp.Matrix([[0, 0, 1, -1]])),
        prove.identity(curvature * (1 + Q), K * (Q * to_students - R * to_teachers)),
        prove.identity(put((R * to_teachers) ** 2, plateau), put((Q * to_students) ** 2, plateau)),
        prove.positive((R * to_teachers + Q * to_students).subs(plateau)),
    )


@paper.claim("Beyond: where two units specialise", rests_on=["specialisation_sets_in"], expect=Verdict.CERTIFIED)
def two_units_specialise() -> Certificate:
    """For K = M = 2 the rate changes its sign between R = 0.2846 and R = 0.2847; the plateau is at R = 1/sqrt(6)."""
    cubic = balance(y).subs(m, 3)
    sides = {sp.Rational(2846, 10000): (-1, 0), sp.Rational(2847, 10000): (0, 1)}
    return prove.every(*(prove.enclosed(cubic, {y: (at**2, at**2)}, *signs) for at, signs in sides.items()))


shortfall, few = sp.symbols("shortfall few", positive=True)
"""few is 1/K."""


@paper.claim("Beyond: where many units specialise", rests_on=["specialisation_sets_in"])
def many_units_specialise_late() -> Certificate:
    """For many units R^2 = (1 - shortfall/K) of its value on the plateau has a cubic that tends to 4 K (1 - shortfall): the rate changes
    its sign where R is 1 - 1/(2K) of the plateau's, to first order in 1/K."""
    fraction = 1 - shortfall * few
    at = {m: 2 / few - 1, y: fraction * few / (2 / few - 1)}
    return prove.limit(sp.cancel(few * balance(y).subs(at)), [few], 4 * (1 - shortfall))


# --- how long it takes --------------------------------------------------------------------------------------------------

size, start, t, inputs = sp.symbols("size start t inputs", positive=True)


@paper.claim("Beyond: how long the plateau lasts", rests_on=["plateau_is_left"])
def time_on_plateau() -> Certificate:
    """To first order a specialising difference that starts at start/sqrt(N) has the size of size after the time (ln(size/start) +
    ln(N)/2) over eta times the escape rate: it grows with the logarithm of the dimension."""
    rate = sp.Symbol("rate", positive=True)
    passed = (sp.log(size / start) + sp.log(inputs) / 2) / rate
    difference = start / sp.sqrt(inputs) * sp.exp(rate * t)
    return prove.every(
        prove.identity(derivative(difference, t), rate * difference),
        prove.identity(put(sp.log(start) - sp.log(inputs) / 2 + rate * t, {t: passed}), sp.log(size)),
    )


@paper.claim("Beyond: how long the plateau of many units lasts", rests_on=["time_on_plateau", "escape_of_many_units"])
def time_on_plateau_of_many_units() -> Certificate:
    """For many units what multiplies ln N in that time tends to pi K/eta."""
    return prove.limit((1 / (2 * escape_rate) / units).subs(m, 2 / few - 1), [few], sp.pi)
