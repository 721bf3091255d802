"""Kernels as Python files that take whole arrays: for NumPy and JAX.

Formulas of numbers are computed entry by entry of arrays that are broadcast. In sums an index is an array along an axis
of its own, so that a line holds for all entries.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from derivations.kernels.points import branches_at, references
from derivations.kernels.program import Program, Statement, Value
from derivations.kernels.reference import DIGITS, Reference, known_at
from derivations.kernels.specification import Specification
from derivations.kernels.targets import self_tests
from derivations.kernels.targets.carried import helper_texts
from derivations.kernels.targets.dialects import Jax, NumPy
from derivations.kernels.targets.facts import Facts, names_in
from derivations.kernels.targets.names import renamed
from derivations.kernels.targets.printing import INDENT, INNER, Printer, assignment, conditions, plain, wrapped
from derivations.kernels.targets.python import Python, branches, of_numbers
from derivations.kernels.targets.self_tests import listed
from derivations.kernels.targets.statements import Lines, Statements

Case = tuple[str, Any]
"""A line: its name and its cases."""


def _chosen(where: str, tests: Sequence[str], values: Sequence[str]) -> str:
    """The value of the first condition that holds."""
    text = values[-1]
    for condition, value in reversed(list(zip(tests, values[:-1], strict=True))):
        text = f"{where}({condition},{INNER}{value},{INNER}{text})"
    return text


class WholeArrays(Statements):
    """Statements for all entries at once."""

    module = "np"

    def taken(self, program: Program) -> Lines:
        yield from (f"{self.indent}{v.name} = array({v.name}, {len(v.axes)})" for v in program.inputs)

    def misfit(self, value: Value) -> str:
        return f"{value.name}.shape != ({', '.join(value.axes)}{',' * (len(value.axes) == 1)})"

    def on_for(self, indent: str, indices: Sequence[Sequence[str]], body: Sequence[Statement]) -> Lines:
        outer, self.outer = getattr(self, "outer", ()), tuple(indices)
        yield from self.indexed(indent, indices)
        yield from self.lines(body, indent)
        self.outer = outer

    def indexed(self, indent: str, indices: Sequence[Sequence[str]]) -> Lines:
        names = ", ".join(name for name, _ in indices)
        if indices:
            yield f"{indent}{names}{',' * (len(indices) == 1)} = grid({', '.join(size for _, size in indices)})"

    def on_sum(self, indent: str, name: str, indices: Sequence[Sequence[str]], term: Any) -> Lines:
        outer: tuple[Sequence[str], ...] = getattr(self, "outer", ())
        axes = tuple(len(outer) + k for k in range(len(indices)))
        yield from self.indexed(indent, (*outer, *indices))
        yield wrapped(f"{name} = ", f"{self.module}.sum({self.printer.text(term)}, axis={axes})", indent)
        yield from self.indexed(indent, outer)

    def on_if(self, indent: str, pairs: Sequence[Sequence[str]], body: Sequence[Statement]) -> Lines:
        """The last line holds for equal indices only."""
        *first, (_, name, cases) = body
        yield from self.lines(first, indent)
        equal = " & ".join(f"({i} == {k})" if len(pairs) > 1 else f"{i} == {k}" for i, k in pairs)
        text = self.printer.text(cases[0][1])
        yield wrapped(f"{name} = ", f"{self.module}.where({equal}, {text}, {name})", indent)


class _InJax(WholeArrays):
    """Arrays that are filled are new ones; whether an argument is symmetric is not known while a program is traced."""

    module = "jnp"

    def crooked(self, value: Value) -> str:
        return ""

    def made(self, sizes: Sequence[str]) -> str:
        return f"jnp.zeros(({', '.join(sizes)}{',' * (len(sizes) == 1)}))"

    def on_store(self, indent: str, name: str, positions: Any, value: Any) -> Lines:
        at = self.printer.entry("", positions)
        yield assignment(name, f"{name}.at{at}.set({self.printer.text(value)})", indent)

    def on_call(self, indent: str, name: str, values: Sequence[Any], targets: Sequence[Any]) -> Lines:
        targets_of_call = [f"found_{array}" if at else array for array, at in targets]
        call = f"{name}({', '.join(map(self.printer.text, values))}){'[0]' * (len(targets_of_call) == 1)}"
        yield assignment(", ".join(targets_of_call), call, indent)
        for (array, at), value in zip(targets, targets_of_call, strict=True):
            if at:
                yield f"{indent}{array} = {array}.at{plain(self.printer.entry('', at))}.set({value})"


class NumPyFile(Python):
    target, printer, test, known = "numpy", NumPy(), self_tests.NUMPY, helper_texts.NUMPY
    note = "Takes numbers and arrays, which are broadcast; every result has their common shape."
    array_note = "Takes numbers, and arrays or nested rows of them."

    def imports(self, used: Collection[str], text: str) -> list[str]:
        return [*["import math"] * ("math." in text), "import numpy as np"]

    def body(self, kernel: Specification, program: Program, facts: Facts) -> list[str]:
        if not of_numbers(program):
            return WholeArrays(self.printer).body(program)
        names = [value.name for value in program.inputs]
        read = [f"{INDENT}{name} = np.asarray({name}, dtype=float)" for name in names]
        shape = wrapped("shape = ", f"np.broadcast_shapes({', '.join(f'{name}.shape' for name in names)})")
        quiet = f'{INDENT}with np.errstate(all="ignore"):  # branches that are not taken may overflow'
        lines = [self._line(name, cases) for _, name, cases in program.body]
        every = "np.array(np.broadcast_to(value, shape))[()]"
        results = listed(f"{INDENT * 2}for value in ", [value.name for value in program.returns], "")
        return [*read, shape, quiet, *lines, f"{INDENT}return tuple(", f"{INDENT * 2}{every}", *results, f"{INDENT})"]

    def _line(self, name: str, cases: Any) -> str:
        tests = [plain(self.printer.condition(c)) for c in conditions(cases) if c is not None]
        values = [self.printer.text(value).replace(" ", INNER) for _, value in cases]
        if len(values) == 1:
            return wrapped(f"{name} = ", self.printer.text(cases[0][1]), INDENT * 2)
        return wrapped(f"{name} = ", _chosen("np.where", tests, values), INDENT * 2)


class JaxFile(Python):
    """Branches see the values of their own points only, and elsewhere those of a point at which they are taken.

    So no derivative meets the infinite slopes of a branch that is not taken, whose product with zero has no value.
    """

    target, printer, test, known = "jax", Jax(), self_tests.JAX, helper_texts.JAX
    note = "Takes numbers and arrays of doubles; may be compiled, differentiated and mapped over arrays."
    array_note = (
        "Takes numbers and arrays of doubles; may be compiled and differentiated. That an argument is symmetric is not "
        "checked."
    )

    def imports(self, used: Collection[str], text: str) -> list[str]:
        lines = ["import jax", "import jax.numpy as jnp", 'jax.config.update("jax_enable_x64", True)']
        further = {
            "math.": "import math",
            "@partial": "from functools import partial",
            "lax.": "from jax import lax",
            "erf(": "from jax.scipy.special import erf",
            "expm(": "from jax.scipy.linalg import expm",
            "np.": "import numpy as np",
        }
        plainly = text.replace("jnp.", "")
        return [*lines, *(line for sign, line in further.items() if sign in plainly)]

    def test_imports(self) -> list[str]:
        return [*super().test_imports(), "import numpy as np"]

    def test_data(self, kernel: Specification, rows: Sequence[Reference]) -> list[str]:
        return [*super().test_data(kernel, rows), self_tests.gradients(rows)]

    def body(self, kernel: Specification, program: Program, facts: Facts) -> list[str]:
        if not of_numbers(program):
            return _InJax(self.printer).body(program)
        names = [value.name for value in program.inputs]
        lines = [(name, cases) for _, name, cases in program.body]
        read = [f"{INDENT}{name} = jnp.asarray({name}, dtype=float)" for name in names]
        printer = Jax(guarded=branches(program))
        safe, mark = _points_of_branches(kernel), _mark([*names, *(name for name, _ in lines)])
        texts = [text for group in _together(lines) for text in _jax_lines(group, printer, safe, mark)]
        constant = [name for name, cases in lines if not names_in(cases[-1][1])]
        results = [value.name for value in program.returns]
        last = [f"jnp.asarray({name})" if name in constant else name for name in results]
        return [*read, *texts, wrapped("return ", f"({last[0]},)" if len(last) == 1 else ", ".join(last))]


def _mark(names: Sequence[str]) -> str:
    """A text that no name of the program contains, so that names made with it are new."""
    mark = "_in_"
    while any(mark in name for name in names):
        mark += "_"
    return mark


def _together(lines: Sequence[Case]) -> list[list[Case]]:
    """Lines in a row that branch on the same conditions and do not use each other."""
    groups: list[list[Case]] = []
    for name, cases in lines:
        used = {s for _, value in cases for s in names_in(value)}
        last = groups[-1] if groups else []
        alike = last and conditions(last[0][1]) == conditions(cases)
        if alike and used.isdisjoint(earlier for earlier, _ in last):
            last.append((name, cases))
        else:
            groups.append([(name, cases)])
    return groups


def _jax_lines(
    lines: Sequence[Case], printer: Printer, safe: Mapping[tuple[str, int], Mapping[str, float]], mark: str
) -> Iterator[str]:
    """Which case is taken where, what each sees there, and the values."""
    first = lines[0][1]
    if len(first) == 1:
        yield from (wrapped(f"{name} = ", printer.text(cases[0][1])) for name, cases in lines)
        return
    masks = [f"case{mark}{k}" for k in range(len(first))]
    for k, condition in enumerate(conditions(first)):
        text = plain(printer.condition(condition)) if condition is not None else ""
        others = [f"~{mask}" for mask in masks[:k]]
        yield wrapped(f"{masks[k]} = ", " & ".join([*others, *([f"({text})" if others else text] if text else [])]))
    seen: list[dict[str, str]] = []
    for k in range(len(first)):
        used = sorted({s for _, cases in lines for s in names_in(cases[k][1])})
        point = safe.get((lines[0][0], k), {})
        seen.append({s: f"{s}{mark}{k}" for s in used if s in point})
        yield from (f"{INDENT}{there} = jnp.where({masks[k]}, {s}, {point[s]!r})" for s, there in seen[k].items())
    for name, cases in lines:
        values = [f"value{mark}{k}" for k in range(len(first))]
        for k, (_, value) in enumerate(cases):
            yield wrapped(f"{values[k]} = ", printer.text(renamed(value, seen[k])))
        yield wrapped(f"{name} = ", _chosen("jnp.where", masks[:-1], values))


def _points_of_branches(kernel: Specification) -> dict[tuple[str, int], dict[str, float]]:
    """For a branch, the values of every symbol at a point where it is taken, inside the domain if there is one."""
    lines = [line for line in kernel.content.formulas.body if len(line[2]) > 1]
    points: dict[tuple[str, int], dict[str, float]] = {}
    for row in sorted(references(kernel), key=lambda row: row.slopes is None) if lines else ():
        at = tuple(map(Fraction, row.point))
        known = known_at(kernel, at, DIGITS, kernel.program)
        values = {name: float(f"{float(value.mid()):.6g}") for name, value in known.items()}
        for (_, name, _cases), k in zip(lines, branches_at(kernel, at), strict=True):
            if k is not None:
                points.setdefault((name, k), values)
    return points
