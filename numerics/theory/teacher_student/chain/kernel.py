"""The Markov chain of the overlaps, for eight replicas at once: the loop over updates.

Every number is eight, one for each replica. Units are rows of coordinates in an orthonormal frame that spans all of
them: teachers in the first M, which are fixed, and students in all K + M; of the students' own K coordinates only the
lower triangle is not zero. An input has independent normal coordinates, and outside of the frame only the products of
the inputs of a batch count, which are those of the rows of Bartlett's lower triangle: normal numbers beside a diagonal
of chi variables with N - K - M, N - K - M - 1, ... degrees of freedom.

An update adds multiples of the inputs to the students, and with them up to B coordinates outside of the frame. Givens
rotations turn the frame until the triangle is one again. Unlike Cholesky's method for the overlaps they divide by no
pivot and subtract no squares, so that equal units, units without weights and students that have learned all are
nothing special.

`state` is the students' coordinates, the teacher's first, then their own with room for B more; their v; a one where no
answer was hopeless; and the number of updates until then. `teachers` is the teachers' coordinates and then v*.
"""

# mypy: ignore-errors
# ruff: noqa: PLR0917

from math import sqrt

from numba import njit

from numerics.machine.activations.erf import value_and_slope
from numerics.machine.lanes import LANES, chosen, load, root, size, spread, store, within
from numerics.machine.lanes.functions import logarithm
from numerics.machine.lanes.normal import fill, from_one_to_two, pair, squared_radius, step

HOPELESS = 1e100  # for an answer
NOTHING = 1e-290  # a square that is none


@njit(cache=True)
def room_size(K, M, batch):
    """The scratch space: normal numbers, values and slopes, a batch's directions, its steps."""
    return LANES * (_draws(K, M, batch) + 2 * (K + M) + batch * (K + batch) + 2 * K * batch + 2)


@njit(cache=True, forceinline=True)
def _draws(K, M, batch):
    return batch * (K + M + 1) + batch * (batch - 1) // 2 + 1


@njit(cache=True, nogil=True)
def advance(state, teachers, stream, room, sizes, eta, eta_v, sigma, updates):
    """Take so many updates; `sizes` are K, M, N and B."""
    K, M, N, batch = sizes
    normal, units = K + M + 1, LANES * _draws(K, M, batch)
    directions = units + 2 * LANES * (K + M)
    steps = directions + LANES * batch * (K + batch)
    gains = steps + LANES * K * batch
    second = LANES * (K * M + K * (K + batch))
    share = spread(1.0 / N)
    for _ in range(updates):
        fill(stream, room, 0, LANES * (_draws(K, M, batch) - 1))
        alive = load(state, second + LANES * K)
        for s in range(batch):
            z = LANES * s * normal
            lacking = _lacking(state, teachers, room, z, units, K, M, batch, second, sigma)
            alive = chosen(size(lacking), spread(HOPELESS), alive, spread(0.0))
            for i in range(K):
                at = LANES * (s * K + i)
                value, slope = load(room, units + LANES * i), load(room, units + LANES * (K + M + i))
                store(room, gains + at, spread(eta_v / batch) * share * lacking * value)
                store(room, steps + at, spread(eta / batch) * share * lacking * slope * load(state, second + LANES * i))
        for i in range(K):
            for m in range(M):
                total = load(state, LANES * (i * M + m))
                for s in range(batch):
                    total += load(room, steps + LANES * (s * K + i)) * load(room, LANES * (s * normal + m))
                store(state, LANES * (i * M + m), total)
            v = load(state, second + LANES * i)
            for s in range(batch):
                v += load(room, gains + LANES * (s * K + i))
            store(state, second + LANES * i, v)
        store(state, second + LANES * K, alive)
        store(state, second + LANES * (K + 1), load(state, second + LANES * (K + 1)) + alive)
        _outside(stream, room, directions, K, M, N, batch)
        _retriangulated(state, room, LANES * K * M, directions, steps, K, batch)


@njit(cache=True, forceinline=True)
def _lacking(state, teachers, room, z, units, K, M, batch, second, sigma):
    """The teacher's answer with its noise less the student's; the units' values and slopes are left in the room."""
    wide, own = K + batch, LANES * K * M
    total = spread(sigma) * load(room, z + LANES * (K + M))
    for unit in range(K + M):
        field = spread(0.0)
        if unit < K:
            for m in range(M):
                field += load(state, LANES * (unit * M + m)) * load(room, z + LANES * m)
            for j in range(unit + 1):
                field += load(state, own + LANES * (unit * wide + j)) * load(room, z + LANES * (M + j))
        else:
            for m in range(unit - K + 1):
                field += spread(teachers[(unit - K) * M + m]) * load(room, z + LANES * m)
        value, slope = value_and_slope(field)
        if unit < K:
            total = total - load(state, second + LANES * unit) * value
        else:
            total += spread(teachers[M * M + unit - K]) * value
        store(room, units + LANES * unit, value)
        store(room, units + LANES * (K + M + unit), slope)
    return total


@njit(cache=True, forceinline=True)
def _outside(stream, room, directions, K, M, N, batch):
    """The rows of a batch's inputs: what is in the students' own coordinates, and Bartlett's triangle."""
    wide, free = K + batch, N - K - M
    beside = LANES * batch * (K + M + 1)
    for s in range(batch):
        row = directions + LANES * s * wide
        for j in range(K):
            store(room, row + LANES * j, load(room, LANES * (s * (K + M + 1) + M + j)))
        for t in range(batch):
            at = row + LANES * (K + t)
            store(room, at, spread(0.0))
            if t < s and t < free:
                store(room, at, load(room, beside))
                beside += LANES
            elif t == s and s < free:
                chi_squares(stream, free - s, room, at)
                store(room, at, root(load(room, at)))


@njit(cache=True)
def chi_squares(stream, freedom, out, at):
    """Write sums of so many squared normal numbers, by Marsaglia and Tsang's rejection.

    A replica that has its number draws no more, whatever the others need.
    """
    a, b, c, d = load(stream, 0), load(stream, LANES), load(stream, 2 * LANES), load(stream, 3 * LANES)
    shape = max(0.5 * freedom - 1.0 / 3.0, 0.25)
    result, pending = spread(0.0), spread(1.0)
    while not within(pending, spread(0.5)):
        first, a_1, b_1, c_1, d_1 = step(a, b, c, d)
        second, a_1, b_1, c_1, d_1 = step(a_1, b_1, c_1, d_1)
        third, a_1, b_1, c_1, d_1 = step(a_1, b_1, c_1, d_1)
        x, _ = pair(squared_radius(first), second)
        chance = logarithm(spread(2.0) - from_one_to_two(third))
        edge = spread(1.0) + spread(1.0 / (3.0 * sqrt(shape))) * x
        cube = edge * edge * edge
        safe = chosen(edge, spread(0.0), spread(1.0), cube)
        above = x * x * spread(0.5) + spread(shape) * (spread(1.0) - safe + logarithm(safe)) - chance
        above = chosen(edge, spread(0.0), spread(-1.0), above)
        found = cube * spread(2.0 * shape)
        if freedom == 1:
            above, found = spread(1.0), x * x
        a, b = chosen(pending, spread(0.5), a, a_1), chosen(pending, spread(0.5), b, b_1)
        c, d = chosen(pending, spread(0.5), c, c_1), chosen(pending, spread(0.5), d, d_1)
        accepted = chosen(above, spread(0.0), spread(0.0), pending)
        result = chosen(accepted, spread(0.5), result, found)
        pending = pending - accepted
    store(stream, 0, a)
    store(stream, LANES, b)
    store(stream, 2 * LANES, c)
    store(stream, 3 * LANES, d)
    store(out, at, result)


@njit(cache=True, forceinline=True)
def _retriangulated(state, room, own, directions, steps, K, batch):
    """Add steps times directions to the students' own coordinates, in a frame in which they are a triangle again.

    First the directions are turned into the first coordinates, one after the other, then the students back.
    """
    wide = K + batch
    for s in range(batch):
        for c in range(K + s, s, -1):
            row = directions + LANES * s * wide
            cosine, sine = _rotation(room, row + LANES * (c - 1))
            for t in range(s + 1, batch):
                _rotate(room, directions + LANES * (t * wide + c - 1), cosine, sine)
            for i in range(max(0, c - 1 - s), K):
                _rotate(state, own + LANES * (i * wide + c - 1), cosine, sine)
    for i in range(K):
        for j in range(batch):
            at = own + LANES * (i * wide + j)
            total = load(state, at)
            for s in range(j, batch):
                total += load(room, steps + LANES * (s * K + i)) * load(room, directions + LANES * (s * wide + j))
            store(state, at, total)
    for i in range(K):
        for c in range(i + batch, i, -1):
            cosine, sine = _rotation(state, own + LANES * (i * wide + c - 1))
            for k in range(i + 1, K):
                _rotate(state, own + LANES * (k * wide + c - 1), cosine, sine)


@njit(cache=True, forceinline=True)
def _rotation(values, at):
    """Turn two neighbours so that the second is zero; the cosine and the sine."""
    p, q = load(values, at), load(values, at + LANES)
    square = p * p + q * q
    length = root(square)
    inverse = spread(1.0) / length
    cosine = chosen(square, spread(NOTHING), spread(1.0), p * inverse)
    sine = chosen(square, spread(NOTHING), spread(0.0), q * inverse)
    store(values, at, chosen(square, spread(NOTHING), p, length))
    store(values, at + LANES, spread(0.0))
    return cosine, sine


@njit(cache=True, forceinline=True)
def _rotate(values, at, cosine, sine):
    p, q = load(values, at), load(values, at + LANES)
    store(values, at, cosine * p + sine * q)
    store(values, at + LANES, cosine * q - sine * p)
