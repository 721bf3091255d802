"""Gradient descent of one linear network: a program of matrix operations, run once a step."""

# mypy: ignore-errors
# ruff: noqa: PLR0917

import numpy as np
from numba import njit

from numerics.simulate.linear_network.tiles import move, multiply, squares, turn

MULTIPLY, MOVE, TURN = range(3)
ONE, LESS, RATE = range(3)  # the scales of an operation: 1, -1, the rate (or the share, before the first step)
SLOPE, TARGET, REST = range(3)  # matrices whose squares are summed
FORWARD, LOSS, BACKWARD, END = range(4)  # where parts of a program begin
HOPELESS = 1e16  # times the squares of the target or of the first slope: steps that are short enough shrink the slope
LARGEST = np.finfo(np.float64).max


@njit(cache=True, nogil=True)
def descend(
    work,
    program,
    begins_of,
    measured,
    layers,
    one,
    rate,
    share,
    least,
    losses_at,
    errors,
    weights_at,
    weights,
    limit,
    last,
    begin,
    end,
):
    """Take the steps from `begin` until before `end`, and write errors and weights at those that are requested.

    After the step `last` nothing is asked for, so that it leaves the weights as they are.

    Returns the step at which the run diverged, or -1. Calls that follow one another continue one run, whose first call
    finds the largest slope that is allowed and writes it to `limit`. What comes first in the program is run once, with
    `share` as scale. Even and odd steps have parts of their own (`begins_of`), and places of layers (`layers`). An
    error is `least` plus `share` times the squares of REST. `errors` is (step, part) and `weights` (step, part, entries
    of W_1, W_2, ... row by row). All numbers have as many parts as `one`.
    """
    zero = (0.0, *one[1:])
    if begin == 0:
        _run(work, program, 0, begins_of[0, FORWARD], one, share)
    saved, written = np.searchsorted(losses_at, begin), np.searchsorted(weights_at, begin)
    for step in range(begin, end):
        odd = step % 2
        _run(work, program, begins_of[odd, FORWARD], begins_of[odd, LOSS], one, rate)
        size = _size(work, measured, SLOPE, one, zero)[0]
        if step == 0:
            limit[0] = min(HOPELESS * max(size, _size(work, measured, TARGET, one, zero)[0]), LARGEST)
        if not size <= limit[0]:
            return step
        if saved < losses_at.size and losses_at[saved] == step:
            _run(work, program, begins_of[odd, LOSS], begins_of[odd, BACKWARD], one, rate)
            error = _size(work, measured, REST, share, least)
            for part in range(len(one)):
                errors[saved, part] = error[part]
            saved += 1
        if written < weights_at.size and weights_at[written] == step:
            for part in range(len(one)):
                _read(work, layers[odd], part, weights[written, part])
            written += 1
        if step < last:
            _run(work, program, begins_of[odd, BACKWARD], begins_of[odd, END], one, rate)
    return -1


@njit(cache=True)
def _run(work, program, begin, end, one, rate):
    """Carry out operations, of which each is a row: its kind, its scale, sizes and places."""
    less = (-one[0], *one[1:])
    for k in range(begin, end):
        kind, scaled = program[k, 0], program[k, 1]
        rows, columns, count, column_step = program[k, 2], program[k, 3], program[k, 4], program[k, 5]
        out, base = _place(program, k, 6), _place(program, k, 9)
        left, right = _place(program, k, 12), _place(program, k, 15)
        scale = one
        if scaled == LESS:
            scale = less
        elif scaled == RATE:
            scale = rate
        if kind == MULTIPLY:
            multiply(work, out, base, left, column_step, right, rows, columns, count, scale)
        elif kind == MOVE:
            move(work, out, base, left, rows, columns, scale)
        else:
            turn(work, out, left, rows, columns, len(one))


@njit(cache=True)
def _place(table, k, first):
    return table[k, first], table[k, first + 1], table[k, first + 2]


@njit(cache=True)
def _size(work, measured, k, scale, least):
    """least + scale times the sum of the squared entries of a matrix."""
    return squares(work, _place(measured, k, 0), measured[k, 3], measured[k, 4], scale, least)


@njit(cache=True)
def _read(work, layers, part, out):
    """The entries of all layers, row by row."""
    k = 0
    for layer in range(layers.shape[0]):
        at, row_step, column_step, shift, rows, columns = layers[layer]
        for i in range(rows):
            for j in range(columns):
                out[k] = work[at + part * shift + i * row_step + j * column_step]
                k += 1
