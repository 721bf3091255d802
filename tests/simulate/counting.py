"""Work for tests of long runs: sums of random numbers, a few at a time; as a program, it runs until it is stopped."""

from __future__ import annotations

import signal
import sys
from time import sleep

import numpy as np

from numerics.machine import checkpoints as runs
from numerics.machine.checkpoints import Description, State

SLICES = 10


class Counting:
    """Every replica adds up random numbers in ten slices; those that it began and slices that it did are counted."""

    def __init__(self, seed: int = 1, pause: float = 0.0) -> None:
        self.seed, self.pause = seed, pause
        self.slices: list[int] = []

    @property
    def description(self) -> Description:
        return {"task": "counting", "seed": self.seed}

    def own(self, replica: int) -> bytes:
        return str(replica % 3).encode()

    def begin(self, replica: int) -> State:
        return {"total": np.zeros(3), "at": np.array(0)}

    def advance(self, replica: int, state: State) -> float:
        sleep(self.pause)
        self.slices.append(replica)
        state["total"] += np.random.default_rng([self.seed, replica, int(state["at"])]).standard_normal(3)
        state["at"] += 1
        return int(state["at"]) / SLICES

    def result(self, state: State) -> State:
        return {"total": state["total"]}


class Endless(Counting):
    """Work of which the last replica never gets beyond its half, so that the run goes on until it is stopped."""

    def __init__(self, replicas: int) -> None:
        super().__init__(pause=0.02)
        self.last = replicas - 1

    def advance(self, replica: int, state: State) -> float:
        if replica == self.last and int(state["at"]) == SLICES // 2:
            sleep(self.pause)
            return 1 / 2
        return super().advance(replica, state)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs in the background of a shell are born ignoring it
    runs.KEEP_EVERY = 0.0
    count = int(sys.argv[2])
    runs.run(Endless(count), range(count), folder=sys.argv[1], threads=2)
