"""Committees whose second layer is learned as well.

The student's output is the sum of v_k g(lambda_k), the teacher's that of v_teacher_m g(rho_m) and noise. `first_step`
and `second_step` are the updates of both layers, computed from the loss. The second layer moves at a rate of
eta_second/N, on the clock of the overlaps: `second_flow`, `teacher_flow` and `student_flow` are the rates of v_i, R_in
and Q_ik, in averages of the fields, without the pairs of different samples.
"""

from __future__ import annotations

from derivations.language.sums import Array, Index, Sums, delta, derivative, size, total
from derivations.models.committee.averages import I2, I3, I4, J2, ONE_SAMPLE_TWICE, over_batches
from derivations.models.committee.definitions import *

v, v_teacher = Array("v", K), Array("v_teacher", M)
eta_second = Array("eta_second").value
o = M.index("o")


def output_error(second: Sums) -> Sums:
    """Delta, for what student k has in the second layer."""
    taught = total(v_teacher[m] * g_teacher[m, s], m)
    return taught + sigma * noise[s] - total(second * g_student[k, s], k)


delta_s = output_error(v[k])
loss = HALF * per_sample * total(delta_s * delta_s, s)


def first_step(unit: Index, place: Index) -> Sums:
    return -1 * eta * by_weight(loss, unit, place)


def second_step(unit: Index) -> Sums:
    """The change of v in one update, at a rate of eta_second."""
    return -1 * eta_second * derivative(loss, {v: lambda of: delta(of, unit)})


def per_time(step: Sums) -> Sums:
    """The mean of an update over dt = 1/N, without the pairs of different samples."""
    return size(N) * over_batches(step, ONE_SAMPLE_TWICE)


def pulled(unit: Index, along: Index) -> Sums:
    """eta v_unit <Delta g'(lambda_unit) field>."""
    return eta * v[unit] * (total(v_teacher[m] * I3(unit, along, m), m) - total(v[j] * I3(unit, along, j), j))


second_flow = eta_second * (total(v_teacher[m] * I2(i, m), m) - total(v[j] * I2(i, j), j))
squared_output = (
    total(v_teacher[m] * v_teacher[o] * I4(i, k, m, o), m, o)
    - 2 * total(v[j] * v_teacher[m] * I4(i, k, j, m), j, m)
    + total(v[j] * v[l] * I4(i, k, j, l), j, l)
)
teacher_flow = pulled(i, n)
quadratic_flow = eta * eta * per_sample * v[i] * v[k] * (squared_output + sigma * sigma * J2(i, k))
student_flow = pulled(i, k) + pulled(k, i) + quadratic_flow
