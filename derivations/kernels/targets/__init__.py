"""Kernels as files that stand alone: documented, tested against exact values by themselves, in seven languages.

    files_of(kernel, "c")       {"name.h": ..., "name.c": ...}
    text_of(kernel, "c")        the same as one text

Which targets there are depends on the kind of kernel, of numbers, of matrices or with sums: see WRITERS.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from derivations.kernels.indexed_kernel import IndexedKernel
from derivations.kernels.kernel import Kernel, KernelError
from derivations.kernels.matrix_kernel import MatrixKernel
from derivations.kernels.targets import c, latex, loops, loops_c, matrices
from derivations.kernels.targets.arrays import JaxFile, NumPyFile
from derivations.kernels.targets.facts import Facts
from derivations.kernels.targets.python import MpmathFile, NumbaFile
from derivations.text import did_you_mean

AnyKernel = Kernel | MatrixKernel | IndexedKernel
Writer = Callable[[Any, Facts], dict[str, str]]

TARGETS = ("numba", "c", "cuda", "jax", "numpy", "mpmath", "latex")
PYTHON = {"numba": NumbaFile(), "jax": JaxFile(), "numpy": NumPyFile(), "mpmath": MpmathFile()}
WRITERS: Mapping[type[AnyKernel], Mapping[str, Writer]] = {
    Kernel: {name: target.file for name, target in PYTHON.items()}
    | {"c": c.c_files, "cuda": c.cuda_files, "latex": latex.latex_files},
    MatrixKernel: {"numpy": matrices.NUMPY.file, "mpmath": matrices.MPMATH.file, "latex": matrices.latex_file},
    IndexedKernel: {
        "numba": loops.NUMBA.file,
        "numpy": loops.NUMPY.file,
        "mpmath": loops.MPMATH.file,
        "c": loops_c.files,
    },
}
KINDS = {Kernel: "of numbers", MatrixKernel: "of matrices of any size", IndexedKernel: "with sums of any length"}


def targets_of(kernel: AnyKernel) -> list[str]:
    return [target for target in TARGETS if target in WRITERS[type(kernel)]]


def check_target(target: str) -> None:
    if target not in TARGETS:
        raise KernelError(
            f"no target is called {target}{did_you_mean(target, TARGETS)}; there are {', '.join(TARGETS)}"
        )


def files_of(kernel: AnyKernel, target: str, facts: Facts | None = None) -> dict[str, str]:
    """The texts of a kernel's files by name; refused where the target is not known or not made for its kind."""
    check_target(target)
    writer = WRITERS[type(kernel)].get(target)
    if writer is None:
        raise KernelError(
            f"{kernel.name} is a kernel {KINDS[type(kernel)]}, which has no program for {target}: "
            f"choose among {', '.join(targets_of(kernel))}"
        )
    return writer(kernel, facts or Facts(kernel.name, supports=tuple((c, "not judged here") for c in kernel.rests_on)))


def text_of(kernel: AnyKernel, target: str) -> str:
    """A kernel's files as one text."""
    files = files_of(kernel, target)
    return c.c_text(files) if target == "c" else next(iter(files.values()))
