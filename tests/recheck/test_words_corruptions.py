"""The checker of words certificates accepts what is proved or refuted, and none of its corruptions."""

from __future__ import annotations

import pytest
from case_files import Cases
from each import each
from recheck.certificates import made

from derivations.audit.ledger import plain
from derivations.language.words import Letter, number
from derivations.prove import words
from derivations.recheck import check
from derivations.recheck.core.errors import Rejected

FAMILIES = Cases(__file__, globals())

MADE = made("words_corruptions")


@each("name", [*MADE])
def test_a_sound_certificate_is_accepted(name: str) -> None:
    assert MADE[name]["verdict"] == ("refuted" if "refuted" in name else "proved")
    check(MADE[name])


def test_hypotheses_that_hold_only_for_empty_matrices_prove_nothing() -> None:
    a = Letter("A", "n", "n")
    data = words(a, a).as_json() | {"verdict": "proved"}
    data["payload"]["inhabited"] = {"dims": {"n": 0}, "matrices": {"A": []}}
    with pytest.raises(Rejected, match="empty"):
        check(data)


def test_circular_definitions_are_turned_down() -> None:
    a = Letter("A", 1, 1, equals=number(2) * Letter("B", 1, 1))
    data = plain(words(a, a))
    data["statement"]["letters"]["B"]["equals"] = {"shape": [1, 1], "formula": ["L", "A"]}
    with pytest.raises(Rejected, match="itself"):
        check(data)


test_statements_have_their_verdicts = FAMILIES.verdicts()
