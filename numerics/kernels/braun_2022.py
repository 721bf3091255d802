"""Kernels of braun_2022, compiled on first use.

They call elementary.py, sha256 005cfa1bd711f53af89258c97a95145d18230d55d60fcd3b37c84a797bc3f618.

Emitted by `derivations update`; edit the paper, never this file.
"""

# mypy: ignore-errors

from math import sqrt

import numpy as np
from numba import njit

from numerics.kernels.elementary import exp, log, minor, relexp


@njit(cache=True, error_model="numpy")
def decoupling(a1, a2, b, s1, s2, t):
    """The entries of A'A at time t (in units of tau) for two modes, from their values at time zero.

    Inputs: a1, a2, b, s1, s2, t
    Returns: a1_t, a2_t, b_t
    Domain: a1 >= 0, a2 >= 0, s1 >= 0, s2 >= 0, t >= 0, a1*a2 >= b^2
    Equals: braun_2022:decoupling_solves_the_flow
    Not compared where: t = 0
    Source: Braun, Domine, Fitzgerald & Saxe (2022), NeurIPS 35, Eqs. 13 and 14 without their inverses
    Equality: sha256 05c7d485a21b1d0c8a6dc9d8f223ce74e01665ae09bb1eaee2b087ca6eb7e578
    Normal form: sha256 44caaa56d1489150e82b45f9213415d166c0fba51b3a691b144ee8f981f01788
    """
    determinant = minor(a1, a2, b, b)
    sink1 = exp(-s1*t)
    sink2 = exp(-s2*t)
    fade1 = sink1*sink1
    fade2 = sink2*sink2
    rise1 = 2.0*t*relexp(-2.0*s1*t)
    rise2 = 2.0*t*relexp(-2.0*s2*t)
    ahead1 = exp(t*(s2 - s1))
    ahead2 = exp(t*(s1 - s2))
    margin1 = minor(determinant, rise2, a1, fade2)
    margin2 = minor(determinant, rise1, a2, fade1)
    if s1 >= s2:
        margin = margin1
    else:
        margin = margin2
    open1 = fade2 + a2*rise2
    open2 = fade1 + a1*rise1
    if determinant > 0.0:
        rest1 = determinant/fade2
        rest2 = determinant/fade1
    else:
        rest1 = 0.0
        rest2 = 0.0
    if margin1 > 0.0:
        weight1 = a1*fade2 + determinant*rise2
    else:
        weight1 = a1 + rise2*rest1
    if margin2 > 0.0:
        weight2 = a2*fade1 + determinant*rise1
    else:
        weight2 = a2 + rise1*rest2
    lifted1 = a2*rise2*ahead1/weight1
    lifted2 = a1*rise1*ahead2/weight2
    if b == 0.0:
        held1 = fade1/a1
    elif margin1 > 0.0:
        held1 = fade1*open1/weight1
    elif determinant > 0.0:
        held1 = fade1/weight1 + a2*fade1*rise2/(fade2*weight1)
    else:
        held1 = fade1/weight1 + ahead1*lifted1
    if b == 0.0:
        held2 = fade2/a2
    elif margin2 > 0.0:
        held2 = fade2*open2/weight2
    elif determinant > 0.0:
        held2 = fade2/weight2 + a1*fade2*rise1/(fade1*weight2)
    else:
        held2 = fade2/weight2 + ahead2*lifted2
    if a1 == 0.0:
        level1 = 0.0
    else:
        level1 = 1.0/(rise1 + held1)
    if a2 == 0.0:
        level2 = 0.0
    else:
        level2 = 1.0/(rise2 + held2)
    if s1 >= s2:
        larger = s1
        sunk = sink2
    else:
        larger = s2
        sunk = sink1
    deep = exp(-0.5*t*larger)
    gone = exp(-0.5*t*abs(s1 - s2))
    if b == 0.0:
        share = 0.0
    elif s1 >= s2:
        share = b*level1/weight1
    else:
        share = b*level2/weight2
    a1_t = level1
    a2_t = level2
    if margin > 0.0:
        b_t = sunk*share*deep*deep
    elif determinant > 0.0:
        b_t = share*deep*deep/sunk
    else:
        b_t = share*gone*gone
    return a1_t, a2_t, b_t


@njit(cache=True, error_model="numpy")
def decoupling_peak(a1, a2, b, s):
    """The time (in units of tau) and the height of the peak of b for two modes with equal singular values.

    Inputs: a1, a2, b, s
    Returns: t_peak, b_peak
    Domain: a1 > 0, a2 > 0, s > 0, a1*a2 > b^2, s > a1 + a2
    Equals: braun_2022:peak_in_numbers
    Source: Braun, Domine, Fitzgerald & Saxe (2022), NeurIPS 35, section 5, with the one that the logarithm
        lacks
    Equality: sha256 3337c06ff2eb2a37c7a774899447e34c040ae22d3359f289d9fbdc7c9a94eb49
    Normal form: sha256 6b55ca0551d2e942641a102cf4809b472fd53d022b0e8a4483039446b7078e80
    """
    determinant = minor(a1, a2, b, b)
    slack = s*(s - a1 - a2)
    t_peak = 0.25*log(1.0 + slack/determinant)/s
    b_peak = b*s*s/(s*(a1 + a2) + 2.0*sqrt(determinant)*sqrt(determinant + slack) - 2.0*determinant)
    return t_peak, b_peak


def array(value, axes):
    """An array of floats with so many axes."""
    found = np.asarray(value, dtype=float)
    if found.ndim != axes:
        raise ValueError(f"an array of {axes} axes is needed, and this one has {found.ndim}")
    return found


def cut(matrix, heights, widths):
    """The blocks of a matrix, row by row."""
    rows = np.split(matrix, np.cumsum(np.array(heights))[:-1])
    return [block for row in rows for block in np.split(row, np.cumsum(np.array(widths))[:-1], axis=1)]


def spectral(function, A):
    """A function of a symmetric matrix, through its eigenvalues."""
    values, vectors = np.linalg.eigh(A)
    return vectors*function(values) @ vectors.T


def relexp_of(x):
    """(exp(x) - 1)/x, and 1 at x = 0, entry by entry."""
    return np.divide(np.expm1(x), x, out=np.ones_like(x), where=x != 0)


def riccati(W1_0, W2_0, Sigma, balance, t):
    """QQ' at time t (in units of tau), with W1'W1, W1'W2', W2 W1 and W2 W2' as its four blocks, from weights
    whose balance W2'W2 - W1 W1' is a multiple of the identity.

        [E_ii, E_io; E_oi, E_oo] = (
            exponential([-balance*t*identity(N_i)/2, t*Sigma'; t*Sigma, balance*t*identity(N_o)/2])
        )
        [Phi_ii, Phi_io; Phi_oi, Phi_oo] = (
            exponential_integral([-balance*identity(N_i), 2*Sigma'; 2*Sigma, balance*identity(N_o)], t)
        )
        [Z_i; Z_o] = [E_ii*W1_0' + E_io*W2_0; E_oi*W1_0' + E_oo*W2_0]
        M = identity(N_h) + W1_0*Phi_ii*W1_0' + W1_0*Phi_io*W2_0 + W2_0'*Phi_oi*W1_0' + W2_0'*Phi_oo*W2_0
        M_inv = inverse(M)
        qqt = [Z_i*M_inv*Z_i', Z_i*M_inv*Z_o'; Z_o*M_inv*Z_i', Z_o*M_inv*Z_o']

    Inputs: W1_0 (N_h x N_i), W2_0 (N_o x N_h), Sigma (N_o x N_i), balance, t
    Returns: qqt
    Domain: W2_0' W2_0 - W1_0 W1_0' = balance I
    Equals: braun_2022:riccati_solution
    Source: Braun, Domine, Fitzgerald & Saxe (2022), NeurIPS 35, Eq. 5 without its assumptions 2.1 and 2.4
    Equality: sha256 ec5c6f164e8a7bbd16456fdffa40123aaf5cb2f2b220af3038a2878c84cf2e8b
    Normal form: sha256 6718c4ddf76c10b6f0c32d37d41b9d34fd3e5a56937632b35863661233e74510
    """
    W1_0 = array(W1_0, 2)
    W2_0 = array(W2_0, 2)
    Sigma = array(Sigma, 2)
    balance = array(balance, 0)
    t = array(t, 0)
    N_h = W1_0.shape[0]
    N_i = W1_0.shape[1]
    N_o = W2_0.shape[0]
    if W1_0.shape != (N_h, N_i):
        raise ValueError("W1_0 is not an array of N_h x N_i")
    if W2_0.shape != (N_o, N_h):
        raise ValueError("W2_0 is not an array of N_o x N_h")
    if Sigma.shape != (N_o, N_i):
        raise ValueError("Sigma is not an array of N_o x N_i")
    E_ii, E_io, E_oi, E_oo = (
        cut(spectral(np.exp, np.block([[-balance*t*np.eye(N_i)/2, t*Sigma.T], [t*Sigma,
        balance*t*np.eye(N_o)/2]])), (N_i, N_o), (N_i, N_o))
    )
    Phi_ii, Phi_io, Phi_oi, Phi_oo = (
        cut(spectral(lambda values: t*relexp_of(t*values), np.block([[-balance*np.eye(N_i), 2*Sigma.T],
        [2*Sigma, balance*np.eye(N_o)]])), (N_i, N_o), (N_i, N_o))
    )
    Z_i = E_ii @ W1_0.T + E_io @ W2_0
    Z_o = E_oi @ W1_0.T + E_oo @ W2_0
    M = (
        np.eye(N_h) + W1_0 @ Phi_ii @ W1_0.T + W1_0 @ Phi_io @ W2_0 + W2_0.T @ Phi_oi @ W1_0.T + W2_0.T
        @ Phi_oo @ W2_0
    )
    M_inv = np.linalg.inv(M)
    qqt = np.block([[Z_i @ M_inv @ Z_i.T, Z_i @ M_inv @ Z_o.T], [Z_o @ M_inv @ Z_i.T, Z_o @ M_inv @ Z_o.T]])
    return (qqt,)


def theorem_31(U, S, V, U_t, S_t, V_t, U_p, V_p, t):
    """QQ' at time t (in units of tau) by equations 11 and 12 as printed, from the singular value
    decompositions of W2 W1 at the start (U, S, V) and of the task (U_t, S_t, V_t), and U_p and V_p, which
    complete U_t and V_t.

        S_inv = inverse(S)
        S_t_inv = inverse(S_t)
        E = exponential(-t*S_t)
        B = U'*U_t + V'*V_t
        C = U'*U_t - V'*V_t
        B_inv = inverse(B)
        K_inv = (
            inverse(S_t_inv + 4*E*B_inv*S_inv*B_inv'*E + E*B_inv*C*S_t_inv*C'*B_inv'*E
            + 4*t*E*B_inv*U'*U_p*U_p'*U*B_inv'*E + 4*t*E*B_inv*V'*V_p*V_p'*V*B_inv'*E - E*E*S_t_inv
            - E*B_inv*C*E*E*S_t_inv*C'*B_inv'*E)
        )
        [Z_i; Z_o] = (
            [V_t + 2*V_p*V_p'*V*B_inv'*E - V_t*E*C'*B_inv'*E; U_t + 2*U_p*U_p'*U*B_inv'*E + U_t*E*C'*B_inv'*E]
        )
        qqt = [Z_i*K_inv*Z_i', Z_i*K_inv*Z_o'; Z_o*K_inv*Z_i', Z_o*K_inv*Z_o']

    Inputs: U (N_o x N_m), S (N_m x N_m), V (N_i x N_m), U_t (N_o x N_m), S_t (N_m x N_m), V_t (N_i x N_m),
        U_p (N_o x N_u), V_p (N_i x N_v), t
    Returns: qqt
    Domain: U has orthonormal columns, S is diagonal, V has orthonormal columns, U_t has orthonormal columns,
        S_t is diagonal, V_t has orthonormal columns, U_p has orthonormal columns,
        V_p has orthonormal columns, balanced weights, and U' U_t + V' V_t has an inverse
    Equals: braun_2022:theorem_31
    Source: Braun, Domine, Fitzgerald & Saxe (2022), NeurIPS 35, Eqs. 11 and 12
    Equality: sha256 9ab577c596a7e39dc4444fc3dcda247e07dabff64914b5969d794523b56ee675
    Normal form: sha256 e7478c11d3484c44f2b84788aa5eb5316119b5f525ec163b2a36d10245a643c4
    """
    U = array(U, 2)
    S = array(S, 2)
    V = array(V, 2)
    U_t = array(U_t, 2)
    S_t = array(S_t, 2)
    V_t = array(V_t, 2)
    U_p = array(U_p, 2)
    V_p = array(V_p, 2)
    t = array(t, 0)
    N_o = U.shape[0]
    N_m = U.shape[1]
    N_i = V.shape[0]
    N_u = U_p.shape[1]
    N_v = V_p.shape[1]
    if U.shape != (N_o, N_m):
        raise ValueError("U is not an array of N_o x N_m")
    if S.shape != (N_m, N_m):
        raise ValueError("S is not an array of N_m x N_m")
    if V.shape != (N_i, N_m):
        raise ValueError("V is not an array of N_i x N_m")
    if U_t.shape != (N_o, N_m):
        raise ValueError("U_t is not an array of N_o x N_m")
    if S_t.shape != (N_m, N_m):
        raise ValueError("S_t is not an array of N_m x N_m")
    if V_t.shape != (N_i, N_m):
        raise ValueError("V_t is not an array of N_i x N_m")
    if U_p.shape != (N_o, N_u):
        raise ValueError("U_p is not an array of N_o x N_u")
    if V_p.shape != (N_i, N_v):
        raise ValueError("V_p is not an array of N_i x N_v")
    S_inv = np.linalg.inv(S)
    S_t_inv = np.linalg.inv(S_t)
    E = np.diag(np.exp(np.diagonal(-t*S_t)))
    B = U.T @ U_t + V.T @ V_t
    C = U.T @ U_t - V.T @ V_t
    B_inv = np.linalg.inv(B)
    K_inv = (
        np.linalg.inv(S_t_inv + 4*E @ B_inv @ S_inv @ B_inv.T @ E + E @ B_inv @ C @ S_t_inv @ C.T @ B_inv.T
        @ E + 4*t*E @ B_inv @ U.T @ U_p @ U_p.T @ U @ B_inv.T @ E + 4*t*E @ B_inv @ V.T @ V_p @ V_p.T @ V
        @ B_inv.T @ E - E @ E @ S_t_inv - E @ B_inv @ C @ E @ E @ S_t_inv @ C.T @ B_inv.T @ E)
    )
    Z_i = V_t + 2*V_p @ V_p.T @ V @ B_inv.T @ E - V_t @ E @ C.T @ B_inv.T @ E
    Z_o = U_t + 2*U_p @ U_p.T @ U @ B_inv.T @ E + U_t @ E @ C.T @ B_inv.T @ E
    qqt = np.block([[Z_i @ K_inv @ Z_i.T, Z_i @ K_inv @ Z_o.T], [Z_o @ K_inv @ Z_i.T, Z_o @ K_inv @ Z_o.T]])
    return (qqt,)
