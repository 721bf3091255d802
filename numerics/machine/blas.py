"""NumPy's own threads: for products of small matrices, waking them up costs more than they do.

with one_thread():
    ...  # many small products; also, sums no longer depend on how many threads there are
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

FOLDERS = ("../numpy.libs", ".libs", ".dylibs")  # where NumPy's wheels have OpenBLAS, seen from NumPy
NAMES = ("scipy_openblas_{}64_", "scipy_openblas_{}", "openblas_{}64_", "openblas_{}")


@contextmanager
def one_thread() -> Iterator[None]:
    """Let NumPy multiply matrices by one thread inside this block; without OpenBLAS nothing changes.

    >>> with one_thread():
    ...     product = np.eye(2) @ np.eye(2)
    """
    libraries = _libraries()
    before = [get() for get, _ in libraries]
    for _, choose in libraries:
        choose(1)
    try:
        yield
    finally:
        for (_, choose), count in zip(libraries, before, strict=True):
            choose(count)


@cache
def _libraries() -> list[tuple[Any, Any]]:
    """For each OpenBLAS that came with NumPy, the functions that read and set its number of threads."""
    home = Path(np.__file__).parent
    found = []
    for path in sorted(path for folder in FOLDERS for path in (home / folder).glob("*openblas*")):
        library = ctypes.CDLL(str(path))
        for name in NAMES:
            pair = [getattr(library, name.format(verb), None) for verb in ("get_num_threads", "set_num_threads")]
            if all(pair):
                found.append((pair[0], pair[1]))
                break
    return found
