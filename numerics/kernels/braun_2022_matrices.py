"""Matrix kernels of braun_2022 in plain NumPy, which overflows where a matrix exponential does.

Emitted by `derivations update`; edit the paper, never this file.
"""

# mypy: ignore-errors

import numpy as np


def matrix(value):
    """A matrix of floats from rows of numbers."""
    array = np.asarray(value, dtype=float)
    if array.ndim != 2:
        raise ValueError(f"a matrix has rows and columns, but this has {array.ndim} axes")
    return array


def sizes(**matrices):
    """The dimensions by name, in order of appearance; every matrix comes with the names of its own."""
    found = {}
    for name, (matrix, *dimensions) in matrices.items():
        for size, dimension in zip(matrix.shape, dimensions, strict=True):
            if found.setdefault(dimension, 1 if dimension == 1 else size) != size:
                raise ValueError(f"{name} has {dimension} = {size}, but another matrix has {found[dimension]}")
    return [size for dimension, size in found.items() if dimension != 1]


def cut(matrix, heights, widths):
    """The blocks of a matrix, row by row."""
    rows = np.split(matrix, np.cumsum(heights)[:-1])
    return [block for row in rows for block in np.split(row, np.cumsum(widths)[:-1], axis=1)]


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

    Inputs: W1_0 (N_h x N_i), W2_0 (N_o x N_h), Sigma (N_o x N_i), balance (1 x 1), t (1 x 1)
    Returns: qqt
    Domain: W2_0' W2_0 - W1_0 W1_0' = balance I
    Rests on: braun_2022:riccati_solution, braun_2022:emitted_riccati, braun_2022:integral_of_an_exponential,
        braun_2022:exponential_by_eigenvectors
    Source: Braun, Domine, Fitzgerald & Saxe (2022), NeurIPS 35, Eq. 5 without its assumptions 2.1 and 2.4
    Normal form: sha256 6718c4ddf76c10b6f0c32d37d41b9d34fd3e5a56937632b35863661233e74510
    """
    W1_0 = matrix(W1_0)
    W2_0 = matrix(W2_0)
    Sigma = matrix(Sigma)
    balance = float(balance)
    t = float(t)
    N_h, N_i, N_o = sizes(W1_0=(W1_0, "N_h", "N_i"), W2_0=(W2_0, "N_o", "N_h"), Sigma=(Sigma, "N_o", "N_i"))
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
        U_p (N_o x N_u), V_p (N_i x N_v), t (1 x 1)
    Returns: qqt
    Domain: U has orthonormal columns, S is diagonal, V has orthonormal columns, U_t has orthonormal columns,
        S_t is diagonal, V_t has orthonormal columns, U_p has orthonormal columns,
        V_p has orthonormal columns, balanced weights, and U' U_t + V' V_t has an inverse
    Rests on: braun_2022:theorem_31, braun_2022:exponential_by_eigenvectors
    Source: Braun, Domine, Fitzgerald & Saxe (2022), NeurIPS 35, Eqs. 11 and 12
    Normal form: sha256 e7478c11d3484c44f2b84788aa5eb5316119b5f525ec163b2a36d10245a643c4
    """
    U = matrix(U)
    S = matrix(S)
    V = matrix(V)
    U_t = matrix(U_t)
    S_t = matrix(S_t)
    V_t = matrix(V_t)
    U_p = matrix(U_p)
    V_p = matrix(V_p)
    t = float(t)
    N_o, N_m, N_i, N_u, N_v = (
        sizes(U=(U, "N_o", "N_m"), S=(S, "N_m", "N_m"), V=(V, "N_i", "N_m"), U_t=(U_t, "N_o", "N_m"),
        S_t=(S_t, "N_m", "N_m"), V_t=(V_t, "N_i", "N_m"), U_p=(U_p, "N_o", "N_u"), V_p=(V_p, "N_i", "N_v"))
    )
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
