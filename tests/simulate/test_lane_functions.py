"""Elementary functions of eight numbers at once are as accurate as they say."""

from __future__ import annotations

import numpy as np
import pytest
from case_files import Cases
from each import each
from mpmath import mp, workdps
from numba import njit
from numpy.typing import NDArray

from numerics.machine.lanes import LANES, load, store
from numerics.machine.lanes import functions as lane_functions

FAMILIES = Cases(__file__, globals())

Floats = NDArray[np.float64]


@njit
def of_all(numbers: Floats, out: Floats, power: Floats) -> None:
    """Rows of values: logarithm of the powers of ten, exponential, error function and bell, tanh and slope."""
    for at in range(0, numbers.size, LANES):
        x = load(numbers, at)
        store(out[0], at, lane_functions.logarithm(load(power, at)))
        store(out[1], at, lane_functions.exponential(x))
        value, slope = lane_functions.error_function(x)
        store(out[2], at, value)
        store(out[3], at, slope)
        value, slope = lane_functions.hyperbolic_tangent(x)
        store(out[4], at, value)
        store(out[5], at, slope)


@pytest.fixture(scope="module")
def table() -> tuple[Floats, Floats, Floats]:
    rng = np.random.default_rng(0)
    numbers = np.concatenate([rng.uniform(-m, m, 400) for m in (1e-8, 0.6, 1.5, 9.0, 30.0)])
    powers = np.concatenate([rng.uniform(0.5, 2.0, 1000), 10.0 ** rng.uniform(-280.0, 280.0, 1000)])
    out = np.empty((6, numbers.size))
    of_all(numbers, out, powers)
    return numbers, powers, out


ROWS = FAMILIES["rows"]


@each("row", range(len(ROWS)))
def test_elementary_functions_are_as_accurate_as_they_say(row: int, table: tuple[Floats, Floats, Floats]) -> None:
    _, exact, relative, absolute = ROWS[row]
    numbers, powers, out = table
    with workdps(40):
        for x, value in zip((powers if row == 0 else numbers).tolist(), out[row].tolist(), strict=True):
            right = exact(mp.mpf(x))
            assert abs(value - right) <= relative * abs(right) + absolute, x


def test_far_away_the_functions_have_their_limits() -> None:
    far = np.array([50.0, -50.0, 1e10, -1e10, 1e300, -1e300, 0.0, 37.0])
    out = np.empty((6, LANES))
    with np.errstate(all="ignore"):
        of_all(far, out, np.ones(LANES))
    assert out[2].tolist() == [1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 0.0, 1.0]
    assert out[4].tolist() == [1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 0.0, 1.0]
    assert np.abs(out[3, :6]).max() < 1e-300
    assert np.abs(out[5, :6]).max() < 1e-40
