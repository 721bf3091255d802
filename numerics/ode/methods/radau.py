"""Radau IIA of order 9, an implicit integrator for `numerics.machine.specialise`: stiff flows in steps of any length.

The method of five stages in Hairer & Wanner, Solving Ordinary Differential Equations II (1996), IV.8, and Stiff
differential equations solved by Radau methods (1999). It is stable however fast components decay. The stages are found
by Newton's method, whose linear systems fall apart into one real and two complex ones, as large as the state. The error
of a step is estimated by a method of order 5 with the same stages. Outputs lie on the polynomial through them, where it
and the one through a point less agree within the tolerance; where they do not, the step is made shorter, or ends there.

A kernel defines `scratch_size`, `prepare`, `rates` and `jacobian`, which writes derivatives of the rates and returns
how many rates that took; where it has none, that of differences.py is in front, which shows its arguments.
"""

# mypy: ignore-errors
# ruff: noqa: PLR0915, PLR0917

from math import isfinite, sqrt

import numpy as np
from numba import njit

from numerics.ode.methods.decay import prepare, rates, scratch_size
from numerics.ode.methods.differences import jacobian
from numerics.ode.methods.numbers import copy, is_finite

STAGES, PAIRS = 5, 3  # a real system, and one for each pair of conjugate ones
# where in the step the stages stand
NODES = np.array([0.057104196114517682, 0.27684301363812383, 0.58359043236891682, 0.86024013565621945, 1.0])
# eigenvalues of the inverse of the matrix of the method
ROOTS = np.array([
    6.2867047517292766, 3.6556943254635723 + 6.5437368993600773j, 5.7009532986717894 + 3.2102656003085499j,
])  # fmt: skip
# stages (row) as combinations of its eigenvectors; those of conjugate ones are left out
FROM = np.array([
    0.013576867344947943, -0.010242047817908827 - 0.047673877290295724j, -0.011478515255229515 + 0.01401985889287541j,
    0.0016179004017190875, 0.050172864517371058 + 0.094331819181611437j, -0.0076688307491801629 - 0.024708578426518527j,
    0.079157853347447208, -0.23053953404341795 - 0.1027030453801259j, 0.019398463998828951 - 0.081800353703751171j,
    0.41225608268046145, 0.37789390224886125 - 0.46674413033249436j, 0.40760117128019907 - 0.19968242788680253j,
    1.0, 1.0, 1.0,
]).reshape(STAGES, PAIRS)  # fmt: skip
# and the other way round
INTO = np.array([
    27.697693775684088, 12.783337911304406, 3.2084893867134299, -0.95149041224891622, 0.7415504960259896,
    2.6720932189174558 + 1.8740299037199024j, 2.2968077838795805 - 1.9924828681719423j,
    -1.5181801617297121 - 0.5222078208040094j, 0.52533009511572943 + 0.59204928406897424j,
    -0.13638930593214814 - 0.22495888507839018j,
    -16.5209401067595 - 4.305721989937646j, -8.6884767395317835 + 4.8499957047644041j,
    -0.086064531627002781 + 0.95736431984843714j, -0.049584888991271321 + 1.20934600304247j,
    0.26561405791915333 - 0.52373174396766871j,
]).reshape(PAIRS, STAGES)  # fmt: skip
# the shares of the stages in the estimate of the error
ERROR = np.array([
    -4.4189977167963817, 0.57923485225667005, -0.19923756095346801, 0.094167483691945489, -0.031813168885493824,
])  # fmt: skip

SUCCESS, TOO_MANY, LEFT, TOO_SMALL = 0, 1, 2, 3
EPSILON = 2.0**-52
TURNS = 12  # of Newton's method
SAFETY, LEAST, MOST = 0.9, 0.125, 8.0  # of the change of the step
SAME = 1.2  # a step that would grow by less stays as it is, with its factors
FAST = 1e-3  # a rate of Newton's method with which the Jacobian is still good enough


@njit(cache=True)
def factor(matrix, order):
    """Write triangular factors over a matrix, with the order of its rows; whether it has any."""
    size = matrix.shape[0]
    for k in range(size):
        best = k
        for i in range(k + 1, size):
            if abs(matrix[i, k]) > abs(matrix[best, k]):
                best = i
        order[k] = best
        if not 0.0 < abs(matrix[best, k]) < np.inf:
            return False
        for j in range(size):
            matrix[k, j], matrix[best, j] = matrix[best, j], matrix[k, j]
        for i in range(k + 1, size):
            matrix[i, k] /= matrix[k, k]
            for j in range(k + 1, size):
                matrix[i, j] -= matrix[i, k] * matrix[k, j]
    return True


@njit(cache=True)
def solve(factors, order, x):
    """Write the solution over the right side of a linear system."""
    size = x.size
    for k in range(size):
        x[k], x[order[k]] = x[order[k]], x[k]
    for k in range(size):
        for i in range(k + 1, size):
            x[i] -= factors[i, k] * x[k]
    for k in range(size - 1, -1, -1):
        for j in range(k + 1, size):
            x[k] -= factors[k, j] * x[j]
        x[k] /= factors[k, k]


@njit(cache=True)
def factored(step, slopes, factors, orders):
    """Write the factors of all systems of a step."""
    size = slopes.shape[0]
    for p in range(PAIRS):
        for i in range(size):
            for j in range(size):
                factors[p, i, j] = -slopes[i, j]
            factors[p, i, i] += ROOTS[p] / step
        if not factor(factors[p], orders[p]):
            return False
    return True


@njit(cache=True)
def size_of(numbers, scale):
    """The root mean square of numbers in units of the tolerance; zero is none of them, whatever the tolerance."""
    total = 0.0
    for d in range(numbers.size):
        part = numbers[d] / scale[d] if numbers[d] != 0.0 else 0.0
        total += part * part
    return sqrt(total / numbers.size)


@njit(cache=True)
def polynomial(at, stages, out):
    """Write what the state has changed at this part of a step: a polynomial, zero at 0, through the stages."""
    for d in range(out.size):
        out[d] = 0.0
    for k in range(STAGES):
        share = at / NODES[k]
        for j in range(STAGES):
            if j != k:
                share *= (at - NODES[j]) / (NODES[k] - NODES[j])
        for d in range(out.size):
            out[d] += share * stages[k, d]


@njit(cache=True)
def without_one(at, stages, out):
    """Write the same without the point that is farthest from there: the beginning of the step, or its end."""
    first, last = (-1, STAGES - 1) if at < 0.5 else (0, STAGES)
    for d in range(out.size):
        out[d] = 0.0
    for k in range(max(first, 0), last):
        share = at / NODES[k] if first < 0 else 1.0
        for j in range(max(first, 0), last):
            if j != k:
                share *= (at - NODES[j]) / (NODES[k] - NODES[j])
        for d in range(out.size):
            out[d] += share * stages[k, d]


@njit(cache=True)
def first_unsure(t, step, later, times, output, stages, scale, trial, other):
    """The first output inside a step on which the polynomials with and without a point do not agree, or -1."""
    while output < times.size and times[output] < later:
        at = (times[output] - t) / step
        polynomial(at, stages, trial)
        without_one(at, stages, other)
        for d in range(trial.size):
            trial[d] -= other[d]
        if not size_of(trial, scale) <= 1.0:
            return output
        output += 1
    return -1


@njit(cache=True)
def newton(t, step, state, scale, enough, params, factors, orders, stages, forms, slopes, change, scratch):
    """Write the stages of a step; how many turns that took, and at which rate they converged.

    They are not found where that is more than TURNS. `forms` holds the stages in the coordinates of the eigenvectors.
    """
    size = state.size
    trial = np.empty(size)
    before, rate = 0.0, 1.0
    for p in range(PAIRS):
        for d in range(size):
            forms[p, d] = 0.0
            for k in range(STAGES):
                forms[p, d] += INTO[p, k] * stages[k, d]
    for turn in range(1, TURNS + 1):
        for k in range(STAGES):
            for d in range(size):
                trial[d] = state[d] + stages[k, d]
            rates(t + NODES[k] * step, trial, params, slopes[k], scratch)
        moved = 0.0
        for p in range(PAIRS):
            for d in range(size):
                change[p, d] = -ROOTS[p] / step * forms[p, d]
                for k in range(STAGES):
                    change[p, d] += INTO[p, k] * slopes[k, d]
            solve(factors[p], orders[p], change[p])
            for d in range(size):
                forms[p, d] += change[p, d]
        for k in range(STAGES):
            for d in range(size):
                total = (FROM[k, 0] * change[0, d]).real
                for p in range(1, PAIRS):
                    total += 2.0 * (FROM[k, p] * change[p, d]).real
                trial[d] = total
                stages[k, d] += total
            moved = max(moved, size_of(trial, scale))
        if not isfinite(moved):
            return TURNS + 1, np.inf
        if turn > 1:
            rate = moved / before if before > 0.0 else 0.0
            if rate >= 0.99 or moved * rate ** (TURNS - turn) / (1.0 - rate) > enough:
                return TURNS + 1, rate
        if moved == 0.0 or (turn > 1 and rate / (1.0 - rate) * moved <= enough):
            return turn, rate if turn > 1 else 0.0
        before = moved
    return TURNS + 1, rate


@njit(cache=True)
def first_step(state, slope, scale, longest):
    """A step in which the state would move by one percent of its size or of the tolerance, if it went on like this."""
    height, speed = size_of(state, scale), size_of(slope, scale)
    guess = 1e-6 if height < 1e-5 or speed < 1e-5 else 0.01 * height / speed
    return min(guess, longest)


@njit(cache=True)
def trajectory(start, params, times, rtol, atol, most_steps, states):
    """Write one trajectory into `states`; how it ended, how many outputs there are, and how many rates it took."""
    size = start.size
    scratch = np.zeros(scratch_size(params))
    prepare(params, scratch)
    state, slope, arrived, wrong = start.copy(), np.empty(size), np.empty(size), np.empty(size)
    scale, lacking, moved, error = np.empty(size), np.empty(size), np.empty(size), np.zeros(size, dtype=np.complex128)
    stages, old, slopes = np.zeros((STAGES, size)), np.zeros((STAGES, size)), np.empty((STAGES, size))
    forms, change = np.zeros((PAIRS, size), dtype=np.complex128), np.zeros((PAIRS, size), dtype=np.complex128)
    factors, orders = np.zeros((PAIRS, size, size), dtype=np.complex128), np.zeros((PAIRS, size), dtype=np.int64)
    matrix = np.empty((size, size))
    enough = max(10.0 * EPSILON / rtol, min(0.03, sqrt(rtol)))
    t, end = times[0], times[-1]
    copy(state, states[0])
    rates(t, state, params, slope, scratch)
    calls, attempts, output, last, unsure = 1, 0, 1, 0.0, -1
    if not (is_finite(state) and is_finite(slope)):
        return LEFT, 1, calls
    if times.size == 1:
        return SUCCESS, 1, calls
    for d in range(size):
        scale[d] = atol[d] + rtol * abs(state[d])
    step = first_step(state, slope, scale, end - t)
    fresh, ready, first, gone, growth = False, False, True, False, MOST
    while t < end:
        if attempts == most_steps:
            return TOO_MANY, output, calls
        attempts += 1
        if step <= 4.0 * EPSILON * abs(t) or step < 1e-300:
            return (LEFT if gone else TOO_SMALL), output, calls
        if not ready:
            if not fresh:
                for d in range(size):
                    wrong[d] = scale[d] / rtol
                calls += jacobian(t, state, slope, wrong, params, matrix, scratch)
                fresh = True
            gone = not factored(step, matrix, factors, orders)
            if gone:
                step *= 0.5
                continue
            ready = True
        for k in range(STAGES):
            if last > 0.0:
                polynomial(1.0 + NODES[k] * step / last, old, stages[k])
                for d in range(size):
                    stages[k, d] -= old[STAGES - 1, d]
            else:
                for d in range(size):
                    stages[k, d] = 0.0
        turns, rate = newton(
            t, step, state, scale, enough, params, factors, orders, stages, forms, slopes, change, scratch
        )
        calls += STAGES * min(turns, TURNS)
        if turns > TURNS:
            gone, ready, last = not isfinite(rate), False, 0.0
            if fresh:
                step *= 0.5
            continue
        for d in range(size):
            arrived[d] = state[d] + stages[STAGES - 1, d]
            total = 0.0
            for k in range(STAGES):
                total += ERROR[k] * stages[k, d]
            lacking[d] = total * ROOTS[0].real / step
            error[d] = slope[d] + lacking[d]
            scale[d] = atol[d] + rtol * max(abs(state[d]), abs(arrived[d]))
        solve(factors[0], orders[0], error)
        for d in range(size):
            wrong[d] = error[d].real
        amount = size_of(wrong, scale)
        if amount >= 1.0 and first:
            for d in range(size):
                moved[d] = state[d] + wrong[d]
            rates(t, moved, params, slopes[0], scratch)
            calls += 1
            for d in range(size):
                error[d] = slopes[0, d] + lacking[d]
            solve(factors[0], orders[0], error)
            for d in range(size):
                wrong[d] = error[d].real
            amount = size_of(wrong, scale)
        factor_now = SAFETY * (2 * TURNS + 1) / (2 * TURNS + turns) * max(amount, 1e-30) ** (-1.0 / (STAGES + 1))
        if not amount < 1.0:
            step *= max(LEAST, factor_now) if isfinite(amount) else 0.5
            gone, ready, first, last = not isfinite(amount), False, True, 0.0
            continue
        later = end if step >= end - t else t + step
        if unsure >= 0 and step == times[unsure] - t:
            later = times[unsure]
        rates(later, arrived, params, slopes[0], scratch)
        calls += 1
        if not is_finite(slopes[0]):
            step, gone, ready, last = 0.5 * step, True, False, 0.0
            continue
        unsure = first_unsure(t, step, later, times, output, stages, scale, wrong, moved)
        if unsure >= 0:  # a step that ends there, or half of this one
            step, ready, last, growth = max(0.5 * step, times[unsure] - t), False, 0.0, SAME
            continue
        while output < times.size and times[output] <= later:
            polynomial((times[output] - t) / step, stages, wrong)
            for d in range(size):
                states[output, d] = arrived[d] if times[output] == later else state[d] + wrong[d]
            output += 1
        for k in range(STAGES):
            copy(stages[k], old[k])
        copy(arrived, state)
        copy(slopes[0], slope)
        t, last, first, gone, unsure = later, step, False, False, -1
        for d in range(size):
            scale[d] = atol[d] + rtol * abs(state[d])
        grown, growth = min(growth, factor_now), MOST
        fresh = False
        if not (1.0 <= grown <= SAME) or step > end - t:
            step, ready = min(step * max(LEAST, grown), max(end - t, 0.0)), False
        elif rate > FAST:
            ready = False
    return SUCCESS, times.size, calls


@njit(cache=True, nogil=True)
def advance(first, last, starts, params, times, rtol, atol, most_steps, states, codes, outputs, calls):
    """The trajectories from the starts of a range; what was not reached is not a number."""
    for k in range(first, last):
        row = params[min(k, params.shape[0] - 1)]
        codes[k], outputs[k], calls[k] = trajectory(starts[k], row, times, rtol, atol, most_steps, states[k])
        for output in range(outputs[k], times.size):
            for d in range(starts.shape[1]):
                states[k, output, d] = np.nan
