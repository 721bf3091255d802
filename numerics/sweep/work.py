"""Doing consecutive tasks, whoever asks for them: this process, another one on this machine, or one of Dask.

    do("folder", 0, 500)

Nothing but the numbers of the tasks is sent, and nothing but the time they took comes back: the plan is read from the
folder, and the results are written there.
"""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numerics import NumericsError
from numerics.machine.blas import one_thread
from numerics.machine.tasks.answers import Tell, silent
from numerics.sweep.files import Piece, plan_of, save
from numerics.sweep.plan import Plan
from numerics.sweep.targets import SweepError, code


def do(folder: str, first: int, last: int, tell: Tell = silent) -> float:
    """Do tasks `first` to `last` - 1 of the sweep in a folder, keep what they return there, and tell the seconds.

    Refused with `SweepError`: a folder without a sweep, one that was begun by other code, and results that are not as
    the target says.
    """
    from numerics.machine.specialise import processor

    begin = perf_counter()
    plan = plan_of(Path(folder))
    if code(plan.target) != plan.code:
        raise SweepError(f"{folder} was begun by other code, or with other versions of packages; choose another folder")
    tasks, shapes = range(first, last), plan.shapes()
    arrays = {name: np.full((len(tasks), *shape), np.nan) for name, shape in shapes.items()}
    failures = {}
    for row, number in enumerate(tasks):
        task = plan.task(number)
        try:
            with one_thread():  # as a process or a worker of any kind would do it
                returned = plan.made.run(task.settings, task.seed)
        except NumericsError as trouble:
            failures[number] = str(trouble)
            continue
        except Exception as trouble:
            what = f"task {number} of {plan.target} with {dict(task.settings)}"
            raise SweepError(f"{what} stopped: {type(trouble).__name__}: {trouble}") from trouble
        for name, array in _checked(plan, returned).items():
            arrays[name][row] = array
    seconds = perf_counter() - begin
    save(Path(folder), plan, Piece(tasks, arrays, failures, seconds, (processor(),)))
    return seconds


def _checked(plan: Plan, returned: object) -> dict[str, NDArray[Any]]:
    """Return what a task returned, if it is what its target says."""
    if not isinstance(returned, dict) or returned.keys() != plan.made.variables.keys():
        raise SweepError(f"{plan.target} must return {', '.join(plan.made.variables)}")
    arrays = {name: np.asarray(value) for name, value in returned.items()}
    for name, shape in plan.shapes().items():
        if arrays[name].shape != shape or arrays[name].dtype.kind not in "biuf":
            raise SweepError(f"{plan.target} must return {name} as real numbers of shape {shape}")
    return arrays
