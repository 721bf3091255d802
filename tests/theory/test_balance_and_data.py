"""Weights are balanced with the same product and the least movement, and data become white."""

from __future__ import annotations

import numpy as np
import pytest
from case_files import Cases
from each import each

from numerics.theory.deep_linear.balance import StartError, balance, balance_of

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


def test_rounding_of_the_weights_is_not_a_balance() -> None:
    for seed in range(50):
        found = balance(*random_weights(4, 3, 5, seed))
        assert balance_of(found.W1, found.W2) == 0.0


# --- data -------------------------------------------------------------------------------------------------------------


test_statements_have_their_verdicts = FAMILIES.verdicts()
