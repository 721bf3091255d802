"""Students and teachers of order-parameter runs, checked: overlaps, second layers, rates and activations."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba.extending import is_jitted
from numba.np.ufunc.dufunc import DUFunc
from numpy.typing import ArrayLike, NDArray

from numerics.machine.arguments import TeacherStudentError, finite, second_layer
from numerics.machine.checks import is_real, is_whole, shown
from numerics.theory.teacher_student.averages import FORMULAS, check
from numerics.theory.teacher_student.averages.quadrature import QuadratureError, smooth

Floats = NDArray[np.float64]
FLOWS = {
    "erf": "numerics.theory.teacher_student.flows.erf",
    "linear": "numerics.theory.teacher_student.flows.linear",
    "relu": "numerics.theory.teacher_student.flows.relu",
}
PARTS = {"relu": FORMULAS["relu"]}  # what a flow imports from
LARGEST = 1e100  # of rates and noise: their squares and products are doubles


@dataclass(frozen=True)
class Setting:
    """Checked arguments: overlaps and second layers of a student and its teacher, or of many students and one."""

    Q: Floats  # ..., K, K
    R: Floats  # ..., K, M
    T: Floats
    v: Floats  # K, or for each of many
    v_teacher: Floats

    @property
    def covariance(self) -> Floats:
        """The covariance of all fields, students first."""
        return covariances(self.Q, self.R, self.T)


@dataclass(frozen=True)
class Rules:
    """Checked arguments: rates, noise, the size of a batch, and the activation."""

    eta: float
    eta_v: float
    sigma: float
    batch: int
    activation: str

    def __post_init__(self) -> None:
        for name in ("eta", "eta_v", "sigma"):
            not_negative(name, getattr(self, name))
        whole("batch", self.batch)
        known(self.activation)

    @property
    def numbers(self) -> tuple[float, ...]:
        """Return what the rows of parameters of a flow have behind K and M."""
        return self.eta_v > 0, self.eta, self.eta_v, self.sigma**2, self.batch


def covariances(Q: Floats, R: Floats, T: Floats) -> Floats:
    """The covariance of all fields, or a stack of them, students first.

    >>> covariances(np.eye(1), np.zeros((1, 1)), np.eye(1)).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    *many, K, M = R.shape
    C = np.empty((*many, K + M, K + M))
    C[..., :K, :K], C[..., :K, K:], C[..., K:, :K], C[..., K:, K:] = Q, R, np.swapaxes(R, -1, -2), T
    return C


def setting(
    Q: ArrayLike, R: ArrayLike, T: ArrayLike, v: ArrayLike | None, v_teacher: ArrayLike | None, *, many: bool = False
) -> Setting:
    """The overlaps and second layers of a student, or of many, checked; a sentence where they do not fit together.

    `Q`, `R`, `T`, `v` and `v_teacher` are those of `trajectory`; with `many`, Q, R and v have an axis of starts in
    front.

    >>> setting([[1]], [[0]], [[1]], None, None).v.tolist()
    [1.0]
    """
    students, teachers = _square("Q", Q, 3 if many else 2), _square("T", T, 2)
    (*first, K), M = students.shape[:-1], teachers.shape[0]
    shares = finite("R", R)
    if shares.shape != (*first, K, M):
        turned = ", so it seems to be transposed" if shares.shape == (*first, M, K) else ""
        each = "for every start a row" if many else "a row"
        raise TeacherStudentError(
            f"R must be K x M, {each} for each student: {K} x {M} with this Q and T, got shape {shares.shape}{turned}"
        )
    own = v if many and np.ndim(np.asanyarray(v, dtype=object)) == 2 else None
    layer = second_layer("v", v, K) if own is None else finite("v", own)
    if own is not None and layer.shape != (*first, K):
        raise TeacherStudentError(f"v must have {K} entries, or as many for each start, got shape {layer.shape}")
    checked = Setting(students, shares, teachers, layer, second_layer("v_teacher", v_teacher, M))
    check(checked.covariance, "the covariance [[Q, R], [R', T]]")
    return checked


def _square(name: str, values: ArrayLike, axes: int) -> Floats:
    """A symmetric matrix, or a stack of them."""
    matrix = finite(name, values)
    if matrix.ndim != axes or matrix.shape[-1] != matrix.shape[-2] or matrix.size == 0:
        kind = "a square matrix" if axes == 2 else "a square matrix for each start"
        raise TeacherStudentError(f"{name} must be {kind}, got shape {matrix.shape}")
    if not np.array_equal(matrix, np.swapaxes(matrix, -1, -2)):
        raise TeacherStudentError(f"{name} must be symmetric")
    return matrix


def not_negative(name: str, number: float) -> None:
    """Refuse what is no number from 0 to LARGEST."""
    if not (is_real(number) and number >= 0):
        raise TeacherStudentError(f"{name} must be a number that is not negative, got {shown(number)}")
    if number > LARGEST:
        raise TeacherStudentError(
            f"{name} must be at most {LARGEST:g}, so that its square is a double, got {shown(number)}"
        )


def known(activation: str) -> None:
    """Refuse what names no activation that a flow can have."""
    if not isinstance(activation, str):
        raise TeacherStudentError("a flow takes the name of an activation, or of a module with functions g and slope")
    if activation in FLOWS:
        return
    try:
        functions = smooth(activation)
    except QuadratureError as mistake:
        raise TeacherStudentError(f"{mistake}; there are exact flows for {', '.join(FLOWS)}, and tanh") from None
    if not all(is_jitted(part) or isinstance(part, DUFunc) for part in (functions.g, functions.slope)):
        raise TeacherStudentError(f"g and slope of {activation} must be jitted, for they run inside the flow")


def whole(name: str, number: float) -> None:
    """Refuse what is no whole number from 1 on."""
    if not is_whole(number, 1):
        raise TeacherStudentError(f"{name} must be a whole number of at least 1, got {shown(number)}")
