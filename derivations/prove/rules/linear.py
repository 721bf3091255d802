"""Formulas as sums of rational multiples: what the arguments of sines, odd functions and exponentials are opened by."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod

from derivations.language.terms import Term, fraction_of, rational

Rest = tuple[Term, ...]
MOST_SUMMANDS = 64  # of a product of sums; a longer one stays as it is


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


def _summands(term: Term) -> list[tuple[Rest, Fraction]]:
    if term[0] == "+":
        return [summand for child in term[1:] for summand in _summands(child)]
    if term[0] == "q":
        return [((), fraction_of(term))]
    if term[0] != "*":
        return [((term,), Fraction(1))]
    factors = [_summands(child) for child in term[1:]]
    if prod(map(len, factors)) > MOST_SUMMANDS:
        return [((term,), Fraction(1))]
    return [_joined(chosen) for chosen in product(*factors)]


def _joined(chosen: tuple[tuple[Rest, Fraction], ...]) -> tuple[Rest, Fraction]:
    rest = sorted((factor for others, _ in chosen for factor in others), key=repr)
    return tuple(rest), prod((coefficient for _, coefficient in chosen), start=Fraction(1))


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
