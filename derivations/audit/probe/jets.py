"""Exact matrices that move: a matrix of fractions, and how fast it moves in directions that square to zero.

A time derivative or a gradient of any expression is what its value says along such a direction. Sums, products,
transposes and inverses are all that is needed, and none of the rules of differentiation is written down.
"""

from __future__ import annotations

from typing import Any

from flint import fmpq, fmpq_mat

Direction = frozenset[int]
STILL: Direction = frozenset()


class NoMatrix(ArithmeticError):
    """A matrix that should have an inverse has none."""


class Jet:
    """A matrix with the parts that belong to each product of directions; all parts have one shape."""

    def __init__(self, parts: dict[Direction, Any]) -> None:
        self.parts = parts

    @classmethod
    def still(cls, matrix: Any) -> Jet:
        return cls({STILL: matrix})

    @property
    def shape(self) -> tuple[int, int]:
        matrix = self.parts[STILL]
        return matrix.nrows(), matrix.ncols()

    @property
    def value(self) -> Any:
        return self.parts[STILL]

    def __add__(self, other: Jet) -> Jet:
        parts = dict(self.parts)
        for direction, matrix in other.parts.items():
            parts[direction] = parts[direction] + matrix if direction in parts else matrix
        return Jet(parts)

    def __matmul__(self, other: Jet) -> Jet:
        """The product; a 1x1 matrix multiplies as the number that it holds."""
        parts: dict[Direction, Any] = {}
        for a, left in self.parts.items():
            for b, right in other.parts.items():
                if not a & b:
                    product = _product(left, right)
                    parts[a | b] = parts[a | b] + product if a | b in parts else product
        return Jet(parts)

    def times(self, factor: Any) -> Jet:
        return Jet({direction: factor * matrix for direction, matrix in self.parts.items()})

    @property
    def T(self) -> Jet:
        return Jet({direction: matrix.transpose() for direction, matrix in self.parts.items()})

    def trace(self) -> Jet:
        return Jet({d: _number(sum((m[i, i] for i in range(m.nrows())), fmpq(0))) for d, m in self.parts.items()})

    def inverse(self) -> Jet:
        """1/X = sum over k of (-1/X0 N)^k 1/X0 for X = X0 + N, where a power of N is zero."""
        if self.value.det() == 0:
            raise NoMatrix
        rest = Jet({d: m for d, m in self.parts.items() if d})
        first = Jet.still(self.value.inv())
        found, term = first, first
        for _ in range(max(map(len, self.parts))):
            if not rest.parts:
                break
            term = (first @ (Jet({STILL: self.value * 0} | rest.parts) @ term)).times(fmpq(-1))
            found += term
        return found

    def moving(self, direction: int, speed: Jet) -> Jet:
        """The matrix with a speed in a new direction."""
        return self + Jet({d | {direction}: m for d, m in speed.parts.items()} | {STILL: self.value * 0})

    def speed(self, direction: int) -> Jet:
        """How fast the matrix moves in a direction."""
        zero = {STILL: self.value * 0}
        return Jet(zero | {d - {direction}: m for d, m in self.parts.items() if direction in d})


def _product(left: Any, right: Any) -> Any:
    if left.nrows() == left.ncols() == 1:
        return left[0, 0] * right
    if right.nrows() == right.ncols() == 1:
        return right[0, 0] * left
    return left * right


def _number(value: Any) -> Any:
    return fmpq_mat(1, 1, [value])
