"""Linear attention: gradient descent against exact solutions, sampled contexts, and the steps of small heads.

The loss of all contexts is a polynomial in the heads, so that gradient descent on it is extrapolated to steps of size
zero as that of linear networks is. Sampled contexts are compared with it in standard errors.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from numerics.simulate import linear_attention as simulated
from numerics.simulate.linear_attention import Merged, Separate
from numerics.theory import deep_linear
from numerics.theory import linear_attention as theory
from numerics.validate import Outcome, at_most, near
from numerics.validate.extrapolation import BOUND, FIRST, distance, extrapolated
from numerics.validate.rationals import fractions

Floats = NDArray[np.float64]

SAYS = "Linear attention learns in context as its solutions say, on all contexts and on sampled ones, in steps."
LAW, TOKENS = "linear_attention", 20
STRENGTHS = np.array([1.25, 1.0, 0.5])
SAMPLES, CONTEXTS = 24, 100_000
REPLICAS, BATCH, RATE, STEPS = 48, 64, 0.005, 400
SCALES, STARTS = (0.1, 0.03, 0.01), 9


@dataclass(frozen=True)
class Case:
    """Heads that learn for some time, and the P of the theory at its end."""

    name: str
    heads: Merged | Separate
    covariance: Floats
    time: float
    expected: Floats
    levels: int = 8


def outcomes() -> Iterator[Outcome]:
    """Limits of gradient descent, scores of sampled contexts, and the steps of small heads."""
    for case in _cases():
        yield at_most(LAW, f"{case.name}, doubles", distance(_limit(case), fractions(case.expected)), BOUND[False])
    scores = _scores()
    size = float(np.sqrt((scores**2).mean()))
    yield near(LAW, "size of standard scores of sampled losses and slopes", size, 1.0, 5.0 / np.sqrt(2 * scores.size))
    yield at_most(LAW, f"the largest of {scores.size}", float(np.abs(scores).max()), 5.0)
    yield at_most(LAW, "score of the mean of sampled runs", _score_of_runs(), 4.0)
    for scale in SCALES:
        name = f"times of the steps of random heads of size {scale:g}, relative distance, median over starts"
        yield at_most(LAW, name, _gap_of_steps(scale), 3.0 * scale)


# --- exact solutions --------------------------------------------------------------------------------------------------


def _cases() -> Iterator[Case]:
    rng = np.random.default_rng(5)
    for name, values, time, levels in (
        ("separate heads", [0.7, 0.6, 0.9], 2.0, 8),
        ("separate heads from above the end", [1.1, 1.2, 1.5], 1.0, 8),
        ("separate heads after plateaus", [0.1, 0.1, 0.1], 8.0, 11),
        ("one separate head", [0.0, 0.3, 0.0], 5.0, 9),
    ):
        axes = np.linalg.qr(rng.standard_normal((3, 3)))[0]
        covariance = axes @ np.diag(STRENGTHS) @ axes.T
        factors = np.array(values)[:, None] * axes.T
        course = theory.aligned(values, covariance, tokens=TOKENS, times=[time])
        expected = axes @ np.diag(course.values[0] ** 3) @ axes.T
        yield Case(name, Separate(values, factors, factors), covariance, time, expected, levels)
    for name, count in (("one merged head", 1), ("four merged heads, balanced", 4)):
        value, matrix = 0.3 * rng.standard_normal(count), 0.3 * rng.standard_normal((count, 3, 3))
        if count > 1:
            balanced = deep_linear.balance(matrix.reshape(count, -1), value[None])
            value, matrix = balanced.W2[0], balanced.W1.reshape(count, 3, 3)
        expected = theory.merged(value, matrix, 0.9, tokens=TOKENS, times=[2.0])[0]
        yield Case(name, Merged(value, matrix), 0.9 * np.eye(3), 2.0, expected)


def _limit(case: Case) -> NDArray[np.object_]:
    """The sum of the heads when steps vanish."""
    values = []
    for level in range(case.levels):
        steps = FIRST * 2**level
        run = simulated.learn(case.heads, case.covariance, tokens=TOKENS, rate=case.time / steps, steps=[steps])
        values.append(fractions(run.product[0]))
    return extrapolated(values)


# --- sampled contexts -------------------------------------------------------------------------------------------------


def _scores() -> Floats:
    """How many standard errors sampled losses and slopes are from those of all contexts."""
    scores = []
    for sample in range(SAMPLES):
        rng = np.random.default_rng((6, sample))
        L, heads = _covariance(rng), Merged([1.0], 0.5 * rng.standard_normal((1, 3, 3)))
        known = theory.directions(L, tokens=TOKENS)
        P = known.axes.T @ np.asarray(heads.matrix)[0] @ known.axes
        l, c = known.strengths, known.spreads
        slope = known.axes @ (np.diag(l**2 * c) @ P @ np.diag(l) - np.diag(l**2)) @ known.axes.T
        expected = (l.sum() - 2.0 * (l**2 * np.diag(P)).sum() + (l**2 * c) @ P**2 @ l) / 2.0
        seen = simulated.estimate(heads, L, tokens=TOKENS, contexts=CONTEXTS, seed=sample)
        scores.append((seen.loss - expected) / seen.loss_error)
        scores.extend(((seen.slope - slope) / seen.slope_error).ravel())
    return np.array(scores)


def _covariance(rng: np.random.Generator) -> Floats:
    root = rng.standard_normal((3, 3))
    return np.asarray(root @ root.T / 3.0)


def _score_of_runs() -> float:
    """The largest score of an entry of P, of the mean of sampled runs against the run on all contexts."""
    rng = np.random.default_rng(7)
    heads = Separate(*(0.5 * rng.standard_normal(shape) for shape in ((2,), (2, 2), (2, 2))))
    asked = {"tokens": TOKENS, "rate": RATE, "steps": [STEPS]}
    covariance = np.diag([1.0, 0.5])
    mean = simulated.learn(heads, covariance, **asked).product[0]  # type: ignore[arg-type]
    runs = np.stack([
        simulated.learn(heads, covariance, batch=BATCH, seed=seed, **asked).product[0]  # type: ignore[arg-type]
        for seed in range(REPLICAS)
    ])  # fmt: skip
    return float(np.abs((runs.mean(0) - mean) / (runs.std(0, ddof=1) / np.sqrt(REPLICAS))).max())


# --- steps ------------------------------------------------------------------------------------------------------------


def _gap_of_steps(scale: float) -> float:
    """How far simulated times of steps are from those of the theory, relative to these; median of starts."""
    return float(np.median([gap_of_steps(scale, seed).max() for seed in range(STARTS)]))


def gap_of_steps(scale: float, seed: int) -> Floats:
    """Return the same for the steps of one start of random heads."""
    rng = np.random.default_rng((8, seed))
    strengths = np.array([3.0, 2.0, 1.0])
    v, k, q = (scale * rng.standard_normal(shape) for shape in ((3,), (3, 3), (3, 3)))
    course = theory.staircase(v, k, q, np.diag(strengths), tokens=TOKENS, times=[0.0])
    ends = theory.directions(np.diag(strengths), tokens=TOKENS).ends
    rate = 0.004
    steps = np.unique(np.geomspace(1.0, 1.5 * course.times[-1] / rate, 6_000).astype(np.int64))
    run = simulated.learn(Separate(v, k, q), np.diag(strengths), tokens=TOKENS, rate=rate, steps=steps)
    learned = (
        np.diagonal(run.product, axis1=1, axis2=2)[:, course.directions] > 0.5 * ends[list(course.directions)] ** 3
    )
    times = np.where(learned.any(0), rate * steps[np.argmax(learned, axis=0)], np.inf)
    return np.asarray(np.abs(times / course.times - 1.0))
