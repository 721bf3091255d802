"""Functions of times take one time, too: what they return has no axis of times then."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any, ParamSpec, TypeVar

import numpy as np

P = ParamSpec("P")
R = TypeVar("R")

ONE = (int, float, np.number)  # of a tuple isinstance is faster than of a union


def or_one_time(axis: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A function that returns arrays, or a tuple of them, with the times along an axis, takes one number for `times`.

    >>> @or_one_time(axis=-1)
    ... def decay(rate, times):
    ...     return np.exp(-rate * np.asarray(times))
    >>> decay(1.0, [0.0, 1.0]).shape, decay(1.0, 1.0).shape, decay(1.0, times=1).round(4).item()
    ((2,), (), 0.3679)
    """

    def decorated(function: Callable[P, R]) -> Callable[P, R]:
        place = [*signature(function).parameters].index("times")

        @wraps(function)
        def at_times(*given: P.args, **named: P.kwargs) -> R:
            times = given[place] if len(given) > place else named.get("times")
            if isinstance(times, list) or not is_one(times):  # a list is what most calls have
                return function(*given, **named)
            if "times" in named:
                result = function(*given, **{**named, "times": [times]})  # type: ignore[arg-type]
            else:
                result = function(*given[:place], [times], *given[place + 1 :], **named)  # type: ignore[arg-type]
            return _first(result, axis)  # type: ignore[no-any-return]

        return at_times

    return decorated


def is_one(times: object) -> bool:
    """Check whether this is one time, and no list of them.

    >>> is_one(2), is_one(np.array(2.0)), is_one([2.0]), is_one(True)
    (True, True, False, False)
    """
    if isinstance(times, np.ndarray):
        return times.ndim == 0
    return isinstance(times, ONE) and not isinstance(times, bool)


def _first(result: Any, axis: int) -> Any:
    """The arrays at their only time; those of no dimension stay arrays, as NumPy has them."""
    if isinstance(result, tuple):
        return tuple(_first(array, axis) for array in result)
    return np.asarray(np.take(result, 0, axis=axis))
