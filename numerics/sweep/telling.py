"""Progress with the time that remains: a bar on a terminal, and a line every minute in the log of a job."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

EVERY = 60.0  # seconds between lines
UNITS = ((86_400.0, "days"), (3_600.0, "h"), (60.0, "min"), (0.0, "s"))


@contextmanager
def shown(total: int, show: bool) -> Iterator[Callable[[int], None]]:
    """What is told how many more tasks are done; the first time, how many were so before."""
    if not show:
        yield lambda _: None
    elif not sys.stderr.isatty():
        yield _lines(total)
    else:
        from rich.progress import MofNCompleteColumn, TimeRemainingColumn

        from numerics.machine.progress import progress

        with progress(total, MofNCompleteColumn(), TimeRemainingColumn()) as (bar, task):
            yield lambda more: bar.update(task, advance=more)


def _lines(total: int) -> Callable[[int], None]:
    begin, told, before, done = monotonic(), monotonic(), -1, 0

    def tell(more: int) -> None:
        nonlocal told, before, done
        done += more
        before = done if before < 0 else before
        now = monotonic()
        if now - told >= EVERY and done > before:
            left = duration((now - begin) / (done - before) * (total - done))
            print(f"{done} of {total} tasks are done, about {left} are left", file=sys.stderr, flush=True)
            told = now

    return tell


def duration(seconds: float) -> str:
    """A duration in the unit that suits it.

    >>> duration(5400.0), duration(0.5)
    ('1.5 h', '0.5 s')
    """
    size, unit = next((size, unit) for size, unit in UNITS if seconds >= size)
    return f"{seconds / (size or 1.0):.2g} {unit}"
