"""The whole accuracy sheet, and searches from other seeds: no kernel misses the criterion that is not known to."""

from __future__ import annotations

import os

import pytest

from numerics.accuracy.sheet import BUDGET, Search, gap_of, searched, subjects


@pytest.mark.laws
def test_a_search_from_the_seed_of_the_sheet_finds_what_the_sheet_says() -> None:
    """With another library of elementary functions, results differ by an ulp or two, and ratios by their share."""
    from kernels.accuracy_page import committed

    stated: dict[str, float] = {}
    for row in committed():
        stated[row.subject] = max(row.ratio, stated.get(row.subject, 0.0))
    found = searched(list(subjects().values()), 0, BUDGET, os.cpu_count() or 1)
    assert found.keys() == stated.keys()
    for name, report in found.items():
        assert gap_of(name) or abs(report.largest - stated[name]) < 0.25


@pytest.mark.laws
@pytest.mark.parametrize("seed", range(1, 4))
@pytest.mark.parametrize("name", [name for name in subjects() if not gap_of(name)])
def test_no_seed_finds_a_point_beyond_the_criterion(name: str, seed: int) -> None:
    report = Search(name, subjects()[name].evaluations(BUDGET // 4), seed, 0).run()
    assert report.passed, report.worst[report.output]
