"""The references of a ledger's entries to each other are resolved: no unknown names, no circles, and verdicts that
fit.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from case_files import Cases
from recheck.handmade import ALL
from recheck.ledgers import Json, entry, ledger

from derivations.recheck import Summary, recheck_ledger
from derivations.recheck.ledgers.entries import ABOUT, entry_of

FAMILIES = Cases(__file__)

PROVED = [name for name, certificate in ALL.items() if certificate["verdict"] == "proved"]
REFUTED = [name for name, certificate in ALL.items() if certificate["verdict"] == "refuted"]
ALONE: Json = {"corrected_by": None, "mended_by": None, "corrected": None, "rests_on": [], "inherits": [], "faults": []}
AS_CLAIMED = {"printed": False, "latex": None, "expected": "proved"}


def told(name: str, source: str, **about: Any) -> Json:
    """An entry with a record that fits, but for what is given."""
    made = entry(f"p:{name}", ALL[source])
    return entry_of({key: made[key] for key in ABOUT} | ALONE | AS_CLAIMED | about, ALL[source])


def entries(**changed: Json) -> list[Json]:
    """Two proved entries and one that is refuted, each of whose records may be changed."""
    wrong = {"expected": "refuted", "corrected_by": "p:first"}
    return [
        told("first", PROVED[0], **changed.get("first", {})),
        told("second", PROVED[1], **{"rests_on": ["p:first"]} | changed.get("second", {})),
        told("third", REFUTED[0], **wrong | changed.get("third", {})),
    ]


def rechecked(path: Path, made: list[Json], *, whole: bool = True) -> Summary:
    path.write_text(json.dumps(ledger(*made, whole=whole)), encoding="utf-8")
    return recheck_ledger(path)


def test_what_fits_is_accepted(tmp_path: Path) -> None:
    summary = rechecked(tmp_path / "ledger.json", entries())
    assert summary.rejected == []
    assert summary.outside == []


@pytest.mark.parametrize(
    ("name", "changed", "reason"),
    FAMILIES["what does not fit is rejected"],
)
def test_what_does_not_fit_is_rejected(tmp_path: Path, name: str, changed: Json, reason: str) -> None:
    summary = rechecked(tmp_path / "ledger.json", entries(**{name: changed}))
    assert reason in " ".join(said for _, said in summary.rejected)


def test_the_certificate_of_another_entry_is_shown_as_what_it_states(tmp_path: Path) -> None:
    """A record is a person's word: what a page shows below it is what the certificate states."""
    first, second, third = entries()
    forged = told("first", PROVED[1], says="One equals two.", quote="1=2")
    assert forged["formula"] == second["formula"] != first["formula"]
    assert rechecked(tmp_path / "ledger.json", [forged, second, third]).rejected == []


def test_a_part_of_a_paper_tells_which_names_it_leaves_open(tmp_path: Path) -> None:
    made = entries(first={"rests_on": ["p:elsewhere", "q:elsewhere"]})
    summary = rechecked(tmp_path / "ledger.json", made, whole=False)
    assert (summary.rejected, summary.outside) == ([], ["p:elsewhere", "q:elsewhere"])
    summary = rechecked(tmp_path / "ledger.json", made)
    assert [name for name, _ in summary.rejected] == ["p:first"]
