"""What the prover says and the checker thinks of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from derivations.prove import Certificate
from derivations.recheck import check


def judged(certificate: Certificate) -> str:
    """The verdict, once the checker has accepted the certificate as JSON carries it."""
    check(json.loads(json.dumps(certificate.as_json())))
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
