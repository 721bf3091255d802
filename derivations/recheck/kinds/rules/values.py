"""Known values: every step is an equality wherever the old formula has a value, and the new one has one there too."""

from __future__ import annotations

from flint import fmpq

from derivations.recheck.core.load import Data, Rational, Term, rational
from derivations.recheck.core.terms import HALF, ONE, ZERO, minus, prepared
from derivations.recheck.kinds.rules.forms import inside_out, only, rewritten, walked
from derivations.recheck.kinds.rules.linear import linear, total

SQUARES_OF_SINES = {"1/4": "1/6", "1/2": "1/4", "3/4": "1/3", "1": "1/2"}
SQUARES_OF_TANGENTS = {"1/3": "1/6", "1": "1/4", "3": "1/3"}
"""The square of a positive number, and its arc over pi."""
ODD: dict[str, dict[str, str]] = {"erf": {}, "asin": SQUARES_OF_SINES, "atan": SQUARES_OF_TANGENTS}


def known_values(statement: Data, parameters: Data) -> list[Data]:
    only(parameters)
    return [rewritten(statement, lambda formula: walked(prepared(formula), known_value))]


def known_value(formula: Term) -> Term:
    if formula[0] in ("s", "q", "pi"):
        return formula
    head, inside = formula[0], formula[1]
    if head in ODD:
        return _of_odd(head, inside)
    if formula in (("log", ONE), ("lambertw", ZERO)):
        return ZERO
    if head == "log" and inside[0] == "exp":
        within: Term = inside[1]
        return within
    return _of_exponential(formula, inside) if head == "exp" else formula


def _of_odd(head: str, inside: Term) -> Term:
    """f(-u) = -f(u), f(0) = 0, and the arcs in the tables."""
    table = linear(inside)
    if not table:
        return ZERO
    first = next(iter(table.values()))
    if first < 0:
        return minus(_of_odd(head, total({rest: -times for rest, times in table.items()})))
    square = _square(total(table))
    turn = ODD[head].get(str(square)) if square is not None else None
    return (head, total(table)) if turn is None else ("*", ("q", turn), ("pi",))


def _square(formula: Term) -> Rational | None:
    """The square of a positive number, where the number is a product of rationals and square roots of rationals."""
    if formula[0] == "q":
        value = rational(formula[1])
        return value * value if value > 0 else None
    if formula[0] == "*":
        product = fmpq(1)
        for factor in formula[1:]:
            square = _square(factor)
            if square is None:
                return None
            product = product * square
        return product
    if formula[0] == "^" and formula[1][0] == "q" and formula[2] in (HALF, ("q", "-1/2")):
        base = rational(formula[1][1])
        return None if base <= 0 else base if formula[2] == HALF else 1 / base
    return None


def _of_exponential(formula: Term, inside: Term) -> Term:
    """exp(k log(u) + v) = u^k exp(v); that log(u) has a value is what the statement says itself."""
    table = linear(inside)
    if not table:
        return ONE
    powers = {rest: times for rest, times in table.items() if len(rest) == 1 and rest[0][0] == "log"}
    if not powers:
        return ("exp", total(table)) if any(f[0] == "^" and f[1][0] == "q" for f in inside_out([inside])) else formula
    factors: list[Term] = [("^", rest[0][1], ("q", str(times))) for rest, times in powers.items()]
    others = {rest: times for rest, times in table.items() if rest not in powers}
    return ("*", *factors, ("exp", total(others))) if others else ("*", *factors)
