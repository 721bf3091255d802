"""False variants of statements about sums: a sign, a factor, an array, an index in the wrong place, a dropped term."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from derivations.prove.certificate import Json


def sum_mutants(statement: Json) -> Iterator[tuple[str, Json]]:
    """Every mutant of a statement, with what was changed."""
    for side in ("right", "left"):
        terms = statement[side]
        if side == "right":
            for number in ("1", "-1"):
                yield f"right: {number} is added", {**statement, "right": [*terms, [number, [], []]]}
        for what, changed in _changed(terms, statement):
            yield f"{side}: {what}", {**statement, side: changed}


def _changed(terms: list[Any], statement: Json) -> Iterator[tuple[str, list[Any]]]:
    for i, (coefficient, ranges, factors) in enumerate(terms):
        for label, scale in (("sign", -1), ("factor", 2)):
            yield f"{label} of term {i + 1}", _with(terms, i, [str(scale * Fraction(coefficient)), ranges, factors])
        if len(terms) > 1:
            yield f"term {i + 1} dropped", [*terms[:i], *terms[i + 1 :]]
        for j, factor in enumerate(factors):
            for label, new in _other_factors(factor, ranges, statement):
                replaced = [coefficient, ranges, [*factors[:j], new, *factors[j + 1 :]]]
                yield f"{label} in term {i + 1}", _with(terms, i, replaced)


def _other_factors(factor: list[Any], ranges: list[str], statement: Json) -> Iterator[tuple[str, list[Any]]]:
    """The factor with another array of the same kind, or with another index in one place."""
    head, *places = factor
    arrays, free = statement["arrays"], statement["free"]
    if head == "size":
        return
    if head in arrays:
        for other in sorted(arrays):
            if other != head and arrays[other]["ranges"] == arrays[head]["ranges"]:
                yield f"{head} becomes {other}", [other, *places]
    everywhere: list[Any] = [*sorted(free), *range(len(ranges))]
    for k, place in enumerate(places):
        for other in everywhere:
            if other != place and _range(other, ranges, free) == _range(place, ranges, free):
                yield f"index {k + 1} of {head} becomes {other}", [head, *places[:k], other, *places[k + 1 :]]


def _range(place: Any, ranges: list[str], free: Json) -> str:
    return str(free[place]) if isinstance(place, str) else ranges[place]


def _with(terms: list[Any], place: int, new: list[Any]) -> list[Any]:
    return [*terms[:place], new, *terms[place + 1 :]]
