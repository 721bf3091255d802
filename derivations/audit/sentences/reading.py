"""The value of a formula of a sentence where the letters of a statement have values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from typing import Any

from flint import arb, arb_mat

from derivations.audit.sentences.formula import Tree
from derivations.audit.sentences.matrices import of_matrices, value_of
from derivations.audit.sentences.numbers import Terms, of_numbers
from derivations.audit.sentences.values import (
    TROUBLE,
    Missing,
    Setting,
    Value,
    ball,
    norm2,
    plain,
    product,
    trace,
    transposed,
)


def settings(statement: Any) -> list[list[Setting]]:
    """For each elementary part of a statement: its settings at a few points; none where none is found."""
    made = (list(of_matrices(part) if "letters" in part else of_numbers(part)) for part in elementary(statement))
    return [group for group in made if group]


def elementary(statement: Any) -> Iterator[Any]:
    """The statements inside that have letters of their own, what theorems need and conclude among them."""
    if isinstance(statement, dict):
        if "symbols" in statement or "letters" in statement:
            yield statement
            return
        statement = [statement[key] for key in sorted(statement)]
    if isinstance(statement, list | tuple):
        for part in statement:
            yield from elementary(part)


def value_in(setting: Setting, tree: Tree, meanings: Mapping[Tree, Tree]) -> Value:
    """The value of a sentence's formula; `meanings` are what formulas stand for. Raises `Missing`."""
    try:
        return _Reading(setting.letters, meanings).value(tree)
    except (*TROUBLE, RecursionError) as trouble:
        raise Missing(str(trouble)) from None


class _Reading:
    def __init__(self, letters: Mapping[str, Value], meanings: Mapping[Tree, Tree]) -> None:
        self.letters, self.meanings = letters, meanings

    def value(self, tree: Tree) -> Value:
        """The value by the letters of the statement, or else by what the formula stands for."""
        try:
            return self._value(tree)
        except Missing:
            if self.meanings.get(tree, tree) == tree:
                raise
            return self.value(self.meanings[tree])

    def _value(self, tree: Tree) -> Value:
        head, *parts = tree
        match head:
            case "stands for":
                return _first(parts, self.letters)
            case "number":
                return ball(parts[0])
            case "name":
                return self._named(parts[0])
            case "at":
                return self._at(*parts)
            case "^":
                return self._power(*parts)
            case "entries" | "diag" | "rate":
                raise Missing
        return _applied(head, [self.value(part) for part in parts])

    def _named(self, name: str) -> Value:
        if name in self.letters:
            return self.letters[name]
        for known in sorted(self.letters):
            if name == known.replace("_", ""):
                return self.letters[known]
        if name == "pi":
            return arb.pi()
        raise Missing(name)

    def _at(self, name: str, time: str) -> Value:
        """The value at a time, or of a letter for it."""
        for letter in (f"{name}0", f"{name}_0", f"{name}_start") if time == "0" else (f"{name}_t",):
            if letter in self.letters:
                return self.letters[letter]
        return self.value(("name", name))

    def _power(self, base: Tree, exponent: Tree) -> Value:
        if base == ("name", "e") and "e" not in self.letters:
            return self.value(exponent).exp()
        e = plain(self.value(exponent))
        if base[0] == "norm" and isinstance(value := self.value(base[1]), arb_mat):
            return norm2(value) ** (e / 2)
        value = self.value(base)
        whole = int(e.unique_fmpz()) if e.is_integer() else None
        if not isinstance(value, arb_mat):
            return value ** (e if whole is None else whole)
        if not whole:
            raise Missing
        return reduce(product, [value if whole > 0 else value.inv()] * abs(whole))


def _first(formulas: Iterable[Any], letters: Mapping[str, Value]) -> Value:
    """The value of the first of some formulas, of numbers or of matrices, that has one here."""
    terms = Terms(letters)
    for formula in formulas:
        try:
            return value_of(formula, letters)
        except (*TROUBLE, Missing):
            value = terms.value(formula)
        if value is not None:
            return value
    raise Missing


def _applied(head: str, values: list[Value]) -> Value:
    first = values[0]
    match head:
        case "+":
            return first + values[1]
        case "-":
            return first - values[1]
        case "neg":
            return -1 * first
        case "*":
            return product(*values)
        case "/":
            return product(first, 1 / plain(values[1]))
        case "norm":
            return norm2(first).sqrt() if isinstance(first, arb_mat) else abs(first)
        case "T" | "tr":
            return transposed(first) if head == "T" else trace(first)
        case "max" | "min":
            return getattr(plain(first), head)(plain(values[1]))
    return getattr(plain(first), "log" if head == "ln" else head)()
