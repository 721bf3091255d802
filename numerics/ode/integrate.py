"""Trajectories of a kernel from many starts at once, to a requested tolerance.

    trajectory = integrate(kernel, starts, params, times, rtol=1e-10, atol=1e-12)
    trajectory.states[start, time, component], trajectory.messages[start]

A kernel is the name of a module that defines three jitted functions (numerics/ode/methods/decay.py is the smallest
one): `rates(t, state, params, out, scratch)` writes the rates of change, `scratch_size(params)` says how many doubles
it works in, and `prepare(params, scratch)` writes there what stays the same. Rows of another length are refused where
the module says how long they are: `PARAMETERS` is that number, or `ROW_SIZES` names a module beside it and a function
there that returns the numbers of components and of parameters that go with a row, None if it cannot be one. Each start
is integrated by one thread from beginning to end, so that the bits do not depend on the number of threads. A kernel
that defines `jets` is integrated by Taylor series instead (numerics/ode/series.py), eight starts at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from numpy.typing import ArrayLike

from numerics.machine.specialise import specialise
from numerics.ode.implicit import LANES, NUMBERS, Found, Task, chosen, follow, implicit, taken_over
from numerics.ode.implicit import SMALLEST_RTOL as IMPLICIT_RTOL
from numerics.ode.series import by_series
from numerics.ode.trajectories import (
    MESSAGES,
    MOST_STEPS,
    STIFF,
    Floats,
    IntegrateError,
    Trajectory,
    absolute_tolerances,
    increasing,
    names_of,
    starts_and_params,
    steps_allowed,
)

SMALLEST_RTOL = 2.0**-44  # below it, rounding would decide over steps


def integrate(  # noqa: PLR0917
    kernel: str,
    starts: ArrayLike,
    params: ArrayLike,
    times: ArrayLike,
    rtol: float = 1e-10,
    atol: ArrayLike = 1e-12,
    *,
    parts: Sequence[str] = (),
    threads: int | None = None,
    most_steps: int = MOST_STEPS,
    method: str = "auto",
) -> Trajectory:
    """Follow many starts of one flow to the times that are asked for, each to the same tolerance.

    `kernel` is the dotted name of the module that defines the flow, as described above. `starts` is (start, component),
    or one row; `params` is one row for all starts or one row for each; `times` increase, and the first is when the
    starts hold. Steps are chosen so that the local error stays below `atol` (one number, or one for each component)
    plus `rtol` times the size of the component. `parts` names modules that the kernel imports from, `threads` is how
    many work at once, and `most_steps` ends a start that takes too many. `method` is "explicit", "implicit" for stiff
    flows, or "auto": the implicit one for the starts whose explicit steps turn out to be bound by stability.

    Returns a `Trajectory`: `states` (start, time, component), `messages` ("" is success; states after a failure are not
    a number) and `calls`. Refused with `IntegrateError`: times that do not increase, tolerances that doubles cannot
    meet, and tables of the wrong shape.

    >>> run = integrate("numerics.ode.methods.decay", starts=[[1.0], [2.0]], params=[0.5], times=[0, 1, 2])
    >>> run.states[:, :, 0].round(6).tolist()
    [[1.0, 0.606531, 0.367879], [2.0, 1.213061, 0.735759]]
    """
    if not isinstance(kernel, str):
        raise IntegrateError(f"the kernel must be the dotted name of a module, got {kernel!r}")
    parts = names_of(parts)
    if _has_jets(kernel):
        options = {"parts": parts, "threads": threads, "most_steps": most_steps, "method": method}
        return by_series(kernel, starts, params, times, rtol, atol, **options)  # type: ignore[arg-type]
    moments = increasing(times)
    rows, given = starts_and_params(starts, params)
    _check_rows(kernel, rows.shape[1], given)
    absolute = absolute_tolerances(rtol, atol, rows.shape[1], SMALLEST_RTOL)
    steps, way = steps_allowed(most_steps), chosen(method, rtol)
    task = Task(rows, given, moments, float(rtol), absolute, threads)
    results = implicit(kernel, parts, task, steps) if way == "implicit" else _explicit(kernel, parts, task, steps, way)
    return Trajectory(
        moments, results.states, tuple([MESSAGES[code] for code in results.codes.tolist()]), results.calls
    )


def _explicit(kernel: str, parts: Sequence[str], task: Task, steps: int, way: str) -> Found:
    """All starts by the explicit method, but for those that are stiff, if that is the way."""
    advance, looks = compiled(kernel, parts), way == "auto" and task.rtol >= IMPLICIT_RTOL
    results = follow(advance, task, steps, looks)
    again = [lambda some: implicit(kernel, parts, some, steps), lambda some: follow(advance, some, steps, False)]
    taken_over(results, results.codes == STIFF, again, task)
    return results


def compiled(kernel: str, parts: Sequence[str] = (), name: str = "advance") -> Callable[..., Any]:
    """A function of the file that an integrator and a kernel make together."""
    return _compiled(kernel, tuple(parts), name)


@cache
def _compiled(kernel: str, parts: tuple[str, ...], name: str) -> Callable[..., Any]:
    return specialise(
        name, (LANES, "numerics.ode.methods.hermite", *parts, kernel, NUMBERS, "numerics.ode.methods.dop853")
    )


@cache
def _has_jets(kernel: str) -> bool:
    return hasattr(_module(kernel), "jets")


def _check_rows(kernel: str, components: int, given: Floats) -> None:
    """Refuse rows that are shorter than what the kernel reads, or longer, where it says how much that is."""
    wanted, sizes = getattr(_module(kernel), "PARAMETERS", None), _row_sizes(kernel)
    if wanted is not None and given.shape[1] != wanted:
        raise IntegrateError(f"params has {given.shape[1]} columns where {kernel} wants {wanted}")
    if sizes is None:
        return
    for row in given:
        lengths = sizes(row)
        if lengths is None:
            raise IntegrateError(f"{kernel} does not take the parameters {row[:4].tolist()}...")
        if lengths != (components, row.size):
            raise IntegrateError(
                f"{kernel} wants {lengths[0]} components and {lengths[1]} parameters, got {components} and {row.size}"
            )


def _row_sizes(kernel: str) -> Callable[[Floats], tuple[int, int] | None] | None:
    """The function that the kernel names, which stays out of the file that is compiled."""
    if not hasattr(_module(kernel), "ROW_SIZES"):
        return None
    beside, function = _module(kernel).ROW_SIZES
    return getattr(import_module(f"{kernel.rpartition('.')[0]}.{beside}"), function)  # type: ignore[no-any-return]


def _module(kernel: str) -> ModuleType:
    try:
        return import_module(kernel)
    except (ImportError, AttributeError, TypeError, ValueError):
        raise IntegrateError(f"{kernel!r} is not the dotted name of a module that can be imported") from None
