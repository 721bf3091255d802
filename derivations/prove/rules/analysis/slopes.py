"""By the slope: a function without the factors of plain sign, a symbol, and a point from which to go, or a far end.

What is proposed has been tried out at some points; whether it holds is for the provers to decide. On the way the
hypotheses are those that bound the symbol there and those that do not speak of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Any

from flint import arb

from derivations.language.evaluate import exact, value
from derivations.language.normal import Uncollected, Undefined, lowest, prepared
from derivations.language.terms import (
    MINUS_ONE,
    ONE,
    ZERO,
    NotExact,
    Term,
    carried_out,
    children,
    rational,
    substitute,
    subtract,
    symbols_in,
)
from derivations.prove.certificate import Json
from derivations.prove.rules import effort
from derivations.prove.rules.analysis.factors import Factor, cores
from derivations.prove.rules.analysis.interval import ABOVE, BELOW, beyond, bounding, bounds, onwards
from derivations.prove.rules.analysis.samples import Place, between, onward, settles, signs
from derivations.prove.rules.analysis.values import asked, speaks_of
from derivations.prove.rules.analysis.zeros import zeros
from derivations.prove.rules.domain import by_domain
from derivations.prove.rules.functions.equations import valued
from derivations.prove.rules.rule import Step, fresh, under

FAR_OUT, CLOSE = (10**7, 10**9), (10**9, 10**12)
SIDES = {"above": 1, "below": -1}
SIDE_NAMES = {side: name for name, side in SIDES.items()}
MOST = 4
DEEPEST = 9
Candidate = tuple[list[Place], Factor, Term, str, Term]
"""Points, a factor, a function, a symbol by which to differentiate it, and its slope."""


def by_slope(statement: Json, *, roots: bool = False) -> Iterator[Step]:
    """The uses of a slope from a point that no sample contradicts, most promising first."""
    found = (step for each in _candidates(statement, roots=roots) for step in _from_ends(statement, each))
    yield from islice(found, MOST)


def by_slope_of_roots(statement: Json) -> Iterator[Step]:
    """Return the same for roots without anything else that bends, of which squares of both sides come first."""
    yield from by_slope(statement, roots=True)


def by_far_slope(statement: Json) -> Iterator[Step]:
    """Return the same for slopes towards a limit, at infinity or at a point where the function need have no value."""
    yield from islice((step for each in _candidates(statement) for step in _towards_ends(statement, each)), MOST)


def _candidates(statement: Json, *, roots: bool = False) -> Iterator[Candidate]:
    """Return what has a slope, by each symbol."""
    if effort.depth() > DEEPEST or statement["kind"] != "sign":
        return
    gap = carried_out(subtract(statement["left"], statement["right"]))
    at, found = cores(statement, roots=roots) if _is_said(gap, statement) else ([], [])
    for name in _moving(gap, statement):
        if not _is_angle(name, gap):
            for factor, function in found:
                slope = _slope(function, name) if name in symbols_in(function) else None
                if slope is not None:
                    yield at, factor, function, name, slope


def _slope(function: Term, name: str) -> Term | None:
    """The derivative, carried out; None where a function inside has none here."""
    try:
        derived: Term = carried_out(("D", function, name))
    except NotExact:
        return None
    return derived


def _is_said(gap: Term, statement: Json) -> bool:
    """Check whether the hypotheses say what the sides ask for: if not, another rule supposes it first."""
    try:
        needed = asked(gap, statement["symbols"])
    except NotExact:
        return False
    said = [(r[0], tuple(r[1])) for r in statement["assuming"] if tuple(r[2]) == ZERO]
    missing = [pair for pair in needed if pair not in said and pair[1][0] != "^"]
    return not missing or not any(True for _ in by_domain(statement))


def _moving(gap: Term, statement: Json) -> list[str]:
    """The symbols by which to differentiate; those that hypotheses bound on both sides come last."""
    found = symbols_in(gap)
    return sorted(found, key=lambda name: (sum(map(bool, bounds(statement, name))), name))


def _is_angle(name: str, gap: Term) -> bool:
    """Check that a symbol stands in sines and cosines alone, whose slopes are no simpler: they are for other rules."""
    return ("s", name) not in _outside(gap)


def _outside(term: Term) -> Iterator[Term]:
    """The symbols that stand outside of sines and cosines."""
    if term[0] == "s":
        yield term
    elif term[0] not in ("sin", "cos"):
        for child in children(term):
            yield from _outside(child)


def _tidy(term: Term, known: dict[str, list[str]]) -> Term:
    """Return the same value, written shortly."""
    try:
        field, num, den = lowest(valued(prepared(term)), known)
    except (Undefined, Uncollected):
        return term
    sign = -1 if field.primitive(den)[1] < 0 else 1
    above, below = field.poly_term(num * sign), field.poly_term(den * sign)
    short = above if below == ONE else ("*", above, ("^", below, MINUS_ONE))
    number = None if symbols_in(short) else exact(short, {})
    return short if number is None else rational(number)


def _from_ends(statement: Json, candidate: Candidate) -> Iterator[Step]:
    at, factor, function, name, slope = candidate
    for end in dict.fromkeys(_starts(statement, name, slope)):
        start: Term = carried_out(("at", function, ((name, end),)))
        found = signs(start, at)
        if found & {-1, None}:
            continue
        sides = [side for side in (1, -1) if any(True for _ in between(at, name, end, side))]
        if not sides or any(signs(slope, between(at, name, end, side)) & {-side, None} for side in sides):
            continue
        steep = statement["relation"] == ">" and 0 in found
        on_way = {side: beyond(statement, name, end, sides, side) for side in sides}
        yield of_function(statement, factor, function, partial(_cut, name, end, steep, on_way))


def of_function(
    statement: Json, factor: Factor, function: Term, step: Callable[[Json], Step], *, alone: bool = True
) -> Step:
    """A step about a function that is positive where factor * function is.

    alone: whether the step asks for the function itself, and not only for sides that differ by it.
    """
    stands_there = (statement["left"], statement["right"]) == (function, ZERO) or not alone
    if factor == Factor() and stands_there:
        return step(statement)
    used = factor.parameters | {"function": function}
    return Step("a factor of known sign", used, lambda role, part: step(part) if role == "function" else None)


def _cut(name: str, end: Term, steep: bool, on_way: dict[int, Json], statement: Json) -> Step:
    """The slope on each side of the end."""
    start, rate = (">=", statement["relation"]) if steep else (statement["relation"], ">=")

    def on_side(side: int, part: Json) -> Step:
        used = {"symbol": name, "end": end, "start": start, "rate": rate}
        return going("slope", part, used, side, on_way[side])

    if len(on_way) == 1:
        (only,) = on_way
        return on_side(only, statement)

    def then(role: str, part: Json) -> Step | None:
        return on_side(SIDES[role], part) if role in SIDES else None

    return Step("three cases" if steep else "two cases", {"first": ("s", name), "second": end}, then)


def going(rule: str, statement: Json, used: Json, side: int, setting: Json) -> Step:
    """A slope, whose sign is shown under the hypotheses of a setting, with a new letter for the symbol."""
    name, letter = used["symbol"], fresh(statement, "on_the_way")
    setting = _renamed(setting, name, letter)

    def follows(role: str, fact: Json) -> Step | None:
        return None if role == "then" else under(_needed_for(fact, name, letter, side))

    def then(role: str, part: Json) -> Step | None:
        return under(setting, follows) if role == "slope" or role.startswith("smooth") else None

    return Step(rule, {**used, "side": SIDE_NAMES[side], "letter": letter}, then)


def _needed_for(fact: Json, name: str, letter: str, side: int) -> Json:
    """By what something holds on the way: the same holds of the point beyond, or the end itself obeys it."""
    sides = carried_out(fact["left"]), carried_out(fact["right"])
    moved = zip(fact["assuming"], _renamed(fact, name, letter)["assuming"], strict=True)
    same = [r for r, on_way in moved if bounding(r, name) == -side and tuple(map(carried_out, on_way[1:])) == sides]
    words = (
        {1: BELOW, -1: ABOVE}[side] if sides == ((("s", letter), ZERO) if side < 0 else (ZERO, ("s", letter))) else ()
    )
    if same or {*words} & {*fact["symbols"][name]}:
        kept = [*same, *(r for r in fact["assuming"] if speaks_of(r, name) and speaks_of(r, letter))]
    else:
        kept = [r for r in fact["assuming"] if not speaks_of(r, name)]
    return {"symbols": fact["symbols"], "assuming": kept}


def _renamed(setting: Json, name: str, letter: str) -> Json:
    here: dict[str, Term] = {name: ("s", letter)}
    symbols = {letter if key == name else key: told for key, told in setting["symbols"].items()}
    moved = [(r[0], *(substitute(carried_out(side), here) for side in r[1:])) for r in setting["assuming"]]
    kept = [new if speaks_of(r, name) else r for r, new in zip(setting["assuming"], moved, strict=True)]
    return {"symbols": symbols, "assuming": kept}


def _starts(statement: Json, name: str, slope: Term) -> Iterator[Term]:
    """Ends of the interval, points at which the slope vanishes, and what else is often the point of equality."""
    low, high = bounds(statement, name)
    known = statement["symbols"]
    yield from (_tidy(end, known) for end in [*low, *high])
    yield from (ZERO, ONE)
    yield from (_tidy(zero, known) for zero in zeros(slope, name, known))
    yield from (("s", other) for other in sorted(statement["symbols"]) if other != name)


def _towards_ends(statement: Json, candidate: Candidate) -> Iterator[Step]:
    at, factor, function, name, slope = candidate
    low, high = bounds(statement, name)
    known = statement["symbols"]
    tidy = [(_tidy(end, known), 1) for end in low] + [(_tidy(end, known), -1) for end in high]
    unbounded = [side for side, limits in ((-1, high), (1, low)) if not limits]
    for end, side in [*((None, side) for side in unbounded), *tidy]:
        way = onward(at, name, -side) if end is None else between(at, name, end, side)
        if signs(slope, way) & {-side, None}:
            continue
        limit = settles(function, at, name, _steps(end, side))
        if limit is None or limit < 0:
            continue
        steep = statement["relation"] == ">" and limit == 0
        start, rate = (">=", statement["relation"]) if steep else (statement["relation"], ">=")
        there = onwards(statement, name, -side) if end is None else beyond(statement, name, end, [side], side)
        far: Term = ("oo",) if side < 0 else ("-oo",)
        used = {"symbol": name, "end": end or far, "value": rational(limit), "start": start, "rate": rate}
        plan = partial(going, "slope towards a limit", used=used, side=side, setting=there)
        yield of_function(statement, factor, function, plan)


def _steps(end: Term | None, side: int) -> list[Callable[[Place], Any]]:
    """Values of a symbol closer and closer to an end, or further and further out."""

    def beside(place: Place, near: int) -> Any:
        start = None if end is None else value(end, place)
        return None if start is None else start + arb(side) / near

    if end is None:
        return [partial(lambda far, _: arb(-side * far), far) for far in FAR_OUT]
    return [partial(beside, near=near) for near in CLOSE]
