"""Beyond: how long two students of two teachers wait and learn, by boxes that no solution leaves.

Starts are equal up to a permutation, as in `symmetric`: R, S, Q and C are all order parameters.
"""

from derivations.papers.carrasco_davis_grant_2025.setup import *
from derivations.papers.carrasco_davis_grant_2025.beyond.symmetric import (
    C, GENERAL, K, ORDER, PERFECT, Q, R, S, error_on_plateau, linear_rate, quadratic_rate)

number = Rational
error = GENERAL.error().subs(K, 2)
HARDLY_TURNED = {R: number("0.1"), S: number("0.09"), Q: number("0.1"), C: number("0.02")}
NEARLY_LEARNED = {R: number("0.9"), S: number("0.05"), Q: number("0.9"), C: number("0.05")}

def near_perfect(distance):
    """An interval around the perfect value of each order parameter."""
    return {x: (value - number(distance), value + number(distance)) for x, value in PERFECT.items()}

def flow(eta, batch):
    """The flow of two students and two teachers without noise."""
    per_sample = Rational(eta * eta, batch)
    return {x: (eta * linear_rate(x) + per_sample * quadratic_rate(x)).subs(K, 2) for x in ORDER}

@paper.claim("Beyond: the plateau in time", rests_on="plateau_error plateau_is_left", expect="certified")
def plateau_in_time():
    """Two students, from R = 0.1, S = 0.09, Q = 0.1 and C = 0.02 at a small rate eta, with times in 1/eta: from time 10
    to 30 the error is within 2 % of the plateau's, (2/pi)(pi/6 - 2 asin(1/4)), while R - S grows. It is 1/10 between
    the times 41.7 and 41.8 and 1/2 between 73.5 and 73.6; the error is 1/1000 between 96.7 and 96.9."""
    waits = error_on_plateau(2)
    small = {x: linear_rate(x).subs(K, 2) for x in ORDER}
    turned = [(number("0.1"), ("41.7", "41.8")), (number("0.5"), ("73.5", "73.6"))]
    yield trajectory(small, HARDLY_TURNED, says=[stays(error < waits * number("1.02"), (10, 30)),
            stays(error > waits * number("0.98"), (10, 30)), stays(small[R] - small[S] > 0, (10, 30)),
            *(reaches(Eq(R - S, level), tuple(map(number, window))) for level, window in turned),
            reaches(Eq(error, number("0.001")), (number("96.7"), number("96.9")))])

settles = converges(number("0.01"), near_perfect("0.0001"), number("0.05"))
paper.states("rates_around_the_critical_one", "Beyond: learning rates around the critical one, in time",
    "With batches of one, two students from R = Q = 0.9 and S = C = 0.05 learn the rest with eta = 2, where the "
    "critical rate is 2.306: by time 3 the error falls from above 0.02 to below 0.014. With eta = 3 it is above 0.04 "
    "at time 1. With eta = 2 every start within 10^-7 of the perfect solution approaches it from time 1/100 on, at "
    "the rate 1/20 or faster; with eta = 3 a direction leads away from it, at the rate 1.1349.",
    lambda: [trajectory(flow(2, 1), NEARLY_LEARNED, says=[stays(error > number("0.02"), (0, 0)),
            stays(error < number("0.014"), (3, 3))]),
        trajectory(flow(3, 1), NEARLY_LEARNED, says=stays(error > number("0.04"), (1, 1))),
        trajectory(flow(2, 1), near_perfect("0.0000001"), says=settles),
        prove.unstable_direction(flow(3, 1), near=PERFECT)], rests_on="critical_rate_of_two perfect_rests",
    expect="certified")

@paper.claim("Beyond: batches, in time", rests_on="differences_grow", expect="certified")
def larger_batches_learn_more_per_step():
    """With eta = 1 and the same start, R = 0.1, S = 0.09, Q = 0.1 and C = 0.02, batches of one leave more than three
    halves of the error of batches of five at every time from 1 to 2."""
    five, one = (flow(1, 5), HARDLY_TURNED, number("1.5") * error), (flow(1, 1), HARDLY_TURNED, error)
    yield prove.less(five, one, between=(1, 2))
