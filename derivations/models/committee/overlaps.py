"""Matrices of overlaps in symbols, and what code does with them that computes with arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp

from derivations.models.sampling import ModelError


def among(name: str, units: int) -> sp.Matrix:
    """Overlaps of units with one another, symmetric: the squared lengths on the diagonal are positive.

    >>> among("Q", 2)
    Matrix([
    [Q_11, Q_12],
    [Q_12, Q_22]])
    """
    return sp.Matrix(units, units, lambda p, q: _entry(name, min(p, q), max(p, q), positive=p == q or None))


def between(name: str, rows: int, columns: int) -> sp.Matrix:
    """Overlaps of units with other ones."""
    return sp.Matrix(rows, columns, lambda p, q: _entry(name, p, q))


def _entry(name: str, p: int, q: int, **known: bool | None) -> sp.Symbol:
    return sp.Symbol(f"{name}_{p + 1}{q + 1}", real=True, **known)


def broadcast(combine: Callable[..., Any], *arrays: sp.Matrix) -> sp.Matrix:
    """Combine arrays entry by entry as JAX does: a side of length one is repeated, and others must be equal.

    >>> broadcast(lambda x, y: x + y, sp.Matrix([[1, 2]]), sp.Matrix([3, 4]))
    Matrix([
    [4, 5],
    [5, 6]])
    """
    rows, columns = (_length([array.shape[side] for array in arrays]) for side in (0, 1))
    return sp.Matrix(rows, columns, lambda p, q: combine(*(array[p % array.rows, q % array.cols] for array in arrays)))


def _length(lengths: list[int]) -> int:
    longest = max(lengths)
    if any(length not in (1, longest) for length in lengths):
        raise ModelError(f"sides of lengths {lengths} do not broadcast: all that are not one must be equal")
    return longest
