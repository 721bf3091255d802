"""The ledger: everything a verification found, as JSON for machines."""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib.metadata import version

from derivations.audit.classes import classes_of
from derivations.audit.errata import Errata
from derivations.audit.genealogy import Relations
from derivations.audit.verify import Outcome, Report
from derivations.paper.model import Claim
from derivations.prove.certificate import Certificate, Json
from derivations.recheck.ledgers import reading
from derivations.recheck.ledgers.entries import entry_of
from derivations.recheck.ledgers.ledger import SCHEMA, paper_seal
from derivations.recheck.ledgers.unneeded import unneeded


def versions() -> dict[str, str]:
    return {name: version(name) for name in ("sympy", "python-flint")}


def as_json(reports: Iterable[Report]) -> Json:
    return {"schema": SCHEMA, "versions": versions(), "papers": [_paper(report) for report in reports]}


def _paper(report: Report) -> Json:
    paper = report.paper
    classes = classes_of(report, Errata(Relations(report)))
    corrected = {name: found.formula.latex for name, found in paper.corrections.items()}
    entries = [
        entry_json(outcome, classes.get(outcome.entry.id), corrected.get(outcome.entry.id))
        for outcome in report.outcomes
    ]
    found = {"key": paper.key, "title": paper.title, "numbered": paper.numbered, "entries": entries}
    return found | {"sha256": paper_seal(found)}


def entry_json(outcome: Outcome, class_of_claim: str | None = None, corrected: str | None = None) -> Json:
    """What is known of an entry; all that is computed, the checker's own code computes from the certificate."""
    entry, certificate = outcome.entry, outcome.certificate
    claim = entry if isinstance(entry, Claim) else None
    about = {
        "paper": entry.paper,
        "id": entry.id,
        "kind": entry.kind,
        "class": class_of_claim,
        "where": list(entry.where),
        "says": entry.says,
        "printed": entry.printed is not None,
        "latex": entry.printed.latex if entry.printed else None,
        "notes": list(outcome.notes),
        "expected": claim.expect.value if claim else None,
        "corrected_by": claim.corrected_by if claim else None,
        "corrected": corrected,
        "quote": entry.quote,
        "because": claim.because if claim else "",
        "changes": claim.changes if claim else "",
        "rests_on": list(entry.rests_on),
    }
    return entry_of(about, plain(certificate) if certificate else None)


def plain(certificate: Certificate) -> Json:
    """A certificate as JSON has it, with lists in place of tuples."""
    found: Json = json.loads(json.dumps(certificate.as_json()))
    return found


def hypotheses(certificate: Certificate) -> list[str]:
    """All that a statement supposes, in words: of symbols, letters and arrays too."""
    return reading.hypotheses(certificate.statement)


def not_needed(certificate: Certificate) -> list[str]:
    """The hypotheses of a proved statement that its proof does without; empty for any other verdict."""
    return unneeded(plain(certificate))


def dumps(data: Json) -> str:
    return json.dumps(data, sort_keys=True, ensure_ascii=True, separators=(",", ":")) + "\n"
