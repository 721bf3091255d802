"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from errno import EISDIR
from os import strerror
from pathlib import Path
from typing import IO


def put(path: Path, write: Callable[[IO[bytes]], object], *, lasting: bool = False) -> None:
    """Replace a file at once by what `write` writes, with the permissions that new files of this user have.

    With `lasting` it is on the disk afterwards, and not only on its way there. An error leaves what was there before.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = None
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", suffix=".draft", delete=False) as file:
            draft = Path(file.name)
            write(file)
            if lasting:
                file.flush()
                os.fsync(file.fileno())
        umask = os.umask(0)
        os.umask(umask)
        draft.chmod(0o666 & ~umask)
        draft.replace(path)
    except BaseException:
        if draft is not None:
            draft.unlink(missing_ok=True)
        raise


def could_put(path: Path) -> None:
    """Do nothing where `put` would find a place for this file, and raise its OSError where not: before the work.

    A ValueError is about a text that is no path.
    """
    if path.is_dir():
        raise IsADirectoryError(EISDIR, strerror(EISDIR))
    with suppress(FileNotFoundError, NotADirectoryError):
        path.lstat()  # which knows what is too long for a name, or no name at all
    folder = next(parent for parent in path.absolute().parents if parent.exists())
    with tempfile.NamedTemporaryFile(dir=folder, prefix=".", suffix=".draft"):
        pass
