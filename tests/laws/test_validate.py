"""Laws of online learning, with as many replicas as it takes to see them."""

from __future__ import annotations

import pytest

from numerics.validate import run


@pytest.mark.parametrize("law", ["online_sgd", "order_parameter_chain"])
def test_simulation_and_theory_obey_the_law(law: str) -> None:
    found = list(run([law]))
    assert found
    assert not [outcome for outcome in found if not outcome.holds]
