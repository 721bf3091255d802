"""The emitted flow for erf(x/sqrt 2) and its ball twin as functions of a flat list, and where both are defined."""

from __future__ import annotations

from typing import Any

import numpy as np
from theory.flat_flows import Flow, arguments, on_flat_balls, on_flat_floats

from numerics.accuracy.covariances import inner_products, is_covariance
from numerics.accuracy.search import Point, Region
from numerics.kernels import ball, kernel

SMALLEST, LARGEST = 1e-12, 1e6  # variances of fields that do not vanish
FLOW = "carrasco_davis_grant_2025:two_layer_flow"


def twin_of(K: int, M: int) -> Flow:
    """The emitted flow in balls."""
    return on_flat_balls(ball(FLOW), K, M, second=True)


def rates_of(K: int, M: int) -> Flow:
    """The emitted flow in floats."""
    return on_flat_floats(kernel(FLOW), K, M, second=True)


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
