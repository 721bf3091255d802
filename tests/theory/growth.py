"""A kernel for tests: d/dt x = x^p, which leaves the floats in finite time for p > 1, and has no root below zero."""

from numba import njit


@njit(cache=True)
def scratch_size(params):
    """How many doubles `rates` wants to work in."""
    return 1


@njit(cache=True)
def prepare(params, scratch):
    """Write into the work space what stays the same during a run."""
    scratch[0] = params[0]


@njit(cache=True, error_model="numpy")
def rates(t, state, params, out, scratch):
    """Write the rates of change of the state into `out`."""
    for d in range(state.size):
        out[d] = params[1] * state[d] ** scratch[0]
