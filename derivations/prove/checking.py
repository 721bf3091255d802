"""Work with the code of the checker, which provers ask what a rule needs and where a formula has a value."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from derivations.language.terms import NotExact
from derivations.recheck.core.budget import MAX_WORK, budget
from derivations.recheck.core.errors import Rejected
from derivations.text.work import left, spend

PER_READING = 100  # units of work, besides what the checker counts
PER_UNIT = 1000  # of the checker's work for one unit


@contextmanager
def as_a_checker() -> Iterator[None]:
    """Count what the checker's code does inside as work of ours; what it refuses has no exact meaning (`NotExact`)."""
    most = min(MAX_WORK, left() * PER_UNIT)
    with budget(most) as unused:
        try:
            yield
        except Rejected as refusal:
            raise NotExact(str(refusal)) from None
        finally:
            spend(PER_READING + (most - unused[0]) / PER_UNIT)
