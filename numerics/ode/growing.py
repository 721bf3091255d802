"""Arrays on the disk that grow by a block of rows at a time, and of which a killed program keeps the blocks it wrote.

    with Growing(folder, count, about) as files:
        while files.rows < count:
            files.append({"states": block}, messages)

Each array is a file of its own, under a name of its own until all are whole. Beside them stands `begun.json`: what the
results depend on, how many rows of every file are on the disk, and the messages so far. The same arguments go on from
there; others are refused.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from math import prod
from pathlib import Path
from time import monotonic
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from numerics.files import put
from numerics.machine import checkpoints
from numerics.ode.trajectories import IntegrateError

BEGUN, SENTENCES = "begun.json", "messages.json"
CODES = "codes"
DAMAGES = (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError)
Arrays = Mapping[str, NDArray[Any]]
Shapes = dict[str, tuple[str, tuple[int, ...]]]  # the kind of numbers of each array, and the shape of a row


class Growing:
    """The files of a folder, with as many rows as were written before, and in the end `count` of them."""

    def __init__(self, folder: Path, count: int, about: Mapping[str, str]) -> None:
        self.folder, self.count, self.about = folder, count, {**about, "starts in all": str(count)}
        self.rows, self.sentences, self.shapes = self._found()
        self.open, self.stack, self.kept = dict[str, IO[bytes]](), ExitStack(), monotonic()

    def __enter__(self) -> Growing:
        for name in self.shapes if self.rows < self.count else ():
            self._open(name)
        return self

    def __exit__(self, *_: object) -> None:
        with self.stack:
            if self.open and self.rows < self.count:
                with suppress(OSError):  # what was kept before is still there
                    self._keep()

    def append(self, arrays: Arrays, messages: Sequence[str]) -> None:
        """Write a block of every array, and a message for each of its rows."""
        codes = [self.sentences.setdefault(one, len(self.sentences)) for one in messages]
        block = {**arrays, CODES: np.array(codes, dtype=np.uint32)}
        for name, array in block.items():
            if name not in self.shapes:
                self.shapes[name] = (array.dtype.str, array.shape[1:])
                self._open(name)
            self.open[name].write(np.ascontiguousarray(array).data)
        self.rows += len(codes)
        if monotonic() - self.kept >= checkpoints.KEEP_EVERY or self.rows == self.count:
            self._keep()

    def finish(self) -> None:
        """Give every file its name, now that it is whole and on the disk; once more, where that was interrupted."""
        self.stack.close()
        for name in self.shapes:
            with suppress(FileNotFoundError):  # it has its name already
                self._draft(name).replace(self.folder / f"{name}.npy")
        put(self.folder / SENTENCES, lambda file: file.write(json.dumps([*self.sentences]).encode()), lasting=True)
        (self.folder / BEGUN).unlink(missing_ok=True)

    def _found(self) -> tuple[int, dict[str, int], Shapes]:
        """How many rows were written before, their messages by number, and the shapes of all arrays."""
        path = self.folder / BEGUN
        for draft in self.folder.glob(".*.draft"):  # of a process that was killed while it kept what it had
            if not (path.exists() and draft.name.endswith(".npy.draft")):
                draft.unlink(missing_ok=True)
        if not path.exists():
            return 0, {"": 0}, {}
        try:
            there = json.loads(path.read_text(encoding="utf-8"))
            rows, sentences, about = int(there["rows"]), list(map(str, there["sentences"])), dict(there["about"])
            shapes = {name: (np.dtype(kind).str, (*map(int, row),)) for name, (kind, row) in there["arrays"].items()}
        except DAMAGES:
            raise IntegrateError(f"{path} is damaged: remove it, and these results begin again") from None
        if other := [name for name in self.about if about.get(name) != self.about[name]]:
            raise IntegrateError(
                f"{self.folder} has begun results with other {other[0]}: give what they were begun with, remove "
                f"{BEGUN} there, or name another folder"
            )
        return rows, {text: number for number, text in enumerate(sentences)}, shapes

    def _open(self, name: str) -> None:
        """An array's file, which has its first `rows` rows, and nothing behind them."""
        kind, row = self.shapes[name]
        head = _head(kind, (self.count, *row))
        whole = len(head) + self.rows * np.dtype(kind).itemsize * prod(row)
        path = self._draft(name)
        if self.rows and (not path.is_file() or path.stat().st_size < whole):
            raise IntegrateError(f"{path} is not whole: remove {BEGUN} beside it, and these results begin again")
        file = self.open[name] = self.stack.enter_context(path.open("r+b" if self.rows else "wb"))
        if not self.rows:
            file.write(head)
        file.truncate(whole)
        file.seek(whole)

    def _keep(self) -> None:
        """Say how many rows there are, once they are on the disk."""
        for file in self.open.values():
            file.flush()
            os.fsync(file.fileno())
        about = {"about": self.about, "rows": self.rows, "sentences": [*self.sentences], "arrays": self.shapes}
        put(self.folder / BEGUN, lambda file: file.write(json.dumps(about).encode()), lasting=True)
        self.kept = monotonic()

    def _draft(self, name: str) -> Path:
        return self.folder / f".{name}.npy.draft"


def _head(kind: str, shape: tuple[int, ...]) -> bytes:
    """Return what stands before the numbers in an .npy file."""
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": kind, "fortran_order": False, "shape": shape})
    return file.getvalue()
