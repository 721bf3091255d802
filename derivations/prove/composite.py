"""Statements made of statements: solutions of flows, conjunctions, chains through standard theorems, contraries."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

from derivations.prove.certificate import Certificate, Json, Verdict
from derivations.prove.equality import Unsatisfiable

Decide = Callable[[Json], Certificate]


@cache
def theorems() -> dict[str, Json]:
    """The standard theorems that a chain may name: what they say, where to find them, and what must be shown first.

    >>> sorted(theorems()["determinants multiply"])
    ['citation', 'roles', 'says']
    """
    text = (Path(__file__).parent / "theorems.json").read_text(encoding="utf-8")
    listed: dict[str, Json] = json.loads(text)
    return listed


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


def chain(says: str, steps: dict[str, Certificate], theorem: str | None) -> Certificate:
    """What follows from several certificates, possibly through a standard theorem whose hypotheses they discharge."""
    if not steps:
        raise Unsatisfiable(f"nothing leads to '{says}': give the chain at least one step")
    statement = {
        "kind": "chain",
        "says": says,
        "theorem": theorem,
        "needs": {role: c.statement for role, c in steps.items()},
    }
    if theorem is not None:
        check_roles(theorem, steps)
    payload = {"steps": {role: c.as_json() for role, c in steps.items()}}
    unproved = [role for role, c in steps.items() if c.verdict not in (Verdict.PROVED, Verdict.CERTIFIED)]
    if unproved:
        role = unproved[0]
        reason = f"its step '{role}' is {steps[role].verdict.value}: {steps[role].reason or steps[role].method}"
        return Certificate(statement, Verdict.OPEN, "none", payload, reason)
    method = f"using {theorem}" if theorem else "chain"
    return Certificate(statement, weakest({c.verdict for c in steps.values()}), method, payload)


def check_roles(theorem: str, steps: dict[str, Certificate]) -> None:
    """Refuses steps that do not match the roles of a theorem (`ValueError`)."""
    known = theorems()
    if theorem not in known:
        raise ValueError(f"no theorem is called '{theorem}': choose one of {', '.join(sorted(known))}")
    roles = known[theorem]["roles"]
    if set(steps) != set(roles):
        raise ValueError(f"the theorem '{theorem}' asks for the steps {sorted(roles)}, got {sorted(steps)}")
    for role, kinds in roles.items():
        for part in (steps[role].statement, *_elementary(steps[role].statement)):
            if part["kind"] not in kinds.split("|"):
                raise ValueError(f"the step '{role}' of '{theorem}' must be of kind {kinds}, got {part['kind']}")
            if part.get("relation") == ">=":
                raise ValueError(f"the step '{role}' of '{theorem}' must be a strict inequality")


def _elementary(statement: Json) -> list[Json]:
    """The statements inside a conjunction."""
    if statement["kind"] != "all":
        return [statement]
    return [part for inner in statement["parts"] for part in _elementary(inner)]


def contrary(says: str, certificate: Certificate) -> Certificate:
    """The certificate that a sentence is refuted, because a proved statement excludes it.

    says: the refuted sentence. certificate: the proof of what excludes it; without a proof the sentence stays OPEN.

    >>> import sympy as sp
    >>> from derivations import prove
    >>> x, y = sp.symbols("x y", real=True)
    >>> proof = prove.inequality(x**2 + y**2 >= 2 * x * y)
    >>> prove.contrary("a product can be larger than half the sum of squares", proof).verdict.value
    'refuted'
    """
    statement = {"kind": "contrary", "says": says, "claim": certificate.statement}
    if certificate.verdict in (Verdict.PROVED, Verdict.CERTIFIED):
        return Certificate(statement, Verdict.REFUTED, "contrary", {"contrary": certificate.as_json()})
    return Certificate(
        statement, Verdict.OPEN, "none", reason=f"its contrary is {certificate.verdict.value}, not proved"
    )


def weakest(verdicts: set[Verdict]) -> Verdict:
    """The verdict on what rests on proved, certified and argued parts."""
    return next(v for v in (Verdict.ARGUED, Verdict.CERTIFIED, Verdict.PROVED) if v in verdicts)


def rejoin(statement: Json, decide: Decide) -> Certificate:
    """A conjunction decided afresh from its statement alone."""
    return join([decide(part) for part in statement["parts"]])


def argued(says: str, steps: dict[str, Certificate]) -> Certificate:
    """What a person concludes from proved steps; it is never counted as proved."""
    if not steps:
        raise Unsatisfiable(f"nothing leads to '{says}': give the argument at least one step")
    statement = {"kind": "argued", "says": says, "needs": {role: c.statement for role, c in steps.items()}}
    payload = {"steps": {role: c.as_json() for role, c in steps.items()}}
    weak = [role for role, c in steps.items() if c.verdict in (Verdict.OPEN, Verdict.REFUTED)]
    if weak:
        step = steps[weak[0]]
        reason = f"its step '{weak[0]}' is {step.verdict.value}: {step.reason or step.method}"
        return Certificate(statement, Verdict.OPEN, "none", payload, reason)
    return Certificate(statement, Verdict.ARGUED, "a person's last step", payload)


def reargued(statement: Json, decide: Decide) -> Certificate:
    """An argument decided afresh from its statement alone."""
    return argued(statement["says"], {role: decide(s) for role, s in statement["needs"].items()})


def rechain(statement: Json, decide: Decide) -> Certificate:
    """A chain decided afresh from its statement alone."""
    steps: dict[str, Certificate] = {role: decide(s) for role, s in statement["needs"].items()}
    return chain(statement["says"], steps, statement["theorem"])
