"""Processes of their own, in which a changed library is loaded: none of them has ever run the unchanged one.

A server process imports what the library rests on (SymPy, python-flint, SciPy), and never the library. Every process
is a fork of it: it starts warm, and finds no value that the original code left behind.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable, Mapping
from importlib.abc import MetaPathFinder, SourceLoader
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, spec_from_file_location
from multiprocessing import get_context
from pathlib import Path
from signal import SIGXCPU
from typing import Any

from derivations.text import DerivationError

WARM = ["sympy", "flint", "mpmath", "scipy.optimize"]
PATIENCE = 900  # seconds of the clock, for a process that waits for a busy machine
TOO_LONG = "it takes too long"
SLACK = 6  # seconds of work that anything may take beside what is expected of it


class Ended(DerivationError):
    """A process that ended before it answered; the message says how."""


def apart(work: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function in a process of its own; `Ended` where it returns nothing.

    >>> apart(len, "abc")
    3
    """
    context = get_context("forkserver")
    context.set_forkserver_preload(WARM)
    reader, writer = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(writer, work, *arguments))
    process.start()
    writer.close()
    try:
        if not reader.poll(PATIENCE):
            raise Ended(TOO_LONG)
        return reader.recv()
    except EOFError:
        process.join()
        raise Ended(TOO_LONG if process.exitcode == -SIGXCPU else "it ends the process") from None
    finally:
        process.kill()
        process.join()
        reader.close()


def _run(writer: Any, work: Callable[..., Any], *arguments: Any) -> None:
    writer.send(work(*arguments))


def allow(seconds: float) -> None:
    """Ends this process when it works longer than ten times the seconds that are expected, and a little."""
    end = int(time.process_time() + 10 * seconds + SLACK) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (end, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def load(changed: Mapping[str, str]) -> None:
    """Some modules, none of which is loaded yet, have other texts from here on than their files."""
    assert not changed.keys() & sys.modules.keys()
    sys.meta_path.insert(0, _Changed(changed, {module: str(file_of(module)) for module in changed}))


def file_of(module: str) -> Path:
    """The file of a module, without running it."""
    package, _, _ = module.partition(".")
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    folder = Path(spec.origin).parents[1].joinpath(*module.split("."))
    return folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")


class _Changed(MetaPathFinder, SourceLoader):  # type: ignore[misc]  # so does Python's own loader of files
    """Finds some modules, with other texts than their files have."""

    def __init__(self, texts: Mapping[str, str], files: Mapping[str, str]) -> None:
        self.texts, self.files = texts, files

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name not in self.texts:
            return None
        file = self.files[name]
        package = [file.removesuffix("/__init__.py")] if file.endswith("__init__.py") else None
        return spec_from_file_location(name, file, loader=self, submodule_search_locations=package)

    def get_filename(self, fullname: str) -> str:
        return self.files[fullname]

    def get_data(self, path: Any) -> bytes:
        return next(self.texts[name].encode() for name, file in self.files.items() if file == path)
