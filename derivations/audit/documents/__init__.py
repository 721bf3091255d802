"""The committed pages of every paper, in `docs/papers/KEY/`, and the table of counts in the README.

`findings.md` tells on one page what an author would want to know, `errata.md` every refuted statement in full, and
`claims.md` every entry in the paper's order.
"""

from __future__ import annotations

from collections.abc import Iterable

from derivations.audit.documents.claims import claims_page
from derivations.audit.documents.counts import counts_table
from derivations.audit.documents.errata import errata_page
from derivations.audit.documents.findings import findings_page
from derivations.audit.verify import Report

__all__ = ["FOLDER", "claims_page", "counts_table", "errata_page", "findings_page", "papers_pages"]

FOLDER = "docs/papers"
PAGES = {"findings.md": findings_page, "errata.md": errata_page, "claims.md": claims_page}


def papers_pages(reports: Iterable[Report]) -> dict[str, str]:
    """The pages of all papers by file name, seen from the root of the checkout."""
    return {f"{FOLDER}/{report.paper.key}/{name}": write(report) for report in reports for name, write in PAGES.items()}
