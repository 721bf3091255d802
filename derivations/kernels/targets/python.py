"""Kernels as Python files: what all of them share, and those that take one number at a time, for Numba."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from derivations.kernels.lowering.loops import without_matrices
from derivations.kernels.points import references
from derivations.kernels.program import Program
from derivations.kernels.reference import Reference
from derivations.kernels.specification import Specification
from derivations.kernels.targets import self_tests
from derivations.kernels.targets.carried import elementary, helper_texts
from derivations.kernels.targets.dialects import Numba
from derivations.kernels.targets.facts import Facts, about, paragraph
from derivations.kernels.targets.names import check_names
from derivations.kernels.targets.printing import INDENT, Printer, sorted_imports
from derivations.kernels.targets.statements import Statements

QUOTES = '"""'
JITTED = '@njit(cache=True, error_model="numpy")'


def of_numbers(program: Program) -> bool:
    return not any(value.axes for value in (*program.inputs, *program.returns))


def branches(program: Program) -> bool:
    return any(statement[0] == "=" and len(statement[2]) > 1 for statement in program.body)


class Python:
    """The differences between the Python targets."""

    target: str
    printer: Printer
    note: str
    """Notes for callers of a kernel of numbers, and of arrays or matrices."""
    array_note: str
    test: str
    known: Mapping[str, str]
    """The functions that a program may carry with it."""

    def imports(self, used: Collection[str], text: str) -> list[str]:
        """The lines that import what the words of a program name, and what its text with its helpers calls."""
        raise NotImplementedError

    def body(self, kernel: Specification, program: Program, facts: Facts) -> list[str]:
        raise NotImplementedError

    def lowered(self, program: Program) -> Program:
        return program

    def decorators(self) -> list[str]:
        return []

    def test_imports(self) -> list[str]:
        return ["import math", "from fractions import Fraction"]

    def test_data(self, kernel: Specification, rows: Sequence[Reference]) -> list[str]:
        return [self_tests.results(kernel), self_tests.points(rows)]

    # --- the same for all ---------------------------------------------------------------------------------------------

    def helpers(self, used: Collection[str], text: str) -> list[str]:
        """The helper functions that a text of these words calls."""
        return helper_texts.called(text, self.known)

    def function(self, kernel: Specification, facts: Facts) -> tuple[str, str]:
        """The function, and its body alone."""
        program = self.lowered(kernel.program)
        arguments = ", ".join(kernel.arguments)
        note = self.note if of_numbers(kernel.program) else self.array_note
        head = [*self.decorators(), f"def {facts.name}({arguments}):", docstring(note, kernel.returns)]
        body = "\n".join(self.body(kernel, program, facts))
        return "\n".join([*head, body]), body

    def program(self, kernel: Specification, facts: Facts, further: Sequence[str] = ()) -> str:
        """The imports, what the function calls, and the function."""
        check_names(kernel, facts, self.target)
        called = [(part, Facts(part.name)) for part in kernel.content.called]
        made = [self.function(part, facts_of_part) for part, facts_of_part in [*called, (kernel, facts)]]
        bodies = "\n".join(body for _, body in made)
        used = words(bodies)
        helpers = self.helpers(used, bodies)
        imports = sorted_imports({*self.imports(used, "\n".join([bodies, *helpers])), *further})
        return "\n\n\n".join([imports, *helpers, *(text for text, _ in made)])

    def bare(self, kernel: Specification) -> str:
        """The program alone."""
        return self.program(kernel, Facts(kernel.name)) + "\n"

    def file(self, kernel: Specification, facts: Facts) -> dict[str, str]:
        first, *rest = about(kernel, facts)
        said = "\n".join([f"{QUOTES}{first}", *rest, f"{QUOTES}\n\n"])
        parts = [said + self.program(kernel, facts, self.test_imports())]
        parts += [self_tests.program(text, facts) for text in self.test_data(kernel, references(kernel))]
        parts += [self_tests.program(text, facts) for text in (self.test, self_tests.MAIN)]
        return {f"{facts.name}.py": "\n\n\n".join(parts) + "\n"}


def docstring(note: str, results: Iterable[str]) -> str:
    listed = paragraph(f"Results: {', '.join(results)}.", INDENT, INDENT * 2)
    return "\n".join([f"{INDENT}{QUOTES}{note}\n", *listed, f"{INDENT}{QUOTES}"])


# --- Numba ------------------------------------------------------------------------------------------------------------


class NumbaFile(Python):
    target, printer, test, known = "numba", Numba(), self_tests.NUMBA, helper_texts.NUMBA
    note = "Takes and returns floats; compiled on the first call and cached beside this file."
    array_note = "Takes arrays of doubles, and floats; compiled on the first call and cached beside this file."

    def imports(self, used: Collection[str], text: str) -> list[str]:
        return [*elementary.imports(used), *["import numpy as np"] * ("np." in text)]

    def helpers(self, used: Collection[str], text: str) -> list[str]:
        return [*elementary.programs(used), *super().helpers(used, text)]

    def lowered(self, program: Program) -> Program:
        return without_matrices(program)

    def decorators(self) -> list[str]:
        return [JITTED]

    def body(self, kernel: Specification, program: Program, facts: Facts) -> list[str]:
        return Statements(self.printer).body(program)

    def test_imports(self) -> list[str]:
        return [*super().test_imports(), "import numpy as np"]


def words(text: str) -> set[str]:
    return set(re.findall(r"(?<![.\w])[A-Za-z]\w*", text))
