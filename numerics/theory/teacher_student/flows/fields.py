"""The covariance and the weights of all fields, from the rows of numbers that flows take; a part of all of them.

The K student fields and the M teacher fields are one list of n = K + M Gaussian fields with covariance C and weights s
(-v for students, v* for teachers), so that the error signal is the sum of s_f g(phi_f).

params: K, M, whether v learns, eta, eta_v, sigma^2, B, then T (rows of the lower triangle), v*, v.
state: Q (rows of the lower triangle), R (rows), and v where it learns.
"""

# mypy: ignore-errors

from numba import njit

HEADER = 7  # params in front of T


@njit(cache=True)
def teach(params, C, s):
    """Write what stays the same during a run: the teacher's covariance, and the weights as they are at first."""
    K, M = int(params[0]), int(params[1])
    at = HEADER
    for m in range(M):
        for l in range(m + 1):
            C[K + m, K + l] = C[K + l, K + m] = params[at + l]
        at += m + 1
    for m in range(M):
        s[K + m] = params[at + m]
    for i in range(K):
        s[i] = -params[at + M + i]


@njit(cache=True)
def gather(params, state, C, s):
    """Write the state into the covariance of all fields and their weights."""
    K, M = int(params[0]), int(params[1])
    at, first_R = 0, K * (K + 1) // 2
    for i in range(K):
        for k in range(i + 1):
            C[i, k] = C[k, i] = state[at + k]
        at += i + 1
        for m in range(M):
            C[i, K + m] = C[K + m, i] = state[first_R + i * M + m]
        if params[2] != 0.0:
            s[i] = -state[first_R + K * M + i]
