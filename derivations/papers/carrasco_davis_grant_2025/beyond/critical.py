"""Beyond: the largest learning rate at which the perfect solution of equal students and teachers is stable.

Near it the covariance E of the differences of students and teachers, with e on its diagonal and f beside it, has a
linear flow of its own, eta (z growth - decay) for z = eta/B, so that the largest rate is proportional to the batch.
"""

from derivations.papers.carrasco_davis_grant_2025.setup import *
from derivations.papers.carrasco_davis_grant_2025.beyond.symmetric import (
    AT_PERFECT, ORDER, PERFECT, K, Overlaps, linear_rate, noise_rate, rate_near_perfect, slope, slopes)

z, scaled_z, more = reals("z scaled_z more > 0")
# e = Q - 2 R + T and f = C - 2 S, whose rates follow from those of R, S, Q and C.
TO_DIFFERENCES = Matrix([[-2, 0, 1, 0], [0, -2, 0, 1]])
root2, root3, root5 = (sqrt(n) for n in (2, 3, 5))
decay = 2 / pi * Matrix([[2 / root3, K - 1], [1, K - 2 + 2 / root3]])
growth = (4 / pi**2 * Matrix([[1 / root5 + (K - 1) / 3, (K - 1) * (1 / root2 + (K - 2) / (2 * root3))],
            [1 / root2 + (K - 2) / (2 * root3), Rational(2, 3) + 2 * (K - 2) / root3 + (K - 2) * (K - 3) / 4]]))
# The linear flow of R and S over eta where e = f = 0.
closing = Matrix([[-root3 / 9, -(K - 1) / 4], [-Rational(1, 4), -(K - 2) / 2 - root3 / 3]]) * 2 / pi
paper.states("differences_decay", "Beyond: differences decay",
    "Near the perfect solution, small rates: d(e, f)/dt = -eta decay (e, f), decay_ik being sums of 2 <g'_i g'_k>.",
    lambda: same(TO_DIFFERENCES * slopes(linear_rate, AT_PERFECT), -decay * TO_DIFFERENCES), rests_on="perfect_rests")
paper.states("differences_grow", "Beyond: noise of the steps makes differences grow",
    "The part in eta^2/B of their flow is growth (e, f): <g'_i g'_k g'_n g'_m> summed over equal entries.",
    lambda: same(TO_DIFFERENCES * slopes(rate_near_perfect, AT_PERFECT), growth * TO_DIFFERENCES),
    rests_on="perfect_rests")

flow = z * growth - decay  # of (e, f), in units of eta
COEFFICIENTS = (4 * (2 - root3) * (root3 * (K - 1) + 2) / (3 * pi**2),
    4 * (15 * (root3 - 2) * K**2 + (90 * root2 - 35 * root3 - 18 * root5 - 30) * K) / (45 * pi**3)
    + 4 * (180 - 90 * root2 - 50 * root3 + 36 * root5 - 12 * root3 * root5) / (45 * pi**3), 4 * (
        (40 * root3 + 9 * root5 - 30 * root2 * root3 - 15) * K**2
        + (24 * root3 * root5 + 90 * root2 * root3 - 120 * root3 - 45 * root5 - 5) * K
        + (20 + 80 * root3 + 78 * root5 - 48 * root3 * root5 - 60 * root2 * root3)) / (45 * pi**4))

def determinant(z):
    """The determinant of the flow of (e, f) over eta^2."""
    return sum(z**power * coefficient for power, coefficient in enumerate(COEFFICIENTS))

paper.states("critical_polynomial", "Beyond: the critical learning rate",
    "The determinant of the flow of (e, f) over eta^2 is a quadratic in z = eta/B with closed coefficients in K.",
    lambda: same(flow.det(), determinant(z)), rests_on="differences_decay differences_grow")

own, other, share, fall, down, pushed = reals("own other, share != 0, fall down > 0, pushed >= 0")
@paper.claim("Beyond: above the critical rate", rests_on="critical_polynomial")
def differences_grow_above():
    """Where that determinant is -fall < 0, one eigenvalue is -down, the other fall/down > 0: (e, f) leaves zero."""
    rate = fall / down
    trace = rate - down
    pushes = ((trace - own) * own + fall) / share
    e, f = reals("e f")
    moved = Matrix([[own, pushes], [share, trace - own]]) * Matrix([e, f])
    yield same(own * (trace - own) - sp.Mul(pushes, share, evaluate=False), -fall)
    yield prove.by("linear instability", flow={e: moved[0], f: moved[1]}, point={e: 0, f: 0},
        vector={e: share, f: rate - own}, growth=rate, side="left")

paper.states("differences_vanish_below", "Beyond: below the critical rate",
    "Where the determinant is positive and e alone decays, at the rate fall, f alone decays as well: the two push "
    "each other with one sign, as the product of what they give each other, pushed, is K - 1 times a square.",
    lambda: [same(flow[0, 1], (K - 1) * flow[1, 0]), holds(other < 0, given=-fall * other - pushed > 0)],
    rests_on="critical_polynomial")

@paper.claim("Beyond: the least critical rate",
    rests_on="critical_polynomial differences_vanish_below differences_grow_above", expect="certified")
def least_root_is_critical():
    """For two or more units the determinant is positive at z = 0 and opens upwards, and is not positive where e alone
    would not decay: both decay up to its least root, so that B times that root is the largest such rate."""
    at_least_two = [expand(COEFFICIENTS[k].subs(K, 2 + more) * pi**4) for k in (0, 2)]
    yield holds(own * other - pushed <= 0, given=Eq(own, 0))
    yield positive(decay[0, 0])
    yield positive(growth[0, 0].subs(K, 2 + more))
    yield from (enclosed(c, {}, 0, 1000) for of in at_least_two for c in sp.Poly(of, more).all_coeffs())

@paper.claim("Beyond: overlaps with teachers follow", rests_on="differences_decay differences_grow", expect="certified")
def overlaps_follow():
    """For two or more units the flow of R and S where e = f = 0 decays: trace negative, determinant positive."""
    kept = Matrix([[1, 0], [0, 1], [2, 0], [0, 2]])
    jacobian = slopes(linear_rate, AT_PERFECT)
    at_least_two = closing.subs(K, 2 + more)
    constant, slope = Rational(7, 36), 37 / (108 + 96 * root3)
    yield same(jacobian[:2, :] * kept, closing)
    yield same(jacobian[2:, :] * kept, 2 * closing)
    yield positive(-at_least_two.trace())
    yield same(at_least_two.det() * pi**2, constant + more * slope)
    yield enclosed(slope, {}, 0, 1)

paper.states("critical_rate_of_one", "Beyond: the critical rate of one unit",
    "For K = M = 1 and erf(x/sqrt 2) e alone decides: it grows for eta > pi sqrt(5/3) B, and decays below.",
    lambda: [same(put(flow[0, 1], {K: 1})),
        same(flow[0, 0].subs(K, 1), (4 / (pi**2 * root5)) * (z - pi * sqrt(Rational(5, 3)))),
        positive(4 / (pi**2 * root5))], rests_on="differences_decay differences_grow")
paper.states("critical_rate_of_many", "Beyond: the critical rate of many units",
    "For z = scaled_z/K and many units the determinant over K tends to a positive number times 1 - scaled_z/(sqrt(3) "
    "pi), which is zero where K times the rate is sqrt(3) pi B.",
    lambda: tends(determinant(scaled_z / K) / K, {K: oo}, (4 * (2 / root3 - 1) / pi**2)
        * (1 - scaled_z / (root3 * pi))), rests_on="critical_polynomial")

signs = {Rational(2306, 1000): (0, 1), Rational(2307, 1000): (-1, 0)}
paper.states("critical_rate_of_two", "Beyond: the critical rate of two units",
    "For K = M = 2 and erf(x/sqrt 2) the determinant is positive at eta = 2.306 B and negative at 2.307 B.",
    lambda: [enclosed(determinant(z).subs(K, 2), {z: (at, at)}, *sides) for at, sides in signs.items()],
    rests_on="critical_polynomial", expect="certified")

noise, rate_per_sample = reals("noise rate_per_sample > 0")  # sigma^2 and eta/B
@paper.claim("Beyond: the error that noise leaves", rests_on="differences_decay perfect_has_no_error")
def error_left_by_noise():
    """At small rates noise keeps e = sigma^2 eta/(2 B), f = 0 and the error K sigma^2 eta/(2 sqrt(3) pi B)."""
    pushed = TO_DIFFERENCES * Matrix([put(noise_rate(x), PERFECT) for x in ORDER])
    e, f = reals("e f")
    kept = {e: noise * rate_per_sample / 2, f: 0}
    decayed = (decay * Matrix([e, f])).applyfunc(lambda fall: put(fall, kept))
    slopes_of_error = Matrix([[slope(Overlaps.error, AT_PERFECT, x) for x in ORDER]])
    by_differences = K * Matrix([[root3 / (3 * pi), (K - 1) / (2 * pi)]])
    yield same(decayed, noise * rate_per_sample * pushed)
    yield same(slopes_of_error, by_differences * TO_DIFFERENCES)
    yield same(put((by_differences * Matrix([e, f]))[0], kept), K * noise * rate_per_sample / (2 * root3 * pi))
