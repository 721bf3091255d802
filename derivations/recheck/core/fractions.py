"""Formulas as fractions of polynomials over the generators that a certificate names.

The recursion is the one that cofactors are given for: symbols and rationals are themselves, sums go over the least
common denominator, products and whole powers are plain, and nothing is cancelled. Every other subformula is looked up
among the certificate's rewrites; whether those may be believed is decided elsewhere.
"""

from __future__ import annotations

from math import comb, lcm
from typing import Any

from flint import Ordering, fmpq_mpoly_ctx

from derivations.recheck.core.budget import spend
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import (
    MAX_EXPONENT,
    MAX_POLY_TERMS,
    Data,
    Rational,
    Term,
    integer,
    name,
    part,
    rational,
    shown,
    term,
)
from derivations.recheck.core.terms import parts, whole_exponent

Poly = Any  # flint.fmpq_mpoly
Generator = tuple[Any, ...]

MAX_GENERATORS = 400
MAX_PRODUCT = 40_000_000  # products of terms in one multiplication
MAX_PRODUCT_BITS = 2_000_000_000  # of their coefficients, all together
MAX_COEFFICIENT_BITS = 400_000
MAX_ROOT = 1000
MAX_FACTOR_COST = 12_000  # terms * degree * variables: beyond it a factorisation may take seconds
FACTOR_WORK, PRODUCT_WORK = 40_000, 50  # see `spend`
ALGEBRAIC = ("s", "q", "+", "*")
RESULT_TERMS = 2_000_000


class Field:
    """Polynomials over the generators, and the fractions of formulas."""

    def __init__(self, generators: Data, rewrites: Data) -> None:
        self.generators = _generators(generators)
        self.context = fmpq_mpoly_ctx.get([f"g{i}" for i in range(max(1, len(self.generators)))], Ordering.lex)
        self.one, self.zero = self.context.constant(1), self.context.constant(0)
        self.gens = [self.context.gen(i) for i in range(len(self.generators))]
        self.index = {generator: i for i, generator in enumerate(self.generators)}
        if len(self.index) != len(self.generators):
            raise Rejected("a generator is listed twice: decide the statement again")
        self.rewrites: dict[Term, tuple[Poly, Poly]] = {}
        for entry in rewrites:
            self._add_rewrite(entry)
        self._fractions: dict[Term, tuple[Poly, Poly]] = {}
        self._needs: dict[Term, frozenset[Term]] = {}
        self._factors: dict[str, Any] = {}

    def _add_rewrite(self, entry: Data) -> None:
        if not isinstance(entry, tuple) or len(entry) != 3:
            raise Rejected(f"a rewrite must be a formula, a numerator and a denominator, got {shown(entry)}")
        left = term(entry[0])
        if is_algebraic(left):
            raise Rejected(f"{shown(left)} is a sum, product, whole power, symbol or number and must not be rewritten")
        num, den = self.poly(entry[1]), self.poly(entry[2])
        if den == 0:
            raise Rejected(f"the rewrite of {shown(left)} has denominator zero")
        if left in self.rewrites:
            raise Rejected(f"{shown(left)} is rewritten twice: decide the statement again")
        self.rewrites[left] = num, den

    def poly(self, data: Data) -> Poly:
        """A polynomial from its list of coefficients and exponents."""
        if not isinstance(data, tuple) or len(data) > MAX_POLY_TERMS:
            raise Rejected(f"a polynomial must be a list of at most {MAX_POLY_TERMS} terms, got {shown(data)}")
        table: dict[tuple[int, ...], Rational] = {}
        count = len(self.generators)
        for item in data:
            if not isinstance(item, tuple) or len(item) != 2 or not isinstance(item[1], tuple) or len(item[1]) != count:
                raise Rejected(f"a term of a polynomial must be a coefficient and {count} exponents, got {shown(item)}")
            exponents = tuple(integer(e, 0, MAX_EXPONENT, "an exponent") for e in item[1]) or (0,)
            if exponents in table:
                raise Rejected(f"a polynomial lists the exponents {shown(item[1])} twice")
            table[exponents] = rational(item[0], "a coefficient")
        return self.context.from_dict(table)

    # --- fractions ----------------------------------------------------------------------------------------------------

    def fraction(self, formula: Term) -> tuple[Poly, Poly]:
        """Numerator and denominator of a prepared formula."""
        found = self._fractions.get(formula)
        if found is None:
            found = self._fractions[formula] = self._fraction(formula)
        return found

    def _fraction(self, formula: Term) -> tuple[Poly, Poly]:
        head = formula[0]
        if head == "s":
            position = self.index.get(("symbol", formula[1]))
            if position is None:
                raise Rejected(f"the symbol {formula[1]} is not among the generators: decide the statement again")
            return self.gens[position], self.one
        if head == "q":
            return self.context.constant(rational(formula[1])), self.one
        if head == "+":
            total = self.fraction(formula[1])
            for child in formula[2:]:
                total = self.add(total, self.fraction(child))
            return total
        if head == "*":
            num, den = self.fraction(formula[1])
            for child in formula[2:]:
                n, d = self.fraction(child)
                num, den = self.product(num, n), self.product(den, d)
            return num, den
        if is_algebraic(formula):
            return self._whole_power(formula)
        if formula not in self.rewrites:
            raise Rejected(f"no rewrite is given for {shown(formula)}: decide the statement again")
        return self.rewrites[formula]

    def _whole_power(self, formula: Term) -> tuple[Poly, Poly]:
        num, den = self.fraction(formula[1])
        k = whole_exponent(formula) or 0
        if k < 0:
            if num == 0:
                raise Rejected(f"{shown(formula)} divides by zero, so the statement is about nothing")
            num, den = den, num
        return self.power(num, abs(k)), self.power(den, abs(k))

    def add(self, a: tuple[Poly, Poly], b: tuple[Poly, Poly]) -> tuple[Poly, Poly]:
        """The sum of two fractions over their least common denominator."""
        if a[1] == 1 and b[1] == 1:
            return a[0] + b[0], self.one
        common = self.gcd(a[1], b[1])
        left, right = b[1] / common, a[1] / common
        return self.product(a[0], left) + self.product(b[0], right), self.product(a[1], left)

    def difference(self, left: Term, right: Term) -> tuple[Poly, Poly]:
        num, den = self.fraction(right)
        return self.add(self.fraction(left), (-num, den))

    def relation(self, position: int) -> Poly:
        """The polynomial that vanishes at a root generator."""
        num, den = self.fraction(self.generators[position][1])
        return self.product(self.power(self.gens[position], self.generators[position][2]), den) - num

    def needs(self, formula: Term) -> frozenset[Term]:
        """The outermost rewritten subformulas: the fraction is right if their rewrites are."""
        found = self._needs.get(formula)
        if found is None:
            if formula in self.rewrites:
                found = frozenset((formula,))
            elif formula[0] in ("s", "q"):
                found = frozenset()
            else:
                inside = formula[1:2] if formula[0] == "^" else parts(formula)
                found = frozenset().union(*map(self.needs, inside))
            self._needs[formula] = found
        return found

    # --- bounded arithmetic -------------------------------------------------------------------------------------------

    def gcd(self, a: Poly, b: Poly) -> Poly:
        if len(a) > 1 and len(b) > 1:
            spend((len(a) + len(b)) * max(_degree(a), _degree(b)) ** 2)
        return a.gcd(b)

    def factor(self, a: Poly) -> Any:
        """Constant and irreducible factors with their multiplicities."""
        if not can_factor(a):
            raise Rejected("a polynomial is too large to factor: state the claim in smaller parts")
        key = str(a)
        if key not in self._factors:
            spend(_factor_cost(a) * FACTOR_WORK)
            self._factors[key] = a.factor()
        return self._factors[key]

    def product(self, a: Poly, b: Poly) -> Poly:
        count = len(a) * len(b)
        long = longest(a) + longest(b) if count else 0
        if count > MAX_PRODUCT or count * long > MAX_PRODUCT_BITS:
            raise Rejected("a product of polynomials is too large to check: state the claim in smaller parts")
        spend(count * (PRODUCT_WORK + 10 * len(self.gens) + long // 8 * (1 + long // 20_000)))
        if count > RESULT_TERMS and max(len(a), len(b)) > RESULT_TERMS // 2:
            raise Rejected("a product of polynomials is too large to check: state the claim in smaller parts")
        return a * b

    def power(self, a: Poly, k: int) -> Poly:
        if k > MAX_EXPONENT:
            raise Rejected(f"the exponent {k} is beyond {MAX_EXPONENT}: such powers are not checked")
        size = len(a)
        if k < 2 or size == 0:
            return a**k
        if size > 1 and (size - 1 + k > 10**5 or comb(size - 1 + k, min(k, size - 1)) > RESULT_TERMS):
            raise Rejected(f"the power {k} of a polynomial of {size} terms is too large to check")
        if k * longest(a) * min(size, 10) > MAX_COEFFICIENT_BITS:
            raise Rejected(f"the coefficients of a power {k} are too long to check")
        spend(comb(size - 1 + k, min(k, size - 1)) * 4 * PRODUCT_WORK)
        return a**k

    def reduced(self, poly: Poly) -> Poly:
        """A multiple of the polynomial by nonzero factors, with root generators below their order."""
        for position in reversed(range(len(self.generators))):
            generator = self.generators[position]
            if generator[0] == "root" and poly.degrees()[position] >= generator[2]:
                poly = self._without_powers(poly, position, generator[2])
        return poly

    def _without_powers(self, poly: Poly, position: int, order: int) -> Poly:
        num, den = self.fraction(self.generators[position][1])
        groups: dict[tuple[int, int], dict[tuple[int, ...], Any]] = {}
        for exponents, coefficient in poly.terms():
            times, rest = divmod(int(exponents[position]), order)
            key = tuple(0 if i == position else int(e) for i, e in enumerate(exponents))
            groups.setdefault((times, rest), {})[key] = coefficient
        most = max(times for times, _ in groups)
        total = self.zero
        for (times, rest), table in groups.items():
            scale = self.product(self.power(num, times), self.power(den, most - times))
            shifted = self.product(self.context.from_dict(table), self.gens[position] ** rest)
            total = total + self.product(shifted, scale)
        return total

    def same(self, a: tuple[Poly, Poly], b: tuple[Poly, Poly]) -> bool:
        """Whether two fractions are equal modulo the relations of the root generators."""
        crossed = self.product(a[0], b[1]) - self.product(b[0], a[1])
        return bool(crossed == 0) or bool(self.reduced(crossed) == 0)

    def root_orders(self) -> int:
        return lcm(1, *(g[2] for g in self.generators if g[0] == "root"))


def is_algebraic(formula: Term) -> bool:
    return formula[0] in ALGEBRAIC or (formula[0] == "^" and whole_exponent(formula) is not None)


def _degree(poly: Poly) -> int:
    return int(max(poly.degrees()))


def _factor_cost(poly: Poly) -> int:
    return len(poly) * _degree(poly) * sum(1 for degree in poly.degrees() if degree) if len(poly) > 1 else 0


def can_factor(poly: Poly) -> bool:
    return _factor_cost(poly) <= MAX_FACTOR_COST


def single(poly: Poly) -> tuple[tuple[int, ...], Rational] | None:
    """Exponents and coefficient of a polynomial with one term."""
    if len(poly) != 1:
        return None
    ((exponents, coefficient),) = poly.terms()
    return tuple(map(int, exponents)), coefficient


def longest(poly: Poly) -> int:
    """The bits of the longest coefficient of a polynomial."""
    return int(max([coefficient.height_bits() for coefficient in poly.coeffs()], default=0))


def bits(value: Rational) -> int:
    return max(int(value.height_bits()), 1)


def generator_term(generator: Generator) -> Term:
    """The formula that a generator stands for."""
    if generator[0] == "root":
        return ("^", generator[1], ("q", f"1/{generator[2]}"))
    formula: Term = {"symbol": ("s", generator[1]), "atom": generator[1]}.get(generator[0], generator)
    return formula


def _generators(data: Data) -> list[Generator]:
    if not isinstance(data, tuple) or len(data) > MAX_GENERATORS:
        raise Rejected(f"generators must be a list of at most {MAX_GENERATORS}, got {shown(data)}")
    return [_generator(item) for item in data]


def _generator(item: Data) -> Generator:
    match item:
        case ("symbol", symbol):
            name(symbol)
        case ("exp" | "log" | "atom", inner):
            term(inner)
        case ("root", inner, order):
            term(inner)
            integer(order, 2, MAX_ROOT, "the order of a root")
        case _:
            raise Rejected(f"a generator must be a symbol, exp, log, root or atom, got {shown(item)}")
    return tuple(item)


def field_of(payload: Data) -> Field:
    return Field(part(payload, "generators", tuple, "the payload"), part(payload, "rewrites", tuple, "the payload"))
