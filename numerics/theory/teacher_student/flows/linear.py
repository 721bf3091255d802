"""The flow of the order parameters for g(x) = x, as a kernel for `numerics.machine.specialise`.

With the covariance C of all fields and the weights s (-v for students, v* for teachers) the averages are entries:
<g'(i) phi_b g(c)> = C_bc and <g'(i) g'(k) g(c) g(d)> = C_cd, so that only C s and s'C s are needed.

params and state: as in numerics/theory/teacher_student/flows/erf.py.
"""

# mypy: ignore-errors

from numba import njit

HEADER = 7  # params in front of T


ROW_SIZES = ("rows", "sizes")
"""The module beside this one, and its function, that say how long rows are."""


@njit(cache=True)
def scratch_size(params):
    """How many doubles `rates` wants to work in."""
    n = int(params[0]) + int(params[1])
    return n * (n + 2)


@njit(cache=True)
def prepare(params, scratch):
    """Write into the work space what stays the same during a run: the teacher's covariance and fixed weights."""
    K, M = int(params[0]), int(params[1])
    n = K + M
    C, s = scratch[: n * n], scratch[n * n :]
    at = HEADER
    for m in range(M):
        for l in range(m + 1):
            C[(K + m) * n + K + l] = C[(K + l) * n + K + m] = params[at + l]
        at += m + 1
    for m in range(M):
        s[K + m] = params[at + m]
    for i in range(K):
        s[i] = -params[at + M + i]


@njit(cache=True)
def rates(t, state, params, out, scratch):
    """Write the rates of Q, R and (where it learns) v into `out`."""
    K, M, learns = int(params[0]), int(params[1]), params[2] != 0.0
    eta, eta_v, noise, batch = params[3], params[4], params[5], params[6]
    n = K + M
    C, s, product = scratch[: n * n], scratch[n * n :], scratch[n * (n + 1) :]
    first_R, first_v = K * (K + 1) // 2, K * (K + 1) // 2 + K * M
    at = 0
    for i in range(K):
        for k in range(i + 1):
            C[i * n + k] = C[k * n + i] = state[at + k]
        at += i + 1
        for m in range(M):
            C[i * n + K + m] = C[(K + m) * n + i] = state[first_R + i * M + m]
        if learns:
            s[i] = -state[first_v + i]
    square = noise
    for f in range(n):
        product[f] = 0.0
        for c in range(n):
            product[f] += C[f * n + c] * s[c]
        square += s[f] * product[f]
    at = 0
    for i in range(K):
        for k in range(i + 1):
            linear = -s[i] * product[k] - s[k] * product[i]
            out[at + k] = eta * linear + eta * eta / batch * s[i] * s[k] * square
        at += i + 1
        for m in range(M):
            out[first_R + i * M + m] = -eta * s[i] * product[K + m]
        if learns:
            out[first_v + i] = eta_v * product[i]
