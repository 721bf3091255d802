"""By distance: where s > a is supposed, s is written as a + d with a positive d, and so for the other orders."""

from __future__ import annotations

from collections.abc import Iterator

from derivations.language.terms import Term, carried_out, substitute, subtract, symbols_in
from derivations.prove.certificate import Json
from derivations.prove.rules.rule import Parameters, Rule, fresh, rewritten

WORDS = {">": "positive", ">=": "nonnegative"}
TOLD = {"positive": (">", 1), "nonnegative": (">=", 1), "negative": (">", -1), "nonpositive": (">=", -1)}


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


def _parts(statement: Json, parameters: Parameters) -> list[Json]:
    name, k, letter = (parameters[key] for key in ("symbol", "hypothesis", "letter"))
    relation = statement["assuming"][k]
    value = _value(relation, name, letter)
    assert value is not None
    symbols = {key: told for key, told in statement["symbols"].items() if key != name}
    supposed = [told(word, value) for word in statement["symbols"][name]]
    rest = [r for i, r in enumerate(statement["assuming"]) if i != k]
    smaller = rewritten(statement | {"assuming": rest}, lambda t: substitute(t, {name: value}), supposed)
    return [smaller | {"symbols": symbols | {letter: [WORDS[relation[0]]]}}]


def told(word: str, value: Term) -> Term:
    """What a symbol was declared to be, said of its value.

    >>> told("negative", ("s", "v"))
    ('>', ('q', '0'), ('s', 'v'))
    """
    if word == "nonzero":
        return ("!=", value, ("q", "0"))
    order, sign = TOLD[word]
    return (order, value, ("q", "0")) if sign > 0 else (order, ("q", "0"), value)


SHIFT = Rule("distance", _proposals, _parts)
