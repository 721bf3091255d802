"""Edits of certificates as JSON data, each with a name for what it breaks."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from derivations.recheck import Rejected, check

Json = dict[str, Any]
Edit = Callable[[Any], None]
Named = tuple[str, Edit]

BAD_NUMBERS: list[Any] = ["", "x", "1/0", "0x10", "1e5", "1.5", " 1", "1/2/3", "--1", None, 1.5, True, [], {}]
ONE, MINUS_ONE = ["q", "1"], ["q", "-1"]


def at(data: Any, path: Sequence[Any]) -> Any:
    for key in path:
        data = data[key]
    return data


def put(path: list[Any], value: Any) -> Edit:
    def edit(data: Any) -> None:
        at(data, path[:-1])[path[-1]] = copy.deepcopy(value)

    return edit


def refusal(certificate: Json) -> str | None:
    """The sentence with which a certificate is refused."""
    try:
        check(certificate)
    except Rejected as reason:
        return str(reason)
    return None


def rejected(certificate: Json) -> bool:
    return refusal(certificate) is not None


def leaves(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all leaves."""
    if isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from leaves(value, (*path, key))
    else:
        yield path


def placed(data: Any, path: Sequence[Any], value: Any) -> Any:
    """A copy with another value in one place."""
    copied = copy.deepcopy(data)
    put([*path], value)(copied)
    return copied


def wrong_values(value: Any) -> Iterator[Any]:
    """Return what to put in a leaf's place."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, -1, float(value), str(value))
    elif isinstance(value, str) and value.replace("/", "").replace("-", "").isdigit():
        number = Fraction(value)
        yield from (str(number + 1), str(-number - Fraction(1, 3)), value + ".0", float(number), int(number))
    elif isinstance(value, str):
        yield from ("nobody", [], None, value.removesuffix("'") if value.endswith("'") else value + "'")
    else:
        yield from ("nobody", [])


def drop(path: list[Any]) -> Edit:
    def edit(data: Any) -> None:
        del at(data, path[:-1])[path[-1]]

    return edit


def append(path: list[Any], value: Any) -> Edit:
    def edit(data: Any) -> None:
        at(data, path).append(copy.deepcopy(value))

    return edit


def inside(path: list[Any], edit: Edit) -> Edit:
    return lambda data: edit(at(data, path))


def about_point(path: list[Any], point: Json, symbols: Json) -> Iterator[Named]:
    yield "a value for a stranger", put([*path, "no such symbol"], "1")
    for name in point:
        for bad in BAD_NUMBERS:
            yield f"{name} = {bad!r}", put([*path, name], bad)
        for assumption, values in BREAKS.items():
            if assumption in symbols.get(name, []):
                for value in values:
                    yield f"{name} = {value} though {assumption}", put([*path, name], value)


BREAKS = {
    "positive": ["0", "-1"],
    "negative": ["0", "1/3"],
    "nonnegative": ["-1/7"],
    "nonpositive": ["2"],
    "nonzero": ["0"],
}
