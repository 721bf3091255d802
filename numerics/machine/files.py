"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO


def put(path: Path, write: Callable[[IO[bytes]], object], *, lasting: bool = False) -> None:
    """Replace a file at once by what `write` writes, with the permissions that new files of this user have.

    With `lasting` it is on the disk afterwards, and not only on its way there. An OSError leaves what was there before.
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
    except OSError:
        if draft is not None:
            draft.unlink(missing_ok=True)
        raise
