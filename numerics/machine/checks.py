"""Checks of what a user gives as a number or as numbers, whatever it may be."""

from __future__ import annotations

from math import isfinite
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numerics import NumericsError

MOST_SHOWN = 60  # signs of a value in a sentence


def is_real(value: object) -> bool:
    """Check whether this is one real number that a double can hold.

    >>> [is_real(value) for value in (1, 2.5, float("nan"), 10**400, None, "1", 1j)]
    [True, True, False, False, False, False, False]
    """
    try:
        return isinstance(value, Real) and isfinite(value)
    except OverflowError:
        return False


def is_whole(value: object, least: int) -> bool:
    """Check whether this is one whole number that a double can hold, of at least `least`.

    >>> [is_whole(value, 1) for value in (1, 2.0, 0, 2.5, float("inf"), None)]
    [True, True, False, False, False, False]
    """
    if not (isinstance(value, Real) and is_real(value)):
        return False
    number = float(value)
    return number.is_integer() and number >= least


def doubles(
    name: str, values: object, error: type[NumericsError], form: str = "numbers in rows of equal length"
) -> NDArray[np.float64]:
    """An array of doubles with these values, or this error where they are none.

    What a double cannot hold is refused, not dropped: imaginary parts, the mask of a masked array, texts and None.

    >>> doubles("times", [0, 1], NumericsError).tolist()
    [0.0, 1.0]
    """
    if _masked(values):
        raise error(f"{name} has masked entries: fill or drop them first")
    try:
        array = np.asarray(values)
        if array.dtype.kind in "biuf" or (array.dtype.kind == "O" and all(isinstance(one, Real) for one in array.flat)):
            return np.array(array, dtype=np.float64, order="C")
    except (TypeError, ValueError, OverflowError):
        raise error(f"{name} must be {form}") from None
    complex_ones = ", and some of these are complex" if array.dtype.kind == "c" else ""
    raise error(f"{name} must be {form}{complex_ones}")


def _masked(values: object) -> bool:
    """Check whether these, or rows of them, have masked entries."""
    rows = values if isinstance(values, list | tuple) else ()
    return bool(np.ma.is_masked(values)) or any(np.ma.is_masked(row) for row in rows if isinstance(row, np.ndarray))


def finite(name: str, values: object, error: type[NumericsError]) -> NDArray[np.float64]:
    """Return the same where every value is finite, too.

    >>> finite("times", [0, 1], NumericsError).tolist()
    [0.0, 1.0]
    """
    array = doubles(name, values, error)
    if not np.isfinite(array).all():
        raise error(f"{name} has an entry that is not a finite number.")
    return array


def counts(name: str, values: object, error: type[NumericsError]) -> NDArray[np.int64]:
    """Whole numbers that increase, from 0 on, or this error where they do not.

    >>> counts("updates", range(3), NumericsError).tolist()
    [0, 1, 2]
    """
    wrong = error(f"{name} must be whole numbers that increase, from 0 on")
    try:
        asked = np.asarray(values)
    except ValueError:
        raise wrong from None
    if asked.size == 0:
        return np.zeros(0, dtype=np.int64)
    if np.ma.is_masked(values) or asked.ndim != 1 or asked.dtype.kind not in "iu":
        raise wrong
    if (asked[1:] <= asked[:-1]).any() or asked[0] < 0 or asked[-1] > np.iinfo(np.int64).max:
        raise wrong
    return asked.astype(np.int64)


def shown(value: object) -> str:
    """A value in a sentence: on one line, and not too long.

    >>> shown("a" * 100)
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa..."
    """
    text = " ".join(repr(value).split())
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 3]}..."


def callable_one(name: str, value: object, error: type[NumericsError]) -> None:
    """Refuse what cannot be called.

    >>> callable_one("finished", print, NumericsError)
    """
    if not callable(value):
        raise error(f"{name} must be a function, got {shown(value)}")


def listed(name: str, values: Any, error: type[NumericsError]) -> list[Any]:
    """The members of what can be gone through, or this error where it cannot.

    >>> listed("seeds", range(3), NumericsError)
    [0, 1, 2]
    """
    try:
        return list(None if isinstance(values, str) else values)  # type: ignore[arg-type]
    except TypeError:
        raise error(f"{name} must be a list, not {shown(values)}") from None
