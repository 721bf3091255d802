"""Expansions in a scale of germs, with remainders: f = sum of c g^a + O(g^r) as the small variable goes to zero.

For every value of the parameters at which the limit speaks, an expansion says that the function has a value for all
small positive t and differs from the listed finite sum by at most a constant times g^r; without r it equals the sum.
The rules below keep that true, and use nothing beyond it: sums and products of such statements, and Taylor's theorem
with its remainder for a function at a point inside its domain, where what is put in goes to zero. A coefficient in the
middle may vanish; what is divided by, or put into a logarithm or a root, has a first coefficient whose sign is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cmp_to_key

from flint import fmpq

from derivations.recheck.core.budget import spend
from derivations.recheck.core.errors import Rejected
from derivations.recheck.kinds.limits.constants import Constant, Constants, Quotient
from derivations.recheck.kinds.limits.scale import Exponents, Scale, added, times

Summand = tuple[Exponents, Constant]

TERM_WORK = 30_000  # see `spend`
SMALL_POWER = 8


@dataclass(frozen=True)
class Expansion:
    """Terms, the largest first, and the exponents of the remainder (None: there is none)."""

    terms: tuple[Summand, ...]
    remainder: Exponents | None = None

    @property
    def is_zero(self) -> bool:
        return not self.terms and self.remainder is None

    def bound(self) -> Exponents:
        """Exponents r such that the function is O(g^r)."""
        if self.terms:
            return self.terms[0][0]
        if self.remainder is None:
            raise Rejected("an expansion that is zero has no first term")
        return self.remainder


def _by_size(scale: Scale) -> Callable[[Summand, Summand], int]:
    return lambda a, b: scale.compare(a[0], b[0])


class Arithmetic:
    """Sums, products, powers and compositions of expansions, cut off after a number of terms."""

    def __init__(self, ring: Constants, scale: Scale, order: int) -> None:
        self.ring, self.scale, self.order = ring, scale, order
        self._key = cmp_to_key(_by_size(scale))

    def constant(self, c: Constant) -> Expansion:
        return self.monomial(c, self.scale.zero)

    def monomial(self, c: Constant, exponents: Exponents) -> Expansion:
        return Expansion(((exponents, c),) if c != 0 else ())

    def bounded(self) -> Expansion:
        """A function that has values and is bounded, of which nothing else is known."""
        return Expansion((), self.scale.zero)

    def _collected(self, terms: Iterable[Summand], remainders: Sequence[Exponents]) -> Expansion:
        table: dict[Exponents, Constant] = {}
        for exponents, c in terms:
            table[exponents] = table[exponents] + c if exponents in table else c
        ordered = self._merged(sorted(table.items(), key=self._key))
        rest = list(remainders)
        if len(ordered) > self.order:
            rest.append(ordered[self.order][0])
            ordered = ordered[: self.order]
        if not rest:
            return Expansion(tuple(ordered))
        largest = rest[0]
        for other in rest[1:]:
            largest = other if self.scale.compare(other, largest) < 0 else largest
        return Expansion(tuple(t for t in ordered if self.scale.compare(t[0], largest) < 0), largest)

    def _merged(self, ordered: list[Summand]) -> list[Summand]:
        """Terms without zeros, in which no two exponents are equal, however they are written."""
        merged: list[Summand] = []
        for exponents, c in ordered:
            if merged and self.scale.compare(merged[-1][0], exponents) == 0:
                merged[-1] = (merged[-1][0], merged[-1][1] + c)
            else:
                merged.append((exponents, c))
        return [(exponents, c) for exponents, c in merged if c != 0]

    def add(self, *parts: Expansion) -> Expansion:
        remainders = [p.remainder for p in parts if p.remainder is not None]
        return self._collected((t for p in parts for t in p.terms), remainders)

    def scaled(self, a: Expansion, c: Constant) -> Expansion:
        return Expansion(tuple((e, x * c) for e, x in a.terms), a.remainder) if c != 0 else Expansion(())

    def multiply(self, a: Expansion, b: Expansion) -> Expansion:
        if a.is_zero or b.is_zero:
            return Expansion(())
        spend(len(a.terms) * len(b.terms) * TERM_WORK)
        remainders = []
        if a.remainder is not None:
            remainders.append(added(a.remainder, b.bound()))
        if b.remainder is not None:
            remainders.append(added(b.remainder, a.bound()))
        terms = [(added(e, f), c * d) for e, c in a.terms for f, d in b.terms]
        return self._collected(terms, remainders)

    # --- what needs a first term --------------------------------------------------------------------------------------

    def first(self, a: Expansion) -> tuple[Exponents, Constant, Expansion]:
        """Exponents and coefficient of the first term, and d in a = first * (1 + d), where d goes to zero."""
        if not a.terms:
            raise Rejected("an expansion has no first term that is known: it may vanish")
        exponents, c = a.terms[0]
        if not self.ring.signs.never_zero(c):
            raise Rejected("the first coefficient of an expansion may vanish for some parameters")
        factor = self.monomial(self.ring.whole_power(c, -1), times(exponents, fmpq(-1)))
        rest = Expansion(a.terms[1:], a.remainder)
        return exponents, c, self.multiply(rest, factor)

    def sign(self, a: Expansion) -> int:
        """The sign for all small values of the variable."""
        _, c, _ = self.first(a)
        sign = self.ring.signs.of(c)
        if not sign:
            raise Rejected("the sign of the first coefficient of an expansion is not known")
        return sign

    def power(self, a: Expansion, exponent: Constant) -> Expansion:
        is_whole = not isinstance(exponent, Quotient) and exponent.q == 1
        if is_whole and 0 <= exponent.p <= SMALL_POWER:
            result = self.constant(fmpq(1))
            for _ in range(int(exponent.p)):
                result = self.multiply(result, a)
            return result
        if a.is_zero and not isinstance(exponent, Quotient) and exponent > 0:
            return a
        exponents, c, d = self.first(a)
        if not is_whole and self.ring.signs.of(c) != 1:
            raise Rejected("a root or a power is taken of what need not be positive near the limit")
        binomials: list[Constant] = [fmpq(1)]
        for k in range(self.order):
            binomials.append(binomials[-1] * (exponent - fmpq(k)) * fmpq(1, k + 1))
        factor = self.monomial(self.ring.power(c, exponent, given=False), times(exponents, exponent))
        return self.multiply(factor, self.composed(binomials, d))

    def inverse(self, a: Expansion) -> Expansion:
        return self.power(a, fmpq(-1))

    def composed(self, coefficients: Sequence[Constant], small: Expansion) -> Expansion:
        """sum of c_k small^k + O(small^(order + 1)), by Taylor's theorem; the argument goes to zero."""
        if small.is_zero:
            return self.constant(coefficients[0])
        if self.scale.compare(small.bound(), self.scale.zero) <= 0:
            raise Rejected("a Taylor series is used for what does not go to zero")
        coefficients = coefficients[: self.order + 1]
        result = self.constant(coefficients[-1])
        for c in reversed(coefficients[:-1]):
            result = self.add(self.multiply(result, small), self.constant(c))
        return self.add(result, Expansion((), times(small.bound(), fmpq(len(coefficients)))))

    # --- exponentials and logarithms ----------------------------------------------------------------------------------

    def split(self, a: Expansion) -> tuple[list[tuple[Exponents, Constant]], Constant, Expansion | None]:
        """Terms that grow, the constant, and what goes to zero (None where the rest is only known to be bounded)."""
        zero, constant = self.scale.zero, fmpq(0)
        growing, small = [], []
        for exponents, c in a.terms:
            order = self.scale.compare(exponents, zero)
            if order < 0:
                growing.append((exponents, c))
            elif order == 0:
                constant = c
            else:
                small.append((exponents, c))
        if a.remainder is not None:
            order = self.scale.compare(a.remainder, zero)
            if order < 0:
                raise Rejected("a remainder may grow where a function of it is taken: more terms are needed")
            if order == 0:
                return growing, constant, None
        return growing, constant, Expansion(tuple(small), a.remainder)

    def exponential(self, a: Expansion) -> Expansion:
        """The product of exp of growing terms, which are powers of germs, exp of the constant, and a Taylor series."""
        growing, constant, small = self.split(a)
        exponents = self.scale.zero
        for log_of_inverse, c in growing:
            exponents = added(exponents, self.scale.unit(self.scale.place_of(log_of_inverse), -c))
        factor = self.monomial(self.ring.exponential(constant), exponents)
        series = self.bounded() if small is None else self.composed(self._exponential_series(), small)
        return self.multiply(factor, series)

    def _exponential_series(self) -> list[Constant]:
        coefficients = [fmpq(1)]
        for k in range(self.order):
            coefficients.append(coefficients[-1] / (k + 1))
        return coefficients

    def logarithm(self, a: Expansion) -> Expansion:
        """log c + log g^a + log(1 + d)."""
        if self.sign(a) != 1:
            raise Rejected("a logarithm is taken of what is negative near the limit")
        exponents, c, d = self.first(a)
        parts = [self.constant(self.ring.logarithm(c, given=False))]
        for place, e in enumerate(exponents):
            if e != 0:
                log_of_inverse = self.scale.log_of_inverse[place]
                if log_of_inverse is None:
                    raise Rejected("the scale has no germ for a logarithm that grows")
                parts.append(self.monomial(-e, log_of_inverse))
        series = [fmpq(0), *(fmpq((-1) ** (k + 1), k) for k in range(1, self.order + 1))]
        return self.add(*parts, self.composed(series, d))
