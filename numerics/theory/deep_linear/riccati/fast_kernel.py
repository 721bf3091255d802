"""QQ'(t) from what `riccati.fast` prepares, eight times at once, as a kernel for `numerics.machine.specialise`.

A thread takes groups of eight times, with a work space of its own, in which every matrix is stored in panels of as
many rows as a tile has (see `riccati.tiles`). Padded rows and columns hold what keeps L regular and adds nothing.
"""

# mypy: ignore-errors
# ruff: noqa: PLR0917

import numpy as np
from numba import njit

from numerics.machine.lanes import LANES, borrowed, load, spread, store
from numerics.machine.lanes.pieces import claim
from numerics.theory.deep_linear.riccati.tiles import (
    COLUMN,
    SIDE,
    TILE,
    decay,
    eliminate,
    factorise,
    mix,
    multiply,
    number,
    scatter,
)

BLOCK = 8  # panels, which make whole cache lines


@njit(cache=True)
def _whole(length):
    """The next multiple of a tile's side."""
    return (length + SIDE - 1) // SIDE * SIDE


@njit(cache=True)
def packed(matrix):
    """Fixed numbers as `mix` reads them: panels of as many rows as a tile has, column after column, then zeros."""
    rows, columns = matrix.shape
    packed = np.zeros(_whole(rows) * columns)
    for i in range(rows):
        for k in range(columns):
            packed[(i // SIDE) * SIDE * columns + SIDE * k + i % SIDE] = matrix[i, k]
    return packed


@njit(cache=True)
def lines(room):
    """The first place of an array that begins a cache line."""
    return (-room.ctypes.data // 8) % LANES


@njit(cache=True)
def _prepared(times, f, inside, A):
    """Times in whole groups, the frequencies of columns and of the rows of X, rows of G by mode, and A in whole tiles.

    The frequencies of the modes in E are zero where there is none.
    """
    filled = np.empty((times.size + LANES - 1) // LANES * LANES)
    for k in range(filled.size):
        filled[k] = times[min(k, times.size - 1)]
    wide, growing, others = _whole(A.shape[0]), 0, 0
    columns, middle = np.zeros(wide), np.eye(wide)
    for i in range(A.shape[0]):
        for j in range(A.shape[0]):
            middle[i, j] = A[i, j]
    row_of, rates = np.empty(f.size, dtype=np.intp), np.empty(f.size)
    for k in range(f.size):
        if inside[k]:
            row_of[k], columns[growing] = growing, f[k]
            growing += 1
    for k in range(f.size):
        if not inside[k]:
            row_of[k], rates[others] = _whole(growing) + others, f[k]
            others += 1
    return filled, columns, rates[:others], row_of, packed(middle)


@njit(cache=True)
def _distinct(columns, rates):
    """Rates of decay, those of the columns first, and where those of other modes are among them."""
    decaying, where, count = np.empty(columns.size + rates.size), np.empty(rates.size, dtype=np.intp), columns.size
    for j in range(count):
        decaying[j] = columns[j]
    for k in range(rates.size):
        where[k] = count
        for j in range(columns.size):
            if columns[j] > 0.0 and columns[j] == abs(rates[k]):
                where[k] = j
        if where[k] == count:
            decaying[count] = abs(rates[k])
            count += 1
    return decaying[:count], where


@njit(cache=True)
def _layout(wide, others, panels_of_G, size):
    """Where parts of the work space begin: decays, integrals, weights, scales, L, G, a strip, a tile, a block; the end.

    A strip is a column of tiles, turned into a panel.
    """
    panel = COLUMN * wide
    integrals = LANES * (1 + wide + others)
    weights = integrals + LANES * (wide + others)
    scales = weights + LANES * others
    L = scales + LANES * others
    G = L + panel * (wide // SIDE)
    strip = G + panel * panels_of_G
    tile = strip + COLUMN * max(others, size)
    block = tile + TILE
    return LANES, integrals, weights, scales, L, G, strip, tile, block, block + LANES * min(size, BLOCK * SIDE) ** 2


@njit(cache=True)
def _decays(work, layout, columns, decaying, rates, where):
    """Write E and (I - E^2)/(2f), and Phi and exp(f t) of the rows of X; the times are at the start."""
    decays, integrals, weights, scales = layout[:4]
    for j in range(decaying.size):
        decay(decaying[j], work, 0, decays + LANES * j, integrals + LANES * j)
    for j in range(columns.size):
        if columns[j] == 0.0:
            store(work, integrals + LANES * j, spread(0.0))
    for k in range(rates.size):
        at = LANES * where[k]
        weight, scale = load(work, integrals + at), load(work, decays + at)
        if rates[k] > 0.0:
            scale = spread(1.0) / scale
            weight = weight * scale * scale
        store(work, weights + LANES * k, weight)
        store(work, scales + LANES * k, scale)


@njit(cache=True, forceinline=True)
def _middle(work, tile, rows, columns, A, place):
    """Turn a tile of X' Phi X into one of E (A + X' Phi X) E."""
    for j in range(SIDE):
        column = load(work, columns + LANES * j)
        for i in range(SIDE):
            at = tile + COLUMN * j + LANES * i
            store(work, at, (load(work, at) + number(A, place + SIDE * j + i)) * column * load(work, rows + LANES * i))


@njit(cache=True)
def _clear(work, start, length):
    for at in range(start, start + length, LANES):
        store(work, at, spread(0.0))


@njit(cache=True)
def _solve(work, row, L, panels, start):
    """Replace a panel of rows, which are zero in front of panel `start`, by rows L^-T."""
    panel = TILE * panels
    for J in range(start, panels):
        corner, skipped = L + panel * J, TILE * start
        count = SIDE * (J - start)
        eliminate(work, row + TILE * J, work, row + skipped, work, corner + skipped, count, work, corner + TILE * J)


@njit(cache=True)
def _lacking(work, tile, target, I, J, panels, columns, decays):
    """Write a tile of 2f E (A + X' Phi X) E - E^2 and its mirror image, from one of E (A + X' Phi X) E."""
    here, there = target + TILE * (panels * I + J), target + TILE * (panels * J + I)
    for j in range(SIDE):
        for i in range(SIDE):
            value = load(work, tile + COLUMN * j + LANES * i)
            scaled = value * spread(2.0 * columns[SIDE * I + i])
            if I != J:
                store(work, there + COLUMN * i + LANES * j, value * spread(2.0 * columns[SIDE * J + j]))
            elif i == j:
                decayed = load(work, decays + COLUMN * I + LANES * i)
                scaled = scaled - decayed * decayed
            store(work, here + COLUMN * j + LANES * i, scaled)


@njit(cache=True)
def _factor(work, layout, panels, others, X, A, lacking, columns):
    """Write L, from packed X' and A, column after column of tiles.

    Where `lacking` is a place, 2f E (A + X' Phi X) E - E^2 is written there.
    """
    panel = TILE * panels
    decays, integrals, weights, _, L, _, strip, _, _, _ = layout
    for J in range(panels):
        for k in range(others):
            weight, row = load(work, weights + LANES * k), SIDE * (others * J + k)
            for j in range(SIDE):
                store(work, strip + COLUMN * k + LANES * j, weight * number(X, row + j))
        above = L + panel * J
        for I in range(J, panels):
            row = L + panel * I
            tile = row + TILE * J
            mix(work, tile, X, SIDE * others * I, work, strip, others)
            _middle(work, tile, decays + COLUMN * I, decays + COLUMN * J, A, SIDE * SIDE * (panels * I + J))
            if lacking >= 0:
                _lacking(work, tile, lacking, I, J, panels, columns, decays)
            if I == J:
                for i in range(SIDE):
                    at = tile + (COLUMN + LANES) * i
                    store(work, at, load(work, at) + load(work, integrals + COLUMN * I + LANES * i))
                factorise(work, tile, work, row, work, row, SIDE * J)
            else:
                eliminate(work, tile, work, row, work, above, SIDE * J, work, above + TILE * J)


@njit(cache=True)
def _divide(work, layout, panels, heads, others, X):
    """Write G = T L^-T; the growing modes come first, in `heads` panels, and T is the identity there."""
    panel = TILE * panels
    decays, _, _, scales, L, G, _, _, _, _ = layout
    for I in range(heads):
        row = G + panel * I
        _clear(work, row, panel)
        for i in range(SIDE):
            store(work, row + TILE * I + (COLUMN + LANES) * i, spread(1.0))
        _solve(work, row, L, panels, I)
    for first in range(0, others, SIDE):
        row, rows = G + panel * heads + COLUMN * panels * first, min(SIDE, others - first)
        if rows < SIDE:
            _clear(work, row, panel)
        for J in range(panels):
            for i in range(rows):
                scale, x = load(work, scales + LANES * (first + i)), SIDE * (others * J + first + i)
                for j in range(SIDE):
                    decayed = load(work, decays + COLUMN * J + LANES * j)
                    store(work, row + TILE * J + COLUMN * j + LANES * i, scale * number(X, x + j) * decayed)
        _solve(work, row, L, panels, 0)


@njit(cache=True)
def _pairs(row_of, cosines, sines, inputs, outputs, panel):
    """How singular vectors are made of two modes each: where their rows begin in G, and what they are multiplied by.

    Those of the inputs come first, then those of the outputs.
    """
    n = cosines.size
    places, factors = np.zeros((inputs + outputs, 2), dtype=np.intp), np.zeros((inputs + outputs, 2))
    for unit in range(inputs + outputs):
        k = unit if unit < inputs else unit - inputs
        if k >= n:
            modes, factors[unit, 0] = (n + k, n + k) if unit < inputs else (inputs + k, inputs + k), 1.0
        else:
            modes, factors[unit, 0], factors[unit, 1] = (k, n + k), cosines[k], sines[k]
            if unit >= inputs:
                factors[unit, 0], factors[unit, 1] = sines[k], -cosines[k]
        for part in range(2):
            row = row_of[modes[part]]
            places[unit, part] = (row // SIDE) * panel + LANES * (row % SIDE)
    return places, factors


@njit(cache=True)
def _rotate(work, layout, panels, places, factors, right, left, inputs):
    """Write W G over G: rows of inputs, then of outputs, in panels of their own."""
    panel, units = TILE * panels, factors.shape[0]
    _, _, _, _, _, G, strip, _, _, _ = layout
    outputs, below = units - inputs, G + panel * (_whole(inputs) // SIDE)
    for J in range(panels):
        for k in range(units):
            first, second = G + places[k, 0] + TILE * J, G + places[k, 1] + TILE * J
            a, b = spread(factors[k, 0]), spread(factors[k, 1])
            for j in range(0, TILE, COLUMN):
                value = a * load(work, first + j) + b * load(work, second + j)
                store(work, strip + COLUMN * k + j // SIDE, value)
        for I in range(_whole(inputs) // SIDE):
            mix(work, G + panel * I + TILE * J, right, SIDE * inputs * I, work, strip, inputs)
        for I in range(_whole(outputs) // SIDE):
            mix(work, below + panel * I + TILE * J, left, SIDE * outputs * I, work, strip + COLUMN * inputs, outputs)


@njit(cache=True)
def _begins(inputs, outputs):
    """The units that panels of W G begin with, and how many there are."""
    above, below = _whole(inputs) // SIDE, _whole(outputs) // SIDE
    begins = np.empty(above + below + 1, dtype=np.intp)
    for I in range(above):
        begins[I] = SIDE * I
    for I in range(below + 1):
        begins[above + I] = inputs + min(SIDE * I, outputs)
    return begins


@njit(cache=True, forceinline=True)
def _copy(work, tile, target, row_step, column_step, rows, columns):
    for i in range(rows):
        for j in range(columns):
            store(work, target + row_step * i + column_step * j, load(work, tile + COLUMN * j + LANES * i))


@njit(cache=True, forceinline=True)
def _put(work, tile, target, row_step, column_step, rows, columns):
    """Copy the first rows and columns of a tile; a whole one without loops."""
    if rows == SIDE and columns == SIDE:
        _copy(work, tile, target, row_step, column_step, SIDE, SIDE)
    else:
        _copy(work, tile, target, row_step, column_step, rows, columns)


@njit(cache=True)
def _square(work, layout, width, begins, out, place, once):
    """Write (W G)(W G)' at LANES times, in blocks that stay in a cache until they are turned into rows of matrices."""
    panel, panels, size = COLUMN * _whole(width), begins.size - 1, begins[begins.size - 1]
    _, _, _, _, _, G, _, tile, block, _ = layout
    for top in range(0, panels, BLOCK):
        bottom = min(top + BLOCK, panels)
        for first in range(0, top + 1, BLOCK):
            last = min(first + BLOCK, panels)
            columns = begins[last] - begins[first]
            for I in range(top, bottom):
                row, rows = begins[I] - begins[top], begins[I + 1] - begins[I]
                for J in range(first, min(last, I + 1)):
                    column, wide = begins[J] - begins[first], begins[J + 1] - begins[J]
                    multiply(work, tile, work, G + panel * I, work, G + panel * J, width)
                    at, step = block + LANES * (columns * row + column), LANES * columns
                    _put(work, tile, at, step, LANES, rows, wide)
                    if top == first and I != J:
                        _put(work, tile, block + LANES * (columns * column + row), LANES, step, rows, wide)
            _write(
                work, block, out, place, size, begins[top], begins[bottom] - begins[top], begins[first], columns, once
            )


@njit(cache=True, forceinline=True)
def _write(work, block, out, place, size, row, rows, column, columns, once):
    """Write a block of LANES matrices, and its mirror image unless it is its own."""
    whole, step = size * size, LANES * columns
    if columns == size:
        scatter(out, place, whole, work, block, LANES, whole, once)
        return
    for i in range(rows):
        scatter(out, place + size * (row + i) + column, whole, work, block + step * i, LANES, columns, once)
    if row != column:
        for j in range(columns):
            scatter(out, place + size * (column + j) + row, whole, work, block + LANES * j, step, rows, once)


@njit(cache=True, nogil=True)
def states(counter, times, f, inside, X, A, cosines, sines, right, left, out, once):
    """Return what one thread does: groups of LANES times, as long as some are left.

    Writes QQ' at these times, and whatever up to a multiple of LANES, one matrix after the other. `counter` is an array
    with one zero, which the threads share. `out` begins at a cache line; where `once`
    is set and blocks do so too, it is written past the caches.
    """
    filled, columns, rates, row_of, middle = _prepared(times, f, inside, A)
    decaying, where = _distinct(columns, rates)
    mixed, of_inputs, of_outputs = packed(X.T), packed(right), packed(left)
    width, inputs, outputs, others = A.shape[0], right.shape[0], left.shape[0], rates.size
    panels, heads = columns.size // SIDE, _whole(f.size - others) // SIDE
    places, factors = _pairs(row_of, cosines, sines, inputs, outputs, TILE * panels)
    begins = _begins(inputs, outputs)
    size, in_G = inputs + outputs, max(heads + _whole(others) // SIDE, begins.size - 1)
    layout = _layout(columns.size, others, in_G, size)
    room = np.empty(layout[9] + LANES)
    once = once and size % LANES == 0
    for k in range(0, begins.size, BLOCK):
        once = once and begins[k] % LANES == 0
    group = claim(counter)
    while group < filled.size // LANES:
        work = borrowed(room, lines(room), layout[9])
        store(work, 0, load(filled, LANES * group))
        _decays(work, layout, columns, decaying, rates, where)
        _factor(work, layout, panels, others, mixed, middle, -1, columns)
        _divide(work, layout, panels, heads, others, mixed)
        _rotate(work, layout, panels, places, factors, of_inputs, of_outputs, inputs)
        _square(work, layout, width, begins, out, LANES * group * size * size, once)
        group = claim(counter)
