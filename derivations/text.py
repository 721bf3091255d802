"""Errors for users, hints at near misses, troubles told on one line, and whole files written together."""

from __future__ import annotations

import difflib
import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path


class DerivationError(ValueError):
    """What every error for a user of this package derives from: its message says what was given, and what to do."""


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


def near(word: str, known: Iterable[str]) -> list[str]:
    return difflib.get_close_matches(word, list(known), n=3, cutoff=0.55)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    close = near(word, known)
    return f": did you mean {' or '.join(close)}?" if close else ""


def one_line(trouble: BaseException) -> str:
    """An exception on one line, with the name of its class unless it is a sentence written for users."""
    text = " ".join(str(trouble).split())
    return text if isinstance(trouble, DerivationError) else f"{type(trouble).__name__}: {text}"
