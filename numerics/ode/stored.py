"""Results of more starts than memory holds: found a block of starts at a time, and written to a folder as they come.

    arrays, messages = stored("folder", count, bytes_of_one, follow)

`follow` is given a range of starts and returns named arrays, with a row for each, and a message for each. The folder
gets an .npy file for each name, `codes.npy` and `messages.json`; the arrays that come back are memory maps of these
files. Nothing of a block is kept, so that memory holds a few times BLOCK bytes, however many starts there are. Files
appear when all are whole, and none that is there is replaced.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numerics.files import could_put, put
from numerics.machine.checkpoints import alone
from numerics.ode.trajectories import IntegrateError, Trajectory, increasing

BLOCK = 2**23  # bytes of results that are in memory at once
FEWEST = 64  # starts of a block, so that all threads have some
CODES, SENTENCES = "codes", "messages.json"
Arrays = Mapping[str, NDArray[Any]]
Folder = str | os.PathLike[str]


class Messages(Sequence[str]):
    """The message of each start, from a file of numbers and the list of sentences that they stand for.

    >>> list(Messages(np.array([0, 1, 0]), ["", "too many steps"]))
    ['', 'too many steps', '']
    """

    def __init__(self, codes: NDArray[np.integer], sentences: Sequence[str]) -> None:
        self.codes, self.sentences = codes, tuple(sentences)

    def __len__(self) -> int:
        return int(self.codes.size)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> Messages: ...
    def __getitem__(self, at: int | slice) -> str | Messages:
        if isinstance(at, slice):
            return Messages(self.codes[at], self.sentences)
        return self.sentences[int(self.codes[at])]

    def __iter__(self) -> Iterator[str]:
        for code in self.codes:
            yield self.sentences[code]


def ranges(count: int, bytes_of_one: int) -> list[slice]:
    """Blocks of starts whose results take BLOCK bytes.

    >>> [(part.start, part.stop) for part in ranges(100, 2**20)]
    [(0, 64), (64, 100)]
    """
    size = max(FEWEST, BLOCK // max(1, bytes_of_one))
    return [slice(at, min(at + size, count)) for at in range(0, count, size)]


def stored(
    folder: Folder, count: int, bytes_of_one: int, follow: Callable[[slice], tuple[Arrays, Sequence[str]]]
) -> tuple[dict[str, NDArray[Any]], Messages]:
    """The arrays and the messages of all starts, as memory maps of the files that are written into a folder.

    Refused with `IntegrateError`: a folder that cannot be written, and one that has results already; with `RunError`
    one that another process is writing into.

    >>> arrays, messages = stored("squares", 3, 8, lambda at: ({"x": np.arange(at.start, at.stop) ** 2}, [""] * 3))
    >>> arrays["x"].tolist(), Path("squares/x.npy").exists()
    ([0, 1, 4], True)
    """
    path = _place(folder)
    sentences, files = {"": 0}, _Files(path, count)
    try:
        with alone(path), files:
            for part in ranges(count, bytes_of_one):
                arrays, messages = follow(part)
                codes = np.array([sentences.setdefault(one, len(sentences)) for one in messages], dtype=np.uint32)
                files.append({**arrays, CODES: codes})
            files.finish()
        put(path / SENTENCES, lambda file: file.write(json.dumps([*sentences]).encode()))
    except OSError as trouble:
        raise IntegrateError(f"{path} cannot be written: {trouble.strerror}; choose another folder") from None
    kept = {name: np.load(path / f"{name}.npy", mmap_mode="r") for name in files.names}
    return kept, Messages(kept.pop(CODES), [*sentences])


def in_blocks(  # noqa: PLR0917
    follow: Callable[[NDArray[Any], NDArray[Any], int], Trajectory],
    starts: ArrayLike,
    params: ArrayLike,
    times: ArrayLike,
    out: Folder,
    check: Callable[[NDArray[Any], NDArray[Any], int], object] = lambda _rows, _given, _first: None,
) -> Trajectory:
    """The trajectories from all starts, from what `follow` makes of a block: its starts, params, and first number.

    `check` looks at every block before anything is computed.
    """
    moments, table, given = increasing(times), _rows("starts", starts), _rows("params", params)
    if len(given) not in {1, len(table)}:
        raise IntegrateError(f"params has {len(given)} rows for {len(table)} starts; give one row, or one for each")

    def rows(part: slice) -> tuple[NDArray[Any], NDArray[Any], int]:
        return table[part], given if len(given) == 1 else given[part], part.start

    def block(part: slice) -> tuple[Arrays, Sequence[str]]:
        found = follow(*rows(part))
        return {"states": found.states, "calls": found.calls}, found.messages

    size = 8 * moments.size * table.shape[1]
    for part in ranges(len(table), size):
        check(*rows(part))
    arrays, messages = stored(out, len(table), size, block)
    return Trajectory(moments, arrays["states"], messages, arrays["calls"])


def _rows(name: str, values: ArrayLike) -> NDArray[Any]:
    """One row or a table, not copied; what is in it is looked at block by block."""
    try:
        table = np.asanyarray(values)
    except ValueError:
        table = np.zeros((0, 0, 0))
    table = table[None] if table.ndim < 2 else table
    if table.ndim != 2 or table.size == 0:
        raise IntegrateError(f"{name} must be one row or a table of rows, got shape {table.shape}")
    return table


def _place(folder: Folder) -> Path:
    """The folder, which has no results yet and can be written, before anything is computed for it."""
    try:
        path = Path(folder)
        path.mkdir(parents=True, exist_ok=True)
        could_put(path / SENTENCES)
        taken = next(path.glob("*.npy"), None)
    except (OSError, ValueError, TypeError) as trouble:
        reason = (trouble.strerror if isinstance(trouble, OSError) else None) or str(trouble)
        raise IntegrateError(f"out={folder!r} cannot be written into: {reason}; name another folder") from None
    if taken is not None:
        raise IntegrateError(f"{path} has {taken.name} already: remove it, or name another folder")
    return path


class _Files:
    """Arrays that grow by a block at a time, one file for each, under names of their own until all are whole."""

    def __init__(self, folder: Path, count: int) -> None:
        self.folder, self.count, self.open = folder, count, dict[str, IO[bytes]]()
        self.stack = ExitStack()

    @property
    def names(self) -> list[str]:
        return [*self.open]

    def __enter__(self) -> _Files:
        return self

    def __exit__(self, *_: object) -> None:
        self.stack.close()
        for name in self.names:
            self._draft(name).unlink(missing_ok=True)

    def append(self, arrays: Arrays) -> None:
        """Write a block of every array."""
        for name, array in arrays.items():
            if name not in self.open:
                self.open[name] = self.stack.enter_context(self._draft(name).open("wb"))
                head = {"descr": np.lib.format.dtype_to_descr(array.dtype), "fortran_order": False}
                shape = {"shape": (self.count, *array.shape[1:])}
                np.lib.format.write_array_header_1_0(self.open[name], {**head, **shape})
            self.open[name].write(np.ascontiguousarray(array).data)

    def finish(self) -> None:
        """Give every file its name, now that it is whole and on the disk."""
        for file in self.open.values():
            file.flush()
            os.fsync(file.fileno())
        for name in self.names:
            self._draft(name).replace(self.folder / f"{name}.npy")

    def _draft(self, name: str) -> Path:
        return self.folder / f".{name}.npy.draft"
