"""Reading data that nobody vouches for: sizes, depths and types are bounded, and no text is ever evaluated."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from flint import fmpq

from derivations.recheck.core.errors import Rejected

MAX_DEPTH = 400
MAX_NODES = 5_000_000
MAX_TEXT = 100_000
MAX_DIGITS = 2000
MAX_EXPONENT = 10_000
MAX_BITS = 4096
MAX_POLY_TERMS = 200_000

VERDICTS = ("proved", "certified", "refuted", "argued", "open")
RELATIONS = ("=", "!=", ">", ">=")
FUNCTIONS = ("exp", "log", "sinh", "cosh", "tanh", "sin", "cos", "erf", "asin", "atan", "lambertw", "digamma", "abs")
_RATIONAL = re.compile(rf"-?[0-9]{{1,{MAX_DIGITS}}}(/[0-9]{{1,{MAX_DIGITS}}})?", re.ASCII)

LISTS, HOLDING, LEAVES = (list, tuple), (list, tuple, dict), (str, int)  # of JSON data; truth values are integers

Data = Any  # JSON data with its lists turned into tuples
Term = tuple[Any, ...]
Rational = Any  # flint.fmpq; python-flint ships no types


def require(condition: object, sentence: str) -> None:
    """Refuse with one sentence what does not meet a condition."""
    if not condition:
        raise Rejected(sentence)


def shown(data: object, limit: int = 80) -> str:
    """A short picture of some data for a sentence."""
    text = repr(data)
    return text if len(text) <= limit else f"{text[:limit]}..."


def normal(data: Any, tables: list[dict[str, Data]] | None = None) -> Data:
    """The data with lists as tuples; anything that a certificate cannot hold is refused.

    tables: where every object in the data is added.
    """
    count = 1

    def exact(item: Any, depth: int) -> Data:
        nonlocal count
        if isinstance(item, HOLDING):
            count += len(item)
            if depth > MAX_DEPTH:
                raise Rejected(f"the certificate nests deeper than {MAX_DEPTH} levels: state it in smaller parts")
            if count > MAX_NODES:
                raise Rejected(f"the certificate has more than {MAX_NODES} parts: state it in smaller parts")
        if isinstance(item, LISTS):
            return tuple(
                [part if type(part) is str and len(part) < MAX_TEXT else exact(part, depth + 1) for part in item]
            )
        if isinstance(item, dict):
            if strange := [key for key in item if not isinstance(key, str)]:
                raise Rejected(f"a key of an object is {shown(strange[0])} and must be text")
            made = {key: exact(value, depth + 1) for key, value in item.items()}
            if tables is not None:
                tables.append(made)
            return made
        if isinstance(item, str) and len(item) > MAX_TEXT:
            raise Rejected(f"a text has {len(item)} characters and at most {MAX_TEXT} are read")
        if item is not None and not isinstance(item, LEAVES):
            kind = type(item).__name__
            raise Rejected(f"{shown(item)} is of type {kind}: exact data holds text, integers, lists and objects")
        return item

    return exact(data, 1)


# --- parts of a certificate -------------------------------------------------------------------------------------------


def part(table: Data, key: str, kind: type, where: str) -> Any:
    """table[key], which must be there and of the right type."""
    if key not in table:
        raise Rejected(f"{where} has no '{key}': decide the statement again to get a whole certificate")
    value = table[key]
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        names = {dict: "an object", tuple: "a list", str: "text", int: "an integer", bool: "true or false"}
        raise Rejected(f"'{key}' of {where} must be {names[kind]}, got {shown(value)}")
    return value


def integer(value: Any, low: int, high: int, what: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise Rejected(f"{what} must be an integer from {low} to {high}, got {shown(value)}")
    return value


def rational(text: Any, what: str = "a rational number") -> Rational:
    """The exact number that a text such as '-3/4' names."""
    if not isinstance(text, str) or not _RATIONAL.fullmatch(text):
        raise Rejected(f"{what} must be text such as '-3/4' with at most {MAX_DIGITS} digits, got {shown(text)}")
    value = _value(text) if len(text) < 40 else _value.__wrapped__(text)
    if value is None:
        raise Rejected(f"{what} has denominator zero: {shown(text)}")
    return value


@lru_cache(maxsize=4096)  # the same few numbers are read over and over
def _value(text: str) -> Rational | None:
    above, _, below = text.partition("/")
    return fmpq(int(above), int(below or 1)) if not below or int(below) else None


def name(value: Any, what: str = "a symbol's name") -> str:
    if not isinstance(value, str) or not 0 < len(value) <= 200:
        raise Rejected(f"{what} must be text of 1 to 200 characters, got {shown(value)}")
    return value


def term(data: Any) -> Term:
    """The data, once it is known to be a formula."""
    if not isinstance(data, tuple) or not data or not isinstance(data[0], str):
        raise Rejected(f"a formula must be a list that begins with its head, got {shown(data)}")
    head, inner = data[0], data[1:]
    if head == "s" and len(inner) == 1:
        name(inner[0])
    elif head == "q" and len(inner) == 1:
        rational(inner[0])
    elif head in ("+", "*") and inner:
        for child in inner:
            term(child)
    elif head == "^" and len(inner) == 2:
        term(inner[0])
        _exponent(term(inner[1]))
    elif head in FUNCTIONS and len(inner) == 1:
        term(inner[0])
    elif head == "D" and len(inner) == 2:
        term(inner[0])
        name(inner[1])
    elif head == "at" and len(inner) == 2:
        _substitution(inner)
    elif not (head == "pi" and not inner):
        raise Rejected(f"no formula has the head {shown(head)} with {len(inner)} parts: {shown(data)}")
    return data


def _exponent(exponent: Term) -> None:
    if exponent[0] == "q":
        value = rational(exponent[1])
        if abs(value.p) > MAX_EXPONENT or value.q > MAX_EXPONENT:
            raise Rejected(f"the exponent {shown(exponent[1])} is beyond {MAX_EXPONENT}: such powers are not checked")
    elif _is_number(exponent):
        raise Rejected("the exponent of a power is a number, and has to be written as one")


def _is_number(term: Term) -> bool:
    """Whether a formula speaks of no symbol."""
    return term[0] not in ("s", "at", "D") and all(map(_is_number, term[1:] if term[0] != "q" else ()))


def _substitution(inner: tuple[Any, ...]) -> None:
    term(inner[0])
    if not isinstance(inner[1], tuple):
        raise Rejected(f"a substitution must list its replacements, got {shown(inner[1])}")
    names = []
    for pair in inner[1]:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise Rejected(f"a replacement must be a name and a formula, got {shown(pair)}")
        names.append(name(pair[0]))
        term(pair[1])
    if len(set(names)) != len(names):
        raise Rejected(f"a substitution replaces one symbol twice: {shown(names)}")


def relation(data: Any) -> Term:
    """A hypothesis: a relation between two formulas."""
    if not isinstance(data, tuple) or len(data) != 3 or data[0] not in RELATIONS:
        raise Rejected(f"a hypothesis must be =, !=, > or >= with two sides, got {shown(data)}")
    term(data[1])
    term(data[2])
    return data
