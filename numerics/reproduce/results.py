"""Results of runs in an open format that carries its configuration, seed and versions, and reloads as what it was.

    save(result, folder / "fig_1b")      # the file that it wrote
    load(folder / "fig_1b") == result

With xarray and a NetCDF library a result is one NetCDF file, whose attribute `about` is JSON; else it is an .npz file
with the arrays and a .json file beside it, which also holds the digest of the former. Nothing is ever loaded as code.
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
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from numerics import NumericsError
from numerics.files import put
from numerics.machine.checks import shown

ARRAYS, ABOUT, NETCDF = ".npz", ".json", ".nc"
LONGEST = 240  # characters of a name, so that it may have a suffix
KINDS = "biufU"  # of numbers and texts that every format holds
ENGINES = {("netCDF4",): "netcdf4", ("h5netcdf", "h5py"): "h5netcdf"}  # by the modules that each needs
VERSIONED = ("learning-dynamics-derivations", "numpy", "numba", "scipy", "matplotlib")
MARK, MARKED = b"\nsha256 ", 40  # before a digest at the end of a file, and the bytes of both
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
    found = {"python": platform.python_version()}
    for name in VERSIONED:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


@cache
def netcdf_engine() -> str | None:
    """The library that xarray writes NetCDF with, if both are installed."""
    if find_spec("xarray") is None:
        return None
    return next((engine for needed, engine in ENGINES.items() if all(map(find_spec, needed))), None)


def save(result: Result, stem: Path, *, netcdf: bool | None = None) -> Path:
    """Write a result under this name, which has no suffix yet; what was there under it before is replaced.

    Returns the file: NetCDF where `netcdf` asks for it, by default where a library for it is installed, and else JSON
    with the arrays beside it. Refused with `ResultError`: arrays that are no numbers, and a folder that cannot be
    written.

    >>> result = Result("paper:panel", "0", {}, 1, {"gap": 0.5}, 2.0, {}, {"curve": np.arange(3)})
    >>> save(result, Path("panel"), netcdf=False).name, load(Path("panel")) == result
    ('panel.json', True)
    """
    stem = _stem(stem)
    _sound(result)
    wrong = next((name for name, array in result.data.items() if array.dtype.kind not in KINDS), None)
    if wrong is not None:
        raise ResultError(
            f"{result.id} has an array {wrong!r} of {result.data[wrong].dtype}, but only numbers are kept"
        )
    if netcdf is None:
        netcdf = netcdf_engine() is not None
    if not isinstance(netcdf, bool):
        raise ResultError(f"netcdf is True, False or None, not {shown(netcdf)}")
    if netcdf and netcdf_engine() is None:
        raise ResultError(f"{stem}{NETCDF} needs xarray and netCDF4 or h5netcdf: pip install xarray h5netcdf")
    return _save_netcdf(result, stem) if netcdf else _save_arrays(result, stem)


def load(stem: Path) -> Result:
    """The result that was saved under this name, which has no suffix. Refused with `ResultError`: none, or a damaged
    one.

    >>> load(Path("nothing"))
    Traceback (most recent call last):
    numerics.reproduce.results.ResultError: there is no result nothing.nc and none nothing.json
    """
    stem = _stem(stem)
    path = found(stem)
    if path is None:
        raise ResultError(f"there is no result {stem}{NETCDF} and none {stem}{ABOUT}")
    try:
        return _load_netcdf(path) if path.suffix == NETCDF else _load_arrays(stem)
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
    return next((path for path in (_with(stem, NETCDF), _with(stem, ABOUT)) if path.is_file()), None)


# --- arrays and JSON --------------------------------------------------------------------------------------------------


def _save_arrays(result: Result, stem: Path) -> Path:
    file = io.BytesIO()
    np.savez_compressed(file, **result.data)  # type: ignore[arg-type]
    arrays = file.getvalue()
    write(_with(stem, ARRAYS), arrays)
    about = _sealed({**result.about(), "arrays": sha256(arrays).hexdigest()})
    path = _with(stem, ABOUT)
    write(path, (json.dumps(about, indent=1) + "\n").encode())
    _with(stem, NETCDF).unlink(missing_ok=True)
    return path


def _load_arrays(stem: Path) -> Result:
    about = _unsealed(_with(stem, ABOUT).read_text(encoding="utf-8"))
    arrays = _with(stem, ARRAYS).read_bytes()
    if sha256(arrays).hexdigest() != about.pop("arrays"):
        raise ValueError
    with np.load(io.BytesIO(arrays), allow_pickle=False) as archive:
        return _made(about, {name: archive[name] for name in archive.files})


# --- NetCDF -----------------------------------------------------------------------------------------------------------


def _save_netcdf(result: Result, stem: Path) -> Path:
    import xarray as xr  # type: ignore[import-not-found, unused-ignore]

    variables = {name: ([f"{name}_{axis}" for axis in range(array.ndim)], array) for name, array in result.data.items()}
    kinds = {name: array.dtype.str for name, array in result.data.items()}
    about = _sealed({**result.about(), "kinds": kinds, "arrays": _digest(result.data)})
    dataset = xr.Dataset(variables, attrs={"about": json.dumps(about)})
    path = _with(stem, NETCDF)

    def write_to(file: IO[bytes]) -> None:
        dataset.to_netcdf(file.name, engine=netcdf_engine())
        file.seek(0)
        file.write(_mark(file.read()))

    try:
        put(path, write_to)
    except OSError as trouble:
        raise _unwritable(path, trouble) from None
    for suffix in (ABOUT, ARRAYS):
        _with(stem, suffix).unlink(missing_ok=True)
    return path


def _load_netcdf(path: Path) -> Result:
    engine = netcdf_engine()
    if engine is None:
        raise ResultError(f"{path} needs xarray and netCDF4 or h5netcdf: pip install xarray h5netcdf")
    import xarray as xr

    content = path.read_bytes()
    if content[-MARKED:].startswith(MARK) and _mark(content[:-MARKED]) != content[-MARKED:]:
        raise ValueError
    with xr.open_dataset(path, engine=engine, decode_times=False, mask_and_scale=False) as dataset:
        about = _unsealed(dataset.attrs["about"])
        kinds, digest = about.pop("kinds"), about.pop("arrays", None)  # older results have no digest of arrays
        data = {name: np.asarray(dataset[name].values, dtype=kind) for name, kind in kinds.items()}
    if digest is not None and digest != _digest(data):
        raise ValueError
    return _made(about, data)


def _mark(content: bytes) -> bytes:
    """Return the mark behind the content of a file: HDF5 does not read it, and may never end on damaged files."""
    return MARK + sha256(content).digest()


# --- both -------------------------------------------------------------------------------------------------------------


def _digest(data: Mapping[str, NDArray[Any]]) -> str:
    """One of the names, kinds, shapes and bytes of arrays."""
    found = sha256()
    for name, array in sorted(data.items()):
        found.update(f"{name} {array.dtype.str} {array.shape} ".encode() + array.tobytes())
    return found.hexdigest()


def _sealed(about: dict[str, Any]) -> dict[str, Any]:
    """Return what is told of a result, with a digest of it."""
    return {**about, SEAL: sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()}


def _unsealed(text: str) -> dict[str, Any]:
    """Return what is told of a result; refused where it is not what was sealed. Older results have no seal."""
    told = json.loads(text)
    about = {name: value for name, value in told.items() if name != SEAL}
    if SEAL in told and _sealed(about) != told:
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
