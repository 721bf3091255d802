"""Kernels as files that stand alone: documented, tested against exact values by themselves, in five languages.

    files_of(kernel, "c")       {"name.h": ..., "name.c": ...}
    text_of(kernel, "c")        the same as one text

Every kernel has every target. Statements are printed by one class for each family of languages: loops of Python
(statements.py), whole arrays (arrays.py), C (c.py), JavaScript (javascript.py); formulas for people print the
author's equations. Where a language has no matrices, kernels.lowering.loops makes loops of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from derivations.kernels.specification import Specification
from derivations.kernels.specification.names import KernelError
from derivations.kernels.targets import c
from derivations.kernels.targets.arrays import JaxFile, NumPyFile
from derivations.kernels.targets.facts import Facts
from derivations.kernels.targets.javascript import javascript_files
from derivations.kernels.targets.python import NumbaFile, Python
from derivations.text import did_you_mean

TARGETS = ("numba", "c", "jax", "numpy", "js")
PYTHON: Mapping[str, Python] = {target.target: target for target in (NumbaFile(), JaxFile(), NumPyFile())}
WRITERS: Mapping[str, Callable[[Specification, Facts], dict[str, str]]] = {
    **{name: target.file for name, target in PYTHON.items()},
    "c": c.c_files,
    "js": javascript_files,
}


def check_target(target: str) -> None:
    if target not in TARGETS:
        raise KernelError(
            f"no target is called {target}{did_you_mean(target, TARGETS)}; there are {', '.join(TARGETS)}"
        )


def files_of(kernel: Specification, target: str, facts: Facts | None = None) -> dict[str, str]:
    """The texts of a kernel's files by name; refused where the target is not known."""
    check_target(target)
    described = facts or Facts(kernel.name, supports=tuple((claim, "not judged here") for claim in kernel.rests_on))
    return WRITERS[target](kernel, described)


def text_of(kernel: Specification, target: str) -> str:
    """A kernel's files as one text."""
    files = files_of(kernel, target)
    return c.c_text(files) if target == "c" else next(iter(files.values()))
