"""Values of formulas, as balls and matrices of balls, and one elementary statement at one point."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from itertools import combinations
from operator import add
from typing import Any

from flint import arb, arb_mat, fmpq

from derivations.text import DerivationError

Value = Any  # flint.arb, or flint.arb_mat
BITS = 128
SAME = arb(2) ** -60
MOST_PARTS = 7  # of a sum or a product of which all selections are looked at
TROUBLE = (ZeroDivisionError, ValueError, TypeError, OverflowError, KeyError, AttributeError, IndexError)
"""Errors that are raised where a formula has no value, or is of another kind."""


class Missing(DerivationError):
    """A name or a formula that has no value here."""


@dataclass
class Setting:
    """One elementary statement at one point: values of its letters and of its parts, its relations and numbers."""

    letters: dict[str, Value]
    parts: list[Value] = field(default_factory=list)
    relations: list[tuple[str, Value, Value]] = field(default_factory=list)
    numbers: set[Fraction] = field(default_factory=set)

    def has(self, value: Value) -> bool:
        """Check whether a value, or its contrary, is that of a part."""
        return any(agree(value, part) or agree(-1 * value, part) for part in self.parts)


def agree(a: Value, b: Value) -> bool:
    """Check whether two values are the same to many digits.

    >>> agree(arb(1) / 4, 1 - arb(3) / 4), agree(arb(1), arb("1.001"))
    (True, False)
    """
    if isinstance(a, arb_mat) and isinstance(b, arb_mat):
        same_shape = (a.nrows(), a.ncols()) == (b.nrows(), b.ncols())
        return same_shape and all(agree(x, y) for x, y in zip(a.entries(), b.entries(), strict=True))
    if isinstance(a, arb_mat) or isinstance(b, arb_mat):
        return False
    return bool(abs(a - b) <= SAME * (abs(a) + abs(b)) or (abs(a) < SAME and abs(b) < SAME))


def ball(number: Fraction) -> Value:
    return arb(fmpq(number.numerator, number.denominator))


def is_one_number(value: Value) -> bool:
    return not isinstance(value, arb_mat) or (value.nrows(), value.ncols()) == (1, 1)


def plain(value: Value) -> Value:
    """A value, as a number if it is a matrix with one entry."""
    return value[0, 0] if isinstance(value, arb_mat) and is_one_number(value) else value


def product(a: Value, b: Value) -> Value:
    """The product of numbers and matrices, in this order."""
    a, b = plain(a), plain(b)
    return plain(a * b if isinstance(a, arb_mat) else b * a)


def transposed(value: Value) -> Value:
    return value.transpose() if isinstance(value, arb_mat) else value


def norm2(value: Value) -> Value:
    """The sum of the squares of all entries."""
    return sum((x * x for x in value.entries()), arb(0)) if isinstance(value, arb_mat) else value * value


def trace(value: Value) -> Value:
    return sum((value[i, i] for i in range(value.nrows())), arb(0)) if isinstance(value, arb_mat) else value


def together(values: Sequence[Value], head: str) -> Iterator[Value]:
    """Compute what some terms of a sum, or some factors of a product, come to."""
    if 2 < len(values) <= MOST_PARTS:
        for size in range(2, len(values)):
            for some in combinations(values, size):
                yield reduce(add if head == "+" else product, some)
