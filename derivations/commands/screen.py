"""What every command writes: rows, progress bars, faults, and one entry in full."""

from __future__ import annotations

import signal
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Column
from rich.text import Text

from derivations import __version__
from derivations.audit.ledger import hypotheses, not_needed, plain
from derivations.audit.lies.statements import Tally
from derivations.audit.probe import Confrontation
from derivations.audit.verify import Outcome, judge_or_tell
from derivations.audit.witness_text import reason
from derivations.language import show
from derivations.language.show import tubes
from derivations.paper.model import Claim, Entry, Paper
from derivations.prove import decide
from derivations.prove.certificate import Certificate, Verdict
from derivations.prove.rules import remedies
from derivations.prove.rules.remedies import hypotheses_that_help, in_words
from derivations.recheck import Summary
from derivations.recheck.ways import primitives
from derivations.text import counted


class Screen(Console):
    """A console that leaves a closed pipe to the command line, for which it is no mistake."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


console = Screen(highlight=False)
MOST_LINES, MOST_CHARACTERS = 6, 600  # of a statement on the terminal; `verify --json` has it whole
LEAST = 30  # characters that the last cell of a row needs beside the others
WIDEST = 100  # of a paragraph: longer lines are hard to read
LABEL = 14  # what stands before a field
COLOUR = {
    Verdict.PROVED: "green",
    Verdict.CERTIFIED: "cyan",
    Verdict.REFUTED: "magenta",
    Verdict.ARGUED: "blue",
    Verdict.OPEN: "yellow",
}
FIRST_LINE, NEXT_LINE = 2, 10  # seconds until progress is told where it is no terminal
TICK = 1.0  # seconds between looks at whether it is time
BARS = 70  # characters of a progress bar with what stands before it
Cell = str | Text


@contextmanager
def progress(work: Iterable[tuple[str, int | None]]) -> Iterator[Callable[[str, str], None]]:
    """What has been done, on standard error: on a terminal a bar for each part of the work, otherwise a line at times.

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


def verdict_text(outcome: Outcome) -> Text:
    """The verdict in its colour, red where another one is expected; the kind of an entry that claims nothing."""
    if outcome.certificate is None:
        return Text(outcome.entry.kind, "dim")
    verdict = outcome.certificate.verdict
    wrong = isinstance(outcome.entry, Claim) and verdict is not outcome.entry.expect
    return Text(verdict.value, "bold red" if wrong else COLOUR[verdict])


def faults(sentences: Iterable[str]) -> None:
    for sentence in sentences:
        console.print(f"[bold red]fault[/] {escape(sentence)}", soft_wrap=True)


def heading(text: str) -> None:
    """A line above rows, for people only."""
    if console.is_terminal:
        console.print(f"\n[bold]{escape(text)}[/]", soft_wrap=True)


def entries(paper: Paper, chosen: Sequence[Entry] | None = None) -> None:
    """A row for each entry of a paper, or for those that were chosen."""
    heading(f"{paper.key}: {paper.title}")
    shown = [(Text(e.name if console.is_terminal else e.id, "bold"), e) for e in chosen or paper.entries.values()]
    rows([(name, e.kind, *place_and("; ".join(e.where), e.says)) for name, e in shown])


def entry(shown: Entry, papers: Collection[Paper], file: str = "") -> bool:
    """Everything known about one entry, and how many entries of these papers use it; whether it could be judged.

    `file` is where the user has it, when it is in no library.
    """
    from derivations.paper.library import direct_users, find, reached_from

    outcome = judge_or_tell(shown)
    console.print(f"[bold]{escape(shown.id)}[/] ({escape('; '.join(shown.where))})", soft_wrap=True)
    _paragraph(shown.says)
    if shown.printed:
        _field("printed", shown.printed.readable())
        _field("LaTeX", shown.printed.latex)
        for note in outcome.notes:
            _field("note", note)
    if outcome.certificate:
        _certificate(outcome.certificate, reason(outcome) if outcome.verdict is Verdict.REFUTED else "")
    if hint := what_to_try(outcome, file):
        _field("try", hint)
    if isinstance(shown, Claim) and shown.because:
        _field("because", shown.because)
    if isinstance(shown, Claim) and shown.corrected_by:
        inside = any(shown.corrected_by.startswith(f"{paper.key}:") for paper in papers)
        correction = find(shown.corrected_by, papers if inside else None)
        _field("correction", f"{correction.id}: {correction.says}")
        told = next((p.corrections[shown.id].formula for p in papers if shown.id in p.corrections), correction.printed)
        if told:
            _field("corrected", told.readable())
            _field("LaTeX", told.latex)
    if isinstance(shown, Claim) and shown.changes:
        _field("changes", shown.changes)
    if shown.rests_on:
        _field("rests on", ", ".join(shown.rests_on))
    if argued := arguments(shown, papers):
        _field("argued", f"it rests on what a person argues: {', '.join(argued)}")
    users = reached_from(shown.id, direct_users(papers, with_kernels=False))
    if users:
        asked = f"{file}:{shown.name}" if file else shown.id
        said = counted(len(users), "entry uses", "entries use")
        _field("impact", f"{said} it; `derivations show {asked} --impact` lists them")
    if outcome.certificate:
        _field("certificate", f"sha256 {outcome.certificate.sha256}, version {__version__}")
    faults(outcome.faults)
    return not outcome.is_broken


def arguments(shown: Entry, papers: Iterable[Paper]) -> list[str]:
    """The ids of argued claims that an entry rests on, directly or through others, in its paper."""
    if not shown.rests_on:
        return []
    entries = {e.id: e for paper in papers for e in paper.entries.values()}
    waiting, reached = list(shown.rests_on), set[str]()
    while waiting:
        if (name := waiting.pop()) not in reached and name in entries:
            reached.add(name)
            waiting += entries[name].rests_on
    argued = (entries[name] for name in sorted(reached))
    return [e.id for e in argued if isinstance(e, Claim) and e.expect is Verdict.ARGUED]


def _certificate(certificate: Certificate, witness: str) -> None:
    colour = COLOUR[certificate.verdict]
    console.print(
        f"  [bold]{'verdict':<11}[/] [{colour}]{certificate.verdict.value}[/] by {escape(certificate.method)}",
        soft_wrap=True,
    )
    for line in certificate.reason.split("; ") if certificate.reason else ():
        _field("reason", line)
    for line in show.sentences(certificate.statement)[:MOST_LINES]:
        _field("judged", textwrap.shorten(line, MOST_CHARACTERS, placeholder=" ..."))
    for name, line in tubes.told(certificate.statement, certificate.payload):
        _field(name, textwrap.shorten(line, MOST_CHARACTERS, placeholder=" ..."))
    for formula in show.formulas(certificate.statement)[:MOST_LINES]:
        if len(formula) <= MOST_CHARACTERS:
            _field("in LaTeX", formula)
    told = hypotheses(certificate)
    if told:
        _field("hypotheses", "; ".join(told))
    if used := primitives(plain(certificate)):
        _field("trusts", ", ".join(used))
    if spare := not_needed(certificate):
        _field("not needed", "; ".join(spare))
    if witness:
        _field("witness", witness)
    if certificate.verdict is Verdict.REFUTED and (found := hypotheses_that_help(certificate, decide)):
        _field("remark", f"holds with {in_words(found)}")


def what_to_try(outcome: Outcome, file: str = "") -> str:
    """For a statement that is left open: the hypothesis that decides it, or the next thing to do."""
    certificate = outcome.certificate
    if certificate is None or certificate.verdict is not Verdict.OPEN:
        return ""
    if found := hypotheses_that_help(certificate, decide):
        return f"with the hypothesis {in_words(found)} it is decided: given=[{in_words(found).replace(' and ', ', ')}]"
    asked = f"{file}:{outcome.entry.name}" if file else outcome.entry.id
    return remedies.what_to_try(certificate, asked)


def _paragraph(text: str) -> None:
    console.print(escape(textwrap.indent(_filled(text, 2), "  ")), soft_wrap=True)


def _field(label: str, text: str) -> None:
    body = textwrap.indent(_filled(text, LABEL), " " * LABEL).lstrip()
    console.print(f"  [bold]{label:<{LABEL - 3}}[/] {escape(body)}", soft_wrap=True)


def _filled(text: str, indent: int) -> str:
    """The text on lines that fit a terminal, no word broken; on one line in a pipe."""
    if not console.is_terminal:
        return text
    width = max(min(WIDEST, console.width - indent), LEAST)
    return textwrap.fill(text, width, break_long_words=False, break_on_hyphens=False)


def impact(shown: Entry, users: list[str], heirs: list[str]) -> None:
    """What rests on an entry, and whose verdict changes when its correction is put in its place."""
    told = [(f"is used by {len(users)} entries and kernels", users)]
    told += [("has a mistake that is inherited by", heirs)] if heirs else []
    for what, names in told:
        console.print(f"[bold]{escape(shown.id)}[/] {what}", soft_wrap=True)
        for name in names:
            console.print(f"  {escape(name)}", soft_wrap=True)


def rechecked(summary: Summary, *, every_statement: bool = False, core: bool = False) -> int:
    """What was accepted; on request each statement in the checker's words, for people to compare with the sentence.

    core: whether to tell how much rests on the core of the checker alone, and what the others need.
    """
    arguments = summary.arguments if every_statement else {}
    for entry in summary.entries if every_statement else ():
        said = f"[bold]{escape(entry['id'])}[/] {entry['verdict'] or entry['kind']}"
        console.print(f"{said}: {escape(str(entry['says']))}", soft_wrap=True)
        for label, key in (("asserts", "formula"), ("supposes", "hypotheses"), ("trusts", "trusts")):
            for line in entry[key]:
                _field(label, line)
        if argued := arguments.get(entry["id"]):
            _field("argued", f"it rests on what a person argues: {', '.join(argued)}")
    if core:
        shown = summary.accepted.total() + summary.undecided["argued"]
        console.print(f"by the core alone: {summary.by_core_alone} of {shown}; others need", soft_wrap=True)
        rows([(str(count), name) for name, count in summary.needs.most_common()], indent="  ")
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


def lies(tallies: list[Tally], counts: dict[str, int]) -> None:
    """One line for every claim and one for all; then the mutants that are weaker but true, or mend a formula."""
    names = ("killed", "equivalent", "weaker", "repaired", "open", "survived")
    lines: list[tuple[str, Sequence[int]]] = [
        (t.claim, (t.killed, t.equivalent, len(t.weaker), len(t.repaired), len(t.open), len(t.survived)))
        for t in tallies
    ]
    lines.append(("all", [counts.get(name, 0) for name in names]))
    rows([(Text(claim, "bold"), f"{sum(found)} mutants", _counted(names, found)) for claim, found in lines])
    for t in tallies:
        for label, what in (("weaker but true", t.weaker), ("repairs the printed formula", t.repaired)):
            for mutant in what:
                console.print(f"  {label}: {escape(t.claim)}: {escape(mutant)}", soft_wrap=True)


def _counted(names: Sequence[str], counts: Sequence[int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in zip(names, counts, strict=True) if count)


def probed(found: Sequence[Confrontation]) -> int:
    """What instances said of decided claims; the exit status is 1 when one contradicts a claim."""
    empty = [confrontation.id for confrontation in found if confrontation.is_empty]
    wrong = [confrontation for confrontation in found if confrontation.contradictions]
    met = sum(confrontation.met for confrontation in found)
    print(f"{len(found)} claims met {met} instances; {len(wrong)} contradicted")
    if empty:
        print(f"{len(empty)} have statements for which no instance can be drawn: {', '.join(empty)}")
    for confrontation in wrong:
        print(f"{confrontation.id}: {confrontation.contradictions[0]}")
    return 1 if wrong else 0


def fates(told: Mapping[str, Any]) -> None:
    """What noticed mutants of the library, and those that nothing noticed."""
    shares = ", ".join(f"{number} by {how}" for how, number in told["noticed"].items())
    noticed, survivors = sum(told["noticed"].values()), told["survived"]
    print(f"{told['mutants']} mutants: {noticed} noticed ({shares}), {told['same']} mean the same, ", end="")
    print("\n".join([f"{len(survivors)} survived", *(f"survived: {name}" for name in survivors)]))
