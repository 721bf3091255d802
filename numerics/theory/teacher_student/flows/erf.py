"""The flow of the order parameters for g(x) = erf(x/sqrt 2), as a kernel for `numerics.machine.specialise`.

The K student fields and the M teacher fields are one list of n = K + M Gaussian fields with covariance C and weights s
(-v for students, v* for teachers), so that the error signal is the sum of s_f g(phi_f). The factor g' is a Gaussian
bell, and a bell only tilts the covariance:

- the bell of field i changes C into A = C - C_i C_i'/(1 + C_ii), and
  <g'(i) phi_b g(c)> = 2/pi (1 + C_ii)^(-1/2) A_bc (1 + A_cc)^(-1/2);
- the bell of field k changes A into S = A - A_k A_k'/(1 + A_kk), and with L = (1 + C_ii)(1 + A_kk)
  <g'(i) g'(k) g(c) g(d)> = 4/pi^2 L^(-1/2) asin(S_cd r_c r_d), r_c = (1 + S_cc)^(-1/2).

Where field i itself is averaged, nothing is subtracted that a large variance would cancel: A_bi = C_bi/(1 + C_ii), and
S_ck = A_ck/(1 + A_kk). With the rows a_c = r_c C_ci (1 + C_ii)^(-1/2) and b_c = r_c A_ck (1 + A_kk)^(-1/2), the sine of
an angle is C_cd r_c r_d - a_c a_d - b_c b_d. For the fields i and k themselves it is the same without C, with
a_i = -r_i (1 + C_ii)^(-1/2), a_k = 0 and b_k = -r_k (1 + A_kk)^(-1/2). The angle of a field with itself has
1 - sine = r_c^2. So the criterion of numerics/accuracy/criterion.py held wherever it was searched, with variances up to
1e6.

Every distinct average is computed once. The pairs (c, d) are walked in bands: band j holds the pairs (c, c + j),
counted around the end, for j up to n/2, and half as many for j = n/2. A band is a few whole vector registers, and its
second factor is the first one, shifted.

params: K, M, whether v learns, eta, eta_v, sigma^2, B, then T (rows of the lower triangle), v*, v.
state: Q (rows of the lower triangle), R (rows), and v where it learns.
"""

# mypy: ignore-errors
# ruff: noqa: PLR0917

from math import atan2, pi, sqrt

import numpy as np
from numba import njit

from numerics.machine.lanes import (
    LANES,
    borrowed,
    chosen,
    folded,
    load,
    power_series,
    root,
    signed,
    size,
    spread,
    store,
    within,
)

HEADER = 7  # params in front of T
NEAR = 0.25  # where the two polynomials of the arcsine end
REACH = 0.6
# (asin(x) - x)/x^3 in powers of x^2: interpolates at 8 and 16 Chebyshev nodes, relative errors of asin(x) below 6e-18
NEAR_ARCSINE = (
    0.16666666666666657, 0.07500000000017688, 0.04464285708355042, 0.03038195200409539, 0.022371687216026347,
    0.017368686775692064, 0.013669798147060716, 0.014337761921532908,
)  # fmt: skip
ARCSINE = (
    0.16666666666666666, 0.07500000000000447, 0.04464285714180721, 0.0303819445418474, 0.022372154360217358,
    0.01735290287246923, 0.013962194979817254, 0.01158664109719755, 0.009436534916087744, 0.010580092820736521,
    -0.0034021086389278287, 0.04431929386472847, -0.08902214376946843, 0.16587018056993574, -0.16406423907746345,
    0.09119276893949814,
)  # fmt: skip


ROW_SIZES = ("rows", "sizes")
"""The module beside this one, and its function, that say how long rows are."""


@njit(cache=True, inline="always")
def padded(length):
    """The next multiple of LANES."""
    return (length + LANES - 1) // LANES * LANES


@njit(cache=True)
def layout(params):
    """Where the parts of the work space begin: behind C its bands, and so on, as the comments say; places end it."""
    K = int(params[0])
    n = K + int(params[1])
    wide, bands = padded(n), n // 2 + 1
    bands_C = n * wide
    weights = bands_C + bands * wide  # of the pairs, in bands
    s = weights + bands * wide  # weights of the fields; behind them 1/(1 + C_ff), and the roots of that
    others = s + 4 * wide  # ones but for a zero here: from i places before, what keeps all fields but i
    students = others + wide  # six rows each
    pairs = students + 6 * K * wide  # of one student with others, seven rows each; twice
    places = pairs + 14 * K * wide
    return bands_C, weights, s, others, students, pairs, places


@njit(cache=True)
def scratch_size(params):
    """How many doubles `rates` wants to work in."""
    K, M = int(params[0]), int(params[1])
    return layout(params)[6] + 3 * (K * (K + 1) // 2 + K * M)


@njit(cache=True)
def places_of(c, d, n):
    """The three places of the covariance of fields c and d: two in C, and one in a band."""
    wide = padded(n)
    first, last = min(c, d), max(c, d)
    j = last - first
    return c * wide + d, d * wide + c, n * wide + (j * wide + first if 2 * j <= n else (n - j) * wide + last)


@njit(cache=True)
def prepare(params, scratch):
    """Write into the work space what stays the same during a run: the teacher's covariance, weights, places of Q, R."""
    K, M = int(params[0]), int(params[1])
    n = K + M
    for at in range(scratch.size):
        scratch[at] = 0.0
    at = HEADER
    for m in range(M):
        for l in range(m + 1):
            for place in places_of(K + m, K + l, n):
                scratch[place] = params[at]
            at += 1
    weigh(params, params, at + M, scratch)
    others = layout(params)[3]
    for f in range(others - padded(n), others + padded(n)):
        scratch[f] = 0.0 if f == others else 1.0
    at = layout(params)[6]
    for i in range(K):
        for k in range(i + 1):
            for place in places_of(i, k, n):
                scratch[at] = place
                at += 1
    for i in range(K):
        for m in range(M):
            for place in places_of(i, K + m, n):
                scratch[at] = place
                at += 1


@njit(cache=True)
def weigh(params, v, first_v, scratch):
    """Write the weights s of the fields, and those of all pairs: s_c s_d, twice where c and d differ."""
    K, M = int(params[0]), int(params[1])
    n = K + M
    wide = padded(n)
    _, weights, s, _, _, _, _ = layout(params)
    for i in range(K):
        scratch[s + i] = -v[first_v + i]
    for m in range(M):
        scratch[s + K + m] = params[HEADER + M * (M + 1) // 2 + m]
    for j in range(n // 2 + 1):
        for c in range(n // 2 if 2 * j == n else n):  # the second half of a middle band would repeat the first
            d = c + j if c + j < n else c + j - n
            scratch[weights + j * wide + c] = (1.0 if j == 0 else 2.0) * scratch[s + c] * scratch[s + d]


@njit(cache=True)
def gather(state, size, places, scratch):
    """Write Q and R into the covariance C of all fields and into its bands."""
    three = borrowed(scratch, places, 3 * size)
    for e in range(size):
        for at in range(3):
            scratch[np.uint64(three[3 * e + at])] = state[e]  # an index with a sign would be looked at twice


@njit(cache=True, inline="always")
def angle_beyond(value, far):
    """The arcsine anywhere, from the arcsine of far = sqrt((1 - |value|)/2) where that is the smaller one."""
    reach, width = spread(REACH), size(value)
    half = chosen(width, reach, width, far)
    square = half * half
    angle = half + half * square * power_series(ARCSINE, square)
    return signed(chosen(width, reach, angle, spread(0.5 * pi) - (angle + angle)), value)


@njit(cache=True)
def weighted_arcsines(scratch, C, pair, weights, n):
    """The sum over all pairs of weight times asin(C_cd r_c r_d - a_c a_d - b_c b_d), an argument below 1 in size."""
    wide = padded(n)
    b, r = pair + 2 * wide, pair + 4 * wide
    total, near, reach = spread(0.0), spread(NEAR * NEAR), spread(REACH)
    for at in range(0, wide, LANES):
        value = load(scratch, r + 2 * wide + at)
        if within(value, reach):
            square = value * value
            angle = value + value * square * power_series(ARCSINE, square)
        else:
            angle = angle_beyond(value, spread(sqrt(0.5)) * load(scratch, r + at))
        total += load(scratch, weights + at) * angle
    for at in range(0, wide, LANES):
        for j in range(1, (n + 1) // 2 if 2 * at >= n else n // 2 + 1):
            entry = j * wide + at
            value = load(scratch, C + entry) * (load(scratch, r + at) * load(scratch, r + at + j))
            value = value - load(scratch, pair + at) * load(scratch, pair + at + j)
            value = value - load(scratch, b + at) * load(scratch, b + at + j)
            square = value * value
            if within(square, near):
                angle = value + value * square * power_series(NEAR_ARCSINE, square)
            elif within(size(value), reach):
                angle = value + value * square * power_series(ARCSINE, square)
            else:
                angle = angle_beyond(value, root(size(spread(0.5) - spread(0.5) * size(value))))
            total += load(scratch, weights + entry) * angle
    return folded(total)


@njit(cache=True)
def tilt(i, n, s, others, bands_C, own, scratch):
    """Write C_i, with -1 for C_ii, and what the bell of student i leaves: A_cc, 1/(1 + A_cc), its root, and weights."""
    wide = padded(n)
    share, one, half = spread(scratch[s + wide + i]), spread(1.0), spread(0.5)
    for at in range(0, wide, LANES):
        keep, variance, mine = load(scratch, others - i + at), load(scratch, bands_C + at), load(scratch, i * wide + at)
        left = chosen(keep, half, variance * share, variance - mine * (mine * share))
        part = one / (one + left)
        reach = root(part)
        store(scratch, own + at, chosen(keep, half, spread(-1.0), mine))
        store(scratch, own + wide + at, left)
        store(scratch, own + 2 * wide + at, part)
        store(scratch, own + 3 * wide + at, reach)
        store(scratch, own + 4 * wide + at, load(scratch, s + at) * (keep * reach))


@njit(cache=True)
def add_linear(i, n, s, own, scale, scratch):
    """Write the averages with one bell, the last row of a student: the sum over c of A_bc s_c (1 + A_cc)^(-1/2)."""
    wide, r = padded(n), borrowed(scratch, own + 4 * padded(n), n)
    share, mine = scratch[s + wide + i], scratch[s + i] * scratch[own + 3 * wide + i]
    rows = spread(0.0)
    for at in range(0, wide, LANES):
        rows += load(scratch, own + at) * load(scratch, own + 4 * wide + at)
    along = folded(rows)
    parallel = spread(share * (along - mine))
    for at in range(0, wide, LANES):
        even, odd = spread(0.0) - parallel * load(scratch, own + at), spread(0.0)
        for c in range(n // 2):
            even += spread(r[2 * c]) * load(scratch, 2 * c * wide + at)
            odd += spread(r[2 * c + 1]) * load(scratch, (2 * c + 1) * wide + at)
        if n % 2:
            even += spread(r[n - 1]) * load(scratch, (n - 1) * wide + at)
        store(scratch, own + 5 * wide + at, spread(scale) * (even + odd))
    scratch[own + 5 * wide + i] = scale * (share * along + scratch[own + wide + i] * mine)


@njit(cache=True, inline="always")
def cycle(scratch, at, n, value):
    """Write numbers, and again behind all n of their row, so that a shift around the end is a plain load."""
    store(scratch, at, value)
    store(scratch, at + n, value)


@njit(cache=True)
def tilt_again(i, k, n, s, others, own, pair, scratch):
    """Write the cyclic rows a, b and r of students i and k, and the row of S_cc r_c^2, backwards for what is cyclic."""
    wide = padded(n)
    drop, across_i = spread(scratch[own + k] * scratch[s + wide + i]), spread(scratch[s + 2 * wide + i])
    share, across_k = spread(scratch[own + 2 * wide + k]), scratch[own + 3 * wide + k]
    differ, one, half = spread(1.0 if i != k else 0.0), spread(1.0), spread(0.5)
    for at in range(wide - LANES, -1, -LANES):
        keep_i, keep_k = load(scratch, others - i + at), load(scratch, others - k + at)
        mine, before = load(scratch, own + at), load(scratch, own + wide + at)
        its = load(scratch, k * wide + at) * (keep_i * differ) - drop * mine
        left = chosen(keep_k, half, before * share, before - its * (its * share))
        part = one / (one + left)
        r = root(part)
        kept = keep_k * r
        cycle(scratch, pair + at, n, mine * (across_i * kept))
        cycle(scratch, pair + 2 * wide + at, n, chosen(keep_k, half, spread(-1.0), its) * (spread(across_k) * r))
        cycle(scratch, pair + 4 * wide + at, n, keep_i * kept)
        store(scratch, pair + 6 * wide + at, left * part)


@njit(cache=True)
def tilt_pairs(i, n, s, others, own, pairs, scratch):
    """Write the rows of student i with all up to itself."""
    for k in range(i + 1):
        tilt_again(i, k, n, s, others, own, pairs + 7 * k * padded(n), scratch)


@njit(cache=True)
def angle_of(first, second, product):
    """asin(product/sqrt((1 + first)(1 + second))), where a field with itself has no rounding below the root."""
    return atan2(product, sqrt(1.0 + first + second + (first * second - product * product)))


@njit(cache=True)
def rates(t, state, params, out, scratch):
    """Write the rates of Q, R and (where it learns) v into `out`.

    Each kind of work is a loop of its own, because loads that straddle recent stores wait for them; the pairs of a
    student are prepared a turn before they are used, so that they stay in the nearest cache.
    """
    state, params = borrowed(state, 0, state.size), borrowed(params, 0, params.size)
    out, scratch = borrowed(out, 0, out.size), borrowed(scratch, 0, scratch.size)
    K, M, learns = int(params[0]), int(params[1]), params[2] != 0.0
    eta, eta_v, noise, batch = params[3], params[4], params[5], params[6]
    n = K + M
    wide = padded(n)
    bands_C, weights, s, others, students, pairs, places = layout(params)
    first_R, first_v = K * (K + 1) // 2, K * (K + 1) // 2 + K * M
    share, across = s + wide, s + 2 * wide
    gather(state, first_v, places, scratch)
    if learns:
        weigh(params, state, first_v, scratch)
    for at in range(0, padded(K), LANES):
        part = spread(1.0) / (spread(1.0) + load(scratch, bands_C + at))
        store(scratch, share + at, part)
        store(scratch, across + at, root(part))
    for i in range(K):
        tilt(i, n, s, others, bands_C, students + 6 * i * wide, scratch)
    for i in range(K):
        own = students + 6 * i * wide
        add_linear(i, n, s, own, -eta * (2.0 / pi) * scratch[s + i] * scratch[across + i], scratch)
        mine, its = borrowed(scratch, own + 5 * wide + K, M), borrowed(out, first_R + i * M, M)
        for m in range(M):
            its[m] = mine[m]
    for turn in range(K + 1):
        if turn < K:
            tilt_pairs(turn, n, s, others, students + 6 * turn * wide, pairs + 7 * (turn % 2) * K * wide, scratch)
        if turn > 0:
            i = turn - 1
            own, rows = students + 6 * i * wide, pairs + 7 * (i % 2) * K * wide
            scale = eta * eta / batch * (4.0 / (pi * pi)) * scratch[s + i] * scratch[across + i]
            for k in range(i + 1):
                angles = weighted_arcsines(scratch, bands_C, rows + 7 * k * wide, weights, n)
                square = scale * scratch[s + k] * scratch[own + 3 * wide + k] * (angles + 0.5 * pi * noise)
                linear = scratch[own + 5 * wide + k] + scratch[students + (6 * k + 5) * wide + i]
                out[i * (i + 1) // 2 + k] = linear + square
    if learns:
        for i in range(K):
            total = 0.0
            for f in range(n):
                angle = angle_of(scratch[bands_C + i], scratch[bands_C + f], scratch[i * wide + f])
                total += scratch[s + f] * angle
            out[first_v + i] = eta_v * (2.0 / pi) * total
