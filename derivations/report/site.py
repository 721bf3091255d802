"""The data of a report: verified papers, which entry rests on which, and the figures that a reproduction drew."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape

from derivations.audit import ledger
from derivations.audit.mistakes import Mistakes
from derivations.audit.verify import Outcome, Report
from derivations.paper.entries import Claim, Corrected, Entry, Picture
from derivations.paper.library import direct_users, reached_from
from derivations.paper.model import Paper
from derivations.prove.certificate import Verdict
from derivations.report.moving.writing import Written
from derivations.report.results import Panel, ReportError

FILE_NAME = re.compile(r"[A-Za-z0-9_-]+")
INDEX = "index"
SIGNS = {
    "proved": "✓",
    "certified": "≈",
    "refuted": "✗",
    "argued": "∴",
    "open": "?",
    "definition": "≔",
    "experiment": "∿",
}


@dataclass(frozen=True)
class Site:
    """Verified papers by key, and all that the pages say about their entries."""

    reports: Sequence[Report]
    panels: Sequence[Panel] = ()
    moving: Sequence[Written] = ()
    outcomes: dict[str, Outcome] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        keys = [r.paper.key for r in self.reports]
        for key in keys:
            if not FILE_NAME.fullmatch(key) or key == INDEX:
                raise ReportError(f"the paper's key {key!r} cannot name a page: use letters, digits, - and _")
            if keys.count(key) > 1:
                raise ReportError(f"two papers have the key {key}: give each paper a key of its own")
        object.__setattr__(self, "outcomes", {o.entry.id: o for r in self.reports for o in r.outcomes})

    @cached_property
    def impacts(self) -> dict[str, list[str]]:
        """For every entry, what uses it, as `derivations show ID --impact` lists it."""
        users = direct_users(r.paper for r in self.reports)
        return {name: reached_from(name, users) for name in self.outcomes}

    @cached_property
    def panels_of(self) -> dict[str, list[Panel]]:
        grouped: dict[str, list[Panel]] = {}
        for panel in self.panels:
            grouped.setdefault(panel.id, []).append(panel)
        return grouped

    @cached_property
    def corrections(self) -> dict[str, Corrected]:
        """Corrected formulas in the sources' notation, by the refuted entry."""
        return {name: corrected for r in self.reports for name, corrected in r.paper.corrections.items()}

    @cached_property
    def counts(self) -> dict[str, dict[str, int]]:
        """By paper, how many entries got which verdict or are of which kind; what is refuted counts by class."""
        found = {key: errata.counts for key, errata in self.errata.items()}
        for r in self.reports:
            for kind in ("definition", "experiment"):
                found[r.paper.key][kind] = sum(standing(o) == kind for o in r.outcomes)
        return found

    @property
    def totals(self) -> dict[str, int]:
        """Return the same of all papers together; nothing where there is no paper."""
        every = list(self.counts.values())
        return {word: sum(found[word] for found in every) for word in (every[0] if every else {})}

    @cached_property
    def papers(self) -> dict[str, Paper]:
        return {r.paper.key: r.paper for r in self.reports}

    @cached_property
    def errata(self) -> dict[str, Mistakes]:
        return {r.paper.key: ledger.errata(r) for r in self.reports}

    def origins(self, outcome: Outcome) -> list[Outcome]:
        """The formulas at which the mistake of an entry begins, where it only inherits one."""
        errata = self.errata[outcome.entry.paper]
        return [self.outcomes[e["id"]] for e in errata.origins(errata.known[outcome.entry.id])]

    def heirs(self, outcome: Outcome) -> list[Outcome]:
        """Return what inherits the mistake of an entry."""
        errata = self.errata[outcome.entry.paper]
        return [self.outcomes[e["id"]] for e in errata.heirs(errata.known[outcome.entry.id])]

    def spoken_of(self, outcome: Outcome) -> Outcome | None:
        """The printed formula of which an entry speaks without printing it."""
        errata = self.errata[outcome.entry.paper]
        spoken_of = errata.spoken_of(errata.known[outcome.entry.id])
        return self.outcomes[spoken_of["id"]] if spoken_of else None

    @cached_property
    def classes(self) -> dict[str, str]:
        """The class of every claim by its id."""
        return {name: told for errata in self.errata.values() for name, told in errata.classes.items()}

    def changed_by(self, outcome: Outcome) -> str:
        """Return what a mistake changes, in the words of its claim or of the cause to which it belongs."""
        entry = outcome.entry
        causes = self.papers[entry.paper].remarks.causes
        said = [entry.changes] if isinstance(entry, Claim) else []
        return next(filter(None, [*said, *(cause.changes for cause in causes if entry.name in cause.claims)]), "")

    def pictures_of(self, outcome: Outcome) -> list[Picture]:
        return self.papers[outcome.entry.paper].pictures.get(outcome.entry.id, [])

    def other_panels(self, report: Report) -> list[Panel]:
        """The panels of a paper that no entry of it is named after."""
        return [p for p in self.panels if p.paper == report.paper.key and p.id not in self.outcomes]

    def link(self, name: str, page: str) -> str:
        """An entry's name as a link with its mark; a name without a page stays text."""
        if name not in self.outcomes:
            return f"<code>{escape(name)}</code>"
        key, _, short = name.partition(":")
        file = "" if key == page else f"{key}.html"
        outcome = self.outcomes[name]
        return f'{mark(outcome, short=True)} <a href="{file}#{escape(short)}"><code>{escape(short)}</code></a>'


def standing(outcome: Outcome) -> str:
    """The verdict, or the kind of an entry that has none."""
    return outcome.verdict.value if outcome.verdict else outcome.entry.kind


def mark(outcome: Outcome, short: bool = False) -> str:
    return sign(standing(outcome), short)


def sign(word: str, short: bool = False) -> str:
    """A mark: a sign, a colour and the word, which a short mark leaves to screen readers.

    The first word, as in "refuted by inheritance", gives the sign and the colour.
    """
    kind = word.split(maxsplit=1)[0]
    text = f'<span class="unseen">{word}</span>' if short else word
    return f'<span class="mark {kind}"><span aria-hidden="true">{SIGNS[kind]}</span> {text}</span>'


def counted(outcomes: Iterable[Outcome]) -> dict[str, int]:
    """How many entries have each verdict, verdicts first, without zeros."""
    words = [standing(o) for o in outcomes]
    order = [*(v.value for v in Verdict), "definition", "experiment"]
    return {word: words.count(word) for word in order if word in words}


def premises(entry: Entry, site: Site) -> list[Entry]:
    """Everything an entry rests on, directly or not, each after what it rests on itself."""
    collected: dict[str, Entry] = {}

    def visit(name: str, path: tuple[str, ...]) -> None:
        if name in collected or name in path or name not in site.outcomes:
            return
        premise = site.outcomes[name].entry
        for needed in premise.rests_on:
            visit(needed, (*path, name))
        collected[name] = premise

    for name in entry.rests_on:
        visit(name, (entry.id,))
    return list(collected.values())
