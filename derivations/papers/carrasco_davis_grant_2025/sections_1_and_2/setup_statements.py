"""Section 2, the teacher-student setup: what batches do, what small rates give, what fixes the state, and what the
results take."""

from derivations.papers.carrasco_davis_grant_2025.setup import *
from itertools import product
from derivations.models.committee import W as W_student
from derivations.models.committee.population import average
from derivations.papers.carrasco_davis_grant_2025.section_3_order_parameters.flow import FOURTH_MOMENTS, c, d
from derivations.models.committee import examples

rate, batch = reals("rate batch > 0")  # eta, B
mean, variance = Array("mean").value, Array("variance").value
common = Array("common").value  # the covariance of different samples
# Two samples whose covariance is less than their variance.
CORRELATED = {"sizes": {"B": 2}, "arrays": {"mean": "1", "common": "1", "variance": "3", "per_sample": "1/2"}}
paper.states("batches_divide_the_variance", "Section 2, batches reduce the noise in the gradient estimate",
    "A batch mean has the variance over B, if two samples have the product mean^2, and one alone the variance more.",
    lambda: same(spread_of_mean(), per_sample * variance, among=CORRELATED), given=RECIPROCALS[:1],
    needs={"uncorrelated_samples": (common, 0)})

def spread_of_mean():
    products = mean**2 + common + delta(s, s_other) * (variance - common)
    return per_sample**2 * total(products, s, s_other) - mean**2

paper.states("batches_keep_a_common_covariance",
    "Section 2, batches reduce the noise in the gradient estimate, correlated samples",
    "The batch divides by B only what the variance of samples has more than their common covariance.",
    lambda: same(spread_of_mean(), common + per_sample * (variance - common), RECIPROCALS[:1]))

time, small = reals("time small > 0")
spread = reals("spread > 0")  # the variance of a gradient of one sample
UPDATES = time / rate  # of gradient flow, whose time moves by eta in one update
@paper.claim("Section 2, the amount of data becomes virtually infinite",
    quote="as the learning rate gets smaller, the amount of data observed by the network increases, becoming virtually infinite when the "
    "learning rate is zero", rests_on="fluctuations_vanish_with_the_rate")
def data_grow_as_the_rate_vanishes():
    """Gradient flow up to t takes t/eta updates and sees B t/eta samples: their reciprocal goes to zero as eta does."""
    unseen = 1 / (batch * UPDATES)
    yield tends(unseen, [rate], 0)
    yield tends(unseen / rate, [rate], 1 / (batch * time))

paper.states("data_grow_with_the_dimension", "Beyond: averages at rates that are not small",
    "With the time u/N of equation 12, t takes t N updates and B N t samples; t N times the variance V eta^2/(N^2 B) "
    "of a step goes to zero as N grows, for any learning rate and batch.",
    lambda: [tends(1 / (batch * (time * (1 / small))), [small], 0),
        tends((time * (1 / small)) * (rate / (1 / small)) ** 2 * spread / batch, [small], 0)])

W, W_teacher, turn = letters("W: K x N, W_teacher: M x N, turn: N x N")
MIRROR = instance("K=1 M=1 N=2", W="1 2", W_teacher="3 0", turn="1 0; 0 -1")  # a mirror through the teacher
AROUND_TEACHERS = [(turn @ turn.T, identity("N")), (turn.T @ turn, identity("N")), (W_teacher @ turn, W_teacher)]
turned = W @ turn
paper.states("turns_keep_the_order_parameters", "Section 2, the order parameters fully define the state",
    "An orthogonal map of the inputs that leaves the teachers keeps Q and R for every number of inputs.",
    lambda: [same(turned @ turned.T, W @ W.T), same(turned @ W_teacher.T, W @ W_teacher.T)],
    quote="the **order parameters**, which fully define the state of the system at each time step",
    rests_on="law_of_the_coordinates", given=AROUND_TEACHERS, among=MIRROR)

student, teacher = reals("student teacher > 0")

def value(field):
    """g(x) = erf(x/sqrt 2)."""
    return erf(field / sqrt(2))

point = reals("x")

def over_two_points(of):
    """The average over x = 1 and x = -1, of mean zero and variance one; an odd value is x times that at 1."""
    return (put(of, {point: 1}) + put(of, {point: -1})) / 2

paper.states("average_over_two_points", "Section 1, in particular that it is Gaussian",
    "With one input x = 1 or x = -1 the average of two odd values is their product at x = 1; that of two lines is the "
    "covariance of the fields, as for Gaussian inputs.",
    lambda: [same(over_two_points(value(student) * point * value(teacher) * point), value(student) * value(teacher)),
        same(over_two_points(student * teacher * point**2), student * teacher)],
    quote="These analyses requires specific assumptions about the data distribution—in particular, that it is "
    "Gaussian—and the results require the input dimension to be large to enable solvability.")

few, length = reals("few length > 0")  # few is 1/N
overlap = per_input * total(W_student[i, a] ** 2, a)
fourth_powers = per_input**2 * total(W_student[i, a] ** 4, a)
# The fourth moments of independent inputs that are 1 or -1.
COIN_MOMENTS = (FOURTH_MOMENTS[0], FOURTH_MOMENTS[1] - 2 * delta(a, b) * delta(a, c) * delta(a, d))
OF_COINS = [COIN_MOMENTS, RECIPROCALS[2]]
COINS = [examples.data(tuple(product((1, -1), repeat=4)))]
fourth_moment = average(student_field(i, s) ** 4, s)
paper.states("fields_of_coins_approach_gaussian_ones", "Section 1, in particular that it is Gaussian, many inputs",
    "With N independent inputs that are 1 or -1, <lambda^4> is 3 Q^2 less 2/N^2 times the sum of the fourth powers of "
    "the weights; if these have one size it tends to 3 Q^2 as N grows, which x ~ N(0, I) gives at every N.",
    lambda: [same(fourth_moment, 3 * overlap**2 - 2 * fourth_powers, OF_COINS, among=COINS),
        tends(3 * length**4 - 2 * few * length**4, [few], 3 * length**4),
        same(fourth_moment, 3 * overlap**2, [FOURTH_MOMENTS, RECIPROCALS[2]], among=examples.two_shells())])
