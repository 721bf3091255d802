"""Starts of two levels against the exponential of the Hamiltonian in 60 digits: 3,136 networks."""

from __future__ import annotations

import pytest
from theory.deep_linear_laws import TWO_LEVELS, faults, loss_faults
from theory.two_level_cases import cases


@pytest.mark.parametrize("seed", range(14))
def test_states_are_exact_to_twelve_digits_or_to_what_one_ulp_changes(seed: int) -> None:
    assert [fault for case in cases(seed, 224) for fault in faults(case, TWO_LEVELS)] == []


@pytest.mark.parametrize("seed", range(4))
def test_losses_are_exact_to_twelve_digits_or_to_what_one_ulp_changes(seed: int) -> None:
    assert [fault for case in cases(seed, 112) for fault in loss_faults(case, TWO_LEVELS)] == []
