"""Online gradient descent of soft committee machines, beside NumPy, PyTorch and JAX, and the chain of its overlaps.

N = 1000 inputs, K = M = 4, erf, batches of one, in doubles. On one core, to which the process is bound meanwhile,
everybody writes into buffers made before where that is possible, and takes the faster of two forms: one network after
the other, or 32 at once. NumPy draws with SFC64, its fastest generator, and JAX with `rbg`, faster than its default.
Drawing inputs is included, because it is most of the work. On all cores replicas run side by side.

The chain has the law of gradient descent, but draws a few numbers for each update, whatever N is.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from math import pi, sqrt
from typing import NamedTuple

import numpy as np
from numba import get_num_threads
from numpy.typing import NDArray
from rich.table import Table

from benchmarks import machine, seconds
from numerics.machine.progress import table
from numerics.simulate.teacher_student import learn
from numerics.theory.teacher_student.chain import chain

Floats = NDArray[np.float64]
N, K, ETA = 1000, 4, 0.5
MANY, CHUNK = 32, 128  # networks at once, and inputs drawn at once for a single one
ROUNDS = 9
OURS, CHAIN = "here", "the chain of overlaps"
SLOPE = sqrt(2 / pi)


class Way(NamedTuple):
    """A candidate, and the updates of one call, of all its networks together."""

    run: Callable[[], object]
    updates: int


def tables(say: Callable[[str], None]) -> Iterator[Table]:
    """The comparisons, after a line about the machine."""
    say(machine("numpy", "numba", "scipy", "torch", "jax"))
    for package in ("torch", "jax"):
        if find_spec(package) is None:
            say(f"{package} is not installed, so it is left out: pip install '.[bench]'")
    yield from comparisons()


def comparisons() -> Iterator[Table]:
    """One table of a single core, and one of all of them."""
    with one_core():
        yield _table(f"Online gradient descent, N = {N}, K = M = {K}, one core", ways())
    yield _table("Replicas side by side", side_by_side(), ratio="times faster than one core")


@contextmanager
def one_core() -> Iterator[None]:
    """Bind this process to one core where the system can, so that no library uses another one."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def _table(title: str, found: dict[str, Way], ratio: str = "times slower than here") -> Table:
    result = table(title, [""], ["updates/s", ratio])
    times = seconds({name: way.run for name, way in found.items()}, ROUNDS)
    speeds = {name: way.updates / times[name] for name, way in found.items()}
    for name, speed in speeds.items():
        compared = speeds[name.partition(",")[0]] if "faster" in ratio else speeds[OURS]
        quotient = speed / compared if "faster" in ratio else compared / speed
        result.add_row(name, f"{speed:,.0f}", "" if speed == compared else f"{quotient:.2g}")
    return result


def weights() -> tuple[Floats, Floats]:
    """Small random students, and teachers."""
    rng = np.random.default_rng(0)
    return 0.3 * rng.standard_normal((K, N)), rng.standard_normal((K, N))


def ways() -> dict[str, Way]:
    """Return what is compared on one core; PyTorch and JAX take part where they are installed."""
    found = {OURS: ours(1, 1), CHAIN: ours_by_chain(1, 1), "NumPy": numpy_one(), f"NumPy, {MANY} at once": numpy_many()}
    if find_spec("torch") is not None:
        found |= {"PyTorch": torch_one(), f"PyTorch, {MANY} at once": torch_many()}
    if find_spec("jax") is not None:
        found |= {"JAX": jax_loop(1), f"JAX, {MANY} at once": jax_loop(MANY)}
    return found


def side_by_side() -> dict[str, Way]:
    """Return what runs here, on one thread and on all."""
    threads = get_num_threads()
    replicas = 2 * threads
    return {
        OURS: ours(replicas, 1),
        f"{OURS}, {threads} threads": ours(replicas, threads),
        CHAIN: ours_by_chain(replicas, 1),
        f"{CHAIN}, {threads} threads": ours_by_chain(replicas, threads),
    }


def ours(replicas: int, threads: int) -> Way:
    """Gradient descent as computed here."""
    updates = 100_000
    run = partial(learn, *weights(), updates=[updates], eta=ETA, tests=0, replicas=replicas, seed=1, threads=threads)
    return Way(run, updates * replicas)


def ours_by_chain(groups: int, threads: int) -> Way:
    """The overlaps alone, of groups of eight replicas."""
    W, goal = weights()
    updates = 100_000
    overlaps = [A @ B.T / N for A, B in ((W, W), (W, goal), (goal, goal))]
    run = partial(chain, *overlaps, inputs=N, updates=[updates], eta=ETA, replicas=8 * groups, seed=1, threads=threads)
    return Way(run, updates * 8 * groups)


# --- the others -------------------------------------------------------------------------------------------------------


def numpy_one() -> Way:
    """One network in NumPy: products and steps into buffers."""
    from scipy.special import erf

    W, goal = weights()
    both = np.concatenate([W, goal])
    signs = np.repeat([-1.0, 1.0], K)
    rng = np.random.Generator(np.random.SFC64(0))
    inputs, fields, step, scale = np.empty((CHUNK, N)), np.empty(2 * K), np.empty((K, N)), 1 / sqrt(N)

    def run() -> Floats:
        rng.standard_normal(out=inputs)
        for x in inputs:
            np.dot(both, x, out=fields)
            np.multiply(fields, scale, out=fields)
            rate = ETA * scale * SLOPE * (signs @ erf(fields * sqrt(0.5)))
            np.multiply.outer(rate * np.exp(-0.5 * fields[:K] ** 2), x, out=step)
            both[:K] += step
        return both

    return Way(run, CHUNK)


def numpy_many() -> Way:
    """Many networks in NumPy, an update of all of them at a time."""
    from scipy.special import erf

    both = np.repeat(np.concatenate(weights())[None], MANY, axis=0)
    signs = np.repeat([-1.0, 1.0], K)
    rng = np.random.Generator(np.random.SFC64(0))
    x, step, scale = np.empty((MANY, N, 1)), np.empty((MANY, K, N)), 1 / sqrt(N)
    updates = 16

    def run() -> Floats:
        for _ in range(updates):
            rng.standard_normal(out=x)
            fields = (both @ x)[:, :, 0] * scale
            rate = ETA * scale * SLOPE * (erf(fields * sqrt(0.5)) @ signs)
            np.multiply((rate[:, None] * np.exp(-0.5 * fields[:, :K] ** 2))[:, :, None], x.swapaxes(1, 2), out=step)
            both[:, :K] += step
        return both

    return Way(run, updates * MANY)


def torch_one() -> Way:
    """One network in PyTorch."""
    torch = import_module("torch")
    torch.set_num_threads(1)
    both = torch.from_numpy(np.concatenate(weights()))
    signs = torch.tensor([-1.0] * K + [1.0] * K, dtype=torch.float64)
    inputs, scale = torch.empty((CHUNK, N), dtype=torch.float64), 1 / sqrt(N)
    students = both[:K]

    @torch.inference_mode()
    def run():
        inputs.normal_()
        for x in inputs.unbind():
            fields = torch.mv(both, x).mul_(scale)
            rate = torch.dot(signs, torch.erf(fields * sqrt(0.5))) * (ETA * scale * SLOPE)
            students.addr_(torch.exp(-0.5 * fields[:K] ** 2).mul_(rate), x)
        return both

    return Way(run, CHUNK)


def torch_many() -> Way:
    """Many networks in PyTorch, an update of all of them at a time."""
    torch = import_module("torch")
    both = torch.from_numpy(np.repeat(np.concatenate(weights())[None], MANY, axis=0))
    signs = torch.tensor([-1.0] * K + [1.0] * K, dtype=torch.float64)
    x, scale = torch.empty((MANY, N, 1), dtype=torch.float64), 1 / sqrt(N)
    students = both[:, :K]
    updates = 16

    @torch.inference_mode()
    def run():
        for _ in range(updates):
            x.normal_()
            fields = torch.bmm(both, x)[:, :, 0].mul_(scale)
            rate = torch.mv(torch.erf(fields * sqrt(0.5)), signs) * (ETA * scale * SLOPE)
            students.baddbmm_((torch.exp(-0.5 * fields[:, :K] ** 2) * rate[:, None])[:, :, None], x.transpose(1, 2))
        return both

    return Way(run, updates * MANY)


def jax_loop(networks: int) -> Way:
    """One or many networks in JAX, in one compiled loop."""
    jax, jnp = import_module("jax"), import_module("jax.numpy")
    jax.config.update("jax_enable_x64", True)
    W, goal = (jnp.repeat(jnp.asarray(part)[None], networks, axis=0) for part in weights())
    scale, updates = 1 / sqrt(N), 2048 // networks
    key = jax.random.key(0, impl="rbg")

    @partial(jax.jit, donate_argnums=0)
    def run(students, key):
        def update(step, students):
            x = jax.random.normal(jax.random.fold_in(key, step), (networks, N))
            fields = jnp.einsum("rkn,rn->rk", students, x) * scale
            goals = jnp.einsum("rkn,rn->rk", goal, x) * scale
            lacking = jax.lax.erf(goals * sqrt(0.5)).sum(1) - jax.lax.erf(fields * sqrt(0.5)).sum(1)
            steps = ETA * scale * SLOPE * lacking[:, None] * jnp.exp(-0.5 * fields**2)
            return students + steps[:, :, None] * x[:, None, :]

        return jax.lax.fori_loop(0, updates, update, students)

    state = [W]

    def call() -> None:
        state[0] = run(state[0], key).block_until_ready()

    return Way(call, updates * networks)
