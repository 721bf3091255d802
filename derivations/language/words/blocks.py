"""Matrices of blocks: a rectangle of words whose heights agree along each row and whose widths agree along each column.

    F = Blocks([[zero("N_i", "N_i"), Sigma.T], [Sigma, zero("N_o", "N_o")]])
    F @ Q + Q.T

A statement about block matrices is one statement about words for each block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from operator import add

from derivations.language.polynomials import Arithmetic
from derivations.language.words import Letter, ShapeError, Words, along, identity, zero
from derivations.language.words.algebra import by

__all__ = ["Blocks", "along_blocks", "block_diagonal", "paired"]


class Blocks(Arithmetic["Blocks"]):
    """A matrix made of words in rows and columns, added and multiplied as matrices are.

    rows: lists of words; heights must agree along each row and widths along each column (`ShapeError`).

    >>> from derivations.language.words import Letter, zero
    >>> A = Letter("A", "n", "m")
    >>> Blocks([[zero("n", "n"), A], [A.T, zero("m", "m")]]) @ Blocks([[A], [zero("m", "m")]])
    [0; A' A]
    """

    def __init__(self, rows: Sequence[Sequence[Words]]) -> None:
        self.rows = tuple(tuple(row) for row in rows)
        if not self.rows or not self.rows[0]:
            raise ShapeError("a block matrix needs at least one row with one block")
        self.heights = tuple(row[0].shape[0] for row in self.rows)
        self.widths = tuple(block.shape[1] for block in self.rows[0])
        for row, height in zip(self.rows, self.heights, strict=True):
            shapes = [block.shape for block in row]
            if shapes != [(height, width) for width in self.widths]:
                raise ShapeError(
                    f"the blocks {', '.join(map(by, shapes))} do not stand in one row of height {height} "
                    f"over columns of widths {', '.join(map(str, self.widths))}"
                )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Blocks) and self.rows == other.rows

    def __hash__(self) -> int:
        return hash(self.rows)

    def __repr__(self) -> str:
        return "[" + "; ".join(", ".join(map(repr, row)) for row in self.rows) + "]"

    def __iter__(self) -> Iterator[Words]:
        return (block for row in self.rows for block in row)

    @property
    def T(self) -> Blocks:
        return Blocks([[block.T for block in column] for column in zip(*self.rows, strict=True)])

    def map(self, change: Callable[[Words], Words]) -> Blocks:
        return Blocks([[change(block) for block in row] for row in self.rows])

    def __add__(self, other: object) -> Blocks:
        if not isinstance(other, Blocks):
            return NotImplemented
        if (self.heights, self.widths) != (other.heights, other.widths):
            raise ShapeError(f"{self!r} and {other!r} are cut differently: they have no sum")
        return Blocks([[a + b for a, b in zip(*rows, strict=True)] for rows in zip(self.rows, other.rows, strict=True)])

    def __mul__(self, factor: object) -> Blocks:
        return self.map(lambda block: block * factor)

    def __matmul__(self, other: object) -> Blocks:
        right = Blocks([[other]]) if isinstance(other, Words) else other
        if not isinstance(right, Blocks):
            return NotImplemented
        if self.widths != right.heights:
            raise ShapeError(f"{self!r} and {right!r} are cut differently: they have no product")
        columns = list(zip(*right.rows, strict=True))
        return Blocks([[_product(row, column) for column in columns] for row in self.rows])

    def __rmatmul__(self, other: object) -> Blocks:
        return Blocks([[other]]) @ self if isinstance(other, Words) else NotImplemented

    @property
    def only(self) -> Words:
        """The block of a matrix that has just one."""
        if len(self.rows) * len(self.rows[0]) != 1:
            raise ShapeError(f"{self!r} has more than one block")
        return self.rows[0][0]


def _product(row: Sequence[Words], column: Sequence[Words]) -> Words:
    return reduce(add, (a @ b for a, b in zip(row, column, strict=True)))


def block_diagonal(*blocks: Words | str) -> Blocks:
    """The blocks along the diagonal; a dimension's name stands for its identity matrix.

    >>> from derivations.language.words import Letter
    >>> block_diagonal("n", Letter("S", "m", "m"))
    [1, 0; 0, S]
    """
    square = [identity(block) if isinstance(block, str) else block for block in blocks]
    return Blocks(
        [[b if i == j else zero(a.shape[0], b.shape[1]) for j, b in enumerate(square)] for i, a in enumerate(square)]
    )


def along_blocks(blocks: Blocks, flow: Mapping[Letter, Words]) -> Blocks:
    """The time derivative of every block."""
    return blocks.map(lambda block: along(block, flow))


def paired(left: Words | Blocks, right: Words | Blocks | int) -> list[tuple[Words, Words | int]]:
    """The equation of two words, or one equation for each block; a right side 0 is the zero matrix cut as the left side
    is.

    Refuses block matrices that are cut differently, and numbers other than 0 (`ShapeError`).

    >>> from derivations.language.words import Letter
    >>> A, B = Letter("A", "n", "n"), Letter("B", "n", "n")
    >>> paired(Blocks([[A, B]]), 0)
    [(A, 0), (B, 0)]
    """
    if isinstance(left, Words) and not isinstance(right, Blocks):
        return [(left, right)]
    whole = left if isinstance(left, Blocks) else Blocks([[left]])
    if isinstance(right, int):
        if right:
            raise ShapeError(f"{whole!r} = {right}: a block matrix is compared with a block matrix or with 0")
        return [(block, 0) for block in whole]
    other = right if isinstance(right, Blocks) else Blocks([[right]])
    if (whole.heights, whole.widths) != (other.heights, other.widths):
        raise ShapeError(f"{whole!r} and {other!r} are cut differently: they cannot be equal")
    return list(zip(whole, other, strict=True))
