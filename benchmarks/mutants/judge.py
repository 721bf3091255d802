"""Everything that may notice a mutant of the library: verdicts, emitted kernels, the checker, random instances, or a
named test.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.mutants.processes import allow, load

if TYPE_CHECKING:
    from derivations.audit.verify import Outcome
    from derivations.paper.model import Paper

ROOT = Path(__file__).parents[2]
COMMITTED = ROOT / "numerics" / "kernels"
INSTANCES = 3
KERNELS = "its kernels"
"""Name of the programs that a paper emits, which are tried beside its claims."""

USUAL = 3  # seconds, for what nobody has measured
Tried = tuple[str, str, float]
"""A paper, one of its claims or KERNELS, and the seconds that this usually takes."""

VERDICT, CHECKER, INSTANCE = "a verdict", "the checker", "an instance"
PROGRAM, CRASH, TEST = "an emitted program", "an error", "a test"
Noticed = tuple[str, str]
"""Which of these notices a change, and what it says."""


def judge(changed: Mapping[str, str], likely: Sequence[Tried], papers: Sequence[str]) -> Noticed | None:
    """Loads the library with changed files, and says what notices the change: what is likely to, else some papers."""
    load(changed)
    try:
        return next(_noticing(likely), None) or next(_noticing(_rest(papers, likely)), None)
    except BaseException as trouble:
        return CRASH, f"{type(trouble).__name__}: {' '.join(str(trouble).split())[:160]}"


def judge_by_tests(changed: Mapping[str, str], tests: Sequence[str]) -> Noticed | None:
    """Check whether tests fail, or cannot be imported, when files are changed; they are named as pytest names them."""
    load(changed)
    allow(USUAL)
    import pytest

    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    options = ["-x", "-q", f"--rootdir={ROOT}", f"--config-file={ROOT / 'pyproject.toml'}", "-p", "no:cacheprovider"]
    failed = (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED)
    found = pytest.main([*(str(ROOT / test) for test in tests), *options])
    return (TEST, f"{' or '.join(tests)} fails") if found in failed else None


def _noticing(tried: Sequence[Tried]) -> Iterator[Noticed]:
    """Whatever notices a change: verdicts and programs, then the checker, then random instances."""
    done: list[tuple[Paper, Outcome, float]] = []
    for key, name, seconds in tried:
        allow(seconds)
        if name == KERNELS:
            yield from ((PROGRAM, other) for other in emitted_otherwise(key))
        else:
            paper, outcome = _judged(key, name)
            done.append((paper, outcome, seconds))
            yield from ((VERDICT, f"{outcome.entry.id}: {fault}") for fault in outcome.faults)
    for _, outcome, seconds in done:
        allow(seconds)
        yield from _rejected(outcome)
    for paper, outcome, seconds in done:
        allow(seconds)
        yield from _contradicted(paper, outcome)


def _rest(papers: Sequence[str], likely: Sequence[Tried]) -> list[Tried]:
    """Whatever some papers say and emit, apart from what was tried."""
    from derivations.paper.library import library

    known, tried = library(), {(key, name) for key, name, _ in likely}
    every = [(key, name) for key in papers for name in (*known[key].entries, KERNELS)]
    return [(*one, USUAL) for one in every if one not in tried]


def _judged(key: str, name: str) -> tuple[Paper, Outcome]:
    """The verdict of a claim, imported with its paper alone."""
    from derivations.audit.verify import judge as judged
    from derivations.paper.library import paper_called

    paper = paper_called(key)
    assert paper is not None
    return paper, judged(paper.entries[name])


def emitted_otherwise(key: str) -> Iterator[str]:
    """The committed files that a paper's kernels no longer give."""
    from derivations.kernels import committed
    from derivations.paper.library import paper_called

    rows = json.loads((COMMITTED / committed.INDEX).read_text(encoding="utf-8"))["kernels"]
    shown = [row for row in rows if "equality" in row]
    equalities = {
        f"{row['paper']}:{row['name']}": committed.Equality(row["equality"], row.get("edges", ())) for row in shown
    }
    paper = paper_called(key)
    assert paper is not None
    for name, text in committed.sources({key: paper.kernels}, None, equalities).items():
        if name != committed.INDEX and (COMMITTED / name).read_text(encoding="utf-8") != text:
            yield f"the kernels of {key} are not those in {name}"


def _rejected(outcome: Outcome) -> Iterator[Noticed]:
    from derivations.recheck import Rejected, check

    if outcome.certificate is not None:
        try:
            check(outcome.certificate.as_json())
        except Rejected as reason:
            yield CHECKER, f"{outcome.entry.id} is rejected: {reason}"


def _contradicted(paper: Paper, outcome: Outcome) -> Iterator[Noticed]:
    from derivations.audit.probe import probe

    for found in probe(paper, [outcome], INSTANCES):
        yield from ((INSTANCE, f"{found.id} is contradicted: {trouble}") for trouble in found.contradictions)
