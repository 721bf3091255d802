"""What trees come to in one kind of values, and what a record of a statement says in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from flint import fmpq

from derivations.recheck.core.errors import Rejected
from derivations.recheck.reader.parse import Tree

SUPPOSED = frozenset(("assuming", "symbols", "squares", "letters", "arrays", "flow", "start", "rules", "among"))
METHODS = {"^": "power", "dt": "derivative", "partial": "gradient"}
Given = tuple[str, Any, Any]
Operation = Callable[..., Any]


class NoMeaning(Rejected):
    """A letter has no meaning, which a left side need not have."""


class Facts(NamedTuple):
    """What a record says: relations of its sides, its hypotheses, what letters are, which ones, and what it asserts."""

    leaves: list[Given]
    given: list[Given]
    named: list[tuple[Any, Any]]
    defined: set[str]
    said: list[Any]


class Meaning:
    """What the letters and signs of one formula mean beside one record of a statement."""

    # values of numbers, letters, signs and operators
    number: Operation
    letter: Operation
    plus: Operation
    product: Operation
    inverse: Operation
    applied: Operation
    same: Operation
    names: Operation  # what stands in a value
    # what the record says: letters by name, its formulas as values, and the parts that it consists of
    own: Operation
    item: Operation
    is_side: Operation
    hypotheses: Operation
    put_in: Operation
    asserted: Operation

    def __init__(self, record: Mapping[str, Any], said: Mapping[str, Any]) -> None:
        self.record, self.said, self.upper = record, said, True
        self.letters, self.functions = record["letters"], record["functions"]

    def sides(self, tree: Tree) -> list[Any]:
        """A side as values, of which most sides have one."""
        return [self.value(tree)]

    def value(self, tree: Tree) -> Any:
        head, parts = str(tree[0]), tree[1:]
        match head:
            case "number":
                whole, _, digits = parts[0].partition(".")
                return self.number(fmpq(int(whole + digits), 10 ** len(digits)))
            case "letter":
                return self.letter(parts[0])
            case "minus":
                return self.product(self.number(fmpq(-1)), self.value(parts[0]))
            case "^" | "dt" | "partial" | "call" | "sum" | "matrix":
                return getattr(self, METHODS.get(head, head))(*parts)
        inner = [self.value(part) for part in parts if isinstance(part, tuple)]
        match head:
            case "+":
                return self.plus(*inner)
            case "*":
                return self.product(*inner)
            case "/":
                return self.product(inner[0], self.inverse(inner[1]))
            case "-" | "pm" | "mp":
                sign = 1 if head != "-" and self.upper == (head == "pm") else -1
                return self.plus(inner[0], self.product(self.number(fmpq(sign)), inner[1]))
        return self.applied(parts[0] if head == "function" else head, inner)

    def meant(self, spelling: str) -> Any:
        """What the record says of a letter."""
        if self.letters.get(spelling, ("", None))[1] is None:
            raise NoMeaning(f"the record of the entry does not say what {spelling} means")
        return self.letters[spelling][1]

    def name(self, spelling: str) -> str:
        return str(self.letters[spelling][0]) if spelling in self.letters else spelling

    @cached_property
    def facts(self) -> Facts:
        said, given = self.said, list(self.hypotheses())
        left, right = (said.get(key) for key in ("left", "right"))
        solved = said["solution"].items() if isinstance(said.get("solution"), dict) else ()
        put = [*solved, *self.put_in()]
        named = [(self.own(name), self.item(value)) for name, value in put]
        named += [(a, b) for order, a, b in given if order == "="]
        is_leaf = self.is_side(left) and self.is_side(right)
        leaves = [(str(said.get("relation", "=")), self.item(left), self.item(right))] if is_leaf else []
        return Facts(leaves, given, named, {name for name, _ in put}, self.asserted())


def parts_of(formula: Any) -> Iterator[Any]:
    """A formula or a tree with all that stand in it."""
    if isinstance(formula, tuple):
        if formula and isinstance(formula[0], str):
            yield formula
        for part in formula:
            yield from parts_of(part)


def put_in(formula: Any) -> Iterator[tuple[str, Any]]:
    """What the substitutions in a formula put in, and for which names."""
    return (pair for part in parts_of(formula) if part[0] == "at" and len(part) == 3 for pair in part[2])
