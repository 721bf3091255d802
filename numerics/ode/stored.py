"""Results of more starts than memory holds: found a block of starts at a time, and written to a folder as they come.

    arrays, messages = stored("folder", count, bytes_of_one, follow, about)

`follow` is given a range of starts and returns named arrays, with a row for each, and a message for each. The folder
gets an .npy file for each name, `codes.npy` and `messages.json`; the arrays that come back are memory maps of these
files. Nothing of a block is kept, so that memory holds a few times BLOCK bytes, however many starts there are. Files
appear when all are whole, and none that is there is replaced. A run that was killed or interrupted goes on with the
blocks that are whole (numerics/ode/growing.py), if everything that decides its numbers, `about`, is the same.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numerics.files import could_put
from numerics.machine.checkpoints import alone
from numerics.machine.specialise import processor, program
from numerics.ode.growing import BEGUN, CODES, SENTENCES, Arrays, Growing
from numerics.ode.trajectories import IntegrateError, Trajectory, increasing

BLOCK = 2**23  # bytes of results that are in memory at once
FEWEST = 64  # starts of a block, so that all threads have some
HASHED = "biufcSU"  # kinds of arrays that are known by a digest
ROOMS = ("machine", "ode", "kernels", "theory")  # whose code decides bits
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


def ranges(count: int, bytes_of_one: int, first: int = 0) -> list[slice]:
    """Blocks of starts, from the first one that is wanted, whose results take BLOCK bytes.

    >>> [(part.start, part.stop) for part in ranges(100, 2**20)]
    [(0, 64), (64, 100)]
    """
    size = max(FEWEST, BLOCK // max(1, bytes_of_one))
    return [slice(at, min(at + size, count)) for at in range(first, count, size)]


def stored(
    folder: Folder,
    count: int,
    bytes_of_one: int,
    follow: Callable[[slice], tuple[Arrays, Sequence[str]]],
    about: Mapping[str, object],
) -> tuple[dict[str, NDArray[Any]], Messages]:
    """The arrays and the messages of all starts, as memory maps of the files that are written into a folder.

    `about` has what the results depend on, by name: arrays, numbers, texts. Refused with `IntegrateError`: a folder
    that cannot be written, one that has results already, and one in which others were begun; with `RunError` one that
    another process is writing into.

    >>> follow = lambda at: ({"x": np.arange(at.start, at.stop) ** 2}, [""] * 3)
    >>> arrays, messages = stored("squares", 3, 8, follow, {"power": 2})
    >>> arrays["x"].tolist(), Path("squares/x.npy").exists()
    ([0, 1, 4], True)
    """
    path = _place(folder)
    decides = {name: _told(value) for name, value in about.items()}
    decides |= {"code": program(ROOMS), "kind of processor": processor()}
    try:
        with alone(path), Growing(path, count, decides) as files:
            for part in ranges(count, bytes_of_one, files.rows):
                files.append(*follow(part))
            files.finish()
    except OSError as trouble:
        raise IntegrateError(f"{path} cannot be written: {trouble.strerror}; choose another folder") from None
    kept = {name: np.load(path / f"{name}.npy", mmap_mode="r") for name in files.shapes}
    return kept, Messages(kept.pop(CODES), [*files.sentences])


def _told(value: Any) -> str:
    """Return what stands for a value: itself, or a digest of an array."""
    try:
        array = np.asanyarray(value)
    except ValueError:  # rows of different lengths, which whoever computes refuses
        return repr(value)
    if array.ndim == 0 or array.dtype.kind not in HASHED:
        return repr(array.tolist())
    found = sha256(f"{array.dtype.str} {array.shape} ".encode())
    rows = max(1, BLOCK * len(array) // max(1, array.nbytes))
    for first in range(0, len(array), rows):
        found.update(np.ascontiguousarray(array[first : first + rows]).data)
    return found.hexdigest()


def in_blocks(  # noqa: PLR0917
    follow: Callable[[NDArray[Any], NDArray[Any], int], Trajectory],
    starts: ArrayLike,
    params: ArrayLike,
    times: ArrayLike,
    out: Folder,
    about: Mapping[str, object],
    check: Callable[[NDArray[Any], NDArray[Any], int], object] = lambda _rows, _given, _first: None,
) -> Trajectory:
    """The trajectories from all starts, from what `follow` makes of a block: its starts, params, and first number.

    `about` has what results depend on besides; `check` looks at every block before anything is computed.
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
    decides = {**about, "starts": table, "params": given, "times": moments}
    arrays, messages = stored(out, len(table), size, block, decides)
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
        taken = None if (path / BEGUN).exists() else next(path.glob("*.npy"), None)
    except (OSError, ValueError, TypeError) as trouble:
        reason = (trouble.strerror if isinstance(trouble, OSError) else None) or str(trouble)
        raise IntegrateError(f"out={folder!r} cannot be written into: {reason}; name another folder") from None
    if taken is not None:
        raise IntegrateError(f"{path} has {taken.name} already: remove it, or name another folder")
    return path
