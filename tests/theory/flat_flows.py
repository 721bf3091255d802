"""Flows of order parameters as functions of a flat list of numbers, and the criterion for a whole answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from math import sqrt
from typing import Any

import numpy as np

from numerics.accuracy.criterion import ratio, reference

Numbers = Sequence[Any]
Flow = Callable[..., Sequence[Any]]


def point(K: int, M: int, seed: int, *, scale: float = 1.0, second: bool = False) -> list[float]:
    """Overlaps of random first layers without any symmetry; second layers if asked for; rates, noise and batch."""
    rng = np.random.default_rng(seed)
    W = rng.normal(size=(K + M, K + M + 2)) * scale / sqrt(K + M)
    C = W @ W.T
    lower_K, lower_M = np.tril_indices(K), np.tril_indices(M)
    parts = [C[:K, :K][lower_K], C[:K, K:].ravel(), C[K:, K:][lower_M]]
    layers = [rng.normal(size=K + M)] if second else []
    rates = [0.7, 0.3] if second else [0.7]
    return [*np.concatenate(parts + layers).tolist(), *rates, 0.375, 3.0]


def arguments(flat: Numbers, K: int, M: int, *, second: bool = False) -> list[Any]:
    """Q, R, T, second layers if there are any, and the numbers that remain."""
    rest = iter(flat)
    Q, R, T = symmetric(rest, K), [[next(rest) for _ in range(M)] for _ in range(K)], symmetric(rest, M)
    layers = [[next(rest) for _ in range(K)], [next(rest) for _ in range(M)]] if second else []
    return [Q, R, T, *layers, *rest]


def symmetric(rest: Iterator[Any], n: int) -> list[list[Any]]:
    rows = [[next(rest) for _ in range(i + 1)] for i in range(n)]
    return [[rows[max(i, k)][min(i, k)] for k in range(n)] for i in range(n)]


def flat(results: Any) -> list[Any]:
    """All numbers of nested results, in order."""
    if isinstance(results, list | tuple | np.ndarray):
        return list(chain.from_iterable(map(flat, results)))
    return [results]


def on_flat_balls(twin: Flow, K: int, M: int, *, second: bool = False) -> Flow:
    """A twin as a function of the flat list; every number moves both entries of a symmetric matrix."""

    def call(*given: Any, digits: int) -> list[Any]:
        return flat(twin(*arguments(given, K, M, second=second), digits=digits))

    return call


def on_flat_floats(fast: Flow, K: int, M: int, *, second: bool = False) -> Flow:
    def call(*given: float) -> list[float]:
        parts = arguments(given, K, M, second=second)
        return flat(fast(*(np.array(part) if isinstance(part, list) else part for part in parts)))

    return call


def largest_ratio(computed: Sequence[float], twin: Flow, at: Sequence[float]) -> float:
    """The criterion for vectors: the largest error over the largest allowance."""
    exact = reference(twin, at)
    allowance = max(exact.allowances, key=lambda ball: float(ball.mid()))
    return max(ratio(found, value, allowance) for found, value in zip(computed, exact.values, strict=True))
