"""Measures of the panels of two points, on curves of which they are known."""

from __future__ import annotations

import numpy as np
import pytest
from case_files import Cases

from numerics.reproduce.figures.van_rossem_saxe_2024 import dynamics

FAMILIES = Cases(__file__, globals())

SMALL = {"dx2": 1.0, "dy2": 0.5, "most_units": 50, "faster": 2.0, "epochs": 600, "records": 61}


def test_a_loss_stays_where_it_is_flat_and_not_where_it_falls_exponentially() -> None:
    times = np.linspace(0.0, 20.0, 20_001)
    assert dynamics.staying(np.exp(-times), 0.1) == pytest.approx(np.log(1.1 / 0.9) / np.log(100.0), abs=1e-3)
    assert dynamics.staying(np.where(times < 5.0, 0.1, 0.0), 0.1) == 1.0


test_statements_have_their_verdicts = FAMILIES.verdicts()
