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
from numba import njit

from benchmarks import integrate as bench
from derivations.kernels.jets.text import jets_module
from derivations.kernels.kernel import Kernel
from numerics.kernels import ball
from numerics.machine.lanes import LANES, load, store
from numerics.machine.lanes.jets import rough_power
from numerics.theory.two_point.flow import signed_trajectories

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
