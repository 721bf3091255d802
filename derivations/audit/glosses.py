"""Glosses: sentences that a person wrote beside computed ones, and the words in them that nothing judged has."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from derivations.audit.lies.changes import NUMBER, TOKEN, WORDS
from derivations.recheck.ledgers.reading import sentence

Entry = Mapping[str, Any]  # as a ledger has it
COMPUTED = ("What the same implies without", "The same holds without")
"""How sentences begin that nobody writes."""
NOTIONS = re.compile(
    r"saddles?|plateaus?|(?:un)?stab\w+|lazy|rich|(?:un)?balanced?|forg[eo]t\w*|merg\w+|(?:un|re)?learn\w*|slow\w*|fast\w*"
    r"|quick\w*|separat\w+|optim\w+|random\w*|likely|probab\w+|independen\w+|converg\w+|diverg\w+|align\w*|memori\w+"
    r"|revers\w+|escap\w+|rests?|conserved|invariant|exponential\w*|small|large|long|short|weak\w*|strong\w*",
    re.IGNORECASE,
)
MEANT = {
    "zero": "=0 to0", "one": "1", "two": "2", "three": "3", "four": "4", "twice": "2", "double": "2", "doubled": "2",
    "half": "/2", "third": "/3", "quarter": "/4", "positive": ">0", "negative": "<0", "plus": "+", "minus": "-",
    "every": "forall", "all": "forall", "any": "forall", "each": "forall", "whatever": "forall",
}  # fmt: skip
"""Words by what a formula or a computed sentence has in their place."""
REFERENCE = re.compile(
    r"\b(?:equations?|eqs?\.|sections?|appendix|assumptions?|theorems?|figures?|tables?|lines?|links?|parts?)"
    r" [A-Z]?\.?\d+(?:\.\d+)?(?:(?:,| and| to| or|, and) [A-Z]?\.?\d+(?:\.\d+)?)*",
    re.IGNORECASE,
)
"""The number of an equation, or of another place, which no verdict is about."""
Span = tuple[int, int]


def is_gloss(entry: Entry) -> bool:
    """Check whether a claim has a sentence that a person wrote, and a certificate beside it."""
    return entry["kind"] == "claim" and bool(entry["certificate"]) and not entry["says"].startswith(COMPUTED)


def free_words(entry: Entry) -> list[Span]:
    """Where a gloss has a number, a comparison, a quantifier or a notion that nothing has which was judged.

    >>> square = {"kind": "sign", "relation": ">=", "symbols": {"x": []}, "assuming": [],
    ...     "left": ["^", ["+", ["s", "x"], ["q", "3"]], ["q", "2"]], "right": ["q", "0"]}
    >>> said = "For all x, (x + 3)^2 is at least 0, and never below 4."
    >>> entry = {"kind": "claim", "says": said, "certificate": {"statement": square}, "where": [], "sha256": "0"}
    >>> [said[start:end] for start, end in free_words(entry)]
    ['least', 'never', 'below', '4']
    """
    if not is_gloss(entry):
        return []
    if entry["sha256"] not in _KNOWN:
        supposed, lines = sentence(entry["certificate"]["statement"])
        tokens = TOKEN.findall(" ".join([supposed, *lines, *entry["where"]]).lower())
        _KNOWN[entry["sha256"]] = frozenset([*tokens, *map("".join, pairwise(tokens))])
    places = {at for place in REFERENCE.finditer(entry["says"]) for at in range(*place.span())}
    words = (match for match in TOKEN.finditer(entry["says"]) if is_telling(match.group()))
    return [word.span() for word in words if word.start() not in places and not _is_known(word.group().lower(), entry)]


def _is_known(word: str, entry: Entry) -> bool:
    return not {word, *MEANT.get(word, "").split()}.isdisjoint(_KNOWN[entry["sha256"]])


_KNOWN: dict[str, frozenset[str]] = {}  # words of computed sentences, and pairs of them, by the seal of an entry


def is_telling(word: str) -> bool:
    """Check whether a word is a number, a comparison, a quantifier, a trend or a notion."""
    is_listed = any(word.lower() in table for table in WORDS.values())
    return is_listed or bool(NUMBER.fullmatch(word) or NOTIONS.fullmatch(word))
