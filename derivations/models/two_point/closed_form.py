"""The solution of two points where dh keeps its direction, from every start, as a network with one hidden unit has it.

With dh = a e and u = D_y e, K = a^2/(4 tau_y) - |x2 - x1|^2 |u|^2/(4 tau_h) is conserved, and the flow of Q = (a/sqrt(4
tau_y), |x2 - x1| u/sqrt(4 tau_h)) is the matrix Riccati equation dQ/dt = F Q - |Q|^2 Q/2. Its solution Q(t) = exp(F t)
Q(0)/sqrt(1 + Q(0)^T int_0^t exp(2 F s) ds Q(0)) needs only the eigenvalues of F: +-rho and -K/2.

A start is named by K and by rho > |K|/2 instead of |dy(0)|^2 (or |u(0)|^2) and |y2 - y1|^2: every start with different
targets has exactly one such pair, and exponents stay simple.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from derivations.language.reals import reals
from derivations.models.two_point.definitions import *

alpha, beta = X / (4 * tau_h), 1 / (4 * tau_y)
a0, b0, K, rho = reals("a0 b0, K, rho > 0")
aim = (rho**2 - K**2 / 4) / (alpha * beta)
"""|y2 - y1|^2."""
n_start = (beta * a0**2 - K) / alpha
y_start = h0 * (beta * h0 - K) / alpha


def evolved(start_a: Any, start_b: Any, start_n: Any, *, balanced: bool = False) -> tuple[Any, ...]:
    """exp(F t) applied to the start, as multiples of a and b, and the squared norm G under the root.

    `balanced` is the case K = 0, in which the part of u orthogonal to the target keeps its length under exp(F t).
    """
    C, S = sp.cosh(rho * t), sp.sinh(rho * t) / rho
    N_a = start_a * C + S * (K / 2 * start_a + alpha * start_b)
    N_b = start_b * C + S * (beta * aim * start_a - K / 2 * start_b)
    along_aim = alpha * start_b**2 / aim
    size = beta * start_a**2 + along_aim
    form = K / 2 * (beta * start_a**2 - along_aim) + 2 * alpha * beta * start_a * start_b
    grown = size * sp.sinh(2 * rho * t) / (2 * rho) + form * (sp.cosh(2 * rho * t) - 1) / (2 * rho**2)
    G = 1 + grown + (alpha * start_n - along_aim) * (t if balanced else (1 - sp.exp(-K * t)) / K)
    return tuple(e.subs(K, 0) for e in (N_a, N_b, G)) if balanced else (N_a, N_b, G)


def signed_solution(*, balanced: bool = False) -> dict[Any, Any]:
    """a, b and n as functions of time, from any start."""
    N_a, N_b, G = evolved(a0, b0, n_start, balanced=balanced)
    solution = {a: N_a / sp.sqrt(G), b: N_b / sp.sqrt(G), n: (beta * N_a**2 / G - K) / alpha}
    return {k: e.subs(K, 0) for k, e in solution.items()} if balanced else solution


def squared_solution(*, balanced: bool = False) -> dict[Any, Any]:
    """h, y and w as functions of time, from a start with positive distance."""
    N_a, N_b, G_signed = evolved(sp.S.One, (y_start - w0) / h0, y_start / h0**2, balanced=balanced)
    G = 1 + h0 * (G_signed - 1)
    distance = h0 * N_a**2 / G
    prediction = distance * (beta * distance - K) / alpha
    solution = {h: distance, y: prediction, w: prediction - h0 * N_a * N_b / G}
    return {k: e.subs(K, 0) for k, e in solution.items()} if balanced else solution
