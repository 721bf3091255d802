"""From formulas to programs: terms, sums over indices, and words in matrices."""

from __future__ import annotations

from derivations.kernels.indexed_kernel import IndexedKernel
from derivations.kernels.kernel import Kernel
from derivations.kernels.lowering.matrices import lowered_matrices
from derivations.kernels.lowering.sums import Lowering
from derivations.kernels.matrix_kernel import MatrixKernel
from derivations.kernels.program import Program, Value

AnyKernel = Kernel | MatrixKernel | IndexedKernel


def lowered_kernel(kernel: AnyKernel) -> Program:
    """The program of a kernel of any kind."""
    if isinstance(kernel, MatrixKernel):
        return lowered_matrices(kernel)
    if isinstance(kernel, IndexedKernel):
        return Lowering(kernel).program()
    lines = tuple(("=", line.name, line.cases) for line in kernel.program)
    return Program(tuple(map(Value, kernel.arguments)), lines, tuple(map(Value, kernel.returns)), {})
