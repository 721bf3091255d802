"""Two-layer linear networks from balanced starts: QQ', network function, loss, kernels and limits at any time.

The network y = W2 W1 x learns white inputs by gradient flow with time constant tau: tau dW1/dt = W2'(Sigma - W2 W1) and
tau dW2/dt = (Sigma - W2 W1) W1'. From weights with W2'W2 - W1 W1' = balance I (zero-balanced ones, and all others for
which such weights exist) QQ' = [W1'W1, W1'W2'; W2 W1, W2 W2'] has an exact solution, in every dimension, for every
task, at every time. With `balance="any"` the functions take every start of two levels as well (see `levels_of`): with
Q = [W1'; W2] and J = diag(I, -I), those for which (QQ'J - a)(QQ'J + b) = 0. What is computed is that of the weights as
floats: `horizon` tells from when on that matters.
The bits depend neither on the number of threads nor on that of NumPy's products.
Leading axes of W1 and W2 count networks; the result has them in front of the axis of times.

    found = task(X, Y)                                    # or an array Sigma_yx
    balanced = balance(W1, W2)
    P = qqt(balanced.W1, balanced.W2, found, times)       # (T, Ni + No, Ni + No)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import ArrayLike

from numerics.kernels import kernel
from numerics.machine.blas import one_thread
from numerics.machine.checks import doubles, finite, is_real, is_whole, listed
from numerics.theory.deep_linear import horizon as _horizon
from numerics.theory.deep_linear import limit as _limit
from numerics.theory.deep_linear.balance import (
    TOLERANCE,
    Balanced,
    StartError,
    balance,
    balance_of,
    off_balance,
    side_by_side,
    weights_checked,
)
from numerics.theory.deep_linear.data import Task, Whitened, task, whiten
from numerics.theory.deep_linear.levels import Levels, levels_between, levels_of
from numerics.theory.deep_linear.modes import Array, Modes, modes
from numerics.theory.deep_linear.nearly import Nearly, nearest_solution
from numerics.theory.deep_linear.riccati import fast, robust
from numerics.theory.one_time import or_one_time

__all__ = [
    "Balanced",
    "Levels",
    "Nearly",
    "Stage",
    "StartError",
    "Task",
    "Whitened",
    "balance",
    "decoupling",
    "horizon",
    "in_pieces",
    "levels_of",
    "limit",
    "loss",
    "nearly",
    "network_function",
    "ntk",
    "qqt",
    "rsm",
    "sequence",
    "shallow",
    "task",
    "theorem_31",
    "weights",
    "whiten",
]

MANY = 64  # times from which on the fast path repays its preparation
IDENTITY, ANY = "identity", "any"  # what W2'W2 - W1 W1' may be: a multiple of the identity, or of two levels
RANK = 1e-12  # singular values below it, relative to the largest, count as zero in Theorem 3.1
SINGULAR = 1e-8  # B whose smallest singular value is below it leaves Theorem 3.1, which inverts B twice, no digit

Sigma = ArrayLike | Task


@dataclass(frozen=True)
class Stage:
    """One task of a sequence: QQ' while it is learned, and what every task of the sequence would lose meanwhile."""

    times: Array  # since the stage began
    qqt: Array  # (T, m, m)
    losses: Array  # (tasks, T)


# --- the network over time --------------------------------------------------------------------------------------------


@or_one_time(axis=-3)
@one_thread()
def qqt(
    W1: ArrayLike, W2: ArrayLike, sigma_yx: Sigma, times: ArrayLike, *, tau: float = 1.0, balance: str = IDENTITY
) -> Array:
    """QQ' = [W1'W1, W1'W2'; W2 W1, W2 W2'] of linear networks under gradient flow, at every time, exactly.

    `W1` (..., Nh, Ni) and `W2` (..., No, Nh) are balanced weights at time zero, `sigma_yx` (..., No, Ni) or a `Task` is
    what is learned, `times` (T), or one time, count from zero on, in units in which the time constant is `tau`. Returns
    (..., T, Ni + No, Ni + No), without T for one time, symmetric to the last bit and positive semidefinite. Refused
    with `StartError`: weights that are not balanced, shapes that do not fit, numbers that are not finite, and negative
    times. The other functions here take and refuse the same. `balance="any"` takes all starts of two levels, see
    `levels_of`. Weights that are on the way to a saddle leave it in the end, as their rounding grows; `limit` has the
    saddle, and `horizon` the time up to which nothing of that can be seen.

    >>> qqt([[0.1]], [[0.1]], [[1.0]], [0.0, 2.0, 20.0])[:, 0, 0].round(4).tolist()
    [0.01, 0.3555, 1.0]
    >>> qqt([[1.0], [0.0]], [[0.0, 1.0]], [[3.0]], [1.0, 9.0], balance="any")[:, 1, 0].round(4).tolist()
    [2.9744, 3.0]
    """
    return _states(_modes(W1, W2, sigma_yx, balance), _times(times, tau))


def in_pieces(
    W1: ArrayLike,
    W2: ArrayLike,
    sigma_yx: Sigma,
    times: Iterable[float],
    *,
    tau: float = 1.0,
    balance: str = IDENTITY,
    at_once: int = 1000,
) -> Iterator[tuple[Array, Array]]:
    """Times and QQ' at them, `at_once` after `at_once`: for more times than there is memory for, and for endless ones.

    `times` is anything that can be gone through, such as a generator; it is read as far as pieces are asked for. The
    other arguments are those of `qqt`. Sums, maxima and the like are computed from one piece after the other.

    >>> pieces = in_pieces([[0.1]], [[0.1]], [[1.0]], (0.5 * step for step in range(10**9)), at_once=4)
    >>> when, states = next(pieces)
    >>> when.tolist(), states[:, 1, 0].round(4).tolist()
    ([0.0, 0.5, 1.0, 1.5], [0.01, 0.0267, 0.0695, 0.1687])
    """
    if not is_whole(at_once, 1):
        raise StartError(f"at_once must be a whole number of at least 1, not {at_once!r}.")
    try:
        left = iter(times)
    except TypeError:
        raise StartError("The times must be numbers that can be gone through, such as a list or a generator.") from None
    with one_thread():
        in_modes, _ = _modes(W1, W2, sigma_yx, balance), _times([], tau)
    return _pieces(in_modes, left, tau, int(at_once))


def _pieces(in_modes: Modes, left: Iterator[float], tau: float, at_once: int) -> Iterator[tuple[Array, Array]]:
    while some := list(islice(left, at_once)):
        with one_thread():
            states = _states(in_modes, _times(some, tau))
        yield np.array(some, dtype=float), states


def _states(in_modes: Modes, when: Array) -> Array:
    if when.size < MANY:
        return robust.states(in_modes, when)
    states = [_fastest(network, when) for network in in_modes.each()]
    if not states:
        return robust.states(in_modes, when)
    together = states[0] if len(states) == 1 else np.stack(states)  # one network's states are not copied
    return together.reshape(*in_modes.balance.shape, *states[0].shape)


def _fastest(network: Modes, when: Array) -> Array:
    """One network, eight times at once where it is well conditioned."""
    states = fast.qqt(network, when)
    return robust.states(network, when) if states is None else states


@or_one_time(axis=-3)
@one_thread()
def network_function(
    W1: ArrayLike, W2: ArrayLike, sigma_yx: Sigma, times: ArrayLike, *, tau: float = 1.0, balance: str = IDENTITY
) -> Array:
    """Return what the network computes, W2 W1, at every time: (..., T, No, Ni). Arguments are those of `qqt`.

    >>> network_function([[0.1]], [[0.1]], [[1.0]], [0.0, 2.0])[:, 0, 0].round(4).tolist()
    [0.01, 0.3555]
    """
    inputs = weights_checked(W1, W2)[0].shape[-1]
    return np.ascontiguousarray(qqt(W1, W2, sigma_yx, times, tau=tau, balance=balance)[..., inputs:, :inputs])


@or_one_time(axis=-3)
@one_thread()
def weights(
    W1: ArrayLike, W2: ArrayLike, sigma_yx: Sigma, times: ArrayLike, *, tau: float = 1.0, balance: str = IDENTITY
) -> tuple[Array, Array]:
    """W1 (..., T, Nh, Ni) and W2 (..., T, No, Nh) at every time, up to one rotation of the hidden units at each time.

    QQ' does not determine that rotation. With more hidden units than inputs and outputs together, those that carry
    nothing are zero. Arguments are those of `qqt`.

    >>> W1, W2 = weights([[0.1]], [[0.1]], [[1.0]], [2.0])
    >>> round(abs(float(W1[0, 0, 0])), 4), round(float(W2[0, 0, 0] * W1[0, 0, 0]), 4)
    (0.5962, 0.3555)
    """
    in_modes, when = _modes(W1, W2, sigma_yx, balance), _times(times, tau)
    Q = robust.factors(in_modes, when)
    idle = np.shape(W1)[-2] - Q.shape[-1]
    Q = np.concatenate([Q, np.zeros((*Q.shape[:-1], idle))], axis=-1)
    return np.swapaxes(Q[..., : in_modes.inputs, :], -1, -2).copy(), Q[..., in_modes.inputs :, :].copy()


@or_one_time(axis=-1)
@one_thread()
def loss(
    W1: ArrayLike, W2: ArrayLike, sigma_yx: Sigma, times: ArrayLike, *, tau: float = 1.0, balance: str = IDENTITY
) -> Array:
    """Half the mean squared error at every time: (..., T). Arguments are those of `qqt`.

    It is the least loss of the task (zero where only Sigma is given) and half the sum of squares of Sigma - W2 W1. The
    two are subtracted only where that leaves twelve digits, and the sum is of full relative accuracy however far
    learning has come.

    >>> loss([[0.1]], [[0.1]], [[1.0]], [0.0, 2.0]).round(4).tolist()
    [0.49, 0.2077]
    """
    in_modes, when = _modes(W1, W2, sigma_yx, balance), _times(times, tau)
    least = sigma_yx.least_loss if isinstance(sigma_yx, Task) else 0.0
    result = np.empty((*in_modes.balance.shape, when.size))
    result[..., when > 0.0] = 0.5 * _distances(in_modes, when[when > 0.0])
    with np.errstate(over="ignore"):  # a loss beyond every double is infinite
        result[..., when == 0.0] = 0.5 * np.sum((_array(sigma_yx) - _product(W1, W2)) ** 2, axis=(-2, -1))[..., None]
    return np.asarray(least + result)


def _distances(in_modes: Modes, when: Array) -> Array:
    """The sums of squares of Sigma - W2 W1 at positive times."""
    if when.size < MANY:
        return robust.distances(in_modes, when)
    rows = []
    for network in in_modes.each():
        row = fast.distances(network, when)
        if (left := np.isnan(row)).any():
            row[left] = robust.distances(network, when[left])
        rows.append(row)
    return np.array(rows).reshape(*in_modes.balance.shape, when.size)


@or_one_time(axis=-3)
@one_thread()
def ntk(
    W1: ArrayLike,
    W2: ArrayLike,
    sigma_yx: Sigma,
    times: ArrayLike,
    X: ArrayLike,
    *,
    tau: float = 1.0,
    balance: str = IDENTITY,
) -> Array:
    """The neural tangent kernel of inputs X (Ni, P) at every time: (..., T, No P, No P). Other arguments are those of
    `qqt`.

    Outputs are stacked by rows: entry (a P + i, b P + j) belongs to output a of example i and output b of example j.

    >>> ntk([[0.1]], [[0.1]], [[1.0]], [0.0], X=[[1.0, 2.0]])[0].round(4).tolist()
    [[0.02, 0.04], [0.04, 0.08]]
    """
    data = _columns(X, weights_checked(W1, W2)[0].shape[-1])
    P, inputs = qqt(W1, W2, sigma_yx, times, tau=tau, balance=balance), data.shape[0]
    first, second = data.T @ P[..., :inputs, :inputs] @ data, P[..., inputs:, inputs:]
    kernel_of = np.einsum("ab,...ij->...aibj", np.eye(second.shape[-1]), first)
    kernel_of += np.einsum("...ab,ij->...aibj", second, data.T @ data)
    side = second.shape[-1] * data.shape[1]
    return np.asarray(kernel_of.reshape(*P.shape[:-2], side, side))


@or_one_time(axis=-3)
@one_thread()
def rsm(
    W1: ArrayLike,
    W2: ArrayLike,
    sigma_yx: Sigma,
    times: ArrayLike,
    X: ArrayLike,
    *,
    tau: float = 1.0,
    balance: str = IDENTITY,
) -> Array:
    """Similarities X'W1'W1 X of the hidden layer for inputs X (Ni, P) at every time: (..., T, P, P).

    Other arguments are those of `qqt`.

    >>> rsm([[0.1]], [[0.1]], [[1.0]], [0.0], X=[[1.0, 2.0]])[0].round(4).tolist()
    [[0.01, 0.02], [0.02, 0.04]]
    """
    data = _columns(X, weights_checked(W1, W2)[0].shape[-1])
    P, inputs = qqt(W1, W2, sigma_yx, times, tau=tau, balance=balance), data.shape[0]
    return np.asarray(data.T @ P[..., :inputs, :inputs] @ data)


@one_thread()
def limit(
    W1: ArrayLike, W2: ArrayLike, sigma_yx: Sigma, *, tolerance: float = _limit.TOLERANCE, balance: str = IDENTITY
) -> Array:
    """QQ' where the flow rests in the end, for every start: also at saddles, with bottlenecks, and for B singular.

    `W1`, `W2` and `sigma_yx` are those of `qqt`; returns (..., Ni + No, Ni + No). A start counts as orthogonal to a
    mode of the task if their cosine is below the tolerance, and so forth: see `numerics.theory.deep_linear.limit`.

    >>> limit([[0.1]], [[0.1]], [[2.0]]).round(4).tolist()
    [[2.0, 2.0], [2.0, 2.0]]
    """
    in_modes = _modes(W1, W2, sigma_yx, balance)
    if not (is_real(tolerance) and 0.0 <= tolerance < 1.0):
        raise StartError(f"The tolerance must be a number from 0 on and below 1, not {tolerance}.")
    ends = [_limit.limit(network, tolerance) for network in in_modes.each()]
    return np.stack(ends).reshape(*in_modes.balance.shape, *ends[0].shape)


@one_thread()
def horizon(W1: ArrayLike, W2: ArrayLike, sigma_yx: Sigma, *, tau: float = 1.0, balance: str = IDENTITY) -> Array:
    """Up to which time `qqt` shows neither the rounding of these weights nor what their balance is off by: (...).

    It is infinite but for starts that see nothing of some growing direction of the task, which end on a saddle. Then it
    is about ln(1/noise)/(2 f), with the rate f of that direction and the noise of the weights relative to their size:
    18/f for weights that are balanced to the last digit, 12/f where their balance is off by 10^-10. Afterwards the flow
    leaves the saddle, as it must from these floats, but not from the weights that they stand for. Arguments are those
    of `qqt`.

    >>> horizon([[1.0]], [[1.0]], [[1.0]]).tolist(), horizon([[1.0]], [[-1.0]], [[1.0]]).round(2).tolist()
    (inf, 18.02)
    """
    first, second = weights_checked(W1, W2)
    in_modes, _ = _modes(first, second, sigma_yx, balance), _times([], tau)
    off = off_balance(first, second) if balance == IDENTITY else levels_of(first, second).deviation
    off = np.broadcast_to(off, in_modes.balance.shape)
    ends = [_horizon.horizon(in_modes.one(at), float(off[at])) for at in np.ndindex(in_modes.balance.shape)]
    return np.asarray(float(tau) * np.array(ends, dtype=float).reshape(in_modes.balance.shape))


@one_thread()
def nearly(W1: ArrayLike, W2: ArrayLike, sigma_yx: Sigma, times: ArrayLike, *, tau: float = 1.0) -> Nearly:
    """The exact solution that is nearest to any weights, and how far the true QQ' is from it at most, at every time.

    Arguments are those of `qqt`, for one network, whose W2'W2 - W1 W1' may be anything: weights drawn at random, or
    exact ones with an error. Returns a `Nearly`: `states` (T, m, m), their levels `a` and `b`, the `distance` of the
    weights at time zero, and at every time two bounds of the distance of QQ', which are derived in
    `numerics.theory.deep_linear.nearly`: `bound`, and `bound_from_distance`, which knows nothing else of the weights.
    They are infinite where none was found.

    >>> found = nearly([[0.3], [0.1]], [[0.2, -0.1]], [[1.0]], [0.0, 2.0, 20.0])
    >>> found.states[:, 1, 0].round(4).tolist(), bool(found.bound.max() < 1e-10)
    ([0.05, 0.7869, 1.0], True)
    """
    first, second = weights_checked(W1, W2)
    sigma, when = _task_checked(sigma_yx, first, second), _times(times, tau)
    if first.ndim != 2 or second.ndim != 2 or sigma.ndim != 2:
        raise StartError("nearly takes one network at a time.")
    return nearest_solution(first, second, sigma, when)


# --- several tasks, and simpler networks ------------------------------------------------------------------------------


@one_thread()
def sequence(
    W1: ArrayLike,
    W2: ArrayLike,
    tasks: Sequence[Sigma],
    times: Sequence[ArrayLike],
    *,
    tau: float = 1.0,
    balance: str = IDENTITY,
) -> list[Stage]:
    """One network that learns one task after another: a `Stage` for each, with QQ' and the losses of all tasks
    meanwhile.

    `W1` (Nh, Ni) and `W2` (No, Nh) are balanced weights, `tasks` are Sigma_yx or `Task`, and `times` has the times of
    each stage, counted from its beginning; its last one is when the next task takes over. `tau` and `balance` are those
    of `qqt`. Refused with `StartError`: what `qqt` refuses, several networks at once, and stages without times.

    >>> stages = sequence([[0.1]], [[0.1]], [[[1.0]], [[2.0]]], [[0.0, 20.0], [0.0, 20.0]])
    >>> [stage.losses.round(3).tolist() for stage in stages]
    [[[0.49, 0.0], [1.98, 0.5]], [[0.0, 0.5], [0.5, 0.0]]]
    """
    tasks, times = listed("tasks", tasks, StartError), listed("times", times, StartError)
    if len(tasks) != len(times):
        raise StartError(f"There are {len(tasks)} tasks but times for {len(times)}.")
    first, second = weights_checked(W1, W2)
    for task_of_stage in tasks:
        _task_checked(task_of_stage, first, second)
    if any(array.ndim != 2 for array in (first, second, *map(_array, tasks))):
        raise StartError("sequence takes one network at a time.")
    conserved = _levels(first, second, balance)
    stages = []
    for current, at in zip(tasks, (_times(stage, tau) for stage in times), strict=True):
        if at.size == 0:
            raise StartError("Every stage of a sequence needs at least one time.")
        in_modes = modes(first, second, _array(current), *conserved)
        P = robust.states(in_modes, at)
        losses = np.stack([_loss_from(P, other, in_modes.inputs) for other in tasks])
        stages.append(Stage(at * float(tau), P, losses))
        Q = robust.factors(in_modes, at[-1:])[0]
        first, second = Q[: in_modes.inputs].T, Q[in_modes.inputs :]
    return stages


@or_one_time(axis=-3)
@one_thread()
def shallow(W: ArrayLike, sigma_yx: Sigma, times: ArrayLike, *, tau: float = 1.0) -> Array:
    """W at every time for networks without hidden layer, tau dW/dt = Sigma - W: (..., T, No, Ni).

    `W` and `sigma_yx` are (..., No, Ni), `times` (T) count from zero on. Refused with `StartError`: other shapes.

    >>> shallow([[0.0]], [[1.0]], [0.0, 1.0])[:, 0, 0].round(4).tolist()
    [0.0, 0.6321]
    """
    start, sigma, when = finite("W", W, StartError), _array(sigma_yx), _times(times, tau)[:, None, None]
    if start.ndim < 2 or start.shape[-2:] != sigma.shape[-2:]:
        raise StartError(
            f"W has shape {start.shape} and Sigma_yx has shape {sigma.shape}, but both are outputs x inputs."
        )
    return np.asarray(np.exp(-when) * start[..., None, :, :] - np.expm1(-when) * sigma[..., None, :, :])


@or_one_time(axis=-2)
@one_thread()
def decoupling(  # noqa: PLR0917
    a1: float, a2: float, b: float, s1: float, s2: float, times: ArrayLike, *, tau: float = 1.0
) -> Array:
    """The entries a1, a2, b of A'A = [a1, b; b, a2] at every time for a task diag(s1, s2): (T, 3).

    The first five arguments are numbers at time zero; `times` (T) count from there, in units in which the time constant
    is `tau`. Refused with `StartError`: negative a1, a2, s1 or s2, and b^2 above a1 a2.

    >>> decoupling(0.01, 0.01, 0.0, 2.0, 1.0, [0.0, 20.0]).round(4).tolist()
    [[0.01, 0.01, 0.0], [2.0, 1.0, 0.0]]
    """
    if not all(map(is_real, (a1, a2, b, s1, s2))):
        raise StartError("a1, a2, b, s1 and s2 must be finite numbers, one each: call this once for every start.")
    if min(a1, a2, s1, s2) < 0.0 or b * b > a1 * a2 * (1.0 + 1e-15):
        raise StartError("a1, a2, s1 and s2 must not be negative, and b^2 is at most a1 a2.")
    solved = kernel("braun_2022:decoupling")
    rows = [solved(float(a1), float(a2), float(b), float(s1), float(s2), float(t)) for t in _times(times, tau)]
    return np.array(rows, dtype=float).reshape(-1, 3)


@or_one_time(axis=-3)
@one_thread()
def theorem_31(W1: ArrayLike, W2: ArrayLike, sigma_yx: Sigma, times: ArrayLike, *, tau: float = 1.0) -> Array:
    """Theorem 3.1 of Braun et al. (2022) as printed, in plain NumPy, to compare with: (T, Ni + No, Ni + No).

    Arguments are those of `qqt`, for one network. It needs a zero-balanced start, full rank of W2 W1 and of Sigma, and
    an invertible B = U'U~ + V'V~; what it lacks is refused with `StartError`: singular values below 10^-12 of the
    largest, and a B with one below 10^-8. Above that the error goes with the square of 1/B.

    >>> theorem_31([[0.1]], [[0.1]], [[1.0]], [2.0])[0, 0].round(4).tolist()
    [0.3555, 0.3555]
    """
    first, second = weights_checked(W1, W2)
    sigma = _task_checked(sigma_yx, first, second)
    if first.ndim != 2 or second.ndim != 2 or sigma.ndim != 2 or np.any(balance_of(first, second)):
        raise StartError("Theorem 3.1 is about one zero-balanced network.")
    n = min(sigma.shape)
    U, S, V = np.linalg.svd(second @ first, full_matrices=False)
    U_t, S_t, V_t = np.linalg.svd(sigma)
    if S[-1] <= RANK * S[0] or S_t[-1] <= RANK * S_t[0] or first.shape[0] < n:
        raise StartError("Theorem 3.1 needs W2 W1 and Sigma_yx to have full rank.")
    overlap = float(np.linalg.svd(U.T @ U_t[:, :n] + V @ V_t[:n].T, compute_uv=False)[-1])
    if overlap <= SINGULAR:
        raise StartError(
            f"Theorem 3.1 needs an inverse of B = U'U~ + V'V~, whose smallest singular value is {overlap:.1e}; "
            "qqt and limit need none."
        )
    known = (U, np.diag(S), V.T, U_t[:, :n], np.diag(S_t), V_t[:n].T, U_t[:, n:], V_t[n:].T)
    printed = kernel("braun_2022:theorem_31")
    return np.array([printed(*known, float(t))[0] for t in _times(times, tau)])


# --- what goes in -----------------------------------------------------------------------------------------------------


def _modes(W1: ArrayLike, W2: ArrayLike, sigma_yx: Sigma, balance: str) -> Modes:
    first, second = weights_checked(W1, W2)
    sigma = _task_checked(sigma_yx, first, second)
    _, (first, second, sigma) = side_by_side("W1, W2 and Sigma_yx", first, second, sigma)
    return modes(first, second, sigma, *_levels(first, second, balance))


def _levels(W1: Array, W2: Array, balance: str) -> tuple[Array, Array]:
    """The balance of weights, and the geometric mean of their levels."""
    if balance not in (IDENTITY, ANY):
        raise StartError(f"balance= is '{IDENTITY}' or '{ANY}', not {balance!r}.")
    if balance == IDENTITY:
        conserved = balance_of(W1, W2, TOLERANCE)
        return conserved, np.zeros_like(conserved)
    levels = levels_between(W1, W2)
    return levels.balance, levels.mean


def _task_checked(sigma_yx: Sigma, W1: Array, W2: Array) -> Array:
    sigma, wanted = _array(sigma_yx), (W2.shape[-2], W1.shape[-1])
    if sigma.ndim < 2 or sigma.shape[-2:] != wanted:
        raise StartError(
            f"Sigma_yx has shape {sigma.shape}, but W2 W1 has {wanted[0]} outputs as rows and {wanted[1]} inputs "
            "as columns."
        )
    return sigma


def _times(times: ArrayLike, tau: float) -> Array:
    """Times in units of tau."""
    when = doubles("The times", times, StartError)
    if not (is_real(tau) and tau > 0.0):
        raise StartError(f"The time constant tau must be a positive number, not {tau}.")
    if when.ndim == 0:
        raise StartError("The times must be a list of numbers, such as [0.0, 1.0], not one number.")
    if when.ndim != 1:
        raise StartError(f"The times must be a list of numbers, not an array of shape {when.shape}.")
    if when.size == 0:
        return when
    least, most = float(when.min()), float(when.max())
    if not 0.0 <= least <= most < np.inf:
        raise StartError("Times must be finite and not negative: the flow starts at time zero.")
    if most / float(tau) == np.inf:
        raise StartError("The times over tau overflow: choose another unit of time.")
    when /= float(tau)
    return when


def _array(sigma_yx: Sigma) -> Array:
    return finite("Sigma_yx", sigma_yx.sigma_yx if isinstance(sigma_yx, Task) else sigma_yx, StartError)


def _product(W1: ArrayLike, W2: ArrayLike) -> Array:
    return np.asarray(np.asarray(W2, dtype=float) @ np.asarray(W1, dtype=float))


def _columns(data: ArrayLike, rows: int) -> Array:
    array = finite("The data", data, StartError)
    if array.ndim != 2 or array.shape[0] != rows:
        raise StartError(f"The data must have one row for each of the {rows} inputs, not the shape {array.shape}.")
    return array


def _loss_from(P: Array, other: Sigma, inputs: int) -> Array:
    """The loss of any task from QQ'."""
    least = other.least_loss if isinstance(other, Task) else 0.0
    return np.asarray(least + 0.5 * np.sum((_array(other) - P[..., inputs:, :inputs]) ** 2, axis=(-2, -1)))
