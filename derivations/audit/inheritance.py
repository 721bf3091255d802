"""Which mistakes of other equations a claim inherits, computed from what its body reads.

A claim that reads the sides of a refuted equation is judged once more with the correction in its place. Where its
verdict changes, it takes the mistake as given: a refuted claim is repaired by the correction, and a proved one only
repeats the mistake.
"""

from __future__ import annotations

from derivations.paper.entries import Claim
from derivations.paper.equation import Equation, reading
from derivations.paper.model import Paper
from derivations.prove.certificate import Verdict

REFUTED = Verdict.REFUTED
DECIDED = frozenset((Verdict.PROVED, Verdict.CERTIFIED, REFUTED))


def inherited(claim: Claim) -> tuple[str, ...]:
    """The names of the refuted claims whose mistakes a claim inherits."""
    mistakes = {name: instead for equation in claim.reads for name, instead in _mistakes(equation, claim).items()}
    return tuple(name for name, instead in mistakes.items() if _changes(claim, instead))


def heirs(paper: Paper, name: str) -> list[str]:
    """The claims of a paper that inherit the mistake of one of them; all claims are judged for it."""
    return [claim.id for claim in paper.claims if name in inherited(claim)] if name in paper.corrections else []


def _mistakes(equation: Equation, claim: Claim) -> dict[str, dict[str, str]]:
    """The refuted claims that print this equation, with the LaTeX of their corrections; none for what prints it too."""
    if claim.printed is not None and claim.printed.latex == equation.latex:
        return {}
    printed = {entry.id: entry.printed.latex for entry in equation.paper.entries.values() if entry.printed is not None}
    return {
        name: {equation.latex: correction.formula.latex}
        for name, correction in equation.paper.corrections.items()
        if printed.get(name) == equation.latex and correction.by != claim.id
    }


def _changes(claim: Claim, instead: dict[str, str]) -> bool:
    """Check whether the corrected equation turns what was decided into its opposite."""
    with reading(instead):
        mended = claim.check()
    both = claim.certificate.verdict, mended.verdict
    return (both[0] is REFUTED) is not (both[1] is REFUTED) and not set(both) - DECIDED
