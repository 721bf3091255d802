"""One bound on the work that a certificate may ask for, whatever it is made of.

Work is counted in units of roughly a nanosecond, before it is done.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from derivations.recheck.errors import Rejected

MAX_WORK = 8_000_000_000

_left: ContextVar[int] = ContextVar("work left", default=MAX_WORK)


@contextmanager
def budget() -> Iterator[None]:
    """A fresh allowance for one certificate with everything inside it."""
    token = _left.set(MAX_WORK)
    try:
        yield
    finally:
        _left.reset(token)


def spend(work: int) -> None:
    left = _left.get() - work
    if left < 0:
        raise Rejected("the certificate asks for more work than one check may take: state the claim in smaller parts")
    _left.set(left)
