"""How far provers may go: one amount of work for a whole statement, shared by all that it is reduced to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from math import inf
from typing import TypeVar

from derivations.language.terms import NotExact
from derivations.text.doors import at_door
from derivations.text.work import SECOND, Meter, left, within

T = TypeVar("T")
SECONDS = 3.0  # for one statement, by default
DEPTH = 10  # rules below one another
SHARE, SHARED = 0.6, 1  # of the work that is left, for one way; down to this depth


_depth: ContextVar[int] = ContextVar("depth", default=0)
_is_part: ContextVar[bool] = ContextVar("is a part", default=False)
_seconds: ContextVar[float] = ContextVar("seconds", default=SECONDS)


@contextmanager
@at_door(NotExact)
def allowing(seconds: float) -> Iterator[None]:
    """Gives every statement inside a `with` block so much work for what is not decided at once.

    seconds: that such work takes on a usual machine. It is counted (see `derivations.text.work`), so that what is found
    is the same on every machine.

    >>> with allowing(0.5):
    ...     _seconds.get()
    0.5
    """
    with _being(_seconds, seconds):
        yield


def allowed() -> float:
    """The work that a statement may take."""
    return _seconds.get() * SECOND


@contextmanager
def _being(variable: ContextVar[T], value: T) -> Iterator[None]:
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)


@contextmanager
def one_more_rule() -> Iterator[Meter]:
    """Let what is tried inside be one rule further from the statement; the first rule begins to count."""
    most = inf if depth() else allowed()
    with _being(_depth, depth() + 1), _being(_is_part, True), within(most) as meter:
        yield meter


def one_way() -> AbstractContextManager[Meter]:
    """Give what is tried inside no more than a share of the work that is left, so that other ways have a turn."""
    return within(SHARE * left() if depth() <= SHARED else inf)


def standing_alone() -> AbstractContextManager[None]:
    """Let what is tried inside be no part of a rule, so that it has to speak of some point, even far below a rule."""
    return _being(_is_part, False)


def is_part() -> bool:
    """Check whether what is tried now is a part of a rule, which may speak of nothing."""
    return _is_part.get()


def depth() -> int:
    """How many rules lie between the statement that was asked about and what is tried now; 0 for itself."""
    return _depth.get()
