"""1,000 starts that are nearly solvable: no bound is exceeded, and the median is near to the true error."""

from __future__ import annotations

import numpy as np
import pytest
from theory.nearly_cases import cases, exceeded, judged


@pytest.mark.parametrize("seed", range(10))
def test_bounds_are_never_exceeded(seed: int) -> None:
    assert [fault for case in cases(seed, 100) for fault in exceeded(case)] == []


def test_bounds_are_within_ten_times_the_error_in_the_median() -> None:
    found = [judged(case) for case in cases(100, 200)]
    clear = [row for row in found if row[0][0] > 100 * row[3][0]]
    assert len(clear) > 100
    assert np.median([bound / errors for errors, bound, _, _ in clear]) < 1.001
    assert np.median([bound / errors for errors, _, bound, _ in clear]) < 10.0
