"""Trees of formulas about matrices and sums, in the normal form of the checker: letters mean what the record says.

What an operator makes of an argument is data: the record lists arguments with their values, and one applies where its
argument is, in normal form, what is printed. Arithmetic, transposes, powers, norms, traces, sums over indices and
rectangles of matrices are computed here.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from flint import fmpq

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.words.indexed import free
from derivations.recheck.core.words.values import Block, Values, is_number
from derivations.recheck.reader.parse import Tree
from derivations.recheck.reader.scalars import Facts, NoMeaning, number, put_in

Grid = tuple[tuple[Block, ...], ...]  # a matrix of matrices; most are one matrix alone


class Objects:
    """What the letters and operators of one formula mean beside the letters that one statement declares."""

    def __init__(self, record: Mapping[str, Any], said: Mapping[str, Any], is_told: bool) -> None:
        self.said, self.is_told, self.upper = said, is_told, True
        self.values = Values({**record["declared"], **said.get("letters", said.get("arrays", {}))})
        self.letters, self.functions = record["letters"], record["functions"]
        self.indices, self.printed, self.settled = record["indices"], record["printed"], record["settled"]
        self.unprinted = {name: of for name, of in self.indices.items() if name == record["unprinted"]}
        self.known = [(head, [self.argument(a) for a in arguments], v) for head, arguments, v in record["known"]]

    @cached_property
    def facts(self) -> Facts:
        """What the record of a statement says; its hypotheses define what stands alone on one side of them."""
        said = self.said
        both = [
            (self.side(part, "left"), self.side(part, "right"))
            for part in (said, *said.get("rules", ()))
            if "left" in part
        ]
        leaf = ("=", *both[0]) if "left" in said else None
        given = [("=", a, b) for a, b in both["left" in said :]]
        solved = [(self.values.letter(name), self.values.side(of)) for name, of in said.get("solution", {}).items()]
        put = [(self.values.letter(name), self.one(of)) for name, of in put_in(self.formulas())]
        return Facts(
            leaf,
            given,
            [*solved, *put, *((a, b) for _, a, b in given)],
            [*(both[0] if leaf else ()), *(v for _, v in solved)],
        )

    def side(self, part: Mapping[str, Any], key: str) -> Block:
        return self.values.side(part[key], part.get("free", {}))

    def formulas(self) -> Any:
        return tuple(self.said[key]["formula"] for key in ("left", "right") if key in self.said)

    def names(self, value: Block) -> set[str]:
        return {name for term in value.terms for name in self.values.letters_in(term)}

    def is_bare(self, value: Block) -> bool:
        return not self.names(value)

    def called_so(self, spelling: str, value: Block | None) -> Block | None:
        """What a printed letter is in the statement: the letter of its name, if there is one, or what it means."""
        name = self.letters[spelling][0]
        return self.values.letter(name) if name in self.said.get("letters", ()) else value

    def same(self, one: Block, other: Block) -> bool:
        return one == other

    # --- what is printed ----------------------------------------------------------------------------------------------

    def sides(self, tree: Tree) -> list[Block]:
        return [block for row in self.value(tree) for block in row]

    def formula(self, data: Any) -> Grid:
        """The meaning of a letter, or of what an operator makes of something."""
        if data[0] == "matrix":
            return tuple(tuple(self.one(entry) for entry in row) for row in data[1])
        return ((self.one(data),),)

    def one(self, data: Any) -> Block:
        return self.values.value(("at", data, self.settled) if self.settled else data, self.indices)

    def argument(self, data: Any) -> Any:
        """An argument of an operator in the record: a formula, or the name of an index or of time."""
        return data if isinstance(data, str) or data[0] == "index" else self.one(data)

    # --- trees --------------------------------------------------------------------------------------------------------

    def value(self, tree: Tree) -> Grid:
        head, *parts = tree
        match head:
            case "number":
                return ((self.values.number(str(number(parts[0]))),),)
            case "letter":
                return self.formula(self.letter(parts[0]))
            case "matrix":
                return self.rectangle(parts[0])
            case "^":
                return self.power(parts[0], parts[1])
            case "sum":
                return self.summed(*parts)
            case "call":
                name, arguments = parts
                return self.looked_up(self.functions[name], [self.argument_of(part) for part in arguments])
            case "dt" | "partial":
                name = parts[1]
                by = self.named(name) if head == "dt" else self.single(self.value(("letter", name)))
                return self.looked_up(head, [self.single(self.value(parts[0])), by])
        inner = [self.value(part) for part in parts if isinstance(part, tuple)]
        match head:
            case "+":
                return self.plus(*inner)
            case "-":
                return self.plus(inner[0], self.times(self.values.number("-1"), inner[1]))
            case "minus":
                return self.times(self.values.number("-1"), inner[0])
            case "*":
                return self.product(*inner)
            case "/":
                return self.product(inner[0], self.inverse(inner[1]))
            case "T":
                return tuple(zip(*(map(self.values.transposed, row) for row in inner[0]), strict=True))
            case "root":
                return self.looked_up("power", [self.single(inner[0]), self.values.number("1/2")])
            case "function" if parts[0] == "tr":
                return ((self.values.trace(self.single(inner[0])),),)
            case "pm" | "mp":
                sign = self.values.number("1" if self.upper == (head == "pm") else "-1")
                return self.plus(inner[0], self.times(sign, inner[1]))
        return self.looked_up(parts[0] if head == "function" else head, [self.single(part) for part in inner])

    def letter(self, spelling: str) -> Any:
        if self.letters[spelling][1] is None:
            raise NoMeaning(f"the record of the entry does not say what {spelling} means")
        return self.letters[spelling][1]

    def named(self, spelling: str) -> str:
        return str(self.letters[spelling][0]) if spelling in self.letters else spelling

    def argument_of(self, tree: Tree) -> Any:
        meaning = self.letter(tree[1]) if tree[0] == "letter" else ()
        return meaning if meaning[:1] == ("index",) else self.single(self.value(tree))

    def single(self, grid: Grid) -> Block:
        if len(grid) != 1 or len(grid[0]) != 1:
            raise Rejected("a rectangle of matrices stands where one matrix or number must")
        return grid[0][0]

    def rectangle(self, rows: Any) -> Grid:
        return tuple(tuple(self.single(self.value(entry)) for entry in row) for row in rows)

    def plus(self, one: Grid, other: Grid) -> Grid:
        pairs = zip(one, other, strict=True)
        return tuple(tuple(self.values.plus(a, b) for a, b in zip(*rows, strict=True)) for rows in pairs)

    def times(self, number: Block, grid: Grid) -> Grid:
        return tuple(tuple(self.values.times(number, block) for block in row) for row in grid)

    def product(self, one: Grid, other: Grid) -> Grid:
        for factor, grid in ((one, other), (other, one)):
            if len(factor) == len(factor[0]) == 1 and is_number(factor[0][0]):
                both = bool(self.unprinted) and self.has_unprinted(factor) and self.has_unprinted(grid)
                made = self.times(factor[0][0], grid)
                return self.over(made, self.unprinted) if both else made
        columns = list(zip(*other, strict=True))
        return tuple(tuple(self.dot(row, column) for column in columns) for row in one)

    def dot(self, row: tuple[Block, ...], column: tuple[Block, ...]) -> Block:
        products = [self.values.product(a, b) for a, b in zip(row, column, strict=True)]
        total = products[0]
        for product in products[1:]:
            total = self.values.plus(total, product)
        return total

    def has_unprinted(self, grid: Grid) -> bool:
        """Whether it is a vector along an index that is not printed."""
        (name,) = self.unprinted
        return any(free(name) in self.values.sums.free_in[k] for term in self.single(grid).terms for k in term)

    def over(self, grid: Grid, ranges: Mapping[str, str]) -> Grid:
        return ((Block(1, 1, self.values.sums.changed(self.single(grid).terms, {}, ranges)),),)

    def summed(self, body: Tree, indices: tuple[str, ...], lower: Any, upper: Any) -> Grid:
        if lower is not None and self.single(self.value(lower)) != self.values.number("1"):
            raise Rejected("a sum begins at 1")
        ranges = {self.printed[name]: self.indices[self.printed[name]] for name in indices if name in self.printed}
        if len(ranges) != len(indices):
            raise NoMeaning(f"the record of the entry does not say what an index of {indices} is")
        if upper is not None:
            size = self.single(self.value(upper))
            ends = [of for of in {*self.indices.values()} if self.values.value(("size", of), {}) == size]
            ranges = dict.fromkeys(ranges, *ends)
        return self.over(self.value(body), ranges)

    # --- powers, and what the record lists ----------------------------------------------------------------------------

    def power(self, base: Tree, exponent: Tree) -> Grid:
        n = self.constant(self.single(self.value(exponent)))
        if n is None or n.q != 1 or n == 0:
            return self.looked_up("power", [self.single(self.value(base)), self.single(self.value(exponent))])
        count = int(n.p)
        if base[0] == "norm" and count % 2 == 0:
            square = self.single(self.value(base[1]))
            norm = self.values.trace(self.values.product(self.values.transposed(square), square))
            one: Grid = ((norm,),)
            count //= 2
        else:
            one = self.value(base)
        one = self.inverse(one) if count < 0 else one
        total = one
        for _ in range(min(abs(count), 100) - 1):
            total = self.product(total, one)
        return total

    def constant(self, block: Block) -> Any:
        return block.terms.get((), fmpq(0)) if set(block.terms) <= {()} else None

    def inverse(self, grid: Grid) -> Grid:
        of = self.single(grid)
        if value := self.constant(of):
            return ((self.values.number(str(1 / value)),),)
        for name, data in self.values.letters.items():
            if "inverse_of" in data and self.values.side(data["inverse_of"]) == of:
                return ((self.values.letter(name),),)
        return self.looked_up("inverse", [of])

    def looked_up(self, head: str, arguments: list[Any]) -> Grid:
        for name, known, value in self.known:
            if name == head and known == arguments:
                return self.made(value, arguments)
            if name == head and len(known) == 1 and self.values.transposed(known[0]) == arguments[0]:
                return ((self.values.transposed(self.one(value)),),)
        raise Rejected(f"the record of the entry does not say what {head} makes of its argument here")

    def made(self, value: Any, arguments: list[Any]) -> Grid:
        """A value of the record; a derivative or a gradient must be one of the argument."""
        if value[0] in ("along", "gradient") and self.one(value[1]) != arguments[0]:
            raise Rejected("the record of the entry differentiates something else than what is printed")
        return self.formula(value)
