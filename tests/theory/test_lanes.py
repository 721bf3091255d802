"""QQ'(t) eight times at once: against 60 digits, and the same bits however it is computed."""

from __future__ import annotations

import numba
import numpy as np
from case_files import Cases
from each import each

from benchmarks.deep_linear import network
from numerics.theory.deep_linear.modes import Modes, modes
from numerics.theory.deep_linear.riccati import fast as riccati_lanes
from numerics.theory.deep_linear.riccati import robust
from numerics.theory.deep_linear.riccati.forms import forms

FAMILIES = Cases(__file__, globals())


def start(inputs: int, outputs: int, seed: int, scale: float = 1.0) -> Modes:
    """A random balanced start of the rank that the task has."""
    rng = np.random.default_rng([seed, inputs, outputs])
    n = min(inputs, outputs)
    sigma = rng.standard_normal((outputs, inputs)) / np.sqrt(n)
    left, right = (np.linalg.qr(rng.standard_normal((side, n)))[0] for side in (outputs, inputs))
    if inputs == outputs and np.linalg.det(left @ right.T) * np.linalg.det(sigma) < 0.0:
        left[:, 0] *= -1.0
    root = np.sqrt(scale * np.linspace(1.0, 0.5, n))
    return modes((root * right).T, left * root, sigma)


@each("hard", [False, True])
def test_wide_networks_are_covered_by_forms_that_follow_one_another(hard: bool) -> None:
    for seed in range(3):
        found = network(60, hard, seed).modes
        chain = forms(found, 10.0)
        assert chain[-1].end > 10.0
        assert [form.begin for form in chain] == [0.0, *(form.end for form in chain[:-1])]
        times = np.array([0.0, 2.5, 10.0])
        states, others = riccati_lanes.qqt(found, times), robust.states(found, times)
        assert states is not None
        assert np.abs(states - others).max() <= 1e-12 * np.abs(others).max()


@each(("inputs", "outputs"), [(5, 5), (4, 7), (7, 4)])
def test_long_times_neither_overflow_nor_move(inputs: int, outputs: int) -> None:
    """The growing modes have arrived; with unequal sides the rest decays as slowly as the slowest mode."""
    found = next(f for f in (start(inputs, outputs, s) for s in range(20)) if riccati_lanes.suits(f, np.zeros(1)))
    n = found.pairs
    slowest = found.frequencies[n - 1]
    states = riccati_lanes.qqt(found, np.array([400.0, 1e6, 1e12]) / slowest)
    assert states is not None
    rest = (found.basis[:, :n] * 2.0 * found.frequencies[:n]) @ found.basis[:, :n].T
    assert np.max(np.abs(states - rest)) <= 1e-13 * np.max(np.abs(rest))


def test_one_thread_and_two_give_the_same_bits() -> None:
    found, times = network(20, hard=False).modes, np.linspace(0.0, 9.0, 203)
    before = numba.get_num_threads()
    results = []
    try:
        for threads in (1, min(2, numba.config.NUMBA_NUM_THREADS)):
            numba.set_num_threads(threads)
            results.append(riccati_lanes.qqt(found, times))
    finally:
        numba.set_num_threads(before)
    assert results[0] is not None
    assert results[0].tobytes() == results[1].tobytes()


test_statements_have_their_verdicts = FAMILIES.verdicts()
