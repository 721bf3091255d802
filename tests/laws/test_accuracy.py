"""The whole accuracy sheet, and searches from other seeds: no kernel misses the criterion that is not known to."""

from __future__ import annotations

from functools import cache

import pytest
from case_files import Cases

from numerics.accuracy.sheet import BUDGET, Search, gap_of, searched, subjects

FAMILIES = Cases(__file__, globals())


@cache
def stated() -> dict[str, float]:
    """The worst ratio that the sheet states of each kernel."""
    from kernels.accuracy_page import committed

    found: dict[str, float] = {}
    for row in committed():
        found[row.subject] = max(row.ratio, found.get(row.subject, 0.0))
    return found


@pytest.mark.parametrize("name", subjects())
def test_a_search_from_the_seed_of_the_sheet_finds_what_the_sheet_says(name: str) -> None:
    """With another library of elementary functions, results differ by an ulp or two, and ratios by their share."""
    report = searched([subjects()[name]], 0, BUDGET)[name]
    assert gap_of(name) or abs(report.largest - stated()[name]) < 0.25


@pytest.mark.parametrize("seed", range(1, 4))
@pytest.mark.parametrize("name", [name for name in subjects() if not gap_of(name)])
def test_no_seed_finds_a_point_beyond_the_criterion(name: str, seed: int) -> None:
    report = Search(name, subjects()[name].evaluations(BUDGET // 4), seed, 0).run()
    assert report.passed, report.worst[report.output]


test_statements_have_their_verdicts = FAMILIES.verdicts()
