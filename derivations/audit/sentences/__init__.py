"""Sentences that a person writes, and what of them is tied to the statement that was judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from derivations.audit.sentences.ties import Judged, Span, formulas, meanings_of, tied

Entry = Mapping[str, Any]  # as a ledger has it
COMPUTED = ("What the same implies without", "The same holds without")
"""How sentences begin that nobody writes."""


class Sentences:
    """The sentences of one paper, with what each of them speaks of."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.known = {entry["id"]: entry for entry in entries}

    @cached_property
    def meanings(self) -> dict[Any, Any]:
        return meanings_of(self.known.values())

    def typed(self) -> Iterator[Entry]:
        """The claims whose sentences a person wrote."""
        yield from filter(is_typed, self.known.values())

    def judged(self, entry: Entry) -> Judged:
        """Return what was judged of an entry, with the places of what it rests on and inherits."""
        others = [self.known[name] for name in (*entry["rests_on"], *entry["inherits"]) if name in self.known]
        places = tuple(place for e in (entry, *others) for place in e["where"])
        return Judged(entry["certificate"]["statement"], places, self.meanings, entry["latex"] or "")

    def tied(self, entry: Entry) -> list[Span]:
        """Where tied formulas and numbers stand in an entry's sentence; none in one that nobody wrote."""
        if not is_typed(entry):
            return []
        key = entry["id"], entry["says"], entry["sha256"]
        if key not in _TIED:
            _TIED[key] = tied(entry["says"], self.judged(entry))
        return _TIED[key]

    def formulas(self, entry: Entry) -> list[Span]:
        """Where formulas and numbers stand in an entry's sentence."""
        return formulas(entry["says"], self.judged(entry))


_TIED: dict[tuple[str, str, str], list[Span]] = {}  # by an entry, its sentence, and its seal


def is_typed(entry: Entry) -> bool:
    """Check whether a claim has a sentence that a person wrote, and a certificate beside it."""
    return entry["kind"] == "claim" and bool(entry["certificate"]) and not entry["says"].startswith(COMPUTED)
