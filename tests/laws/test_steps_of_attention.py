"""The steps that are foretold for random small heads of attention, over more starts and smaller heads."""

from __future__ import annotations

import numpy as np

from numerics.validate.linear_attention import gap_of_steps


def test_foretold_times_come_as_close_as_heads_are_small() -> None:
    middle = [np.median([gap_of_steps(size, start).max() for start in range(24)]) for size in (0.1, 0.01, 0.001)]
    assert middle[0] < 0.3
    assert 5.0 < middle[0] / middle[1] < 50.0
    assert 3.0 < middle[1] / middle[2] < 30.0
