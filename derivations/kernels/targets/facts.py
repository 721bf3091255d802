"""What every emitted file says about its kernel, whatever the target: lines of text, to be made comments of."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from derivations.kernels.kernel import Kernel
from derivations.kernels.printing import INDENT, Printer, formula, plain
from derivations.kernels.programs import Operation, parts_of

WIDTH = 100
EMITTED = "Emitted by `derivations emit`. Edit the kernel, never this file."


@dataclass(frozen=True)
class Facts:
    """What a file says that its kernel does not know: the name of its function, the paper, and computed verdicts.

    `spelled` maps the names that a target has to write differently.
    """

    name: str
    paper: str = ""
    citation: str = ""
    supports: tuple[tuple[str, str], ...] = ()
    spelled: Mapping[str, str] = field(default_factory=dict)

    def spell(self, name: str) -> str:
        return self.spelled.get(name, name)


def about(kernel: Kernel, facts: Facts) -> list[str]:
    """The sentence, the sources, the arguments, the results and the formulas."""
    return [
        *paragraph(f"{facts.name}: {kernel.says}"),
        "",
        *described_origin(kernel.cites, facts),
        "",
        "Arguments, real numbers in this order",
        *table([("name", "shape", "unit", "domain"), *_argument_rows(kernel, facts)]),
        *_joint(kernel),
        "",
        "Results, real numbers in this order",
        *table([("name", "shape", "unit"), *((name, "1", kernel.units.get(name, "1")) for name in kernel.returns)]),
        "",
        "Formulas",
        *formulas(kernel),
        "",
        *_losses(kernel),
        f"Normal form: sha256 {kernel.sha256}",
        EMITTED,
    ]


def described_origin(cites: str, facts: Facts) -> list[str]:
    """Where the formulas come from, and the claims that prove them."""
    lines = paragraph(f"Source: {cites}") if cites else []
    lines += paragraph(f"Paper: {facts.citation}") if facts.citation else []
    if not facts.supports:
        return [*lines, "Rests on no claim: the formulas are their author's."]
    return [*lines, "Rests on the claims", *table(facts.supports)]


def _argument_rows(kernel: Kernel, facts: Facts) -> list[tuple[str, ...]]:
    own: dict[str, list[str]] = {name: [] for name in kernel.arguments}
    for condition in kernel.conditions:
        if len(names := names_in(condition)) == 1:
            own[names[0]].append(_said(condition))
    return [
        (
            facts.spell(name) + (f" (for {name})" if facts.spell(name) != name else ""),
            "1",
            kernel.units.get(name, "1"),
            ", ".join(conditions) or "any real number",
        )
        for name, conditions in own.items()
    ]


def _joint(kernel: Kernel) -> list[str]:
    joint = [_said(condition) for condition in kernel.conditions if len(names_in(condition)) != 1]
    return ["where", *(line for text in joint for line in paragraph(text, INDENT, INDENT * 2))] if joint else []


def _losses(kernel: Kernel) -> list[str]:
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


def formulas(kernel: Kernel) -> list[str]:
    """As people write them, in the paper's names."""
    return [line for entry in kernel.formulas for line in formula(Printer(), entry, INDENT).splitlines()]


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


def commented(lines: Sequence[str], mark: str) -> str:
    return "\n".join(f"{mark} {line}".rstrip() for line in lines)
