"""The kernels of single modes as laws: times add up, the time is the inverse, and known cases are met."""

from __future__ import annotations

import math

import numpy as np
import pytest
from each import each

from numerics.kernels import kernel

mode, mode_time = kernel("solvable_networks:mode"), kernel("solvable_networks:mode_time")
RNG = np.random.default_rng(5)


def drawn() -> tuple[float, float, float, float]:
    """A start and a balance of either sign, a task and a time constant."""
    a0, balance = RNG.uniform(-2, 2, 2)
    return float(a0), float(RNG.uniform(0.2, 2)), float(balance), float(RNG.uniform(0.5, 3))


CASES = [drawn() for _ in range(20)] + [(0.3, 1.0, 0.0, 1.0), (3.0, 1.0, 0.0, 1.0), (0.0, 1.0, 1e-9, 2.0)]


@each("case", CASES)
def test_two_times_after_each_other_are_their_sum(case: tuple[float, float, float, float]) -> None:
    a0, *rest = case
    (halfway,) = mode(a0, *rest, 0.4)
    assert mode(halfway, *rest, 0.7)[0] == pytest.approx(mode(a0, *rest, 1.1)[0], rel=1e-12, abs=1e-13)


@each("case", CASES)
def test_the_time_is_the_inverse(case: tuple[float, float, float, float]) -> None:
    a0, *rest = case
    (reached,) = mode(a0, *rest, 0.6)
    assert mode_time(a0, reached, *rest)[0] == pytest.approx(0.6, rel=1e-11)


@each("case", CASES)
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
