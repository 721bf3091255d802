"""The checker's own reading of a formula as a sum of rational multiples."""

from __future__ import annotations

from flint import fmpq

from derivations.recheck.core.budget import spend
from derivations.recheck.core.load import Rational, Term, rational
from derivations.recheck.core.terms import whole_exponent

Rest = tuple[Term, ...]
MAX_SUMMANDS, MAX_TIMES = 64, 8
WORK = 3000  # see `spend`


def linear(formula: Term) -> dict[Rest, Rational]:
    """The coefficient of every product of factors that are neither numbers nor sums, in one fixed order."""
    table: dict[Rest, Rational] = {}
    for rest, times in _summands(formula):
        table[rest] = table.get(rest, fmpq(0)) + times
    return {rest: table[rest] for rest in sorted(table, key=repr) if table[rest] != 0}


def _summands(formula: Term) -> list[tuple[Rest, Rational]]:
    spend(WORK)
    alone: list[tuple[Rest, Rational]] = [((formula,), fmpq(1))]
    if formula[0] == "q":
        return [((), rational(formula[1]))]
    if formula[0] == "+":
        return [summand for child in formula[1:] for summand in _summands(child)]
    if formula[0] == "*":
        return _multiplied([_summands(child) for child in formula[1:]]) or alone
    k = whole_exponent(formula) if formula[0] == "^" else None
    if k is None:
        return [_tidy(list(alone[0][0]), fmpq(1))]
    if abs(k) > MAX_TIMES:
        return alone
    inside = _summands(formula[1])
    if len(inside) == 1 and inside[0][1] != 0:
        rest, times = inside[0]
        return [_tidy([_to_the(factor, k) for factor in rest], times**k)]
    return (_multiplied([inside] * k) if k > 0 else None) or alone


def _multiplied(factors: list[list[tuple[Rest, Rational]]]) -> list[tuple[Rest, Rational]] | None:
    """The product of sums, if it is short."""
    length = 1
    for factor in factors:
        length *= len(factor)
    if length > MAX_SUMMANDS:
        return None
    found: list[tuple[list[Term], Rational]] = [([], fmpq(1))]
    for factor in factors:
        found = [([*left, *right], a * b) for left, a in found for right, b in factor]
    return [_tidy(rest, times) for rest, times in found]


def _to_the(factor: Term, k: int) -> Term:
    """(b^e)^k = b^(e k) wherever the left side has a value."""
    if factor[0] == "^" and factor[2][0] == "q":
        factor, exponent = factor[1], rational(factor[2][1]) * k
    else:
        exponent = fmpq(k)
    return factor if exponent == 1 else ("^", factor, ("q", str(exponent)))


def _tidy(factors: list[Term], times: Rational) -> tuple[Rest, Rational]:
    """Square roots of numbers are taken together, so that at most one of each number is left."""
    others: list[Term] = []
    exponents: dict[str, Rational] = {}
    for factor in factors:
        if factor[0] == "^" and factor[1][0] == "q" and factor[2][0] == "q" and rational(factor[2][1]).q <= 2:
            number = factor[1][1]
            exponents[number] = exponents.get(number, fmpq(0)) + rational(factor[2][1])
        else:
            others.append(factor)
    for number, exponent in exponents.items():
        whole = exponent.floor()
        times = times * rational(number) ** int(whole)
        if exponent != whole:
            others.append(("^", ("q", number), ("q", "1/2")))
    return tuple(sorted(others, key=repr)), times


def total(table: dict[Rest, Rational]) -> Term:
    """The sum written out."""
    summands = []
    for rest, times in table.items():
        if times == 1 and rest:
            summands.append(rest[0] if len(rest) == 1 else ("*", *rest))
        else:
            summands.append(("*", ("q", str(times)), *rest) if rest else ("q", str(times)))
    if len(summands) > 1:
        return ("+", *summands)
    return summands[0] if summands else ("q", "0")
