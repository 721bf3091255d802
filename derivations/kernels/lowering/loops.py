"""Programs without matrices: products, inverses and exponentials as loops over entries, for languages without them.

An inverse and an exponential become a statement ("library", function, target, size, arguments), for which a language
carries a function of its own: of a square array of that size, which is the first argument.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import count
from typing import Any

from derivations.kernels.lowering.operations import added, multiple
from derivations.kernels.program import Operation, Program, Statement, Value

ENTRY = "entry"
Position = tuple[str, ...]


def without_matrices(program: Program) -> Program:
    """Return the program with arrays for matrices; a program without matrices is returned as it is."""
    if not any(value.kind == "matrix" for value in (*program.inputs, *program.returns)):
        return program
    return _Loops(program).program()


class _Loops:
    """Statements in the place of those of one program, with new names for what lies between."""

    def __init__(self, program: Program) -> None:
        self.old = program
        self.joined: dict[str, tuple[str, ...]] = dict(program.joined)
        self.taken = {*program.sizes, *(v.name for v in (*program.inputs, *program.returns)), ENTRY}
        self.taken |= {name for s in program.body for name in (s[1] if s[0] == "matrix" else (s[1],))}

    def program(self) -> Program:
        body = tuple(new for old in self.old.body for new in self.statement(old))
        made = tuple(replace(value, axes=self.sizes(value.axes)) for value in map(_array, self.old.returns))
        return Program(tuple(map(_array, self.old.inputs)), body, made, self.joined)

    def new(self, letter: str) -> str:
        name = next(name for k in count() if (name := f"{letter}{k}") not in self.taken)
        self.taken.add(name)
        return name

    def sizes(self, axes: Sequence[str]) -> tuple[str, ...]:
        return tuple(self.size(axis.split(" + ")) for axis in axes)

    def size(self, parts: Sequence[str]) -> str:
        """The name of the size of parts beside each other."""
        if len(parts) == 1:
            return parts[0]
        for name, known in self.joined.items():
            if known == tuple(parts):
                return name
        name = self.new("n")
        self.joined[name] = tuple(parts)
        return name

    # --- statements ---------------------------------------------------------------------------------------------------

    def statement(self, statement: Statement) -> Iterator[Statement]:
        if statement[0] != "matrix":
            yield statement
            return
        _, names, heights, widths, (kind, rows, *time) = statement
        if kind == "blocks" and len(names) == len(rows) * len(rows[0]):
            for name, words in zip(names, (words for row in rows for words in row), strict=True):
                yield from self.filled(name, ((words,),), words[:1], words[1:2])
            return
        if kind == "blocks":
            yield from self.filled(names[0], rows, heights, widths)
            return
        only, *others = names
        whole, found = self.new("m"), self.new("m") if others else only
        n = self.size(heights)
        yield from self.filled(whole, rows, heights, widths)
        yield ("new", found, (n, n))
        if kind == "diagonal_exponential":
            yield self.over(n, n, lambda i, k: self.diagonal(found, whole, i, k))
        else:
            yield ("library", kind, found, n, (whole, *time))
        if others:
            yield from self.cut(names, found, heights, widths)

    def over(self, rows: str, columns: str, inner: Any) -> Statement:
        i, k = self.indices()
        return ("for", ((i, rows), (k, columns)), tuple(inner(i, k)))

    def indices(self) -> tuple[str, str]:
        free = [name for name in ("i", "j", "k", "l", "i_", "j_", "k_", "l_") if name not in self.taken]
        return free[0], free[1]

    def diagonal(self, target: str, source: str, i: str, k: str) -> Iterator[Statement]:
        yield _assigned(ENTRY, ("q", "0"))
        yield ("if", ((i, k),), (_assigned(ENTRY, ("exp", _at(source, (i,), (i,)))),))
        yield _stored(target, (i,), (k,), ("s", ENTRY))

    def cut(
        self, names: Sequence[str], whole: str, heights: Sequence[str], widths: Sequence[str]
    ) -> Iterator[Statement]:
        places = [(r, c) for r in range(len(heights)) for c in range(len(widths))]
        for name, (r, c) in zip(names, places, strict=True):
            yield ("new", name, (heights[r], widths[c]))
            above, left = tuple(heights[:r]), tuple(widths[:c])
            yield self.over(
                heights[r],
                widths[c],
                lambda i, k, n=name, a=above, b=left: [_stored(n, (i,), (k,), _at(whole, (*a, i), (*b, k)))],
            )

    def filled(
        self, target: str, rows: Sequence[Sequence[Any]], heights: Sequence[str], widths: Sequence[str]
    ) -> Iterator[Statement]:
        """A matrix of blocks, entry by entry."""
        lines: list[Statement] = []
        for r, row in enumerate(rows):
            for c, words in enumerate(row):
                terms = []
                for coefficient, numbers, factors in words[2]:
                    name = yield from self.product(factors)
                    terms.append((coefficient, numbers, name))
                above, left = tuple(heights[:r]), tuple(widths[:c])
                lines.append(
                    self.over(
                        heights[r],
                        widths[c],
                        lambda i, k, t=terms, a=above, b=left: self.summed(target, t, (*a, i), (*b, k)),
                    )
                )
        yield ("new", target, (self.size(heights), self.size(widths)))
        yield from lines

    def summed(self, target: str, terms: Sequence[Any], row: Position, column: Position) -> Iterator[Statement]:
        """One entry: multiples of entries, and of the identity on the diagonal."""
        i, k = row[-1], column[-1]
        parts = [_scaled(c, numbers, _turned(name, i, k)) for c, numbers, name in terms if name]
        ones = [_scaled(c, numbers) for c, numbers, name in terms if not name]
        value = added(parts)
        if ones:
            yield _assigned(ENTRY, value)
            yield ("if", ((i, k),), (_assigned(ENTRY, ("+", ("s", ENTRY), *ones)),))
            value = ("s", ENTRY)
        yield _stored(target, row, column, value)

    def product(self, factors: Sequence[str]) -> Generator[Statement, None, str]:
        """The name of a product, which further statements compute; "" for the identity."""
        if not factors:
            return ""
        product = factors[0]
        for factor in factors[1:]:
            made = self.new("m")
            rows, inner, columns = self.shape(product)[0], self.shape(product)[1], self.shape(factor)[1]
            yield ("new", made, (rows, columns))
            i, k = self.indices()
            along = self.new("s")
            pair = (_turned(product, i, along), _turned(factor, along, k))
            term = ("sum", ENTRY, ((along, inner),), ("*", "1", pair, ()))
            yield ("for", ((i, rows), (k, columns)), (term, _stored(made, (i,), (k,), ("s", ENTRY))))
            self.shapes[made] = (rows, columns)
            product = made
        return product

    @property
    def shapes(self) -> dict[str, tuple[str, str]]:
        """The rows and columns of every matrix by name."""
        if not hasattr(self, "_shapes"):
            known = {value.name: value.axes for value in self.old.inputs if value.axes}
            for statement in self.old.body:
                if statement[0] == "matrix":
                    _, names, heights, widths, _value = statement
                    cut = [(h, w) for h in heights for w in widths]
                    whole = (self.size(heights), self.size(widths))
                    known |= dict(zip(names, cut if len(names) == len(cut) else [whole], strict=True))
            self._shapes: dict[str, Any] = known
        return self._shapes

    def shape(self, factor: str) -> tuple[str, str]:
        rows, columns = self.shapes[factor.removesuffix("'")]
        return (columns, rows) if factor.endswith("'") else (rows, columns)


def _array(value: Value) -> Value:
    return replace(value, kind="array") if value.kind == "matrix" else value


def _assigned(name: str, value: Operation) -> Statement:
    return ("=", name, ((None, value),))


def _stored(name: str, row: Position, column: Position, value: Operation) -> Statement:
    return ("store", name, (row, column), value)


def _at(name: str, row: Position, column: Position) -> Operation:
    return ("at", name, (row, column))


def _turned(factor: str, i: str, k: str) -> Operation:
    """An entry of a matrix, or of a transposed one."""
    return _at(factor[:-1], (k,), (i,)) if factor.endswith("'") else _at(factor, (i,), (k,))


def _scaled(coefficient: str, numbers: Sequence[str], *entry: Operation) -> Operation:
    return multiple(Fraction(coefficient), [*(("s", name) for name in numbers), *entry])
