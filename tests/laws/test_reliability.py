"""Strange arguments, damaged files and senseless commands are told in one sentence: python -m reliability.fuzz N."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from reliability import fuzz
from reliability.functions import Call, all_doors, calls, strange_call

INPUTS = 2000
NOT_REPEATED = {"numerics.theory.deep_linear.in_pieces", "derivations.Paper.corrected"}
"""Their examples give what can be gone through once, and no call of their own."""


@pytest.mark.filterwarnings("ignore")
def test_strange_inputs_are_refused_in_one_sentence_or_answered() -> None:
    found = fuzz.run(INPUTS, seed=0)
    assert not found.wrong
    assert sum(found.counts.values()) == INPUTS
    for kind in fuzz.SHARES:
        assert found.counts[kind, "refused"] > found.counts[kind, "answered"] > 0


def test_every_public_function_is_called_and_answers_what_its_example_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # where examples write
    named = {call.name for call in calls()}
    assert {door.name for door in all_doors()} - named == NOT_REPEATED
    assert len(named) > 170


def test_a_function_that_raises_something_else_or_changes_what_it_is_given_is_noticed() -> None:
    def careless(x: np.ndarray) -> float:
        x += 1.0
        return float(x[0])

    seen = set()
    for k in range(60):
        try:
            strange_call(Call("careless", careless, (np.zeros(2),), {}), random.Random(k))
        except Exception as mistake:
            seen.add(type(mistake).__name__)
    assert "AssertionError" in seen
    assert len(seen) > 1
