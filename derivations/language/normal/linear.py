"""Exponents as rational combinations of monomials, so that exp(a + 2 b) and exp(a) exp(b)^2 share their generators."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from derivations.language.terms import ONE, Term, fraction_of, rational

Monomial = tuple[tuple[Term, int], ...]  # factors with their integer powers, sorted
LinearForm = dict[Monomial, Fraction]
AT_ZERO = {"erf": 0, "asin": 0, "atan": 0, "sin": 0, "cos": 1}
"""The values at zero of functions that are odd, or of the one that is even."""


@lru_cache(maxsize=1 << 12)  # the same exponents stand in statement after statement
def linear_form(term: Term) -> Mapping[Monomial, Fraction]:
    """The term as sum of coefficient * monomial; products are distributed over sums, everything else is a factor.

    >>> linear_form(("*", ("s", "x"), ("cos", ("*", ("q", "0"), ("s", "t")))))
    {((('s', 'x'), 1),): Fraction(1, 1)}
    """
    return _linear_form(term)


def _linear_form(term: Term) -> LinearForm:
    if term[0] == "q":
        return _clean({(): fraction_of(term)})
    if term[0] == "+":
        total: LinearForm = {}
        for part in term[1:]:
            for monomial, c in _linear_form(part).items():
                total[monomial] = total.get(monomial, Fraction(0)) + c
        return _clean(total)
    if term[0] == "*":
        product: LinearForm = {(): Fraction(1)}
        for part in term[1:]:
            product = _multiply(product, _linear_form(part))
        return product
    if term[0] == "^" and term[2][0] == "q" and fraction_of(term[2]).denominator == 1:
        power = int(fraction_of(term[2]))
        inner = _linear_form(term[1])
        if len(inner) == 1:
            ((monomial, c),) = inner.items()
            return {tuple((f, p * power) for f, p in monomial): c**power}
        if power > 0:
            product = {(): Fraction(1)}
            for _ in range(power):
                product = _multiply(product, inner)
            return product
    if term[0] in ("exp", *AT_ZERO) and not _linear_form(term[1]):
        return _clean({(): Fraction(AT_ZERO.get(term[0], 1))})
    return {((term, 1),): Fraction(1)}


def monomial_term(monomial: Monomial, scale: Fraction = Fraction(1)) -> Term:
    """The term of a monomial, multiplied by a number."""
    factors: list[Term] = [] if scale == 1 else [rational(scale)]
    factors += [f if p == 1 else ("^", f, rational(p)) for f, p in monomial]
    if not factors:
        return ONE
    return factors[0] if len(factors) == 1 else ("*", *factors)


def _multiply(a: LinearForm, b: LinearForm) -> LinearForm:
    product: LinearForm = {}
    for left, c in a.items():
        for right, d in b.items():
            powers = dict(left)
            for factor, power in right:
                powers[factor] = powers.get(factor, 0) + power
            monomial = tuple(sorted(((f, p) for f, p in powers.items() if p), key=repr))
            product[monomial] = product.get(monomial, Fraction(0)) + c * d
    return _clean(product)


def _clean(form: LinearForm) -> LinearForm:
    return {monomial: c for monomial, c in sorted(form.items(), key=repr) if c}
