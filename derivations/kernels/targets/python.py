"""Kernels of numbers as Python files, and those of them that take one number at a time: for Numba and mpmath."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from derivations.kernels import elementary
from derivations.kernels.committed import JITTED, calls
from derivations.kernels.indexed_programs import assignment
from derivations.kernels.kernel import Kernel
from derivations.kernels.printing import INDENT, Printer, branching, sorted_imports, wrapped
from derivations.kernels.targets import helper_texts, self_tests
from derivations.kernels.targets.facts import Facts, about, paragraph
from derivations.kernels.targets.names import program_of, spelled
from derivations.kernels.targets.points import references
from derivations.kernels.targets.printers import Mpmath, Numba

QUOTES = '"""'


@dataclass(frozen=True)
class Python:
    """What the Python targets differ in."""

    target: str
    printer: Printer
    note: str
    """What a caller should know."""

    def imports(self, used: set[str]) -> list[str]:
        raise NotImplementedError

    def helpers(self, used: set[str]) -> list[str]:
        raise NotImplementedError

    def decorators(self) -> list[str]:
        return []

    def body(self, kernel: Kernel, facts: Facts) -> list[str]:
        raise NotImplementedError

    def test_imports(self) -> list[str]:
        return ["import math", "from fractions import Fraction"]

    def self_test(self, kernel: Kernel) -> list[str]:
        """The reference values, and the program that compares with them."""
        raise NotImplementedError

    # --- the same for all ---------------------------------------------------------------------------------------------

    def program(self, kernel: Kernel, facts: Facts, further: Sequence[str] = ()) -> str:
        """The imports, what the function calls, and the function."""
        used = self.used(kernel)
        imports = sorted_imports({*self.imports(used), *further})
        return "\n\n\n".join([imports, *self.helpers(used), self.function(kernel, facts)])

    def function(self, kernel: Kernel, facts: Facts) -> str:
        arguments = ", ".join(map(facts.spell, kernel.arguments))
        head = [*self.decorators(), f"def {facts.name}({arguments}):", docstring(self.note, kernel.returns)]
        return "\n".join([*head, *self.body(kernel, facts)])

    def used(self, kernel: Kernel) -> set[str]:
        """What the program calls."""
        return calls([kernel])

    def bare(self, kernel: Kernel) -> str:
        """The program alone."""
        return self.program(kernel, spelled(kernel, Facts(kernel.name), self.target)) + "\n"

    def file(self, kernel: Kernel, facts: Facts) -> dict[str, str]:
        facts = spelled(kernel, facts, self.target)
        docstring = "\n".join([f"{QUOTES}{about(kernel, facts)[0]}", *about(kernel, facts)[1:], f"{QUOTES}\n"])
        parts = [docstring, self.program(kernel, facts, self.test_imports())]
        parts[:2] = ["\n".join(parts[:2])]
        parts += [self_tests.program(text, facts) for text in (*self.self_test(kernel), self_tests.MAIN)]
        return {f"{facts.name}.py": "\n\n\n".join(parts) + "\n"}


def docstring(note: str, results: Iterable[str]) -> str:
    listed = paragraph(f"Results: {', '.join(results)}.", INDENT, INDENT * 2)
    return "\n".join([f"{INDENT}{QUOTES}{note}\n", *listed, f"{INDENT}{QUOTES}"])


def returned(kernel: Kernel, facts: Facts) -> str:
    names = [facts.spell(name) for name in kernel.returns]
    return wrapped("return ", f"({names[0]},)" if len(names) == 1 else ", ".join(names))


def branches(kernel: Kernel) -> bool:
    return any(len(line.cases) > 1 for line in kernel.program)


# --- one number at a time ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class NumbaFile(Python):
    target: str = "numba"
    printer: Printer = field(default_factory=Numba)
    note: str = "Takes and returns floats; compiled on the first call and cached beside this file."

    def imports(self, used: set[str]) -> list[str]:
        return elementary.imports(used)

    def helpers(self, used: set[str]) -> list[str]:
        return elementary.programs(used)

    def decorators(self) -> list[str]:
        return [JITTED]

    def body(self, kernel: Kernel, facts: Facts) -> list[str]:
        return [*branching(program_of(kernel, facts), self.printer), returned(kernel, facts)]

    def self_test(self, kernel: Kernel) -> list[str]:
        rows = references(kernel)
        return [self_tests.results(kernel), self_tests.points(rows), self_tests.NUMBA]


@dataclass(frozen=True)
class MpmathFile(Python):
    target: str = "mpmath"
    printer: Printer = field(default_factory=Mpmath)
    note: str = "Takes numbers or text such as 0.1 and 1/3; returns mpmath's numbers at the precision mp.dps."

    def imports(self, used: set[str]) -> list[str]:
        return ["from mpmath import mp, mpf"]

    def test_imports(self) -> list[str]:
        return []

    def helpers(self, used: set[str]) -> list[str]:
        return helper_texts.needed(used, helper_texts.MPMATH)

    def used(self, kernel: Kernel) -> set[str]:
        return calls([kernel]) | ({"quotient"} if branches(kernel) else set())

    def body(self, kernel: Kernel, facts: Facts) -> list[str]:
        names = ", ".join(map(facts.spell, kernel.arguments))
        read = f"mp.convert({names})" if len(kernel.arguments) == 1 else f"map(mp.convert, ({names}))"
        head = assignment(names, read, INDENT)
        program = branching(program_of(kernel, facts), Mpmath(guarded=branches(kernel)))
        return [head, *program, returned(kernel, facts)]

    def self_test(self, kernel: Kernel) -> list[str]:
        rows = references(kernel)
        return [self_tests.results(kernel), self_tests.points(rows, as_text=True), self_tests.MPMATH]
