"""False variants of statements about matrices: one change at one place of a formula, before any derivative is taken."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from derivations.language.terms import as_tuples
from derivations.prove.certificate import Json

Formula = Any


def word_mutants(statement: Json) -> Iterator[tuple[str, Json]]:
    """Every mutant of a statement, with what was changed."""
    letters = statement["letters"]
    for side in ("right", "left"):
        shape, formula = statement[side]["shape"], as_tuples(statement[side]["formula"])
        added = _added(formula, shape, letters) if side == "right" else iter(())
        for what, new in (*added, *_whole(formula), *_changed(formula, letters)):
            yield f"{side}: {what}", {**statement, side: {"shape": shape, "formula": new}}


def _added(formula: Formula, shape: Any, letters: Json) -> Iterator[tuple[str, Formula]]:
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


def _whole(formula: Formula) -> Iterator[tuple[str, Formula]]:
    if formula[0] != "0":
        yield "sign of the whole", _times(-1, formula)
        yield "factor of the whole", _times(2, formula)


def _changed(formula: Formula, letters: Json) -> Iterator[tuple[str, Formula]]:
    """One change at one place: a sign, a factor, a letter, a number, an exponent, a transpose, a term dropped."""
    yield from _changed_here(formula, letters)
    head, *parts = formula
    if head in ("+", "@", "*", "T", "tr", "norm2", "^", "gradient", "along", "at"):
        inner = parts if head in ("+", "@", "*") else parts[:1]
        where = {"along": "under the derivative: ", "gradient": "under the gradient: "}.get(head, "")
        for i, part in enumerate(inner):
            for what, new in _changed(part, letters):
                yield where + what, (head, *parts[:i], new, *parts[i + 1 :])
    if head in ("along", "at"):
        called = "rate" if head == "along" else "value"
        for i, (name, value) in enumerate(parts[1]):
            for what, new in (*_whole(value), *_changed(value, letters)):
                table = (*parts[1][:i], (name, new), *parts[1][i + 1 :])
                yield f"{called} of {name}: {what}", (head, parts[0], table)


def _changed_here(formula: Formula, letters: Json) -> Iterator[tuple[str, Formula]]:
    head, *parts = formula
    match head:
        case "L":
            for other in _alike(parts[0], letters):
                yield f"{parts[0]} becomes {other}", ("L", other)
        case "q":
            yield f"{parts[0]} doubled", ("q", str(2 * Fraction(parts[0])))
        case "^":
            yield f"exponent {parts[1]} becomes {parts[1] + 1}", ("^", parts[0], parts[1] + 1)
        case "T":
            yield "a transpose is dropped", parts[0]
        case "+":
            for i, part in enumerate(parts):
                yield f"term {i + 1} of a sum dropped", ("+", *parts[:i], *parts[i + 1 :])
                yield f"term {i + 1} of a sum changes sign", ("+", *parts[:i], _times(-1, part), *parts[i + 1 :])
                yield f"term {i + 1} of a sum doubled", ("+", *parts[:i], _times(2, part), *parts[i + 1 :])
        case "along":
            for i, (name, _) in enumerate(parts[1]):
                yield f"{name} stands still", ("along", parts[0], (*parts[1][:i], *parts[1][i + 1 :]))
        case "gradient":
            for other in _alike(parts[1], letters):
                yield f"the gradient is taken by {other}", ("gradient", parts[0], other)


def _times(number: int, formula: Formula) -> Formula:
    return ("*", ("q", str(number)), formula)


def _alike(name: str, letters: Json) -> Iterator[str]:
    """Other letters of the same shape."""
    shape = (letters[name]["rows"], letters[name]["cols"])
    for other, declared in sorted(letters.items()):
        if other != name and (declared["rows"], declared["cols"]) == shape:
            yield other
