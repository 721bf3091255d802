"""The audited papers: one HTML page for every paper, an index, and files beside them that are loaded when asked for.

    reports = [verify(paper) for paper in library().values()]
    write(reports, Path("site"))

A page shows every numbered equation in the paper's order: what is printed, the verdict, and for a refuted formula the
corrected one, the witness and what changes. Evidence is loaded when its fold is opened, from `evidence/KEY/`, and what
the search box looks through from `search.js`; nothing is loaded from elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from derivations.audit.verify import Report
from derivations.report.index import FILE, index_page, search_file
from derivations.report.moving.writing import of_reports
from derivations.report.page_frame import as_script
from derivations.report.paper_page import evidence_of, paper_page, sections
from derivations.report.results import Panel, ReportError, read
from derivations.report.site import INDEX, Site
from derivations.text import write_together
from derivations.text.doors import at_door

PORTIONS = 3  # in which the evidence of a paper is written
__all__ = ["Panel", "ReportError", "pages", "read", "write"]


@at_door(ReportError)
def pages(reports: Sequence[Report], panels: Sequence[Panel] = (), jobs: int = 1) -> dict[str, str]:
    """The files of verified papers by name: a page for each paper, `index.html`, and what these load from beside them.

    `panels` are the figures that `read` found in a folder of results; each stands beside the entry it is named after.
    Pages that move stand in `pages`, and are linked from their papers. `jobs` is the number of processes. The same
    reports give the same bytes, in any number of them. Two papers with one key are refused.

    >>> from derivations.audit.verify import Report
    >>> from derivations.paper.model import Paper
    >>> paper = Paper("growth", title="Growth", authors="A. Reader", year=2026, source="notes", numbered=0)
    >>> sorted(pages([Report(paper)]))
    ['growth.html', 'index.html', 'search.js']
    """
    site = Site(reports, panels, list(of_reports(reports)))
    parts = [part for report in reports for part in _parts(report, site)]
    _SHARED[:] = [site, parts]
    if jobs > 1 and parts:
        order = sorted(range(len(parts)), key=lambda k: -len(parts[k][2]))
        with ProcessPoolExecutor(min(jobs, len(parts)), mp_context=get_context("fork")) as pool:
            found = dict(zip(order, pool.map(_written, order), strict=True))
    else:
        found = {k: _written(k) for k in range(len(parts))}
    _SHARED.clear()
    written = {name: text for k in range(len(parts)) for name, text in found[k].items()}
    return {f"{INDEX}.html": index_page(site), **written, FILE: search_file(site)}


Part = tuple[Report, str, Sequence[Any]]  # "page", "evidence" of some sections, or pages that are "moving"
_SHARED: list[Any] = []  # what forked processes find: reports hold functions, and cannot be sent


def _parts(report: Report, site: Site) -> list[Part]:
    """The page of a paper, those that move, and the evidence of its sections in some portions, to be written apart."""
    equations, chapters = sections(report, site)
    every = [*equations, *(part for parts in chapters.values() for part in parts)]
    portions = [every[k::PORTIONS] for k in range(PORTIONS)]
    moving = [(report, "moving", [page]) for page in site.moving if page.page.paper is report.paper]
    return [(report, "page", every), *moving, *((report, "evidence", portion) for portion in portions if portion)]


def _written(number: int) -> dict[str, str]:
    site, parts = _SHARED
    report, what, chosen = parts[number]
    if what == "page":
        return {f"{report.paper.key}.html": paper_page(report, site)}
    if what == "moving":
        return {page.file: page.html for page in chosen}
    files = {}
    for section in chosen:
        if found := evidence_of(section, site):
            text = f'evidence("{section.anchor}",{as_script(found)});\n'
            files[f"evidence/{report.paper.key}/{section.anchor}.js"] = text
    return files


@at_door(ReportError)
def write(reports: Sequence[Report], directory: Path, panels: Sequence[Panel] = (), jobs: int = 1) -> list[str]:
    """Write the pages of reports into a directory, which is made if it is not there: all, or none after an error.

    `panels` and `jobs` are those of `pages`. Returns the names of the files that changed; a file that already holds its
    text is left alone.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write([], Path(folder)), write([], Path(folder))
    (['index.html', 'search.js'], [])
    """
    return write_together(pages(reports, panels, jobs), directory)
