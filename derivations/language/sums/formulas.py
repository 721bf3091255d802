"""Formulas about sums as data: what there is, and how they are read.

("A", array, index, ...), ("delta", index, index), ("size", range), ("q", "p/q")
("+", F, ...), ("*", F, ...), ("^", F, k)       sums, products, and powers with k > 1
("sum", F, index, range)                        F summed over an index, whose name means nothing outside
("derivative", F, ((array, (index, ...), F), ...))  the derivative of F while the entries of these arrays, at these
                                                indices, move at these rates
("terms", (coefficient, (range, ...), (factor, ...)), ...)  a polynomial in normal form
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import reduce
from operator import add, mul
from typing import Any

from derivations.language.polynomials import add_to
from derivations.language.sums import (
    Array,
    Formula,
    Index,
    MisfitError,
    Range,
    Sums,
    as_json,
    delta,
    derivative,
    number,
    size,
    total,
)
from derivations.language.sums.algebra import Polynomial, normal, polynomial, replaced

Json = Any


class Reader:
    """Formulas over declared arrays, read from data; what does not fit raises MisfitError."""

    def __init__(self, arrays: Mapping[str, Json]) -> None:
        self.arrays = {
            name: Array(name, *map(Range, data["ranges"]), symmetric="symmetric" in data)
            for name, data in arrays.items()
        }

    def side(self, data: Json, free: Mapping[str, str]) -> Sums:
        """A side of an equation, with its free indices and their ranges."""
        known = {name: Index(name, Range(of)) for name, of in free.items()}
        formula = data["formula"] if isinstance(data, dict) else ("terms", *data)
        return self.read(formula, known)

    def read(self, formula: Formula, known: Mapping[str, Index]) -> Sums:
        head, *parts = formula
        match head:
            case "A":
                return self._array(parts[0])[tuple(_known(known, name) for name in parts[1:])]
            case "delta":
                return delta(_known(known, parts[0]), _known(known, parts[1]))
            case "size":
                return size(Range(parts[0]))
            case "q":
                return number(Fraction(parts[0]))
            case "+":
                return reduce(add, (self.read(part, known) for part in parts))
            case "*":
                return reduce(mul, (self.read(part, known) for part in parts))
            case "^":
                return self.read(parts[0], known) ** int(parts[1])
            case "sum":
                index = Index(parts[1], Range(parts[2]))
                return total(self.read(parts[0], {**known, index.name: index}), index)
            case "derivative":
                rates = {self._array(name): self._rate(name, at, rate, known) for name, at, rate in parts[1]}
                return derivative(self.read(parts[0], known), rates)
            case "terms":
                symmetric = frozenset(name for name, array in self.arrays.items() if array.symmetric)
                ranges = {name: index.range for name, index in known.items()}
                return Sums(polynomial(parts, symmetric), ranges, self.arrays)
        raise MisfitError(f"no formula about sums begins with {head!r}")

    def _array(self, name: str) -> Array:
        if name not in self.arrays:
            raise MisfitError(f"the array {name} is not declared")
        return self.arrays[name]

    def _rate(self, array: str, at: Any, formula: Formula, known: Mapping[str, Index]) -> Any:
        """The rate of an entry as a function of its indices."""
        ranges = self._array(array).ranges
        places = {name: Index(name, of) for name, of in zip(at, ranges, strict=True)}
        rate = self.read(formula, {**known, **places})

        def of_entry(*indices: Index) -> Sums:
            moved = {name: index.name for name, index in zip(at, indices, strict=True)}
            symmetric = frozenset(name for name, x in rate.arrays.items() if x.symmetric)
            terms: Polynomial = {}
            for (bound, factors), c in rate.terms.items():
                add_to(terms, {normal(bound, [replaced(f, moved) for f in factors], symmetric): c})
            free = {name: of for name, of in rate.mentioned_indices.items() if name not in places}
            return Sums(terms, {**free, **{i.name: i.range for i in indices}}, rate.mentioned_arrays)

        return of_entry


def _known(known: Mapping[str, Index], name: str) -> Index:
    if name not in known:
        raise MisfitError(f"the index {name} is neither free nor summed over")
    return known[name]


def in_normal_form(statement: Any) -> Any:
    """A statement with all others inside it, where sides about sums are polynomials in normal form.

    >>> side = {"formula": ("+", ("A", "g", "k"), ("A", "g", "k"))}
    >>> given = {"kind": "sums", "arrays": {"g": {"ranges": ["K"]}}, "free": {"k": "K"}, "rules": [], "left": side}
    >>> in_normal_form({**given, "right": []})["left"]
    [['2', [], [['g', 'k']]]]
    """
    if isinstance(statement, list | tuple):
        return [in_normal_form(part) for part in statement]
    if not isinstance(statement, dict):
        return statement
    if statement.get("kind") != "sums":
        return {key: in_normal_form(part) for key, part in statement.items()}
    reader = Reader(statement["arrays"])

    def normalised(part: Json) -> Json:
        return {**part, **{k: as_json(reader.side(part[k], part["free"])) for k in ("left", "right")}}

    return {**normalised(statement), "rules": [normalised(rule) for rule in statement["rules"]]}
