"""Beyond: two students of four teachers, by boxes that no solution leaves.

Teachers 1a and 1b are alike to student 1 as 2a and 2b are to student 2, so that four order parameters are all:
R is the overlap of a student with each of its own two teachers, S that with each of the others, and Q and C are those
of a student with itself and with the other student.
"""

from derivations.papers.carrasco_davis_grant_2025.setup import *
from functools import cache
from derivations.papers.carrasco_davis_grant_2025.beyond.symmetric import SCALED, C, Q, R, S

number = Rational
STUDENTS = [("student", "1"), ("student", "2")]
TEACHERS = [("teacher", unit) for unit in ("1a", "1b", "2a", "2b")]
SIGNS = {**dict.fromkeys(STUDENTS, -1), **dict.fromkeys(TEACHERS, 1)}
START = {R: number("0.1"), S: number("0.09"), Q: number("0.1"), C: number("0.02")}

def covariance(f, h):
    if f[0] == h[0]:
        return Integer(f == h) if f[0] == "teacher" else Q if f == h else C
    return R if f[1][0] == h[1][0] else S

def among(*fields):
    return Matrix(len(fields), len(fields), lambda i, j: covariance(fields[i], fields[j]))

def drift(student, toward):
    """<Delta g'(lambda_i) field>."""
    return sum(sign * SCALED.slope_linear_value(among(student, toward, f), 0, 1, 2) for f, sign in SIGNS.items())

@cache
def flow():
    """The flow of the order parameters at a small rate, over that rate."""
    one, two = STUDENTS
    own, foreign = TEACHERS[0], TEACHERS[2]
    return {R: drift(one, own), S: drift(one, foreign), Q: 2 * drift(one, one), C: drift(one, two) + drift(two, one)}

@cache
def error():
    """Half the mean squared difference of the outputs."""
    pairs = ((f, h) for f in SIGNS for h in SIGNS)
    return sp.Add(*(SIGNS[f] * SIGNS[h] * SCALED.values(among(f, h), 0, 1) / 2 for f, h in pairs))

@paper.claim(
    "Beyond: two students of four teachers, in time", rests_on="average_of_slope_field_value", expect="certified")
def four_teachers_in_time():
    """Two students of four teachers, from R = 0.1, S = 0.09, Q = 0.1 and C = 0.02 at a small rate eta, with times in
    1/eta: from time 8 to 65 the error is between 0.040 and 0.042. Each student has then turned to the two teachers that
    it was nearer to from the start: R - S is 1/10 between the times 65.13 and 65.14. In the end R is between 0.7208 and
    0.7211, S between 0.2394 and 0.2397, Q between 1.154 and 1.155, and C between 0.6905 and 0.6911."""
    ends = {R: ("0.7208", "0.7211"), S: ("0.2394", "0.2397"), Q: ("1.154", "1.155"), C: ("0.6905", "0.6911")}
    turned, low = Eq(R - S, number("0.1")), Eq(error(), number("0.04"))
    yield trajectory(flow(), START, says=[stays(error() < number("0.042"), (8, 65)),
            before(turned, low, (number("65.13"), number("65.14"))),
            converges(300, {x: tuple(map(number, sides)) for x, sides in ends.items()}, number(1, 40))])
