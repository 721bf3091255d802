"""Programs as loops of Python, and of languages with braces, on numbers, one entry after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from derivations.kernels.program import Program, Statement, Value
from derivations.kernels.targets.printing import INDENT, Printer, assignment, conditions, plain, wrapped

Lines = Iterator[str]


def shaped(value: Value) -> str:
    """The sizes that an array must have."""
    return " x ".join(value.axes)


class Statements:
    """Bodies of Python programs; a target says how it reads, makes and fills arrays."""

    indent = INDENT
    end = ""
    """The sign behind a statement."""
    fixed = ""
    """The word before a name that is declared and never changes."""

    def __init__(self, printer: Printer) -> None:
        self.printer = printer

    def body(self, program: Program) -> list[str]:
        """The lines behind a function's docstring."""
        last = ", ".join(value.name for value in program.returns)
        end = wrapped("return ", f"({last},)" if len(program.returns) == 1 else last, self.indent)
        return [*self.read(program), *self.lines(program.body, self.indent), end]

    # --- arguments ----------------------------------------------------------------------------------------------------

    def read(self, program: Program) -> Lines:
        """The arguments in the target's own kinds of numbers, and their sizes, which must agree."""
        yield from self.taken(program)
        if any(value.axes for value in program.inputs):
            yield from self.measured(program)

    def taken(self, program: Program) -> Lines:
        yield from ()

    def measured(self, program: Program) -> Lines:
        sizes: dict[str, str] = {}
        for value in program.inputs:
            for axis, size in enumerate(value.axes):
                if not size.isdigit():
                    sizes.setdefault(size, self.length(value, axis))
        yield from (f"{self.indent}{self.fixed}{name} = {text}{self.end}" for name, text in sizes.items())
        for value in program.inputs:
            if value.axes:
                yield from self.refused(self.misfit(value), f"{value.name} is not an array of {shaped(value)}")
            if value.kind == "symmetric":
                yield from self.refused(self.crooked(value), f"{value.name} is not symmetric")
        for name, parts in program.joined.items():
            yield f"{self.indent}{self.fixed}{name} = {' + '.join(parts)}{self.end}"

    def refused(self, condition: str, sentence: str) -> Lines:
        if condition:
            yield plain(f"{self.indent}if {condition}:")
            yield f'{self.indent}{INDENT}raise ValueError("{sentence}")'

    def length(self, value: Value, axis: int) -> str:
        return f"{value.name}.shape[{axis}]"

    def misfit(self, value: Value) -> str:
        """The condition under which an argument does not have the sizes that its ranges say."""
        return " or ".join(f"{self.length(value, k)} != {size}" for k, size in enumerate(value.axes))

    def crooked(self, value: Value) -> str:
        return f"not symmetric({value.name})"

    # --- statements ---------------------------------------------------------------------------------------------------

    def lines(self, body: Iterable[Statement], indent: str) -> Lines:
        """Lines in a row that branch on the same conditions share one branch."""
        for key, group in groupby(body, lambda s: (s[0], conditions(s[2]) if s[0] == "=" else ())):
            if key[0] == "=":
                yield from self.assigned([(name, cases) for _, name, cases in group], indent)
                continue
            for head, *rest in group:
                yield from getattr(self, f"on_{head}")(indent, *rest)

    def assigned(self, lines: Sequence[tuple[str, Any]], indent: str) -> Lines:
        if len(lines[0][1]) == 1:
            for name, cases in lines:
                yield wrapped(f"{self.printer.name(name)} = ", self.printer.text(cases[0][1]), indent) + self.end
        else:
            yield from self.branched(lines, indent)

    def branched(self, lines: Sequence[tuple[str, Any]], indent: str) -> Lines:
        """Values by the same conditions."""
        word = "if"
        for k, condition in enumerate(conditions(lines[0][1])):
            yield indent + (f"{word} {plain(self.printer.condition(condition))}:" if condition else "else:")
            for name, cases in lines:
                yield wrapped(f"{name} = ", self.printer.text(cases[k][1]), indent + INDENT)
            word = "elif"

    def on_for(self, indent: str, indices: Sequence[Sequence[str]], body: Sequence[Statement]) -> Lines:
        for name, size in indices:
            yield f"{indent}for {name} in range({size}):"
            indent += INDENT
        yield from self.lines(body, indent)

    def on_sum(self, indent: str, name: str, indices: Sequence[Sequence[str]], term: Any) -> Lines:
        yield f"{indent}{name} = {self.printer.text(('q', '0'))}{self.end}"
        more = term[1:] if term[0] == "+" else (term,)
        yield from self.on_for(indent, indices, (("=", name, ((None, ("+", ("s", name), *more)),)),))

    def on_if(self, indent: str, pairs: Sequence[Sequence[str]], body: Sequence[Statement]) -> Lines:
        yield f"{indent}if {' and '.join(f'{i} == {k}' for i, k in pairs)}:"
        yield from self.lines(body, indent + INDENT)

    def on_new(self, indent: str, name: str, sizes: Sequence[str]) -> Lines:
        yield f"{indent}{name} = {self.made(sizes)}"

    def made(self, sizes: Sequence[str]) -> str:
        return f"np.empty(({', '.join(sizes)}{',' * (len(sizes) == 1)}))"

    def on_store(self, indent: str, name: str, positions: Any, value: Any) -> Lines:
        yield assignment(self.printer.entry(name, positions), self.printer.text(value), indent) + self.end

    def on_call(self, indent: str, name: str, values: Sequence[Any], targets: Sequence[Any]) -> Lines:
        heads = [self.printer.entry(array, at) if at else array for array, at in targets]
        call = f"{name}({', '.join(map(self.printer.text, values))}){'[0]' * (len(heads) == 1)}"
        yield assignment(", ".join(heads), call, indent)

    def on_library(self, indent: str, function: str, target: str, _: str, arguments: Sequence[Any]) -> Lines:
        matrix, *numbers = arguments
        yield f"{indent}{target} = {function}({', '.join([matrix, *map(self.printer.text, numbers)])}){self.end}"

    def on_matrix(
        self, indent: str, names: Sequence[str], heights: Sequence[str], widths: Sequence[str], value: Any
    ) -> Lines:
        kind, rows, *_ = value
        words = [words for row in rows for words in row]
        if kind == "blocks" and len(names) == len(words):
            for name, block in zip(names, words, strict=True):
                yield wrapped(f"{name} = ", self.printer.words(block), indent)
            return
        text = self.printer.matrix(value)
        if len(names) > 1:
            text = f"cut({text}, {_listed(heights)}, {_listed(widths)})"
        yield wrapped(f"{', '.join(names)} = ", text, indent)


def _listed(sizes: Sequence[str]) -> str:
    return f"({', '.join(sizes)}{',' * (len(sizes) == 1)})"


class Braced(Statements):
    """Bodies in languages with braces and semicolons."""

    end = ";"
    counter: str
    """The word before a counter where it is declared."""

    def branched(self, lines: Sequence[tuple[str, Any]], indent: str) -> Lines:
        for k, condition in enumerate(conditions(lines[0][1])):
            word = "if" if k == 0 else "} else if" if condition else "} else"
            yield indent + word + (f" ({plain(self.printer.condition(condition))})" if condition else "") + " {"
            for name, cases in lines:
                yield wrapped(f"{name} = ", self.printer.text(cases[k][1]), indent + INDENT) + ";"
        yield indent + "}"

    def on_for(self, indent: str, indices: Sequence[Sequence[str]], body: Sequence[Statement]) -> Lines:
        depth = indent
        for name, size in indices:
            yield f"{depth}for ({self.counter} {name} = 0; {name} < {size}; {name}++) {{"
            depth += INDENT
        yield from self.lines(body, depth)
        for _ in indices:
            depth = depth.removesuffix(INDENT)
            yield f"{depth}}}"

    def on_if(self, indent: str, pairs: Sequence[Sequence[str]], body: Sequence[Statement]) -> Lines:
        yield f"{indent}if ({' && '.join(f'{i} {self.printer.equals} {k}' for i, k in pairs)}) {{"
        yield from self.lines(body, indent + INDENT)
        yield f"{indent}}}"
