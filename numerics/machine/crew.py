"""Threads that share the pieces of one computation: whoever is idle takes the next, and nobody waits by spinning.

    def work():
        kernel(counter, ...)  # compiled, without the interpreter's lock: takes pieces by `claim(counter)` till the last

    together(work, threads)

`claim` stands in `numerics.machine.lanes.pieces`. Pieces do not depend on who computes them, so that the bits are the
same for any number of threads. No threading layer of Numba takes part: a parallel region deals out its pieces before
it begins and spins at its end, which costs milliseconds where another process has one of the cores, and not every
layer may be entered by two threads at once. Here a thread that finds no core in time is not waited for.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from numba import get_num_threads


def threads_for(work: float, crossover: float) -> int:
    """How many threads a computation is worth: all of Numba's if its work reaches the crossover, in any unit, or one.

    >>> threads_for(10.0, crossover=1000.0)
    1
    """
    return int(get_num_threads()) if work >= crossover else 1


def together(work: Callable[[], object], threads: int) -> None:
    """Run the same work on this thread and on up to `threads - 1` others, and return when all that began have ended.

    The work has to end, on each thread, when there is nothing left to do; those that have not begun by then never do.

    >>> pieces, done = iter(range(100)), []
    >>> together(lambda: done.extend(pieces), threads=1)
    >>> len(done)
    100
    """
    others = [_pool().submit(work) for _ in range(threads - 1)]
    try:
        work()
    finally:
        begun = [other for other in others if not other.cancel()]
        for other in begun:
            other.result()


@cache
def _pool() -> ThreadPoolExecutor:
    """Threads that sleep until there is work."""
    return ThreadPoolExecutor(max(1, (os.cpu_count() or 1) - 1), thread_name_prefix="crew")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # a forked process has none of these threads
