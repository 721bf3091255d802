"""Gradient flow of the weights themselves, in floats: how claims are seen in random instances.

What integrates is imported when it is asked for, as a model is read far more often than it is trained.
"""

from __future__ import annotations

from typing import Any

CLOSE = 1e-6


def floats(matrix: Any) -> Any:
    """An exact matrix as an array of floats."""
    import numpy as np

    return np.array([[float(entry.p) / float(entry.q) for entry in row] for row in matrix.tolist()])


def modes_of_levels(first: Any, second: Any, task: Any) -> tuple[float, Any, Any]:
    """The balance of weights that have one, and the values and vectors of the F by which their QQ' then moves."""
    import numpy as np

    balance = float((second.T @ second - first @ first.T)[0, 0])
    outputs, inputs = task.shape
    F = np.block([[-balance / 2 * np.eye(inputs), task.T], [task, balance / 2 * np.eye(outputs)]])
    return balance, *np.linalg.eigh(F)


def trained(at: Any, until: float) -> tuple[Any, Any, Any]:
    """The weights of an instance after some time, and its task."""
    import numpy as np
    from scipy.integrate import solve_ivp

    W1, W2, X, Y = (floats(at[name]) for name in ("W1", "W2", "X", "Y"))
    task, cut = Y @ X.T / X.shape[1], W1.size

    def rates(_: float, both: Any) -> Any:
        first, second = both[:cut].reshape(W1.shape), both[cut:].reshape(W2.shape)
        gap = task - second @ first
        return np.concatenate([(second.T @ gap).ravel(), (gap @ first.T).ravel()])

    begun = np.concatenate([W1.ravel(), W2.ravel()])
    end = solve_ivp(rates, (0.0, until), begun, method="LSODA", rtol=1e-10, atol=1e-12).y[:, -1]
    return end[:cut].reshape(W1.shape), end[cut:].reshape(W2.shape), task


def the_task_is_learned(at: Any) -> bool:
    """Where there are as many hidden neurons as outputs, and the balance is positive."""
    import numpy as np

    W1, W2 = floats(at["W1"]), floats(at["W2"])
    balance = float((W2.T @ W2 - W1 @ W1.T)[0, 0])
    if W2.shape[0] != W2.shape[1] or balance <= 0.0:
        return True
    first, second, task = trained(at, until=60.0 / balance)
    return bool(np.linalg.norm(task - second @ first) < CLOSE * max(1.0, float(np.linalg.norm(task))))


def every_hidden_neuron_keeps_a_mode(at: Any) -> bool:
    """The weights on positive values of F, after some time: lambda < 0 is lambda > 0 for the transposed layers."""
    import numpy as np

    first, second, task = trained(at, until=0.5)
    if (second.T @ second - first @ first.T)[0, 0] < 0.0:
        first, second, task = second.T, first.T, task.T
    level, values, basis = modes_of_levels(first, second, task)
    kept = (basis.T @ np.vstack([first.T, second]))[values > 0.0]
    weights = 4.0 * values[values > 0.0] + level**2 / values[values > 0.0]
    least = float(np.linalg.eigvalsh(kept.T @ (weights[:, None] * kept))[0])
    return level == 0.0 or least >= (2.0 - CLOSE) * level**2


def the_flow_follows_the_formula(at: Any) -> bool:
    """At one time, for the levels that the start has."""
    import numpy as np

    W1, W2 = floats(at["W1"]), floats(at["W2"])
    first, second, task = trained(at, until=0.5)
    start, end = np.vstack([W1.T, W2]), np.vstack([first.T, second])
    _, values, basis = modes_of_levels(W1, W2, task)
    grown = np.where(values == 0.0, 0.5, np.expm1(values) / (2 * np.where(values == 0.0, 1.0, values)))
    Q = basis.T @ start
    inner = np.linalg.inv(np.eye(Q.shape[1]) + Q.T @ (grown[:, None] * Q))
    ahead = np.exp(0.5 * values)[:, None] * Q
    formula = basis @ ahead @ inner @ ahead.T @ basis.T
    return bool(np.linalg.norm(end @ end.T - formula) < CLOSE * max(1.0, float(np.linalg.norm(formula))))
