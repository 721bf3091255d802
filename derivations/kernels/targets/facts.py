"""Lines of text about a kernel, which become comments of every emitted file."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from derivations.kernels.lowering.operations import parts_of
from derivations.kernels.program import Operation, Program, Value
from derivations.kernels.specification import Specification
from derivations.kernels.targets.printing import INDENT, Printer, formula, plain

WIDTH = 100
EMITTED = "Emitted by `derivations emit`. Edit the kernel, never this file."


@dataclass(frozen=True)
class Facts:
    """Facts for a file that its kernel does not know: its function's name, the paper, computed verdicts."""

    name: str
    paper: str = ""
    citation: str = ""
    supports: tuple[tuple[str, str], ...] = ()
    edges: tuple[str, ...] = ()  # where the proof that it equals its claims says nothing


def about(kernel: Specification, facts: Facts, sizes: Sequence[str] = ()) -> list[str]:
    """The sentence, the sources, the arguments, the results and the formulas; `sizes` are arguments of their own."""
    content = kernel.content
    counted = [(name, "1", "the number of values of an index") for name in sizes]
    return [
        *paragraph(f"{facts.name}: {kernel.says}"),
        "",
        *described_origin(kernel.cites, facts),
        "",
        "Arguments in this order; those of shape 1 are real numbers, others hold them",
        *table([("name", "shape", "domain"), *counted, *_argument_rows(kernel)]),
        *_joint(kernel),
        *_listed("Not compared with the claims where", facts.edges),
        "",
        "Results in this order",
        *table([("name", "shape"), *((v.name, shape(v)) for v in kernel.results)]),
        "",
        "Formulas",
        *formulas(kernel),
        *(line for called in content.called for line in _called(called)),
        "",
        *_losses(kernel),
        f"Normal form: sha256 {kernel.sha256}",
        EMITTED,
    ]


def shape(value: Value) -> str:
    return " x ".join(f"({axis})" if "+" in axis else axis for axis in value.axes) or "1"


def described_origin(cites: str, facts: Facts) -> list[str]:
    """Where the formulas come from, and the claims that prove them."""
    lines = paragraph(f"Source: {cites}") if cites else []
    lines += paragraph(f"Paper: {facts.citation}") if facts.citation else []
    if not facts.supports:
        return [*lines, "Rests on no claim: the formulas are their author's."]
    return [*lines, "Rests on the claims", *table(facts.supports)]


def _argument_rows(kernel: Specification) -> list[tuple[str, ...]]:
    own = _own_conditions(kernel)
    return [
        (
            v.name,
            shape(v),
            ", ".join(own[v.name]) or ("any real numbers" if v.axes else "any real number"),
        )
        for v in kernel.inputs
    ]


def _own_conditions(kernel: Specification) -> dict[str, list[str]]:
    """The conditions on single arguments."""
    own: dict[str, list[str]] = {name: [] for name in kernel.arguments}
    for relation in kernel.content.relations:
        if len(names := names_in(relation)) == 1:
            own[names[0]].append(_said(relation))
    for name, assumptions in kernel.content.declared:
        own[name].append(assumptions.removeprefix("is "))
    return own


def _joint(kernel: Specification) -> list[str]:
    joint = [_said(relation) for relation in kernel.content.relations if len(names_in(relation)) != 1]
    joint += [kernel.content.stated] * bool(kernel.content.stated)
    return _listed("where", joint)


def _listed(head: str, texts: Sequence[str]) -> list[str]:
    """A head and a paragraph for each text; nothing without one."""
    return [head, *(line for text in texts for line in paragraph(text, INDENT, INDENT * 2))] if texts else []


def domain_of(kernel: Specification) -> list[str]:
    """The domain, a text for each condition: what the arguments are declared to be, then what is stated."""
    content = kernel.content
    declared = [f"{name} {assumptions}" for name, assumptions in content.declared]
    return [*map(_said, content.relations), *declared, *([content.stated] if content.stated else [])]


def _called(kernel: Specification) -> list[str]:
    head = f"{kernel.name}({', '.join(kernel.arguments)}): {kernel.says}"
    return ["", *paragraph(head), *formulas(kernel)]


def _losses(kernel: Specification) -> list[str]:
    n = kernel.lost_digits
    return [
        *paragraph(f"Floats lose up to {n} digits more than rounding costs, where the formulas cancel."),
        "",
    ] * bool(n)


def _said(condition: Operation) -> str:
    return plain(Printer().condition(condition))


def names_in(operation: Operation) -> list[str]:
    """The symbols of an operation or a condition, each once."""
    if operation[0] == "s":
        return [operation[1]]
    return list(dict.fromkeys(name for part in parts_of(operation) for name in names_in(part)))


def formulas(kernel: Specification, indent: str = INDENT) -> list[str]:
    """As people write them, in the paper's names."""
    return [line for entry in kernel.content.equations for line in formula(Printer(), entry, indent).splitlines()]


def ranges_of(program: Program) -> str:
    """Which ranges consist of others."""
    return "; ".join(f"{name} = {' + '.join(parts)}" for name, parts in program.joined.items())


def paragraph(text: str, first: str = "", deeper: str = INDENT) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=first, subsequent_indent=deeper, break_long_words=False, break_on_hyphens=False
    )


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Columns side by side; a long last column continues below itself."""
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]) - 1)]
    lines = []
    for row in rows:
        start = INDENT + "".join(f"{cell:<{width}}  " for cell, width in zip(row, widths, strict=False))
        lines += paragraph(row[-1], start, " " * len(start))
    return lines


def commented(lines: Sequence[str]) -> str:
    """Comments of C and of JavaScript."""
    return "\n".join(f"// {line}".rstrip() for line in lines)
