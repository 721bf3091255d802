"""Lies about words: sentences in which one thing is changed and nothing else, which must not pass for what was judged.

The computed sentence of an entry stands on its page, where the checker compares it. A lie survives if the page with it
passes. What a person wrote below is marked as a person's, so that a lie about it is about no verdict.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from derivations.audit.glosses import Entry, is_gloss
from derivations.audit.lies.changes import TOKEN, changes, letters
from derivations.audit.pages import to_tell, told

DROPPED = "conditions dropped"
MOST = 40  # lies about one sentence, from all of its parts
CONDITION = re.compile(
    r"(?:^|(?<=[.;:,] ))(?:for|if|where|with|under|from|once|while|unless|without|as|whenever)\b[^,;:.]*[,;:]?"
    r"|\b(?:if|where|unless|without|whenever)\b[^,;:.]*",
    re.IGNORECASE,
)


@dataclass
class Fates:
    """How many lies of each kind were told, and what became of them."""

    refused: Counter[str] = field(default_factory=Counter)  # the page with it is not what the ledger has
    free: Counter[str] = field(default_factory=Counter)  # it is about a person's words
    survived: dict[str, list[str]] = field(default_factory=dict)

    @property
    def kinds(self) -> list[str]:
        return sorted({*self.refused, *self.free, *self.survived})

    def row(self, kind: str) -> tuple[int, int, int]:
        """How many lies of a kind were refused, were about a person's words, and survived."""
        return self.refused[kind], self.free[kind], len(self.survived.get(kind, ()))


def lies(sentence: str) -> Iterator[tuple[str, str]]:
    """Every lie about a sentence, with its kind.

    >>> [lie for _, lie in lies("Every x is at most 2 if y is.")]
    ['Some x is at most 2 if y is.', 'Every y is at most 2 if y is.', 'Every x is at least 2 if y is.', \
'Every x is at most 3 if y is.', 'Every x is at most 2 if x is.', 'Every x is at most 2 .']
    """
    names = letters(sentence)
    for match in TOKEN.finditer(sentence):
        for kind, other in changes(match.group(), names):
            yield kind, sentence[: match.start()] + other + sentence[match.end() :]
    for match in CONDITION.finditer(sentence):
        yield DROPPED, sentence[: match.start()] + sentence[match.end() :]


def tell(entry: Entry, fates: Fates) -> None:
    """Lies about what the page says of one entry, counted."""
    expected = to_tell(entry)
    for place, line in enumerate(expected):
        for kind, lie in spread(list(lies(line)), MOST):
            if told([*expected[:place], lie, *expected[place + 1 :]]) == expected:
                fates.survived.setdefault(kind, []).append(f"{entry['id']}: {lie}")
            else:
                fates.refused[kind] += 1
    if is_gloss(entry):
        fates.free.update(kind for kind, _ in lies(entry["says"]))


def spread(every: list[tuple[str, str]], most: int) -> list[tuple[str, str]]:
    """At most so many of a list, as far apart as they can be."""
    return every[:: max(-(-len(every) // most), 1)]


def about(entries: Iterable[Entry]) -> Fates:
    """Lies about all entries that claim something."""
    fates = Fates()
    for entry in entries:
        if entry["certificate"]:
            tell(entry, fates)
    return fates
