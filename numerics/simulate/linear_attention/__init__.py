"""Gradient descent of linear attention that learns regression in context, on all contexts or on sampled ones.

    run = learn(Separate(value, key, query), covariance, tokens=32, rate=0.01, steps=[0, 1000, 5000])
    run.heads.value[record, head], run.product[record], run.loss[record], run.message

A context has tokens x ~ N(0, covariance) with targets w'x, for one w ~ N(0, I), and a query x_q. With beta, the mean of
(w'x) x over the tokens, the answer is beta'P x_q, where P sums the heads: `Merged` ones are value * matrix, and
`Separate` ones value * key query'. The loss is half the mean square of w'x_q - beta'P x_q, and every step subtracts the
rate times its gradient from all parts of all heads.

The loss of all contexts is (tr L - 2 tr(L^2 P) + tr(M P L P'))/2 with the covariance L and M, the mean square of the
covariance of a context. With `batch` every step draws so many fresh contexts instead. They are drawn in chunks, each
with a random stream of its own, whose sums are added in a fixed order: the bits are the same on any number of threads.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np
from numba import get_num_threads
from numpy.typing import ArrayLike, NDArray

from numerics.labelled import Labelled
from numerics.machine.blas import one_thread
from numerics.machine.specialise import specialise
from numerics.machine.streams import LEARNING, TESTING, eight_for_one
from numerics.simulate.linear_attention.arguments import (
    Contexts,
    Floats,
    Heads,
    LinearAttentionError,
    Merged,
    Separate,
    contexts_of,
    heads_of,
    rate_of,
    steps_of,
    table_of,
    whole,
)

__all__ = ["Estimate", "LinearAttentionError", "Merged", "Run", "Separate", "estimate", "learn", "loss"]

PARTS = (
    "numerics.machine.lanes",
    "numerics.machine.lanes.functions",
    "numerics.machine.lanes.normal",
    "numerics.simulate.linear_attention.kernel",
)
CHUNK = 64  # contexts of a step that share a stream
CHUNKS = 256  # of an estimate
SHARE = 1_000_000  # multiplications, roughly, below which a step is not worth another thread
SLICE = 50_000_000  # multiplications, roughly, that are done without looking up


@dataclass(frozen=True)
class Run(
    Labelled,
    axes={
        "heads.value": ("step", "head"),
        "heads.matrix": ("step", "head", "row", "column"),
        "heads.key": ("step", "head", "row"),
        "heads.query": ("step", "head", "row"),
        "product": ("step", "row", "column"),
        "loss": ("step",),
    },
    clock={"steps": "step"},
):
    """The records of a run; from the step at which it diverged all are nan, and the message says so."""

    steps: NDArray[np.int64]
    heads: Heads  # each part with the records in front
    product: Floats  # record, D, D: the sum of the heads
    loss: Floats  # record; of all contexts
    message: str  # "" is success


@dataclass(frozen=True)
class Estimate:
    """Means over sampled contexts, with their standard errors."""

    loss: float
    loss_error: float
    slope: Floats  # D, D: of the loss by the sum of the heads
    slope_error: Floats


@one_thread()
def learn(
    heads: Heads,
    covariance: ArrayLike,
    *,
    tokens: int,
    rate: float,
    steps: ArrayLike,
    batch: int | None = None,
    seed: int = 0,
    threads: int | None = None,
) -> Run:
    """Let attention learn by gradient descent, and record heads and loss after some steps.

    `heads` is `Merged` or `Separate`, `covariance` (D, D) that of the tokens, of which a context has `tokens`. `rate`
    is the size of a step, and `steps`, a list, are those after which something is recorded, increasing from 0 on.
    Without `batch` the loss is that of all contexts; with it every step draws so many, from the streams of `seed`. As
    many `threads` share a step as it is worth, unless a number is given.

    Returns a `Run`. Refused with `LinearAttentionError`: heads, covariances and numbers that do not fit together.

    >>> heads = Separate(value=[0.5], key=[[0.5, 0.0]], query=[[0.5, 0.0]])
    >>> run = learn(heads, np.diag([1.0, 0.5]), tokens=10, rate=0.01, steps=[0, 100, 500])
    >>> run.loss.round(4).tolist(), run.product[-1].round(4).tolist()
    ([0.6348, 0.4325, 0.35], [[0.8, 0.0], [0.0, 0.0]])
    """
    contexts, asked, size = contexts_of(covariance, tokens), steps_of(steps), rate_of(rate)
    D = contexts.covariance.shape[0]
    table, separate = table_of(heads, D), isinstance(heads, Separate)
    if batch is None:
        descend = partial(_kernel("descend"), table, separate, contexts.second, contexts.covariance, size)
        work = D**3 + table.size * D
    else:
        batch = whole("batch", batch, 1)
        space = _space(contexts, _counts(batch), whole("seed", seed, 0), LEARNING, threads)
        descend = partial(_kernel("learn"), table, separate, contexts.root, contexts.tokens, *space, size)
        work = batch * (tokens + 2) * D
    records, diverged = _recorded(table, asked, descend, max(1, SLICE // work))
    products = np.full((asked.size, D, D), np.nan)
    for record, row in enumerate(records):
        _kernel("product")(np.ascontiguousarray(row), separate, products[record])
    message = "" if diverged < 0 else f"diverged at step {diverged}: the rate {size:g} is too large"
    losses = np.asarray(_loss(products, contexts))
    return Run(asked, heads_of(records, D, separate=separate), products, losses, message)


@one_thread()
def loss(heads: Heads, covariance: ArrayLike, *, tokens: int) -> float:
    """The loss of all contexts, by its formula; arguments are those of `learn`.

    >>> loss(Merged(value=[1.0], matrix=[[[0.5]]]), [[1.0]], tokens=2)
    0.25
    """
    contexts = contexts_of(covariance, tokens)
    return float(_loss(_product(heads, contexts), contexts))


@one_thread()
def estimate(
    heads: Heads,
    covariance: ArrayLike,
    *,
    tokens: int,
    contexts: int,
    seed: int = 0,
    threads: int | None = None,
) -> Estimate:
    """The loss and its slope by the sum of the heads, from sampled contexts alone.

    `contexts` is how many are drawn. Other arguments are those of `learn`, and refused alike. Standard errors are those
    of the means of 256 chunks.

    >>> found = estimate(Merged(value=[1.0], matrix=[[[0.5]]]), [[1.0]], tokens=2, contexts=100_000)
    >>> abs(found.loss - 0.25) < 4 * found.loss_error < 0.02
    True
    """
    known, count = contexts_of(covariance, tokens), whole("contexts", contexts, 2)
    D, P = known.covariance.shape[0], _product(heads, known)
    counts = np.array([len(part) for part in np.array_split(np.arange(count), min(CHUNKS, count))])
    space = _space(known, counts, whole("seed", seed, 0), TESTING, threads)
    _kernel("draw")(P, known.root, known.tokens, *space)
    sums = space[-1]
    means = sums.sum(axis=0) / count
    spread = np.sqrt(((sums - counts[:, None] * means) ** 2).sum(axis=0) * len(counts) / (len(counts) - 1)) / count
    slope, error = (-values[1:].reshape(D, D) for values in (means, -spread))
    return Estimate(float(means[0] / 2.0), float(spread[0] / 2.0), slope, error)


# --- one run ----------------------------------------------------------------------------------------------------------


def _recorded(table: Floats, steps: NDArray[np.int64], descend: Callable[[int], int], most: int) -> tuple[Floats, int]:
    """The heads at these steps, and the step at which they diverged, or -1."""
    records = np.full((steps.size, *table.shape), np.nan)
    at = 0
    for record, step in enumerate(steps.tolist()):
        while at < step:
            count = min(most, step - at)
            done = descend(count)
            at += done
            if done < count:
                return records, at
        if not np.isfinite(table).all():
            return records, at
        records[record] = table
    return records, -1


def _product(heads: Heads, contexts: Contexts) -> Floats:
    """The sum of the heads."""
    D = contexts.covariance.shape[0]
    P = np.empty((D, D))
    if not _kernel("product")(table_of(heads, D), isinstance(heads, Separate), P):
        raise LinearAttentionError("the heads are so large that their sum is no number")
    return P


def _loss(P: Floats, contexts: Contexts) -> Floats:
    """The loss of all contexts, for sums of heads with any leading axes."""
    L = contexts.covariance
    grown = contexts.second @ P @ L
    return np.asarray((np.trace(L) - 2.0 * ((L @ L) * P).sum((-2, -1)) + (grown * P).sum((-2, -1))) / 2.0)


def _counts(batch: int) -> NDArray[np.int64]:
    """The contexts of the chunks of a step."""
    counts = np.full(-(-batch // CHUNK), CHUNK)
    counts[-1] = batch - CHUNK * (len(counts) - 1)
    return counts


def _space(contexts: Contexts, counts: NDArray[Any], seed: int, purpose: int, threads: int | None) -> tuple[Any, ...]:
    """Streams, rooms for threads, the sizes of chunks, and room for their sums."""
    D = contexts.covariance.shape[0]
    most = int(counts.sum()) * (contexts.tokens + 2) * D // SHARE if threads is None else whole("threads", threads, 1)
    workers = max(1, min(len(counts), most, get_num_threads()))
    streams = np.stack([eight_for_one(seed, chunk, purpose) for chunk in range(len(counts))])
    rooms = np.zeros((workers, _kernel("room_size")(D, contexts.tokens)))
    return streams, rooms, counts.astype(np.int64), np.zeros((len(counts), 1 + D * D))


@cache
def _kernel(name: str) -> Callable[..., Any]:
    return specialise(name, PARTS)
