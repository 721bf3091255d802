"""A whole ledger: every entry's certificate, and whether the entry says what its certificate shows."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from derivations.recheck.check import check
from derivations.recheck.errors import Rejected
from derivations.recheck.load import VERDICTS, read_json, shown

SCHEMA = 1
Progress = Callable[[str], None]


@dataclass
class Summary:
    """What was checked: accepted certificates by verdict, entries without one, and what was rejected and why."""

    accepted: Counter[str] = field(default_factory=Counter)
    without: int = 0
    rejected: list[tuple[str, str]] = field(default_factory=list)

    @property
    def clean(self) -> bool:
        return not self.rejected


def recheck_ledger(path: str | Path, progress: Progress | None = None, jobs: int = 1) -> Summary:
    """Check every certificate of a ledger, in `jobs` processes; `progress` is told the id of each entry that is done.

    Raises Rejected only when the file is no ledger at all; what is wrong with its entries stands in the summary.
    """
    entries = _entries(read_json(Path(path)))
    identifiers = list(map(_identifier, entries))
    summary, seen = Summary(), set[str]()
    for identifier, (verdict, reason) in zip(identifiers, _checked(entries, jobs), strict=True):
        twice = "two entries have this id: give each its own" if identifier in seen else None
        seen.add(identifier)
        if twice or reason:
            summary.rejected.append((identifier, twice or reason or ""))
        elif verdict is None:
            summary.without += 1
        else:
            summary.accepted[verdict] += 1
        if progress is not None:
            progress(identifier)
    return summary


Checked = tuple[str | None, str | None]  # the verdict that a certificate shows, and why the entry is rejected


def _checked(entries: list[Any], jobs: int) -> Iterator[Checked]:
    jobs = min(jobs, len(entries))
    if jobs <= 1:
        yield from map(_one_checked, entries)
        return
    _SHARED[:] = entries
    try:
        with ProcessPoolExecutor(jobs, mp_context=get_context("fork"), initializer=gc.freeze) as pool:
            yield from pool.map(_shared_checked, range(len(entries)), chunksize=4)
    except BrokenProcessPool:
        raise Rejected("a process that checked it was ended from outside: try again with --jobs 1") from None


_SHARED: list[Any] = []  # what forked workers find: an entry of a hostile ledger may be too deep to be sent


def _shared_checked(index: int) -> Checked:
    return _one_checked(_SHARED[index])


def _one_checked(entry: dict[str, Any]) -> Checked:
    try:
        return check_entry(entry), None
    except Rejected as reason:
        return None, str(reason)


def _entries(data: Any) -> list[Any]:
    if not isinstance(data, dict) or data.get("schema") != SCHEMA or not isinstance(data.get("papers"), list):
        raise Rejected(
            f"this is no ledger: expected an object with schema {SCHEMA} and a list of papers, got {shown(data)}"
        )
    entries: list[Any] = []
    for paper in data["papers"]:
        if not isinstance(paper, dict) or not isinstance(paper.get("entries"), list):
            raise Rejected(f"a paper of the ledger has no list of entries: {shown(paper)}")
        entries += paper["entries"]
    return entries


def _identifier(entry: Any) -> str:
    if not isinstance(entry, dict) or not isinstance(entry.get("id"), str):
        raise Rejected(f"an entry of the ledger has no id: {shown(entry)}")
    found: str = entry["id"]
    return found


def check_entry(entry: dict[str, Any]) -> str | None:
    """The verdict of an entry that its certificate shows; None for an entry that makes no claim."""
    for key in ("verdict", "certificate"):
        if key not in entry:
            raise Rejected(f"the entry has no '{key}': write the ledger again")
    verdict, certificate = entry["verdict"], entry["certificate"]
    if verdict is None and certificate is None:
        return None
    if verdict is None:
        raise Rejected("the entry has a certificate and no verdict: write the ledger again")
    if verdict not in VERDICTS:
        raise Rejected(f"the verdict must be one of {', '.join(VERDICTS)}, got {shown(verdict)}")
    if not isinstance(certificate, dict):
        raise Rejected(f"the entry is {verdict} and has no certificate that shows it")
    check(certificate)
    if certificate["verdict"] != verdict:
        raise Rejected(f"the entry says {verdict} and its certificate says {certificate['verdict']}")
    if entry.get("statement", certificate["statement"]) != certificate["statement"]:
        raise Rejected("the statement of the entry is not that of its certificate")
    shown_witness = certificate["payload"].get("witness")
    if entry.get("witness", shown_witness) != shown_witness:
        raise Rejected("the witness of the entry is not that of its certificate")
    found: str = verdict
    return found
