"""The ledger: everything a verification found, as JSON for machines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from typing import Any

from derivations.audit.verify import Outcome, Report
from derivations.language import show
from derivations.language.show import plain
from derivations.paper.model import Claim
from derivations.prove.certificate import Certificate, Json

SCHEMA = 1


def versions() -> dict[str, str]:
    return {name: version(name) for name in ("sympy", "python-flint")}


def as_json(reports: Iterable[Report]) -> Json:
    papers = [
        {
            "key": r.paper.key,
            "title": r.paper.title,
            "numbered": r.paper.numbered,
            "entries": [entry_json(o) for o in r.outcomes],
        }
        for r in reports
    ]
    return {"schema": SCHEMA, "versions": versions(), "papers": papers}


def entry_json(outcome: Outcome) -> Json:
    entry, certificate = outcome.entry, outcome.certificate
    claim = entry if isinstance(entry, Claim) else None
    return {
        "id": entry.id,
        "kind": entry.kind,
        "where": list(entry.where),
        "says": entry.says,
        "printed": entry.printed is not None,
        "latex": entry.printed.latex if entry.printed else None,
        "notes": list(outcome.notes),
        "verdict": certificate.verdict.value if certificate else None,
        "expected": claim.expect.value if claim else None,
        "method": certificate.method if certificate else None,
        "statement": certificate.statement if certificate else None,
        "hypotheses": hypotheses(certificate) if certificate else [],
        "certificate": certificate.as_json() if certificate else None,
        "witness": certificate.witness if certificate else None,
        "corrected_by": claim.corrected_by if claim else None,
        "rests_on": list(entry.rests_on),
    }


def hypotheses(certificate: Certificate) -> list[str]:
    """Hypotheses and symbol assumptions in words, without repetition."""
    found: dict[str, None] = {}
    for statement in statements_inside(certificate.statement):
        for rule in statement.get("rules", []):
            written = show.sums if statement["kind"] == "sums" else show.words
            found[f"{written(rule['left'])} = {written(rule['right'])}"] = None
        for name, assumptions in statement.get("symbols", {}).items():
            if assumptions:
                found[f"{name} is {' and '.join(strongest(assumptions))}"] = None
        for relation in statement.get("assuming", []):
            found[plain(relation)] = None
    return list(found)


def strongest(assumptions: list[str]) -> list[str]:
    """The assumptions on a symbol that no other one implies.

    >>> strongest(["positive", "nonnegative", "nonzero"])
    ['positive']
    """
    implied = {"positive": {"nonnegative", "nonzero"}, "negative": {"nonpositive", "nonzero"}}
    weaker: set[str] = set().union(*(implied.get(t, set()) for t in assumptions))
    return [t for t in assumptions if t not in weaker]


def statements_inside(statement: Any) -> Iterator[Json]:
    """The statements inside a statement that stand on their own: about scalars, or about matrices."""
    if isinstance(statement, list):
        for part in statement:
            yield from statements_inside(part)
    elif isinstance(statement, dict):
        if "symbols" in statement or statement.get("kind") in ("words", "sums"):
            yield statement
        else:
            yield from statements_inside(list(statement.values()))


def dumps(data: Json) -> str:
    return json.dumps(data, sort_keys=True, ensure_ascii=True, separators=(",", ":")) + "\n"
