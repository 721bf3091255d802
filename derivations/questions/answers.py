"""The answer to a question: the verdict, the sentence that was judged, its witness, and what the verdict rests on."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from derivations import prove, recheck
from derivations.prove.certificate import Certificate, Verdict
from derivations.questions import certified, lines, printed
from derivations.recheck.ledgers.reading import sentence
from derivations.text import DerivationError
from derivations.text.doors import at_door

SECONDS = 3.0
REFUSED = "refused"
REJECTED = "the checker does not accept the certificate"


@dataclass(frozen=True)
class Answer:
    """A verdict and all that belongs to it; a question that states nothing exact is refused, with the reason.

    says: the sentence that was judged, printed from the statement by the checker. witness: an exact point at which it
    fails. trusts: the parts of the checker that the verdict rests on. sha256: what names the certificate.
    """

    question: str
    verdict: str
    says: str = ""
    witness: dict[str, Any] | None = None
    reason: str = ""
    trusts: tuple[str, ...] = ()
    sha256: str = ""
    certificate: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def holds(self) -> bool | None:
        """Return whether the statement is true; None where that was not decided."""
        return {"proved": True, "certified": True, "refuted": False}.get(self.verdict)

    def as_json(self, *, with_certificate: bool = False) -> dict[str, Any]:
        """All that there is to say, as JSON data."""
        told = {name: value for name, value in asdict(self).items() if value not in ("", None, ())}
        return told if with_certificate else {name: value for name, value in told.items() if name != "certificate"}


@at_door(DerivationError)
def ask(question: str, given: Sequence[str] = (), *, latex: bool = False, seconds: float = SECONDS) -> Answer:
    r"""Decide a statement that is typed as one line of text, and check the certificate with separate code.

    question: relations such as `exp(x) >= 1 + x`, a limit `as x -> 0: sin(x)/x -> 1`, or a flow with its solution, as
        derivations.questions.lines reads them; with latex=True, the LaTeX of a formula whose letters are real numbers.
    given: hypotheses in the same form, such as `x > 0`. seconds: for what is not decided at once.

    >>> ask("sqrt(x^2) = x").witness["point"]
    {'x': '-1'}
    >>> ask("sqrt(x^2) = x", ["x >= 0"]).says
    'For all x >= 0: sqrt(x^2) = x'
    >>> ask("x = ").verdict
    'refused'
    """
    if latex:
        return answered(question, lambda: printed.certified(question, given), seconds)
    return answered(question, lambda: certified.certified(lines.read(question, given)), seconds)


def answered(question: str, certificate: Callable[[], Certificate], seconds: float = SECONDS) -> Answer:
    """Return the answer that a certificate gives, or the refusal of the question."""
    try:
        with prove.allowing(seconds):
            found = certificate()
    except DerivationError as refusal:
        return Answer(question, REFUSED, reason=str(refusal))
    return _checked(question, found)


def _checked(question: str, found: Certificate) -> Answer:
    """The answer, if the checker accepts the certificate; what it rejects is not told as decided."""
    data = json.loads(json.dumps(found.as_json()))
    supposed, asserted = sentence(data["statement"])
    says = f"{supposed}: {'; and '.join(asserted)}" if supposed else "; and ".join(asserted)
    try:
        trusts = recheck.check(data)
    except recheck.Rejected as trouble:
        return Answer(question, Verdict.OPEN.value, says, reason=f"{REJECTED}: {trouble}")
    return Answer(question, found.verdict.value, says, found.witness, found.reason, trusts, found.sha256, data)
