"""All results of a sweep together: along its swept settings, its seeds, and the axes of the target.

They can be put together while others still work on the sweep; what is missing is nan.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from math import nan
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from numerics.labelled import Labelled, Labels, Named
from numerics.sweep.files import Piece, listed, load, missing, place, plan_of, told
from numerics.sweep.plan import RUN, SEED, Plan
from numerics.sweep.targets import SweepError

LOOKS = 100  # at files that others are writing together
SOME = 10  # files that are read for the time that tasks take
SHOWN = 1000  # failures that a file tells


@dataclass(frozen=True)
class Results(Labelled):
    """Results of a sweep: arrays with the names of their axes, and what else is known of them."""

    coordinates: Named
    variables: Named
    missing: int  # tasks that are not done; their numbers are nan
    failures: Mapping[int, str]  # by the number of the task; their numbers are nan, too
    about: Mapping[str, str]

    def labels(self) -> Labels:
        """Both kinds of arrays, which have the names of their axes already."""
        return Labels(self.coordinates, self.variables, self.about)


@dataclass(frozen=True)
class Status:
    """How far a sweep is, by the names of its files, and from some of them how long tasks take and why any failed."""

    target: str
    tasks: int
    done: int
    files: int
    bytes: int
    each: float  # seconds of one core; nan where nothing is done
    failure: str = ""  # the sentence of a task that failed

    def __str__(self) -> str:
        words = f"{self.done} of {self.tasks} tasks of {self.target} are done, in {self.files} files"
        if 0 < self.done < self.tasks:
            from numerics.machine.progress import duration  # workers start without it

            words += f"; about {duration((self.tasks - self.done) * self.each)} of one core are left"
        return f"{words}; some failed: {self.failure}" if self.failure else words


def status(folder: str | os.PathLike[str]) -> Status:
    """How far the sweep in a folder is. Refused with `SweepError`: a folder without one, and a damaged file.

    >>> status("nothing")
    Traceback (most recent call last):
    numerics.sweep.targets.SweepError: there is no sweep in nothing: begin one with a target, such as deep_linear
    """
    path, plan = place(folder), plan_of(place(folder))
    there = listed(path)
    done = plan.tasks - sum(map(len, missing(there.values(), range(plan.tasks))))
    sizes, seconds, tasks, failure = [], 0.0, 0, ""
    for number, (file, held) in enumerate(there.items()):
        with suppress(FileNotFoundError):  # it was just written together with others
            sizes.append(file.stat().st_size)
            if number < SOME:
                took, failures = told(file)
                seconds, tasks = seconds + took, tasks + len(held)
                failure = failure or next(iter(failures.values()), "")
    return Status(plan.target, plan.tasks, done, len(sizes), sum(sizes), seconds / tasks if tasks else nan, failure)


def failures(folder: Path, tasks: range) -> dict[int, str]:
    """The sentences of those of these tasks that failed, in order; results are not looked at."""
    by_task: dict[int, str] = {}
    for file, held in listed(folder).items():
        if held.start < tasks.stop and tasks.start < held.stop:
            with suppress(FileNotFoundError):  # it was just written together with others
                by_task |= told(file)[1]
    return {number: by_task[number] for number in sorted(by_task) if number in tasks}


def gather(folder: str | os.PathLike[str]) -> Results:
    """All results that the folder of a sweep has.

    Refused with `SweepError`: a folder without a sweep, a damaged file, and one of another sweep.

    >>> from numerics.sweep import sweep
    >>> _ = sweep("gathered", "deep_linear", grid={"scale": [0.01, 0.1]}, settings={"until": 2.0}, workers=1)
    >>> gather("gathered").missing
    0
    """
    path, plan = place(folder), plan_of(place(folder))
    try:
        arrays = {name: np.full((plan.tasks, *shape), np.nan) for name, shape in plan.shapes().items()}
    except (MemoryError, ValueError):
        raise SweepError(
            f"the results of {plan.tasks} tasks need more memory than is here: use the files one by one"
        ) from None
    done, failures, processors, seconds = np.zeros(plan.tasks, bool), dict[int, str](), set[str](), 0.0
    for piece in _pieces(path, plan, done):
        at = slice(piece.tasks.start, piece.tasks.stop)
        done[at] = True
        for name, array in piece.arrays.items():
            arrays[name][at] = array
        failures |= piece.failures
        processors |= {*piece.processors}
        seconds += piece.seconds
    left = int((~done).sum())
    about = {
        "target": plan.target,
        "settings": json.dumps(dict(plan.settings)),
        "seed": str(plan.seed),
        "code": plan.code,
        "processors": ", ".join(sorted(processors)),
        "seconds": f"{seconds:.3f}",
        "missing": str(left),
        "failures": json.dumps(dict(sorted(failures.items())[:SHOWN])),
    }
    return Results(_coordinates(plan), _along(plan, arrays), left, failures, about)


def _pieces(folder: Path, plan: Plan, done: NDArray[np.bool_]) -> Iterator[Piece]:
    """Every result once, also while files are written together and removed; `done` is kept by the reader."""
    for _ in range(LOOKS):
        vanished = False
        for path, tasks in listed(folder).items():
            if tasks.stop > plan.tasks:
                raise SweepError(f"{path} is of another sweep; remove it, and run the sweep again for its tasks")
            if done[tasks.start : tasks.stop].all():
                continue
            try:
                yield load(path, plan, tasks)
            except FileNotFoundError:
                vanished = True
        if not vanished:
            return
    raise SweepError(f"the files of {folder} change faster than they are read; try again later")


def _along(plan: Plan, arrays: Mapping[str, NDArray[np.float64]]) -> Named:
    """The arrays along all axes: swept settings, seeds, and those of the target."""
    swept = tuple(name for name, _ in plan.axes)
    named: Named = {}
    for name, axes in plan.made.variables.items():
        array = arrays[name].reshape(plan.seeds, *plan.shape, *arrays[name].shape[1:])
        named[name] = ((*swept, SEED, *axes), np.ascontiguousarray(np.moveaxis(array, 0, len(swept))))
    return named


def _coordinates(plan: Plan) -> Named:
    named: Named = {}
    for name, values in plan.axes:
        if name != RUN:
            named[name] = ((name,), np.array(values))
            continue
        named[RUN] = ((RUN,), np.arange(len(values)))
        for key in dict.fromkeys(key for run in values for key in run):
            named[key] = ((RUN,), np.array([run.get(key, plan.settings.get(key)) for run in values]))
    used = {axis for axes in plan.made.variables.values() for axis in axes}
    own = {name: ((name,), array) for name, array in plan.coordinates.items() if name in used}
    return {**named, SEED: ((SEED,), np.arange(plan.seeds)), **own}
