"""Taylor's method with steps of its own for each start, eight starts at once, as an integrator for `specialise`.

A step writes the Taylor coefficients of the state at its beginning (`jets`). It is as long as makes the last two of
them count about as much as the tolerance. The same polynomials give the outputs inside the step, so that outputs cost
neither accuracy nor rates, and no step is ever refused.

Each of the eight lanes holds a start with its own time and step; one that has arrived makes way for the next start. No
lane sees another one, so a trajectory has the same bits in every company.

A module of jets assigns its sizes and defines `fix` and `jets` (numerics/ode/methods/decay_jets.py is the smallest
one).
"""

# mypy: ignore-errors
# ruff: noqa: PLR0917

from math import isfinite

import numpy as np
from numba import njit

from numerics.machine.lanes import LANES, chosen, load, size, spread, store
from numerics.machine.lanes.jets import ORDER, ROW, rough_power, spread_from
from numerics.ode.methods.decay_jets import FIXED, PARAMETERS, SERIES, STATES, fix, jets

SUCCESS, TOO_MANY, LEFT, TOO_SMALL = 0, 1, 2, 3
SAFETY = 0.9  # of the step
EPSILON = 2.0**-52
TINY = 1e-300
COARSE = 2.0**29  # steps keep 24 bits, so that clocks add them without rounding
LINE = 8  # doubles in a line of the cache, which a vector must not straddle


@njit(cache=True)
def aligned(count):
    """Zeros that begin where a line of the cache does."""
    space = np.zeros(count + LINE)
    ahead = (-(space.ctypes.data // 8)) % LINE
    return space[ahead : ahead + count]


@njit(cache=True)
def proposed(series, rtol, atol):
    """The steps at which the last coefficient or the one before it would be about as large as the tolerance."""
    last, before = spread(0.0), spread(0.0)
    for d in range(STATES):
        scale = spread(atol[d] + TINY) + spread(rtol) * size(load(series, d * ROW))
        ratio = size(load(series, d * ROW + ORDER * LANES)) / scale
        last = chosen(ratio, last, last, ratio)
        ratio = size(load(series, d * ROW + (ORDER - 1) * LANES)) / scale
        before = chosen(ratio, before, before, ratio)
    step, other = rough_power(last, -1.0 / ORDER), rough_power(before, -1.0 / (ORDER - 1))
    step = spread(SAFETY) * chosen(step, other, step, other)
    return (step + spread(COARSE) * step) - spread(COARSE) * step


@njit(cache=True)
def move(series, step, arrived):
    """Write the states at the ends of the steps."""
    square = step * step
    for d in range(STATES):
        at = d * ROW + ORDER * LANES
        even, odd = load(series, at), load(series, at - LANES)
        for _ in range(ORDER // 2 - 1):
            at -= 2 * LANES
            even = even * square + load(series, at)
            odd = odd * square + load(series, at - LANES)
        store(arrived, d * LANES, load(series, d * ROW) + (even * square + odd * step))


@njit(cache=True)
def write(series, lane, t, times, first, last, states):
    """Write the outputs from first to last of one lane, and up to seven more numbers, which the next ones replace."""
    for at in range(first, last, LANES):
        ahead = load(times, at) - spread(t)
        square = ahead * ahead
        for d in range(STATES):
            here = d * ROW + ORDER * LANES + lane
            even, odd = spread_from(series, here), spread_from(series, here - LANES)
            for _ in range(ORDER // 2 - 1):
                here -= 2 * LANES
                even = even * square + spread_from(series, here)
                odd = odd * square + spread_from(series, here - LANES)
            moved = even * square + odd * ahead
            store(states[d], at, spread_from(series, d * ROW + lane) + moved)


@njit(cache=True)
def lay_start(lane, start, row, moment, series, given, clocks):
    """Put a start and its parameters into a lane."""
    for d in range(PARAMETERS):
        given[d * LANES + lane] = row[d]
    for d in range(STATES):
        series[d * ROW + lane] = start[d]
    clocks[lane] = moment


@njit(cache=True)
def sweep(end, rtol, atol, series, fixed, clocks, arrived):
    """One step in every lane: write where they arrive, the times there, and how long the steps were."""
    jets(series, fixed, 0, ORDER)
    now = load(clocks, 0)
    step = proposed(series, rtol, atol)
    later = chosen(spread(end) - now, step, spread(end), now + step)
    step = later - now
    store(clocks, LANES, later)
    store(clocks, 2 * LANES, step)
    move(series, step, arrived)


@njit(cache=True)
def judged(lane, end, clocks, arrived, taken, most_steps):
    """Check whether a lane's step counts, or what stops it."""
    total = 0.0
    for d in range(STATES):
        total += abs(arrived[d * LANES + lane])
    if not isfinite(total):
        return LEFT
    t, step = clocks[lane], clocks[2 * LANES + lane]
    if t < end and (step <= 4.0 * EPSILON * abs(t) or step < TINY):
        return TOO_SMALL
    return TOO_MANY if t < end and taken == most_steps else SUCCESS


@njit(cache=True)
def go_on(lane, series, clocks, arrived):
    """The next step of a lane begins where this one ends."""
    clocks[lane] = clocks[LANES + lane]
    for d in range(STATES):
        series[d * ROW + lane] = arrived[d * LANES + lane]


@njit(cache=True, nogil=True)
def advance(first, last, starts, params, times, count, rtol, atol, most_steps, states, codes, outputs, steps):
    """The trajectories from the starts of a range; what was not reached is not a number.

    `times` holds `count` times and seven more numbers; `states[start, component]` is as long.
    """
    series, fixed, given = aligned(SERIES * ROW), aligned(FIXED * LANES), aligned(PARAMETERS * LANES)
    arrived, clocks, who = aligned(STATES * LANES), aligned(3 * LANES), np.full(LANES, -1)
    begun, running, end = first, 0, times[count - 1]
    while True:
        ready = begun
        for lane in range(LANES):
            if who[lane] < 0 and begun < last:
                lay_start(lane, starts[begun], params[min(begun, params.shape[0] - 1)], times[0], series, given, clocks)
                for d in range(STATES):
                    states[begun, d, 0] = starts[begun, d]
                codes[begun], outputs[begun], steps[begun] = SUCCESS, 1, 0
                who[lane] = begun
                begun += 1
                running += 1
        if running == 0:
            return
        if begun > ready:
            fix(given, fixed)
        sweep(end, rtol, atol, series, fixed, clocks, arrived)
        for lane in range(LANES):
            k = who[lane]
            if k < 0:
                continue
            codes[k] = judged(lane, end, clocks, arrived, steps[k], most_steps)
            if codes[k] == SUCCESS:
                stop = outputs[k]
                while stop < count and times[stop] <= clocks[LANES + lane]:
                    stop += 1
                write(series, lane, clocks[lane], times, outputs[k], stop, states[k])
                outputs[k] = stop
                steps[k] += 1
                go_on(lane, series, clocks, arrived)
                if clocks[lane] < end:
                    continue
            for d in range(STATES):  # a slice assignment takes seconds to compile
                for output in range(outputs[k], states.shape[2]):
                    states[k, d, output] = np.nan
            who[lane] = -1
            running -= 1
