"""By half angles: sines and cosines as rational functions, in two charts that together reach every angle.

Arguments are sums of whole multiples of a few angles and of a rational multiple of pi, and open by the addition
theorems. An angle's cosine and sine are (1 - t^2)/(1 + t^2) and 2t/(1 + t^2) for some t, unless it is an odd multiple
of pi; so they are their negatives for some t, unless it is an even one. What holds in both charts holds everywhere.
The angles asin(v) and atan(v) have sines and cosines that need no letter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from math import comb, lcm

from derivations.language.terms import MINUS_ONE, ONE, ZERO, Term, children, rational, rebuild, subtract
from derivations.prove.certificate import Json
from derivations.prove.rules.functions.linear import Rest, linear
from derivations.prove.rules.rule import Parameters, Rule, formulas, fresh, inner_terms, rewritten

MOST_ANGLES, MOST_TIMES = 3, 12
TURN = (("pi",),)
TWO = rational(2)
Pair = tuple[Term, Term]  # cosine and sine


def _root(number: int) -> Term:
    return ("^", rational(number), rational("1/2"))


def _half(of: Term) -> Term:
    return ("*", rational("1/2"), of)


def _quarter(*summands: Term) -> Term:
    return ("*", rational("1/4"), ("+", *summands))


def _under(*summands: Term) -> Term:
    return ("^", ("+", *summands), rational("1/2"))


def _minus(term: Term) -> Term:
    return ("*", MINUS_ONE, term)


COSINES: dict[Fraction, Term] = {
    Fraction(0): ONE,
    Fraction(1, 12): _quarter(_root(6), _root(2)),
    Fraction(1, 10): ("*", rational("1/4"), _under(rational(10), ("*", TWO, _root(5)))),
    Fraction(1, 8): _half(_under(TWO, _root(2))),
    Fraction(1, 6): _half(_root(3)),
    Fraction(1, 5): _quarter(ONE, _root(5)),
    Fraction(1, 4): _half(_root(2)),
    Fraction(3, 10): ("*", rational("1/4"), _under(rational(10), ("*", rational(-2), _root(5)))),
    Fraction(1, 3): rational("1/2"),
    Fraction(3, 8): _half(_under(TWO, _minus(_root(2)))),
    Fraction(2, 5): _quarter(MINUS_ONE, _root(5)),
    Fraction(5, 12): _quarter(_root(6), _minus(_root(2))),
    Fraction(1, 2): ZERO,
}
"""Cosines of rational multiples of pi up to a right angle."""


def cosine_of_turn(turn: Fraction) -> Term | None:
    """cos(turn * pi), where it is a known root."""
    turn = abs(turn) % 2
    turn = min(turn, 2 - turn)
    if turn > Fraction(1, 2):
        known = COSINES.get(1 - turn)
        return None if known is None else _minus(known)
    return COSINES.get(turn)


def angles_of(terms: Iterable[Term]) -> dict[Rest, int]:
    """The angles that arguments are made of, each with the whole number that divides it: cos(x/3) is of x/3."""
    found: dict[Rest, int] = {}
    for term in inner_terms(terms):
        if term[0] in ("sin", "cos"):
            for rest, times in _split(term[1])[1].items():
                found[rest] = lcm(found.get(rest, 1), times.denominator)
    return found


def _split(argument: Term) -> tuple[Pair, dict[Rest, Fraction]]:
    """Cosine and sine of the multiple of pi in an argument, where they are known roots, and all else in it."""
    angles = linear(argument)
    turn = angles.pop(TURN, Fraction(0))
    cosine, sine = cosine_of_turn(turn), cosine_of_turn(Fraction(1, 2) - turn)
    if cosine is None or sine is None:
        return (ONE, ZERO), linear(argument)
    return (cosine, sine), angles


def _own_values(rest: Rest, divided: int) -> Pair | None:
    """Cosine and sine of asin(v) or atan(v)."""
    if len(rest) != 1 or rest[0][0] not in ("asin", "atan") or divided != 1:
        return None
    head, v = rest[0]
    if any(inner[0] in ("sin", "cos") for inner in inner_terms([v])):
        return None
    square = ("^", v, TWO)
    if head == "asin":
        return ("^", subtract(ONE, square), rational("1/2")), v
    down = ("^", ("+", ONE, square), rational("-1/2"))
    return down, ("*", v, down)


def _chart(letter: str, sign: int) -> Pair:
    t = ("s", letter)
    square = ("^", t, TWO)
    down = ("^", ("+", ONE, square), MINUS_ONE)
    pair = ("*", subtract(ONE, square), down), ("*", TWO, t, down)
    return pair if sign > 0 else (_minus(pair[0]), _minus(pair[1]))


def _times(pair: Pair, k: int) -> Pair:
    """Cosine and sine of k times an angle."""
    c, s = pair
    parts: list[list[Term]] = [[], []]
    for j in range(abs(k) + 1):
        sign = -1 if j % 4 in (2, 3) else 1
        parts[j % 2].append(
            ("*", rational(sign * comb(abs(k), j)), ("^", c, rational(abs(k) - j)), ("^", s, rational(j)))
        )
    sine = ("+", *parts[1]) if parts[1] else ZERO
    return ("+", *parts[0]), sine if k >= 0 else _minus(sine)


def _sum(a: Pair, b: Pair) -> Pair:
    return (
        ("+", ("*", a[0], b[0]), _minus(("*", a[1], b[1]))),
        ("+", ("*", a[1], b[0]), ("*", a[0], b[1])),
    )


def _opened(argument: Term, angles: dict[Rest, int], pairs: dict[Rest, Pair]) -> Pair:
    found, rest = _split(argument)
    for angle, times in rest.items():
        whole = times * angles[angle]
        assert whole.denominator == 1
        found = _sum(found, _times(pairs[angle], whole.numerator))
    return found


def _proposals(statement: Json) -> Iterator[Parameters]:
    terms = formulas(statement)
    if not any(term[0] in ("sin", "cos") for term in inner_terms(terms)):
        return
    angles = angles_of(terms)
    most = max(
        (abs(times * angles[rest]) for t in inner_terms(terms) if t[0] in ("sin", "cos")
         for rest, times in _split(t[1])[1].items()),
        default=0,
    )  # fmt: skip
    letters = [fresh(statement, f"t{k}") for k in range(len(angles))]
    if len(angles) <= MOST_ANGLES and most <= MOST_TIMES:
        yield {"letters": letters}


def _parts(statement: Json, parameters: Parameters) -> list[Json]:
    angles = angles_of(formulas(statement))
    known = {rest: pair for rest, divided in angles.items() if (pair := _own_values(rest, divided))}
    moving = [(rest, letter) for rest, letter in zip(angles, parameters["letters"], strict=True) if rest not in known]
    symbols = statement["symbols"] | {letter: [] for _, letter in moving}
    parts = []
    for signs in product((1, -1), repeat=len(moving)):
        charts = {rest: _chart(letter, sign) for (rest, letter), sign in zip(moving, signs, strict=True)}
        parts.append(rewritten(statement, partial(_without, angles=angles, pairs=known | charts)))
        parts[-1]["symbols"] = symbols
    return parts


def _without(term: Term, angles: dict[Rest, int], pairs: dict[Rest, Pair]) -> Term:
    if term[0] in ("sin", "cos"):
        return _opened(term[1], angles, pairs)[term[0] == "sin"]
    return rebuild(term, tuple(_without(child, angles, pairs) for child in children(term)))


TRIGONOMETRY = Rule("half angles", _proposals, _parts)
