"""The audited paper: one HTML page for every paper, and an index, that load nothing from elsewhere.

    reports = [verify(paper) for paper in library().values()]
    write(reports, Path("site"))

A page shows every numbered equation in the paper's order with its verdict, its hypotheses and its derivation, and for
a refuted one the printed and the corrected formula side by side with the witness.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from derivations.audit.verify import Report
from derivations.report.index_page import index_page
from derivations.report.paper_page import paper_page
from derivations.report.results import Panel, ReportError, read
from derivations.report.site import INDEX, Site
from derivations.text import write_together

__all__ = ["Panel", "ReportError", "pages", "read", "write"]


def pages(reports: Sequence[Report], panels: Sequence[Panel] = ()) -> dict[str, str]:
    """The HTML pages of verified papers, by file name: one for each paper, and `index.html`.

    `panels` are the figures that `read` found in a folder of results; each stands beside the entry it is named after.
    The same reports give the same bytes. Two papers with one key are refused.

    >>> from derivations.audit.verify import Report
    >>> from derivations.paper.model import Paper
    >>> paper = Paper("growth", title="Growth", authors="A. Reader", year=2026, source="notes", numbered=0)
    >>> sorted(pages([Report(paper)]))
    ['growth.html', 'index.html']
    """
    site = Site(reports, panels)
    papers = {f"{report.paper.key}.html": paper_page(report, site) for report in reports}
    return {f"{INDEX}.html": index_page(site), **papers}


def write(reports: Sequence[Report], directory: Path, panels: Sequence[Panel] = ()) -> list[str]:
    """Write the pages into a folder, which is made if it is not there: all of them, or none after an error.

    Returns the names of the files that changed; a file that already holds its text is left alone.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write([], Path(folder)), write([], Path(folder))
    (['index.html'], [])
    """
    return write_together(pages(reports, panels), directory)
