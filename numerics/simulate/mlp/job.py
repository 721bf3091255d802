"""One network to be trained, checked, and what became of it."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from numerics.simulate.mlp.architecture import Architecture, Floats, Layer

HOPELESS = 1e6  # times the larger of the first loss and that of answering 0


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
    """What a run leaves behind; after the epoch at which it was given up, not a number."""

    losses: Floats  # epoch
    hidden: list[Floats]  # of each layer to record (record, point, unit)
    outputs: Floats  # (record, point, output)
    end: list[Layer]
    stopped: int  # the epoch at which it was given up, or -1


Learning = Generator[int, None, Outcome]  # now and then, how many epochs are done


def blank(job: Job) -> Outcome:
    """Nothing but the weights at the start."""
    shape = job.record_at.size, len(job.inputs)
    widths = [job.architecture.widths[layer - 1] for layer in job.layers]
    hidden = [np.full((*shape, width), np.nan, dtype=job.dtype) for width in widths]
    outputs = np.full((*shape, job.targets.shape[1]), np.nan, dtype=job.dtype)
    start = [Layer(*(np.array(part, dtype=job.dtype) for part in layer)) for layer in job.start]
    return Outcome(np.full(job.epochs + 1, np.nan), hidden, outputs, start, -1)


def given_up(job: Job, losses: Floats, begin: int, end: int) -> int:
    """The first epoch of this range whose loss is not finite or hopeless, or -1."""
    limit = HOPELESS * max(float(losses[0]), job.nothing, float(np.finfo(job.dtype).tiny))
    bad = np.flatnonzero(~(losses[begin:end] <= limit))
    return begin + int(bad[0]) if bad.size else -1


def last_epoch(job: Job, losses: Floats) -> int:
    """The epoch after the first of these whose loss is low enough, or the last one that there can be."""
    low = np.flatnonzero(losses < job.until)
    return min(int(low[0]) + 1, job.epochs) if low.size else job.epochs


def outcome(  # noqa: PLR0917
    job: Job, losses: Floats, hidden: list[Floats], outputs: Floats, end: list[Layer], stopped: int
) -> Outcome:
    """The outcome, with nothing but losses and records from before a run was given up, or none after its end."""
    last = last_epoch(job, losses)
    losses[last + 1 :] = losses[last]
    if stopped >= 0:
        losses[stopped:] = np.nan
        for records in (*hidden, outputs):
            records[job.record_at >= stopped] = np.nan
    return Outcome(losses, hidden, outputs, end, stopped)
