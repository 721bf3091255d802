"""Other processes, and packages that are made for a test."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module, invalidate_caches
from pathlib import Path
from typing import Any

import numerics.kernels
from derivations.kernels.committed import write_all
from derivations.kernels.kernel import Kernel

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent


def ran(*command: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """A process that has ended."""
    words = list(map(str, command))
    return subprocess.run(words, capture_output=True, text=True, check=False, env={**os.environ, **environment})


def output(*words: object, **environment: str) -> str:
    """The output of another Python, which sees this project, its tests and `PYTHONPATH`."""
    further = environment.pop("PYTHONPATH", "")
    paths = os.pathsep.join([str(ROOT), str(TESTS), *([further] if further else [])])
    done = ran(sys.executable, *words, PYTHONPATH=paths, **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextmanager
def packaged(kernels: Mapping[str, Sequence[Kernel]], folder: Path) -> Iterator[Any]:
    """A package like numerics.kernels that holds these kernels, as long as it is needed."""
    write_all(kernels, folder)
    shutil.copy(numerics.kernels.__file__, folder / "__init__.py")
    sys.path.insert(0, str(folder.parent))
    invalidate_caches()
    try:
        yield import_module(folder.name)
    finally:
        sys.path.remove(str(folder.parent))
