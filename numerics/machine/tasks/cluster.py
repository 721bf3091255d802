"""Workers of Dask: on this machine, on a cluster that runs, or as jobs of Slurm, PBS, LSF and others.

Dask hands out chunks of tasks, does those of workers that die again, and lets workers join and leave. Its scheduler
sees what a chunk is called with, how far it is, and its short answer; results go from the workers to the folder, which
all must see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager
from itertools import count
from logging import ERROR
from typing import Any
from uuid import uuid4

from numerics.machine.tasks.answers import Answer, Do, TasksError, Tell, answered
from numerics.machine.tasks.processes import TRIES

QUEUES = {"slurm": "SLURMCluster", "pbs": "PBSCluster", "lsf": "LSFCluster", "sge": "SGECluster"}  # of dask-jobqueue
AHEAD = 2  # chunks for each thread of a worker, so that none waits for the next one
WAIT = "10 s"  # for a scheduler to answer
KEPT = "; what was finished is kept, and another run goes on from there"


class Workers:
    """The workers that a client of Dask has at the moment."""

    def __init__(self, client: Any, do: Do) -> None:
        self.client, self.do, self.pool = client, do, client.get_executor(pure=False, retries=TRIES)
        self.numbers, self.tells, self.topic = count(), dict[int, Tell](), f"shares-{uuid4()}"
        client.subscribe_topic(self.topic, self._told)

    def submit(self, arguments: Sequence[Any], _name: str, tell: Tell) -> Future[Answer]:
        number = next(self.numbers)
        self.tells[number] = tell
        future: Future[Answer] = self.pool.submit(_there, self.do, arguments, self.topic, number)
        return future

    def workers(self) -> int:
        threads: int = sum(self.client.nthreads().values())
        return max(1, AHEAD * threads)

    def _told(self, event: tuple[float, tuple[int, float]]) -> None:
        number, share = event[1]
        self.tells[number](share)


def _there(do: Do, arguments: Sequence[Any], topic: str, number: int) -> Answer:
    """Return what a worker of Dask does."""
    from distributed import get_worker

    worker = get_worker()
    return answered(do, arguments, lambda share: worker.log_event(topic, (number, share)))


@contextmanager
def dask(do: Do, where: Any, workers: int, threads: int | None) -> Iterator[Workers]:
    """The workers of `where`: "local", the address of a scheduler, a system of queues, or a cluster of Dask.

    A system of queues, such as "slurm", is asked for `workers` jobs as the configuration of dask-jobqueue describes
    them. Refused with `TasksError`: Dask not installed, a scheduler that does not answer, and workers that always die.
    """
    try:
        from distributed import Client, KilledWorker
    except ImportError:
        raise _needed("Dask", "dask[distributed]") from None
    with _cluster(where, workers, threads) as cluster:
        try:
            client = Client(cluster, timeout=WAIT)
        except (OSError, ValueError, TypeError) as trouble:  # TypeError: what is no cluster
            reason = str(trouble) or type(trouble).__name__
            raise TasksError(f"no scheduler of Dask answers at {where}: {reason}") from None
        with client:
            try:
                yield Workers(client, do)
            except KilledWorker:
                raise TasksError(f"workers of Dask that did the same tasks died several times{KEPT}") from None
            except (CancelledError, TimeoutError):
                raise TasksError(f"the scheduler of Dask is gone{KEPT}") from None


@contextmanager
def _cluster(where: Any, workers: int, threads: int | None) -> Iterator[Any]:
    """Return what a client is made for; a cluster that is made here ends here."""
    if not isinstance(where, str) or "://" in where:
        yield where
        return
    if where != "local" and where not in QUEUES:
        raise TasksError(f"Dask is local, tcp://ADDRESS:PORT, or one of {', '.join(QUEUES)}, not {where!r}")
    with _here(workers, threads) if where == "local" else _queued(QUEUES[where], workers) as cluster:
        yield cluster


def _here(workers: int, threads: int | None) -> Any:
    from distributed import LocalCluster

    chosen = {} if threads is None else {"NUMBA_NUM_THREADS": str(threads)}
    quiet: dict[str, Any] = {"dashboard_address": None, "silence_logs": ERROR}
    return LocalCluster(n_workers=workers, threads_per_worker=1, env=chosen, **quiet)


def _queued(name: str, workers: int) -> Any:
    try:
        import dask_jobqueue
    except ImportError:
        raise _needed("a system of queues", "dask-jobqueue") from None
    kind: Callable[..., Any] = getattr(dask_jobqueue, name)
    cluster = kind()
    cluster.scale(workers)
    return cluster


def _needed(what: str, package: str) -> TasksError:
    return TasksError(f"{what} needs {package}: pip install 'learning-dynamics-derivations[cluster]'")
