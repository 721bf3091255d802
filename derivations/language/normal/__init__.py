"""Exact normal forms: a term becomes a fraction of polynomials over named generators.

A generator is a symbol, an exponential, a non-negative root, a logarithm or an opaque atom. `Field.of(terms)` finds the
generators that some terms need; `Field.fraction` then follows one fixed recursion, which a checker can repeat:
symbols and rationals are themselves, sums go over the least common denominator, products and integer powers are plain.
Every other subterm is looked up in `rewrites`, a table that the certificate carries.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm
from typing import Any

from flint import Ordering, fmpq, fmpq_mpoly_ctx, fmpz

from derivations.language.normal.division import (
    MOST_POWER,
    PAIRS,
    PER_TERM,
    bounded_power,
    eliminate,
    irreducible_factors,
)
from derivations.language.normal.forms import STRICT, WEAK, form
from derivations.language.normal.linear import AT_ZERO, Monomial, linear_form, monomial_term
from derivations.language.terms import (
    LEAVES,
    MINUS_ONE,
    ONE,
    Term,
    bounded,
    carried_out,
    children,
    fraction_of,
    rational,
    symbol,
    symbols_in,
)
from derivations.text.work import remembered, spend

Poly = Any  # flint.fmpq_mpoly; python-flint ships no types
Known = dict[str, list[str]]
Signed = tuple[Term, int, str | None]  # a factor with its multiplicity and its sign

FACTORED_BITS, SMALL_PRIMES = 160, 10_000  # of numbers that are factored, and what is tried in larger ones
PER_FIELD, PER_FORMULA = 100, 8  # units of work


class Uncollected(AssertionError):
    """A term holds an exponential or a root that the field was not made for."""


class Undefined(ZeroDivisionError):
    """A term that is defined nowhere, such as 1/(x - x)."""


def to_fmpq(value: Fraction | int) -> Any:
    """An exact number as python-flint has it."""
    return fmpq(value.numerator, value.denominator)


def to_fraction(value: Any) -> Fraction:
    """A number of python-flint as a fraction."""
    return Fraction(int(value.p), int(value.q))


@lru_cache(maxsize=1 << 12)
def prepared(term: Term) -> Term:
    """Derivatives and substitutions carried out, hyperbolic functions written in exponentials."""
    return bounded(_without_hyperbolic(carried_out(term)))


def _without_hyperbolic(term: Term) -> Term:
    if term[0] in LEAVES:
        return term
    parts = tuple(map(_without_hyperbolic, term[1:]))
    if term[0] not in ("sinh", "cosh", "tanh"):
        return term if parts == term[1:] else (term[0], *parts)
    x = parts[0]
    up, down = ("exp", x), ("exp", ("*", MINUS_ONE, x))
    if term[0] == "sinh":
        return ("*", rational("1/2"), ("+", up, ("*", MINUS_ONE, down)))
    if term[0] == "cosh":
        return ("*", rational("1/2"), ("+", up, down))
    twice = ("exp", ("*", rational(2), x))
    return ("*", ("+", twice, MINUS_ONE), ("^", ("+", twice, ONE), MINUS_ONE))


def is_integer(term: Term) -> bool:
    """Return whether a term is an integer."""
    return term[0] == "q" and fraction_of(term).denominator == 1


@dataclass(frozen=True)
class Entry:
    """One subterm that is not algebraic, in terms of the generators: coefficient * prod generator^power."""

    coefficient: Fraction
    powers: tuple[tuple[tuple[Any, ...], int], ...]


@dataclass
class Field:
    """The generators of some terms, and the rewriting of their non-algebraic subterms."""

    known: Known
    generators: list[tuple[Any, ...]] = field(default_factory=list)
    entries: dict[Term, list[Entry]] = field(default_factory=dict)
    context: Any = None
    equal: dict[Term, tuple[int, Term | None]] = field(default_factory=dict)
    _fractions: dict[Term, tuple[Poly, Poly]] = field(default_factory=dict)
    denominators: dict[str, Poly] = field(default_factory=dict)

    @classmethod
    def of(cls, terms: Iterable[Term], known: Known) -> Field:
        todo = [prepared(t) for t in terms]
        new = cls._made(todo, known, {})
        equal = new._equal_functions()
        return cls._made(todo, known, equal) if equal else new

    @classmethod
    def _made(cls, todo: list[Term], known: Known, equal: dict[Term, tuple[int, Term | None]]) -> Field:
        new = cls(known, equal=equal)
        spend(PER_FIELD)
        scales = exponent_scales(todo)
        for term in todo:
            new._collect(term, scales)
        names = [f"g{i}" for i in range(len(new.generators))] or ["g0"]
        new.context = fmpq_mpoly_ctx.get(names, Ordering.lex)
        return new

    def _equal_functions(self) -> dict[Term, tuple[int, Term | None]]:
        """Functions of zero, and of what an earlier one is of, or of its negative: then -1 stands beside that one."""
        found: dict[Term, tuple[int, Term | None]] = {}
        earlier: list[Term] = []
        for atom in [g[1] for g in self.generators if g[0] == "atom" and len(g[1]) == 2]:
            head, (num, den) = atom[0], self.fraction(atom[1])
            if head in AT_ZERO and self._vanishes(num):
                found[atom] = AT_ZERO[head], None
                continue
            for other in (other for other in earlier if other[0] == head):
                n, d = self.fraction(other[1])
                for sign in (1, -1) if head in AT_ZERO else (1,):
                    if atom not in found and self._vanishes(num * d - sign * n * den):
                        found[atom] = sign, other
            if atom not in found:
                earlier.append(atom)
        return found

    def _vanishes(self, poly: Poly) -> bool:
        """Check whether a polynomial is zero once the equations of roots are put in."""
        for index, generator in reversed([*enumerate(self.generators)]):
            relation = self.relation(generator) if poly != 0 and poly.degrees()[index] else None
            poly = poly if relation is None else eliminate(poly, relation, index)[0]
        return bool(poly == 0)

    # --- finding generators ---------------------------------------------------------------------------------------

    def _add(self, generator: tuple[Any, ...]) -> tuple[Any, ...]:
        """Registers a generator, whose own term then reads as that generator."""
        if generator not in self.generators:
            self.generators.append(generator)
            if generator[0] in ("exp", "root", "log"):
                self.entries.setdefault(self.generator_term(generator), [Entry(Fraction(1), ((generator, 1),))])
        return generator

    def _collect(self, term: Term, scales: dict[Monomial, int]) -> None:
        if term[0] in ("+", "*", "q"):
            self._collect_children(term, scales)
        elif term in self.entries:
            return
        elif term[0] == "s":
            self._add(("symbol", term[1]))
        elif term[0] == "exp":
            self._collect_children(term, scales)
            self.entries[term] = [self._exponential(term, scales)]
        elif term[0] == "^" and not is_integer(term[2]):
            self._collect_children(
                term, scales
            )  # also what cancels in the base: a checker starts from the base as it stands
            if term[2][0] == "q":
                self.entries[term] = [self._root(term, scales)]
            else:
                self._atom(term)
        elif term[0] == "log":
            self._collect_children(term, scales)
            self.entries[term] = self._logarithm(term, scales)
        elif term[0] == "^":
            self._collect_children(term, scales)
        else:
            self._collect_children(term, scales)
            self._atom(term)

    def _collect_children(self, term: Term, scales: dict[Monomial, int]) -> None:
        for child in children(term):
            self._collect(child, scales)

    def _atom(self, term: Term) -> None:
        if term in self.equal:
            sign, other = self.equal[term]
            power = () if other is None else ((("atom", other), 1),)
            self.entries[term] = [Entry(Fraction(1 if term[0] == "cos" and other else sign), power)]
            return
        self.entries[term] = [Entry(Fraction(1), ((self._add(("atom", term)), 1),))]

    def _exponential(self, term: Term, scales: dict[Monomial, int]) -> Entry:
        powers = []
        for monomial, coefficient in linear_form(term[1]).items():
            times = int(coefficient * scales[monomial])
            apart = abs(times) > MOST_POWER  # too many factors to be multiplied out: a generator of its own
            base = monomial_term(monomial, coefficient if apart else Fraction(1, scales[monomial]))
            powers.append((self._add(("exp", base)), 1 if apart else times))
        return Entry(Fraction(1), tuple(powers))

    def _root(self, term: Term, scales: dict[Monomial, int]) -> Entry:
        """base^(p/q), split over those factors of the base that are known to be positive."""
        exponent = fraction_of(term[2])
        q = exponent.denominator
        constant, factors = factored(term[1], self.known)
        if constant == 0:
            if exponent < 0:
                raise Undefined("a negative power of zero")
            return Entry(Fraction(0), ())
        powers: list[tuple[tuple[Any, ...], int]] = []
        coefficient = Fraction(1)
        for prime, multiplicity in _prime_factors(abs(constant)):
            whole, rest = divmod(multiplicity * exponent.numerator, q)
            coefficient *= Fraction(prime) ** whole
            if rest:
                powers.append((self._add(("root", rational(prime), q)), rest))
        doubtful: list[Term] = [] if constant > 0 else [MINUS_ONE]
        # sqrt(n x) is defined at n = 0 for every x: what may vanish is split off only where no sign is in doubt.
        enough = {STRICT, WEAK} if constant > 0 and all(sign for *_, sign in factors) else {STRICT}
        for factor, multiplicity, sign in factors:
            if sign not in enough:
                doubtful.append(factor if multiplicity == 1 else ("^", factor, rational(multiplicity)))
                continue
            self._collect(factor, scales)
            if factor[0] == "exp":
                inner = self._exponential(("exp", ("*", rational(multiplicity * exponent), factor[1])), scales)
                powers += inner.powers
                continue
            whole, rest = divmod(multiplicity * exponent.numerator, q)
            if whole:
                powers.append((("plain", factor), whole))
            if rest:
                powers.append((self._add(("root", factor, q)), rest))
        if doubtful:
            base = doubtful[0] if len(doubtful) == 1 else ("*", *doubtful)
            self._collect(base, scales)
            powers.append((self._add(("root", base, q)), exponent.numerator))
        return Entry(coefficient, tuple(powers))

    def _logarithm(self, term: Term, scales: dict[Monomial, int]) -> list[Entry]:
        """log(arg) as a sum of logarithms when every factor is known to be positive, else as one generator."""
        constant, factors = factored(term[1], self.known)
        if constant == 0:
            raise Undefined("the logarithm of zero")
        if constant < 0 or not all(sign == STRICT for *_, sign in factors):
            return [Entry(Fraction(1), ((self._add(("log", term[1])), 1),))]
        parts = [(rational(prime), m) for prime, m in _prime_factors(constant)] + [(f, m) for f, m, _ in factors]
        for factor, _ in parts:
            self._collect(factor, scales)
        return [Entry(Fraction(m), ((self._add(("log", factor)), 1),)) for factor, m in parts]

    # --- fractions ------------------------------------------------------------------------------------------------

    def gen(self, generator: tuple[Any, ...]) -> Poly:
        return self.context.gen(self.generators.index(generator))

    def constant(self, value: Fraction | int) -> Poly:
        return self.context.constant(to_fmpq(value))

    def fraction(self, term: Term) -> tuple[Poly, Poly]:
        """Numerator and denominator of a term made by `prepared`."""
        pair = self._fractions.get(term)
        if pair is None:
            spend(PER_FORMULA)
            pair = self._fractions[term] = self._fraction(term)
            if not pair[1].is_constant():
                self.denominators.setdefault(str(pair[1]), pair[1])
        return pair

    def _fraction(self, term: Term) -> tuple[Poly, Poly]:
        if term[0] not in ("+", "*", "s", "q") and term in self.entries:
            return self.entry_fraction(term)
        match term[0]:
            case "s":
                return self.gen(("symbol", term[1])), self.constant(1)
            case "q":
                return self.constant(fraction_of(term)), self.constant(1)
            case "+":
                total = self.fraction(term[1])
                for part in term[2:]:
                    total = add(total, self.fraction(part))
                return total
            case "*":
                num, den = self.fraction(term[1])
                for part in term[2:]:
                    n, d = self.fraction(part)
                    spend(1 + len(num) * len(n) // PAIRS)
                    num, den = num * n, den * d
                return num, den
            case "^":
                num, den = self.fraction(term[1])
                if not is_integer(term[2]):
                    raise Uncollected(f"the root {term}")
                k = int(fraction_of(term[2]))
                if k < 0:
                    if num == 0:
                        raise Undefined("a denominator vanishes identically")
                    self.denominators.setdefault(str(num), num)
                    num, den = den, num
                return bounded_power(num, abs(k)), bounded_power(den, abs(k))
        raise Uncollected(term[0])

    def entry_fraction(self, term: Term) -> tuple[Poly, Poly]:
        total = (self.constant(0), self.constant(1))
        for entry in self.entries[term]:
            num, den = self.constant(entry.coefficient), self.constant(1)
            for generator, times in entry.powers:
                if generator[0] == "plain":
                    n, d = self.fraction(generator[1])
                else:
                    n, d = self.gen(generator), self.constant(1)
                if times < 0:
                    n, d = d, n
                num, den = num * bounded_power(n, abs(times)), den * bounded_power(d, abs(times))
            total = add(total, (num, den))
        return total

    def relation(self, generator: tuple[Any, ...]) -> Poly | None:
        """The polynomial that a root generator satisfies."""
        if generator[0] != "root":
            return None
        num, den = self.fraction(generator[1])
        return self.gen(generator) ** generator[2] * den - num

    # --- back to data ---------------------------------------------------------------------------------------------

    def generator_term(self, generator: tuple[Any, ...]) -> Term:
        match generator[0]:
            case "symbol":
                return symbol(generator[1])
            case "exp" | "log":
                return (generator[0], generator[1])
            case "root":
                return ("^", generator[1], rational(Fraction(1, generator[2])))
        term: Term = generator[1]
        return term

    def poly_term(self, poly: Poly) -> Term:
        """A polynomial over the generators as a term; the same one, whatever the order of the generators."""
        parts: list[Term] = []
        for factors, c in self._monomials(poly):
            with_number = factors if c == 1 and factors else (rational(c), *factors)
            parts.append(with_number[0] if len(with_number) == 1 else ("*", *with_number))
        if not parts:
            return rational(0)
        return parts[0] if len(parts) == 1 else ("+", *parts)

    def _monomials(self, poly: Poly) -> list[tuple[tuple[Term, ...], Fraction]]:
        """Factors and coefficients in an order that does not depend on that of the generators."""
        monomials = []
        spend(PER_TERM * len(poly))
        for exponents, coefficient in poly.terms():
            factors: list[Term] = []
            for generator, power in zip(self.generators, exponents, strict=False):
                if power:
                    base = self.generator_term(generator)
                    factors.append(base if power == 1 else ("^", base, rational(int(power))))
            monomials.append((tuple(sorted(factors, key=repr)), to_fraction(coefficient)))
        return sorted(monomials, key=lambda m: repr(m[0]))

    def primitive(self, poly: Poly) -> tuple[Poly, Fraction]:
        """The multiple with coprime integer coefficients, the first of them positive, and what was taken out."""
        coefficients = [c for _, c in self._monomials(poly)]
        denominator = lcm(*(c.denominator for c in coefficients))
        numerator = gcd(*(int(c * denominator) for c in coefficients))
        unit = Fraction(numerator, denominator) * (-1 if coefficients[0] < 0 else 1)
        return poly / self.constant(unit), unit


def add(a: tuple[Poly, Poly], b: tuple[Poly, Poly]) -> tuple[Poly, Poly]:
    """The sum of two fractions over their least common denominator."""
    if a[1] == 1 and b[1] == 1:
        spend(1 + (len(a[0]) + len(b[0])) // PAIRS)
        return a[0] + b[0], a[1]
    common = a[1].gcd(b[1])
    spend(PER_TERM + (len(a[0]) * len(b[1]) + len(b[0]) * len(a[1])) // PAIRS)
    left, right = b[1] / common, a[1] / common
    return a[0] * left + b[0] * right, a[1] * left


def exponent_scales(terms: Iterable[Term]) -> dict[Monomial, int]:
    """For every monomial that occurs in an exponent, the common denominator of its coefficients.

    Below a root the coefficients are divided by its order: the root of exp(x) is exp(x/2).
    """
    scales: dict[Monomial, int] = {}

    def visit(term: Term, order: int) -> None:
        if term[0] in LEAVES:
            return
        is_root = term[0] == "^" and term[2][0] == "q"
        below = order * fraction_of(term[2]).denominator if is_root else order
        for child in children(term):
            visit(child, below)
        if term[0] == "exp":
            for monomial, coefficient in linear_form(term[1]).items():
                scales[monomial] = lcm(scales.get(monomial, 1), coefficient.denominator * order)

    for t in terms:
        visit(t, 1)
    return scales


def table_of(poly: Poly) -> dict[tuple[int, ...], Any]:
    """The coefficients of a polynomial by its exponents."""
    table = {tuple(map(int, exponents)): coefficient for exponents, coefficient in poly.to_dict().items()}
    spend(PER_TERM * len(table))
    return table


def float_of(value: Any) -> float:
    """The float nearest to a rational number; OverflowError where there is none."""
    return int(value.p) / int(value.q)


def lowest(term: Term, known: Known) -> tuple[Field, Poly, Poly]:
    """The field of a term, with its numerator and its denominator in lowest terms."""
    own = Field.of([term], known)
    num, den = own.fraction(prepared(term))
    common = num.gcd(den)
    return own, num / common, den / common


def factored(base: Term, known: Known) -> tuple[Fraction, tuple[Signed, ...]]:
    """base = constant * prod factor^multiplicity, each factor with the sign that its form shows."""
    return _factored(base, tuple((name, tuple(known.get(name, ()))) for name in sorted(symbols_in(base))))


@remembered(1 << 12)  # of what is nested: a root in a root is asked for by each field that holds either
def _factored(base: Term, signs: tuple[tuple[str, tuple[str, ...]], ...]) -> tuple[Fraction, tuple[Signed, ...]]:
    known = {name: [*words] for name, words in signs}
    inner, num, den = lowest(base, known)
    if num == 0:
        return Fraction(0), ()
    constant = Fraction(1)
    signed: list[Signed] = []
    for poly, sign in ((num, 1), (den, -1)):
        content, parts = irreducible_factors(poly)
        constant *= to_fraction(content) ** sign
        for part, multiplicity in parts:
            primitive, unit = inner.primitive(part)
            constant *= unit ** (sign * multiplicity)
            term = bounded(inner.poly_term(primitive))
            signed.append((term, sign * multiplicity, form(term, known)))
    signed.sort(key=lambda f: repr(f[0]))
    return constant, tuple(signed)


def _prime_factors(value: Fraction) -> list[tuple[int, int]]:
    up = _factors_of(value.numerator)
    down = [(p, -m) for p, m in _factors_of(value.denominator)]
    return sorted(up + down)


def _factors_of(number: int) -> list[tuple[int, int]]:
    """The prime factors; of a large number the small ones, and what remains as one factor."""
    limit = None if number.bit_length() <= FACTORED_BITS else SMALL_PRIMES
    return [(int(p), int(m)) for p, m in fmpz(number).factor(trial_limit=limit)]
