"""One content-addressed file from several source files, imported, so that Numba compiles it once per machine.

A jitted function that takes another one as an argument is never found again in Numba's cache by another process, and
one that imports a jitted function from another file keeps the old code when that file changes. So an integrator and a
kernel are written behind one another into one file, whose name holds a hash of everything that decides what is
compiled: the texts, the options, the versions of Python, NumPy, Numba and llvmlite, and the processor. What such a
file imports from this package has to be defined by a part in front, and those imports are left out.

The files live in the user's cache folder; LEARNING_DYNAMICS_CACHE names another one.
"""

from __future__ import annotations

import ast
import atexit
import hashlib
import os
import platform
import shutil
import sys
import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import metadata
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import Any

from numerics import NumericsError
from numerics.machine.code_cache import seal

FOLDER = "learning-dynamics-derivations"
VARIABLE = "LEARNING_DYNAMICS_CACHE"
Option = bool | int | float | str

_lock = RLock()
_loaded: dict[str, ModuleType] = {}


class SpecialiseError(NumericsError):
    """Parts that do not make a file; the message says why in one sentence."""


def specialise(
    name: str,
    parts: Sequence[str],
    options: Mapping[str, Option] | None = None,
    written: Mapping[str, str] | None = None,
) -> Callable[..., Any]:
    """Write some modules behind one another into one file, import it, and return what it calls `name`.

    `parts` are names of modules of this package, those that are used in front; `options` replace constants that a part
    assigns at its top level; `written` holds the texts of parts that a program wrote, by their names. The same parts
    and options are written, imported and compiled once. Refused with `SpecialiseError`: a part without a source file, a
    name that two parts define, one that no part in front defines, and options that no part assigns.

    >>> specialise("LANES", ["numerics.machine.lanes"])
    8
    """
    text = source(parts, options or {}, written or {})
    key = hashlib.sha256("\n".join((text, *_circumstances())).encode()).hexdigest()[:32]
    with _lock:
        if key not in _loaded:
            _loaded[key] = _imported(_written(f"{_stem(parts)}_{key}.py", text))
    if not hasattr(_loaded[key], name):
        raise SpecialiseError(f"none of the parts {', '.join(parts)} defines {name}")
    function: Callable[..., Any] = getattr(_loaded[key], name)
    return function


def source(parts: Sequence[str], options: Mapping[str, Option], written: Mapping[str, str] | None = None) -> str:
    """The text of the file that the parts make: each without its docstring and its imports from this package."""
    defined: set[str] = set()
    unused = set(options)
    pieces = [f'"""Written by {__name__} from {", ".join(parts)}; edit those."""']
    for part in parts:
        text = (written or {}).get(part) or text_of(part)
        if twice := sorted(_defined(text) & defined):
            raise SpecialiseError(f"{part} defines {twice[0]}, and so does a part in front of it: rename one of them")
        lines = text.splitlines()
        for node in reversed(_parsed(text).body):
            at = slice(node.lineno - 1, node.end_lineno)
            if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == _package():
                missing = sorted({alias.name for alias in node.names} - defined)
                if missing:
                    raise SpecialiseError(f"{part} uses {missing[0]}, which no part in front of it defines")
                lines[at] = []
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                if (constant := node.targets[0].id) in options:
                    lines[at] = [f"{constant} = {options[constant]!r}"]
                    unused.discard(constant)
            elif isinstance(node, ast.Expr) and node.lineno == 1:
                lines[at] = []
        defined |= _defined(text)
        pieces.append("\n".join(lines).strip())
    if unused:
        raise SpecialiseError(f"no part assigns the option {min(unused)}")
    return "\n\n\n".join(pieces) + "\n"


def _stem(parts: Sequence[str]) -> str:
    return "_".join(part.rpartition(".")[2] for part in parts[-2:])


def _package() -> str:
    return __name__.partition(".")[0]


def text_of(part: str) -> str:
    """The text of a module of this package."""
    try:
        spec = find_spec(part)
        if spec is not None and spec.origin is not None:
            return Path(spec.origin).read_text(encoding="utf-8")
    except (ImportError, AttributeError, TypeError, ValueError, OSError):  # no name of a module, or no file
        pass
    raise SpecialiseError(f"there is no source file of {part!s:.80}")


def _parsed(text: str) -> ast.Module:
    """The tree of a text, by one thread at a time: two that parse at once disturb each other in Python 3.11."""
    with _lock:
        return ast.parse(text)


def _defined(text: str) -> set[str]:
    names: set[str] = set()
    for node in _parsed(text).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return names


def processor() -> str:
    """The processor's name for LLVM, which decides the instructions."""
    from llvmlite.binding import get_host_cpu_name  # type: ignore[import-untyped]

    return str(get_host_cpu_name())


@cache
def _circumstances() -> tuple[str, ...]:
    """Return what decides the machine code besides the text."""
    versions = [f"{name} {metadata.version(name)}" for name in ("numba", "llvmlite", "numpy")]
    return (*versions, platform.python_version(), platform.machine(), processor())


DECIDING = ("numpy", "scipy", "numba", "llvmlite")  # packages whose versions decide bits
DECIDES_NONE = "machine/tasks"  # what hands out tasks


@cache
def program(rooms: tuple[str, ...], beside: tuple[Path, ...] = ()) -> str:
    """A digest of all that can decide bits in these rooms of the package, in other files, and in the packages below.

    >>> program(("ode",)) == program(("ode", "theory"))
    False
    """
    home, digest = Path(__file__).parents[1], hashlib.sha256()
    files = [file for room in rooms for kind in ("*.py", "*.toml") for file in sorted((home / room).rglob(kind))]
    for file in (*(file for file in files if not file.is_relative_to(home / DECIDES_NONE)), *beside):
        digest.update(f"{file.name} ".encode() + hashlib.sha256(file.read_bytes()).digest())
    for package in DECIDING:
        digest.update(f"{package} {metadata.version(package)} ".encode())
    return digest.hexdigest()


# --- files ------------------------------------------------------------------------------------------------------------


def folder() -> Path:
    """Where the files go, whether it exists or not."""
    if chosen := os.environ.get(VARIABLE):
        return Path(chosen).expanduser()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base and Path(base).is_absolute() else Path.home() / ".cache") / FOLDER


def _written(name: str, text: str) -> Path:
    try:
        return _put(folder(), name, text)
    except (OSError, RuntimeError) as mistake:  # RuntimeError: no home folder is known
        warnings.warn(
            f"compiled code is not kept for the next run, because {folder_or_home()} cannot be written to ({mistake});"
            f" set {VARIABLE} to a folder that can",
            RuntimeWarning,
            stacklevel=4,
        )
        return _put(_temporary(), name, text)


def folder_or_home() -> str:
    """The folder in words, for a sentence about it."""
    try:
        return str(folder())
    except RuntimeError:
        return "the home folder"


@cache
def _temporary() -> Path:
    """A folder of this process alone, removed when it ends."""
    path = tempfile.mkdtemp(prefix=f"{FOLDER}-")
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return Path(path)


def _put(where: Path, name: str, text: str) -> Path:
    """Make the file appear at once and whole; one that is there is kept, with its age, by which Numba knows it."""
    where.mkdir(mode=0o700, parents=True, exist_ok=True)
    path, data = where / name, text.encode()
    if not os.access(where, os.W_OK):  # Numba wants to write beside it
        raise PermissionError(13, os.strerror(13))
    if path.is_file() and path.read_bytes() == data:
        return path
    handle, draft = tempfile.mkstemp(dir=where, prefix=".", suffix=".draft")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        try:
            os.link(draft, path)
        except FileExistsError:
            if path.read_bytes() != data:  # damaged
                os.replace(draft, path)
        except OSError:  # a file system without links
            os.replace(draft, path)
    finally:
        Path(draft).unlink(missing_ok=True)
    return path


def _imported(path: Path) -> ModuleType:
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
    seal(vars(module).values())
    return module
