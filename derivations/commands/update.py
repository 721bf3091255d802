"""Regenerating everything that is generated and committed: the pages of the papers and the emitted kernels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from derivations.audit import ledger
from derivations.audit.trusted import trusted_page
from derivations.audit.verify import Report, verify_together
from derivations.kernels import committed
from derivations.paper.entries import Claim, Entry
from derivations.paper.library import home
from derivations.prove.certificate import Verdict
from derivations.report.written import README, counted, written
from derivations.text import DerivationError, write_together
from derivations.text.processes import cores


class NotACheckout(DerivationError):
    """There is no source checkout to regenerate."""


def root() -> Path:
    """The source checkout that this package was imported from."""
    here = Path(__file__).resolve().parents[2]
    if not (here / "pyproject.toml").is_file() or not (here / "numerics" / "kernels").is_dir():
        raise NotACheckout(
            "update writes into a source checkout, and this is an installed package: "
            "clone the repository, or write kernels with `emit -o DIR` and verdicts with `verify --json FILE`"
        )
    return here


def pages(reports: list[Report]) -> dict[str, str]:
    """The generated pages by file name, seen from the root of the checkout."""
    papers = ledger.as_json(reports)["papers"]
    readme = (root() / README).read_text(encoding="utf-8")
    return {
        **written(papers),
        README: counted(readme, papers),
        "docs/trusted.md": trusted_page(reports, root(), papers),
    }


def verdicts(reports: list[Report]) -> dict[str, str]:
    return {
        o.entry.id: o.verdict.value
        for r in reports
        for o in r.outcomes
        if isinstance(o.entry, Claim) and isinstance(o.verdict, Verdict)
    }


def update(step: Callable[[Entry], None] | None = None) -> list[str]:
    """Write what has changed; returns the names of the files written or removed. `step` is told of judged entries."""
    here = root()
    papers = home()
    reports = verify_together([(paper, None) for paper in papers.values()], cores(), step)
    changed = write_together(pages(reports), here)
    kernels = committed.write_all(
        {key: paper.kernels for key, paper in papers.items()},
        here / "numerics" / "kernels",
        verdicts(reports),
        ledger.equalities(reports),
    )
    return changed + [f"numerics/kernels/{name}" for name in kernels]
