"""By halves: a statement on both sides of a value of a symbol; and squares that are positive for the sign of a base."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from derivations.language.terms import ZERO, Term, carried_out, fraction_of
from derivations.prove.certificate import Json
from derivations.prove.rules import effort
from derivations.prove.rules.analysis.samples import places, signs
from derivations.prove.rules.analysis.search import turns
from derivations.prove.rules.analysis.values import asked, under
from derivations.prove.rules.rule import Parameters, Rule, rewritten

DEEPEST, MOST = 4, 2


def _proposals(statement: Json) -> Iterator[Parameters]:
    if statement["kind"] == "sign" and effort.depth() <= DEEPEST:
        for name, value, base in islice(turns(statement), MOST):
            yield {"symbol": name, "at": value, "below": base}


def _parts(statement: Json, parameters: Parameters) -> list[Json]:
    """Nothing is stated at the value itself if a denominator vanishes there."""
    name, value, base = parameters["symbol"], parameters["at"], parameters["below"]
    symbol: Term = ("s", name)
    order = ">=" if base is None else ">"
    needed = [under(statement, *pair) for pair in asked(value, statement["symbols"])]
    if base is not None:
        equal = under(statement, "=", ("at", base, ((name, value),))) | {"kind": "identity"}
        del equal["relation"]
        needed.append(equal)
    halves: list[Term] = [(order, symbol, value), (order, value, symbol)]
    return [*needed, *(rewritten(statement, lambda term: term, [half]) for half in halves)]


HALVES = Rule("halves", _proposals, _parts)


def _base(statement: Json) -> Term | None:
    """The base of an even power that shall be positive."""
    if statement["kind"] != "sign" or statement["right"] != ZERO or statement["relation"] != ">":
        return None
    term = carried_out(statement["left"])
    if term[0] != "^" or term[2][0] != "q" or fraction_of(term[2]) % 2 or term[2] == ZERO:
        return None
    base: Term = term[1]
    return base


def _signs(statement: Json) -> Iterator[Parameters]:
    base = _base(statement)
    if base is not None:
        found = signs(base, places(statement))
        yield from ({"sign": sign} for sign in (1, -1) if found == {sign})


def _sign_parts(statement: Json, parameters: Parameters) -> list[Json]:
    base = _base(statement)
    assert base is not None
    return [under(statement, ">", base) if parameters["sign"] > 0 else under(statement, ">", ZERO, base)]


SQUARE = Rule("the sign of a base", _signs, _sign_parts)
