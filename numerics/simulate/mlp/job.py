"""One network to be trained, checked, how far it is, and what became of it.

A state is a dictionary of arrays that training changes in place: all that decides how a network goes on, so that one
that was interrupted goes on from it with the same bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from numerics.machine.checkpoints import State
from numerics.simulate.mlp.architecture import Architecture, Floats, Layer

HOPELESS = 1e6  # times the larger of the first loss and that of answering 0
NEXT, STOPPED = 0, 1  # entries of `at`: the next epoch, and the one at which a run was given up, or -1


@dataclass(frozen=True)
class Job:
    """Everything that decides what a run does."""

    architecture: Architecture
    start: list[Layer]
    inputs: Floats  # (point, input)
    targets: Floats  # (point, output)
    eta: float
    epochs: int
    seed: int
    record_at: NDArray[np.int64]
    layers: tuple[int, ...]  # hidden layers to record, from 1
    adam: bool
    batch: int  # points that make a step
    until: float  # the step from an epoch with a lower loss is the last one
    dtype: type[np.floating]

    @property
    def numbers(self) -> int:
        """Weights and biases."""
        return sum(part.size for layer in self.start for part in layer)

    @cached_property
    def nothing(self) -> float:
        """The loss of answering 0."""
        with np.errstate(over="ignore"):
            return 0.5 * float(np.mean(np.sum(np.square(self.targets, dtype=np.float64), axis=1)))


@dataclass(frozen=True)
class Outcome:
    """The result of a run; after the epoch at which it was given up, not a number."""

    losses: Floats  # epoch
    hidden: list[Floats]  # of each layer to record (record, point, unit)
    outputs: Floats  # (record, point, output)
    end: list[Layer]
    stopped: int  # the epoch at which it was given up, or -1


class Learner(Protocol):
    """A way to train one network."""

    def begin(self) -> State:
        """The state before the first epoch."""

    def advance(self, state: State) -> bool:
        """Go on for a slice of epochs; whether that was the last one."""

    def outcome(self, state: State) -> Outcome:
        """Return what a state holds for whoever asked."""


def blank(job: Job) -> State:
    """Return what every state has: losses, and records of outputs and of hidden layers, none of them known yet."""
    shape = job.record_at.size, len(job.inputs)
    widths = [job.architecture.widths[layer - 1] for layer in job.layers]
    return {
        "at": np.array([0, -1]),
        "losses": np.full(job.epochs + 1, np.nan),
        "outputs": np.full((*shape, job.targets.shape[1]), np.nan, dtype=job.dtype),
        **{f"hidden_{k}": np.full((*shape, width), np.nan, dtype=job.dtype) for k, width in enumerate(widths)},
    }


def pieces(state: State, name: str) -> list[Floats]:
    """The arrays of a state that have this name and a number."""
    return [state[f"{name}_{k}"] for k in range(sum(key.startswith(f"{name}_") for key in state))]


def given_up(job: Job, losses: Floats, begin: int, end: int) -> int:
    """The first epoch of this range whose loss is not finite or hopeless, or -1."""
    limit = HOPELESS * max(float(losses[0]), job.nothing, float(np.finfo(job.dtype).tiny))
    bad = np.flatnonzero(~(losses[begin:end] <= limit))
    return begin + int(bad[0]) if bad.size else -1


def last_epoch(job: Job, losses: Floats) -> int:
    """The epoch after the first of these whose loss is low enough, or the last one that there can be."""
    low = np.flatnonzero(losses < job.until)
    return min(int(low[0]) + 1, job.epochs) if low.size else job.epochs


def outcome(job: Job, state: State, hidden: list[Floats], end: list[Layer]) -> Outcome:
    """The outcome, with nothing but losses and records from before a run was given up, or none after its end."""
    losses, outputs, stopped = state["losses"].copy(), state["outputs"].copy(), int(state["at"][STOPPED])
    last = last_epoch(job, losses)
    losses[last + 1 :] = losses[last]
    hidden = [records.copy() for records in hidden]
    if stopped >= 0:
        losses[stopped:] = np.nan
        for records in (*hidden, outputs):
            records[job.record_at >= stopped] = np.nan
        end = [Layer(*(np.full_like(part, np.nan) for part in layer)) for layer in end]
    return Outcome(losses, hidden, outputs, end, stopped)
