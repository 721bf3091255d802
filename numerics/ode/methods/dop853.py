"""Runge-Kutta of order 8 with the embedded errors of orders 5 and 3, an integrator for `numerics.machine.specialise`.

The method DOP853 of Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I (1993), II.10. The last stage
of a step is the first of the next. Sums over steps are compensated, so that tolerances down to 1e-13 are not spoiled by
rounding. The method's own interpolant has order 7, costs three more rates a step, and would decide the error of every
output. Here outputs lie on the interpolant of numerics.ode.methods.hermite.py, where it and the one through a point
less agree within the tolerance; where they do not, a step to the middle adds a point.

All arrays are borrowed from one room, because counting the users of arrays would cost a small kernel most of its time.

A kernel defines `scratch_size(params)`, `prepare(params, scratch)` and `rates(t, state, params, out, scratch)`.
"""

# mypy: ignore-errors
# ruff: noqa: PLR0915, PLR0917

from math import isfinite, sqrt

import numpy as np
from numba import njit

from numerics.machine.lanes import LANES, borrowed, load, spread, store
from numerics.ode.methods.decay import prepare, rates, scratch_size
from numerics.ode.methods.hermite import MEMORY, NODES_SIZE, POINTS, interpolate, remember
from numerics.ode.methods.numbers import copy, is_finite

STAGES = 12
# row s: the shares of the stages before stage s
SHARES = np.array([
    # stage 0
    0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
    # stage 1
    0.05260015195876773, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
    # stage 2
    0.0197250569845379, 0.0591751709536137, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
    # stage 3
    0.02958758547680685, 0.0, 0.08876275643042054, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
    # stage 4
    0.2413651341592667, 0.0, -0.8845494793282861, 0.924834003261792, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
    # stage 5
    0.037037037037037035, 0.0, 0.0, 0.17082860872947386, 0.12546768756682242, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
    # stage 6
    0.037109375, 0.0, 0.0, 0.17025221101954405, 0.06021653898045596, -0.017578125, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
    # stage 7
    0.03709200011850479, 0.0, 0.0, 0.17038392571223998, 0.10726203044637328, -0.015319437748624402,
    0.008273789163814023, 0.0, 0.0, 0.0, 0.0, 0.0,
    # stage 8
    0.6241109587160757, 0.0, 0.0, -3.3608926294469414, -0.868219346841726, 27.59209969944671, 20.154067550477894,
    -43.48988418106996, 0.0, 0.0, 0.0, 0.0,
    # stage 9
    0.47766253643826434, 0.0, 0.0, -2.4881146199716677, -0.590290826836843, 21.230051448181193, 15.279233632882423,
    -33.28821096898486, -0.020331201708508627, 0.0, 0.0, 0.0,
    # stage 10
    -0.9371424300859873, 0.0, 0.0, 5.186372428844064, 1.0914373489967295, -8.149787010746927, -18.52006565999696,
    22.739487099350505, 2.4936055526796523, -3.0467644718982196, 0.0, 0.0,
    # stage 11
    2.273310147516538, 0.0, 0.0, -10.53449546673725, -2.0008720582248625, -17.9589318631188, 27.94888452941996,
    -2.8589982771350235, -8.87285693353063, 12.360567175794303, 0.6433927460157636, 0.0,
]).reshape(STAGES, STAGES)  # fmt: skip
# where in the step the stages stand
NODES = np.array([
    0.0, 0.05260015195876773, 0.0789002279381516, 0.1183503419072274, 0.2816496580927726, 0.3333333333333333, 0.25,
    0.3076923076923077, 0.6512820512820513, 0.6, 0.8571428571428571, 1.0,
])  # fmt: skip
# the shares of the stages in the step
STEP = np.array([
    0.054293734116568765, 0.0, 0.0, 0.0, 0.0, 4.450312892752409, 1.8915178993145003, -5.801203960010585,
    0.3111643669578199, -0.1521609496625161, 0.20136540080403034, 0.04471061572777259,
])  # fmt: skip
# and in the two estimates of its error
FIFTH = np.array([
    0.01312004499419488, 0.0, 0.0, 0.0, 0.0, -1.2251564463762044, -0.4957589496572502, 1.6643771824549864,
    -0.35032884874997366, 0.3341791187130175, 0.08192320648511571, -0.022355307863886294,
])  # fmt: skip
THIRD = np.array([
    -0.18980075407240762, 0.0, 0.0, 0.0, 0.0, 4.450312892752409, 1.8915178993145003, -5.801203960010585,
    -0.4226823213237919, -0.1521609496625161, 0.20136540080403034, 0.02265179219836082,
])  # fmt: skip

SUCCESS, TOO_MANY, LEFT, TOO_SMALL, STIFF = 0, 1, 2, 3, 4
SAFETY, LEAST, MOST = 0.9, 0.2, 10.0  # of the change of the step
EPSILON = 2.0**-52
MOST_HALVINGS = 4  # of an interval, for one output
AGREEMENT = 1.0  # of two interpolants, in units of the tolerance
BOUND = 6.1  # the fastest rate of decay times the step, from which on the method is not stable
WAIT, OFTEN = 200, 15  # steps before a flow may be called stiff, and how many in a row must be bound by stability
WORTH = 1000.0  # steps that are left, from which an implicit method pays; more for many components


@njit(cache=True)
def combined(stages, shares, count, wide, out):
    """Write the sum of the first `count` stages times their shares."""
    for at in range(0, wide, LANES):
        total = spread(0.0)
        for j in range(count):
            total += spread(shares[j]) * load(stages, j * wide + at)
        store(out, at, total)


@njit(cache=True, error_model="numpy", fastmath={"reassoc"})
def size_of(numbers, state, other, rtol, atol):
    """The root mean square of numbers in units of the tolerance; zero is none of them, whatever the tolerance."""
    total = 0.0
    for d in range(numbers.size):
        height = max(abs(state[d]), abs(other[d]))
        part = numbers[d] / (atol[d] + rtol * height)
        total += part * part if numbers[d] != 0.0 else 0.0
    return sqrt(total / numbers.size)


@njit(cache=True, error_model="numpy")
def first_step(t, state, slope, params, rtol, atol, longest, trial, out, scratch):
    """A step for which an explicit Euler step would be about as wrong as one percent of the tolerance."""
    dims = state.size
    height, speed = size_of(state, state, state, rtol, atol), size_of(slope, state, state, rtol, atol)
    guess = 1e-6 if height < 1e-5 or speed < 1e-5 else 0.01 * height / speed
    guess = min(guess, longest)
    for d in range(dims):
        trial[d] = state[d] + guess * slope[d]
    rates(t + guess, trial, params, out, scratch)
    for d in range(dims):
        trial[d] = (out[d] - slope[d]) / guess
    bend = max(speed, size_of(trial, state, state, rtol, atol))
    if not isfinite(bend):
        return guess
    later = (0.01 / bend) ** 0.125 if bend > 1e-15 else max(1e-6, guess * 1e-3)
    return min(100.0 * guess, later, longest)


@njit(cache=True)
def evaluate_stages(t, step, state, dims, params, stages, trial, scratch):
    """Write all stages after the first."""
    wide = trial.size
    here = borrowed(trial, 0, dims)
    for s in range(1, STAGES):
        combined(stages, SHARES[s], s, wide, trial)
        for at in range(0, wide, LANES):
            store(trial, at, load(state, at) + spread(step) * load(trial, at))
        rates(t + NODES[s] * step, here, params, borrowed(stages, s * wide, dims), scratch)


@njit(cache=True, inline="always")
def is_interpolated(t, before, moments, points, count, nodes, rtol, atol, trial, other):
    """Write the state at t into `trial`; whether two interpolants agree on it."""
    first = max(0, min(before + 1 - POINTS // 2, count - POINTS))
    last = min(count, first + POINTS)
    if last - first < 3:
        return False
    interpolate(t, moments, points, first, last, nodes, trial, other)
    here = borrowed(trial, 0, atol.size)
    return size_of(borrowed(other, 0, atol.size), here, here, rtol, atol) <= AGREEMENT


@njit(cache=True, inline="always")
def output_at(t, moments, points, count, nodes, params, rtol, atol, stages, trial, other, slope, scratch):
    """Write the state at a time between remembered points into `trial`; how many points there are and rates it took.

    Where the interpolants do not agree, a step to the middle of the interval adds a point, a few times at most.
    """
    dims, wide, calls = atol.size, trial.size, 0
    while True:
        before = count - 2
        while moments[before] >= t:
            before -= 1
        if moments[before + 1] == t:
            copy(borrowed(points, 2 * wide * (before + 1), wide), trial)
            return count, calls
        if is_interpolated(t, before, moments, points, count, nodes, rtol, atol, trial, other):
            return count, calls
        start = moments[before]
        full = count == MEMORY and before == 0
        step = t - start if full or calls > MOST_HALVINGS * STAGES else 0.5 * (moments[before + 1] - start)
        point = borrowed(points, 2 * wide * before, 2 * wide)
        copy(borrowed(point, wide, wide), stages)
        evaluate_stages(start, step, point, dims, params, stages, other, scratch)
        calls += STAGES - 1
        combined(stages, STEP, STAGES, wide, trial)
        for at in range(0, wide, LANES):
            store(trial, at, load(point, at) + spread(step) * load(trial, at))
        if start + step == t:
            return count, calls
        rates(start + step, borrowed(trial, 0, dims), params, borrowed(slope, 0, dims), scratch)
        calls += 1
        count = remember(start + step, trial, slope, before + 1, moments, points, count)


@njit(cache=True, inline="always")
def is_bound(step, slope, last_stage, arrived, trial):
    """Check whether the step is as long as stability allows, from two rates at its end at places near each other."""
    steep = apart = 0.0
    for d in range(arrived.size):
        steep += (slope[d] - last_stage[d]) ** 2
        apart += (arrived[d] - trial[d]) ** 2
    return step * step * steep > BOUND * BOUND * apart


@njit(cache=True)
def room_for(dims, params):
    """How many doubles `trajectory` works in."""
    wide = (dims + LANES - 1) // LANES * LANES
    return (STAGES + 7 + 2 * MEMORY) * wide + MEMORY + NODES_SIZE + scratch_size(params) + LANES


@njit(cache=True)
def trajectory(start, params, times, rtol, atol, most_steps, looks, states, room):
    """Write one trajectory into `states`; how it ended, how many outputs there are, and how many rates it took."""
    dims = start.size
    wide = (dims + LANES - 1) // LANES * LANES
    room = borrowed(room, (-room.ctypes.data // 8) % LANES, room.size - LANES)  # from the beginning of a cache line
    state, lost, trial = borrowed(room, 0, wide), borrowed(room, wide, wide), borrowed(room, 2 * wide, wide)
    gained, error, arrived = (
        borrowed(room, 3 * wide, wide),
        borrowed(room, 4 * wide, wide),
        borrowed(room, 5 * wide, wide),
    )
    slope, stages = borrowed(room, 6 * wide, wide), borrowed(room, 7 * wide, STAGES * wide)
    points = borrowed(room, (7 + STAGES) * wide, 2 * MEMORY * wide)
    used = (7 + STAGES + 2 * MEMORY) * wide
    moments, nodes = borrowed(room, used, MEMORY), borrowed(room, used + MEMORY, NODES_SIZE)
    scratch = borrowed(room, used + MEMORY + NODES_SIZE, scratch_size(params))
    prepare(params, scratch)
    copy(start, state)
    copy(start, states)
    first, here, there, change = (
        borrowed(stages, 0, dims),
        borrowed(state, 0, dims),
        borrowed(arrived, 0, dims),
        borrowed(slope, 0, dims),
    )
    t, end = times[0], times[-1]
    rates(t, here, params, change, scratch)
    copy(change, first)
    calls, attempts, output, bound = 1, 0, 1, 0
    if not (is_finite(here) and is_finite(first)):
        return LEFT, 1, calls
    if times.size == 1:
        return SUCCESS, 1, calls
    nodes[0] = np.inf
    count = remember(t, state, slope, 0, moments, points, 0)
    proposed = first_step(t, here, first, params, rtol, atol, end - t, borrowed(trial, 0, dims), change, scratch)
    calls += 1
    if not proposed > 0.0:  # rates so large that no number is small enough
        return TOO_SMALL, 1, calls
    while t < end:
        left = end - t
        step = left if proposed >= left else min(proposed, 0.5 * left)
        if attempts == most_steps:
            return TOO_MANY, output, calls
        attempts += 1
        evaluate_stages(t, step, state, dims, params, stages, trial, scratch)
        calls += STAGES - 1
        combined(stages, STEP, STAGES, wide, gained)
        for at in range(0, wide, LANES):  # compensated
            more = spread(step) * load(gained, at) - load(lost, at)
            total = load(state, at) + more
            store(arrived, at, total)
            store(gained, at, (total - load(state, at)) - more)
        combined(stages, FIFTH, STAGES, wide, error)
        fifth = size_of(borrowed(error, 0, dims), here, there, rtol, atol)
        combined(stages, THIRD, STAGES, wide, error)
        third = size_of(borrowed(error, 0, dims), here, there, rtol, atol)
        wrong = 0.0 if fifth == 0.0 else step * fifth * fifth / sqrt(fifth * fifth + 0.01 * third * third)
        fits = wrong < 1.0 and is_finite(there)
        if fits:
            rates(t + step, there, params, change, scratch)
            calls += 1
            fits = is_finite(change)
        if not fits:
            proposed = step * (max(LEAST, SAFETY * wrong**-0.125) if 1.0 <= wrong < np.inf else LEAST)
            if proposed <= 4.0 * EPSILON * abs(t) or proposed < 1e-300:
                return (TOO_SMALL if 1.0 <= wrong < np.inf else LEFT), output, calls
            continue
        if looks and attempts > WAIT:
            at_end = borrowed(stages, (STAGES - 1) * wide, dims)
            bound = bound + 1 if is_bound(step, change, at_end, there, borrowed(trial, 0, dims)) else 0
            if bound == OFTEN and left > WORTH * (1.0 + 0.1 * dims) * step:
                return STIFF, output, calls
        factor = MOST if wrong == 0.0 else min(MOST, SAFETY * wrong**-0.125)
        proposed = max(proposed if factor >= 1.0 else 0.0, factor * step)
        t = end if step == left else t + step
        copy(arrived, state)
        copy(gained, lost)
        count = remember(t, state, slope, count, moments, points, count)
        ready = t if t == end else moments[count - POINTS // 2] if count >= POINTS else times[0]
        while output < times.size and times[output] <= ready:
            count, taken = output_at(
                times[output], moments, points, count, nodes, params, rtol, atol, stages, trial, error, slope, scratch
            )
            calls += taken
            copy(borrowed(trial, 0, dims), borrowed(states, output * dims, dims))
            output += 1
        copy(borrowed(points, 2 * wide * (count - 1) + wide, wide), stages)
    return SUCCESS, times.size, calls


@njit(cache=True, nogil=True)
def advance(first, last, starts, params, times, rtol, atol, most_steps, looks, states, codes, outputs, calls):
    """The trajectories from the starts of a range; what was not reached is not a number.

    If it looks for them, it leaves stiff starts as soon as they are seen to be.
    """
    dims, size = starts.shape[1], params.shape[1]
    for k in range(first, last):
        row = borrowed(params, min(k, params.shape[0] - 1) * size, size)
        room = np.zeros(room_for(dims, row))
        codes[k], outputs[k], calls[k] = trajectory(
            borrowed(starts, k * dims, dims),
            row,
            borrowed(times, 0, times.size),
            rtol,
            borrowed(atol, 0, dims),
            most_steps,
            looks,
            borrowed(states, k * times.size * dims, times.size * dims),
            room,
        )
        for output in range(outputs[k], times.size):
            for d in range(dims):
                states[k, output, d] = np.nan
