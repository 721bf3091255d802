"""Trying things out at a few points, so that what is plainly false is never proposed. Nothing here decides anything."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import islice
from typing import Any

from derivations.language.evaluate import ball, precision, value
from derivations.language.points import points, satisfies
from derivations.language.terms import Term, from_json
from derivations.prove.certificate import Json
from derivations.text.work import remembered

BITS = 128
FIRST, LAST, MOST_PLACES = 5, 160, 16  # the first points are small numbers, and later ones lie further apart
SIZES = tuple(map(Fraction, ("1/50", "1/7", "2/5", "4/5", "11/8", "9/4", "13", "40")))
SHARES = tuple(map(Fraction, ("1/40", "1/3", "19/20")))
STEPS = tuple(map(Fraction, ("1/10", "1", "10", "100")))
MOST, FINEST, NEAR = 1000, 12, 1e-5
Place = dict[str, Any]  # balls by the symbols' names


def places(statement: Json) -> list[Place]:
    """Some points of which the statement speaks: no two alike, and spread over all of them."""
    hypotheses = {key: statement[key] for key in ("symbols", "assuming")}
    return list(_places(json.dumps(hypotheses)))


@remembered(256)
def _places(hypotheses: str) -> tuple[Place, ...]:
    statement = json.loads(hypotheses)
    found = {tuple(sorted(p.items())): None for p in (*islice(points(statement), LAST), *_near_and_far(statement))}
    each = list(found) if len(statement["symbols"]) != 1 else sorted(found)
    step = -(-len(each) // MOST_PLACES) or 1
    kept = each[::step] if len(statement["symbols"]) == 1 else [*each[:FIRST], *each[FIRST::step]]
    with precision(BITS):
        return tuple({name: ball(value) for name, value in place} for place in dict.fromkeys((*kept, *each[-1:])))


def _near_and_far(statement: Json) -> Iterator[dict[str, Fraction]]:
    """Further points of one symbol, smaller and larger than those that are drawn."""
    known, assuming = statement["symbols"], [from_json(r) for r in statement["assuming"]]
    if len(known) == 1:
        (name,) = known
        for size in SIZES:
            for number in (size, -size):
                if satisfies({name: number}, known, assuming):
                    yield {name: number}


def sign(term: Term, place: Mapping[str, Any]) -> int | None:
    """1 or -1 where the sign is plain, 0 where the value is zero or too close to it, None where there is no value."""
    found = value(term, place)
    if found is None:
        return None
    return 1 if found > 0 else -1 if found < 0 else 0


def signs(term: Term, at: Iterable[Place]) -> set[int | None]:
    return {sign(term, place) for place in at}


def between(at: Iterable[Place], name: str, end: Term, side: int) -> Iterator[Place]:
    """Points on the way from an end to where the statement speaks, on one side of the end."""
    for place in at:
        start = value(end, place)
        if start is None:
            continue
        with precision(BITS):
            way = place[name] - start
            if (way > 0) if side > 0 else (way < 0):
                for share in SHARES:
                    yield {**place, name: start + way * ball(share)}


def onward(at: Iterable[Place], name: str, side: int) -> Iterator[Place]:
    """Points further up (1) or down (-1) than those of which the statement speaks."""
    for place in at:
        with precision(BITS):
            for step in STEPS:
                yield {**place, name: place[name] + side * ball(step)}


def settles(term: Term, at: Iterable[Place], name: str, steps: Iterable[Any]) -> Fraction | None:
    """The simple number that a function of one symbol is near to at the last steps, the same at all points."""
    found: set[Fraction] = set()
    for place in at:
        for step in steps:
            there = step(place)
            near = None if there is None else value(term, {**place, name: there})
            if near is None or not abs(near) < MOST:
                return None
            number = float(near.mid())
            simple = Fraction(number).limit_denominator(FINEST)
            if abs(number - float(simple)) > NEAR:
                return None
            found.add(simple)
    return found.pop() if len(found) == 1 else None
