"""The table of theorems, rules and averages as text, with how often the certificates of a ledger use each line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.theorems import Theorem, averages, limits, rules, theorems
from derivations.recheck.ledgers.files import read_json
from derivations.recheck.ways import LINE
from derivations.text import DerivationError


def text(ledger: Path | None = None) -> str:
    """Every line: its name, what it says, what it needs and concludes, and where a proof stands."""
    uses = Counter(_used(_read(ledger))) if ledger else None
    found: list[str] = []
    for title, table in (("Theorems", theorems()), ("Rules", rules()), ("Averages", averages()), ("Limits", limits())):
        found += [title, ""]
        for name, theorem in table.items():
            told = "" if uses is None else f"  [{uses[name]} in the ledger]"
            letters = ", ".join(f"{letter} ({kind})" for letter, kind in theorem.letters.items())
            lines = (theorem.text("says"), f"letters: {letters}", *written(theorem), f"see {theorem.text('citation')}")
            found += [f"{name}{told}", *(f"    {line}" for line in lines), ""]
    return "\n".join(found)


def written(theorem: Theorem) -> list[str]:
    """A line of the table as it stands there: side conditions, abbreviations, hypotheses, and the conclusion."""
    line = theorem.written
    found = [f"where {condition}" for condition in line.get("where", ())]
    found += [f"{key} = {expression}" for key, expression in line.get("short", {}).items()]
    found += [f"{role}: {expression}" for role, expression in line.get("needs", {}).items()]
    found += [f"it follows, {role}: {expression}" for role, expression in line.get("follows", {}).items()]
    found += [f"then {line['concludes']}"] if "concludes" in line else []
    return [" ".join(each.split()) for each in found]


def _read(ledger: Path) -> Any:
    try:
        return read_json(ledger)
    except Rejected as refusal:
        raise DerivationError(str(refusal)) from None


def _used(data: Any) -> Iterator[str]:
    """The names of lines in all certificates, nested ones included."""
    waiting = [data]
    while waiting:
        here = waiting.pop()
        if isinstance(here, dict):
            statement, method = here.get("statement"), here.get("method")
            if isinstance(statement, dict) and isinstance(method, str):
                name = statement["schema"] if statement.get("kind") == "by" else method.removeprefix("by ")
                yield str(name)
            elif here.keys() >= LINE:
                yield str(here["rule"])
            waiting += here.values()
        elif isinstance(here, list):
            waiting += here
