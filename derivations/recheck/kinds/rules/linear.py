"""The checker's own reading of a formula as a sum of rational multiples."""

from __future__ import annotations

from flint import fmpq

from derivations.recheck.budget import spend
from derivations.recheck.load import Rational, Term, rational

Rest = tuple[Term, ...]
MAX_SUMMANDS = 64
WORK = 3000  # see `spend`


def linear(formula: Term) -> dict[Rest, Rational]:
    """The coefficient of every product of factors that are neither numbers nor sums, in one fixed order."""
    table = _table(formula)
    return {rest: table[rest] for rest in sorted(table, key=repr) if table[rest] != 0}


def _table(formula: Term) -> dict[Rest, Rational]:
    spend(WORK)
    match formula[0]:
        case "q":
            return {(): rational(formula[1])}
        case "+":
            summed: dict[Rest, Rational] = {}
            for child in formula[1:]:
                for rest, times in _table(child).items():
                    summed[rest] = summed.get(rest, fmpq(0)) + times
            return summed
        case "*" if _product(formula) <= MAX_SUMMANDS:
            multiplied: dict[Rest, Rational] = {(): fmpq(1)}
            for child in formula[1:]:
                new: dict[Rest, Rational] = {}
                for left, a in multiplied.items():
                    for right, b in _table(child).items():
                        rest = tuple(sorted((*left, *right), key=repr))
                        new[rest] = new.get(rest, fmpq(0)) + a * b
                multiplied = new
            return multiplied
    return {(formula,): fmpq(1)}


def _length(formula: Term) -> int:
    """How many summands a formula has once products of sums are multiplied out, before any are joined."""
    if formula[0] == "+":
        return sum(map(_length, formula[1:]))
    if formula[0] != "*":
        return 1
    product = _product(formula)
    return product if product <= MAX_SUMMANDS else 1


def _product(formula: Term) -> int:
    product = 1
    for child in formula[1:]:
        product *= _length(child)
    return product


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
