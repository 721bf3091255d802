"""The page of one paper: numbered equations in order, then the text, figures, and what goes beyond it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from derivations.audit.order import Groups, in_order
from derivations.audit.verify import Outcome, Report
from derivations.paper.model import Entry
from derivations.report.entry import article, panel
from derivations.report.site import Site, counted
from derivations.report.skeleton import page, tally

SHORT = 11  # letters; longer places do not fit side by side
WORST = ("refuted", "open", "argued", "certified", "proved")


def paper_page(report: Report, site: Site) -> str:
    paper = report.paper
    order = in_order(report)
    equations, chapters = order.equations, order.chapters
    covered = paper.numbered - len(report.missing)
    header = (
        f'<p class="home"><a href="index.html">The audited papers</a></p><h1>{escape(paper.title)}</h1>'
        f'<p class="byline">{escape(paper.authors)} ({paper.year}). {escape(paper.source)}</p>'
        f"<p>{f'{covered} of {paper.numbered} numbered equations covered.' if paper.numbered else ''}</p>"
        f"{tally(site.counts[paper.key])}"
        '<p class="tools"><button type="button" id="fold" aria-pressed="false">Open every derivation</button></p>'
    )
    blocks = [_equations(equations, site)]
    blocks += [_chapter(title, groups, site) for title, groups in chapters.items()]
    others = site.other_panels(report)
    if others:
        blocks.append(f'<section id="panels"><h2>Further panels</h2>{"".join(map(panel, others))}</section>')
    return page(paper.title, header, _navigation(equations, chapters), "\n".join(blocks), "page.js")


def _equations(equations: dict[int, tuple[list[Outcome], list[Entry]]], site: Site) -> str:
    blocks = []
    for number, (own, elsewhere) in equations.items():
        also = "".join(f"<li>{site.link(e.id, e.paper)}: {escape('; '.join(e.where))}</li>" for e in elsewhere)
        listed = f'<p class="label">Told with another equation</p><ul class="users">{also}</ul>' if also else ""
        articles = "".join(article(o, site, 4) for o in own) + listed or "<p>No entry covers this equation.</p>"
        blocks.append(f'<section class="equation" id="eq-{number}"><h3>Equation {number}</h3>{articles}</section>')
    return f'<section id="equations"><h2>Numbered equations</h2>{"".join(blocks)}</section>'


def _chapter(title: str, groups: Groups, site: Site) -> str:
    blocks = []
    for head, own in groups.items():
        level = 4 if head else 3
        articles = "".join(article(o, site, level) for o in own)
        heading = f"<h3>{escape(head)}</h3>" if head else ""
        blocks.append(f'<section id="{_anchor(head or title)}">{heading}{articles}</section>')
    return f"<section><h2>{title}</h2>{''.join(blocks)}</section>"


def _anchor(head: str) -> str:
    """The id of a heading; it has a hyphen, which no name of an entry has, so that the two never meet."""
    return "at-" + re.sub(r"[^a-z0-9]+", "-", head.lower())


def _navigation(equations: dict[int, tuple[list[Outcome], list[Entry]]], chapters: dict[str, Groups]) -> str:
    chips = "".join(_chip(number, own) for number, (own, _) in equations.items())
    parts = [f'<p><a href="#equations">Numbered equations</a></p><ul class="chips">{chips}</ul>']
    for title, groups in chapters.items():
        short = max(map(len, groups)) <= SHORT
        parts.append(f'<p><a href="#{_anchor(next(iter(groups)) or title)}">{title}</a></p>')
        links = "".join(f'<li><a href="#{_anchor(head)}">{escape(head)}</a></li>' for head in groups if head)
        parts.append(f'<ul class="{"short" if short else ""}">{links}</ul>' if links else "")
    return "".join(parts)


def _chip(number: int, own: Iterable[Outcome]) -> str:
    """A link to an equation, underlined in the colour of the worst verdict on what is printed there."""
    own = list(own)
    counts, printed = counted(own), counted([o for o in own if o.entry.printed] or own)
    worst = next((word for word in WORST if word in printed), "definition")
    summary = ", ".join(f"{n} {word}" for word, n in counts.items()) or "no entry"
    unseen = f'<span class="unseen">: {summary}</span>'
    return f'<li><a class="{worst}" href="#eq-{number}" title="{summary}">{number}{unseen}</a></li>'
