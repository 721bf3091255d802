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

POWERS = 8  # of a matrix, to find its largest eigenvalue
CACHED = 1 << 16  # doubles that stay in a second-level cache beside what streams through it


@njit(cache=True)
def late_form(growing, others):
    """X = others growing^-1 and A = (growing growing')^-1; not finite where a pivot is zero.

    Written out, because a library's threads go on spinning for a while and would slow down what comes next.
    """
    n = growing.shape[0]
    left, inverse = growing.copy(), np.eye(n)
    for j in range(n):
        pivot = j
        for i in range(j + 1, n):
            if abs(left[i, j]) > abs(left[pivot, j]):
                pivot = i
        for k in range(n):
            left[j, k], left[pivot, k] = left[pivot, k], left[j, k]
            inverse[j, k], inverse[pivot, k] = inverse[pivot, k], inverse[j, k]
        scale = 1.0 / left[j, j] if left[j, j] != 0.0 else np.nan
        for k in range(n):
            left[j, k] *= scale
            inverse[j, k] *= scale
        for i in range(n):
            if i != j:
                factor = -left[i, j]
                _add(left[i], factor, left[j])
                _add(inverse[i], factor, inverse[j])
    X, A = np.zeros(others.shape), np.zeros((n, n))
    for k in range(n):
        for i in range(others.shape[0]):
            _add(X[i], others[i, k], inverse[k])
        for i in range(n):
            _add(A[i], inverse[k, i], inverse[k])
    return X, A


@njit(cache=True)
def late_middle(X, A, E, integral, of_others):
    """E (A + X' Phi X) E + (I - E^2)/(2f), from the two integrals."""
    middle = A.copy()
    for k in range(X.shape[0]):
        for i in range(A.shape[0]):
            _add(middle[i], of_others[k] * X[k, i], X[k])
    for i in range(A.shape[0]):
        for j in range(A.shape[0]):
            middle[i, j] *= E[i] * E[j]
        middle[i, i] += integral[i]
    return middle


@njit(cache=True)
def condition(matrix):
    """The condition number of a symmetric matrix with its diagonal scaled to one, to some ten per cent from below.

    By powers of the matrix and of its inverse; infinite where rounding makes it singular or indefinite.
    """
    n = matrix.shape[0]
    scale = np.empty(n)
    for i in range(n):
        if not 0.0 < matrix[i, i] < np.inf:
            return np.inf
        scale[i] = 1.0 / np.sqrt(matrix[i, i])
    scaled, factor = np.empty((n, n)), np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            scaled[i, j] = matrix[i, j] * scale[i] * scale[j]
    for i in range(n):
        for j in range(i + 1):
            value = scaled[i, j]
            value -= _dot(factor[i], factor[j], j)
            if i == j and not value > 0.0:
                return np.inf
            factor[i, j] = np.sqrt(value) if i == j else value / factor[j, j]
    up, down = np.empty(n), np.empty(n)
    for i in range(n):
        up[i] = down[i] = 1.0 + (0.618 * i) % 1.0  # along no eigenvector that symmetry would suggest
    largest = smallest = 0.0
    for _ in range(POWERS):
        image = np.zeros(n)
        for i in range(n):
            _add(image, up[i], scaled[i])
        for i in range(n):
            down[i] = (down[i] - _dot(factor[i], down, i)) / factor[i, i]
        for i in range(n - 1, -1, -1):
            down[i] /= factor[i, i]
            _add(down[:i], -down[i], factor[i])
        largest, smallest = np.sqrt(_dot(image, image, n)), np.sqrt(_dot(down, down, n))
        for i in range(n):
            up[i], down[i] = image[i] / largest, down[i] / smallest
    return largest * smallest


@njit(cache=True)
def _add(target, factor, row):
    for k in range(target.size):
        target[k] += factor * row[k]


@njit(cache=True, fastmath={"reassoc", "contract"})
def _dot(left, right, length):
    total = 0.0
    for k in range(length):
        total += left[k] * right[k]
    return total


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


# --- the distance to the task -----------------------------------------------------------------------------------------


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
def _parts(unit, cosine, sine, inside, others):
    """What a unit in singular vectors has of the growing mode, and of the other one, with the same number."""
    if unit < cosine.size:
        return cosine[unit], sine[unit]
    return (1.0, 0.0) if unit < inside else (0.0, 1.0 if unit < others else 0.0)


@njit(cache=True)
def _blend(work, target, a, first, b, second, length):
    """target = a first + b second for rows; a row whose factor is zero need not be there."""
    left, right = spread(a), spread(b)
    for k in range(0, length, COLUMN):
        value = spread(0.0)
        if a != 0.0:
            value = left * load(work, first + k)
        if b != 0.0:
            value = value + right * load(work, second + k)
        store(work, target + k, value)


@njit(cache=True)
def _factors(work, layout, wide, lacking, inside, others, cosines, sines, inputs, outputs):
    """Write what the distance is a product of: for inputs over `lacking` and C, and for outputs over G."""
    panel = COLUMN * wide
    _, _, _, C, G, _, _ = layout
    for unit in range(_whole(inputs)):
        a, b = _parts(unit, cosines, sines, inside, others)
        if unit >= inputs:
            a = b = 0.0
        at, growing, other = _row(unit, panel), G + _row(unit, panel), G + _row(wide + unit, panel)
        _blend(work, C + at, a, growing, b, other, panel)
        _blend(work, lacking + at, a, lacking + at, -b, other, panel)
    for unit in range(max(wide, _whole(others))):
        a, b = _parts(unit, sines, cosines, inside, others)
        if unit >= outputs:
            a = b = 0.0
        sign = -1.0 if unit < cosines.size else 1.0
        growing, other = G + _row(unit, panel), G + _row(wide + unit, panel)
        if unit < wide:
            _blend(work, growing, a, growing, 0.0, growing, panel)
        if unit < _whole(others):
            _blend(work, other, sign * b, other, 0.0, other, panel)


@njit(cache=True)
def _sum_of_squares(work, layout, panels, terms, lacking, inputs, outputs, tiles):
    """The sum of squares of a product with two parts, of which the first has a triangle on its left."""
    panel = TILE * panels
    _, _, _, C, G, _, _ = layout
    total, stride = spread(0.0), max(1, CACHED // (2 * panel))
    rows, columns = _whole(outputs) // SIDE, _whole(inputs) // SIDE
    for begin in range(0, rows, stride):
        for J in range(columns):
            for I in range(begin, min(begin + stride, rows)):
                _clear(work, tiles, 2 * TILE)
                if I < panels:
                    skipped = TILE * I
                    left, right = G + panel * I + skipped, lacking + panel * J + skipped
                    multiply(work, tiles, work, left, work, right, SIDE * (panels - I))
                if I < terms:
                    left = G + panel * (panels + I)
                    multiply(work, tiles + TILE, work, left, work, C + panel * J, SIDE * panels)
                for k in range(tiles, tiles + TILE, LANES):
                    entry = load(work, k) - load(work, k + TILE)
                    total += entry * entry
    return total


@njit(cache=True, nogil=True)
def distances(counter, times, f, inside, X, A, cosines, sines, right, left, out):
    """What one thread does: the sum of squares of Sigma - W2 W1 for groups of times, as long as some are left.

    With T = [I; S] and H = 2f E (A + X' Phi X) E - E^2, what growing modes lack, 2f - M^-1, is M^-1 H, in which nothing
    cancels that does not in H at the start. A unit of the outputs is a combination `a` of growing modes and `b` of
    others, and one of the inputs likewise, so that Sigma - W2 W1 is

        [a L^-T] [(a H - b S) L^-T]' - [b S L^-T] [(a + b S) L^-T]'.

    `out` has as many places as whole groups of times.
    """
    filled, columns, rates, _, middle, _ = _prepared(times, f, inside, A, right, left)
    mixed, width, inputs, outputs = packed(X.T), A.shape[0], right.shape[0], left.shape[0]
    wide, others = columns.size, rates.size
    layout = _layout(width, others, inputs + outputs)
    panels, terms, L, lacking = wide // SIDE, _whole(others) // SIDE, layout[2], layout[-1]
    tiles = lacking + COLUMN * wide * (max(wide, _whole(inputs)) // SIDE)
    work = np.zeros(tiles + 2 * TILE)
    group = claim(counter)
    while group < filled.size // LANES:
        store(work, 0, load(filled, LANES * group))
        _decays(work, layout, width, columns, rates, X)
        _factor(work, layout, panels, others, mixed, middle, lacking, columns)
        for I in range(panels):
            _solve(work, lacking + TILE * panels * I, L, panels, 0)
        _factors(work, layout, wide, lacking, width, others, cosines, sines, inputs, outputs)
        total = _sum_of_squares(work, layout, panels, terms, lacking, inputs, outputs, tiles)
        store(out, LANES * group, total)
        group = claim(counter)
