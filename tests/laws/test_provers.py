"""All lists of known statements: numbers say what they say, and the engine is never wrong on any of them."""

from __future__ import annotations

import random

import pytest

from benchmarks.provers import numeric_guess
from benchmarks.provers.lists import Entry, entries
from benchmarks.provers.race import race

SECONDS = 10
HANDS = 40  # into which the statements are dealt, so that hard ones, which stand together, come apart


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry.id)
def test_numbers_say_what_the_lists_say(entry: Entry) -> None:
    assert numeric_guess.suggests(entry.statement, random.Random(entry.id), 100 if entry.holds else 2000) is entry.holds


@pytest.mark.parametrize("first", range(HANDS))
def test_the_engine_is_wrong_about_no_statement(first: int) -> None:
    dealt = entries()[first::HANDS]
    runs = list(race([(entry, "engine") for entry in dealt], SECONDS, 1))
    assert [(run.entry.id, run.answer) for run in runs if run.is_wrong] == []
    assert len(runs) == len(dealt)
