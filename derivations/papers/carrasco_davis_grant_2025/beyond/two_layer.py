"""Beyond: networks whose second layer is learned as well.

The student's output is the sum of v_k g(lambda_k), the teacher's that of v*_m g(rho_m) and noise. The update of both
layers is computed from the loss; the second layer moves at a rate of eta_second/N, on the clock of the order
parameters.
"""

from derivations.papers.carrasco_davis_grant_2025.setup import *
from derivations.language.sums import derivative, size
from derivations.models.committee.population import CENTRED, I2, I3, I4, J2, NOISE
from derivations.models.committee import examples

v, v_teacher, change = Array("v", K), Array("v_teacher", M), Array("change", K)
eta_second = Array("eta_second").value
LAYERS = {"v": ["-2", "1/3"], "v_teacher": ["3/2", "5", "-1"], "eta_second": "7", "change": ["1", "-4"]}
DATA = [examples.data(samples=3, **LAYERS)]
ON_SPHERE = [examples.data(examples.SPHERE, 3, chances=("1/3", "2/3"), **LAYERS)]
IN_THE_LIMIT = [*net.RECIPROCALS, *NOISE, *net.population.ON_A_SPHERE]

def error(second):
    """Delta, for what student k has in the second layer."""
    taught = total(v_teacher[m] * net.g_teacher[m, s], m)
    return taught + sigma * net.noise[s] - total(second * g_student[k, s], k)

delta_s = error(v[k])
loss = HALF * net.per_sample * total(delta_s * delta_s, s)

def first_step(unit, place):
    return -1 * eta * net.by_weight(loss, unit, place)

def second_step(unit):
    """The change of v in one update, at a rate of eta_second."""
    return -1 * eta_second * derivative(loss, {v: lambda of: delta(of, unit)})

def per_time(step):
    """The mean of an update over dt = 1/N, without the pairs of different samples."""
    return size(N) * net.population.over_batches(step, net.population.ONE_SAMPLE_TWICE)

# eta_second <Delta g(lambda_i)>.
second_flow = eta_second * (total(v_teacher[m] * I2(i, m), m) - total(v[j] * I2(i, j), j))
BIASED = examples.data(samples=3, noise=("2", "1"), **LAYERS)  # a noise of mean 6/5
second_layer_flow = paper.states("second_layer_flow", "Beyond: a learned second layer",
    "With a noise of mean 0 and a rate of eta_second/N, the mean update of v_i over dt = 1/N is eta_second times the "
    "sum of v*_m I2(i, m) less that of v_j I2(i, j), at every N and for batches of every size.",
    lambda: same(per_time(per_input * second_step(i)), second_flow, among=[*DATA, BIASED]), given=net.RECIPROCALS,
    needs={"centred_noise": CENTRED})

def pulled(unit, along):
    """eta v_unit <Delta g'(lambda_unit) field>."""
    return eta * v[unit] * (total(v_teacher[m] * I3(unit, along, m), m) - total(v[j] * I3(unit, along, j), j))

o = M.index("o")
squared_output = (total(v_teacher[m] * v_teacher[o] * I4(i, k, m, o), m, o)
    - 2 * total(v[j] * v_teacher[m] * I4(i, k, j, m), j, m) + total(v[j] * v[l] * I4(i, k, j, l), j, l))
teacher_flow = pulled(i, n)
quadratic_flow = eta * eta * net.per_sample * v[i] * v[k] * (squared_output + sigma * sigma * J2(i, k))
student_flow = pulled(i, k) + pulled(k, i) + quadratic_flow
step = per_input * total(first_step(i, a) * net.W_teacher[n, a], a)
two_layer_teacher_flow = paper.states("two_layer_teacher_flow", "Beyond: overlaps with a second layer, R",
    "With a noise of mean 0, R_in moves at eta v_i times the sums of v*_m I3(i, n, m) less v_j I3(i, n, j).",
    lambda: same(per_time(step), teacher_flow, [*net.RECIPROCALS, *CENTRED], among=DATA), rests_on="second_layer_flow")

@paper.claim("Beyond: overlaps with a second layer, Q")
def two_layer_student_flow():
    """With |x|^2 = N and without pairs of different samples, the mean update of Q_ik over dt has v_i and v_k in its
    linear terms, v_i v_k eta^2/B before I4 and J2, and an entry of v or v* with each value of a field."""
    moved = [W[unit, a] + first_step(unit, a) for unit in (i, k)]
    step = per_input * total(moved[0] * moved[1] - W[i, a] * W[k, a], a)
    yield same(per_time(step), student_flow, IN_THE_LIMIT, among=ON_SPHERE)

COMMITTEE = [(v[k], 1), (v_teacher[m], 1)]
# Soft committee machines are networks whose second layer is one.
ONES = [examples.data(**(LAYERS | {"v": ["1"] * 2, "v_teacher": ["1"] * 3}))]
