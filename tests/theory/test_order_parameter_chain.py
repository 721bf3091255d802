"""The chain of order parameters: gradient descent in a frame, with the law of gradient descent on the weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from case_files import Cases
from each import each
from numpy.typing import NDArray
from scipy import stats
from scipy.special import erf

from numerics.machine.lanes import LANES
from numerics.machine.replicas import Plan
from numerics.machine.specialise import specialise
from numerics.machine.streams import one_for_each
from numerics.simulate.teacher_student import learn
from numerics.theory.teacher_student import generalisation_error, setting
from numerics.theory.teacher_student.chain import KERNEL, Job, chain, triangle

FAMILIES = Cases(__file__, globals())

Floats = NDArray[np.float64]

PARTS = ("numerics.machine.lanes", "numerics.machine.lanes.functions", "numerics.machine.activations.erf", *KERNEL)


def overlaps(W: Floats, goal: Floats) -> tuple[Floats, Floats, Floats]:
    N = W.shape[1]
    Q, T = W @ W.T / N, goal @ goal.T / N
    return (Q + Q.T) / 2, W @ goal.T / N, (T + T.T) / 2


def networks(K: int, M: int, N: int) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(0)
    return rng.standard_normal((K, N)), rng.standard_normal((M, N))


W, GOAL = networks(3, 2, 6)
STARTS = FAMILIES["starts"]


@each("name", [*STARTS])
def test_the_triangle_has_the_overlaps_it_was_made_from_singular_ones_included(name: str) -> None:
    Q, R, T = overlaps(*STARTS[name])
    M = T.shape[0]
    L = triangle(setting(Q, R, T, None, None))
    assert np.array_equal(L, np.tril(L))
    products = L @ L.T
    scale = np.sqrt(np.outer(np.diag(Q), np.diag(T)))
    assert np.abs(products[:M, :M] - T).max() <= 1e-14 * max(1.0, np.abs(T).max())
    assert np.abs(products[M:, M:] - Q).max() <= 1e-14 * np.abs(Q).max()
    assert np.all(np.abs(products[M:, :M] - R) <= 1e-14 * scale)


@each("name", [*STARTS])
def test_every_start_is_learned_from(name: str) -> None:
    Q, R, T = overlaps(*STARTS[name])
    runs = chain(Q, R, T, inputs=20, updates=[0, 1, 200], eta=0.5, sigma=0.1, batch=2, replicas=3)
    assert runs.messages == ("", "", "")
    assert np.isfinite(runs.error).all()
    assert runs.Q[2, 0] == pytest.approx(Q, abs=1e-13)


@each(("N", "K", "M", "batch"), FAMILIES["an update is that of gradient descent with the inputs that it stands for"])
def test_an_update_is_that_of_gradient_descent_with_the_inputs_that_it_stands_for(
    N: int, K: int, M: int, batch: int
) -> None:
    start = setting(*overlaps(*networks(K, M, N)), np.linspace(0.5, 1.0, K), np.linspace(1.0, 0.3, M))
    job = Job(Plan.checked(0.7, 0.4, 0.2, batch, [1], 4, "erf"), start, N)
    state = job.begin(2)
    job.advance(2, state)
    runs = job.runs(state["records"])

    fill, chi_squares = (specialise(name, PARTS) for name in ("fill", "chi_squares"))
    stream = one_for_each(4, 2 * LANES)
    pairs, free = batch * (batch - 1) // 2, N - K - M
    size = batch * (K + M + 1) + pairs
    numbers = np.empty(LANES * (size + 1))
    fill(stream, numbers, 0, LANES * size)
    drawn = numbers.reshape(-1, LANES)[:size]
    bartlett = np.zeros((LANES, batch, batch))
    below = iter(drawn[batch * (K + M + 1) :])
    chi = np.empty(LANES)
    for s in range(batch):
        for t in range(min(s, max(free, 0))):
            bartlett[:, s, t] = next(below)
        if s < free:
            chi_squares(stream, free - s, chi, 0)
            bartlett[:, s, s] = np.sqrt(chi)
    L = triangle(start)
    for lane in range(LANES):
        given = drawn[: batch * (K + M + 1), lane].reshape(batch, K + M + 1)
        X = np.concatenate([given[:, : K + M], bartlett[lane]], axis=1)
        weights, goal = (np.pad(part, ((0, 0), (0, batch))) * np.sqrt(N) for part in (L[M:], L[:M]))
        fields, goals = X @ weights.T / np.sqrt(N), X @ goal.T / np.sqrt(N)
        delta = erf(goals / np.sqrt(2)) @ start.v_teacher + 0.2 * given[:, -1] - erf(fields / np.sqrt(2)) @ start.v
        slopes = np.sqrt(2 / np.pi) * np.exp(-(fields**2) / 2)
        moved = weights + 0.7 / (batch * np.sqrt(N)) * (delta[:, None] * slopes * start.v).T @ X
        assert runs.Q[lane, 0] == pytest.approx(moved @ moved.T / N, rel=1e-12, abs=1e-13)
        assert runs.R[lane, 0] == pytest.approx(moved @ goal.T / N, rel=1e-12, abs=1e-13)
        second = start.v + 0.4 / (N * batch) * delta @ erf(fields / np.sqrt(2))
        assert runs.v[lane, 0] == pytest.approx(second, rel=1e-12)


@each("freedom", [1, 2, 3, 20, 10**9])
def test_chi_square_numbers_have_their_law(freedom: int) -> None:
    out = np.empty(80_000)
    chi_squares, stream = specialise("chi_squares", PARTS), one_for_each(0, freedom % 1000)
    for at in range(0, out.size, LANES):
        chi_squares(stream, freedom, out, at)
    exact = stats.chi2(freedom) if freedom < 1000 else stats.norm(freedom, np.sqrt(2.0 * freedom))
    assert stats.kstest(out, exact.cdf).pvalue > 0.01


@each(("N", "K", "M", "batch"), [(5, 3, 2, 1), (7, 3, 2, 5)])
def test_the_errors_have_the_law_of_gradient_descent(N: int, K: int, M: int, batch: int) -> None:
    start = networks(K, M, N)
    asked: dict[str, Any] = {"updates": [3, 30], "eta": 1.0, "sigma": 0.3, "batch": batch, "replicas": 1000}
    found = chain(*overlaps(*start), inputs=N, **asked)
    direct = learn(*start, tests=0, **asked)
    T = overlaps(*start)[2]
    for k in range(2):
        errors = [generalisation_error(Q, R, T) for Q, R in zip(direct.Q[:, k], direct.R[:, k], strict=True)]
        assert stats.ks_2samp(errors, found.error[:, k]).pvalue > 0.01


def test_a_replica_has_the_same_bits_alone_or_together_and_on_any_threads() -> None:
    Q, R, T = overlaps(*networks(2, 2, 30))
    asked: dict[str, Any] = {"inputs": 30, "updates": [10, 100], "eta": 0.5, "sigma": 0.1, "seed": 1, "batch": 2}
    together = chain(Q, R, T, replicas=30, threads=2, **asked)
    for other in (chain(Q, R, T, replicas=30, threads=1, **asked), chain(Q, R, T, replicas=41, threads=3, **asked)):
        assert np.array_equal(together.Q, other.Q[:30])
        assert np.array_equal(together.error, other.error[:30])
    alone = chain(Q, R, T, replicas=range(13, 18), **asked)
    assert np.array_equal(together.R[13:18], alone.R)
    assert len({float(error) for error in together.error[:, -1]}) == 30


@pytest.mark.laws  # another activation takes three seconds to compile
def test_a_replica_that_diverges_is_told_and_leaves_the_others_alone() -> None:
    Q, R, T = overlaps(*networks(1, 1, 10))
    runs = chain(Q, R, T, inputs=10, updates=[0, 1, 20_000], eta=4.0, activation="linear", replicas=2)
    for message in runs.messages:
        assert message.startswith("diverged at update ")
        assert message.endswith("from this start, rates are stable below about 1.7")
    assert np.isfinite(runs.Q[:, :2]).all()
    assert np.isnan(runs.Q[:, 2]).all()
    assert np.isnan(runs.error[:, 2]).all()


test_statements_have_their_verdicts = FAMILIES.verdicts()


@pytest.mark.parametrize("activation", ["erf", pytest.param("tanh", marks=pytest.mark.laws)])
def test_errors_can_be_left_out(activation: str) -> None:
    Q, R, T = overlaps(*networks(2, 2, 20))
    asked: dict[str, Any] = {"inputs": 20, "updates": [0, 3], "eta": 0.5, "activation": activation}
    without, with_errors = chain(Q, R, T, errors=False, **asked), chain(Q, R, T, **asked)
    assert np.isnan(without.error).all()
    assert np.isfinite(with_errors.error).all()
    assert np.array_equal(without.Q, with_errors.Q)
