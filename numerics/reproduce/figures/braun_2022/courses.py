"""Starts, tasks and simulated courses that the panels of Braun et al. (2022) share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from numerics.reproduce.figures.panel import Array
from numerics.simulate.linear_network import learn
from numerics.theory import deep_linear


class Start(NamedTuple):
    """Weights to begin with."""

    W1: Array
    W2: Array


class Course(NamedTuple):
    """The course of a simulated network: times in units of tau, and its weights at each."""

    times: Array
    W1: Array  # (time, hidden, input)
    W2: Array  # (time, output, hidden)

    @property
    def functions(self) -> Array:
        return np.asarray(self.W2 @ self.W1)

    @property
    def qqt(self) -> Array:
        Q = np.concatenate([self.W1.swapaxes(1, 2), self.W2], axis=1)
        return np.asarray(Q @ Q.swapaxes(1, 2))


def random_start(rng: np.random.Generator, sizes: Sequence[int], deviation: float) -> Start:
    """Gaussian weights for sizes (inputs, hidden, outputs)."""
    inputs, hidden, outputs = sizes
    return Start(deviation * rng.standard_normal((hidden, inputs)), deviation * rng.standard_normal((outputs, hidden)))


def balanced(start: Start) -> Start:
    """The nearest zero-balanced weights with the same product."""
    weights = deep_linear.balance(*start)
    return Start(weights.W1, weights.W2)


def learnable_start(
    rng: np.random.Generator, sizes: Sequence[int], deviation: float, sigma: Array, *, zero_balanced: bool = True
) -> Start:
    """A random start, drawn again as long as the exact solution would end on a saddle and not at the task.

    With as many inputs as outputs that is half of all balanced starts: those where the determinant of W2 W1 and that
    of the task differ in sign, so that B has no inverse.
    """
    while True:
        drawn = random_start(rng, sizes, deviation)
        start = balanced(drawn)
        if arrives(start, sigma):
            return start if zero_balanced else drawn


def arrives(start: Start, sigma: Array) -> bool:
    """Check whether the exact solution from these balanced weights ends at the task, not on a saddle."""
    inputs = sigma.shape[1]
    end = deep_linear.limit(*start, sigma)[inputs:, :inputs]
    return bool(np.linalg.norm(end - sigma) <= 1e-6 * np.linalg.norm(sigma))


def random_task(rng: np.random.Generator, inputs: int, outputs: int, examples: int) -> deep_linear.Task:
    """Gaussian inputs made white, and Gaussian targets."""
    X, Y = rng.standard_normal((inputs, examples)), rng.standard_normal((outputs, examples))
    white = deep_linear.whiten(X, Y)
    return deep_linear.task(white.X, white.Y)


def steps_of(duration: float, rate: float, count: int) -> Array:
    """About so many different steps from 0 to the end, evenly spread."""
    return np.unique(np.linspace(0.0, round(duration / rate), count).round().astype(np.int64))


def simulate(start: Start, sigma: Array, rate: float, steps: Array) -> Course:
    """Gradient descent, with the weights at these steps."""
    (run,) = learn([start], [sigma], rates=rate, weights_at=steps.tolist())
    return Course(steps * rate, *run.weights)


def losses(functions: Array, sigma: Array, least: float = 0.0) -> Array:
    """Half the mean squared error of network functions on a task of white inputs."""
    return np.asarray(least + 0.5 * np.sum((sigma - functions) ** 2, axis=(-2, -1)))


def gap(simulation: Array, theory: Array) -> float:
    """The largest distance of the two, relative to the largest number of the theory."""
    return float(np.abs(simulation - theory).max() / np.abs(theory).max())
