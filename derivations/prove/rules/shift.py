"""By distance: where s > a is supposed, s is written as a + d with a positive d, and so for the other orders."""

from __future__ import annotations

from collections.abc import Iterator

from derivations.language.terms import Term, carried_out, subtract, symbols_in
from derivations.prove.certificate import Json
from derivations.prove.rules.rule import Parameters, Rule, fresh

WORDS = {">": "positive", ">=": "nonnegative"}


def _value(relation: Term, name: str, letter: str) -> Term | None:
    """The symbol in terms of its distance from what it is compared with."""
    order, left, right = relation[0], carried_out(tuple(relation[1])), carried_out(tuple(relation[2]))
    distance: Term = ("s", letter)
    if order in WORDS and left == ("s", name) and name not in symbols_in(right):
        return ("+", right, distance)
    if order in WORDS and right == ("s", name) and name not in symbols_in(left):
        return subtract(left, distance)
    return None


def _proposals(statement: Json) -> Iterator[Parameters]:
    letter = fresh(statement)
    for k, relation in enumerate(statement["assuming"]):
        for name in statement["symbols"]:
            if _value(relation, name, letter) is not None:
                yield {"symbol": name, "hypothesis": k, "letter": letter}


SHIFT = Rule("distance", _proposals)
