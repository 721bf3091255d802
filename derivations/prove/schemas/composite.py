"""Statements made of statements: conjunctions, and what a person concludes from several."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from derivations.prove.certificate import Certificate, Json, Verdict, undecided, undecided_at
from derivations.prove.equality import Unsatisfiable

Decide = Callable[[Json], Certificate]


def join(certificates: list[Certificate]) -> Certificate:
    """All of several certificates: proved when every part is, refuted when one is."""
    if not certificates:
        raise Unsatisfiable("nothing was stated: give at least one certificate")
    statement = {"kind": "all", "parts": [c.statement for c in certificates]}
    payload: Json = {"parts": [c.as_json() for c in certificates]}
    verdicts = {c.verdict for c in certificates}
    if Verdict.REFUTED in verdicts:
        broken = next(c for c in certificates if c.verdict is Verdict.REFUTED)
        return Certificate(statement, Verdict.REFUTED, broken.method, payload | {"witness": broken.witness})
    if Verdict.OPEN in verdicts:
        missing = next(c for c in certificates if c.verdict is Verdict.OPEN)
        return Certificate(statement, Verdict.OPEN, "none", payload, missing.reason)
    methods = ", ".join(dict.fromkeys(c.method for c in certificates))
    return Certificate(statement, weakest(verdicts), methods, payload)


def weakest(verdicts: set[Verdict]) -> Verdict:
    """The verdict on what rests on proved, certified and argued parts."""
    return next(v for v in (Verdict.ARGUED, Verdict.CERTIFIED, Verdict.PROVED) if v in verdicts)


def rejoin(statement: Json, decide: Decide) -> Certificate:
    """A conjunction decided afresh from its statement alone."""
    return replace(join([decide(part) for part in statement["parts"]]), statement=statement)


def argued(says: str, steps: dict[str, Certificate]) -> Certificate:
    """Return what a person concludes from proved steps; it is never counted as proved."""
    if not steps:
        raise Unsatisfiable(f"nothing leads to '{says}': give the argument at least one step")
    statement = {"kind": "argued", "says": says, "needs": {role: c.statement for role, c in steps.items()}}
    payload = {"steps": {role: c.as_json() for role, c in steps.items()}}
    weak = [role for role, c in steps.items() if c.verdict in (Verdict.OPEN, Verdict.REFUTED)]
    if weak:
        return undecided_at(statement, payload, weak[0], steps[weak[0]])
    return Certificate(statement, Verdict.ARGUED, "a person's last step", payload)


def reargued(statement: Json, decide: Decide) -> Certificate:
    """An argument decided afresh from its statement alone."""
    return argued(statement["says"], {role: decide(s) for role, s in statement["needs"].items()})


def denied(statement: Json, proof: Certificate) -> Certificate:
    """The statement that something is not so, which its proof refutes."""
    if proof.verdict not in (Verdict.PROVED, Verdict.CERTIFIED):
        return undecided(statement, f"what it denies is {proof.verdict.value}, not proved")
    return Certificate(statement, Verdict.REFUTED, "contrary", {"contrary": proof.as_json()})
