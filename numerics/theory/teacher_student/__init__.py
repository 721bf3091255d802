"""Online learning of a two-layer network from a two-layer teacher, by its order parameters.

A student with K and a teacher with M hidden units see Gaussian inputs of dimension N -> infinity, and time counts
samples per dimension. Q (K x K), R (K x M) and T (M x M) are the overlaps of the students with each other, of student
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
"""

from __future__ import annotations

from dataclasses import dataclass
from math import asin, pi, sqrt

import numpy as np
from numba.extending import is_jitted
from numba.np.ufunc.dufunc import DUFunc
from numpy.typing import ArrayLike, NDArray

from numerics.machine.arguments import TeacherStudentError, finite, second_layer
from numerics.machine.checks import is_real, is_whole
from numerics.ode.integrate import integrate
from numerics.ode.trajectories import increasing
from numerics.theory.teacher_student.averages import FORMULAS, I2_table, check
from numerics.theory.teacher_student.averages.quadrature import SAFETY, TABLE_SIZES, QuadratureError, smooth
from numerics.theory.teacher_student.flows import smooth_runs

Floats = NDArray[np.float64]
FLOWS = {
    "erf": "numerics.theory.teacher_student.flows.erf",
    "linear": "numerics.theory.teacher_student.flows.linear",
    "relu": "numerics.theory.teacher_student.flows.relu",
}
PARTS = {"relu": FORMULAS["relu"]}  # what a flow imports from
LARGEST = 1e100  # of rates and noise: their squares and products are doubles
LEAST_SLACK, SLACK = 1e-7, 100.0  # how far a run may leave the cone of covariances; the second one times rtol


@dataclass(frozen=True)
class Trajectory:
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


@dataclass(frozen=True)
class Setting:
    """Checked arguments: overlaps and second layers of a student and its teacher."""

    Q: Floats
    R: Floats
    T: Floats
    v: Floats
    v_teacher: Floats

    @property
    def covariance(self) -> Floats:
        """The covariance of all fields, students first."""
        return np.block([[self.Q, self.R], [self.R.T, self.T]])


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
    count samples per input dimension. `eta` and `eta_v` are the rates of the weights and of the second layer, `v` (K)
    and `v_teacher` (M) the second layers, ones by default; `sigma` is the size of the noise in the teacher's answers
    and `batch` the number of samples of an update. `rtol` and `atol` are those of the integrator. `quadrature` matters
    for activations without formulas: the run fails, and says so, where the estimated error of the averages in the
    rates, relative to the larger of eta and eta_v, exceeds it.

    Returns a `Trajectory`: Q, R, v and the error at each time, and a message ("" is success). Refused: shapes that do
    not fit, numbers that are negative and unknown activations (`TeacherStudentError`), overlaps that are no covariance
    (`CovarianceError`) and times that do not increase (`IntegrateError`).

    >>> flow = trajectory([[0.01]], [[0.0]], [[1.0]], eta=1.0, times=[0, 10, 20])
    >>> flow.error.round(4).tolist(), flow.message
    ([0.1698, 0.0012, 0.0001], '')
    """
    start = setting(Q, R, T, v, v_teacher)
    for name, rate in (("eta", eta), ("eta_v", eta_v), ("sigma", sigma), ("quadrature", quadrature)):
        _not_negative(name, rate)
    _whole("batch", batch)
    _known(activation)
    K, M = start.R.shape
    lower_K, lower_M = np.tril_indices(K), np.tril_indices(M)
    learns = eta_v > 0
    header = [K, M, learns, eta, eta_v, sigma**2, batch]
    params = np.concatenate([header, start.T[lower_M], start.v_teacher, start.v])
    state = np.concatenate([start.Q[lower_K], start.R.ravel(), start.v[: K if learns else 0]])
    if activation in FLOWS:
        parts = PARTS.get(activation, ())
        run = integrate(FLOWS[activation], state, params, increasing(times), rtol, atol, parts=parts)
    else:
        run = smooth_runs.run(activation, state, params, increasing(times), rtol, atol, quadrature)
    states, message = run.states[0], run.messages[0]
    first_R, first_v = lower_K[0].size, lower_K[0].size + K * M
    overlaps = np.empty((run.times.size, K, K))
    overlaps[:, lower_K[0], lower_K[1]] = overlaps[:, lower_K[1], lower_K[0]] = states[:, :first_R]
    shares = states[:, first_R:first_v].reshape(-1, K, M)
    second = states[:, first_v:] if learns else np.tile(start.v, (run.times.size, 1))
    C = _covariances(overlaps, shares, start.T)
    outside = _outside(C, max(LEAST_SLACK, SLACK * rtol))
    if outside is not None:
        for part in (overlaps, shares, second, C):
            part[outside:] = np.nan
        message = f"at t = {run.times[outside]:g} Q, R and T are no covariance any more; a smaller rtol may help"
    errors = _errors(C, second, start.v_teacher, activation=activation)
    return Trajectory(run.times, overlaps, shares, second, errors, message)


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
    _not_negative("sigma", sigma)
    _not_negative("quadrature", quadrature)
    _known(activation)
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
    _whole("K", K)
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
    _whole("K", K)
    _whole("batch", batch)
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


# --- checks -----------------------------------------------------------------------------------------------------------


def setting(Q: ArrayLike, R: ArrayLike, T: ArrayLike, v: ArrayLike | None, v_teacher: ArrayLike | None) -> Setting:
    """The overlaps and second layers, checked; refused with a sentence where they do not fit together."""
    students, teachers = _square("Q", Q), _square("T", T)
    K, M = students.shape[0], teachers.shape[0]
    shares = finite("R", R)
    if shares.shape != (K, M):
        turned = ", so it seems to be transposed" if shares.shape == (M, K) else ""
        raise TeacherStudentError(
            f"R must be K x M, a row for each student: {K} x {M} with this Q and T, got shape {shares.shape}{turned}"
        )
    found = Setting(students, shares, teachers, second_layer("v", v, K), second_layer("v_teacher", v_teacher, M))
    check(found.covariance, "the covariance [[Q, R], [R', T]]")
    return found


def _square(name: str, values: ArrayLike) -> Floats:
    found = finite(name, values)
    if found.ndim != 2 or found.shape[0] != found.shape[1] or found.shape[0] == 0:
        raise TeacherStudentError(f"{name} must be a square matrix, got shape {found.shape}")
    if not np.array_equal(found, found.T):
        raise TeacherStudentError(f"{name} must be symmetric")
    return found


def _not_negative(name: str, number: float) -> None:
    if not (is_real(number) and number >= 0):
        raise TeacherStudentError(f"{name} must be a number that is not negative, got {number!r}")
    if number > LARGEST:
        raise TeacherStudentError(f"{name} must be at most {LARGEST:g}, so that its square is a double, got {number!r}")


def _known(activation: str) -> None:
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


def _whole(name: str, number: float) -> None:
    if not is_whole(number, 1):
        raise TeacherStudentError(f"{name} must be a whole number of at least 1, got {number}")


# --- errors -----------------------------------------------------------------------------------------------------------


def _covariances(Q: Floats, R: Floats, T: Floats) -> Floats:
    """The covariance of all fields at every time, students first."""
    steps, K, M = R.shape
    C = np.empty((steps, K + M, K + M))
    C[:, :K, :K], C[:, :K, K:], C[:, K:, :K], C[:, K:, K:] = Q, R, np.swapaxes(R, 1, 2), T
    return C


def _outside(C: Floats, slack: float) -> int | None:
    """The first time at which an eigenvalue is below zero by more than this part of the largest one."""
    reached = int(np.isfinite(C).all(axis=(1, 2)).sum())
    eigenvalues = np.linalg.eigvalsh(C[:reached])
    bad = np.flatnonzero(eigenvalues[:, 0] < -slack * eigenvalues[:, -1])
    return int(bad[0]) if bad.size else None


def _errors(C: Floats, v: Floats, v_teacher: Floats, *, activation: str) -> Floats:
    """Half of s'I2 s at every time; what rounding leaves below zero is zero."""
    s = np.concatenate([-v, np.tile(v_teacher, (len(C), 1))], axis=1)
    errors: Floats = 0.5 * np.einsum("tf,tfh,th->t", s, I2_table(C, activation), s)
    return np.where(errors < 0, 0.0, errors)
