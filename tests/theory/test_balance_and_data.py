"""Weights are balanced with the same product and the least movement, and data become white."""

from __future__ import annotations

import numpy as np
import pytest
from case_files import Cases
from each import each
from theory.deep_linear_cases import orthogonal

from numerics.theory.deep_linear.balance import StartError, balance, balance_of
from numerics.theory.deep_linear.data import task, whiten

FAMILIES = Cases(__file__, globals())

SIZES = FAMILIES["sizes"]


def random_weights(inputs: int, hidden: int, outputs: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(hidden, inputs)), rng.normal(size=(outputs, hidden))


# --- balance ----------------------------------------------------------------------------------------------------------


@each("sizes", SIZES)
@each("to", [0.0, 1e-9, 0.5, 30.0, -0.5, -1e4])
def test_balanced_weights_have_the_wanted_balance_and_the_same_product(sizes: tuple[int, int, int], to: float) -> None:
    inputs, hidden, outputs = sizes
    W1, W2 = random_weights(*sizes)
    if hidden > {1.0: outputs, -1.0: inputs, 0.0: hidden}[float(np.sign(to))]:
        with pytest.raises(StartError, match=f"{'positive' if to > 0 else 'negative'} balance needs at least as many"):
            balance(W1, W2, to)
        return
    found = balance(W1, W2, to)
    size = np.sum(found.W1**2) + np.sum(found.W2**2)
    assert np.allclose(found.W2 @ found.W1, W2 @ W1, rtol=0, atol=1e-14 * size)
    assert balance_of(found.W1, found.W2) == pytest.approx(to, rel=1e-12, abs=1e-13 * size)
    moved = np.sum((found.W1 - W1) ** 2) + np.sum((found.W2 - W2) ** 2)
    assert found.distance == pytest.approx(np.sqrt(moved), rel=1e-12)


@each("sizes", SIZES)
def test_no_rotation_of_the_hidden_units_comes_nearer(sizes: tuple[int, int, int]) -> None:
    W1, W2 = random_weights(*sizes)
    found = balance(W1, W2)
    rng = np.random.default_rng(1)
    for size in (1e-3, 0.1, 1.0):
        for _ in range(20):
            skew = rng.normal(size=(sizes[1], sizes[1]))
            R = np.linalg.qr(np.eye(sizes[1]) + size * (skew - skew.T))[0]
            R = R * np.sign(np.diagonal(R)) if size < 1 else R
            moved = np.sum((R @ found.W1 - W1) ** 2) + np.sum((found.W2 @ R.T - W2) ** 2)
            assert moved >= found.distance**2 * (1 - 1e-12)


def test_weights_that_are_balanced_stay_where_they_are() -> None:
    first = balance(*random_weights(3, 5, 4))
    assert balance(first.W1, first.W2).distance < 1e-14 * np.linalg.norm(first.W1)


def test_weights_that_are_all_zero_are_balanced() -> None:
    found = balance(np.zeros((2, 3)), np.zeros((4, 2)))
    assert found.distance == 0.0
    assert balance_of(found.W1, found.W2) == 0.0


def test_the_tolerance_goes_with_the_size_of_the_weights() -> None:
    found = balance(*random_weights(3, 3, 3))
    for scale in (1e-100, 1.0, 1e100):
        assert balance_of(scale * found.W1, scale * found.W2) == 0.0
        with pytest.raises(StartError, match="not balanced"):
            balance_of(scale * found.W1 * (1 + 1e-8), scale * found.W2)


def test_rounding_of_the_weights_is_not_a_balance() -> None:
    for seed in range(50):
        found = balance(*random_weights(4, 3, 5, seed))
        assert balance_of(found.W1, found.W2) == 0.0


# --- data -------------------------------------------------------------------------------------------------------------


def test_white_inputs_have_the_identity_as_correlation_and_nothing_is_dropped_from_full_data() -> None:
    rng = np.random.default_rng(0)
    X, Y = np.diag([1e6, 1.0, 1e-3]) @ rng.normal(size=(3, 40)), rng.normal(size=(2, 40))
    white = whiten(X, Y)
    assert (white.dropped, white.dropped_variance) == (0, 0.0)
    assert np.allclose(white.X @ white.X.T / 40, np.eye(3), rtol=0, atol=1e-14)
    assert np.allclose(white.map @ X, white.X, rtol=0, atol=1e-9)
    assert task(white.X, white.Y).sigma_yx.shape == (2, 3)


def test_directions_without_variance_are_dropped_and_reported() -> None:
    rng = np.random.default_rng(0)
    X = orthogonal(rng, 5)[:, :3] @ rng.normal(size=(3, 40))
    white = whiten(X, rng.normal(size=(2, 40)))
    assert white.dropped == 2
    assert white.dropped_variance < 1e-28
    assert white.X.shape == (3, 40)


def test_the_least_loss_is_that_of_linear_regression() -> None:
    rng = np.random.default_rng(0)
    white = whiten(rng.normal(size=(3, 40)), rng.normal(size=(2, 40)))
    found = task(white.X, white.Y)
    fit = white.Y @ np.linalg.pinv(white.X)
    assert np.allclose(found.sigma_yx, fit, rtol=0, atol=1e-14)
    assert found.least_loss == pytest.approx(0.5 * np.sum((white.Y - fit @ white.X) ** 2) / 40, rel=1e-12)


test_what_is_no_data_and_no_weights_is_refused_in_one_sentence = FAMILIES.verdicts()
