"""The lists as they are on disk: a family in brackets, and below it one named statement on each line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from derivations.questions.lines import Statement, read
from derivations.text.plain import Unreadable

HERE = Path(__file__).resolve().parent
HALVES = ("open", "held_out")
FALSE = "false"  # the one list whose statements do not hold


@dataclass(frozen=True)
class Entry:
    """One line of a list."""

    list: str
    half: str
    family: str
    name: str
    statement: Statement

    @property
    def holds(self) -> bool:
        return self.list != FALSE

    @property
    def id(self) -> str:
        return f"{self.list}:{self.family}:{self.name}"


def entries(folder: Path = HERE) -> list[Entry]:
    """All entries, in the order of their files.

    >>> sum(entry.list == "theorists" for entry in entries())
    70
    """
    files = sorted((f for half in HALVES for f in (folder / half).glob("*.txt")), key=lambda f: (f.stem, f.parent.name))
    return [entry for file in files for entry in _of(file)]


def _of(file: Path) -> Iterator[Entry]:
    family = ""
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            family = line.strip("[]")
        elif line.strip():
            name, colon, text = line.partition(": ")
            if not colon:
                raise Unreadable(f"{file.name} has a line without a name and a colon: {line!r}")
            yield Entry(file.stem, file.parent.name, family, name, read(text))
