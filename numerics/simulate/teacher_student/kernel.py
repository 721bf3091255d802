"""Online gradient descent of one two-layer network that learns from another: the loop over updates.

Rows of `weights` are the students' and then the teachers', each of `row` doubles, with zeros behind the `inputs` that
count and rows of zeros up to a multiple of TILE. `signs` are -v of the students and then v* of the teachers, with zeros
up to a multiple of LANES; so the sum of signs times activations is what the student lacks. `room` is scratch space.
`sizes` are the numbers of students, of all units, of inputs, and of inputs in a batch.
"""

# mypy: ignore-errors
# ruff: noqa: PLR0917

from math import sqrt

from numba import njit

from numerics.machine.activations.erf import value_and_slope
from numerics.machine.lanes import LANES, folded, load, spread, store
from numerics.machine.lanes.normal import fill

TILE = 4
HOPELESS = 1e100  # for an answer, whose square is still a number


@njit(cache=True)
def row_size(inputs):
    """The doubles of a row: the inputs, the noise of an answer, and zeros."""
    return (inputs // (2 * LANES) + 1) * 2 * LANES


@njit(cache=True)
def lanes_of(units):
    """The doubles that one number for each unit takes, with zeros."""
    return (units + LANES - 1) // LANES * LANES


@njit(cache=True)
def room_size(units, inputs, batch):
    """The scratch space: this batch and the one before, and the values and slopes of the units for each input."""
    return 2 * batch * (row_size(inputs) + lanes_of(units))


@njit(cache=True, nogil=True)
def learn(weights, signs, stream, room, sizes, eta, eta_v, sigma, updates):
    """Take so many updates; return the number of those before the student's answers became hopeless.

    The students' weights are read once an update: each piece takes the step of the batch before and is multiplied with
    the first input of this one. Students and teachers take turns in being read first, so that those that were read last
    are still in the cache. A step is the sum of a batch's inputs times numbers that are left where slopes were.
    """
    students, units, inputs, batch = sizes
    row, wide = row_size(inputs), lanes_of(units)
    values, slopes = 2 * batch * row, 2 * batch * row + batch * wide
    learners = (students + TILE - 1) // TILE * TILE
    room[:] = 0.0
    for update in range(updates):
        before, now = (update + 1) % 2 * batch * row, update % 2 * batch * row
        _draw(stream, room, now, row, batch)
        for sample in range(batch):
            x, value, slope = now + sample * row, values + sample * wide, slopes + sample * wide
            noise = _without_noise(room, x, inputs, row)
            first = learners if sample == 0 else 0
            if update % 2 == 0:
                _products(weights, room, first, units, row, x, value)
            if sample == 0:
                _step(weights, room, sizes, before, x, value)
            if update % 2 == 1:
                _products(weights, room, first, units, row, x, value)
            lacking = sigma * noise + _lacking(signs, room, wide, inputs, value, slope)
            if not abs(lacking) <= HOPELESS:
                return update
            for unit in range(students):
                room[value + unit] *= eta_v * lacking / (batch * inputs)
                room[slope + unit] *= -signs[unit] * eta * lacking / (batch * sqrt(inputs))
            room[slope + students : slope + wide] = 0.0
        for sample in range(batch):
            for unit in range(students):
                signs[unit] -= room[values + sample * wide + unit]
    _step(weights, room, sizes, (updates + 1) % 2 * batch * row, 0, values)
    return updates


@njit(cache=True, nogil=True)
def error(weights, signs, stream, room, sizes, tests):
    """Half the mean square of what the student lacks, without noise, for inputs from a stream that starts here."""
    _, units, inputs, batch = sizes
    values = 2 * batch * row_size(inputs)
    total = 0.0
    for _ in range(tests):
        total += _test(weights, signs, stream, room, units, inputs, values) ** 2
    return total / (2 * tests)


@njit(cache=True, nogil=True)
def steepness(weights, signs, stream, room, sizes, tests):
    """The mean of the sum over students of (v g')^2: what an input's own answer gains for a rate of one."""
    students, units, inputs, batch = sizes
    values = 2 * batch * row_size(inputs)
    total = 0.0
    for _ in range(tests):
        _test(weights, signs, stream, room, units, inputs, values)
        for unit in range(students):
            total += (signs[unit] * room[values + lanes_of(units) + unit]) ** 2
    return total / tests


@njit(cache=True, nogil=True)
def overlaps(weights, sizes, out):
    """Products of every student with every unit, for each input."""
    students, units, inputs, _ = sizes
    row = row_size(inputs)
    for student in range(students):
        for unit in range(units):
            total = spread(0.0)
            for at in range(0, row, LANES):
                total += load(weights, student * row + at) * load(weights, unit * row + at)
            out[student, unit] = folded(total) / inputs


@njit(cache=True)
def _test(weights, signs, stream, room, units, inputs, values):
    """Return what the student lacks for one more input; values and slopes are left in the room."""
    row, wide = row_size(inputs), lanes_of(units)
    _draw(stream, room, 0, row, 1)
    _without_noise(room, 0, inputs, row)
    room[values : values + wide] = 0.0
    _products(weights, room, 0, units, row, 0, values)
    return _lacking(signs, room, wide, inputs, values, values + wide)


@njit(cache=True)
def _draw(stream, room, begin, row, batch):
    """A batch of inputs; the number behind each is for the noise of its answer."""
    for sample in range(batch):
        fill(stream, room, begin + sample * row, row)


@njit(cache=True)
def _without_noise(room, x, inputs, row):
    """Take the noise out of what was drawn."""
    noise = room[x + inputs]
    room[x + inputs : x + row] = 0.0
    return noise


@njit(cache=True)
def _lacking(signs, room, wide, inputs, values, slopes):
    """The teacher's answer less the student's; products become values, and slopes are written."""
    total, scale = spread(0.0), spread(1.0 / sqrt(inputs))
    for unit in range(0, wide, LANES):
        value, slope = value_and_slope(load(room, values + unit) * scale)
        total += value * load(signs, unit)
        store(room, values + unit, value)
        store(room, slopes + unit, slope)
    return folded(total)


@njit(cache=True)
def _products(weights, room, first, units, row, x, out):
    """An input times rows of weights, TILE at once; two sums for each, so that none waits for another."""
    for unit in range(first, units, TILE):
        at = unit * row
        a, b, c, d = spread(0.0), spread(0.0), spread(0.0), spread(0.0)
        e, f, g, h = spread(0.0), spread(0.0), spread(0.0), spread(0.0)
        for k in range(0, row, 2 * LANES):
            here, there = load(room, x + k), load(room, x + k + LANES)
            a += load(weights, at + k) * here
            b += load(weights, at + row + k) * here
            c += load(weights, at + 2 * row + k) * here
            d += load(weights, at + 3 * row + k) * here
            e += load(weights, at + k + LANES) * there
            f += load(weights, at + row + k + LANES) * there
            g += load(weights, at + 2 * row + k + LANES) * there
            h += load(weights, at + 3 * row + k + LANES) * there
        room[out + unit], room[out + unit + 1] = folded(a + e), folded(b + f)
        room[out + unit + 2], room[out + unit + 3] = folded(c + g), folded(d + h)


@njit(cache=True)
def _step(weights, room, sizes, before, x, out):
    """Take the students' step of the batch before, and multiply their tiles with an input."""
    students, units, inputs, batch = sizes
    row, wide = row_size(inputs), lanes_of(units)
    steps = 2 * batch * row + batch * wide
    for unit in range(0, students, TILE):
        at = unit * row
        a, b, c, d = spread(0.0), spread(0.0), spread(0.0), spread(0.0)
        for k in range(0, row, LANES):
            e, f = load(weights, at + k), load(weights, at + row + k)
            g, h = load(weights, at + 2 * row + k), load(weights, at + 3 * row + k)
            for sample in range(batch):
                old, step = load(room, before + sample * row + k), steps + sample * wide + unit
                e += spread(room[step]) * old
                f += spread(room[step + 1]) * old
                g += spread(room[step + 2]) * old
                h += spread(room[step + 3]) * old
            store(weights, at + k, e)
            store(weights, at + row + k, f)
            store(weights, at + 2 * row + k, g)
            store(weights, at + 3 * row + k, h)
            new = load(room, x + k)
            a += e * new
            b += f * new
            c += g * new
            d += h * new
        room[out + unit], room[out + unit + 1] = folded(a), folded(b)
        room[out + unit + 2], room[out + unit + 3] = folded(c), folded(d)
