"""Gradient flow of the weights themselves, in floats: how a claim is seen in a random instance.

What integrates is imported when it is asked for, as a model is read far more often than it is trained.
"""

from __future__ import annotations

from typing import Any


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
