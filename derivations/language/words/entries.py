"""Words for matrices of a given size whose entries are SymPy expressions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from derivations.language.words.algebra import DIMENSION, PRIME, TRACE, ShapeError, Word, name_of
from derivations.language.words.core import Letter, Words


def with_entries(words: Words, matrices: Mapping[Letter, sp.Matrix]) -> sp.Matrix:
    """The matrix that words are when each letter is a given matrix; one of size 1 x 1 for numbers.

    Refuses words with a letter that is not given, or in which an identity or its trace has no size (`ShapeError`).

    >>> A, x = Letter("A", "n", "n"), Letter("x", "n", 1)
    >>> a, b = sp.symbols("a b")
    >>> with_entries(x.T @ A @ x, {A: sp.Matrix([[1, a], [0, 1]]), x: sp.Matrix([b, 2])})
    Matrix([[2*a*b + b**2 + 4]])
    """
    named = {letter.name: matrix for letter, matrix in matrices.items()}
    sizes = {dim: n for letter, m in matrices.items() for dim, n in zip(letter.shape, m.shape, strict=True)} | {1: 1}
    missing = [str(dimension) for dimension in words.shape if dimension not in sizes]
    if missing:
        raise ShapeError(f"no given matrix has the dimension {missing[0]}: give one that has")
    total = sp.zeros(*(sizes[dimension] for dimension in words.shape))
    for (scalars, outer), coefficient in words.terms.items():
        matrix = _product(outer, named) if outer else sp.eye(total.rows)
        for scalar in scalars:
            matrix = matrix * _number(scalar, named, sizes)
        total += matrix * sp.Rational(coefficient.numerator, coefficient.denominator)
    return total.applyfunc(sp.expand)


def _product(word: Word, named: Mapping[str, sp.Matrix]) -> sp.Matrix:
    product = None
    for factor in word:
        if name_of(factor) not in named:
            raise ShapeError(f"the letter {name_of(factor)} is not given: give a matrix for it")
        matrix = named[name_of(factor)].T if factor.endswith(PRIME) else named[factor]
        product = matrix if product is None else product * matrix
    return product


def _number(scalar: Word, named: Mapping[str, sp.Matrix], sizes: Mapping[Any, int]) -> Any:
    if scalar[0] == DIMENSION:
        return sizes[scalar[1]]
    return _product(scalar[1:], named).trace() if scalar[0] == TRACE else _product(scalar, named)[0, 0]
