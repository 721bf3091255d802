"""The case of online learning that several laws look at: two students, three teachers, noise."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from numerics.simulate.teacher_student import learn
from numerics.theory import teacher_student
from numerics.theory.teacher_student.chain import chain

Floats = NDArray[np.float64]

Q = np.array([[0.3, 0.1], [0.1, 0.5]])
R = np.array([[0.1, 0.05, -0.02], [0.0, 0.2, 0.1]])
T = np.eye(3)
ETA, SIGMA = 0.8, 0.3
TIME = 2


def flow(batch: int) -> float:
    """The error at TIME by the flow of infinitely many inputs."""
    times = [0.0, float(TIME)]
    run = teacher_student.trajectory(Q, R, T, eta=ETA, sigma=SIGMA, batch=batch, times=times, rtol=1e-12, atol=1e-13)
    return float(run.error[-1])


def errors_of_chain(inputs: int, replicas: int, batch: int = 1, updates: int | None = None) -> Floats:
    """The errors of replicas after TIME or after so many updates, by the Markov chain of the overlaps."""
    done = TIME * inputs if updates is None else updates
    runs = chain(Q, R, T, inputs=inputs, updates=[done], eta=ETA, sigma=SIGMA, batch=batch, replicas=replicas, seed=1)
    return runs.error[:, 0]


def errors_of_networks(inputs: int, replicas: int, batch: int = 1, updates: int | None = None) -> Floats:
    """Return the same errors by gradient descent on weights with these overlaps."""
    done = TIME * inputs if updates is None else updates
    whole = np.linalg.cholesky(np.block([[T, R.T], [R, Q]]))
    weights = np.zeros((5, inputs))
    weights[:, :5] = np.sqrt(inputs) * whole
    students, teachers = weights[3:], weights[:3]
    runs = learn(
        students, teachers, updates=[done], eta=ETA, sigma=SIGMA, batch=batch, replicas=replicas, seed=2, tests=1
    )
    last = zip(runs.Q[:, 0], runs.R[:, 0], strict=True)
    return np.array([teacher_student.generalisation_error(one_Q, one_R, T) for one_Q, one_R in last])
