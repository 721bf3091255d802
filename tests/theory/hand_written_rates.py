"""The hand-written flow for erf(x/sqrt 2) and its ball twin as functions of a flat list, and where both are defined."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from theory.flat_flows import Flow, arguments, flat, on_flat_balls

from numerics.accuracy.covariances import inner_products, is_covariance
from numerics.accuracy.search import Point, Region
from numerics.kernels import ball
from numerics.ode.integrate import compiled
from numerics.theory.teacher_student import FLOWS

SMALLEST, LARGEST = 1e-12, 1e6  # variances of fields that do not vanish


def twin_of(K: int, M: int) -> Flow:
    """The emitted flow in balls."""
    return on_flat_balls(ball("carrasco_davis_grant_2025:two_layer_flow"), K, M, second=True)


def rates_of(K: int, M: int) -> Callable[..., list[float]]:
    """The rates of dQ, dR and dv in whole matrices, from the kernel that keeps triangles."""
    size, prepare, right = (compiled(FLOWS["erf"], name=name) for name in ("scratch_size", "prepare", "rates"))
    low_K, low_M = np.tril_indices(K), np.tril_indices(M)
    first_R, first_v = low_K[0].size, low_K[0].size + K * M

    def call(*at: float) -> list[float]:
        Q, R, T, v, v_teacher, eta, eta_v, sigma, batch = arguments(at, K, M, second=True)
        header = [K, M, 1.0, eta, eta_v, sigma**2, batch]
        params = np.concatenate([header, np.array(T)[low_M], v_teacher, v])
        state = np.concatenate([np.array(Q)[low_K], np.ravel(R), v])
        scratch, out = np.full(size(params), np.nan), np.full(state.size, np.nan)
        prepare(params, scratch)
        right(0.0, state, params, out, scratch)
        dQ = np.empty((K, K))
        dQ[low_K] = dQ[low_K[1], low_K[0]] = out[:first_R]
        return flat((dQ, out[first_R:first_v], out[first_v:]))

    return call


def cone(K: int, M: int) -> Region:
    """Covariances with coinciding, dependent and vanishing fields, and any weights, rates and sizes of a batch."""
    low_K, low_M = np.tril_indices(K), np.tril_indices(M)

    def draw(rng: np.random.Generator) -> Point:
        C = np.array(inner_products(rng, K, M))
        while not in_range(C):
            C = np.array(inner_products(rng, K, M))
        numbers = rng.choice([-1, 1], K + M) * 10.0 ** rng.uniform(-3, 3, K + M)
        others = 10.0 ** rng.uniform(-3, 3, 4)  # eta, eta_v, sigma, batch
        parts = [C[:K, :K][low_K], C[:K, K:].ravel(), C[K:, K:][low_M], numbers, others]
        return tuple(np.concatenate(parts).tolist())

    def holds(at: Point) -> bool:
        Q, R, T, *_, eta, eta_v, sigma, batch = arguments(at, K, M, second=True)
        C = np.block([[np.array(Q), np.array(R)], [np.array(R).T, np.array(T)]])
        return min(eta, eta_v, sigma) >= 0 and batch > 0 and in_range(C) and is_covariance(C.tolist())

    return Region(draw, holds)


def in_range(C: Any) -> bool:
    variances = np.diagonal(C)
    return bool(((variances == 0) | ((variances >= SMALLEST) & (variances <= LARGEST))).all())
