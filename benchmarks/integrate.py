"""The two-point flow from 10,000 starts to t = 50, 200 outputs each, beside heyoka.py and numbalsoda on both cores.

|dh|^2, |u|^2, the cosine between u and y2 - y1, both time constants and both squared distances are drawn once, and no
start is left out. Here a, b and n are integrated (numerics/theory/two_point/flow.py), by the others h, y and w, which
are what the paper writes down; at dh = 0, where a changes its sign, their equations divide by zero. heyoka.py runs in
its batch mode, eight starts at once in each thread; numbalsoda's DOP853 in a parallel Numba loop. The closed form is
this package's, evaluated at every output.

Errors are the largest differences of h, y and w at any output from the closed form, which has none. The others start
at h, y and w as rounded from a, b and n, which near a saddle costs them four digits. "Fails" counts starts that are
wrong by more than 1e-6 somewhere, "slower" compares with the fastest line.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from fractions import Fraction
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import carray, njit  # type: ignore[attr-defined]
from numpy.typing import NDArray
from rich.table import Table

from benchmarks import machine, seconds
from numerics.kernels import ball, kernel
from numerics.machine.progress import table
from numerics.theory import two_point
from numerics.theory.two_point.flow import signed_trajectories

# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators

Floats = NDArray[np.float64]
COUNT, END, OUTPUTS = 10_000, 50.0, 200
ROUNDS = 7
WRONG = 1e-6
GROUP = 8
MOST_STEPS = 100_000  # of a peer for one start
TOLERANCES = (1e-8, 1e-12)
BALLS = 40  # starts whose reference is compared with the closed form in balls
HERE = "here"


class Job(NamedTuple):
    """Starts (a, b, n) and parameters (X, s, tau_h, tau_y), a row each, and the output times."""

    starts: Floats
    params: Floats
    times: Floats

    @property
    def squared(self) -> Floats:
        """The starts as (h, y, w)."""
        return squares(self.starts)


class Way(NamedTuple):
    """A function that returns states (start, time, component), and whether these are a, b and n."""

    run: Callable[[], Floats]
    signed: bool


def job(count: int, seed: int = 0) -> Job:
    rng = np.random.default_rng(seed)
    h, n = rng.uniform(0.05, 1.5, count), rng.uniform(0.02, 1.5, count)
    cosine = rng.uniform(-1.0, 1.0, count)
    tau_h, tau_y, X, s = (rng.uniform(0.3, 2.0, count) for _ in range(4))
    starts = np.column_stack([np.sqrt(h), np.sqrt(n * s) * cosine, n])
    return Job(starts, np.column_stack([X, s, tau_h, tau_y]), np.linspace(0.0, END, OUTPUTS))


def squares(states: Floats) -> Floats:
    """h, y and w from a, b and n."""
    a, b, n = np.moveaxis(states, -1, 0)
    return np.stack([a * a, a * (a * n), a * (a * n - b)], axis=-1)


def tables(say: Callable[[str], None]) -> Iterator[Table]:
    """One table: speed, and errors of starts that cross dh = 0 and of those that do not."""
    say(machine("numpy", "numba", "heyoka", "numbalsoda"))
    for peer in ("heyoka", "numbalsoda"):
        if find_spec(peer) is None:
            say(f"{peer} is not installed, so it is left out: pip install {peer}")
    work = job(COUNT)
    ways = candidates(work)
    exact = reference(work)
    say(f"the reference is within {distance_to_balls(work, exact):.1e} of the closed form in balls at {BALLS} starts")
    signs = np.sign(here(work, TOLERANCES[-1])[:, :, 0])
    crossing = (signs != signs[:, :1]).any(axis=1)
    found = seconds({name: way.run for name, way in ways.items()}, ROUNDS)
    numbers = f"{np.count_nonzero(crossing)} of {COUNT} starts cross dh = 0"
    columns = ("starts/s", "slower", "crossing: error", "fails", "others: error", "fails")
    result = table(f"{COUNT} starts to t = {END:g}, {OUTPUTS} outputs; {numbers}", [""], columns)
    fastest = min(found.values())
    for name, way in ways.items():
        difference = errors(way, exact)
        cells = [f"{COUNT / found[name]:.3g}", f"{found[name] / fastest:.2f}"]
        for group in (crossing, ~crossing):
            worst = difference[group].max(initial=0.0)
            cells += [f"{worst:.1e}", str(np.count_nonzero(~(difference[group] <= WRONG)))]
        result.add_row(name, *cells)
    yield result


def errors(way: Way, exact: Floats) -> Floats:
    """The largest error of each start; infinite where a candidate gives up."""
    states = way.run()
    differences = np.abs((squares(states) if way.signed else states) - exact)
    worst: Floats = np.nan_to_num(differences, nan=np.inf).max(axis=(1, 2))
    return worst


def candidates(work: Job) -> dict[str, Way]:
    """Return what is compared."""
    ways = {f"{HERE}, {rtol:.0e}": Way(partial(here, work, rtol), signed=True) for rtol in TOLERANCES}
    ways["closed form"] = Way(partial(reference, work), signed=False)
    if find_spec("heyoka") is not None:
        for tolerance in (1e-12, 1e-15):
            ways[f"heyoka.py, {tolerance:.0e}"] = Way(partial(heyoka_batches, work, tolerance), signed=False)
    if find_spec("numbalsoda") is not None:
        for tolerance in (1e-8, 1e-10):
            ways[f"numbalsoda, {tolerance:.0e}"] = Way(partial(numbalsoda_dop853, work, tolerance), signed=False)
    return ways


def here(work: Job, rtol: float) -> Floats:
    return signed_trajectories(*work, rtol, rtol).states


def reference(work: Job) -> Floats:
    """h, y and w by the closed form."""
    return two_point.closed_form(work.squared, work.params, work.times)


def _in_threads(piece: Callable[[tuple[int, int]], object], count: int, unit: int = 1) -> None:
    """Run a function on as many ranges as there are threads, each a multiple of the unit but for the last one."""
    threads = numba.get_num_threads()
    ends = [count * k // threads // unit * unit for k in range(threads)] + [count]
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(piece, pairwise(ends)))


# --- heyoka.py --------------------------------------------------------------------------------------------------------


def _equations(heyoka: Any) -> list[Any]:
    """Equation 7 with doubled time constants, each quotient written once."""
    h, y, w = heyoka.make_vars("h", "y", "w")
    X, s, tau_h, tau_y = (heyoka.par[k] for k in range(4))
    across, along = h / (4.0 * tau_y), X / (4.0 * tau_h) / h
    return [
        (h, -X / (2.0 * tau_h) * w),
        (y, -2.0 * w * (across + along * y)),
        (w, -across * (3.0 * w - y + s) - along * (y + w) * w),
    ]


@cache
def _heyoka_integrators(tolerance: float, threads: int) -> list[Any]:
    heyoka = import_module("heyoka")
    options = {"pars": np.ones((4, GROUP)), "tol": tolerance}
    return [heyoka.taylor_adaptive_batch(_equations(heyoka), np.ones((3, GROUP)), **options) for _ in range(threads)]


def heyoka_batches(work: Job, tolerance: float) -> Floats:
    starts, count = work.squared, len(work.starts)
    states = np.full((count, work.times.size, 3), np.nan)
    grid = np.repeat(work.times[:, None], GROUP, axis=1)
    free = list(_heyoka_integrators(tolerance, numba.get_num_threads()))

    def piece(bounds: tuple[int, int]) -> None:
        integrator = free.pop()
        for first in range(*bounds, GROUP):
            rows = np.minimum(np.arange(first, first + GROUP), count - 1)  # the last group may repeat a start
            integrator.set_time(0.0)
            integrator.state[:] = starts[rows].T
            integrator.pars[:] = work.params[rows].T
            states[rows] = integrator.propagate_grid(grid, max_steps=MOST_STEPS)[-1].transpose(2, 0, 1)

    _in_threads(piece, count, GROUP)
    return states


def distance_to_balls(work: Job, exact: Floats) -> float:
    """How far the reference is from the closed form at 50 digits, at a few starts and times, in h, y and w."""
    formula, worst = ball("van_rossem_saxe_2024:closed_form"), 0.0
    for k in range(BALLS):
        a, b, n = (_exactly(x) for x in work.starts[k])
        start = (a * a, a * a * n, a * (a * n - b))
        for j in range(1, work.times.size, 23):
            balls = formula(*start, *(_exactly(x) for x in work.params[k]), _exactly(work.times[j]))
            worst = max(worst, *(abs(float(x) - y) for x, y in zip(balls, exact[k, j], strict=True)))
    return worst


def _exactly(number: float) -> Fraction:
    return Fraction(float(number))


# --- numbalsoda -------------------------------------------------------------------------------------------------------


@cache
def _numbalsoda_loop() -> tuple[Callable[..., None], Any]:
    """The loop, and the compiled rates that it calls by their address."""
    os.environ.setdefault("GFORTRAN_UNBUFFERED_ALL", "y")  # so that `_silent` catches all that it prints
    numbalsoda = import_module("numbalsoda")
    dop853 = numbalsoda.dop853
    flow = kernel("van_rossem_saxe_2024:two_point_flow")

    @numba.cfunc(numbalsoda.lsoda_sig)
    def rates(t, u, du, p):
        given = carray(p, (4,))
        du[0], du[1], du[2] = flow(u[0], u[1], u[2], given[0], given[1], given[2], given[3])

    address = rates.address

    @njit(parallel=True)
    def loop(starts, params, times, tolerance, states):
        for k in numba.prange(starts.shape[0]):
            found, success = dop853(address, starts[k], times, params[k], tolerance, tolerance, MOST_STEPS)
            if success:
                states[k] = found
            else:
                states[k] = np.nan

    return loop, rates


def numbalsoda_dop853(work: Job, tolerance: float) -> Floats:
    states = np.empty((len(work.starts), work.times.size, 3))
    loop, _ = _numbalsoda_loop()
    with _silent():
        loop(work.squared, work.params, work.times, tolerance, states)
    return states


@contextmanager
def _silent() -> Iterator[None]:
    """Send to nowhere what Fortran prints: two lines for each start that it gives up."""
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)
