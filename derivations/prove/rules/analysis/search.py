"""Which slope to look at: a function without the factors of plain sign, a symbol, and a point from which to go.

What is proposed has been tried out at some points; whether it holds is for the provers to decide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Any

from flint import arb

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
from derivations.prove.rules.analysis.interval import as_way, beyond, ends, onwards
from derivations.prove.rules.analysis.samples import Place, between, onward, places, settles, signs, value
from derivations.prove.rules.analysis.values import asked
from derivations.prove.rules.analysis.zeros import zeros
from derivations.prove.rules.domain import DOMAIN
from derivations.prove.rules.functions.values import valued
from derivations.prove.rules.rule import Parameters, fresh

FAR_OUT, CLOSE = (10**7, 10**9), (10**9, 10**12)
MOST = 4
DEEPEST = 9


def ways(statement: Json, *, roots: bool = False) -> Iterator[Parameters]:
    """The uses of a slope from a point that no sample contradicts, most promising first."""
    found = (way for each in _candidates(statement, roots=roots) for way in _from_ends(statement, *each))
    yield from islice(found, MOST)


def far_ways(statement: Json) -> Iterator[Parameters]:
    """The same for slopes towards a limit."""
    yield from islice((way for each in _candidates(statement) for way in _towards_ends(statement, *each)), MOST)


def _candidates(statement: Json, *, roots: bool = False) -> Iterator[tuple[list[Place], Term, Term, str]]:
    """Points, factors, functions, and symbols by which to differentiate them."""
    if effort.depth() > DEEPEST:
        return
    gap = carried_out(subtract(statement["left"], statement["right"]))
    try:
        if not _is_said(asked(gap, statement["symbols"]), statement):
            return
        at = [place for place in places(statement) if value(gap, place) is not None]
        found = list(products(gap, statement, at, roots=roots)) if at else []
    except (NotExact, Undefined, Uncollected):
        return
    for name in _moving(gap, statement):
        if not _is_angle(name, gap):
            yield from ((at, *pair, name) for pair in found if name in symbols_in(pair[1]))


def _is_said(needed: list[tuple[str, Term]], statement: Json) -> bool:
    """Whether the hypotheses say what the sides ask for: if not, another rule supposes it first."""
    said = [(r[0], tuple(r[1])) for r in statement["assuming"] if tuple(r[2]) == ZERO]
    missing = [pair for pair in needed if pair not in said and pair[1][0] != "^"]
    return not missing or not any(True for _ in DOMAIN.proposals(statement))


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
        ways = [as_way(beyond(statement, name, end, sides, side), name, 2) for side in sides]
        going = {"sides": sides, "steep": steep, "letter": fresh(statement, "on_the_way"), "ways": ways}
        yield {"factor": factor, "function": function, "symbol": name, "from": end} | going


def _starts(statement: Json, name: str, slope: Term) -> Iterator[Term]:
    """Ends of the interval, points at which the slope vanishes, and what else is often the point of equality."""
    low, high = ends(statement, name)
    known = statement["symbols"]
    yield from (_tidy(end, known) for end in [*low, *high])
    yield from (ZERO, ONE)
    yield from (_tidy(zero, known) for zero in zeros(slope, name, known))
    yield from (("s", other) for other in sorted(statement["symbols"]) if other != name)


def _towards_ends(statement: Json, at: list[Place], factor: Term, function: Term, name: str) -> Iterator[Parameters]:
    slope = carried_out(("D", function, name))
    low, high = ends(statement, name)
    known = statement["symbols"]
    tidy = [("above", _tidy(end, known), 1) for end in low] + [("below", _tidy(end, known), -1) for end in high]
    unbounded = [("oo", None, -1)] * (not high) + [("-oo", None, 1)] * (not low)
    for word, end, side in [*unbounded, *tidy]:
        way = onward(at, name, -side) if end is None else between(at, name, end, side)
        if signs(slope, way) & {-side, None}:
            continue
        limit = settles(function, at, name, _steps(end, side))
        if limit is None or limit < 0:
            continue
        towards = [word] if end is None else [word, end]
        there = onwards(statement, name, -side) if end is None else beyond(statement, name, end, [side], side)
        yield {
            "factor": factor,
            "function": function,
            "symbol": name,
            "towards": towards,
            "value": rational(limit),
            "steep": statement["relation"] == ">" and limit == 0,
            "letter": fresh(statement, "on_the_way"),
            "way": as_way(there, name, 1 if end is None else 2),
        }


def _steps(end: Term | None, side: int) -> list[Callable[[Place], Any]]:
    """Values of a symbol closer and closer to an end, or further and further out."""

    def beside(place: Place, near: int) -> Any:
        start = None if end is None else value(end, place)
        return None if start is None else start + arb(side) / near

    if end is None:
        return [partial(lambda far, _: arb(-side * far), far) for far in FAR_OUT]
    return [partial(beside, near=near) for near in CLOSE]
