"""Compiled code in Numba's cache, with a digest: a file that is damaged is compiled again instead of being run.

Numba reads the files of its cache as they are. One that was cut off stops the program at every later start, and one
with a changed byte is machine code of another program. The files that `seal` sets up begin with a digest of the rest,
and have names of their own.

Numba refuses to compile what it can keep nowhere, as where this package and the home folder are read-only. There the
code of this package is kept in LEARNING_DYNAMICS_CACHE, or for as long as the process lives.
"""

from __future__ import annotations

import atexit
import hmac
import os
import pickle
import shutil
import tempfile
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from numba.core import caching
from numba.core.caching import IndexDataCacheFile
from numba.core.dispatcher import Dispatcher

# mypy: allow-untyped-calls

SIZE = sha256().digest_size
DAMAGES = (OSError, ValueError, EOFError, pickle.PickleError, AttributeError, ImportError)


PACKAGE = str(Path(__file__).resolve().parents[1])
VARIABLE = "LEARNING_DYNAMICS_CACHE"


@cache
def _of_this_process() -> str:
    """A folder that is removed in the end."""
    path = tempfile.mkdtemp(prefix="learning-dynamics-derivations-")
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return path


class FallbackCacheLocator(caching.InTreeCacheLocator):
    """Chooses a folder for the compiled code of this package if Numba finds no other place."""

    def __init__(self, function: Any, file: str) -> None:
        super().__init__(function, file)
        chosen = os.environ.get(VARIABLE)
        home = chosen if chosen and os.access(chosen, os.W_OK) else _of_this_process()
        self._cache_path = os.path.join(home, self.get_suitable_cache_subpath(file))

    @classmethod
    def from_function(cls, function: Any, file: str) -> FallbackCacheLocator | None:
        """The place for a function of this package; none for those of others, which are no concern of it."""
        inside = os.path.realpath(file).startswith(PACKAGE + os.sep)
        found: FallbackCacheLocator | None = super().from_function(function, file) if inside else None
        return found


if FallbackCacheLocator not in (places := caching.CacheImpl._locator_classes):
    places.append(FallbackCacheLocator)


class Sealed(IndexDataCacheFile):
    """Numba's files of one function, each behind a digest."""

    def _load_index(self) -> dict[Any, str]:
        """The files by what they were compiled for; none where the index is missing, damaged or of other code."""
        try:
            version, stamp, files = _opened(Path(self._index_path))
        except DAMAGES:
            return {}
        return files if (version, stamp) == (self._version, self._source_stamp) else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        self._save(self._index_path, (self._version, self._source_stamp, overloads))

    def _load_data(self, name: str) -> Any:
        """The code in a file, or an OSError, which Numba takes as a file that is missing."""
        try:
            return _opened(Path(self._data_path(name)))
        except DAMAGES as trouble:
            raise OSError(str(trouble)) from None

    def _save_data(self, name: str, data: Any) -> None:
        self._save(self._data_path(name), data)

    def _save(self, path: str, content: Any) -> None:
        data = self._dump(content)
        with self._open_for_write(path) as file:
            file.write(sha256(data).digest() + data)


def _opened(path: Path) -> Any:
    data = path.read_bytes()
    if not hmac.compare_digest(sha256(memoryview(data)[SIZE:]).digest(), data[:SIZE]):
        raise ValueError(path)
    return pickle.loads(memoryview(data)[SIZE:])  # noqa: S301 - the user's own folder, as Numba reads it


def seal(functions: Iterable[object]) -> None:
    """Let those of these that are jitted, and kept in Numba's cache, have files with a digest.

    >>> from numba import njit
    >>> double = njit(lambda x: 2 * x)
    >>> seal([double, 3])
    >>> double(2)
    4
    """
    for function in functions:
        cache: Any = getattr(function, "_cache", None) if isinstance(function, Dispatcher) else None
        plain = getattr(cache, "_cache_file", None)
        if type(plain) is IndexDataCacheFile:
            base = f"{cache._impl.filename_base}-sealed"
            cache._cache_file = Sealed(plain._cache_path, base, plain._source_stamp)
