"""The fit finds the constants that made the curves, wherever they lie, and says how well."""

from __future__ import annotations

import numpy as np
import pytest

from numerics.theory import two_point
from numerics.theory.two_point import fit as fitting

X, TIMES = 0.25, np.linspace(0, 40, 120)


def case(rng: np.random.Generator, s: float) -> tuple[np.ndarray, np.ndarray]:
    """A start and two time constants, log-uniform over two decades."""
    h, y = np.exp(rng.uniform(np.log(1e-3), 0, 2))
    cosine = rng.uniform(-0.9, 1)
    return np.array([h, y, y - np.sqrt(y * s) * cosine]), np.exp(rng.uniform(np.log(0.05), np.log(5), 2))


@pytest.mark.parametrize("s", [0.0, 1.0])
def test_constants_are_recovered_from_every_one_of_100_random_starts(s: float) -> None:
    rng, times = np.random.default_rng(11), np.concatenate([[0.0], np.geomspace(1e-3, 40, 120)])
    for _ in range(100):
        start, taus = case(rng, s)
        h, y, w = two_point.closed_form(start, [X, s, *taus], times)[0].T
        found = fitting.fit(times, h, y, w, X, s)
        assert np.allclose(found.constants, taus, rtol=1e-6, atol=0), (start, taus, found)
        assert found.r_squared > 1 - 1e-12


def test_standard_errors_are_honest_for_independent_noise() -> None:
    rng = np.random.default_rng(3)
    start, taus = np.array([0.05, 0.02, -0.05]), np.array([1.5, 0.8])
    clean = two_point.closed_form(start, [X, 1.0, *taus], TIMES)[0]
    scores = []
    for _ in range(60):
        noisy = clean + 1e-3 * rng.normal(size=clean.shape)
        noisy[0] = clean[0]
        found = fitting.fit(TIMES, *noisy.T, X, 1.0)
        scores.append((np.array(found.constants) - taus) / found.errors)
    assert 0.75 < np.std(scores) < 1.25


def test_the_profile_fits_every_layer_by_itself() -> None:
    pairs = [(2.0, 0.5), (1.0, 1.0)]
    curves = [two_point.closed_form([0.1, 0.05, 0.0], [X, 1.0, *pair], TIMES)[0] for pair in pairs]
    whole = fitting.fit(TIMES, *curves[1].T, X, 1.0)
    first, second = fitting.profile(TIMES, [curves[0][:, 0], curves[1][:, 0]], curves[1][:, 1], curves[1][:, 2], X, 1.0)
    assert second.constants == whole.constants
    assert first.r_squared < second.r_squared


def test_the_third_constant_comes_from_the_loss() -> None:
    _, y, w = two_point.closed_form([0.1, 0.05, 0.0], [X, 1.0, 1.0, 2.0], TIMES)[0].T
    loss = 0.3 / 2 * np.exp(-2 * TIMES / 7.0) + (w + (1.0 - y) / 2) / 4
    found = fitting.fit_mean(TIMES, loss, y, w, 1.0)
    assert np.isclose(found.constants[0], 7.0, rtol=1e-8)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"h": np.full(120, np.nan)}, "h is nan at time 0"),
        ({"y": np.ones(3)}, "y must have one number for each of the 120 times"),
        ({"times": TIMES[::-1]}, "times must increase"),
        ({"X": 0.0}, "X must be positive"),
        ({"h": np.zeros(120)}, "no start of the theory"),
    ],
)
def test_curves_without_a_fit_are_refused_in_one_sentence(change: dict[str, object], sentence: str) -> None:
    given: dict[str, object] = {
        "times": TIMES,
        "h": np.ones(120),
        "y": np.ones(120),
        "w": np.ones(120),
        "X": X,
        "s": 1.0,
    }
    with pytest.raises(fitting.FitError, match=sentence):
        fitting.fit(**(given | change))  # type: ignore[arg-type]
