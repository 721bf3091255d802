"""The two-point flow by Taylor series agrees with the closed form in balls, from a thousand random starts."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from benchmarks.integrate import job, squares
from numerics.kernels import ball
from numerics.theory.two_point.flow import signed_trajectories

TIMES = np.concatenate([[0.0], np.geomspace(0.05, 200.0, 8)])
MOMENTS = [Fraction(t) for t in TIMES.tolist()]


@pytest.mark.parametrize("seed", range(10))
def test_every_start_agrees_with_the_closed_form(seed: int) -> None:
    work = job(100, seed)
    formula = ball("van_rossem_saxe_2024:closed_form")
    exact = np.empty((100, TIMES.size - 1, 3))
    for k, (start, params) in enumerate(zip(work.starts.tolist(), work.params.tolist(), strict=True)):
        a, b, n = map(Fraction, start)
        squared = (a * a, a * a * n, a * (a * n - b))
        for j, t in enumerate(MOMENTS[1:]):
            exact[k, j] = [float(x) for x in formula(*squared, *map(Fraction, params), t)]
    run = signed_trajectories(work.starts, work.params, TIMES)
    assert run.succeeded
    assert np.abs(squares(run.states)[:, 1:] - exact).max() <= 1e-10
