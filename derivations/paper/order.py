"""Where an entry stands in its paper: numbered equations, then the text, figures, and what goes beyond the paper.

The order is computed from the places that entries name, such as "Eq. 12", "Section 4.1", "Appendix A.2" or "Figure 3";
the order in which modules are imported decides only between entries of one place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

EQUATION = re.compile(r"Eqs?\. (\d+)")
COVERED = re.compile(r"Eq\. (\d+)(?=$|,)")
TEXT, FIGURES, BEYOND = "Sentences of the text", "Figures", "Beyond the paper"
CHAPTERS = (TEXT, FIGURES, BEYOND)
PLACES = ("Abstract", "Section", "Assumption", "Theorem", "Appendix", "Figure")


def numbers_in(places: Iterable[str]) -> list[int]:
    """The numbered equations with which places begin, each once."""
    return list(dict.fromkeys(int(m.group(1)) for where in places if (m := EQUATION.match(where))))


def covered_by(places: Iterable[str]) -> set[int]:
    """The numbered equations that an entry with these places covers."""
    return {int(m.group(1)) for where in places if (m := COVERED.match(where))}


def chapter_of(where: str) -> tuple[str, str]:
    """The chapter of a place that is no numbered equation, and its heading there.

    >>> chapter_of("Section 4.2, first sentence")
    ('Sentences of the text', 'Section 4.2')
    """
    head = re.split(r"[,:]", where)[0].strip()
    if head == "Beyond":
        return BEYOND, ""
    return (FIGURES if head.startswith("Figure") else TEXT), head


def rank(head: str) -> tuple[int, list[tuple[bool, int, str]]]:
    """Abstract, sections, assumptions, theorems, appendices; numbers count as numbers, and come before letters.

    >>> sorted(["Section 10", "Section A.3", "Section 4.2", "Abstract"], key=rank)
    ['Abstract', 'Section 4.2', 'Section 10', 'Section A.3']
    """
    kind = next((i for i, place in enumerate(PLACES) if head.startswith(place)), len(PLACES))
    return kind, [(not n, int(n or 0), letters) for n, letters in re.findall(r"(\d+)|([A-Za-z]+)", head)]


def position(where: tuple[str, ...], is_definition: bool, is_printed: bool) -> tuple[Any, ...]:
    """By what an entry with these places is sorted; at an equation definitions come first, then printed formulas."""
    numbers = numbers_in(where)
    if numbers:
        return 0, numbers[0], not is_definition, not is_printed
    chapter, head = chapter_of(where[0])
    return 1, CHAPTERS.index(chapter), rank(head)
