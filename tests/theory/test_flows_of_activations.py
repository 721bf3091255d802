"""The flows of all activations against derivatives of the error, against each other, and on the edge of the cone."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from case_files import Cases
from each import each

from numerics.ode.integrate import compiled
from numerics.theory.teacher_student import (
    FLOWS,
    PARTS,
    TeacherStudentError,
    generalisation_error,
    trajectory,
)
from numerics.theory.teacher_student.flows import smooth_runs
from numerics.theory.teacher_student.many import _outside

FAMILIES = Cases(__file__, globals())

LONG = ("relu", "theory.jitted_erf", "tanh")  # each takes between five and thirteen seconds to compile
ACTIVATIONS = ("erf", "linear", *(pytest.param(name, marks=pytest.mark.laws) for name in LONG))
NO_NOISE_OF_SAMPLES = 10**15  # a batch so large that only the gradient is left


def rates(activation: str, W: np.ndarray, teacher: np.ndarray, v: np.ndarray, w: np.ndarray) -> np.ndarray:
    """The rates of Q, R and v for rates of learning 1."""
    K, M = len(W), len(teacher)
    Q, R, T = W @ W.T, W @ teacher.T, teacher @ teacher.T
    header = [K, M, 1.0, 1.0, 1.0, 0.0, NO_NOISE_OF_SAMPLES]
    params = np.concatenate([header, T[np.tril_indices(M)], w, v])
    state = np.concatenate([Q[np.tril_indices(K)], R.ravel(), v])
    if activation not in FLOWS:
        return smooth_runs.rates((smooth_runs.module_of(activation),), state, smooth_runs.with_rule(params, 50))
    parts = PARTS.get(activation, ())
    size, prepare, right = (compiled(FLOWS[activation], parts, part) for part in ("scratch_size", "prepare", "rates"))
    scratch, out = np.empty(size(params)), np.empty(state.size)
    prepare(params, scratch)
    right(0.0, state, params, out, scratch)
    return out


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_without_the_noise_of_samples_the_flow_descends_the_gradient_of_the_error(activation: str) -> None:
    rng = np.random.default_rng(3)
    K, M = 3, 2
    W, teacher = rng.normal(size=(K, 6)) / 4, rng.normal(size=(M, 6)) / 4
    v, w = rng.normal(size=K), rng.normal(size=M)

    def error(W: np.ndarray, v: np.ndarray) -> float:
        Q, T = W @ W.T, teacher @ teacher.T
        return generalisation_error(
            (Q + Q.T) / 2, W @ teacher.T, (T + T.T) / 2, v=v, v_teacher=w, activation=activation
        )

    slopes, step = np.empty_like(W), 1e-5
    for at in np.ndindex(W.shape):
        moved = np.zeros_like(W)
        moved[at] = step
        slopes[at] = (error(W + moved, v) - error(W - moved, v)) / (2 * step)
    for_v = [(error(W, v + step * e) - error(W, v - step * e)) / (2 * step) for e in np.eye(K)]
    dQ = -(slopes @ W.T + W @ slopes.T)
    expected = np.concatenate([dQ[np.tril_indices(K)], -(slopes @ teacher.T).ravel(), -np.array(for_v)])
    allowed = 1e-8 if activation in FLOWS else 1e-7
    assert np.abs(rates(activation, W, teacher, v, w) - expected).max() < allowed


@pytest.mark.laws  # integrating them takes twenty seconds to compile
def test_rectifiers_of_larger_students_and_teachers_learn_the_same_at_a_larger_scale() -> None:
    rng = np.random.default_rng(1)
    W = rng.normal(size=(5, 7)) / 3
    C = (W @ W.T + (W @ W.T).T) / 2
    Q, R, T = C[:3, :3], C[:3, 3:], C[3:, 3:]
    one, large = (trajectory(f * Q, f * R, f * T, eta=0.3, activation="relu", times=[0, 2, 5]) for f in (1.0, 1e4))
    assert np.allclose(large.Q, 1e4 * one.Q, rtol=1e-7)
    assert np.allclose(large.error, 1e4 * one.error, rtol=1e-7)


@pytest.mark.laws  # integrating them takes twenty seconds to compile
def test_two_opposite_rectifiers_are_a_line_that_learns_at_half_the_rate() -> None:
    """x = relu(x) - relu(-x), and each of the two sees half of the samples; every correlation is 1 or -1 or shared."""
    sign = np.array([[1.0, -1.0], [-1.0, 1.0]])
    times, pair = np.linspace(0, 6, 7), [1.0, -1.0]
    two = trajectory(
        0.5 * sign,
        0.3 * sign,
        1.2 * sign,
        v=pair,
        v_teacher=pair,
        eta=0.8,
        batch=NO_NOISE_OF_SAMPLES,
        activation="relu",
        times=times,
    )
    one = trajectory([[0.5]], [[0.3]], [[1.2]], eta=0.4, batch=NO_NOISE_OF_SAMPLES, activation="linear", times=times)
    assert np.allclose(two.Q[:, 0, 0], one.Q[:, 0, 0], rtol=1e-8)
    assert np.allclose(two.R, one.R[:, :1, :1] * sign, rtol=1e-8)
    assert np.allclose(two.error, one.error, rtol=1e-8)


@pytest.mark.laws  # integrating them takes twenty seconds to compile
def test_the_requested_tolerance_is_the_size_of_the_error_for_rectifiers() -> None:
    rng = np.random.default_rng(2)
    W = rng.normal(size=(3, 400)) * 0.5 / sqrt(400)
    Q, R, times = W @ W.T, W[:, :3].copy(), np.linspace(0, 30, 11)
    Q = (Q + Q.T) / 2
    runs = {
        rtol: trajectory(Q, R, np.eye(3), eta=0.4, activation="relu", times=times, rtol=rtol, atol=rtol * 1e-2)
        for rtol in (1e-6, 1e-8, 1e-12)
    }
    for rtol in (1e-6, 1e-8):
        assert np.abs(runs[rtol].Q - runs[1e-12].Q).max() < 100 * rtol
        assert np.abs(runs[rtol].error - runs[1e-12].error).max() < 100 * rtol


EDGES = FAMILIES["edges"]


@pytest.mark.parametrize("activation", ACTIVATIONS)
@each("edge", list(EDGES))
def test_rates_are_finite_and_continuous_on_the_edge_of_the_cone(edge: str, activation: str) -> None:
    rows, ones = EDGES[edge], np.ones(2)
    found = rates(activation, rows[:2], rows[2:], ones, ones)
    assert np.isfinite(found).all()
    if edge in ("nothing", "a student that vanishes") and activation == "relu":
        still = [0, 1, 3, 4] if edge == "a student that vanishes" else range(9)
        assert not found[still].any()  # the slope jumps where a field vanishes, and is 0 there
        return
    near = rows + 1e-8 * np.random.default_rng(0).normal(size=rows.shape)
    assert np.abs(rates(activation, near[:2], near[2:], ones, ones) - found).max() < 1e-6


@pytest.mark.laws  # integrating it takes ten seconds to compile
def test_a_module_of_a_user_flows_like_the_formulas_within_the_estimate() -> None:
    rng = np.random.default_rng(7)
    W = rng.normal(size=(4, 6)) / 3
    C = (W @ W.T + (W @ W.T).T) / 2
    arguments = {"eta": 0.7, "eta_v": 0.2, "sigma": 0.3, "batch": 2, "times": np.array([0, 1, 4.0])}
    by_rules, exact = (
        trajectory(C[:2, :2], C[:2, 2:], C[2:, 2:], activation=name, rtol=1e-8, **arguments)  # type: ignore[arg-type]
        for name in ("theory.jitted_erf", "erf")
    )
    assert by_rules.message == ""
    assert np.abs(by_rules.Q - exact.Q).max() < 1e-5
    assert np.abs(by_rules.v - exact.v).max() < 1e-5
    assert np.abs(by_rules.error - exact.error).max() < 1e-6


@pytest.mark.laws  # by rules for any activation, which take seconds to compile
def test_the_estimate_of_the_rates_is_at_least_their_error() -> None:
    for seed in range(4):
        rng = np.random.default_rng(seed)
        W = rng.normal(size=(4, 6)) / 2
        K = M = 2
        C, ones = W @ W.T, np.ones(2)
        params = np.concatenate([[K, M, 0.0, 1.0, 0.0, 0.0, 1], C[2:, 2:][np.tril_indices(2)], ones, ones])
        state = np.concatenate([C[:2, :2][np.tril_indices(2)], C[:2, 2:].ravel()])
        exact = smooth_runs.rates(("theory.jitted_erf",), state, smooth_runs.with_rule(params, 80))
        for size in smooth_runs.SIZES[:2]:
            left = smooth_runs.rates(("theory.jitted_erf",), state, smooth_runs.with_rule(params, size)) - exact
            assert np.abs(left).max() <= smooth_runs.estimate(("theory.jitted_erf",), state, params, size)


@pytest.mark.laws  # integrating them takes ten seconds to compile, each
@each("activation", ["theory.jitted_erf", "tanh"])
def test_a_run_whose_rules_leave_too_large_an_error_says_so(activation: str) -> None:
    run = trajectory([[30.0]], [[2.0]], [[1.0]], eta=0.1, activation=activation, times=[0, 0.1], rtol=1e-4)
    assert run.message.startswith("40 nodes in each direction leave errors of ")
    assert " in the averages; quadrature=" in run.message
    assert np.isnan(run.error).all()
    with pytest.raises(TeacherStudentError, match="80 nodes in each direction leave an error of"):
        generalisation_error([[3000.0]], [[2.0]], [[1.0]], activation=activation)
    fine = trajectory(
        [[30.0]], [[2.0]], [[1.0]], eta=0.1, activation=activation, times=[0, 0.1], rtol=1e-4, quadrature=1.0
    )
    assert fine.message == ""
    assert np.isfinite(fine.error).all()


@pytest.mark.laws  # integrating them takes twenty seconds to compile
@each("seed", range(8))
def test_a_rectifier_without_weights_rests_and_the_others_learn_as_if_it_were_not_there(seed: int) -> None:
    """Its slope is 0, as in the simulator; no run leaves the cone of covariances."""
    W = np.random.default_rng(seed).normal(size=(3, 4))
    C = (W @ W.T + (W @ W.T).T) / 2
    alone, T = C[:1, :1], C[1:, 1:]
    with_zero = np.zeros((2, 2))
    with_zero[1, 1] = alone[0, 0]
    times = [0, 0.5, 4]
    two = trajectory(with_zero, np.vstack([np.zeros(2), C[0, 1:]]), T, eta=0.5, times=times, activation="relu")
    one = trajectory(alone, C[:1, 1:], T, eta=0.5, times=times, activation="relu")
    assert two.message == one.message == ""
    assert not two.Q[:, 0].any()
    assert np.allclose(two.error, one.error, rtol=1e-9)
    assert (two.error >= 0).all()


def test_the_first_time_outside_the_cone_of_covariances_is_found() -> None:
    """The first time at which an eigenvalue is negative beyond rounding."""
    C = np.array([[[1.0, 0.0], [0.0, 1.0]], [[1.0, 1.5], [1.5, 1.0]], [[-1.0, 0.0], [0.0, 1.0]]])
    assert [_outside(C[None, at:], 1e-7) for at in range(3)] == [[(0, 1)], [(0, 0)], [(0, 0)]]
    assert _outside(C[None, :1], 1e-7) == []
