"""The values of trees in one kind of values: letters mean what the record of an entry says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from derivations.recheck.core.errors import Rejected
from derivations.recheck.reader.parse import Tree

METHODS = {"^": "power", "dt": "derivative", "partial": "gradient"}
BY_PARTS = frozenset((*METHODS, "letter", "call", "sum", "matrix"))  # not computed from the values of their parts


class NoMeaning(Rejected):
    """A letter has no meaning, which a left side need not have."""


class Meaning:
    """The meaning of the letters and signs of one formula ."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        self.record, self.upper = record, True
        self.letters, self.functions = record["letters"], record["functions"]

    def sides(self, tree: Tree) -> list[Any]:
        """A side as values, of which most sides have one."""
        return [self.value(tree)]

    def value(self, tree: Tree) -> Any:
        head, parts = str(tree[0]), tree[1:]
        if head == "number":
            return self.number(Fraction(parts[0]))
        if head in ("pm", "mp"):
            return self.number(Fraction(1 if self.upper == (head == "pm") else -1))
        if head in BY_PARTS:
            return getattr(self, METHODS.get(head, head))(*parts)
        return self.made(head, [self.value(part) for part in parts])

    def number(self, value: Fraction) -> Any:
        raise NotImplementedError

    def made(self, head: str, values: list[Any]) -> Any:
        raise NotImplementedError

    def meant(self, spelling: str) -> Any:
        """Return what the record says of a letter."""
        if self.letters.get(spelling, ("", None))[1] is None:
            raise NoMeaning(f"the record of the entry does not say what {spelling} means")
        return self.letters[spelling][1]

    def name(self, spelling: str) -> str:
        return str(self.letters[spelling][0]) if spelling in self.letters else spelling


def parts_of(formula: Any) -> Iterator[Any]:
    """A formula or a tree with all that stand in it."""
    if isinstance(formula, tuple):
        if formula and isinstance(formula[0], str):
            yield formula
        for part in formula:
            yield from parts_of(part)
