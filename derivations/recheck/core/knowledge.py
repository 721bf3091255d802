"""What may be assumed about polynomials wherever a statement speaks at all.

A statement speaks of the points at which its symbols' assumptions and hypotheses hold and its sides are defined. There
the denominators do not vanish, what stands under a root is not negative, and the argument of a logarithm is positive.
Such a fact is a polynomial over the generators, so it counts only once the rewrites that it was read through are
justified; rewrites are justified one after the other, each from facts that do not rest on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import gcd
from typing import Any

from flint import fmpq, fmpq_poly

from derivations.recheck.core.budget import spend
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.fractions import Field, Generator, Poly, bits, can_factor, is_algebraic
from derivations.recheck.core.load import Rational, Term, rational, shown
from derivations.recheck.core.terms import subterms, whole_exponent

Signs = dict[str, tuple[int, bool]]  # factor -> its sign, and whether it is strict
TOTAL = ("exp", "sin", "cos", "erf", "atan", "abs")
MAX_STURM_DEGREE, MAX_STURM_BITS = 40, 2000
STURM_WORK = 2000  # see `spend`


@dataclass(frozen=True)
class Demand:
    """What an operation asks for: a polynomial that is "nonzero", "nonnegative" or "positive", or a "whole" formula."""

    kind: str
    formula: Term
    poly: Poly = None
    needs: frozenset[Term] = frozenset()


def demands(field: Field, formula: Term) -> Iterator[Demand]:
    """The conditions under which a prepared formula has a value."""
    for inner in subterms(formula):
        if inner[0] == "^":
            yield from _power_demands(field, inner)
        elif inner[0] == "log":
            num, den = field.fraction(inner[1])
            yield Demand("positive", inner, field.product(num, den), field.needs(inner[1]))
        elif inner[0] not in ("s", "q", "pi", "+", "*", *TOTAL):
            yield Demand("whole", inner)


def _power_demands(field: Field, power: Term) -> Iterator[Demand]:
    k = whole_exponent(power)
    if k is None and power[2][0] != "q":
        yield Demand("whole", power)
        return
    needs = field.needs(power[1])
    num, den = field.fraction(power[1])
    if rational(power[2][1]) < 0:
        yield Demand("nonzero", power, num, needs)
    if k is None:
        yield Demand("nonnegative", power, field.product(num, den), needs)


class Knowledge:
    """Signs and non-vanishing of polynomials, growing while rewrites are justified."""

    def __init__(
        self, field: Field, symbols: dict[str, tuple[str, ...]], hypotheses: Iterable[Term], domain: Iterable[Term]
    ) -> None:
        self.field, self.symbols = field, symbols
        self.justified: set[Term] = set()
        self.established: set[int] = set()
        self.facts: list[Demand] = []
        self.given: set[Term] = set()
        for formula in domain:
            self._speak(formula)
        for relation in hypotheses:
            self._suppose(relation)
        self._version = -1
        self._never_zero: list[Poly] = []
        self._signs: Signs = {}
        self._products: list[tuple[int, frozenset[str]]] = []

    def _speak(self, formula: Term) -> None:
        """Both sides of a statement are defined, so whatever they ask for is given."""
        for demand in demands(self.field, formula):
            self.facts.append(demand)
            self.given.add(demand.formula)
        den = self.field.fraction(formula)[1]
        self.facts.append(Demand("nonzero", formula, den, self.field.needs(formula)))

    def _suppose(self, relation: Term) -> None:
        kind = {"!=": "nonzero", ">": "positive", ">=": "nonnegative"}.get(relation[0])
        self._speak(relation[1])
        self._speak(relation[2])
        if kind is not None:
            num, den = self.field.difference(relation[1], relation[2])
            needs = self.field.needs(relation[1]) | self.field.needs(relation[2])
            self.facts.append(Demand(kind, relation, num if kind == "nonzero" else self.field.product(num, den), needs))

    def suppose_nonzero(self, formula: Term) -> None:
        """Look only at points at which the formula, if it has a value, does not vanish."""
        self.facts.append(Demand("nonzero", formula, self.field.fraction(formula)[0], self.field.needs(formula)))

    # --- what has a value ---------------------------------------------------------------------------------------------

    def establish(self, position: int) -> bool:
        """Whether a generator is known to have a value wherever the statement speaks."""
        generator = self.field.generators[position]
        if generator[0] == "symbol" or self._has_value(generator):
            if generator[0] == "symbol" and generator[1] not in self.symbols:
                raise Rejected(f"the generator {shown(generator)} is not a symbol of the statement")
            self.established.add(position)
            return True
        return False

    def _has_value(self, generator: Generator) -> bool:
        inner = generator[1]
        if generator[0] == "atom":
            if is_algebraic(inner):
                return False
            return inner in self.given or all(map(self.grants, demands(self.field, inner)))
        if not self.believes(self.field.needs(inner)) or not all(map(self.grants, demands(self.field, inner))):
            return False
        num, den = self.field.fraction(inner)
        if generator[0] == "root":
            return self.nonnegative(self.field.product(num, den))
        return generator[0] == "exp" or self.positive(self.field.product(num, den))

    def believes(self, needs: frozenset[Term]) -> bool:
        return needs <= self.justified

    def knows(self, poly: Poly) -> bool:
        """Whether the polynomial speaks only of generators that have a value."""
        degrees = poly.degrees()
        return all(
            position in self.established or degrees[position] <= 0 for position in range(len(self.field.generators))
        )

    def grants(self, demand: Demand) -> bool:
        if demand.formula in self.given:
            return True
        if demand.kind == "whole" or not self.believes(demand.needs):
            return False
        test = {"nonzero": self.never_zero, "nonnegative": self.nonnegative, "positive": self.positive}
        return test[demand.kind](demand.poly)

    # --- signs --------------------------------------------------------------------------------------------------------

    def never_zero(self, poly: Poly) -> bool:
        """Whether every irreducible factor is known not to vanish."""
        self._refresh()
        if poly == 0:
            return False
        if not self.knows(poly):
            return False
        rest = self._stripped(poly)
        if rest.is_constant():
            return True
        return all(self._sign(str(f), f)[1] for f, _ in self.field.factor(rest)[1])

    def _stripped(self, poly: Poly) -> Poly:
        for known in self._never_zero:
            common = self.field.gcd(poly, known)
            while not common.is_constant():
                poly = poly / common
                common = self.field.gcd(poly, known)
        return poly

    def nonnegative(self, poly: Poly) -> bool:
        self._refresh()
        if poly == 0:
            return True
        if not self.knows(poly):
            return False
        content, factors = self.field.factor(poly)
        odd = [factor for factor, multiplicity in factors if int(multiplicity) % 2]
        for weak_too in (False, True):
            sign, left = (1 if content > 0 else -1), set()
            for factor in odd:
                known, strict = self._sign(str(factor), factor)
                if known and (strict or weak_too):
                    sign *= known
                else:
                    left.add(str(factor))
            if (sign > 0 and not left) or (sign, frozenset(left)) in self._products:
                return True
        return False

    def positive(self, poly: Poly) -> bool:
        return self.never_zero(poly) and self.nonnegative(poly)

    def _sign(self, key: str, factor: Poly) -> tuple[int, bool]:
        """The sign of an irreducible factor (0: unknown), and whether it certainly does not vanish."""
        found = self._signs.get(key)
        if found is not None:
            return found
        return self._plain_sign(factor)

    def _plain_sign(self, poly: Poly) -> tuple[int, bool]:
        """The sign that the signs of the terms show, or that a polynomial has for want of a root."""
        signs = [self._term_sign(exponents, coefficient) for exponents, coefficient in poly.terms()]
        first = signs[0][0]
        if first and all(sign == first for sign, _ in signs):
            return first, any(strict for _, strict in signs)
        sign = self._sign_without_roots(poly)
        return (sign, True) if sign else (0, bool(len(signs) == 1 and signs[0][1]))

    def _sign_without_roots(self, poly: Poly) -> int:
        """The sign of a polynomial in one product of generators that has no real root; 0 for every other one."""
        table = {tuple(map(int, exponents)): coefficient for exponents, coefficient in poly.terms()}
        highest = max(table)
        step = tuple(e // gcd(*highest) for e in highest) if any(highest) else ()
        place = next((i for i, e in enumerate(step) if e), 0)
        if not step or any(tuple(e * (exps[place] // step[place]) for e in step) != exps for exps in table):
            return 0
        if not all(i in self.established for i, e in enumerate(step) if e):
            return 0
        coefficients = [fmpq(0)] * (highest[place] // step[place] + 1)
        if not 3 <= len(coefficients) <= MAX_STURM_DEGREE or max(map(bits, table.values())) > MAX_STURM_BITS:
            return 0
        for exps, coefficient in table.items():
            coefficients[exps[place] // step[place]] = coefficient
        if len(coefficients) % 2 == 0 or real_roots(fmpq_poly(coefficients)):
            return 0
        return 1 if coefficients[-1] > 0 else -1

    def _term_sign(self, exponents: tuple[int, ...], coefficient: Rational) -> tuple[int, bool]:
        sign, strict = (1 if coefficient > 0 else -1), True
        for position, exponent in enumerate(map(int, exponents[: len(self.field.generators)])):
            if exponent:
                known, never_zero = self._generator_sign(position)
                strict = strict and never_zero
                sign = sign if exponent % 2 == 0 else sign * known
        return sign, strict

    def _generator_sign(self, position: int) -> tuple[int, bool]:
        generator = self.field.generators[position]
        if position not in self.established:
            return 0, False
        if generator[0] == "symbol":
            told = self.symbols[generator[1]]
            sign = (
                1 if {"positive", "nonnegative"} & set(told) else -1 if {"negative", "nonpositive"} & set(told) else 0
            )
            return sign, bool({"positive", "negative", "nonzero"} & set(told))
        if generator[0] == "exp" or generator == ("atom", ("pi",)):
            return 1, True
        if generator[0] == "root":
            return 1, self._signs.get(str(self.field.gens[position]), (1, False))[1]
        return (1, False) if generator[0] == "atom" and generator[1][0] == "abs" else (0, False)

    # --- collecting what is known -------------------------------------------------------------------------------------

    def _refresh(self) -> None:
        """Read the facts again when rewrites or generators were justified since."""
        version = len(self.justified) + len(self.established)
        if version == self._version:
            return
        self._version = version
        self._signs, self._products = {}, []
        usable = [f for f in self.facts if f.poly is not None and self.believes(f.needs) and self.knows(f.poly)]
        alive = [f.poly for f in usable if f.kind in ("nonzero", "positive") and not f.poly.is_constant()]
        self._never_zero = list({str(poly): poly for poly in alive}.values())
        for position in sorted(self.established):
            if self._generator_sign(position)[1]:
                self._never_zero.append(self.field.gens[position])
        while self._learn_roots() or any(self._learn(f) for f in usable if f.kind != "nonzero"):
            pass

    def _learn_roots(self) -> bool:
        """A root of something that does not vanish does not vanish."""
        learnt = False
        for position in sorted(self.established):
            generator, gen = self.field.generators[position], self.field.gens[position]
            key = str(gen)
            if generator[0] != "root" or self._signs.get(key, (0, False))[1]:
                continue
            if self.never_zero(self.field.fraction(generator[1])[0]):
                self._signs[key] = (1, True)
                self._never_zero.append(gen)
                learnt = True
        return learnt

    def _learn(self, fact: Demand) -> bool:
        """Draw from "this product is not negative" the sign of the one factor, or pair of factors, that is unknown."""
        if fact.poly == 0 or not can_factor(fact.poly):
            return False
        content, factors = self.field.factor(fact.poly)
        sign, left = (1 if content > 0 else -1), {}
        for factor, multiplicity in factors:
            known, strict = self._sign(str(factor), factor)
            strict = strict or self._stripped(factor).is_constant()
            if int(multiplicity) % 2 == 0:
                if not strict:
                    return False
            elif known and strict:
                sign *= known
            else:
                left[str(factor)] = factor
        if len(left) == 1:
            ((key, factor),) = left.items()
            found = (sign, self._stripped(factor).is_constant())
            if key in self._signs and not (found[1] and not self._signs[key][1]):
                return False
            self._signs[key] = found
            return True
        product = (sign, frozenset(left))
        if left and product not in self._products:
            self._products.append(product)
            return True
        return False


def real_roots(poly: Any) -> int:
    """How many different real roots a polynomial in one variable has, by Sturm's theorem."""
    spend(poly.degree() ** 3 * STURM_WORK)
    chain = [poly, poly.derivative()]
    while chain[-1].degree() > 0:
        chain.append(-(chain[-2] % chain[-1]))
    chain = [p for p in chain if p != 0]
    at_top = [bool(p[p.degree()] > 0) for p in chain]
    at_bottom = [bool(p[p.degree()] > 0) == (p.degree() % 2 == 0) for p in chain]
    return _changes(at_bottom) - _changes(at_top)


def _changes(signs: list[bool]) -> int:
    return sum(a != b for a, b in pairwise(signs))
