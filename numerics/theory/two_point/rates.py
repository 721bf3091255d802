"""The emitted flow of the signed coordinates (a, b, n), as a kernel for `numerics.ode.integrate`."""

# mypy: ignore-errors

from numba import njit

from numerics.kernels.van_rossem_saxe_2024 import signed_flow

PARAMETERS = 4


@njit(cache=True)
def scratch_size(params):
    """How many doubles `rates` wants to work in."""
    return 1


@njit(cache=True)
def prepare(params, scratch):
    """Write nothing: all of a row stands in `params`."""


@njit(cache=True)
def rates(t, state, params, out, scratch):
    """Write the rates of change of the state into `out`."""
    out[0], out[1], out[2] = signed_flow(state[0], state[1], state[2], params[0], params[1], params[2], params[3])
