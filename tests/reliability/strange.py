"""Values that nobody should give, made from one that is sound: by its type, from a seeded generator."""

from __future__ import annotations

import inspect
import random
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from reliability.mathematics import CODE, OBJECTS, is_mathematics, strange_object

from numerics.labelled import Labelled

TEXTS = ["", "x", "\0", "a b", "é" * 3, "../x", "-1", "nan", "1e400", "x" * 5000, "{", "__class__", "%s", "a:b:c", CODE]
NUMBERS = [0, -1, 1, 0.5, -0.0, float("nan"), float("inf"), -float("inf"), 1e-310, 1e300, -1e300, 10**400, 2**63]
OTHERS: list[Any] = [None, True, "x", b"x", 1j, (), [], {}, object(), print, np.float32(0.5), np.int8(1)]


def strange(value: Any, rng: random.Random) -> Any:
    """Something else than this value, often of its type."""
    if rng.random() < 0.25:
        return rng.choice(OTHERS if rng.random() < 0.7 else OBJECTS)
    if isinstance(value, bool) or value is None:
        return rng.choice([*OTHERS, 0, 1, 2])
    if isinstance(value, int | float | np.number):
        return rng.choice([*NUMBERS, np.array(value), np.array([value]), str(value), -1 * value])
    if isinstance(value, str | Path):
        text = str(value)
        return rng.choice([*TEXTS, text + "x", text[1:], text.upper(), text.encode(), [text], Path(text)])
    if isinstance(value, np.ndarray):
        return strange_array(value, rng)
    if is_dataclass(value) and not isinstance(value, type | Labelled) and not is_mathematics(value):
        name = rng.choice([one.name for one in fields(value) if one.init])
        return replace(value, **{name: strange(getattr(value, name), rng)})
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        name = rng.choice(value._fields)
        return value._replace(**{name: strange(getattr(value, name), rng)})
    if isinstance(value, Mapping):
        return strange_mapping(value, rng)
    if isinstance(value, list | tuple):
        return strange_list(value, rng)
    return strange_object(value, rng, strange) if is_mathematics(value) else rng.choice(OTHERS)


def strange_array(value: np.ndarray, rng: random.Random) -> Any:
    """An array of another shape, of another kind, or with an entry that is none."""
    ways = [
        lambda: value[..., None],
        lambda: value.T if value.ndim > 1 else value[:, None] if value.ndim else value,
        lambda: value[:0] if value.ndim else value,
        lambda: value[:-1] if value.ndim else value,
        lambda: value.astype(complex),
        lambda: value.astype(object),
        lambda: value.astype(str),
        lambda: value.astype(np.float32) if value.dtype.kind in "fiu" else value,
        value.ravel,
        value.tolist,
        lambda: np.ma.MaskedArray(value, mask=np.ones(value.shape, dtype=bool)),
        lambda: np.broadcast_to(value, (2, *value.shape)),
        lambda: value[::-1] if value.ndim else value,
        lambda: np.zeros_like(value),
        lambda: value * rng.choice([-1, 1e-300, 1e150, 1e308]) if value.dtype.kind in "fiu" else value,
    ]
    if rng.random() < 0.4 and value.size and value.dtype.kind in "fc":
        spoilt = value.copy()
        spoilt.flat[rng.randrange(value.size)] = rng.choice([float("nan"), float("inf"), -1.0, 1e300, 0.0])
        return spoilt
    with np.errstate(all="ignore"):
        return rng.choice(ways)()


def strange_mapping(value: Mapping[Any, Any], rng: random.Random) -> Any:
    """One with an entry less, more, or strange."""
    found = dict(value)
    if found and rng.random() < 0.7:
        key = rng.choice(list(found))
        if rng.random() < 0.3:
            del found[key]
        else:
            found[key] = strange(found[key], rng)
    else:
        found[rng.choice([*TEXTS, 3, None])] = rng.choice([*NUMBERS, *TEXTS])
    return found


def strange_list(value: list[Any] | tuple[Any, ...], rng: random.Random) -> Any:
    """One that is shorter, longer, of another type, or with an entry that is strange."""
    found = list(value)
    way = rng.randrange(6)
    if way == 0:
        return found[:-1]
    if way == 1:
        return [*found, *found]
    if way == 2:
        return found[::-1]
    if way == 3:
        return rng.choice([np.array(1.0), range(3), set(), iter([1]), (found,), "abc", [found]])
    if found:
        at = rng.randrange(len(found))
        found[at] = strange(found[at], rng)
    made: Any = type(value)(found) if type(value) in {list, tuple} else found
    return made


def copied(value: Any) -> Any:
    """Return a copy with containers of its own, so that a change of them shows; objects of mathematics never change."""
    if type(value) in {list, tuple}:
        return type(value)(map(copied, value))
    if type(value) is dict:
        return {key: copied(one) for key, one in value.items()}
    return value if is_mathematics(value) or inspect.isroutine(value) else deepcopy(value)


def spoilt_call(
    args: tuple[Any, ...], named: Mapping[str, Any], optional: list[str], rng: random.Random
) -> tuple[list[Any], dict[str, Any]]:
    """The arguments of a call with one or two of them strange; those that were left out may be given, too."""
    given, words = copied([*args]), copied({**named})
    for _ in range(rng.choice([1, 1, 1, 2])):
        places: list[Any] = [*range(len(given)), *words, *optional]
        if not places:
            return given, words
        place = rng.choice(places)
        if isinstance(place, int):
            given[place] = strange(given[place], rng)
        else:
            words[place] = strange(words.get(place), rng) if place in words else rng.choice([*NUMBERS, *OTHERS, *TEXTS])
    return given, words


def spoilt_bytes(data: bytes, rng: random.Random) -> bytes:
    """A file that was cut, changed, doubled, or is another one."""
    way, at = rng.randrange(8), rng.randrange(max(1, len(data)))
    if way == 0:
        return data[:at]
    if way == 1:
        return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
    if way == 2:
        return data[:at] + rng.randbytes(rng.randrange(1, 9)) + data[at:]
    if way == 3:
        return data[:at] + data[at + rng.randrange(1, 9) :]
    if way == 4:
        return rng.choice([b"", b"\0", b"{}", b"[]", b"null", b"3", b'{"k": "x"}', b"PK\x03\x04", b"\x93NUMPY"])
    if way == 5:
        return data + rng.choice([b"\0", b"x", data])
    changed = bytearray(data)
    for _ in range(rng.randrange(1, 6)):
        if changed:
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)
