"""Which hypotheses still hold on the way from a point of a statement to an end, along one symbol."""

from __future__ import annotations

from derivations.recheck.core.conditions import UNKNOWN, sign_by_form
from derivations.recheck.core.load import Data, Rational, Term, rational
from derivations.recheck.core.terms import ZERO, carried_out, difference, free

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


def _direction(relation: Term, symbol: str) -> int | None:
    """1 if a hypothesis bounds the symbol from below, -1 from above, 0 if it is free of it, None if it does neither."""
    if symbol not in free(carried_out(relation[1])) | free(carried_out(relation[2])):
        return 0
    if relation[0] not in (">", ">="):
        return None
    slope = linear(carried_out(difference(relation[1], relation[2])), symbol)
    if slope is None or slope == 0:
        return None
    return 1 if slope > 0 else -1


def on_the_way(statement: Data, symbol: str, end: Term, side: int, *, inside: bool) -> Data:
    """The setting strictly between the end and a point of the statement that lies above (side 1) or below (-1) it.

    A bound from beyond the point is nowhere reached on the way. If the end is inside of all bounds, or on them, so is
    the way, and none of them is reached.
    """
    kept = []
    for relation in statement["assuming"]:
        direction = _direction(relation, symbol)
        if direction == 0:
            kept.append(relation)
        elif direction is not None and (inside or direction == -side):
            kept.append((">", relation[1], relation[2]))
    if end != ZERO:
        here: Term = ("s", symbol)
        kept.append((">", here, end) if side > 0 else (">", end, here))
    told = _told(statement["symbols"], symbol, end, side, inside)
    return {"symbols": statement["symbols"] | {symbol: told}, "assuming": tuple(kept)}


def _told(symbols: Data, symbol: str, end: Term, side: int, inside: bool) -> tuple[str, ...]:
    """The sign on the way: zero is a bound like others, and beyond an end of known sign the sign is known too."""
    told = set(symbols[symbol])
    if told & set(FROM_ABOVE) and (inside or side > 0):
        return ("negative",)
    if side < 0 and _not_positive(end, symbols):
        return ("negative",)
    if told & set(FROM_BELOW) and (inside or side < 0):
        return ("positive",)
    if side > 0 and sign_by_form(end, symbols) != UNKNOWN:
        return ("positive",)
    return ()


def _not_positive(end: Term, symbols: Data) -> bool:
    if end[0] == "s":
        return bool(set(FROM_ABOVE) & set(symbols.get(end[1], ())))
    return end[0] == "q" and bool(rational(end[1]) <= 0)


def bounds_at(statement: Data, symbol: str, end: Term) -> list[tuple[Term, Term]]:
    """Pairs of which the first is not less than the second where the end is inside of all bounds, or on them."""
    told = set(statement["symbols"][symbol])
    pairs: list[tuple[Term, Term]] = []
    if told & set(FROM_BELOW):
        pairs.append((end, ZERO))
    if told & set(FROM_ABOVE):
        pairs.append((ZERO, end))
    for relation in statement["assuming"]:
        if _direction(relation, symbol):
            pairs.append((("at", relation[1], ((symbol, end),)), ("at", relation[2], ((symbol, end),))))
    return pairs


def away(statement: Data, symbol: str, side: int) -> Data:
    """The setting of all points beyond one of the statement, further up (1) or further down (-1)."""
    kept = []
    for relation in statement["assuming"]:
        direction = _direction(relation, symbol)
        if direction == 0:
            kept.append(relation)
        elif direction == side:
            kept.append((">", relation[1], relation[2]))
    told = set(statement["symbols"][symbol])
    word: tuple[str, ...] = ("positive",) if side > 0 and told & set(FROM_BELOW) else ()
    if side < 0 and told & set(FROM_ABOVE):
        word = ("negative",)
    return {"symbols": statement["symbols"] | {symbol: word}, "assuming": tuple(kept)}


def without_symbol(statement: Data, symbol: str) -> Data:
    """The setting without what is supposed of a symbol, which moves."""
    kept = tuple(r for r in statement["assuming"] if _direction(r, symbol) == 0)
    return {"symbols": statement["symbols"] | {symbol: ()}, "assuming": kept}
