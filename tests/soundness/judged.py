"""The prover's verdicts, and the checker's opinion of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from derivations.audit.ledger import plain
from derivations.prove import Certificate, decide
from derivations.recheck import check
from derivations.recheck.core.load import normal
from derivations.recheck.core.table.by import needs_and_conclusion


def by_hand(title: str, slots: Any, steps: Any = None) -> Any:
    """A certificate by a theorem, whatever its steps are worth; those that are not given are decided."""
    needs, concludes = needs_and_conclusion(title, normal(slots))
    shown = {role: (steps or {}).get(role) or plain(decide(needed)) for role, needed in needs.items()}
    statement = {"kind": "by", "schema": title, "slots": slots, "concludes": json.loads(json.dumps(concludes))}
    return {"statement": statement, "verdict": "proved", "method": f"by {title}", "payload": {"steps": shown}}


def concluded(certificate: Any) -> Any:
    return certificate["statement"]["concludes"]


def judged(certificate: Certificate) -> str:
    """The verdict, once the checker has accepted the certificate as JSON carries it."""
    check(plain(certificate))
    return certificate.verdict.value


def refusal(state: Callable[[], Any], *errors: type[Exception]) -> str:
    """The sentence with which a statement is refused at the door; one of its own errors, and one sentence long."""
    try:
        verdict = state()
    except errors as refused:
        sentence = str(refused)
        assert len(sentence) > 20
        assert "\n" not in sentence
        return sentence
    raise AssertionError(f"it was not refused: {verdict}")
