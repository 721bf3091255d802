"""The solved two-point theory agrees with the integrated one, and its sensitivities with differences."""

from __future__ import annotations

import numpy as np
import pytest

from numerics.ode.trajectories import IntegrateError
from numerics.theory import two_point
from numerics.theory.two_point import flow as two_point_flow

RNG = np.random.default_rng(5)
TIMES = np.linspace(0, 30, 61)


def starts(count: int, s: np.ndarray) -> np.ndarray:
    h, n, cosine = RNG.uniform(0.05, 1.5, count), RNG.uniform(0.02, 1.5, count), RNG.uniform(-0.5, 1, count)
    y = h * n
    return np.column_stack([h, y, y - np.sqrt(y * s) * cosine])


def test_the_closed_form_is_the_solution_for_different_and_for_equal_targets() -> None:
    s = np.concatenate([np.zeros(5), RNG.uniform(0.3, 2, 15)])
    rows = starts(20, s)
    params = np.column_stack([RNG.uniform(0.3, 2, 20), s, RNG.uniform(0.3, 2, (20, 2))])
    solved = two_point.closed_form(rows, params, TIMES)
    run = two_point_flow.trajectories(rows, params, TIMES, 1e-13, 1e-13)
    assert run.succeeded
    assert np.abs(solved - run.states).max() < 1e-11
    assert np.array_equal(two_point.closed_form(rows, params, TIMES, threads=1), solved)


@pytest.mark.parametrize("s", [0.0, 0.7])
def test_the_sensitivities_are_the_limits_of_differences(s: float) -> None:
    start, params = starts(1, np.array([s]))[0], np.array([0.8, s, 1.3, 0.6])
    exact = two_point.sensitivities(start, params, TIMES)
    for k in (0, 1):
        step = np.zeros(4)
        step[2 + k] = 1e-5
        difference = two_point.closed_form(start, params + step, TIMES) - two_point.closed_form(
            start, params - step, TIMES
        )
        assert np.abs(difference[0] / 2e-5 - exact[:, :, k]).max() < 1e-8


@pytest.mark.parametrize(
    ("start", "params", "sentence"),
    [
        ([0.0, 0.1, 0.1], [1, 1, 1, 1], "dh has no direction"),
        ([0.5, 0.1, 2.0], [1, 1, 1, 1], "must not be negative and"),
        ([0.5, 0.1, 0.1], [1, 1, 0, 1], "must be positive"),
        ([0.5, 0.1], [1, 1, 1, 1], "got 2 and 4 columns"),
    ],
)
def test_what_no_network_has_is_refused_in_one_sentence(start: list[float], params: list[float], sentence: str) -> None:
    with pytest.raises(IntegrateError, match=sentence):
        two_point.closed_form(start, params, [0, 1])
