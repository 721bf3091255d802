"""Random draws of training: the units that are left out, and the order of points in batches."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from numerics.simulate.mlp.architecture import Floats
from numerics.simulate.mlp.job import Job

MASKS, ORDER = 1, 2  # what a stream of random numbers is for; 0 is for the weights at the start


def stream(job: Job, purpose: int, epoch: int) -> np.random.Generator:
    """Random numbers that depend on the seed and the epoch alone."""
    return np.random.default_rng(np.random.SeedSequence(job.seed, spawn_key=(purpose, epoch)))


def masks(job: Job, epochs: Sequence[int]) -> list[Floats]:
    """Return the factors of each layer's inputs: (epoch, point, input), 0 or one over the share that is kept."""
    count, keep = len(job.inputs), 1.0 - job.architecture.dropout
    widths = [job.inputs.shape[1], *job.architecture.widths]
    drawn = np.empty((len(epochs), count * sum(widths)))
    for row, epoch in zip(drawn, epochs, strict=True):
        stream(job, MASKS, epoch).random(out=row)
    kept = (drawn < keep).astype(job.dtype) * job.dtype(1.0 / keep)
    parts = np.split(kept, count * np.cumsum(widths)[:-1], axis=1)
    return [part.reshape(len(epochs), count, width) for part, width in zip(parts, widths, strict=True)]
