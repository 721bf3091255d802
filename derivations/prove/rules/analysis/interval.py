"""Hypotheses that hold one symbol between bounds: linear in it, with a number as its coefficient."""

from __future__ import annotations

from fractions import Fraction

from derivations.language.normal.forms import form
from derivations.language.terms import ZERO, Term, carried_out, fraction_of, rational, substitute, subtract, symbols_in
from derivations.prove.certificate import Json
from derivations.prove.rules.analysis.values import speaks_of

BELOW = ("negative", "nonpositive")
ABOVE = ("positive", "nonnegative")


def coefficient(term: Term, name: str) -> Fraction | None:
    """The number that multiplies a symbol in a formula that is linear in it, else None.

    >>> coefficient(("+", ("*", ("q", "2"), ("s", "x")), ("s", "y")), "x")
    Fraction(2, 1)
    """
    if name not in symbols_in(term):
        return Fraction(0)
    if term[0] == "s":
        return Fraction(1)
    if term[0] == "+":
        parts = [coefficient(child, name) for child in term[1:]]
        return None if None in parts else sum((part for part in parts if part), Fraction(0))
    if term[0] == "*":
        moving = [child for child in term[1:] if child[0] != "q"]
        found = coefficient(moving[0], name) if len(moving) == 1 else None
        for child in term[1:]:
            found = found * fraction_of(child) if found is not None and child[0] == "q" else found
        return found
    return None


def bounding(relation: Term, name: str) -> int:
    """1 for a hypothesis that bounds the symbol from below alone, -1 from above, 0 for any other."""
    if relation[0] not in (">", ">="):
        return 0
    slope = coefficient(carried_out(subtract(tuple(relation[1]), tuple(relation[2]))), name)
    return 0 if not slope else 1 if slope > 0 else -1


def bound(relation: Term, name: str) -> Term:
    """Return what such a hypothesis compares the symbol with."""
    left, right = carried_out(tuple(relation[1])), carried_out(tuple(relation[2]))
    if left == ("s", name) and name not in symbols_in(right):
        return right
    if right == ("s", name) and name not in symbols_in(left):
        return left
    slope = coefficient(subtract(left, right), name)
    assert slope
    return ("*", rational(-1 / slope), substitute(subtract(left, right), {name: ZERO}))


def bounds(statement: Json, name: str) -> tuple[list[Term], list[Term]]:
    """The bounds of a symbol from below, and from above."""
    told = {*statement["symbols"][name]}
    low: list[Term] = [ZERO] if told & {*ABOVE} else []
    high: list[Term] = [ZERO] if told & {*BELOW} else []
    for relation in statement["assuming"]:
        side = bounding(tuple(relation), name)
        if side:
            (low if side > 0 else high).append(bound(tuple(relation), name))
    return low, high


def beyond(statement: Json, name: str, end: Term, sides: list[int], side: int) -> Json:
    """The setting of the points strictly between an end and a point of the statement, above (1) or below (-1) the end.

    Hypotheses free of the symbol stay, and those that bound it on the far side become strict. So do all others that
    bound it where the statement speaks of both sides, if the end itself obeys them.
    """
    symbol: Term = ("s", name)
    wanted = {1, -1} if len(sides) > 1 else {-side}
    kept = _strictly(statement, name, wanted)
    if end != ZERO:
        kept.append((">", symbol, end) if side > 0 else (">", end, symbol))
    symbols = statement["symbols"] | {name: _told(statement, end, statement["symbols"][name], wanted, side)}
    return {"symbols": symbols, "assuming": kept}


def onwards(statement: Json, name: str, side: int) -> Json:
    """The setting of all points further up (1) or further down (-1) than a point of the statement."""
    told = {*statement["symbols"][name]}
    word = ["positive"] if side > 0 and told & {*ABOVE} else ["negative"] if side < 0 and told & {*BELOW} else []
    return {"symbols": statement["symbols"] | {name: word}, "assuming": _strictly(statement, name, {side})}


def _strictly(statement: Json, name: str, sides: set[int]) -> list[Term]:
    """The hypotheses that are free of a symbol, and as strict ones those that bound it on the sides."""
    return [
        (">", *r[1:]) if speaks_of(r, name) else r
        for r in statement["assuming"]
        if not speaks_of(r, name) or bounding(r, name) in sides
    ]


def _told(statement: Json, end: Term, told: list[str], wanted: set[int], side: int) -> list[str]:
    """Return what is known of the sign beyond the end: from the end itself, else from the sides that are kept."""
    if (-1 in wanted and {*told} & {*BELOW}) or (side < 0 and _is_not_above_zero(end, statement)):
        return ["negative"]
    if (1 in wanted and {*told} & {*ABOVE}) or (side > 0 and form(end, statement["symbols"])):
        return ["positive"]
    return []


def _is_not_above_zero(end: Term, statement: Json) -> bool:
    if end[0] == "q":
        return fraction_of(end) <= 0
    return end[0] == "s" and bool({*BELOW} & {*statement["symbols"][end[1]]})
