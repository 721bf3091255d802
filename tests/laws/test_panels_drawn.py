"""Panels at their smaller sizes, some of all of them, others with each seed: each runs, and differs only as it says."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from numerics.reproduce import reproduce
from numerics.reproduce.experiments import experiments, papers

DRAWN = 6  # of them all, which take a minute or two together
PANELS = [panel for paper in papers() for panel in experiments(paper)]


def drawn() -> list[int]:
    return sorted(random.Random(os.environ.get("LAWS_SEED", "")).sample(range(len(PANELS)), DRAWN))


@pytest.mark.parametrize("which", range(DRAWN))
def test_a_panel_runs_at_its_smaller_size_and_finds_what_its_registry_says(which: int, tmp_path: Path) -> None:
    panel, left_out = PANELS[drawn()[which]], list[str]()
    found = reproduce([panel], tmp_path, quick=True, left_out=lambda _name, why: left_out.append(why))
    if left_out:
        pytest.skip(left_out[0])
    assert not [outcome.sentence for outcome in found if outcome.unexpected], panel.id
