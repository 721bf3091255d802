"""This engine as one of the provers: the statement as it is typed, and a recheck of every certificate."""

from __future__ import annotations

from benchmarks.provers.answer import Answer
from derivations.questions.answers import REJECTED, answered
from derivations.questions.certified import certified
from derivations.questions.lines import Statement


def decided(statement: Statement) -> Answer:
    """Return the answer of the engine to a statement; a certificate that recheck rejects decides nothing.

    >>> from derivations.questions.lines import read
    >>> decided(read("(x + 1)^2 = x^2 + 2*x + 1")).holds
    True
    """
    answer = answered(statement.text, lambda: certified(statement))
    how = answer.reason or answer.certificate.get("method", "")
    return Answer(answer.holds, how, is_fault=answer.reason.startswith(REJECTED))
