"""Reading data that nobody vouches for: sizes, depths and types are bounded, and no text is ever evaluated."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, cast

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

HOLDING, LEAVES = (list, tuple, dict), (str, int)  # of JSON data; truth values are integers

Data = Any  # JSON data with its lists turned into tuples
Check = Callable[[Data], str]  # checks a certificate and returns its verdict
Term = tuple[Any, ...]
Rational = Any  # flint.fmpq; python-flint ships no types


def require(condition: object, sentence: str) -> None:
    """Refuse with one sentence what does not meet a condition."""
    if not condition:
        raise Rejected(sentence)


def shown(data: object, limit: int = 80) -> str:
    """A short picture of some data for a sentence."""
    text = _begun(data, limit)
    return text if len(text) <= limit else f"{text[:limit]}..."


def _begun(data: object, room: int) -> str:
    """The text of some data, or more of its beginning than there is room for."""
    if type(data) not in (tuple, list):
        return repr(data)
    text, parts = "", cast(Sequence[object], data)
    for number, part in enumerate(parts):
        if len(text) > room:
            break
        text += f"{', ' if number else ''}{_begun(part, room - len(text))}"
    begin, end = "[]" if isinstance(data, list) else ("(", ",)" if len(parts) == 1 else ")")
    return f"{begin}{text}{end}"


def normal(data: Any, tables: list[dict[str, Data]] | None = None) -> Data:
    """The data with lists as tuples; anything that a certificate cannot hold is refused.

    tables: where every object in the data is added.
    """
    count = 1

    def exact(item: Any, depth: int) -> Data:
        nonlocal count
        if not isinstance(item, HOLDING):
            require(not isinstance(item, str) or len(item) <= MAX_TEXT, f"a text has more than {MAX_TEXT} characters")
            if item is not None and not isinstance(item, LEAVES):
                raise Rejected(f"{shown(item)} is no exact data, which holds text, integers, lists and objects")
            return item
        count += len(item)
        if depth > MAX_DEPTH:
            raise Rejected(f"the certificate nests deeper than {MAX_DEPTH} levels: state smaller parts")
        if count > MAX_NODES:
            raise Rejected(f"the certificate has more than {MAX_NODES} parts: state smaller parts")
        if not isinstance(item, dict):
            return tuple(
                [part if type(part) is str and len(part) < MAX_TEXT else exact(part, depth + 1) for part in item]
            )
        require(all(isinstance(key, str) for key in item), "a key of an object must be text")
        made = {key: exact(value, depth + 1) for key, value in item.items()}
        if tables is not None:
            tables.append(made)
        return made

    return exact(data, 1)


def integer(value: Any, low: int, high: int, what: str) -> int:
    if type(value) is not int or not low <= value <= high:
        raise Rejected(f"{what} must be an integer from {low} to {high}, got {shown(value)}")
    return value


def rational(text: Any, what: str = "a rational number") -> Rational:
    """The exact number that a text such as '-3/4' names."""
    value = None
    if isinstance(text, str) and _RATIONAL.fullmatch(text):
        value = _value(text) if len(text) < 40 else _value.__wrapped__(text)
    if value is None:
        raise Rejected(f"{what} must be text such as '-3/4' with at most {MAX_DIGITS} digits, got {shown(text)}")
    return value


@lru_cache(maxsize=4096)  # the same few numbers are read over and over
def _value(text: str) -> Rational | None:
    above, _, below = text.partition("/")
    return fmpq(int(above), int(below or 1)) if not below or int(below) else None


def name(value: Any, what: str = "a symbol's name") -> str:
    if not isinstance(value, str) or not 0 < len(value) <= 200 or not value.isprintable():
        raise Rejected(f"{what} must be text of 1 to 200 characters that can be printed, got {shown(value)}")
    return value


def term(data: Any) -> Term:
    """The data, once it is known to be a formula."""
    head, *inner = data if isinstance(data, tuple) and data and isinstance(data[0], str) else ("",)
    readers = (term,) * len(inner) if head in ("+", "*") and inner else SHAPES.get(head)
    if readers is None or len(readers) != len(inner):
        raise Rejected(f"no formula is {shown(data)}")
    for read, inside in zip(readers, inner, strict=True):
        read(inside)
    return data  # type: ignore[no-any-return]


def _exponent(data: Any) -> None:
    exponent = term(data)
    if exponent[0] == "q":
        value = rational(exponent[1])
        small = abs(value.p) <= MAX_EXPONENT and value.q <= MAX_EXPONENT
        require(small, f"an exponent is beyond {MAX_EXPONENT}: such powers are not checked")
    else:
        require(not _is_number(exponent), "the exponent of a power is a number, and has to be written as one")


def _is_number(term: Term) -> bool:
    """Check whether a formula speaks of no symbol."""
    return term[0] not in ("s", "at", "D") and all(map(_is_number, term[1:] if term[0] != "q" else ()))


def _replacements(pairs: Any) -> None:
    """Return what a substitution puts in for symbols: pairs of a name and a formula."""
    fits = isinstance(pairs, tuple) and all(isinstance(pair, tuple) and len(pair) == 2 for pair in pairs)
    require(fits, "a substitution must list names with formulas")
    for of, value in pairs:
        name(of)
        term(value)
    require(len(dict(pairs)) == len(pairs), "a substitution replaces one symbol twice")


SHAPES: dict[str, tuple[Callable[[Any], object], ...]] = {
    "s": (name,), "q": (rational,), "pi": (), "^": (term, _exponent), "D": (term, name), "at": (term, _replacements),
    **dict.fromkeys(FUNCTIONS, (term,)),
}  # fmt: skip
"""Functions that read the parts of a formula, by its head; sums and products have any number of parts."""


def relation(data: Any) -> Term:
    """A hypothesis: a relation between two formulas."""
    fits = isinstance(data, tuple) and len(data) == 3 and data[0] in RELATIONS
    require(fits, "a hypothesis must be =, !=, > or >= with two sides")
    term(data[1])
    term(data[2])
    return data  # type: ignore[no-any-return]
