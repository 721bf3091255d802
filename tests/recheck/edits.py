"""Edits of certificates as JSON data, each with a name for what it breaks."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

Json = dict[str, Any]
Edit = Callable[[Any], None]
Named = tuple[str, Edit]

BAD_NUMBERS: list[Any] = ["", "x", "1/0", "0x10", "1e5", "1.5", " 1", "1/2/3", "--1", None, 1.5, True, [], {}]
ONE, MINUS_ONE = ["q", "1"], ["q", "-1"]


def at(data: Any, path: list[Any]) -> Any:
    for key in path:
        data = data[key]
    return data


def put(path: list[Any], value: Any) -> Edit:
    def edit(data: Any) -> None:
        at(data, path[:-1])[path[-1]] = copy.deepcopy(value)

    return edit


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
