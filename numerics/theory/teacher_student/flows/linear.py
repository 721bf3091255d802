"""The flow of the order parameters for g(x) = x, as a kernel for `numerics.machine.specialise`.

With the covariance C of all fields and the weights s (-v for students, v* for teachers) the averages are entries:
<g'(i) phi_b g(c)> = C_bc and <g'(i) g'(k) g(c) g(d)> = C_cd, so that only C s and s'C s are needed.

params and state: as in numerics/theory/teacher_student/flows/fields.py.
"""

# mypy: ignore-errors

from numba import njit

from numerics.theory.teacher_student.flows.fields import gather, teach

ROW_SIZES = ("rows", "sizes")
"""The module beside this one, and its function, that say how long rows are."""


@njit(cache=True)
def scratch_size(params):
    """How many doubles `rates` wants to work in."""
    n = int(params[0]) + int(params[1])
    return n * (n + 2)


@njit(cache=True)
def tables(params, scratch):
    """The work space as the covariance of all fields, their weights, and the product of both."""
    n = int(params[0]) + int(params[1])
    return scratch[: n * n].reshape((n, n)), scratch[n * n : n * (n + 1)], scratch[n * (n + 1) :]


@njit(cache=True)
def prepare(params, scratch):
    """Write into the work space what stays the same during a run."""
    C, s, _ = tables(params, scratch)
    teach(params, C, s)


@njit(cache=True)
def rates(t, state, params, out, scratch):
    """Write the rates of Q, R and (where it learns) v into `out`."""
    K, M, learns = int(params[0]), int(params[1]), params[2] != 0.0
    eta, eta_v, noise, batch = params[3], params[4], params[5], params[6]
    C, s, product = tables(params, scratch)
    gather(params, state, C, s)
    n, first_R, first_v = K + M, K * (K + 1) // 2, K * (K + 1) // 2 + K * M
    square = noise
    for f in range(n):
        product[f] = 0.0
        for c in range(n):
            product[f] += C[f, c] * s[c]
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
