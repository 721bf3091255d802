"""Data that nobody vouches for, by one table of shapes: what statements, their evidence and letters of lines hold."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, integer, name, rational, relation, require, shown, term
from derivations.recheck.core.statements import WORDS
from derivations.recheck.core.terms import carried_out

SHAPES: dict[str, Any] = tomllib.loads(Path(__file__).with_name("shapes.toml").read_text(encoding="utf-8"))
SHORT = 40  # characters of a short text


def read(shape: Any, data: Data, where: str) -> list[Term]:
    """The formulas in data; whatever has another shape is refused."""
    if isinstance(shape, str) and shape[0] not in "[{":
        return _read_as(shape, data, where)
    return [formula for inner, value, of in _parts(shape, data, where) for formula in read(inner, value, of)]


def _read_as(shape: str, data: Data, where: str) -> list[Term]:
    """The formulas in data of a shape with a name, or of one of several."""
    if shape in SHAPES:
        return read(SHAPES[shape], data, where)
    first, _, others = shape.partition("|")
    if others and first[0] != "'":
        try:
            return read(first, data, where)
        except Rejected:
            return read(others, data, where)
    if shape in FORMULAS:
        return FORMULAS[shape](data)
    if ".." in shape:
        low, high = map(int, shape.split(".."))
        integer(data, low, high, where)
        return []
    fits = FITS[shape](data) if shape in FITS else type(data) is str and f"'{data}'" in shape.split("|")
    require(fits, f"{where} must be {WORDS_FOR.get(shape, shape)}, got {shown(data)}")
    return []


def _parts(shape: Any, data: Data, where: str) -> Iterable[tuple[Any, Data, str]]:
    """Return what is directly inside of data, between its shape and what it is called."""
    is_list = not isinstance(shape, dict) and shape[0] != "{"
    fits = type(data) is (tuple if is_list else dict)
    require(fits, f"{where} must be a {'list' if is_list else 'table'}, got {shown(data)}")
    if isinstance(shape, list):
        require(len(data) == len(shape), f"{where} must have the parts {shape}, got {shown(data)}")
        return [(inner, value, where) for inner, value in zip(shape, data, strict=True)]
    if isinstance(shape, str):
        require(data or shape[-1] != "+", f"{where} must not be empty")
        inner, keys = shape.removesuffix("+")[1:-1], [where] * len(data) if is_list else map(name, data)
        return [(inner, value, key) for key, value in zip(keys, data if is_list else data.values(), strict=True)]
    known = {key.removesuffix("?"): inner for key, inner in shape.items()}
    missing = [key for key in shape if key[-1] not in "?*" and key not in data]
    fits = not missing and ("*" in shape or data.keys() <= known.keys())
    require(fits, f"{where} has the parts {', '.join(shape)}, got {shown(sorted(data))}")
    return [(known.get(key, "any"), value, f"'{key}' of {where}") for key, value in data.items()]


def _plain(data: Data) -> list[Term]:
    require(carried_out(term(data)) == data, f"{shown(data)} holds a derivative or a substitution: write it out")
    return [data]


FORMULAS: dict[str, Callable[[Data], list[Term]]] = {
    "term": lambda data: [term(data)],
    "plain": _plain,
    "symbol": lambda data: [("s", name(data))],
    "relation": lambda data: [*relation(data)[1:]],
}
"""Readers of formulas, and of what holds them."""
FITS: dict[str, Callable[[Data], object]] = {
    "any": lambda data: True,
    "object": lambda data: type(data) is dict,
    "list": lambda data: type(data) is tuple,
    "text": lambda data: type(data) is str,
    "integer": lambda data: type(data) is int,
    "flag": lambda data: type(data) is bool,
    "short": lambda data: type(data) is str and 0 < len(data) <= SHORT,
    "name": name,
    "letter": name,
    "rational": lambda data: [rational(data)],
    "number": lambda data: term(data)[0] == "q",
    "signs": lambda data: type(data) is tuple and all(word in tuple(WORDS) for word in data),
}
"""Checks of what has no formulas in it."""
WORDS_FOR = {
    "short": f"text of 1 to {SHORT} characters",
    "number": "a rational number",
    "signs": f"words among {', '.join(WORDS)}",
}
