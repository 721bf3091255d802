"""The flow of the order parameters for g(x) = erf(x/sqrt 2), as a kernel for `numerics.specialise`.

The K student fields and the M teacher fields are one list of n = K + M Gaussian fields with covariance C and weights s
(-v for students, v* for teachers), so that the error signal is the sum of s_f g(phi_f). The factor g' is a Gaussian
bell, and a bell only tilts the covariance:

- the bell of field i changes C into A = C - C_i C_i'/(1 + C_ii), and
  <g'(i) phi_b g(c)> = 2/pi (1 + C_ii)^(-1/2) A_bc (1 + A_cc)^(-1/2);
- the bell of field k changes A into S = A - A_k A_k'/(1 + A_kk), and with L = (1 + C_ii)(1 + A_kk)
  <g'(i) g'(k) g(c) g(d)> = 4/pi^2 L^(-1/2) asin(S_cd r_c r_d), r_c = (1 + S_cc)^(-1/2).

Every distinct average is computed once. The pairs (c, d) are walked in bands: band j holds the pairs (c, c + j),
counted around the end, for j up to n/2. A band is a few whole vector registers, and its second factor is the first
one, shifted.

params: K, M, whether v learns, eta, eta_v, sigma^2, B, then T (rows of the lower triangle), v*, v.
state: Q (rows of the lower triangle), R (rows), and v where it learns.
"""

# mypy: ignore-errors
# ruff: noqa: PLR0915

from math import asin, pi, sqrt

from numba import njit

from numerics.lanes import LANES, chosen, folded, load, power_series, root, signed, size, spread, store, within

HEADER = 7  # params in front of T
REACH = 0.6  # where the polynomial of the arcsine ends
# (asin(x) - x)/x^3 in powers of x^2: interpolates at 16 Chebyshev nodes, relative error of asin(x) 2e-18
ARCSINE = (
    0.16666666666666666,
    0.07500000000000447,
    0.04464285714180721,
    0.0303819445418474,
    0.022372154360217358,
    0.01735290287246923,
    0.013962194979817254,
    0.01158664109719755,
    0.009436534916087744,
    0.010580092820736521,
    -0.0034021086389278287,
    0.04431929386472847,
    -0.08902214376946843,
    0.16587018056993574,
    -0.16406423907746345,
    0.09119276893949814,
)


@njit(cache=True, inline="always")
def padded(length):
    """The next multiple of LANES."""
    return (length + LANES - 1) // LANES * LANES


@njit(cache=True)
def layout(params):
    """Where the parts of the work space begin, after C: bands of C, of A, of weights; rows; cyclic rows; the end."""
    K = int(params[0])
    n = K + int(params[1])
    wide, bands = padded(n), n // 2 + 1
    bands_A = n * wide + bands * wide
    weights = bands_A + K * bands * wide
    rows = weights + bands * wide
    cyclic = rows + 5 * wide
    end = cyclic + (2 + 3 * K * (K + 1) // 2) * 2 * wide
    return n * wide, bands_A, weights, rows, cyclic, end


@njit(cache=True)
def scratch_size(params):
    """How many doubles `rates` wants to work in."""
    return layout(params)[5]


@njit(cache=True)
def prepare(params, scratch):
    """Write into the work space what stays the same during a run: the teacher's covariance and fixed weights."""
    K, M = int(params[0]), int(params[1])
    wide = padded(K + M)
    scratch[:] = 0.0
    at = HEADER
    for m in range(M):
        for l in range(m + 1):
            scratch[(K + m) * wide + K + l] = scratch[(K + l) * wide + K + m] = params[at + l]
        at += m + 1
    weigh(params, params[at + M : at + M + K], scratch)


@njit(cache=True)
def weigh(params, v, scratch):
    """Write the weights s of the fields, and those of all pairs: s_c s_d, twice where c and d differ."""
    K, M = int(params[0]), int(params[1])
    n = K + M
    wide = padded(n)
    _, _, first, rows, _, _ = layout(params)
    s, weights = scratch[rows:], scratch[first:]
    for i in range(K):
        s[i] = -v[i]
    for m in range(M):
        s[K + m] = params[HEADER + M * (M + 1) // 2 + m]
    for j in range(n // 2 + 1):
        times = 1.0 if 2 * j in (0, n) else 2.0  # the middle band of an even number of fields holds its pairs twice
        for c in range(n):
            d = c + j if c + j < n else c + j - n
            weights[j * wide + c] = times * s[c] * s[d]


@njit(cache=True)
def gather(params, state, scratch):
    """Write the state into the covariance C of all fields, its diagonal and its bands."""
    K, M = int(params[0]), int(params[1])
    n = K + M
    wide = padded(n)
    first, _, _, rows, _, _ = layout(params)
    C, bands, diagonal = scratch, scratch[first:], scratch[rows + wide :]
    at = 0
    for i in range(K):
        for k in range(i + 1):
            C[i * wide + k] = C[k * wide + i] = state[at + k]
        at += i + 1
    for i in range(K):
        for m in range(M):
            C[i * wide + K + m] = C[(K + m) * wide + i] = state[at + m]
        at += M
    for f in range(n):
        diagonal[f] = C[f * wide + f]
    for j in range(n // 2 + 1):
        band = bands[j * wide :]
        for c in range(n - j):
            band[c] = C[c * wide + c + j]
        for c in range(n - j, n):
            band[c] = C[c * wide + c + j - n]


@njit(cache=True, inline="always")
def repeat(array, n):
    """Write the first n numbers again behind themselves, so that a shift around the end is a plain load."""
    for at in range(0, padded(n), LANES):
        store(array, n + at, load(array, at))


@njit(cache=True)
def weighted_arcsines(A, first, b, r, weights, n):  # noqa: PLR0917
    """The sum over all pairs of weight times asin((A_cd - b_c b_d) r_c r_d), an argument below 1 in size."""
    wide = padded(n)
    total, reach = spread(0.0), spread(REACH)
    for j in range(n // 2 + 1):
        for at in range(0, wide, LANES):
            left = load(A, j * wide + at) - load(first, at) * load(b, at + j)
            value = left * (load(r, at) * load(r, at + j))
            width = size(value)
            if within(width, reach):
                square = value * value
                angle = value + value * square * power_series(ARCSINE, square)
            else:  # asin(x) = pi/2 - 2 asin(sqrt((1 - x)/2))
                far = root(size(spread(0.5) - spread(0.5) * width))
                half = chosen(width, reach, width, far)
                square = half * half
                angle = half + half * square * power_series(ARCSINE, square)
                angle = signed(chosen(width, reach, angle, spread(0.5 * pi) - (angle + angle)), value)
            total += load(weights, j * wide + at) * angle
    return folded(total)


@njit(cache=True)
def rates(t, state, params, out, scratch):
    """Write the rates of Q, R and (where it learns) v into `out`."""
    K, M, learns = int(params[0]), int(params[1]), params[2] != 0.0
    eta, eta_v, noise, batch = params[3], params[4], params[5], params[6]
    n = K + M
    wide, bands = padded(n), n // 2 + 1
    first_C, first_A, first_weights, rows, cyclic, _ = layout(params)
    C, weights = scratch, scratch[first_weights:]
    s, diagonal, tilted, linear = (
        scratch[rows:],
        scratch[rows + wide :],
        scratch[rows + 2 * wide :],
        scratch[rows + 3 * wide :],
    )
    row = scratch[rows + 4 * wide :]
    a, r = scratch[cyclic:], scratch[cyclic + 2 * wide :]
    first_R, first_v = K * (K + 1) // 2, K * (K + 1) // 2 + K * M
    gather(params, state, scratch)
    if learns:
        weigh(params, state[first_v:], scratch)
    out[:first_v] = 0.0
    one = spread(1.0)
    for i in range(K):
        v_i, across = -s[i], 1.0 / sqrt(1.0 + diagonal[i])
        along = spread(0.0)
        for at in range(0, wide, LANES):
            part = spread(across) * load(C, i * wide + at)
            left = load(diagonal, at) - part * part
            weight = load(s, at) / root(one + left)
            store(row, at, part)
            store(a, at, part)
            store(tilted, at, left)
            store(r, at, weight)
            along += part * weight
        repeat(a, n)
        parallel = folded(along)
        for at in range(0, wide, LANES):
            total = spread(-parallel) * load(row, at)
            for c in range(n):
                total += spread(r[c]) * load(C, c * wide + at)
            store(linear, at, total)
        scale = eta * v_i * (2.0 / pi) * across
        for m in range(M):
            out[first_R + i * M + m] = scale * linear[K + m]
        for k in range(i):
            out[i * (i + 1) // 2 + k] += scale * linear[k]
        out[i * (i + 1) // 2 + i] += 2.0 * scale * linear[i]
        for k in range(i + 1, K):
            out[k * (k + 1) // 2 + i] += scale * linear[k]
        A = scratch[first_A + i * bands * wide :]
        for j in range(bands):
            for at in range(0, wide, LANES):
                entry = j * wide + at
                store(A, entry, load(C, first_C + entry) - load(row, at) * load(a, at + j))
        scale = eta * eta / batch * (4.0 / (pi * pi)) * v_i * across
        for k in range(i + 1):
            slot = cyclic + (2 + 3 * (i * (i + 1) // 2 + k)) * 2 * wide
            bell, b, q = scratch[slot:], scratch[slot + 2 * wide :], scratch[slot + 4 * wide :]
            across_k = 1.0 / sqrt(1.0 + tilted[k])
            for at in range(0, wide, LANES):
                part = spread(across_k) * (load(C, k * wide + at) - spread(a[k]) * load(row, at))
                store(bell, at, part)
                store(b, at, part)
                store(q, at, one / root(one + load(tilted, at) - part * part))
            repeat(b, n)
            repeat(q, n)
            bell[wide] = -scale * s[k] * across_k
        if learns:
            total_v = 0.0
            for f in range(n):
                total_v += s[f] * asin(C[i * wide + f] / sqrt((1.0 + diagonal[i]) * (1.0 + diagonal[f])))
            out[first_v + i] = eta_v * (2.0 / pi) * total_v
    for i in range(K):  # a loop of its own, because loads that straddle recent stores wait for them
        A = scratch[first_A + i * bands * wide :]
        for k in range(i + 1):
            pair = i * (i + 1) // 2 + k
            slot = cyclic + (2 + 3 * pair) * 2 * wide
            bell, b, q = scratch[slot:], scratch[slot + 2 * wide :], scratch[slot + 4 * wide :]
            out[pair] += bell[wide] * (weighted_arcsines(A, bell, b, q, weights, n) + 0.5 * pi * noise)
