"""Kernels as modules of JavaScript that stand alone: pure functions, which a page or node imports.

A kernel takes numbers, and nested arrays in the place of arrays and matrices, and returns an array of its results.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from derivations.kernels.lowering.loops import without_matrices
from derivations.kernels.points import references
from derivations.kernels.program import CALLS, Program, Value, statements
from derivations.kernels.reference import SHOWN, Reference
from derivations.kernels.specification import Specification
from derivations.kernels.targets.carried.helper_texts import called
from derivations.kernels.targets.carried.javascript import JAVASCRIPT
from derivations.kernels.targets.dialects import PowersAsCalls
from derivations.kernels.targets.facts import Facts, about, commented, paragraph
from derivations.kernels.targets.names import check_names
from derivations.kernels.targets.printing import (
    INDENT,
    WIDTH,
    plain,
    position,
    wrapped,
)
from derivations.kernels.targets.python import of_numbers
from derivations.kernels.targets.statements import Braced, Lines

CARRIED = {"erf", "relexp", "relexp1"}
TEST = """
// What is wrong, in sentences; nothing where all is well.
export function selfTest() {
    const found = [];
    const leaves = (value) => (Array.isArray(value) ? value.flatMap(leaves) : [value]);
    POINTS.forEach(([at, expected], place) => {
        const results = NAME(...at).map(leaves);
        expected.forEach(([texts, tails, allowed], k) => {
            const errors = texts.map((text, j) => Math.abs((results[k][j] - Number(text)) - tails[j]));
            if (results[k].length !== texts.length || !errors.every((error) => error <= allowed))
                found.push(`NAME at point ${place}: ${RESULTS[k]} = ${results[k]} should be ${texts}`);
        });
    });
    return found;
}

if (typeof process !== "undefined" && process.argv?.[1]?.endsWith("NAME.mjs")) {
    const failures = selfTest();
    console.log(failures.join("\\n") || `NAME: ${POINTS.length} points agree`);
    process.exitCode = failures.length ? 1 : 0;
}
"""


@dataclass(frozen=True)
class JavaScript(PowersAsCalls):
    """Doubles; powers are calls, since a sign in front of `**` is not understood."""

    spelling: dict[str, str] = field(
        default_factory=lambda: {name: name if name in CARRIED else f"Math.{name}" for name in CALLS}
    )
    pow: str = "Math.pow"
    equals: str = "==="
    pi: str = "Math.PI"

    def entry(self, array: str, positions: Sequence[Sequence[str]]) -> str:
        return array + "".join(f"[{position(parts)}]" for parts in positions)


class _Body(Braced):
    """Loops on numbers and nested arrays; every name is declared at the top."""

    counter, fixed = "let", "const "

    def body(self, program: Program) -> list[str]:
        taken = {value.name for value in program.inputs} | set(program.sizes) | set(program.joined)
        own = [name for name in _assigned(program) if name not in taken]
        declared = (
            [textwrap.fill(f"let {', '.join(own)};", WIDTH, initial_indent=INDENT, subsequent_indent=INDENT * 2)]
            if own
            else []
        )
        last = ", ".join(value.name for value in program.returns)
        end = wrapped("return ", f"[{last}]", self.indent) + ";"
        return [*self.read(program), *declared, *self.lines(program.body, self.indent), end]

    # --- arguments ----------------------------------------------------------------------------------------------------

    def length(self, value: Value, axis: int) -> str:
        return f"{value.name}{'[0]' * axis}.length"

    def crooked(self, value: Value) -> str:
        return f"!symmetric({value.name})"

    def misfit(self, value: Value) -> str:
        return f"!has({value.name}, {', '.join(value.axes)})"

    def refused(self, condition: str, sentence: str) -> Lines:
        yield plain(f'{self.indent}if ({condition}) throw new RangeError("{sentence}");')

    # --- statements ---------------------------------------------------------------------------------------------------

    def on_new(self, indent: str, name: str, sizes: Sequence[str]) -> Lines:
        yield f"{indent}{name} = table({', '.join(sizes)});"

    def on_call(self, indent: str, name: str, values: Sequence[Any], targets: Sequence[Any]) -> Lines:
        heads = [plain(self.printer.entry(array, at)) if at else array for array, at in targets]
        call = f"{name}({', '.join(map(self.printer.text, values))})"
        yield wrapped(f"[{', '.join(heads)}] = ", call, indent) + ";"


def _assigned(program: Program) -> list[str]:
    """The names that statements give a value, in order."""
    names: list[str] = []
    for head, name, *rest in statements(program.body):
        if head in ("=", "sum", "new"):
            names.append(name)
        elif head == "call":
            names += [target for target, at in rest[1] if not at]
        elif head == "library":
            names.append(rest[0])
    return list(dict.fromkeys(names))


# --- the file ---------------------------------------------------------------------------------------------------------


def javascript_files(kernel: Specification, facts: Facts) -> dict[str, str]:
    """One module: the function, what it calls, and a test of itself."""
    check_names(kernel, facts, "js")
    functions = [_function(part, part.name, "function") for part in kernel.content.called]
    functions.append(_function(kernel, facts.name, "export function"))
    helpers = called("\n".join(functions), JAVASCRIPT)
    note = ["", f"{INDENT}node {facts.name}.mjs", "", "tests it; selfTest() returns what is wrong."]
    head = commented([*about(kernel, facts), *note])
    test = "\n".join([_points(kernel, references(kernel)), TEST.strip().replace("NAME", facts.name)])
    return {f"{facts.name}.mjs": "\n\n".join([head, *helpers, *functions, test]) + "\n"}


def _function(kernel: Specification, name: str, word: str) -> str:
    program = without_matrices(kernel.program)
    kind = "numbers" if of_numbers(program) else "numbers, and nested arrays of them"
    head = wrapped(f"{word} ", f"{name}({', '.join(value.name for value in program.inputs)}) {{", "")
    says = commented(paragraph(f"takes {kind}; returns [{', '.join(kernel.returns)}]", "", ""))
    return "\n".join([says, head, *_Body(JavaScript()).body(program), "}"])


def _points(kernel: Specification, rows: Sequence[Reference]) -> str:
    """The points as data, one number or list to a line where they are long."""
    lines = [
        f"// Arguments; of every result entries to {SHOWN} digits, what their doubles lack, and the error allowed."
    ]
    lines += textwrap.wrap(f"const RESULTS = {json.dumps(list(kernel.returns))};", WIDTH, subsequent_indent=INDENT)
    lines.append("const POINTS = [")
    for row in rows:
        lines += [f"{INDENT}[", *_filled(list(row.point)), f"{INDENT * 2}["]
        for texts, allowed in zip(row.texts, row.allowed, strict=True):
            tails = [float(Fraction(text) - Fraction(float(Fraction(text)))) for text in texts]
            lines += _filled([list(texts), tails, allowed])
        lines += [f"{INDENT * 2}],", f"{INDENT}],"]
    return "\n".join([*lines, "];"])


def _filled(value: Any, indent: str = INDENT * 2) -> Iterator[str]:
    line = f"{indent}{json.dumps(value)},"
    if len(line) <= WIDTH or not isinstance(value, list):
        yield line
        return
    yield f"{indent}["
    for part in value:
        yield from _filled(part, indent + INDENT)
    yield f"{indent}],"
