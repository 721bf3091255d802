"""This machine: chunks one after the other in this process, or some at once in processes of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from threading import Lock, local
from time import monotonic
from typing import Any

from numerics.machine.tasks.answers import DONE, Answer, Do, TasksError, Tell
from numerics.machine.tasks.serving import SHARE

TRIES = 3  # of a chunk whose worker dies
GRACE = 5.0  # seconds in which a process that is stopped may write what it has
THREADS = ("NUMBA_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


@contextmanager
def here(do: Do, workers: int, threads: int | None) -> Iterator[Here | Processes]:
    """This process for one worker, and processes for several."""
    if workers == 1:
        yield Here(do)
        return
    pool = ThreadPoolExecutor(workers)
    processes = Processes(do, workers, threads, pool)
    try:
        yield processes
    finally:
        processes.stop()
        pool.shutdown(cancel_futures=True)


class Here:
    """One chunk after the other, in this process, which passes on what goes wrong as it is."""

    def __init__(self, do: Do) -> None:
        self.do = do

    def submit(self, arguments: Sequence[Any], _name: str, tell: Tell) -> Future[Answer]:
        done: Future[Answer] = Future()
        done.set_result({DONE: self.do(*arguments, tell=tell)})
        return done

    def workers(self) -> int:
        return 1


class Processes:
    """Processes on this machine; one that dies is replaced."""

    def __init__(self, do: Do, count: int, threads: int | None, pool: Executor) -> None:
        self.do, self.count, self.threads, self.pool = do, count, threads, pool
        self.mine, self.all = local(), list[subprocess.Popen[str]]()
        self.lock, self.stopped = Lock(), False

    def submit(self, arguments: Sequence[Any], name: str, tell: Tell) -> Future[Answer]:
        return self.pool.submit(self._ask, json.dumps(arguments), name, tell)

    def workers(self) -> int:
        return self.count

    def _ask(self, arguments: str, name: str, tell: Tell) -> Answer:
        """Let the process that belongs to this thread do a chunk."""
        for _ in range(TRIES):
            answer = self._answer(f"{arguments}\n", tell)
            if answer is not None:
                return answer
        raise TasksError(
            f"processes that did {name} died {TRIES} times, perhaps for lack of memory: take fewer workers; what was "
            "finished is kept"
        )

    def _answer(self, line: str, tell: Tell) -> Answer | None:
        """Return what the process answers; nothing where it dies."""
        process = self._process()
        assert process.stdin is not None
        assert process.stdout is not None
        said = ""
        with suppress(OSError):
            process.stdin.write(line)
            process.stdin.flush()
            while (said := process.stdout.readline()).endswith("\n"):
                answer: Answer = json.loads(said)
                if SHARE not in answer:
                    return answer
                tell(answer[SHARE])
        process.kill()
        process.wait()
        return None

    def _process(self) -> subprocess.Popen[str]:
        """The process that belongs to this thread, a new one where it died; none is begun any more after the end."""
        process: subprocess.Popen[str] | None = getattr(self.mine, "process", None)
        with self.lock:
            if self.stopped:
                raise CancelledError
            if process is None or process.poll() is not None:
                process = self.mine.process = started(self.do, self.threads)
                self.all.append(process)
        return process

    def stop(self) -> None:
        """End all processes, which may write what they have."""
        with self.lock:
            self.stopped = True
        try:
            for process in self.all:
                process.terminate()
            end = monotonic() + GRACE
            for process in self.all:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(max(0.0, end - monotonic()))
        finally:
            for process in self.all:
                process.kill()
            for process in self.all:
                process.communicate()


def started(do: Do, threads: int | None) -> subprocess.Popen[str]:
    """A process that does chunks."""
    chosen = {} if threads is None else dict.fromkeys(THREADS, str(threads))
    paths = os.pathsep.join(path or os.getcwd() for path in sys.path)  # where this process finds a user's own targets
    return subprocess.Popen(
        [sys.executable, "-c", "from numerics.machine.tasks.serving import serve; serve()", do.__module__, do.__name__],
        env={**os.environ, **chosen, "PYTHONPATH": paths},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
