"""Ball twins of the matrix kernels of braun_2022: every entry is an interval that surely holds the value.

Matrices are rows of numbers, taken exactly as written. `digits` is the working precision; radii tell what
is left of it, and a ZeroDivisionError that it is too small to tell a matrix from one without an inverse.

Emitted by `derivations update`; edit the paper, never this file.
"""

# mypy: ignore-errors

from fractions import Fraction

from flint import arb, arb_mat, ctx


def exact(value):
    """The number as written: a float's binary value, text such as 0.1, 1/3 or 0x1.8p+3, a ball as it is."""
    if isinstance(value, arb):
        return value
    number = Fraction(float.fromhex(value) if isinstance(value, str) and "0x" in value else value)
    return arb(number.numerator)/number.denominator


def matrix(value):
    """A matrix of balls from rows of numbers; an arb_mat as it is."""
    return value if isinstance(value, arb_mat) else arb_mat([[exact(entry) for entry in row] for row in value])


def sizes(**matrices):
    """The dimensions by name, in order of appearance; every matrix comes with the names of its own."""
    found = {}
    for name, (matrix, *dimensions) in matrices.items():
        for size, dimension in zip((matrix.nrows(), matrix.ncols()), dimensions, strict=True):
            if found.setdefault(dimension, 1 if dimension == 1 else size) != size:
                raise ValueError(f"{name} has {dimension} = {size}, but another matrix has {found[dimension]}")
    return [size for dimension, size in found.items() if dimension != 1]


def identity(n):
    """The identity matrix."""
    return arb_mat([[int(i == j) for j in range(n)] for i in range(n)])


def joined(rows):
    """One matrix of rows of blocks."""
    lines = [sum(line, []) for row in rows for line in zip(*(block.tolist() for block in row))]
    return arb_mat(len(lines), sum(block.ncols() for block in rows[0]), sum(lines, []))


def cut(matrix, heights, widths):
    """The blocks of a matrix, row by row."""
    rows, blocks = iter(matrix.tolist()), []
    for height in heights:
        lines = [iter(next(rows)) for _ in range(height)]
        blocks += [arb_mat(height, width, [next(line) for line in lines for _ in range(width)]) for width in widths]
    return blocks


def exponential_integral(A, t):
    """The integral of exp(A s) over s from 0 to t: the upper right block of exp(t [A, I; 0, 0])."""
    n = A.nrows()
    return cut(joined([[A*t, identity(n)*t], [arb_mat(n, 2*n)]]).exp(), (n, n), (n, n))[1]


def riccati(W1_0, W2_0, Sigma, balance, t, digits=50):
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
    with ctx.workdps(digits):
        W1_0 = matrix(W1_0)
        W2_0 = matrix(W2_0)
        Sigma = matrix(Sigma)
        balance = exact(balance)
        t = exact(t)
        N_h, N_i, N_o = (
            sizes(W1_0=(W1_0, "N_h", "N_i"), W2_0=(W2_0, "N_o", "N_h"), Sigma=(Sigma, "N_o", "N_i"))
        )
        E_ii, E_io, E_oi, E_oo = (
            cut(joined([[-balance*t*identity(N_i)/2, t*Sigma.transpose()], [t*Sigma,
            balance*t*identity(N_o)/2]]).exp(), (N_i, N_o), (N_i, N_o))
        )
        Phi_ii, Phi_io, Phi_oi, Phi_oo = (
            cut(exponential_integral(joined([[-balance*identity(N_i), 2*Sigma.transpose()], [2*Sigma,
            balance*identity(N_o)]]), t), (N_i, N_o), (N_i, N_o))
        )
        Z_i = E_ii*W1_0.transpose() + E_io*W2_0
        Z_o = E_oi*W1_0.transpose() + E_oo*W2_0
        M = (
            identity(N_h) + W1_0*Phi_ii*W1_0.transpose() + W1_0*Phi_io*W2_0
            + W2_0.transpose()*Phi_oi*W1_0.transpose() + W2_0.transpose()*Phi_oo*W2_0
        )
        M_inv = M.inv()
        qqt = (
            joined([[Z_i*M_inv*Z_i.transpose(), Z_i*M_inv*Z_o.transpose()], [Z_o*M_inv*Z_i.transpose(),
            Z_o*M_inv*Z_o.transpose()]])
        )
        return (qqt,)


def theorem_31(U, S, V, U_t, S_t, V_t, U_p, V_p, t, digits=50):
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
    with ctx.workdps(digits):
        U = matrix(U)
        S = matrix(S)
        V = matrix(V)
        U_t = matrix(U_t)
        S_t = matrix(S_t)
        V_t = matrix(V_t)
        U_p = matrix(U_p)
        V_p = matrix(V_p)
        t = exact(t)
        N_o, N_m, N_i, N_u, N_v = (
            sizes(U=(U, "N_o", "N_m"), S=(S, "N_m", "N_m"), V=(V, "N_i", "N_m"), U_t=(U_t, "N_o", "N_m"),
            S_t=(S_t, "N_m", "N_m"), V_t=(V_t, "N_i", "N_m"), U_p=(U_p, "N_o", "N_u"),
            V_p=(V_p, "N_i", "N_v"))
        )
        S_inv = S.inv()
        S_t_inv = S_t.inv()
        E = (-t*S_t).exp()
        B = U.transpose()*U_t + V.transpose()*V_t
        C = U.transpose()*U_t - V.transpose()*V_t
        B_inv = B.inv()
        K_inv = (
            (S_t_inv + 4*E*B_inv*S_inv*B_inv.transpose()*E
            + E*B_inv*C*S_t_inv*C.transpose()*B_inv.transpose()*E
            + 4*t*E*B_inv*U.transpose()*U_p*U_p.transpose()*U*B_inv.transpose()*E
            + 4*t*E*B_inv*V.transpose()*V_p*V_p.transpose()*V*B_inv.transpose()*E - E*E*S_t_inv
            - E*B_inv*C*E*E*S_t_inv*C.transpose()*B_inv.transpose()*E).inv()
        )
        Z_i = V_t + 2*V_p*V_p.transpose()*V*B_inv.transpose()*E - V_t*E*C.transpose()*B_inv.transpose()*E
        Z_o = U_t + 2*U_p*U_p.transpose()*U*B_inv.transpose()*E + U_t*E*C.transpose()*B_inv.transpose()*E
        qqt = (
            joined([[Z_i*K_inv*Z_i.transpose(), Z_i*K_inv*Z_o.transpose()], [Z_o*K_inv*Z_i.transpose(),
            Z_o*K_inv*Z_o.transpose()]])
        )
        return (qqt,)
