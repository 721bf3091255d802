"""Deep linear networks: every start, every task, every time, and what is computed from the state."""

from __future__ import annotations

from collections.abc import Iterator

import mpmath as mp
import numpy as np
import pytest
from case_files import Cases
from each import each
from theory.deep_linear_cases import Case, cases, composed, orthogonal, weights
from theory.deep_linear_laws import BALANCED, faults, loss_faults
from theory.exact_deep_linear import exact_qqt

from numerics.kernels import ball
from numerics.machine.specialise import specialise
from numerics.theory import deep_linear
from numerics.theory.deep_linear.modes import modes
from numerics.theory.deep_linear.riccati import fast
from numerics.theory.deep_linear.riccati import robust as riccati

FAMILIES = Cases(__file__, globals())

TIMES = np.array([0.0, 0.1, 1.0, 3.0, 10.0])


def network(inputs: int, hidden: int, outputs: int, seed: int = 0, scale: float = 1.0) -> tuple[np.ndarray, ...]:
    """An ordinary zero-balanced start and an ordinary task."""
    rng = np.random.default_rng(seed)
    k = min(inputs, hidden, outputs)
    left, right, units = orthogonal(rng, outputs), orthogonal(rng, inputs), orthogonal(rng, hidden)
    W1, W2 = weights(left, scale * rng.uniform(0.2, 1, k), right, units, 0.0)
    return W1, W2, rng.normal(size=(outputs, inputs))


# --- accuracy ---------------------------------------------------------------------------------------------------------


def test_states_are_exact_to_twelve_digits_or_to_what_one_ulp_changes() -> None:
    """For some starts and tasks; `make laws` has every kind of start with every kind of task."""
    assert [fault for case in cases(2022, 30, widest=3) for fault in faults(case, BALANCED)] == []


def test_losses_are_exact_to_twelve_digits_or_to_what_one_ulp_changes() -> None:
    assert [fault for case in cases(2023, 10, widest=3) for fault in loss_faults(case, BALANCED)] == []


@each("case", list(cases(5, 6, widest=3)))
def test_the_reference_is_the_emitted_formula(case: Case) -> None:
    twin = ball("braun_2022:riccati")
    for time in case.times[:3]:
        exact = exact_qqt(case, np.array([time]))[0]
        balls = twin(case.W1.tolist(), case.W2.tolist(), case.sigma.tolist(), case.balance, float(time), digits=300)[0]
        with mp.workdps(60):
            top = max(abs(entry) for entry in exact)
            for i in range(exact.rows):
                for j in range(exact.cols):
                    middle = mp.mpf(balls[i, j].str(60, radius=False))
                    assert abs(middle - exact[i, j]) <= mp.mpf(10) ** -50 * top


def test_states_have_the_same_bits_on_one_thread_and_on_many() -> None:
    import numba

    W1, W2, sigma = network(7, 9, 6)
    times = np.linspace(0, 30, 101)
    many = deep_linear.qqt(W1, W2, sigma, times)
    before = numba.get_num_threads()
    numba.set_num_threads(1)
    try:
        one = deep_linear.qqt(W1, W2, sigma, times)
    finally:
        numba.set_num_threads(before)
    assert np.array_equal(one, many)


@pytest.mark.parametrize("sizes", FAMILIES["large results have the bits of small ones"])
def test_large_results_have_the_bits_of_small_ones(
    sizes: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    W1, W2, sigma = network(*sizes)
    times = np.linspace(0, 30, 37)
    small = deep_linear.qqt(W1, W2, sigma, times)
    monkeypatch.setattr(fast, "LARGE", 0)
    assert np.array_equal(deep_linear.qqt(W1, W2, sigma, times), small)


@pytest.mark.laws  # compiles everything once more
@pytest.mark.parametrize(
    "shape", [{"SIDE": 5, "LANES": 4, "ABREAST": 2}, {"SIDE": 4, "LANES": 8, "ABREAST": 1}], ids=["four", "eight"]
)
def test_narrow_registers_give_what_wide_ones_do(shape: dict[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    W1, W2, sigma = network(7, 9, 6)
    times = np.linspace(0, 30, 101)
    wide = deep_linear.qqt(W1, W2, sigma, times)
    monkeypatch.setattr(fast, "_kernel", lambda name, side: specialise(name, fast.PARTS, shape))
    narrow = deep_linear.qqt(W1, W2, sigma, times)
    assert np.abs(narrow - wide).max() <= 1e-13 * np.abs(wide).max()


@each("seed", range(12))
def test_the_fast_path_and_the_robust_path_agree(seed: int) -> None:
    W1, W2, sigma = network(*np.random.default_rng(seed).integers(1, 9, 3), seed=seed, scale=10.0 ** (seed % 4 - 2))
    times = np.linspace(0, 40, 200)
    both = deep_linear.qqt(W1, W2, sigma, times), riccati.states(modes(W1, W2, sigma), times)
    assert (np.abs(both[0] - both[1]).max(axis=(-2, -1)) <= 1e-12 * np.abs(both[1]).max(axis=(-2, -1))).all()


@each("sizes", FAMILIES["losses of many times are those of few"])
def test_losses_of_many_times_are_those_of_few(sizes: tuple[int, int, int]) -> None:
    W1, W2, sigma = network(*sizes)
    times = np.concatenate([[0.0], np.geomspace(1e-3, 1e5, 300)])[::-1]
    many = deep_linear.loss(W1, W2, sigma, times)
    few = np.concatenate([deep_linear.loss(W1, W2, sigma, times[k : k + 50]) for k in range(0, times.size, 50)])
    assert np.allclose(many, few, rtol=1e-11, atol=1e-300)
    stacked = deep_linear.loss(np.stack([W1, -W1]), np.stack([W2, -W2]), sigma, times)
    assert np.array_equal(stacked[0], many)


def test_pieces_are_what_all_times_together_are_and_read_no_farther() -> None:
    W1, W2, sigma = network(4, 6, 3)
    times, read = np.linspace(0.0, 20.0, 500), []

    def told() -> Iterator[float]:
        for time in times:
            read.append(time)
            yield time

    pieces = deep_linear.in_pieces(W1, W2, sigma, told(), tau=2.0, at_once=120)
    first = next(pieces)
    assert len(read) == 120
    found = [first, *pieces]
    assert [len(when) for when, _ in found] == [120] * 4 + [20]
    assert np.array_equal(np.concatenate([when for when, _ in found]), times)
    together = deep_linear.qqt(W1, W2, sigma, times, tau=2.0)
    assert np.abs(np.concatenate([states for _, states in found]) - together).max() <= 1e-12 * np.abs(together).max()


@each("scale", [1e-3, 1.0, 30.0])
@each("sizes", [(5, 6, 5), (4, 3, 7), (9, 9, 8)])
def test_losses_are_differences_only_where_these_are_accurate(sizes: tuple[int, int, int], scale: float) -> None:
    W1, W2, sigma = network(*sizes, scale=scale)
    times, seen = np.linspace(0.01, 30.0, 200), modes(W1, W2, sigma)
    found, other = fast.distances(seen, times), riccati.distances(seen, times)
    known = np.isfinite(found)
    assert known.mean() > 0.9
    assert np.abs(found / other - 1.0)[known].max() <= 1e-12


# --- what is computed from the state ----------------------------------------------------------------------------------


@each("times", [TIMES, np.linspace(0, 5, 80)])
def test_a_batch_of_networks_is_each_network(times: np.ndarray) -> None:
    nets = [network(3, 4, 2, seed) for seed in range(6)]
    W1, W2, sigma = (np.stack(parts).reshape(2, 3, *parts[0].shape) for parts in zip(*nets, strict=True))
    for function in (deep_linear.qqt, deep_linear.network_function, deep_linear.loss):
        batch = function(W1, W2, sigma, times)
        assert batch.shape[:3] == (2, 3, times.size)
        for at, (first, second, one) in enumerate(nets):
            assert np.allclose(batch[at // 3, at % 3], function(first, second, one, times), rtol=1e-12, atol=1e-14)
    assert deep_linear.limit(W1, W2, sigma).shape == (2, 3, 5, 5)


@each("sizes", [(3, 2, 4), (2, 9, 3), (3, 3, 3)])
def test_weights_have_the_product_that_the_state_says(sizes: tuple[int, int, int]) -> None:
    W1, W2, sigma = network(*sizes)
    now1, now2 = deep_linear.weights(W1, W2, sigma, TIMES)
    assert now1.shape[1:] == W1.shape
    assert now2.shape[1:] == W2.shape
    Q = np.concatenate([np.swapaxes(now1, -1, -2), now2], axis=-2)
    P = deep_linear.qqt(W1, W2, sigma, TIMES)
    assert np.allclose(Q @ np.swapaxes(Q, -1, -2), P, rtol=0, atol=1e-13)
    assert np.allclose(np.swapaxes(now2, -1, -2) @ now2, now1 @ np.swapaxes(now1, -1, -2), rtol=0, atol=1e-13)


def test_the_loss_stays_accurate_where_it_is_far_below_the_rounding_of_the_network_function() -> None:
    W1, W2, sigma = network(2, 2, 3, seed=1)
    slowest = np.linalg.svd(sigma, compute_uv=False)[-1]
    times = np.array([80.0, 90.0]) / slowest
    losses = deep_linear.loss(W1, W2, sigma, times)
    assert 0.0 < losses[1] < losses[0] < 1e-60
    assert np.log(losses[0] / losses[1]) == pytest.approx(20.0, rel=1e-9)


def test_a_data_set_is_a_task_and_its_loss_is_the_mean_squared_error() -> None:
    rng = np.random.default_rng(4)
    white = deep_linear.whiten(rng.normal(size=(3, 20)), rng.normal(size=(2, 20)))
    found = deep_linear.task(white.X, white.Y)
    W1, W2, _ = network(3, 4, 2)
    for time, loss in zip(TIMES, deep_linear.loss(W1, W2, found, TIMES), strict=True):
        output = deep_linear.network_function(W1, W2, found, [time])[0] @ white.X
        assert loss == pytest.approx(0.5 * np.sum((output - white.Y) ** 2) / 20, rel=1e-12)


def test_the_tangent_kernel_is_the_product_of_the_gradients() -> None:
    W1, W2, sigma = network(3, 4, 2)
    X = np.random.default_rng(0).normal(size=(3, 5))
    gradients = [
        np.concatenate([np.outer(W2[a], x).ravel(), np.outer(np.eye(2)[a], W1 @ x).ravel()])
        for a in range(2)
        for x in X.T
    ]
    expected = np.array([[g @ h for h in gradients] for g in gradients])
    assert np.allclose(deep_linear.ntk(W1, W2, sigma, [0.0], X)[0], expected, rtol=0, atol=1e-13)


def test_hidden_similarities_of_inputs_and_of_targets_agree_once_the_task_is_learned() -> None:
    W1, W2, sigma = network(3, 4, 3, seed=2)
    W1, W2 = (W1, W2) if np.linalg.det(W2 @ W1) * np.linalg.det(sigma) > 0 else (W1 * np.array([-1, 1, 1]), W2)
    X = np.random.default_rng(0).normal(size=(3, 5))
    hidden = deep_linear.rsm(W1, W2, sigma, [0.0, 200.0], X)
    back = np.linalg.pinv(deep_linear.weights(W1, W2, sigma, [0.0, 200.0])[1]) @ sigma @ X
    targets = np.swapaxes(back, -1, -2) @ back
    assert np.allclose(hidden[0], (W1 @ X).T @ (W1 @ X), rtol=0, atol=1e-13)
    assert np.allclose(hidden[1], targets[1], rtol=0, atol=1e-10)
    assert not np.allclose(hidden[0], targets[0], rtol=0, atol=1e-2)


# --- limits -----------------------------------------------------------------------------------------------------------


@each("kind", ["saddle", "reversed", "rank deficient", "aligned", "solved", "ordinary"])
def test_the_limit_is_where_the_flow_is_while_it_rests(kind: str) -> None:
    """A start whose growing mode is missing but for rounding rests until exp(2 s t) has made up for the rounding."""
    rng = np.random.default_rng(8)
    left, right, values = orthogonal(rng, 4), orthogonal(rng, 3), np.array([2.0, 1.5, 1.0])
    sigma = composed(left, values, right)
    sides = {"saddle": left * [-1, 1, 1, 1], "reversed": -left, "ordinary": orthogonal(rng, 4)}
    sizes = np.array([0.5, 0.0, 0.7]) if kind == "rank deficient" else values if kind == "solved" else values[::-1] / 2
    W1, W2 = weights(sides.get(kind, left), sizes, right, orthogonal(rng, 3), 0.0)
    state = deep_linear.qqt(W1, W2, sigma, [10.0])[0]
    assert np.allclose(state, deep_linear.limit(W1, W2, sigma), rtol=0, atol=1e-3)


def test_half_of_the_symmetric_starts_end_at_a_saddle() -> None:
    for seed in range(8):
        W1, W2, sigma = network(3, 3, 3, seed)
        end = deep_linear.limit(W1, W2, sigma)[3:, :3]
        same_sign = np.linalg.det(W2 @ W1) * np.linalg.det(sigma) > 0
        assert np.allclose(end, sigma, rtol=0, atol=1e-10) == same_sign
        assert np.linalg.matrix_rank(end, tol=1e-8) == (3 if same_sign else 2)


@each("seed", range(6))
def test_a_start_of_the_other_sign_shows_rounding_only_after_its_horizon_and_leaves_the_saddle_then(seed: int) -> None:
    W1, W2, sigma = network(3, 4, 3, seed)
    if np.linalg.det(W2 @ W1) * np.linalg.det(sigma) > 0:
        assert deep_linear.horizon(W1, W2, sigma) == np.inf
        W2 = np.diag([1.0, 1.0, -1.0]) @ W2
    until = float(deep_linear.horizon(W1, W2, sigma))
    assert 10 < until * np.linalg.svd(sigma, compute_uv=False)[-1] < 19
    turn = orthogonal(np.random.default_rng(seed), 4)
    same = [deep_linear.qqt(O.T @ W1, W2 @ O, sigma, [until, 1000 * until]) for O in (np.eye(4), turn)]
    assert np.abs(same[0][0] - same[1][0]).max() < 1e-11
    saddle = deep_linear.limit(W1, W2, sigma)[3:, :3]
    assert np.linalg.matrix_rank(saddle, tol=1e-8) == 2
    for states in same:
        assert np.allclose(states[1][3:, :3], sigma, rtol=0, atol=1e-9)


def test_the_horizon_of_weights_that_are_hardly_off_balance_comes_before_they_leave_the_saddle() -> None:
    off = 1e-10
    W1, W2 = np.eye(2), np.diag([-(1 + off), -(1 - off)])
    until = float(deep_linear.horizon(W1, W2, np.eye(2)))
    assert 11 < until < 12

    def true(time: float) -> float:
        """The function of one neuron in each layer that has learned -1, with lambda = w2^2 - w1^2 = 2 off."""
        lam, kappa = 2 * off, np.hypot(1.0, off)
        over = lam**2 / (4 * (kappa + 1))  # kappa - 1
        g = over * (2 * (kappa + 1) * np.exp(2 * kappa * time) - 2) / (1 + over * np.exp(2 * kappa * time))
        return float((g - lam**2 / g) / 4)

    found = deep_linear.network_function(W1, W2, np.eye(2), [until, 2.05 * until])[:, 0, 0]
    assert abs(found[0] - true(until)) < 1e-8
    assert abs(found[1] - true(2.05 * until)) > 0.1


def test_repeated_singular_values_let_the_limit_depend_on_the_start() -> None:
    ends = [deep_linear.limit(*network(3, 1, 3, seed)[:2], np.eye(3)) for seed in range(2)]
    for end in ends:
        assert np.trace(end) == pytest.approx(2.0, abs=1e-13)
        assert np.allclose(end @ end, 2 * end, rtol=0, atol=1e-13)
    assert not np.allclose(*ends, rtol=0, atol=1e-2)


# --- several tasks, simpler networks, and the printed theorem ---------------------------------------------------------


# --- what is refused --------------------------------------------------------------------------------------------------


test_statements_have_their_verdicts = FAMILIES.verdicts()


@pytest.mark.filterwarnings("error")
def test_what_is_large_warns_of_nothing() -> None:
    W1, W2, sigma = network(3, 4, 2)
    assert np.isfinite(deep_linear.qqt(W1, W2, sigma, np.linspace(0, 1e3, 200))).all()
    assert deep_linear.loss(1e140 * W1, 1e140 * W2, sigma, [0.0, 1.0])[0] == np.inf


@each("seed", range(4))
def test_theorem_31_refuses_a_singular_overlap_and_ranks_that_are_lower_but_for_rounding(seed: int) -> None:
    W1, W2, sigma = network(3, 4, 3, seed)
    if np.linalg.det(W2 @ W1) * np.linalg.det(sigma) > 0:
        W2 = np.diag([1.0, 1.0, -1.0]) @ W2
    with pytest.raises(deep_linear.StartError, match="inverse of B"):
        deep_linear.theorem_31(W1, W2, sigma, TIMES)
    rng = np.random.default_rng(seed)
    with pytest.raises(deep_linear.StartError, match="full rank"):
        deep_linear.theorem_31(W1, W2, rng.normal(size=(3, 2)) @ rng.normal(size=(2, 3)), TIMES)
