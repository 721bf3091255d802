"""The normal forms of formulas about matrices and about sums: sums of products of entries in normal form.

The formulas are listed in `derivations/language/words/formulas.py` and `derivations/language/sums/formulas.py`; no code
is shared with them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from typing import Any, NamedTuple

from flint import fmpq

from derivations.recheck.core.budget import spend
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import rational, require, shown
from derivations.recheck.core.shapes import read
from derivations.recheck.core.words.indexed import (
    DELTA,
    ONE,
    RANGE,
    SIZE,
    STEP_WORK,
    Arithmetic,
    Factor,
    Given,
    Sum,
    Term,
    added,
    free,
    scaled,
)

Json = dict[str, Any]
Formula = Any
Size = Any  # the name of a dimension, or 1
Free = Mapping[str, str]  # the indices in scope, with their ranges

NAME, INDEX = re.compile(r"[A-Za-z][A-Za-z0-9_]*"), re.compile(r"[A-Za-z0-9_]+")
ROW, COL, MIDDLE = "<", ">", "|"  # indices that no formula can name
OF_ENTRY = {ROW: "<<", COL: ">>"}  # of the letter by which a gradient is taken
LINKS = ("inverse_of", "equals")
MAX_POWER = 100


class Block(NamedTuple):
    """A matrix: its shape, and a sum over what is not ROW or COL; a number is a 1x1 matrix."""

    rows: Size
    cols: Size
    terms: Sum


def is_number(a: Block) -> bool:
    return (a.rows, a.cols) == (1, 1)


class Values:
    """The matrices and numbers that formulas come to."""

    def __init__(self, letters: Json) -> None:
        read("{matrix|array}", letters, "the letters")
        self.letters, self.ranges = letters, set[str]()
        self.shapes = {name: self._shape(name, data) for name, data in letters.items()}
        self.sums = Arithmetic({name for name in letters if self.symmetric(name) and len(self.shapes[name]) == 2})
        self.known: dict[Any, Block] = {}
        for name, data in letters.items():
            for other in data.get("commutes_with", ()):
                require(self.shapes.get(other) == self.shapes[name], f"{name} cannot commute with {other}")
        _require_grounded(letters)
        for name, data in letters.items():
            for link in set(LINKS) & set(data):
                _same_shape(self.letter(name), self.side(data[link]))

    def _shape(self, name: str, data: Json) -> tuple[Size, ...]:
        require(NAME.fullmatch(name), f"{name!r} cannot name a letter")
        ranges = tuple(data["ranges"]) if "ranges" in data else (data["rows"], data["cols"])
        for size in ranges:
            self.note(size)
        square = {"symmetric", "diagonal", "commutes_with", "inverse_of"} & set(data)
        require(not square or (len(ranges) == 2 and ranges[0] == ranges[1]), f"{name} is not square, but declared so")
        require(ranges == (1, 1) or not {"positive", "nonzero"} & set(data), f"{name} is no number, but has a sign")
        return ranges

    def note(self, size: Size, also: Any = 1) -> Size:
        """A dimension is the integer 1 or a name, which is remembered."""
        if type(size) is int and size == also:
            return size
        require(isinstance(size, str) and NAME.fullmatch(size), f"{size!r} is no dimension and no range")
        self.ranges.add(size)
        return size

    def diagonal(self, name: str) -> bool:
        return "diagonal" in self.letters[name] and self.shapes[name] != (1, 1)

    def symmetric(self, name: str) -> bool:
        return "symmetric" in self.letters[name] or "diagonal" in self.letters[name] or self.shapes[name] == (1, 1)

    def places(self, name: str) -> tuple[str, ...]:
        """The indices of a matrix that are written: ranges of size 1 and the second one of a diagonal need none."""
        rows, cols = self.shapes[name]
        return tuple(i for i, size in ((ROW, rows), (COL, cols)) if size != 1)[: 1 if self.diagonal(name) else 2]

    # formulas

    def side(self, data: Any, indices: Free | None = None) -> Block:
        """A side of an equation: a formula, with its shape where it is about matrices."""
        value = self.value(data["formula"], indices or {})
        rows, cols = data.get("shape", (1, 1))
        _same_shape(value, Block(self.note(rows), self.note(cols), {}))
        return value

    def value(self, formula: Formula, indices: Free) -> Block:
        key = formula, tuple(indices.items())  # indices come in the order in which formulas bind them
        if key not in self.known:
            spend(STEP_WORK)
            self.known[key] = self._value(formula, indices)
        return self.known[key]

    def _value(self, formula: Formula, indices: Free) -> Block:
        match formula:
            case "L", name:
                return self.letter(name)
            case "q", text:
                return self.number(text)
            case "I", size:
                return self.unit(self.note(size))
            case "0", rows, cols:
                return Block(self.note(rows), self.note(cols), {})
            case "T", a:
                return self.transposed(self.value(a, indices))
            case "tr", a:
                return self.trace(self.value(a, indices))
            case "norm2", a:
                return self.value(("tr", ("@", ("T", a), a)), indices)
            case ("+" | "@" | "*") as head, _, *_:
                return self._joined(head, [self.value(part, indices) for part in formula[1:]])
            case "^", a, int(k) if 1 < k <= MAX_POWER:
                return self._joined("@", [self.value(a, indices)] * k)
            case (("along" | "derivative"), a, pairs):
                rates = self._given(pairs, indices)
                for name, *_, rate in pairs:
                    self._require_tangent(name, rate)
                return self._moved(self.value(a, indices), rates)
            case "gradient", a, name:
                return self._gradient(self._number(a, indices), name)
            case "at", a, pairs:
                inside, given = self.value(a, indices), self._given(pairs, indices)
                spoken = {name for term in inside.terms for name in self.letters_in(term)}
                left = sorted((with_defined(self.letters, given) - given.keys()) & spoken)
                require(not left, f"{', '.join(left)} would stay, defined by what is replaced: replace it as well")
                return Block(inside.rows, inside.cols, self.sums.replaced(inside.terms, given.get))
            case "A", name, *places:
                runs = "ranges" in self.letters.get(name, {}) and self.shapes[name] == tuple(map(indices.get, places))
                require(runs, f"the indices of {shown(name)} do not run through its ranges")
                return self._product_of((name, *map(free, places)))
            case "delta", first, second:
                fits = first in indices and indices[first] == indices.get(second)
                require(fits, "a delta needs two indices of one range")
                return self._product_of((DELTA, free(first), free(second)))
            case "size", of:
                return self._product_of((SIZE, (RANGE, self.note(of, None))))
            case "terms", *rows:
                return self.value(("+", ("q", "0"), *map(written_out, rows)), indices)
            case "sum", a, str(name), of if INDEX.fullmatch(name):
                inner = self._number(a, {**indices, name: self.note(of, None)})
                return Block(1, 1, self.sums.changed(inner.terms, {}, {name: of}))
        raise Rejected(f"no formula about matrices or sums is {shown(formula)}")

    def _number(self, formula: Formula, indices: Free) -> Block:
        value = self.value(formula, indices)
        require(is_number(value), "only numbers are summed over an index, and have gradients")
        return value

    def _joined(self, head: str, parts: Iterable[Block]) -> Block:
        return reduce({"+": self.plus, "@": self.product, "*": self.times}[head], parts)

    def _product_of(self, *factors: Factor, rows: Size = 1, cols: Size = 1) -> Block:
        return Block(rows, cols, {self.sums.normal(factors): fmpq(1)})

    # matrices

    def letter(self, name: str) -> Block:
        if name not in self.letters or "rows" not in self.letters[name]:
            raise Rejected(f"the letter {shown(name)} is not declared")
        rows, cols = self.shapes[name]
        delta = [(DELTA, free(ROW), free(COL))] if self.diagonal(name) else []
        return self._product_of((name, *map(free, self.places(name))), *delta, rows=rows, cols=cols)

    def number(self, text: Any) -> Block:
        return Block(1, 1, scaled(rational(text), ONE))

    def unit(self, size: Size) -> Block:
        factors = [(DELTA, free(ROW), free(COL))] if size != 1 else []
        return self._product_of(*factors, rows=size, cols=size)

    def plus(self, a: Block, b: Block) -> Block:
        _same_shape(a, b)
        return Block(a.rows, a.cols, added(a.terms, b.terms))

    def minus(self, a: Block, b: Block) -> Block:
        return self.plus(a, Block(b.rows, b.cols, scaled(fmpq(-1), b.terms)))

    def product(self, a: Block, b: Block) -> Block:
        require(a.cols == b.rows, "a product of matrices that do not fit")
        over = {MIDDLE: a.cols} if a.cols != 1 else {}
        left, right = self.sums.changed(a.terms, {COL: MIDDLE}), self.sums.changed(b.terms, {ROW: MIDDLE})
        return Block(a.rows, b.cols, self.sums.product(left, right, over))

    def times(self, a: Block, b: Block) -> Block:
        require(is_number(a) or is_number(b), "only a 1x1 factor multiplies like a number")
        rows, cols = (b if is_number(a) else a)[:2]
        return Block(rows, cols, self.sums.product(a.terms, b.terms))

    def transposed(self, a: Block) -> Block:
        return Block(a.cols, a.rows, self.sums.changed(a.terms, {ROW: COL, COL: ROW}))

    def trace(self, a: Block) -> Block:
        require(a.rows == a.cols, "the trace of a matrix that is not square")
        return Block(1, 1, self.sums.changed(a.terms, {COL: ROW}, {ROW: a.rows}) if a.rows != 1 else a.terms)

    # letters that move, and letters that are replaced

    def _given(self, rows: Any, indices: Free) -> dict[str, Given]:
        """Return what stands for letters or moves them: a matrix, or a number at named indices for an entry of an
        array.
        """
        table: dict[str, Given] = {}
        for name, *at, formula in rows:
            require(name not in table and name in self.letters, f"{shown(name)} has two values or is not declared")
            require(bool(at) == ("ranges" in self.letters[name]), f"{name} is given in another way than it is declared")
            ranges = dict(zip(at[0], self.shapes[name], strict=True)) if at else {}
            require(
                not at or (len(ranges) == len(at[0]) and all(map(NAME.fullmatch, ranges))), "two indices of one name"
            )
            value = self.value(formula, {**indices, **ranges})
            _same_shape(Block(1, 1, {}) if at else self.letter(name), value)
            table[name] = self._standing(name, value, *at)
            places, terms = table[name]
            if self.diagonal(name):
                require(self.is_diagonal(value), f"{name} is diagonal, and what stands in its place or moves it is not")
            elif self.symmetric(name) and len(places) == 2:
                turned = self.sums.changed(terms, dict(zip(places, places[::-1], strict=True)))
                require(turned == terms, f"{name} is symmetric, and what stands in its place or moves it is not")
        return table

    def _standing(self, name: str, a: Block, at: Iterable[str] | None = None) -> Given:
        """A value in a letter's place, with the indices at which the letter stands."""
        places = self.places(name) if at is None else tuple(at)
        return places, self.sums.changed(a.terms, {COL: ROW}) if self.diagonal(name) else a.terms

    def _moved(self, a: Block, moving: dict[str, Given]) -> Block:
        """The product rule, with the rates of letters, and what follows for letters that are defined by them."""

        def rate_of(name: str) -> Given | None:
            declared = self.letters.get(name, {})
            link = next((link for link in LINKS if link in declared), "")
            if link and name not in moving:
                rate, one = self._moved(self.side(declared[link]), moving), self.letter(name)
                if link == "inverse_of":
                    rate = self._joined("@", [self.times(self.number("-1"), one), rate, one])
                moving[name] = self._standing(name, rate)
            return moving.get(name)

        return Block(a.rows, a.cols, self.sums.moved(a.terms, rate_of))

    def _gradient(self, f: Block, name: str) -> Block:
        """The derivative while one entry of a letter moves, for every entry."""
        letter, declared = self.letter(name), self.letters[name]
        bound = {"orthonormal_columns"} | (set() if is_number(letter) else {"symmetric", "diagonal"})
        free_entries = not bound & set(declared) and not self.partners(name)
        require(free_entries, f"the entries of {name} are not independent: it has no gradient")
        require(not set(LINKS) & set(declared), f"{name} moves with its definition, not by itself")
        step = self._product_of(*[(DELTA, free(i), free(OF_ENTRY[i])) for i in self.places(name)])
        moved = self._moved(f, {name: self._standing(name, step)})
        names = {entry: place for place, entry in OF_ENTRY.items()}
        return Block(letter.rows, letter.cols, self.sums.changed(moved.terms, names))

    def _require_tangent(self, name: str, rate: Formula) -> None:
        """A letter that moves at this rate stays what it is declared to be, beside diagonal and symmetric."""
        declared = self.letters[name]
        require(not set(LINKS) & set(declared), f"{name} moves with its definition, not by itself")
        require("orthonormal_columns" not in declared, f"{name} may not keep its columns orthonormal")
        for partner in self.partners(name):
            require(self._commutes(rate, partner), f"{name} does not keep commuting with {partner}")

    def partners(self, name: str) -> set[str]:
        """The letters with which one is declared to commute, on either side."""
        others = {other for other, data in self.letters.items() if name in data.get("commutes_with", ())}
        return others | set(self.letters[name].get("commutes_with", ()))

    def _commutes(self, formula: Formula, partner: str) -> bool:
        """Check whether a formula commutes with a letter, as it is made of what does."""
        match formula:
            case "L", name:
                a, b = self.letters[name], self.letters[partner]
                said = name == partner or partner in self.partners(name) or self.shapes[name] == (1, 1)
                inverse = any(x.get("inverse_of", {}).get("formula") == ("L", y) for x, y in ((a, partner), (b, name)))
                return said or inverse or ("diagonal" in a and "diagonal" in b)
            case (("+" | "@" | "*"), *parts):
                return all(self._commutes(part, partner) for part in parts)
            case "^", base, _:
                return self._commutes(base, partner)
        return bool(formula[0] in ("q", "I", "0", "tr", "norm2"))

    def is_diagonal(self, a: Block) -> bool:
        (delta,) = self.sums.normal([(DELTA, free(ROW), free(COL))])
        return is_number(a) or all(delta in term for term in a.terms)

    def is_multiple_of_one(self, a: Block) -> bool:
        """Check whether a matrix is a rational number times the identity."""
        return a.terms.keys() <= self.unit(a.rows).terms.keys()

    def letters_in(self, term: Term) -> list[str]:
        """The letters of a term, each as often as it stands there."""
        return [factor[0] for factor in self.sums.factors(term) if factor[0] not in (DELTA, SIZE)]

    def at_an_end(self, name: str, term: Term, other: str) -> bool:
        """Check whether a product of matrices begins or ends with a letter X: it is A X or X B.

        Whatever another letter Z stands for, A X Z is then the product with X Z in the place of X, or Z X B with Z X.
        """
        x, z = self.letter(name), self.letter(other)
        whole = x._replace(terms={term: fmpq(1)})
        inside = [self.sums.replaced(whole.terms, {name: self._standing(name, a)}.get) for a in self._around(x, z)]
        return any(a.terms in inside for a in self._around(whole, z))

    def _around(self, a: Block, z: Block) -> list[Block]:
        return [self.product(a, z), self.product(z, a)]


def written_out(row: Any) -> Formula:
    """A term as a formula, given its coefficient, the ranges of summed indices, and factors that number these."""
    coefficient, ranges, factors = row
    product: Formula = ("*", ("q", coefficient), *map(_entry, factors))
    for number, of in enumerate(ranges):
        product = ("sum", product, str(number), of)
    return product


def _entry(factor: Any) -> Formula:
    head, *places = factor
    named = [str(place) for place in places]
    return (head, *named) if head in ("delta", "size") else ("A", head, *named)


def _same_shape(a: Block, b: Block) -> None:
    require((a.rows, a.cols) == (b.rows, b.cols), f"{a.rows} x {a.cols} and {b.rows} x {b.cols} are different shapes")


# --- names ------------------------------------------------------------------------------------------------------------


def names_in(side: Json) -> set[str]:
    """Every letter that a side names."""
    return set(_named(side["formula"]))


def _definitions(letters: Json) -> dict[str, set[str]]:
    """The letters by which each is defined."""
    return {x: {n for link in LINKS if link in told for n in names_in(told[link])} for x, told in letters.items()}


def with_defined(letters: Json, names: Iterable[str]) -> set[str]:
    """Some letters, and all that are defined by them."""
    known, behind = set(names), _definitions(letters)
    while more := {x for x, others in behind.items() if others & known} - known:
        known |= more
    return known


def _named(formula: Formula) -> Iterator[str]:
    head, *parts = formula
    spend(STEP_WORK)
    if head in ("L", "gradient"):
        yield parts[-1]
    if head == "A":
        yield parts[0]
    for _, _, factors in parts if head == "terms" else ():
        yield from (factor[0] for factor in factors)
    for name, *_, value in parts[1] if head in ("along", "derivative", "at") else ():
        yield name
        yield from _named(value)
    for part in parts:
        if isinstance(part, tuple) and part and isinstance(part[0], str):
            yield from _named(part)


def _require_grounded(letters: Json) -> None:
    """No letter is defined by itself."""
    waiting = _definitions(letters)
    while waiting:
        grounded = {name for name, others in waiting.items() if not others & set(waiting)}
        require(grounded, f"{', '.join(sorted(waiting))}: a letter is defined by itself")
        waiting = {name: others for name, others in waiting.items() if name not in grounded}
