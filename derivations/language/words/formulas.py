"""Formulas about words as data: what there is, and how they are read.

("L", name)                         a letter
("q", "p/q"), ("I", D), ("0", D, D) a number, an identity matrix, a zero matrix; D is a dimension's name or 1
("+", F, ...), ("@", F, ...)        sums, and products of matrices
("*", F, ..., F)                    products in which all factors but one are 1x1
("^", F, k)                         a power of a square matrix, k > 1
("T", F), ("tr", F), ("norm2", F)   the transpose, the trace, and the sum of the squares of all entries
("along", F, ((name, F), ...))      the derivative by time while letters move at these rates
("gradient", F, name)               the partial derivatives of a 1x1 formula by the entries of a letter
("at", F, ((name, F), ...))         the formula with letters replaced by others, all at once
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import reduce
from operator import add, matmul, mul
from typing import Any

from derivations.language.words.algebra import ShapeError, by
from derivations.language.words.calculus import along, gradient, substitute
from derivations.language.words.core import (
    Formula,
    Letter,
    Words,
    as_json,
    identity,
    norm2,
    number,
    trace,
    zero,
)

Json = dict[str, Any]


class Reader:
    """Formulas over declared letters, read from data; what does not fit raises ShapeError."""

    def __init__(self, declared: Mapping[str, Json]) -> None:
        self.declared = declared
        self.letters: dict[str, Letter] = {}
        self.read_before: dict[Any, Words] = {}
        for name in declared:
            self.letter(name, ())

    def letter(self, name: str, path: tuple[str, ...] = ()) -> Letter:
        """A declared letter, made after the letters that its declaration mentions."""
        if name in path:
            raise ShapeError(f"the letter {name} is defined by itself: {' -> '.join([*path, name])}")
        if name not in self.letters:
            if name not in self.declared:
                raise ShapeError(f"the letter {name} is not declared")
            data = dict(self.declared[name])
            for other in [n for link in ("inverse_of", "equals") if link in data for n in mentioned(data[link])]:
                self.letter(other, (*path, name))
            links: dict[str, Any] = {
                link: self.side(data.pop(link)) for link in ("inverse_of", "equals") if link in data
            }
            partners = [self.letter(n, (*path, name)) for n in data.pop("commutes_with", ())]
            rows, cols = data.pop("rows"), data.pop("cols")
            self.letters[name] = Letter(name, rows, cols, **data, **links, commutes_with=partners)
        return self.letters[name]

    def side(self, data: Json) -> Words:
        """A side of an equation, of the shape that it says it has."""
        words = self.read(_tuples(data["formula"]))
        if words.shape != tuple(data["shape"]):
            raise ShapeError(f"({words!r}) is {by(words.shape)}, but is said to be {by(data['shape'])}")
        return words

    def read(self, formula: Formula) -> Words:
        """The formula that some data describe."""
        if formula not in self.read_before:
            self.read_before[formula] = self._read(formula)
        return self.read_before[formula]

    def _read(self, formula: Formula) -> Words:
        head, *parts = formula
        match head:
            case "L":
                return self.letter(parts[0])
            case "q":
                return number(Fraction(parts[0]))
            case "I":
                return identity(parts[0])
            case "0":
                return zero(*parts)
            case "+":
                return reduce(add, map(self.read, parts))
            case "@":
                return reduce(matmul, map(self.read, parts))
            case "*":
                return reduce(mul, map(self.read, parts))
            case "^":
                return self.read(parts[0]) ** int(parts[1])
            case "T":
                return self.read(parts[0]).T
            case "tr":
                return trace(self.read(parts[0]))
            case "norm2":
                return norm2(self.read(parts[0]))
            case "along":
                return along(self.read(parts[0]), self._table(parts[1]))
            case "gradient":
                return gradient(self.read(parts[0]), self.letter(parts[1]))
            case "at":
                return substitute(self.read(parts[0]), self._table(parts[1]))
        raise ShapeError(f"no formula about matrices begins with {head!r}")

    def _table(self, pairs: Any) -> dict[Letter, Words]:
        return {self.letter(name): self.read(formula) for name, formula in pairs}


def same(shape: Any, other: Any, what: str) -> None:
    """Two shapes that must agree."""
    if tuple(shape) != tuple(other):
        raise ShapeError(f"{what} have the shapes {by(shape)} and {by(other)}: they must agree")


def _tuples(data: Any) -> Any:
    return tuple(map(_tuples, data)) if isinstance(data, list | tuple) else data


def in_normal_form(statement: Any) -> Any:
    """A statement with all others inside it, where sides about matrices are polynomials in normal form.

    >>> A = Letter("A", "n", "n")
    >>> side = {"shape": ["n", "n"], "formula": ("+", ("L", "A"), ("L", "A"))}
    >>> given = {"kind": "words", "letters": {"A": A.declared()}, "rules": [], "left": side, "right": side}
    >>> in_normal_form(given)["left"]
    {'shape': ['n', 'n'], 'terms': [['2', [], ['A']]]}
    """
    if isinstance(statement, list | tuple):
        return [in_normal_form(part) for part in statement]
    if not isinstance(statement, dict):
        return statement
    if statement.get("kind") != "words":
        return {key: in_normal_form(part) for key, part in statement.items()}
    reader = Reader(statement["letters"])
    sides = {side: as_json(reader.side(statement[side])) for side in ("left", "right")}
    rules = [{**r, **{k: as_json(reader.side(r[k])) for k in ("left", "right")}} for r in statement["rules"]]
    return {**statement, **sides, "rules": rules}


def needed(reader: Reader, words: Iterable[Words]) -> set[str]:
    """The letters whose values a statement about these words needs.

    Letters that cancel are left out, unless not every size of matrices has some that are what they are declared to be.
    """
    names: set[str] = set()
    waiting = [x for w in words for x in w.letters.values()] + list(filter(_is_special, reader.letters.values()))
    while waiting:
        letter = waiting.pop()
        if letter.name not in names:
            names.add(letter.name)
            waiting += [x for part in letter.related() for x in (*part.letters.values(), *part.mentioned.values())]
    return names


def _is_special(letter: Letter) -> bool:
    return letter.orthonormal_columns or bool(letter.related())


def sizes_in(side: Json) -> set[str]:
    """The names of the dimensions that a side writes out: its shape, identity matrices and their traces."""
    found = set(side["shape"])
    for head, *parts in parts_of(side["formula"]):
        if head in ("I", "0"):
            found |= {*parts}
    return {str(size) for size in found if size != 1}


def mentioned(side: Json) -> set[str]:
    """The letters that stand anywhere in a side."""
    return {name for part in parts_of(side["formula"]) for name in _named(part)}


def parts_of(formula: Formula) -> list[Formula]:
    """A formula and all formulas inside it."""
    found = []
    waiting = [formula]
    while waiting:
        part = waiting.pop()
        found.append(part)
        waiting.extend(inside(part))
    return found


def inside(formula: Formula) -> list[Formula]:
    """The formulas of which a formula is made."""
    head, *parts = formula
    match head:
        case "+" | "@" | "*" | "T" | "tr" | "norm2":
            return list(parts)
        case "^" | "gradient":
            return list(parts[:1])
        case "along" | "at":
            return [parts[0], *(value for _, value in parts[1])]
    return []


def _named(formula: Formula) -> set[str]:
    head, *parts = formula
    match head:
        case "L":
            return {parts[0]}
        case "gradient":
            return {parts[1]}
        case "along" | "at":
            return {name for name, _ in parts[1]}
    return set()
