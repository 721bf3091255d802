"""A whole ledger: every entry's certificate, and whether the entry says what its certificate shows."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from derivations.recheck.check import check
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import shown
from derivations.recheck.ledgers.entries import check_entry, computed, seal
from derivations.recheck.ledgers.files import read_json
from derivations.recheck.ledgers.relations import related
from derivations.recheck.reader.agree import KINDS, kind_of

SCHEMA = 7
SAID = ("key", "title", "citation", "numbered", "read", "letters", "quantities", "remarks")
HEAD = (*SAID, "whole", "emitted", "second")
"""Fields that a ledger has for a paper, beside its entries and its seal."""
APART = ("open", "argued")  # verdicts that no code decided: counted, never accepted
Progress = Callable[[str], None]


@dataclass
class Summary:
    """The outcome of a check: accepted certificates by verdict, entries without one, and what was rejected and why.

    `undecided` counts apart what no code decided, and `entries` are those that were not rejected. `sha256` is that of
    the file, `papers` is what it holds, and `outside` are names of entries of papers that it does not hold whole.
    """

    sha256: str = ""
    papers: list[dict[str, Any]] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)

    accepted: Counter[str] = field(default_factory=Counter)
    undecided: Counter[str] = field(default_factory=Counter)
    without: int = 0
    rejected: list[tuple[str, str]] = field(default_factory=list)
    entries: list[dict[str, Any]] = field(default_factory=list)
    prints: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))

    @property
    def clean(self) -> bool:
        return not self.rejected


def recheck_ledger(path: str | Path, progress: Progress | None = None, jobs: int = 1) -> Summary:
    """Check every certificate of a ledger, in `jobs` processes; `progress` is told the id of each entry that is done.

    A file may hold one certificate instead, `{"certificate": ...}`, which is then all that it shows.
    Raises Rejected only when the file is neither; what is wrong with its entries stands in the summary.
    """
    data, digest = read_json(Path(path)), sha256(Path(path).read_bytes()).hexdigest()
    if isinstance(data, dict) and set(data) == {"certificate"}:
        return replace(_alone(data["certificate"], Path(path).stem), sha256=digest)
    papers = _papers(data)
    entries = [entry for paper in papers for entry in paper["entries"]]
    identifiers = list(map(_identifier, entries))
    summary, seen = Summary(sha256=digest, papers=papers), set[str]()
    for entry, identifier, (verdict, reason) in zip(entries, identifiers, _checked(entries, jobs), strict=True):
        twice = "two entries have this id: give each its own" if identifier in seen else None
        seen.add(identifier)
        if twice or reason:
            summary.rejected.append((identifier, twice or reason or ""))
        else:
            _count(summary, entry, verdict)
        if progress is not None:
            progress(identifier)
    summary.rejected += [(str(paper.get("key")), reason) for paper in papers if (reason := _loose(paper))]
    if summary.clean:
        told = related(papers)
        summary.rejected += told.faults
        summary.outside += told.outside
    return summary


def _alone(certificate: Any, name: str) -> Summary:
    """One certificate without an entry: what its statement says is all that can be shown of it."""
    summary = Summary()
    try:
        shows = computed(certificate, check(certificate))
    except Rejected as reason:
        summary.rejected.append((name, str(reason)))
    except RecursionError:
        summary.rejected.append((name, "the certificate nests too deeply to be read: state it in smaller parts"))
    else:
        _count(summary, {**shows, "id": name, "says": "one certificate"}, shows["verdict"])
    return summary


def _count(summary: Summary, entry: dict[str, Any], verdict: str | None) -> None:
    summary.entries.append(entry)
    if entry.get("reading") is not None:
        summary.prints[kind_of(entry["reading"])] += 1
    if verdict is None:
        summary.without += 1
    else:
        (summary.undecided if verdict in APART else summary.accepted)[verdict] += 1


def paper_seal(paper: dict[str, Any]) -> str:
    """The sha256 of a paper of a ledger: of its head, and of the seals of its entries in their order."""
    head = {key: paper.get(key) for key in HEAD}
    return seal({**head, "entries": [entry.get("sha256") for entry in paper["entries"]]})


def _loose(paper: dict[str, Any]) -> str | None:
    """Why a paper of the ledger is not as it was written, if it is not."""
    if set(paper) != {*HEAD, "entries", "sha256"}:
        return f"a paper has {', '.join(HEAD)}, entries and a sha256: write the ledger again"
    if any(entry.get("paper") != paper.get("key") for entry in paper["entries"]):
        return "an entry of another paper stands in it"
    if paper.get("sha256") != paper_seal(paper):
        return "its sha256 is not that of its title and its entries: something was changed, added or left out"
    return None


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
    except RecursionError:
        return None, "the entry nests too deeply to be read: write the ledger again"


def _papers(data: Any) -> list[Any]:
    if not isinstance(data, dict) or data.get("schema") != SCHEMA or not isinstance(data.get("papers"), list):
        raise Rejected(
            f"this is no ledger: expected an object with schema {SCHEMA} and a list of papers, got {shown(data)}"
        )
    for paper in data["papers"]:
        if not isinstance(paper, dict) or not isinstance(paper.get("entries"), list):
            raise Rejected(f"a paper of the ledger has no list of entries: {shown(paper)}")
    found: list[Any] = data["papers"]
    return found


def _identifier(entry: Any) -> str:
    if not isinstance(entry, dict) or not isinstance(entry.get("id"), str):
        raise Rejected(f"an entry of the ledger has no id: {shown(entry)}")
    found: str = entry["id"]
    return found
