"""Sweeps as users write them: values of settings as text, and whole sweeps as TOML.

values("log:1e-3:1:20"), values("lin:0:1:5"), values("2,4,8")
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from math import log
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numerics.machine.checks import is_real, is_whole, shown
from numerics.sweep.targets import Settings, SweepError, Value

SPACED: Mapping[str, Callable[..., NDArray[np.float64]]] = {"log": np.geomspace, "lin": np.linspace}
KEYS = {"target": str, "grid": dict, "runs": list, "settings": dict, "seeds": int, "seed": int}
MOST = 10**6  # values of one setting
LEAST = -(2**53)  # of whole numbers that doubles hold, too


def values(text: str) -> list[Value]:
    """The values that a text such as `log:1e-3:1:20`, `lin:0:1:5` or `2,4,8` stands for.

    >>> values("log:1e-2:1:3"), values("2,4"), values("erf,relu")
    ([0.01, 0.1, 1.0], [2, 4], ['erf', 'relu'])
    """
    kind, *ends = text.split(":")
    if kind not in SPACED or not ends:
        return [_value(part) for part in text.split(",")]
    numbers = [_value(part) for part in ends]
    wrong = SweepError(f"{text} is no range of values: write {kind}:FIRST:LAST:COUNT, such as {kind}:0.1:1:10")
    if len(numbers) != 3 or not all(map(is_real, numbers)) or not is_whole(numbers[2], 1):
        raise wrong
    first, last, count = (float(number) for number in numbers)
    if count > MOST:
        raise SweepError(f"{text} is no range of values: a setting has at most {MOST}")
    if kind == "log" and (min(first, last) <= 0 or not np.isfinite(log(last / first))):
        raise SweepError(f"{text} is no range of values: a logarithmic one is between positive numbers")
    return [float(value) for value in SPACED[kind](first, last, int(count))]


def swept(words: Iterable[str]) -> dict[str, list[Value]]:
    """The values of NAME=VALUES, several of them with semicolons or one by one.

    >>> swept(["scale=lin:0:1:3; eta=0.5,1"])
    {'scale': [0.0, 0.5, 1.0], 'eta': [0.5, 1]}
    """
    return {name: values(text) for name, text in _named(words).items()}


def single(words: Iterable[str]) -> dict[str, Value]:
    """The value of NAME=VALUE, likewise.

    >>> single(["inputs=3", "activation=relu"])
    {'inputs': 3, 'activation': 'relu'}
    """
    return {name: _value(text) for name, text in _named(words).items()}


def _named(words: Iterable[str]) -> dict[str, str]:
    settings: dict[str, str] = {}
    for part in (part.strip() for word in words for part in word.split(";")):
        name, equals, text = (piece.strip() for piece in part.partition("="))
        if not (name and equals and text):
            raise SweepError(f"{part!r} is no setting: write NAME=VALUE, such as scale=log:1e-3:1:20")
        if name in settings:
            raise SweepError(f"{name} is given twice; give it once")
        settings[name] = text
    return settings


def _value(text: str) -> Value:
    """A number where the text is one, a truth value, or the text itself."""
    text = text.strip()
    for read in (int, float):
        try:
            number: Value = read(text)
        except ValueError:
            continue
        return number
    return {"true": True, "false": False}.get(text, text)


def fitted(name: str, value: object, defaults: Settings) -> Value:
    """The value as the kind of number or text that this setting is.

    >>> fitted("count", 2.0, {"count": 1}), fitted("rate", 1, {"rate": 0.5})
    (2, 1.0)
    """
    kind = type(defaults[name])
    if isinstance(value, bool) is (kind is bool):
        if kind is int and is_whole(value, LEAST):
            return int(value)  # type: ignore[call-overload, no-any-return]
        if kind is float and is_real(value):
            return float(value)  # type: ignore[arg-type]
        if kind in (bool, str) and isinstance(value, kind):
            return value
    words = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}
    raise SweepError(f"{name} is {words[kind]}, such as {defaults[name]!r}, and not {shown(value)}")


def from_toml(path: Path) -> dict[str, Any]:
    """A sweep that a TOML file describes: target, [grid] or [[runs]], [settings], seeds and seed."""
    try:
        data: Mapping[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as trouble:
        raise SweepError(f"{path} cannot be read: {trouble.strerror}") from None
    except (ValueError, RecursionError) as trouble:
        raise SweepError(f"{path} cannot be read as TOML ({trouble})") from None
    for key, value in data.items():
        if key not in KEYS:
            raise SweepError(f"{path} has a key {key!r} that is not understood; there is {', '.join(KEYS)}")
        if not isinstance(value, KEYS[key]) or isinstance(value, bool):
            raise SweepError(f"{path} has a {key!r} that is no {KEYS[key].__name__}")
    return dict(data)
