"""Reads the arguments that describe students and teachers: each as numbers, or refused in one sentence."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numerics import NumericsError
from numerics.machine.checks import doubles

Floats = NDArray[np.float64]


class TeacherStudentError(NumericsError):
    """Arguments that describe no students and teachers, or none that can learn; the message is one sentence."""


def finite(name: str, values: ArrayLike) -> Floats:
    """A copy of these values, all of them finite."""
    numbers = doubles(name, values, TeacherStudentError)
    if not np.isfinite(numbers).all():
        raise TeacherStudentError(f"{name} must be finite")
    return numbers


def second_layer(name: str, values: ArrayLike | None, length: int) -> Floats:
    """The weights of the second layer, which are one unless they are given."""
    weights = np.ones(length) if values is None else finite(name, values)
    if weights.shape != (length,):
        raise TeacherStudentError(
            f"{name} must have {length} entries, one for each hidden unit, got shape {weights.shape}"
        )
    return weights
