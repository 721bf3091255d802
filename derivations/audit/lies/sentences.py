"""Lies about words: sentences in which one thing is changed and nothing else, which must not pass for what was judged.

A page shows which formulas and numbers of a sentence are tied to what was judged. A lie survives if what it changed is
shown as tied.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from derivations.audit.sentences import Entry, Sentences
from derivations.audit.sentences.changes import changes, letters
from derivations.audit.sentences.pieces import tokens
from derivations.audit.sentences.ties import Span, tied

DROPPED = "conditions dropped"
CONDITION = re.compile(
    r"(?:^|(?<=[.;:,] ))(?:for|if|where|with|under|from|once|while|unless|without|as|whenever)\b[^,;:.]*[,;:]?"
    r"|\b(?:if|where|unless|without|whenever)\b[^,;:.]*",
    re.IGNORECASE,
)


@dataclass
class Fates:
    """How many lies of each kind were told, and what became of them."""

    refused: Counter[str] = field(default_factory=Counter)  # what was tied before is not tied any more
    free: Counter[str] = field(default_factory=Counter)  # it was a person's word before, and is so again
    survived: dict[str, list[str]] = field(default_factory=dict)

    @property
    def kinds(self) -> list[str]:
        return sorted({*self.refused, *self.free, *self.survived})

    def row(self, kind: str) -> tuple[int, int, int]:
        """How many lies of a kind were refused, were about a person's words, and survived."""
        return self.refused[kind], self.free[kind], len(self.survived.get(kind, ()))


def lies(sentence: str) -> Iterator[tuple[str, str, Span, int]]:
    """Every lie about a sentence: its kind, the sentence, what was changed in the true one, and where the change ends.

    >>> [lie for _, lie, _, _ in lies("Every x is at most 2 if y is.")]
    ['Some x is at most 2 if y is.', 'Every y is at most 2 if y is.', 'Every x is at least 2 if y is.', \
'Every x is at most 3 if y is.', 'Every x is at most 2 if x is.', 'Every x is at most 2 .']
    """
    given = tokens(sentence)
    names = letters(given)
    for token in given:
        for kind, other in changes(token.text, names):
            lie = sentence[: token.start] + other + sentence[token.end :]
            yield kind, lie, (token.start, token.end), token.start + len(other)
    for match in CONDITION.finditer(sentence):
        yield DROPPED, sentence[: match.start()] + sentence[match.end() :], match.span(), match.start()


def tell(entry: Entry, sentences: Sentences, fates: Fates) -> None:
    """Lies about one entry's sentence, counted."""
    judged = sentences.judged(entry)
    before = tied(entry["says"], judged)
    for kind, lie, (start, end), lie_end in lies(entry["says"]):
        if kind == DROPPED:  # a condition is a person's words: what a statement supposes stands on a line of its own
            fates.free[kind] += 1
        elif any(a < lie_end and start < b for a, b in tied(lie, judged)):
            fates.survived.setdefault(kind, []).append(f"{entry['id']}: {lie}")
        elif any(a < end and start < b for a, b in before):
            fates.refused[kind] += 1
        else:
            fates.free[kind] += 1


def told(papers: Iterable[Sentences]) -> Fates:
    """Lies about all typed sentences of some papers."""
    fates = Fates()
    for sentences in papers:
        for entry in sentences.typed():
            tell(entry, sentences, fates)
    return fates
