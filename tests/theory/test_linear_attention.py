"""Linear attention: the implicit solution to all digits, small heads from every start, and mistakes in one sentence."""

from __future__ import annotations

from typing import Any

import mpmath as mp
import numpy as np
import pytest
from case_files import Cases
from each import each
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from numerics.simulate import linear_attention as simulated
from numerics.theory.linear_attention import (
    aligned,
    directions,
    staircase,
    time_between,
    value_at,
)
from numerics.theory.linear_attention.small import Small, after, escape

FAMILIES = Cases(__file__, globals())

Array = NDArray[Any]
COVARIANCE = np.array([[2.0, 0.5, 0.1], [0.5, 1.0, -0.2], [0.1, -0.2, 0.4]])


def exact_time(start: float, value: float, strength: float, spread: float) -> Any:
    """The implicit solution as it is proved, in 50 digits."""
    l, c = mp.mpf(strength), mp.mpf(spread)
    k = mp.cbrt(l * c)

    def part(v: Any) -> Any:
        turn = mp.sqrt(3) * mp.atan((2 * k * v + 1) / mp.sqrt(3))
        return (k / 3 * (mp.log(1 + k * v + (k * v) ** 2) / 2 - mp.log(abs(1 - k * v)) - turn) - 1 / v) / l**2

    return part(mp.mpf(value)) - part(mp.mpf(start))


@each("seed", range(4))
def test_values_and_times_are_those_of_the_implicit_solution(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(100):
        l, c = 10.0 ** rng.uniform(-2, 2), 1.0 + 10.0 ** rng.uniform(-2, 2)
        k = (l * c) ** (1 / 3)
        start = 10.0 ** rng.uniform(-6, 3) / k
        value = (start * k) ** (rng.uniform() ** rng.integers(1, 6)) / k
        with mp.workdps(50):
            time = exact_time(start, value, l, c)
            left = abs(1.0 - k * value)
            assert abs(mp.mpf(time_between(start, value, l, c)) / time - 1) < 1e-14 + 1e-15 / left
        rates = [l**2 * v**2 - l**3 * c * v**5 for v in (start, value)]
        condition = 1.0 + (abs(float(time) * rates[1]) + abs(rates[1] / rates[0] * start)) / value
        (found,) = value_at(np.array([float(time)]), start, l, c)
        assert abs(found / value - 1.0) < 5e-15 * condition


def test_plateaus_are_the_losses_of_what_is_learned() -> None:
    known = directions(COVARIANCE, tokens=6)
    for count, level in enumerate(known.plateaus):
        values = np.where(np.arange(3) < count, known.ends, 0.0)
        heads = simulated.Separate(values, values[:, None] * known.axes.T, values[:, None] * known.axes.T)
        assert simulated.loss(heads, COVARIANCE, tokens=6) == pytest.approx(level, rel=1e-14)
        assert known.loss(values) == pytest.approx(level, rel=1e-14)


@each("seed", range(12))
def test_small_heads_wait_and_move_as_their_flow_says(seed: int) -> None:
    rng = np.random.default_rng(seed)
    pace = np.array([4.0, 2.0, 1.0]) * (np.arange(3) >= seed % 3)
    value, key, query = 0.3 * rng.standard_normal(), 0.3 * rng.standard_normal(3), 0.3 * rng.standard_normal(3)
    head = Small(value, key, query, pace)

    def rates(_: float, y: Array) -> Array:
        return np.concatenate([[y[1:4] @ (pace * y[4:])], y[0] * pace * y[4:], y[0] * pace * y[1:4]])

    def grown(_: float, y: Array) -> float:
        return float(abs(y[0]) - 1e8)

    grown.terminal = True  # type: ignore[attr-defined]
    start, asked = np.concatenate([[value], key, query]), {"method": "DOP853", "rtol": 1e-11, "atol": 1e-13}
    wait = escape(head)
    assert wait == pytest.approx(solve_ivp(rates, (0.0, 1e4), start, events=grown, **asked).t[-1], rel=1e-6)
    for share in (0.1, 0.5, 0.9):
        end = solve_ivp(rates, (0.0, share * wait), start, **asked).y[:, -1]
        there = after(head, share * wait)
        found, expected = (
            v * np.outer(k, q) for v, k, q in ((there.value, there.key, there.query), (end[0], end[1:4], end[4:]))
        )
        assert found == pytest.approx(expected, rel=1e-7, abs=1e-8 * np.abs(expected).max())


def test_heads_on_directions_take_them_when_their_implicit_solutions_do() -> None:
    values = np.array([0.01, 0.03, 0.02])
    known = directions(COVARIANCE, tokens=50)
    factors = values[:, None] * known.axes.T
    found = staircase(values, factors, factors, COVARIANCE, tokens=50, times=np.linspace(0.0, 400.0, 50))
    assert found.escapes == pytest.approx(np.sort(1.0 / (values * known.strengths**2)), rel=1e-6)
    course = aligned(values, COVARIANCE, tokens=50, times=np.linspace(0.0, 400.0, 50))
    assert found.course.loss == pytest.approx(course.loss, rel=1e-5)
    for direction, time in zip(found.directions, found.times, strict=True):
        half = known.ends[direction] / 2.0 ** (1 / 3)
        asked = known.strengths[direction], known.spreads[direction]
        assert time_between(values[direction], half, *asked) == pytest.approx(time, rel=1e-2)
        assert time_between(1e-9, half, *asked) - 1e9 / asked[0] ** 2 == pytest.approx(
            time - found.escapes[found.directions.index(direction)], abs=1e-5
        )


test_statements_have_their_verdicts = FAMILIES.verdicts()
