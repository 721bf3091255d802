"""A kernel over many points gives at each of them what it gives there alone, whatever the others are."""

from __future__ import annotations

import numpy as np

from numerics.accuracy.domains import sampler
from numerics.kernels import index, kernel
from numerics.kernels.over_points import over_points

ID = "van_rossem_saxe_2024:equal_targets"
"""It branches, and calls the exponential function."""


def test_every_column_holds_the_value_at_its_point_and_the_rest_of_a_register_too() -> None:
    entry, rng = index()[ID], np.random.default_rng(0)
    draw = sampler(entry.arguments, entry.domain)
    points = np.transpose([draw(rng) for _ in range(29)]).copy()  # no multiple of the lengths of registers
    results = np.full((len(entry.returns), 29), np.nan)
    over_points(ID)(points, results)
    alone = np.transpose([kernel(ID)(*point) for point in points.T.tolist()])
    np.testing.assert_array_equal(results, alone)
    fewer = np.empty((len(entry.returns), 3))
    over_points(ID)(np.ascontiguousarray(points[:, 5:8]), fewer)
    np.testing.assert_array_equal(fewer, results[:, 5:8])
