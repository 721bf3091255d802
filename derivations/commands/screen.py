"""Tables and progress bars on the terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from derivations.audit.ledger import hypotheses
from derivations.audit.mutants import Tally
from derivations.audit.verify import Outcome, Report, judge
from derivations.audit.witness_text import witness_text
from derivations.language import show
from derivations.paper.model import Claim, Entry, Paper
from derivations.prove.certificate import Certificate, Verdict
from derivations.recheck import Summary


class Screen(Console):
    """A console that leaves a closed pipe to the command line, for which it is no mistake."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


console = Screen(highlight=False)
MOST_LINES, MOST_CHARACTERS = 6, 600  # of a statement on the terminal; `verify --json` has it whole
COLOUR = {Verdict.PROVED: "green", Verdict.CERTIFIED: "cyan", Verdict.REFUTED: "magenta", Verdict.OPEN: "yellow"}


@contextmanager
def progress(what: str, total: int | None) -> Iterator[Callable[[str], None]]:
    """A bar on standard error that disappears when the work is done."""
    columns = (
        TextColumn(what),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
    )
    screen = Console(stderr=True)  # where it is no terminal, a bar would leave empty lines
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as bar:
        task = bar.add_task("", total=total)
        yield lambda name: bar.update(task, advance=1, description=escape(name))


def report(found: Report) -> None:
    """One paper: a row for every entry, timings, and a summary line."""
    table = Table(title=escape(f"{found.paper.key}: {found.paper.title}"), title_justify="left", expand=False)
    for column, style in (("where", "bold"), ("claim", ""), ("verdict", ""), ("by", "dim")):
        table.add_column(column, style=style, overflow="fold")
    table.add_column("ms", justify="right")
    for o in found.outcomes:
        by = o.certificate.method if o.certificate else ""
        table.add_row("; ".join(o.entry.where), o.entry.name, verdict_text(o), escape(by), f"{1000 * o.seconds:.0f}")
    console.print(table)
    counts = ", ".join(f"{found.count(v)} {v.value}" for v in Verdict)
    others = sum(o.certificate is None for o in found.outcomes)
    covered = (
        f"{found.paper.numbered - len(found.missing)} of {found.paper.numbered} numbered equations covered; "
        if found.whole
        else ""
    )
    seconds = sum(o.seconds for o in found.outcomes)
    console.print(f"{covered}{counts}, {others} definitions and experiments; {seconds:.1f} s\n")


def verdict_text(outcome: Outcome) -> str:
    if outcome.certificate is None:
        return f"[dim]{outcome.entry.kind}[/dim]"
    verdict = outcome.certificate.verdict
    wrong = isinstance(outcome.entry, Claim) and verdict is not outcome.entry.expect
    return f"[{'bold red' if wrong else COLOUR[verdict]}]{verdict.value}[/]"


def faults(sentences: list[str]) -> None:
    for sentence in sentences:
        console.print(f"[bold red]fault[/] {escape(sentence)}", soft_wrap=True)


def entries(paper: Paper) -> None:
    table = Table(title=escape(f"{paper.key}: {paper.title}"), title_justify="left")
    for column in ("where", "id", "kind", "says"):
        table.add_column(column, overflow="fold")
    for e in paper.entries.values():
        table.add_row("; ".join(e.where), e.id, e.kind, escape(e.says))
    console.print(table)


def entry(shown: Entry) -> None:
    """Everything known about one entry."""
    from derivations.paper.library import find, impact, library

    outcome = judge(shown)
    console.print(f"[bold]{escape(shown.id)}[/] ({'; '.join(shown.where)})")
    _paragraph(shown.says)
    if shown.printed:
        _field("printed", shown.printed.readable())
        _field("LaTeX", shown.printed.latex)
        for note in outcome.notes:
            _field("note", note)
    if outcome.certificate:
        _certificate(outcome.certificate)
    if isinstance(shown, Claim) and shown.corrected_by:
        correction = find(shown.corrected_by)
        _field("correction", f"{correction.id}: {correction.says}")
        if correction.printed:
            _field("corrected", correction.printed.readable())
            _field("LaTeX", correction.printed.latex)
    if shown.rests_on:
        _field("rests on", ", ".join(shown.rests_on))
    users = impact(shown.id, library().values())
    if users:
        _field("impact", f"{len(users)} entries and kernels use it; `derivations show {shown.id} --impact` lists them")
    for sentence in outcome.faults:
        faults([sentence])


def _certificate(certificate: Certificate) -> None:
    colour = COLOUR[certificate.verdict]
    console.print(
        f"  [bold]{'verdict':<11}[/] [{colour}]{certificate.verdict.value}[/] by {escape(certificate.method)}"
    )
    if certificate.reason:
        _field("reason", certificate.reason)
    for line in show.sentences(certificate.statement)[:MOST_LINES]:
        _field("judged", textwrap.shorten(line, MOST_CHARACTERS, placeholder=" ..."))
    for formula in show.formulas(certificate.statement)[:MOST_LINES]:
        if len(formula) <= MOST_CHARACTERS:
            _field("in LaTeX", formula)
    told = hypotheses(certificate)
    if told:
        _field("hypotheses", "; ".join(told))
    if certificate.witness:
        _field("witness", witness_text(certificate.witness))


def _paragraph(text: str) -> None:
    console.print(textwrap.indent(textwrap.fill(escape(text), 100), "  "), soft_wrap=True)


def _field(label: str, text: str) -> None:
    body = textwrap.indent(textwrap.fill(text, 100, break_long_words=False, break_on_hyphens=False), " " * 14).lstrip()
    console.print(f"  [bold]{label:<11}[/] {escape(body)}", soft_wrap=True)


def impact(shown: Entry, users: list[str]) -> None:
    console.print(f"[bold]{escape(shown.id)}[/] is used by {len(users)} entries and kernels")
    for user in users:
        console.print(f"  {escape(user)}")


def rechecked(summary: Summary) -> int:
    faults([f"{name}: {sentence}" for name, sentence in summary.rejected])
    accepted = ", ".join(f"{count} {verdict}" for verdict, count in sorted(summary.accepted.items()))
    console.print(
        f"accepted: {accepted or 'nothing'}; rejected: {len(summary.rejected)}; without certificate: {summary.without}"
    )
    return 0 if summary.clean else 1


def lies(tallies: list[Tally], counts: dict[str, int]) -> None:
    table = Table(title="lies", title_justify="left")
    table.add_column("claim", overflow="fold")
    names = ("mutants", "killed", "equivalent", "weaker", "repaired", "open", "survived")
    for name in names:
        table.add_column(name, justify="right")
    for t in tallies:
        row = (t.total, t.killed, t.equivalent, len(t.weaker), len(t.repaired), len(t.open), len(t.survived))
        table.add_row(t.claim, *map(str, row))
    table.add_section()
    table.add_row("all", *(str(counts.get(name, 0)) for name in names))
    console.print(table)
    for t in tallies:
        for label, found in (("weaker but true", t.weaker), ("repairs the printed formula", t.repaired)):
            for what in found:
                console.print(f"  {label}: {escape(t.claim)}: {escape(what)}", soft_wrap=True)
