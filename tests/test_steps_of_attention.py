"""Figure 3 of the atlas, on a small scale: attention learns in steps, and wrong theories are told from right ones."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from case_files import Cases

from numerics.reproduce.experiments import experiments
from numerics.reproduce.figures.panel import Setting
from numerics.reproduce.figures.solvable_networks import staircase
from numerics.theory import linear_attention

FAMILIES = Cases(__file__, globals())

(ENTRY,) = experiments("solvable_networks:fig_3")
SMALL = {**ENTRY.configuration(quick=True), "sizes": [0.1, 0.003], "starts": 3}


def measured() -> dict[str, float]:
    return staircase.steps_of_attention(Setting(SMALL, ENTRY.seed)).measured


def missed(found: dict[str, float]) -> set[str]:
    return {check.measure for check in ENTRY.checks if not check.holds(found[check.measure])}


@pytest.mark.laws
def test_a_wrong_number_of_tokens_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = linear_attention.directions

    def with_fewer(covariance: Any, *, tokens: int) -> linear_attention.Directions:
        return honest(covariance, tokens=tokens // 2)

    monkeypatch.setattr(linear_attention, "directions", with_fewer)
    assert {"exact_gap"} <= missed(measured())


@pytest.mark.laws
def test_steps_at_wrong_times_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = linear_attention.staircase

    def late(*given: Any, **more: Any) -> linear_attention.Staircase:
        found = honest(*given, **more)
        return replace(found, times=1.1 * found.times)

    monkeypatch.setattr(staircase, "staircase", late)
    assert {"power", "smallest_gap"} <= missed(measured())


test_statements_have_their_verdicts = FAMILIES.verdicts()
