"""Coefficients of expansions: rational functions of the parameters, and of constants such as exp(a), log(2) or pi.

A coefficient is a rational number, or a quotient of polynomials whose generators stand for parameters and for other
formulas of the parameters. Every formula that has become a generator has a value wherever the limit speaks: it stands
in the statement itself, or the arguments of its partial functions were shown to lie inside their domains. Roots are
reduced by their relation; other relations between generators are not known, so a coefficient that vanishes may be
kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flint import Ordering, fmpq, fmpq_mpoly_ctx, fmpz

from derivations.recheck.core.budget import spend
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Rational, Term, rational, shown
from derivations.recheck.core.ring.polynomials import bits
from derivations.recheck.core.terms import MINUS_ONE, whole_exponent
from derivations.recheck.kinds.limits.signs import Signs

Poly = Any  # flint.fmpq_mpoly
Constant = Any  # flint.fmpq or Quotient

MOST_GENERATORS = 40
MOST_TERMS = 400
MOST_POWER = 64  # of a polynomial with several terms
MOST_BITS = 20_000
PRIMES_UP_TO = 2**64  # larger numbers are not factored
OPERATION_WORK, TERM_WORK = 5000, 500  # see `spend`
TOTAL = ("exp", "sin", "cos", "erf", "atan", "abs")
AT_ZERO = {"sin": 0, "cos": 1, "erf": 0, "asin": 0, "atan": 0, "tan": 0, "abs": 0}


class Quotient:
    """A quotient of polynomials in lowest terms that is no rational number."""

    __slots__ = ("_key", "den", "num", "ring")

    def __init__(self, ring: Constants, num: Poly, den: Poly) -> None:
        self.ring, self.num, self.den = ring, num, den
        self._key = (str(num), str(den))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Quotient) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __add__(self, other: Constant) -> Constant:
        num, den = self.ring.parts(other)
        multiply = self.ring.multiplied
        return self.ring.quotient(multiply(self.num, den) + multiply(num, self.den), multiply(self.den, den))

    def __mul__(self, other: Constant) -> Constant:
        num, den = self.ring.parts(other)
        return self.ring.quotient(self.ring.multiplied(self.num, num), self.ring.multiplied(self.den, den))

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> Constant:
        return Quotient(self.ring, -self.num, self.den)

    def __sub__(self, other: Constant) -> Constant:
        return self + -other

    def __rsub__(self, other: Constant) -> Constant:
        return -self + other


class Constants:
    """The generators, and arithmetic that keeps to what has a value."""

    def __init__(self, symbols: dict[str, tuple[str, ...]], variable: str) -> None:
        self.symbols, self.variable = symbols, variable
        self.context = fmpq_mpoly_ctx.get([f"c{i}" for i in range(MOST_GENERATORS)], Ordering.lex)
        self.gens = self.context.gens()
        self.formulas: list[Term] = []
        self.strict_roots: set[int] = set()
        self.arguments: dict[int, tuple[str, Constant]] = {}
        self.signs = Signs(self)
        self._roots: dict[int, tuple[int, Poly]] = {}
        self._index: dict[Any, int] = {}

    # --- arithmetic ---------------------------------------------------------------------------------------------------

    def parts(self, c: Constant) -> tuple[Poly, Poly]:
        if isinstance(c, Quotient):
            return c.num, c.den
        return self.context.constant(c), self.context.constant(1)

    def multiplied(self, a: Poly, b: Poly) -> Poly:
        count = len(a) * len(b)
        if count > MOST_TERMS**2:
            raise Rejected("a coefficient of an expansion is too large to compute with")
        spend(OPERATION_WORK + count * TERM_WORK)
        return a * b

    def quotient(self, num: Poly, den: Poly) -> Constant:
        num, den = self._reduced(num, den)
        if num == 0 or self.signs.vanishes(num):
            return fmpq(0)
        if len(num) > MOST_TERMS or len(den) > MOST_TERMS:
            raise Rejected("a coefficient of an expansion is too large to compute with")
        if not den.is_constant():
            spend(OPERATION_WORK + (len(num) + len(den)) ** 2 * TERM_WORK)
            common = num.gcd(den)
            num, den = num / common, den / common
        lead = den.leading_coefficient()
        num, den = num / lead, den / lead
        if max(map(bits, num.coeffs())) > MOST_BITS:
            raise Rejected("a coefficient of an expansion is too long to compute with")
        if num.is_constant() and den.is_constant():
            return num.leading_coefficient()
        return Quotient(self, num, den)

    def _reduced(self, num: Poly, den: Poly) -> tuple[Poly, Poly]:
        """Powers of roots below their orders."""
        for position, (order, base) in sorted(self._roots.items(), reverse=True):
            num, den = (self._without_powers(poly, position, order, base) for poly in (num, den))
        return num, den

    def _without_powers(self, poly: Poly, position: int, order: int, base: Poly) -> Poly:
        if poly == 0 or poly.degrees()[position] < order:
            return poly
        groups: dict[int, dict[tuple[int, ...], Rational]] = {}
        for exponents, coefficient in poly.to_dict().items():
            key = list(exponents)
            times, key[position] = divmod(int(exponents[position]), order)
            groups.setdefault(times, {})[tuple(key)] = coefficient
        total = self.context.constant(0)
        for times, table in groups.items():
            total = total + self.multiplied(self.context.from_dict(table), self._whole(base, times))
        return total

    def _whole(self, poly: Poly, k: int) -> Poly:
        if (k > MOST_POWER and len(poly) > 1) or k * max(map(bits, poly.coeffs()), default=1) > MOST_BITS:
            raise Rejected("a power in a coefficient of an expansion is too large to compute with")
        result = self.context.constant(1)
        if len(poly) == 1:
            return poly**k
        for _ in range(k):
            result = self.multiplied(result, poly)
        return result

    def whole_power(self, c: Constant, k: int) -> Constant:
        """c^k; for a negative k the caller knows that c does not vanish."""
        num, den = self.parts(c)
        if k < 0:
            if num == 0:
                raise Rejected("an expansion divides by zero")
            num, den, k = den, num, -k
        return self.quotient(self._whole(num, k), self._whole(den, k))

    # --- functions ----------------------------------------------------------------------------------------------------

    def exponential(self, c: Constant) -> Constant:
        """exp(c), as a product over the terms of c."""
        result: Constant = fmpq(1)
        for weight, part in self._summands(c):
            known = self._argument("log", part)
            if known is not None:
                result = result * self._positive_power(known, weight)
            else:
                inner = part * fmpq(1, weight.q)
                result = result * self.whole_power(self._generator("exp", inner), int(weight.p))
        return result

    def _summands(self, c: Constant) -> Iterator[tuple[Rational, Constant]]:
        """Rational weights and what they multiply."""
        num, den = self.parts(c)
        if not den.is_constant():
            weight = num.leading_coefficient()
            yield weight, c * (1 / weight)
            return
        for exponents, weight in num.to_dict().items():
            yield weight, self.quotient(self.context.from_dict({exponents: fmpq(1)}), den)

    def logarithm(self, c: Constant, given: bool) -> Constant:
        """log(c), as a sum over factors of c whose signs are known."""
        if self.signs.of(c) != 1 and not given:
            return self._existing("log", c)
        factors = self._absolute_factors(c)
        if factors is None:
            return self._generator("log", c)
        total: Constant = fmpq(0)
        for factor, k in factors:
            inner = self._argument("exp", factor)
            total = total + (inner if inner is not None else self._generator("log", factor)) * fmpq(k)
        return total

    def power(self, c: Constant, exponent: Constant, given: bool) -> Constant:
        """c^exponent; unless it stands in the statement, c must be shown to lie in the domain."""
        if isinstance(exponent, Quotient):
            return self.exponential(exponent * self.logarithm(c, given))
        p, q = int(exponent.p), int(exponent.q)
        if p < 0 and not given and not self.signs.never_zero(c):
            raise Rejected("a coefficient that may vanish is divided by")
        if q == 1:
            return self.whole_power(c, p)
        if c == 0 and p > 0:
            return fmpq(0)
        if self.signs.of(c) == 1 or (given and self._absolute_factors(c) is not None):
            return self._positive_power(c, exponent)
        root = self._root_of(c, q) if given else self._existing("root", c, q)
        return self.whole_power(root, p)

    def _positive_power(self, c: Constant, exponent: Rational) -> Constant:
        """A rational power of what is positive."""
        factors = self._absolute_factors(c)
        if factors is None:
            factors = [(c, 1)]
        result: Constant = fmpq(1)
        for factor, k in factors:
            e = exponent * k
            whole = int(e.p // e.q)
            rest = e - whole
            result = result * self.whole_power(factor, whole)
            if rest != 0:
                inner = self._argument("exp", factor)
                order = int(rest.q)
                root = self._positive_root(factor, order) if inner is None else self.exponential(inner * fmpq(1, order))
                result = result * self.whole_power(root, int(rest.p))
        return result

    def _absolute_factors(self, c: Constant) -> list[tuple[Constant, int]] | None:
        """Positive factors of |c| with their exponents, if the signs of all factors are known."""
        num, den = self.parts(c)
        found: list[tuple[Constant, int]] = []
        for poly, side in ((num, 1), (den, -1)):
            content, factors = self.factored(poly)
            primes = _prime_powers(abs(content))
            if primes is None:
                return None
            found += [(fmpq(prime), k * side) for prime, k in primes]
            for factor, k in factors:
                sign = self.signs.of_poly(factor)
                if not sign:
                    return None
                found.append((self.quotient(factor * sign, self.context.constant(1)), int(k) * side))
        return found

    def factored(self, poly: Poly) -> Any:
        """Content and irreducible factors."""
        spend(OPERATION_WORK + len(poly) ** 2 * TERM_WORK)
        if len(poly) > 60:
            return fmpq(1), [(poly, 1)]
        return poly.factor()

    def function(self, head: str, c: Constant, given: bool) -> Constant:
        """A function of a constant that is neither exp nor log."""
        if c == 0 and head in AT_ZERO:
            return fmpq(AT_ZERO[head])
        if head == "abs" and (sign := self.signs.of(c)):
            return c * fmpq(sign)
        if head in ("sin", "cos"):
            quarter = self._quarter_turns(c)
            if quarter is not None:
                return fmpq((0, 1, 0, -1)[(quarter + (head == "cos")) % 4])
        if head in TOTAL or given:
            return self._generator(head, c)
        return self._existing(head, c)

    def _quarter_turns(self, c: Constant) -> int | None:
        if isinstance(c, Quotient):
            turns = c * fmpq(2) * self.whole_power(self.pi(), -1)
            if not isinstance(turns, Quotient) and turns.q == 1:
                return int(turns.p)
        return None

    # --- reading ------------------------------------------------------------------------------------------------------

    def pi(self) -> Constant:
        return self._generator("pi", fmpq(0))

    def read(self, formula: Term, given: bool) -> Constant:
        """A formula of the parameters; given: it stands in the statement, which speaks only where it has a value."""
        head = formula[0]
        if head in ("D", "at"):
            raise Rejected("a derivative or a substitution in a coefficient was not carried out")
        if head == "s":
            if formula[1] == self.variable or formula[1] not in self.symbols:
                raise Rejected(f"{shown(formula)} is no parameter of the limit")
            return self._generator("s", formula[1])
        if head == "q":
            return rational(formula[1])
        if head == "pi":
            return self.pi()
        inner = [self.read(child, given) for child in formula[1:]]
        if head in ("+", "*"):
            result = inner[0]
            for other in inner[1:]:
                result = result + other if head == "+" else result * other
            return result
        if head == "^":
            k = whole_exponent(formula)
            return self.power(inner[0], fmpq(k) if k is not None else inner[1], given)
        if head == "exp":
            return self.exponential(inner[0])
        if head == "log":
            return self.logarithm(inner[0], given)
        if head in ("sinh", "cosh", "tanh"):
            return self._hyperbolic(head, inner[0])
        return self.function(head, inner[0], given)

    def _hyperbolic(self, head: str, c: Constant) -> Constant:
        up = self.exponential(c)
        down = self.whole_power(up, -1)
        if head == "tanh":
            return (up - down) * self.whole_power(up + down, -1)
        return (up + (down if head == "cosh" else -down)) * fmpq(1, 2)

    # --- generators ---------------------------------------------------------------------------------------------------

    def _generator(self, head: str, argument: Any) -> Constant:
        position = self._index.get((head, argument))
        if position is None:
            position = self._new((head, argument), self._formula_of(head, argument))
            self.arguments[position] = (head, argument)
        return Quotient(self, self.gens[position], self.context.constant(1))

    def _formula_of(self, head: str, argument: Any) -> Term:
        if head in ("s", "pi"):
            return ("s", argument) if head == "s" else ("pi",)
        return (head, self.formula(argument))

    def _new(self, key: Any, formula: Term) -> int:
        if len(self.formulas) == MOST_GENERATORS:
            raise Rejected(f"the coefficients of an expansion speak of more than {MOST_GENERATORS} constants")
        self.formulas.append(formula)
        self._index[key] = len(self.formulas) - 1
        return self._index[key]

    def _root_of(self, base: Constant, order: int) -> Constant:
        position = self._index.get(("root", base, order))
        if position is None:
            position = self._new(("root", base, order), ("^", self.formula(base), ("q", f"1/{order}")))
            num, den = self.parts(base)
            if den.is_constant():
                self._roots[position] = (order, num)
        return Quotient(self, self.gens[position], self.context.constant(1))

    def _positive_root(self, base: Constant, order: int) -> Constant:
        root = self._root_of(base, order)
        self.strict_roots.add(self._index[("root", base, order)])
        return root

    def _existing(self, head: str, *argument: Any) -> Constant:
        """A generator that exists already, so that its formula has a value."""
        position = self._index.get((head, *argument))
        if position is None:
            raise Rejected(f"a coefficient of an expansion, {head} of {shown(argument)}, need not have a value")
        return Quotient(self, self.gens[position], self.context.constant(1))

    def _argument(self, head: str, c: Constant) -> Constant | None:
        """a where c is the generator head(a)."""
        if isinstance(c, Quotient) and c.den.is_constant():
            for position, (name, argument) in self.arguments.items():
                if name == head and c.num == self.gens[position]:
                    return argument
        return None

    def formula(self, c: Constant) -> Term:
        """A formula with the value of the coefficient."""
        num, den = self.parts(c)
        above = self.formula_of_poly(num)
        return above if den == 1 else ("*", above, ("^", self.formula_of_poly(den), MINUS_ONE))

    def formula_of_poly(self, poly: Poly) -> Term:
        summands: list[Term] = []
        for exponents, coefficient in poly.to_dict().items():
            factors: list[Term] = [("q", str(coefficient))]
            for position, e in enumerate(map(int, exponents)):
                if e:
                    factors.append(self.formulas[position] if e == 1 else ("^", self.formulas[position], ("q", str(e))))
            summands.append(factors[0] if len(factors) == 1 else ("*", *factors))
        return summands[0] if len(summands) == 1 else ("+", *summands) if summands else ("q", "0")


def _prime_powers(value: Rational) -> list[tuple[int, int]] | None:
    if max(int(value.p), int(value.q)) > PRIMES_UP_TO:
        return None
    above, below = fmpz(value.p).factor(), fmpz(value.q).factor()
    return [(int(p), int(k)) for p, k in above] + [(int(p), -int(k)) for p, k in below]
