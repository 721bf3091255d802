"""The flow of the order parameters for g(x) = erf(x/sqrt 2): the emitted kernel, between rows of numbers."""

# mypy: ignore-errors

from math import sqrt

from numba import njit

from numerics.kernels.carrasco_davis_grant_2025 import two_layer_flow
from numerics.theory.teacher_student.flows.fields import gather, teach

ROW_SIZES = ("rows", "sizes")
"""The module beside this one, and its function, that say how long rows are."""


@njit(cache=True)
def scratch_size(params):
    """How many doubles `rates` wants to work in."""
    n = int(params[0]) + int(params[1])
    return n * (n + 1)


@njit(cache=True)
def tables(params, scratch):
    """The work space as the covariance of all fields and their weights."""
    n = int(params[0]) + int(params[1])
    return scratch[: n * n].reshape((n, n)), scratch[n * n :]


@njit(cache=True)
def prepare(params, scratch):
    """Write into the work space what stays the same during a run."""
    C, s = tables(params, scratch)
    teach(params, C, s)


@njit(cache=True)
def rates(t, state, params, out, scratch):
    """Write the rates of Q, R and (where it learns) v into `out`."""
    K, M = int(params[0]), int(params[1])
    C, s = tables(params, scratch)
    gather(params, state, C, s)
    Q, R, T = C[:K, :K], C[:K, K:], C[K:, K:]
    dQ, dR, dv = two_layer_flow(Q, R, T, -s[:K], s[K:], params[3], params[4], sqrt(params[5]), params[6])
    first_R = K * (K + 1) // 2
    for i in range(K):
        for k in range(i + 1):
            out[i * (i + 1) // 2 + k] = dQ[i, k]
        for m in range(M):
            out[first_R + i * M + m] = dR[i, m]
        if params[2] != 0.0:
            out[first_R + K * M + i] = dv[i]
