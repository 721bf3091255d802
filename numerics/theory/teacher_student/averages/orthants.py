"""The probability that two, three or four Gaussian fields are positive together.

Fields of variance 1 are unit vectors u with r_ij = u_i . u_j. Two and three of them have angles with elementary areas.
For four, turn u_i and u_j about the plane of u_k and u_l: only x = r_ij changes, between x_min and x_max, where the
four vectors lie in three dimensions and the probability is elementary again. In between (Plackett 1954)

    dP/dx = P(fields k and l positive | fields i and j zero) / (2 pi sqrt(1 - x^2)).

With x = (x_max + x_min t^2)/(1 + t^2) the integrand is even in t, and all its singularities lie on the imaginary
axis, none nearer to zero than y; t = y sinh(w) carries them to the lines |Im w| = pi/2, so that a few Gauss-Legendre
nodes suffice, more where the end asinh(t/y) is far away. Of the six pairs and two ends, the nearest one is taken.

Whatever could cancel is formed by conditioning on one field after the other, in twice the digits: `once` holds the
covariance S given one field, `twice` the covariance M given two, so that fields next to each other keep their angles.
"""

# mypy: ignore-errors
# ruff: noqa: PLR0917

from math import asinh, atan2, exp, pi, sqrt

import numpy as np
from numba import njit

from numerics.theory.teacher_student.averages.twofold import leg, minus, plus, quotient, rounded, times, wide, wide_root

SAME = 1e-30  # squared sines below it are rounding in twice the digits
NOISE = 1e-31  # what conditioning leaves of a variance that vanishes, relative to what it took away
FLOOR = 1e-32
CLOSEST = 1e-16  # the least y, relative to the end
DIGITS = 35.0  # minus the logarithm of the error of the rule
UNIT = (1.0, 0.0)
PAIRS = np.array([[0, 1, 2, 3], [0, 2, 1, 3], [0, 3, 1, 2], [1, 2, 0, 3], [1, 3, 0, 2], [2, 3, 0, 1]])
WORK = 2 * (16 + 64 + 18) + 16  # doubles that four fields take


def positive_half(half):
    """The positive nodes of the Gauss-Legendre rule with twice as many, and their weights.

    NumPy's own weights are exact to 12 digits only, because its nodes are no longer than a double.
    """
    count, numbers = 2 * half, np.arange(1, half + 1, dtype=np.longdouble)
    x = np.cos(np.pi * (numbers - 0.25) / (count + 0.5))
    for _ in range(6):
        before, at = np.ones_like(x), x
        for n in range(2, count + 1):
            before, at = at, ((2 * n - 1) * x * at - (n - 1) * before) / n
        slope = count * (x * at - before) / (x * x - 1)
        x = x - at / slope
    return x.astype(np.float64), (2 / ((1 - x * x) * slope * slope)).astype(np.float64)


HALVES = np.array([6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192])
STARTS = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(HALVES)])
ABSCISSAS, WEIGHTS = (np.concatenate(part) for part in zip(*map(positive_half, HALVES.tolist()), strict=True))


# --- two and three fields ---------------------------------------------------------------------------------------------


@njit(cache=True)
def correlation(ab, aa, bb):
    """The correlation of two fields, in twice the digits; a field without variance counts as independent."""
    if aa <= 0.0 or bb <= 0.0:
        return 0.0, 0.0
    r = quotient(wide(ab), times(wide_root(wide(aa)), wide_root(wide(bb))))
    if rounded(minus(UNIT, times(r, r))) <= SAME:
        return (1.0, 0.0) if ab > 0.0 else (-1.0, 0.0)
    return r


@njit(cache=True)
def sine(r):
    """The sine of the angle between two fields with correlation r."""
    return leg(minus(UNIT, times(r, r)))


@njit(cache=True)
def lean(r):
    """The arcsine of a correlation."""
    return atan2(r[0], sine(r))


@njit(cache=True)
def three_positive(r12, r13, r23):
    """The probability that three fields are positive."""
    return max(0.125 + (lean(r12) + lean(r13) + lean(r23)) / (4.0 * pi), 0.0)


# --- conditioning -----------------------------------------------------------------------------------------------------


@njit(cache=True)
def parts(work):
    """The work space as r, S, M and arcsines."""
    r = work[:32].reshape((4, 4, 2))
    once = work[32:160].reshape((4, 4, 4, 2))
    twice = work[160:196].reshape((6, 3, 2))
    return r, once, twice, work[196:].reshape((4, 4))


@njit(cache=True)
def pair(at):
    """A number of twice the digits from where it is kept."""
    return at[0], at[1]


@njit(cache=True)
def keep(at, number):
    """Write a number of twice the digits."""
    at[0], at[1] = number


@njit(cache=True)
def place(work, i, j, number):
    """Write a correlation."""
    r = work[:32].reshape((4, 4, 2))
    keep(r[i, j], number)
    keep(r[j, i], number)


@njit(cache=True)
def condition(work):
    """Write S, M and the arcsines of the correlations; whether all principal minors are positive, up to rounding."""
    r, once, twice, leans = parts(work)
    for i in range(4):
        keep(r[i, i], UNIT)
    for i in range(4):
        for k in range(4):
            for l in range(k + 1):
                if i not in (k, l):
                    rest = minus(pair(r[k, l]), times(pair(r[i, k]), pair(r[i, l])))
                    keep(once[i, k, l], rest)
                    keep(once[i, l, k], rest)
    possible = True
    for p in range(6):
        i, j, k, l = PAIRS[p]
        leans[i, j] = leans[j, i] = atan2(r[i, j, 0], leg(pair(once[i, j, j])))
        divisor = pair(once[i, j, j])
        for slot, (a, b) in enumerate(((k, k), (l, l), (k, l))):
            taken = quotient(times(pair(once[i, j, a]), pair(once[i, j, b])), divisor)
            keep(twice[p, slot], minus(pair(once[i, a, b]), taken))
        first, second = twice[p, 0, 0], twice[p, 1, 0]
        allowed = NOISE * (1.0 + max(once[i, k, k, 0], once[i, l, l, 0]) / divisor[0])
        possible = possible and first > -allowed and second > -allowed
        possible = possible and twice[p, 2, 0] ** 2 <= (first + allowed) * (second + allowed)
    return possible


@njit(cache=True)
def settle(work):
    """Condition; correlations that rounding left just outside the cone are shrunk first until they are inside."""
    shrink = 2.0**-52
    while not condition(work) and shrink < 1e-3:
        for p in range(6):
            i, j, _, _ = PAIRS[p]
            place(work, i, j, times(pair(work[:32].reshape((4, 4, 2))[i, j]), (1.0 - shrink, 0.0)))
        shrink *= 4.0


@njit(cache=True)
def area(work, p):
    """The square root of the determinant of M."""
    _, _, twice, _ = parts(work)
    M = twice[p]
    return leg(minus(times(pair(M[0]), pair(M[1])), times(pair(M[2]), pair(M[2]))))


@njit(cache=True)
def given(work, p):
    """The probability that fields k and l are positive where i and j vanish.

    A field that is fixed then counts as independent: its sign drops out of a sum in which it is taken the same way
    everywhere.
    """
    _, once, twice, _ = parts(work)
    i, j, k, l = PAIRS[p]
    M, divisor = twice[p], once[i, j, j, 0]
    if M[0, 0] <= NOISE * (1.0 + once[i, k, k, 0] / divisor) or M[1, 0] <= NOISE * (1.0 + once[i, l, l, 0] / divisor):
        return 0.25
    return atan2(area(work, p), -M[2, 0]) / (2.0 * pi)


# --- four fields ------------------------------------------------------------------------------------------------------


@njit(cache=True)
def effort(work, p):
    """(t/y)^2 on the way down from x_max and on the way up from x_min, in plain floats, to choose among pairs."""
    r, once, twice, _ = parts(work)
    i, j, k, l = PAIRS[p]
    M = twice[5 - p]
    half = sqrt(max(M[0, 0] * M[1, 0], 0.0))
    down, up = max(half - M[2, 0], FLOOR), max(half + M[2, 0], FLOOR)
    at_k = sqrt(once[k, i, i, 0] * once[k, j, j, 0])
    at_l = sqrt(once[l, i, i, 0] * once[l, j, j, 0])
    above = min(1.0 - r[i, j, 0], at_k - once[k, i, j, 0], at_l - once[l, i, j, 0]) - down
    below = min(1.0 + r[i, j, 0], at_k + once[k, i, j, 0], at_l + once[l, i, j, 0]) - up
    above, below = max(above, FLOOR), max(below, FLOOR)
    return down / up * (above + 2.0 * half) / above, up / down * (below + 2.0 * half) / below


@njit(cache=True)
def facing(number, side):
    """A number of twice the digits, or its opposite."""
    return side * number[0], side * number[1]


@njit(cache=True)
def share(one, two, S, i, j, k, side):
    """The share of u_k in the direction in which u_i and side u_j fall together."""
    return rounded(minus(times(two, pair(S[i, k])), times(one, facing(S[j, k], side))))


@njit(cache=True)
def room(ahead, now):
    """How far an end lies inside an interval, from the distances of a point to both."""
    return max(rounded(minus(ahead, now)), 0.0)


@njit(cache=True)
def boundary(leans, p, side, a, b):
    """The elementary part, for the shares a, b of u_k and u_l where x = x_max."""
    i, j, k, l = PAIRS[p]
    if a * b > 0.0:
        if a < 0.0:
            return 0.125 + (leans[i, k] + leans[i, l] + leans[k, l]) / (4.0 * pi)
        return 0.125 + (side * (leans[j, k] + leans[j, l]) + leans[k, l]) / (4.0 * pi)
    if a < b:
        return (leans[i, l] + leans[k, l] + side * (leans[i, j] + leans[j, k])) / (4.0 * pi)
    return (leans[i, k] + leans[k, l] + side * (leans[i, j] + leans[j, l])) / (4.0 * pi)


@njit(cache=True)
def turned(work, p, side):
    """The probability that four fields are positive, of which j is taken times side, on the way down from x_max."""
    r, once, twice, leans = parts(work)
    i, j, k, l = PAIRS[p]
    M = twice[5 - p]
    one, two = wide_root(pair(M[0])), wide_root(pair(M[1]))
    half, now, x = times(one, two), facing(M[2], side), facing(r[i, j], side)
    if one[0] + two[0] == 0.0:
        two = UNIT
    back = -side
    a, b = share(one, two, once[l], i, j, k, side), share(one, two, once[k], i, j, l, side)
    other_a, other_b = share(one, two, once[l], i, j, k, back), share(one, two, once[k], i, j, l, back)
    value = boundary(leans, p, side, a, b)
    down, up = minus(half, now), plus(half, now)
    if down[0] <= 0.0 or half[0] <= 0.0:
        return value
    at_k = wide_root(times(pair(once[k, i, i]), pair(once[k, j, j])))
    at_l = wide_root(times(pair(once[l, i, i]), pair(once[l, j, j])))
    by_k, by_l = facing(once[k, i, j], side), facing(once[l, i, j], side)
    above, below = room(minus(UNIT, x), down), room(plus(UNIT, x), up)
    above_k, below_k = room(minus(at_k, by_k), down), room(plus(at_k, by_k), up)
    above_l, below_l = room(minus(at_l, by_l), down), room(plus(at_l, by_l), up)
    width = 2.0 * half[0]
    sign, other = (-1.0 if a * b > 0.0 else 1.0), (-1.0 if other_a * other_b > 0.0 else 1.0)
    at_high = sign * sqrt(above_k * (below_k + width)) * sqrt(above_l * (below_l + width))
    at_low = other * sqrt(below_k * (above_k + width)) * sqrt(below_l * (above_l + width))
    end = sqrt(down[0] / max(up[0], FLOOR))
    gap = min(above, above_k, above_l)
    y = min(max(sqrt(gap / (gap + width)), CLOSEST * end), 1.0)
    far = asinh(end / y)
    rule = 0
    while rule < HALVES.size - 1 and 4.0 * HALVES[rule] * asinh(0.5 * pi / far) < DIGITS:
        rule += 1
    total, height, r_kl = 0.0, leg(pair(once[k, l, l])), r[k, l, 0]
    for node in range(STARTS[rule], STARTS[rule + 1]):
        grown = exp(far * ABSCISSAS[node])
        t, slope = 0.5 * y * (grown - 1.0 / grown), 0.5 * y * (grown + 1.0 / grown)
        part = 1.0 / (1.0 + t * t)
        span = width * part
        distance = sqrt((above + span * t * t) * (below + span))
        covariance = (at_high + at_low * t * t) * part + r_kl * span * span * t * t
        angle = atan2(height * span * t * distance, sign * covariance)
        total += WEIGHTS[node] * slope * span * t * part / distance * angle
    return value + sign * total * far / (2.0 * pi * pi)


@njit(cache=True)
def four_positive(work):
    """The probability that four fields are positive, no two of them the same, in a work space that is settled."""
    _, _, _, leans = parts(work)
    least, best, down = np.inf, 0, True
    for p in range(6):
        from_above, from_below = effort(work, p)
        if min(from_above, from_below) < least:
            least, best, down = min(from_above, from_below), p, from_above <= from_below
    if down:
        return max(turned(work, best, 1.0), 0.0)
    i, _, k, l = PAIRS[best]
    without = 0.125 + (leans[i, k] + leans[i, l] + leans[k, l]) / (4.0 * pi)
    return max(without - turned(work, best, -1.0), 0.0)
