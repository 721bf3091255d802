"""Trees of formulas about matrices and sums, in the normal form of the checker.

What an operator makes of an argument is data: the record lists arguments with their values, and one applies where its
argument is, in normal form, what is printed. Arithmetic, transposes, powers, norms, traces, sums over indices and
rectangles of matrices are computed here.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import reduce
from typing import Any

from flint import fmpq

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import require
from derivations.recheck.core.words.indexed import free
from derivations.recheck.core.words.values import Block, Values, is_number
from derivations.recheck.reader.letters import text
from derivations.recheck.reader.parse import NoMeaning, Tree, meant, named

Grid = tuple[tuple[Block, ...], ...]  # a matrix of matrices; most are one matrix alone
MOST = 100  # the largest power


class Objects:
    """The meaning of trees beside the letters that a statement declares, and of its sides."""

    def __init__(self, record: Mapping[str, Any], declared: Mapping[str, Any]) -> None:
        self.record, self.upper, self.declared = record, True, declared
        self.values = Values({**record["declared"], **declared})
        self.indices: Mapping[str, str] = record["indices"]
        self.unprinted = {name: of for name, of in self.indices.items() if name == record["unprinted"]}
        self.known = [(row, [self.given(a) for a in row[1]]) for row in record["known"]]
        self.said: dict[str, str] = {}  # what operators make of arguments, which nothing judges
        self.facts: list[Any] = []
        self.motions: set[Any] = set()

    def sides(self, tree: Tree) -> list[Block]:
        return [block for row in self.value(tree) for block in row]

    def value(self, tree: Tree) -> Grid:
        match tree:
            case "number", text:
                return self.number(Fraction(text))
            case ("pm" | "mp") as head, *_:
                return self.number(Fraction(1 if self.upper == (head == "pm") else -1))
            case "letter", spelling:
                return self.formula(meant(self.record, spelling))
            case "call", spelling, arguments:
                return self.looked_up(self.record["functions"][spelling], *map(self.argument, arguments))
            case "dt", of, by:
                return self.looked_up("dt", self.single(of), named(self.record, by))
            case "sum", body, indices, lower, upper:
                return self.sum(body, indices, lower, upper)
            case "^", base, exponent:
                return self.power(base, exponent)
            case "matrix", rows:
                return tuple(tuple(map(self.single, row)) for row in rows)
            case "+", one, other:
                pairs = zip(self.value(one), self.value(other), strict=True)
                return tuple(tuple(map(self.values.plus, *rows)) for rows in pairs)
            case "*", one, other:
                return self.product(self.value(one), self.value(other))
            case "T", of:
                return tuple(tuple(map(self.values.transposed, row)) for row in zip(*self.value(of), strict=True))
            case "tr", of:
                return _alone(self.values.trace(self.single(of)))
        return self.looked_up(tree[0], *map(self.single, tree[1:]))

    # --- what the record says, as it is put in ------------------------------------------------------------------------

    def formula(self, data: Any) -> Grid:
        """The meaning of a letter, or of what an operator makes of something."""
        if data[0] == "index":
            raise NoMeaning(f"{data[1]} is an index, and has no value")
        rows = data[1] if data[0] == "matrix" else ((data,),)
        return tuple(tuple(map(self.one, row)) for row in rows)

    def one(self, data: Any) -> Block:
        settled = self.record["settled"]
        return self.values.value(("at", data, settled) if settled else data, self.indices)

    def given(self, data: Any) -> Any:
        """An argument of an operator in the record: a formula, or the name of an index or of time."""
        return data if isinstance(data, str) or data[0] == "index" else self.one(data)

    def argument(self, tree: Tree) -> Any:
        meaning = meant(self.record, tree[1]) if tree[0] == "letter" else ()
        return meaning if meaning[:1] == ("index",) else self.single(tree)

    def looked_up(self, head: str, *arguments: Any) -> Grid:
        for (name, given, value), known in self.known:
            if name == head and known == [*arguments]:
                if not self.is_seen(name, given, value, known):
                    row = f"{name}({', '.join(a if isinstance(a, str) else text(a) for a in given)}) is {text(value)}"
                    self.said[row] = row
                return self.formula(value)
        raise Rejected(f"the record of the entry does not say what {head} makes of its argument here")

    def is_seen(self, name: str, given: Any, value: Any, known: list[Any]) -> bool:
        """Check whether the statement says what an operator makes of something; a false derivative is refused."""
        if value[0] in ("along", "derivative", "gradient"):
            is_of_it = self.one(value[1]) == known[0] and (
                value[0] != "gradient" or known[1:] == [self.values.letter(value[2])]
            )
            require(is_of_it, "the record of the entry differentiates something else than what is printed")
            return value[0] == "gradient" or (name == "dt" and known[1:] == ["t"] and value[2] in self.motions)
        if name != "inverse":
            return False
        inverse = self.one(value)
        unit = (True, "=", self.values.product(inverse, known[0]), self.values.unit(inverse.rows))
        is_inverse = inverse == self.inverted(given[0]) or unit in self.facts
        require(is_inverse or is_number(inverse), f"nothing says that {text(value)} is the inverse of {text(given[0])}")
        return is_inverse

    def inverted(self, formula: Any) -> Block | None:
        """The inverse of a formula, by the letters that are declared so, or None."""
        match formula:
            case (("@" | "*"), *factors):
                inverses = [inverse for factor in reversed(factors) if (inverse := self.inverted(factor))]
                times = self.values.product if formula[0] == "@" else self.values.times
                return reduce(times, inverses) if len(inverses) == len(factors) else None
            case "T", of:
                inverse = self.inverted(of)
                return inverse and self.values.transposed(inverse)
        block = self.one(formula)
        if number := _constant(block):
            return self.values.number(str(1 / number))
        letters = [name for name, data in self.values.letters.items() if "inverse_of" in data]
        sides = [self.values.side(self.values.letters[name]["inverse_of"]) for name in letters]
        declared = [*zip(map(self.values.letter, letters), sides, strict=True)]
        declared += [(inverse, letter) for letter, inverse in declared]
        return next((letter for letter, of in declared if of == block), None)

    # --- arithmetic ---------------------------------------------------------------------------------------------------

    def single(self, tree: Tree) -> Block:
        return _single(self.value(tree))

    def number(self, value: Fraction) -> Grid:
        return _alone(self.values.number(str(value)))

    def product(self, one: Grid, other: Grid) -> Grid:
        for factor, grid in ((one, other), (other, one)):
            if len(factor) == len(factor[0]) == 1 and is_number(factor[0][0]):
                made = tuple(tuple(self.values.times(factor[0][0], block) for block in row) for row in grid)
                both = self.unprinted and self.has_unprinted(factor) and self.has_unprinted(grid)
                return self.over(made, self.unprinted) if both else made
        columns = list(zip(*other, strict=True))
        return tuple(tuple(self.dot(row, column) for column in columns) for row in one)

    def dot(self, row: tuple[Block, ...], column: tuple[Block, ...]) -> Block:
        return reduce(self.values.plus, [self.values.product(a, b) for a, b in zip(row, column, strict=True)])

    def has_unprinted(self, grid: Grid) -> bool:
        """Check whether it is a vector along an index that is not printed."""
        (name,) = self.unprinted
        return any(free(name) in self.values.sums.free_in[k] for term in _single(grid).terms for k in term)

    def over(self, grid: Grid, ranges: Mapping[str, str]) -> Grid:
        return _alone(Block(1, 1, self.values.sums.changed(_single(grid).terms, {}, ranges)))

    def sum(self, body: Tree, indices: tuple[str, ...], lower: Tree | None, upper: Tree | None) -> Grid:
        is_first = lower is None or self.value(lower) == self.number(Fraction(1))
        require(is_first, "a sum begins at 1")
        printed = self.record["printed"]
        ranges = {printed[name]: self.indices[printed[name]] for name in indices if name in printed}
        require(len(ranges) == len(indices), f"the record of the entry does not say what an index of {indices} is")
        if upper is not None:
            size = self.single(upper)
            ends = [of for of in {*self.indices.values()} if self.values.value(("size", of), {}) == size]
            ranges = dict.fromkeys(ranges, *ends)
        return self.over(self.value(body), ranges)

    def power(self, base: Tree, exponent: Tree) -> Grid:
        raised = self.single(exponent)
        n = _constant(raised)
        if n is None or n.q != 1 or not 0 < abs(n) <= MOST:
            return self.looked_up("power", self.single(base), raised)
        count = int(n.p)
        if base[0] in ("norm", "frobenius") and count % 2 == 0:
            of = self.single(base[1])
            is_vector = 1 in (of.rows, of.cols)
            require(is_vector or base[0] == "frobenius", "which norm of a matrix is meant is open: write ||.||_F")
            one, count = _alone(self.values.trace(self.values.product(self.values.transposed(of), of))), count // 2
        else:
            one = self.value(base)
        return reduce(self.product, [self.inverse(_single(one)) if count < 0 else one] * abs(count))

    def inverse(self, of: Block) -> Grid:
        if number := _constant(of):
            return self.number(1 / Fraction(str(number)))
        for name, data in self.values.letters.items():
            if "inverse_of" in data and self.values.side(data["inverse_of"]) == of:
                return _alone(self.values.letter(name))
        return self.looked_up("inverse", of)

    # --- comparison, and sides of statements --------------------------------------------------------------------------

    def same(self, one: Block, other: Block) -> bool:
        return one == other

    def names(self, value: Block) -> set[str]:
        return {name for term in value.terms for name in self.values.letters_in(term)}

    def own(self, name: str) -> Any:
        return self.values.letter(name) if "rows" in self.declared.get(name, ()) else None

    def side(self, data: Any, free: Mapping[str, str]) -> Block:
        return self.values.side(data, free) if isinstance(data, dict) else self.one(data)


def _alone(block: Block) -> Grid:
    return ((block,),)


def _single(grid: Grid) -> Block:
    require(len(grid) == len(grid[0]) == 1, "a rectangle of matrices stands where one matrix or number must")
    return grid[0][0]


def _constant(block: Block) -> Any:
    return block.terms.get((), fmpq(0)) if set(block.terms) <= {()} else None
