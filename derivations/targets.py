"""What a user names on the command line: papers by key, entries by id, files by path."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from derivations.claims import Entry, Paper, PaperError
from derivations.library import did_you_mean, find, library, load_file


def chosen(targets: Iterable[str]) -> list[tuple[Paper, list[Entry] | None]]:
    """Papers with the entries asked for; None stands for the whole paper, and no target for every paper."""
    papers = library()
    picked: dict[str, tuple[Paper, list[Entry] | None]] = {}
    for target in targets:
        if target in papers:
            picked[target] = (papers[target], None)
        elif ":" in target and not target.endswith(".py"):
            _add(picked, papers, find(target, papers.values()))
        elif target.endswith(".py") or Path(target).exists():
            paper = load_file(Path(target))
            picked[f"{paper.key} from {target}"] = (paper, None)
        else:
            raise PaperError(
                f"no paper is called {target}{did_you_mean(target, papers)}; known papers: {', '.join(papers)}"
            )
    return list(picked.values()) or [(paper, None) for paper in papers.values()]


def _add(picked: dict[str, tuple[Paper, list[Entry] | None]], papers: dict[str, Paper], entry: Entry) -> None:
    paper, entries = picked.get(entry.paper, (papers[entry.paper], []))
    if entries is not None and entry not in entries:
        entries.append(entry)
    picked[entry.paper] = (paper, entries)
