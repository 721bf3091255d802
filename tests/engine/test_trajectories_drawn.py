"""A few random flows and maps; many more are in tests/laws."""

from __future__ import annotations

import pytest
from fuzz.trajectories import judge

pytestmark = pytest.mark.filterwarnings("ignore")


def test_solutions_of_other_code_lie_in_every_enclosure() -> None:
    outcome = judge(seed=5, count=12)
    assert outcome.compared >= 12
    assert outcome.unsound == []
    assert outcome.rejected == []
