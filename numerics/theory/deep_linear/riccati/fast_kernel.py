"""QQ'(t) from what `riccati.fast` prepares, eight times at once, as a kernel for `numerics.machine.specialise`.

A thread takes groups of eight times, with a work space of its own, in which every matrix is stored in panels of
four rows (see `riccati_tiles`). Padded rows and columns hold what keeps L regular and adds nothing.
"""

# mypy: ignore-errors
# ruff: noqa: PLR0917, SIM300

import numpy as np
from numba import njit

from numerics.machine.lanes import LANES, load, spread, store
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
    scatter,
)

CACHED = 1 << 16  # doubles that stay in a second-level cache beside what streams through it


@njit(cache=True)
def _whole(length):
    """The next multiple of a tile's side."""
    return (length + SIDE - 1) // SIDE * SIDE


@njit(cache=True)
def packed(matrix):
    """Fixed numbers as `mix` reads them: panels of four rows, column after column, padded with zeros."""
    rows, columns = matrix.shape
    wide = _whole(columns)
    packed = np.zeros(_whole(rows) * wide)
    for i in range(rows):
        for k in range(columns):
            packed[(i // SIDE) * SIDE * wide + SIDE * k + i % SIDE] = matrix[i, k]
    return packed


@njit(cache=True)
def _layout(width, others, size):
    """Where parts of the work space begin: decays, integrals, L, [C; then S and D], [G; then W G], a tile; the end."""
    wide = _whole(width)
    panel = COLUMN * wide
    modes = wide + _whole(others)
    units = _whole(size)
    integrals = LANES * (1 + modes)
    first = integrals + LANES * modes
    second = first + panel * (wide // SIDE)
    third = second + panel * (max(units, _whole(others)) // SIDE)
    tile = third + panel * (max(units, modes) // SIDE)
    return LANES, integrals, first, second, third, tile, tile + TILE


@njit(cache=True)
def _row(number, panel):
    """Where a row begins in a matrix of panels; its entries are COLUMN apart."""
    return (number // SIDE) * panel + LANES * (number % SIDE)


@njit(cache=True)
def _decays(work, layout, width, columns, rates, X):
    """Write E, (I - E^2)/(2f), Phi X and exp(f t) X E; the times are at the start of the work space.

    `columns` are the frequencies of the modes in E, zero where there is none; `rates` those of the rows of X.
    """
    others, wide = rates.size, columns.size
    panel = COLUMN * wide
    decays, integrals, _, C, G, _, _ = layout
    for j in range(wide):
        decay(columns[j], work, 0, decays + LANES * j, integrals + LANES * j)
        if columns[j] == 0.0:
            store(work, integrals + LANES * j, spread(0.0))
    for k in range(_whole(others)):
        at, rate = LANES * (wide + k), rates[k] if k < others else 0.0
        decay(abs(rate), work, 0, decays + at, integrals + at)
        weight, scale = load(work, integrals + at), load(work, decays + at)
        if rate > 0.0:
            scale = spread(1.0) / scale
            weight = weight * scale * scale
        in_C, in_G = C + _row(k, panel), G + _row(wide + k, panel)
        for j in range(wide):
            x = spread(X[k, j] if k < others and j < width else 0.0)
            store(work, in_C + COLUMN * j, weight * x)
            store(work, in_G + COLUMN * j, scale * x * load(work, decays + LANES * j))


@njit(cache=True)
def _middle(work, tile, rows, columns, A, place):
    """Turn a tile of X' Phi X into one of E (A + X' Phi X) E."""
    for j in range(SIDE):
        column = load(work, columns + LANES * j)
        for i in range(SIDE):
            at = tile + COLUMN * j + LANES * i
            value = (load(work, at) + spread(A[place + SIDE * j + i])) * column
            store(work, at, value * load(work, rows + LANES * i))


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
def _factor(work, layout, panels, others, X_mixed, A, lacking, columns):
    """Write L, and G = T L^-T over T; the growing modes come first in G, and T is the identity there.

    Where `lacking` is a place, 2f E (A + X' Phi X) E - E^2 is written there.
    """
    panel = TILE * panels
    decays, integrals, L, C, G, _, _ = layout
    terms = _whole(others) // SIDE
    for I in range(panels):
        row = L + panel * I
        for J in range(I + 1):
            tile, corner = row + TILE * J, L + panel * J
            mix(work, tile, X_mixed, SIDE * SIDE * terms * I, work, C + TILE * J, panel, terms)
            at = SIDE * SIDE * (panels * I + J)
            _middle(work, tile, decays + COLUMN * I, decays + COLUMN * J, A, at)
            if lacking >= 0:
                _lacking(work, tile, lacking, I, J, panels, columns, decays)
            if I == J:
                for i in range(SIDE):
                    at = tile + (COLUMN + LANES) * i
                    store(work, at, load(work, at) + load(work, integrals + COLUMN * I + LANES * i))
                factorise(work, tile, work, row, work, row, SIDE * J)
            else:
                eliminate(work, tile, work, row, work, corner, SIDE * J, work, corner + TILE * J)
    for I in range(panels + terms):
        row = G + panel * I
        start = 0
        if I < panels:
            start = I
            _clear(work, row, panel)
            for i in range(SIDE):
                store(work, row + TILE * I + (COLUMN + LANES) * i, spread(1.0))
        _solve(work, row, L, panels, start)


@njit(cache=True)
def _pair(work, layout, width, row_of, cosines, sines, inputs, outputs):
    """Write, over C, the rows of G in the singular vectors of the inputs, then of the outputs, then zeros."""
    wide = _whole(width)
    panel = COLUMN * wide
    _, _, _, target, G, _, _ = layout
    n, units = cosines.size, inputs + outputs
    for i in range(_whole(units)):
        unit = i if i < inputs else i - inputs  # of the inputs or of the outputs
        first, a, b = 0, 0.0, 0.0
        if i < units and unit < n:
            first = unit
            a, b = (cosines[unit], sines[unit]) if i < inputs else (sines[unit], -cosines[unit])
        elif i < units:
            first, a = n + i if i < inputs else i, 1.0
        at = G + _row(row_of[first], panel)
        other = G + _row(row_of[n + first], panel) if b != 0.0 else at
        left, right = spread(a), spread(b)
        for k in range(0, COLUMN * wide, COLUMN):
            store(work, target + _row(i, panel) + k, left * load(work, at + k) + right * load(work, other + k))


@njit(cache=True)
def _rotate(work, layout, width, vectors, inputs, outputs):
    """Write W G over G; a panel of inputs needs the rows of inputs only, and one of outputs those of outputs."""
    panels, units = _whole(width) // SIDE, _whole(inputs + outputs) // SIDE
    panel = TILE * panels
    _, _, _, source, target, _, _ = layout
    for I in range(units):
        first = 0 if SIDE * I < inputs else inputs // SIDE
        count = (units if SIDE * I + SIDE > inputs else _whole(inputs) // SIDE) - first
        numbers = SIDE * SIDE * (units * I + first)
        for J in range(panels):
            tile = panel * first + TILE * J
            mix(work, target + panel * I + TILE * J, vectors, numbers, work, source + tile, panel, count)


@njit(cache=True)
def _write(work, tile, out, place, size, row, column):
    """Write a tile and its mirror image into eight matrices; where fewer than four columns are left, the next row's
    beginning is overwritten."""
    whole, rows = size * size, min(SIDE, size - row)
    if row == column and rows < SIDE:
        for time in range(LANES):
            matrix = out[place + time * whole : place + (time + 1) * whole]
            for i in range(rows):
                for j in range(rows):
                    matrix[(row + i) * size + column + j] = work[tile + COLUMN * j + LANES * i + time]
        return
    if row != column:
        scatter(out, place + column * size + row, whole, size, work, tile, COLUMN, LANES, SIDE)
    scatter(out, place + row * size + column, whole, size, work, tile, LANES, COLUMN, rows)


@njit(cache=True)
def _square(work, layout, width, size, out, place):
    """Write (W G)(W G)' at eight times, a few panels against all below so that they stay in a cache.

    Everything runs backwards, so that what `_write` overwrites at the beginnings of rows is still to be written.
    """
    panel = COLUMN * _whole(width)
    _, _, _, _, rows, tile, _ = layout
    panels, stride = _whole(size) // SIDE, max(1, CACHED // panel)
    for first in range((panels - 1) // stride * stride, -1, -stride):
        for I in range(panels - 1, first - 1, -1):
            for J in range(min(first + stride - 1, I), first - 1, -1):
                multiply(work, tile, work, rows + panel * I, work, rows + panel * J, width)
                _write(work, tile, out, place, size, SIDE * I, SIDE * J)


@njit(cache=True)
def _prepared(times, f, inside, A, right, left):
    """Times in whole groups, frequencies of the columns and of the rows of X, rows of G by mode, padded A, and W."""
    filled = np.empty((times.size + LANES - 1) // LANES * LANES)
    filled[:] = times[times.size - 1]
    for k in range(times.size):
        filled[k] = times[k]
    width, inputs = A.shape[0], right.shape[0]
    wide = _whole(width)
    columns, middle = np.zeros(wide), np.eye(wide)
    for i in range(width):
        for j in range(width):
            middle[i, j] = A[i, j]
    row_of, rates = np.empty(f.size, dtype=np.intp), np.empty(f.size)
    growing = others = 0
    for k in range(f.size):
        if inside[k]:
            row_of[k], columns[growing] = growing, f[k]
            growing += 1
        else:
            row_of[k], rates[others] = wide + others, f[k]
            others += 1
    vectors = np.zeros((f.size, f.size))
    for i in range(f.size):
        for j in range(f.size):
            if i < inputs and j < inputs:
                vectors[i, j] = right[i, j]
            elif i >= inputs and j >= inputs:
                vectors[i, j] = left[i - inputs, j - inputs]
    return filled, columns, rates[:others], row_of, packed(middle), packed(vectors)


@njit(cache=True, nogil=True)
def states(counter, times, f, inside, X, A, cosines, sines, right, left, out):
    """What one thread does: groups of eight times, as long as some are left.

    Writes QQ' at these times, and whatever up to a multiple of eight, one matrix after the other. `counter` is an array
    with one zero, which the threads share.
    """
    filled, columns, rates, row_of, middle, vectors = _prepared(times, f, inside, A, right, left)
    mixed, width, inputs, outputs = packed(X.T), A.shape[0], right.shape[0], left.shape[0]
    size = inputs + outputs
    layout = _layout(width, rates.size, size)
    work = np.empty(layout[-1])
    group = claim(counter)
    while group < filled.size // LANES:
        store(work, 0, load(filled, LANES * group))
        _decays(work, layout, width, columns, rates, X)
        _factor(work, layout, columns.size // SIDE, rates.size, mixed, middle, -1, columns)
        _pair(work, layout, width, row_of, cosines, sines, inputs, outputs)
        _rotate(work, layout, width, vectors, inputs, outputs)
        _square(work, layout, width, size, out, LANES * group * size * size)
        group = claim(counter)
