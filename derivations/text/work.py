"""Work, counted where it is done: how far a search goes depends on what is asked, and on no machine and no other load.

What was found before and is looked up counts as if it were found now, once in all that is measured together: nothing
depends on what was asked earlier.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache, wraps
from math import inf
from typing import TypeVar

SECOND = 1_350_000  # units of work that a usual machine does in about a second

T = TypeVar("T")


class Spent(Exception):
    """More work would be needed than is allowed: whoever allowed it goes on without what was tried."""


@dataclass
class Meter:
    """The most work that may be done, what was done of it, and what was looked up meanwhile."""

    most: float = inf
    done: float = 0
    seen: set[Hashable] = field(default_factory=set)
    is_spent: bool = False  # whether more would have been needed


_meter: ContextVar[Meter | None] = ContextVar("meter", default=None)


def spend(units: float) -> None:
    """Count some work; ends what is tried (`Spent`) where no more is allowed."""
    meter = _meter.get()
    if meter is not None:
        meter.done += units
        if meter.done > meter.most:
            raise Spent


def spend_once(on: Hashable, units: float) -> None:
    """Count the work of something that is needed again and again, the first time."""
    meter = _meter.get()
    if meter is not None and on not in meter.seen:
        meter.seen.add(on)
        spend(units)


def left() -> float:
    """The work that may still be done."""
    meter = _meter.get()
    return inf if meter is None else max(meter.most - meter.done, 0)


@contextmanager
def within(most: float) -> Iterator[Meter]:
    """Let what is done inside a `with` block end, without an error, where it would be more than this.

    >>> with within(10) as meter:
    ...     spend(8)
    ...     spend(8)
    ...     print("never")
    >>> meter.is_spent
    True
    """
    outer = _meter.get()
    meter = Meter(min(most, left())) if outer is None else Meter(min(most, left()), seen=outer.seen)
    token = _meter.set(meter)
    try:
        yield meter
    except Spent:
        meter.is_spent = True
        if meter.most < most:
            raise
    finally:
        _meter.reset(token)
        if outer is not None:
            outer.done += min(meter.done, meter.most)


@contextmanager
def measured() -> Iterator[Meter]:
    """Count the work inside a `with` block alone: it takes nothing from what is allowed outside."""
    meter = Meter()
    token = _meter.set(meter)
    try:
        yield meter
    finally:
        _meter.reset(token)


def remembered(most: int) -> Callable[[Callable[..., T]], Callable[..., T]]:
    """A function whose last results are kept: the first time one is asked for, it counts as the work of finding it."""

    def of(function: Callable[..., T]) -> Callable[..., T]:
        @lru_cache(maxsize=most)
        def found(*given: Hashable) -> tuple[T, float]:
            with measured() as meter:
                return function(*given), meter.done

        @wraps(function)
        def counted(*given: Hashable) -> T:
            result, work = found(*given)
            spend_once((function, given), work)
            return result

        return counted

    return of
