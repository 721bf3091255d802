"""Checks of what a user gives as a number or as numbers, whatever it may be."""

from __future__ import annotations

from math import isfinite
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numerics import NumericsError


def is_real(value: object) -> bool:
    """Whether this is one real number that a double can hold.

    >>> [is_real(value) for value in (1, 2.5, float("nan"), 10**400, None, "1", 1j)]
    [True, True, False, False, False, False, False]
    """
    try:
        return isinstance(value, Real) and isfinite(value)
    except OverflowError:
        return False


def is_whole(value: object, least: int) -> bool:
    """Whether this is one whole number that a double can hold, of at least `least`.

    >>> [is_whole(value, 1) for value in (1, 2.0, 0, 2.5, float("inf"), None)]
    [True, True, False, False, False, False]
    """
    if not (isinstance(value, Real) and is_real(value)):
        return False
    number = float(value)
    return number.is_integer() and number >= least


def doubles(name: str, values: object, error: type[NumericsError]) -> NDArray[np.float64]:
    """An array of doubles with these values, or this error where they are none.

    What a double cannot hold is refused, not dropped: imaginary parts, and the mask of a masked array.

    >>> doubles("times", [0, 1], NumericsError).tolist()
    [0.0, 1.0]
    """
    if np.ma.is_masked(values):
        raise error(f"{name} has masked entries: fill or drop them first")
    try:
        found = np.asarray(values)
        if found.dtype.kind != "c":
            return np.array(found, dtype=np.float64, order="C")
    except (TypeError, ValueError, OverflowError):
        raise error(f"{name} must be numbers in rows of equal length") from None
    raise error(f"{name} must be numbers in rows of equal length, and some of these are complex")


def finite(name: str, values: object, error: type[NumericsError]) -> NDArray[np.float64]:
    """The same where every value is finite, too.

    >>> finite("times", [0, 1], NumericsError).tolist()
    [0.0, 1.0]
    """
    found = doubles(name, values, error)
    if not np.isfinite(found).all():
        raise error(f"{name} has an entry that is not a finite number.")
    return found


def listed(name: str, values: Any, error: type[NumericsError]) -> list[Any]:
    """The members of what can be gone through, or this error where it cannot.

    >>> listed("seeds", range(3), NumericsError)
    [0, 1, 2]
    """
    try:
        return list(None if isinstance(values, str) else values)  # type: ignore[arg-type]
    except TypeError:
        raise error(f"{name} must be a list, not {values!r}") from None
