"""Taylor's method: as accurate as asked for, and the same bits in every company."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from case_files import Cases
from numba import njit

from benchmarks import integrate as bench
from numerics.kernels import ball, kernel
from numerics.machine.lanes import LANES, load, store
from numerics.machine.lanes.jets import rough_power
from numerics.machine.specialise import specialise
from numerics.ode.series import PARTS
from numerics.theory.two_point.flow import JETS, signed_trajectories

FAMILIES = Cases(__file__, globals())


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


def test_the_jets_are_the_power_series_of_the_emitted_flow() -> None:
    """Coefficient after coefficient, by polynomials in the kernel's own formulas."""
    fix, jets, order = (specialise(name, (*PARTS, JETS)) for name in ("fix", "jets", "ORDER"))
    rates = kernel("van_rossem_saxe_2024:signed_flow").py_func  # type: ignore[attr-defined]
    for start, params in zip(JOB.starts[:20], JOB.params[:20], strict=True):
        fixed, series = np.empty(4 * LANES), np.zeros((7, order + 1, LANES))
        series[:3, 0] = start[:, np.newaxis]
        fix(np.repeat(params, LANES), fixed)
        jets(series.ravel(), fixed, 0, order)
        expected = start[:, np.newaxis]
        for k in range(order):
            known = [np.polynomial.Polynomial(row) for row in expected]
            slopes = [np.append(rate.coef, np.zeros(k + 1))[k] / (k + 1) for rate in rates(*known, *params)]
            expected = np.column_stack([expected, slopes])
        sizes = np.abs(expected).max(axis=0)
        assert np.abs(series[:3, :, 0] - expected).max(axis=0) == pytest.approx(0.0, abs=1e-12 * sizes.max())


def crossing(count: int) -> list[int]:
    """Starts of the benchmark that pass through dh = 0."""
    a = signed_trajectories(JOB.starts[:300], JOB.params[:300], TIMES).states[:, :, 0]
    found: list[int] = np.flatnonzero(a[:, -1] * a[:, 0] < 0.0).tolist()
    return found[:count]


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


@pytest.mark.laws  # the implicit method, which takes over, needs ten seconds to compile
def test_long_runs_stay_at_rest() -> None:
    rows = slice(0, 8)
    run = signed_trajectories(JOB.starts[rows], JOB.params[rows], [0.0, 500.0, 5e4], 1e-12, 1e-12)
    assert run.succeeded
    a, b, n = np.moveaxis(run.states[:, -1], -1, 0)
    assert np.abs(b - a * n).max() <= 1e-10
    assert np.abs(JOB.params[rows, 1] - a * b).max() <= 1e-10


test_statements_have_their_verdicts = FAMILIES.verdicts()


@pytest.mark.laws
def test_the_benchmark_judges_its_candidates_against_an_independent_reference() -> None:
    """The closed form of starts as rounded to h, y and w, which costs up to four digits near a saddle."""
    work = bench.job(40)
    states = bench.reference(work)
    assert bench.distance_to_balls(work, states) <= 3e-10
    assert bench.errors(bench.candidates(work)["here, 1e-12"], states).max() <= 3e-10
