"""Errors for users, hints at near misses, troubles told on one line, and whole files written together."""

from __future__ import annotations

import difflib
import inspect
import os
import re
import tempfile
import traceback
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

MOST_NEAR = 3  # names that are suggested
ENGINE = Path(__file__).resolve().parents[1]
STANDARD = Path(os.__file__).parent
WRITTEN = ("papers", "models")  # folders of this package that authors write, as they write files of their own
MOST_IN_WORD = 200  # signs of a word in a message
ENDLESS = re.compile(rf"\S{{{MOST_IN_WORD + 1},}}")


class DerivationError(ValueError):
    """The base class of errors for users: a message says what was given, and what to do.

    The message is told on one line, and what was given is cut short where it is one endless word.

    >>> str(DerivationError("nothing\\nis called " + "x" * 5000))[-20:]
    'xxxxxxxxxxxxxxxxx...'
    """

    def __str__(self) -> str:
        words = super().__str__().split("\n")
        return ENDLESS.sub(lambda found: f"{found[0][:MOST_IN_WORD]}...", " ".join(map(str.strip, words)).strip())


def write_together(files: Mapping[str, str], directory: Path, obsolete: Iterable[str] = ()) -> list[str]:
    """Bring the files of a directory to the given texts; every text lies on disk before the first file is replaced.

    Files that already hold their text are left alone. Returns the names written or removed, in order.
    """
    directory.mkdir(parents=True, exist_ok=True)
    changed = {name: text for name, text in sorted(files.items()) if not _holds(directory / name, text)}
    waiting: dict[str, Path] = {}
    try:
        for name, text in changed.items():
            (directory / name).parent.mkdir(parents=True, exist_ok=True)
            waiting[name] = _beside(directory / name, text)
        while waiting:
            name, temporary = next(iter(waiting.items()))
            os.replace(temporary, directory / name)
            del waiting[name]
    finally:
        for temporary in waiting.values():
            temporary.unlink(missing_ok=True)
    removed = sorted(obsolete)
    for name in removed:
        (directory / name).unlink()
    return sorted([*changed, *removed])


def _holds(path: Path, text: str) -> bool:
    return path.is_file() and path.read_bytes() == text.encode()


def _beside(path: Path, text: str) -> Path:
    """The text in a temporary file of the same folder, with the rights of an ordinary new file."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode())
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


def counted(count: int, one: str, several: str) -> str:
    """A number with what it counts.

    >>> counted(1, "entry", "entries"), counted(2, "entry", "entries")
    ('1 entry', '2 entries')
    """
    return f"{count} {one if count == 1 else several}"


def near(word: str, known: Iterable[str]) -> list[str]:
    """Up to three names that are spelled like a word, or else contain it.

    >>> near("sigmoit", ["sigmoid", "flow"]), near("eq21", ["eq21_distance_corrected", "flow"])
    (['sigmoid'], ['eq21_distance_corrected'])
    """
    names = list(known)
    close = difflib.get_close_matches(word, names, n=MOST_NEAR, cutoff=0.55)
    inside = [name for name in names if len(word) > 2 and word.casefold() in name.casefold()]
    return close or inside[:MOST_NEAR]


def did_you_mean(word: str, known: Iterable[str]) -> str:
    close = near(word, known)
    return f": did you mean {' or '.join(close)}?" if close else ""


def place_of(trouble: BaseException) -> str:
    """The file and line of an author's own code at which an exception arose, such as "mine.py, line 7"; "" if none."""
    if isinstance(trouble, SyntaxError) and trouble.filename:
        return f"{Path(trouble.filename).name}, line {trouble.lineno}"
    frames = [f for f in traceback.extract_tb(trouble.__traceback__) if _is_an_author_s(f.filename)]
    return f"{Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else ""


def place_of_body(function: Callable[..., Any]) -> str:
    """The file and line at which an author's function begins, as `place_of` has them; "" if it is none."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is None or not _is_an_author_s(code.co_filename):
        return ""
    return f"{Path(code.co_filename).name}, line {code.co_firstlineno}"


def _is_an_author_s(file: str) -> bool:
    """Return whether a file is no part of the engine, of what is installed, or of Python itself."""
    path = Path(file)
    if ENGINE in path.parents:
        return any(ENGINE / folder in path.parents for folder in WRITTEN)
    return path.is_file() and not {"site-packages", "dist-packages"} & {*path.parts} and path.parent != STANDARD


def one_line(trouble: BaseException) -> str:
    """An exception on one line, with the name of its class unless it is a sentence written for users."""
    text = " ".join(str(trouble).split())
    return text if isinstance(trouble, DerivationError) else f"{type(trouble).__name__}: {text}"
