"""A kernel's program as a function of this process: written to a file named after its content, and imported.

Numba keeps what it compiled beside the file that it read, so a program is compiled once per machine and found again by
every later process, script or notebook. The name holds a hash of everything that decides the machine code: the text,
the versions of Python, NumPy, Numba and llvmlite, and the processor. The files lie in the user's cache folder;
LEARNING_DYNAMICS_CACHE names another one.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import platform
import shutil
import sys
import tempfile
import warnings
from collections.abc import Callable, Sequence
from functools import cache
from importlib import metadata
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from threading import RLock
from typing import Any

from derivations.kernels.specification import Specification
from derivations.kernels.specification.names import KernelError
from derivations.kernels.targets import PYTHON
from derivations.text import write_together

FOLDER = "learning-dynamics-derivations"
VARIABLE = "LEARNING_DYNAMICS_CACHE"

_lock = RLock()
_functions: dict[str, Callable[..., Any]] = {}


def compiled(kernel: Specification) -> Callable[..., tuple[float, ...]]:
    """The kernel as a function of floats, compiled on its first call."""
    try:
        circumstances = _circumstances()
    except (ImportError, metadata.PackageNotFoundError):
        raise KernelError("compile() needs Numba: install it with `pip install numba`") from None
    return _function(kernel, "numba", circumstances)


def lambdified(kernel: Specification, target: str) -> Callable[..., tuple[Any, ...]]:
    """The kernel as a function of arrays."""
    if target != "numpy":
        raise KernelError(
            f"there is no lambdify({target!r}): there is lambdify(), for NumPy; compile() goes through Numba, and "
            "reference() has any number of digits"
        )
    return _function(kernel, target, ())


def _function(kernel: Specification, target: str, circumstances: Sequence[str]) -> Callable[..., Any]:
    text = PYTHON[target].bare(kernel)
    key = hashlib.sha256("\n".join((text, *circumstances)).encode()).hexdigest()[:32]
    with _lock:
        if key not in _functions:
            _functions[key] = getattr(_imported(_written(f"{kernel.name}_{key}.py", text)), kernel.name)
        return _functions[key]


@cache
def _circumstances() -> tuple[str, ...]:
    """Everything besides the text that decides the machine code."""
    from llvmlite.binding import get_host_cpu_name  # type: ignore[import-untyped]

    versions = [f"{name} {metadata.version(name)}" for name in ("numba", "llvmlite", "numpy")]
    return (*versions, platform.python_version(), platform.machine(), str(get_host_cpu_name()))


# --- files ------------------------------------------------------------------------------------------------------------
# numerics.machine.specialise keeps the files of its integrators in the same folder, by the same rules. They stand
# twice because neither package imports the other: numerics does without SymPy, and derivations without any part of
# numerics. What they agree on is the folder, its variable, and what the name of a file depends on.


def folder() -> Path:
    """Where the files go, whether it exists or not."""
    if chosen := os.environ.get(VARIABLE):
        return Path(chosen).expanduser()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base and Path(base).is_absolute() else Path.home() / ".cache") / FOLDER


def _written(name: str, text: str) -> Path:
    try:
        return _put(folder(), name, text)
    except (OSError, RuntimeError) as trouble:  # RuntimeError: no home folder is known
        warnings.warn(
            f"compiled code is not kept for the next run, because the cache folder cannot be written to ({trouble}); "
            f"set {VARIABLE} to a folder that can",
            RuntimeWarning,
            stacklevel=5,
        )
        return _put(_temporary(), name, text)


@cache
def _temporary() -> Path:
    """A folder of this process alone, removed when it ends."""
    path = tempfile.mkdtemp(prefix=f"{FOLDER}-")
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return Path(path)


def _put(where: Path, name: str, text: str) -> Path:
    """Make the file appear at once and whole; one that is there is kept, with its age, by which Numba knows it."""
    where.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not os.access(where, os.W_OK):  # Numba wants to write beside it
        raise PermissionError(13, os.strerror(13), str(where))
    write_together({name: text}, where)
    return where / name


def _imported(path: Path) -> Any:
    name = f"{FOLDER.replace('-', '_')}_{path.stem}"
    spec = spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module
