"""Linear student and teacher: equation 5 is solved, the error is explicit in time, and every dimension can be followed.

A linear network sees its input along one vector, the sum of the teachers less the sum of the students.
"""

from derivations.papers.carrasco_davis_grant_2025.setup import *
from derivations.language.sums import derivative, size
from derivations.models.committee import examples
from derivations.models.committee.population import FOURTH_MOMENTS, WHITE, D, c, chance, p, x

gap = Array("gap", N)  # the sum of the teachers' weights less that of the students'
FIVE_POINTS, FIVE_BY_FIVE = examples.independent(1, gap=["1"]), examples.independent(2, 3, gap=["1", "-3"])
# Two inputs with the moments of second order.
TWO_INPUTS = {"sizes": {"D": 2, "N": 2},
    "arrays": {"chance": ["1/2", "1/2"], "x": [["1", "1"], ["1", "-1"]], "gap": ["1", "2"], "per_input": "1/2"}}

def averaged(of):
    return total(chance[p] * of, p)

error_field = total(gap[c] * x[p, c], c)  # sqrt(N) Delta
squared_gap = per_input * total(gap[a] * gap[a], a)  # Twice the error
@paper.claim("Section 2, it is possible to solve the above equation for linear networks",
    quote="It is possible to solve the above equation for linear networks", rests_on="line_averages")
def linear_flow():
    """For g(x) = x the average of Delta x/sqrt(N) is the gap over N, the same for every student: the gap of K students
    moves at -K/N times itself, which leaves exp(-K t/N) of it, and every student takes 1/K of what is lost."""
    units, inputs = reals("units inputs > 0")
    weight, missing, weight_0, missing_0, t = reals("weight missing weight_0 missing_0 t")
    fade = exp(-units * t / inputs)
    yield same(per_input * averaged(error_field * x[p, a]), per_input * gap[a], WHITE, among=TWO_INPUTS)
    yield solves({weight: missing / inputs, missing: -units * missing / inputs},
        {weight: weight_0 + missing_0 * (1 - fade) / units, missing: missing_0 * fade},
        {weight: weight_0, missing: missing_0}, t)

taught, learned = Array("taught").value, Array("learned").value  # one weight of a teacher and one of a student
reading = Array("reading", D)  # one input
ONE_READING = {"sizes": {"D": 5}, "arrays": {"chance": [*examples.NORMAL.values()], "reading": [*map(str, examples.NORMAL)],
    "taught": "3", "learned": "2"}}
goal, begun, weight, square, t = reals("goal begun > 0, weight square t")
paper.states("flow_of_squares_is_solved", "Section 2, for non-linear networks other techniques must be used",
    "For g(x) = x^2, one unit in student and teacher and one input with <x^4> = 3, equation 5 is dW/dt = 6 W (W*^2 - "
    "W^2): W^2 follows a logistic function of time.",
    lambda: [same(averaged(((taught**2 - learned**2) * reading[p] ** 2) * 2 * learned * reading[p] * reading[p]),
            6 * learned * (taught**2 - learned**2), [(total(chance[p] * reading[p] ** 4, p), 3)], among=ONE_READING),
        same(Derivative(weight**2, weight) * 6 * weight * (goal - weight**2),
            put(12 * square * (goal - square), {square: weight**2})),
        solves({square: 12 * square * (goal - square)},
            {square: goal * begun * exp(12 * goal * t) / (goal + begun * (exp(12 * goal * t) - 1))}, {square: begun},
            t)])

Q, R, T = Array("Q", K, K, symmetric=True), Array("R", K, M), Array("T", M, M, symmetric=True)
eta, variance = Array("eta").value, Array("variance").value  # variance is sigma^2

def toward_student(k):
    """<Delta lambda_k>."""
    return total(R[k, m], m) - total(Q[k, j], j)

distance = total(Q[i, j], i, j) - 2 * total(R[i, n], i, n) + total(T[n, m], n, m)  # <Delta^2> without noise

def own_rate(one, other):
    """Equation 20 for Q and g(x) = x, in batches."""
    return eta * (toward_student(one) + toward_student(other)) + eta**2 * per_sample * (distance + variance)

@paper.claim(
    "Abstract, an explicit analytical expression for the generalization error, linear", rests_on="line_averages")
def error_of_linear_networks():
    """With the rates of Eq. 20 for g(x) = x, D = <Delta^2> without noise moves at -2 eta K D + eta^2 K^2 (D +
    sigma^2)/B: unless eta K = 2 B to eta K sigma^2/(2 B - eta K), or from it, as exp(-(2 eta K - eta^2 K^2/B) t)."""
    moves = derivative(distance,
        {Q: own_rate, R: lambda one, other: eta * (total(T[other, m], m) - total(R[j, other], j))})
    units = size(K)
    z, noise = reals("z noise > 0")  # eta K, and sigma^2
    batch, excess, excess_0, t = reals("batch > 0, excess excess_0 t")
    decay, end = 2 * z - z**2 / batch, z * noise / (2 * batch - z)
    yield same(moves, -2 * eta * units * distance + eta**2 * units**2 * per_sample * (distance + variance))
    yield solves({excess: -2 * z * excess + z**2 * (excess + noise) / batch},
        {excess: end + (excess_0 - end) * exp(-decay * t)}, {excess: excess_0}, t, given=[Ne(2 * batch, z)])

z, batch, noise = reals("z batch noise > 0")
decay = 2 * z - z**2 / batch
error = (z * noise / (2 * batch - z) + noise) / 2
paper.states("linear_networks_learn_below: error_of_linear_networks",
    "Section 4, the bounds for learning rate and noise, linear",
    "That distance shrinks for eta K < 2 B and grows for eta K > 2 B; below, the error (D + sigma^2)/2 ends at B "
    "sigma^2/(2 B - eta K), which is sigma^2/2 for small rates and grows without bound toward eta K = 2 B.",
    lambda: [positive(decay, given=z < 2 * batch), positive(-decay, given=z > 2 * batch),
        same(error, batch * noise / (2 * batch - z)), tends(error, [z], noise / 2),
        tends(error, {z: (2 * batch, "-")}, oo)])

same_sample = per_input**2 * averaged(error_field**2 * total(x[p, b] * x[p, b], b))  # <Delta_s^2 |x_s|^2>/N
# <Delta_s Delta_s' x_s . x_s'>/N for independent samples.
other_sample = per_input**2 * total(averaged(error_field * x[p, b]) ** 2, b)
# The mean change of Q in one step without the terms linear in eta, over eta^2/N.
squared_step = per_sample**2 * (size(B) * same_sample + (size(B) * size(B) - size(B)) * other_sample)
HYPOTHESES = [*RECIPROCALS[:2], FOURTH_MOMENTS, *WHITE]
@paper.claim("Section 1, the input dimension must be large, Q of linear networks")
def squared_step_at_any_dimension():
    """For g(x) = x that part is <Delta^2> (1/B + (1 + 1/B)/N), which goes to <Delta^2>/B as N grows at a fixed batch,
    and to <Delta^2> (1 + r)/B where the batch grows as B = r N."""
    few, samples, ratio = reals("few samples ratio > 0")
    factor = 1 / samples + (1 + 1 / samples) * few
    yield same(squared_step, squared_gap * (per_sample + per_input + per_input * per_sample), HYPOTHESES,
        among=[FIVE_POINTS, FIVE_BY_FIVE])
    yield tends(factor, [few], 1 / samples)
    yield tends((samples * factor).subs(samples, ratio / few), [few], 1 + ratio)
