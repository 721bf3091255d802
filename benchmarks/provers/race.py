"""Provers at work in processes of their own, where a statement has so much time of the processor and no more.

The operating system ends a process at its limit, even inside of foreign code; a fresh one goes on with what is left.
"""

from __future__ import annotations

import math
import random
import resource
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any

from benchmarks.provers import engine, numeric_guess
from benchmarks.provers.answer import Answer
from benchmarks.provers.lists import Entry
from benchmarks.provers.peers import by_sympy, by_z3
from derivations.questions.lines import Statement

PATIENCE = 30  # a process may wait for the processor this many times as long as it may use it
TOO_LONG = "it took more time than a statement may have"


def _by_numeric_guess(statement: Statement) -> Answer:
    return Answer(
        numeric_guess.suggests(statement, random.Random(statement.text)), "numbers at random points: no proof"
    )


PROVERS: dict[str, Callable[[Statement], Answer]] = {
    "engine": engine.decided,
    "sympy": by_sympy.decided,
    "z3": by_z3.decided,
    "numeric_guess": _by_numeric_guess,
}


@dataclass(frozen=True)
class Run:
    """The answer of one prover to one entry, and the seconds of the processor that it took."""

    entry: Entry
    prover: str
    answer: Answer
    seconds: float

    @property
    def is_decided(self) -> bool:
        return self.answer.holds is self.entry.holds

    @property
    def is_wrong(self) -> bool:
        return self.answer.holds is (not self.entry.holds) or self.answer.is_fault


@dataclass
class _Worker:
    """A process with a prover in it, and the task that it has at the moment."""

    tasks: list[tuple[Entry, str]]
    seconds: float
    process: Any = None
    connection: Connection | None = None
    task: int | None = None
    ends: float = field(default=math.inf)

    def give(self, task: int) -> None:
        if self.process is None:
            self.connection, theirs = get_context("fork").Pipe()
            self.process = get_context("fork").Process(target=_at_work, args=(theirs, self.tasks, self.seconds))
            self.process.start()
            theirs.close()
        assert self.connection is not None
        self.task, self.ends = task, time.monotonic() + PATIENCE * self.seconds
        self.connection.send(task)

    def end(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.join()
            assert self.connection is not None
            self.connection.close()
        self.process, self.connection, self.task, self.ends = None, None, None, math.inf


def race(tasks: Sequence[tuple[Entry, str]], seconds: float, jobs: int) -> Iterator[Run]:
    """Every entry by the prover named beside it, in the order in which the answers come."""
    workers = [_Worker(list(tasks), seconds) for _ in range(min(jobs, len(tasks)))]
    waiting = list(reversed(range(len(tasks))))
    try:
        while waiting or any(worker.task is not None for worker in workers):
            for worker in workers:
                if worker.task is None and waiting:
                    worker.give(waiting.pop())
            busy = {w.connection: w for w in workers if w.task is not None and w.connection is not None}
            first = min(worker.ends for worker in busy.values())
            for connection in wait(list(busy), max(0.0, first - time.monotonic())):
                yield _received(busy[connection])  # type: ignore[index]
            for worker in busy.values():
                if worker.ends < time.monotonic():
                    yield _ended(worker)
    finally:
        for worker in workers:
            worker.end()


def _received(worker: _Worker) -> Run:
    """The answer that a process sent, or what its end says."""
    assert worker.connection is not None
    assert worker.task is not None
    try:
        answer, seconds = worker.connection.recv()
    except EOFError:
        return _ended(worker)
    run = Run(*worker.tasks[worker.task], answer, seconds)
    worker.task, worker.ends = None, math.inf
    return run


def _ended(worker: _Worker) -> Run:
    assert worker.task is not None
    run = Run(*worker.tasks[worker.task], Answer(None, TOO_LONG), worker.seconds)
    worker.end()
    return run


def _at_work(connection: Connection, tasks: list[tuple[Entry, str]], seconds: float) -> None:
    """One task after the other, each with a fresh limit on the time of the processor."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    while True:
        try:
            entry, prover = tasks[connection.recv()]
        except EOFError:
            return
        began = time.process_time()
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(began + seconds), hard))
        answer = _answered(PROVERS[prover], entry.statement)
        took = time.process_time() - began
        connection.send((answer if took <= seconds else Answer(None, TOO_LONG), took))


def _answered(prover: Callable[[Statement], Answer], statement: Statement) -> Answer:
    """A prover's answer; whatever it raises leaves the statement undecided."""
    try:
        return prover(statement)
    except Exception as trouble:
        return Answer(None, f"raised {type(trouble).__name__}: {trouble}"[:300])
