"""Workers of Dask: on this machine, on a cluster that runs, or as jobs of Slurm, PBS, LSF and others.

Dask hands out chunks of tasks, does those of workers that die again, and lets workers join and leave. Its scheduler
sees the folder's name, two numbers of a chunk and the seconds that it took; results go from the workers to the folder,
which all must see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager
from logging import ERROR
from typing import Any

from numerics.sweep.engine import TRIES, Engine
from numerics.sweep.targets import SweepError
from numerics.sweep.work import do

QUEUES = {"slurm": "SLURMCluster", "pbs": "PBSCluster", "lsf": "LSFCluster", "sge": "SGECluster"}  # of dask-jobqueue
AHEAD = 2  # chunks for each thread of a worker, so that none waits for the next one
WAIT = "10 s"  # for a scheduler to answer
KEPT = "; what was finished is kept, and another run goes on from there"


class Workers:
    """The workers that a client of Dask has at the moment."""

    def __init__(self, client: Any) -> None:
        self.client, self.pool = client, client.get_executor(pure=False, retries=TRIES)

    def submit(self, folder: str, first: int, last: int) -> Future[float]:
        found: Future[float] = self.pool.submit(do, folder, first, last)
        return found

    def workers(self) -> int:
        threads: int = sum(self.client.nthreads().values())
        return max(1, AHEAD * threads)


@contextmanager
def dask(where: Any, workers: int) -> Iterator[Engine]:
    """The workers of `where`: "local", the address of a scheduler, a system of queues, or a cluster of Dask.

    A system of queues, such as "slurm", is asked for `workers` jobs as the configuration of dask-jobqueue describes
    them. Refused with `SweepError`: Dask not installed, a scheduler that does not answer, and workers that always die.
    """
    try:
        from distributed import Client, KilledWorker
    except ImportError:
        raise _needed("Dask", "dask[distributed]") from None
    with _cluster(where, workers) as cluster:
        try:
            client = Client(cluster, timeout=WAIT)
        except (OSError, ValueError, TypeError) as trouble:  # TypeError: what is no cluster
            told = str(trouble) or type(trouble).__name__
            raise SweepError(f"no scheduler of Dask answers at {where}: {told}") from None
        with client:
            try:
                yield Workers(client)
            except KilledWorker:
                raise SweepError(f"workers of Dask that did the same tasks died several times{KEPT}") from None
            except (CancelledError, TimeoutError):
                raise SweepError(f"the scheduler of Dask is gone{KEPT}") from None


@contextmanager
def _cluster(where: Any, workers: int) -> Iterator[Any]:
    """What a client is made for; a cluster that is made here ends here."""
    if not isinstance(where, str) or "://" in where:
        yield where
        return
    if where != "local" and where not in QUEUES:
        raise SweepError(f"Dask is local, tcp://ADDRESS:PORT, or one of {', '.join(QUEUES)}, not {where!r}")
    with _here(workers) if where == "local" else _queued(QUEUES[where], workers) as cluster:
        yield cluster


def _here(workers: int) -> Any:
    from distributed import LocalCluster

    one: dict[str, Any] = {"threads_per_worker": 1, "env": {"NUMBA_NUM_THREADS": "1"}}
    return LocalCluster(n_workers=workers, dashboard_address=None, silence_logs=ERROR, **one)


def _queued(name: str, workers: int) -> Any:
    try:
        import dask_jobqueue
    except ImportError:
        raise _needed("a system of queues", "dask-jobqueue") from None
    kind: Callable[..., Any] = getattr(dask_jobqueue, name)
    cluster = kind()
    cluster.scale(workers)
    return cluster


def _needed(what: str, package: str) -> SweepError:
    return SweepError(f"{what} needs {package}: pip install 'learning-dynamics-derivations[cluster]'")
