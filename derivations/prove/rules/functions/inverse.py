"""By what an inverse function inverts: where Lambert's W of a symbol stands, the symbol is w exp(w) with w >= -1."""

from __future__ import annotations

from collections.abc import Iterator

from derivations.language.terms import MINUS_ONE, Term, substitute
from derivations.prove.certificate import Json
from derivations.prove.rules.rule import Parameters, Rule, formulas, fresh, inner_terms, replaced, rewritten
from derivations.prove.rules.shift import told


def _proposals(statement: Json) -> Iterator[Parameters]:
    for term in inner_terms(formulas(statement)):
        if term[0] == "lambertw" and term[1][0] == "s":
            yield {"symbol": term[1][1], "letter": fresh(statement, "w")}


def _parts(statement: Json, parameters: Parameters) -> list[Json]:
    name, letter = parameters["symbol"], parameters["letter"]
    w: Term = ("s", letter)
    value: Term = ("*", w, ("exp", w))

    def change(term: Term) -> Term:
        return substitute(replaced(term, ("lambertw", ("s", name)), w), {name: value})

    symbols = {key: words for key, words in statement["symbols"].items() if key != name}
    supposed = [(">=", w, MINUS_ONE), *(told(word, value) for word in statement["symbols"][name])]
    return [rewritten(statement, change, supposed) | {"symbols": symbols | {letter: []}}]


LAMBERT = Rule("Lambert's W", _proposals, _parts)
