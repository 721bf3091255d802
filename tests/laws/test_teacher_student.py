"""The flow of the order parameters against online learning of large networks, and the averages against many samples."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from scipy.special import erf
from theory.test_gaussian_averages import ALL, z_score

from numerics.theory.teacher_student import Trajectory, trajectory

pytestmark = pytest.mark.laws

N, K, M, ETA, SIGMA = 2000, 2, 3, 1.5, 0.3
TIMES = np.array([0.0, 0.5, 1, 2, 4, 8])
RUNS = 6


@pytest.mark.parametrize(("name", "activation"), [pair for pair in ALL if pair != ("J2", "linear")])
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


def learn(batch: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Q and R of a network that learns from batches, at the times."""
    rng = np.random.default_rng([seed, batch])
    W, teacher = first_layers(seed)
    Q, R = [W @ W.T / N], [W @ teacher.T / N]
    steps = np.round(TIMES * N).astype(int)
    for step in range(1, steps[-1] + 1):
        x = rng.standard_normal((N, batch)) / sqrt(N)
        fields, targets = W @ x, teacher @ x
        target = erf(targets / sqrt(2)).sum(axis=0) + SIGMA * rng.standard_normal(batch)
        wrong = target - erf(fields / sqrt(2)).sum(axis=0)
        W += ETA / batch * (wrong * sqrt(2 / np.pi) * np.exp(-(fields**2) / 2)) @ x.T
        if step in steps:
            Q.append(W @ W.T / N)
            R.append(W @ teacher.T / N)
    return np.array(Q), np.array(R)


def theory(batch: int) -> Trajectory:
    W, teacher = first_layers(0)
    Q, R, T = W @ W.T / N, W @ teacher.T / N, teacher @ teacher.T / N
    return trajectory((Q + Q.T) / 2, R, (T + T.T) / 2, eta=ETA, sigma=SIGMA, batch=batch, times=TIMES)


def gap(found: np.ndarray, flow: np.ndarray) -> float:
    """The root mean square of the distance of the mean over runs from the flow, in standard errors of that mean."""
    noise = found[:, 1:].std(axis=0, ddof=1) / sqrt(RUNS)
    return float(np.sqrt(np.mean((found[:, 1:].mean(axis=0) - flow[1:]) ** 2) / np.mean(noise**2)))


def test_online_learning_follows_the_flow_and_the_batch_matters() -> None:
    """Fluctuations of a run are of the order 1/sqrt N; the flow of the other batch size lies many of them away."""
    flows = {batch: theory(batch) for batch in (1, 5)}
    for batch, other in ((1, 5), (5, 1)):
        runs = [learn(batch, seed) for seed in range(RUNS)]
        Q, R = (np.array(part) for part in zip(*runs, strict=True))
        assert np.allclose(Q[:, 0], flows[batch].Q[0])
        assert gap(Q, flows[batch].Q) < 3
        assert gap(R, flows[batch].R) < 3
        assert gap(Q, flows[other].Q) > 8
