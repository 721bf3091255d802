"""Finding papers, entries and what depends on them."""

from __future__ import annotations

import importlib
import keyword
import pkgutil
import re
from collections.abc import Collection, Iterable, Mapping
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType

from derivations.paper.entries import Entry
from derivations.paper.model import Paper
from derivations.paper.naming import PaperError
from derivations.text import did_you_mean, near, one_line, place_of
from derivations.text.doors import at_door

HOME = "derivations.papers"  # by its name: papers use this module, and are found without being known here
KEY = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
GROUP = "derivations.papers"  # the group of entry points by which other packages offer papers


def library() -> dict[str, Paper]:
    """Every paper by key: those of this package, whose folder is scanned, and those that other packages offer.

    A package offers papers by entry points of the group `derivations.papers`: a name, and the module or the Paper.
    Refused: two papers of one key, and what is offered and is no paper (`PaperError`).

    >>> library()["braun_2022"].numbered
    15
    """
    papers = home()
    for point in _offered():
        paper = _of_package(point)
        if paper.key in papers and papers[paper.key] is not paper:
            raise PaperError(f"{_source(point)} offers a paper called {paper.key}, which is taken: give it another key")
        papers[paper.key] = paper
    return papers


def home() -> dict[str, Paper]:
    """The papers of this package alone, by key."""
    papers = [paper_in(importlib.import_module(f"{HOME}.{name}")) for name in _modules()]
    return {paper.key: paper for paper in papers}


def keys() -> list[str]:
    """Return what papers can be called by, before any of them is imported."""
    return [*_modules(), *(point.name for point in _offered())]


def _modules() -> list[str]:
    folder = importlib.import_module(HOME).__path__
    return sorted(m.name for m in pkgutil.iter_modules(folder) if not m.name.startswith("_"))


def _offered() -> list[EntryPoint]:
    return sorted(entry_points(group=GROUP), key=lambda point: point.name)


def _of_package(point: EntryPoint) -> Paper:
    """The paper that an entry point names: a Paper, or a module that defines one."""
    try:
        found = point.load()
    except (Exception, SystemExit) as trouble:
        raise PaperError(f"{_source(point)} offers {point.value}, which cannot be loaded: {told(trouble)}") from trouble
    if isinstance(found, Paper):
        return found
    if isinstance(found, ModuleType):
        return paper_in(found)
    raise PaperError(f"{_source(point)} offers {point.value}, which is neither a Paper nor a module that defines one")


def _source(point: EntryPoint) -> str:
    return f"the package {point.dist.name}" if point.dist else f"the entry point {point.name}"


def paper_called(key: str) -> Paper | None:
    """The paper with this key, if there is one; a module of its name is imported alone, as all take seconds."""
    if key in _modules():
        paper = paper_in(importlib.import_module(f"{HOME}.{key}"))
        if paper.key == key:
            return paper
    for point in _offered():
        if point.name == key and (paper := _of_package(point)).key == key:
            return paper
    return library().get(key)


def paper_in(module: ModuleType) -> Paper:
    papers = [value for value in vars(module).values() if isinstance(value, Paper)]
    if len({id(p) for p in papers}) != 1:
        what = "no Paper" if not papers else f"{len(papers)} papers"
        raise PaperError(
            f"{module.__file__} holds {what}: a paper file defines exactly one, e.g. paper = Paper('key', title=...)"
        )
    require_key(papers[0].key)
    return papers[0]


def require_key(key: str) -> None:
    """Refuse a key by which no command could name its paper."""
    if not KEY.fullmatch(key) or keyword.iskeyword(key):
        raise PaperError(f"{key!r} cannot be the key of a paper: use letters, digits and underscores, as in my_paper")


def told(trouble: BaseException) -> str:
    """An exception on one line, with the place in the author's file where it arose."""
    place, text = place_of(trouble), one_line(trouble)
    return f"{text} ({place})" if place and place not in text else text


@at_door(PaperError)
def find(identifier: str, papers: Collection[Paper] | None = None) -> Entry:
    """The entry of an identifier paper:name, of these papers or of all.

    What names no entry is refused, with a suggestion (`PaperError`).

    >>> find("braun_2022:theorem_31").where[0]
    'Eq. 11'
    """
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
    return reached_from(identifier, direct_users(papers))


def direct_users(papers: Iterable[Paper], *, with_kernels: bool = True) -> dict[str, set[str]]:
    """The entries and kernels that name an entry among what they rest on, by its id.

    Without kernels none of them is made, which takes seconds; their equalities are entries all the same.
    """
    users: dict[str, set[str]] = {}
    for paper in papers:
        for entry in paper.entries.values():
            for used in entry.rests_on:
                users.setdefault(used, set()).add(entry.id)
        for kernel in paper.kernels if with_kernels else ():
            for used in kernel.rests_on:
                full = used if ":" in used else f"{paper.key}:{used}"
                users.setdefault(full, set()).add(f"kernel {paper.key}:{kernel.name}")
    return users


def reached_from(identifier: str, users: Mapping[str, Iterable[str]]) -> list[str]:
    """Return what uses an entry, directly or through others, in alphabetical order."""
    reached: set[str] = set()
    frontier = [identifier]
    while frontier:
        for user in users.get(frontier.pop(), ()):
            if user not in reached:
                reached.add(user)
                frontier.append(user)
    return sorted(reached)
