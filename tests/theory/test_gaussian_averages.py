"""The averages meet the criterion of accuracy over the whole cone of covariances, and sampling finds them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import inf, nan, ulp

import numpy as np
import pytest
from flint import ctx
from scipy.special import erf
from theory.averages_in_balls import Erf, Linear, Relu, ball

from numerics.theory import gaussian_averages as averages
from numerics.theory.gaussian_averages import CovarianceError

BALLS = {"erf": Erf, "linear": Linear, "relu": Relu}
FIELDS = {"J2": 2, "I2": 2, "I3": 3, "I4": 4}
ALL = [(name, activation) for activation in BALLS for name in FIELDS if (name, activation) != ("I4", "relu")]
STEP = 2.0**-60


def covariance(rng: np.random.Generator, n: int) -> np.ndarray:
    """Variances from 1e-12 to 1e6; correlations anywhere, next to 1, or 1 exactly; duplicated and vanishing fields."""
    sizes = 10 ** (rng.uniform(-12, 6, size=n) / 2)
    kind = rng.integers(6)
    if kind == 0:  # of low rank
        directions = rng.normal(size=(n, rng.integers(1, n + 1)))
    elif kind == 1:  # nearly parallel
        directions = np.ones((n, 1)) + 10 ** rng.uniform(-9, -1) * rng.normal(size=(n, n))
    elif kind == 2:
        sizes = np.full(n, sizes[0])
        directions = rng.normal(size=(n, n))
    else:
        directions = rng.normal(size=(n, n))
    vectors = directions / np.linalg.norm(directions, axis=1, keepdims=True) * sizes[:, None]
    if kind == 3:  # duplicates, of either sign
        vectors = vectors[rng.integers(n, size=n)] * rng.choice([-1.0, 1.0], size=(n, 1))
    if kind == 4:
        vectors[rng.integers(n)] = 0.0
    C = vectors @ vectors.T
    return (C + C.T) / 2


def in_balls(name: str, activation: str, C: list[list[object]]) -> object:
    return getattr(BALLS[activation](C), name)(*range(FIELDS[name]))


def bound(name: str, activation: str, C: list[list[object]]) -> object:
    """Of Cauchy and Schwarz, with the slopes as weights where there are some."""
    of = BALLS[activation](C)
    if name == "I2":
        return (of.I2(0, 0) * of.I2(1, 1)).sqrt()
    if name == "J2":
        return (of.J2(0, 0) * of.J2(1, 1)).sqrt()
    if name == "I3":  # <g'(a) b^2> <= <b^2>, for a slope of at most 1
        return (C[1][1] * of.I2(2, 2)).sqrt()
    return (of.I4(0, 1, 2, 2) * of.I4(0, 1, 3, 3)).sqrt()


def allowance(name: str, activation: str, C: np.ndarray, value: object, entries: list[list[object]]) -> object:
    """The house criterion, and 1e-15 of the bound; where a slope has no finite value, the bound stands alone."""
    total = 8 * ball(ulp(float(value))) + ball(1e-15) * bound(name, activation, entries)
    for i in range(len(C)):
        for k in range(i + 1):
            step = ball(ulp(C[i, k]) * STEP)
            sides = []
            for sign in (1, -1):
                moved = [list(row) for row in entries]
                moved[i][k] = moved[k][i] = entries[i][k] + sign * step
                sides.append(in_balls(name, activation, moved))
            slope = (sides[0] - sides[1]) / (2 * step)
            if slope.is_finite() and C[i, k] != 0:
                total += 4 * abs(slope) * ball(ulp(C[i, k])) / 2
    return total


@pytest.mark.parametrize(("name", "activation"), ALL)
def test_averages_are_as_exact_as_their_arguments_allow(name: str, activation: str) -> None:
    rng = np.random.default_rng(list(map(ord, name + activation)))
    for _ in range(150):
        C = covariance(rng, FIELDS[name])
        computed = float(getattr(averages, name)(C, activation))
        assert np.isfinite(computed)
        with ctx.workdps(100):
            if activation == "relu" and (np.diagonal(C) == 0).any():
                continue
            entries = [[ball(x) for x in row] for row in C.tolist()]
            value = in_balls(name, activation, entries)
            if not value.is_finite():
                continue
            error = abs(ball(computed) - value)
            assert error <= allowance(name, activation, C, value, entries), (C.tolist(), computed, value)


SLOPES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "erf": lambda x: np.sqrt(2 / np.pi) * np.exp(-(x**2) / 2),
    "linear": np.ones_like,
    "relu": lambda x: (x > 0).astype(float),
}
VALUES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "erf": lambda x: erf(x / np.sqrt(2)),
    "linear": lambda x: x,
    "relu": lambda x: np.maximum(x, 0),
}


def z_score(name: str, activation: str, samples: int, seed: int) -> float:
    """How many standard errors an average lies from the mean of samples."""
    rng = np.random.default_rng(seed)
    g, slope, n = VALUES[activation], SLOPES[activation], FIELDS[name]
    mixing = rng.normal(size=(n, n))
    C = mixing @ mixing.T
    total = square = 0.0
    for _ in range(samples // 250_000):
        x = mixing @ rng.normal(size=(n, 250_000))
        y = {
            "J2": lambda x: slope(x[0]) * slope(x[1]),
            "I2": lambda x: g(x[0]) * g(x[1]),
            "I3": lambda x: slope(x[0]) * x[1] * g(x[2]),
            "I4": lambda x: slope(x[0]) * slope(x[1]) * g(x[2]) * g(x[3]),
        }[name](x)
        total, square = total + y.sum(), square + (y**2).sum()
    mean = total / samples
    deviation = np.sqrt(max(square / samples - mean**2, 1e-30) / samples)
    return float((mean - getattr(averages, name)((C + C.T) / 2, activation)) / deviation)


@pytest.mark.parametrize(("name", "activation"), [pair for pair in ALL if pair != ("J2", "linear")])
def test_sampling_finds_the_averages(name: str, activation: str) -> None:
    assert abs(z_score(name, activation, 1_000_000, 5)) < 4


@pytest.mark.parametrize("activation", list(BALLS))
def test_the_table_holds_the_averages_of_all_pairs(activation: str) -> None:
    rng = np.random.default_rng(8)
    C = rng.normal(size=(4, 5))
    C = C @ C.T
    C = (C + C.T) / 2
    table = averages.I2_table(C, activation)
    pairs = [[averages.I2(C[np.ix_([a, b], [a, b])], activation) for b in range(4)] for a in range(4)]
    assert np.allclose(table, pairs, rtol=1e-14, atol=0)


def test_stacks_of_covariances_keep_their_shape() -> None:
    C = np.broadcast_to(np.eye(3) + 0.5, (2, 5, 3, 3))
    assert averages.I3(C).shape == (2, 5)
    assert np.ndim(averages.I3(C[0, 0])) == 0


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (partial(averages.I2, [[1, 2], [2, 1]]), "must be positive semidefinite, but its correlations have"),
        (partial(averages.I2, [[-1, 0], [0, 1]]), "must be positive semidefinite"),
        (partial(averages.I2, [[0, 1], [1, 1]]), "must be positive semidefinite"),
        (partial(averages.I2, [[1, 0.5], [0.4, 1]]), "must be symmetric"),
        (partial(averages.I2, [[1, nan], [nan, 1]]), "must be finite"),
        (partial(averages.I2, [[inf, 0], [0, 1]]), "must be finite"),
        (partial(averages.I3, np.eye(2)), "I3 takes the covariance of 3 fields, got an array of shape"),
        (partial(averages.I2, np.eye(2), "tanh"), "there are no formulas for the activation 'tanh'"),
        (partial(averages.I4, np.eye(4), "relu"), "I4 is not elementary for the activation 'relu'"),
    ],
)
def test_what_is_no_covariance_is_refused_in_one_sentence(call: Callable[[], object], sentence: str) -> None:
    with pytest.raises(CovarianceError, match=sentence):
        call()
