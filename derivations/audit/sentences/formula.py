"""A formula of a sentence as a tree: names beside each other are a product, as on paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from derivations.audit.sentences.pieces import FUNCTIONS, RELATIONS
from derivations.text import DerivationError

Tree = tuple[Any, ...]


class NoFormula(DerivationError):
    """Signs that cannot be read as one formula."""


def relations(texts: Sequence[str]) -> tuple[list[Tree], list[str]]:
    """The sides of a chain of relations, and the signs between them.

    >>> relations(["a", "=", "2", "b", "/", "c"])
    ([('name', 'a'), ('/', ('*', ('number', Fraction(2, 1)), ('name', 'b')), ('name', 'c'))], ['='])
    """
    sides: list[list[str]] = [[]]
    signs: list[str] = []
    depth = 0
    for text in texts:
        depth += (text in ("(", "[")) - (text in (")", "]"))
        if text in RELATIONS and depth == 0:
            signs.append(text)
            sides.append([])
        else:
            sides[-1].append(text)
    return [_Parser(side).whole() for side in sides], signs


class _Parser:
    def __init__(self, texts: Sequence[str]) -> None:
        self.texts, self.at, self.bars = texts, 0, 0

    def whole(self) -> Tree:
        tree = self.sum()
        if self.at < len(self.texts):
            raise NoFormula(self.texts[self.at])
        return tree

    @property
    def next(self) -> str:
        return self.texts[self.at] if self.at < len(self.texts) else ""

    def take(self, expected: str = "") -> str:
        text = self.next
        if not text or (expected and text != expected):
            raise NoFormula(expected)
        self.at += 1
        return text

    def sum(self) -> Tree:
        tree = self.product()
        while self.next in ("+", "-"):
            tree = (self.take(), tree, self.product())
        return tree

    def product(self) -> Tree:
        if self.next in ("+", "-"):
            return self.product() if self.take() == "+" else ("neg", self.product())
        tree = self.power()
        while self._goes_on():
            if self.next == "/":
                self.take()
                tree = ("/", tree, self.power())
            else:
                if self.next == "*":
                    self.take()
                tree = ("*", tree, self.power())
        return tree

    def _goes_on(self) -> bool:
        text = self.next
        if text == "|":
            return self.bars == 0
        return bool(text) and (text in ("*", "/", "(", "[") or text[0].isalnum())

    def power(self) -> Tree:
        tree = self.base()
        while self.next in ("^", "'"):
            if self.take() == "'":
                tree = ("T", tree)
                continue
            sign = self.take() if self.next == "-" else ""
            if self.next == "T" and (sign or self.texts[self.at - 1] == "^"):
                self.take()
                tree = ("T", ("^", tree, ("number", Fraction(-1))) if sign else tree)
                continue
            exponent = self.base()
            tree = ("^", tree, ("neg", exponent) if sign else exponent)
        return tree

    def base(self) -> Tree:
        text = self.take()
        if text[0].isdigit():
            return ("number", Fraction(text))
        if text == "(":
            return self._bracket(")")
        if text == "[":
            return ("entries", *self._listed("]"))
        if text == "|":
            self.bars += 1
            inner = self.sum()
            self.take("|")
            self.bars -= 1
            return ("norm", inner)
        if not text[0].isalpha():
            raise NoFormula(text)
        if text in FUNCTIONS:
            return self._function(text)
        name = text.rstrip("'")
        if self.next == "(" and self.at + 2 < len(self.texts) and self.texts[self.at + 2] == ")":
            argument = self.texts[self.at + 1]
            if argument in ("0", "t"):
                self.at += 3
                tree: Tree = ("at", name, argument)
                return ("T", tree) if text != name else tree
        if text == "d" and self.next in ("(", "|"):
            return ("rate", self.power())
        tree = ("name", name)
        for _ in range(len(text) - len(name)):
            tree = ("T", tree)
        return tree

    def _function(self, text: str) -> Tree:
        if self.next == "(":
            self.take()
            return (text, *self._listed(")"))
        return (text, self.power())

    def _bracket(self, closing: str) -> Tree:
        parts = list(self._listed(closing))
        return parts[0] if len(parts) == 1 else ("entries", *parts)

    def _listed(self, closing: str) -> Iterator[Tree]:
        bars, self.bars = self.bars, 0
        while True:
            yield self.sum()
            if self.take() in (",", ";"):
                continue
            self.at -= 1
            self.take(closing)
            self.bars = bars
            return
