"""The certificates in a ledger, each once, with the entries that rest on them."""

from __future__ import annotations

import json
from collections.abc import Collection as Several
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from derivations.recheck.core.load import Data
from derivations.recheck.ways import EVIDENCE
from derivations.text import DerivationError

DECIDED = ("proved", "certified", "refuted")
JOINED = ("all", "not")
"""Kinds of statements that say no more than their parts: a conjunction, and what a proved contrary denies."""


@dataclass(frozen=True)
class Entry:
    """An entry of a ledger that is decided, and the digests of the certificates that it needs."""

    id: str
    paper: str
    printed: bool
    verdict: str
    certificate: Data
    needs: tuple[str, ...]


@dataclass(frozen=True)
class Collection:
    """Entries, and the certificates by digest that a theorem must confirm."""

    entries: tuple[Entry, ...]
    certificates: dict[str, Data]


def collected(ledger: Path, names: Several[str] = (), tenth: str = "") -> Collection:
    """The decided entries of a ledger: all, or those of some papers and with some ids; of these a tenth, by a word."""
    try:
        papers = json.loads(ledger.read_text(encoding="utf-8"))["papers"]
        listed = [(paper["key"], entry) for paper in papers for entry in paper["entries"]]
        asked = [(key, entry) for key, entry in listed if not names or {key, entry["id"]} & {*names}]
        decided = [(key, entry) for key, entry in asked if entry["verdict"] in DECIDED]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DerivationError(f"{ledger} is no ledger that `derivations verify --json` wrote: {error}") from None
    if missing := sorted({*names} - {name for key, entry in decided for name in (key, entry["id"])}):
        raise DerivationError(f"nothing in {ledger} is decided and called {', '.join(missing)}")
    certificates, entries = dict[str, Data](), list[Entry]()
    for key, entry in [each for each in decided if not tenth or is_drawn(tenth, each[1]["id"])]:
        needed = {digest(each): each for each in leaves(entry["certificate"])}
        certificates |= needed
        about = entry["id"], key, bool(entry.get("printed")), entry["verdict"], entry["certificate"]
        entries.append(Entry(*about, tuple(needed)))
    return Collection(tuple(entries), certificates)


def is_drawn(word: str, name: str) -> bool:
    """Check whether a name is in the tenth of all names that a word chooses."""
    return int(sha256(f"{word} {name}".encode()).hexdigest(), 16) % 10 == 0


def leaves(data: Any) -> Iterator[Data]:
    """Every certificate that stands in some data and says more than its parts do."""
    if isinstance(data, dict):
        if data.keys() >= EVIDENCE and isinstance(data["statement"], dict) and data["statement"]["kind"] not in JOINED:
            yield data
        for key, value in data.items():
            if key != "statement":
                yield from leaves(value)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from leaves(value)


def digest(data: Data) -> str:
    """A short name of a certificate, by what it says."""
    return sha256(json.dumps({key: data[key] for key in sorted(EVIDENCE)}, sort_keys=True).encode()).hexdigest()[:16]
