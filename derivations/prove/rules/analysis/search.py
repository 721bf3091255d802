"""Which slope to look at: a function without the factors of plain sign, a symbol, and a point from which to go.

What is proposed has been tried out at some points; whether it holds is for the provers to decide.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from derivations.language.evaluate import exact
from derivations.language.normal import Uncollected, Undefined
from derivations.language.terms import ONE, ZERO, NotExact, Term, carried_out, rational, subtract, symbols_in
from derivations.prove.certificate import Json
from derivations.prove.rules import effort
from derivations.prove.rules.analysis.factors import products
from derivations.prove.rules.analysis.interval import bound, bounding
from derivations.prove.rules.analysis.samples import Place, between, places, signs
from derivations.prove.rules.analysis.values import asked
from derivations.prove.rules.rule import Parameters

MOST = 4
DEEPEST = 9


def ways(statement: Json) -> Iterator[Parameters]:
    """The uses of the rule that no point contradicts, most promising first."""
    if effort.depth() > DEEPEST:
        return
    at = places(statement)
    if at:
        yield from islice(_ways(statement, at), MOST)


def _ways(statement: Json, at: list[Place]) -> Iterator[Parameters]:
    gap = carried_out(subtract(statement["left"], statement["right"]))
    try:
        asked(gap, {})
        candidates = list(products(gap, statement, at))
    except (NotExact, Undefined, Uncollected):
        return
    for name in _moving(gap, statement):
        for factor, function in candidates:
            if name in symbols_in(function):
                yield from _from_ends(statement, at, factor, function, name)


def _moving(gap: Term, statement: Json) -> list[str]:
    """The symbols by which to differentiate; those that hypotheses bound on both sides come last."""
    found = symbols_in(gap)
    return sorted(found, key=lambda name: (sum(map(bool, _bounds(statement, name))), name))


def _bounds(statement: Json, name: str) -> tuple[list[Term], list[Term]]:
    """The ends of the interval of a symbol, from below and from above."""
    told = statement["symbols"][name]
    low: list[Term] = [ZERO] if {"positive", "nonnegative"} & {*told} else []
    high: list[Term] = [ZERO] if {"negative", "nonpositive"} & {*told} else []
    for relation in statement["assuming"]:
        side = bounding(tuple(relation), name)
        if side:
            (low if side > 0 else high).append(_plain(bound(tuple(relation), name)))
    return low, high


def _plain(term: Term) -> Term:
    """A number as a number."""
    found = None if symbols_in(term) else exact(term, {})
    return term if found is None else rational(found)


def _from_ends(statement: Json, at: list[Place], factor: Term, function: Term, name: str) -> Iterator[Parameters]:
    slope = carried_out(("D", function, name))
    low, high = _bounds(statement, name)
    for end in _ends(statement, name, low, high, slope):
        start: Term = carried_out(("at", function, ((name, end),)))
        found = signs(start, at)
        if found & {-1, None}:
            continue
        sides = [side for side in (1, -1) if any(True for _ in between(at, name, end, side))]
        if not sides or any(signs(slope, between(at, name, end, side)) & {-side, None} for side in sides):
            continue
        steep = statement["relation"] == ">" and 0 in found
        yield {"factor": factor, "function": function, "symbol": name, "from": end, "sides": sides, "steep": steep}


def _ends(statement: Json, name: str, low: list[Term], high: list[Term], slope: Term) -> Iterator[Term]:
    others: list[Term] = [("s", other) for other in sorted(statement["symbols"]) if other != name]
    yield from dict.fromkeys([*low, *high, ZERO, ONE, rational("1/2"), *others])
