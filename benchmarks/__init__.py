"""Benchmarks: what is computed here, side by side with the best that others offer, in alternating runs.

Every module of this package is one benchmark and is found by scanning; a folder is a command of its own. A docstring
says what is compared, and the function `tables(say)` yields tables to print, telling `say` what it is about to do.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import platform
from collections.abc import Callable, Collection, Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from rich.table import Table


REST = 0.05  # seconds
WAKING = 0.1  # seconds in which a core that rested is as fast again, and its caches full


def names() -> list[str]:
    """The benchmarks there are."""
    found = (module for module in pkgutil.iter_modules(__path__) if not module.ispkg)
    return sorted(module.name for module in found if not module.name.startswith("_"))


def tables(name: str, say: Callable[[str], None]) -> Iterator[Table]:
    """Run a benchmark, table by table."""
    module = importlib.import_module(f"{__name__}.{name}")
    return cast("Iterator[Table]", module.tables(say))


def machine(*packages: str) -> str:
    """One line for the head of every benchmark: processor, threads, BLAS, and versions of packages."""
    import numba
    import numpy as np

    blas = np.show_config(mode="dicts")["Build Dependencies"]["blas"]  # type: ignore[index, call-overload, unused-ignore]
    parts = [
        f"{processor()}, {os.cpu_count()} cores, {numba.get_num_threads()} threads",
        f"BLAS {blas['name']} {blas['version']}",
        f"Python {platform.python_version()}",
    ]
    for package in packages:
        try:
            parts.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            parts.append(f"{package} is not installed")
    return "; ".join(parts)


def processor() -> str:
    """The name and model number of the processor, as far as the system gives them."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    details = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines) if value}
    number = (
        f"family {details['cpu family']}, model {details['model']}" if "cpu family" in details else platform.machine()
    )
    return f"{details.get('model name', 'an unnamed processor')} ({number})"


def seconds(
    candidates: Mapping[str, Callable[[], object]], rounds: int, least: float = 0.02, limits: Collection[str] = ()
) -> dict[str, float]:
    """The median time of each candidate in alternating runs, so that drifts of the machine meet all of them alike.

    Of `limits`, which say what the machine can do, the shortest time counts: other processes only make it longer.
    A first run, which may compile, does not count. Quick candidates run several times a round, for `least` seconds.
    Before each turn the machine rests, because threads that another candidate leaves spinning would slow the next one;
    then a run shorter than `WAKING` is made once without counting, since a rest leaves cores and caches slow.
    """
    repeats: dict[str, int] = {}
    waking: dict[str, int] = {}
    for name, run in candidates.items():
        run()
        sleep(REST)
        once = max(time_of(run), 1e-9)
        repeats[name], waking[name] = max(1, round(least / once)), int(once < WAKING)
    times: dict[str, list[float]] = {name: [] for name in candidates}
    for _ in range(rounds):
        for name, run in candidates.items():
            sleep(REST)
            times[name] += [time_of(run) for _ in range(waking[name] + repeats[name])][waking[name] :]
    return {name: (min if name in limits else median)(all_times) for name, all_times in times.items()}


def time_of(run: Callable[[], object]) -> float:
    """Seconds that one run takes."""
    begin = perf_counter()
    run()
    return perf_counter() - begin
