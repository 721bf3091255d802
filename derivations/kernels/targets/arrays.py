"""Kernels of numbers as Python files that take arrays, entry by entry: for NumPy and JAX."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from derivations.kernels.committed import calls
from derivations.kernels.kernel import Kernel
from derivations.kernels.printing import INDENT, INNER, Printer, conditions, plain, wrapped
from derivations.kernels.programs import Line
from derivations.kernels.reference import DIGITS, known_at
from derivations.kernels.targets import helper_texts, self_tests
from derivations.kernels.targets.facts import Facts, names_in
from derivations.kernels.targets.names import program_of, renamed
from derivations.kernels.targets.points import branches_at, references
from derivations.kernels.targets.printers import Jax, NumPy
from derivations.kernels.targets.python import Python, branches
from derivations.kernels.targets.self_tests import listed


def _chosen(where: str, told: Sequence[str], values: Sequence[str]) -> str:
    """The value of the first condition that holds."""
    text = values[-1]
    for condition, value in reversed(list(zip(told, values[:-1], strict=True))):
        text = f"{where}({condition},{INNER}{value},{INNER}{text})"
    return text


@dataclass(frozen=True)
class NumPyFile(Python):
    target: str = "numpy"
    printer: Printer = field(default_factory=NumPy)
    note: str = "Takes numbers and arrays, which are broadcast; every result has their common shape."

    def imports(self, used: set[str]) -> list[str]:
        return [*["import math"] * bool({"erf", "relexp1"} & used), "import numpy as np"]

    def helpers(self, used: set[str]) -> list[str]:
        return helper_texts.needed(used, helper_texts.NUMPY)

    def body(self, kernel: Kernel, facts: Facts) -> list[str]:
        names = [facts.spell(name) for name in kernel.arguments]
        read = [f"{INDENT}{name} = np.asarray({name}, dtype=float)" for name in names]
        shape = wrapped("shape = ", f"np.broadcast_shapes({', '.join(f'{name}.shape' for name in names)})")
        quiet = f'{INDENT}with np.errstate(all="ignore"):  # branches that are not taken may overflow'
        lines = [self._line(line) for line in program_of(kernel, facts)]
        every = "np.array(np.broadcast_to(value, shape))[()]"
        results = listed(f"{INDENT * 2}for value in ", [facts.spell(name) for name in kernel.returns], "")
        return [*read, shape, quiet, *lines, f"{INDENT}return tuple(", f"{INDENT * 2}{every}", *results, f"{INDENT})"]

    def _line(self, line: Line) -> str:
        told = [plain(self.printer.condition(c)) for c in conditions(line) if c is not None]
        values = [self.printer.text(value).replace(" ", INNER) for _, value in line.cases]
        if len(values) == 1:
            return wrapped(f"{line.name} = ", self.printer.text(line.cases[0][1]), INDENT * 2)
        return wrapped(f"{line.name} = ", _chosen("np.where", told, values), INDENT * 2)

    def self_test(self, kernel: Kernel) -> list[str]:
        rows = references(kernel)
        return [self_tests.results(kernel), self_tests.points(rows), self_tests.NUMPY]


@dataclass(frozen=True)
class JaxFile(Python):
    """Branches see the values of their own points only, and elsewhere those of a point at which they are taken.

    So no derivative meets the infinite slopes of a branch that is not taken, whose product with zero has no value.
    """

    target: str = "jax"
    printer: Printer = field(default_factory=Jax)
    note: str = "Takes numbers and arrays of doubles; may be compiled, differentiated and mapped over arrays."

    def imports(self, used: set[str]) -> list[str]:
        further = ["import math", "from functools import partial"] * bool({"relexp", "relexp1"} & used)
        further += ["from jax import lax"] * bool({"minor", "quotient"} & used)
        further += ["from jax.scipy.special import erf"] * ("erf" in used)
        return [*further, "import jax", "import jax.numpy as jnp", 'jax.config.update("jax_enable_x64", True)']

    def test_imports(self) -> list[str]:
        return [*super().test_imports(), "import numpy as np"]

    def helpers(self, used: set[str]) -> list[str]:
        return helper_texts.needed(used, helper_texts.JAX, helper_texts.NEEDS)

    def used(self, kernel: Kernel) -> set[str]:
        return calls([kernel]) | ({"quotient"} if branches(kernel) else set())

    def body(self, kernel: Kernel, facts: Facts) -> list[str]:
        names = [facts.spell(name) for name in kernel.arguments]
        read = [f"{INDENT}{name} = jnp.asarray({name}, dtype=float)" for name in names]
        program, printer = program_of(kernel, facts), Jax(guarded=branches(kernel))
        safe, mark = _points_of_branches(kernel, facts), _mark([*names, *(line.name for line in program)])
        lines = [text for group in _together(program) for text in _jax_lines(group, printer, safe, mark)]
        constant = [line.name for line in program if not names_in(line.cases[-1][1])]
        results = [facts.spell(name) for name in kernel.returns]
        texts = [f"jnp.asarray({name})" if name in constant else name for name in results]
        return [*read, *lines, wrapped("return ", f"({texts[0]},)" if len(texts) == 1 else ", ".join(texts))]

    def self_test(self, kernel: Kernel) -> list[str]:
        rows = references(kernel)
        return [self_tests.results(kernel), self_tests.points(rows), self_tests.gradients(rows), self_tests.JAX]


def _mark(names: Sequence[str]) -> str:
    """What names of the program do not contain, so that names made with it are new."""
    mark = "_in_"
    while any(mark in name for name in names):
        mark += "_"
    return mark


def _together(program: Sequence[Line]) -> list[list[Line]]:
    """Lines in a row that branch on the same conditions and do not use each other."""
    groups: list[list[Line]] = []
    for line in program:
        used = {s for _, value in line.cases for s in names_in(value)}
        last = groups[-1] if groups else []
        if last and conditions(last[0]) == conditions(line) and used.isdisjoint(earlier.name for earlier in last):
            last.append(line)
        else:
            groups.append([line])
    return groups


def _jax_lines(
    lines: Sequence[Line], printer: Printer, safe: Mapping[tuple[str, int], Mapping[str, float]], mark: str
) -> Iterator[str]:
    """Which case is taken where, what each sees there, and the values."""
    if len(lines[0].cases) == 1:
        yield from (wrapped(f"{line.name} = ", printer.text(line.cases[0][1])) for line in lines)
        return
    cases = range(len(lines[0].cases))
    masks = [f"case{mark}{k}" for k in cases]
    for k, condition in enumerate(conditions(lines[0])):
        text = plain(printer.condition(condition)) if condition is not None else ""
        others = [f"~{mask}" for mask in masks[:k]]
        yield wrapped(f"{masks[k]} = ", " & ".join([*others, *([f"({text})" if others else text] if text else [])]))
    seen: list[dict[str, str]] = []
    for k in cases:
        used = sorted({s for line in lines for s in names_in(line.cases[k][1])})
        point = safe.get((lines[0].name, k), {})
        seen.append({s: f"{s}{mark}{k}" for s in used if s in point})
        yield from (f"{INDENT}{there} = jnp.where({masks[k]}, {s}, {point[s]!r})" for s, there in seen[k].items())
    for line in lines:
        values = [f"value{mark}{k}" for k in cases]
        for k, (_, value) in enumerate(line.cases):
            yield wrapped(f"{values[k]} = ", printer.text(renamed(value, seen[k])))
        yield wrapped(f"{line.name} = ", _chosen("jnp.where", masks[:-1], values))


def _points_of_branches(kernel: Kernel, facts: Facts) -> dict[tuple[str, int], dict[str, float]]:
    """For a branch, the values of every symbol at a point where it is taken, inside the domain if there is one."""
    lines = [line for line in kernel.formulas if len(line.cases) > 1]
    found: dict[tuple[str, int], dict[str, float]] = {}
    for row in sorted(references(kernel), key=lambda row: row.slopes is None):
        at = {name: Fraction(value) for name, value in zip(kernel.arguments, row.point, strict=True)}
        taken = branches_at(kernel, at) if lines else ()
        values = _values(kernel, at) if lines else {}
        for line, k in zip(lines, taken, strict=True):
            if k is not None:
                found.setdefault((facts.spell(line.name), k), {facts.spell(n): v for n, v in values.items()})
    return found


def _values(kernel: Kernel, at: Mapping[str, Fraction]) -> dict[str, float]:
    """Every name of the program at a point."""
    known = known_at(kernel, at, DIGITS, kernel.program)
    return {name: float(f"{float(value.mid()):.6g}") for name, value in known.items()}
