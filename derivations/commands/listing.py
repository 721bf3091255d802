"""Which entries are listed: those with a verdict, about an equation, or in which words occur; and the list itself."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from derivations.audit.verify import judge_or_tell
from derivations.commands import screen, terminal
from derivations.commands.selection import Work, equation_in
from derivations.paper.entries import Claim, Entry
from derivations.paper.model import Paper
from derivations.paper.naming import PaperError
from derivations.prove.certificate import Verdict


def verdicts_asked(*, refuted: bool, unsettled: bool) -> set[Verdict]:
    """The verdicts that are asked for; none means any."""
    return {v for v, asked in ((Verdict.REFUTED, refuted), (Verdict.OPEN, unsettled)) if asked}


def about(work: Work, number: int | None) -> Work:
    """Return the same work, of entries about one equation alone; refused where there are none."""
    if number is None:
        return work
    covering = [(p, [e for e in entries or p.entries.values() if number in e.numbers]) for p, entries in work]
    if not any(entries for _, entries in covering):
        raise PaperError(f"no entry names Eq. {number} as its place: `derivations list` shows every place")
    return [(paper, entries) for paper, entries in covering if entries]


def with_verdict(work: Work, asked: set[Verdict]) -> Work:
    """The claims with one of the verdicts: the one that the paper states, or computed in files of a user's own."""
    if not asked:
        return work
    return [(p, [e for e in entries or p.entries.values() if _verdict(p, e) in asked]) for p, entries in work]


def _verdict(paper: Paper, entry: Entry) -> Verdict | None:
    if not isinstance(entry, Claim):
        return None
    return judge_or_tell(entry).verdict if paper.file else entry.expect


def joined(words: Iterable[str]) -> list[str]:
    """The words, and an equation that was typed as two of them as one.

    >>> joined(["eq", "7", "half"])
    ['eq 7', 'half']
    """
    merged: list[str] = []
    for word in words:
        if word.isdigit() and merged and merged[-1].rstrip(".").casefold() in ("eq", "equation"):
            merged[-1] += f" {word}"
        else:
            merged.append(word)
    return merged


def with_words(work: Work, words: Iterable[str]) -> Work:
    """The entries in which all words occur, in any case of letters; an equation is one word, as in "Eq. 7"."""
    wanted = list(words)
    return [(p, [e for e in entries or p.entries.values() if _has(e, wanted)]) for p, entries in work]


def _has(entry: Entry, words: list[str]) -> bool:
    latex = entry.printed.latex if entry.printed else ""
    text = " ".join((entry.id, *entry.where, entry.says, entry.quote, latex)).casefold()
    return all(_is_about(entry, word) if _equation(word) else word.casefold() in text for word in words)


def _equation(word: str) -> int | None:
    return None if word.isdigit() else equation_in(word)


def _is_about(entry: Entry, word: str) -> bool:
    return _equation(word) in entry.numbers


def write(work: Work, *, papers_alone: bool) -> bool:
    """A line for each entry; on a terminal, where nothing was named, one for each paper. Whether there is any."""
    if papers_alone and terminal.console.is_terminal:
        terminal.rows([(Text(p.key, "bold"), f"{len(p.entries)} entries", p.title) for p, _ in work])
        terminal.console.print("Next: `derivations list KEY`, or `derivations find WORD`", soft_wrap=True)
        return True
    shown = [(paper, entries) for paper, entries in work if entries is None or entries]
    for paper, entries in shown:
        screen.entries(paper, entries)
    return bool(shown)
