"""Programs of matrices in the index against solutions of matrix flows that claims state: letter by letter.

A case says which variables of the flow a return has in its blocks (`solution`), what letters of the claim are in blocks
of the program's letters where they are not those of the same name (`letters`), of which constant matrix a letter moves
as the exponential, or its integral (`exponents`), and which input is the time. Everything else follows: the program is
read back, the solution is written in its letters, and each letter in that is what the claim says of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import Any, NamedTuple

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import normal, require
from derivations.recheck.core.words.values import Values
from derivations.recheck.ledgers.givens import asserted

Formula = Any
Side = Mapping[str, Any]  # a shape and a formula
Grid = tuple[tuple[Side, ...], ...]
SIZES, LINKS = {"rows", "cols"}, {"inverse_of", "equals", "commutes_with"}
TOLD = {
    "diagonal": "is diagonal",
    "symmetric": "is symmetric",
    "orthonormal_columns": "has orthonormal columns",
    "positive": "> 0",
    "nonzero": "!= 0",
}
"""How a domain says what a letter is declared to be."""
ZERO, UNIT = ("0", 1, 1), ("q", "1")


class Line(NamedTuple):
    """A function of a matrix: its name, the letters that it makes, the blocks of its argument, and the end of an
    integral.
    """

    kind: str
    names: tuple[str, ...]
    argument: Grid
    time: tuple[Any, ...]


class MatrixProgram:
    """A program of matrices, in inputs, inverses and exponentials, and the solution that it has to be."""

    def __init__(self, row: Mapping[str, Any], case: Mapping[str, Any], claim: Any) -> None:
        said = [each for each in asserted(claim) if each.get("form") == "only solution"]
        require(len(said) == 1, "a kernel of matrices equals the only solution of a flow, which its claim has to state")
        self.said, self.letters, self.domain = said[0], said[0]["letters"], row["domain"]
        self.given, self.exponents = dict(case["letters"]), dict(case["exponents"])
        self.variables, self.time = dict(case["solution"]), ("L", case["time"])
        self.declared = {name: _sized(*(sizes or (1, 1))) for name, _, *sizes in normal(row["inputs"])}
        self.inputs = {*self.declared}
        self.known: dict[str, Formula] = {}
        self.whole: dict[str, Grid] = {}
        self.lines: dict[str, Line] = {}
        self.read: dict[str, Grid] = {}
        self.parts: list[Any] = []  # further parts of the case, which speak of the claim's letters
        for head, names, heights, widths, (kind, rows, *time) in normal(row["program"]["body"]):
            require(head == "matrix", f"a program of matrices has a line that is not read back: {head}")
            grid = tuple(tuple(_side(self._block(*block), *block[:2]) for block in line) for line in rows)
            shapes = tuple(tuple((height, width) for width in widths) for height in heights)
            require(_shapes(grid) == shapes, f"{names[0]} is of another size")
            flat = [block for line in grid for block in line]
            self.declared |= {name: _sized(*block["shape"]) for name, block in zip(names, flat, strict=False)}
            if kind != "blocks":
                require(len(names) == len(flat), f"{names[0]} has blocks without a name")
                self.lines |= dict.fromkeys(names, Line(kind, names, grid, tuple(time)))
            elif len(names) == len(flat):
                self.known |= {name: block["formula"] for name, block in zip(names, flat, strict=True)}
            self.whole[names[0]] = grid if kind == "blocks" else _named(names, shapes)

    def compared(self, name: str) -> Iterator[tuple[Side, Side]]:
        """The blocks of a return, each with what the claim states of it."""
        rows: list[tuple[Side, ...]] = []
        for line in self.variables[name]:
            grids = [self.grid(self.said["solution"][variable]["formula"]) for variable in line]
            rows += [tuple(block for part in parts for block in part) for parts in zip(*grids, strict=True)]
        for own, wanted in zip(self.whole[name], rows, strict=True):
            yield from zip(own, wanted, strict=True)

    def says(self, leaf: Mapping[str, Any], own: Side, wanted: Side) -> bool:
        """Check that a part says of a block of a return that it is what the claim states."""
        try:
            require(
                all(self._is_made_so(name, told, leaf["letters"]) for name, told in leaf["letters"].items()), "too much"
            )
            values = Values(leaf["letters"])
            sides = zip((leaf["left"], leaf["right"]), (own, wanted), strict=True)
            return all(values.side(said) == values.side(side) for said, side in sides)
        except Rejected:
            return False

    def admits(self, leaf: Mapping[str, Any]) -> bool:
        """Check that a part supposes nothing beside what its letters are."""
        return leaf["kind"] == "words" and not leaf["rules"]

    def _is_made_so(self, name: str, told: Mapping[str, Any], letters: Mapping[str, Any]) -> bool:
        """Check that a letter is supposed to be what the domain tells, or as the program makes it, and no more."""
        more = {*told} - SIZES - ({"symmetric"} if told["rows"] == told["cols"] == 1 else set())
        if name in self.inputs:
            return self._is_told(name, more)
        line = self.lines.get(name)
        if line is None or not more:
            link, argument = "equals", _side(self.known.get(name), told["rows"], told["cols"])
        elif line.kind == "diagonal_exponential":
            return more <= {"symmetric", "diagonal"}
        else:
            link, argument = "inverse_of", line.argument[0][0]
        if link not in more:
            return not more
        side = told[link]
        if link == "inverse_of" and side["formula"][0] == "L":  # an inverse is diagonal if its matrix is
            more -= {"symmetric", "diagonal"} & {*letters[side["formula"][1]]}
        is_inverse = link == "equals" or (line is not None and line.kind == "inverse" and len(line.names) == 1)
        return more == {link} and is_inverse and self._is_same(((side,),), ((argument,),), letters)

    def _is_told(self, name: str, more: set[str]) -> bool:
        """Check that the domain tells what an input is declared to be."""
        more = more - {"symmetric"} if "diagonal" in more else more
        return more <= TOLD.keys() and all(f"{name} {TOLD[key]}" in self.domain for key in more)

    # --- the solution in the letters of the program -------------------------------------------------------------------

    def grid(self, formula: Formula) -> Grid:
        """A formula of the claim in blocks."""
        head, *parts = formula
        match head:
            case "L":
                return self.letter(parts[0])
            case "q":
                return ((_side(formula, 1, 1),),)
            case "I" | "0":
                rows, cols = (self._cuts(size) for size in (parts * 2)[:2])
                is_one = head == "I"
                return tuple(
                    tuple(_side(("I", r) if is_one and i == k else ("0", r, c), r, c) for k, c in enumerate(cols))
                    for i, r in enumerate(rows)
                )
            case "T":
                return _turned(self.grid(parts[0]))
            case "+":
                return reduce(_sum, map(self.grid, parts))
            case "@":
                return reduce(_product, map(self.grid, parts))
            case "^":
                return reduce(_product, [self.grid(parts[0])] * int(parts[1]))
            case "*":
                *factors, last = map(self.grid, parts)
                require(all(_shapes(factor) == (((1, 1),),) for factor in factors), "a matrix is no factor of another")
                numbers = [factor[0][0]["formula"] for factor in factors]
                return _mapped(last, lambda inside: ("*", *numbers, inside))
            case "at":
                return self.grid(_placed(parts[0], dict(parts[1])))
        raise Rejected(f"a solution with {head} in it is not compared with a kernel")

    def letter(self, name: str) -> Grid:
        """A letter of the claim, with what defines it and with the program's lines put back."""
        if name not in self.read:
            told = self.letters[name]
            own = self.grid(told["equals"]["formula"]) if "equals" in told else self._own(name)
            self.read[name] = _mapped(own, lambda inside: _placed(inside, self.known))
        return self.read[name]

    def _own(self, name: str) -> Grid:
        if name in self.given:
            return tuple(map(tuple, self.given[name]))
        require(name in self.declared, f"{name} of the claim is nothing in the program")
        told = self.declared[name]
        return ((_side(("L", name), told["rows"], told["cols"]),),)

    def _cuts(self, size: Any) -> tuple[Any, ...]:
        """The sizes into which the program cuts one of the claim."""
        for name, grid in self.given.items():
            shapes = _shapes(grid)
            if self.letters[name]["rows"] == size:
                return tuple(row[0][0] for row in shapes)
            if self.letters[name]["cols"] == size:
                return tuple(width for _, width in shapes[0])
        return (size,)

    # --- letters are what the claim says of them ----------------------------------------------------------------------

    def require_letters(self, parts: Sequence[Any]) -> None:
        """Every letter that was read is in the program what it is in the claim; parts say more of that."""
        self.parts = [*parts]
        done: set[str] = set()
        while waiting := [name for name in self.read if name not in done and "equals" not in self.letters[name]]:
            for name in waiting:
                done.add(name)
                told = self.letters[name]
                more = {*told} - SIZES - ({"symmetric"} if told["rows"] == told["cols"] == 1 else set())
                require(self._is_so(name, told, more), f"{name} is not what it is in the claim")

    def _is_so(self, name: str, told: Mapping[str, Any], more: set[str]) -> bool:
        own, said = self._own(name), self.said
        if "inverse_of" in told:
            of = told["inverse_of"]["formula"]
            inherited = {"symmetric", "diagonal"} & {*self.letters[of[1]]} if of[0] == "L" else set()
            line = self._line(own)
            return line.kind == "inverse" and more <= {"inverse_of", *inherited} and self._same(line.argument, of)
        if name in self.exponents:
            return self._grows(name, self.exponents[name], more)
        if name in said["motion"]:
            is_time = own == ((_side(self.time, 1, 1),),)
            moves, starts = (said[key][name]["formula"] for key in ("motion", "begin"))
            return is_time and self._alike(moves, UNIT, name) and self._alike(starts, ZERO, name)
        spoken = set().union(*(_letters(block["formula"]) for line in self.letter(name) for block in line))
        is_constant = spoken <= self.inputs - {self.time[1]}
        if name in self.given:
            return is_constant and more <= {"symmetric"} and (not more or self._same(_turned(own), ("L", name)))
        return is_constant and self._is_told(name, more)

    def _grows(self, name: str, exponent: Side, more: set[str]) -> bool:
        """Check that a letter moves as the exponential of a constant matrix, or its integral, and is computed so."""
        line, matrix = self._line(self._own(name)), exponent["formula"]
        spoken = _letters(matrix)
        is_diagonal = all("diagonal" in self.letters[letter] for letter in spoken)
        known = {"symmetric", "commutes_with", *["diagonal"] * is_diagonal}
        argument = self.grid(matrix)
        if line.kind == "exponential_integral":
            is_computed = line.time == (("s", self.time[1]),)
        else:
            argument = _mapped(argument, lambda inside: ("*", self.time, inside))
            is_computed = line.kind in ("exponential", "diagonal_exponential")
        return (
            is_computed
            and not spoken & {*self.said["motion"], *self.said["solution"]}
            and more <= known
            and {*self.letters[name].get("commutes_with", ())} <= (spoken if self._is_multiple(matrix) else set())
            and all(self._alike(*sides, name) for sides in self.motions(name))
            and self._is_same(line.argument, argument, {})
        )

    def motions(self, name: str) -> tuple[tuple[Formula, Formula], ...]:
        """Pairs that are the same for a letter that moves as the exponential of a symmetric matrix, or its integral."""
        said, matrix, size = self.said, self.exponents[name]["formula"], self.letters[name]["rows"]
        rate, start = (said[key][name]["formula"] for key in ("motion", "begin"))
        symmetric = ("T", matrix), matrix
        if self._line(self._own(name)).kind != "exponential_integral":
            return symmetric, (rate, ("@", matrix, ("L", name))), (start, ("I", size))
        moving = sorted(_letters(rate) & {*said["motion"]})
        moves, starts = (tuple((m, said[key][m]["formula"]) for m in moving) for key in ("motion", "begin"))
        grown = ("along", rate, moves), ("@", matrix, rate)
        return symmetric, grown, (("at", rate, starts), ("I", size)), (start, ("0", size, size))

    def _is_multiple(self, matrix: Formula) -> bool:
        return matrix[0] == "L" or (
            matrix[0] == "*" and len(matrix) == 3 and matrix[1][0] == "q" and matrix[2][0] == "L"
        )

    def _line(self, own: Grid) -> Line:
        """The function of a matrix that makes the letters of a grid, all of them and in their order."""
        names = tuple(block["formula"][1] for row in own for block in row if block["formula"][0] == "L")
        line = self.lines.get(names[0]) if names else None
        require(line is not None and line.names == names, "a letter that moves, or an inverse, is computed otherwise")
        assert line is not None
        return line

    def _alike(self, one: Formula, other: Formula, name: str) -> bool:
        """Check whether two formulas of the claim, of the shape of a letter, are the same, or a part says so."""
        told, values = self.letters[name], Values(self.letters)
        first, second = (values.side(_side(side, told["rows"], told["cols"])) for side in (one, other))
        return first == second or any(
            part["letters"].items() <= self.letters.items()
            and (first, second) == (values.side(part["left"]), values.side(part["right"]))
            for part in self.parts
        )

    def _same(self, grid: Grid, wanted: Formula) -> bool:
        """Check whether blocks of the program are a formula of the claim."""
        return self._is_same(grid, self.grid(wanted), {})

    def _is_same(self, one: Grid, other: Grid, letters: Mapping[str, Any]) -> bool:
        """Check whether blocks are the same with the program's lines put back."""
        told = {name: self.letters[name] for name in self.declared if name in self.letters and name not in self.given}
        plain = {name: {k: v for k, v in said.items() if k not in LINKS} for name, said in told.items()}
        put = (_mapped(grid, lambda inside: _placed(inside, self.known)) for grid in (one, other))
        try:
            values = Values({**self.declared, **plain, **letters})
            first, second = (tuple(tuple(map(values.side, row)) for row in grid) for grid in put)
            return first == second
        except Rejected:
            return False

    # --- formulas of lines --------------------------------------------------------------------------------------------

    def _block(self, rows: Any, cols: Any, terms: Sequence[Any]) -> Formula:
        return ("+", *(self._term(rows, *term) for term in terms)) if terms else ("0", rows, cols)

    def _term(self, size: Any, coefficient: str, numbers: Sequence[str], matrices: Sequence[str]) -> Formula:
        words = ("@", *map(self._letter, matrices)) if matrices else ("I", size)
        return ("*", ("q", coefficient), *(("L", name) for name in numbers), words)

    def _letter(self, name: str) -> Formula:
        return ("T", self._letter(name[:-1])) if name.endswith("'") else self.known.get(name, ("L", name))


def _sized(rows: Any, cols: Any) -> dict[str, Any]:
    """A letter of some size, of which nothing else is declared."""
    return {"rows": rows, "cols": cols}


def _side(formula: Formula, rows: Any, cols: Any) -> Side:
    return {"shape": (rows, cols), "formula": formula}


def _named(names: Sequence[str], shapes: Any) -> Grid:
    """Letters in blocks."""
    left = iter(names)
    return tuple(tuple(_side(("L", next(left)), *shape) for shape in row) for row in shapes)


def _shapes(grid: Grid) -> tuple[tuple[tuple[Any, Any], ...], ...]:
    return tuple(tuple(tuple(block["shape"]) for block in row) for row in grid)


def _mapped(grid: Grid, change: Any) -> Grid:
    return tuple(tuple({**block, "formula": change(block["formula"])} for block in row) for row in grid)


def _turned(grid: Grid) -> Grid:
    columns = zip(*grid, strict=True)
    return tuple(tuple(_side(("T", b["formula"]), *b["shape"][::-1]) for b in column) for column in columns)


def _sum(one: Grid, other: Grid) -> Grid:
    require(_shapes(one) == _shapes(other), "matrices that are cut differently have no sum")
    return tuple(
        tuple(_side(("+", a["formula"], b["formula"]), *a["shape"]) for a, b in zip(first, second, strict=True))
        for first, second in zip(one, other, strict=True)
    )


def _product(one: Grid, other: Grid) -> Grid:
    def entry(row: Sequence[Side], column: Sequence[Side]) -> Side:
        products = [("@", a["formula"], b["formula"]) for a, b in zip(row, column, strict=True)]
        return _side(("+", *products), row[0]["shape"][0], column[0]["shape"][1])

    return tuple(tuple(entry(row, column) for column in zip(*other, strict=True)) for row in one)


def _placed(formula: Formula, values: Mapping[str, Formula]) -> Formula:
    """A formula with others in the place of letters."""
    head, *parts = formula
    if head == "L":
        return values.get(parts[0], formula)
    if head == "at":
        return _placed(_placed(parts[0], dict(parts[1])), values)
    return (head, *(_placed(part, values) if isinstance(part, tuple) else part for part in parts))


def _letters(formula: Formula) -> set[str]:
    if formula[0] == "L":
        return {formula[1]}
    return set().union(*(_letters(part) for part in formula if isinstance(part, tuple)))
