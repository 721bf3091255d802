"""The folder of a sweep: its plan, and files that hold the results of consecutive tasks.

    DIR/plan.json
    DIR/done/000000000000-000000000500.nc      what tasks 0 to 499 returned

The name of a file says which tasks it holds, all of them, so that a list of names says what is finished. A file is
NetCDF (the classic format, which needs no library besides SciPy) and appears whole or not at all; it carries digests of
its numbers, of the addresses of its tasks, and of what it says of them. Files whose tasks follow each other are written
together into one, and only then removed, so that whoever reads meanwhile finds every result in one of them.
"""

from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from time import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numerics.files import put
from numerics.labelled import Labels
from numerics.labelled.netcdf import content
from numerics.machine.checks import shown
from numerics.sweep.plan import Plan, restored
from numerics.sweep.targets import SweepError

Arrays = dict[str, NDArray[np.float64]]
PLAN, DONE = "plan.json", "done"
NAME = re.compile(r"(\d{12})-(\d{12})\.nc")
TASK = "task"  # the axis along the tasks of a file
ABOUT, SEAL = "about", "digest"
OLD = 86_400.0  # seconds after which nobody writes a draft any more
LARGEST = 1 << 26  # bytes of files that are written together
DAMAGES = (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError, EOFError, MemoryError, RecursionError,
           OverflowError, AssertionError)  # fmt: skip


@dataclass(frozen=True)
class Piece:
    """Results of consecutive tasks, their failures as sentences, and the time that they took."""

    tasks: range
    arrays: Arrays  # of each variable, along tasks and then its axes
    failures: Mapping[int, str] = field(default_factory=dict)  # by the number of the task
    seconds: float = 0.0
    processors: tuple[str, ...] = ()  # kinds of processors that computed them


# --- the plan ---------------------------------------------------------------------------------------------------------


def place(given: object) -> Path:
    """The path of the folder that a user gives. Refused with `SweepError`: what is no path."""
    if not isinstance(given, str | os.PathLike) or "\0" in str(given):
        raise SweepError(f"the folder of a sweep is named by a path, not {shown(given)}")
    path = Path(given)
    try:
        path.exists()
    except OSError as trouble:
        raise SweepError(f"the folder {shown(given)} cannot be used: {trouble.strerror}") from None
    return path


def plan_of(folder: Path) -> Plan:
    """The plan of a folder. Refused with `SweepError`: none, or a damaged one."""
    path = folder / PLAN
    try:
        return _restored(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise SweepError(f"there is no sweep in {folder}: begin one with a target, such as deep_linear") from None
    except DAMAGES:
        raise SweepError(f"{path} is damaged; choose another folder") from None


@lru_cache(maxsize=8)
def _restored(text: str) -> Plan:
    """The plan that a text describes; a worker asks for the same one again and again."""
    about = json.loads(text)
    if about.pop(SEAL) != _seal(about):
        raise ValueError
    return restored(about)


def begin(folder: Path, plan: Plan) -> None:
    """Write the plan into a folder; one that is there must be of the same sweep, perhaps with fewer seeds."""
    if (folder / PLAN).exists():
        there = plan_of(folder)
        if there == plan:
            return
        if not plan.extends(there):
            raise SweepError(f"{folder} is of another sweep ({_difference(there, plan)}); choose another folder")
    about = plan.about()
    _write(folder / PLAN, (json.dumps({**about, SEAL: _seal(about)}, indent=1) + "\n").encode())


def _seal(about: Mapping[str, Any]) -> str:
    return sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()


def _difference(there: Plan, here: Plan) -> str:
    """Return what distinguishes two plans, in words."""
    if there.target != here.target:
        return f"its target is {there.target}, not {here.target}"
    if there.axes != here.axes:
        return "its grid differs"
    for name in ("seed", "seeds"):
        if getattr(there, name) != getattr(here, name):
            return f"its {name} is {getattr(there, name)}, not {getattr(here, name)}"
    if there.settings != here.settings:
        name = next(name for name in here.settings if there.settings.get(name) != here.settings[name])
        return f"its {name} is {there.settings.get(name)}, not {here.settings[name]}"
    return "it was begun by other code, or with other versions of packages"


# --- which tasks are done ---------------------------------------------------------------------------------------------


def listed(folder: Path) -> dict[Path, range]:
    """The files of results and their tasks, in order of the first, longer ones first."""
    try:
        by_path = {path: match for path in (folder / DONE).iterdir() if (match := NAME.fullmatch(path.name))}
    except OSError:
        return {}
    ranges = {path: range(*map(int, match.groups())) for path, match in by_path.items()}
    return dict(sorted(ranges.items(), key=lambda item: (item[1].start, -item[1].stop)))


def missing(done: Iterable[range], wanted: range) -> list[range]:
    """The parts of a range that no other one covers; these are ordered by their beginnings.

    >>> missing([range(0, 3), range(2, 5), range(7, 8)], range(1, 10))
    [range(5, 7), range(8, 10)]
    """
    at, gaps = wanted.start, []
    for there in done:
        if there.start >= wanted.stop:
            break
        if at < there.start:
            gaps.append(range(at, there.start))
        at = max(at, there.stop)
    return gaps + ([range(at, wanted.stop)] if at < wanted.stop else [])


# --- files ------------------------------------------------------------------------------------------------------------


def save(folder: Path, plan: Plan, piece: Piece) -> Path:
    """Write results into a file of their own."""
    path = folder / DONE / f"{piece.tasks.start:012d}-{piece.tasks.stop:012d}.nc"
    about = {
        "tasks": plan.digest(piece.tasks),
        "numbers": _digest(piece.arrays),
        "failures": dict(piece.failures),
        "seconds": piece.seconds,
        "processors": list(piece.processors),
    }
    named = {name: ((TASK, *plan.made.variables[name]), array) for name, array in piece.arrays.items()}
    _write(path, content(Labels({}, named, {ABOUT: json.dumps({**about, SEAL: _seal(about)})})))
    return path


def load(path: Path, plan: Plan, tasks: range) -> Piece:
    """The results in a file. Refused with `SweepError`: a damaged file, or one of another sweep."""
    try:
        arrays, about = _parsed(path.read_bytes())
        shapes = {name: (len(tasks), *shape) for name, shape in plan.shapes().items()}
        failures = {int(number): str(text) for number, text in about["failures"].items()}
        piece = Piece(tasks, arrays, failures, float(about["seconds"]), tuple(about["processors"]))
        whole = about["numbers"] == _digest(arrays) and {name: a.shape for name, a in arrays.items()} == shapes
        same = about["tasks"] == plan.digest(tasks)
    except FileNotFoundError:
        raise
    except DAMAGES:
        whole = same = False
    if not whole:
        raise SweepError(f"{path} is damaged; remove it, and run the sweep again for its tasks")
    if not same:
        raise SweepError(f"{path} is of another sweep; remove it, and run the sweep again for its tasks")
    return piece


def told(path: Path) -> tuple[float, dict[int, str]]:
    """Read the seconds that a file's tasks took and which failed, without looking at its numbers."""
    from scipy.io import netcdf_file

    try:
        with netcdf_file(path, mmap=True) as file:
            about = _unsealed(getattr(file, ABOUT))
        return float(about["seconds"]), {int(number): str(text) for number, text in about["failures"].items()}
    except FileNotFoundError:
        raise
    except DAMAGES:
        raise SweepError(f"{path} is damaged; remove it, and run the sweep again for its tasks") from None


def joined(pieces: Sequence[Piece]) -> Piece:
    """Pieces that follow each other, as one."""
    tasks = range(pieces[0].tasks.start, pieces[-1].tasks.stop)
    arrays = {name: np.concatenate([piece.arrays[name] for piece in pieces]) for name in pieces[0].arrays}
    failures = {number: text for piece in pieces for number, text in piece.failures.items()}
    processors = tuple(sorted({name for piece in pieces for name in piece.processors}))
    return Piece(tasks, arrays, failures, sum(piece.seconds for piece in pieces), processors)


def tidy(folder: Path, plan: Plan, wanted: range) -> None:
    """Write files of this range that follow each other together, and remove what is in another one.

    Drafts that processes left behind, which were killed while they wrote, are removed when they are old.
    """
    for draft in (folder / DONE).glob(".*.draft"):
        with suppress(FileNotFoundError):
            if draft.stat().st_mtime < time() - OLD:
                draft.unlink()
    inside = {p: t for p, t in listed(folder).items() if wanted.start <= t.start and t.stop <= wanted.stop}
    with suppress(FileNotFoundError):  # others are writing the same files together
        _put_together(folder, plan, inside)


def _put_together(folder: Path, plan: Plan, inside: Mapping[Path, range]) -> None:
    groups: list[list[Path]] = []
    at, size = -1, 0
    for path, tasks in inside.items():
        if tasks.stop <= at:
            path.unlink(missing_ok=True)
            continue
        size += (here := path.stat().st_size)
        if tasks.start != at or size > LARGEST:
            groups.append([])
            size = here
        groups[-1].append(path)
        at = tasks.stop
    for group in groups:
        if len(group) > 1:
            kept = save(folder, plan, joined([load(path, plan, inside[path]) for path in group]))
            for path in group:
                if path != kept:
                    path.unlink(missing_ok=True)


def _digest(arrays: Mapping[str, NDArray[np.float64]]) -> str:
    digest = sha256()
    for name, array in sorted(arrays.items()):
        digest.update(f"{name} {array.shape} ".encode() + array.astype("<f8").tobytes())
    return digest.hexdigest()


def _parsed(data: bytes) -> tuple[Arrays, dict[str, Any]]:
    """The numbers in a file and what it says of them."""
    from scipy.io import netcdf_file

    with netcdf_file(io.BytesIO(data), mmap=False) as file:
        arrays = {name: np.array(variable.data, dtype=np.float64) for name, variable in file.variables.items()}
        return arrays, _unsealed(getattr(file, ABOUT))


def _unsealed(text: str | bytes) -> dict[str, Any]:
    """Return what a file says, if that is what was written; files of earlier versions have no digest of it."""
    about: dict[str, Any] = json.loads(text)
    if about.pop(SEAL, None) not in {None, _seal(about)}:
        raise ValueError
    return about


def _write(path: Path, data: bytes) -> None:
    try:
        put(path, lambda file: file.write(data), lasting=True)
    except OSError as trouble:
        raise SweepError(f"{path} cannot be written: {trouble.strerror}; what was written before is whole") from None
