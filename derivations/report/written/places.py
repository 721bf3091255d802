"""The entries of a paper by place: those of each numbered equation, of each place of the text, figures and beyond."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from derivations.paper.order import CHAPTERS, chapter_of, covered_by, numbers_in

Entry = Mapping[str, Any]


@dataclass(frozen=True)
class Order:
    """Entries, sorted: `equations` by number, `chapters` by title and place.

    Each equation has the entries that are shown there, and those that stand under another equation and speak of it too.
    """

    equations: dict[int, tuple[list[Entry], list[Entry]]]
    chapters: dict[str, dict[str, list[Entry]]]


def in_order(entries: Iterable[Entry], numbered: int) -> Order:
    """Every entry exactly once; a ledger has them in the paper's order."""
    equations: dict[int, tuple[list[Entry], list[Entry]]] = {n: ([], []) for n in range(1, numbered + 1)}
    chapters: dict[str, dict[str, list[Entry]]] = {title: {} for title in CHAPTERS}
    for entry in entries:
        numbers = numbers_in(entry["where"])
        for number in numbers:
            equations.setdefault(number, ([], []))[number != numbers[0]].append(entry)
        if not numbers:
            chapter, group = chapter_of(entry["where"][0])
            chapters[chapter].setdefault(group, []).append(entry)
    return Order(dict(sorted(equations.items())), {title: groups for title, groups in chapters.items() if groups})


def covered(entries: Sequence[Entry], numbered: int) -> int:
    """How many numbered equations have an entry."""
    return len(set(range(1, numbered + 1)) & {number for entry in entries for number in covered_by(entry["where"])})
