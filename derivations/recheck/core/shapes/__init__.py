"""Data that nobody vouches for, by one table of shapes: what statements, their evidence and letters of lines hold."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, integer, name, rational, relation, require, shown, term
from derivations.recheck.core.statements import WORDS
from derivations.recheck.core.terms import carried_out

SHAPES: dict[str, Any] = tomllib.loads(Path(__file__).with_name("shapes.toml").read_text(encoding="utf-8"))
MANY: dict[str, Any] = {"[": tuple, "{": dict}
SHORT = 40  # characters of a short text


def read(shape: Any, data: Data, where: str) -> list[Term]:
    """The formulas in data; whatever has another shape is refused."""
    if isinstance(shape, dict):
        known = {key.removesuffix("?"): inner for key, inner in shape.items()}
        needed = {key for key in shape if key[-1] not in "?*"}
        fits = isinstance(data, dict) and needed <= data.keys() and ("*" in shape or data.keys() <= known.keys())
        require(fits, f"{where} has the parts {', '.join(shape)}, got {shown(data)}")
        parts = ((known.get(key, "any"), value, f"'{key}' of {where}") for key, value in data.items())
    elif isinstance(shape, list):
        fits = type(data) is tuple and len(data) == len(shape)
        require(fits, f"{where} must have the parts {shape}, got {shown(data)}")
        parts = ((inner, value, where) for inner, value in zip(shape, data, strict=True))
    elif shape[0] in MANY:
        fits = type(data) is MANY[shape[0]] and (data or shape[-1] != "+")
        require(fits, f"{where} must be {shape}, got {shown(data)}")
        values = (data[name(key)] for key in data) if shape[0] == "{" else data
        parts = ((shape.removesuffix("+")[1:-1], value, where) for value in values)
    else:
        return _read_as(shape, data, where)
    return [formula for part in parts for formula in read(*part)]


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
    "true": lambda data: data is True,
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
