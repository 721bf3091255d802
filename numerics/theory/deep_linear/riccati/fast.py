"""QQ'(t) of a linear network at many times, eight at once, from starts that are well conditioned.

In the modes of F (frequencies f, rows Y of the start) QQ' = T M^-1 T' for

    T = exp(f t) Y C,   M = C' (I + Y' Phi Y) C,   Phi the integral of exp(2 f t),

with any invertible C. Two choices are made:

- early: C = I, as long as M stays small;
- late: C = Y+^-1 E, where Y+ are the rows of the growing modes, a square block, and E = exp(-f t) there. What grows
  cancels: with X = (other rows) Y+^-1 and their D = exp(f t), which never exceeds one,
  T = [I; D X E] and M = E (Y+^-T Y+^-1 + X' Phi X) E + (I - E^2)/(2 f).

With M = L L' (Cholesky) and G = T L^-T, QQ' is (W G)(W G)', where W turns modes into units. W mixes modes in pairs
before it multiplies by the singular vectors of the task, which halves that product.

Rounding errors grow with the condition number of M with its diagonal scaled to one; CONDITION keeps them below 1e-12 of
the largest entry. The late form is used for all times where it is so conditioned at time zero, and after the early one
where it is so conditioned at the first time that comes too late for the early one.

Where rows of Y+ depend on those of faster modes, as on the way to a saddle or with a bottleneck, Y+ has the others
only, and C leaves as many of the start's coordinates as they are. What rounding leaves of a dependent row would grow:
the times end before it matters, and later ones, if any, are left to the way for every start.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from numerics.machine.crew import threads_for, together
from numerics.machine.lanes.registers import lanes_for, registers
from numerics.machine.specialise import specialise
from numerics.theory.deep_linear.modes import Array, Modes
from numerics.theory.deep_linear.riccati import robust, shifted

PARTS = (
    "numerics.machine.lanes",
    "numerics.machine.lanes.pieces",
    "numerics.theory.deep_linear.riccati.tiles",
    "numerics.theory.deep_linear.riccati.fast_kernel",
)
SIDE = 4  # of a tile
ROUNDED = 1e-14  # singular values of a start below it, relative to the largest, are rounding
DEPENDENT = 1e-14  # what is new in a row, relative to the largest row, that counts as rounding
UNSEEN = 7.0  # time constants of such a row, in which its rounding grows by a thousand
OVERTAKEN = 300.0  # time constants in which squares of what grows are doubles
SEEN = 1e-3  # of a start, by growing modes, where its rounding does not matter
LIKE = 100.0  # times the largest singular value of a task that levels may be, for distances
EVEN = 1e6  # the largest ratio of squares of what growing modes see of the start, for distances
CONDITION = 1e4  # of M in the late form, scaled, as `condition` estimates it
LARGE = 1e300  # an integral that is as good as infinite
INVERSE = 1e8  # of A, which is computed from an inverse with a condition number of its root
GROWTH = 1e4  # of M in the early form
LONGEST = 150.0  # time constants of the slowest mode, after which squares of distances leave the doubles
STEADY = 2500  # what a time costs besides the cube of the number of modes
CROSSOVER = 30_000_000  # of such costs, from which on other threads repay being woken: about a millisecond of one


class Late(NamedTuple):
    """What the late form is made of, the modes inside it, and the range of the sorted times that it is for."""

    X: Array
    A: Array
    inside: NDArray[np.bool_]
    first: int
    end: int


def suits(modes: Modes, times: Array) -> bool:
    """Whether one network is conditioned well enough for errors below 1e-12 of the largest entry at these times."""
    if modes.means > 0.0:
        found = shifted.balanced(modes)
        return found is not None and suits(found[0], times)
    return _late(_narrow(modes), np.sort(times)) is not None


def qqt(modes: Modes, times: Array) -> Array | None:
    """QQ'(t) with inputs first, (T, Ni + No, Ni + No), for one network; None if it does not suit."""
    if np.any(times[1:] < times[:-1]):
        order = np.argsort(times)
        states = qqt(modes, times[order])
        return None if states is None else states[np.argsort(order)]
    if modes.means > 0.0:
        return _between_levels(modes, times)
    modes = _narrow(modes)
    late = _late(modes, times)
    if late is None:
        return None
    size = modes.inputs + modes.outputs
    out = np.empty((times.size + _shape()["LANES"], size, size))  # groups of times may end after the last one
    if late.first > 0:
        form = modes.components, np.eye(modes.components.shape[1])
        _run("states", modes, np.zeros_like(late.inside), form, times[: late.first], out)
    if late.first < late.end:
        _run("states", modes, late.inside, (late.X, late.A), times[late.first : late.end], out[late.first :])
    if late.end < times.size:
        out[late.end : times.size] = robust.states(modes, times[late.end :])
    return out[: times.size]


def distances(modes: Modes, times: Array) -> Array:
    """The sum of squares of Sigma - W2 W1 for one network at each time; nan where another way has to be taken.

    It comes from the late form alone, without QQ', and accurately however small it is.
    """
    if np.any(times[1:] < times[:-1]):
        order = np.argsort(times)
        return distances(modes, times[order])[np.argsort(order)]
    found = np.full(times.size, np.nan)
    if modes.means > 0.0:
        lower = shifted.balanced(modes)
        return found if lower is None else distances(lower[0], times)
    modes, growing = _narrow(modes), modes.frequencies > 0.0
    of_task = 2.0 * modes.cosines * modes.sines * modes.frequencies[: modes.pairs]
    small = modes.frequencies.max() > LIKE * of_task.max()  # beside levels, whose rounding would be in the distance
    late = None if small or not growing[: modes.pairs].all() else _late(modes, times)
    if late is None or not late.inside[growing].all():
        return found
    sizes = np.diagonal(late.A)  # entries of a solve with M are off by rounding times the root of the ratio of two
    if sizes.max() > EVEN * sizes.min():
        return found
    end = int(np.searchsorted(times, LONGEST / modes.frequencies[growing].min()))
    if late.first < end:
        lanes = _shape()["LANES"]
        out = np.empty(-(-(end - late.first) // lanes) * lanes)
        _run("distances", modes, growing, (late.X, late.A), times[late.first : end], out)
        found[late.first : end] = out[: end - late.first]
    return found


def _between_levels(modes: Modes, times: Array) -> Array | None:
    """QQ'(t) from a start of two levels, by the balanced one it is but for a constant diagonal."""
    found = shifted.balanced(modes)
    if found is None:
        return None
    states = qqt(found[0], times)
    if states is not None:
        diagonals = states.reshape(times.size, found[1].size ** 2)[:, :: found[1].size + 1]
        diagonals += found[1]
    return states


def _narrow(modes: Modes) -> Modes:
    """The same with a column for each growing mode, if the start has no higher rank: hidden units may be many more.

    What is left out is rounding, relative to the whole start: it matters where growing modes see little of that, which
    is what decides how a saddle is left, so that such starts stay as they are.
    """
    growing = modes.frequencies > 0.0
    wanted = int(np.count_nonzero(growing))
    if modes.components.shape[1] <= wanted or wanted == 0:
        return modes
    _, values, turned = np.linalg.svd(modes.components, full_matrices=False)
    if values[wanted] > ROUNDED * values[0]:
        return modes
    narrow = np.ascontiguousarray(modes.components @ turned[:wanted].T)  # errors are relative to rows
    if not np.linalg.svd(narrow[growing], compute_uv=False)[-1] > SEEN * values[0]:
        return modes
    return replace(modes, components=narrow)


def _late(modes: Modes, ordered: Array) -> Late | None:
    """The late form for these times, or nothing if it is too badly conditioned where it has to begin."""
    f, Y = modes.frequencies, modes.components
    growing = f > 0.0
    if not growing.any():
        return None
    if Y.shape[-1] == np.count_nonzero(growing):
        X, A = _kernel("late_form")(Y[growing], Y[~growing])
        first = _first(modes, ordered, X, A, growing)
        if first is not None:
            return Late(X, A, growing, first, ordered.size)
    return _partial(modes, ordered)


def _partial(modes: Modes, ordered: Array) -> Late | None:
    """The late form with some of the growing modes, where the others see nothing new of the start.

    Fast modes come first, so that what a mode that is left out shares with them falls behind theirs.
    """
    f, Y = modes.frequencies, modes.components
    chosen, directions = _independent(Y, np.flatnonzero(f > 0.0))
    count, inside = len(chosen), np.zeros(f.size, dtype=np.bool_)
    inside[chosen] = True
    if count in (0, np.count_nonzero(f > 0.0)):
        return None
    free = directions[:, count:]
    X, A = _kernel("late_form")(Y[inside] @ directions[:, :count], Y[~inside] @ directions[:, :count])
    X, whole = np.concatenate([X, Y[~inside] @ free], axis=1), np.eye(Y.shape[1])
    whole[:count, :count] = A
    fastest = float(f[(f > 0.0) & ~inside].max())
    end = int(np.searchsorted(ordered, (UNSEEN if free.size else OVERTAKEN) / fastest))
    first = _first(modes, ordered[:end], X, whole, inside) if end else None
    if first is None or (first < end and _middle(f, X, whole, inside, ordered[end - 1]) > CONDITION):
        return None
    return Late(X, whole, inside, first, end)


def _independent(Y: Array, rows: NDArray[np.intp]) -> tuple[list[int], Array]:
    """Those of the rows that do not depend on ones before, and orthogonal columns of which as many span them."""
    spanned, chosen = np.zeros((0, Y.shape[1])), list[int]()
    least = DEPENDENT * float(np.linalg.norm(Y[rows], axis=1).max())
    for k in rows.tolist():
        rest = Y[k] - spanned.T @ (spanned @ Y[k])
        rest -= spanned.T @ (spanned @ rest)
        size = float(np.linalg.norm(rest))
        if size > least and len(chosen) < Y.shape[1]:
            spanned = np.concatenate([spanned, [rest / size]])
            chosen.append(k)
    return chosen, np.linalg.qr(spanned.T, mode="complete").Q


def _first(modes: Modes, ordered: Array, X: Array, A: Array, inside: NDArray[np.bool_]) -> int | None:
    """From which of the times on a late form is well conditioned, with the early one until then; or nothing."""
    condition = _kernel("condition")(A)
    if condition <= CONDITION:
        return 0
    if condition > INVERSE:
        return None
    first = int(np.searchsorted(_growth(modes, ordered), GROWTH, side="right"))
    first = min(first, int(np.searchsorted(ordered, OVERTAKEN / modes.frequencies.max())))
    if first < ordered.size and _middle(modes.frequencies, X, A, inside, ordered[first]) > CONDITION:
        return None
    return first


def _middle(f: Array, X: Array, A: Array, inside: NDArray[np.bool_], t: float) -> float:
    """How badly M is conditioned at one time."""
    decays, integrals = np.ones(A.shape[0]), np.zeros(A.shape[0])
    count = np.count_nonzero(inside)
    decays[:count], integrals[:count] = np.exp(-f[inside] * t), _integral(-f[inside], t)
    return float(_kernel("condition")(_kernel("late_middle")(X, A, decays, integrals, _integral(f[~inside], t))))


def _integral(f: Array, t: Array | float) -> Array:
    """The integral of exp(2 f t) from zero to t, for f up to zero or f t small."""
    with np.errstate(over="ignore"):
        x = 2.0 * f * t
        mean = np.divide(np.expm1(x), x, out=np.ones_like(x), where=x != 0.0)
        integral: Array = np.multiply(mean, t)
    return integral


def _growth(modes: Modes, times: Array) -> Array:
    """A bound on the norm of I + Y' Phi Y at each time."""
    integrals = np.minimum(_integral(modes.frequencies, times[:, None]), LARGE)  # of which zero times is zero
    with np.errstate(over="ignore"):  # beyond every double is beyond every bound
        bound: Array = 1.0 + integrals @ np.sum(modes.components**2, axis=1)
    return bound


@cache
def _kernel(name: str) -> Callable[..., Any]:
    return specialise(name, PARTS, _shape())


@cache
def _shape() -> dict[str, int]:
    """How many times at once, and how many columns of a tile: as the processor's registers have room."""
    found = registers()
    lanes = lanes_for(found)
    whole = SIDE * SIDE * lanes // found.doubles < found.number  # accumulators, and some room for what they are made of
    return {"LANES": lanes, "ABREAST": SIDE if whole else SIDE // 2}


def _run(  # noqa: PLR0917
    what: str, modes: Modes, inside: NDArray[np.bool_], form: tuple[Array, Array], times: Array, out: Array
) -> None:
    """Write QQ', or distances, at these times and up to the end of a group; `inside` modes have rows of I in T."""
    basis = (modes.cosines, modes.sines, modes.right, modes.left)
    arguments = (np.zeros(1, dtype=np.int64), times, modes.frequencies, inside, *form, *basis, out.reshape(-1))
    threads = threads_for(times.size * (modes.frequencies.size**3 + STEADY), CROSSOVER)
    together(partial(_kernel(what), *arguments), threads)
