"""Results of runs in an open format that carries its configuration, seed and versions, and reloads as what it was.

    save(result, folder / "fig_1b")      # the file that it wrote
    load(folder / "fig_1b") == result

A result is an .npz file with the arrays and a .json file beside it, which also holds the digest of the former. Nothing
is ever loaded as code.
"""

from __future__ import annotations

import io
import json
import platform
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from numerics import NumericsError
from numerics.files import put
from numerics.machine.checks import shown

ARRAYS, ABOUT = ".npz", ".json"
LONGEST = 240  # characters of a name, so that it may have a suffix
KINDS = "biufU"  # of numbers and texts
VERSIONED = ("learning-dynamics-derivations", "numpy", "numba", "scipy", "matplotlib")
SEAL = "sealed"  # the name of the digest of what is told of a result
FIELDS: dict[str, type | tuple[type, ...]] = {  # of a saved result, besides its arrays
    "id": str, "digest": str, "configuration": dict, "seed": int, "measured": dict, "seconds": (int, float),
    "versions": dict,
}  # fmt: skip
DAMAGES = (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, RecursionError, BadZipFile, zlib.error)


class ResultError(NumericsError):
    """A result that cannot be written or read; the message says which and why."""


@dataclass(frozen=True)
class Result:
    """The result of a run, and all that it takes to repeat it."""

    id: str
    digest: str  # of the configuration and seed
    configuration: dict[str, Any]
    seed: int
    measured: dict[str, float]
    seconds: float
    versions: dict[str, str]
    data: dict[str, NDArray[Any]] = field(default_factory=dict)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Result):
            return NotImplemented
        same = self.data.keys() == other.data.keys() and self.about() == other.about()
        return same and all(_identical(array, other.data[name]) for name, array in self.data.items())

    __hash__ = None  # type: ignore[assignment]

    def about(self) -> dict[str, Any]:
        """Everything but the arrays."""
        return {name: value for name, value in vars(self).items() if name != "data"}


def _identical(first: NDArray[Any], second: NDArray[Any]) -> bool:
    return first.dtype == second.dtype and first.shape == second.shape and first.tobytes() == second.tobytes()


@cache
def versions() -> dict[str, str]:
    """The versions of what computes here."""
    numbers = {"python": platform.python_version()}
    for name in VERSIONED:
        try:
            numbers[name] = version(name)
        except PackageNotFoundError:
            continue
    return numbers


def save(result: Result, stem: Path) -> Path:
    """Write a result under this name, which has no suffix yet; what was there under it before is replaced.

    Returns the file of JSON, with the arrays beside it. Refused with `ResultError`: arrays that are no numbers, and a
    folder that cannot be written.

    >>> result = Result("paper:panel", "0", {}, 1, {"gap": 0.5}, 2.0, {}, {"curve": np.arange(3)})
    >>> save(result, Path("panel")).name, load(Path("panel")) == result
    ('panel.json', True)
    """
    stem = _stem(stem)
    _sound(result)
    wrong = next((name for name, array in result.data.items() if array.dtype.kind not in KINDS), None)
    if wrong is not None:
        raise ResultError(
            f"{result.id} has an array {wrong!r} of {result.data[wrong].dtype}, but only numbers are kept"
        )
    file = io.BytesIO()
    np.savez_compressed(file, **result.data)  # type: ignore[arg-type]
    arrays = file.getvalue()
    write(_with(stem, ARRAYS), arrays)
    about = _sealed({**result.about(), "arrays": sha256(arrays).hexdigest()})
    path = _with(stem, ABOUT)
    write(path, (json.dumps(about, indent=1) + "\n").encode())
    return path


def load(stem: Path) -> Result:
    """The result that was saved under this name, which has no suffix. Refused with `ResultError`: none, or a damaged
    one.

    >>> load(Path("nothing"))
    Traceback (most recent call last):
    numerics.reproduce.results.ResultError: there is no result nothing.json
    """
    stem = _stem(stem)
    path = found(stem)
    if path is None:
        raise ResultError(f"there is no result {stem}{ABOUT}")
    try:
        about = _unsealed(path.read_text(encoding="utf-8"))
        arrays = _with(stem, ARRAYS).read_bytes()
        if sha256(arrays).hexdigest() != about.pop("arrays"):
            raise ValueError
        with np.load(io.BytesIO(arrays), allow_pickle=False) as archive:
            return _made(about, {name: archive[name] for name in archive.files})
    except DAMAGES:
        raise ResultError(f"{path} is damaged or no result; remove it, and it is computed again") from None


def _sound(given: object) -> None:
    """Refuse what is no result, or holds what no file does."""
    if not isinstance(given, Result):
        raise ResultError(f"what is saved must be a Result, got {shown(given)}")
    data: object = given.data
    names, arrays = (list(data), list(data.values())) if isinstance(data, dict) else ([None], [])
    if not (all(isinstance(name, str) for name in names) and all(isinstance(array, np.ndarray) for array in arrays)):
        raise ResultError("the data of a result must be arrays by name")
    try:
        json.dumps(given.about(), sort_keys=True)
    except (TypeError, ValueError):
        raise ResultError("what is told of a result must be texts, numbers, lists and tables of them") from None


def _stem(given: object) -> Path:
    """The path that a user gives, if it has a name."""
    try:
        path = Path(given)  # type: ignore[arg-type]
    except TypeError:
        path = Path()
    if not path.name or "\0" in str(path) or len(path.name) > LONGEST:
        raise ResultError(f"a result is named by a path without its suffix, not {shown(given)}")
    return path


def found(stem: Path) -> Path | None:
    """The file that has the result of this name, if there is one."""
    path = _with(stem, ABOUT)
    return path if path.is_file() else None


def _sealed(about: dict[str, Any]) -> dict[str, Any]:
    """Return what is told of a result, with a digest of it."""
    return {**about, SEAL: sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()}


def _unsealed(text: str) -> dict[str, Any]:
    """Return what is told of a result; refused where it is not what was sealed. Older results have no seal."""
    content = json.loads(text)
    about = {name: value for name, value in content.items() if name != SEAL}
    if SEAL in content and _sealed(about) != content:
        raise ValueError
    return about


def _made(about: Mapping[str, Any], data: dict[str, NDArray[Any]]) -> Result:
    wrong = [name for name, kind in FIELDS.items() if not isinstance(about[name], kind)]
    if wrong or not all(isinstance(number, int | float) for number in about["measured"].values()):
        raise ValueError
    return Result(**about, data=data)


def _with(stem: Path, suffix: str) -> Path:
    return stem.with_name(stem.name + suffix)


def write(path: Path, content: bytes) -> None:
    """Make a file appear at once and whole, or say in one sentence why it cannot be."""
    try:
        put(path, lambda file: file.write(content))
    except OSError as trouble:
        raise _unwritable(path, trouble) from None


def _unwritable(path: Path, trouble: OSError) -> ResultError:
    return ResultError(f"{path} cannot be written: {trouble.strerror or trouble}; choose another folder")
