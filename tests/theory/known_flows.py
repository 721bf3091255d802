"""Flows with solutions that are known, as one kernel: the first parameter says which, the second how fast."""

# mypy: ignore-errors

from math import cos, sin

from numba import njit

DECAY, FOLLOWED, COUPLED, VAN_DER_POL, ROBERTSON, POLE, GROWTH = range(7)


@njit(cache=True)
def scratch_size(params):
    return 1


@njit(cache=True)
def prepare(params, scratch):
    scratch[0] = params[0]


@njit(cache=True, error_model="numpy")
def rates(t, state, params, out, scratch):
    kind, speed = scratch[0], params[1]
    if kind == DECAY:
        for d in range(state.size):
            out[d] = -speed * state[d]
    elif kind == FOLLOWED:
        for d in range(state.size):
            out[d] = -speed * (state[d] - cos(t)) - sin(t)
    elif kind == COUPLED:
        slow, fast = state[0] + state[1], state[0] - state[1]
        out[0], out[1] = 0.5 * (-slow - speed * fast), 0.5 * (-slow + speed * fast)
    elif kind == VAN_DER_POL:
        out[0], out[1] = state[1], speed * ((1.0 - state[0] ** 2) * state[1] - state[0])
    elif kind == ROBERTSON:
        first, second = 0.04 * state[0] - 1e4 * state[1] * state[2], 3e7 * state[1] ** 2
        out[0], out[1], out[2] = -first, first - second, second
    elif kind == POLE:
        out[0] = speed * state[0] ** 2
    else:  # x^p, which leaves the floats in finite time for p > 1, and has no root below zero
        for d in range(state.size):
            out[d] = speed * state[d] ** params[2]
