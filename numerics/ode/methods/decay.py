"""The smallest kernel: every component decays, d/dt x = -rate x. It shows what an integrator expects of one."""

# mypy: ignore-errors

from numba import njit

PARAMETERS = 1


@njit(cache=True)
def scratch_size(params):
    """How many doubles `rates` wants to work in."""
    return 1


@njit(cache=True)
def prepare(params, scratch):
    """Write into the work space what stays the same during a run."""
    scratch[0] = -params[0]


@njit(cache=True)
def rates(t, state, params, out, scratch):
    """Write the rates of change of the state into `out`."""
    for d in range(state.size):
        out[d] = scratch[0] * state[d]
