"""Chooses the ledger for the pages: one that is named, or the one that lies beside them if it is up to date."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from derivations.audit import ledger
from derivations.audit.verify import Report
from derivations.paper.library import home
from derivations.paper.model import Paper
from derivations.prove.certificate import Json
from derivations.report.results import ReportError
from derivations.text import write_together

FILE = "ledger.json"
CODE = "derivations"  # among the versions of a kept ledger: the sha256 of the code that judged
SOURCES = ("*.py", "*.txt", "*.json")


@cache
def code() -> str:
    """The sha256 of everything in this package that a verdict can depend on."""
    here = Path(__file__).parents[1]
    digest = sha256()
    for file in sorted(file for kind in SOURCES for file in here.rglob(kind)):
        digest.update(f"{file.relative_to(here)}\n".encode() + file.read_bytes())
    return digest.hexdigest()


def at(path: Path) -> Json:
    """The ledger in a file; one that cannot be read, or is none, is refused.

    >>> at(Path("nowhere.json"))
    Traceback (most recent call last):
    derivations.report.results.ReportError: nowhere.json cannot be read: give what `derivations verify --json` wrote
    """
    data: Json | None = _read(path)
    if data is None:
        raise ReportError(f"{path} cannot be read: give what `derivations verify --json` wrote")
    ledger.require_ledger(data)
    return data


def named(data: Json, papers: Iterable[Paper], *, every: bool = False) -> list[Report]:
    """The reports of these papers in a ledger; one that lacks one of them is refused.

    every: whether all papers of the ledger are meant, which are to be among these.
    """
    asked = {paper.key: paper for paper in papers}
    found = ledger.reports_in(data, asked, None if every else asked)
    if missing := [] if every else [key for key in asked if key not in {report.paper.key for report in found}]:
        raise ReportError(f"the ledger says nothing of {', '.join(missing)}: name the papers that it has")
    return found


def fresh(folder: Path, papers: Iterable[Paper]) -> list[Report] | None:
    """The reports in the ledger of a folder of pages, if the code and what it judged are still the same.

    Papers of other packages and in files of one's own are no part of this code: their verdicts are computed each time.
    """
    papers, own = list(papers), home()
    if any(own.get(paper.key) is not paper for paper in papers):
        return None
    data = _read(folder / FILE)
    if not isinstance(data, dict) or data.get("versions") != _versions():
        return None
    try:
        found = {report.paper.key: report for report in ledger.reports_in(data, own)}
    except ledger.LedgerError:
        return None
    return [found[paper.key] for paper in papers] if {paper.key for paper in papers} <= set(found) else None


def keep(folder: Path, reports: Iterable[Report]) -> list[Report]:
    """Write the ledger of verified papers beside their pages; the reports as they are read from it."""
    reports = list(reports)
    data = ledger.as_json(reports) | {"versions": _versions()}
    write_together({FILE: ledger.dumps(data)}, folder)
    return [ledger.as_if_read(report) for report in reports]


def _versions() -> dict[str, str]:
    return {**ledger.versions(), CODE: code()}


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
