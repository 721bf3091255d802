"""Products of factors of single fields, their slopes, and the covariance of the fields.

A product lists its factors in one order: ("power", x), ("step", x), ("point", x), ("bell", x, w) and ("erf", x, w), a
power as often as it stands there. A ramp is a power and a step; a step times itself is a step; what vanishes at zero
takes a point mass there with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from derivations.recheck.core.budget import spend
from derivations.recheck.core.conditions import sign_by_form
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.limits.forms import product_of_terms, sum_of_terms
from derivations.recheck.core.load import Data, Term, require, shown
from derivations.recheck.core.terms import MINUS_ONE, ONE, ZERO

STEP_WORK = 5000  # see `spend`
MAX_FIELDS, MAX_FACTORS = 8, 40
Factor = tuple[Any, ...]
Product = tuple[Factor, ...]
Sum = dict[Product, Term]


def product_of(data: Data, fields: int, symbols: Data) -> Product | None:
    """A product from its data; widths are positive by form."""
    require(len(data) <= MAX_FACTORS, f"a product must be a list of at most {MAX_FACTORS} factors")
    factors: list[Factor] = []
    for factor in data:
        match factor:
            case ("power", field, exponent):
                factors += [("power", field)] * exponent
            case ("ramp", field):
                factors += [("power", field), ("step", field)]
            case (_, field, *widths):
                positive = all(sign_by_form(width, symbols) == ">" for width in widths)
                require(positive, f"the width of {shown(factor)} is not positive by its form")
                factors.append(factor)
        require(field < fields, f"no field has the number {field}")
    return joined(factors)


def joined(factors: Iterable[Factor]) -> Product | None:
    """The one way to write a product; None where a point mass meets something that vanishes at zero."""
    factors = [*factors]
    steps = {factor for factor in factors if factor[0] == "step"}
    factors = [*steps, *(factor for factor in factors if factor not in steps)]
    for field in [factor[1] for factor in factors if factor[0] == "point"]:
        beside = [factor[0] for factor in factors if factor[1] == field]
        if "step" in beside or beside.count("point") > 1:
            raise Rejected("a point mass times a step, or times itself, has no average: leave one of them out")
        if "power" in beside or "erf" in beside:
            return None
        factors = [factor for factor in factors if factor[:2] != ("bell", field)]  # a bell is 1 where its field is 0
    return tuple(sorted(factors, key=repr))


def put_in(total: Sum, product: Product | None, coefficient: Term) -> Sum:
    """The sum with one product more."""
    if product is not None:
        total[product] = sum_of_terms(total.get(product, ZERO), coefficient)
    return total


def fields_of(product: Iterable[Factor]) -> list[int]:
    return sorted({factor[1] for factor in product})


def kinds_of(product: Iterable[Factor]) -> list[str]:
    return [factor[0] for factor in product]


def slope(of: Sum, field: int) -> Sum:
    """The derivative of a sum of products by a field."""
    total: Sum = {}
    for product, coefficient in of.items():
        for k, factor in enumerate(product):
            if factor[1] == field:
                spend(STEP_WORK * len(product))
                share, instead = _slope_of_factor(factor)
                changed = joined((*product[:k], *instead, *product[k + 1 :]))
                put_in(total, changed, product_of_terms(coefficient, share))
    return total


def _slope_of_factor(factor: Factor) -> tuple[Term, Product]:
    match factor:
        case ("power", _):
            return ONE, ()
        case ("step", field):
            return ONE, (("point", field),)
        case ("bell", field, width):
            return product_of_terms(MINUS_ONE, _power(width, "-1")), (factor, ("power", field))
        case ("erf", field, width):
            height = product_of_terms(_power(("q", "2"), "1/2"), _power(("pi",), "-1/2"), _power(width, "-1/2"))
            return height, (("bell", field, width),)
    raise Rejected("the slope of a point mass is not among the factors of averages")


def _power(base: Term, exponent: str) -> Term:
    return ONE if base == ONE else ("^", base, ("q", exponent))


class Covariance(NamedTuple):
    """A table that is positive semidefinite, and positive definite for some fields."""

    entries: tuple[tuple[Term, ...], ...]
    definite: frozenset[int]

    def less(self, field: int, variance: Term) -> Covariance:
        """C - C_.k C_k./variance: the covariance of the fields under a weight of one of them, or where it is zero."""
        size = range(len(self.entries))
        spend(STEP_WORK * len(size) ** 2)

        def entry(i: int, j: int) -> Term:
            share = (self.entries[i][field], self.entries[field][j], _power(variance, "-1"))
            return sum_of_terms(self.entries[i][j], product_of_terms(MINUS_ONE, *share))

        upper = {(i, j): entry(i, j) for i in size for j in size if i <= j}
        rows = tuple(tuple(upper[min(i, j), max(i, j)] for j in size) for i in size)
        return Covariance(rows, self.definite - {field})


def covariance_of(statement: Data) -> Covariance:
    """The covariance of a statement: a symmetric table with a row for every field."""
    size, rows = len(set(statement["fields"])), statement["covariance"]
    square = all(len(each) == size for each in (rows, *rows)) and size == len(statement["fields"]) <= MAX_FIELDS
    require(square, f"at most {MAX_FIELDS} fields of different names need a square as their covariance")
    require(rows == tuple(zip(*rows, strict=True)), "the covariance must be written symmetrically")
    require(max(statement["definite"], default=-1) < size, "a field is definite that is none")
    return Covariance(rows, frozenset(statement["definite"]))
