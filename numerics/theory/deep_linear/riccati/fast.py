"""QQ'(t) of a linear network at many times, eight at once, from starts that are well conditioned.

In the modes of F (frequencies f, rows Y of the start) QQ' = T M^-1 T' for

    T = exp(f t) Y C,   M = C' (I + Y' Phi Y) C,   Phi the integral of exp(2 f t),

with any invertible C. Two choices are made, and a third one between them:

- early: C = I, as long as M stays small;
- late: C = Y+^-1 E, where Y+ are the rows of the growing modes, a square block, and E = exp(-f t) there. What grows
  cancels: with X = (other rows) Y+^-1 and their D = exp(f t), which never exceeds one,
  T = [I; D X E] and M = E (Y+^-T Y+^-1 + X' Phi X) E + (I - E^2)/(2 f);
- between: the same with fewer rows in Y+, and C that leaves as many of the start's coordinates as they are.

With M = L L' (Cholesky) and G = T L^-T, QQ' is (W G)(W G)', where W turns modes into units. W mixes modes in pairs
before it multiplies by the singular vectors of the task, which halves that product.

Rounding errors grow with the condition number of M with its diagonal scaled to one; `riccati.forms` keeps them below
1e-12 of the largest entry.

Where rows of Y+ depend on those of faster modes, as on the way to a saddle or with a bottleneck, Y+ has the others
only. What rounding leaves of a dependent row would grow: the times end before it matters, and later ones, if any, are
left to the way for every start.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np

from numerics.machine.crew import threads_for, together
from numerics.machine.lanes.registers import lanes_for, registers
from numerics.machine.lanes.rooms import aligned
from numerics.machine.specialise import specialise
from numerics.theory.deep_linear.modes import Array, Modes
from numerics.theory.deep_linear.riccati import robust, shifted
from numerics.theory.deep_linear.riccati.forms import Form, forms, narrow

PARTS = (
    "numerics.machine.lanes",
    "numerics.machine.lanes.pieces",
    "numerics.theory.deep_linear.riccati.tiles",
    "numerics.theory.deep_linear.riccati.fast_kernel",
    "numerics.theory.deep_linear.riccati.distance_kernel",
)
SIDES = (5, 4, 3)  # of a tile, what there is to choose from
LIKE = 100.0  # times the largest singular value of a task that levels may be, for distances
EVEN = 1e6  # the largest ratio of squares of what growing modes see of the start, for distances
LONGEST = 150.0  # time constants of the slowest mode, after which squares of distances leave the doubles
STEADY = 2500  # what a time costs besides the cube of the number of modes
LARGE = 1_000_000  # doubles of a result, which is then written past the caches: it would not stay there
CROSSOVER = 30_000_000  # of such costs, from which on other threads repay being woken: about a millisecond of one


def suits(modes: Modes, times: Array) -> bool:
    """Check whether one network is conditioned for errors below 1e-12 of the largest entry at these times."""
    if modes.means > 0.0:
        as_balanced = shifted.balanced(modes)
        return as_balanced is not None and suits(as_balanced[0], times)
    return bool(forms(narrow(modes), times.max(initial=0.0)))


def qqt(modes: Modes, times: Array) -> Array | None:
    """QQ'(t) with inputs first, (T, Ni + No, Ni + No), for one network; None if it does not suit."""
    if np.any(times[1:] < times[:-1]):
        order = np.argsort(times)
        states = qqt(modes, times[order])
        return None if states is None else states[np.argsort(order)]
    if modes.means > 0.0:
        return _between_levels(modes, times)
    modes = narrow(modes)
    chain = forms(modes, times.max(initial=0.0))
    if not chain:
        return None
    size = modes.inputs + modes.outputs
    rows = times.size + lanes_for(registers())  # groups of times may end after the last one
    out = aligned((rows, size, size), made=np.empty)
    done = 0
    for form in chain:
        first, done = done, int(np.searchsorted(times, form.end))
        _run("states", modes, form, times[first:done], out[first:], out.size > LARGE)
    if done < times.size:
        out[done : times.size] = robust.states(modes, times[done:])
    return out[: times.size]


def distances(modes: Modes, times: Array) -> Array:
    """The sum of squares of Sigma - W2 W1 for one network at each time; nan where another way has to be taken.

    It is computed without QQ', and accurately however small it is.
    """
    if np.any(times[1:] < times[:-1]):
        order = np.argsort(times)
        return distances(modes, times[order])[np.argsort(order)]
    squares = np.full(times.size + lanes_for(registers()), np.nan)
    if modes.means > 0.0:
        lower = shifted.balanced(modes)
        return squares[: times.size] if lower is None else distances(lower[0], times)
    modes, done = narrow(modes), 0
    for form in forms(modes, times.max(initial=0.0)):
        first, done = done, int(np.searchsorted(times, form.end))
        exact = first + int(np.searchsorted(times[first:done], _exact_until(modes, form)))
        _run("distances", modes, form, times[first:exact], squares[first:], True)
        _run("distances", modes, form, times[exact:done], squares[exact:], False)
    squares[done:] = np.nan
    return squares[: times.size]


def _exact_until(modes: Modes, form: Form) -> float:
    """Until when distances need no difference: not at all if a growing mode is not inside or H would be rounding."""
    growing, sizes = modes.frequencies > 0.0, np.diagonal(form.A)
    if not (growing[: modes.pairs].all() and form.inside[growing].all()):
        return 0.0
    of_task = 2.0 * modes.cosines * modes.sines * modes.frequencies[: modes.pairs]
    levels = modes.frequencies.max() > LIKE * of_task.max()  # whose rounding would be in the distance
    if levels or sizes.max() > EVEN * sizes.min():  # a solve with M is off by rounding times the root of the ratio
        return 0.0
    return LONGEST / float(modes.frequencies[growing].min())


def _between_levels(modes: Modes, times: Array) -> Array | None:
    """QQ'(t) from a start of two levels, by the balanced one it is but for a constant diagonal."""
    as_balanced = shifted.balanced(modes)
    if as_balanced is None:
        return None
    states = qqt(as_balanced[0], times)
    if states is not None:
        diagonals = states.reshape(times.size, as_balanced[1].size ** 2)[:, :: as_balanced[1].size + 1]
        diagonals += as_balanced[1]
    return states


@cache
def _kernel(name: str, side: int) -> Callable[..., Any]:
    return specialise(name, PARTS, _shape(side))


def _side(*sizes: int) -> int:
    """The side of tiles that wastes least on matrices of these sizes: larger tiles load less, smaller ones fill up."""
    return min(SIDES, key=lambda side: sum(-(-size // side) * side for size in sizes) ** 3 * (side + 2) / side)


def _shape(side: int) -> dict[str, int]:
    """The side of a tile, how many times at once, and how many columns of a tile, as there is room in the registers."""
    features = registers()
    lanes = lanes_for(features)
    room = (
        features.number * features.doubles // lanes - side - 1
    )  # beside a column of the left and an entry of the right
    return {"SIDE": side, "LANES": lanes, "ABREAST": min(side, max(1, room // side))}


def _run(what: str, modes: Modes, form: Form, times: Array, out: Array, *more: bool) -> None:
    """Write QQ', or distances, at these times and up to the end of a group."""
    if times.size == 0:
        return
    basis = (modes.cosines, modes.sines, modes.right, modes.left)
    known = (times, modes.frequencies, form.inside, form.X, form.A, *basis, out.reshape(-1), *more)
    threads = threads_for(times.size * (modes.frequencies.size**3 + STEADY), CROSSOVER)
    kernel = _kernel(what, _side(modes.inputs, modes.outputs, form.A.shape[0]))
    together(partial(kernel, np.zeros(1, dtype=np.int64), *known), threads)
