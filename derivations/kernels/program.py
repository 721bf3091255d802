"""The one form that every kernel is brought to before it is printed or carried out: plain data, the same as JSON.

Operations are nested tuples on numbers:

    ("s", name)  ("q", "3/4")  ("pi",)
    ("at", array, positions)               an entry of an array
    ("size", name)                         how many values an index has, as a number
    ("+", a, b, ...)                       a sum of at least two parts
    ("*", "3/4", (a, ...), (b, ...))       a fraction: coefficient, numerator, denominator
    ("^", a, n)                            a to an integer n >= 2
    ("**", a, b)                           any other power
    ("sqrt", a)  ("cbrt", a)  ("exp", a)   functions of one argument, see CALLS
    (">", a, b)                            a relation: >, >=, = or !=

A position is a tuple of names that are added up: an index, behind the sizes of the parts that stand before its own.
Statements, in the order in which they are carried out:

    ("=", name, cases)                     the value of the first case (condition or None, operation) that holds
    ("for", indices, statements)           once for all values of the indices, pairs (name, size)
    ("sum", name, indices, operation)      the sum over all values of the indices
    ("if", pairs, statements)              where the indices of every pair are equal
    ("new", array, sizes)                  an array to be filled
    ("store", array, positions, operation)
    ("call", kernel, operations, targets)  results of a kernel of numbers, each into (name, positions)
    ("matrix", names, heights, widths, value)   the blocks of a matrix, row by row

and the value of a matrix is one of

    ("blocks", rows)                       rows of words, which stand side by side
    ("inverse", rows)  ("exponential", rows)  ("exponential_integral", rows, time)   of a matrix in blocks
    ("diagonal_exponential", rows)         the same as an exponential, of a diagonal matrix

Words are (rows, columns, terms), a sum of terms (coefficient, numbers, matrices): a fraction as text, names of numbers,
and names of matrices whose product is taken, with ' behind the name of a transposed one. Without matrices the term is a
multiple of the identity. An exponential is of a symmetric matrix; the third value is the integral of e^(A s) over s
from zero to the time.

Equations for people use the same operations and values, and these:

    ("total", indices, operation)          a sum over names of indices
    ("delta", i, k)                        one where two indices are equal, else zero
    ("apply", kernel, operations)          the results of a kernel of numbers
    ("names", (operation, ...))            several left sides
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

Statement = tuple[Any, ...]
Operation = tuple[Any, ...]
CALLS = (
    "exp",
    "expm1",
    "log",
    "sinh",
    "cosh",
    "tanh",
    "sin",
    "cos",
    "erf",
    "asin",
    "abs",
    "relexp",
    "relexp1",
    "sqrt",
    "cbrt",
)
COMPARISONS = frozenset({">", ">=", "=", "!="})


@dataclass(frozen=True)
class Value:
    """An input or output of a program: a number, an array over named ranges, or a matrix of named dimensions.

    The kind is number, array, symmetric (an array of two equal ranges) or matrix; its assumptions are what is declared.
    """

    name: str
    kind: str = "number"
    axes: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()

    @property
    def row(self) -> list[str]:
        return [self.name, self.kind, *self.axes]


@dataclass(frozen=True)
class Line:
    """An equation: what stands on the left is the value of the first case whose condition holds; the last has none.

    Where a line is a statement, its left side is a name.
    """

    name: Any
    cases: tuple[tuple[Operation | None, Any], ...]

    @property
    def statement(self) -> Statement:
        return ("=", self.name, self.cases)


@dataclass(frozen=True)
class Program:
    """Typed inputs, statements, and the names of the results; `joined` lists ranges that consist of others."""

    inputs: tuple[Value, ...]
    body: tuple[Statement, ...]
    returns: tuple[Value, ...]
    joined: Mapping[str, tuple[str, ...]]

    @property
    def data(self) -> dict[str, Any]:
        """The program as it stands in an index, where what it takes and returns stands already."""
        return {"joined": {name: list(parts) for name, parts in self.joined.items()}, "body": list(self.body)}

    @property
    def sha256(self) -> str:
        """The sha256 of what the program takes, computes and returns, as an index has it."""
        rows = {"inputs": [value.row for value in self.inputs], "returns": [value.row for value in self.returns]}
        spelt = json.dumps({**rows, "program": self.data}, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
        return sha256(spelt.encode()).hexdigest()

    @property
    def sizes(self) -> list[str]:
        """The sizes that the inputs tell, in the order in which they appear."""
        return list(dict.fromkeys(axis for value in self.inputs for axis in value.axes if not axis.isdigit()))


def text_of(data: Mapping[str, Any]) -> str:
    """A program as JSON with one line for every statement outside of loops."""
    lines = ",\n".join(f"    {json.dumps(statement, ensure_ascii=False)}" for statement in data["body"])
    return f'{{"joined": {json.dumps(data["joined"])}, "body": [\n{lines}\n   ]}}'


def statements(body: Iterable[Statement]) -> Iterator[Statement]:
    """Every statement, those inside of loops and conditions behind the one that they stand in."""
    for statement in body:
        yield statement
        if statement[0] in ("for", "if"):
            yield from statements(statement[2])
