"""Figure 5 of van Rossem & Saxe: what is measured of networks some of which did not converge."""

from __future__ import annotations

import numpy as np
import pytest
from case_files import Cases

from numerics.reproduce.figures.van_rossem_saxe_2024.final_distances import _measured

FAMILIES = Cases(__file__, globals())

GAP = np.nan


def test_networks_that_did_not_converge_are_left_out_of_what_is_measured() -> None:
    final = np.array([[0.0, 2.0, 4.0], [0.1, GAP, 3.0], [2.0, 1.0, GAP]])
    predicted = np.array([[0.0, 1.0, 4.0], [0.0, GAP, 4.0], [2.0, 2.0, GAP]])
    found = _measured(final, predicted)
    assert found["converged"] == pytest.approx(7 / 9)
    assert found["rising"] == pytest.approx(2 / 3)
    assert found["smallest"] == pytest.approx(2 / 3)
    assert found["deviation"] == pytest.approx(np.median([1.0, 0.0, 0.25, 0.5]))
    there = np.isfinite(final)
    assert found["correlation"] == pytest.approx(np.corrcoef(final[there], predicted[there])[0, 1])


test_statements_have_their_verdicts = FAMILIES.verdicts()
