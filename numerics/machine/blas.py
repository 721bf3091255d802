"""NumPy's own threads: for products of small matrices, waking them up costs more than they do.

with one_thread():
    ...  # many small products; also, sums no longer depend on how many threads there are
product(left, right)  # a large one by several threads, with the same bits for any number of them
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from itertools import pairwise
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numba import get_num_threads

PIECE, MOST = 1 << 24, 16  # multiply-adds that are worth a thread's attention, and pieces of one product
FOLDERS = ("../numpy.libs", ".libs", ".dylibs")  # where NumPy's wheels have OpenBLAS, seen from NumPy
NAMES = ("scipy_openblas_{}64_", "scipy_openblas_{}", "openblas_{}64_", "openblas_{}")


@contextmanager
def one_thread() -> Iterator[None]:
    """Let NumPy multiply matrices by one thread inside this block; without OpenBLAS nothing changes.

    Blocks may be nested, and lie in several threads at once: the last one that ends restores what was before the first.
    It also decorates functions.

    >>> with one_thread():
    ...     product = np.eye(2) @ np.eye(2)
    """
    _blocks.enter()
    try:
        yield
    finally:
        _blocks.leave()


class _Blocks:
    """How many blocks there are, in all threads, and the numbers of threads that the last one restores."""

    def __init__(self) -> None:
        self.lock, self.count, self.before = Lock(), 0, list[int]()

    def enter(self) -> None:
        with self.lock:
            if self.count == 0:
                self.before = [get() for get, _ in _libraries()]
                for _, choose in _libraries():
                    choose(1)
            self.count += 1

    def leave(self) -> None:
        with self.lock:
            self.count -= 1
            if self.count == 0:
                for (_, choose), threads in zip(_libraries(), self.before, strict=True):
                    choose(threads)


_blocks = _Blocks()


def product(left: Any, right: Any) -> Any:
    """The product of two matrices, by several threads where it is large, with bits that do not depend on how many.

    The rows of the result are cut into pieces whose number depends on the shapes alone.

    >>> product(np.eye(2), np.ones((2, 3))).tolist()
    [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]
    """
    (rows, terms), columns = left.shape, right.shape[1]
    pieces = min(MOST, rows * terms * columns // PIECE, rows)
    with one_thread():
        if pieces <= 1:
            return left @ right
        result = np.empty((rows, columns), dtype=np.result_type(left, right))
        ends = np.linspace(0, rows, pieces + 1).astype(int).tolist()
        parts = [slice(*bounds) for bounds in pairwise(ends)]
        list(_pool(get_num_threads()).map(lambda part: np.matmul(left[part], right, out=result[part]), parts))
        return result


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, thread_name_prefix="product")


@cache
def _libraries() -> list[tuple[Any, Any]]:
    """For each OpenBLAS that came with NumPy, the functions that read and set its number of threads."""
    home = Path(np.__file__).parent
    libraries = []
    for path in sorted(path for folder in FOLDERS for path in (home / folder).glob("*openblas*")):
        library = ctypes.CDLL(str(path))
        for name in NAMES:
            pair = [getattr(library, name.format(verb), None) for verb in ("get_num_threads", "set_num_threads")]
            if all(pair):
                libraries.append((pair[0], pair[1]))
                break
    return libraries
