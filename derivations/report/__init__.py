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
from derivations.report.shelf import INDEX, Shelf
from derivations.text import write_together

__all__ = ["Panel", "ReportError", "pages", "read", "write"]


def pages(reports: Sequence[Report], panels: Sequence[Panel] = ()) -> dict[str, str]:
    """The pages by file name; the same reports give the same bytes."""
    shelf = Shelf(reports, panels)
    found = {f"{report.paper.key}.html": paper_page(report, shelf) for report in reports}
    return {f"{INDEX}.html": index_page(shelf), **found}


def write(reports: Sequence[Report], directory: Path, panels: Sequence[Panel] = ()) -> list[str]:
    """Write the pages into a folder, all or none; returns the names of those that changed."""
    return write_together(pages(reports, panels), directory)
