"""Linear attention that learns regression in context, by gradient flow: exact solutions, and the steps of small heads.

A context has tokens x ~ N(0, L), targets w'x with w ~ N(0, I), and a query x_q; with beta, the mean of (w'x) x, the
answer is beta'P x_q. The loss is half the mean square error, in units of time in which weights move by its gradient.

- `Merged` heads, P = sum_i v_i U_i, are a two-layer linear network on the features beta x_q'. For L = l I these are
  white, and `merged` is the exact solution from every start of two levels; one head is always such.
- Separate heads, P = sum_i v_i k_i q_i', have three layers. A head k = q = v u on an eigenvector u of L stays there,
  and heads on different ones do not meet: `aligned` is the exact solution, by an implicit one for each head.
- From small random separate heads the loss falls in steps, one for each direction of L: `staircase` says when, from how
  each head grows while it is small. That is exact in the limit of small heads alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numerics import NumericsError
from numerics.labelled import Labelled
from numerics.machine.blas import one_thread
from numerics.machine.checks import finite, is_real, is_whole, shown
from numerics.theory import deep_linear
from numerics.theory.linear_attention.implicit import HALF, time_between, value_at
from numerics.theory.linear_attention.small import Small, after, escape
from numerics.theory.one_time import is_one, or_one_time

__all__ = [
    "AttentionError",
    "Course",
    "Directions",
    "Staircase",
    "aligned",
    "directions",
    "merged",
    "staircase",
    "time_between",
    "value_at",
]

Array = NDArray[np.float64]
MOST = 1e60  # of a strength, whose cube is a double
ROUNDING = 1e-12  # of a covariance: how far it may be from symmetric


class AttentionError(NumericsError):
    """Heads or contexts that there is no solution for; the message is one sentence."""


@dataclass(frozen=True)
class Directions:
    """The eigenvectors of the covariance, the largest eigenvalue first."""

    strengths: Array  # (D): the eigenvalues l
    axes: Array  # (D, D): eigenvectors as columns
    spreads: Array  # (D): c = 1 + (1 + tr(L)/l)/tokens, infinite where l is zero

    @property
    def ends(self) -> Array:
        """The value that a head on a direction ends with, (l c)^(-1/3)."""
        return np.asarray((self.strengths * self.spreads) ** (-1.0 / 3.0))

    @property
    def plateaus(self) -> Array:
        """The loss when none, one, ... and all of the directions are learned."""
        return np.asarray((self.strengths.sum() - np.append(0.0, np.cumsum(self.strengths / self.spreads))) / 2.0)

    def loss(self, values: Array) -> Array:
        """The loss of heads of these values (..., D) on the directions."""
        l, c, p = self.strengths, self.spreads, values**3
        return np.asarray((l * ((1.0 - l * p) ** 2 + (c - 1.0) * (l * p) ** 2)).sum(-1) / 2.0)


@dataclass(frozen=True)
class Course(
    Labelled,
    axes={"values": ("time", "direction"), "loss": ("time",)},
    clock={"times": "time"},
):
    """The values of heads on the directions at each time, and the loss."""

    values: Array  # time, D
    loss: Array  # time
    times: Array


@dataclass(frozen=True)
class Staircase:
    """The steps of small heads, the first one first: which direction is learned when, and by which head."""

    directions: tuple[int, ...]
    heads: tuple[int, ...]
    escapes: Array  # when a head that stays small would have grown beyond all bounds
    times: Array  # when half of the direction is learned
    course: Course


@one_thread()
def directions(covariance: ArrayLike, *, tokens: int) -> Directions:
    """The directions in which contexts of so many `tokens` with this `covariance` (D, D) are learned.

    Refused with `AttentionError`: a covariance that is not symmetric, or has a value that is not positive.

    >>> directions(np.diag([1.0, 3.0]), tokens=4).plateaus.round(3).tolist()
    [2.0, 1.053, 0.83]
    """
    L = finite("covariance", covariance, AttentionError)
    if L.ndim != 2 or L.shape[0] != L.shape[1] or L.size == 0:
        raise AttentionError(f"covariance must be (D, D), got shape {L.shape}")
    if np.abs(L - L.T).max() > ROUNDING * np.abs(L).max():
        raise AttentionError("covariance must be symmetric")
    if not is_whole(tokens, 1):
        raise AttentionError(f"tokens must be a whole number of at least 1, got {shown(tokens)}")
    strengths, axes = np.linalg.eigh((L + L.T) / 2.0)
    if strengths[0] <= 0.0:
        raise AttentionError("covariance must have positive values: leave out directions without tokens")
    strengths, axes = strengths[::-1], axes[:, ::-1]
    return Directions(strengths, axes, 1.0 + (1.0 + strengths.sum() / strengths) / tokens)


@one_thread()
def aligned(values: ArrayLike, covariance: ArrayLike, *, tokens: int, times: ArrayLike) -> Course:
    """Separate heads k = q = v u, one on each eigenvector u of the covariance: the exact solution of gradient flow.

    `values` (D) are those of the heads at time zero, not negative, the one of the largest eigenvalue first, and zero
    where there is no head. `covariance` (D, D) is that of the inputs, and `tokens` the length of a context. `times`
    (T), or one time, count from zero on. Refused with `AttentionError`: shapes that do not fit, values and times below
    zero, and covariances with values that are not positive.

    >>> course = aligned([0.1, 0.1], np.diag([3.0, 1.0]), tokens=100, times=[0.0, 0.8, 3.0, 12.0])
    >>> course.loss.round(2).tolist()
    [1.99, 1.67, 0.53, 0.06]
    """
    axes, alone = directions(covariance, tokens=tokens), is_one(times)
    when = _times(np.reshape(np.asarray(times), 1) if alone else times)
    starts = finite("values", values, AttentionError)
    if starts.shape != axes.strengths.shape or (starts < 0.0).any():
        raise AttentionError(f"values must be {axes.strengths.size} numbers that are not negative, got {starts}")
    course = _course(axes, starts, when)
    return Course(course.values[0], course.loss[0], course.times[0]) if alone else course


@or_one_time(axis=0)
@one_thread()
def merged(value: ArrayLike, matrix: ArrayLike, strength: float, *, tokens: int, times: ArrayLike) -> Array:
    """Merged heads that see tokens x ~ N(0, strength I): P at every time (T, D, D), exactly.

    `value` (heads) and `matrix` (heads, D, D) are the heads at time zero, `times` (T), or one time, count from there
    on, and `tokens` is the length of a context. Refused with `AttentionError`: shapes that do not fit; and with
    `StartError`: starts of more than two levels, see `numerics.theory.deep_linear.levels_of`.

    >>> merged([0.1], [np.eye(2) / 10], 1.0, tokens=10, times=[0.0, 2.0, 9.0])[:, 0, 0].round(3).tolist()
    [0.01, 0.612, 0.769]
    """
    v, U, when = finite("value", value, AttentionError), finite("matrix", matrix, AttentionError), _times(times)
    if v.ndim != 1 or U.ndim != 3 or U.shape[1] != U.shape[2] or len(U) != len(v) or U.size == 0:
        raise AttentionError(f"value must be (heads) and matrix (heads, D, D), got shapes {v.shape} and {U.shape}")
    if is_real(strength) and strength > MOST:
        raise AttentionError(f"strength must be at most {MOST:g}, got {shown(strength)}")
    if not (is_real(strength) and strength > 0.0 and is_whole(tokens, 1)):
        raise AttentionError(
            f"strength must be positive and tokens at least 1, got {shown(strength)} and {shown(tokens)}"
        )
    D, strength = U.shape[1], float(strength)
    spread = 1.0 + (1.0 + D) / float(tokens)
    target = np.eye(D).reshape(1, -1) / (strength * spread)
    pace = strength**3 * spread
    functions = deep_linear.network_function(U.reshape(len(v), -1), v[None], target, pace * when, balance="any")
    return np.asarray(functions.reshape(when.size, D, D))


@one_thread()
def staircase(
    value: ArrayLike, key: ArrayLike, query: ArrayLike, covariance: ArrayLike, *, tokens: int, times: ArrayLike
) -> Staircase:
    """The steps in which small separate heads learn, to leading order in their size.

    `value` (heads), `key` and `query` (heads, D) are the heads at time zero, `covariance` (D, D) is that of the inputs,
    and `tokens` the length of a context; `times` (T) count from zero on. The head that escapes first from the slope
    of what is not learned takes a direction, as a head of the implicit solution that escapes then; the others go on
    without that direction from the time at which its lessening slope has had the same effect. Refused with
    `AttentionError`: shapes that do not fit, heads as large as at their end, and what `aligned` refuses.

    >>> heads = np.full(2, 0.02), 0.02 * np.eye(2), 0.02 * np.eye(2)
    >>> found = staircase(*heads, np.diag([3.0, 2.0]), tokens=100, times=[0.0, 10.0, 20.0])
    >>> found.directions, found.escapes.round(3).tolist(), found.course.loss.round(2).tolist()
    ((0, 1), [5.556, 12.5], [2.5, 1.03, 0.07])
    """
    axes, when = directions(covariance, tokens=tokens), _times(times)
    heads = _heads(value, key, query, axes)
    order: list[int] = []
    learners: list[int] = []
    escapes: list[float] = []
    now = 0.0
    while heads and len(order) < axes.strengths.size:
        waits = {number: escape(head) for number, head in heads.items()}
        first = min(waits, key=waits.__getitem__)
        if not isfinite(waits[first]):
            break
        taken = _direction(heads.pop(first), axes)
        order.append(taken)
        learners.append(first)
        escapes.append(now + waits[first])
        later = max(now, escapes[-1] - 1.0 / (axes.ends[taken] * axes.strengths[taken] ** 2))
        heads = {number: _without(after(head, later - now), taken) for number, head in heads.items()}
        now = later
    at, ended = list(order), np.array(escapes)
    strengths, ends = axes.strengths[at], axes.ends[at]
    starts = np.zeros(axes.strengths.size)
    starts[at] = 1.0 / (strengths**2 * ended)
    times_of_half = ended + HALF / (ends * strengths**2)
    return Staircase(tuple(order), tuple(learners), ended, times_of_half, _course(axes, starts, when))


# --- parts ------------------------------------------------------------------------------------------------------------


def _course(axes: Directions, starts: Array, when: Array) -> Course:
    """Heads on the directions, each by its implicit solution."""
    each = zip(starts, axes.strengths, axes.spreads, strict=True)
    values = np.stack([value_at(when, start, l, c) for start, l, c in each], axis=-1)
    return Course(values, axes.loss(values), when)


def _heads(value: ArrayLike, key: ArrayLike, query: ArrayLike, axes: Directions) -> dict[int, Small]:
    """The heads in the axes of the covariance, by their numbers."""
    v, k, q = (finite(name, x, AttentionError) for name, x in (("value", value), ("key", key), ("query", query)))
    D = axes.strengths.size
    if v.ndim != 1 or k.shape != (len(v), D) or q.shape != (len(v), D):
        raise AttentionError(
            f"value must be (heads), key and query (heads, {D}), got shapes {v.shape}, {k.shape} and {q.shape}"
        )
    largest, end = max(float(np.abs(part).max(initial=0.0)) for part in (v, k, q)), float(axes.ends[0])
    if largest >= end:
        raise AttentionError(f"heads must be smaller than the {end:.3g} that they end with, one has {largest:.3g}")
    return {
        number: Small(float(one), k[number] @ axes.axes, q[number] @ axes.axes, axes.strengths**2)
        for number, one in enumerate(v)
    }


def _direction(head: Small, axes: Directions) -> int:
    """The direction in which a head is longest when it is as large as at the end."""
    wait = escape(head)
    size = axes.ends[np.argmax(head.pace)]
    near = after(head, max(wait - 1.0 / (size * head.pace.max()), 0.0))
    return int(np.argmax(np.where(head.pace > 0.0, np.abs(near.key) + np.abs(near.query), -inf)))


def _without(head: Small, direction: int) -> Small:
    """The head on the slope that is left when a direction is learned."""
    pace = head.pace.copy()
    pace[direction] = 0.0
    return Small(head.value, head.key, head.query, pace)


def _times(times: ArrayLike) -> Array:
    checked_times = finite("times", times, AttentionError)
    if checked_times.ndim != 1 or (checked_times < 0.0).any():
        raise AttentionError("times must be a list of numbers that are not negative")
    return checked_times
