"""The entries of a paper in the paper's order: numbered equations, then the text, figures, and what goes beyond.

A paper's modules register entries in the order of their imports, which is not the order of the print; pages for readers
are sorted here, by the places that the entries name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from derivations.audit.verify import Outcome, Report
from derivations.paper.model import Entry

EQUATION = re.compile(r"Eqs?\. (\d+)")
TEXT, FIGURES, BEYOND = "Sentences of the text", "Figures", "Beyond the paper"
PLACES = ("Abstract", "Section", "Assumption", "Theorem", "Appendix", "Figure")

Groups = dict[str, list[Outcome]]


@dataclass(frozen=True)
class Order:
    """A report, sorted: `equations` by number, `chapters` by title and place.

    Each equation has the entries that are shown there, and those that stand under another equation and speak of it too.
    """

    equations: dict[int, tuple[list[Outcome], list[Entry]]]
    chapters: dict[str, Groups]


def in_order(report: Report) -> Order:
    """Every entry of a report exactly once, in the paper's order."""
    equations: dict[int, tuple[list[Outcome], list[Entry]]] = {n: ([], []) for n in range(1, report.paper.numbered + 1)}
    chapters: dict[str, Groups] = {TEXT: {}, FIGURES: {}, BEYOND: {}}
    for outcome in report.outcomes:
        numbers = [int(m.group(1)) for where in outcome.entry.where if (m := EQUATION.match(where))]
        for place, number in enumerate(dict.fromkeys(numbers)):
            own, elsewhere = equations.setdefault(number, ([], []))
            if place == 0:
                own.append(outcome)
            else:
                elsewhere.append(outcome.entry)
        if not numbers:
            chapter, group = _chapter(outcome.entry.where[0])
            chapters[chapter].setdefault(group, []).append(outcome)
    for own, _ in equations.values():
        own.sort(key=lambda o: (o.entry.kind != "definition", o.entry.printed is None))
    by_place = {title: dict(sorted(groups.items(), key=lambda g: _rank(g[0]))) for title, groups in chapters.items()}
    return Order(dict(sorted(equations.items())), {title: groups for title, groups in by_place.items() if groups})


def _chapter(where: str) -> tuple[str, str]:
    """The chapter of a place, and its heading there."""
    head = re.split(r"[,:]", where)[0].strip()
    if head == "Beyond":
        return BEYOND, ""
    return (FIGURES if head.startswith("Figure") else TEXT), head


def _rank(head: str) -> tuple[int, list[tuple[bool, int, str]]]:
    """Abstract, sections, assumptions, theorems, appendices; numbers count as numbers, and come before letters."""
    kind = next((i for i, place in enumerate(PLACES) if head.startswith(place)), len(PLACES))
    return kind, [(not n, int(n or 0), letters) for n, letters in re.findall(r"(\d+)|([A-Za-z]+)", head)]
