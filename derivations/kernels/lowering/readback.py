"""Straight programs of numbers read back as terms: what a program computes, in the symbols of its arguments.

The checker reads a program back by code of its own (`derivations.recheck.ledgers.programs`); both must find the same
terms, since what a certificate says is compared part by part. Sums and products are flat, with one number each; a
product with a zero is zero. expm1, relexp and relexp1 are the fractions of exponentials that they are, or their value
at zero where that is what stands there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import prod

from derivations.kernels.program import Operation
from derivations.language.terms import MINUS_ONE, ONE, ZERO, Term, fraction_of, rational

ROOTS: dict[str, Term] = {"sqrt": ("q", "1/2"), "cbrt": ("q", "1/3")}
CONTRARY = {">": ">=", ">=": ">", "=": "!=", "!=": "="}
MOST_WORKED_OUT = 99  # exponent of a number
AT_ZERO: dict[str, Term] = {"expm1": ZERO, "relexp": ONE, "relexp1": ("q", "1/2")}


def read(operation: Operation, known: Mapping[str, Term], sign: Callable[[Operation], int | None]) -> Term:
    """The term of an operation, whose names are put in; `sign` tells that of what stands in an absolute value."""
    head = operation[0]
    if head == "s":
        return known[operation[1]]
    if head in ("q", "pi"):
        return operation
    if head == "^":
        return power(read(operation[1], known, sign), operation[2])
    if head == "*":
        above, below = ([read(part, known, sign) for part in side] for side in operation[2:])
        return times([("q", operation[1]), *above, *(power(part, -1) for part in below)])
    parts = [read(part, known, sign) for part in operation[1:]]
    if head == "+":
        return plus(parts)
    if head in ROOTS:
        return ("^", parts[0], ROOTS[head])
    if head in AT_ZERO:
        return _removable(head, parts[0])
    if head == "abs" and parts[0][0] == "q":
        return rational(abs(fraction_of(parts[0])))
    if head == "abs" and (sign_of_operation := sign(operation[1])) is not None:
        return times([rational(sign_of_operation), parts[0]])
    return ("^" if head == "**" else head, *parts)


def plus(parts: Iterable[Term]) -> Term:
    """A sum without sums in it, whose only number stands last.

    >>> plus([("q", "1"), ("+", ("s", "x"), ("q", "2"))])
    ('+', ('s', 'x'), ('q', '3'))
    """
    flat = [inner for part in parts for inner in (part[1:] if part[0] == "+" else (part,))]
    number = sum((fraction_of(part) for part in flat if part[0] == "q"), Fraction(0))
    summands = [part for part in flat if part[0] != "q"] + [rational(number)] * (number != 0)
    return ("+", *summands) if len(summands) > 1 else summands[0] if summands else ZERO


def times(parts: Iterable[Term]) -> Term:
    """A product without products in it, whose only number stands first.

    >>> times([("s", "x"), ("*", ("q", "2"), ("s", "y"))]), times([ZERO, ("s", "x")])
    (('*', ('q', '2'), ('s', 'x'), ('s', 'y')), ('q', '0'))
    """
    flat = [inner for part in parts for inner in (part[1:] if part[0] == "*" else (part,))]
    number = prod((fraction_of(part) for part in flat if part[0] == "q"), start=Fraction(1))
    factors = [rational(number)] * (number != 1) + [part for part in flat if part[0] != "q"]
    return ZERO if number == 0 else ("*", *factors) if len(factors) > 1 else factors[0] if factors else ONE


def power(base: Term, exponent: int) -> Term:
    """A power with a whole exponent, worked out for numbers that have one."""
    if base[0] == "q" and (base != ZERO or exponent > 0) and abs(exponent) <= MOST_WORKED_OUT:
        return rational(fraction_of(base) ** exponent)
    return ("^", base, rational(exponent))


def _removable(head: str, x: Term) -> Term:
    if x == ZERO:
        return AT_ZERO[head]
    if head == "relexp1":
        return times([plus([times([("exp", x), plus([x, MINUS_ONE])]), ONE]), power(x, -2)])
    rise = plus([("exp", x), MINUS_ONE])
    return rise if head == "expm1" else times([rise, power(x, -1)])


def contrary(relation: Operation) -> Operation:
    """The relation that holds where another one does not."""
    head, left, right = relation
    return (CONTRARY[head], right, left) if head in (">", ">=") else (CONTRARY[head], left, right)
