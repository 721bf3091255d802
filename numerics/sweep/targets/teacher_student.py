"""Online gradient descent of finite networks, and the order parameters of infinitely large ones beside it.

A seed draws normal weights of size `scale` for the students; the teachers are orthonormal. Both sides start from the
overlaps that were drawn. An error is half the mean square of the difference between the answers, averaged exactly over
inputs, at the overlaps of the simulated network and at those of the theory; time counts samples per input.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numerics.simulate.teacher_student import learn
from numerics.sweep.targets import RECORDS, Settings, SweepError, Target
from numerics.theory import teacher_student

AXES = {"error": ("time",), "Q": ("time", "student", "other"), "R": ("time", "student", "teacher")}

SIZES = {"students": 2, "teachers": 2, "inputs": 500, "until": 20.0, "records": 11}


def _axes(settings: Settings) -> Mapping[str, NDArray[Any]]:
    records, K, M, N = (int(settings[name]) for name in ("records", "students", "teachers", "inputs"))
    if not 2 <= records <= RECORDS or min(K, M) < 1 or M > N or float(settings["until"]) * N < records:
        raise SweepError(
            f"teacher_student needs records from 2 to {RECORDS}, at least one student and one teacher, as many inputs "
            "as teachers, and an update for every record"
        )
    updates = _updates(settings)
    return {"time": updates / N, "student": np.arange(K), "other": np.arange(K), "teacher": np.arange(M)}


def _updates(settings: Settings) -> NDArray[np.int64]:
    """Whole numbers of updates, evenly spaced up to rounding."""
    last = float(settings["until"]) * int(settings["inputs"])
    return np.rint(np.linspace(0.0, last, int(settings["records"]))).astype(np.int64)


def _run(settings: Settings, seed: np.random.SeedSequence) -> dict[str, NDArray[Any]]:
    axes, updates, N = _axes(settings), _updates(settings), int(settings["inputs"])
    K, M, activation = axes["student"].size, axes["teacher"].size, str(settings["activation"])
    students = np.random.default_rng(seed).standard_normal((K, N)) * float(settings["scale"])
    teachers, T = np.sqrt(N) * np.eye(M, N), np.eye(M)
    shared: dict[str, Any] = {name: float(settings[name]) for name in ("eta", "sigma")}
    shared |= {"batch": int(settings["batch"]), "activation": activation}
    own = int(seed.spawn(1)[0].generate_state(1, np.uint64)[0])
    run = learn(students, teachers, updates=updates, seed=own, tests=0, threads=1, **shared)
    flow = teacher_student.trajectory(run.Q[0, 0], run.R[0, 0], T, times=axes["time"], **shared)
    if run.messages[0] or flow.message:
        raise SweepError(run.messages[0] or flow.message)
    pairs = zip(run.Q[0], run.R[0], strict=True)
    error = [teacher_student.generalisation_error(Q, R, T, activation=activation) for Q, R in pairs]
    arrays = {"error": np.array(error), "Q": run.Q[0], "R": run.R[0]}
    return {**arrays, "error_theory": flow.error, "Q_theory": flow.Q, "R_theory": flow.R}


TARGET = Target(
    defaults={"scale": 0.1, "eta": 1.0, "sigma": 0.0, "batch": 1, "activation": "erf", **SIZES},
    run=_run,
    variables={**AXES, **{f"{name}_theory": axes for name, axes in AXES.items()}},
    axes=_axes,
    says="the error and overlaps of online gradient descent beside order parameters",
)
