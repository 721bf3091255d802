"""The entries of a paper by place: those of each numbered equation, of each place of the text, figures and beyond."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Entry = Mapping[str, Any]
EQUATION = re.compile(r"Eqs?\. (\d+)")
COVERED = re.compile(r"Eq\. (\d+)(?=$|,)")
TEXT, FIGURES, BEYOND = "Sentences of the text", "Figures", "Beyond the paper"


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
    chapters: dict[str, dict[str, list[Entry]]] = {TEXT: {}, FIGURES: {}, BEYOND: {}}
    for entry in entries:
        numbers = list(dict.fromkeys(numbers_of(entry)))
        for number in numbers:
            equations.setdefault(number, ([], []))[number != numbers[0]].append(entry)
        if not numbers:
            chapter, group = _chapter_of(entry["where"][0])
            chapters[chapter].setdefault(group, []).append(entry)
    return Order(dict(sorted(equations.items())), {title: groups for title, groups in chapters.items() if groups})


def numbers_of(entry: Entry) -> list[int]:
    """The numbered equations with which the places of an entry begin, parts of them too."""
    return [int(found[1]) for where in entry["where"] if (found := EQUATION.match(where))]


def covered_by(entry: Entry) -> set[int]:
    """The numbered equations that an entry covers."""
    return {int(found[1]) for where in entry["where"] if (found := COVERED.match(where))}


def covered(entries: Sequence[Entry], numbered: int) -> int:
    """How many numbered equations have an entry."""
    return len(set(range(1, numbered + 1)) & {number for entry in entries for number in covered_by(entry)})


def _chapter_of(where: str) -> tuple[str, str]:
    """The chapter of a place that is no numbered equation, and its heading there.

    >>> _chapter_of("Section 4.2, first sentence")
    ('Sentences of the text', 'Section 4.2')
    """
    head = re.split(r"[,:]", where)[0].strip()
    if head == "Beyond":
        return BEYOND, ""
    return (FIGURES if head.startswith("Figure") else TEXT), head
