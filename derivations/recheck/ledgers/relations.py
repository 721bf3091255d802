"""Compare what entries of a ledger say of each other: names are of entries, nothing rests on itself, verdicts fit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from typing import Any

from derivations.recheck.core.budget import budget
from derivations.recheck.core.errors import Rejected
from derivations.recheck.reader.agree import require_agreement

Entry = Mapping[str, Any]  # as a ledger has it
HOLDS = ("proved", "certified")
NAMED = ("rests_on", "inherits")  # lists of ids
ONE = ("corrected_by", "mended_by")


@dataclass
class Related:
    """The faults by entry or paper; and names that a ledger which has a part of a paper cannot resolve."""

    faults: list[tuple[str, str]] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)


def related(papers: Sequence[Mapping[str, Any]]) -> Related:
    """Compare what accepted entries say of each other.

    A name is of an entry in the ledger, unless its paper is not there, or only a part of it is.
    """
    result = Related()
    known = {entry["id"]: entry for paper in papers for entry in paper["entries"]}
    whole = {paper["key"] for paper in papers if paper["whole"] is True}
    outside: dict[str, None] = {}
    for entry in known.values():
        for key, other in _names(entry):
            if other in known:
                continue
            if other.partition(":")[0] in whole:
                result.faults.append((entry["id"], f"'{key}' names {other}, which is no entry of the ledger"))
            else:
                outside[other] = None
        result.faults += [(entry["id"], said) for said in (*_expected(entry, known), *_mended(entry, known))]
    result.outside += outside
    try:
        TopologicalSorter({name: _known_premises(entry, known) for name, entry in known.items()}).prepare()
    except CycleError as circle:
        result.faults.append((circle.args[1][0], f"it rests on itself: {' -> '.join(reversed(circle.args[1]))}"))
        return result
    for paper in papers:
        result.faults += two_names(paper["entries"])
    return result


def two_names(entries: Iterable[Entry]) -> Iterator[tuple[str, str]]:
    """The entries of a paper in whose prints a spelling has another name than in a print before, with what is wrong."""
    names: dict[Any, str] = {}
    for entry in entries:
        for record in (entry["reading"], entry["reading_of_corrected"]):
            for spelling, (name, _) in (record or {}).get("letters", {}).items():
                if name != names.setdefault((record["kind"], spelling), name):
                    other = names[record["kind"], spelling]
                    yield entry["id"], f"{spelling} is {name} in its print, and {other} in one before"


def _mended(entry: Entry, known: Mapping[str, Entry]) -> Iterator[str]:
    """Check whether the entry that proves a corrected formula speaks of it, as the checker reads it."""
    if entry["corrected"] is not None and entry["mended_by"] is None:
        yield "it has a corrected formula that no entry shows"
    proof = known.get(entry["mended_by"] or "")
    if proof is not None and proof["certificate"] is not None:
        try:
            with budget():
                read, notes = entry["reading_of_corrected"], entry["notes_of_corrected"]
                require_agreement(read, entry["corrected"], proof["certificate"], notes)
        except Rejected as reason:
            yield f"its corrected formula: {reason}"


def _names(entry: Entry) -> Iterator[tuple[str, Any]]:
    """Every name of another entry that an entry gives."""
    yield from ((key, name) for key in NAMED for name in entry[key])
    yield from ((key, entry[key]) for key in ONE if entry[key] is not None)


def _known_premises(entry: Entry, known: Mapping[str, Entry]) -> list[str]:
    return [name for name in entry["rests_on"] if name in known]


def _expected(entry: Entry, known: Mapping[str, Entry]) -> Iterator[str]:
    """Check whether a verdict is the one that was expected, and what is refuted has a correction that holds."""
    verdict, correction = entry["verdict"], entry["corrected_by"]
    if verdict is None:
        return
    if entry["expected"] != verdict and not entry["faults"]:
        yield f"it is {verdict}, was expected to be {entry['expected']}, and tells of no fault"
    if verdict == "refuted" and entry["expected"] == verdict and correction is None:
        yield "it is refuted, and names no correction"
    for key in ONE:
        other = known.get(entry[key] or "")
        if other is not None and verdict == "refuted" and other["verdict"] not in HOLDS:
            yield f"its correction {entry[key]} is {other['verdict'] or 'no claim'}"
