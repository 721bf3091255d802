"""Polynomials in words and in sums share this: exact coefficients, terms added up, arithmetic made of + and *."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from numbers import Rational
from typing import Any, Generic, TypeVar

from derivations.text import DerivationError
from derivations.text.doors import shown

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")  # of letters, dimensions, ranges, indices and arrays
M = TypeVar("M")  # monomials
R = TypeVar("R")  # results of arithmetic


class Inexact(DerivationError):
    """A coefficient that is no exact rational number; the message says what to write instead."""


def add_to(total: dict[M, Fraction], part: Mapping[M, Fraction], scale: Fraction | None = None) -> None:
    """total += scale * part, dropping what cancels; no work is done for zeros and ones, as sums are long."""
    for m, c in part.items():
        added, before = c if scale is None else scale * c, total.get(m)
        value = added if before is None else before + added
        if value:
            total[m] = value
        else:
            total.pop(m, None)


def exact(value: Any) -> Fraction:
    """A rational coefficient; floats are refused.

    >>> exact(3)
    Fraction(3, 1)
    >>> exact(0.5)
    Traceback (most recent call last):
    derivations.language.polynomials.Inexact: 0.5 is not exact: floats never decide, write Fraction(p, q)
    """
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(getattr(value, "free_symbols", None), set) and value.free_symbols:
        symbol = min(map(str, value.free_symbols))
        raise Inexact(
            f"{shown(value)} is no number, and symbols of SymPy stand in no words: a number without a value is a"
            f" letter too, Letter({symbol!r}, 1, 1)"
        )
    raise Inexact(f"{shown(value)} is not exact: floats never decide, write Fraction(p, q)")


class Arithmetic(Generic[R]):
    """Negation, subtraction and operations from the right, for classes that add and multiply from the left."""

    def __add__(self, other: object) -> R:
        raise NotImplementedError

    def __mul__(self, other: object) -> R:
        raise NotImplementedError

    def __radd__(self, other: object) -> R:
        return self + other

    def __rmul__(self, other: object) -> R:
        return self * other

    def __neg__(self) -> R:
        return self * -1

    def __sub__(self, other: Any) -> R:
        return self.__add__(other * -1)

    def __rsub__(self, other: Any) -> R:
        negative: Any = self * -1
        result: R = negative + other
        return result
