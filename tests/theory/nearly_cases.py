"""Starts that are nearly of two levels, and QQ' of their own flow by an integrator that knows nothing of the theory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from theory.deep_linear_cases import composed, orthogonal, weights
from theory.two_level_cases import boosted

from numerics.theory import deep_linear

Array = NDArray[np.float64]
TIMES = np.array([0.0, 0.3, 1.0, 3.0, 10.0, 30.0])
INTEGRATED = 1e-11  # of the size of QQ', what the integrator may be off by
KINDS = ("wide and random", "balanced and an error", "two levels and an error")


@dataclass(frozen=True)
class Case:
    """Weights with no particular structure but that they are near to some, and a task."""

    name: str
    W1: Array
    W2: Array
    sigma: Array


def cases(seed: int, count: int) -> Iterator[Case]:
    """Wide random layers of 10 to 10,000 units, and exact starts of both signs with errors from 10^-6 to 10^-1."""
    rng = np.random.default_rng(seed)
    for at in range(count):
        kind = KINDS[at % len(KINDS)]
        inputs, outputs = (int(k) for k in rng.integers(1, 5, 2))
        n = min(inputs, outputs)
        sigma = composed(orthogonal(rng, outputs), rng.uniform(0.2, 2.0, n), orthogonal(rng, inputs))
        a, b = 10.0 ** rng.uniform(-2, 0.5, 2)
        left, right = orthogonal(rng, outputs), orthogonal(rng, inputs)
        if kind == KINDS[0]:
            hidden = int(10.0 ** rng.uniform(1, 4))
            W1 = rng.normal(size=(hidden, inputs)) * np.sqrt(a / hidden)
            W2 = rng.normal(size=(outputs, hidden)) * np.sqrt(b / hidden)
        elif kind == KINDS[1]:
            hidden, balance = int(rng.integers(1, n + 1)), float(a * rng.choice([-1.0, 0.0, 1.0]))
            W1, W2 = weights(left, rng.uniform(0.05, 1.5, hidden), right, orthogonal(rng, hidden), balance)
        else:
            Q = boosted(left, right, rng.uniform(0, 1, n), float(a), float(b))
            W1, W2 = Q[:inputs].T, Q[inputs:]
        if kind != KINDS[0]:
            size = 10.0 ** rng.uniform(-6, -1) * np.hypot(np.linalg.norm(W1), np.linalg.norm(W2)) / (inputs + outputs)
            W1, W2 = W1 + size * rng.normal(size=W1.shape), W2 + size * rng.normal(size=W2.shape)
        yield Case(f"{kind}, {inputs}-{W1.shape[0]}-{outputs}", W1, W2, sigma)


def integrated(case: Case) -> Array:
    """QQ' at TIMES from the weights' own flow; a rotation of hidden units makes wide layers small."""
    inputs, Q = case.W1.shape[1], np.concatenate([case.W1.T, case.W2])
    Q = np.linalg.qr(Q.T).R.T if Q.shape[1] > Q.shape[0] else Q

    def rate(_: float, state: Array) -> Array:
        now = state.reshape(Q.shape)
        e = case.sigma - now[inputs:] @ now[:inputs].T
        return np.concatenate([e.T @ now[inputs:], e @ now[:inputs]]).ravel()

    states = [Q.ravel()]
    for first, last in pairwise(TIMES):  # step by step, as values between steps are less accurate
        found = solve_ivp(rate, (first, last), states[-1], method="DOP853", rtol=1e-13, atol=1e-15)
        assert found.success
        states.append(found.y[:, -1])
    together = np.array(states).reshape(-1, *Q.shape)
    return np.asarray(together @ np.swapaxes(together, 1, 2))


def judged(case: Case) -> tuple[Array, Array, Array, Array]:
    """True errors, both bounds, and what the integrator may be off by, at all times."""
    found, true = deep_linear.nearly(case.W1, case.W2, case.sigma, TIMES), integrated(case)
    errors = np.linalg.norm(found.states - true, axis=(1, 2))
    return errors, found.bound, found.bound_from_distance, INTEGRATED * np.linalg.norm(true, axis=(1, 2))


def exceeded(case: Case, share: float = 1.0) -> list[str]:
    """The times at which the true error is above this share of a bound."""
    errors, *bounds, slack = judged(case)
    return [
        f"{case.name}, t = {TIMES[k]:g}: error {errors[k]:.3e}, {name} {bound[k]:.3e}"
        for name, bound in zip(("bound", "bound from the distance"), bounds, strict=True)
        for k in np.flatnonzero(~(errors <= share * bound + slack))
    ]
