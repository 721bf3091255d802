"""The answers of `show`: entries in full, or what became of one equation, the mistakes first."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from derivations.commands import screen, terminal
from derivations.commands.selection import Work, chosen, equation_in
from derivations.paper.entries import Claim, Entry
from derivations.paper.library import impact, library
from derivations.paper.model import Paper
from derivations.prove.certificate import Verdict
from derivations.text import counted


def show(word: str, *, with_impact: bool, **how: bool) -> int:
    """Everything known of what a word names; for the number of an equation that several papers have, where to look.

    how: `whole` statements, and formulas `in_latex`.

    The exit status is 1 where a claim cannot be judged.
    """
    work, number = chosen([word]), _number(word)
    if number is not None and len(work) > 1:
        _where(work, number)
        return 0
    judged = []
    for paper, entries in work:
        papers = [paper] if paper.file else [*library().values()]
        if number is not None and entries is not None and len(entries) > 1:
            judged.append(_equation(paper, number, entries, papers, **how))
        else:
            judged.append(
                _entries(paper, [*(entries or paper.entries.values())], papers, with_impact=with_impact, **how)
            )
    return 0 if all(judged) else 1


def _number(word: str) -> int | None:
    return equation_in(word) or equation_in(word.rpartition(":")[2])


def _entries(
    paper: Paper, entries: Sequence[Entry], papers: Sequence[Paper], *, with_impact: bool, **how: bool
) -> bool:
    """Entries in full, one below the other; whether all of them could be judged."""
    from derivations.audit.inheritance import heirs

    judged = True
    for n, entry in enumerate(entries):
        if n:
            print()
        judged &= screen.entry(entry, papers, file=paper.file, **how)
        if with_impact:
            screen.impact(entry, impact(entry.id, papers), heirs(paper, entry.id))
    return judged


def _where(work: Work, number: int) -> None:
    """A line for each paper that has an equation of this number: how many entries, and how many are refuted."""
    lines = []
    for paper, entries in work:
        refuted = sum(isinstance(e, Claim) and e.expect is Verdict.REFUTED for e in entries or ())
        counts = f"{counted(len(entries or ()), 'entry', 'entries')}, {refuted} refuted"
        lines.append((f"derivations show {paper.file or paper.key}:Eq.{number}", counts, paper.title))
    terminal.rows(lines)


def _equation(paper: Paper, number: int, entries: Sequence[Entry], papers: Sequence[Paper], **how: bool) -> bool:
    """Print everything said in full, wrong formulas first; then a line for everything else that is said of it."""
    printed = [e for e in entries if e.printed is not None or e.kind == "definition"]
    corrections = {e.corrected_by for e in printed if isinstance(e, Claim)}
    printed.sort(key=lambda e: not (isinstance(e, Claim) and e.expect is Verdict.REFUTED))
    judged = _entries(paper, printed or entries, papers, with_impact=False, **how)
    others = [e for e in entries if e not in (printed or entries) and e.id not in corrections]
    if others:
        title = counted(len(others), "more entry", "more entries")
        print(f"\n{title} about Eq. {number}; `derivations verify {paper.file or paper.key} --eq {number}` judges all:")
        terminal.rows([(Text(e.name, "bold"), _kind(e), f"{'; '.join(e.where)}: {e.says}") for e in others])
    return judged


def _kind(entry: Entry) -> str:
    """The verdict that a paper states for a claim, and the kind of any other entry."""
    return entry.expect.value if isinstance(entry, Claim) else entry.kind
