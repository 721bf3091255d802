"""Sweeps: any target for every point of a grid and every seed, on one machine or on many.

    sweep("results", "deep_linear", grid={"scale": "log:1e-3:1:20"}, seeds=50)
    collect("results").loss.mean("seed").plot()                           # an xarray.Dataset

A sweep is a `Plan` of tasks: each is its target with some settings and a seed. A folder holds the plan and what has
been done of it. Whoever does tasks reads the plan there and writes results there, so that a sweep can be interrupted,
go on, be divided into shards, and be done by processes, by workers of Dask or by the jobs of an array, in any mixture:
what is done is not done again, and the bits are the same. Targets are described in `numerics.sweep.targets`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from numerics.machine.checks import is_whole, shown
from numerics.machine.tasks import engine, finish, how_many
from numerics.sweep.chunks import Tasks
from numerics.sweep.files import begin, place, plan_of, tidy
from numerics.sweep.gather import Results, Status, failures, gather, status
from numerics.sweep.plan import Plan, Task, planned
from numerics.sweep.targets import SweepError, Target
from numerics.sweep.work import do

if TYPE_CHECKING:
    import xarray

__all__ = [
    "Plan",
    "Results",
    "Status",
    "SweepError",
    "Target",
    "Task",
    "collect",
    "failed",
    "gather",
    "prepare",
    "shard_of",
    "status",
    "sweep",
]


def sweep(
    folder: str | os.PathLike[str],
    target: str | None = None,
    *,
    grid: Mapping[str, str | Iterable[object]] | None = None,
    runs: Sequence[Mapping[str, object]] = (),
    settings: Mapping[str, object] | None = None,
    seeds: int = 1,
    seed: int = 0,
    shard: str | None = None,
    workers: int | None = None,
    dask: object = None,
    show: bool = False,
) -> Status:
    """Do the tasks of a sweep that are not done, keep them in a folder, and tell how far it is.

    `target` is what is done, `grid` has values of settings, as a list or a text such as "log:1e-3:1:20", and `runs` is
    a list of settings to go through as they are; `settings` has the one value of others. Each point is done with
    `seeds` seeds, children of `seed`. Without a target the folder's own sweep goes on. `shard`, such as "17/200", does
    that part of the tasks only. `workers` processes work at once, by default one for each core. With `dask` they are
    workers of Dask: "local", the address of a scheduler such as "tcp://10.0.0.1:8786", "slurm" or another system of
    queues that dask-jobqueue is configured for, or a cluster of Dask. `show` tells progress and the time that remains.

    Returns a `Status`. Refused with `SweepError`: targets and settings that there are not, values that do not fit, a
    folder of another sweep or of other code, and shards that there are not.

    >>> done = sweep("swept", "deep_linear", grid={"scale": [0.01, 0.1]}, settings={"until": 2.0}, seeds=3, workers=1)
    >>> done.tasks, done.done, done.files
    (6, 6, 1)
    >>> gather("swept").variables["loss"][1].shape
    (2, 3, 11)
    """
    from numerics.machine.progress import told  # by whoever asks; workers start without it

    path, part = place(folder).absolute(), "1/1" if shard is None else shard
    count = how_many(workers, SweepError)
    shard_of(0, part)  # before anything is written
    plan = prepare(path, target, grid=grid, runs=runs, settings=settings, seeds=seeds, seed=seed)
    wanted = shard_of(plan.tasks, part)
    count = min(count, max(1, len(wanted)))
    with engine(do, count, dask, error=SweepError, threads=1) as found, told(len(wanted), show) as tell:
        finish(Tasks(path, plan, wanted, tell), found)
    tidy(path, plan, wanted)
    return status(path)


def collect(folder: str | os.PathLike[str]) -> xarray.Dataset:
    """All results that the folder of a sweep has, as an `xarray.Dataset`; what is not done yet is nan.

    Its dimensions are the swept settings, `seed`, and the axes of the target. Refused: a folder without a sweep and
    damaged files (`SweepError`), and xarray not installed (`LabelledError`).
    """
    return gather(folder).to_xarray()


def failed(folder: str | os.PathLike[str], shard: str | None = None) -> dict[int, str]:
    """The sentences of those tasks of a sweep, or of one of its shards, that were done and failed, by their numbers.

    Refused with `SweepError`: a folder without a sweep, damaged files, and shards that there are not.

    >>> _ = sweep("failing", "deep_linear", grid={"steps": [1, 100]}, workers=1)  # one step is too long
    >>> list(failed("failing"))
    [0]
    """
    path = place(folder)
    return failures(path, shard_of(plan_of(path).tasks, "1/1" if shard is None else shard))


def shard_of(tasks: int, shard: str) -> range:
    """The tasks of a shard such as "17/200", counted from 1.

    >>> shard_of(10, "3/4")
    range(5, 7)
    """
    first, slash, last = str(shard).partition("/")
    if not (slash and first.isascii() and first.isdigit() and last.isascii() and last.isdigit()):
        raise SweepError(f"a shard is written NUMBER/COUNT, such as 17/200, not {shown(shard)}")
    number, count = int(first), int(last)
    if not is_whole(tasks, 0):
        raise SweepError(f"tasks must be a whole number of at least 0, got {shown(tasks)}")
    if not 1 <= number <= count:
        raise SweepError(f"there is no shard {shard}: its number is from 1 to {count}")
    return range(int(tasks) * (number - 1) // count, int(tasks) * number // count)


def prepare(
    folder: str | os.PathLike[str],
    target: str | None = None,
    *,
    grid: Mapping[str, str | Iterable[object]] | None = None,
    runs: Sequence[Mapping[str, object]] = (),
    settings: Mapping[str, object] | None = None,
    seeds: int = 1,
    seed: int = 0,
) -> Plan:
    """Write the plan of a sweep into a folder, as `sweep` would, and do nothing of it; without a target the folder's
    own plan.

    >>> prepare("planned", "deep_linear", grid={"scale": "0.01,0.1"}, seeds=3).tasks
    6
    """
    path = place(folder)
    if target is None:
        if grid or runs or settings or (seeds, seed) != (1, 0):
            raise SweepError("grid, runs, settings, seeds and seed need a target, such as deep_linear")
        return plan_of(path)
    plan = planned(target, grid=grid, runs=runs, settings=settings, seeds=seeds, seed=seed)
    begin(path, plan)
    return plan
