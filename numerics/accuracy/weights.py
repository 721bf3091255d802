"""Two-layer linear networks as inputs of kernels of matrices: drawn at random, with every corner, and recognised.

Few floats are weights that are balanced exactly, and few are orthonormal columns. So networks are built in fractions,
from reflections and singular values, to be rounded entry by entry; what an equation of a domain compares has to agree
up to the rounding of the entries, which is decided in fractions too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import hypot, sqrt
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

Matrix = Any  # an array of fractions and whole numbers
Network = dict[str, Any]  # the inputs of a kernel by name: rows of numbers, or a number
Dimensions = Mapping[str, int]
Rng = np.random.Generator

ROUNDED = Fraction(1, 2**48)  # of what an equation of the domain compares
LEAST_DETERMINANT = fmpq(1, 2**20)  # of U' U_t + V' V_t


@dataclass(frozen=True)
class Networks:
    """How networks are drawn, which belong to a domain, and what its own words leave open."""

    draw: Callable[[Rng, Dimensions], Network]
    holds: Callable[[Network], bool]
    conditions: tuple[str, ...]


# --- exact matrices ---------------------------------------------------------------------------------------------------


def exact(rows: Any) -> Matrix:
    return np.array(rows, dtype=object)


def identity(side: int) -> Matrix:
    return np.eye(side, dtype=object)


def diagonal(values: Sequence[float]) -> Matrix:
    return np.diag(exact(list(map(Fraction, values))))


def square_sum(matrix: Matrix) -> Fraction:
    return Fraction((matrix * matrix).sum())


def orthogonal(rng: Rng, side: int) -> Matrix:
    """A product of reflections along vectors of small whole numbers; without any, its entries are zeros and ones."""
    rotated = identity(side)
    for _ in range(int(rng.integers(4))):
        along = exact(rng.integers(-9, 10, side).tolist())
        if along.any():
            rotated = rotated @ (identity(side) - Fraction(2, along @ along) * np.outer(along, along))
    return rotated


def composed(left: Matrix, values: Sequence[float], right: Matrix) -> Matrix:
    """left diag(values) right' for as many columns as there are values."""
    return left[:, : len(values)] @ diagonal(values) @ right[:, : len(values)].T


def is_small(matrix: Matrix, size: Fraction) -> bool:
    """Check whether entries are no larger than rounding makes them in sums of this size."""
    return square_sum(matrix) <= (ROUNDED * size) ** 2


def is_orthonormal(matrix: Matrix) -> bool:
    return is_small(matrix.T @ matrix - identity(matrix.shape[1]), Fraction(1))


# --- values and times -------------------------------------------------------------------------------------------------


def singular_values(rng: Rng, count: int, *, zeros: bool) -> list[float]:
    """Draw singular values of any size, in a part of the draws with ties, near-ties (a few ulps) or zeros."""
    scale, spread = 2.0 ** rng.uniform(-12, 8), float(rng.choice([0.5, 2, 12]))
    values = [scale * 2.0 ** -rng.uniform(0, spread) for _ in range(count)]
    kind = rng.integers(6)
    if kind == 0:
        return [scale] * count
    if kind == 1:
        return [scale * (1 + float(rng.choice([-1, 1])) * 2.0 ** -rng.uniform(5, 52)) for _ in range(count)]
    if kind == 2 and zeros:
        return [0.0 if rng.integers(2) else value for value in values]
    return values


def time_of(rng: Rng, fastest: float) -> float:
    """At the start, or from short times to those at which the fastest mode has long been learned."""
    if rng.integers(12) == 0:
        return 0.0
    return float(2.0 ** rng.uniform(-12, 9)) / (fastest or 1.0)


# --- weights ----------------------------------------------------------------------------------------------------------


def weights(longest: int) -> Networks:
    """Balanced weights and a task, for times up to which no mode grows by more than exp(longest)."""

    def holds(network: Network) -> bool:
        return bool(is_balanced(network) and network["t"] >= 0 and growth_square(network) <= longest**2)

    bound = f"t^2 (|Sigma|^2 + balance^2/4) <= {longest}^2"
    return Networks(drawn_weights, holds, ("up to 2^-48 (|W1_0|^2 + |W2_0|^2)", "t >= 0", bound))


def drawn_weights(rng: Rng, n: Dimensions) -> Network:
    """Weights R D1 V' and U D2 R' for a task whose singular vectors are others, the same or reversed."""
    inputs, hidden, outputs = n["N_i"], n["N_h"], n["N_o"]
    U, R, V = (orthogonal(rng, side) for side in (outputs, hidden, inputs))
    U_t, V_t = (U, V) if rng.integers(3) == 0 else (orthogonal(rng, outputs), orthogonal(rng, inputs))
    if rng.integers(6) == 0:
        U_t = np.hstack([-U_t[:, :1], U_t[:, 1:]])
    task = singular_values(rng, min(inputs, outputs), zeros=True)
    strengths = singular_values(rng, min(inputs, hidden, outputs), zeros=True)
    balance = balance_of(rng, n, max(strengths))
    first, second = layers(strengths, balance, hidden)
    return {
        "W1_0": composed(R, first[:inputs], V),
        "W2_0": composed(U, second[:outputs], R),
        "Sigma": composed(U_t, task, V_t),
        "balance": balance,
        "t": time_of(rng, hypot(max(task), balance / 2)),
    }


def balance_of(rng: Rng, n: Dimensions, largest: float) -> float:
    """Zero in half of the draws; otherwise of a sign that the widths allow."""
    signs = [sign for sign, side in ((1, n["N_o"]), (-1, n["N_i"])) if n["N_h"] <= side]
    if not signs or rng.integers(2):
        return 0.0
    return float(rng.choice(signs) * largest * 2.0 ** rng.uniform(-8, 3))


def layers(strengths: Sequence[float], balance: float, hidden: int) -> tuple[list[float], list[float]]:
    """The singular values of both layers of every hidden unit, whose squares differ by the balance."""
    roots = [hypot(s, balance / 2) for s in [*strengths, *[0.0] * (hidden - len(strengths))]]
    return [sqrt(max(r - balance / 2, 0)) for r in roots], [sqrt(max(r + balance / 2, 0)) for r in roots]


def is_balanced(network: Network) -> bool:
    W1, W2 = exact(network["W1_0"]), exact(network["W2_0"])
    gap = W2.T @ W2 - W1 @ W1.T - network["balance"] * identity(len(W1))
    return is_small(gap, square_sum(W1) + square_sum(W2))


def growth_square(network: Network) -> Fraction:
    """No less than the square of the exponent by which the fastest mode grows until t."""
    rate = square_sum(exact(network["Sigma"])) + network["balance"] ** 2 / 4
    return Fraction(network["t"] ** 2 * rate)


# --- singular value decompositions ------------------------------------------------------------------------------------


def decompositions() -> Networks:
    """Singular vectors and values of a start and of a task."""
    conditions = (
        "orthonormal up to 2^-48",
        "[U_t, U_p] and [V_t, V_p] orthogonal up to 2^-48",
        "|det(U' U_t + V' V_t)| >= 2^-20",
        "S > 0",
        "S_t > 0",
        "t >= 0",
    )
    return Networks(drawn_decompositions, are_decompositions, conditions)


def drawn_decompositions(rng: Rng, n: Dimensions) -> Network:
    """Singular vectors of their own for the start and the task."""
    outputs, inputs, modes = n["N_o"], n["N_i"], n["N_m"]
    U, U_t = (orthogonal(rng, outputs) for _ in range(2))
    V, V_t = (orthogonal(rng, inputs) for _ in range(2))
    task = singular_values(rng, modes, zeros=False)
    return {
        "U": U,
        "S": diagonal(singular_values(rng, modes, zeros=False)),
        "V": V,
        "U_t": U_t,
        "S_t": diagonal(task),
        "V_t": V_t,
        "U_p": U_t[:, modes:],
        "V_p": V_t[:, modes:],
        "t": time_of(rng, max(task)),
    }


def are_decompositions(network: Network) -> bool:
    U, V, U_t, V_t, U_p, V_p = (exact(network[name]) for name in ("U", "V", "U_t", "V_t", "U_p", "V_p"))
    if not all(map(is_orthonormal, (U, V, np.hstack([U_t, U_p]), np.hstack([V_t, V_p])))) or network["t"] < 0:
        return False
    if any(network[name][i][i] <= 0 for name in ("S", "S_t") for i in range(len(network["S"]))):
        return False
    both = U.T @ U_t + V.T @ V_t
    entries = [[fmpq(x.numerator, x.denominator) for x in row] for row in both]
    return bool(abs(fmpq_mat(entries).det()) >= LEAST_DETERMINANT)
