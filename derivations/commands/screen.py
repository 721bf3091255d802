"""The output of commands about entries: a row, or one entry in full; lies, and what instances said."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterable, Sequence

from rich.markup import escape
from rich.text import Text

from derivations import __version__
from derivations.audit.glosses import free_words
from derivations.audit.ledger import not_needed, plain
from derivations.audit.lies.sentences import Fates
from derivations.audit.lies.statements import Tally
from derivations.audit.probe import Confrontation
from derivations.audit.verify import Outcome, judge_or_tell
from derivations.audit.witness_text import reason
from derivations.commands import terminal
from derivations.language import show
from derivations.language.show import tubes
from derivations.paper.entries import Claim, Entry
from derivations.paper.model import Paper
from derivations.prove import decide
from derivations.prove.certificate import Certificate, Verdict
from derivations.prove.rules import remedies
from derivations.prove.rules.remedies import hypotheses_that_help, in_words
from derivations.recheck.ledgers.reading import sentence
from derivations.recheck.ways import primitives
from derivations.text import counted

MOST_LINES, MOST_CHARACTERS = 6, 600  # of a statement on the terminal, unless all of it is asked for
COLOUR = {
    Verdict.PROVED: "green",
    Verdict.CERTIFIED: "cyan",
    Verdict.REFUTED: "magenta",
    Verdict.ARGUED: "blue",
    Verdict.OPEN: "yellow",
}


def verdict_text(outcome: Outcome) -> Text:
    """The verdict in its colour, red where another one is expected; the kind of an entry that claims nothing."""
    if outcome.certificate is None:
        return Text(outcome.entry.kind, "dim")
    verdict = outcome.certificate.verdict
    wrong = isinstance(outcome.entry, Claim) and verdict is not outcome.entry.expect
    return Text(verdict.value, "bold red" if wrong else COLOUR[verdict])


def entries(paper: Paper, chosen: Sequence[Entry] | None = None) -> None:
    """A row for each entry of a paper, or for those that were chosen."""
    terminal.heading(f"{paper.key}: {paper.title}")
    is_terminal = terminal.console.is_terminal
    shown = [(Text(e.name if is_terminal else e.id, "bold"), e) for e in chosen or paper.entries.values()]
    terminal.rows([(name, e.kind, *terminal.place_and("; ".join(e.where), e.says)) for name, e in shown])


def entry(
    shown: Entry, papers: Collection[Paper], file: str = "", *, whole: bool = False, in_latex: bool = False
) -> bool:
    """Everything known about one entry, and how many entries of these papers use it; whether it could be judged.

    `file` is where the user has it, when it is in no library. whole: with every part of a long statement.
    """
    from derivations.paper.library import direct_users, find, reached_from

    outcome = judge_or_tell(shown)
    terminal.console.print(f"[bold]{escape(shown.id)}[/] ({escape('; '.join(shown.where))})", soft_wrap=True)
    if shown.printed:
        terminal.field("printed", shown.printed.latex if in_latex else shown.printed.readable())
        for note in outcome.notes:
            terminal.field("note", note)
    if outcome.certificate:
        _judged(outcome.certificate, whole=whole, in_latex=in_latex)
    terminal.field("in words", shown.says)
    if words := free_words_of(outcome):
        terminal.field("free words", f"{words}: nothing that was judged has them")
    if outcome.certificate:
        _certificate(outcome.certificate, reason(outcome) if outcome.verdict is Verdict.REFUTED else "")
    if hint := what_to_try(outcome, file):
        terminal.field("try", hint)
    if isinstance(shown, Claim) and shown.because:
        terminal.field("because", shown.because)
    if isinstance(shown, Claim) and shown.corrected_by:
        inside = any(shown.corrected_by.startswith(f"{paper.key}:") for paper in papers)
        correction = find(shown.corrected_by, papers if inside else None)
        terminal.field("correction", f"{correction.id}: {correction.says}")
        corrected = next(
            (p.corrections[shown.id].formula for p in papers if shown.id in p.corrections), correction.printed
        )
        if corrected:
            terminal.field("corrected", corrected.latex if in_latex else corrected.readable())
    if isinstance(shown, Claim) and shown.changes:
        terminal.field("changes", shown.changes)
    if shown.rests_on:
        terminal.field("rests on", ", ".join(shown.rests_on))
    if argued := arguments(shown, papers):
        terminal.field("argued", f"it rests on what a person argues: {', '.join(argued)}")
    users = reached_from(shown.id, direct_users(papers, with_kernels=False))
    if users:
        asked = f"{file}:{shown.name}" if file else shown.id
        said = counted(len(users), "entry uses", "entries use")
        terminal.field("impact", f"{said} it; `derivations show {asked} --impact` lists them")
    if outcome.certificate:
        terminal.field("certificate", f"sha256 {outcome.certificate.sha256}, version {__version__}")
    terminal.faults(outcome.faults)
    return not outcome.is_broken


def free_words_of(outcome: Outcome) -> str:
    """The words of a claim's gloss that stand in nothing that was judged, each once."""
    entry, certificate = outcome.entry, outcome.certificate
    if certificate is None:
        return ""
    record = {
        "kind": entry.kind,
        "says": entry.says,
        "where": entry.where,
        "sha256": f"{entry.id} {certificate.sha256}",
    }
    spans = free_words({**record, "certificate": {"statement": plain(certificate)["statement"]}})
    return ", ".join(dict.fromkeys(entry.says[start:end].lower() for start, end in spans))


def arguments(shown: Entry, papers: Iterable[Paper]) -> list[str]:
    """The ids of argued claims that an entry rests on, directly or through others, in its paper."""
    from derivations.paper.library import reached_from

    entries = {e.id: e for paper in papers for e in paper.entries.values()} if shown.rests_on else {}
    reached = reached_from(shown.id, {e.id: e.rests_on for e in entries.values()})
    argued = (entries[name] for name in reached if name in entries)
    return [e.id for e in argued if isinstance(e, Claim) and e.expect is Verdict.ARGUED]


def _judged(certificate: Certificate, *, whole: bool, in_latex: bool) -> None:
    """The sentence that was judged; of many or long parts the first ones, and how many there are."""
    supposed, lines = sentence(plain(certificate)["statement"])
    if in_latex and (formulas := show.formulas(certificate.statement)):
        lines = formulas
    terminal.field("judged", f"{supposed or 'always'}:")
    shown = (
        lines if whole else [textwrap.shorten(line, MOST_CHARACTERS, placeholder=" ...") for line in lines[:MOST_LINES]]
    )
    for number, line in enumerate(shown, 1):
        terminal.field(f"({number})" if len(lines) > 1 else "", line)
    if shown != lines:
        more = f"all {counted(len(lines), 'part', 'parts')} in full" if len(lines) > 1 else "it in full"
        terminal.field("", f"`--all` shows {more}")


def _certificate(certificate: Certificate, witness: str) -> None:
    colour = COLOUR[certificate.verdict]
    terminal.console.print(
        f"  [bold]{'verdict':<11}[/] [{colour}]{certificate.verdict.value}[/] by {escape(certificate.method)}",
        soft_wrap=True,
    )
    for line in certificate.reason.split("; ") if certificate.reason else ():
        terminal.field("reason", line)
    for name, line in tubes.told(certificate.statement, certificate.payload):
        terminal.field(name, textwrap.shorten(line, MOST_CHARACTERS, placeholder=" ..."))
    if used := primitives(plain(certificate)):
        terminal.field("trusts", ", ".join(used))
    if spare := not_needed(certificate):
        terminal.field("not needed", "; ".join(spare))
    if witness:
        terminal.field("witness", witness)
    if certificate.verdict is Verdict.REFUTED and (helpful := hypotheses_that_help(certificate, decide)):
        terminal.field("remark", f"holds with {in_words(helpful)}")


def what_to_try(outcome: Outcome, file: str = "") -> str:
    """For a statement that is left open: the hypothesis that decides it, or the next thing to do."""
    certificate = outcome.certificate
    if certificate is None or certificate.verdict is not Verdict.OPEN:
        return ""
    if helpful := hypotheses_that_help(certificate, decide):
        return (
            f"with the hypothesis {in_words(helpful)} it is decided: given=[{in_words(helpful).replace(' and ', ', ')}]"
        )
    asked = f"{file}:{outcome.entry.name}" if file else outcome.entry.id
    return remedies.what_to_try(certificate, asked)


def impact(shown: Entry, users: list[str], heirs: list[str]) -> None:
    """Print what rests on an entry, and whose verdict changes when its correction is put in its place."""
    groups = [(f"is used by {len(users)} entries and kernels", users)]
    groups += [("has a mistake that is inherited by", heirs)] if heirs else []
    for what, names in groups:
        terminal.console.print(f"[bold]{escape(shown.id)}[/] {what}", soft_wrap=True)
        for name in names:
            terminal.console.print(f"  {escape(name)}", soft_wrap=True)


def lies(tallies: list[Tally], counts: dict[str, int]) -> None:
    """One line for every claim and one for all; then the mutants that are weaker but true, or mend a formula."""
    names = ("killed", "equivalent", "weaker", "repaired", "open", "survived")
    lines: list[tuple[str, Sequence[int]]] = [
        (t.claim, (t.killed, t.equivalent, len(t.weaker), len(t.repaired), len(t.open), len(t.survived)))
        for t in tallies
    ]
    lines.append(("all", [counts.get(name, 0) for name in names]))
    terminal.rows([(Text(claim, "bold"), f"{sum(found)} mutants", _counted(names, found)) for claim, found in lines])
    for t in tallies:
        for label, what in (("weaker but true", t.weaker), ("repairs the printed formula", t.repaired)):
            for mutant in what:
                terminal.console.print(f"  {label}: {escape(t.claim)}: {escape(mutant)}", soft_wrap=True)


def lies_about_words(fates: Fates) -> None:
    """Print what became of changed sentences, by the kind of the change, and those that pass for what was judged."""
    names = ("refused", "about a person's words", "survived")
    rows: list[tuple[str, Sequence[int]]] = [(kind, fates.row(kind)) for kind in fates.kinds]
    rows.append(("all", [sum(column) for column in zip(*(row for _, row in rows), strict=True)] or [0, 0, 0]))
    terminal.rows([(Text(kind, "bold"), f"{sum(row)} lies", _counted(names, row)) for kind, row in rows])
    for kind, survivors in fates.survived.items():
        for lie in survivors:
            terminal.console.print(f"  {kind}: {escape(lie)}", soft_wrap=True)


def _counted(names: Sequence[str], counts: Sequence[int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in zip(names, counts, strict=True) if count)


def probed(confrontations: Sequence[Confrontation]) -> int:
    """Print what instances said of decided claims; the exit status is 1 when one contradicts a claim."""
    empty = [confrontation.id for confrontation in confrontations if confrontation.is_empty]
    wrong = [confrontation for confrontation in confrontations if confrontation.contradictions]
    met = sum(confrontation.met for confrontation in confrontations)
    print(f"{len(confrontations)} claims met {met} instances; {len(wrong)} contradicted")
    if empty:
        print(f"{len(empty)} have statements for which no instance can be drawn: {', '.join(empty)}")
    for confrontation in wrong:
        print(f"{confrontation.id}: {confrontation.contradictions[0]}")
    return 1 if wrong else 0
