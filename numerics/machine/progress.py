"""What the command line shows: its console, tables, and progress, to people and to programs."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, TaskID, TextColumn
from rich.table import Table
from rich.text import Text

FIRST_LINE, NEXT_LINE = 2.0, 10.0  # seconds until progress is told where it is no terminal, and between lines
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
    """Progress where standard error is no terminal: a line after some seconds, and then from time to time."""

    def __init__(self) -> None:
        super().__init__(disable=True)
        self.began = monotonic()
        self.due = self.began + FIRST_LINE

    def update(self, task_id: TaskID, *given: Any, **changes: Any) -> None:
        super().update(task_id, *given, **changes)
        now, task = monotonic(), self.tasks[task_id]
        if now >= self.due:
            self.due = now + NEXT_LINE
            what = f"{Text.from_markup(task.description).plain}: " if task.description else ""
            done = f"{what}{task.completed:.4g} of {task.total:g} in {now - self.began:.0f} s"
            print(done, file=sys.stderr, flush=True)


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
