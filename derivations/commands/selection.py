"""What a user names on the command line: papers by key, entries by id, files by path."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from derivations.paper.library import find, library, load_file, paper_called
from derivations.paper.model import Entry, Paper, PaperError
from derivations.text import did_you_mean


def chosen(targets: Iterable[str]) -> list[tuple[Paper, list[Entry] | None]]:
    """Papers with the entries asked for; None stands for the whole paper, and no target for every paper."""
    picked: dict[str, tuple[Paper, list[Entry] | None]] = {}
    for target in targets:
        if target.endswith(".py"):
            _take(picked, load_file(Path(target)), target)
        elif ":" in target:
            _add(picked, find(target))
        elif paper := paper_called(target):
            picked[target] = (paper, None)
        elif Path(target).exists():
            _take(picked, load_file(Path(target)), target)
        else:
            papers = library()
            raise PaperError(
                f"no paper is called {target}{did_you_mean(target, papers)}; known papers: {', '.join(papers)}"
            )
    return list(picked.values()) or [(paper, None) for paper in library().values()]


def entry_called(word: str) -> Entry:
    """The entry with this id, or with this name where no other paper has one of the same name."""
    if ":" in word:
        return find(word)
    found = [paper.entries[word] for paper in library().values() if word in paper.entries]
    if len(found) > 1:
        raise PaperError(f"several entries are called {word}: give one of {', '.join(e.id for e in found)}")
    return found[0] if found else find(word)


def _take(picked: dict[str, tuple[Paper, list[Entry] | None]], paper: Paper, path: str) -> None:
    picked[f"{paper.key} from {path}"] = (paper, None)


def _add(picked: dict[str, tuple[Paper, list[Entry] | None]], entry: Entry) -> None:
    paper = paper_called(entry.paper)
    assert paper is not None
    _, entries = picked.get(entry.paper, (paper, []))
    if entries is not None and entry not in entries:
        entries.append(entry)
    picked[entry.paper] = (paper, entries)
