"""Ledgers with entries made by hand."""

from __future__ import annotations

from typing import Any

from derivations.recheck.ledgers.entries import entry_of
from derivations.recheck.ledgers.ledger import SCHEMA, paper_seal

Json = dict[str, Any]


def entry(identifier: str, certificate: Json | None) -> Json:
    """An entry whose texts are all its own."""
    kind = "claim" if certificate else "definition"
    about = {
        "paper": identifier.partition(":")[0],
        "id": identifier,
        "kind": kind,
        "where": [f"Place of {identifier}"],
        "says": f"Sentence of {identifier}.",
        "printed": certificate is None,
        "latex": None if certificate else rf"\text{{{identifier}}}",
        "notes": [f"note of {identifier}"],
        "slips": [f"slip of {identifier}"],
        "expected": certificate["verdict"] if certificate else None,
        "corrected_by": f"{identifier}_corrected",
        "corrected": None,
        "notes_of_corrected": [f"note of the correction of {identifier}"],
        "mended_by": f"{identifier}_mended",
        "reading": None,
        "reading_of_corrected": None,
        "asserted": False,
        "quote": f"Quotation of {identifier}",
        "because": f"Reason of {identifier}",
        "changes": f"What {identifier} changes",
        "rests_on": [f"{identifier}_before"],
        "inherits": [f"{identifier}_mistaken"],
        "faults": [f"fault of {identifier}"],
    }
    return entry_of(about, certificate)


def ledger(*entries: Json, whole: bool = False) -> Json:
    """A ledger of one paper, of which it has a part unless it is said to be whole."""
    paper: Json = {
        "key": "p",
        "title": "A paper",
        "citation": "Someone (1838)",
        "numbered": 1,
        "read": "",
        "letters": "",
        "quantities": [],
        "remarks": {"causes": [], "caveats": [], "chapters": []},
        "whole": whole,
        "emitted": {"files": {}, "index": ""},
        "second": {},
        "entries": list(entries),
    }
    return {"schema": SCHEMA, "versions": {}, "papers": [paper | {"sha256": paper_seal(paper)}]}
