"""`derivations verify --watch`: a file of one's own is judged whenever it changes, and what is new is told."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from derivations.audit.verify import Report, judge_or_tell, verify_together
from derivations.commands import summary, terminal
from derivations.commands.selection import is_path
from derivations.paper.files import papers_at
from derivations.paper.model import Paper
from derivations.paper.naming import PaperError
from derivations.text import DerivationError

PAUSE = 0.2  # seconds between two looks at the files


def watch(targets: Sequence[str]) -> int:
    """Judge the papers of files or folders, and again what changes in them, until the user interrupts."""
    if not targets or not all(is_path(target) for target in targets):
        raise PaperError("--watch looks at files of your own: name a Python file or folder, e.g. my_paper.py --watch")
    places = [Path(target) for target in targets]
    seen, known = _times(places), judge_all(places, {})
    try:
        while True:
            time.sleep(PAUSE)
            if (now := _times(places)) != seen:
                seen = now
                known = judge_all(places, known)
    except KeyboardInterrupt:
        return 0


def judge_all(places: Iterable[Path], known: dict[str, Report]) -> dict[str, Report]:
    """Judge the papers, and print what was not known by their files; a file that cannot be run is told, and kept."""
    reports = dict(known)
    for place in places:
        try:
            _forget(place)
            for paper in papers_at(place):
                reports[paper.file] = _judged(paper, known.get(paper.file))
        except DerivationError as mistake:
            print(f"derivations: {mistake}", file=sys.stderr, flush=True)
    return reports


def _judged(paper: Paper, before: Report | None) -> Report:
    started = time.perf_counter()
    (report,) = verify_together([(paper, None)], judging=judge_or_tell)
    known = {o.entry.name: (o.certificate, o.faults) for o in before.outcomes} if before else {}
    fresh = [o for o in report.outcomes if (o.certificate, o.faults) != known.get(o.entry.name, (None, ()))]
    anew = replace(report, outcomes=fresh, whole=False)
    summary.summary([anew], every_row=True)
    terminal.faults(fault for fault in report.faults if fault not in anew.faults)
    count = len(report.outcomes)
    print(f"{len(fresh)} new verdicts, {count} entries judged in {time.perf_counter() - started:.2f} s", flush=True)
    return report


def _forget(place: Path) -> None:
    """Modules from the folder of a paper are imported again: they may have changed."""
    folder = (place if place.is_dir() else place.parent).resolve()
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if (
            file
            and folder in Path(file).resolve().parents
            and not name.startswith(("derivations", "numerics", "__main"))
        ):
            del sys.modules[name]


def _times(places: Iterable[Path]) -> dict[Path, int]:
    """When each Python file there was written last."""
    files = [file for place in places for file in _files(place)]
    return {file: file.stat().st_mtime_ns for file in files if file.exists()}


def _files(place: Path) -> Iterator[Path]:
    """A file and its neighbours, or all of a folder: what may be imported from there."""
    folder = place if place.is_dir() else place.parent
    yield from folder.glob("**/*.py" if place.is_dir() else "*.py")
