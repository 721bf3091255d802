"""Formulas as sums of rational multiples: what the arguments of sines, odd functions and exponentials are opened by."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from math import floor, prod

from derivations.language.normal import is_integer
from derivations.language.terms import Term, fraction_of, rational

Rest = tuple[Term, ...]
Summand = tuple[Rest, Fraction]
MOST_SUMMANDS = 64  # of a product of sums; a longer one stays as it is
MOST_TIMES = 8  # in a power


def linear(term: Term) -> dict[Rest, Fraction]:
    """term = sum of coefficient * product of the rest; products of sums are multiplied out, powers are factors.

    >>> x = ("s", "x")
    >>> linear(("*", ("q", "2"), ("+", x, ("q", "1/2"))))
    {(('s', 'x'),): Fraction(2, 1), (): Fraction(1, 1)}
    """
    table: dict[Rest, Fraction] = {}
    for rest, coefficient in _summands(term):
        table[rest] = table.get(rest, Fraction(0)) + coefficient
    return {rest: table[rest] for rest in sorted(table, key=repr) if table[rest]}


def _summands(term: Term) -> list[Summand]:
    if term[0] == "+":
        return [summand for child in term[1:] for summand in _summands(child)]
    if term[0] == "q":
        return [((), fraction_of(term))]
    if term[0] == "^" and is_integer(term[2]):
        return _power(term, int(fraction_of(term[2])))
    if term[0] != "*":
        return [_joined([((term,), Fraction(1))])]
    factors = [_summands(child) for child in term[1:]]
    if prod(map(len, factors)) > MOST_SUMMANDS:
        return [((term,), Fraction(1))]
    return [_joined(chosen) for chosen in product(*factors)]


def _power(term: Term, k: int) -> list[Summand]:
    """A whole power of one product, factor by factor; a small one of a sum is multiplied out."""
    inside = _summands(term[1])
    if len(inside) == 1 and inside[0][1] != 0 and abs(k) <= MOST_TIMES:
        rest, coefficient = inside[0]
        return [_joined([(tuple(_raised(factor, k) for factor in rest), coefficient**k)])]
    if 0 < k <= MOST_TIMES and len(inside) ** k <= MOST_SUMMANDS:
        return [_joined(chosen) for chosen in product(inside, repeat=k)]
    return [((term,), Fraction(1))]


def _raised(factor: Term, k: int) -> Term:
    """A factor to a whole power, which joins the power that it has."""
    base, exponent = (factor[1], fraction_of(factor[2])) if is_power(factor) else (factor, Fraction(1))
    return base if exponent * k == 1 else ("^", base, rational(exponent * k))


def is_power(term: Term) -> bool:
    """Whether a term is a power with a number as its exponent."""
    return bool(term[0] == "^" and term[2][0] == "q")


def _joined(chosen: Iterable[Summand]) -> Summand:
    """A product: numbers to halves of whole powers leave at most their square root among the factors."""
    coefficient, halves, others = Fraction(1), dict[Fraction, Fraction](), list[Term]()
    for rest, number in chosen:
        coefficient *= number
        for factor in rest:
            if is_power(factor) and factor[1][0] == "q" and (2 * fraction_of(factor[2])).denominator == 1:
                base = fraction_of(factor[1])
                halves[base] = halves.get(base, Fraction(0)) + fraction_of(factor[2])
            else:
                others.append(factor)
    for base, exponent in halves.items():
        whole = floor(exponent)
        coefficient *= base**whole
        if exponent != whole:
            others.append(("^", rational(base), rational("1/2")))
    return tuple(sorted(others, key=repr)), coefficient


def total(table: dict[Rest, Fraction]) -> Term:
    """The sum as one term.

    >>> total({(("s", "x"),): Fraction(1)})
    ('s', 'x')
    """
    summands = [_multiple(rest, coefficient) for rest, coefficient in table.items()]
    if not summands:
        return rational(0)
    return summands[0] if len(summands) == 1 else ("+", *summands)


def _multiple(rest: Rest, coefficient: Fraction) -> Term:
    if not rest:
        return rational(coefficient)
    if coefficient != 1:
        return ("*", rational(coefficient), *rest)
    return rest[0] if len(rest) == 1 else ("*", *rest)
