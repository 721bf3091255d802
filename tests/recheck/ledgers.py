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
        "class": f"class of {identifier}",
        "where": [f"Place of {identifier}"],
        "says": f"Sentence of {identifier}.",
        "printed": True,
        "latex": rf"\text{{{identifier}}}",
        "notes": [f"note of {identifier}"],
        "expected": certificate["verdict"] if certificate else None,
        "corrected_by": f"{identifier}_corrected",
        "corrected": rf"\mathbf{{{identifier}}}",
        "quote": f"Quotation of {identifier}",
        "because": f"Reason of {identifier}",
        "changes": f"What {identifier} changes",
        "rests_on": [f"{identifier}_before"],
        "inherits": [f"{identifier}_mistaken"],
        "faults": [f"fault of {identifier}"],
    }
    return entry_of(about, certificate)


def ledger(*entries: Json) -> Json:
    paper: Json = {"key": "p", "title": "A paper", "numbered": 1, "entries": list(entries)}
    return {"schema": SCHEMA, "versions": {}, "papers": [paper | {"sha256": paper_seal(paper)}]}
