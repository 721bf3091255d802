"""The flow of the order parameters against printed formulas in balls, known fixed points, invariants and bad input."""

from __future__ import annotations

from math import asin, pi, sqrt

import numpy as np
import pytest
from case_files import Cases
from each import each
from flint import ctx
from theory.averages_in_balls import Erf, Linear, Rates, Relu, ball, flow

from numerics.ode.integrate import compiled
from numerics.theory.teacher_student import (
    FLOWS,
    PARTS,
    TeacherStudentError,
    critical_learning_rate,
    generalisation_error,
    many,
    plateau,
    trajectory,
)

FAMILIES = Cases(__file__, globals())

BALLS = {"erf": Erf, "linear": Linear, "relu": Relu}
SHAPES = FAMILIES["shapes"]


def integrated(activation: str) -> object:
    """An activation whose flow is compiled together with the integrator, which only that of erf is by default.

    To compile one takes between six and twenty seconds. The rates of erf and of linear units are compared by default.
    """
    return activation if activation == "erf" else pytest.param(activation, marks=pytest.mark.laws)


def of_shape(activation: str, K: int, M: int) -> object:
    """A case of the rates; those of rectifiers take long to compile, and at 60 digits."""
    return pytest.param(activation, K, M, marks=pytest.mark.laws) if activation == "relu" else (activation, K, M)


def overlaps(K: int, M: int, seed: int, scale: float = 1.0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Q, R and T of random first layers, without any symmetry."""
    W = np.random.default_rng(seed).normal(size=(K + M, K + M + 2)) * scale / sqrt(K + M)
    C = W @ W.T
    C = (C + C.T) / 2
    return C[:K, :K], C[:K, K:], C[K:, K:]


def rates_of(
    K: int, M: int, activation: str, rates: Rates, *, scale: float, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """The rates from the kernel, and from the printed formulas at 60 digits."""
    Q, R, T = overlaps(K, M, seed, scale)
    rng = np.random.default_rng(seed + 1)
    v, v_teacher = rng.normal(size=K), rng.normal(size=M)
    low = np.tril_indices(K)
    header = [K, M, 1.0, rates.eta, rates.eta_v, rates.sigma**2, rates.batch]
    params = np.concatenate([header, T[np.tril_indices(M)], v_teacher, v])
    state = np.concatenate([Q[low], R.ravel(), v])
    parts = PARTS.get(activation, ())
    size, prepare, right = (compiled(FLOWS[activation], parts, part) for part in ("scratch_size", "prepare", "rates"))
    scratch, out = np.full(size(params), np.nan), np.full(state.size, np.nan)
    prepare(params, scratch)
    right(0.0, state, params, out, scratch)
    with ctx.workdps(60):
        C = [[ball(x) for x in row] for row in np.block([[Q, R], [R.T, T]]).tolist()]
        s = [ball(x) for x in np.concatenate([-v, v_teacher]).tolist()]
        exact = [float(rate) for rate in flow(BALLS[activation](C), K, M, s, rates)]
    return out, np.array(exact)


@pytest.mark.parametrize(
    ("activation", "K", "M"),
    [
        of_shape(activation, *shape)
        for activation in BALLS
        for shape in SHAPES
        if activation != "relu" or sum(shape) < 7
    ],
)
def test_the_fast_rates_are_those_of_the_printed_formulas(activation: str, K: int, M: int) -> None:
    for seed, scale in ((1, 0.3), (2, 1.5), (3, 20.0)):
        rates = Rates(eta=0.7, eta_v=0.3, sigma=0.5, batch=3)
        fast, exact = rates_of(K, M, activation, rates, scale=scale, seed=seed)
        assert np.abs(fast - exact).max() <= 1e-13 * np.abs(exact).max()


def orthonormal(K: int, seed: int, length: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """K short students of K orthonormal teachers."""
    rng = np.random.default_rng(seed)
    W = rng.normal(size=(K, 500)) * length / sqrt(500)
    Q, R = W @ W.T, W[:, :K].copy()
    return (Q + Q.T) / 2, R, np.eye(K)


def test_the_requested_tolerance_is_the_size_of_the_error() -> None:
    Q, R, T = orthonormal(3, 1, 0.5)
    times = np.linspace(0, 60, 41)
    runs = {
        rtol: trajectory(Q, R, T, eta=0.5, times=times, rtol=rtol, atol=rtol * 1e-2)
        for rtol in (1e-6, 1e-8, 1e-10, 1e-13)
    }
    for rtol in (1e-6, 1e-8, 1e-10):
        assert np.abs(runs[rtol].Q - runs[1e-13].Q).max() < 50 * rtol
        assert np.abs(runs[rtol].error - runs[1e-13].error).max() < 50 * rtol


@each("K", [2, 3, 5])
def test_students_without_differences_wait_on_the_plateau(K: int) -> None:
    Q, R = np.full((K, K), 0.01), np.full((K, K), 0.02)
    run = trajectory(Q, R, np.eye(K), eta=1e-3, times=[0, 3e4])
    known = plateau(K)
    assert run.error[-1] == pytest.approx(known.error, rel=3e-3)
    assert run.R[-1] == pytest.approx(np.full((K, K), known.R), rel=3e-3)
    assert generalisation_error(np.full((K, K), known.Q), np.full((K, K), known.R), np.eye(K)) == pytest.approx(
        known.error, rel=1e-12
    )


def test_the_plateau_is_a_fixed_point_for_small_rates() -> None:
    for K in (1, 2, 3, 7):
        known = plateau(K)
        assert known.Q == 1 / (2 * K - 1)
        assert known.error == pytest.approx(K / pi * (pi / 6 - K * asin(1 / (2 * K))), rel=1e-15)
        Q, R = np.full((K, K), known.Q), np.full((K, K), known.R)
        moved = trajectory(Q, R, np.eye(K), eta=1e-6, times=[0, 1e2], rtol=1e-12, atol=1e-16)
        assert np.abs(moved.R[-1] - R).max() < 1e-9


def small_rate_flow(K: int, state: np.ndarray) -> np.ndarray:
    """The rates of Q and R over eta, without the terms of second order."""
    eta = 1e-9
    params = np.concatenate([[K, K, 0, eta, 0, 0, 1e30], np.eye(K)[np.tril_indices(K)], np.ones(K), np.ones(K)])
    size, prepare, right = (compiled(FLOWS["erf"], (), part) for part in ("scratch_size", "prepare", "rates"))
    scratch, out = np.empty(size(params)), np.empty(state.size)
    prepare(params, scratch)
    right(0.0, state, params, out, scratch)
    return np.asarray(out / eta)


@each("K", [1, 2, 3, 5])
def test_the_plateau_is_left_at_its_escape_rate_in_its_unstable_directions_alone(K: int) -> None:
    known, own, step = plateau(K), K * (K + 1) // 2, 1e-5
    at = np.concatenate([np.full(own, known.Q), np.full(K * K, known.R)])
    sides = step * np.eye(at.size)
    jacobian = np.array([(small_rate_flow(K, at + e) - small_rate_flow(K, at - e)) / (2 * step) for e in sides]).T
    values = np.sort(np.linalg.eigvals(jacobian).real)[::-1]
    unstable = (K - 1) ** 2
    assert values[:unstable] == pytest.approx(known.escape_rate, rel=1e-6)
    assert (values[unstable:] < 1e-6).all()
    moves = known.directions.reshape(unstable, K * K)
    assert np.allclose(moves @ moves.T, np.eye(unstable), atol=1e-12)
    changes = np.concatenate([np.zeros((unstable, own)), moves], axis=1)
    assert np.allclose(changes @ jacobian.T, known.escape_rate * changes, atol=1e-8)


@pytest.mark.parametrize("activation", list(map(integrated, ["erf", "linear", "relu", "theory.jitted_erf", "tanh"])))
def test_noise_adds_half_of_its_variance_to_the_error(activation: str) -> None:
    Q, R, T = overlaps(2, 3, 9)
    clean = generalisation_error(Q, R, T, activation=activation)
    assert generalisation_error(Q, R, T, activation=activation, sigma=0.6) == pytest.approx(clean + 0.18, rel=1e-15)
    run = trajectory(Q, R, T, eta=0.0, sigma=0.6, times=[0], activation=activation)
    assert run.error[0] == pytest.approx(clean, rel=1e-15)
    with pytest.raises(TeacherStudentError, match="sigma must be a number that is not negative, got -1"):
        generalisation_error(Q, R, T, activation=activation, sigma=-1)


@pytest.mark.laws
@each("K", [2, 3, 5])
def test_a_linear_student_of_a_noisy_teacher_ends_at_the_error_of_the_literature(K: int) -> None:
    """eta sigma^2 K/(4 - 2 eta K), whatever the number of teachers: Goldt et al. (2019), linear networks."""
    Q, R, T = overlaps(K, 2, 3)
    run = trajectory(Q, R, T, eta=0.2, sigma=0.7, activation="linear", times=[0, 400])
    assert run.error[-1] == pytest.approx(0.2 * 0.49 * K / (4 - 0.4 * K), rel=1e-8)


@each("K", [1, 2, 4])
def test_noise_leaves_an_error_in_proportion_to_the_rate_and_the_number_of_students(K: int) -> None:
    """eta sigma^2 K/(2 pi sqrt 3) to first order in eta, for K students that found their K orthonormal teachers."""
    ratios = []
    for eta in (0.02, 0.01):
        run = trajectory(np.eye(K), np.eye(K), np.eye(K), eta=eta, sigma=0.1, times=[0, 100 / eta])
        ratios.append(run.error[-1] / (eta * 0.01 * K / (2 * pi * sqrt(3))))
    assert ratios[1] == pytest.approx(1, abs=0.02 * K)
    assert 2 * ratios[1] - ratios[0] == pytest.approx(1, abs=2e-3 * K)  # the next order, extrapolated away


def test_more_students_than_teachers_end_with_a_larger_error_when_only_they_learn() -> None:
    """As Goldt et al. (2019) found for the sigmoidal committee, K > M = 2."""
    errors = []
    for K in (2, 3, 4):
        rng = np.random.default_rng(5)
        W = rng.normal(size=(K, 300)) * 0.3 / sqrt(300)
        Q, R = W @ W.T, W[:, :2].copy()
        errors.append(trajectory((Q + Q.T) / 2, R, np.eye(2), eta=0.1, sigma=0.1, times=[0, 2e4], rtol=1e-6).error[-1])
    assert errors[0] < 0.9 * errors[1]
    assert errors[1] < 0.95 * errors[2]


def test_the_critical_rate_of_many_students_falls_like_the_inverse_of_their_number() -> None:
    """K eta_c -> pi sqrt 3 (Saad & Solla 1995)."""
    scaled = [K * critical_learning_rate(K) / (pi * sqrt(3)) for K in (500, 1000)]
    assert 2 * scaled[1] - scaled[0] == pytest.approx(1, abs=1e-6)


@each(("K", "batch"), [(1, 1), (2, 1), (3, 1), (3, 4), (6, 2)])
def test_the_perfect_student_is_stable_just_below_the_critical_rate_and_not_just_above(K: int, batch: int) -> None:
    critical = critical_learning_rate(K, batch)
    for factor, grows in ((0.97, False), (1.03, True)):
        Q, rate, times = np.eye(K) * (1 + 1e-7), factor * critical, [0, 60, 120]
        run = trajectory(Q, np.eye(K), np.eye(K), eta=rate, batch=batch, times=times, rtol=1e-13, atol=1e-18)
        distance = np.abs(run.Q - np.eye(K)).max(axis=(1, 2))
        assert (distance[2] > distance[1]) is np.bool_(grows)


def test_one_student_has_the_critical_rate_of_the_literature() -> None:
    assert critical_learning_rate(1) == pytest.approx(pi * sqrt(5 / 3), rel=1e-15)  # 4.06, Biehl & Schwarze (1995)
    assert critical_learning_rate(4, 8) == pytest.approx(8 * critical_learning_rate(4), rel=1e-14)


@pytest.mark.parametrize("activation", list(map(integrated, ["erf", "relu"])))
def test_a_perfect_student_stays_and_noise_moves_it(activation: str) -> None:
    _, _, T = overlaps(3, 3, 4)
    still = trajectory(T, T, T, eta=0.5, times=[0, 5, 10], activation=activation)
    assert np.abs(still.Q - T).max() < 1e-10
    assert np.abs(still.error).max() < 1e-11
    noise = {"eta": 0.2, "sigma": 0.3, "times": [0, 50], "activation": activation}
    noisy = [trajectory(T, T, T, batch=B, **noise).error[-1] for B in (1, 5)]  # type: ignore[arg-type]
    assert 4 < noisy[0] / noisy[1] < 7  # the first order in eta/B


@pytest.mark.parametrize("activation", list(map(integrated, ["erf", "relu"])))
def test_swapping_students_or_teachers_only_renames_the_rows(activation: str) -> None:
    Q, R, T = overlaps(3, 2, 6)
    v, w, times = np.array([1.0, -0.5, 0.3]), np.array([0.7, 1.1]), [0, 1, 3.0]
    i, n = [2, 0, 1], [1, 0]
    first = trajectory(Q, R, T, v=v, v_teacher=w, eta=0.4, eta_v=0.2, sigma=0.1, times=times, activation=activation)
    other = trajectory(
        Q[np.ix_(i, i)],
        R[np.ix_(i, n)],
        T[np.ix_(n, n)],
        v=v[i],
        v_teacher=w[n],
        eta=0.4,
        eta_v=0.2,
        sigma=0.1,
        times=times,
        activation=activation,
    )
    assert np.allclose(other.R, first.R[:, i][:, :, n], atol=1e-9)
    assert np.allclose(other.v, first.v[:, i], atol=1e-9)
    assert np.allclose(other.error, first.error, atol=1e-9)


@pytest.mark.laws
def test_a_linear_student_learns_at_the_rates_of_its_matrix() -> None:
    """For K = M = 1 and small eta: R = 1 - (1 - R0) exp(-eta t)."""
    times = np.linspace(0, 5, 11)
    run = trajectory([[0.3]], [[0.2]], [[1.0]], eta=0.4, activation="linear", times=times)
    assert np.allclose(run.R[:, 0, 0], 1 - 0.8 * np.exp(-0.4 * times), rtol=1e-9)
    decay = 2 * 0.4 - 0.4**2
    assert np.allclose(run.error, run.error[0] * np.exp(-decay * times), rtol=1e-8)


@pytest.mark.laws
def test_a_run_that_explodes_says_so() -> None:
    run = trajectory([[1.0]], [[0.0]], [[1.0]], eta=9.0, activation="linear", times=[0, 1e4])
    assert run.message in ("step too small", "left the domain")
    assert np.isnan(run.error[-1])


Q2, R23, T3 = np.eye(2), np.zeros((2, 3)), np.eye(3)


@each("activation", ["erf", "relu", "tanh"])
@each(
    ("change", "mistake", "sentence"),
    FAMILIES["mistakes"],
)
def test_bad_arguments_are_refused_in_one_sentence(
    change: dict[str, object], mistake: type[Exception], sentence: str, activation: str
) -> None:
    setting: dict[str, object] = {"Q": Q2, "R": R23, "T": T3, "eta": 0.1, "times": [0, 1.0], "activation": activation}
    arguments = setting | change
    with pytest.raises(mistake, match=sentence):
        trajectory(**arguments)  # type: ignore[arg-type]


test_statements_have_their_verdicts = FAMILIES.verdicts()


@pytest.mark.parametrize("part", ["Q", "R"])
def test_a_run_whose_covariance_leaves_the_cone_fails_and_says_so(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """From there on nothing is told, and before it everything."""
    follow = many.integrate

    def strayed(*arguments: object, **named: object) -> object:
        run = follow(*arguments, **named)  # type: ignore[arg-type]
        run.states[0, 2:, 0 if part == "Q" else 1] = -1e-3 if part == "Q" else 2.0
        return run

    monkeypatch.setattr(many, "integrate", strayed)
    run = trajectory([[0.1]], [[0.0]], [[1.0]], eta=0.5, times=[0.0, 0.5, 1.0, 2.0])
    assert run.message == "at t = 1 Q, R and T are no covariance any more; a smaller rtol may help"
    for found in (run.Q, run.R, run.v, run.error):
        assert np.isfinite(found[:2]).all()
        assert np.isnan(found[2:]).all()
