"""Taylor's method: as accurate as asked for, and the same bits in every company."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import sympy as sp
from case_files import Cases
from each import each
from numba import njit

from benchmarks import integrate as bench
from derivations.kernels.jets.text import jets_module
from derivations.kernels.kernel import Kernel
from numerics.kernels import ball
from numerics.machine.lanes import LANES, load, store
from numerics.machine.lanes.jets import rough_power
from numerics.ode.integrate import integrate
from numerics.ode.series import by_series
from numerics.ode.trajectories import IntegrateError
from numerics.theory.two_point.flow import JETS, signed, signed_trajectories, trajectories

FAMILIES = Cases(__file__, globals())

p, q, z = sp.symbols("p q z", real=True)
c = sp.Symbol("c", real=True)
KNOWN = Kernel(
    "known",
    says="Flows with known solutions: a pole, an exponential and a product of both that decays.",
    state=[p, q, z],
    params=[c],
    returns={"p_rate": c * p**2, "q_rate": -c * q, "z_rate": c * (p * z - z)},
)


@pytest.fixture(scope="module", autouse=True)
def emitted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A module of jets of the kernel above, which can be imported."""
    folder = tmp_path_factory.mktemp("jets")
    Path(folder / "known_jets.py").write_text(jets_module(KNOWN, "tests", "Emitted.", ""), encoding="utf-8")
    sys.path.insert(0, str(folder))
    yield
    sys.path.remove(str(folder))


def exact(start: np.ndarray, params: np.ndarray, time: float) -> list[float]:
    """h, y and w by the closed form in balls, from a, b and n taken exactly."""
    a, b, n = (Fraction(float(x)) for x in start)
    squared = (a * a, a * a * n, a * (a * n - b))
    formula = ball("van_rossem_saxe_2024:closed_form")
    return [float(x) for x in formula(*squared, *map(Fraction, params.tolist()), Fraction(time))]


JOB = bench.job(10_000)
TIMES = np.linspace(0.0, 50.0, 41)
NEAR_A_SADDLE = (8043, 9178, 4116)  # where the flow magnifies rounding most


def worst_error(rows: tuple[int, ...], rtol: float) -> float:
    rows_ = list(rows)
    run = signed_trajectories(JOB.starts[rows_], JOB.params[rows_], TIMES, rtol, rtol)
    assert run.succeeded
    found = bench.squares(run.states)
    expected = [[exact(JOB.starts[k], JOB.params[k], t) for t in TIMES[1:]] for k in rows]
    return float(np.abs(found[:, 1:] - expected).max())


@each(("rtol", "largest"), [(1e-8, 1e-5), (1e-12, 1e-9)])
def test_the_two_point_flow_is_right_near_saddles_too(rtol: float, largest: float) -> None:
    assert worst_error((*range(12), *NEAR_A_SADDLE), rtol) <= largest


def crossing(count: int) -> list[int]:
    """Starts of the benchmark that pass through dh = 0."""
    a = signed_trajectories(JOB.starts[:300], JOB.params[:300], TIMES).states[:, :, 0]
    found: list[int] = np.flatnonzero(a[:, -1] * a[:, 0] < 0.0).tolist()
    return found[:count]


def test_starts_that_pass_through_zero_lose_nothing() -> None:
    rows = tuple(crossing(6))
    assert len(rows) == 6
    assert worst_error(rows, 1e-12) <= 1e-10


def test_a_flow_with_a_known_solution_is_followed() -> None:
    """p = 1/(1/p0 - c t), q = q0 exp(-c t) and z = z0 (p/p0) exp(-c t)."""
    start, times = [0.5, 1.5, 0.75], np.linspace(0.0, 1.9, 39)
    run = by_series("known_jets", start, [1.0], times, 1e-12, 1e-12)
    assert run.succeeded
    grown, decayed = 1.0 / (1.0 - times / 2.0), np.exp(-times)
    exact = np.column_stack([0.5 * grown, 1.5 * decayed, 0.75 * grown * decayed])
    assert np.abs(run.states[0] / exact - 1.0).max() <= 1e-10


@njit
def powers(values: np.ndarray, exponent: float, out: np.ndarray) -> None:
    for at in range(0, values.size, LANES):
        store(out, at, rough_power(load(values, at), exponent))


def test_rough_powers_are_within_a_factor_of_1_14() -> None:
    values = np.logspace(-290, 290, 80_000)
    for exponent in (-1.0, -1 / 15, -1 / 16, -1 / 20, 0.5):
        powers(values, exponent, out := np.empty_like(values))
        assert np.abs(np.log(out) - exponent * np.log(values)).max() <= np.log(1.14)


def test_the_bits_are_the_same_on_many_threads_and_alone() -> None:
    rows, times = slice(0, 203), np.linspace(0.0, 20.0, 37)
    one, many = (signed_trajectories(JOB.starts[rows], JOB.params[rows], times, threads=n).states for n in (1, 3))
    assert np.array_equal(one, many)
    assert np.array_equal(signed_trajectories(JOB.starts[101], JOB.params[101], times).states[0], one[101])


def test_more_outputs_change_no_step_and_agree_where_they_meet() -> None:
    few, many = np.linspace(0.0, 20.0, 6), np.linspace(0.0, 20.0, 501)
    sparse = signed_trajectories(JOB.starts[:9], JOB.params[:9], few)
    dense = signed_trajectories(JOB.starts[:9], JOB.params[:9], many)
    assert np.array_equal(sparse.calls, dense.calls)
    assert np.array_equal(sparse.states, dense.states[:, ::100])


def test_what_stops_a_run_is_told_and_nothing_is_invented_beyond() -> None:
    times = np.linspace(0.0, 4.0, 9)
    starts = [[0.5, 1.0, 1.0], [0.1, 1.0, np.inf], [0.1, 1.0, 1.0], [np.nan, 1.0, 1.0]]
    run = by_series("known_jets", starts, [1.0], times, 1e-12, 1e-12)
    assert run.messages == ("step too small", "left the domain", "", "left the domain")
    assert np.isfinite(run.states[0, :4]).all()  # the pole is at t = 2
    assert np.isnan(run.states[0, 5:]).all()
    assert np.isnan(run.states[[1, 3], 1:]).all()
    assert np.isfinite(run.states[2]).all()


def test_a_single_time_returns_the_starts() -> None:
    assert np.array_equal(signed_trajectories(JOB.starts[:3], JOB.params[:3], [2.0]).states[:, 0], JOB.starts[:3])


def test_integrate_takes_kernels_of_jets_as_well() -> None:
    """Otherwise one would have to know the method in order to call it."""
    starts, params, times = [[0.25, 2.0, 1.0]], [0.7], [0.0, 1.0, 3.0]
    through = integrate("known_jets", starts, params, times, 1e-12, 1e-12)
    direct = by_series("known_jets", starts, params, times, 1e-12, 1e-12)
    assert np.array_equal(through.states, direct.states)


def test_stiff_runs_end_in_time_or_say_so() -> None:
    stiff = [[1.0, 1.0, 1e-9, 1.0]]  # the fastest rate is about 10^8 times the slowest
    run = by_series(JETS, [[1.0, 0.5, 0.5]], stiff, [0.0, 1.0], most_steps=50)
    assert run.messages == ("too many steps",)
    assert run.calls[0] == 50


@pytest.mark.laws  # the implicit method, which takes over, needs ten seconds to compile
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


test_bad_arguments_are_refused_in_one_sentence = FAMILIES.verdicts()


def test_a_table_of_the_wrong_width_is_refused() -> None:
    with pytest.raises(IntegrateError, match=r"starts has 2 columns where .* wants 3"):
        signed_trajectories([1.0, 1.0], [1.0] * 4, [0.0, 1.0])


@pytest.mark.laws
def test_the_benchmark_judges_its_candidates_against_an_independent_reference() -> None:
    """The closed form of starts as rounded to h, y and w, which costs up to four digits near a saddle."""
    work = bench.job(40)
    states = bench.reference(work)
    assert bench.distance_to_balls(work, states) <= 3e-10
    assert bench.errors(bench.candidates(work)["here, 1e-12"], states).max() <= 3e-10
