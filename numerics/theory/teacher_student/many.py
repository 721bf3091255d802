"""Order parameters from many starts at once, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numerics.labelled import Labelled
from numerics.labelled.quantities import of_students
from numerics.ode.integrate import integrate
from numerics.ode.trajectories import increasing
from numerics.theory.teacher_student.averages import I2_table
from numerics.theory.teacher_student.flows import smooth_runs
from numerics.theory.teacher_student.setting import FLOWS, PARTS, Rules, Setting, covariances, not_negative, setting

Floats = NDArray[np.float64]
LEAST_SLACK, SLACK = 1e-7, 100.0  # how far a run may leave the cone of covariances; the second one times rtol


@dataclass(frozen=True)
class Trajectories(
    Labelled,
    axes={**of_students("start", "time"), "messages": ("start",)},
    clock={"times": "time"},
    units={"time": "updates per input dimension"},
):
    """The order parameters of many starts; from where a run stopped they are nan, and its message says why."""

    times: Floats
    Q: Floats  # start, time, K, K
    R: Floats  # start, time, K, M
    v: Floats  # start, time, K
    error: Floats  # start, time; without the noise of the teacher, which would add sigma^2/2
    messages: Sequence[str]  # "" is success


def trajectories(
    Q: ArrayLike,
    R: ArrayLike,
    T: ArrayLike,
    *,
    v: ArrayLike | None = None,
    v_teacher: ArrayLike | None = None,
    eta: float,
    eta_v: float = 0.0,
    sigma: float = 0.0,
    batch: int = 1,
    activation: str = "erf",
    times: ArrayLike,
    rtol: float = 1e-10,
    atol: float = 1e-12,
    quadrature: float = 1e-5,
    threads: int | None = None,
) -> Trajectories:
    """Integrate the order parameters of online learning from many starts, side by side.

    `Q` (starts, K, K) and `R` (starts, K, M) are the overlaps at the first of `times`; `v` is (K) for all starts or
    (starts, K); everything else is as for `trajectory`, with whose numbers those of each start agree. `threads` is how
    many work at once.

    Returns `Trajectories`: Q (start, time, K, K), R, v, the errors, and a message for each start. Refused: what
    `trajectory` refuses, before anything is computed.

    >>> runs = trajectories([[[0.01]], [[0.5]]], np.zeros((2, 1, 1)), [[1.0]], eta=1.0, times=[0, 20])
    >>> runs.error.round(4).tolist(), runs.messages
    ([[0.1698, 0.0001], [0.2748, 0.0001]], ('', ''))
    """
    rules, moments = Rules(eta, eta_v, sigma, batch, activation), increasing(times)
    not_negative("quadrature", quadrature)
    checked = setting(Q, R, T, v, v_teacher, many=True)
    return followed(checked, rules, moments, rtol, atol, quadrature, threads)


def followed(  # noqa: PLR0917
    start: Setting,
    rules: Rules,
    times: Floats,
    rtol: float,
    atol: float,
    quadrature: float,
    threads: int | None = None,
) -> Trajectories:
    """The order parameters from checked starts (start, K, K) of Q, and alike of R."""
    count, K, M = start.R.shape
    lower_K, lower_M, learns = np.tril_indices(K), np.tril_indices(M), rules.eta_v > 0
    v = np.broadcast_to(start.v, (count, K))
    rows = start.v if start.v.ndim == 2 else start.v[None]
    shared = np.concatenate([[K, M, *rules.numbers], start.T[lower_M], start.v_teacher])
    params = np.hstack([np.tile(shared, (len(rows), 1)), rows])
    overlaps = [start.Q[:, lower_K[0], lower_K[1]], start.R.reshape(count, -1)]
    states, messages = _integrated(
        np.hstack([*overlaps, v] if learns else overlaps), params, rules, times, rtol, atol, quadrature, threads
    )
    first_R, first_v = lower_K[0].size, lower_K[0].size + K * M
    Q = np.empty((count, times.size, K, K))
    Q[..., lower_K[0], lower_K[1]] = Q[..., lower_K[1], lower_K[0]] = states[..., :first_R]
    R = states[..., first_R:first_v].reshape(count, times.size, K, M)
    second = states[..., first_v:] if learns else np.repeat(v[:, None], times.size, axis=1)
    C = covariances(Q, R, start.T)
    for k, at in _outside(C, max(LEAST_SLACK, SLACK * rtol)):
        for part in (Q, R, second, C):
            part[k, at:] = np.nan
        messages[k] = f"at t = {times[at]:g} Q, R and T are no covariance any more; a smaller rtol may help"
    errors = _errors(C, second, start.v_teacher, rules.activation)
    return Trajectories(times, Q, R, second, errors, tuple(messages))


def _integrated(  # noqa: PLR0917
    states: Floats,
    params: Floats,
    rules: Rules,
    times: Floats,
    rtol: float,
    atol: float,
    quadrature: float,
    threads: int | None,
) -> tuple[Floats, list[str]]:
    """States (start, time, component) and messages; one start after the other where rules of nodes have to be found."""
    name = rules.activation
    if name in FLOWS:
        run = integrate(FLOWS[name], states, params, times, rtol, atol, parts=PARTS.get(name, ()), threads=threads)
        return run.states, list(run.messages)
    rows = np.broadcast_to(params, (len(states), params.shape[1]))
    runs = [
        smooth_runs.run(name, state, row, times, rtol, atol, quadrature)
        for state, row in zip(states, rows, strict=True)
    ]
    return np.concatenate([run.states for run in runs]), [run.messages[0] for run in runs]


def _outside(C: Floats, slack: float) -> list[tuple[int, int]]:
    """The starts that leave the cone of covariances, by this part of the largest eigenvalue or more, and when first."""
    reached = np.asarray(np.isfinite(C).all(axis=(2, 3)))
    eigenvalues = np.linalg.eigvalsh(np.where(reached[..., None, None], C, 0.0))
    bad = reached & (eigenvalues[..., 0] < -slack * eigenvalues[..., -1])
    return [(int(k), int(np.argmax(bad[k]))) for k in np.flatnonzero(bad.any(axis=1))]


def _errors(C: Floats, v: Floats, v_teacher: Floats, activation: str) -> Floats:
    """Half of s'I2 s at every time; what rounding leaves below zero is zero."""
    s = np.concatenate([-v, np.broadcast_to(v_teacher, (*v.shape[:2], v_teacher.size))], axis=2).reshape(-1, C.shape[2])
    table = I2_table(C, activation).reshape(-1, *C.shape[2:])
    errors: Floats = 0.5 * np.einsum("tf,tfh,th->t", s, table, s)
    return np.where(errors < 0, 0.0, errors).reshape(C.shape[:2])
