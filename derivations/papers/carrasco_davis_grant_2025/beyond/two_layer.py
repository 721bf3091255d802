"""Beyond: networks whose second layer is learned as well.

The student's output is the sum of v_k g(lambda_k), the teacher's that of v*_m g(rho_m) and noise. The update of both layers
is computed from the loss; the second layer moves at a rate of eta_second/N, on the clock of the order parameters.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from derivations import prove
from derivations.language.sums import Array, Index, Sums, delta, derivative, size, total
from derivations.models import committee as net
from derivations.models.committee import HALF, K, M, N, W, a, eta, g_student, i, j, k, l, m, n, per_input, s, sigma
from derivations.models.committee.population import CENTRED, I2, I3, I4, J2, NOISE, average, of_data, p
from derivations.models.committee.population import x as inputs
from derivations.papers.carrasco_davis_grant_2025.section_3_order_parameters.expanded_flow import (
    EQ_20_1,
    EQ_20_4_CORRECTED,
)
from derivations.papers.carrasco_davis_grant_2025.setup import paper
from derivations.papers.carrasco_davis_grant_2025.source import examples
from derivations.prove import Certificate

v, v_teacher, change = Array("v", K), Array("v_teacher", M), Array("change", K)
eta_second = Array("eta_second").value
LAYERS: dict[str, Any] = {"v": ["-2", "1/3"], "v_teacher": ["3/2", "5", "-1"], "eta_second": "7", "change": ["1", "-4"]}
DATA = [examples.data(samples=3, **LAYERS)]
ON_SPHERE = [examples.data(examples.SPHERE, 3, chances=("1/3", "2/3"), **LAYERS)]
IN_THE_LIMIT = [*net.RECIPROCALS, *NOISE, *net.population.ON_A_SPHERE]


def error(second: Sums) -> Sums:
    """Delta, for what student k has in the second layer."""
    taught = total(v_teacher[m] * net.g_teacher[m, s], m)
    return taught + sigma * net.noise[s] - total(second * g_student[k, s], k)


delta_s = error(v[k])
loss = HALF * net.per_sample * total(delta_s * delta_s, s)


def first_step(unit: Index, place: Index) -> Sums:
    return -1 * eta * net.by_weight(loss, unit, place)


def second_step(unit: Index) -> Sums:
    """What one update adds to v, at a rate of eta_second."""
    return -1 * eta_second * derivative(loss, {v: lambda of: delta(of, unit)})


def per_time(step: Sums) -> Sums:
    """The mean of an update over dt = 1/N, without the pairs of different samples."""
    return size(N) * net.population.over_batches(step, net.population.ONE_SAMPLE_TWICE)


# --- the second layer --------------------------------------------------------------------------------------------------

second_flow = eta_second * (total(v_teacher[m] * I2(i, m), m) - total(v[j] * I2(i, j), j))
"""eta_second <Delta g(lambda_i)>."""


BIASED = examples.data(samples=3, noise=("2", "1"), **LAYERS)
"""A noise of mean 6/5."""


@paper.claim("Beyond: a learned second layer", assuming=net.RECIPROCALS, needs={"centred_noise": CENTRED})
def second_layer_flow(known: list[Any]) -> Certificate:
    """With a noise of mean 0 and a rate of eta_second/N, the mean update of v_i over dt = 1/N is eta_second times the sum of v*_m I2(i,
    m) less that of v_j I2(i, j), at every N and for batches of every size."""
    return prove.sums(per_time(per_input * second_step(i)), second_flow, known, [*DATA, BIASED])


@paper.claim("Beyond: a second layer on the clock of the weights", rests_on=["second_layer_flow"])
def second_layer_outruns_overlaps() -> Certificate:
    """At a rate of eta_second the mean update of v over dt is N times as large: it grows with the dimension, while those of R and Q do
    not."""
    return prove.sums(per_time(second_step(i)), size(N) * second_flow, [*net.RECIPROCALS, *CENTRED], DATA)


def squared_error(second: Sums) -> Sums:
    return HALF * average(error(second) ** 2, s)


@paper.claim("Beyond: the best second layer", rests_on=["second_layer_flow"])
def best_second_layer() -> Certificate:
    """Under any change u of v the error grows by <(sum of u_k g(lambda_k))^2>/2 less the sum of u_k <Delta g(lambda_k)>: where the flow
    of v rests, which is where v solves the normal equations, no second layer is better for these overlaps."""
    pushed = total(change[k] * average(delta_s * g_student[k, s], s), k)
    spread = HALF * average(total(change[k] * g_student[k, s], k) ** 2, s)
    return prove.sums(squared_error(v[k] + change[k]) - squared_error(v[k]), spread - pushed, (), DATA)


@paper.claim("Beyond: the second layer lowers the error", rests_on=["second_layer_flow"])
def second_layer_lowers_the_error() -> Certificate:
    """At fixed overlaps the flow of v, at eta_second <Delta g(lambda_i)>, changes the error at -eta_second times the sum of <Delta
    g(lambda_i)>^2."""
    moved = derivative(squared_error(v[k]), {v: lambda of: eta_second * average(delta_s * g_student[of, s], s)})
    pushed = average(delta_s * g_student[i, s], s)
    return prove.sums(moved, -1 * eta_second * total(pushed * pushed, i), (), DATA)


# --- the overlaps ------------------------------------------------------------------------------------------------------


def pulled(unit: Index, along: Index) -> Sums:
    """eta v_unit <Delta g'(lambda_unit) field>."""
    taught = total(v_teacher[m] * I3(unit, along, m), m)
    return eta * v[unit] * (taught - total(v[j] * I3(unit, along, j), j))


o = M.index("o")
squared_output = (
    total(v_teacher[m] * v_teacher[o] * I4(i, k, m, o), m, o)
    - 2 * total(v[j] * v_teacher[m] * I4(i, k, j, m), j, m)
    + total(v[j] * v[l] * I4(i, k, j, l), j, l)
)
teacher_flow = pulled(i, n)
quadratic_flow = eta * eta * net.per_sample * v[i] * v[k] * (squared_output + sigma * sigma * J2(i, k))
student_flow = pulled(i, k) + pulled(k, i) + quadratic_flow


@paper.claim("Beyond: overlaps with a second layer, R", rests_on=["second_layer_flow"])
def two_layer_teacher_flow() -> Certificate:
    """With a noise of mean 0, the mean update of R_in over dt is eta v_i times the sum of v*_m I3(i, n, m) less that of v_j I3(i, n, j),
    at every N."""
    step = per_input * total(first_step(i, a) * net.W_teacher[n, a], a)
    return prove.sums(per_time(step), teacher_flow, [*net.RECIPROCALS, *CENTRED], DATA)


@paper.claim("Beyond: overlaps with a second layer, Q")
def two_layer_student_flow() -> Certificate:
    """With |x|^2 = N and without the pairs of different samples, the mean update of Q_ik over dt has the factors v_i and v_k in its linear
    terms, and v_i v_k eta^2/B before I4 and J2; each value of a field comes with its own entry of v or v*."""
    moved = [W[unit, a] + first_step(unit, a) for unit in (i, k)]
    step = per_input * total(moved[0] * moved[1] - W[i, a] * W[k, a], a)
    return prove.sums(per_time(step), student_flow, IN_THE_LIMIT, ON_SPHERE)


@paper.claim("Beyond: the error with a second layer")
def two_layer_error() -> Certificate:
    """The error is half the sum of v_i v_j I2(i, j), less that of v_i v*_m I2(i, m), and half that of v*_m v*_n I2(m, n) and
    sigma^2."""
    students = HALF * total(v[i] * v[j] * I2(i, j), i, j)
    teachers = HALF * total(v_teacher[m] * v_teacher[n] * I2(m, n), m, n)
    crossed = total(v[i] * v_teacher[m] * I2(i, m), i, m)
    return prove.sums(squared_error(v[k]), students - crossed + teachers + HALF * sigma * sigma, NOISE, DATA)


COMMITTEE = [(v[k], 1), (v_teacher[m], 1)]
ONES = [examples.data(**(LAYERS | {"v": ["1"] * 2, "v_teacher": ["1"] * 3}))]


@paper.claim(
    "Beyond: soft committee machines as networks with a second layer",
    rests_on=["two_layer_teacher_flow", "two_layer_student_flow"],
)
def committee_is_a_special_case() -> Certificate:
    """With v = 1 and v* = 1 both flows are those of Eq. 20, corrected."""
    of_committee = paper.equation("Eq. 20, line 4", EQ_20_4_CORRECTED).right
    return prove.every(
        prove.sums(teacher_flow, EQ_20_1.right, COMMITTEE, ONES),
        prove.sums(student_flow, of_committee, COMMITTEE, ONES),
    )


# --- the rectified line ------------------------------------------------------------------------------------------------

RAMP_DATA = [examples.data((*examples.INPUTS, (1, 1, 1, 1)), activation=examples.RAMP, noise=("2", "1"), **LAYERS)]
SPHERE = (*examples.SPHERE, (Fraction(8, 5), Fraction(6, 5), 0, 0))
RAMP_ON_SPHERE = [examples.data(SPHERE, 3, examples.RAMP, noise=("2", "1"), **(LAYERS | {"eta_second": "3"}))]
seen = net.root * total(of_data(net.slope)[k, p] * W[k, a] * inputs[p, a], a)
HOMOGENEOUS = [(seen, of_data(g_student)[k, p])]
"""g'(x) x = g(x), as for the rectified line."""

linear_rate_of_length = 2 * eta * v[i] * average(delta_s * net.slope[i, s] * net.student_field(i, s), s)
rate_of_square = 2 * v[i] * eta_second * average(delta_s * g_student[i, s], s)
"""Of v_i^2."""


@paper.claim(
    "Beyond: what gradient flow of a rectified network keeps",
    rests_on=["second_layer_flow"],
    needs={"homogeneous_units": HOMOGENEOUS},
)
def balance_is_kept(known: list[Any]) -> Certificate:
    """Where g'(x) x = g(x), as for the rectified line, and eta = eta_second is small, Q_ii and v_i^2 have the same rate: their difference
    stays for every unit."""
    return prove.sums(eta_second * linear_rate_of_length, eta * rate_of_square, known, [*RAMP_DATA, *DATA])


EQUAL_RATES = [(eta_second, eta)]
AT_FINITE_RATES = [*net.RECIPROCALS, *net.population.ON_A_SPHERE, *HOMOGENEOUS, *EQUAL_RATES]


def rate_of_length() -> Sums:
    """Of Q_ii, over steps of any size."""
    moved = W[i, a] + first_step(i, a)
    return per_time(per_input * total(moved * moved - W[i, a] * W[i, a], a))


@paper.claim("Beyond: what steps add to the second layer")
def steps_add_little_to_the_second_layer() -> Certificate:
    """Without the pairs of different samples, steps at a rate of eta_second/N let v_i^2 grow at the rate of small steps and eta_second^2/(N
    B) <Delta^2 g(lambda_i)^2>, at every N and for every activation."""
    stepped = v[i] + per_input * second_step(i)
    added = per_input * net.per_sample * eta_second**2 * average(delta_s**2 * g_student[i, s] ** 2, s)
    return prove.sums(per_time(stepped * stepped - v[i] * v[i]), rate_of_square + added, net.RECIPROCALS, DATA)


@paper.claim(
    "Beyond: what steps of a rectified network keep",
    rests_on=["balance_is_kept", "steps_add_little_to_the_second_layer"],
)
def steps_move_the_balance() -> Certificate:
    """With |x|^2 = N and without the pairs of different samples, steps let Q_ii grow faster than v_i^2 does for large N, by v_i^2 eta^2/B
    <Delta^2 g'(lambda_i)^2>."""
    added = v[i] * v[i] * eta * eta * net.per_sample * average(delta_s**2 * net.slope[i, s] ** 2, s)
    return prove.sums(rate_of_length(), rate_of_square + added, AT_FINITE_RATES, RAMP_ON_SPHERE)
