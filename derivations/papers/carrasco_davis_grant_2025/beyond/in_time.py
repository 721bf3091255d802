"""Beyond: how long students wait and learn, two of two teachers and two of four, by boxes that no solution leaves.

Starts are equal up to a permutation, so that R, S, Q and C are all order parameters. Of four teachers, 1a and 1b are
alike to student 1 as 2a and 2b are to student 2: R is the overlap of a student with each of its own two teachers.
"""

from derivations.papers.carrasco_davis_grant_2025.setup import *
from derivations.models.committee.equal_units import *
from derivations.papers.carrasco_davis_grant_2025.beyond.equal_units import error_on_plateau

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
paper.states("rates_around_the_critical_one: critical_rate_of_two perfect_rests",
    "Beyond: learning rates around the critical one, in time",
    "With batches of one, two students from R = Q = 0.9 and S = C = 0.05 learn the rest with eta = 2, where the "
    "critical rate is 2.306: by time 3 the error falls from above 0.02 to below 0.014. With eta = 3 it is above 0.04 "
    "at time 1. With eta = 2 every start within 10^-7 of the perfect solution approaches it from time 1/100 on, at "
    "the rate 1/20 or faster; with eta = 3 a direction leads away from it, at the rate 1.1349.",
    lambda: [trajectory(flow(2, 1), NEARLY_LEARNED, says=[stays(error > number("0.02"), (0, 0)),
            stays(error < number("0.014"), (3, 3))]),
        trajectory(flow(3, 1), NEARLY_LEARNED, says=stays(error > number("0.04"), (1, 1))),
        trajectory(flow(2, 1), near_perfect("0.0000001"), says=settles),
        prove.unstable_direction(flow(3, 1), near=PERFECT)], expect="certified")

five, one = (flow(1, 5), HARDLY_TURNED, number("1.5") * error), (flow(1, 1), HARDLY_TURNED, error)
paper.states("larger_batches_learn_more_per_step: differences_grow", "Beyond: batches, in time",
    "With eta = 1 and the same start, R = 0.1, S = 0.09, Q = 0.1 and C = 0.02, batches of one leave more than three "
    "halves of the error of batches of five at every time from 1 to 2.",
    lambda: prove.less(five, one, between=(1, 2)), expect="certified")

# === Two students of four teachers ===
# All fields, with the signs of their outputs in the error.
FIELDS = [(("student", "1"), -1), (("student", "2"), -1), *((("teacher", u), 1) for u in ("1a", "1b", "2a", "2b"))]

def flow_of_four():
    """The flow of the order parameters at a small rate, over that rate."""
    toward = {R: ("teacher", "1a"), S: ("teacher", "2a"), Q: ("student", "1"), C: ("student", "2")}
    return {of: (1 + (of in (Q, C))) * GENERAL.drift("1", field, FIELDS) for of, field in toward.items()}

@paper.claim(
    "Beyond: two students of four teachers, in time", rests_on="average_of_slope_field_value", expect="certified")
def four_teachers_in_time():
    """Two students of four teachers, from R = 0.1, S = 0.09, Q = 0.1 and C = 0.02 at a small rate eta, with times in
    1/eta: from time 8 to 65 the error is between 0.040 and 0.042. Each student has then turned to the two teachers that
    it was nearer to from the start: R - S is 1/10 between the times 65.13 and 65.14. In the end R is between 0.7208 and
    0.7211, S between 0.2394 and 0.2397, Q between 1.154 and 1.155, and C between 0.6905 and 0.6911."""
    ends = {R: ("0.7208", "0.7211"), S: ("0.2394", "0.2397"), Q: ("1.154", "1.155"), C: ("0.6905", "0.6911")}
    error = sp.Add(*GENERAL.error(FIELDS).args)
    turned, low = Eq(R - S, number("0.1")), Eq(error, number("0.04"))
    yield trajectory(flow_of_four(), HARDLY_TURNED, says=[stays(error < number("0.042"), (8, 65)),
            before(turned, low, (number("65.13"), number("65.14"))),
            converges(300, {x: tuple(map(number, sides)) for x, sides in ends.items()}, number(1, 40))])
