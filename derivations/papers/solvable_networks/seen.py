"""How the atlas is seen in simulations: gradient flow of the weights themselves, in floats, from random starts.

What integrates is imported when it is asked for, as a paper is read far more often than it is probed.
"""

from derivations.papers.solvable_networks.setup import *
from derivations.models.two_layer_linear.trained import floats, trained

CLOSE = 1e-6

@paper.observe("starts_end_on_their_leading_modes", ["lambda_balanced"])
def the_task_is_learned(at):
    """Where there are as many hidden neurons as outputs, and lambda is positive."""
    import numpy as np

    W1, W2 = floats(at["W1"]), floats(at["W2"])
    balance = float((W2.T @ W2 - W1 @ W1.T)[0, 0])
    if W2.shape[0] != W2.shape[1] or balance <= 0.0:
        return True
    first, second, task = trained(at, until=60.0 / balance)
    return bool(np.linalg.norm(task - second @ first) < CLOSE * max(1.0, float(np.linalg.norm(task))))

@paper.observe("no_mode_is_lost", ["lambda_balanced"])
def every_hidden_neuron_keeps_a_mode(at):
    """The weights on positive values of F, after some time: lambda < 0 is lambda > 0 for the transposed layers."""
    import numpy as np

    first, second, task = trained(at, until=0.5)
    balance = float((second.T @ second - first @ first.T)[0, 0])
    if balance < 0.0:
        first, second, task = second.T, first.T, task.T
    inputs, outputs, level = task.shape[1], task.shape[0], abs(balance)
    F = np.block([[-level / 2 * np.eye(inputs), task.T], [task, level / 2 * np.eye(outputs)]])
    values, basis = np.linalg.eigh(F)
    kept = (basis.T @ np.vstack([first.T, second]))[values > 0.0]
    weights = 4.0 * values[values > 0.0] + level**2 / values[values > 0.0]
    least = float(np.linalg.eigvalsh(kept.T @ (weights[:, None] * kept))[0])
    return level == 0.0 or least >= (2.0 - CLOSE) * level**2

@paper.observe("solution_without_differences", ["lambda_balanced", "balanced", "aligned", "bottleneck"])
def the_flow_follows_the_formula(at):
    """At one time, for the levels that the start has."""
    import numpy as np

    W1, W2 = floats(at["W1"]), floats(at["W2"])
    balance = (W2.T @ W2 - W1 @ W1.T)[0, 0]
    first, second, task = trained(at, until=0.5)
    start, end = np.vstack([W1.T, W2]), np.vstack([first.T, second])
    inputs, outputs = task.shape[1], task.shape[0]
    F = np.block([[-balance / 2 * np.eye(inputs), task.T], [task, balance / 2 * np.eye(outputs)]])
    values, basis = np.linalg.eigh(F)
    grown = np.where(values == 0.0, 0.5, np.expm1(values) / (2 * np.where(values == 0.0, 1.0, values)))
    Q = basis.T @ start
    inner = np.linalg.inv(np.eye(Q.shape[1]) + Q.T @ (grown[:, None] * Q))
    ahead = np.exp(0.5 * values)[:, None] * Q
    formula = basis @ ahead @ inner @ ahead.T @ basis.T
    return bool(np.linalg.norm(end @ end.T - formula) < CLOSE * max(1.0, float(np.linalg.norm(formula))))
