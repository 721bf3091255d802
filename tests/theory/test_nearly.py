"""Bounds of how far the nearest exact solution is from networks that have none."""

from __future__ import annotations

import numpy as np
from case_files import Cases
from each import each
from theory.exact_deep_linear import integrated_qqt
from theory.nearly_cases import cases, exceeded, judged

from numerics.theory import deep_linear
from numerics.theory.deep_linear.following import followed, spectral
from numerics.theory.deep_linear.nearest import nearest

FAMILIES = Cases(__file__, globals())


def test_bounds_are_never_exceeded_and_nearly_reached() -> None:
    assert [fault for case in cases(1, 24) for fault in exceeded(case)] == []
    found = [judged(case) for case in cases(1, 24)]
    assert np.median([bound[1:] / errors[1:] for errors, bound, _, slack in found if errors[0] > 100 * slack[0]]) < 1.01


def test_a_smaller_bound_is_exceeded() -> None:
    assert any(exceeded(case, 0.99) for case in cases(1, 3))


@each("claimed", [1 / 16, 1 / 17])
def test_the_inequality_holds_and_is_sharp(claimed: float) -> None:
    """For rank one and P = -3/4 X both sides are the same, so that no smaller constant will do."""
    rng = np.random.default_rng(0)
    above = []
    for at in range(400):
        inputs, outputs, hidden = (int(k) for k in rng.integers(1, 4, 3))
        X = rng.normal(size=(inputs + outputs, hidden)) * 10.0 ** rng.uniform(-2, 1)
        P = rng.normal(size=X.shape)
        if at % 2:
            X = np.concatenate([np.outer(v / np.linalg.norm(v), [1.0]) for v in rng.normal(size=(2, inputs))])
            P, outputs = -0.75 * X, inputs
        e = rng.normal(size=(outputs, inputs)) * (at % 4 < 2)
        sigma = e + P[inputs:] @ P[:inputs].T
        half = float(np.sum(X * (rate(P + X, inputs, sigma) - rate(P, inputs, sigma))))
        x = float(np.linalg.norm(X))
        above.append(half > (np.linalg.norm(e, 2) * x**2 + claimed * x**4) * (1 + 1e-12))
    assert any(above) == (claimed < 1 / 16)


def rate(Q: np.ndarray, inputs: int, sigma: np.ndarray) -> np.ndarray:
    e = sigma - Q[inputs:] @ Q[:inputs].T
    return np.concatenate([e.T @ Q[inputs:], e @ Q[:inputs]])


def test_spectral_norms_are_bounded_from_above() -> None:
    rng = np.random.default_rng(0)
    for rows, columns in ((1, 1), (2, 5), (5, 2), (30, 30)):
        many = rng.normal(size=(7, rows, columns)) * 10.0 ** rng.uniform(-100, 100, (7, 1, 1))
        many[0] = 0.0
        exact = np.linalg.norm(many, 2, axis=(1, 2))
        assert np.all(exact <= spectral(many))
        assert np.all(spectral(many) <= exact * min(rows, columns) ** (1 / 64) * (1 + 1e-11))


def test_what_following_misses_is_bounded() -> None:
    small = [case for case in cases(2, 60) if case.W1.size + case.W2.size <= 9]
    assert len(small) >= 5
    for case in small[:5]:
        Q, times = np.concatenate([case.W1.T, case.W2]), np.array([0.5, 2.0])
        states, missed = followed(Q, case.W1.shape[1], case.sigma, times)
        for state, bound, time in zip(states, missed, times, strict=True):
            exact = np.array(integrated_qqt(case, time, 20).tolist(), dtype=float)  # type: ignore[arg-type]
            assert np.linalg.norm(state - exact) <= bound <= 1e-10 * np.linalg.norm(exact)


def test_nearest_starts_are_of_two_levels() -> None:
    for case in cases(3, 60):
        Q = np.linalg.qr(np.concatenate([case.W1.T, case.W2]).T).R.T
        P, a, b = nearest(Q, case.W1.shape[1])
        levels = deep_linear.levels_of(P[: case.W1.shape[1]].T, P[case.W1.shape[1] :])
        assert abs(levels.a - a) + abs(levels.b - b) < 1e-12 * np.sum(P * P)


test_statements_have_their_verdicts = FAMILIES.verdicts()
