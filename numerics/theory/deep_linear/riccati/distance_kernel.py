"""The sum of squares of Sigma - W2 W1 at many times, from what `riccati.fast_kernel` factors, eight times at once.

A unit of the outputs, in singular vectors of the task, is a combination of two rows of G = T L^-T, and one of the
inputs likewise, so that W2 W1 is their product, and Sigma has its singular values on the diagonal. Sums of squares do
not ask for more. Their difference loses as many digits as it is small beside QQ'. Where these are too many and the form
has all growing modes inside, another sum of products is the same without cancellation: with T = [I; S] and
H = 2f E (A + X' Phi X) E - E^2, what growing modes lack, 2f - M^-1, is M^-1 H, in which nothing cancels that does not
in H at the start. A unit of the outputs is a combination `a` of growing modes and `b` of others, and one of the inputs
likewise, and Sigma - W2 W1 is

    [a L^-T] [(a H - b S) L^-T]' - [b S L^-T] [(a + b S) L^-T]'.
"""

# mypy: ignore-errors
# ruff: noqa: PLR0917, SIM300

import numpy as np
from numba import njit

from numerics.machine.lanes import LANES, borrowed, chosen, load, spread, store, within
from numerics.machine.lanes.pieces import claim
from numerics.theory.deep_linear.riccati.fast_kernel import (
    _clear,
    _decays,
    _distinct,
    _divide,
    _factor,
    _layout,
    _pairs,
    _prepared,
    _solve,
    _whole,
    lines,
    packed,
)
from numerics.theory.deep_linear.riccati.tiles import COLUMN, SIDE, TILE, multiply

CACHED = 1 << 16  # doubles that stay in a second-level cache beside what streams through it
SUBTRACTED = 0.005  # of the largest entry of QQ': a distance above it is a difference to twelve digits


@njit(cache=True)
def _row(number, panel):
    """Where a row begins in a matrix of panels; its entries are COLUMN apart."""
    return (number // SIDE) * panel + LANES * (number % SIDE)


@njit(cache=True)
def _units(work, target, G, panel, places, factors, first, count):
    """Write the rows of G in the singular vectors of one side, and return their largest sum of squares."""
    top = spread(0.0)
    for unit in range(_whole(count)):
        at = target + _row(unit, panel)
        if unit < count:
            k = first + unit
            _blend(work, at, factors[k, 0], G + places[k, 0], factors[k, 1], G + places[k, 1], panel)
        else:
            _blend(work, at, 0.0, at, 0.0, at, panel)
        size = spread(0.0)
        for k in range(0, panel, COLUMN):
            entry = load(work, at + k)
            size += entry * entry
        top = chosen(size, top, top, size)
    return top


@njit(cache=True)
def _difference(work, of_inputs, of_outputs, panel, width, values, inputs, outputs, tile):
    """The sum of squares of Sigma - W2 W1 from the rows of both sides."""
    total, stride = spread(0.0), max(1, CACHED // (2 * panel))
    rows, columns = _whole(outputs) // SIDE, _whole(inputs) // SIDE
    for begin in range(0, rows, stride):
        for J in range(columns):
            for I in range(begin, min(begin + stride, rows)):
                multiply(work, tile, work, of_outputs + panel * I, work, of_inputs + panel * J, width)
                if I == J:
                    for i in range(min(SIDE, values.size - SIDE * I)):
                        at = tile + (COLUMN + LANES) * i
                        store(work, at, load(work, at) - spread(values[SIDE * I + i]))
                for k in range(tile, tile + TILE, LANES):
                    entry = load(work, k)
                    total += entry * entry
    return total


@njit(cache=True)
def _parts(unit, cosine, sine, inside, others):
    """Return what a unit in singular vectors has of the growing mode, and of the other one, with the same number."""
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
def _factors(work, G, C, wide, lacking, counts, cosines, sines, inputs, outputs):
    """Write what the distance is a product of: for inputs over `lacking` and C, and for outputs over G."""
    panel, (inside, others) = COLUMN * wide, counts
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
def _sum_of_squares(work, G, C, panels, terms, lacking, inputs, outputs, tiles):
    """The sum of squares of a product with two parts, of which the first has a triangle on its left."""
    panel = TILE * panels
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


@njit(cache=True)
def _without_cancellation(work, layout, C, panels, counts, lacking, cosines, sines, inputs, outputs, tiles):
    """The sum of squares from what growing modes lack, which are all inside; this overwrites G."""
    L, G = layout[4], layout[5]
    for I in range(panels):
        _solve(work, lacking + TILE * panels * I, L, panels, 0)
    _factors(work, G, C, SIDE * panels, lacking, counts, cosines, sines, inputs, outputs)
    return _sum_of_squares(work, G, C, panels, _whole(counts[1]) // SIDE, lacking, inputs, outputs, tiles)


@njit(cache=True, nogil=True)
def distances(counter, times, f, inside, X, A, cosines, sines, right, left, out, complete):
    """Return what one thread does: the sum of squares of Sigma - W2 W1 for groups of times, as long as some are left.

    `complete` says that all growing modes are inside and H is accurate; where it is not, nan stands for distances that
    are too small. `out` has as many places as whole groups of times.
    """
    filled, columns, rates, row_of, middle = _prepared(times, f, inside, A)
    decaying, where = _distinct(columns, rates)
    mixed, width, inputs, outputs = packed(X.T), A.shape[0], right.shape[0], left.shape[0]
    others, counts = rates.size, (width, rates.size)
    values = 2.0 * cosines * sines * f[: cosines.size]
    panels, heads = columns.size // SIDE, _whole(f.size - others) // SIDE
    panel = TILE * panels
    places, factors = _pairs(row_of, cosines, sines, inputs, outputs, panel)
    layout = _layout(columns.size, others, heads + _whole(others) // SIDE, 0)
    G, lacking = layout[5], layout[9]
    of_inputs = lacking + panel * max(panels, _whole(inputs) // SIDE)
    of_outputs = of_inputs + panel * (_whole(inputs) // SIDE)
    tiles = of_outputs + panel * (_whole(outputs) // SIDE)
    room = np.zeros(tiles + 2 * TILE + LANES)
    group = claim(counter)
    while group < filled.size // LANES:
        work = borrowed(room, lines(room), tiles + 2 * TILE)
        store(work, 0, load(filled, LANES * group))
        _decays(work, layout, columns, decaying, rates, where)
        _factor(work, layout, panels, others, mixed, middle, lacking if complete else -1, columns)
        _divide(work, layout, panels, heads, others, mixed)
        on_right = _units(work, of_inputs, G, panel, places, factors, 0, inputs)
        on_left = _units(work, of_outputs, G, panel, places, factors, inputs, outputs)
        limit = spread(SUBTRACTED) * chosen(on_right, on_left, on_left, on_right)
        limit = limit * limit
        total = _difference(work, of_inputs, of_outputs, panel, width, values, inputs, outputs, tiles)
        if not within(limit, total):
            small = spread(np.nan)
            if complete:
                small = _without_cancellation(
                    work, layout, of_inputs, panels, counts, lacking, cosines, sines, inputs, outputs, tiles
                )
            total = chosen(limit, total, total, small)
        store(out, LANES * group, total)
        group = claim(counter)
