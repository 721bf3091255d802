"""The chain of order parameters has the law of gradient descent, whatever the sizes, batches and activations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from numerics.simulate.teacher_student import learn
from numerics.theory.teacher_student import generalisation_error
from numerics.theory.teacher_student.chain import chain

Floats = NDArray[np.float64]
REPLICAS = 8000
CASES = [
    (N, K, M, batch, activation)
    for K, M in ((3, 2), (2, 4), (1, 1))
    for N in (K + M, K + M + 2, 40)
    for batch in (1, 5)
    for activation in ("erf", "relu")
]


@pytest.mark.parametrize(("N", "K", "M", "batch", "activation"), CASES)
def test_order_parameters_and_errors_have_the_law_of_gradient_descent(
    N: int, K: int, M: int, batch: int, activation: str
) -> None:
    rng = np.random.default_rng([N, K, M, batch])
    W, goal = rng.standard_normal((K, N)), rng.standard_normal((M, N))
    Q, R, T = W @ W.T / N, W @ goal.T / N, goal @ goal.T / N
    rates = {"eta": 0.6, "eta_v": 0.2, "sigma": 0.3}
    asked: dict[str, Any] = {"batch": batch, "activation": activation, "replicas": REPLICAS, "seed": 1, **rates}
    asked["updates"] = [1, 5, 5 * N]
    direct = learn(W, goal, tests=0, **asked)
    found = chain((Q + Q.T) / 2, R, (T + T.T) / 2, inputs=N, **asked)
    least = 1e-4  # of the p-values of all that is compared, far more than a thousand
    for record in range(3):
        for name in ("Q", "R", "v"):
            for first, second in zip(
                *(columns(getattr(runs, name)[:, record]) for runs in (direct, found)), strict=True
            ):
                assert stats.ks_2samp(first, second).pvalue > least
        errors = [
            generalisation_error(
                direct.Q[k, record], direct.R[k, record], (T + T.T) / 2, v=direct.v[k, record], activation=activation
            )
            for k in range(1000)
        ]
        assert stats.ks_2samp(np.round(errors, 10), np.round(found.error[:, record], 10)).pvalue > least


def columns(numbers: Floats) -> list[Floats]:
    """Rounded, because a student that is silent stays exactly where it was, up to rounding."""
    return list(np.round(numbers, 10).reshape(len(numbers), -1).T)
