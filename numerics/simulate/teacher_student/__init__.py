"""Online gradient descent of a two-layer network that learns from another one, many replicas in parallel.

    runs = learn(W, W_teacher, updates=[0, 1000, 10000], eta=0.5, replicas=20)
    runs.Q[replica, record, i, k], runs.error[replica, record]

A student with weights W (K, N) and second layer v answers sum_i v_i g(W_i x/sqrt N) to normal inputs x, of which every
update sees a fresh batch of B; the teacher answers alike, with noise of size sigma. The loss is half the mean square of
the difference D = y* - y over the batch, and an update is

    W_i += eta/(B sqrt N) sum_s D_s v_i g'(lambda_i) x_s        v_i += eta_v/(N B) sum_s D_s g(lambda_i)

Recorded are the overlaps Q = W W'/N and R = W W*'/N, v, and the error: half the mean square of D without noise for
`tests` other inputs, the same ones at every record. Ones as second layers make soft committee machines.

Replica r of a seed has its own random stream (`numerics.machine.streams`): its numbers depend neither on the other
replicas nor on threads. With a folder, long runs are kept as `numerics.machine.checkpoints` says.

Activations are "erf", which is g(x) = erf(x/sqrt 2), "relu", "linear", "tanh", or the dotted name of a module with
jitted functions `g` and `slope` of a number.
"""

from __future__ import annotations

import os
from hashlib import sha256

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numerics.machine.arguments import TeacherStudentError, finite, second_layer
from numerics.machine.checkpoints import Description, State, run
from numerics.machine.lanes.rooms import aligned
from numerics.machine.replicas import OnlineJob, Plan, Runs, beyond_doubles, digest, diverged, numbered, whole
from numerics.machine.streams import LEARNING, TESTING, eight_for_one

Floats = NDArray[np.float64]

KERNEL = ("numerics.machine.lanes.normal", "numerics.simulate.teacher_student.kernel")
TILE = 4  # rows of weights that the kernel reads at once
SLICE = 200_000_000  # products of a weight and an input, roughly, that are done without looking up
GUIDE = 200  # inputs that a stable rate is guessed from


def learn(
    students: ArrayLike,
    teachers: ArrayLike,
    *,
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
    tests: int = 1000,
    threads: int | None = None,
    folder: str | os.PathLike[str] | None = None,
    show: bool = False,
) -> Runs:
    """Let replicas of a student learn online from a teacher, and record their overlaps after some updates.

    `students` is (K, N) for all replicas or (replicas, K, N), and `teachers` (M, N). `updates` are the numbers of
    updates after which something is recorded, increasing from 0 on. `eta` and `eta_v` are the rates of the weights and
    of the second layer; `v` (K) and `v_teacher` (M) are the second layers, ones by default; `sigma` is the size of the
    noise in the teacher's answers, and `batch` the number of inputs of an update. `replicas` is how many there are, or
    a range of their numbers. `tests` inputs measure the error; with 0 it is not a number. `threads` replicas learn at
    once. `activation` is that of all units, such as "erf" or "relu". With `folder` long runs are kept and go on;
    `show` draws a bar of progress.

    Returns `Runs`: Q (replica, record, K, K), R (replica, record, K, M), v and error. A replica that diverges has a
    message with a guide to stable rates. Refused: shapes that do not fit (`TeacherStudentError`), numbers that no
    replica can have (`ReplicasError`) and activations that there are not (`ActivationError`).

    >>> rng = np.random.default_rng(0)
    >>> students, teachers = 0.1 * rng.standard_normal((1, 100)), rng.standard_normal((1, 100))
    >>> runs = learn(students, teachers, updates=[0, 1000], eta=1.0, replicas=2, seed=1)
    >>> runs.error.shape, bool((runs.error[:, 1] < 0.1 * runs.error[:, 0]).all()), runs.messages
    ((2, 2), True, ('', ''))
    """
    numbers = numbered(replicas)
    plan = Plan.checked(eta, eta_v, sigma, batch, updates, seed, activation)
    students, teachers = _weights(students, teachers, len(numbers))
    job = Job(plan, students, teachers, v, v_teacher, first=numbers.start, tests=whole("tests", tests, 0))
    states = run(job, numbers, folder=folder, threads=threads, show=show)
    columns = {name: np.stack([result[name] for result in states]) for name in ("Q", "R", "v", "error")}
    messages = [job.message(k, int(result["diverged"])) for k, result in zip(numbers, states, strict=True)]
    return Runs(plan.updates, **columns, messages=beyond_doubles(plan.updates, messages, columns["Q"], columns["R"]))


class Job(OnlineJob):
    """Gradient descent of replicas, as work for `numerics.machine.checkpoints`."""

    name = "teacher_student"
    kernel = KERNEL

    def __init__(
        self,
        plan: Plan,
        students: Floats,
        teachers: Floats,
        v: ArrayLike | None,
        v_teacher: ArrayLike | None,
        *,
        first: int,
        tests: int,
    ) -> None:
        self.students, self.teachers, self.first, self.tests = students, teachers, first, tests
        K, (M, N), batch = students.shape[1], teachers.shape, plan.batch
        self.sizes = K, K + M, N, batch
        self.rows = -(-(K + M) // TILE) * TILE
        super().__init__(plan, 0)
        self.row, units = self.compiled("row_size")(N), self.compiled("lanes_of")(K + M)
        self.slice = max(1, SLICE // (self.rows * self.row * batch))
        self.signs = np.zeros(units)
        self.signs[:K] = -second_layer("v", v, K)
        self.signs[K : K + M] = second_layer("v_teacher", v_teacher, M)

    def cache_key_extras(self) -> Description:
        """The entries of the description that only this simulator has."""
        K, units, N, _ = self.sizes
        return {
            "K": K,
            "M": units - K,
            "N": N,
            "tests": self.tests,
            "teacher": digest(self.teachers, self.signs),
        }

    def own(self, replica: int) -> bytes:
        """A digest of the weights that this replica starts from."""
        return sha256(self._start(replica).tobytes()).digest()

    def begin(self, replica: int) -> State:
        """The state before the first update, with nothing recorded."""
        (K, units, N, _), records = self.sizes, self.plan.updates.size
        weights = aligned(self.rows * self.row)
        table = weights.reshape(self.rows, self.row)
        table[:K, :N], table[K:units, :N] = self._start(replica), self.teachers
        blank = {"Q": (K, K), "R": (K, units - K), "v": (K,), "error": ()}
        return {
            "weights": weights,
            "signs": self.signs.copy(),
            "stream": eight_for_one(self.plan.seed, replica, LEARNING),
            "at": np.array([0, 0]),  # updates and records
            "diverged": np.array(-1),
            **{name: np.full((records, *shape), np.nan) for name, shape in blank.items()},
        }

    def room(self) -> Floats:
        """Scratch space for the kernel."""
        return aligned(self.compiled("room_size")(self.sizes[1], *self.sizes[2:]))

    def take(self, state: State, room: Floats, count: int) -> int:
        """Take `count` updates; returns how many were taken before the answers grew without bound."""
        known = state["weights"], state["signs"], state["stream"], room, self.sizes
        done: int = self.compiled("learn")(*known, *self.rates, count)
        return done

    def record(self, replica: int, state: State, record: int, room: Floats) -> int:
        """Write overlaps, second layer and error into row `record`; returns the work that it took, in updates."""
        K, units, _, _ = self.sizes
        both = np.empty((K, units))
        self.compiled("overlaps")(state["weights"], self.sizes, both)
        state["Q"][record], state["R"][record], state["v"][record] = both[:, :K], both[:, K:], -state["signs"][:K]
        if self.tests:
            known = state["weights"], state["signs"], eight_for_one(self.plan.seed, replica, TESTING)
            state["error"][record] = self.compiled("error")(*known, room, self.sizes, self.tests)
        return self.tests // self.plan.batch

    def result(self, state: State) -> State:
        """The part of a state that is kept at the end."""
        return {name: state[name] for name in ("Q", "R", "v", "error", "diverged")}

    def message(self, replica: int, update: int) -> str:
        """The message of a replica that diverged at this update, or "" for -1."""
        if update < 0:
            return ""
        state = self.begin(replica)
        known = state["weights"], state["signs"], state["stream"], self.room(), self.sizes
        return diverged(update, self.compiled("steepness")(*known, GUIDE), self.plan.batch, self.sizes[2])

    def _start(self, replica: int) -> Floats:
        own = self.students.shape[0] > 1
        start: Floats = self.students[replica - self.first if own else 0]
        return start


# --- checks -----------------------------------------------------------------------------------------------------------


def _weights(students: ArrayLike, teachers: ArrayLike, replicas: int) -> tuple[Floats, Floats]:
    """Students as (1 or replicas, K, N), and teachers as (M, N)."""
    W, goal = finite("students", students), finite("teachers", teachers)
    if W.ndim == 2:
        W = W[None]
    if W.ndim != 3 or goal.ndim != 2 or W.shape[2] != goal.shape[1] or W.shape[0] not in (1, replicas) or 0 in W.shape:
        raise TeacherStudentError(
            f"students must be (K, N) or ({replicas}, K, N) and teachers (M, N), got shapes {np.shape(students)} and "
            f"{goal.shape}"
        )
    if goal.size == 0:
        raise TeacherStudentError(f"teachers must be (M, N) with at least one teacher, got shape {goal.shape}")
    return np.ascontiguousarray(W), goal
