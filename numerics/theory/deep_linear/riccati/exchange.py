"""QQ' from every start at every time, as a kernel for `numerics.machine.specialise`.

In the modes of F, with frequencies f and the start's components Y, the flow has the exact solution

    QQ' = g^2 Gamma + D Y (I + Y' Gamma Y)^-1 Y' D,    Gamma = gamma^2,

where g is the geometric mean of the two levels of the start. Balanced starts have g = 0, D = exp(f t) and
Gamma = (exp(2 f t) - 1)/(2 f); what they are in general stands in `riccati.growth`.

The matrix to invert is A'A for A = [gamma Y; I], whose rows may differ by factors of exp(10^6). The algorithm looks for
r rows of A in which no other row has a coordinate above `LARGEST`: it starts from the rows of I and exchanges the
largest coordinate into the basis as long as it is too large, which is Gauss-Jordan elimination with complete pivoting.
With the coordinates K of the rows that stay outside,

    QQ' = g^2 Gamma + h B (I + K'K)^-1 B' h,    h = D/gamma,

where the rows of B are unit vectors for modes inside the basis and rows of K for those outside. I + K'K is well
conditioned whatever the start is, h never overflows, and the product is symmetric and positive semidefinite.

An exchange commutes with multiplying rows or columns by powers of two. So the table holds K with the exponents of its
rows and columns beside it: nothing overflows however long the time is, and exponents cost no rounding.

One start at one time works in one flat array. A table has rows of `wide` doubles, a multiple of LANES, zero at the end.
"""

# mypy: ignore-errors
# ruff: noqa: PLR0917

from math import expm1, hypot, sqrt

import numpy as np
from numba import njit

from numerics.machine.lanes import LANES, borrowed, chosen, load, size, spread, store
from numerics.machine.lanes.pieces import claim
from numerics.theory.deep_linear.riccati.growth import floor_of, growth

STATE, FACTOR, DISTANCE = 0, 1, 2  # what `solutions` is asked for
LARGEST = 2.0  # a coordinate above it is exchanged into the basis
FARTHEST = 1000  # exponents further apart than this are as good as infinitely far apart


@njit(cache=True, inline="always")
def padded(length):
    """The next multiple of LANES."""
    return (length + LANES - 1) // LANES * LANES


@njit(cache=True, inline="always")
def two_to(exponent):
    """A power of two; zero and very large where it would leave the normal numbers."""
    if exponent < -1021:
        return 0.0
    return np.int64(min(exponent, 1023) + 1023 << 52).view(np.float64)


# --- products of small matrices in flat arrays ------------------------------------------------------------------------


@njit(cache=True)
def eight_rows(out, to, step, left, l0, l_row, l_term, right, r0, r_term, columns, terms):
    """Eight rows of left right, for columns in whole registers."""
    for j in range(0, columns, LANES):
        a = b = c = d = e = f = g = h = spread(0.0)
        i, at = l0, r0 + j
        for _ in range(terms):
            x = load(right, at)
            a += spread(left[i]) * x
            b += spread(left[i + l_row]) * x
            c += spread(left[i + 2 * l_row]) * x
            d += spread(left[i + 3 * l_row]) * x
            e += spread(left[i + 4 * l_row]) * x
            f += spread(left[i + 5 * l_row]) * x
            g += spread(left[i + 6 * l_row]) * x
            h += spread(left[i + 7 * l_row]) * x
            i += l_term
            at += r_term
        store(out, to + j, a)
        store(out, to + j + step, b)
        store(out, to + j + 2 * step, c)
        store(out, to + j + 3 * step, d)
        store(out, to + j + 4 * step, e)
        store(out, to + j + 5 * step, f)
        store(out, to + j + 6 * step, g)
        store(out, to + j + 7 * step, h)


@njit(cache=True)
def one_row(out, to, left, l0, l_term, right, r0, r_term, columns, terms):
    """One row of left right, for columns in whole registers."""
    for j in range(0, columns, LANES):
        a = spread(0.0)
        i, at = l0, r0 + j
        for _ in range(terms):
            a += spread(left[i]) * load(right, at)
            i += l_term
            at += r_term
        store(out, to + j, a)


@njit(cache=True)
def product(out, to, step, left, l0, l_row, l_term, right, r0, r_term, rows, columns, terms):
    """left right into rows that are `step` apart; entry (i, k) of left is at l0 + i l_row + k l_term."""
    i = 0
    while i + 8 <= rows:
        eight_rows(out, to + i * step, step, left, l0 + i * l_row, l_row, l_term, right, r0, r_term, columns, terms)
        i += 8
    while i < rows:
        one_row(out, to + i * step, left, l0 + i * l_row, l_term, right, r0, r_term, columns, terms)
        i += 1


@njit(cache=True)
def gram(out, to, step, table, t0, t_term, side, terms):
    """The entries on and right of the diagonal of T'T; those left of it are whatever comes out of whole registers."""
    i = 0
    while i < side:
        columns = padded(side - i)
        rows = min(8, side - i)
        product(out, to + i * step + i, step, table, t0 + i, 1, t_term, table, t0 + i, t_term, rows, columns, terms)
        i += 8


# --- the exchange -----------------------------------------------------------------------------------------------------


@njit(cache=True)
def largest_in(table, at, wide, weights, best):
    """The largest of |entry| weight in a row."""
    top = spread(0.0)
    for j in range(0, wide, LANES):
        value = size(load(table, at + j)) * load(weights, j)
        top = chosen(value, top, top, value)
    store(best, 0, top)
    result = 0.0
    for lane in range(LANES):
        result = max(result, best[lane])
    return result


@njit(cache=True)
def eliminate(table, at, wide, pivot_row, factor, weights, best):
    """Subtract factor times the pivot row from a row, and return the largest of |entry| weight in it."""
    times, top = spread(-factor), spread(0.0)
    for j in range(0, wide, LANES):
        entry = load(table, at + j) + times * load(pivot_row, j)
        store(table, at + j, entry)
        value = size(entry) * load(weights, j)
        top = chosen(value, top, top, value)
    store(best, 0, top)
    result = 0.0
    for lane in range(LANES):
        result = max(result, best[lane])
    return result


@njit(cache=True)
def weigh(column_exponents, weights, r):
    """Weights 2^-exponent of the columns, relative to the lowest exponent, which is returned."""
    lowest = column_exponents[0]
    for q in range(1, r):
        lowest = min(lowest, column_exponents[q])
    for q in range(r):
        weights[q] = two_to(lowest - column_exponents[q])
    return lowest


@njit(cache=True)
def highest_row(tops, exponents, m):
    """The row with the largest top 2^exponent."""
    best = 0
    for k in range(1, m):
        if tops[k] == 0.0:
            continue
        ahead = max(-FARTHEST, min(FARTHEST, exponents[k] - exponents[best]))
        if tops[best] == 0.0 or tops[k] * two_to(ahead) > tops[best]:
            best = k
    return best


@njit(cache=True)
def exchange(table, m, r, wide, exponents, inside, outside, column_exponents, weights, pivot_row, tops, best):
    """Exchange rows into the basis until no coordinate is above LARGEST.

    On return `inside[q]` and `outside[k]` say which rows of A column q and row k of the table belong to: below m the
    modes, and from m on the rows of the identity.
    """
    for q in range(r):
        column_exponents[q] = 0
        inside[q] = m + q
    for k in range(m):
        outside[k] = k
    lowest = weigh(column_exponents, weights, r)
    for k in range(m):
        tops[k] = largest_in(table, k * wide, wide, weights, best)
    for _ in range(8 * (m + r)):
        k = highest_row(tops, exponents, m)
        ahead = max(-FARTHEST, min(FARTHEST, exponents[k] - lowest))
        if tops[k] * two_to(ahead) <= LARGEST:
            return
        row = borrowed(table, k * wide, wide)
        q, top = 0, 0.0
        for p in range(r):
            if abs(row[p]) * weights[p] > top:
                q, top = p, abs(row[p]) * weights[p]
        pivot = row[q]
        exponents[k], column_exponents[q] = column_exponents[q], exponents[k]
        inside[q], outside[k] = outside[k], inside[q]
        lowest = weigh(column_exponents, weights, r)
        for p in range(wide):
            pivot_row[p] = row[p] / pivot
            row[p] = -pivot_row[p]
        pivot_row[q], row[q] = 0.0, 1.0 / pivot
        for other in range(m):
            if other == k:
                tops[other] = largest_in(table, other * wide, wide, weights, best)
                continue
            entry = table[other * wide + q]
            tops[other] = eliminate(table, other * wide, wide, pivot_row, entry, weights, best)
            table[other * wide + q] = entry / pivot
            tops[other] = max(tops[other], abs(entry / pivot) * weights[q])


@njit(cache=True)
def unscale(table, m, r, wide, exponents, column_exponents):
    """Multiply the exponents back in."""
    for k in range(m):
        row = borrowed(table, k * wide, wide)
        for q in range(r):
            row[q] *= two_to(exponents[k] - column_exponents[q])


# --- Cholesky ---------------------------------------------------------------------------------------------------------


@njit(cache=True)
def factor_and_invert(G, inverse, r, wide):
    """From the right upper part of G = R'R, the inverse of R."""
    for j in range(r):
        first = j // LANES * LANES
        top = 1.0 / sqrt(G[j * wide + j])
        for p in range(first, wide, LANES):
            store(G, j * wide + p, load(G, j * wide + p) * spread(top))
        for i in range(j + 1, r):
            times = spread(-G[j * wide + i])
            for p in range(i // LANES * LANES, wide, LANES):
                store(G, i * wide + p, load(G, i * wide + p) + times * load(G, j * wide + p))
    for i in range(r - 1, -1, -1):
        first = i // LANES * LANES
        scale = spread(1.0 / G[i * wide + i])
        for p in range(wide):
            inverse[i * wide + p] = 0.0
        inverse[i * wide + i] = 1.0
        for p in range(first, wide, LANES):
            total = load(inverse, i * wide + p)
            for k in range(i + 1, r):
                total += spread(-G[i * wide + k]) * load(inverse, k * wide + p)
            store(inverse, i * wide + p, total * scale)


# --- one start at one time --------------------------------------------------------------------------------------------


@njit(cache=True)
def fill_table(table, exponents, h, frequencies, levels, excesses, components, time, wide):
    """gamma Y as a table with exponents, and h."""
    m, r = components.shape
    for k in range(m):
        gamma, exponents[k], h[k] = growth(frequencies[k], levels, excesses[k], time)
        row = borrowed(table, k * wide, wide)
        for q in range(r):
            row[q] = gamma * components[k, q]
        for q in range(r, wide):
            row[q] = 0.0


@njit(cache=True)
def spanning_rows(X, table, inverse, inside, outside, m, r, wide):
    """B R^-1 in the order of the modes: rows of R^-1 for modes inside the basis, K R^-1 for those outside."""
    for q in range(r):
        if inside[q] < m:
            for at in range(0, wide, LANES):
                store(X, inside[q] * wide + at, load(inverse, q * wide + at))
    k = 0
    while k < m:
        if outside[k] < m:
            one_row(X, outside[k] * wide, table, k * wide, 1, inverse, 0, wide, wide, r)
        k += 1


@njit(cache=True)
def into_singular_vectors(out, X, h, cosines, sines, inputs, m, wide):
    """From coordinates in the modes, times h, to those in the right singular vectors and then the left ones."""
    n = cosines.size
    for k in range(n):
        c, s = spread(cosines[k]), spread(sines[k])
        a, b = spread(h[k]), spread(h[n + k])
        for p in range(0, wide, LANES):
            growing, decaying = a * load(X, k * wide + p), b * load(X, (n + k) * wide + p)
            store(out, k * wide + p, c * growing + s * decaying)
            store(out, (inputs + k) * wide + p, s * growing - c * decaying)
    for k in range(2 * n, m):
        to = k - n if k < n + inputs else k
        for p in range(0, wide, LANES):
            store(out, to * wide + p, spread(h[k]) * load(X, k * wide + p))


@njit(cache=True)
def floor_in_units(Z, to, long, network, time):
    """One row for each mode, which together add g^2 Gamma to Z'Z."""
    frequencies, (mean, _), _, _, right, left, cosines, sines = network
    n, inputs, outputs = cosines.size, right.shape[0], left.shape[0]
    for k in range(frequencies.size):
        size = sqrt(floor_of(frequencies[k], mean, time)[0])
        row = borrowed(Z, to + k * long, long)
        row[:] = 0.0
        on_right = on_left = 0
        a, b = 0.0, 0.0
        if k < n:
            on_right, on_left, a, b = k, k, size * cosines[k], size * sines[k]
        elif k < 2 * n:
            on_right, on_left, a, b = k - n, k - n, size * sines[k - n], -size * cosines[k - n]
        elif k < n + inputs:
            on_right, a = k - n, size
        else:
            on_left, b = k - inputs, size
        for i in range(inputs):
            row[i] = a * right[on_right, i]
        for i in range(outputs):
            row[inputs + i] = b * left[on_left, i]


@njit(cache=True)
def square(out, Z, long, into, m, r):
    """Z'Z, exactly symmetric."""
    gram(into, 0, long, Z, 0, long, m, r)
    for i in range(m):
        for j in range(i, m):
            out[i, j] = out[j, i] = into[i * long + j]


@njit(cache=True)
def lengths(m, r):
    """Doubles in a row of a table, and in a row of the results before they are handed out."""
    return padded(r), padded(m) + 2 * LANES


@njit(cache=True)
def work(m, r, more):
    """How many doubles and integers one start at one time works in, with `more` rows for the floor between levels."""
    wide, long = lengths(m, r)
    return LANES + 2 * wide + 2 * m + 2 * m * wide + 2 * r * wide + LANES + (m + r + more) * long + LANES, 2 * m + 2 * r


@njit(cache=True)
def divided(numbers, counts, m, r):
    """The work spaces by name: h, table, X, G, inverse, space, and inside, outside, exponents of rows and columns."""
    wide, _ = lengths(m, r)
    at = LANES + 2 * wide + m
    h, at = borrowed(numbers, at, m), at + m
    table, at = borrowed(numbers, at, m * wide), at + m * wide
    X, at = borrowed(numbers, at, m * wide), at + m * wide
    G, at = borrowed(numbers, at, r * wide + LANES), at + r * wide + LANES
    inverse, at = borrowed(numbers, at, r * wide), at + r * wide
    space = borrowed(numbers, at, numbers.size - at)
    inside, outside = counts[:r], counts[r : r + m]
    return h, table, X, G, inverse, space, inside, outside, counts[r + m : r + 2 * m], counts[r + 2 * m :]


@njit(cache=True)
def solve(numbers, counts, frequencies, levels, excesses, components, time):
    """At a positive time: h, K in `table`, R^-1 in `inverse` where R'R = I + K'K, and X = B R^-1."""
    m, r = components.shape
    wide, _ = lengths(m, r)
    h, table, X, G, inverse, _, inside, outside, exponents, column_exponents = divided(numbers, counts, m, r)
    best, weights = borrowed(numbers, 0, LANES), borrowed(numbers, LANES, wide)
    pivot_row, tops = borrowed(numbers, LANES + wide, wide), borrowed(numbers, LANES + 2 * wide, m)
    fill_table(table, exponents, h, frequencies, levels, excesses, components, time, wide)
    exchange(table, m, r, wide, exponents, inside, outside, column_exponents, weights, pivot_row, tops, best)
    unscale(table, m, r, wide, exponents, column_exponents)
    gram(G, 0, wide, table, 0, wide, r, m)
    for q in range(r):
        G[q * wide + q] += 1.0
    factor_and_invert(G, inverse, r, wide)
    spanning_rows(X, table, inverse, inside, outside, m, r, wide)


@njit(cache=True)
def factor(numbers, counts, network, time):
    """Z' with Z Z' = QQ' at one time, one row of the network's units for each column of the start's components.

    Between two levels there is one more row for each mode.
    """
    frequencies, levels, excesses, components, right, left, cosines, sines = network
    m, r = components.shape
    inputs = right.shape[0]
    wide, long = lengths(m, r)
    h, table, X, _, _, Z, _, _, _, _ = divided(numbers, counts, m, r)
    if time > 0.0:
        solve(numbers, counts, frequencies, levels, excesses, components, time)
    else:
        for k in range(m):
            h[k] = 1.0
            for q in range(wide):
                X[k * wide + q] = components[k, q] if q < r else 0.0
    into_singular_vectors(table, X, h, cosines, sines, inputs, m, wide)
    i_wide, o_wide, at = right.shape[1], left.shape[1], inputs * wide
    product(Z, 0, long, table, 0, 1, wide, right.reshape(right.size), 0, i_wide, r, i_wide, inputs)
    product(Z, inputs, long, table, at, 1, wide, left.reshape(left.size), 0, o_wide, r, o_wide, m - inputs)
    if levels[0] > 0.0:
        floor_in_units(Z, r * long, long, network, time)
    return Z


# --- the distance to the task -----------------------------------------------------------------------------------------


@njit(cache=True)
def mirrored(G, wide, side):
    """Copy what is right of the diagonal to its left."""
    for i in range(side):
        for j in range(i):
            G[i * wide + j] = G[j * wide + i]


@njit(cache=True)
def distance_in_modes(numbers, counts, frequencies, levels, excesses, components, time, D):
    """Into D, F + R - QQ' in the modes, with R the root of F^2 + g^2; no large numbers cancel.

    For g = 0 it is 2 F_+ - QQ', where F_+ keeps the growing modes only. R has no block between inputs and outputs.
    With P = B (I + K'K)^-1 B', the entry of a mode inside the basis is h^2 (1 - P) - 2 R/(exp(2 R t) - 1), and
    1 - P is an entry of (I + K'K)^-1 K'K, which is as small as K is.
    """
    m, r = components.shape
    wide, long = lengths(m, r)
    h, table, X, G, inverse, space, inside, _, _, _ = divided(numbers, counts, m, r)
    solve(numbers, counts, frequencies, levels, excesses, components, time)
    mean = levels[0]
    for k in range(m):
        for q in range(r):
            space[q * long + k] = X[k * wide + q]
    square(D, space, long, borrowed(space, r * long, space.size - r * long), m, r)
    for k in range(m):
        for l in range(m):
            D[k, l] *= -h[k] * h[l]
        D[k, k] += floor_of(frequencies[k], mean, time)[1]
    gram(G, 0, wide, table, 0, wide, r, m)
    mirrored(G, wide, r)
    product(table, 0, wide, inverse, 0, 1, wide, G, 0, wide, r, wide, r)
    product(G, 0, wide, inverse, 0, wide, 1, table, 0, wide, r, wide, r)
    for p in range(r):
        k = inside[p]
        if k >= m:
            continue
        for q in range(r):
            if inside[q] < m:
                D[k, inside[q]] = h[k] * G[p * wide + q] * h[inside[q]]
        if mean > 0.0:
            R = hypot(frequencies[k], mean)
            D[k, k] -= 2.0 * R / expm1(2.0 * R * time)
        elif frequencies[k] > 0.0:
            gamma, exponent, _ = growth(frequencies[k], levels, excesses[k], time)
            D[k, k] -= two_to(-2 * exponent) / gamma / gamma
        else:
            D[k, k] -= h[k] * h[k]


@njit(cache=True)
def distance(D, cosines, sines, inputs, m):
    """The sum of squares of Sigma - W2 W1, from F + R - QQ' in the modes: its lower left block in singular vectors."""
    n = cosines.size
    total = 0.0
    for i in range(m - inputs):
        for j in range(inputs):
            if i < n:
                a, b, k, l = sines[i], -cosines[i], i, n + i
            else:
                a, b, k, l = 1.0, 0.0, inputs + i, inputs + i
            if j < n:
                entry = cosines[j] * (a * D[k, j] + b * D[l, j]) + sines[j] * (a * D[k, n + j] + b * D[l, n + j])
            else:
                entry = a * D[k, n + j] + b * D[l, n + j]
            total += entry * entry
    return total


@njit(cache=True, nogil=True)
def solutions(counter, what, out, frequencies, means, halves, excesses, components, right, left, cosines, sines, times):
    """STATE, FACTOR or DISTANCE of every network (first axis) at every time, as rows of `out` (networks, times, ...).

    What one thread does: one network at one time after the other, as long as some are left; `counter` is an array with
    one zero, which the threads share. Times are in units of tau; singular vectors are transposed and padded. Where any
    of the geometric means of levels is not zero, factors have m more columns. One entry for all three, because the
    compiler works through everything below for each entry.
    """
    networks, many = out.shape[0], times.size
    m, r = components.shape[1:]
    more = 0
    for mean in means:
        if mean > 0.0:
            more = m
    terms = r + more
    doubles, integers = work(m, r, more)
    inputs, long = right.shape[1], lengths(m, r)[1]
    numbers, counts, square_of = np.zeros(doubles), np.zeros(integers, dtype=np.int64), np.zeros((m, m))
    task = claim(counter)
    while task < networks * many:
        k, at = task // many, task % many
        levels = (means[k], halves[k])
        network = (frequencies[k], levels, excesses[k], components[k], right[k], left[k], cosines[k], sines[k])
        if what == DISTANCE:
            distance_in_modes(numbers, counts, *network[:4], times[at], square_of)
            out[k, at, 0] = distance(square_of, cosines[k], sines[k], inputs, m)
        else:
            Z = factor(numbers, counts, network, times[at])
            if what == STATE:
                square(out[k, at].reshape(m, m), Z, long, borrowed(Z, terms * long, Z.size - terms * long), m, terms)
            else:
                for i in range(m):
                    for q in range(terms):
                        out[k, at, i * terms + q] = Z[q * long + i]
        task = claim(counter)
