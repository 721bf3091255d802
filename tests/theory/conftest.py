"""The tests of this folder compile less than all that users run; the laws compile everything."""

from __future__ import annotations

import os
import random

import pytest

from numerics.theory.deep_linear.riccati import fast


@pytest.fixture(autouse=True)
def tiles_of_one_side(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Deep linear networks have tiles of one side, which is drawn: a side takes twenty seconds to compile."""
    if request.node.get_closest_marker("laws") is None:
        drawn = random.Random(os.environ.get("LAWS_SEED", "")).choice(fast.SIDES)
        monkeypatch.setattr(fast, "SIDES", (drawn,))
