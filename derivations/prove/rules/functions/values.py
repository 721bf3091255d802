"""By known values: odd functions of a negative multiple, functions at special points, exponentials of logarithms."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from derivations.language.normal import prepared
from derivations.language.terms import MINUS_ONE, ONE, ZERO, Term, children, fraction_of, rational, rebuild
from derivations.prove.certificate import Json
from derivations.prove.rules.functions.linear import linear, total
from derivations.prove.rules.rule import Parameters, Rule, formulas, rewritten

ODD = ("erf", "asin", "atan")
ARCS: dict[str, dict[Fraction, str]] = {
    "asin": {Fraction(1, 4): "1/6", Fraction(1, 2): "1/4", Fraction(3, 4): "1/3", Fraction(1): "1/2"},
    "atan": {Fraction(1, 3): "1/6", Fraction(1): "1/4", Fraction(3): "1/3"},
}
"""The multiple of pi that is the arc of a positive number, by the square of the number."""


def square_of(term: Term) -> Fraction | None:
    """The square of a positive number that is a rational or a product of these and of square roots of them."""
    if term[0] == "q":
        value = fraction_of(term)
        return value**2 if value > 0 else None
    if term[0] == "^" and term[1][0] == "q" and term[2] in (rational("1/2"), rational("-1/2")):
        base = fraction_of(term[1])
        return None if base <= 0 else base if term[2] == rational("1/2") else 1 / base
    if term[0] == "*":
        squares = [square_of(factor) for factor in term[1:]]
        found = Fraction(1)
        for square in squares:
            if square is None:
                return None
            found *= square
        return found
    return None


def valued(term: Term) -> Term:
    """The term, which `prepared` made, with known values in their places; it has a value wherever it had one."""
    new = rebuild(term, tuple(map(valued, children(term))))
    head = new[0]
    if head in ODD:
        return _odd(head, new[1])
    if head == "log":
        return _logarithm(new)
    if head == "exp":
        return _exponential(new)
    if new == ("lambertw", ZERO):
        return ZERO
    return new


def _odd(head: str, inside: Term) -> Term:
    table = linear(inside)
    if not table:
        return ZERO
    if next(iter(table.values())) < 0:
        return ("*", MINUS_ONE, _odd(head, total({rest: -times for rest, times in table.items()})))
    square = square_of(total(table))
    turn = ARCS.get(head, {}).get(square) if square is not None else None
    return (head, total(table)) if turn is None else ("*", rational(turn), ("pi",))


def _logarithm(term: Term) -> Term:
    if term[1] == ONE:
        return ZERO
    inside: Term = term[1]
    return inside[1] if inside[0] == "exp" else term


def _exponential(term: Term) -> Term:
    """exp(k log(u) + rest) = u^k exp(rest), for a rational k."""
    table = linear(term[1])
    powers = [(rest, times) for rest, times in table.items() if len(rest) == 1 and rest[0][0] == "log"]
    if not powers and table:
        return ("exp", total(table)) if _has_roots(term[1]) else term
    factors: list[Term] = [("^", rest[0][1], rational(times)) for rest, times in powers]
    others = {rest: times for rest, times in table.items() if rest not in dict(powers)}
    if others:
        factors.append(("exp", total(others)))
    return ("*", *factors) if factors else ONE


def _has_roots(term: Term) -> bool:
    """Whether square roots of numbers stand in the term, whose squares an exponent should not hold."""
    return bool(term[0] == "^" and term[1][0] == "q") or any(map(_has_roots, children(term)))


def _proposals(statement: Json) -> Iterator[Parameters]:
    if any(valued(prepared(term)) != prepared(term) for term in formulas(statement)):
        yield {}


def _parts(statement: Json, _: Parameters) -> list[Json]:
    return [rewritten(statement, lambda term: valued(prepared(term)))]


VALUES = Rule("known values", _proposals, _parts)
