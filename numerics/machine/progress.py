"""What the command line shows: its console, tables, and a bar of progress."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, TaskID, TextColumn
from rich.table import Table

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


def table(title: str, texts: Sequence[str], numbers: Sequence[str] = ()) -> Table:
    """A table without rows: columns of texts, which are folded where they are too wide, and then columns of numbers."""
    made = Table(title=title, title_justify="left")
    for heading in texts:
        made.add_column(heading, overflow="fold")
    for heading in numbers:
        made.add_column(heading, justify="right")
    return made


@contextmanager
def progress(total: float, *columns: ProgressColumn) -> Iterator[tuple[Progress, TaskID]]:
    """A bar on standard error with these columns and a name behind it, which disappears when the work is done.

    Where standard error is no terminal there is none, as it would leave empty lines.
    """
    console = Console(stderr=True)
    shown = (BarColumn(), *columns, TextColumn("{task.description}"))
    with Progress(*shown, console=console, transient=True, disable=not console.is_terminal) as bar:
        yield bar, bar.add_task("", total=total)
