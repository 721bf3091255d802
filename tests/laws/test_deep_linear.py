"""Two-layer linear networks against the formula in 100 digits: 2,592 networks, every kind of start with every task."""

from __future__ import annotations

import pytest
from theory.deep_linear_cases import STARTS, TASKS, cases
from theory.deep_linear_laws import BALANCED, faults, loss_faults

EACH = len(STARTS) * len(TASKS)


@pytest.mark.parametrize("seed", range(24))
def test_states_are_exact_to_twelve_digits_or_to_what_one_ulp_changes(seed: int) -> None:
    assert [fault for case in cases(seed, EACH) for fault in faults(case, BALANCED)] == []


@pytest.mark.parametrize("seed", range(8))
def test_losses_are_exact_to_twelve_digits_or_to_what_one_ulp_changes(seed: int) -> None:
    assert [fault for case in cases(seed, EACH, widest=4) for fault in loss_faults(case, BALANCED)] == []


def test_wide_networks_are_exact_to_twelve_digits_or_to_what_one_ulp_changes() -> None:
    assert [fault for case in cases(99, 24, widest=14) for fault in faults(case, BALANCED)] == []
