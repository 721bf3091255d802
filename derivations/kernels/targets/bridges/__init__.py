"""Modules beside emitted files that hand a kernel and its derivatives to the tools that differentiate or integrate.

NAME_in_jax.py       a function of JAX whose derivatives are the emitted ones (custom_jvp, custom_vjp)
NAME_through_ffi.py  the same, computed by the files for C (jax.ffi), with NAME_ffi.cc, which it compiles
NAME_in_torch.py     a function of PyTorch, beside the files for NumPy (autograd.Function)
NAME_callables.py    functions for C and SciPy, beside the files for Numba (cfunc, LowLevelCallable)

Where a kernel is a flow, the modules for JAX have it as a term of diffrax, too.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol

from derivations.kernels.kernel import Kernel
from derivations.kernels.points import references
from derivations.kernels.specification import Specification
from derivations.kernels.targets import self_tests
from derivations.kernels.targets.bridges import callables, ffi, jax, torch


class Writer(Protocol):
    """Writes a module for the ways of differentiation that there are; flow: whether the kernel is one."""

    def __call__(self, ways: Collection[str], *, flow: bool) -> str: ...


WAYS: Mapping[str, tuple[str, Writer, str]] = {
    "jax": ("in_jax", jax.text, "len(POINTS)"),
    "c": ("through_ffi", ffi.text, "len(POINTS)"),
    "numpy": ("in_torch", torch.text, "len(program.POINTS)"),
    "numba": ("callables", callables.text, "sum(len(module.POINTS) for module in MODULES)"),
}
"""By target: the end of the module's name, what writes it, and how it counts the points of its test."""


def bridge_of(kernel: Specification, name: str, target: str, ways: Collection[str]) -> dict[str, str]:
    """The module for a kernel in the files called NAME, NAME_jvp and NAME_vjp; nothing for targets without one.

    ways: which of jvp and vjp stand beside it.
    """
    if target not in WAYS:
        return {}
    ending, written, counted = WAYS[target]
    state, parameters = _flow(kernel)
    main = self_tests.MAIN.strip().replace("NAME", name).replace("len(POINTS)", counted)
    files = {f"{name}_{ending}.py": f"{written(ways, flow=bool(state)).strip()}\n\n\n{main}"}
    if target == "c":
        files[f"{name}_ffi.cc"] = ffi.handlers(ways)
    rows, n, m = references(kernel), len(kernel.arguments), len(kernel.returns)
    counts = {"": (n, m), "_jvp": (2 * n, m), "_vjp": (n + m, n)}
    points = [self_tests.results(kernel), self_tests.points(rows), self_tests.COMPARED.strip().replace("NAME", name)]
    put = {
        "@NAME@": name,
        "@ARGUMENTS@": str(n),
        "@RESULTS@": str(m),
        "@TAKES@": ", ".join(kernel.arguments),
        "@RETURNS@": ", ".join(kernel.returns),
        "@STATE@": ", ".join(state),
        "@PARAMETERS@": ", ".join(parameters) + "," * (len(parameters) == 1),
        "@POINTS@": "\n\n\n".join(points),
        "@GRADIENTS@": self_tests.gradients(rows),
    }
    for end, (taken, made) in counts.items():
        put |= {f"@TAKEN{end}@": str(taken), f"@MADE{end}@": str(made)}
        put[f"@GIVEN{end}@"] = ", ".join(f"at[{k}]" for k in range(taken))
    for mark, value in put.items():
        files = {file: text.replace(mark, value) for file, text in files.items()}
    return {file: text.strip() + "\n" for file, text in files.items()}


def _flow(kernel: Specification) -> tuple[list[str], list[str]]:
    """The names of the state and of the parameters of a kernel whose results are the rates of its state; else none."""
    if not isinstance(kernel, Kernel):
        return [], []
    state = [str(symbol) for symbol in kernel.of_numbers.state]
    rates = all(
        rate in (f"{name}_rate", f"d{name}") for name, rate in zip(state, kernel.returns, strict=False)
    ) and len(state) == len(kernel.returns)
    return (state, list(kernel.arguments[len(state) :])) if rates else ([], [])
