"""Networks, tasks and times for the laws of `numerics.theory.deep_linear`, with every corner among them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Rng = np.random.Generator

STARTS = (
    "ordinary", "small", "tiny", "large", "zero", "rank deficient", "saddle", "nearly a saddle", "solved",
    "nearly solved", "reversed", "aligned",
)  # fmt: skip
TASKS = ("ordinary", "graded", "repeated", "nearly repeated", "rank deficient", "tiny values", "zero", "huge", "minute")


@dataclass(frozen=True)
class Case:
    """One network with its levels, of which one is zero where it is balanced, its task, and times in units of tau."""

    name: str
    W1: Array
    W2: Array
    sigma: Array
    a: float
    b: float
    times: Array

    @property
    def balance(self) -> float:
        return self.b - self.a

    @property
    def mean(self) -> float:
        return float(np.sqrt(self.a) * np.sqrt(self.b))


def levels(balance: float) -> tuple[float, float]:
    """The levels of weights with this balance."""
    return max(-balance, 0.0), max(balance, 0.0)


def orthogonal(rng: Rng, side: int, columns: int | None = None) -> Array:
    """Orthonormal columns, uniformly distributed."""
    q, r = np.linalg.qr(rng.normal(size=(side, side)))
    return (q * np.sign(np.diagonal(r)))[:, :columns]


def composed(left: Array, values: Array, right: Array) -> Array:
    """left diag(values) right' for as many columns as there are values."""
    k = values.size
    return np.asarray((left[:, :k] * values) @ right[:, :k].T)


def weights(left: Array, values: Array, right: Array, hidden: Array, balance: float) -> tuple[Array, Array]:
    """W1, W2 with product left diag(values) right' and the wanted balance; `hidden` is square and orthogonal."""
    units, k = hidden.shape[0], values.size
    root = np.hypot(values, balance / 2)
    first, second = np.sqrt(np.maximum(root - balance / 2, 0)), np.sqrt(np.maximum(root + balance / 2, 0))
    W1, W2 = composed(hidden, first, right), composed(left, second, hidden)
    more = np.full(units - k, np.sqrt(abs(balance)))
    if balance > 0:
        W2 = W2 + left[:, k:units] * more @ hidden[:, k:].T
    if balance < 0:
        W1 = W1 + hidden[:, k:] * more @ right[:, k:units].T
    return W1, W2


def task(rng: Rng, kind: str, inputs: int, outputs: int) -> tuple[Array, Array, Array]:
    """Singular vectors and values of a task."""
    n = min(inputs, outputs)
    values = np.sort(rng.uniform(0.2, 2.0, n))[::-1]
    if kind == "graded":
        values = 10.0 ** np.sort(rng.uniform(-8, 0, n))[::-1]
    if kind == "repeated":
        values = np.full(n, rng.uniform(0.5, 2))
    if kind == "nearly repeated":
        values = rng.uniform(0.5, 2) * (1 + 10.0 ** rng.uniform(-15, -5) * rng.normal(size=n))
    if kind == "rank deficient":
        values[rng.integers(n) :] = 0.0
    if kind == "tiny values":
        values[rng.integers(n) :] *= 10.0 ** rng.uniform(-17, -6)
    scale = {"zero": 0.0, "huge": 1e100, "minute": 1e-100}.get(kind, 1.0)
    return orthogonal(rng, outputs), scale * values, orthogonal(rng, inputs)


def start(rng: Rng, kind: str, found: tuple[Array, Array, Array], hidden: int, balance: float) -> tuple[Array, Array]:
    """Weights whose product relates to the task as the kind of start says."""
    left_task, values_task, right_task = found
    outputs, inputs = left_task.shape[0], right_task.shape[0]
    k = min(inputs, hidden, outputs)
    scale = float(values_task[0]) or 1.0
    left, right = orthogonal(rng, outputs), orthogonal(rng, inputs)
    values = rng.uniform(0.1, 2.0, k) * scale
    if kind in ("saddle", "nearly a saddle"):  # the first growing mode is missing from the start
        left, right = left_task.copy(), right_task.copy()
        left[:, 0] *= -1
        if kind == "nearly a saddle":
            left = left @ turned(rng, outputs, 10.0 ** rng.uniform(-14, -1))
    if kind in ("solved", "nearly solved", "reversed", "aligned"):
        left, right = left_task.copy(), right_task.copy()
    if kind in ("solved", "nearly solved", "reversed"):
        values = values_task[:k].copy()
    if kind == "nearly solved":
        values = values * (1 + 10.0 ** rng.uniform(-12, -3) * rng.normal(size=k))
    if kind == "reversed":
        left *= -1
    if kind == "rank deficient":
        values[rng.integers(k) :] = 0.0
    values = values * {"small": 1e-4, "tiny": 1e-30, "large": 1e3, "zero": 0.0}.get(kind, 1.0)
    return weights(left, values, right, orthogonal(rng, hidden), balance)


def turned(rng: Rng, side: int, angle: float) -> Array:
    """A small random rotation."""
    skew = rng.normal(size=(side, side))
    return np.linalg.qr(np.eye(side) + angle * (skew - skew.T))[0]


def case(rng: Rng, start_kind: str, task_kind: str, *, widest: int = 5, balanced: bool = False) -> Case:
    """A case of these kinds with random dimensions, and times on the scale of the task from 0 to 10^6."""
    inputs, hidden, outputs = (int(k) for k in rng.integers(1, widest + 1, 3))
    if rng.random() < 0.2:
        hidden = max(inputs, outputs) + int(rng.integers(1, 4))
    found = task(rng, task_kind, inputs, outputs)
    scale = float(found[1][0]) or 1.0
    signs = [s for s, allowed in ((1.0, hidden <= outputs), (-1.0, hidden <= inputs)) if allowed]
    balance = 0.0
    if balanced and signs and start_kind != "zero":
        balance = float(rng.choice(signs) * scale * 10.0 ** rng.uniform(-2, 1))
    W1, W2 = start(rng, start_kind, found, hidden, balance)
    times = np.array([0.0, *10.0 ** rng.uniform([-3, -1, 0, 1, 1, 2], [0, 1, 1, 2, 3, 6])]) / scale
    name = f"{start_kind} start, {task_kind} task, {inputs}-{hidden}-{outputs}, balance {balance:.3g}"
    return Case(name, W1, W2, composed(*found), *levels(balance), times)


def cases(seed: int, count: int, widest: int = 5) -> Iterator[Case]:
    """Every kind of start with every kind of task, one in four with weights that are balanced away from zero."""
    rng = np.random.default_rng(seed)
    kinds = [(s, t) for s in STARTS for t in TASKS]
    order: list[int] = []
    for at in range(count):
        if at % len(kinds) == 0:
            order = list(rng.permutation(len(kinds)))
        yield case(rng, *kinds[order[at % len(kinds)]], widest=widest, balanced=at % 4 == 3)
