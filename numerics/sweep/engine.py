"""Handing out the tasks of a sweep: in chunks that take seconds, to whatever can be handed a function.

Chunks begin with one task, grow to some seconds each by the time that earlier ones took, and shrink towards the end, so
that short tasks cost little to hand out and an interruption loses little. They do not change what a task returns.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from math import prod
from pathlib import Path
from threading import Lock, local
from time import monotonic
from typing import Protocol

from numerics.sweep.files import listed, missing, tidy
from numerics.sweep.plan import Plan
from numerics.sweep.targets import SweepError
from numerics.sweep.work import do

SECONDS, LONGEST = 5.0, 600.0  # of a chunk, at least and at most
SHARE = 0.02  # of the time so far, which a chunk may take: long runs write few files
HANDING = 0.01  # seconds of a chunk for each worker, so that handing out keeps up with many
BYTES = 1 << 26  # of results of a chunk
TIDY = 256  # files that are written before they are written together
TRIES = 3  # of a chunk whose worker dies
Tell = Callable[[int], object]


class Engine(Protocol):
    """Something that does chunks, some of them at once."""

    def submit(self, folder: str, first: int, last: int) -> Future[float]:
        """Begin `numerics.sweep.work.do`."""

    def workers(self) -> int:
        """How many chunks are done at once; that may change."""


class Pace:
    """How many tasks a chunk has, by the time that earlier ones took."""

    def __init__(self, plan: Plan) -> None:
        self.largest = max(1, BYTES // (8 * sum(map(prod, plan.shapes().values())) + 1))
        self.done, self.seconds, self.begin = 0, 0.0, monotonic()

    def size(self, left: int, workers: int) -> int:
        """One until it is known how long a task takes, and fewer towards the end."""
        if not self.seconds:
            return 1
        wanted = max(SECONDS, HANDING * workers, min(SHARE * (monotonic() - self.begin), LONGEST))
        return max(1, min(int(wanted * self.done / self.seconds), -(-left // (2 * workers)), self.largest))

    def ended(self, tasks: int, seconds: float) -> None:
        self.done, self.seconds = self.done + tasks, self.seconds + seconds


def finish(folder: Path, plan: Plan, wanted: range, engine: Engine, tell: Tell) -> None:
    """Do the tasks of a range that are not done; `tell` is told how many are, as they are."""
    left = missing(listed(folder).values(), wanted)
    tell(len(wanted) - sum(map(len, left)))
    pace, running, written = Pace(plan), dict[Future[float], int](), 0
    try:
        while left or running:
            workers = engine.workers()
            while left and len(running) < workers:
                size = pace.size(sum(map(len, left)), workers)
                chunk, rest = left[0][:size], left[0][size:]
                left = [rest, *left[1:]] if rest else left[1:]
                running[engine.submit(str(folder), chunk.start, chunk.stop)] = len(chunk)
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                tasks = running.pop(future)
                pace.ended(tasks, future.result())
                tell(tasks)
                written += 1
            if written >= TIDY:
                tidy(folder, plan, wanted)
                written = 0
    finally:
        for future in running:
            future.cancel()
    tidy(folder, plan, wanted)


# --- this machine -----------------------------------------------------------------------------------------------------


class Here:
    """One chunk after the other, in this process."""

    def submit(self, folder: str, first: int, last: int) -> Future[float]:
        done: Future[float] = Future()
        done.set_result(do(folder, first, last))
        return done

    def workers(self) -> int:
        return 1


class Processes:
    """Processes on this machine, each with one thread; one that dies is replaced."""

    def __init__(self, count: int, pool: Executor) -> None:
        self.count, self.pool = count, pool
        self.mine, self.all = local(), list[subprocess.Popen[str]]()
        self.lock, self.stopped = Lock(), False

    def submit(self, folder: str, first: int, last: int) -> Future[float]:
        return self.pool.submit(self._ask, folder, first, last)

    def workers(self) -> int:
        return self.count

    def _ask(self, folder: str, first: int, last: int) -> float:
        """Let the process that belongs to this thread do a chunk."""
        for _ in range(TRIES):
            told = self._answer(folder, f"{first} {last}\n")
            if told is not None:
                if isinstance(told, str):
                    raise SweepError(told)
                return told
        raise SweepError(
            f"processes that did tasks {first} to {last - 1} died {TRIES} times, perhaps for lack of memory: take "
            "fewer workers; what was finished is kept"
        )

    def _answer(self, folder: str, line: str) -> float | str | None:
        """What the process answers, the seconds or why it refuses; nothing where it dies."""
        process = self._process(folder)
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(line)
            process.stdin.flush()
            answer = process.stdout.readline()
        except OSError:
            answer = ""
        if not answer.endswith("\n"):
            process.kill()
            process.wait()
            return None
        told: float | str = json.loads(answer)
        return told

    def _process(self, folder: str) -> subprocess.Popen[str]:
        """The process that belongs to this thread, a new one where it died; none is begun any more after the end."""
        process: subprocess.Popen[str] | None = getattr(self.mine, "process", None)
        with self.lock:
            if self.stopped:
                raise CancelledError
            if process is None or process.poll() is not None:
                process = self.mine.process = _started(folder)
                self.all.append(process)
        return process

    def stop(self) -> None:
        with self.lock:
            self.stopped = True
        for process in self.all:
            process.kill()
        for process in self.all:
            process.communicate()


def _started(folder: str) -> subprocess.Popen[str]:
    one = dict.fromkeys(("NUMBA_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    paths = os.pathsep.join(path or os.getcwd() for path in sys.path)  # where this process finds a user's own targets
    return subprocess.Popen(
        [sys.executable, "-c", "from numerics.sweep.work import serve; serve()", folder],
        env={**os.environ, **one, "PYTHONPATH": paths},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@contextmanager
def here(workers: int) -> Iterator[Engine]:
    """This process for one worker, and processes for several."""
    if workers == 1:
        yield Here()
        return
    pool = ThreadPoolExecutor(workers)
    engine = Processes(workers, pool)
    try:
        yield engine
    finally:
        engine.stop()
        pool.shutdown(cancel_futures=True)
