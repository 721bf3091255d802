"""What a user names on the command line: papers by key, entries by id, files by path."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from derivations.paper.library import find, library, load_file, nothing_called, paper_called
from derivations.paper.model import Entry, Paper, PaperError
from derivations.text import did_you_mean

OWN = ".py"  # how the name of a user's own file ends


def chosen(targets: Iterable[str]) -> list[tuple[Paper, list[Entry] | None]]:
    """Papers with the entries asked for; None stands for the whole paper, and no target for every paper."""
    picked: dict[str, tuple[Paper, list[Entry] | None]] = {}
    for target in targets:
        if target.endswith(OWN):
            _take(picked, load_file(Path(target)), target)
        elif ":" in target:
            _add(picked, *entry_called(target))
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


def entry_called(word: str) -> tuple[Paper, Entry]:
    """The entry with this id, file:name, or name that no other paper has, and its paper."""
    file, colon, name = word.rpartition(":")
    if file.endswith(OWN) or word.endswith(OWN):
        paper = load_file(Path(file if colon else word))
        if not colon:
            raise PaperError(
                f"{word} is a whole paper: name one of its entries, e.g. {word}:{next(iter(paper.entries), 'name')}"
            )
        return paper, find(f"{paper.key}:{name}", [paper])
    if colon:
        return _at_home(find(word))
    papers = library().values()
    found = [paper.entries[word] for paper in papers if word in paper.entries]
    if len(found) > 1:
        raise PaperError(f"several entries are called {word}: give one of {', '.join(e.id for e in found)}")
    if found:
        return _at_home(found[0])
    if kernels := [kernel for paper in papers for kernel in paper.kernels if kernel.name == word]:
        claims = ", ".join(dict.fromkeys(claim for kernel in kernels for claim in kernel.rests_on))
        raise PaperError(
            f"{word} is a kernel, which is no entry: `numerics kernels {word}` shows it; it rests on {claims}"
        )
    names = {name: entry for paper in papers for name, entry in paper.entries.items()}
    raise nothing_called(word, names)


def _at_home(entry: Entry) -> tuple[Paper, Entry]:
    paper = paper_called(entry.paper)
    assert paper is not None
    return paper, entry


def _take(picked: dict[str, tuple[Paper, list[Entry] | None]], paper: Paper, path: str) -> None:
    picked[f"{paper.key} from {path}"] = (paper, None)


def _add(picked: dict[str, tuple[Paper, list[Entry] | None]], paper: Paper, entry: Entry) -> None:
    key = next((key for key, (known, _) in picked.items() if known is paper), entry.paper)
    _, entries = picked.get(key, (paper, []))
    if entries is not None and entry not in entries:
        entries.append(entry)
    picked[key] = (paper, entries)
