"""How long provers may try: one budget of time for a whole statement, shared by all that it is reduced to.

The time is that of the processor, so that verdicts do not depend on what else runs.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import TypeVar

from derivations.language.terms import NotExact
from derivations.text.doors import at_door

T = TypeVar("T")
SECONDS = 3.0  # for one statement, by default
DEPTH = 10  # rules below one another
SHARE, SHARED = 0.6, 1  # of the time that is left, for one rule; down to this depth


@dataclass(frozen=True)
class Effort:
    """When a statement's time ends, how many rules above what is tried now are, and whether it is the part of one."""

    ends: float
    depth: int
    is_part: bool = True


_now: ContextVar[Effort | None] = ContextVar("effort", default=None)
_seconds: ContextVar[float] = ContextVar("seconds", default=SECONDS)


@contextmanager
@at_door(NotExact)
def allowing(seconds: float) -> Iterator[None]:
    """Gives every statement inside a `with` block so many seconds for what is not decided at once.

    >>> with allowing(0.5):
    ...     _seconds.get()
    0.5
    """
    with _being(_seconds, seconds):
        yield


def allowed() -> float:
    """The seconds that a statement may have."""
    return _seconds.get()


@contextmanager
def _being(variable: ContextVar[T], value: T) -> Iterator[None]:
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)


def one_more_rule() -> AbstractContextManager[None]:
    """Let what is tried inside be one rule further from the statement; the first rule starts the clock."""
    now = _now.get()
    return _being(_now, Effort(now.ends, now.depth + 1) if now else Effort(time.process_time() + allowed(), 1))


def one_way() -> AbstractContextManager[None]:
    """Give what is tried inside no more than a share of the time that is left, so that other ways have a
    turn.
    """
    now = _now.get()
    assert now is not None
    here = time.process_time()
    return _being(_now, replace(now, ends=here + SHARE * (now.ends - here)) if now.depth <= SHARED else now)


def standing_alone() -> AbstractContextManager[None]:
    """Let what is tried inside be no part of a rule, so that it has to speak of some point, even far below a rule."""
    now = _now.get()
    return _being(_now, replace(now, is_part=False) if now else None)


def is_part() -> bool:
    """Check whether what is tried now is a part of a rule, which may speak of nothing."""
    now = _now.get()
    return now is not None and now.is_part


def depth() -> int:
    """How many rules lie between the statement that was asked about and what is tried now; 0 for itself."""
    now = _now.get()
    return now.depth if now else 0


def is_spent() -> bool:
    """Check whether nothing further should be tried."""
    now = _now.get()
    return now is not None and (now.depth > DEPTH or time.process_time() > now.ends)
