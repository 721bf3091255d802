"""Which slope to look at: a function without the factors of plain sign, a symbol, and a point from which to go.

What is proposed has been tried out at some points; whether it holds is for the provers to decide.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from derivations.language.evaluate import exact
from derivations.language.normal import Field, Uncollected, Undefined, prepared
from derivations.language.terms import (
    MINUS_ONE,
    ONE,
    ZERO,
    NotExact,
    Term,
    carried_out,
    children,
    rational,
    subtract,
    symbols_in,
)
from derivations.prove.certificate import Json
from derivations.prove.rules import effort
from derivations.prove.rules.analysis.factors import products
from derivations.prove.rules.analysis.interval import ends
from derivations.prove.rules.analysis.samples import Place, between, places, signs
from derivations.prove.rules.analysis.values import asked
from derivations.prove.rules.analysis.zeros import zeros
from derivations.prove.rules.domain import DOMAIN
from derivations.prove.rules.rule import Parameters
from derivations.prove.rules.values import valued

MOST = 4
DEEPEST = 9


def ways(statement: Json) -> Iterator[Parameters]:
    """The uses of the rule that no point contradicts, most promising first."""
    if effort.depth() > DEEPEST or any(True for _ in DOMAIN.proposals(statement)):
        return  # what the domain tells comes first
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
        if _is_angle(name, gap):
            continue
        for factor, function in candidates:
            if name in symbols_in(function):
                yield from _from_ends(statement, at, factor, function, name)


def _moving(gap: Term, statement: Json) -> list[str]:
    """The symbols by which to differentiate; those that hypotheses bound on both sides come last."""
    found = symbols_in(gap)
    return sorted(found, key=lambda name: (sum(map(bool, ends(statement, name))), name))


def _is_angle(name: str, gap: Term) -> bool:
    """Whether a symbol stands in sines and cosines alone, whose slopes are no simpler: they are for other rules."""
    return ("s", name) not in _outside(gap)


def _outside(term: Term) -> Iterator[Term]:
    """The symbols that stand outside of sines and cosines."""
    if term[0] == "s":
        yield term
    elif term[0] not in ("sin", "cos"):
        for child in children(term):
            yield from _outside(child)


def _tidy(term: Term, known: dict[str, list[str]]) -> Term:
    """The same value, written shortly."""
    found = None if symbols_in(term) else exact(term, {})
    if found is not None:
        return rational(found)
    try:
        plain = valued(prepared(term))
        field = Field.of([plain], known)
        num, den = field.fraction(plain)
    except (Undefined, Uncollected):
        return term
    common = num.gcd(den) * (-1 if field.primitive(den)[1] < 0 else 1)
    above, below = field.poly_term(num / common), field.poly_term(den / common)
    return above if below == ONE else ("*", above, ("^", below, MINUS_ONE))


def _from_ends(statement: Json, at: list[Place], factor: Term, function: Term, name: str) -> Iterator[Parameters]:
    slope = carried_out(("D", function, name))
    for end in dict.fromkeys(_starts(statement, name, slope)):
        start: Term = carried_out(("at", function, ((name, end),)))
        found = signs(start, at)
        if found & {-1, None}:
            continue
        sides = [side for side in (1, -1) if any(True for _ in between(at, name, end, side))]
        if not sides or any(signs(slope, between(at, name, end, side)) & {-side, None} for side in sides):
            continue
        steep = statement["relation"] == ">" and 0 in found
        yield {"factor": factor, "function": function, "symbol": name, "from": end, "sides": sides, "steep": steep}


def _starts(statement: Json, name: str, slope: Term) -> Iterator[Term]:
    """Ends of the interval, points at which the slope vanishes, and what else is often the point of equality."""
    low, high = ends(statement, name)
    known = statement["symbols"]
    yield from (_tidy(end, known) for end in [*low, *high])
    yield from (ZERO, ONE)
    yield from (_tidy(zero, known) for zero in zeros(slope, name, known))
    yield from (("s", other) for other in sorted(statement["symbols"]) if other != name)
