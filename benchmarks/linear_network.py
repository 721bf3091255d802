"""Gradient descent of 50 linear networks at once, beside NumPy, PyTorch, JAX, and the processor's multiply-add peak.

Two-layer networks learn white inputs, with 2 to 50 inputs, hidden units and outputs at random, and with 100 of each.
NumPy writes into buffers made before, one network after the other, in processes of its own: with the kernels that its
BLAS picks and, where the processor has their instructions, with those for SkylakeX, which must be chosen before NumPy
is imported, and once with networks side by side and one thread of BLAS for each. A process that dies is a line in the
table. PyTorch and JAX get one batch, padded with zeros. All that a call does is timed.
Operations are those of the unpadded products; the peak is that of fused multiply-adds in registers of the width that
compiled code uses here, measured before and after.

Numbers of 32 digits are compared with doubles in the same tiles, and with doubles in plain compiled loops that add a
row times a number to a row.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, no-check-untyped-defs

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from signal import Signals
from typing import Any, NamedTuple

import numpy as np
from llvmlite.binding import get_host_cpu_features  # type: ignore[import-untyped]
from numba import get_num_threads, njit
from numpy.typing import NDArray
from rich.table import Table

from benchmarks import machine, seconds, time_of
from numerics import NumericsError
from numerics.machine.lanes import LANES, folded, spread
from numerics.machine.lanes.registers import WIDE as WIDE_REGISTERS
from numerics.machine.lanes.registers import registers
from numerics.machine.progress import table
from numerics.simulate.linear_network import learn

Floats = NDArray[np.float64]
Network = tuple[Floats, Floats, Floats]  # W1, W2, Sigma_yx

NETWORKS, ROUNDS, RATE = 50, 5, 0.01
STEPS = {"2 to 50": 2000, "100": 100}  # of networks with these sizes
OURS, WIDE, LOOPS, PEAK = "here", "here, 32 digits", "plain loops", "peak"
TURNS, PIECES = 2_000_000, 40  # of the loop that measures the peak


class Setting(NamedTuple):
    """How NumPy runs: what its BLAS is told, and how many networks are side by side."""

    environment: dict[str, str]
    side_by_side: int


class Died(NumericsError):
    """A process of a peer that ended before it answered; the message says how."""


ONE_EACH = {"OPENBLAS_NUM_THREADS": "1"}
SKYLAKE = {"OPENBLAS_CORETYPE": "SkylakeX"}
NEEDS = ("avx512f", "avx512dq", "avx512cd", "avx512bw", "avx512vl")  # what those kernels are made of


@cache
def numpys() -> dict[str, Setting]:
    """The ways in which NumPy can run on this processor, with no wider registers than compiled code has here."""
    cores, there = os.cpu_count() or 1, get_host_cpu_features()
    ways = {"NumPy": Setting({}, 1)}
    if registers() == WIDE_REGISTERS and all(there.get(name, False) for name in NEEDS):
        ways["NumPy, SkylakeX"] = Setting(SKYLAKE, 1)
        ways["NumPy, SkylakeX, networks in parallel"] = Setting({**SKYLAKE, **ONE_EACH}, cores)
    else:
        ways["NumPy, networks in parallel"] = Setting(ONE_EACH, cores)
    return ways


def tables(say: Callable[[str], None]) -> Iterator[Table]:
    """One table for each kind of sizes, and one of numbers with 32 digits."""
    say(machine("numpy", "numba", "torch", "jax"))
    for package in ("torch", "jax"):
        if find_spec(package) is None:
            say(f"{package} is not installed, so it is left out: pip install '.[bench]'")
    for sizes in STEPS:
        yield _compared(sizes)
    yield _digits()


def networks(sizes: str) -> list[Network]:
    """Small random weights and random tasks, the same ones for everybody."""
    rng, nets = np.random.default_rng(0), []
    for _ in range(NETWORKS):
        inputs, hidden, outputs = rng.integers(2, 51, 3) if sizes == "2 to 50" else [int(sizes)] * 3
        shapes = ((hidden, inputs), (outputs, hidden), (outputs, inputs))
        W1, W2, sigma = (rng.standard_normal(shape) / (3.0 * np.sqrt(shape[1])) for shape in shapes)
        nets.append((W1, W2, sigma))
    return nets


def operations(nets: list[Network]) -> int:
    """Multiplications and additions of the three products of a step, of all networks."""
    return sum(6 * W1.size * W2.shape[0] for W1, W2, _ in nets)


def _compared(sizes: str) -> Table:
    nets, steps = networks(sizes), STEPS[sizes]
    numbers = ("us per network and step", "times slower than here", "GFlop/s", "of the peak")
    result = table(f"{NETWORKS} networks, sizes {sizes}, {steps} steps", [""], numbers)
    with ExitStack() as stack:
        ways, dead = living(candidates(sizes, nets, steps, stack))
        before, found, after = peak(), seconds(ways, ROUNDS), peak()
    top = max(before, after)
    for name, time in found.items():
        speed = operations(nets) * steps / time
        ratio = "" if name == OURS else f"{time / found[OURS]:.1f}"
        cells = (f"{time / NETWORKS / steps * 1e6:.3g}", ratio, f"{speed / 1e9:.0f}", f"{speed / top:.0%}")
        result.add_row(name, *cells)
    for name, how in dead.items():
        result.add_row(name, how, "", "", "")
    result.add_row(PEAK, "", "", f"{top / 1e9:.0f}", "")
    return result


def living(ways: dict[str, Callable[[], Any]]) -> tuple[dict[str, Callable[[], Any]], dict[str, str]]:
    """Those that can be run, and how the others ended."""
    dead: dict[str, str] = {}
    for name, run in ways.items():
        try:
            run()
        except Died as end:
            dead[name] = str(end)
    return {name: run for name, run in ways.items() if name not in dead}, dead


def candidates(sizes: str, nets: list[Network], steps: int, stack: ExitStack) -> dict[str, Callable[[], Any]]:
    """Return the functions to compare: each returns the second layers that its process has after the last step.

    NumPy's processes end with the stack.
    """
    ways: dict[str, Callable[[], Any]] = {OURS: partial(here, nets, steps)}
    for name, setting in numpys().items():
        ways[name] = stack.enter_context(Elsewhere(sizes, steps, setting))
    for package, make in (("torch", with_torch), ("jax", with_jax)):
        if find_spec(package) is not None:
            ways[package] = make(nets, steps)
    return ways


def _digits() -> Table:
    numbers = ("us per network and step", "times doubles in tiles", "times doubles in plain loops")
    result = table("32 digits", ["sizes"], numbers)
    for sizes, steps in STEPS.items():
        nets, some = networks(sizes), max(1, steps // 4)
        ways = {
            WIDE: partial(here, nets, some, double_double=True),
            OURS: partial(here, nets, some),
            LOOPS: partial(in_plain_loops, nets, some),
        }
        found = seconds(ways, ROUNDS)
        ratios = (f"{found[WIDE] / found[name]:.1f}" for name in (OURS, LOOPS))
        result.add_row(sizes, f"{found[WIDE] / NETWORKS / some * 1e6:.3g}", *ratios)
    return result


# --- ways to do it ----------------------------------------------------------------------------------------------------


def here(nets: list[Network], steps: int, *, double_double: bool = False) -> list[Floats]:
    """Return what this package computes."""
    given = [net[:2] for net in nets], [net[2] for net in nets]
    runs = learn(*given, rates=RATE, weights_at=[steps], double_double=double_double)
    return [run.weights[1][..., 0, :, :] for run in runs]


def in_numpy(nets: list[Network], steps: int, side_by_side: int = 1) -> list[Floats]:
    """Products into buffers made before, one network after the other, or some side by side."""
    if side_by_side == 1:
        return [_in_numpy(net, steps) for net in nets]
    with ThreadPoolExecutor(side_by_side) as pool:
        return list(pool.map(lambda net: _in_numpy(net, steps), nets))


def _in_numpy(net: Network, steps: int) -> Floats:
    W1, W2, sigma = net[0].copy(), net[1].copy(), net[2]
    E, first, second = np.empty_like(sigma), np.empty_like(W1), np.empty_like(W2)
    for _ in range(steps):
        np.matmul(W2, W1, out=E)
        np.subtract(sigma, E, out=E)
        np.matmul(W2.T, E, out=first)
        np.matmul(E, W1.T, out=second)
        np.multiply(first, RATE, out=first)
        np.multiply(second, RATE, out=second)
        np.add(W1, first, out=W1)
        np.add(W2, second, out=W2)
    return W2


class Elsewhere:
    """The NumPy way in a process of its own: each call makes it run once."""

    def __init__(self, sizes: str, steps: int, setting: Setting) -> None:
        command = [sys.executable, "-m", __name__, sizes, str(NETWORKS), str(steps), str(setting.side_by_side)]
        environment = {**os.environ, **setting.environment}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self.process: subprocess.Popen[str] = subprocess.Popen(command, env=environment, **pipes)  # type: ignore[call-overload]

    def __enter__(self) -> Elsewhere:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(BrokenPipeError):
            self.process.communicate()

    def __call__(self) -> float:
        """The sum of all second layers, exactly rounded in the end."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with suppress(BrokenPipeError):
            self.process.stdin.write("\n")
            self.process.stdin.flush()
        if answer := self.process.stdout.readline():
            return float.fromhex(answer)
        status = self.process.wait()
        raise Died(f"died by {Signals(-status).name}" if status < 0 else f"ended with status {status}")


def _serve(sizes: str, count: str, steps: str, side_by_side: str) -> None:
    """Run once for every line that comes in."""
    global NETWORKS  # noqa: PLW0603
    NETWORKS = int(count)
    nets = networks(sizes)
    for _ in sys.stdin:
        print(float(sum(W2.sum() for W2 in in_numpy(nets, int(steps), int(side_by_side)))).hex(), flush=True)


def _padded(nets: list[Network]) -> list[Floats]:
    """First layers, second layers and tasks of all networks, padded with zeros, which stay zeros."""
    stacks = []
    for matrices in zip(*nets, strict=True):
        rows, columns = (max(matrix.shape[axis] for matrix in matrices) for axis in range(2))
        stack = np.zeros((len(nets), rows, columns))
        for padded, matrix in zip(stack, matrices, strict=True):
            padded[: matrix.shape[0], : matrix.shape[1]] = matrix
        stacks.append(stack)
    return stacks


def with_torch(nets: list[Network], steps: int) -> Callable[[], Floats]:
    """Three batched products a step, into tensors made before; the updates are part of the products."""
    torch: Any = import_module("torch")
    first, second, sigma = (torch.from_numpy(stack) for stack in _padded(nets))
    rest, ahead = torch.empty_like(sigma), torch.empty_like(first)

    def run() -> Floats:
        W1, W2, new = first.clone(), second.clone(), ahead
        for _ in range(steps):
            torch.baddbmm(sigma, W2, W1, alpha=-1.0, out=rest)
            torch.baddbmm(W1, W2.mT, rest, alpha=RATE, out=new)
            W2.baddbmm_(rest, W1.mT, alpha=RATE)
            W1, new = new, W1
        result: Floats = W2.numpy()
        return result

    return run


def with_jax(nets: list[Network], steps: int) -> Callable[[], Any]:
    """All steps of all networks in one compiled loop."""
    jax: Any = import_module("jax")
    jax.config.update("jax_enable_x64", True)
    first, second, sigma = (jax.numpy.asarray(stack) for stack in _padded(nets))

    def step(_: Any, weights: Any) -> Any:
        W1, W2 = weights
        rest = sigma - W2 @ W1
        return W1 + RATE * (W2.mT @ rest), W2 + RATE * (rest @ W1.mT)

    compiled = jax.jit(lambda W1, W2: jax.lax.fori_loop(0, steps, step, (W1, W2))[1])
    return lambda: compiled(first, second).block_until_ready()


def in_plain_loops(nets: list[Network], steps: int) -> list[Floats]:
    """Return the same step in double precision and compiled loops, networks side by side."""
    learned: Callable[..., Floats] = _in_loops
    with ThreadPoolExecutor(get_num_threads()) as pool:
        return list(pool.map(lambda net: learned(*net, steps), nets))


@njit(cache=True, nogil=True)
def _in_loops(W1, W2, sigma, steps):
    first, second, ahead = W1.copy(), np.ascontiguousarray(W2.T), np.empty_like(W1)
    turned, back = W2.copy(), np.empty((sigma.shape[1], sigma.shape[0]))
    rest = np.empty_like(sigma)
    for _ in range(steps):
        rest[:] = sigma
        _add_product(rest, -1.0, turned, first)
        ahead[:] = first
        _add_product(ahead, RATE, second, rest)
        back[:] = rest.T
        _add_product(second, RATE, first, back)
        turned[:] = second.T
        first, ahead = ahead, first
    return turned


@njit(cache=True)
def _add_product(out, scale, left, right):
    for i in range(left.shape[0]):
        row = out[i]
        for k in range(left.shape[1]):
            number, other = scale * left[i, k], right[k]
            for j in range(row.size):
                row[j] += number * other[j]


# --- the limit --------------------------------------------------------------------------------------------------------


def peak(threads: int | None = None) -> float:
    """Operations per second of multiply-adds in registers, on so many threads at once or on all.

    Of each thread its shortest piece counts: a short one is hardly ever disturbed, even where cores are few.
    """
    count, loop = chains()
    turns, threads = max(1, TURNS // PIECES), threads or get_num_threads()
    loop(1)
    with ThreadPoolExecutor(threads) as pool:
        shortest = pool.map(lambda _: min(time_of(partial(loop, turns)) for _ in range(PIECES)), range(threads))
        return sum(2 * count * LANES * turns / time for time in shortest)


def chains() -> tuple[int, Callable[[int], float]]:
    """How many chains of eight multiply-adds fit into the registers, more than latency needs, and the loop of them."""
    count, loop = (12, _twelve_chains) if registers() == WIDE_REGISTERS else (5, _five_chains)
    return count, lambda turns: loop(turns, 0.999999, 1e-6)


# The numbers are arguments, because a compiler that knows them leaves out a chain that begins where it would end.


@njit(cache=True, nogil=True)
def _five_chains(turns, factor, added):
    x, y = spread(factor), spread(added)
    a, b, c, d, e = spread(1.0), spread(2.0), spread(3.0), spread(4.0), spread(5.0)
    for _ in range(turns):
        a, b, c, d, e = a * x + y, b * x + y, c * x + y, d * x + y, e * x + y
    return folded(a + b + c + d + e)


@njit(cache=True, nogil=True)
def _twelve_chains(turns, factor, added):
    x, y = spread(factor), spread(added)
    a, b, c, d, e, f = spread(1.0), spread(2.0), spread(3.0), spread(4.0), spread(5.0), spread(6.0)
    g, h, i, j, k, l = spread(7.0), spread(8.0), spread(9.0), spread(10.0), spread(11.0), spread(12.0)
    for _ in range(turns):
        a, b, c, d, e, f = a * x + y, b * x + y, c * x + y, d * x + y, e * x + y, f * x + y
        g, h, i, j, k, l = g * x + y, h * x + y, i * x + y, j * x + y, k * x + y, l * x + y
    return folded(a + b + c + d + e + f + g + h + i + j + k + l)


if __name__ == "__main__":
    _serve(*sys.argv[1:])
