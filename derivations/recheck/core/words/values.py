"""What formulas about matrices and about sums come to: sums of products of entries in normal form.

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
from derivations.recheck.core.load import rational, require, shown
from derivations.recheck.core.words.indexed import (
    DELTA,
    ONE,
    RANGE,
    SIZE,
    STEP_WORK,
    Arithmetic,
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

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
ROW, COL, MIDDLE = "<", ">", "|"  # indices that no formula can name
OF_ROW, OF_COL = "<<", ">>"  # of the letter by which a gradient is taken
FLAGS = ("symmetric", "diagonal", "orthonormal_columns", "positive", "nonzero")
LINKS = ("inverse_of", "equals")
MATRIX_KEYS = {"rows", "cols", *FLAGS, "commutes_with", *LINKS}
MAX_POWER = 100


class Block(NamedTuple):
    """A matrix: its shape, and a sum over what is not ROW or COL; a number is a 1x1 matrix."""

    rows: Size
    cols: Size
    terms: Sum


def is_number(a: Block) -> bool:
    return (a.rows, a.cols) == (1, 1)


def read_letters(letters: Json) -> Values:
    """The values of formulas over declared letters, once the declarations are known to make sense."""
    return Values(letters)


class Values:
    """The matrices and numbers that formulas come to."""

    def __init__(self, letters: Json) -> None:
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
        known = {"ranges", "symmetric"} if "ranges" in data else MATRIX_KEYS
        require(set(data) <= known, f"{name} is declared with unknown parts")
        for size in ranges:
            self.note(size, 1 if "ranges" not in data else None)
        for flag in set(FLAGS) & set(data):
            require(data[flag] is True, f"{name}: {flag} is declared by true or not at all")
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
        matrix = isinstance(data, dict) and set(data) == {"shape", "formula"}
        require(matrix or (isinstance(data, dict) and set(data) == {"formula"}), "a side has a formula, and a shape")
        value = self.value(data["formula"], indices or {})
        rows, cols = data["shape"] if matrix else (1, 1)
        _same_shape(value, Block(self.note(rows), self.note(cols), {}))
        return value

    def value(self, formula: Formula, indices: Free) -> Block:
        key = formula, tuple(indices.items())
        if key not in self.known:
            spend(STEP_WORK)
            self.known[key] = self._value(formula, indices)
        return self.known[key]

    def _value(self, formula: Formula, indices: Free) -> Block:
        head, *parts = formula
        match head, len(parts):
            case "L", 1:
                return self.letter(parts[0])
            case "q", 1:
                return self.number(parts[0])
            case "I", 1:
                return self.unit(self.note(parts[0]))
            case "0", 2:
                return Block(self.note(parts[0]), self.note(parts[1]), {})
            case (("T" | "tr" | "norm2"), 1):
                a = self.value(parts[0], indices)
                turned = self.transposed(a)
                return turned if head == "T" else self.trace(a if head == "tr" else self.product(turned, a))
            case (("+" | "@" | "*"), n) if n > 0:
                return self._joined(head, [self.value(part, indices) for part in parts])
            case "^", 2:
                require(type(parts[1]) is int and 1 < parts[1] <= MAX_POWER, f"{shown(parts[1])} is no exponent")
                return self._joined("@", [self.value(parts[0], indices)] * parts[1])
            case "along", 2:
                return self._derivative(self.value(parts[0], indices), self._rates(parts[1], indices))
            case "gradient", 2:
                return self._gradient(self.value(parts[0], indices), parts[1])
            case "at", 2:
                return self._replaced(self.value(parts[0], indices), parts[1], indices)
        return Block(1, 1, self._indexed(head, parts, indices))

    def _indexed(self, head: str, parts: list[Any], indices: Free) -> Sum:
        """What formulas with indices come to."""
        match head, len(parts):
            case "A", n if n > 0:
                name, *places = parts
                runs = "ranges" in self.letters.get(name, {}) and self.shapes[name] == tuple(map(indices.get, places))
                require(runs, f"the indices of {shown(name)} do not run through its ranges")
                return {self.sums.normal([(name, *map(free, places))]): fmpq(1)}
            case "delta", 2:
                fits = parts[0] in indices and indices[parts[0]] == indices.get(parts[1])
                require(fits, "a delta needs two indices of one range")
                return {self.sums.normal([(DELTA, *map(free, parts))]): fmpq(1)}
            case "size", 1:
                return {self.sums.normal([(SIZE, (RANGE, self.note(parts[0], None)))]): fmpq(1)}
            case "terms", _:
                return self._polynomial(parts, indices)
            case "sum", 3:
                inner, name, of = parts
                require(isinstance(name, str) and NAME.fullmatch(name), f"{shown(name)} cannot name an index")
                a = self.value(inner, {**indices, name: self.note(of, None)})
                require(is_number(a), "only numbers are summed over an index")
                return self.sums.changed(a.terms, {}, {name: of})
            case "derivative", 2:
                a, rates = self.value(parts[0], indices), self._rates_of_entries(parts[1], indices)
                require(is_number(a), "only numbers have derivatives by entries")
                return self.sums.moved(a.terms, rates.get)
        require(False, f"no formula about matrices or sums is {shown(head)} with {len(parts)} parts")
        return {}

    def _joined(self, head: str, parts: Iterable[Block]) -> Block:
        return reduce({"+": self.plus, "@": self.product, "*": self.times}[head], parts)

    # matrices

    def letter(self, name: str) -> Block:
        require(name in self.letters and "rows" in self.letters[name], f"the letter {shown(name)} is not declared")
        places = tuple(map(free, self.places(name)))
        factors = [(name, *places), *([(DELTA, free(ROW), free(COL))] if self.diagonal(name) else [])]
        rows, cols = self.shapes[name]
        return Block(rows, cols, {self.sums.normal(factors): fmpq(1)})

    def number(self, text: Any) -> Block:
        return Block(1, 1, scaled(rational(text), ONE))

    def unit(self, size: Size) -> Block:
        return Block(size, size, ONE if size == 1 else {self.sums.normal([(DELTA, free(ROW), free(COL))]): fmpq(1)})

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

    def _table(self, pairs: Any, indices: Free) -> dict[str, Block]:
        table = {name: self.value(formula, indices) for name, formula in pairs}
        require(len(table) == len(pairs), "one letter has two values")
        for name, value in table.items():
            _same_shape(self.letter(name), value)
            if self.diagonal(name):
                require(self.is_diagonal(value), f"{name} is diagonal, and what stands in its place or moves it is not")
            elif self.symmetric(name):
                turned = self.transposed(value)
                require(turned == value, f"{name} is symmetric, and what stands in its place or moves it is not")
        return table

    def _standing(self, name: str, a: Block) -> tuple[tuple[str, ...], Sum]:
        """A matrix in a letter's place, with the indices at which the letter stands."""
        return self.places(name), self.sums.changed(a.terms, {COL: ROW}) if self.diagonal(name) else a.terms

    def _replaced(self, a: Block, pairs: Any, indices: Free) -> Block:
        table = {name: self._standing(name, value) for name, value in self._table(pairs, indices).items()}
        return Block(a.rows, a.cols, self.sums.replaced(a.terms, table.get))

    def _rates(self, pairs: Any, indices: Free) -> dict[str, Block]:
        rates = self._table(pairs, indices)
        for name, rate in rates.items():
            self._require_tangent(name, rate)
        return rates

    def _derivative(self, a: Block, rates: dict[str, Block]) -> Block:
        """The product rule, with the rates of letters, and what follows for letters that are defined by them."""
        moving = {name: self._standing(name, rate) for name, rate in rates.items()}

        def rate_of(name: str) -> tuple[tuple[str, ...], Sum] | None:
            if name not in moving and name in self.letters:
                data, one = self.letters[name], self.letter(name)
                rate = Block(one.rows, one.cols, {})
                if "equals" in data:
                    rate = self._derivative(self.side(data["equals"]), rates)
                elif "inverse_of" in data:
                    base = self._derivative(self.side(data["inverse_of"]), rates)
                    rate = self.product(self.product(self._joined("*", [self.number("-1"), one]), base), one)
                moving[name] = self._standing(name, rate)
            return moving.get(name)

        return Block(a.rows, a.cols, self.sums.moved(a.terms, rate_of))

    def _gradient(self, f: Block, name: str) -> Block:
        """The derivative while one entry of a letter moves, for every entry."""
        require(is_number(f), "only a 1x1 formula has a gradient")
        letter, data = self.letter(name), self.letters[name]
        entries_are_free = is_number(letter) or not {"symmetric", "diagonal", "orthonormal_columns"} & set(data)
        require(entries_are_free, f"the entries of {name} are not independent: it has no gradient")
        require(not set(LINKS) & set(data), f"{name} moves with its definition, not by itself")
        pairs = [(DELTA, free(i), free({ROW: OF_ROW, COL: OF_COL}[i])) for i in self.places(name)]
        step = Block(letter.rows, letter.cols, {self.sums.normal(pairs): fmpq(1)})
        moved = self._derivative(f, {name: step})
        return Block(letter.rows, letter.cols, self.sums.changed(moved.terms, {OF_ROW: ROW, OF_COL: COL}))

    def _require_tangent(self, name: str, rate: Block) -> None:
        """A letter that moves at this rate stays what it is declared to be, beside diagonal and symmetric."""
        data = self.letters[name]
        require(not set(LINKS) & set(data), f"{name} moves with its definition, not by itself")
        require("orthonormal_columns" not in data or is_number(rate), f"{name} may not keep its columns orthonormal")
        others = {other for other, data_of in self.letters.items() if name in data_of.get("commutes_with", ())}
        for partner in sorted(others | set(data.get("commutes_with", ()))):
            words = [self.word(term) for term in rate.terms] if not is_number(rate) else []
            kept = all(self._commutes(letter, partner) and not turned for word in words for letter, turned in word)
            require(kept, f"{name} does not keep commuting with {partner}")

    def _commutes(self, name: str, partner: str) -> bool:
        a, b = self.letters[name], self.letters[partner]
        said = name == partner or name in b.get("commutes_with", ()) or partner in a.get("commutes_with", ())
        inverse = any(x.get("inverse_of", {}).get("formula") == ("L", y) for x, y in ((a, partner), (b, name)))
        return said or inverse or ("diagonal" in a and "diagonal" in b)

    def is_diagonal(self, a: Block) -> bool:
        (delta,) = self.sums.normal([(DELTA, free(ROW), free(COL))])
        return is_number(a) or all(delta in term for term in a.terms)

    def is_multiple_of_one(self, a: Block) -> bool:
        """Whether a matrix is a rational number times the identity."""
        return a.terms.keys() <= self.unit(a.rows).terms.keys()

    def letters_in(self, term: Term) -> list[str]:
        """The letters of a term, each as often as it stands there."""
        return [factor[0] for factor in self.sums.factors(term) if factor[0] not in (DELTA, SIZE)]

    def at_an_end(self, name: str, term: Term) -> bool:
        """Whether a product of matrices, without numbers, begins or ends with a letter that is not turned."""
        word = self.word(term)
        return (name, False) in (*word[:1], *word[-1:]) and all(self.sums.free_in[k] for k in term)

    def word(self, term: Term) -> list[tuple[str, bool]]:
        """The letters that lead from the row of a matrix to its column, and which of them are turned."""
        waiting = [factor for k in term if self.sums.free_in[k] for factor in self.sums.factors((k,))]
        at, word = free(ROW), []
        while waiting:
            following = next((factor for factor in waiting if at in factor[1:]), waiting[0])
            waiting.remove(following)
            if following[0] != DELTA:
                word.append((following[0], following[1] != at and not self.symmetric(following[0])))
            at = next((index for index in following[1:] if index != at), at)
        return word

    # entries of arrays

    def _polynomial(self, data: Any, indices: Free) -> Sum:
        """Coefficients, ranges of summed indices, and factors, in which a summed index is called by its number."""
        total: Sum = {}
        for coefficient, ranges, factors in data:
            over = {str(k): self.note(of, None) for k, of in enumerate(ranges)}
            product = self.value(("*", ("q", coefficient), *map(_entry, factors)), {**indices, **over})
            total = added(total, self.sums.changed(product.terms, {}, over))
        return total

    def _rates_of_entries(self, pairs: Any, indices: Free) -> dict[str, tuple[tuple[str, ...], Sum]]:
        rates = {}
        for array, at, rate in pairs:
            known = array not in rates and "ranges" in self.letters.get(array, {})
            require(known, f"{shown(array)} cannot have this rate")
            named = len(set(at)) == len(at) == len(self.shapes[array]) and all(map(NAME.fullmatch, at))
            require(named, f"the rate of {array} names other indices")
            value = self.value(rate, {**indices, **dict(zip(at, self.shapes[array], strict=True))})
            require(is_number(value), f"the rate of an entry of {array} is no number")
            terms = value.terms
            if self.symmetric(array):
                turned = self.sums.changed(terms, {at[0]: at[1], at[1]: at[0]})
                require(terms == turned, f"{array} is symmetric, and its rate is not")
            rates[array] = (tuple(at), terms)
        return rates


def _entry(factor: Any) -> Formula:
    """A factor of a polynomial as a formula."""
    head, *places = factor
    named = [str(place) for place in places]
    return (head, *named) if head in ("delta", "size") else ("A", head, *named)


def _same_shape(a: Block, b: Block) -> None:
    require((a.rows, a.cols) == (b.rows, b.cols), f"{a.rows} x {a.cols} and {b.rows} x {b.cols} are different shapes")


# --- names ------------------------------------------------------------------------------------------------------------


def names_in(side: Json) -> set[str]:
    """Every letter that a side names."""
    return set(_named(side["formula"]))


def _named(formula: Formula) -> Iterator[str]:
    head, *parts = formula
    spend(STEP_WORK)
    if head in ("L", "gradient"):
        yield parts[-1]
    for name, value in parts[1] if head in ("along", "at") else ():
        yield name
        yield from _named(value)
    for part in parts:
        if isinstance(part, tuple) and part and isinstance(part[0], str):
            yield from _named(part)


def _require_grounded(letters: Json) -> None:
    """No letter is defined by itself."""
    waiting = {n: {m for link in LINKS if link in d for m in names_in(d[link])} for n, d in letters.items()}
    while waiting:
        grounded = {name for name, others in waiting.items() if not others & set(waiting)}
        require(grounded, f"{', '.join(sorted(waiting))}: a letter is defined by itself")
        waiting = {name: others for name, others in waiting.items() if name not in grounded}
