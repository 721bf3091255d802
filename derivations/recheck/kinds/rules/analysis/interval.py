"""Which hypotheses still hold on the way from a point of a statement to an end, along one symbol."""

from __future__ import annotations

from derivations.recheck.kinds.rules.analysis.values import UNKNOWN, sign_by_form
from derivations.recheck.load import Data, Rational, Term, rational
from derivations.recheck.terms import ZERO, carried_out, difference, free

FROM_BELOW = ("positive", "nonnegative")
FROM_ABOVE = ("negative", "nonpositive")


def linear(formula: Term, symbol: str) -> Rational | None:
    """The number k for which the formula is k symbol + something free of the symbol; None if its form shows none."""
    if symbol not in free(formula):
        return rational("0")
    if formula[0] == "s":
        return rational("1")
    if formula[0] == "+":
        total = rational("0")
        for child in formula[1:]:
            part = linear(child, symbol)
            if part is None:
                return None
            total = total + part
        return total
    if formula[0] != "*":
        return None
    others = [child for child in formula[1:] if child[0] != "q"]
    number = linear(others[0], symbol) if len(others) == 1 else None
    for child in formula[1:]:
        if number is not None and child[0] == "q":
            number = number * rational(child[1])
    return number


def _holds_between(relation: Term, symbol: str, side: int) -> bool:
    """Whether a hypothesis that holds at some value of the symbol holds wherever the symbol is nearer to the end."""
    if symbol not in free(carried_out(relation[1])) | free(carried_out(relation[2])):
        return True
    if relation[0] not in (">", ">="):
        return False
    slope = linear(carried_out(difference(relation[1], relation[2])), symbol)
    return slope is not None and bool(slope < 0 if side > 0 else slope > 0)


def on_the_way(statement: Data, symbol: str, end: Term, side: int) -> Data:
    """The setting of all points above (side 1) or below (-1) the end and no further off than one of the statement."""
    kept = [r for r in statement["assuming"] if _holds_between(r, symbol, side)]
    if end != ZERO:
        here: Term = ("s", symbol)
        kept.append((">", here, end) if side > 0 else (">", end, here))
    told = _told(statement["symbols"], symbol, end, side)
    return {"symbols": statement["symbols"] | {symbol: told}, "assuming": tuple(kept)}


def _told(symbols: Data, symbol: str, end: Term, side: int) -> tuple[str, ...]:
    """Beyond an end that is not negative all is positive; else the sign is that of the statement's own points."""
    told = symbols[symbol]
    if side > 0 and sign_by_form(end, symbols) != UNKNOWN:
        return ("positive",)
    if side > 0:
        return tuple(word for word in told if word in FROM_ABOVE)
    low = end[0] == "q" and rational(end[1]) <= 0
    if low or (end[0] == "s" and set(FROM_ABOVE) & set(symbols[end[1]])):
        return ("negative",)
    return tuple(word for word in told if word in FROM_BELOW)
