"""Statements about matrices, at random ones that are what their letters are declared to be."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import reduce
from operator import add
from typing import Any

from flint import arb, arb_mat, fmpq

from derivations.audit.sentences.values import (
    BITS,
    TROUBLE,
    Missing,
    Setting,
    Value,
    ball,
    norm2,
    plain,
    product,
    together,
    trace,
    transposed,
)
from derivations.language.evaluate import precision
from derivations.language.terms import as_tuples

SIZE, DRAWS, NEGATIVE = 3, 2, 0.4
UNSEEN = ("among", "letters")  # instances, and declarations
LEAVES = ("L", "q", "I", "0")
HEADS = frozenset((*LEAVES, "+", "*", "@", "^", "T", "tr", "norm2", "along", "gradient", "at"))


def of_matrices(part: Any) -> Iterator[Setting]:
    """A statement about matrices of three rows and columns, at a few of them; none where a declaration has none."""
    for seed in range(DRAWS):
        with precision(BITS):
            try:
                letters = _Letters(part["letters"], random.Random(f"sentences:{seed}")).values
            except (*TROUBLE, Missing, RecursionError):
                return
            setting = Setting(letters)
            for key, value in part.items():
                if key not in UNSEEN:
                    _note(as_tuples(value), setting)
            setting.relations += _relations(part, letters)
        yield setting


def _relations(part: Any, letters: Mapping[str, Value]) -> Iterator[tuple[str, Value, Value]]:
    """The relations that a statement concludes or supposes, where both sides have values."""
    for said in (*part.get("rules", ()), part):
        try:
            left, right = (value_of(as_tuples(said[side]["formula"]), letters) for side in ("left", "right"))
        except (*TROUBLE, Missing):
            continue
        yield said.get("relation", "="), left, right


class _Letters:
    """Matrices for declared letters: symmetric, diagonal, inverses and abbreviations are what they are said to be."""

    def __init__(self, declared: Mapping[str, Any], rng: random.Random) -> None:
        self.declared, self.rng = declared, rng
        self.values: dict[str, Value] = {}
        for name in sorted(declared):  # a ledger may sort them or not
            self._make(name)

    def _make(self, name: str) -> None:
        if name in self.values:
            return
        data = self.declared[name]
        link = next((key for key in ("inverse_of", "equals") if key in data), "")
        if not link:
            self.values[name] = self._drawn(data)
            return
        formula = as_tuples(data[link]["formula"])
        for other in _letters_in(formula):
            self._make(other)
        value = value_of(formula, self.values)
        if link == "inverse_of":
            value = value.inv() if isinstance(value, arb_mat) else 1 / value
        self.values[name] = plain(value)

    def _drawn(self, data: Mapping[str, Any]) -> Value:
        rows, cols = _size(data["rows"]), _size(data["cols"])
        is_number = bool(data.get("positive")) or rows == cols == 1
        entries = [[self._entry(is_number) for _ in range(cols)] for _ in range(rows)]
        if data.get("diagonal"):
            entries = [[x if i == j else arb(0) for j, x in enumerate(row)] for i, row in enumerate(entries)]
        value = arb_mat(entries)
        return plain(value + value.transpose() if data.get("symmetric") else value)

    def _entry(self, is_positive: bool) -> Value:
        value = arb(fmpq(self.rng.randrange(100, 999), 97))
        return value if is_positive or self.rng.random() > NEGATIVE else -value


def _size(size: Any) -> int:
    return 1 if size == 1 else SIZE


def _letters_in(formula: Any) -> Iterator[str]:
    if formula[0] == "L":
        yield formula[1]
    elif formula[0] not in LEAVES:
        for part in filter(_is_formula, formula[1:]):
            yield from _letters_in(part)


def _is_formula(data: Any) -> bool:
    return isinstance(data, tuple) and bool(data) and isinstance(data[0], str) and data[0] in HEADS


def value_of(formula: Any, letters: Mapping[str, Value]) -> Value:
    """The value of a formula about matrices; derivatives have none here."""
    head, *parts = formula
    match head:
        case "L":
            if parts[0] not in letters:
                raise Missing(parts[0])
            return letters[parts[0]]
        case "q":
            return ball(Fraction(parts[0]))
        case "I":
            size = _size(parts[0])
            return plain(arb_mat([[int(i == j) for j in range(size)] for i in range(size)]))
        case "0":
            return plain(arb_mat(_size(parts[0]), _size(parts[1])))
        case "^":
            return reduce(product, [value_of(parts[0], letters)] * int(parts[1]))
        case "at":
            return value_of(parts[0], {**letters, **{name: value_of(other, letters) for name, other in parts[1]}})
        case "+" | "@" | "*":
            return reduce(add if head == "+" else product, [value_of(part, letters) for part in parts])
        case "T" | "tr" | "norm2":
            return {"T": transposed, "tr": trace, "norm2": norm2}[head](value_of(parts[0], letters))
    raise Missing(head)


def _note(data: Any, setting: Setting) -> None:
    """Notes the values of all formulas in data, of their parts, and of what stands together in them."""
    if isinstance(data, dict):
        data = tuple(map(as_tuples, data.values()))
    if not isinstance(data, tuple):
        return
    if _is_formula(data):
        if data[0] == "q":
            setting.numbers.add(Fraction(data[1]))
        try:
            setting.parts.append(value_of(data, setting.letters))
            setting.parts += _inside(data, setting.letters)
        except (*TROUBLE, Missing):
            pass
        if data[0] in LEAVES:
            return
    for part in data:
        _note(part, setting)


def _inside(formula: Any, letters: Mapping[str, Value]) -> Iterator[Value]:
    """Compute what neighbours in a product of matrices, and some terms of a sum, come to."""
    head, *parts = formula
    values = [value_of(part, letters) for part in parts] if head in ("@", "+", "*") else []
    if head == "@":
        for first in range(len(values)):
            for last in range(first + 2, len(values) + 1):
                yield reduce(product, values[first:last])
    else:
        yield from together(values, head)
