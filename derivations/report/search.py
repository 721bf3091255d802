"""What the search box of every page looks through: a line for each numbered equation and each entry, in one file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from derivations.audit.verify import Outcome, Report
from derivations.paper.order import numbers_in
from derivations.report.paper_page import sections
from derivations.report.prose import typeset
from derivations.report.site import Site, standing
from derivations.report.skeleton import as_script

FILE = "search.js"
LONGEST = 400  # letters of a formula that are looked through
Line = tuple[str, str, str, str, str, list[int]]  # page, anchor, verdict, title, sentence as HTML, numbers of equations


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
