"""Why a statement is refuted, as a sentence for a screen: what the checker says, and the numbers of a run."""

from __future__ import annotations

from typing import Any

from derivations.audit import witness
from derivations.audit.probe.trajectories.failures import told
from derivations.audit.verify import Outcome
from derivations.latex.rules.recorded import record

SIDES = witness.SIDES


def reason(outcome: Outcome, longest: int = witness.LONGEST_ARRAYS) -> str:
    """The sentence that says why a claim is refuted."""
    certificate = outcome.certificate
    if certificate is not None and "fails" in certificate.payload and not certificate.witness:
        return told(certificate.statement, certificate.payload["fails"])
    return witness.reason(_entry(outcome), longest)


def names_of_sides(outcome: Outcome) -> tuple[str, str]:
    """Names for the two sides of a statement."""
    return witness.names_of_sides(_entry(outcome)) if outcome.certificate else SIDES


def _entry(outcome: Outcome) -> dict[str, Any]:
    certificate, printed = outcome.certificate, outcome.entry.printed
    reading = outcome.reading or (record(printed) if printed else None)
    return {"certificate": certificate.as_json() if certificate else None, "reading": reading}
