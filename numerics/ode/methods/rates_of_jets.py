"""A module of jets as a kernel: its first coefficients are rates, and those of states beside each other slopes."""

# mypy: ignore-errors
# ruff: noqa: PLR0917

from numba import njit

from numerics.machine.lanes import LANES
from numerics.machine.lanes.jets import ROW
from numerics.ode.methods.decay_jets import FIXED, PARAMETERS, SERIES, STATES, fix, jets

SMALLEST = 1e-100  # the size of what has none
ROUNDING = 2.0**-52
MOVED = LANES // 2  # components that are moved at once, each up and down


@njit(cache=True)
def scratch_size(params):
    """How many doubles `rates` works in."""
    return SERIES * ROW + (FIXED + PARAMETERS) * LANES


@njit(cache=True)
def prepare(params, scratch):
    """Write what stays the same during a run."""
    given = scratch[SERIES * ROW + FIXED * LANES :]
    for d in range(PARAMETERS):
        for lane in range(LANES):
            given[d * LANES + lane] = params[d]
    fix(given, scratch[SERIES * ROW : SERIES * ROW + FIXED * LANES])


@njit(cache=True)
def spread_state(state, scratch):
    """Write a state into all lanes."""
    for d in range(STATES):
        for lane in range(LANES):
            scratch[d * ROW + lane] = state[d]


@njit(cache=True)
def first_coefficients(scratch):
    """Write the first coefficients, which are the rates of change."""
    jets(scratch[: SERIES * ROW], scratch[SERIES * ROW : SERIES * ROW + FIXED * LANES], 0, 1)


@njit(cache=True)
def rates(t, state, params, out, scratch):
    """Write the rates of change of the state into `out`."""
    spread_state(state, scratch)
    first_coefficients(scratch)
    for d in range(STATES):
        out[d] = scratch[d * ROW + LANES]


@njit(cache=True)
def jacobian(t, state, slope, sizes, params, out, scratch):
    """Write the derivatives of the rates (row) by the components (column), and return how many rates that took."""
    calls = 0
    for first in range(0, STATES, MOVED):
        spread_state(state, scratch)
        last = min(first + MOVED, STATES)
        for j in range(first, last):
            move = (ROUNDING ** (1.0 / 3.0)) * max(sizes[j], SMALLEST)
            scratch[j * ROW + 2 * (j - first)] = state[j] + move
            scratch[j * ROW + 2 * (j - first) + 1] = state[j] - move
        first_coefficients(scratch)
        calls += 1
        for j in range(first, last):
            lane = 2 * (j - first)
            apart = scratch[j * ROW + lane] - scratch[j * ROW + lane + 1]
            for i in range(STATES):
                out[i, j] = (scratch[i * ROW + LANES + lane] - scratch[i * ROW + LANES + lane + 1]) / apart
    return calls
