"""One bound on the work that a certificate may ask for, whatever it is made of.

Work is counted in units of roughly a nanosecond, before it is done. Outside of a budget it is not bounded: whoever uses
the checker's parts for a search of his own has to stop by himself, and what he did takes nothing from a later check.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from derivations.recheck.core.errors import Rejected

MAX_WORK = 8_000_000_000

_left: ContextVar[list[float] | None] = ContextVar("work left", default=None)  # one number, which spending lowers
_known: ContextVar[dict[Any, Any] | None] = ContextVar("what was worked out", default=None)


@contextmanager
def budget(work: float = MAX_WORK) -> Iterator[list[float]]:
    """A fresh allowance for one certificate with everything inside it; returns what is left of it, in a list."""
    left = [work]
    tokens = _left.set(left), _known.set({})
    try:
        yield left
    finally:
        _left.reset(tokens[0])
        _known.reset(tokens[1])


def known() -> dict[Any, Any]:
    """Return results that were worked out for this certificate and may be asked again; nothing of it outlives the
    check.
    """
    table = _known.get()
    return {} if table is None else table


def spend(work: int) -> None:
    left = _left.get()
    if left is None:
        return
    left[0] -= work
    if left[0] < 0:
        raise Rejected("the certificate asks for more work than one check may take: state the claim in smaller parts")
