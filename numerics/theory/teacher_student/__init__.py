"""Online learning of a two-layer network from a two-layer teacher, by its order parameters.

A student with K and a teacher with M hidden units see Gaussian inputs of dimension N -> infinity, and time counts
updates per dimension. Q (K x K), R (K x M) and T (M x M) are the overlaps of the students with each other, of student
i with teacher n in R[i, n], and of the teachers; v and v* are the second layers (ones make soft committee machines):

    dR_in/dt = eta v_i <D g'(lambda_i) rho_n>
    dQ_ik/dt = eta <D (v_i g'(lambda_i) lambda_k + v_k g'(lambda_k) lambda_i)>
               + eta^2/B v_i v_k <(D^2 + sigma^2) g'(lambda_i) g'(lambda_k)>
    dv_i/dt  = eta_v <D g(lambda_i)>                      with D = sum_m v*_m g(rho_m) - sum_j v_j g(lambda_j)

(Saad & Solla 1995; Riegler & Biehl 1995; Goldt et al. 2019 with v; batches of B samples divide the second line of Q by
B.) Errors are <D^2>/2, against the teacher without its noise; against its noisy answers they are larger by sigma^2/2.
They are sums in doubles: below 1e-16 times the mean squares of the outputs they are rounding, and never negative.

Activations are "erf", which is g(x) = erf(x/sqrt 2), "linear" and "relu", by exact averages; "tanh", or the dotted name
of a module with jitted functions `g` and `slope` of a number, by sums over nodes with an estimate of their error. The
slope of a rectifier at 0 is 0, as in the simulator and in `chain`: a student without weights stays as it is.

    run = trajectory(Q, R, T, eta=0.5, times=times)                          # from one start
    runs = trajectories(Q, R, T, eta=0.5, times=times)                       # from many
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import asin, pi, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numerics.labelled import Labelled
from numerics.labelled.quantities import of_students
from numerics.machine.arguments import TeacherStudentError
from numerics.machine.checks import shown
from numerics.ode.trajectories import increasing
from numerics.theory.teacher_student.averages import I2_table
from numerics.theory.teacher_student.averages.quadrature import SAFETY, TABLE_SIZES
from numerics.theory.teacher_student.many import Trajectories, followed, trajectories
from numerics.theory.teacher_student.setting import (
    FLOWS,
    LARGEST,
    PARTS,
    Rules,
    Setting,
    known,
    not_negative,
    setting,
    whole,
)

__all__ = [
    "FLOWS",
    "PARTS",
    "Plateau",
    "Setting",
    "TeacherStudentError",
    "Trajectories",
    "Trajectory",
    "critical_learning_rate",
    "generalisation_error",
    "plateau",
    "setting",
    "trajectories",
    "trajectory",
]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Trajectory(
    Labelled,
    axes=of_students("time"),
    clock={"times": "time"},
    units={"time": "updates per input dimension"},
):
    """The order parameters at the times; from where the run stopped they are nan, and the message says why."""

    times: Floats
    Q: Floats  # time, K, K
    R: Floats  # time, K, M
    v: Floats  # time, K
    error: Floats  # time; without the noise of the teacher, which would add sigma^2/2
    message: str  # "" is success


@dataclass(frozen=True)
class Plateau:
    """The symmetric fixed point of K students of K orthonormal teachers, in the limit of a small rate."""

    K: int
    Q: float  # every overlap of two students, equal ones included
    R: float  # every overlap of a student with a teacher
    error: float
    escape_rate: float  # changes of R in an unstable direction grow like exp(eta * escape_rate * t)

    @property
    def directions(self) -> Floats:
        """The unstable directions ((K - 1)^2, K, K): changes of R, orthonormal, whose rows and columns sum to zero."""
        first = np.tril(np.ones((self.K - 1, self.K)))  # student k gains what those before it lose
        first[np.arange(self.K - 1), np.arange(1, self.K)] = -np.arange(1, self.K)
        first /= np.linalg.norm(first, axis=1, keepdims=True)
        return np.asarray(np.einsum("ai,bm->abim", first, first).reshape(-1, self.K, self.K))


def trajectory(
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
) -> Trajectory:
    """Integrate the order parameters of online learning in the limit of many inputs.

    `Q` (K, K) and `R` (K, M) are the overlaps at the first of `times`, and `T` (M, M) those of the teachers; times
    count updates per input dimension. `eta` and `eta_v` are the rates of the weights and of the second layer, `v` (K)
    and `v_teacher` (M) the second layers, ones by default; `sigma` is the size of the noise in the teacher's answers
    and `batch` the number of samples of an update. `rtol` and `atol` are those of the integrator. `activation`
    is "erf", "linear", "relu", "tanh", or the dotted name of a module with jitted functions `g` and `slope`.
    `quadrature` matters for activations without formulas: the run fails, and says so, where the estimated error of the
    averages in the rates, relative to the larger of eta and eta_v, exceeds it.

    Returns a `Trajectory`: Q, R, v and the error at each time, and a message ("" is success). Refused: shapes that do
    not fit, numbers that are negative and unknown activations (`TeacherStudentError`), overlaps that are no covariance
    (`CovarianceError`) and times that do not increase (`IntegrateError`).

    >>> flow = trajectory([[0.01]], [[0.0]], [[1.0]], eta=1.0, times=[0, 10, 20])
    >>> flow.error.round(4).tolist(), flow.message
    ([0.1698, 0.0012, 0.0001], '')
    """
    start = setting(Q, R, T, v, v_teacher)
    rules = Rules(eta, eta_v, sigma, batch, activation)
    not_negative("quadrature", quadrature)
    alone = replace(start, Q=start.Q[None], R=start.R[None])
    run = followed(alone, rules, increasing(times), rtol, atol, quadrature)
    return Trajectory(run.times, run.Q[0], run.R[0], run.v[0], run.error[0], run.messages[0])


def generalisation_error(
    Q: ArrayLike,
    R: ArrayLike,
    T: ArrayLike,
    *,
    v: ArrayLike | None = None,
    v_teacher: ArrayLike | None = None,
    activation: str = "erf",
    sigma: float = 0.0,
    quadrature: float = 1e-5,
) -> float:
    """Half the mean squared difference between a student and its teacher, from their overlaps.

    `Q` (K, K), `R` (K, M) and `T` (M, M) are overlaps, `v` (K) and `v_teacher` (M) second layers, ones by default, and
    `sigma` the size of the noise in the teacher's answers, which adds sigma^2/2. Refused with `TeacherStudentError`:
    what `trajectory` refuses, and for an activation without formulas an estimated error above `quadrature`.

    >>> generalisation_error([[1.0]], [[1.0]], [[1.0]])
    0.0
    >>> round(generalisation_error([[0.0]], [[0.0]], [[1.0]], sigma=0.1), 6)
    0.171667
    """
    at = setting(Q, R, T, v, v_teacher)
    not_negative("sigma", sigma)
    not_negative("quadrature", quadrature)
    known(activation)
    sizes = TABLE_SIZES if activation not in FLOWS else TABLE_SIZES[-1:]
    s = np.concatenate([-at.v, at.v_teacher])
    values = [float(s @ I2_table(at.covariance, activation, size) @ s) / 2 for size in sizes]
    if (left := SAFETY * abs(values[-1] - values[0])) > quadrature:
        raise TeacherStudentError(
            f"{sizes[-1]} nodes in each direction leave an error of {left:.1e}; quadrature={2 * left:.0e} accepts it"
        )
    return max(values[-1], 0.0) + sigma**2 / 2


def plateau(K: int) -> Plateau:
    """Where K students of K orthonormal teachers wait before each chooses a teacher, for a small rate (Saad & Solla
    1995), and how they leave it.

    Any change of R whose rows and columns sum to zero grows, all at the same rate and without a change of Q; every
    other small change decays or is neutral. One student has no such directions. Refused with `TeacherStudentError`: a K
    that is not a whole number from 1 to 1e100.

    >>> plateau(2).Q, round(plateau(2).error, 6), round(plateau(2).escape_rate, 6)
    (0.3333333333333333, 0.011611, 0.06575)
    >>> plateau(2).directions.round(3).tolist()
    [[[0.5, -0.5], [-0.5, 0.5]]]
    """
    whole("K", K)
    if K > LARGEST:
        raise TeacherStudentError(f"K must be at most {LARGEST:g}, got {K}")
    error = max(K / pi * (pi / 6 - K * asin(1 / (2 * K))), 0.0)
    escape = 2 * K / (pi * (2 * K + 1) * sqrt(2 * K + 1) * sqrt(2 * K - 1)) if K > 1 else 0.0
    return Plateau(int(K), Q=1 / (2 * K - 1), R=1 / sqrt(K * (2 * K - 1)), error=error, escape_rate=escape)


def critical_learning_rate(K: int, batch: int = 1) -> float:
    """The rate below which K students that equal their K orthonormal teachers are stable, with erf and batches of this
    size.

    The differences of students and teachers have a covariance E. Near E = 0 it obeys dE/dt = -eta (J E + E J) + eta^2/B
    N(E) with J_ik = <g'_i g'_k> and N(E)_ik = sum_nm E_nm <g'_i g'_k g'_n g'_m>. N maps positive matrices to positive
    ones, so that the first instability is symmetric under permutations: E has one number on the diagonal and one beside
    it, and the rate is the least root of a quadratic. Refused with `TeacherStudentError`: numbers that are not whole
    and at least 1.

    >>> round(critical_learning_rate(1), 6), round(critical_learning_rate(3, batch=2), 6)
    (4.055779, 3.241349)
    """
    for name, number in (("K", K), ("batch", batch)):
        whole(name, number)
        if number > LARGEST:
            raise TeacherStudentError(f"{name} must be at most {LARGEST:g}, got {shown(number)}")
    a, b = 2 / (pi * sqrt(3)), 1 / pi  # <g'_i^2> and <g'_i g'_k>
    unit = 4 / pi**2
    four, three, pair, two, none = unit / sqrt(5), unit / sqrt(8), unit / 3, unit / sqrt(12), unit / 4
    decay = np.array([[2 * a, 2 * (K - 1) * b], [2 * b, 2 * a + 2 * (K - 2) * b]])
    growth = np.array(
        [
            [four + (K - 1) * pair, 2 * (K - 1) * three + (K - 1) * (K - 2) * two],
            [2 * three + (K - 2) * two, 2 * pair + 4 * (K - 2) * two + (K - 2) * (K - 3) * none],
        ]
    )
    if K == 1:
        return float(batch * decay[0, 0] / growth[0, 0])
    return float(batch / np.linalg.eigvals(np.linalg.solve(decay, growth)).real.max())
