"""Equations 16, 19 and 20 as programs for any number of students and teachers.

All fields are one list, the students and then the teachers, with one covariance C and one sign s for each: the error
signal is the sum of s g(field) over all fields, and every average of the flow is a kernel of numbers at entries of C.
"""

from derivations.papers.carrasco_davis_grant_2025.setup import *
from dataclasses import replace
from derivations.kernels.specification.sums import Call, Definition, Joined, Reciprocal, entry, fields
from derivations.language.sums import number
from derivations.models.committee import population
from derivations.paper.equals.sums import EqualSums
from derivations.papers.carrasco_davis_grant_2025.beyond import two_layer
from derivations.papers.carrasco_davis_grant_2025.emitted import (
    CITES, erf_I2_kernel, erf_I3_kernel, erf_I4_kernel, erf_J2_kernel)
from derivations.papers.carrasco_davis_grant_2025.section_3_order_parameters.error import EQ_19, error_by_integrals

DOMAIN = "[[Q, R], [R', T]] is a covariance"
HALF = Fraction(1, 2)
K, M = Range("K"), Range("M")
F = Joined("F", (K, M))
i, k, x, y = (K.index(name) for name in ("i", "k", "x", "y"))
m, n = M.index("m"), M.index("n")
a, b, f, h = (F.index(name) for name in ("a", "b", "f", "h"))
Q, R, T = Array("Q", K, K, symmetric=True), Array("R", K, M), Array("T", M, M, symmetric=True)
v, v_teacher = Array("v", K), Array("v_teacher", M)
ETA, ETA_V, SIGMA, BATCH, SHARE = (Array(name) for name in ("eta", "eta_v", "sigma", "batch", "per_sample"))
eta, eta_v, sigma, per_sample = ETA.value, ETA_V.value, SIGMA.value, SHARE.value
C, s = Array("C", F, F, symmetric=True), Array("s", F)
covariance = Definition(C, {(i, k): Q[i, k], (i, m): R[i, m], (n, k): R[k, n], (n, m): T[n, m]})
committee = Definition(s, {(k,): number(-1), (m,): number(1)})
share = Reciprocal(SHARE, (), BATCH.value)

# --- averages ---------------------------------------------------------------------------------------------------------
values, slopes = Array("values", K, F), Array("slopes", K, K)  # I2, J2, I3 and I4 at the fields that the indices name
turned, both = Array("turned", K, F, F), Array("both", K, K, F, F)
linear, quadratic = Array("linear", K, F), Array("quadratic", K, K)
LINEAR = Definition(linear, {(i, f): total(s[h] * turned[i, f, h], h)})
# <Delta g'(i) f> and <(Delta^2 + sigma^2) g'(i) g'(k)>.
QUADRATIC = Definition(quadratic, {(i, k): total(s[f] * s[h] * both[i, k, f, h], f, h) + sigma * sigma * slopes[i, k]})

def average(kernel, target, *places):
    return Call([target], places, kernel, list(fields(kernel, C, *places)))

def averages():
    """The averages of numbers, and then their sums."""
    calls = [average(erf_I3_kernel(), turned, i, f, h), average(erf_I4_kernel(), both, i, k, f, h),
        average(erf_J2_kernel(), slopes, i, k)]
    return [*calls, LINEAR, QUADRATIC]

# --- what the averages are --------------------------------------------------------------------------------------------
AVERAGES = {"erf_I2": population.I2, "erf_I3": population.I3, "erf_I4": population.I4, "erf_J2": population.J2}
LAYERS = {"v": two_layer.v, "v_teacher": two_layer.v_teacher, "eta_v": Array("eta_second")}

def overlap(first, second):
    """The covariance of two fields."""
    if first.range == K:
        return Q[first, second] if second.range == K else R[first, second]
    return R[second, first] if second.range == K else T[first, second]

def equal(claim, among, **returns):
    """The equality for a two-layer network."""
    return EqualSums(claim, returns, AVERAGES, overlap, LAYERS, among=tuple(among))

def equal_for_committees(claim, **returns):
    """The equality where every unit counts one."""
    return replace(equal(claim, two_layer.ONES, **returns), assuming=tuple(two_layer.COMMITTEE))

# --- flows ------------------------------------------------------------------------------------------------------------
dQ, dR, dv, error = Array("dQ", K, K), Array("dR", K, M), Array("dv", K), Array("error")

def along(of, unit, *places):
    return entry(of, unit, *places)

def flow(weight):
    """The rates of Q and R for second layers with these weights."""
    grown = weight(i) * along(linear, i, k) + weight(k) * along(linear, k, i)
    noise = eta * eta * per_sample * weight(i) * weight(k) * quadratic[i, k]
    return [Definition(dR, {(i, n): eta * weight(i) * along(linear, i, n)}),
        Definition(dQ, {(i, k): eta * grown + noise})]

paper.emits("order_parameter_flow",
    says="The rates of the order parameters of a soft committee machine with g(x) = erf(x/sqrt 2) that learns from a "
    "teacher of the same kind, in batches.", inputs=[Q, R, T, ETA, SIGMA, BATCH],
    steps=lambda: [covariance, committee, share, *averages(), *flow(lambda _: number(1))], returns=[dQ, dR],
    domain=f"{DOMAIN}, batch > 0",
    cites=f"{CITES}, Eq. 20, with the second order in eta divided by the size of the batch",
    equals=[equal_for_committees(two_layer.two_layer_teacher_flow, dR=two_layer.teacher_flow),
        equal_for_committees(two_layer.two_layer_student_flow, dQ=two_layer.student_flow)])

paper.emits("two_layer_flow",
    says="The rates of the order parameters and of the second layer of a two-layer student with g(x) = erf(x/sqrt 2) "
    "and a two-layer teacher.", inputs=[Q, R, T, v, v_teacher, ETA, ETA_V, SIGMA, BATCH],
    steps=lambda: [covariance, Definition(s, {(k,): -1 * v[k], (m,): v_teacher[m]}), share, *averages(),
        average(erf_I2_kernel(), values, i, f), *flow(lambda unit: v[unit]),
        Definition(dv, {(i,): eta_v * total(s[f] * values[i, f], f)})], returns=[dQ, dR, dv], domain=f"{DOMAIN}, batch > 0",
    cites=f"{CITES}, Eq. 20, with weights of the hidden units",
    equals=[equal(two_layer.two_layer_teacher_flow, two_layer.ON_SPHERE, dR=two_layer.teacher_flow),
        equal(two_layer.two_layer_student_flow, two_layer.ON_SPHERE, dQ=two_layer.student_flow),
        equal(two_layer.second_layer_flow, two_layer.DATA, dv=two_layer.second_flow)])

pairs = Array("pairs", F, F)
paper.emits("generalisation_error",
    says="Half the mean squared difference of a soft committee machine with g(x) = erf(x/sqrt 2) and its noisy teacher.",
    inputs=[Q, R, T, SIGMA], steps=lambda: [covariance, committee, average(erf_I2_kernel(), pairs, f, h),
        Definition(error, {(): HALF * total(s[f] * s[h] * pairs[f, h], f, h) + HALF * sigma * sigma})], returns=[error], domain=DOMAIN, cites=f"{CITES}, Eq. 16 and 19",
    equals=[equal(error_by_integrals, two_layer.ONES, error=EQ_19.right)])
