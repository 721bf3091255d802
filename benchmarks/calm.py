"""How calm the computations stay when another process keeps one of the cores busy.

Every job runs on one thread and on all, alone and beside a process that does nothing but keep a core busy. It lives on
one core where the system lets it be put there. Times are means, because waiting for a core makes few runs much longer
rather than all of them a little: the median of the means of several turns. Jobs whose work is small run on one thread
whatever is asked for. What other processes take meanwhile is measured too: with more than a few per cent of a core, the
columns "alone" are not.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median

import numba
import numpy as np
from rich.table import Table

from benchmarks import deep_linear, linear_network, machine, mlp
from numerics.machine.progress import table
from numerics.simulate.datasets import two_points
from numerics.theory.deep_linear import loss, qqt

ROUNDS, TURN = 5, 0.15  # seconds that a job runs in one turn
ALLOWED = 1.3  # times one thread's time beside the other process
Job = Callable[[], object]


def tables(say: Callable[[str], None]) -> Iterator[Table]:
    """One table with a row for every job."""
    say(machine("numpy", "numba"))
    threads = numba.get_num_threads()
    numbers = (
        "1 thread, alone",
        f"{threads}, alone",
        "1, beside",
        f"{threads}, beside",
        f"{threads} against 1, beside",
    )
    result = table(f"milliseconds beside a busy core; at most {ALLOWED} times one thread is wanted", [""], numbers)
    before, busy = time.perf_counter(), _busy()
    spent = 0.0
    for name, job in jobs().items():
        job()
        alone = means(job, threads)
        with competitor() as child:
            beside = means(job, threads)
            spent += _seconds_of(child)
        cells = [f"{1e3 * seconds:.3g}" for seconds in (*alone, *beside)]
        result.add_row(name, *cells, f"{beside[1] / beside[0]:.2f}")
    if busy is not None and (after := _busy()) is not None:
        others = (after - busy - spent) / (time.perf_counter() - before)
        say(f"other processes took {max(others, 0.0):.0%} of a core meanwhile")
    yield result


def jobs() -> dict[str, Job]:
    """Return what is run: small and large jobs of every kind of sharing."""
    found: dict[str, Job] = {}
    for side, count in ((5, 1000), (5, 20_000), (20, 1000), (20, 10_000), (100, 200)):
        net, times = deep_linear.network(side, hard=False), np.linspace(0.0, 10.0, count)
        found[f"qqt, N = {side}, {count:,} times"] = partial(qqt, net.W1, net.W2, net.sigma, times)
    net = deep_linear.network(20, hard=False)
    for count in (50, 5_000):
        times = np.linspace(0.0, 10.0, count)
        found[f"loss, N = 20, {count:,} times"] = partial(loss, net.W1, net.W2, net.sigma, times)
    for sizes, steps in (("2 to 50", 100), ("100", 10)):
        found[f"learn, 50 networks of {sizes}, {steps} steps"] = partial(
            linear_network.here, linear_network.networks(sizes), steps
        )
    data, start = two_points(), mlp.NETWORK.start(1, 1, 0)
    found["mlp, 20 x 500, float32, 100 epochs"] = partial(mlp.here, data, start, "float32", 100, None)
    return found


def means(job: Job, threads: int) -> tuple[float, float]:
    """Seconds of one run on one thread and on all, in alternating turns."""
    turns: dict[int, list[float]] = {1: [], threads: []}
    try:
        for _ in range(ROUNDS):
            for count, found in turns.items():
                numba.set_num_threads(count)
                found.append(_mean(job))
    finally:
        numba.set_num_threads(threads)
    return median(turns[1]), median(turns[threads])


def _mean(job: Job) -> float:
    begin, runs, spent = time.perf_counter(), 0, 0.0
    while spent < TURN:
        job()
        runs, spent = runs + 1, time.perf_counter() - begin
    return spent / runs


# --- the other process ------------------------------------------------------------------------------------------------


@contextmanager
def competitor() -> Iterator[subprocess.Popen[bytes]]:
    """A process that keeps a core busy inside this block, and ends with it or with this process."""
    with subprocess.Popen([sys.executable, "-c", BUSY], stdin=subprocess.PIPE) as child:
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(child.pid, {max(os.sched_getaffinity(0))})
        try:
            yield child
        finally:
            child.kill()


BUSY = """
import os, sys, threading
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
while True:
    pass
"""


def _busy() -> float | None:
    """Seconds that all processes but this one have had, where the system says."""
    try:
        first = Path("/proc/stat").read_text(encoding="utf-8").partition("\n")[0].split()[1:]
    except OSError:
        return None
    user, nice, system = (int(ticks) for ticks in first[:3])
    return (user + nice + system) / os.sysconf("SC_CLK_TCK") - time.process_time()


def _seconds_of(child: subprocess.Popen[bytes]) -> float:
    """Seconds that a process has had."""
    try:
        fields = Path(f"/proc/{child.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
