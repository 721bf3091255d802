"""The things that a user names on the command line: papers by key, entries by id or equation, files and folders by
path.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from derivations.paper.entries import Entry
from derivations.paper.files import SUFFIX, WHAT, papers_at
from derivations.paper.library import find, keys, library, nothing_called, paper_called
from derivations.paper.model import Paper
from derivations.paper.naming import PaperError
from derivations.text import did_you_mean, near

EQUATION = re.compile(r"(?i)(?:eqs?|equation)?[. ]*\(?(\d+)\)?")
MOST = 5  # examples in a message
Work = list[tuple[Paper, list[Entry] | None]]


def chosen(targets: Iterable[str]) -> Work:
    """Papers with the entries asked for; None stands for the whole paper, and no target for every paper."""
    picked: dict[int, tuple[Paper, list[Entry] | None]] = {}
    read: dict[str, list[Paper]] = {}
    for target in targets:
        papers, name = _split(target, read)
        if name:
            for paper, entry in _named(name, papers, target):
                _, entries = picked.get(id(paper), (paper, []))
                if entries is not None and entry not in entries:
                    entries.append(entry)
                picked[id(paper)] = (paper, entries)
        else:
            picked |= {id(paper): (paper, None) for paper in papers}
    return list(picked.values()) or [(paper, None) for paper in library().values()]


def equation_in(word: str) -> int | None:
    """The number in what a user writes for an equation: Eq. 7, eq7, equation (7), or 7 alone.

    >>> equation_in("Eq. 7"), equation_in("eq7"), equation_in("(7)"), equation_in("eq7_line")
    (7, 7, 7, None)
    """
    match = EQUATION.fullmatch(word.strip())
    return int(match[1]) if match else None


def is_path(word: str) -> bool:
    """Check whether a word names a file or folder of the user's own rather than a paper of the library."""
    if not word.strip():
        raise PaperError(f"a name is empty: {WHAT}")
    return word.endswith(SUFFIX) or "/" in word or (word not in keys() and Path(word).exists())


def paper_meant(word: str) -> Paper | None:
    """The paper with this key, or the only one whose key begins like that."""
    if paper := (paper_called(word) if word in keys() else None):
        return paper
    alike = [key for key in keys() if key.startswith(word)]
    return paper_called(alike[0]) if len(alike) == 1 and word else library().get(word)


def _split(target: str, read: dict[str, list[Paper]]) -> tuple[Sequence[Paper], str]:
    """The papers that a target speaks of, each file read once, and the name of what is meant in them, if it has one."""
    where, colon, name = ("", "", target) if equation_in(target) else target.rpartition(":")
    whole = is_path(target) and (Path(target).exists() or not (colon and is_path(where)))
    if whole or (where and is_path(where)):
        place = target if whole else where
        if place not in read:
            read[place] = papers_at(Path(place))
        return read[place], "" if whole else name
    if not colon:
        paper = None if equation_in(target) else paper_meant(target)
        return ([paper], "") if paper else (list(library().values()), target)
    paper = paper_meant(where)
    if paper is None:
        find(target)  # which says what is like it
        raise nothing_called(target, [])
    return [paper], name


def _named(name: str, papers: Sequence[Paper], target: str) -> list[tuple[Paper, Entry]]:
    """The entry of this name, or whose name alone begins so, or all entries about the equation of this number."""
    exact = [(paper, paper.entries[name]) for paper in papers if name in paper.entries]
    if not exact and (number := equation_in(name)) is not None:
        if matching := [(p, e) for p in papers for e in p.entries.values() if number in e.numbers]:
            return matching
        where = papers[0].key if len(papers) == 1 else "any paper"
        raise PaperError(f"nothing in {where} names Eq. {number} as its place: `derivations list` shows every place")
    if not exact and (claims := [c for p in papers for k in p.kernels if k.name == name for c in k.rests_on]):
        hint = f"`numerics kernels {name}` shows it; it rests on {', '.join(dict.fromkeys(claims))}"
        raise PaperError(f"{name} is a kernel, which is no entry: {hint}")
    matching = exact or [(p, e) for p in papers for n, e in p.entries.items() if n.startswith(name)]
    if len(matching) > 1:
        listed = [_asked_for(paper, entry) for paper, entry in matching]
        more = f" and {len(listed) - MOST} others" if len(listed) > MOST else ""
        how = "are called" if exact else "have names that begin with"
        raise PaperError(f"several entries {how} {name}: give one of {', '.join(listed[:MOST])}{more}")
    if not matching:
        raise _unknown(name, papers, target)
    return matching


def _asked_for(paper: Paper, entry: Entry) -> str:
    """Return what an entry can be asked for by."""
    return f"{paper.file}:{entry.name}" if paper.file else entry.id


def _unknown(name: str, papers: Sequence[Paper], target: str) -> PaperError:
    """The refusal of a name that nothing has: with papers or entries that are like it."""
    if ":" in target:
        (paper,) = papers
        prefix = target.removesuffix(name)
        return nothing_called(target, [f"{prefix}{each}" for each in near(name, paper.entries)])
    known = [paper.key for paper in papers]
    alike = did_you_mean(name, known) or did_you_mean(name, [n for paper in papers for n in paper.entries])
    return PaperError(f"no paper is called {name}, and no entry{alike or ':'} known papers: {', '.join(known)}; {WHAT}")
