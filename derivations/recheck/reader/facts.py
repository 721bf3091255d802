"""The facts of a statement: relations that it claims or supposes between two values, with words for the left one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from derivations.recheck.ledgers.formulas import plain
from derivations.recheck.ledgers.reading import average
from derivations.recheck.reader.meaning import parts_of

SUPPOSED = frozenset(("assuming", "symbols", "squares", "letters", "arrays", "flow", "start", "rules", "among"))
"""What a statement supposes, or gives a prover as a hint."""
VARIABLE = "{}, a variable of the flow"
SIGNS = {"positive": ">", "nonnegative": ">="}
BOTH_WAYS = ("=", "!=")
Meaning = Any  # of numbers, or of matrices and sums: what both have is no class of its own
Related = tuple[bool, str, Any, Any, Mapping[str, str]]  # whether it is supposed, the sides as data, and their indices


class Fact(NamedTuple):
    """A relation between two values, of which an average has none; a page may tell what the left one is."""

    is_supposed: bool
    sign: str
    left: Any
    right: Any
    told: Callable[[], str] = str


def records(data: Any) -> Iterator[Mapping[str, Any]]:
    """Every part of a statement that it does not only suppose."""
    if isinstance(data, dict):
        yield data
        data = [value for key, value in data.items() if key not in SUPPOSED]
    for value in data if isinstance(data, list | tuple) else ():
        yield from records(value)


def facts(said: Mapping[str, Any], meaning: Meaning, with_inner: bool) -> Iterator[Fact]:
    """Return what one part of a statement says, as far as its sides have values.

    with_inner: with formulas into which something is put, which are equal to nothing.
    """
    free = said.get("free", {})
    for is_supposed, sign, left, right, indices in _related(said):
        one, other = meaning.side(left, indices), meaning.side(right, indices)
        if one is None or other is None:
            continue
        turns = [(one, other, left), (other, one, right)] if sign in BOTH_WAYS else [(one, other, left)]
        for a, b, data in turns:
            told = partial(_defined, meaning, a) if is_supposed else partial(meaning.written, data)
            yield Fact(is_supposed, sign, a, b, told)
    if said.get("kind") == "average":
        yield Fact(False, "=", None, meaning.side(said["right"], free), lambda: f"an average, {average(said)}")
    solved = said["solution"].items() if isinstance(said.get("solution"), dict) else ()
    for name, value in solved:
        yield Fact(False, "=", meaning.own(name), meaning.side(value, free), partial(VARIABLE.format, plain(name)))
    for inner, pairs in _put(said):
        for name, value in pairs:
            yield Fact(False, "=", meaning.own(name), meaning.side(value, free))
        if with_inner:
            yield Fact(False, "=", None, meaning.side(inner, free))


def _related(said: Mapping[str, Any]) -> Iterator[Related]:
    free = said.get("free", {})
    if said.get("kind") == "limit":
        yield False, "->", said["expression"], said["value"], free
    elif "left" in said and "right" in said:
        yield False, said.get("relation", "="), said["left"], said["right"], free
    yield from ((True, *relation, free) for relation in said.get("assuming", ()))
    for name, flags in said.get("symbols", {}).items():
        yield from ((True, SIGNS[flag], ("s", name), ("q", "0"), free) for flag in flags if flag in SIGNS)
    yield from ((True, "=", rule["left"], rule["right"], rule.get("free", {})) for rule in said.get("rules", ()))


def _put(said: Mapping[str, Any]) -> Iterator[Any]:
    """Formulas in a statement with what is put in there for names."""
    formulas = [value for key, value in said.items() if key not in SUPPOSED and isinstance(value, tuple)]
    formulas += [said[key]["formula"] for key in ("left", "right") if isinstance(said.get(key), dict)]
    return (part[1:] for part in parts_of(tuple(formulas)) if part[0] == "at" and len(part) == 3)


def _defined(meaning: Meaning, value: Any) -> str:
    name = meaning.name_of(value)
    return f"{plain(name)}, which is defined so" if name else ""
