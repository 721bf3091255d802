"""Full-batch gradient descent of linear networks of any depth, many networks in parallel.

    runs = learn([(W1, W2), ...], [sigma_yx, ...], rates=0.01, losses_at=range(1001), weights_at=[1000])
    runs[0].losses[step], runs[0].weights[layer][which, row, column], runs[0].message

A network is its weights, first layer first; one layer makes a shallow network. It learns the loss
<|y* - W_L ... W_1 x|^2>/2 of white inputs, from Sigma_yx, or of examples, from `Data(X, Y)`, and every step subtracts
the rate times the gradient from the weights. Step 0 is the start. Going on from the weights of a step gives the same
bits as never having stopped.

With `double_double` everything is computed to about 32 digits. Then weights and tasks may be split arrays, with a
leading axis of two for high and low parts (`double_double.pairs` makes them from fractions), a rate may be a fraction,
and all that is returned is split.

Each network is learned by one thread from beginning to end, the largest ones first. An interruption is noticed
within about a second; what had ended by then was told to `finished`. With a folder, long runs are kept as
`numerics.machine.checkpoints` says.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from hashlib import sha256
from itertools import accumulate

import numpy as np
from numba import get_num_threads
from numpy.typing import ArrayLike, NDArray

from numerics.labelled import Labelled
from numerics.machine.blas import one_thread
from numerics.machine.checkpoints import Description, State, run
from numerics.machine.checks import callable_one, is_whole, shown
from numerics.machine.crew import together
from numerics.machine.lanes.registers import Registers, lanes_for, registers
from numerics.machine.lanes.rooms import aligned
from numerics.machine.specialise import source, specialise
from numerics.simulate.linear_network.arguments import (
    Data,
    Job,
    LinearNetworkError,
    Number,
    Task,
    jobs_of,
    number_of,
    steps_of,
)
from numerics.simulate.linear_network.program import Matrix, Program, program

__all__ = ["Data", "LinearNetworkError", "Number", "Run", "Task", "learn", "stable_rate"]

Floats = NDArray[np.float64]
PARTS = (
    "numerics.machine.lanes",
    "numerics.simulate.linear_network.double_double",
    "numerics.simulate.linear_network.tiles",
    "numerics.simulate.linear_network.kernel",
)
SLICE = 1_000_000_000, 500_000  # multiply-adds and steps, roughly, that are done without looking up
SHORT = 3.0  # slices of all networks together that nobody has to interrupt
DEARER = 10  # times slower, roughly, are numbers of two parts


@dataclass(frozen=True)
class Run(
    Labelled,
    axes={"losses": ("part", "step"), "weights": ("part", "weights_step", "row*", "column*")},
    clock={"steps": "step", "weights_steps": "weights_step"},
):
    """The result of one network; from the step at which it diverged all values are nan, as `message` says."""

    losses: Floats  # step; of split numbers: part, step
    weights: tuple[Floats, ...]  # layer by layer (step, row, column); of split numbers (part, step, row, column)
    message: str  # "" is success
    steps: NDArray[np.int64]  # at which the losses were recorded
    weights_steps: NDArray[np.int64]  # and the weights


def _nothing(_number: int, _run: Run) -> None:
    """Nobody wants to know what has ended."""


def learn(
    networks: Sequence[Sequence[ArrayLike]],
    tasks: Sequence[Task],
    *,
    rates: Number | Sequence[Number],
    losses_at: Iterable[int] = (),
    weights_at: Iterable[int] = (),
    double_double: bool = False,
    threads: int | None = None,
    folder: str | os.PathLike[str] | None = None,
    show: bool = False,
    finished: Callable[[int, Run], object] = _nothing,
) -> list[Run]:
    """Take gradient descent steps with many linear networks, side by side, and record losses and weights.

    `networks` has for each network its weights, first layer first, each (outputs, inputs) of its layer. `tasks` has for
    each network Sigma_yx (outputs, inputs) of white inputs, or `Data`. `rates` is one rate for all, or one for each.
    `losses_at` and `weights_at` are the steps at which losses and weights are recorded; step 0 is the start, and the
    last step asked for ends the run. With `double_double` everything has about 32 digits. `threads` networks learn at
    once. With `folder` long runs are kept and go on; `show` draws a bar. Each run that ends is told to `finished` at
    once, with its number, in no fixed order and from any thread; those that a folder has from an earlier call are not.

    Returns one `Run` for each network. One that diverges says in its `message` at which step, and which rates are
    stable; the others go on. Refused with `LinearNetworkError`: weights, tasks, rates and steps that do not fit
    together.

    >>> (run,) = learn([[[[0.1]], [[0.1]]]], [[[1.0]]], rates=0.1, losses_at=[0, 20, 100], weights_at=[100])
    >>> run.losses.round(4).tolist()
    [0.49, 0.2278, 0.0]
    >>> [W[0].round(3).tolist() for W in run.weights]
    [[[1.0]], [[1.0]]]
    """
    parts = 2 if double_double else 1
    jobs = jobs_of(networks, tasks, rates, parts)
    asked = steps_of("losses_at", losses_at), steps_of("weights_at", weights_at)
    count = get_num_threads() if threads is None else threads
    if not is_whole(count, 1):
        raise LinearNetworkError(f"threads must be at least 1, got {shown(threads)}.")
    callable_one("finished", finished, LinearNetworkError)
    task = _Networks(jobs, *asked, parts, finished)
    order = sorted(range(len(jobs)), key=lambda k: -jobs[k].effort)
    if folder is None and not show and sum(task.steps / task.slice(job) for job in jobs) <= SHORT:
        results = _at_once(task, order, count)
    else:
        results = dict(zip(order, run(task, order, folder=folder, threads=count, show=show), strict=True))
    return [task.runs[k] if k in task.runs else task.run(k, results[k]) for k in range(len(jobs))]


def stable_rate(network: Sequence[ArrayLike], task: Task) -> float:
    """A guide to the rate below which gradient descent of this network is stable: 2/h.

    h bounds the second derivatives of the loss at the start and at balanced weights that solve the task; between the
    two they may be larger, so that the guide is exact only for a shallow network. `network` has its weights, each
    (outputs, inputs) of its layer, first layer first, and `task` is Sigma_yx or `Data`, as in `learn`. Zero means that
    the curvature is too large to be a number.

    >>> stable_rate([[[0.0]]], [[1.0]])
    2.0
    """
    return _stable(jobs_of([network], [task], 1.0, 1)[0])


def _at_once(task: _Networks, order: Sequence[int], threads: int) -> dict[int, State]:
    """Whoever is idle takes the next network, this thread among others."""
    waiting, results = iter(order), dict[int, State]()

    def work() -> None:
        for k in waiting:
            state = task.begin(k)
            while task.advance(k, state) < 1.0:
                pass
            results[k] = task.result(state)

    together(work, min(threads, len(order)))
    return results


# --- one run ----------------------------------------------------------------------------------------------------------


class _Networks:
    """Gradient descent of networks, as work for `numerics.machine.checkpoints`."""

    def __init__(
        self,
        jobs: Sequence[Job],
        losses_at: NDArray[np.int64],
        weights_at: NDArray[np.int64],
        parts: int,
        finished: Callable[[int, Run], object],
    ) -> None:
        self.jobs, self.parts, self.finished = jobs, parts, finished
        self.runs: dict[int, Run] = {}  # those that `finished` was told
        self.losses_at, self.weights_at = losses_at, weights_at
        self.steps = max((int(steps[-1]) for steps in (losses_at, weights_at) if steps.size), default=-1) + 1
        self.descend = _descend()  # before there are threads

    @cached_property
    def description(self) -> Description:
        """Everything that the results of all networks depend on."""
        return {
            "task": "linear_network",
            "double_double": self.parts == 2,
            "losses_at": sha256(self.losses_at.tobytes()).hexdigest(),
            "weights_at": sha256(self.weights_at.tobytes()).hexdigest(),
            "program": sha256(source(PARTS, {}).encode()).hexdigest(),
        }

    def own(self, replica: int) -> bytes:
        """A digest of the start, the task and the rate of this network."""
        job = self.jobs[replica]
        numbers = np.array([*job.sizes, job.count, job.least, *job.rate])
        return sha256(b"".join(part.tobytes() for part in (numbers, *job.weights, *job.given))).digest()

    def begin(self, replica: int) -> State:
        """The state at step 0, with nothing recorded."""
        job = self.jobs[replica]
        plan = self._program(job)
        work = aligned(plan.size)
        turned = (W.swapaxes(1, 2) for W in job.weights[1:])
        values = (*job.given, job.weights[0], *turned)
        for matrix, value in zip((*plan.given, *plan.weights), values, strict=True):
            _fill(work, matrix, value)
        numbers = sum(W[0].size for W in job.weights)
        return {
            "work": work,
            "limit": np.zeros(1),
            "errors": np.full((self.losses_at.size, self.parts), np.nan),
            "weights": np.full((self.weights_at.size, self.parts, numbers), np.nan),
            "at": np.array([0, -1]),  # the next step, and the one at which it diverged
        }

    def slice(self, job: Job) -> int:
        """How many steps are taken at a time."""
        work, most = SLICE
        return min(most, max(1, work // (job.effort * (DEARER if self.parts == 2 else 1))))

    def advance(self, replica: int, state: State) -> float:
        """Take a slice of the steps; returns the share that is done."""
        job, parts, begin = self.jobs[replica], self.parts, int(state["at"][0])
        end = min(begin + self.slice(job), self.steps)
        diverged = -1
        if begin < end:
            plan = self._program(job)
            numbers = (
                number_of(1, parts),
                job.rate,
                number_of(Fraction(1, job.count), parts),
                number_of(job.least, parts),
            )
            asked = (self.losses_at, state["errors"], self.weights_at, state["weights"], state["limit"])
            tables = (plan.operations, plan.begins, plan.measured, plan.layers)
            diverged = self.descend(state["work"], *tables, *numbers, *asked, self.steps - 1, begin, end)
        state["at"][:] = end, diverged
        if diverged < 0 and end < self.steps:
            return end / self.steps
        if self.finished is not _nothing:
            self.runs[replica] = self.run(replica, state)
            self.finished(replica, self.runs[replica])
        return 1.0

    def result(self, state: State) -> State:
        """The part of a state that is kept at the end."""
        return {name: state[name] for name in ("errors", "weights", "at")}

    def run(self, replica: int, state: State) -> Run:
        """The result of a network, from what was kept of its state."""
        job, diverged = self.jobs[replica], int(state["at"][1])
        losses, weights = 0.5 * state["errors"].T, state["weights"].swapaxes(0, 1)
        if self.parts == 1:
            losses, weights = losses[0], weights[0]
        ends = accumulate(W[0].size for W in job.weights)
        layers = tuple(
            weights[..., end - W[0].size : end].reshape(*weights.shape[:-1], *W.shape[1:])
            for end, W in zip(ends, job.weights, strict=True)
        )
        message = "" if diverged < 0 else _sentence(job, diverged)
        return Run(losses, layers, message, self.losses_at, self.weights_at)

    def _program(self, job: Job) -> Program:
        return program(job.sizes, self.parts, job.given[0].shape[2] if len(job.given) == 2 else 0)


@cache
def _descend() -> Callable[..., int]:
    return specialise("descend", PARTS, _shape(registers()))


def _shape(found: Registers) -> dict[str, int]:
    """Return rows and vectors of a tile for these registers: three quarters of them hold sums."""
    doubles = lanes_for(found)
    return {"VECTOR": doubles, "SUMS": found.number * 3 // 4 * found.doubles // doubles}


def _sentence(job: Job, step: int) -> str:
    bound = _stable(job)
    if bound == 0.0:
        return f"the loss diverged at step {step}: weights or examples are so large that no rate is stable"
    return (
        f"the loss diverged at step {step}: the rate {job.rate[0]:g} is too large, and {bound:.3g} is the bound for "
        "stable steps at the start and at a balanced solution"
    )


def _stable(job: Job) -> float:
    """Second derivatives along unit changes of all layers are at most `inside` + `across`, by norms of products."""
    with np.errstate(over="ignore", invalid="ignore"), one_thread():
        largest = _largest_curvature(job)
    return float(2.0 / largest) if largest > 0.0 else np.inf


def _largest_curvature(job: Job) -> float:
    """Infinite where weights or examples are so large that products of them are no numbers any more."""
    weights = [W[0] for W in job.weights]
    if len(job.given) == 2:
        X, Y = (part[0] for part in job.given)
        best = np.linalg.lstsq(X.T, Y.T, rcond=None)[0].T
        spread = np.linalg.norm(X, 2) ** 2 / job.count
        slope = (Y - np.linalg.multi_dot([*weights[::-1], X])) @ X.T / job.count
    else:
        best, spread = job.given[0][0], np.float64(1.0)
        slope = best - (np.linalg.multi_dot(weights[::-1]) if len(weights) > 1 else weights[0])
    depth, norms = len(weights), np.array([np.linalg.norm(W, 2) for W in weights])
    if not np.isfinite(slope).all():
        return np.inf
    inside = spread * sum(np.prod(np.delete(norms, k)) ** 2 for k in range(depth))
    pairs = [float(np.prod(np.delete(norms, [j, k]))) for k in range(depth) for j in range(k)]
    across = (depth - 1) * np.linalg.norm(slope, 2) * max(pairs, default=0.0)
    balanced = spread * depth * np.linalg.norm(best, 2) ** (2.0 - 2.0 / depth)
    largest = float(max(inside + across, balanced))
    return largest if np.isfinite(largest) else np.inf


def _fill(work: Floats, matrix: Matrix, value: Floats) -> None:
    rows = work[matrix.at : matrix.at + matrix.rows * matrix.step].reshape(matrix.rows, matrix.step)
    for part, entries in enumerate(value):
        begin = part * matrix.shift
        rows[:, begin : begin + matrix.columns] = entries
