"""Long runs of many replicas: side by side, with progress, and kept in a folder from which they go on.

    results = run(work, range(100), folder="results", show=True)

A replica's state is a dictionary of arrays that `Work.advance` changes, a slice of about a tenth of a second at a time.
With a folder, what a replica found is written the moment it ends, and every KEEP_EVERY seconds so is the state of each
one that has not ended: a process that is killed loses no finished replica, and the next one goes on from there with
the same bits as without a break. An interruption writes all states before it is passed on. More replicas of the same
work can be added to a folder later; the folder of other work is refused.

Files appear whole or not at all. They are arrays (.npz) and JSON, never loaded as code; one that is damaged, or holds
other arrays than this work has, is refused.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Event
from time import monotonic
from typing import IO, Any, Protocol
from zipfile import BadZipFile

import numpy as np
from numba import get_num_threads
from numpy.typing import NDArray

from numerics import NumericsError
from numerics.files import put
from numerics.machine.checks import is_whole, shown

State = dict[str, NDArray[Any]]
Description = Mapping[str, str | int | float]

DESCRIPTION, LOCK = "run.json", ".lock"
RUN, FINISHED = "run", "finished"  # arrays of a file besides the state's
KEEP_EVERY = 30.0  # seconds
LOOK_EVERY = 0.1
DAMAGES = (OSError, ValueError, KeyError, EOFError, MemoryError, NotImplementedError, BadZipFile, zlib.error)


class RunError(NumericsError):
    """A folder that a run cannot use, or a wrong number; the message says why in one sentence."""


class Work(Protocol):
    """Work that replicas do, a slice at a time."""

    @property
    def description(self) -> Description:
        """Everything that the results of all replicas depend on."""

    def own(self, replica: int) -> bytes:
        """Return what the result of this replica depends on, besides its number."""

    def begin(self, replica: int) -> State:
        """The state in which a replica starts."""

    def advance(self, replica: int, state: State) -> float:
        """Change the state by a slice of the work; returns the share that is done, 1 at the end."""

    def result(self, state: State) -> State:
        """The part of a state that is kept at the end."""


def run(
    work: Work,
    replicas: Sequence[int],
    *,
    folder: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    show: bool = False,
) -> list[State]:
    """Do all replicas of some work, `threads` at a time, and return what is kept of each, in their order.

    `work` says how a replica begins and goes on, as `Work` describes. With `folder`, results and states are kept there,
    and a later call goes on from them; `show` draws a bar of progress on standard error. Refused with `RunError`: a
    folder of other work, one that another process uses or that cannot be written, damaged files, and fewer threads than
    one.

    >>> class Doubling:
    ...     description = {"task": "doubling"}
    ...     def own(self, replica): return b""
    ...     def begin(self, replica): return {"value": np.array(replica)}
    ...     def advance(self, replica, state):
    ...         state["value"] *= 2
    ...         return 1.0
    ...     def result(self, state): return state
    >>> [int(state["value"]) for state in run(Doubling(), range(3))]
    [0, 2, 4]
    """
    count = get_num_threads() if threads is None else threads
    if not is_whole(count, 1):
        raise RunError(f"threads must be at least 1, got {shown(threads)}")
    if folder is None and not show and min(count, len(replicas)) <= 1:
        return _one_by_one(work, replicas)
    with _opened(work, folder) as shelf, _bar(len(replicas), show) as tell:
        return _side_by_side(work, replicas, shelf, count, tell)


def _one_by_one(work: Work, replicas: Sequence[int]) -> list[State]:
    """In this thread, for what is short: an interruption may leave a state half changed, but none is kept."""
    shares, stopped = dict.fromkeys(replicas, 0.0), Event()
    return [_one(work, replica, None, shares, stopped) for replica in replicas]


def _side_by_side(
    work: Work, replicas: Sequence[int], shelf: Shelf | None, threads: int, tell: Callable[[float], None]
) -> list[State]:
    stopped = Event()
    shares = dict.fromkeys(replicas, 0.0)
    with ThreadPoolExecutor(threads) as pool:
        futures = [pool.submit(_one, work, replica, shelf, shares, stopped) for replica in replicas]
        try:
            waiting = set(futures)
            while waiting:
                ended, waiting = wait(waiting, LOOK_EVERY, FIRST_EXCEPTION)
                for future in ended:
                    future.result()
                tell(sum(shares.values()))
        finally:
            stopped.set()
    return [future.result() for future in futures]


def _one(work: Work, replica: int, shelf: Shelf | None, shares: dict[int, float], stopped: Event) -> State:
    """One replica to its end, or to a state on the shelf if all are stopped; then the result is of no use."""
    if stopped.is_set():
        return {}
    state = work.begin(replica)
    found, finished = (state, False) if shelf is None else shelf.found(replica, state)
    if finished:
        shares[replica] = 1.0
        return found
    kept = monotonic()
    while (share := work.advance(replica, found)) < 1.0 and not stopped.is_set():
        shares[replica] = share
        if shelf is not None and monotonic() - kept >= KEEP_EVERY:
            shelf.keep(replica, found, finished=False)
            kept = monotonic()
    result = work.result(found) if share >= 1.0 else found
    if shelf is not None:
        shelf.keep(replica, result, finished=share >= 1.0)
    shares[replica] = share
    return result


@contextmanager
def _bar(total: int, show: bool) -> Iterator[Callable[[float], None]]:
    """A bar on standard error that disappears at the end, or nothing."""
    if not show:
        yield lambda _: None
        return
    from rich.progress import TaskProgressColumn, TimeElapsedColumn, TimeRemainingColumn

    from numerics.machine.progress import progress

    with progress(total, TaskProgressColumn(), TimeElapsedColumn(), TimeRemainingColumn()) as (bar, task):
        yield lambda done: bar.update(task, completed=done)


# --- files ------------------------------------------------------------------------------------------------------------


@contextmanager
def _opened(work: Work, folder: str | os.PathLike[str] | None) -> Iterator[Shelf | None]:
    """The shelf in a folder, for this process alone."""
    if folder is None:
        yield None
        return
    try:
        path = Path(folder)
        path.mkdir(parents=True, exist_ok=True)
        lock = (path / LOCK).open("wb")
    except (OSError, TypeError, ValueError) as mistake:  # the last two are about what names no folder
        reason = mistake.strerror if isinstance(mistake, OSError) else mistake
        raise RunError(f"the folder {folder!s:.200} cannot be used: {reason}; choose another one") from None
    with lock:
        _take(lock, path)
        for draft in path.glob(".*.draft"):  # of a process that was killed
            draft.unlink()
        yield Shelf(path, work)


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Meanwhile no other process that asks for the same has this folder, in which no file is made for that.

    Refused with `RunError`: a folder that one has.

    >>> with alone(Path()), alone(Path()):
    ...     pass
    Traceback (most recent call last):
    numerics.machine.checkpoints.RunError: another process is running in .; wait for it, or choose another folder
    """
    if sys.platform == "win32":
        yield
        return
    number = os.open(path, os.O_RDONLY)
    try:
        _take(number, path)
        yield
    finally:
        os.close(number)


@contextmanager
def turn(path: Path, *, wait: bool = True) -> Iterator[None]:
    """Meanwhile nobody else, in no process or thread, has this file, which is made and removed; others wait for it.

    Refused with `RunError`: a place that cannot be written and, instead of waiting, what somebody has.

    >>> with turn(Path("mine")), turn(Path("mine"), wait=False):
    ...     pass
    Traceback (most recent call last):
    numerics.machine.checkpoints.RunError: another process is running in mine; wait for it, or choose another folder
    """
    while True:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            lock = path.open("wb")
        except FileNotFoundError:  # somebody just removed the folder
            continue
        except OSError as mistake:
            raise RunError(f"{path} cannot be written: {mistake.strerror}; choose another folder") from None
        with lock:
            _take(lock, path, wait=wait)
            if not _is_there(lock, path):  # whoever had it has removed it
                continue
            try:
                yield
            finally:
                with suppress(OSError):
                    path.unlink()
            return


def _is_there(lock: IO[bytes], path: Path) -> bool:
    """Check whether this open file still has its name."""
    try:
        return os.path.samestat(os.fstat(lock.fileno()), path.stat())
    except OSError:
        return False


def _take(lock: IO[bytes] | int, path: Path, *, wait: bool = False) -> None:
    if sys.platform == "win32":
        return
    import fcntl

    try:
        fcntl.flock(lock, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise RunError(f"another process is running in {path}; wait for it, or choose another folder") from None
    except OSError:  # a file system without locks
        return


def discard(folder: str | os.PathLike[str]) -> None:
    """Remove a folder whose runs are needed no more, unless another process is running there.

    >>> discard("nothing")
    """
    path = Path(folder)
    try:
        lock = (path / LOCK).open("wb")
    except OSError:
        return
    with lock:
        try:
            _take(lock, path)
        except RunError:
            return
        shutil.rmtree(path, ignore_errors=True)


class Shelf:
    """The files of a folder: one that describes the work, and one for each replica."""

    def __init__(self, path: Path, work: Work) -> None:
        self.path, self.work = path, work
        self.text = (json.dumps(dict(work.description), sort_keys=True, indent=2) + "\n").encode()
        about = path / DESCRIPTION
        if about.exists():
            _same(about, json.loads(self.text))
        else:
            _write(about, lambda file: file.write(self.text))

    def keep(self, replica: int, state: State, *, finished: bool) -> None:
        """Write a state, or a result."""
        arrays = {**state, RUN: self._digest(replica), FINISHED: np.array(finished)}
        _write(self._file(replica), partial(np.savez, **arrays))  # type: ignore[arg-type]

    def found(self, replica: int, state: State) -> tuple[State, bool]:
        """Return what is there of a replica that would begin with this state, and whether it is the result."""
        path = self._file(replica)
        if not path.exists():
            return state, False
        try:
            arrays = _arrays(path)
            digest, finished = arrays.pop(RUN), bool(arrays.pop(FINISHED))
        except DAMAGES:
            raise RunError(f"{path} is damaged; remove it, and this replica begins again") from None
        expected = self.work.result(state) if finished else state
        if not np.array_equal(digest, self._digest(replica)) or _kinds(arrays) != _kinds(expected):
            raise RunError(f"{path} is not of this run; remove it, and this replica begins again")
        return arrays, finished

    def _digest(self, replica: int) -> NDArray[np.uint8]:
        return np.frombuffer(hashlib.sha256(self.text + self.work.own(replica)).digest(), dtype=np.uint8)

    def _file(self, replica: int) -> Path:
        return self.path / f"{replica:06d}.npz"


def _same(about: Path, description: dict[str, object]) -> None:
    try:
        there = json.loads(about.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        raise RunError(f"{about} is damaged; choose another folder") from None
    if there == description:
        return
    if not isinstance(there, dict) or there.keys() != description.keys():
        raise RunError(f"{about} describes other work; choose another folder")
    name = next(name for name in description if there[name] != description[name])
    raise RunError(
        f"{about} is of a run whose {name} was {there[name]}, not {description[name]}; choose another folder"
    )


def _arrays(path: Path) -> State:
    with path.open("rb") as file:
        loaded = np.load(file, allow_pickle=False)
        if not isinstance(loaded, np.lib.npyio.NpzFile):
            raise ValueError
        return {name: loaded[name] for name in loaded.files}


def _kinds(state: State) -> dict[str, tuple[object, ...]]:
    return {name: (array.dtype, array.shape) for name, array in state.items()}


def _write(path: Path, write: Callable[[IO[bytes]], object]) -> None:
    try:
        put(path, write, lasting=True)
    except OSError as mistake:
        raise RunError(f"{path} cannot be written: {mistake.strerror}; what was written before is whole") from None
