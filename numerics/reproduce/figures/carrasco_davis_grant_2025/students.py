"""Students and teachers of these figures, their simulation, and the equations from the same start."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from numerics.machine.replicas import Runs
from numerics.reproduce.figures.panel import Array
from numerics.simulate.teacher_student import learn
from numerics.theory.teacher_student import Trajectory, generalisation_error, trajectory

TIME = r"time $t$ = examples$/N$"
ERROR = r"error $\mathcal{E}$"


class Start(NamedTuple):
    """Weights, one row for each unit."""

    students: Array
    teachers: Array

    @property
    def overlaps(self) -> tuple[Array, Array, Array]:
        """Q, R and T."""
        W, B, N = self.students, self.teachers, self.teachers.shape[1]
        return _symmetric(W @ W.T / N), W @ B.T / N, _symmetric(B @ B.T / N)


class Course(NamedTuple):
    """Simulated replicas, and the solution of the equations from their start."""

    times: Array
    runs: Runs
    theory: Trajectory

    @property
    def relative_gap(self) -> float:
        """The largest distance of a simulated error from the solution's, relative to the error at the start."""
        return float(np.abs(self.runs.error - self.theory.error).max() / self.theory.error[0])

    @property
    def overlap_gaps(self) -> Array:
        """The largest distance of an overlap from the solution's: (replica, time)."""
        Q = np.abs(self.runs.Q - self.theory.Q).max(axis=(2, 3))
        return np.asarray(np.maximum(Q, np.abs(self.runs.R - self.theory.R).max(axis=(2, 3))))


def planted(shares: Array, deviation: float, inputs: int, rng: np.random.Generator) -> Start:
    """Students with R = `shares` and Q = R R' + deviation^2 I, of orthonormal teachers, whatever the dimension is."""
    K, M = shares.shape
    frame = np.linalg.qr(rng.standard_normal((inputs, K + M)))[0].T * np.sqrt(inputs)
    return Start(shares @ frame[:M] + deviation * frame[M:], frame[:M])


def updates_at(times: Array, inputs: int) -> Array:
    """The updates that are nearest to these times, which count examples per input."""
    return np.asarray(np.rint(times * inputs), dtype=np.int64)


def follow(start: Start, times: Array, *, seed: int, tests: int, replicas: int, **rates: Any) -> Course:
    """Simulate, with errors measured on `tests` fresh inputs, and solve the equations."""
    updates = updates_at(times, start.teachers.shape[1])
    weights = start.students, start.teachers
    runs = learn(*weights, updates=updates, seed=seed, tests=tests, replicas=replicas, **rates)
    exact = updates / start.teachers.shape[1]
    return Course(exact, runs, trajectory(*start.overlaps, times=exact, **rates))


def errors(Q: Array, R: Array, T: Array) -> Array:
    """Equation 19 at overlaps of any number of runs and times, without noise."""
    values = [generalisation_error(q, r, T) for q, r in zip(_flat(Q), _flat(R), strict=True)]
    return np.array(values).reshape(Q.shape[:-2])


def matching(R: Array) -> Array:
    """The number of the teacher with which each student has most in common."""
    return np.asarray(np.argmax(R, axis=-1))


def specialisation(R: Array) -> Array:
    """The mean over students of the overlap with one teacher minus the mean overlap with the others, over time.

    The teacher is the one that the student has most in common with in the end.
    """
    K, M = R.shape[-2:]
    own = R[:, np.arange(K), matching(R[-1])]
    return np.asarray(np.mean(own - (R.sum(axis=2) - own) / (M - 1), axis=1))


def crossing(times: Array, curve: Array, level: float) -> float:
    """When a curve is last above a level; the end, if it stays above."""
    above = np.flatnonzero(curve > level)
    return float(times[min(above[-1] + 1, len(times) - 1)]) if above.size else float(times[0])


def _symmetric(matrix: Array) -> Array:
    return (matrix + matrix.T) / 2.0


def _flat(matrices: Array) -> Array:
    return matrices.reshape(-1, *matrices.shape[-2:])
