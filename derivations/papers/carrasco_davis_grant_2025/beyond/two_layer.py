"""Beyond: networks whose second layer is learned as well, as `derivations.models.committee.second_layer` has them."""

from derivations.papers.carrasco_davis_grant_2025.setup import *
from derivations.models.committee.population import CENTRED, NOISE
from derivations.models.committee import examples
from derivations.models.committee.second_layer import *

LAYERS = {"v": ["-2", "1/3"], "v_teacher": ["3/2", "5", "-1"], "eta_second": "7"}
DATA = [examples.data(samples=3, **LAYERS)]
ON_SPHERE = [examples.data(examples.SPHERE, 3, chances=("1/3", "2/3"), **LAYERS)]
IN_THE_LIMIT = [*net.RECIPROCALS, *NOISE, *net.population.ON_A_SPHERE]
BIASED = examples.data(samples=3, noise=("2", "1"), **LAYERS)  # a noise of mean 6/5
second_layer_flow = paper.states("second_layer_flow", "Beyond: a learned second layer",
    "With a noise of mean 0 and a rate of eta_second/N, the mean update of v_i over dt = 1/N is eta_second times the "
    "sum of v*_m I2(i, m) less that of v_j I2(i, j), at every N and for batches of every size.",
    lambda: same(per_time(per_input * second_step(i)), second_flow, among=[*DATA, BIASED]), given=net.RECIPROCALS,
    needs={"centred_noise": CENTRED})

moved = [W[unit, a] + first_step(unit, a) for unit in (i, k)]
steps = [per_input * total(step, a) for step in (first_step(i, a) * W_teacher[n, a], moved[0] * moved[1] - W[i, a] * W[k, a])]
two_layer_teacher_flow = paper.states("two_layer_teacher_flow: second_layer_flow",
    "Beyond: overlaps with a second layer, R",
    "With a noise of mean 0, R_in moves at eta v_i times the sums of v*_m I3(i, n, m) less v_j I3(i, n, j).",
    lambda: same(per_time(steps[0]), teacher_flow, [*net.RECIPROCALS, *CENTRED], among=DATA))
two_layer_student_flow = paper.states("two_layer_student_flow", "Beyond: overlaps with a second layer, Q",
    "With |x|^2 = N and without pairs of different samples, the mean update of Q_ik over dt has v_i and v_k in its "
    "linear terms, v_i v_k eta^2/B before I4 and J2, and an entry of v or v* with each value of a field.",
    lambda: same(per_time(steps[1]), student_flow, IN_THE_LIMIT, among=ON_SPHERE))

COMMITTEE = [(v[k], 1), (v_teacher[m], 1)]
# Soft committee machines are networks whose second layer is one.
ONES = [examples.data(**(LAYERS | {"v": ["1"] * 2, "v_teacher": ["1"] * 3}))]
