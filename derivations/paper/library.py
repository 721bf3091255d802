"""Finding papers, entries and what depends on them."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import sys
from collections.abc import Collection, Iterable
from pathlib import Path
from types import ModuleType

from derivations.paper.model import Entry, Paper, PaperError
from derivations.text import did_you_mean, near, one_line

HOME = "derivations.papers"  # by its name: papers use this module, and are found without being known here


def library() -> dict[str, Paper]:
    """Every paper of this package, by key; the folder is scanned, no list is kept."""
    papers = [paper_in(importlib.import_module(f"{HOME}.{name}")) for name in _modules()]
    return {paper.key: paper for paper in papers}


def _modules() -> list[str]:
    folder = importlib.import_module(HOME).__path__
    return sorted(m.name for m in pkgutil.iter_modules(folder) if not m.name.startswith("_"))


def paper_called(key: str) -> Paper | None:
    """The paper with this key, if there is one; a module of its name is imported alone, as all take seconds."""
    if key in _modules():
        paper = paper_in(importlib.import_module(f"{HOME}.{key}"))
        if paper.key == key:
            return paper
    return library().get(key)


def paper_in(module: ModuleType) -> Paper:
    papers = [value for value in vars(module).values() if isinstance(value, Paper)]
    if len({id(p) for p in papers}) != 1:
        what = "no Paper" if not papers else f"{len(papers)} papers"
        raise PaperError(
            f"{module.__file__} holds {what}: a paper file defines exactly one, e.g. paper = Paper('key', title=...)"
        )
    return papers[0]


def load_file(path: Path) -> Paper:
    """The paper in a Python file of the user's own."""
    if not path.is_file():
        found = f"{path} is a folder" if path.is_dir() else f"there is no file {path}"
        raise PaperError(f"{found}: give a paper's key, an entry's id such as paper:name, or a Python file")
    if path.suffix != ".py":
        raise PaperError(f"{path} is not a Python file: a paper is a .py file that defines a Paper")
    spec = importlib.util.spec_from_file_location(f"paper_file_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise PaperError(f"{path} cannot be loaded as a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except PaperError:
        raise
    except (Exception, SystemExit) as trouble:
        raise PaperError(f"{path} could not be run: {one_line(trouble)}") from trouble
    return paper_in(module)


def find(identifier: str, papers: Collection[Paper] | None = None) -> Entry:
    """The entry called paper:name, of these papers or of all; a near miss is answered with a suggestion."""
    key, colon, name = identifier.partition(":")
    paper = paper_called(key) if papers is None else next((p for p in papers if p.key == key), None)
    if paper is not None and name in paper.entries:
        return paper.entries[name]
    if paper is not None and colon:  # the key alone makes no name like another one
        raise nothing_called(identifier, [f"{key}:{each}" for each in near(name, paper.entries)])
    shelves = library().values() if papers is None else papers
    every = [entry.id for each in shelves for entry in each.entries.values()]
    if not colon:
        every = [name for each in shelves for name in each.entries] + every
    raise nothing_called(identifier, every)


def nothing_called(word: str, known: Iterable[str]) -> PaperError:
    """The refusal of a name that no entry has, with those that are like it."""
    return PaperError(f"nothing is called {word}{did_you_mean(word, known) or ':'} `derivations list` shows every id")


def impact(identifier: str, papers: Iterable[Paper]) -> list[str]:
    """Every entry and kernel that uses the named claim, directly or through others."""
    users: dict[str, set[str]] = {}
    for paper in papers:
        for entry in paper.entries.values():
            for used in entry.rests_on:
                users.setdefault(used, set()).add(entry.id)
        for kernel in paper.kernels:
            for used in kernel.rests_on:
                full = used if ":" in used else f"{paper.key}:{used}"
                users.setdefault(full, set()).add(f"kernel {paper.key}:{kernel.name}")
    reached: set[str] = set()
    frontier = [identifier]
    while frontier:
        for user in users.get(frontier.pop(), ()):
            if user not in reached:
                reached.add(user)
                frontier.append(user)
    return sorted(reached)
