"""The console of the command line: tables and progress, for people and for programs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

FIRST_LINE, NEXT_LINE = 2.0, 10.0  # seconds until progress is told where it is no terminal, and between first lines
LAST_LINE, SPARSER = 60.0, 0.1  # seconds between later lines, and the share of the time so far that they leave
UNITS = ((86_400.0, "days"), (3_600.0, "h"), (60.0, "min"), (0.0, "s"))
PIPE = 200  # characters of a line that a program reads, where COLUMNS does not say how many there are


class Screen(Console):
    """A console that leaves a closed pipe to the command line, for which it is no mistake.

    What it writes into a pipe is not cut to the width of a terminal, so that names stay whole.
    """

    def __init__(self, *, highlight: bool = True) -> None:
        super().__init__(highlight=highlight)
        if not self.is_terminal and "COLUMNS" not in os.environ:
            self.width = PIPE

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError

    def show(self, table: Table) -> None:
        """A table for people; in a pipe a line for each row, whole, with tabs between its cells."""
        if self.is_terminal:
            self.print(table)
            return
        for line in lines(table):
            print(line, file=self.file)


def lines(table: Table) -> Iterator[str]:
    """The title, the headings and the rows of a table as lines; an empty first cell repeats the one above it.

    >>> made = table("primes", ["what"], ["count"])
    >>> made.add_row("[bold]below 10[/]", "4")
    >>> [*lines(made)]
    ['# primes', 'what\\tcount', 'below 10\\t4']
    """
    if table.title:
        yield f"# {Text.from_markup(str(table.title)).plain}"
    yield "\t".join(str(column.header) for column in table.columns)
    above = ""
    for row in zip(*(column.cells for column in table.columns), strict=True):
        first, *rest = (" ".join(Text.from_markup(str(cell)).plain.split()) for cell in row)
        above = first or above
        yield "\t".join((above, *rest))


def table(title: str, texts: Sequence[str], numbers: Sequence[str] = ()) -> Table:
    """A table without rows: columns of texts, which are folded where they are too wide, and then columns of numbers."""
    made = Table(title=title, title_justify="left")
    for heading in texts:
        made.add_column(heading, overflow="fold")
    for heading in numbers:
        made.add_column(heading, justify="right")
    return made


class Lines(Progress):
    """Progress where standard error is no terminal: a line after some seconds, and then from time to time.

    What the first update tells was done before, and says nothing of the time that remains.
    """

    def __init__(self) -> None:
        super().__init__(disable=True)
        self.began, self.before = monotonic(), -1.0
        self.due = self.began + FIRST_LINE

    def update(self, task_id: TaskID, *given: Any, **changes: Any) -> None:
        super().update(task_id, *given, **changes)
        now, task = monotonic(), self.tasks[task_id]
        self.before = task.completed if self.before < 0.0 else self.before
        if now >= self.due:
            spent, total = now - self.began, task.total or 0.0
            self.due = now + max(NEXT_LINE, min(LAST_LINE, SPARSER * spent))
            what = f"{Text.from_markup(task.description).plain}: " if task.description else ""
            done = f"{what}{task.completed:.4g} of {total:g} in {duration(round(spent))}"
            print(done + self._left(task.completed, total), file=sys.stderr, flush=True)

    def _left(self, done: float, total: float) -> str:
        """The time that remains, where that can be told."""
        if not self.before < done < total:
            return ""
        seconds = (monotonic() - self.began) / (done - self.before) * (total - done)
        return f", about {duration(round(seconds))} are left"


def duration(seconds: float) -> str:
    """A duration in the unit that suits it.

    >>> duration(5400.0), duration(0.5)
    ('1.5 h', '0.5 s')
    """
    size, unit = next((size, unit) for size, unit in UNITS if seconds >= size)
    return f"{seconds / (size or 1.0):.2g} {unit}"


@contextmanager
def progress(total: float, *columns: ProgressColumn) -> Iterator[tuple[Progress, TaskID]]:
    """A bar on standard error with these columns and a name behind it, which disappears when the work is done.

    Where standard error is no terminal, a line now and then takes its place.
    """
    console = Console(stderr=True)
    shown = (BarColumn(), *columns, TextColumn("{task.description}"))
    bars = Progress(*shown, console=console, transient=True) if console.is_terminal else Lines()
    with bars as bar:
        yield bar, bar.add_task("", total=total)


@contextmanager
def told(total: int, show: bool) -> Iterator[Callable[[float, str], object]]:
    """Return what is told how many of so many tasks are done, and which are at work; with the time that remains."""
    if not show:
        yield lambda _done, _names: None
        return
    with progress(total, MofNCompleteColumn(), TimeRemainingColumn()) as (bar, task):
        yield lambda done, names: bar.update(task, completed=done, description=escape(names))
