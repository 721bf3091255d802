"""Prints digests of results that rest on products of matrices; run with different numbers of threads by a test."""

from __future__ import annotations

import json
from hashlib import sha256

import numpy as np

from numerics.simulate import linear_attention, linear_network, mlp
from numerics.simulate.datasets import Dataset
from numerics.theory import deep_linear, teacher_student, two_point
from numerics.theory.teacher_student import averages
from numerics.theory.two_point import fit

FIELDS = (("J2", 2), ("I2", 2), ("I3", 3), ("I4", 4))  # of each average


def digest(*arrays: np.ndarray) -> str:
    return sha256(b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)).hexdigest()


def results() -> dict[str, str]:
    """Sizes from which on OpenBLAS shares a product or a decomposition among its threads."""
    rng = np.random.default_rng(0)
    W1, W2 = rng.normal(size=(180, 100)) * 0.05, rng.normal(size=(80, 180)) * 0.05
    X, Y, sigma = rng.normal(size=(100, 2000)), rng.normal(size=(80, 2000)), rng.normal(size=(80, 100))
    task = linear_network.Data(X, Y)
    (run,) = linear_network.learn([(W1, W2)], [task], rates=0.01, losses_at=[0, 3])
    (wild,) = linear_network.learn([(W1, W2)], [task], rates=100.0, losses_at=[0, 30])
    start = deep_linear.balance(W1, W2)
    known = start.W1, start.W2, sigma
    net, images = mlp.Architecture(hidden=2, units=500), Dataset(rng.normal(size=(150, 300)), rng.normal(size=(150, 3)))
    trained = mlp.train(net, images, eta=1e-3, epochs=2, record=[0, 2])
    windows = mlp.Architecture(hidden=2, gain=0.95, channels=12, kernel=7)
    convolved = mlp.train(windows, images, eta=1e-3, epochs=1, precision="float32")
    heads = linear_attention.Merged(np.full(3, 0.1), 0.01 * rng.normal(size=(3, 150, 150)))
    spread = np.cov(X[:, :400], bias=True)
    tokens = np.kron(np.eye(2), spread)[:150, :150]
    times = np.linspace(0.0, 40.0, 12_000)  # sums of more than 10,000 products are shared, too
    curves = two_point.closed_form([0.05, 0.02, -0.05], [0.25, 1.0, 1.5, 0.8], times)[0]
    h, y, w = (curves + 1e-3 * rng.normal(size=curves.shape)).T
    loss = 0.15 * np.exp(-times / 3.5) + (w + (1.0 - y) / 2.0) / 4.0
    fits = fit.fit(times, h, y, w, 0.25, 1.0), fit.fit_mean(times, loss, y, w, 1.0)
    covariance = np.eye(4) + 0.2
    attention = linear_attention.learn(heads, tokens, tokens=20, rate=1e-4, steps=[0, 2])
    return {
        "attention": digest(attention.loss, np.array(linear_attention.loss(heads, tokens, tokens=20))),
        "learn": digest(run.losses),
        "message": wild.message,
        "balance": digest(*known[:2]),
        "qqt": digest(deep_linear.qqt(*known, [0.1, 1.0])),
        "qqt at many times": digest(deep_linear.qqt(*known, np.linspace(0.0, 9.0, 75))),
        "loss": digest(deep_linear.loss(*known, [0.1, 1.0])),
        "weights": digest(*deep_linear.weights(*known, [1.0])),
        "limit": digest(deep_linear.limit(*known)),
        "whiten": digest(deep_linear.whiten(X, Y).X),
        "rsm": digest(deep_linear.rsm(*known, [1.0], X[:, :150])),
        "ntk": digest(deep_linear.ntk(*known, [1.0], X[:, :3])),
        "mlp": digest(trained.losses, trained.outputs, *(part for layer in trained.weights for part in layer)),
        "stable rate": digest(np.array(mlp.stable_rate(net, images, trained.weights))),
        "fit": digest(*(np.array([one.constants, one.errors]) for one in fits)),
        "averages": digest(np.array([getattr(averages, name)(covariance[:k, :k], "relu") for name, k in FIELDS])),
        "error": digest(np.array(teacher_student.generalisation_error(*[covariance] * 3, activation="tanh"))),
        "convolution": digest(convolved.losses, *(part for layer in convolved.weights for part in layer)),
    }


if __name__ == "__main__":
    print(json.dumps(results()))
