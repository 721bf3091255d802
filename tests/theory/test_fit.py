"""The fit finds the constants that made the curves, wherever they lie, and says how well."""

from __future__ import annotations

import os
import random
from itertools import product

import numpy as np
import pytest
from case_files import Cases
from drawn import drawn
from each import each

from numerics.theory import two_point
from numerics.theory.two_point import fit as fitting

FAMILIES = Cases(__file__, globals())

X, TIMES = 0.25, np.linspace(0, 40, 120)


def case(rng: np.random.Generator, s: float) -> tuple[np.ndarray, np.ndarray]:
    """A start and two time constants, log-uniform over two decades."""
    h, y = np.exp(rng.uniform(np.log(1e-3), 0, 2))
    cosine = rng.uniform(-0.9, 1)
    return np.array([h, y, y - np.sqrt(y * s) * cosine]), np.exp(rng.uniform(np.log(0.05), np.log(5), 2))


@pytest.mark.drawn
@each("s", [0.0, 1.0])
def test_constants_are_recovered_from_every_random_start(s: float) -> None:
    rng, times = np.random.default_rng(11), np.concatenate([[0.0], np.geomspace(1e-3, 40, 120)])
    for _ in range(drawn(60)):
        start, taus = case(rng, s)
        h, y, w = two_point.closed_form(start, [X, s, *taus], times)[0].T
        found = fitting.fit(times, h, y, w, X, s)
        assert np.allclose(found.constants, taus, rtol=1e-6, atol=0), (start, taus, found)
        assert found.r_squared > 1 - 1e-12


@pytest.mark.drawn
def test_standard_errors_are_honest_for_independent_noise() -> None:
    """At evenly spaced times and at others, for equal and for different targets, with an exact start and without."""
    ways = [*product([TIMES, np.concatenate([[0.0], np.geomspace(0.1, 40, 80)])], [0.0, 1.0], [False, True])]
    for which in random.Random(os.environ.get("LAWS_SEED", "")).sample(range(8), drawn(8)):
        check_errors(*ways[which])


def check_errors(times: np.ndarray, s: float, first_is_exact: bool) -> None:
    rng = np.random.default_rng(3)
    start = np.array([0.05, 0.02, -0.05 if s else 0.02])
    taus = np.array([1.5, 0.8])
    clean = two_point.closed_form(start, [X, s, *taus], times)[0]
    scores = []
    for _ in range(40):
        noisy = clean + 1e-3 * rng.normal(size=clean.shape)
        if first_is_exact:
            noisy[0] = clean[0]
        found = fitting.fit(times, *noisy.T, X, s, exact_start=first_is_exact)
        scores.append((np.array(found.constants) - taus) / found.errors)
    assert 0.75 < np.std(scores) < 1.25
    assert np.abs(np.mean(scores, axis=0)).max() < 0.6


@each("first_is_exact", [False, True], one_of=2)
def test_the_error_of_the_third_constant_is_honest(first_is_exact: bool) -> None:
    rng = np.random.default_rng(4)
    _, y, w = two_point.closed_form([0.1, 0.05, 0.0], [X, 1.0, 1.0, 2.0], TIMES)[0].T
    loss = 0.3 / 2 * np.exp(-2 * TIMES / 7.0) + (w + (1.0 - y) / 2) / 4
    scores = []
    for _ in range(60):
        noise = 1e-3 * rng.normal(size=TIMES.size)
        noise[0] *= not first_is_exact
        found = fitting.fit_mean(TIMES, loss + noise, y, w, 1.0, exact_start=first_is_exact)
        scores.append((found.constants[0] - 7.0) / found.errors[0])
    assert 0.75 < np.std(scores) < 1.25


def test_a_first_row_that_no_network_has_is_data_too() -> None:
    clean = two_point.closed_form([0.05, 0.02, -0.05], [X, 1.0, 1.5, 0.8], TIMES)[0]
    clean[0] = -0.01, -0.02, 0.3
    found = fitting.fit(TIMES, *clean.T, X, 1.0)
    assert np.allclose(found.constants, (1.5, 0.8), rtol=0.3)
    with pytest.raises(fitting.FitError, match="no start of the theory"):
        fitting.fit(TIMES, *clean.T, X, 1.0, exact_start=True)


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


test_curves_without_a_fit_are_refused_in_one_sentence = FAMILIES.verdicts()
