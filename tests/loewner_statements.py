"""Inequalities between matrices of any size, true and false ones, for the tests of the prover and of the checker."""

from __future__ import annotations

from typing import Any

from derivations.language.words import Letter, Order, identity, norm2, trace

A, B, C = (Letter(name, "n", "n", symmetric=True) for name in "ABC")
A_inv, B_inv = Letter("A_inv", "n", "n", inverse_of=A), Letter("B_inv", "n", "n", inverse_of=B)
S = Letter("S", "m", "m", symmetric=True)
M = Letter("M", "n", "n")
X, Y, Z = Letter("X", "n", "m"), Letter("Y", "n", "m"), Letter("Z", "m", "k")
x, y, u = Letter("x", "n", 1), Letter("y", "n", 1), Letter("u", "m", 1)
a, b, c = Letter("a", 1, 1), Letter("b", 1, 1), Letter("c", 1, 1, positive=True)
D, E = Letter("D", "n", "n", diagonal=True), Letter("E", "n", "n", diagonal=True)
U = Letter("U", "n", "m", orthonormal_columns=True)
I, I_m = identity("n"), identity("m")
resolvent = Letter("R", "n", "n", symmetric=True, inverse_of=I + A)
bracket_inv = Letter("K", "m", "m", symmetric=True, inverse_of=I_m + X.T @ A @ X)
schur = S - X.T @ A_inv @ X

TRUE: dict[str, tuple[Order, list[Any]]] = {
    "a Gram matrix": (X.T @ X >= 0, []),
    "a congruence": (X.T @ A @ X >= 0, [A >= 0]),
    "more than the identity": (I + A > 0, [A >= 0]),
    "the identity times a positive number": (c * I + A > 0, [A >= 0]),
    "a bracket of any shape": (I_m + X.T @ A @ X > 0, [A >= 0]),
    "sums": (A + 2 * B > 0, [A >= 0, B > 0]),
    "transitive": (A >= C, [A >= B, B >= C]),
    "strictly transitive": (A > C, [A >= B, B > C]),
    "a positive multiple": (c * A >= 0, [A >= 0]),
    "a square of a difference": (X.T @ X + Y.T @ Y >= X.T @ Y + Y.T @ X, []),
    "a bounded core": (c * A @ A >= A @ B @ A, [c * I >= B]),
    "a bracket's inverse is small": (bracket_inv <= I_m, [A >= 0]),
    "what balance adds": (Z @ Z.T > 0, [(Z @ Z.T, c * I_m + X.T @ X)]),
    "a convex square": ((A + B) @ (A + B) <= 2 * A @ A + 2 * B @ B, []),
    "odd powers": (A @ A @ A >= 0, [A >= 0]),
    "an inverse": (B_inv >= 0, [B > 0]),
    "inverses turn the order": (B_inv >= A_inv, [A >= B, B > 0]),
    "a resolvent is small": (resolvent <= I, [A >= 0]),
    "Schur's complement": (x.T @ A @ x + 2 * (x.T @ X @ u) + u.T @ S @ u >= 0, [A > 0, schur >= 0]),
    "a projection": (U @ U.T <= I, []),
    "diagonal matrices": (D @ E @ D >= 0, [E >= 0]),
    "under an equation": (M.T @ B @ M >= 0, [A >= 0, (B, A)]),
    "a norm": (norm2(X) >= 0, []),
    "Young": (2 * trace(X.T @ Y) <= norm2(X) + norm2(Y), []),
    "Cauchy": (trace(X.T @ Y) ** 2 <= norm2(X) * norm2(Y), []),
    "Cauchy for columns": ((x.T @ y) ** 2 <= norm2(x) * norm2(y), []),
    "Cauchy with a weight": ((x.T @ A @ y) ** 2 <= (x.T @ A @ x) * (y.T @ A @ y), [A >= 0]),
    "products of norms": (norm2(X @ Z) <= norm2(X) * norm2(Z), []),
    "the operator norm": (norm2(X @ Z) <= a**2 * norm2(Z), [a**2 * I_m >= X.T @ X]),
    "the trace of a product": (trace(A @ B) >= 0, [A >= 0, B >= 0]),
    "traces keep the order": (trace(A @ C) <= trace(B @ C), [A <= B, C >= 0]),
    "the trace of a square": (trace(A @ A) <= trace(A) ** 2, [A >= 0]),
    "the square of a trace": (trace(M) ** 2 <= trace(I) * norm2(M), []),
    "a size": (trace(I) >= 0, []),
}
FALSE: dict[str, tuple[Order, list[Any]]] = {
    "no hypothesis": (A >= 0, []),
    "not symmetric": (M >= 0, []),
    "not strict": (A > 0, [A >= 0]),
    "a Gram matrix may vanish": (X.T @ X > 0, []),
    "anticommutators": (A @ B + B @ A >= 0, [A >= 0, B >= 0]),
    "squares do not keep the order": (A @ A >= B @ B, [A >= B, B >= 0]),
    "inverses, the wrong way": (A_inv >= B_inv, [A >= B, B > 0]),
    "no bound": (A <= I, [A >= 0]),
    "Schur's complement, not supposed": (x.T @ A @ x + 2 * (x.T @ X @ u) + u.T @ S @ u >= 0, [A > 0]),
    "a trace bounds, not strictly": (trace(A) * I > A, [A >= 0]),
    "a projection is smaller": (U @ U.T < I, []),
    "Cauchy, doubled": (2 * trace(X.T @ Y) ** 2 <= norm2(X) * norm2(Y), []),
    "products of norms, halved": (2 * norm2(X @ Z) <= norm2(X) * norm2(Z), []),
    "the trace of a product, one of them not semidefinite": (trace(A @ B) >= 0, [A >= 0]),
    "a trace of any product": (trace(X.T @ Y) >= 0, []),
    "the square of a trace, without the size": (trace(M) ** 2 <= norm2(M), []),
    "a product of three": (A @ B @ C + C @ B @ A >= 0, [A >= 0, B >= 0, C >= 0]),
}
