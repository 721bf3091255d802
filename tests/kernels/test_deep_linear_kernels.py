"""The kernel of two modes in floats, in every corner of its domain; that it solves the flow has a certificate."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from numerics.accuracy.criterion import measure
from numerics.kernels import ball, kernel

PAPER = "braun_2022"


# --- two modes --------------------------------------------------------------------------------------------------------


def size(rng: np.random.Generator, low: float, high: float) -> float:
    return float(np.exp(rng.uniform(math.log(low), math.log(high))))


def inside(a1: float, a2: float, b: float) -> float:
    """b, or the nearest float at which the determinant is not negative."""
    while Fraction(b) ** 2 > Fraction(a1) * Fraction(a2):
        b = math.nextafter(b, 0)
    return b


def corners(rng: np.random.Generator) -> tuple[float, ...]:
    """Starts of rank one, nearly so and at zero; equal, nearly equal and zero singular values; short and long times."""
    a1, a2 = size(rng, 1e-12, 1e6), size(rng, 1e-12, 1e6)
    b = math.sqrt(a1) * math.sqrt(a2) * rng.choice([1 - size(rng, 1e-16, 1), rng.uniform(-1, 1)])
    match rng.integers(5):
        case 0:
            p, q = (float(np.float32(size(rng, 1e-4, 1e3))) for _ in "pq")
            a1, a2, b = p * p, q * q, p * q
        case 1:
            a1 = b = 0.0
        case 2:
            a2 = b = 0.0
    s1, s2 = size(rng, 1e-6, 1e3), size(rng, 1e-6, 1e3)
    s1, s2 = [(s1, s2), (s1, s1), (s1, s1 * (1 + size(rng, 1e-15, 1e-3))), (s1, 0.0), (0.0, s2)][rng.integers(5)]
    span = max(s1, s2)
    times = [0.0, size(rng, 1e-6, 1e6) / span, size(rng, 1e-6, 1e6), size(rng, 1, 50) / span]
    return a1, a2, inside(a1, a2, b), s1, s2, times[rng.integers(4)]


def test_floats_stay_within_the_criterion_in_every_corner_of_the_domain() -> None:
    report = measure(kernel(f"{PAPER}:decoupling"), ball(f"{PAPER}:decoupling"), corners, 1500, seed=1)
    assert report.passed, report
    assert report.undefined == 0
    assert report.extreme < 10


def test_two_modes_settle_without_overflow() -> None:
    two_modes = kernel(f"{PAPER}:decoupling")
    for time in (1e3, 1e6, 1e12):
        assert two_modes(0.5, 0.25, 0.125, 2.0, 1.0, time) == (2.0, 1.0, 0.0)
        assert two_modes(0.5, 0.25, -0.125, 1.0, 2.0, time) == (1.0, 2.0, 0.0)
        assert two_modes(0.5, 0.0, 0.0, 2.0, 1.0, time) == (2.0, 0.0, 0.0)
        assert two_modes(0.0, 0.5, 0.0, 2.0, 1.0, time) == (0.0, 1.0, 0.0)
        assert two_modes(0.25, 1.0, 0.5, 2.0, 1.0, time) == (2.0, 0.0, 0.0)  # rank one: the larger value is learned
        assert two_modes(0.25, 1.0, 0.5, 1.0, 2.0, time) == (0.0, 2.0, 0.0)
        a1, a2, b = two_modes(0.25, 1.0, 0.5, 1.0, 1.0, time)  # rank one, equal values: along the start
        assert (a1, a2, b) == pytest.approx((0.2, 0.8, 0.4), rel=1e-15)
        assert two_modes(0.0, 0.0, 0.0, 1.0, 2.0, time) == (0.0, 0.0, 0.0)
