"""False variants of statements about sums: one change at one place of a formula, before any derivative is taken."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from derivations.language.terms import as_tuples
from derivations.prove.certificate import Json

Formula = Any
Scope = Mapping[str, str]  # the indices that may stand at a place, with their ranges


def sum_mutants(statement: Json) -> Iterator[tuple[str, Json]]:
    """Every mutant of a statement, with what was changed."""
    arrays, free = statement["arrays"], statement["free"]
    for side in ("right", "left"):
        data = statement[side]
        formula = as_tuples(data["formula"] if isinstance(data, dict) else ("terms", *data))
        if side == "right":
            for number in ("1", "-1"):
                yield f"right: {number} is added", {**statement, "right": {"formula": ("+", formula, ("q", number))}}
        for what, new in (*_whole(formula), *_changed(formula, arrays, free)):
            yield f"{side}: {what}", {**statement, side: {"formula": new}}


def _whole(formula: Formula) -> Iterator[tuple[str, Formula]]:
    if formula not in (("q", "0"), ("terms",)):
        yield "sign of the whole", _times(-1, formula)
        yield "factor of the whole", _times(2, formula)


def _changed(formula: Formula, arrays: Json, scope: Scope) -> Iterator[tuple[str, Formula]]:
    """One change at one place: a sign, a factor, an array, an index, a number, an exponent, a term dropped."""
    yield from _changed_here(formula, arrays, scope)
    head, *parts = formula
    if head in ("+", "*", "^", "sum", "derivative"):
        inner = {**scope, parts[1]: parts[2]} if head == "sum" else scope
        where = "under the derivative: " if head == "derivative" else ""
        for i, part in enumerate(parts if head in ("+", "*") else parts[:1]):
            for what, new in _changed(part, arrays, inner):
                yield where + what, (head, *parts[:i], new, *parts[i + 1 :])
    if head == "derivative":
        for i, (array, at, rate) in enumerate(parts[1]):
            inner = {**scope, **dict(zip(at, arrays[array]["ranges"], strict=True))}
            for what, new in (*_whole(rate), *_changed(rate, arrays, inner)):
                yield f"rate of {array}: {what}", (head, parts[0], _with(parts[1], i, (array, at, new)))


def _changed_here(formula: Formula, arrays: Json, scope: Scope) -> Iterator[tuple[str, Formula]]:
    head, *parts = formula
    match head:
        case "A" | "delta":
            for label, new in _other_factors(parts if head == "A" else formula, arrays, scope):
                yield label, (head, *new) if head == "A" else new
        case "q":
            if Fraction(parts[0]):
                yield f"{parts[0]} doubled", ("q", str(2 * Fraction(parts[0])))
        case "^":
            yield f"exponent {parts[1]} becomes {parts[1] + 1}", ("^", parts[0], parts[1] + 1)
        case "+":
            for i, part in enumerate(parts):
                yield f"term {i + 1} of a sum dropped", ("+", *parts[:i], *parts[i + 1 :])
                yield f"term {i + 1} of a sum changes sign", ("+", *_with(parts, i, _times(-1, part)))
                yield f"term {i + 1} of a sum doubled", ("+", *_with(parts, i, _times(2, part)))
        case "derivative":
            for i, (array, _, _) in enumerate(parts[1]):
                yield f"{array} stands still", (head, parts[0], (*parts[1][:i], *parts[1][i + 1 :]))
        case "terms":
            for i, (coefficient, ranges, factors) in enumerate(parts):
                for label, scale in (("sign", -1), ("factor", 2)):
                    new = (str(scale * Fraction(coefficient)), ranges, factors)
                    yield f"{label} of term {i + 1}", (head, *_with(parts, i, new))
                places: dict[Any, str] = {**scope, **dict(enumerate(ranges))}
                for j, factor in enumerate(factors):
                    for label, other in _other_factors(factor, arrays, places):
                        new = (coefficient, ranges, _with(factors, j, other))
                        yield f"{label} in term {i + 1}", (head, *_with(parts, i, new))


def _other_factors(factor: Any, arrays: Json, scope: Mapping[Any, str]) -> Iterator[tuple[str, Any]]:
    """The factor with another array of the same kind, or with another index in one place."""
    head, *places = factor
    if head == "size":
        return
    if head in arrays:
        for other in sorted(arrays):
            if other != head and arrays[other]["ranges"] == arrays[head]["ranges"]:
                yield f"{head} becomes {other}", (other, *places)
    for k, place in enumerate(places):
        for other, of in scope.items():
            if other != place and of == scope[place]:
                yield f"index {k + 1} of {head} becomes {other}", (head, *_with(places, k, other))


def _times(number: int, formula: Formula) -> Formula:
    return ("*", ("q", str(number)), formula)


def _with(parts: Any, place: int, new: Any) -> tuple[Any, ...]:
    return (*parts[:place], new, *parts[place + 1 :])
