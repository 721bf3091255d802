"""All lists of known statements: numbers say what they say, and the engine is never wrong on any of them."""

from __future__ import annotations

import random

import pytest

from derivations.audit.provers import eye
from derivations.audit.provers.lists import Entry, entries
from derivations.audit.provers.race import race
from derivations.audit.verify import cores

pytestmark = pytest.mark.laws
SECONDS = 10


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry.id)
def test_numbers_say_what_the_lists_say(entry: Entry) -> None:
    assert eye.suggests(entry.statement, random.Random(entry.id), 100 if entry.holds else 2000) is entry.holds


def test_the_engine_is_wrong_about_no_statement() -> None:
    runs = list(race([(entry, "engine") for entry in entries()], SECONDS, cores()))
    assert [(run.entry.id, run.answer) for run in runs if run.is_wrong] == []
    assert len(runs) == len(entries())
