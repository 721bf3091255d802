"""One trajectory of the order parameters against SciPy with a Numba right-hand side, and against diffrax.

Saad & Solla's flow for K = M, eta = 0.5, from small random students of orthonormal teachers to t = 200, with outputs at
every unit of time. Runs alternate and medians count, because a machine's speed drifts. Errors are the largest
differences of any order parameter at any output from a run to 1e-13. SciPy is measured twice: with a right-hand side in
plain loops, and with this package's.

Every candidate is asked for the same relative tolerance, which they do not understand alike. So each is also compared
with a run here at the loosest of some tolerances at which the error is no larger than its own.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from math import asin, pi, sqrt
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray
from rich.table import Table

from benchmarks import machine, online_sgd, seconds
from numerics.machine.lanes import LANES
from numerics.machine.progress import table
from numerics.ode.integrate import compiled, integrate
from numerics.theory.teacher_student import FLOWS

# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators

Floats = NDArray[np.float64]
SIZES = (2, 4, 8)
ETA, END, RTOL, ATOL = 0.5, 200, 1e-8, 1e-10
TIMES = np.linspace(0.0, END, END + 1)
LOOSER = 10.0 ** np.arange(-5, -13, -0.1)  # tolerances to choose from for an error
OURS, C = "here", "C"
ROUNDS, REPEATS = 9, 200


def tables(say: Callable[[str], None]) -> Iterator[Table]:
    """Trajectories, right-hand sides, and online learning itself."""
    say(machine("numpy", "numba", "scipy", "diffrax", "torch", "jax"))
    if find_spec("diffrax") is None:
        say("diffrax is not installed, so it is left out: pip install '.[bench]'")
    yield trajectories()
    library = compiled_c()
    if library is None:
        say("there is no C compiler, so the right-hand side has nothing to be compared with")
    else:
        yield right_hand_sides(library)
    yield from online_sgd.comparisons()


def trajectories() -> Table:
    """Whole trajectories, for every size."""
    headings = ("ms", "largest error", "times slower than here", "rtol here for this error", "times slower than that")
    result = table(f"One trajectory to t = {END}, {TIMES.size} outputs, rtol {RTOL}", ["K = M", ""], headings)
    for K in SIZES:
        for row in rows(K):
            result.add_row(*row)
        result.add_section()
    return result


def right_hand_sides(library: ctypes.CDLL) -> Table:
    """The rates alone, beside those in C."""
    title = "The right-hand side, beside C written by hand (-O3 -march=native)"
    result = table(title, ["K = M", ""], ["us", "largest difference", "times slower than here"])
    for K in SIZES:
        numba, c = right_sides(K, library)
        difference = float(np.abs(numba() - c()).max())
        times = seconds({OURS: numba, C: c}, ROUNDS)
        result.add_row(str(K), OURS, f"{times[OURS] * 1e6 / REPEATS:.3g}", "", "")
        ratio = times[C] / times[OURS]
        result.add_row("", C, f"{times[C] * 1e6 / REPEATS:.3g}", f"{difference:.1e}", f"{ratio:.2f}")
        result.add_section()
    return result


def rows(K: int) -> Iterator[list[str]]:
    """The rows of one size; runs here at a peer's error take turns with the others."""
    state, params = start(K)
    exact = run(state, params, 1e-13)
    ways = {name: make(K, state, params) for name, make in makers().items()}
    errors = {name: float(np.abs(solve() - exact).max()) for name, solve in ways.items()}
    looser = {name: tolerance_for(errors[name], state, params, exact) for name in ways if name != OURS}
    times = seconds({**ways, **{str(rtol): partial(run, state, params, rtol) for rtol in looser.values()}}, ROUNDS)
    for name in ways:
        row = [str(K) if name == OURS else "", name, f"{times[name] * 1e3:.3g}", f"{errors[name]:.1e}"]
        if name == OURS:
            yield [*row, "", "", ""]
        else:
            rtol = looser[name]
            yield [*row, f"{times[name] / times[OURS]:.1f}", f"{rtol:.1e}", f"{times[name] / times[str(rtol)]:.1f}"]


def tolerance_for(error: float, state: Floats, params: Floats, exact: Floats) -> float:
    """The loosest tolerance at which a run here has no larger error."""
    for rtol in LOOSER:
        if np.abs(run(state, params, rtol) - exact).max() <= error:
            return float(rtol)
    raise ValueError(f"no tolerance has an error of {error}")


def run(state: Floats, params: Floats, rtol: float) -> Floats:
    """The trajectory as computed here."""
    states: Floats = integrate(FLOWS["erf"], state, params, TIMES, rtol, rtol * ATOL / RTOL).states[0]
    return states


def makers() -> dict[str, Callable[[int, Floats, Floats], Callable[[], Floats]]]:
    """Return what prepares each contestant; diffrax takes part where it is installed."""
    found: dict[str, Callable[[int, Floats, Floats], Callable[[], Floats]]] = {
        OURS: _ours,
        "SciPy DOP853, Numba loops": _scipy_with_loops,
        "SciPy DOP853, our rates": _scipy_with_ours,
    }
    if find_spec("diffrax") is not None:
        found["diffrax Dopri8"] = _diffrax
    return found


def start(K: int) -> tuple[Floats, Floats]:
    """The state (Q by rows of the lower triangle, R by rows) and the parameters of the kernel."""
    W = np.random.default_rng(K).normal(size=(K, 400)) * 0.3 / sqrt(400)
    Q, R = W @ W.T, W[:, :K]
    low = np.tril_indices(K)
    state = np.concatenate([Q[low], R.ravel()])
    return state, np.concatenate([[K, K, 0, ETA, 0, 0, 1], np.eye(K)[low], np.ones(2 * K)])


def _ours(K: int, state: Floats, params: Floats) -> Callable[[], Floats]:
    return partial(run, state, params, RTOL)


def _scipy_with_loops(K: int, state: Floats, params: Floats) -> Callable[[], Floats]:
    return _scipy(lambda t, y: plain_rates(y, K, ETA), state)


def _scipy_with_ours(K: int, state: Floats, params: Floats) -> Callable[[], Floats]:
    rates, prepare, size = (compiled(FLOWS["erf"], name=name) for name in ("rates", "prepare", "scratch_size"))
    scratch, out = np.empty(size(params)), np.empty(state.size)
    prepare(params, scratch)

    def right(t: float, y: Floats) -> Floats:
        rates(t, y, params, out, scratch)
        return out.copy()

    return _scipy(right, state)


def _scipy(right: Callable[[float, Floats], Floats], state: Floats) -> Callable[[], Floats]:
    from scipy.integrate import solve_ivp

    def solve() -> Floats:
        found: Floats = solve_ivp(right, (0, END), state, method="DOP853", t_eval=TIMES, rtol=RTOL, atol=ATOL).y.T
        return found

    return solve


@njit(cache=True)
def plain_rates(state, K, eta):
    """The flow in loops over C and the arcsine of the library, every distinct average once, for T = 1."""
    n, first_R = 2 * K, K * (K + 1) // 2
    out, C, A, S = np.zeros(state.size), np.eye(n), np.empty((n, n)), np.empty((n, n))
    at = 0
    for i in range(K):
        for k in range(i + 1):
            C[i, k] = C[k, i] = state[at]
            at += 1
    for i in range(K):
        for m in range(K):
            C[i, K + m] = C[K + m, i] = state[at]
            at += 1
    for i in range(K):
        for c in range(n):
            for d in range(c + 1):
                A[c, d] = A[d, c] = C[c, d] - C[c, i] * C[d, i] / (1 + C[i, i])
        for f in range(n):
            total = 0.0
            for c in range(n):
                total += (-1.0 if c < K else 1.0) * A[f, c] / sqrt(1 + A[c, c])
            total *= eta * 2 / pi / sqrt(1 + C[i, i])
            if f >= K:
                out[first_R + i * K + f - K] += total
            else:
                high, low = max(f, i), min(f, i)
                out[high * (high + 1) // 2 + low] += 2 * total if f == i else total
        for k in range(i + 1):
            for c in range(n):
                for d in range(c + 1):
                    S[c, d] = A[c, d] - A[c, k] * A[d, k] / (1 + A[k, k])
            total = 0.0
            for c in range(n):
                for d in range(c + 1):
                    weight = (1.0 if c == d else 2.0) * (1.0 if (c < K) == (d < K) else -1.0)
                    total += weight * asin(S[c, d] / sqrt((1 + S[c, c]) * (1 + S[d, d])))
            out[i * (i + 1) // 2 + k] += eta**2 * 4 / pi**2 * total / sqrt((1 + C[i, i]) * (1 + A[k, k]))
    return out


def _diffrax(K: int, state: Floats, params: Floats) -> Callable[[], Floats]:
    diffrax, jax, jnp = (import_module(name) for name in ("diffrax", "jax", "jax.numpy"))  # neither is required

    jax.config.update("jax_enable_x64", True)
    s = jnp.concatenate([-jnp.ones(K), jnp.ones(K)])
    rows, columns = np.tril_indices(K)

    def right(t: Any, y: Any, _: Any) -> Any:
        Q = jnp.zeros((K, K)).at[rows, columns].set(y[: rows.size]).at[columns, rows].set(y[: rows.size])
        R = y[rows.size :].reshape(K, K)
        C = jnp.block([[Q, R], [R.T, jnp.eye(K)]])
        own = 1 + jnp.diagonal(Q)
        A = C[None] - C[:K, :, None] * C[:K, None, :] / own[:, None, None]
        spread = jnp.sqrt(1 + jnp.diagonal(A, axis1=1, axis2=2))
        linear = ETA * 2 / jnp.pi / jnp.sqrt(own)[:, None] * (A @ (s / spread)[:, :, None])[:, :, 0]
        Ai, Ak = A[rows], A[rows, columns]
        inner = 1 + Ak[jnp.arange(rows.size), columns]
        S = Ai - Ak[:, :, None] * Ak[:, None, :] / inner[:, None, None]
        r = 1 / jnp.sqrt(1 + jnp.diagonal(S, axis1=1, axis2=2))
        four = jnp.einsum("c,pcd,d->p", s, jnp.arcsin(S * r[:, :, None] * r[:, None, :]), s)
        square = ETA**2 * 4 / jnp.pi**2 * four / jnp.sqrt(own[rows] * inner)
        both = linear[:, :K] + linear[:, :K].T
        return jnp.concatenate([both[rows, columns] + square, linear[:, K:].ravel()])

    @jax.jit
    def solve(y: Any) -> Any:
        return diffrax.diffeqsolve(
            diffrax.ODETerm(right),
            diffrax.Dopri8(),
            0.0,
            float(END),
            None,
            y,
            saveat=diffrax.SaveAt(ts=jnp.asarray(TIMES)),
            stepsize_controller=diffrax.PIDController(rtol=RTOL, atol=ATOL),
            max_steps=100_000,
        ).ys

    return lambda: np.asarray(solve(jnp.asarray(state)))


def right_sides(K: int, library: ctypes.CDLL) -> tuple[Callable[[], Floats], Callable[[], Floats]]:
    """The rates REPEATS times, in the middle of a trajectory: the kernel's, and those in C."""
    first, params = start(K)
    state = integrate(FLOWS["erf"], first, params, [0, END / 3], RTOL, ATOL).states[0, -1].copy()
    rates, prepare, size = (compiled(FLOWS["erf"], name=name) for name in ("rates", "prepare", "scratch_size"))
    room, out, out_c = np.empty(size(params) + LANES), np.empty(state.size), np.empty(state.size)
    scratch = room[-room.ctypes.data // 8 % LANES :]  # from the beginning of a cache line, as in a trajectory
    prepare(params, scratch)
    s = np.concatenate([-np.ones(K), np.ones(K)])
    weights = np.concatenate([np.append(2 * s[c] * s[:c], 1.0) for c in range(2 * K)])

    pointers = [ctypes.c_void_p(array.ctypes.data) for array in (s, weights, state, out_c)]
    kept = (s, weights)  # as long as the pointers

    @njit
    def loop(state, params, out, scratch):
        for _ in range(REPEATS):
            rates(0.0, state, params, out, scratch)

    def in_numba() -> Floats:
        loop(state, params, out, scratch)
        return out

    def in_c() -> Floats:
        assert kept
        library.repeat(REPEATS, K, ctypes.c_double(ETA), *pointers)
        return out_c

    return in_numba, in_c


def compiled_c() -> ctypes.CDLL | None:
    """The C version, where there is a compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return None
    series = str(compiled(FLOWS["erf"], name="ARCSINE"))[1:-1]
    with TemporaryDirectory() as folder:
        source, library = Path(__file__).with_suffix(".c"), Path(folder) / "rates.so"
        options = ["-O3", "-march=native", "-shared", "-fPIC", f"-DSERIES={series}"]
        subprocess.run([compiler, *options, str(source), "-o", str(library), "-lm"], check=True)
        return ctypes.CDLL(str(library))
