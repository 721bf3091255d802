"""What a verdict rests on: the names of the primitives that the checker used, recorded while it checks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_used: ContextVar[set[str] | None] = ContextVar("primitives used", default=None)


@contextmanager
def recorded() -> Iterator[set[str]]:
    """The names that are told within this block.

    >>> with recorded() as used:
    ...     rests_on("ring"), rests_on("ring")
    (None, None)
    >>> used
    {'ring'}
    """
    used = set[str]()
    token = _used.set(used)
    try:
        yield used
    finally:
        _used.reset(token)


def rests_on(name: str) -> None:
    """Tell that what is being checked rests on this primitive; outside a record nothing is kept."""
    used = _used.get()
    if used is not None:
        used.add(name)
