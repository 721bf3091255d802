"""The terminal: rows, progress bars, faults and fields, and what the checker found; nothing that knows a prover."""

from __future__ import annotations

import signal
import sys
import textwrap
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Column
from rich.text import Text

from derivations.audit.mistakes import Mistakes
from derivations.questions import Answer
from derivations.recheck import Summary
from derivations.recheck.ways import in_core


class Screen(Console):
    """A console that leaves a closed pipe to the command line, for which it is no mistake."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


console = Screen(highlight=False)
LEAST = 30  # characters that the last cell of a row needs beside the others
WIDEST = 100  # of a paragraph: longer lines are hard to read
LABEL = 14  # what stands before a field
FIRST_LINE, NEXT_LINE = 2, 10  # seconds until progress is told where it is no terminal
TICK = 1.0  # seconds between looks at whether it is time
BARS = 70  # characters of a progress bar with what stands before it
Cell = str | Text


@contextmanager
def progress(work: Iterable[tuple[str, int | None]]) -> Iterator[Callable[[str, str], None]]:
    """Tell on standard error what has been done: on a terminal a bar for each part of the work, otherwise a line at
    times.

    work: each part and its number of steps. What is yielded is told which part made a step, and with what.
    """
    screen = Console(stderr=True)
    if not screen.is_terminal:
        lines = _Lines(sum(count or 0 for _, count in work))
        with _now_and_then(lines.tell):
            yield lines.step
        return
    columns = (
        TextColumn("{task.fields[part]}", table_column=Column(no_wrap=True)),
        BarColumn(20),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=screen, transient=True) as bar:
        tasks = {part: bar.add_task("", total=total, part=escape(part)) for part, total in work}
        room = max(screen.width - BARS, 0)
        yield lambda part, what: bar.update(tasks[part], advance=1, description=escape(what[:room]))


class _Lines:
    """Progress as lines on standard error: one after some seconds, and then from time to time."""

    def __init__(self, total: int) -> None:
        self.total, self.done, self.last = total, 0, ""
        self.started = time.monotonic()
        self.due = self.started + FIRST_LINE

    def step(self, part: str, what: str) -> None:
        self.done, self.last = self.done + 1, f"{part}: last {what}, "
        self.tell()

    def tell(self) -> None:
        """Write a line if it is time for one."""
        now = time.monotonic()
        if now >= self.due:
            self.due = now + NEXT_LINE
            count = f"{self.done} of {self.total}" if self.total else str(self.done)
            print(f"{self.last}{count} in {now - self.started:.0f} s", file=sys.stderr, flush=True)


@contextmanager
def _now_and_then(tell: Callable[[], None]) -> Iterator[None]:
    """Calls `tell` while a single step takes long, by the clock of the system: a thread would not survive a fork.

    Where there is no such clock, or others use it, lines are written between steps alone.
    """
    clock = getattr(signal, "SIGALRM", None)
    alone = threading.current_thread() is threading.main_thread()
    if clock is None or not alone or signal.getsignal(clock) is not signal.SIG_DFL:
        yield
        return

    def told(*_: object) -> None:
        with suppress(RuntimeError):  # a line that is just being written
            tell()

    signal.signal(clock, told)
    signal.setitimer(signal.ITIMER_REAL, FIRST_LINE or TICK, TICK)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(clock, signal.SIG_DFL)


def rows(lines: Sequence[Sequence[Cell]], indent: str = "") -> None:
    """Lines of cells: in a pipe whole, with tabs between them; on a terminal aligned, and the last cell cut to fit.

    Only the last cell is ever cut. Where there is little room for it beside the others, it stands below them.
    """
    if not console.is_terminal:
        for line in lines:
            print(*line, sep="\t")
        return
    cells = [[Text(c) if isinstance(c, str) else c for c in line] for line in lines]
    widths = [max(map(len, column)) for column in zip(*(line[:-1] for line in cells), strict=True)]
    room = console.width - len(indent) - sum(widths) - 2 * len(widths)
    for *first, last in cells:
        start = Text(indent)
        for cell, width in zip(first, widths, strict=True):
            start.append(cell).append(" " * (width - len(cell) if room >= LEAST else 0) + "  ")
        if room < LEAST and widths:
            start.rstrip()
            console.print(start, soft_wrap=True)
            start = Text(indent + "    ")
        last.truncate(max(console.width - len(start), LEAST), overflow="ellipsis")
        console.print(start.append(last), soft_wrap=True)


def place_and(where: str, text: str) -> tuple[str, ...]:
    """The last cells of a row: two in a pipe, and one that reads well on a terminal."""
    return (f"{where}: {text}",) if console.is_terminal else (where, text)


def faults(sentences: Iterable[str]) -> None:
    for sentence in sentences:
        console.print(f"[bold red]fault[/] {escape(sentence)}", soft_wrap=True)


def heading(text: str) -> None:
    """A line above rows, for people only."""
    if console.is_terminal:
        console.print(f"\n[bold]{escape(text)}[/]", soft_wrap=True)


def paragraph(text: str) -> None:
    console.print(escape(textwrap.indent(_filled(text, 2), "  ")), soft_wrap=True)


def field(label: str, text: str) -> None:
    body = textwrap.indent(_filled(text, LABEL), " " * LABEL).lstrip()
    console.print(f"  [bold]{label:<{LABEL - 3}}[/] {escape(body)}", soft_wrap=True)


def _filled(text: str, indent: int) -> str:
    """The text on lines that fit a terminal, no word broken; on one line in a pipe."""
    if not console.is_terminal:
        return text
    width = max(min(WIDEST, console.width - indent), LEAST)
    return textwrap.fill(text, width, break_long_words=False, break_on_hyphens=False)


def answer(told: Answer) -> None:
    """Print the answer to a question."""
    console.print(f"[bold]{told.verdict}[/] {escape(told.says)}", soft_wrap=True)
    point = ", ".join(f"{name} = {value}" for name, value in (told.witness or {}).get("point", {}).items())
    sides = [f"{side} = {told.witness[side]}" for side in ("left", "right") if told.witness and side in told.witness]
    for label, text in (("fails at", point), ("there", ", ".join(sides)), ("trusts", ", ".join(told.trusts))):
        if text:
            field(label, text)
    for line in told.reason.split("; ") if told.reason else ():
        field("reason", line)


def rechecked(summary: Summary, *, every_statement: bool = False, core: bool = False) -> int:
    """Print what was accepted; on request each statement in the checker's words, for people to compare with the
    sentence.

    core: whether to tell how much rests on the core of the checker alone, and what the others need.
    """
    is_read = every_statement and not summary.rejected  # premises of a rejected ledger are not read
    known = Mistakes(entry for paper in summary.papers for entry in paper["entries"]) if is_read else None
    for entry in summary.entries if every_statement else ():
        said = f"[bold]{escape(entry['id'])}[/] {entry['verdict'] or entry['kind']}"
        console.print(f"{said}: {escape(str(entry['says']))}", soft_wrap=True)
        for label, key in (("asserts", "formula"), ("supposes", "hypotheses"), ("trusts", "trusts")):
            for line in entry[key]:
                field(label, line)
        if argued := known.arguments(entry) if known else ():
            field("argued", f"it rests on what a person argues: {', '.join(each['id'] for each in argued)}")
    if core:
        shown = summary.accepted.total() + summary.undecided["argued"]
        alone = sum(bool(entry["trusts"]) and all(map(in_core, entry["trusts"])) for entry in summary.entries)
        needs = Counter(used for entry in summary.entries for used in entry["trusts"] if not in_core(used))
        console.print(f"by the core alone: {alone} of {shown}; others need", soft_wrap=True)
        rows([(str(count), name) for name, count in needs.most_common()], indent="  ")
    faults(f"{name}: {sentence}" for name, sentence in summary.rejected)
    accepted = ", ".join(f"{count} {verdict}" for verdict, count in sorted(summary.accepted.items()))
    undecided = "".join(f"; {verdict}: {count}" for verdict, count in sorted(summary.undecided.items()))
    ends = f"rejected: {len(summary.rejected)}; without certificate: {summary.without}"
    if any(summary.prints.values()):
        read = ", ".join(f"{count} {kind}" for kind, count in summary.prints.items())
        console.print(f"printed formulas that were read again: {read}", soft_wrap=True)
    if summary.outside:
        count, example = len(summary.outside), summary.outside[0]
        console.print(f"names of entries that the ledger does not have: {count}, such as {example}", soft_wrap=True)
    console.print(f"accepted: {accepted or 'nothing'}{undecided}; {ends}", soft_wrap=True)
    console.print(f"sha256 {summary.sha256}", soft_wrap=True)
    return 0 if summary.clean else 1
