"""Handing out tasks to whatever can be handed a function: this process, others on this machine, or workers of Dask.

    with engine(do, count, dask, error=SweepError) as workers:
        finish(work, workers)

Work says which tasks are left, a chunk of them at a time, and hears what became of each. A chunk is done by a function
`do(*arguments, tell=...)` of a module: what it is called with and what it returns are values that JSON can hold, and
`tell` takes the share of the chunk that is done. Results go into a folder that all workers see, and none comes back.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol

from numerics import NumericsError
from numerics.machine.checks import is_whole, shown
from numerics.machine.tasks.answers import Answer, Do, TasksError, Tell, value
from numerics.machine.tasks.cluster import dask as workers_of_dask
from numerics.machine.tasks.processes import here


class Chunk(NamedTuple):
    """A piece of work: the argument that `do` is called with, and its name in a sentence."""

    arguments: Sequence[Any]
    name: str


class Work(Protocol):
    """Chunks to be done, and the functions that are called when they are."""

    def chunk(self, workers: int) -> Chunk | None:
        """The next chunk, one of those that so many workers share; nothing where none is left."""

    def tell(self, chunk: Chunk, share: float) -> None:
        """The share of a chunk that is done; not told by every engine, and perhaps in another thread."""

    def ended(self, chunk: Chunk, found: Any) -> None:
        """Return what `do` returned for a chunk."""


class Engine(Protocol):
    """Something that does chunks, some of them at once."""

    def submit(self, arguments: Sequence[Any], name: str, tell: Tell) -> Future[Answer]:
        """Begin a chunk."""

    def workers(self) -> int:
        """How many chunks are done at once; that may change."""


@contextmanager
def engine(
    do: Do, count: int, dask: object, *, error: type[NumericsError], threads: int | None = None
) -> Iterator[Engine]:
    """This process for one worker, processes for several, or workers of Dask, which do chunks by `do`.

    Each process has `threads` threads, by default as many as this one. What goes wrong is told as an `error`.
    """
    try:
        with here(do, count, threads) if dask is None else workers_of_dask(do, dask, count, threads) as found:
            yield found
    except TasksError as trouble:
        raise error(str(trouble)) from None


def finish(work: Work, workers: Engine) -> None:
    """Do all that is left of some work."""
    running: dict[Future[Answer], Chunk] = {}
    try:
        while True:
            while len(running) < (count := workers.workers()) and (chunk := work.chunk(count)) is not None:
                running[workers.submit(*chunk, _teller(work, chunk))] = chunk
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                work.ended(running.pop(future), value(future.result()))
    finally:
        for future in running:
            future.cancel()


def _teller(work: Work, chunk: Chunk) -> Callable[[float], object]:
    return lambda share: work.tell(chunk, share)


def how_many(workers: int | None, error: type[NumericsError]) -> int:
    """The number of workers that a user asks for, by default one for each core that this process may use.

    >>> how_many(3, NumericsError)
    3
    """
    if workers is None:
        return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    if not is_whole(workers, 1):
        raise error(f"workers must be a whole number of at least 1, got {shown(workers)}")
    return int(workers)
