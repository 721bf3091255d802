"""Polynomials over Q whose every multiplication is paid for before it is done."""

from __future__ import annotations

from collections.abc import Container
from math import comb
from typing import Any

from flint import Ordering, fmpq_mpoly_ctx

from derivations.recheck.core.budget import spend
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import (
    MAX_EXPONENT,
    MAX_POLY_TERMS,
    Data,
    Rational,
    integer,
    rational,
    require,
    shown,
)

Poly = Any  # flint.fmpq_mpoly; python-flint ships no types

MAX_LETTERS = 400
MAX_PRODUCT = 40_000_000  # products of terms in one multiplication
MAX_PRODUCT_BITS = 2_000_000_000  # of their coefficients, all together
MAX_COEFFICIENT_BITS = 400_000
RESULT_TERMS = 2_000_000
PRODUCT_WORK = 50  # see `spend`


class Polynomials:
    """Polynomials in a number of letters."""

    def __init__(self, count: int) -> None:
        require(count <= MAX_LETTERS, f"polynomials have at most {MAX_LETTERS} letters, got {count}")
        self.count = max(1, count)
        self.context = fmpq_mpoly_ctx.get([f"g{i}" for i in range(self.count)], Ordering.lex)
        self.one, self.zero = self.context.constant(1), self.context.constant(0)
        self.gens = self.context.gens()

    def read(self, data: Data, letters: Container[int]) -> Poly:
        """A polynomial in some letters from its coefficients and exponents, in which zeros at the end may lack."""
        short = isinstance(data, tuple) and len(data) <= MAX_POLY_TERMS
        require(short, f"a polynomial must be a list of at most {MAX_POLY_TERMS} terms")
        table: dict[tuple[int, ...], Rational] = {}
        for item in data:
            if not isinstance(item, tuple) or len(item) != 2 or not isinstance(item[1], tuple):
                raise Rejected(f"a term of a polynomial must be a coefficient and its exponents, got {shown(item)}")
            exponents = item[1]
            for i, exponent in enumerate(exponents):
                if type(exponent) is not int or not 0 <= exponent <= MAX_EXPONENT:
                    integer(exponent, 0, MAX_EXPONENT, "an exponent")
                if (exponent and i not in letters) or i >= self.count:
                    raise Rejected(f"{shown(item)} has exponents of generators that no step before it shows")
            key = (*exponents, *[0] * (self.count - len(exponents)))
            require(key not in table, "a polynomial lists the exponents of a term twice")
            table[key] = rational(item[0], "a coefficient")
        return self.context.from_dict(table)

    def product(self, a: Poly, b: Poly) -> Poly:
        count = len(a) * len(b)
        long = longest(a) + longest(b) if count else 0
        small = count <= MAX_PRODUCT and count * long <= MAX_PRODUCT_BITS
        require(small, "a product of polynomials is too large to check: state the claim in smaller parts")
        spend(count * (PRODUCT_WORK + 10 * self.count + long // 8 * (1 + long // 20_000)))
        large = count > RESULT_TERMS and max(len(a), len(b)) > RESULT_TERMS // 2
        require(not large, "a product of polynomials is too large to check: state the claim in smaller parts")
        return a * b

    def power(self, a: Poly, k: int) -> Poly:
        require(k <= MAX_EXPONENT, f"the exponent {k} is beyond {MAX_EXPONENT}: such powers are not checked")
        size = len(a)
        if k < 2 or size == 0:
            return a**k
        large = size > 1 and (size - 1 + k > 10**5 or comb(size - 1 + k, min(k, size - 1)) > RESULT_TERMS)
        require(not large, f"the power {k} of a polynomial of {size} terms is too large to check")
        short = k * longest(a) * min(size, 10) <= MAX_COEFFICIENT_BITS
        require(short, f"the coefficients of a power {k} are too long to check")
        spend(comb(size - 1 + k, min(k, size - 1)) * 4 * PRODUCT_WORK)
        return a**k

    def add(self, a: tuple[Poly, Poly], b: tuple[Poly, Poly]) -> tuple[Poly, Poly]:
        """The sum of two fractions over their least common denominator."""
        if a[1] == 1 and b[1] == 1:
            return a[0] + b[0], self.one
        common = self.gcd(a[1], b[1])
        left, right = b[1] / common, a[1] / common
        return self.product(a[0], left) + self.product(b[0], right), self.product(a[1], left)

    def gcd(self, a: Poly, b: Poly) -> Poly:
        if len(a) > 1 and len(b) > 1:
            spend((len(a) + len(b)) * max(*a.degrees(), *b.degrees()) ** 2)
        return a.gcd(b)

    def divides(self, a: Poly, b: Poly) -> bool:
        """Check whether b is a multiple of a."""
        if len(a) > 1:
            spend(len(a) * len(b) * max(b.degrees()) * PRODUCT_WORK)
        return bool(a != 0) and bool(b % a == 0)


def longest(poly: Poly) -> int:
    """The bits of the longest coefficient of a polynomial."""
    return int(max([coefficient.height_bits() for coefficient in poly.coeffs()], default=0))
