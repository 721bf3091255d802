"""Modules beside emitted files that hand a kernel and its derivatives to the tools that differentiate or integrate.

NAME_in_jax.py       a function of JAX whose derivatives are the emitted ones (custom_jvp, custom_vjp)
NAME_in_torch.py     a function of PyTorch, beside the files for NumPy (autograd.Function)
NAME_callables.py    functions for C and SciPy, beside the files for Numba (cfunc, LowLevelCallable)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from derivations.kernels.points import references
from derivations.kernels.specification import Specification
from derivations.kernels.targets import self_tests
from derivations.kernels.targets.bridges import callables, jax, torch

WAYS: Mapping[str, tuple[str, Callable[[Collection[str]], str]]] = {
    "jax": ("in_jax", jax.text),
    "numpy": ("in_torch", torch.text),
    "numba": ("callables", callables.text),
}


def bridge_of(kernel: Specification, name: str, target: str, ways: Collection[str]) -> dict[str, str]:
    """The module for a kernel in the files called NAME, NAME_jvp and NAME_vjp; nothing for targets without one.

    ways: which of jvp and vjp stand beside it.
    """
    if target not in WAYS:
        return {}
    ending, written = WAYS[target]
    gradients = self_tests.gradients(references(kernel))
    results = ", ".join(kernel.returns)
    put = {
        "@NAME@": name,
        "@ARGUMENTS@": str(len(kernel.arguments)),
        "@RESULTS@": str(len(kernel.returns)),
        "@TAKES@": ", ".join(kernel.arguments),
        "@RETURNS@": results,
        "@GRADIENTS@": gradients,
    }
    text = written(ways)
    for mark, value in put.items():
        text = text.replace(mark, value)
    return {f"{name}_{ending}.py": text.strip() + "\n"}
