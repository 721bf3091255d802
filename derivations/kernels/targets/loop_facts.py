"""What emitted files say about a kernel with sums, and the names that it must not use."""

from __future__ import annotations

from derivations.kernels.indexed_kernel import IndexedKernel, Joined
from derivations.kernels.indexed_programs import by, facts_of, steps_of
from derivations.kernels.kernel import Kernel, KernelError
from derivations.kernels.printing import INDENT, plain
from derivations.kernels.targets.facts import EMITTED, Facts, described_origin, formulas, paragraph, table
from derivations.kernels.targets.names import PARTS, check_function
from derivations.language.sums import Array

LOCAL = {
    "numba": frozenset(),
    "numpy": frozenset({"array", "grid"}),
    "mpmath": frozenset(),
    "c": frozenset(["SIZE_MAX", "calloc", "count", "found", "free", "scratch", "size_t"]),
}
"""What the functions of a target use themselves."""


def check(kernel: IndexedKernel, facts: Facts, target: str) -> None:
    """Refuse what means something else in programs of the target."""
    check_function(facts, target)
    indices = [index.name for index in kernel.indices]
    names = [*kernel.arrays, *kernel.ranges, *indices, *(called.name for called in kernel.called)]
    if taken := sorted((PARTS[target] | LOCAL[target]).intersection(names)):
        raise KernelError(
            f"{taken[0]} in the kernel {kernel.name} means something else in programs of the target {target}: "
            "give it another name"
        )
    for called in kernel.called:
        check_function(Facts(called.name), target)


def about(kernel: IndexedKernel, facts: Facts, *, sizes: bool = False) -> list[str]:
    """The sentence, the sources, the inputs, the results and the formulas; with `sizes` where they are arguments."""
    plain_ranges = [r.name for r in kernel.ranges.values() if not isinstance(r, Joined)]
    rows = [(name, "1", "1", "the number of values of an index") for name in plain_ranges] if sizes else []
    rows += [(a.name, by(a), "1", _range_of(a)) for a in kernel.inputs]
    results = [(name, by(kernel.arrays[name]), "1") for name in kernel.returns]
    return [
        *paragraph(f"{facts.name}: {kernel.says}"),
        "",
        *described_origin(kernel.cites, facts),
        "",
        "Arguments, in this order; those of shape 1 are numbers",
        *table([("name", "shape", "unit", "domain"), *rows]),
        *(["where", *paragraph(kernel.domain, INDENT, INDENT * 2)] if kernel.domain else []),
        "",
        "Results, in this order",
        *table([("name", "shape", "unit"), *results]),
        "",
        "Formulas, step by step",
        *paragraph(f"Indices: {facts_of(kernel)['Indices']}", INDENT, INDENT * 2),
        *(line.removeprefix(INDENT) for text in steps_of(kernel) for line in text.splitlines()),
        *(line for called in kernel.called for line in _called(called)),
        "",
        f"Normal form: sha256 {kernel.sha256}",
        EMITTED,
    ]


def _range_of(array: Array) -> str:
    if array.symmetric:
        return "symmetric"
    return "any real numbers" if array.ranges else "any real number"


def _called(kernel: Kernel) -> list[str]:
    head = f"{kernel.name}({', '.join(kernel.arguments)}): {kernel.says}"
    return ["", *paragraph(head), *map(plain, formulas(kernel))]
