"""Starts of two levels, tasks and times, with every corner among them, and the exact QQ' in balls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import flint
import mpmath as mp
import numpy as np
from numpy.typing import NDArray
from theory.deep_linear_cases import TASKS, Case, composed, levels, orthogonal, task
from theory.deep_linear_cases import start as balanced_start
from theory.exact_deep_linear import exact_qqt

Array = NDArray[np.float64]
Rng = np.random.Generator

KINDS = ("diagonal", "turned", "far turned", "aligned", "reversed", "wide", "one level", "bottleneck")
DIGITS = 60
PHASES = 300.0  # R t up to which the exponential of the Hamiltonian is taken; F + R, or the formula in modes, beyond


def boosted(left: Array, right: Array, angles: Array, a: float, b: float) -> Array:
    """V diag(sqrt(a) I, sqrt(b) I) for the boost V by these angles between singular vectors."""
    outputs, inputs, n = left.shape[0], right.shape[0], angles.size
    cosh, sinh = composed_with_rest(right, np.cosh(angles)), np.sinh(angles)
    cosh_left, across = composed_with_rest(left, np.cosh(angles)), composed(left[:, :n], sinh, right[:, :n])
    Q = np.block([[cosh, across.T], [across, cosh_left]])
    return np.asarray(Q * np.sqrt(np.repeat([a, b], [inputs, outputs])))


def composed_with_rest(vectors: Array, values: Array) -> Array:
    """The symmetric matrix with these values on the first vectors, and one on the others."""
    return np.asarray((vectors * np.append(values, np.ones(vectors.shape[0] - values.size))) @ vectors.T)


def of_levels(rng: Rng, Q: Array, inputs: int, hidden: int) -> tuple[Array, Array]:
    """Weights with this Q, its columns turned into hidden units."""
    turned = Q @ orthogonal(rng, hidden)[: Q.shape[1]]
    return turned[:inputs].T.copy(), turned[inputs:].copy()


def case(rng: Rng, kind: str, task_kind: str) -> Case:
    """A case of these kinds with random dimensions, levels from 10^-12 to 10^6, and times from 0 to long ones."""
    inputs, outputs = (int(k) for k in rng.integers(1, 5, 2))
    left, values, right = found = task(rng, task_kind, inputs, outputs)
    a, b = (float(level) for level in 10.0 ** rng.uniform(-12, 6, 2))
    if rng.random() < 0.5:  # levels of one size, with each other and with the task
        a, b = (float(level) for level in (values[0] or 1.0) * 10.0 ** rng.uniform(-2, 1, 2))
    n, hidden = min(inputs, outputs), inputs + outputs + int(rng.integers(0, 3))
    if kind in ("one level", "bottleneck"):
        hidden = int(rng.integers(1, n + 1)) if kind == "bottleneck" else n
        balance = b if rng.random() < 0.5 else -b
        shape = str(rng.choice(["ordinary", "small", "aligned", "reversed", "rank deficient", "solved"]))
        W1, W2 = balanced_start(rng, shape, found, hidden, balance)
        a, b = levels(balance)
        kind = f"{kind}, {shape}"
    else:
        if kind == "wide":
            hidden += int(rng.integers(3, 9))
        angles = rng.uniform(0.0, 1.0, n) * {"diagonal": 0.0, "far turned": 6.0}.get(kind, 1.0)
        if kind not in ("aligned", "reversed"):
            left, right = orthogonal(rng, outputs), orthogonal(rng, inputs)
        Q = boosted(left, right, -angles if kind == "reversed" else angles, a, b)
        W1, W2 = of_levels(rng, Q, inputs, hidden)
    scale = max(float(values[0]), 0.5 * (a + b))
    times = np.array([0.0, *10.0 ** rng.uniform([-6, -2, 0, 1, 2], [-2, 0, 1, 2, 12])]) / scale
    name = f"{kind} start, {task_kind} task, {inputs}-{hidden}-{outputs}, levels {a:.3g} and {b:.3g}"
    return Case(name, W1, W2, composed(*found), a, b, times)


def cases(seed: int, count: int) -> Iterator[Case]:
    """Every kind of start with every kind of task but those at the ends of the floats."""
    rng = np.random.default_rng(seed)
    kinds = [(kind, of_task) for kind in KINDS for of_task in TASKS if of_task not in ("huge", "minute")]
    order: list[int] = []
    for at in range(count):
        if at % len(kinds) == 0:
            order = list(rng.permutation(len(kinds)))
        yield case(rng, *kinds[order[at % len(kinds)]])


# --- the exact solution -----------------------------------------------------------------------------------------------


def exact(case: Case) -> list[Any]:
    """QQ' at every time of the case, on its floats, to DIGITS digits."""
    times = case.times
    return [by_exponential(case, t) if rate(case) * t <= PHASES else exact_qqt(case, np.array([t]))[0] for t in times]


def rate(case: Case) -> float:
    """The largest R."""
    return float(np.hypot(np.linalg.norm(case.sigma, 2), 0.5 * (case.a + case.b)))


def by_exponential(case: Case, time: float) -> Any:
    """Y X^-1, where (X, Y) move by the constant matrix [-F, I; g^2 I, F] from (I, QQ'(0)); it knows no modes."""
    lost = 2.0 * rate(case) * time / np.log(10.0)
    before = flint.ctx.prec
    flint.ctx.prec = int(3.33 * (2 * DIGITS + lost))
    try:
        F, gram = _matrices(case)
        size, square = F.nrows(), _ball(case.mean) ** 2
        whole = flint.arb_mat(2 * size, 2 * size)
        for i in range(size):
            whole[i, size + i], whole[size + i, i] = flint.arb(1), square
            for j in range(size):
                whole[i, j], whole[size + i, size + j] = -F[i, j], F[i, j]
        start = flint.arb_mat(2 * size, size)
        for i in range(size):
            start[i, i] = flint.arb(1)
            for j in range(size):
                start[size + i, j] = gram[i, j]
        moved = (whole * _ball(time)).exp() * start
        X = flint.arb_mat([[moved[i, j] for j in range(size)] for i in range(size)])
        Y = flint.arb_mat([[moved[size + i, j] for j in range(size)] for i in range(size)])
        return _numbers(X.transpose().solve(Y.transpose()))
    finally:
        flint.ctx.prec = before


def _floats(case: Case) -> tuple[Any, Any]:
    """F, and QQ' without rounding."""
    inputs, size = case.W1.shape[1], sum(case.sigma.shape)
    Q = [[mp.mpf(float(x)) for x in row] for row in np.concatenate([case.W1.T, case.W2])]
    gram = [[mp.fdot(x, y) for y in Q] for x in Q]
    F = [[mp.mpf(0)] * size for _ in range(size)]
    for i in range(size):
        F[i][i] = mp.mpf(case.balance) / (-2 if i < inputs else 2)
        for j in range(inputs) if i >= inputs else ():
            F[i][j] = F[j][i] = mp.mpf(float(case.sigma[i - inputs, j]))
    return F, gram


def _matrices(case: Case) -> tuple[Any, Any]:
    with mp.workdps(2 * DIGITS):
        F, gram = _floats(case)
        return flint.arb_mat([[_ball(x) for x in row] for row in F]), flint.arb_mat(
            [[_ball(x) for x in row] for row in gram]
        )


def _ball(x: Any) -> Any:
    number = mp.mpf(x)
    man, exponent = number.man_exp  # without the sign
    return flint.arb(-int(man) if number < 0 else int(man)) * flint.arb(2) ** int(exponent)


def _numbers(matrix: Any) -> Any:
    with mp.workdps(DIGITS):
        rows = range(matrix.nrows())
        return mp.matrix([[mp.mpf(matrix[i, j].mid().str(DIGITS, radius=False)) for j in rows] for i in rows])
