"""The tasks of a sweep in chunks that take seconds.

Chunks begin with one task, grow to some seconds each by the time that earlier ones took, and shrink towards the end, so
that short tasks cost little to hand out and an interruption loses little. They do not change what a task returns.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from pathlib import Path
from time import monotonic

from numerics.machine.tasks import Chunk
from numerics.sweep.files import listed, missing, tidy
from numerics.sweep.plan import Plan

SECONDS, LONGEST = 5.0, 600.0  # of a chunk, at least and at most
SHARE = 0.02  # of the time so far, which a chunk may take: long runs write few files
HANDING = 0.01  # seconds of a chunk for each worker, so that handing out keeps up with many
BYTES = 1 << 26  # of results of a chunk
TIDY = 256  # files that are written before they are written together


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


class Tasks:
    """The tasks of a range that are not done; `tell` is told how many of it are."""

    def __init__(self, folder: Path, plan: Plan, wanted: range, tell: Callable[[float, str], object]) -> None:
        self.folder, self.plan, self.wanted, self.shown = folder, plan, wanted, tell
        self.left, self.pace, self.written = missing(listed(folder).values(), wanted), Pace(plan), 0
        self.done = len(wanted) - sum(map(len, self.left))
        tell(self.done, "")

    def chunk(self, workers: int) -> Chunk | None:
        if not self.left:
            return None
        size = self.pace.size(sum(map(len, self.left)), workers)
        now, rest = self.left[0][:size], self.left[0][size:]
        self.left = [rest, *self.left[1:]] if rest else self.left[1:]
        return Chunk((str(self.folder), now.start, now.stop), f"tasks {now.start} to {now.stop - 1}")

    def tell(self, chunk: Chunk, share: float) -> None:
        """A chunk takes seconds, and is told of when it ends."""

    def ended(self, chunk: Chunk, seconds: float) -> None:
        _, first, last = chunk.arguments
        self.pace.ended(last - first, seconds)
        self.done, self.written = self.done + last - first, self.written + 1
        self.shown(self.done, "")
        if self.written >= TIDY:
            tidy(self.folder, self.plan, self.wanted)
            self.written = 0
