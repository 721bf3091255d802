"""Many changed certificates about trajectories: the checker takes none."""

from __future__ import annotations

from typing import Any

import pytest

from tests.recheck.test_trajectories_corruptions import CHANGES, accepted

pytestmark = pytest.mark.laws


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_changed_evidence_is_refused(change: Any) -> None:
    assert accepted(change, range(4, 105)) == []
