"""Starts of two levels: which they are, and what becomes of them."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from case_files import Cases
from drawn import drawn
from each import each
from theory.deep_linear_cases import Case, orthogonal
from theory.deep_linear_cases import cases as balanced_cases
from theory.deep_linear_laws import TWO_LEVELS, faults, loss_faults, relative
from theory.exact_deep_linear import exact_qqt, integrated_qqt
from theory.two_level_cases import boosted, by_exponential, cases, of_levels, rate

from numerics.theory import deep_linear
from numerics.theory.deep_linear import levels_of
from numerics.theory.deep_linear.modes import Modes, modes
from numerics.theory.deep_linear.riccati import fast, robust

FAMILIES = Cases(__file__, globals())

TIMES = np.array([0.0, 0.1, 1.0, 3.0, 10.0])


def test_states_are_exact_to_twelve_digits_or_to_what_one_ulp_changes() -> None:
    assert [fault for case in cases(2026, 28) for fault in faults(case, TWO_LEVELS)] == []


def test_losses_are_exact_to_twelve_digits_or_to_what_one_ulp_changes() -> None:
    assert [fault for case in cases(2027, 14) for fault in loss_faults(case, TWO_LEVELS)] == []


def test_nearly_all_starts_between_two_levels_suit_the_fast_path() -> None:
    """The others have a P with values too far apart."""
    between = [of_case(case) for case in cases(4, 448)]
    between = [seen for seen in between if seen.means > 0.0]
    suited = [seen for seen in between if fast.suits(seen, TIMES)]
    assert [fast.qqt(seen, TIMES) is not None for seen in between] == [fast.suits(seen, TIMES) for seen in between]
    assert fast.qqt(suited[0], TIMES[:0]) is not None
    assert 0.95 * len(between) < len(suited) < len(between)


def of_case(case: Case) -> Modes:
    return modes(case.W1, case.W2, case.sigma, np.float64(case.balance), np.float64(case.mean))


def wide(inputs: int, outputs: int, a: float, b: float, angle: float) -> Modes:
    """The modes of a start of two levels with random angles up to one angle."""
    rng = np.random.default_rng([inputs, outputs])
    n, total = min(inputs, outputs), inputs + outputs
    Q = boosted(orthogonal(rng, outputs), orthogonal(rng, inputs), rng.uniform(-angle, angle, n), a, b)
    sigma = rng.standard_normal((outputs, inputs)) / np.sqrt(n)
    return modes(*of_levels(rng, Q, inputs, total), sigma, np.float64(b - a), np.float64(np.sqrt(a * b)))


@each(("inputs", "outputs"), FAMILIES["the fast path and the robust one agree for all shapes"])
@each(("a", "b"), [(0.3, 0.8), (1e-3, 20.0), (7.0, 1e-9), (1e-4, 1e-4)])
def test_the_fast_path_and_the_robust_one_agree_for_all_shapes(inputs: int, outputs: int, a: float, b: float) -> None:
    for angle in (0.0, 0.5, 1.5):
        seen, times = wide(inputs, outputs, a, b, angle), np.append(TIMES, [100.0, 1e6])
        states, others = fast.qqt(seen, times), robust.states(seen, times)
        if angle <= 0.5:
            assert states is not None
        if states is not None:
            assert np.abs(states - others).max() <= 1e-12 * np.abs(others).max()
            assert np.array_equal(states, np.swapaxes(states, 1, 2))


def test_two_levels_have_the_same_bits_on_one_thread_and_on_two() -> None:
    seen, times = wide(20, 20, 0.3, 0.8, 1.0), np.linspace(0.0, 9.0, 203)
    before, results = numba.get_num_threads(), []
    try:
        for threads in (1, min(2, numba.config.NUMBA_NUM_THREADS)):
            numba.set_num_threads(threads)
            results.append(fast.qqt(seen, times))
    finally:
        numba.set_num_threads(before)
    assert results[0] is not None
    assert results[0].tobytes() == results[1].tobytes()


def test_a_wrong_level_is_a_fault() -> None:
    case = next(case for case in cases(1, 56) if case.a > 0 and case.b > 0 and case.name.startswith("turned"))
    object.__setattr__(case, "b", case.b * (1 + 1e-9))
    both = zip(exact_qqt(case, case.times[1:3]), case.times[1:3], strict=True)
    assert max(relative(state, by_exponential(case, t)) for state, t in both) < 1e-50
    object.__setattr__(case, "a", case.a * 2)
    wrong = [by_exponential(case, t) for t in case.times[2:4]]
    object.__setattr__(case, "a", case.a / 2)
    assert (
        max(relative(exact_qqt(case, np.array([t]))[0], w) for t, w in zip(case.times[2:4], wrong, strict=True)) > 1e-12
    )


def test_both_references_agree() -> None:
    for case in cases(7, 28):
        for time in case.times[1:4]:
            if rate(case) * time < 30:
                assert relative(exact_qqt(case, np.array([time]))[0], by_exponential(case, time)) < 1e-40


def test_levels_are_recognised() -> None:
    for case in cases(11, 200):
        if "far" in case.name:  # there the squares of the levels drown in those of the weights
            continue
        found, size = levels_of(case.W1, case.W2), np.sum(case.W1**2) + np.sum(case.W2**2)
        assert found.deviation < 1e-13
        assert abs(found.a - case.a) < 1e-13 * size, case.name
        assert abs(found.b - case.b) < 1e-13 * size, case.name


@pytest.mark.drawn
def test_the_weights_themselves_go_where_the_two_levels_say() -> None:
    for case in cases(3, drawn(7)):
        time = min(2.0 / rate(case), case.times[3])
        P = deep_linear.qqt(case.W1, case.W2, case.sigma, [time], balance="any")[0]
        scaled = type("Case", (), {"W1": case.W1, "W2": case.W2, "sigma": case.sigma})
        assert np.abs(P - np.array(integrated_qqt(scaled, time).tolist(), dtype=float)).max() <= 1e-12 * np.abs(P).max()  # type: ignore[arg-type]


def test_balanced_starts_have_the_same_bits() -> None:
    for case in balanced_cases(5, 60, widest=4):
        first, second = ({}, {"balance": "any"})
        a, b = (deep_linear.qqt(case.W1, case.W2, case.sigma, case.times, **k) for k in (first, second))  # type: ignore[arg-type]
        if case.W1.shape[0] <= sum(case.sigma.shape):
            assert np.array_equal(a, b), case.name


def ordinary(seed: int = 0, a: float = 2.0, b: float = 0.5) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    turned = orthogonal(rng, 7)[:, :5].T * np.sqrt(np.repeat([a, b], [3, 2]))[:, None]
    return turned[:3].T.copy(), turned[3:].copy(), rng.normal(size=(2, 3))


def test_many_networks_at_once_are_each_of_them() -> None:
    found = [ordinary(seed, a, b) for seed, (a, b) in enumerate([(2.0, 0.5), (1.0, 1.0), (0.3, 4.0)])]
    W1, W2, sigma = (np.stack(arrays) for arrays in zip(*found, strict=True))
    together = deep_linear.qqt(W1, W2, sigma, TIMES, balance="any")
    apart = [deep_linear.qqt(*network, TIMES, balance="any") for network in found]
    assert np.abs(together - np.stack(apart)).max() < 1e-14


test_statements_have_their_verdicts = FAMILIES.verdicts()
