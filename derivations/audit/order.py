"""A report by places: the entries of each numbered equation, and of each place of the text, figures and beyond."""

from __future__ import annotations

from dataclasses import dataclass

from derivations.audit.verify import Outcome, Report
from derivations.paper.model import Entry
from derivations.paper.order import CHAPTERS, chapter_of, numbers_in

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
    chapters: dict[str, Groups] = {title: {} for title in CHAPTERS}
    for outcome in sorted(report.outcomes, key=lambda o: o.entry.position):
        numbers = numbers_in(outcome.entry.where)
        for place, number in enumerate(numbers):
            own, elsewhere = equations.setdefault(number, ([], []))
            if place == 0:
                own.append(outcome)
            else:
                elsewhere.append(outcome.entry)
        if not numbers:
            chapter, group = chapter_of(outcome.entry.where[0])
            chapters[chapter].setdefault(group, []).append(outcome)
    return Order(dict(sorted(equations.items())), {title: groups for title, groups in chapters.items() if groups})
