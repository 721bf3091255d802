"""The integrated two-point flow: as accurate as asked for through dh = 0 too, and the same bits in every company."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from each import each

from benchmarks import integrate as bench
from numerics.kernels import ball
from numerics.ode.trajectories import IntegrateError
from numerics.theory.two_point.flow import signed, signed_trajectories, trajectories

JOB = bench.job(10_000)
TIMES = np.linspace(0.0, 50.0, 41)
NEAR_A_SADDLE = (8043, 9178, 4116)  # where the flow magnifies rounding most


def exact(start: np.ndarray, params: np.ndarray, time: float) -> list[float]:
    """h, y and w by the closed form in balls, from a, b and n taken exactly."""
    a, b, n = (Fraction(float(x)) for x in start)
    squared = (a * a, a * a * n, a * (a * n - b))
    formula = ball("van_rossem_saxe_2024:closed_form")
    return [float(x) for x in formula(*squared, *map(Fraction, params.tolist()), Fraction(time))]


def worst_error(rows: list[int], rtol: float) -> float:
    run = signed_trajectories(JOB.starts[rows], JOB.params[rows], TIMES, rtol, rtol)
    assert run.succeeded
    expected = [[exact(JOB.starts[k], JOB.params[k], t) for t in TIMES[1:]] for k in rows]
    return float(np.abs(bench.squares(run.states)[:, 1:] - expected).max())


@each(("rtol", "largest"), [(1e-8, 1e-5), (1e-12, 2e-9)])
def test_it_is_right_near_saddles_too(rtol: float, largest: float) -> None:
    assert worst_error([*range(12), *NEAR_A_SADDLE], rtol) <= largest


def test_starts_that_pass_through_zero_lose_nothing() -> None:
    a = signed_trajectories(JOB.starts[:300], JOB.params[:300], TIMES).states[:, :, 0]
    crossing: list[int] = np.flatnonzero(a[:, -1] * a[:, 0] < 0.0).tolist()
    assert len(crossing) >= 6
    assert worst_error(crossing[:6], 1e-12) <= 1e-10


def test_the_bits_are_the_same_on_many_threads_and_alone() -> None:
    rows, times = slice(0, 203), np.linspace(0.0, 20.0, 37)
    one, many = (signed_trajectories(JOB.starts[rows], JOB.params[rows], times, threads=n).states for n in (1, 3))
    assert np.array_equal(one, many)
    assert np.array_equal(signed_trajectories(JOB.starts[101], JOB.params[101], times).states[0], one[101])


def test_long_runs_stay_at_rest() -> None:
    rows = slice(0, 8)
    run = signed_trajectories(JOB.starts[rows], JOB.params[rows], [0.0, 500.0, 5e4], 1e-12, 1e-12)
    assert run.succeeded
    a, b, n = np.moveaxis(run.states[:, -1], -1, 0)
    assert np.abs(b - a * n).max() <= 1e-10
    assert np.abs(JOB.params[rows, 1] - a * b).max() <= 1e-10


def test_squared_coordinates_are_those_of_the_signed_ones() -> None:
    rows = slice(0, 5)
    squared = JOB.squared[rows]
    run = trajectories(squared, JOB.params[rows], TIMES)
    other = signed_trajectories(signed(squared, JOB.params[rows]), JOB.params[rows], TIMES)
    assert np.array_equal(run.states, bench.squares(other.states))
    assert np.allclose(run.states[:, 0], squared, rtol=1e-14, atol=1e-15)


@each(
    ("change", "sentence"),
    [
        ({"starts": [[0.0, 1.0, 1.0]]}, "start 0 has h = 0, where dh has no direction"),
        ({"starts": [[1.0, 1.0, 9.0]]}, r"start 0 has y = 1 and w = 9, but \(y - w\)\^2 must not exceed y s"),
        ({"starts": [[1.0, 1.0]]}, r"starts must be rows \(h, y, w\)"),
        ({"params": [[1.0, 1.0]]}, r"params must be one row \(X, s, tau_h, tau_y\)"),
        ({"times": [0.0, 2.0, 1.0]}, "times must increase"),
        ({"rtol": 1e-14}, "rtol must be at least"),
    ],
)
def test_bad_arguments_are_refused_in_one_sentence(change: dict[str, object], sentence: str) -> None:
    arguments: dict[str, object] = {"starts": [[1.0, 1.0, 0.5]], "params": [[1.0] * 4], "times": [0.0, 0.5]} | change
    with pytest.raises(IntegrateError, match=sentence):
        trajectories(**arguments)  # type: ignore[arg-type]


@pytest.mark.laws
def test_the_benchmark_judges_its_candidates_against_an_independent_reference() -> None:
    """The closed form of starts as rounded to h, y and w, which costs up to four digits near a saddle."""
    work = bench.job(40)
    states = bench.reference(work)
    assert bench.distance_to_balls(work, states) <= 3e-10
    assert bench.errors(bench.candidates(work)["here, 1e-12"], states).max() <= 3e-10
