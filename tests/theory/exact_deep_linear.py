"""References for deep linear networks in many digits: the formula on given floats, and the weights' own flow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import mpmath as mp
import numpy as np
from numpy.typing import NDArray
from theory.deep_linear_cases import Case

Array = NDArray[np.float64]
Matrix = Any  # mpmath.matrix
DIGITS = 100


# --- the formula ------------------------------------------------------------------------------------------------------


def exact_qqt(case: Case, times: Array, digits: int = DIGITS) -> list[Matrix]:
    """g^2 G + H Y (I + Y'G Y)^-1 Y'H in an eigenbasis of F, on the floats of the case; without a mean g of its levels,
    H = exp(F t).

    Rows of [sqrt(G) Y; I] that differ by any power of ten are sorted out by elimination with complete pivoting;
    numbers of mpmath do not overflow.
    """
    with mp.workdps(digits):
        frequencies, basis, Y = start_in_modes(case, digits)
        mean = mp.mpf(case.mean)
        return [basis * _in_modes(frequencies, Y, mean, mp.mpf(float(t))) * basis.T for t in times]


def start_in_modes(case: Any, digits: int) -> tuple[list[Any], Matrix, Matrix]:
    """Frequencies and eigenbasis of F, and the start in it; F is that of the case's `balance`."""
    frequencies, basis = _eigenbasis(case, digits)
    Q = mp.matrix(np.concatenate([case.W1.T, case.W2]).tolist())
    return frequencies, basis, _without_noise(basis.T * Q, digits)


def _eigenbasis(case: Any, digits: int) -> tuple[list[Any], Matrix]:
    outputs, inputs = case.sigma.shape
    F = mp.zeros(inputs + outputs)
    for i in range(inputs + outputs):
        F[i, i] = mp.mpf(case.balance) / 2 * (-1 if i < inputs else 1)
        for j in range(min(i, inputs)):
            if i >= inputs:
                F[i, j] = F[j, i] = mp.mpf(float(case.sigma[i - inputs, j]))
    top = max(abs(entry) for entry in F)
    if top == 0:
        return [mp.mpf(0)] * F.rows, mp.eye(F.rows)
    values, vectors = mp.eigsy(F)
    return [f if abs(f) > top * mp.mpf(10) ** (15 - digits) else mp.mpf(0) for f in values], vectors


def _without_noise(Y: Matrix, digits: int) -> Matrix:
    """Zero for what only the rounding of the eigenbasis has made non-zero, because it would grow."""
    top = max(abs(entry) for entry in Y)
    return Y.apply(lambda entry: entry if abs(entry) > top * mp.mpf(10) ** (15 - digits) else mp.mpf(0))


def _in_modes(frequencies: list[Any], Y: Matrix, mean: Any, t: Any) -> Matrix:
    if t == 0:
        return Y * Y.T
    grown = [_growth(f, mean, t) for f in frequencies]
    gammas = [mp.sqrt(G) for G, _ in grown]
    state = spanned(gammas, [H / gamma for (_, H), gamma in zip(grown, gammas, strict=True)], Y)
    for k, (G, _) in enumerate(grown):
        state[k, k] += mean**2 * G
    return state


def _growth(f: Any, mean: Any, time: Any) -> tuple[Any, Any]:
    R = mp.sqrt(f * f + mean * mean)
    if R == 0:
        return time, mp.mpf(1)
    e, m, n = mp.exp(-2 * R * time), R - f, R + f
    return -mp.expm1(-2 * R * time) / (m + n * e), 2 * R * mp.exp(-R * time) / (m + n * e)


def spanned(gammas: list[Any], heights: list[Any], Y: Matrix) -> Matrix:
    """D Y (I + Y'Gamma Y)^-1 Y'D where gamma^2 = Gamma, and the heights are D/gamma."""
    m, r = Y.rows, Y.cols
    rows = [[gammas[k] * Y[k, q] for q in range(r)] for k in range(m)]
    rows += [[mp.mpf(int(p == q)) for q in range(r)] for p in range(r)]
    free, columns = set(range(m + r)), set(range(r))
    while columns:
        k, q = max(((k, q) for k in sorted(free) for q in sorted(columns)), key=lambda at: abs(rows[at[0]][at[1]]))
        columns.remove(q)
        free.remove(k)
        pivot = [rows[k][p] if p in columns else mp.mpf(0) for p in range(r)]
        size = rows[k][q]
        for row in rows:
            row[q] /= size
            for p in columns:
                row[p] -= row[q] * pivot[p]
    L = mp.matrix(rows)
    T = mp.matrix([[heights[k] * L[k, q] for q in range(r)] for k in range(m)])
    return T * (L.T * L) ** -1 * T.T


def exact_misfit(case: Case, state: Matrix) -> Any:
    """The sum of squares of Sigma - W2 W1."""
    with mp.workdps(DIGITS):
        outputs, inputs = case.sigma.shape
        return mp.fsum(
            (mp.mpf(float(case.sigma[i, j])) - state[inputs + i, j]) ** 2 for i in range(outputs) for j in range(inputs)
        )


# --- the flow of the weights ------------------------------------------------------------------------------------------


def integrated_qqt(case: Case, time: float, digits: int = 30) -> Matrix:
    """QQ' by Taylor series of the weights' own flow; it knows no formula and does not ask for balance.

    The coefficients of W1 and W2 follow from one another through dW1/dt = W2'(Sigma - W2 W1) and
    dW2/dt = (Sigma - W2 W1) W1'; the step makes the last terms smaller than the digits asked for.
    """
    with mp.workdps(digits + 10):
        W1, W2 = _rows(case.W1), _rows(case.W2)
        sigma = _rows(case.sigma)
        order, left = digits + 6, mp.mpf(time)
        while left > 0:
            a, b = _taylor(W1, W2, sigma, order)
            size = max(abs(x) for x in np.concatenate([a[order].ravel(), b[order].ravel()]))
            step = left if size == 0 else min(left, (mp.mpf(10) ** (-digits) / size) ** (mp.mpf(1) / order))
            W1, W2 = _sum(a, step), _sum(b, step)
            left -= step
        Q = np.concatenate([W1.T, W2])
        return mp.matrix((Q @ Q.T).tolist())


def _rows(matrix: Array) -> Any:
    return np.array([[mp.mpf(float(x)) for x in row] for row in matrix], dtype=object)


def _taylor(W1: Any, W2: Any, sigma: Any, order: int) -> tuple[list[Any], list[Any]]:
    a, b, e = [W1], [W2], []
    for n in range(order):
        product = sum(b[k] @ a[n - k] for k in range(n + 1))
        e.append(sigma - product if n == 0 else -product)
        a.append(sum(b[k].T @ e[n - k] for k in range(n + 1)) / mp.mpf(n + 1))
        b.append(sum(e[k] @ a[n - k].T for k in range(n + 1)) / mp.mpf(n + 1))
    return a, b


def _sum(coefficients: list[Any], step: Any) -> Any:
    total = coefficients[-1]
    for coefficient in reversed(coefficients[:-1]):
        total = total * step + coefficient
    return total


# --- distances --------------------------------------------------------------------------------------------------------


def relative_error(found: Array, exact: Matrix) -> float:
    """The largest difference of two entries, relative to the largest entry of both."""
    return relative_change(mp.matrix(found.tolist()), exact)


def one_ulp_off(case: Case, rng: np.random.Generator, moves: Sequence[int] = (-1, 1)) -> Case:
    """The case with every entry of the weights and of the task moved by one ulp, or by these numbers of them."""
    moved = [A + rng.choice(moves, size=A.shape) * np.spacing(np.abs(A)) for A in (case.W1, case.W2, case.sigma)]
    return replace(case, W1=moved[0], W2=moved[1], sigma=moved[2])


def relative_change(after: Matrix, before: Matrix) -> float:
    """Return the same for exact matrices, or relative to the smallest normal float where that is larger."""
    with mp.workdps(DIGITS):
        top = max(mp.mpf(2) ** -1022, *(abs(entry) for matrix in (before, after) for entry in matrix))
        return float(max(abs(entry) for entry in after - before) / top)
