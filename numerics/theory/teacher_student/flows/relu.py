"""The flow of the order parameters for g(x) = max(x, 0), as a kernel for `numerics.machine.specialise`.

Averages over three fields are sums of angles and legs, which are tabulated once. An average over four fields needs the
probability that all are positive, one integral; it and the six averages that share it are added up together, so that
each integral is computed once: sets of four fields, two of them students, are walked instead of arguments.

params and state: as in numerics/theory/teacher_student/flows/erf.py.
"""

# mypy: ignore-errors
# ruff: noqa: PLR0917

from math import pi, sqrt

from numba import njit

from numerics.theory.teacher_student.averages.orthants import (
    PAIRS,
    WORK,
    correlation,
    four_positive,
    given,
    lean,
    pair,
    place,
    settle,
    sine,
)
from numerics.theory.teacher_student.averages.relu import four_fields, mixed, stein

HEADER = 7  # params in front of T
TABLES = 6  # doubles for each two fields: covariance, correlation (two), leg, arcsine, and what the slopes add up to


ROW_SIZES = ("rows", "sizes")
"""The module beside this one, and its function, that say how long rows are."""


@njit(cache=True)
def scratch_size(params):
    """How many doubles `rates` wants to work in."""
    n = int(params[0]) + int(params[1])
    return TABLES * n * n + 2 * n + WORK + 6


@njit(cache=True)
def tables(params, scratch):
    """The work space as covariances, correlations, legs, arcsines, sums; weights, sizes; room for four fields."""
    n = int(params[0]) + int(params[1])
    square = n * n
    C = scratch[:square].reshape((n, n))
    r = scratch[square : 3 * square].reshape((n, n, 2))
    legs = scratch[3 * square : 4 * square].reshape((n, n))
    leans = scratch[4 * square : 5 * square].reshape((n, n))
    sums = scratch[5 * square : 6 * square].reshape((n, n))
    rest = scratch[6 * square :]
    return C, r, legs, leans, sums, rest[:n], rest[n : 2 * n], rest[2 * n : 2 * n + WORK], rest[2 * n + WORK :]


@njit(cache=True)
def prepare(params, scratch):
    """Write into the work space what stays the same during a run: the teacher's tables and fixed weights."""
    K, M = int(params[0]), int(params[1])
    C, r, legs, leans, _, s, sizes, _, _ = tables(params, scratch)
    at = HEADER
    for m in range(M):
        for l in range(m + 1):
            C[K + m, K + l] = C[K + l, K + m] = params[at + l]
        at += m + 1
    for m in range(M):
        s[K + m] = params[at + m]
    for i in range(K):
        s[i] = -params[at + M + i]
    for m in range(K, K + M):
        relate_fields(C, r, legs, leans, sizes, m, K)


@njit(cache=True)
def relate_fields(C, r, legs, leans, sizes, f, first):
    """Write correlations, legs and arcsines of field f with the fields from the first one to itself."""
    sizes[f] = sqrt(max(C[f, f], 0.0))
    for h in range(first, f + 1):
        value = correlation(C[f, h], C[f, f], C[h, h])
        r[f, h, 0], r[f, h, 1] = value
        r[h, f, 0], r[h, f, 1] = value
        legs[f, h] = legs[h, f] = sine(value)
        leans[f, h] = leans[h, f] = lean(value)


@njit(cache=True)
def gather(params, state, scratch):
    """Write the state into the tables."""
    K, M = int(params[0]), int(params[1])
    n = K + M
    C, r, legs, leans, _, s, sizes, _, _ = tables(params, scratch)
    at, first_R = 0, K * (K + 1) // 2
    for i in range(K):
        for k in range(i + 1):
            C[i, k] = C[k, i] = state[at + k]
        at += i + 1
        relate_fields(C, r, legs, leans, sizes, i, 0)
        for m in range(M):
            C[i, K + m] = C[K + m, i] = state[first_R + i * M + m]
    for f in range(K, n):
        for i in range(K):
            value = correlation(C[i, f], C[i, i], C[f, f])
            r[i, f, 0], r[i, f, 1] = value
            r[f, i, 0], r[f, i, 1] = value
            legs[i, f] = legs[f, i] = sine(value)
            leans[i, f] = leans[f, i] = lean(value)
    if params[2] != 0.0:
        for i in range(K):
            s[i] = -state[first_R + K * M + i]


@njit(cache=True)
def rests(sizes, i):
    """Check whether the field of a student is zero for every input, as is its slope then, so that nothing moves it."""
    return sizes[i] == 0.0


@njit(cache=True)
def slope_and_pair(r, legs, leans, a, c, d):
    """<g'(a) g(c) g(d)> for fields of variance 1."""
    chance = 0.125 + (leans[a, c] + leans[a, d] + leans[c, d]) / (4.0 * pi)
    return r[c, d, 0] * chance + (legs[c, d] + r[a, c, 0] * legs[a, d] + r[a, d, 0] * legs[a, c]) / (4.0 * pi)


@njit(cache=True)
def slopes_and_field(r, legs, leans, a, b, c):
    """<g'(a) g'(b) g(c)^2> for fields of variance 1."""
    chance = 0.125 + (leans[a, b] + leans[a, c] + leans[b, c]) / (4.0 * pi)
    mixing = mixed(pair(r[a, b]), pair(r[a, c]), pair(r[a, c]), pair(r[b, c]), pair(r[b, c]))
    return chance + (r[a, c, 0] * legs[a, c] + r[b, c, 0] * legs[b, c] + mixing) / (4.0 * pi)


@njit(cache=True)
def three_fields(params, scratch):
    """Write the sum of all <g'(i) g'(k) g(f) g(h)> with at most three different fields for every two students."""
    K = int(params[0])
    _, r, legs, leans, sums, s, sizes, _, _ = tables(params, scratch)
    n = s.size
    for i in range(K):
        for k in range(i + 1):
            total = 0.0
            if rests(sizes, i) or rests(sizes, k):
                sums[i, k] = total
                continue
            for f in range(n):
                share = s[f] * sizes[f]
                total += share * share * slopes_and_field(r, legs, leans, i, k, f)
                for h in range(f):
                    both = 2.0 * share * s[h] * sizes[h]
                    if k in (i, f, h):
                        total += both * slope_and_pair(r, legs, leans, i, f, h)
                    elif i in (f, h):
                        total += both * slope_and_pair(r, legs, leans, k, f, h)
            sums[i, k] = total


@njit(cache=True)
def four_different(params, scratch):
    """Add the averages over four different fields."""
    K = int(params[0])
    _, r, _, _, sums, s, sizes, work, chances = tables(params, scratch)
    n = s.size
    for first in range(K):
        for second in range(first + 1, K):
            for third in range(second + 1, n):
                for fourth in range(third + 1, n):
                    four = (first, second, third, fourth)
                    same = False
                    for p in range(6):
                        i, j, _, _ = PAIRS[p]
                        place(work, i, j, pair(r[four[i], four[j]]))
                        same = same or abs(r[four[i], four[j], 0]) == 1.0
                    chance = 0.0
                    if not same:
                        settle(work)
                        for p in range(6):
                            chances[p] = given(work, p)
                        chance = four_positive(work)
                    for p in range(6):
                        a, b, c, d = PAIRS[p]
                        if four[b] >= K or rests(sizes, four[a]) or rests(sizes, four[b]):
                            continue
                        f, h = four[c], four[d]
                        if same:
                            value = average(r, four[a], four[b], f, h, work)
                        else:
                            value = stein(work, chance, chances, a, b, c, d)
                        sums[four[b], four[a]] += 2.0 * s[f] * s[h] * sizes[f] * sizes[h] * value


@njit(cache=True)
def average(r, a, b, c, d, work):
    """<g'(a) g'(b) g(c) g(d)> for fields of variance 1."""
    return four_fields(pair(r[a, b]), pair(r[a, c]), pair(r[a, d]), pair(r[b, c]), pair(r[b, d]), pair(r[c, d]), work)


@njit(cache=True)
def rates(t, state, params, out, scratch):
    """Write the rates of Q, R and (where it learns) v into `out`."""
    K, M, learns = int(params[0]), int(params[1]), params[2] != 0.0
    eta, eta_v, noise, batch = params[3], params[4], params[5], params[6]
    gather(params, state, scratch)
    three_fields(params, scratch)
    four_different(params, scratch)
    C, _, legs, leans, sums, s, sizes, _, _ = tables(params, scratch)
    n, first_R, first_v = K + M, K * (K + 1) // 2, K * (K + 1) // 2 + K * M
    for at in range(out.size):
        out[at] = 0.0
    for i in range(K):
        if rests(sizes, i):
            continue
        along = value = 0.0
        for h in range(n):
            along += s[h] * sizes[h] * legs[i, h] / (2.0 * pi)
            value += s[h] * (sizes[i] * sizes[h] * legs[i, h] / (2.0 * pi) + C[i, h] * chance_of(leans, i, h))
        for f in range(n):
            linear = C[i, f] / sizes[i] * along
            for h in range(n):
                linear += s[h] * C[f, h] * chance_of(leans, i, h)
            linear *= -eta * s[i]
            if f >= K:
                out[first_R + i * M + f - K] = linear
            elif f <= i:
                out[i * (i + 1) // 2 + f] += linear if f < i else 2.0 * linear
            else:
                out[f * (f + 1) // 2 + i] += linear
        for k in range(i + 1):
            if rests(sizes, k):
                continue
            quadratic = sums[i, k] + noise * chance_of(leans, i, k)
            out[i * (i + 1) // 2 + k] += eta * eta / batch * s[i] * s[k] * quadratic
        if learns:
            out[first_v + i] = eta_v * value


@njit(cache=True)
def chance_of(leans, a, b):
    """The probability that two fields are positive."""
    return 0.25 + leans[a, b] / (2.0 * pi)
