"""Why a statement is refuted, as a sentence for a screen: what the checker says, and the numbers of a run."""

from __future__ import annotations

import json
from typing import Any

import sympy as sp

from derivations.audit import witness
from derivations.audit.probe.trajectories.failures import told
from derivations.audit.verify import Outcome
from derivations.language import sums
from derivations.language import words as operators
from derivations.language.sums import Sums
from derivations.language.terms import from_json, from_sympy
from derivations.language.words import Words

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
    certificate = outcome.certificate
    return {"certificate": certificate.as_json() if certificate else None, "printed_side": printed_side(outcome)}


def printed_side(outcome: Outcome) -> str | None:
    """The side of a statement that is the last side of the printed formula itself, where one of them alone is."""
    certificate, printed = outcome.certificate, outcome.entry.printed
    if certificate is None or printed is None or not {"left", "right"} <= set(certificate.statement):
        return None
    if printed.supposed or len(printed.relations()) > 1:
        return None
    kind, written = certificate.statement["kind"], printed.right
    sides = [side for side in ("left", "right") if _is_printed(certificate.statement[side], kind, written)]
    return sides[0] if len(sides) == 1 else None


def _is_printed(side: Any, kind: str, written: Any) -> bool:
    if kind == "words" and isinstance(written, Words):
        return _same(side, operators.as_written(written))
    if kind == "sums" and isinstance(written, Sums):
        return _same(side, sums.as_written(written))
    return kind == "identity" and isinstance(written, sp.Basic) and from_json(side) == from_sympy(written)


def _same(one: Any, other: Any) -> bool:
    """Check whether two terms are the same data; those that were read from a file have lists in place of tuples."""
    return json.dumps(one) == json.dumps(other)
