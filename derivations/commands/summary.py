"""The output of `verify`: verdicts counted by class, the causes of mistakes, or a row for every entry."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from rich import box
from rich.table import Table
from rich.text import Text

from derivations.audit import ledger
from derivations.audit.mistakes import Mistakes
from derivations.audit.verify import Outcome, Report
from derivations.audit.witness_text import reason
from derivations.commands import screen, terminal
from derivations.paper.entries import Claim
from derivations.prove.certificate import Verdict
from derivations.recheck.ledgers.reading import formula

SHORT, SHORT_STATEMENT = 120, 400  # characters of a witness, and of what was judged
INHERIT = "more inherit these mistakes"
READ = "fail only in one reading, or once a hypothesis is dropped"
Counts = list[tuple[Report, dict[str, Counter[str]]]]


def summary(reports: Sequence[Report], *, every_row: bool, only: Collection[Verdict] = ()) -> None:
    """All that was found, without the time it took, so that it reads the same whenever it is computed.

    Entries that were asked for by their ids are shown one by one, as with `every_row`; `only` those with some verdicts.
    """
    if only:
        for report in reports:
            _every_row(report, [o for o in report.outcomes if o.verdict in only])
        faults(reports)
        return
    known = [(report, ledger.errata(report)) for report in reports]
    for report in reports:
        if every_row or not report.whole:
            _every_row(report, report.outcomes)
    whole = [(report, errata) for report, errata in known if report.whole]
    if whole:
        _counted([(report, errata.by_class) for report, errata in whole])
    for report, errata in whole:
        if not every_row:
            _mistakes(report, errata)
    faults(reports)


def faults(reports: Iterable[Report]) -> None:
    """Everything that is not as it should be; of a claim that should hold and does not, what was judged, and why.

    For one that is left open it is told what to try.
    """
    for report in reports:
        terminal.faults(report.faults)
        for outcome in report.outcomes:
            entry = outcome.entry
            if outcome.verdict is Verdict.REFUTED and isinstance(entry, Claim) and entry.expect is not Verdict.REFUTED:
                for label, text in (("judged", _judged(outcome)), ("witness", reason(outcome, SHORT))):
                    line = Text.assemble((f"{label} ", "bold"), f"{entry.id}: {text}")
                    terminal.console.print(line, soft_wrap=True)
            if outcome.faults and (hint := screen.what_to_try(outcome, report.paper.file)):
                terminal.console.print(Text.assemble(("try ", "bold"), f"{entry.id}: {hint}"), soft_wrap=True)


def _judged(outcome: Outcome) -> str:
    """The statement of a claim on one line."""
    lines = formula(outcome.certificate.statement) if outcome.certificate else []
    return textwrap.shorten("; ".join(lines), SHORT_STATEMENT, placeholder=" ...")


def next_steps(reports: Sequence[Report], seconds: float, jobs: int) -> None:
    """For people only: how long it took, and what to do next."""
    if not terminal.console.is_terminal:
        return
    outcomes = [o for report in reports for o in report.outcomes]
    known = {o.entry.id: o for o in outcomes}
    causes = [known[e["id"]] for report in reports if report.whole for e in ledger.errata(report).mistakes]
    faulty = [o for o in outcomes if o.faults]
    example = _asked_for((faulty or causes or outcomes)[0], reports)
    processes = "one process" if jobs == 1 else f"{jobs} processes"
    meant = "mend the faults above" if any(report.faults for report in reports) else "see the evidence for one of them"
    for line in (
        f"\n{len(outcomes)} entries judged in {seconds:.1f} s by {processes}.",
        f"Next: {meant}, e.g. [bold]derivations show {example}[/];",
        "`derivations verify --all` prints every row, and `--json FILE` writes the ledger.",
    ):
        terminal.console.print(line, soft_wrap=True)


def _asked_for(outcome: Outcome, reports: Sequence[Report]) -> str:
    """Return what `show` finds it by: the name alone, or the file of a user's own and the name."""
    files = {report.paper.key: report.paper.file for report in reports}
    file = files.get(outcome.entry.paper)
    return f"{file}:{outcome.entry.name}" if file else outcome.entry.name


# --- the parts --------------------------------------------------------------------------------------------------------


def _every_row(report: Report, outcomes: Sequence[Outcome]) -> None:
    if not outcomes:
        return
    terminal.heading(f"{report.paper.key}: {report.paper.title}")
    lines: list[tuple[terminal.Cell, ...]] = []
    for o in outcomes:
        where, by = "; ".join(o.entry.where), o.certificate.method if o.certificate else ""
        if argued := screen.arguments(o.entry, [report.paper]):
            by += f", resting on the argument {', '.join(argued)}"
        if words := screen.free_words_of(o):
            by += f"; free words: {words}"
        tail = (f"{where} ({by})" if by else where,) if terminal.console.is_terminal else (where, by)
        lines.append((_name(o), screen.verdict_text(o), *tail))
    terminal.rows(lines)


def _counted(counts: Counts) -> None:
    """One table for all papers: a line for every class of claims, a column for every verdict that occurs."""
    total = sum((verdicts for _, classes in counts for verdicts in classes.values()), Counter[str]())
    shown = [verdict for verdict in Verdict if total[verdict.value]]
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("claims", no_wrap=True)
    for verdict in shown:
        table.add_column(verdict.value, justify="right", no_wrap=True, style=screen.COLOUR[verdict])
    lines = []
    for report, classes in counts:
        table.add_row(Text(report.paper.key, "bold"))
        for name, verdicts in classes.items():
            table.add_row(f"  {name}", *(str(verdicts[v.value] or "") for v in shown))
            said = (f"{verdicts[v.value]} {v.value}" for v in shown if verdicts[v.value])
            lines.append((report.paper.key, name, ", ".join(said)))
        covered = _covered(report)
        table.add_row(Text(f"  {covered[1]}", "dim"))
        lines.append(covered)
    console = terminal.console
    if (
        console.is_terminal
        and console.measure(table, options=console.options.update(width=10_000)).maximum <= console.width
    ):
        console.print(table)
    else:
        terminal.rows(lines)


def _covered(report: Report) -> tuple[str, str, str]:
    """How many numbered equations are covered, and how many entries claim nothing."""
    covered = report.paper.numbered - len(report.missing)
    others = sum(o.certificate is None and not o.is_broken for o in report.outcomes)
    return (
        report.paper.key,
        f"{covered} of {report.paper.numbered} equations covered",
        f"{others} definitions and experiments",
    )


def _mistakes(report: Report, errata: Mistakes) -> None:
    """The causes alone; what inherits them, or fails in one reading only, is counted."""
    if not errata.refuted:
        return
    of = {o.entry.id: o for o in report.outcomes}
    for one, several, entries, says in (
        (
            "formula that does not hold, and what does",
            "formulas that do not hold, and what does",
            errata.mistakes,
            _correction,
        ),
        ("sentence that does not hold", "sentences that do not hold", errata.sentences, _claimed),
    ):
        if entries:
            outcomes = [of[e["id"]] for e in entries]
            title = one if len(outcomes) == 1 else several
            terminal.heading(f"{report.paper.key}: {len(outcomes)} {title}")
            terminal.rows([(_name(o), *terminal.place_and(_place(o), _labelled(*says(o, errata)))) for o in outcomes])
    counts = ((errata.inheriting, INHERIT), (errata.in_a_reading, READ))
    counted = [f"{count} {says}" for count, says in counts if count]
    if terminal.console.is_terminal:
        terminal.console.print(f"  [dim]{'; '.join(counted)}[/]", soft_wrap=True)
    else:
        terminal.rows([(report.paper.key, text) for text in counted])


def _name(outcome: Outcome) -> Text:
    """Return what `show` finds it by: the name alone where the paper stands above."""
    return Text(outcome.entry.name if terminal.console.is_terminal else outcome.entry.id, "bold")


def _place(outcome: Outcome) -> str:
    """The place of an entry; on a terminal without its details, which the sentence repeats."""
    where = outcome.entry.where
    return where[0].partition(",")[0] if terminal.console.is_terminal else "; ".join(where)


def _labelled(label: str, sentence: str) -> str:
    """Return what is said of a mistake; in a pipe, where no heading says it, with whether the sentence holds."""
    return sentence if terminal.console.is_terminal else f"{label}: {sentence}"


def _correction(outcome: Outcome, errata: Mistakes) -> tuple[str, str]:
    instead = errata.correction(errata.known[outcome.entry.id])
    return ("holds instead", str(instead["says"])) if instead else _claimed(outcome, errata)


def _claimed(outcome: Outcome, _: Mistakes) -> tuple[str, str]:
    return "does not hold", outcome.entry.says
