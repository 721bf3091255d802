"""Online learning of a two-layer network from another one at any finite N, without its weights.

    runs = chain(Q, R, T, inputs=10**9, updates=[0, 10**6], eta=0.5, replicas=64)
    runs.Q[replica, record, i, k], runs.error[replica, record]

For normal inputs the overlaps after an update depend only on those before it, on the units' fields, which are normal
with the overlaps as covariance, and on the products of the inputs of a batch outside of the units' span, which are
Wishart with N - K - M degrees of freedom. So (Q, R) and the second layer are a Markov chain with the same law as
gradient descent on the weights, as `numerics.simulate.teacher_student` writes it, and an update costs
O(B (K + M)^2 + B^2 K), whatever N is. The flow of `numerics.theory.teacher_student` is its limit for large N, with
updates/N as time.

Replica r of a seed has its own random stream (`numerics.machine.streams`): its numbers depend neither on the other
replicas nor on threads. With a folder, long runs are kept as `numerics.machine.checkpoints` says; a file holds eight
replicas.

Activations are "erf", which is g(x) = erf(x/sqrt 2), "relu", "linear", "tanh", or the dotted name of a module with
jitted functions `g` and `slope` of a number.
"""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numerics.machine.arguments import TeacherStudentError
from numerics.machine.checkpoints import Description, State, run
from numerics.machine.lanes import LANES
from numerics.machine.replicas import OnlineJob, Plan, Runs, beyond_doubles, digest, diverged, numbered, whole
from numerics.machine.streams import one_for_each
from numerics.theory.teacher_student import Setting, setting
from numerics.theory.teacher_student.averages import FORMULAS, J2, I2_table
from numerics.theory.teacher_student.averages.quadrature import rule, smooth
from numerics.theory.teacher_student.setting import covariances

Floats = NDArray[np.float64]

KERNEL = ("numerics.machine.lanes.normal", "numerics.theory.teacher_student.chain.kernel")
SLICE = 20_000_000  # operations on eight numbers, roughly, that are done without looking up
NODES = 80  # for the errors of activations without formulas


def chain(
    Q: ArrayLike,
    R: ArrayLike,
    T: ArrayLike,
    *,
    inputs: int,
    updates: ArrayLike,
    eta: float,
    eta_v: float = 0.0,
    v: ArrayLike | None = None,
    v_teacher: ArrayLike | None = None,
    sigma: float = 0.0,
    batch: int = 1,
    activation: str = "erf",
    replicas: int | range = 1,
    seed: int = 0,
    errors: bool = True,
    threads: int | None = None,
    folder: str | os.PathLike[str] | None = None,
    show: bool = False,
) -> Runs:
    """Let replicas of a student learn online at any finite N, by the exact law of their overlaps instead of their
    weights.

    `Q` (K, K), `R` (K, M) and `T` (M, M) are the overlaps at the start, those of `numerics.theory.teacher_student`, and
    `inputs` is N, at least K + M. All other arguments are those of `numerics.simulate.teacher_student.learn`, but for
    `errors`: they are computed from the overlaps, which takes long for an activation without formulas, and are not a
    number with `errors=False`.

    Returns `Runs`: Q (replica, record, K, K), R (replica, record, K, M), v and error, whose law is that of the runs of
    the simulator. Refused: overlaps that are no covariance (`CovarianceError`), shapes that do not fit and an N that is
    too small (`TeacherStudentError`), and numbers that no replica can have (`ReplicasError`).

    >>> runs = chain([[0.01]], [[0.0]], [[1.0]], inputs=10**6, updates=[0, 10**4], eta=1.0, replicas=2)
    >>> runs.error.shape, bool((runs.error[:, 1] < runs.error[:, 0]).all())
    ((2, 2), True)
    """
    start = setting(Q, R, T, v, v_teacher)
    if whole("inputs", inputs, 1) < (least := sum(start.R.shape)):
        raise TeacherStudentError(
            f"inputs must be at least K + M = {least}, got {inputs}; for fewer, simulate gradient descent itself"
        )
    numbers = numbered(replicas)
    plan = Plan.checked(eta, eta_v, sigma, batch, updates, seed, activation)
    job = Job(plan, start, int(inputs))
    groups = range(numbers.start // LANES, -(-numbers.stop // LANES))
    states = run(job, groups, folder=folder, threads=threads, show=show)
    records = np.concatenate([result["records"] for result in states], axis=-1)
    first = groups.start * LANES
    return job.runs(records[..., numbers.start - first : numbers.stop - first], errors)


class Job(OnlineJob):
    """The chain of groups of eight replicas, as work for `numerics.machine.checkpoints`."""

    name = "order_parameter_chain"
    kernel = KERNEL

    def __init__(self, plan: Plan, start: Setting, inputs: int) -> None:
        self.start, self.inputs, batch = start, inputs, plan.batch
        K, M = self.K, self.M = start.R.shape
        units = triangle(start)
        self.teacher = np.concatenate([units[:M, :M].ravel(), start.v_teacher])
        own = np.zeros((K, K + batch))
        own[:, :K] = units[M:, M:]
        self.first = np.concatenate([units[M:, :M].ravel(), own.ravel(), start.v, [1.0, 0.0]])
        super().__init__(plan, SLICE // (batch * (K + M) * (K + M + 20) + batch * K * K))

    def cache_key_extras(self) -> Description:
        """The entries of the description that only the chain has."""
        return {"K": self.K, "M": self.M, "inputs": self.inputs, "start": digest(self.teacher, self.first)}

    def own(self, replica: int) -> bytes:
        """Nothing, because all replicas start alike."""
        return b""

    def begin(self, replica: int) -> State:
        """The state before the first update, with nothing recorded."""
        return {
            "state": np.repeat(self.first, LANES),
            "stream": one_for_each(self.plan.seed, replica * LANES),
            "at": np.array([0, 0]),  # updates and records
            "records": np.full((self.plan.updates.size, self.first.size, LANES), np.nan),
        }

    def room(self) -> Floats:
        """Scratch space for the kernel."""
        return np.empty(self.compiled("room_size")(self.K, self.M, self.plan.batch))

    def take(self, state: State, room: Floats, count: int) -> int:
        """Take `count` updates; a replica that diverges does not stop the seven others."""
        sizes = self.K, self.M, self.inputs, self.plan.batch
        self.compiled("advance")(state["state"], self.teacher, state["stream"], room, sizes, *self.rates, count)
        return count

    def record(self, replica: int, state: State, record: int, room: Floats) -> int:
        """Write the coordinates into row `record`; returns the work that it took, in updates."""
        state["records"][record] = state["state"].reshape(-1, LANES)
        return 1

    def result(self, state: State) -> State:
        """The part of a state that is kept at the end."""
        return {"records": state["records"]}

    def runs(self, records: Floats, with_errors: bool = True) -> Runs:
        """The overlaps and errors from coordinates (record, coordinate, replica)."""
        K, M = self.K, self.M
        states = np.moveaxis(records, 2, 0).copy()
        ends = [(bool(alive), int(at)) for alive, at in states[:, -1, -2:]]
        states[states[..., -2] == 0.0] = np.nan
        in_teachers = states[..., : K * M].reshape(*states.shape[:2], K, M)
        own = states[..., K * M : -2 - K].reshape(*states.shape[:2], K, K + self.plan.batch)
        v = states[..., -2 - K : -2]
        with np.errstate(over="ignore", invalid="ignore"):  # which the messages tell
            Q = in_teachers @ np.swapaxes(in_teachers, 2, 3) + own @ np.swapaxes(own, 2, 3)
            R = in_teachers @ self.teacher[: M * M].reshape(M, M).T
        messages = [
            "" if alive else diverged(at, self._steepness(), self.plan.batch, self.inputs) for alive, at in ends
        ]
        errors = self._errors(Q, R, v) if with_errors else np.full(R.shape[:2], np.nan)
        return Runs(self.plan.updates, Q, R, v, errors, beyond_doubles(self.plan.updates, messages, Q, R))

    def _steepness(self) -> float:
        """The mean of the sum over students of (v g')^2 at the start."""
        variances, activation = np.diagonal(self.start.Q), self.plan.activation
        if activation in FORMULAS:
            squares = J2(variances[:, None, None] * np.ones((2, 2)), activation)
        else:
            nodes, weights, _ = rule(NODES)
            squares = smooth(activation).slope(np.sqrt(variances)[:, None] * nodes) ** 2 @ weights
        return float(self.start.v**2 @ squares)

    def _errors(self, Q: Floats, R: Floats, v: Floats) -> Floats:
        C = covariances(Q, R, self.start.T)
        errors = np.full(R.shape[:2], np.nan)
        well = np.isfinite(C).all(axis=(2, 3))
        signs = np.concatenate([-v[well], np.tile(self.start.v_teacher, (int(well.sum()), 1))], axis=1)
        errors[well] = 0.5 * np.einsum("tf,tfh,th->t", signs, I2_table(C[well], self.plan.activation, NODES), signs)
        return errors


def triangle(start: Setting) -> Floats:
    """Coordinates of the units in an orthonormal frame, teachers first: a lower triangle L with L L' = C.

    Directions in which no unit has more than rounding are left out, so that equal units stay equal.
    """
    K, M = start.R.shape
    order = [*range(K, K + M), *range(K)]
    C = start.covariance[np.ix_(order, order)]
    lengths = np.sqrt(np.diagonal(C))
    scale = np.where(lengths > 0, lengths, 1.0)
    squares, directions = np.linalg.eigh(C / np.outer(scale, scale))
    squares[squares < (K + M) * 4 * np.finfo(np.float64).eps] = 0.0
    coordinates = directions * np.sqrt(squares)
    _, turned = np.linalg.qr(coordinates.T)
    lower: Floats = np.tril(turned.T) * lengths[:, None]
    return lower
