"""Integrands of Gaussian averages as people write them: fields, and what activations make of them.

    a, b = field(0), field(1)
    mean(bell(0, w) * bell(1, w), C)              <exp(-a^2/(2 w)) exp(-b^2/(2 w))> for the covariance C
    mean(step(0) * b * ramp(2), C, definite=[0, 2])

Coefficients are SymPy expressions; fields are places in the covariance.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod
from typing import Any

import sympy as sp

from derivations.language.terms import Expression, Matrix, NotExact, Place, as_expression
from derivations.text.doors import at_door

NAMES = "abcdefgh"


@dataclass(frozen=True)
class Integrand:
    """A sum of products of factors of single fields, with coefficients."""

    products: tuple[tuple[Any, tuple[Any, ...]], ...]

    def times(self, other: Any) -> Integrand:
        """The product with another integrand, or with a coefficient."""
        return Integrand(tuple((c * d, (*f, *g)) for c, f in self.products for d, g in _read(other).products))

    def plus(self, other: Any) -> Integrand:
        return Integrand(self.products + _read(other).products)

    __add__ = __radd__ = plus
    __mul__ = __rmul__ = times

    def __pow__(self, exponent: Any) -> Integrand:
        if not isinstance(exponent, int) or exponent < 0:
            raise NotExact(
                f"a field is taken to whole powers, got the exponent {exponent}: write another factor for it"
            )
        return prod([self] * exponent, start=_read(1))

    def fields(self) -> list[int]:
        return sorted({factor[1] for _, factors in self.products for factor in factors})


def _read(value: Any) -> Integrand:
    return value if isinstance(value, Integrand) else Integrand(((as_expression(value), ()),))


def _of(*factor: Any) -> Integrand:
    return Integrand(((sp.Integer(1), (factor,)),))


@at_door(NotExact)
def field(place: Place) -> Integrand:
    """A Gaussian field of mean zero, as part of an integrand. place: its row of the covariance, from 0 on.

    >>> (field(0) * field(0) * field(1)).fields()
    [0, 1]
    """
    return _of("power", place, 1)


def bell(place: int, width2: Any) -> Integrand:
    """exp(-x^2/(2 width2))."""
    return _of("bell", place, as_expression(width2))


def error_function(place: int, width2: Any) -> Integrand:
    """erf(x/sqrt(2 width2))."""
    return _of("erf", place, as_expression(width2))


def step(place: int) -> Integrand:
    """1 where the field is positive, else 0."""
    return _of("step", place)


def ramp(place: int) -> Integrand:
    """The field where it is positive, else 0."""
    return _of("ramp", place)


def point(place: int) -> Integrand:
    """A point mass where the field is zero."""
    return _of("point", place)


@dataclass(frozen=True)
class Mean:
    """<integrand> over Gaussian fields of mean zero; the covariance of the `definite` ones is positive definite."""

    integrand: Integrand
    covariance: Any
    definite: tuple[int, ...]
    names: Sequence[str]


@at_door(NotExact)
def mean(
    integrand: Integrand | Expression,
    covariance: Matrix | Sequence[Sequence[Expression]],
    definite: Iterable[Place] = (),
    names: Sequence[str] | str = NAMES,
) -> Mean:
    """<integrand> for a covariance, which may be singular but for the fields that are named definite.

    integrand: sums and products of fields, and of values and slopes of activations such as `Ramp`. covariance: a
    symmetric matrix, with a row for each field. definite: numbers of fields, none of them a combination of the others.
    names: letters for the fields, which only show. Refuses what holds no field (`NotExact`).

    >>> C = sp.Matrix([[2, 1], [1, 3]])
    >>> mean(field(0) * field(1), C).integrand.fields()
    [0, 1]
    """
    if isinstance(integrand, sp.Basic) and integrand.free_symbols:
        raise NotExact(f"{integrand} has no field, so it is its own average: write field(0) for the first variable")
    read, matrix, chosen = _read(integrand), sp.Matrix(covariance), tuple(definite)
    if (beyond := max([-1, *read.fields(), *chosen])) >= min(matrix.rows, len(names)):
        raise NotExact(
            f"field {beyond} has no row in a covariance of {matrix.rows} rows, or no name among {len(names)}: give both"
        )
    for row, column in combinations(range(min(matrix.shape)), 2):
        if matrix[row, column] != matrix[column, row]:
            raise NotExact(
                f"the covariance of fields {row} and {column} is {matrix[row, column]} in one row and"
                f" {matrix[column, row]} in the other: write the same in both"
            )
    return Mean(read, matrix, chosen, names)
