"""Online gradient descent of two-layer networks: each update is the one that is written down, on any threads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from case_files import Cases
from numpy.typing import NDArray

from numerics.machine.replicas import Plan
from numerics.machine.specialise import specialise
from numerics.machine.streams import TESTING, eight_for_one
from numerics.simulate.teacher_student import Job, learn
from numerics.theory.teacher_student import trajectory

FAMILIES = Cases(__file__, globals())

Floats = NDArray[np.float64]

FUNCTIONS = {**FAMILIES["functions"], "relu": (lambda x: np.maximum(x, 0.0), lambda x: (x > 0.0).astype(float))}
V, V_TEACHER = np.array([0.5, -1.0, 0.8]), np.array([1.0, 0.7])


def networks(K: int, M: int, N: int, seed: int = 0) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(seed)
    return 0.5 * rng.standard_normal((K, N)), rng.standard_normal((M, N))


def drawn(state: Floats, rows: int, N: int) -> tuple[Floats, Floats]:
    """The next inputs of a stream, and the noises behind them."""
    fill = specialise(
        "fill", ("numerics.machine.lanes", "numerics.machine.lanes.functions", "numerics.machine.lanes.normal")
    )
    row = (N // 16 + 1) * 16
    out = np.empty(rows * row)
    fill(state, out, 0, out.size)
    table = out.reshape(rows, row)
    return table[:, :N], table[:, N]


@pytest.mark.parametrize(
    "activation",
    [pytest.param(name, marks=pytest.mark.laws if name in ("relu", "tanh") else ()) for name in FUNCTIONS],
)
@pytest.mark.parametrize(("N", "batch"), [(20, 1), (47, 3)])
def test_every_update_is_the_one_that_is_written_down(activation: str, N: int, batch: int) -> None:
    g, slope = FUNCTIONS[activation]
    W, goal = networks(3, 2, N)
    eta, eta_v, sigma, v = 0.4, 0.3, 0.2, V.copy()
    asked: dict[str, Any] = {"v": V, "v_teacher": V_TEACHER, "batch": batch, "seed": 3, "activation": activation}
    runs = learn(W, goal, updates=[0, 1, 2, 4], eta=eta, eta_v=eta_v, sigma=sigma, tests=30, **asked)
    stream = eight_for_one(3, 0)
    for update in range(5):
        if update in {0, 1, 2, 4}:
            record = [0, 1, 2, 4].index(update)
            tests, _ = drawn(eight_for_one(3, 0, TESTING), 30, N)
            lacking = g(tests @ goal.T / np.sqrt(N)) @ V_TEACHER - g(tests @ W.T / np.sqrt(N)) @ v
            assert runs.Q[0, record] == pytest.approx(W @ W.T / N, rel=1e-12, abs=1e-14)
            assert runs.R[0, record] == pytest.approx(W @ goal.T / N, rel=1e-12, abs=1e-14)
            assert runs.v[0, record] == pytest.approx(v, rel=1e-12)
            assert runs.error[0, record] == pytest.approx(np.mean(lacking**2) / 2.0, rel=1e-12)
        x, noise = drawn(stream, batch, N)
        fields = x @ W.T / np.sqrt(N)
        delta = g(x @ goal.T / np.sqrt(N)) @ V_TEACHER + sigma * noise - g(fields) @ v
        steps = eta / (batch * np.sqrt(N)) * (delta[:, None] * slope(fields) * v).T @ x
        v = v + eta_v / (N * batch) * delta @ g(fields)
        W = W + steps


def test_a_replica_has_the_same_bits_alone_or_together_and_on_any_threads() -> None:
    W, goal = networks(2, 3, 30)
    asked: dict[str, Any] = {"updates": [0, 50, 150], "eta": 0.5, "sigma": 0.1, "tests": 20, "seed": 1}
    together = learn(W, goal, replicas=5, threads=2, **asked)
    for other in (learn(W, goal, replicas=5, threads=1, **asked), learn(W, goal, replicas=9, threads=3, **asked)):
        assert np.array_equal(together.Q, other.Q[:5])
        assert np.array_equal(together.error, other.error[:5])
    alone = learn(W, goal, replicas=range(3, 4), **asked)
    assert np.array_equal(together.R[3], alone.R[0])
    assert len({float(error) for error in together.error[:, -1]}) == 5


def test_replicas_may_have_starts_of_their_own_and_records_do_not_change_them() -> None:
    starts, goal = np.random.default_rng(0).standard_normal((2, 2, 25)), networks(1, 2, 25)[1]
    both = learn(starts, goal, updates=[300], eta=0.5, replicas=2, tests=0)
    for k, start in enumerate(starts):
        alone = learn(start, goal, updates=[0, 7, 300], eta=0.5, replicas=range(k, k + 1))
        assert np.array_equal(alone.Q[0, -1], both.Q[k, -1])
        assert alone.Q[0, 0] == pytest.approx(start @ start.T / 25, rel=1e-12)
    assert np.isnan(both.error).all()


@pytest.mark.parametrize("activation", ["erf", pytest.param("relu", marks=pytest.mark.laws)])
def test_many_inputs_follow_the_flow_of_the_order_parameters(activation: str) -> None:
    N = 2000
    W, goal = networks(2, 2, N)
    asked: dict[str, Any] = {"eta": 0.5, "eta_v": 0.3, "sigma": 0.3, "batch": 2, "activation": activation}
    runs = learn(W, goal, updates=[N, 4 * N], replicas=6, tests=0, **asked)
    Q, T = (A @ A.T / N for A in (W, goal))
    flow = trajectory(Q, W @ goal.T / N, T, times=[0, 1, 4], **asked)
    assert np.abs(runs.Q.mean(0) - flow.Q[1:]).max() < 0.02
    assert np.abs(runs.R.mean(0) - flow.R[1:]).max() < 0.02
    assert np.abs(runs.v.mean(0) - flow.v[1:]).max() < 0.02


def test_a_rate_that_is_too_large_is_told_with_the_bound_of_a_linear_unit() -> None:
    N = 10
    W, goal = networks(1, 1, N)
    runs = learn(W, goal, updates=[0, 10_000], eta=3.0, activation="linear", replicas=2, tests=5)
    bound = 2.0 / (1.0 + 2.0 / N)
    for message in runs.messages:
        assert message.startswith("diverged at update ")
        assert message.endswith(f"from this start, rates are stable below about {bound:.2g}")
    assert np.isfinite(runs.Q[:, 0]).all()
    assert np.isnan(runs.Q[:, 1]).all()
    assert learn(W, goal, updates=[10_000], eta=0.9 * bound, activation="linear", tests=5).messages == ("",)


test_statements_have_their_verdicts = FAMILIES.verdicts()


def test_the_kernel_of_an_activation_is_compiled_once() -> None:
    W, goal = networks(2, 2, 10)
    plan = Plan.checked(0.5, 0.0, 0.0, 1, [1], 0, "erf")
    first, second = (Job(plan, W[None], goal, None, None, first=0, tests=0) for _ in range(2))
    assert first.compiled("learn") is second.compiled("learn")
