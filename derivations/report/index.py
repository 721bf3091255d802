"""The ways to the pages of papers: the first page, and what the search box of every page looks through."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from derivations.audit.verify import Outcome, Report
from derivations.paper.order import numbers_in
from derivations.report.page_frame import SEARCH, as_script, page, tally
from derivations.report.paper_page import sections
from derivations.report.prose import typeset
from derivations.report.site import Site, sign, standing

FILE = "search.js"
LONGEST = 400  # letters of a formula that are looked through
Line = tuple[str, str, str, str, str, list[int]]  # page, anchor, verdict, title, sentence as HTML, numbers of equations
MARKS = {
    "proved": "an exact normal form decided it, or a named theorem whose hypotheses are shown, and which computes its"
    " conclusion",
    "certified": "a rigorous enclosure of numbers decided it",
    "refuted": "it fails at exact numbers, matrices or arrays that are shown, or contradicts what is proved: as the"
    " source prints it, by inheriting such a mistake, or only in one reading or without a hypothesis (no mistake)",
    "argued": "its steps are proved, and a person adds the last one: it counts neither as proved nor as refuted",
    "open": "nothing decided it, and the entry says what stands in the way",
    "definition": "it introduces a name and asserts nothing",
    "experiment": "only a simulation can repeat it",
}


# --- the first page: what each paper got, how to read the marks, under one search box --------------------------------


def index_page(site: Site) -> str:
    header = (
        "<h1>The audited papers</h1><p>Every numbered equation and every sentence that asserts something, judged by"
        " exact computation. Verdicts are computed, and each comes with evidence that separate code can check.</p>"
        f"{tally(site.totals)}{SEARCH}"
    )
    links = "".join(f'<li><a href="{r.paper.key}.html">{escape(r.paper.title)}</a></li>' for r in site.reports)
    navigation = f'<p><a href="#papers">Papers</a></p><ul>{links}</ul><p><a href="#marks">Marks</a></p>'
    return page("The audited papers", header, navigation, _papers(site) + _marks())


def _papers(site: Site) -> str:
    heads = "".join(f'<th scope="col">{h}</th>' for h in ("Paper", "Equations", *map(sign, site.totals)))
    rows = "".join(_row(report, site) for report in site.reports)
    return (
        '<section id="papers"><h2>Papers</h2>'
        '<div class="scroll" role="group" aria-label="table of papers" tabindex="0">'
        f'<table class="papers"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div></section>'
    )


def _row(report: Report, site: Site) -> str:
    paper, found = report.paper, site.counts[report.paper.key]
    numbers = "".join(f'<td data-what="{word}">{found.get(word, 0) or "–"}</td>' for word in site.totals)
    return (
        f'<tr><th scope="row"><a href="{paper.key}.html">{escape(paper.title)}</a>'
        f'<span class="byline">{escape(paper.authors)} ({paper.year})</span></th>'
        f'<td data-what="equations">{paper.numbered - len(report.missing)} of {paper.numbered}</td>{numbers}</tr>'
    )


def _marks() -> str:
    listed = "".join(f"<dt>{sign(word)}</dt><dd>{meaning}</dd>" for word, meaning in MARKS.items())
    return f'<section id="marks"><h2>What the marks mean</h2><dl>{listed}</dl></section>'


# --- the search: a line for each numbered equation and each entry, in one file ---------------------------------------


def search_file(site: Site) -> str:
    """The lines as a script, which also works where a browser may read no other file: it hands them to the page."""
    lines = [[*line, words] for report in site.reports for line, words in _lines(report, site)]
    return f"searchable({as_script(lines)});\n"


def _lines(report: Report, site: Site) -> Iterator[tuple[Line, str]]:
    """Every line with the words by which it is found."""
    paper = report.paper
    source = f"{paper.authors} {paper.year}"
    equations, _ = sections(report, site)
    for section in equations:
        number = int(section.anchor.removeprefix("eq-"))
        told = f"{escape(paper.title)}: {section.worst}"
        words = " ".join(
            [f"equation {number} {section.worst}", source, paper.title, *(_letters(o) for o in section.printed)]
        )
        yield (paper.key, section.anchor, section.worst, section.title, told, [number]), _plain(words)
    for outcome in report.outcomes:
        entry = outcome.entry
        where = "; ".join(entry.where)
        words = " ".join([where, entry.name, standing(outcome), entry.says, source, _letters(outcome)])
        line = (paper.key, entry.name, standing(outcome), typeset(where), typeset(entry.says), numbers_in(entry.where))
        yield line, _plain(words)


def _letters(outcome: Outcome) -> str:
    r"""The letters of a printed formula as they would be typed: tau_h for \tau_{h}."""
    printed = outcome.entry.printed
    return re.sub(r"[\\{}]+", "", printed.latex)[:LONGEST] if printed else ""


def _plain(words: str) -> str:
    return " ".join(words.lower().split())
