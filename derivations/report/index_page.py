"""The first page: what each paper got, how to read the marks, and every entry under one search box."""

from __future__ import annotations

from html import escape

from derivations.audit.verify import Report
from derivations.report.site import Site, mark, sign
from derivations.report.skeleton import page, tally

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


def index_page(site: Site) -> str:
    header = (
        "<h1>The audited papers</h1><p>Every numbered equation and every sentence that asserts something, judged by"
        " exact computation. Verdicts are computed, and each comes with evidence that separate code can check.</p>"
        f"{tally(site.totals)}"
    )
    links = "".join(f'<li><a href="{r.paper.key}.html">{escape(r.paper.title)}</a></li>' for r in site.reports)
    navigation = (
        f'<p><a href="#papers">Papers</a></p><ul>{links}</ul><p><a href="#search">Search</a></p>'
        '<p><a href="#marks">Marks</a></p>'
    )
    content = _papers(site) + _search(site) + _marks()
    return page("The audited papers", header, navigation, content, "index.js")


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
    numbers = "".join(f"<td>{found.get(word, 0) or '–'}</td>" for word in site.totals)
    return (
        f'<tr><th scope="row"><a href="{paper.key}.html">{escape(paper.title)}</a>'
        f'<span class="byline">{escape(paper.authors)} ({paper.year})</span></th>'
        f"<td>{paper.numbered - len(report.missing)} of {paper.numbered}</td>{numbers}</tr>"
    )


def _marks() -> str:
    listed = "".join(f"<dt>{sign(word)}</dt><dd>{meaning}</dd>" for word, meaning in MARKS.items())
    return f'<section id="marks"><h2>What the marks mean</h2><dl>{listed}</dl></section>'


def _search(site: Site) -> str:
    papers = "".join(map(_entries, site.reports))
    return (
        '<section id="search"><h2>Every entry</h2><form role="search" id="find"><label for="query">Search in places,'
        ' names, verdicts and sentences</label><input type="search" id="query" autocomplete="off" '
        'placeholder="refuted peak time"></form><p id="found" role="status" aria-live="polite"></p>'
        f"{papers}</section>"
    )


def _entries(report: Report) -> str:
    items = "".join(
        f'<li>{mark(o)} <a href="{report.paper.key}.html#{escape(o.entry.name)}">'
        f"{escape('; '.join(o.entry.where))}</a> "
        f'<code>{escape(o.entry.name)}</code> <span class="says">{escape(o.entry.says)}</span></li>'
        for o in report.outcomes
    )
    return (
        f'<details class="paper"><summary>{escape(report.paper.title)} ({len(report.outcomes)} entries)</summary>'
        f'<ul class="entries">{items}</ul></details>'
    )
