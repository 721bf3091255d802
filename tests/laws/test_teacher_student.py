"""The flow of the order parameters against online learning of large networks, and the averages against many samples."""

from __future__ import annotations

from functools import cache
from math import sqrt

import numpy as np
import pytest
from case_files import Cases
from theory.sampled_averages import SAMPLED, SLOPES, VALUES, z_score

from numerics.theory.teacher_student import Trajectory, trajectory

FAMILIES = Cases(__file__, globals())


N, K, M, SIGMA = 2000, 2, 3, 0.3
ETA = {"erf": 1.5, "relu": 0.6}
TIMES = np.array([0.0, 0.5, 1, 2, 4, 8])
RUNS = 6


@pytest.mark.parametrize(("name", "activation"), SAMPLED)
def test_ten_million_samples_find_the_averages(name: str, activation: str) -> None:
    assert abs(z_score(name, activation, 10_000_000, 11)) < 4


def first_layers(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Weights with exactly the same overlaps for every seed."""
    rng = np.random.default_rng(seed)
    basis = np.linalg.qr(rng.normal(size=(N, K + M)))[0].T * sqrt(N)
    shape = np.array(
        [[0.7, 0, 0, 0, 0], [0.1, 0.6, 0, 0, 0], [0.1, -0.2, 1, 0, 0], [0, 0.3, 0, 0.9, 0], [0.2, 0, 0, 0.1, 1.1]]
    )
    weights = shape @ basis
    return weights[:K], weights[K:]


def learn(batch: int, seed: int, activation: str) -> np.ndarray:
    """Q and R, side by side, of a network that learns from batches, at the times."""
    rng = np.random.default_rng([seed, batch])
    W, teacher = first_layers(seed)
    g, slope = VALUES[activation], SLOPES[activation]
    overlaps = [np.hstack([W @ W.T, W @ teacher.T]) / N]
    steps = np.round(TIMES * N).astype(int)
    for step in range(1, steps[-1] + 1):
        x = rng.standard_normal((N, batch)) / sqrt(N)
        fields, targets = W @ x, teacher @ x
        wrong = g(targets).sum(axis=0) + SIGMA * rng.standard_normal(batch) - g(fields).sum(axis=0)
        W += ETA[activation] / batch * (wrong * slope(fields)) @ x.T
        if step in steps:
            overlaps.append(np.hstack([W @ W.T, W @ teacher.T]) / N)
    return np.array(overlaps)


@cache
def learned(batch: int, activation: str) -> np.ndarray:
    """Return the same of several networks."""
    return np.array([learn(batch, seed, activation) for seed in range(RUNS)])


def theory(batch: int, activation: str) -> np.ndarray:
    """Return the same by the flow."""
    W, teacher = first_layers(0)
    Q, R, T = W @ W.T / N, W @ teacher.T / N, teacher @ teacher.T / N
    given = {"eta": ETA[activation], "sigma": SIGMA, "batch": batch, "activation": activation}
    run: Trajectory = trajectory((Q + Q.T) / 2, R, (T + T.T) / 2, times=TIMES, **given)  # type: ignore[arg-type]
    return np.concatenate([run.Q, run.R], axis=2)


def gap(difference: np.ndarray, runs: np.ndarray) -> float:
    """The root mean square of a difference after the start, in standard errors of the mean over runs."""
    noise = runs[:, 1:].std(axis=0, ddof=1) / sqrt(RUNS)
    return float(np.sqrt(np.mean(difference[1:] ** 2) / np.mean(noise**2)))


@pytest.mark.parametrize("batch", [1, 5])
@pytest.mark.parametrize("activation", list(ETA))
def test_online_learning_follows_the_flow_of_its_own_batches(activation: str, batch: int) -> None:
    """Fluctuations of a run are of the order 1/sqrt N."""
    runs, own = learned(batch, activation), theory(batch, activation)
    assert np.allclose(runs[:, 0], own[0])
    assert gap(runs.mean(axis=0) - own, runs) < 2


@pytest.mark.parametrize("batch", [1, 5])
@pytest.mark.parametrize("activation", list(ETA))
def test_the_flow_of_other_batches_is_many_standard_errors_away(activation: str, batch: int) -> None:
    runs, own, other = learned(batch, activation), theory(batch, activation), theory(6 - batch, activation)
    assert gap(other - own, runs) > 8
    assert gap(runs.mean(axis=0) - other, runs) > 8


test_statements_have_their_verdicts = FAMILIES.verdicts()
