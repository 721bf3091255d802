"""False variants of formulas about matrices and about sums: one change at one place, before any derivative is taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from derivations.language.terms import as_tuples
from derivations.prove.certificate import Json

Formula = Any
Scope = Mapping[Any, str]  # the indices that may stand at a place, with their ranges
Variants = Iterator[tuple[str, Formula]]
Own = Callable[[Formula, Scope], Variants]  # the changes of one language at one place
ALL = ("+", "@", "*")  # heads of which all parts are formulas
FIRST = ("T", "tr", "norm2", "^", "gradient", "along", "at", "sum", "derivative")  # and those of which the first one is
UNDER = {"along": "the derivative", "derivative": "the derivative", "gradient": "the gradient"}
ROWS = {"along": "rate", "derivative": "rate", "at": "value"}  # heads with a table, whose rows end in a formula
ZEROS = (("q", "0"), ("terms",))


def word_mutants(statement: Json) -> Iterator[tuple[str, Json]]:
    """Every mutant of a statement about matrices, with what was changed."""
    letters = statement["letters"]
    for side in ("right", "left"):
        shape, formula = statement[side]["shape"], as_tuples(statement[side]["formula"])
        added = _added(formula, shape, letters) if side == "right" else iter(())
        variants = _variants(formula, lambda part, _: _of_letters(part, letters), {}, {})
        for what, new in (*added, *variants):
            yield f"{side}: {what}", {**statement, side: {"shape": shape, "formula": new}}


def sum_mutants(statement: Json) -> Iterator[tuple[str, Json]]:
    """Every mutant of a statement about sums, with what was changed."""
    arrays, free = statement["arrays"], statement["free"]
    for side in ("right", "left"):
        data = statement[side]
        formula = as_tuples(data["formula"] if isinstance(data, dict) else ("terms", *data))
        added = [(f"{n} is added", ("+", formula, ("q", n))) for n in ("1", "-1") if side == "right"]
        variants = _variants(formula, lambda part, scope: _of_arrays(part, arrays, scope), arrays, free)
        for what, new in (*added, *variants):
            yield f"{side}: {what}", {**statement, side: {"formula": new}}


# --- what both have ---------------------------------------------------------------------------------------------------


def _variants(formula: Formula, own: Own, arrays: Json, scope: Scope) -> Variants:
    """Changes of the whole formula, then one change at one place."""
    if formula not in ZEROS and formula[0] != "0":
        yield "sign of the whole", _times(-1, formula)
        yield "factor of the whole", _times(2, formula)
    yield from _changed(formula, own, arrays, scope)


def _changed(formula: Formula, own: Own, arrays: Json, scope: Scope) -> Variants:
    """One change at one place: a sign, a factor, a letter, a number, an exponent, a term or a rate dropped."""
    yield from _changed_here(formula)
    yield from own(formula, scope)
    head, *parts = formula
    where = f"under {UNDER[head]}: " if head in UNDER else ""
    inner = {**scope, parts[1]: parts[2]} if head == "sum" else scope
    for i, part in enumerate(parts if head in ALL else parts[:1] if head in FIRST else ()):
        for what, new in _changed(part, own, arrays, inner):
            yield where + what, (head, *_with(parts, i, new))
    for i, (name, *at, value) in enumerate(parts[1] if head in ROWS else ()):
        inner = {**scope, **dict(zip(at[0], arrays[name]["ranges"], strict=True))} if at else scope
        for what, new in _variants(value, own, arrays, inner):
            yield f"{ROWS[head]} of {name}: {what}", (head, parts[0], _with(parts[1], i, (name, *at, new)))


def _changed_here(formula: Formula) -> Variants:
    head, *parts = formula
    match head:
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
        case "along" | "derivative":
            for i, (name, *_) in enumerate(parts[1]):
                yield f"{name} stands still", (head, parts[0], (*parts[1][:i], *parts[1][i + 1 :]))


def _times(number: int, formula: Formula) -> Formula:
    return ("*", ("q", str(number)), formula)


def _with(parts: Any, place: int, new: Any) -> tuple[Any, ...]:
    return (*parts[:place], new, *parts[place + 1 :])


# --- letters of matrices ----------------------------------------------------------------------------------------------


def _added(formula: Formula, shape: Any, letters: Json) -> Variants:
    """The formula with a letter, or a number, added."""
    if tuple(shape) == (1, 1):
        for number in ("1", "-1", "1/2"):
            yield f"{number} is added", ("+", formula, ("q", number))
    for name, declared in sorted(letters.items()):
        own = (declared["rows"], declared["cols"])
        if own == tuple(shape):
            yield f"{name} is added", ("+", formula, ("L", name))
        elif own[::-1] == tuple(shape):
            yield f"{name} is added", ("+", formula, ("T", ("L", name)))


def _of_letters(formula: Formula, letters: Json) -> Variants:
    """Another letter of the same shape, and a transpose dropped."""
    head, *parts = formula
    match head:
        case "L":
            for other in _alike(parts[0], letters):
                yield f"{parts[0]} becomes {other}", ("L", other)
        case "T":
            yield "a transpose is dropped", parts[0]
        case "gradient":
            for other in _alike(parts[1], letters):
                yield f"the gradient is taken by {other}", ("gradient", parts[0], other)


def _alike(name: str, letters: Json) -> Iterator[str]:
    """Other letters of the same shape."""
    shape = (letters[name]["rows"], letters[name]["cols"])
    for other, declared in sorted(letters.items()):
        if other != name and (declared["rows"], declared["cols"]) == shape:
            yield other


# --- entries of arrays ------------------------------------------------------------------------------------------------


def _of_arrays(formula: Formula, arrays: Json, scope: Scope) -> Variants:
    """Another array, another index, or another size of a term."""
    head, *parts = formula
    match head:
        case "A" | "delta":
            for label, new in _other_factors(parts if head == "A" else formula, arrays, scope):
                yield label, (head, *new) if head == "A" else new
        case "terms":
            for i, (coefficient, ranges, factors) in enumerate(parts):
                for label, scale in (("sign", -1), ("factor", 2)):
                    new = (str(scale * Fraction(coefficient)), ranges, factors)
                    yield f"{label} of term {i + 1}", (head, *_with(parts, i, new))
                places = {**scope, **dict(enumerate(ranges))}
                for j, factor in enumerate(factors):
                    for label, other in _other_factors(factor, arrays, places):
                        new = (coefficient, ranges, _with(factors, j, other))
                        yield f"{label} in term {i + 1}", (head, *_with(parts, i, new))


def _other_factors(factor: Any, arrays: Json, scope: Scope) -> Variants:
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
