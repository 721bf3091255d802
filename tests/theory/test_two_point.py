"""The solved two-point theory agrees with the integrated one, and its sensitivities with another solution's."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any

import mpmath
import numpy as np
import pytest
from case_files import Cases
from each import each

from numerics.accuracy.domains import sampler
from numerics.kernels import index
from numerics.theory import two_point

FAMILIES = Cases(__file__, globals())

RNG = np.random.default_rng(5)
TIMES = np.linspace(0, 30, 61)


def starts(count: int, s: np.ndarray) -> np.ndarray:
    h, n, cosine = RNG.uniform(0.05, 1.5, count), RNG.uniform(0.02, 1.5, count), RNG.uniform(-0.5, 1, count)
    y = h * n
    return np.column_stack([h, y, y - np.sqrt(y * s) * cosine])


# --- sensitivities ----------------------------------------------------------------------------------------------------


def solution(h: Any, y: Any, w: Any, X: Any, s: Any, tau_h: Any, tau_y: Any, t: Any) -> list[Any]:  # noqa: PLR0917
    """h, y and w at time t by diagonalising the Riccati equation for Q = (sqrt(beta) a, sqrt(alpha) u), in mpmath."""
    alpha, beta, a = X / (4 * tau_h), 1 / (4 * tau_y), mpmath.sqrt(h)
    along = (y - w) / (a * mpmath.sqrt(s))
    beside = mpmath.sqrt(max(y / h - along**2, 0))
    p, v, rest = mpmath.sqrt(beta) * a, mpmath.sqrt(alpha) * along, mpmath.sqrt(alpha) * beside
    K, pull = p**2 - v**2 - rest**2, mpmath.sqrt(alpha * beta * s)
    rho = mpmath.sqrt(K**2 / 4 + pull**2)
    angle = mpmath.atan2(pull, K / 2) / 2  # of the eigenvector that grows
    cos, sin = mpmath.cos(angle), mpmath.sin(angle)
    grown = [(rho, cos * p + sin * v), (-rho, cos * v - sin * p), (-K / 2, rest)]
    norm = mpmath.sqrt(1 + sum(c**2 * (mpmath.expm1(2 * e * t) / (2 * e) if e else t) for e, c in grown))
    up, down, out = (mpmath.exp(e * t) * c / norm for e, c in grown)
    p, v = cos * up - sin * down, sin * up + cos * down
    moved = p**2 / beta
    squared = moved * (v**2 + out**2) / alpha
    return [moved, squared, squared - p * v * mpmath.sqrt(s / (alpha * beta))]


def exact_slopes(point: Sequence[float]) -> list[float]:
    """Their derivatives by both time constants, from differences at 600 digits, in the order of `sensitivities`."""
    with mpmath.workdps(600):
        at, columns = [mpmath.mpf(value) for value in point], []
        for place in (5, 6):
            step = at[place] * mpmath.mpf(10) ** -200
            above, below = (solution(*at[:place], at[place] + d, *at[place + 1 :]) for d in (step, -step))
            columns.append([(high - low) / (2 * step) for high, low in zip(above, below, strict=True)])
        return [float(value) for pair in zip(*columns, strict=True) for value in pair]


def drawn(count: int, seed: int) -> list[tuple[float, ...]]:
    """Points of the domain of the closed form."""
    entry, rng = index()["van_rossem_saxe_2024:closed_form"], np.random.default_rng(seed)
    draw = sampler(entry.arguments, entry.domain)
    return [tuple(draw(rng)) for _ in range(count)]


PLACES = FAMILIES["places"]


@each("name", [*PLACES, "drawn"])
def test_the_sensitivities_are_right_to_the_last_digit(name: str) -> None:
    for point in [PLACES[name]] if name in PLACES else drawn(40, seed=7):
        found = two_point.sensitivities(point[:3], point[3:7], [point[7]]).ravel().tolist()
        for got, exact in zip(found, exact_slopes(point), strict=True):
            assert abs(got - exact) <= math.ulp(exact), (point, got, exact)


def test_the_sensitivities_for_equal_targets_are_the_limits_of_differences() -> None:
    start, params = starts(1, np.array([0.0]))[0], np.array([0.8, 0.0, 1.3, 0.6])
    exact = two_point.sensitivities(start, params, TIMES)
    for k in (0, 1):
        step = np.zeros(4)
        step[2 + k] = 1e-5
        difference = two_point.closed_form(start, params + step, TIMES) - two_point.closed_form(
            start, params - step, TIMES
        )
        assert np.abs(difference[0] / 2e-5 - exact[:, :, k]).max() < 1e-8


test_statements_have_their_verdicts = FAMILIES.verdicts()


def test_sizes_beyond_the_doubles_are_told_and_leave_other_starts_alone() -> None:
    usual, params = [0.05, 0.02, -0.05], [0.25, 1.0, 1.5, 0.8]
    with pytest.warns(RuntimeWarning, match="the solution from start 1 is not a number, and so are 1 in all"):
        found = two_point.closed_form([usual, [1e300, 1e-300, 1e-300]], params, [0.0, 2.0, 200.0])
    assert np.array_equal(found[0], two_point.closed_form(usual, params, [0.0, 2.0, 200.0])[0])


def test_ordinary_sizes_never_leave_the_doubles() -> None:
    rng = np.random.default_rng(5)
    h, X, tau_h, tau_y, s, y = 10.0 ** rng.uniform(-20, 20, (6, 20_000))
    w = y - np.sqrt(s * y) * rng.uniform(-1, 1, y.size)
    rows = np.clip(np.column_stack([h, y, w]), -1e20, 1e20)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        possible = (rows[:, 1] - rows[:, 2]) ** 2 <= y * s
        params = np.column_stack([X, s, tau_h, tau_y])[possible]
        assert np.isfinite(two_point.closed_form(rows[possible], params, [0.0, 1.0, 1e3])).all()
