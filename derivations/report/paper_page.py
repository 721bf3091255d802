"""The page of one paper: numbered equations in order, then the text, figures, and what goes beyond it.

Every section opens with what the source prints there and what became of it; claims that belong to it are folded below,
in groups.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

from derivations.audit.mistakes import ADDED, ARITHMETIC, CORRECTIONS, READINGS, SENTENCES
from derivations.audit.verify import Outcome, Report
from derivations.paper.order import BEYOND
from derivations.report.entry import article, excerpt, panel
from derivations.report.evidence import derivation
from derivations.report.page_frame import SEARCH, page, tally
from derivations.report.prose import typeset
from derivations.report.site import Site, counted, sign, standing
from derivations.report.written.places import in_order

SHORT = 11  # letters; longer places do not fit side by side
WORST = ("refuted", "open", "argued", "certified", "proved")
GROUPS = {
    CORRECTIONS: "What holds instead",
    SENTENCES: "What the text says of it",
    READINGS: "Other readings, and hypotheses dropped",
    ADDED: "Beyond the paper",
    ARITHMETIC: "Arithmetic steps, without a quantity of the model",
    "": "Measurements and definitions",
}


@dataclass(frozen=True)
class Section:
    """A part of a page with an anchor: entries in full, formulas that stand elsewhere, and entries that are folded."""

    anchor: str
    title: str
    shown: Sequence[Outcome]
    elsewhere: Sequence[Outcome]
    folded: Sequence[Outcome]
    also: Sequence[Outcome] = ()  # without a formula, under other equations

    @property
    def own(self) -> list[Outcome]:
        """The entries whose place on the page is here."""
        return [*self.shown, *self.folded]

    @property
    def printed(self) -> list[Outcome]:
        """The formulas that the source prints here; without one, what stands in their place."""
        every = [*self.shown, *self.elsewhere]
        return [o for o in every if o.entry.printed] or every or list(self.folded)

    @property
    def worst(self) -> str:
        found = counted(self.printed)
        return next((word for word in WORST if word in found), "definition")


def paper_page(report: Report, site: Site) -> str:
    paper = report.paper
    equations, chapters = sections(report, site)
    covered = paper.numbered - len(report.missing)
    moving = ", ".join(f'<a href="{m.file}">{escape(m.page.title)}</a>' for m in site.moving if m.page.paper is paper)
    header = (
        f'<p class="home"><a href="index.html">The audited papers</a></p><h1>{escape(paper.title)}</h1>'
        f'<p class="byline">{escape(paper.authors)} ({paper.year}). {escape(paper.source)}</p>'
        f"<p>{f'{covered} of {paper.numbered} numbered equations covered.' if paper.numbered else ''}</p>"
        f"{tally(site.counts[paper.key])}{f'<p>With sliders: {moving}.</p>' if moving else ''}{SEARCH}"
        '<p class="tools"><button type="button" id="fold" aria-pressed="false">Open every derivation</button></p>'
    )
    numbered = "".join(_section(s, site) for s in equations)
    blocks = [f'<section id="equations"><h2>Numbered equations</h2>{numbered}</section>'] if numbered else []
    blocks += [
        f"<section><h2>{title}</h2>{''.join(_section(s, site) for s in parts)}</section>"
        for title, parts in chapters.items()
    ]
    others = site.other_panels(report)
    if others:
        blocks.append(f'<section id="panels"><h2>Further panels</h2>{"".join(map(panel, others))}</section>')
    return page(paper.title, header, _navigation(equations, chapters), "\n".join(blocks), paper.key)


def sections(report: Report, site: Site) -> tuple[list[Section], dict[str, list[Section]]]:
    """The sections of numbered equations, and those of each chapter by its title; every entry is in exactly one."""
    errata, of = site.errata[report.paper.key], site.outcomes
    order = in_order(errata.entries, report.paper.numbered)
    asserted = {e["id"] for e in errata.sentences}
    equations = []
    for number, (entries, named) in order.equations.items():
        own, others = [of[e["id"]] for e in entries], [of[e["id"]] for e in named]
        shown = [o for o in own if o.entry.printed or o.entry.id in asserted]
        if not shown and not any(o.entry.printed for o in others):
            shown = own
        equations.append(
            Section(
                f"eq-{number}",
                f"Equation {number}",
                shown,
                [o for o in others if o.entry.printed],
                [o for o in own if o not in shown],
                [o for o in others if not o.entry.printed],
            )
        )
    chapters = {}
    for title, groups in order.chapters.items():
        parts = []
        for head, entries in groups.items():
            own = [of[e["id"]] for e in entries]
            folded = [
                o for o in own if site.classes.get(o.entry.id) in _folded_in(title) and o.entry.id not in asserted
            ]
            folded = folded if len(folded) < len(own) else []
            parts.append(Section(_anchor(head or title), head, [o for o in own if o not in folded], [], folded))
        chapters[title] = parts
    return equations, chapters


def _folded_in(chapter: str) -> tuple[str, ...]:
    folded = (CORRECTIONS, READINGS, ARITHMETIC)
    return folded if chapter == BEYOND else (*folded, ADDED)


def _section(section: Section, site: Site) -> str:
    level = 4 if section.title else 3
    heading = (
        f'<h3><a class="anchor" href="#{section.anchor}">{escape(section.title)}</a></h3>' if section.title else ""
    )
    is_equation = section.anchor.startswith("eq-")
    blocks = [
        _verdicts(section, site) if is_equation else "",
        *(article(o, site, level, section.anchor) for o in section.shown),
        *(excerpt(o, site, level) for o in section.elsewhere),
        *_folds(section, site, level),
    ]
    listed = "".join(
        f"<li>{site.link(o.entry.id, o.entry.paper)}: {typeset('; '.join(o.entry.where))}</li>" for o in section.also
    )
    if listed:
        blocks.append(
            f'<details class="group"><summary>Told with another equation: {len(section.also)}</summary>'
            f'<ul class="users">{listed}</ul></details>'
        )
    content = "".join(blocks) or "<p>No entry covers this equation.</p>"
    kind = f"{'equation ' if is_equation else ''}{section.worst}"
    return f'<section class="{kind}" id="{section.anchor}">{heading}{content}</section>'


def _verdicts(section: Section, site: Site) -> str:
    """Return what became of the print, in a word, with the places that are wrong."""
    found = section.printed
    if not any(o.verdict for o in found):
        return f'<p class="verdict">{sign(section.worst)}</p>' if found else ""
    wrong = [o for o in found if standing(o) == "refuted"]
    if not wrong:
        return f'<p class="verdict">{sign(section.worst)}</p>'
    words = dict.fromkeys(_how(o, site) for o in wrong)
    rest = len(found) - len(wrong)
    places = ", ".join(f'<a href="#{o.entry.name}">{typeset(_short_place(o, section))}</a>' for o in wrong)
    of = f": {places}" if len(found) > 1 else ""
    holds = f"; {rest} of {len(found)} formulas hold" if rest else ""
    said = sign(f"refuted {' and '.join(words)}")
    return f'<p class="verdict">{said}{of}{holds}</p>'


def _how(outcome: Outcome, site: Site) -> str:
    """In which sense a printed formula is refuted."""
    if site.origins(outcome):
        return "by inheritance"
    errata = site.errata[outcome.entry.paper]
    return "in one reading only" if errata.is_ambiguous(errata.known[outcome.entry.id]) else "as printed"


def _short_place(outcome: Outcome, section: Section) -> str:
    """The place of an entry, without the equation under whose heading it stands."""
    head = section.title.replace("Equation", "Eq.")
    here = next((w for w in outcome.entry.where if w.startswith(f"{head}, ")), outcome.entry.where[0])
    return here.removeprefix(f"{head}, ")


def _folds(section: Section, site: Site, level: int) -> Iterator[str]:
    """The folded entries in groups, each with its number and its verdicts."""
    for kind, title in GROUPS.items():
        group = [o for o in section.folded if site.classes.get(o.entry.id, "") == kind]
        if group:
            told = " ".join(f"{n} {sign(word)}" for word, n in counted(group).items())
            articles = "".join(article(o, site, level, section.anchor) for o in group)
            yield f'<details class="group"><summary>{title}: {told}</summary>{articles}</details>'


def evidence_of(section: Section, site: Site) -> dict[str, str]:
    """The evidence of each entry of a section, by its name."""
    level = 5 if section.title else 4
    found = {o.entry.name: derivation(o, site, level) for o in section.own}
    return {name: shown for name, shown in found.items() if shown}


def _anchor(head: str) -> str:
    """The id of a heading; it has a hyphen, which no name of an entry has, so that the two never meet."""
    return "at-" + re.sub(r"[^a-z0-9]+", "-", head.lower())


def _navigation(equations: Iterable[Section], chapters: dict[str, list[Section]]) -> str:
    chips = "".join(map(_chip, equations))
    parts = [f'<p><a href="#equations">Numbered equations</a></p><ul class="chips">{chips}</ul>'] if chips else []
    for title, groups in chapters.items():
        short = max(len(s.title) for s in groups) <= SHORT
        parts.append(f'<p><a href="#{groups[0].anchor}">{title}</a></p>')
        links = "".join(f'<li><a href="#{s.anchor}">{escape(s.title)}</a></li>' for s in groups if s.title)
        parts.append(f'<ul class="{"short" if short else ""}">{links}</ul>' if links else "")
    return "".join(parts)


def _chip(section: Section) -> str:
    """A link to an equation, underlined in the colour of the worst verdict on what is printed there."""
    summary = ", ".join(f"{n} {word}" for word, n in counted(section.printed).items()) or "no entry"
    number = section.anchor.removeprefix("eq-")
    unseen = f'<span class="unseen">: {summary}</span>'
    return f'<li><a class="{section.worst}" href="#{section.anchor}" title="{summary}">{number}{unseen}</a></li>'
