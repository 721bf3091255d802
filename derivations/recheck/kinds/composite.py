"""Statements made of statements: solutions of flows, conjunctions, chains through theorems, contraries."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

from derivations.recheck.errors import Rejected
from derivations.recheck.load import Data, normal, part, shown
from derivations.recheck.statements import must_match

Check = Callable[[Data], str]  # checks a certificate and returns its verdict
SHOWN = ("proved", "certified")


@cache
def theorems() -> Data:
    """The standard theorems that a chain may lean on, from the list that the prover reads too."""
    path = Path(__file__).parents[2] / "prove" / "theorems.json"
    return normal(json.loads(path.read_text(encoding="utf-8")))


def _nested(table: Data, key: str, statement: Data, what: str, check: Check) -> tuple[Data, str]:
    """A nested certificate of a given statement, checked, and its verdict."""
    certificate = part(table, key, dict, what)
    inner = part(certificate, "statement", dict, f"the certificate of {key}")
    if inner != statement or not isinstance(statement, dict):
        must_match(inner, statement, f"certificate of {key}")
    return certificate, check(certificate)


# --- conjunctions and chains ------------------------------------------------------------------------------------------


def check_all(certificate: Data, check: Check) -> None:
    statement, verdict, payload = (certificate[key] for key in ("statement", "verdict", "payload"))
    statements = part(statement, "parts", tuple, "the statement")
    certificates = part(payload, "parts", tuple, "the payload")
    if not statements or len(statements) != len(certificates):
        raise Rejected(f"the conjunction has {len(statements)} statements and {len(certificates)} certificates")
    table = {str(i): certificate for i, certificate in enumerate(certificates)}
    checked = [_nested(table, str(i), s, "the conjunction", check) for i, s in enumerate(statements)]
    verdicts = [found for _, found in checked]
    joined = "refuted" if "refuted" in verdicts else "open" if "open" in verdicts else _weakest(verdicts)
    if joined != verdict:
        raise Rejected(f"the parts make the conjunction {joined}, not {verdict}")
    if payload.get("witness") is not None:
        witnesses = [c["payload"].get("witness") for c, found in checked if found == "refuted"]
        if payload["witness"] not in witnesses:
            raise Rejected("the witness of the conjunction is not that of a refuted part")


def _weakest(verdicts: list[str]) -> str:
    return next((v for v in ("argued", "certified") if v in verdicts), "proved")


def check_chain(certificate: Data, check: Check) -> None:
    statement, verdict, payload = (certificate[key] for key in ("statement", "verdict", "payload"))
    needs, steps = part(statement, "needs", dict, "the statement"), part(payload, "steps", dict, "the payload")
    part(statement, "says", str, "the statement")
    if not needs or set(needs) != set(steps):
        raise Rejected(f"the chain needs the steps {sorted(needs)} and has {sorted(steps)}")
    theorem = statement.get("theorem")
    if theorem is not None:
        _check_roles(part(statement, "theorem", str, "the statement"), needs)
    if certificate["method"] != (f"using {theorem}" if theorem is not None else "chain"):
        raise Rejected(f"the method {shown(certificate['method'])} does not name the theorem that the chain leans on")
    verdicts = [_nested(steps, role, needed, "the chain", check)[1] for role, needed in needs.items()]
    weak = sorted(found for found in verdicts if found not in SHOWN)
    if weak:
        raise Rejected(f"a step of the chain is {weak[0]}, so the chain is not {verdict}")
    if _weakest(verdicts) != verdict:
        raise Rejected(f"the steps make the chain {_weakest(verdicts)}, not {verdict}")


def _check_roles(theorem: str, needs: Data) -> None:
    if theorem not in theorems():
        raise Rejected(f"no standard theorem is called {shown(theorem)}: choose one of {', '.join(sorted(theorems()))}")
    roles = theorems()[theorem]["roles"]
    if set(roles) != set(needs):
        raise Rejected(f"the theorem '{theorem}' asks for the steps {sorted(roles)}, got {sorted(needs)}")
    for role, kinds in roles.items():
        kind = part(needs[role], "kind", str, f"the step '{role}'") if isinstance(needs[role], dict) else None
        if kind not in kinds.split("|"):
            raise Rejected(f"the step '{role}' of '{theorem}' must be of kind {kinds}, got {kind}")
        if kind == "sign" and needs[role].get("relation") != ">":
            raise Rejected(
                f"the step '{role}' of '{theorem}' must be a strict inequality: the theorem asks for no less"
            )
        if kind == "all" and not _only(needs[role], kinds.split("|")):
            raise Rejected(f"the step '{role}' of '{theorem}' must consist of statements of kind {kinds}")


def _only(statement: Data, kinds: list[str]) -> bool:
    """Whether a conjunction consists of statements of the given kinds, however it is nested."""
    parts = statement.get("parts")
    if not isinstance(parts, tuple) or not all(isinstance(p, dict) and p.get("kind") in kinds for p in parts):
        return False
    return all(p["kind"] != "all" or _only(p, kinds) for p in parts)


def check_contrary(certificate: Data, check: Check) -> None:
    statement, verdict, payload = (certificate[key] for key in ("statement", "verdict", "payload"))
    part(statement, "says", str, "the statement")
    if verdict != "refuted":
        raise Rejected(f"a contrary refutes what is said, and the verdict is {verdict}")
    claim = part(statement, "claim", dict, "the statement")
    _, found = _nested(payload, "contrary", claim, "the payload", check)
    if found not in SHOWN:
        raise Rejected(f"the contrary is {found}, so nothing is refuted")
