"""Trajectories by Taylor series, eight starts at once.

    trajectory = by_series("numerics.theory.two_point.jets", starts, params, times, rtol=1e-12)
    trajectory.states[start, time, component], trajectory.messages[start]

The first argument names a module of jets, written like numerics/ode/methods/decay_jets.py. A step is as long as makes
the last coefficients count as much as the tolerance, relative to the state at its beginning; what is left out counts
less, and what the flow makes of it later may count more.

The method is explicit: it resolves the fastest rate of a flow for as long as it runs. Starts that take more than
PATIENCE steps are tried by an implicit method (numerics/ode/implicit.py). Each start has the
same bits on any number of threads, alone and among others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from numerics.machine.checks import callable_one, shown
from numerics.machine.specialise import specialise
from numerics.ode.implicit import SMALLEST_RTOL as IMPLICIT_RTOL
from numerics.ode.implicit import Found, Task, chosen, implicit, taken_over
from numerics.ode.trajectories import (
    MESSAGES,
    MOST_STEPS,
    Floats,
    IntegrateError,
    Trajectory,
    absolute_tolerances,
    increasing,
    names_of,
    share,
    starts_and_params,
    steps_allowed,
)

LANES = 8
SMALLEST_RTOL = 1e-13  # below it, rounding counts more than what a step leaves out
TOO_MANY = MESSAGES.index("too many steps")
PATIENCE = 4096  # steps after which a start may be stiff; about as many implicit ones take as long
PIECE = 4 * LANES  # starts that are worth a piece of their own
PARTS = ("numerics.machine.lanes", "numerics.machine.lanes.jets")


def by_series(  # noqa: PLR0917
    jets: str,
    starts: ArrayLike,
    params: ArrayLike,
    times: ArrayLike,
    rtol: float = 1e-12,
    atol: ArrayLike = 1e-12,
    *,
    parts: Sequence[str] = (),
    view: Callable[[Floats], None] | None = None,
    threads: int | None = None,
    most_steps: int = MOST_STEPS,
    method: str = "auto",
) -> Trajectory:
    """Follow many starts of one flow by its Taylor series.

    `jets` is the dotted name of a module of jets. `starts` is (start, component), or one row; `params` is one row for
    all starts or one for each; `times` increase, and the first is when the starts hold. `rtol` and `atol` (one number,
    or one for each component) bound what a step leaves out.
    `parts` names modules that the jets import from. `view` rewrites states (start, component, time) in place, piece by
    piece; this is how they lie in memory, with a few more columns than times. `most_steps` ends a start that takes too
    many, and `method` is as for `integrate`.

    Returns a `Trajectory`, whose `calls` are the steps that each start took, and the rates if it was implicit. Refused
    with `IntegrateError`: what `integrate` refuses, and tables with other columns than the jets have.

    >>> run = by_series("numerics.ode.methods.decay_jets", [1.0], [0.5], times=[0, 2], rtol=1e-12, atol=0)
    >>> round(float(run.states[0, 1, 0]), 12)
    0.367879441171
    """
    moments, parts = increasing(times), names_of(parts)
    if not isinstance(jets, str):
        raise IntegrateError(f"the jets must be the dotted name of a module, got {shown(jets)}")
    if view is not None:
        callable_one("view", view, IntegrateError)
    rows, given = starts_and_params(starts, params)
    absolute = absolute_tolerances(rtol, atol, rows.shape[1], SMALLEST_RTOL)
    advance, sizes = _compiled(jets, tuple(parts))
    for name, table, wanted in zip(("starts", "params"), (rows, given), sizes, strict=True):
        if table.shape[1] != wanted:
            raise IntegrateError(f"{name} has {table.shape[1]} columns where {jets} wants {wanted}")
    task, allowed = Task(rows, given, moments, float(rtol), absolute, threads), steps_allowed(most_steps)

    def by_steps(some: Task, most: int) -> Found:
        return _viewed(implicit(jets, parts, some, most), view)

    if chosen(method, rtol) == "implicit":
        results = by_steps(task, allowed)
    else:
        looks = method == "auto" and rtol >= IMPLICIT_RTOL and allowed > PATIENCE
        results = _explicit(advance, task, PATIENCE if looks else allowed, view)
        again = [lambda some: by_steps(some, PATIENCE), lambda some: _explicit(advance, some, allowed, view)]
        taken_over(results, looks & (results.codes == TOO_MANY), again, task)
    return Trajectory(
        moments, results.states, tuple([MESSAGES[code] for code in results.codes.tolist()]), results.calls
    )


def _explicit(advance: Callable[..., Any], task: Task, allowed: int, view: Callable[[Floats], None] | None) -> Found:
    """All starts by their series."""
    (count, components), size = task.rows.shape, task.moments.size
    padded = np.concatenate([task.moments, np.full(LANES - 1, task.moments[-1])])
    states = np.empty((count, components, padded.size))
    codes, outputs, steps = (np.zeros(count, dtype=np.int64) for _ in range(3))
    tables = (task.rows, task.given, padded, size, task.rtol, task.absolute, allowed, states, codes, outputs, steps)

    def piece(bounds: tuple[int, int]) -> None:
        advance(*bounds, *tables)
        if view is not None:
            view(states[slice(*bounds)])

    share(piece, count, task.threads, smallest=PIECE)
    return Found(states[:, :, :size].transpose(0, 2, 1), codes, steps)


def _viewed(results: Found, view: Callable[[Floats], None] | None) -> Found:
    """Return the same with states rewritten."""
    if view is None:
        return results
    states = np.ascontiguousarray(results.states.transpose(0, 2, 1))
    view(states)
    return results._replace(states=states.transpose(0, 2, 1))


@cache
def _compiled(jets: str, parts: tuple[str, ...]) -> tuple[Callable[..., Any], tuple[int, int]]:
    """The integrator for these jets, and how many components and parameters they have."""
    files = (*PARTS, *parts, jets, "numerics.ode.methods.taylor")

    def made(name: str) -> Any:
        return specialise(name, files)

    return made("advance"), (made("STATES"), made("PARAMETERS"))
