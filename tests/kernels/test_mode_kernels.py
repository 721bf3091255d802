"""The kernels of single modes as laws: times add up, the time is the inverse, and known cases are met."""

from __future__ import annotations

import math

import numpy as np
import pytest

from numerics.kernels import kernel

mode, mode_time = kernel("solvable_networks:mode"), kernel("solvable_networks:mode_time")
slopes, balance_slope = kernel("solvable_networks:mode_slopes"), kernel("solvable_networks:mode_balance_slope")
RNG = np.random.default_rng(5)


def drawn() -> tuple[float, float, float, float]:
    """A start and a balance of either sign, a task and a time constant."""
    a0, balance = RNG.uniform(-2, 2, 2)
    return float(a0), float(RNG.uniform(0.2, 2)), float(balance), float(RNG.uniform(0.5, 3))


CASES = [drawn() for _ in range(20)] + [(0.3, 1.0, 0.0, 1.0), (3.0, 1.0, 0.0, 1.0), (0.0, 1.0, 1e-9, 2.0)]


@pytest.mark.parametrize("case", CASES)
def test_two_times_after_each_other_are_their_sum(case: tuple[float, float, float, float]) -> None:
    a0, *rest = case
    (halfway,) = mode(a0, *rest, 0.4)
    assert mode(halfway, *rest, 0.7)[0] == pytest.approx(mode(a0, *rest, 1.1)[0], rel=1e-12, abs=1e-13)


@pytest.mark.parametrize("case", CASES)
def test_the_time_is_the_inverse(case: tuple[float, float, float, float]) -> None:
    a0, *rest = case
    (reached,) = mode(a0, *rest, 0.6)
    assert mode_time(a0, reached, *rest)[0] == pytest.approx(0.6, rel=1e-11)


@pytest.mark.parametrize("case", CASES)
def test_the_mode_moves_as_its_flow_says(case: tuple[float, float, float, float]) -> None:
    a0, s, balance, tau = case
    step = 1e-5
    before, now, after = (mode(a0, s, balance, tau, 0.5 + k * step)[0] for k in (-1, 0, 1))
    rate = math.hypot(balance, 2 * now) * (s - now) / tau
    assert (after - before) / (2 * step) == pytest.approx(rate, rel=1e-6, abs=1e-9)


def test_without_balance_it_is_the_sigmoid_above_zero_and_stuck_below() -> None:
    grown = math.exp(2 * 1.5 * 0.8)
    assert mode(0.1, 1.5, 0.0, 1.0, 0.8)[0] == pytest.approx(1.5 * grown / (grown - 1 + 15), rel=1e-14)
    assert mode(-1.0, 1.0, 0.0, 1.0, 400.0)[0] == pytest.approx(-math.exp(-800.0) / 2, abs=1e-300)
    assert mode(0.0, 1.0, 0.0, 1.0, 1e6) == (0.0,)


def test_every_balance_learns_at_last() -> None:
    ends = [mode(-1.0, 1.0, balance, 1.0, 1e5)[0] for balance in (1e-6, -1e-6, 3.0, -3.0)]
    assert ends == pytest.approx([1.0] * 4, rel=1e-14)


def difference(point: list[float], at: int, size: float = 1e-5) -> float:
    """The derivative of the mode by one argument, from values on both sides."""
    step = size * max(1.0, abs(point[at]))
    ahead, behind = ([x + sign * step * (k == at) for k, x in enumerate(point)] for sign in (1, -1))
    return float((mode(*ahead)[0] - mode(*behind)[0]) / (2 * step))


@pytest.mark.parametrize("case", [*CASES[:-1], (-0.4, 1.0, 0.0, 1.0), (-3.0, 1.0, 1e-3, 0.5)])
def test_slopes_are_quotients_of_differences(case: tuple[float, float, float, float]) -> None:
    point, tau = [*case, 0.6], case[3]
    by_start, by_task, by_phase = slopes(*point)
    found = (by_start, by_task, by_phase / tau, -by_phase * 0.6 / tau**2)
    assert found == pytest.approx([difference(point, at) for at in (0, 1, 4, 3)], rel=1e-7, abs=1e-9)
    if abs(case[0]) <= case[1]:
        assert balance_slope(*point)[0] == pytest.approx(difference(point, 2), rel=1e-7, abs=1e-8)


def test_slopes_where_the_exponential_is_no_normal_float() -> None:
    """e is 10^-322, and a factor beside it 10^18: what is left to learn falls by exp(-2 R t) (s - a0) r/(r0 X Y)."""
    _, _, late = slopes(-1.0, 1.0, 2e-9, 1.0, 370.6)
    (almost,) = slopes(-1.0, 1.0, 2e-9, 1.0, 365.6)[2:]
    assert late == pytest.approx(almost * math.exp(-10.0), rel=1e-13)
    assert late > 1e-308


@pytest.mark.parametrize(
    "case",
    [(0.2, 0.7, 1.0, 0.4, 2.0), (-0.5, 0.3, 1.0, -0.7, 1.0), (-0.8, -0.1, 1.5, 0.0, 0.5), (0.1, 0.9, 1.0, 0.0, 1.0)],
)
def test_slopes_of_times_are_quotients_of_differences(case: tuple[float, ...]) -> None:
    found = kernel("solvable_networks:mode_time_slopes")(*case)
    for at, slope in enumerate(found):
        if at == 3 and case[0] < 0.0 == case[3]:
            assert slope == 0.0  # the time has a kink there, or none at all on one side
            continue
        ahead, behind = ([x + sign * 1e-6 * (k == at) for k, x in enumerate(case)] for sign in (1, -1))
        assert slope == pytest.approx((mode_time(*ahead)[0] - mode_time(*behind)[0]) / 2e-6, rel=1e-6, abs=1e-7)
