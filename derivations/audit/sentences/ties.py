"""Formulas and numbers of a sentence that are tied to what was judged; all its other words are a person's.

A formula is tied if it has the value of a part of the statement at points that the givens allow; relations, if the
statement has them; a number, if it stands in the statement, in the print, or in a place that is named. And it is tied
only if no change of one sign, number or letter in it would be tied as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

from derivations.audit.sentences.changes import LETTER, NUMBER, letters, others
from derivations.audit.sentences.formula import NoFormula, Tree, relations
from derivations.audit.sentences.pieces import GREEK, TOKEN, Piece, pieces, tokens
from derivations.audit.sentences.reading import settings, value_in
from derivations.audit.sentences.values import BITS, Missing, Setting, Value, agree
from derivations.language.evaluate import precision
from derivations.language.terms import as_tuples

REFERENCE = re.compile(
    r"(?:equation|eq|line|row|column|theorem|assumption|section|figure|step|link|table|chapter|footnote)s?|entry|appendix"
)
BETWEEN = frozenset((",", "and", "to", "or", "-", ".", "(", ")"))
ENGLISH = re.compile(r"[A-Za-z]?[a-z]{3,}|[a-z]+_[a-z_]{3,}")
DECORATION = re.compile(r"\\(?:text|mathbf|mathrm|mathcal|operatorname|tilde|hat|bar|left|right)|[{}\\ ]")
NAME = re.compile(r"[A-Za-z0-9_|()^'+-]+")
Chain = tuple[list[Tree], list[str]]
Span = tuple[int, int]


@dataclass(frozen=True)
class Judged:
    """One entry as it was judged: its statement, the places that it names, and what names of its paper stand for."""

    statement: Any
    places: tuple[str, ...] = ()
    meanings: Mapping[Tree, Tree] = field(default_factory=dict)
    printed: str = ""
    spoken: dict[Any, bool] = field(default_factory=dict)  # what was asked before

    @cached_property
    def groups(self) -> list[list[Setting]]:
        return settings(self.statement)

    @cached_property
    def printed_names(self) -> set[str]:
        """The names in the print, as a sentence writes them."""
        return set(re.findall(r"[A-Za-z]+(?:_[A-Za-z0-9]+)?", DECORATION.sub("", self.printed)))

    @cached_property
    def names(self) -> frozenset[str]:
        own = {name for group in self.groups for name in group[0].letters}
        own |= {name.replace("_", "") for name in own} | self.printed_names
        own |= {name for tree in self.meanings for name in _names(tree)}
        return frozenset(name for name in own if name in GREEK or not ENGLISH.fullmatch(name))

    @cached_property
    def letters(self) -> list[str]:
        """The letters of the statement that could stand in the place of another."""
        own = {name for group in self.groups for name in group[0].letters}
        return sorted(name for name in own if name in GREEK or LETTER.fullmatch(name))

    @cached_property
    def numbers(self) -> set[Fraction]:
        own = {abs(n) for group in self.groups for setting in group for n in setting.numbers}
        return own | {abs(Fraction(text)) for text in _constants(self.statement)} | _digits(self.printed)

    @cached_property
    def referred(self) -> set[Fraction]:
        return set().union(*map(_digits, self.places))


def tied(sentence: str, judged: Judged) -> list[Span]:
    """Where formulas and numbers stand in a sentence that are tied to what was judged.

    >>> x = ["s", "x"]
    >>> square = {"kind": "sign", "relation": ">=", "symbols": {"x": []}, "assuming": [],
    ...     "left": ["^", ["+", x, ["q", "3"]], ["q", "2"]], "right": ["q", "0"]}
    >>> said = "No x makes (x + 3)^2 less than x + 1."
    >>> [said[start:end] for start, end in tied(said, Judged(square))]
    ['(x + 3)^2']
    """
    return [(piece.start, piece.end) for piece in _Sentence(sentence, judged).tied()]


def formulas(sentence: str, judged: Judged) -> list[Span]:
    """Where formulas and numbers stand in a sentence, tied or not; a letter alone is none."""
    found = [piece for piece in pieces(sentence, judged.names) if piece.is_formula]
    return [(p.start, p.end) for p in found if len(p.tokens) > 1 or NUMBER.fullmatch(p.tokens[0].text)]


class _Sentence:
    def __init__(self, sentence: str, judged: Judged) -> None:
        self.sentence, self.judged = sentence, judged
        self.pieces = pieces(sentence, judged.names)
        self.letters = list(dict.fromkeys([*letters(tokens(sentence)), *judged.letters]))
        self.meanings = dict(judged.meanings)
        for piece in self.pieces:
            if piece.is_formula and (chain := _read(_texts(piece))):
                self._define(*chain)
        self.defined = tuple((name, self.meanings[name]) for name in self.meanings if name not in judged.meanings)

    def _define(self, sides: list[Tree], signs: list[str]) -> None:
        """A name that the statement does not have stands for what a sentence says it is."""
        name = sides[0]
        if signs[:1] != ["="] or name[0] != "name" or name in self.meanings:
            return
        if not any(name[1] in group[0].letters for group in self.judged.groups):
            self.meanings[name] = sides[1]

    def tied(self) -> Iterator[Piece]:
        is_reference = False
        for piece in self.pieces:
            text = piece.of(self.sentence)
            if REFERENCE.fullmatch(text.lower()):
                is_reference = True
                continue
            is_number = NUMBER.fullmatch(text) is not None
            is_reference = is_reference and (is_number or text.lower() in BETWEEN or len(text) == 1)
            if piece.is_formula and self._is_tied(_texts(piece), is_reference and is_number):
                yield piece

    def _is_tied(self, texts: tuple[str, ...], is_reference: bool) -> bool:
        if not self._is_spoken(texts, is_reference):
            return False
        lies = ((*texts[:k], other, *texts[k + 1 :]) for k in range(len(texts)) for other in self._others(texts, k))
        return not any(self._is_spoken(lie, is_reference) for lie in lies)

    def _others(self, texts: tuple[str, ...], place: int) -> Iterator[str]:
        """Return what could stand in a place and mean something else; nobody writes 1 a, a^1 or a/1."""
        text, before, after = texts[place], texts[place - 1] if place else ".", (*texts, ".")[place + 1]
        if text in self.letters:
            yield from (other for other in self.letters if other != text and not self._are_one(text, other))
        else:
            is_unwritten = after[0].isalpha() or after in "(|" or before in "^/"
            yield from (other for other in others(text, ()) if not (is_unwritten and other == "1"))

    def _are_one(self, name: str, other: str) -> bool:
        """Check whether two names have one value."""
        for group in self.judged.groups:
            try:
                with precision(BITS):
                    return agree(*(value_in(group[0], ("name", text), self.meanings) for text in (name, other)))
            except Missing:
                continue
        return False

    def _is_spoken(self, texts: tuple[str, ...], is_reference: bool) -> bool:
        """Check whether a formula, or a chain of relations, stands in what was judged."""
        if is_reference:
            return Fraction(texts[0]) in self.judged.referred
        key = (texts, self.defined)
        if key not in self.judged.spoken:
            chain = _read(texts)
            self.judged.spoken[key] = chain is not None and self._stands(*chain)
        return self.judged.spoken[key]

    def _stands(self, sides: list[Tree], signs: list[str]) -> bool:
        if not signs and sides[0][0] == "number":
            return abs(sides[0][1]) in self.judged.numbers
        if not signs and sides[0][0] == "name":
            return False  # a mention of a letter says nothing of it
        with precision(BITS):
            return any(all(self._fits(sides, signs, setting) for setting in group) for group in self.judged.groups)

    def _fits(self, sides: list[Tree], signs: list[str], setting: Setting) -> bool:
        if signs and any(side in dict(self.defined) for side in sides):
            return False  # it gives a name to something
        try:
            values = [value_in(setting, side, self.meanings) for side in sides]
        except Missing:
            return False
        if not signs:
            return setting.has(values[0])
        return all(_related(sign, *pair, setting) for sign, pair in zip(signs, pairwise(values), strict=True))


def _related(sign: str, left: Value, right: Value, setting: Setting) -> bool:
    """Check whether a statement has a relation, with these sides or with these on one side."""
    if sign in ("<", "<="):
        sign, left, right = sign.replace("<", ">"), right, left
    if any(relation == sign and _is_gap(left, right, high, low, sign) for relation, high, low in setting.relations):
        return True
    return sign == "=" and agree(left, right) and setting.has(left) and setting.has(right)


def _is_gap(left: Value, right: Value, high: Value, low: Value, sign: str) -> bool:
    """Check whether two differences are the same, and neither is zero."""
    try:
        gap, between = left - right, high - low
    except (TypeError, ValueError):  # of a matrix and a number, or of matrices that do not fit
        return False
    if agree(gap, 0 * gap) or not agree(between, between):
        return False
    return agree(gap, between) or (sign in ("=", "!=") and agree(gap, -1 * between))


# --- names and numbers ------------------------------------------------------------------------------------------------


def meanings_of(entries: Iterable[Mapping[str, Any]]) -> dict[Tree, Tree]:
    """Return what names stand for in the prints of a paper, from its entries as a ledger has them."""
    known: dict[Tree, list[Any]] = {}
    for entry in entries:
        for printed, (name, formula) in sorted(((entry.get("reading") or {}).get("letters") or {}).items()):
            for written in (_as_written(printed), name):
                chain = _read(tuple(TOKEN.findall(written))) if NAME.fullmatch(written) else None
                if chain and not chain[1] and formula is not None:
                    meant = known.setdefault(chain[0][0], [])
                    meant += [as_tuples(formula)] if as_tuples(formula) not in meant else []
    return {tree: ("stands for", *meant) for tree, meant in known.items()}


def _as_written(printed: str) -> str:
    """A printed name as a sentence writes it."""
    return DECORATION.sub("", printed).replace("||", "|").replace("^prime", "'")


def _names(tree: Tree) -> Iterator[str]:
    if tree[0] in ("name", "at"):
        yield tree[1]
        return
    for part in tree[1:]:
        if isinstance(part, tuple):
            yield from _names(part)


def _digits(text: str) -> set[Fraction]:
    return {Fraction(number) for number in NUMBER.findall(text)}


def _constants(data: Any) -> Iterator[str]:
    """The numbers that stand in a statement outside of formulas: ends of boxes, times, sizes."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield from _constants(value) if key not in ("among", "symbols") else ()
    elif isinstance(data, list | tuple):
        for value in data:
            yield from _constants(value)
    elif not isinstance(data, bool) and re.fullmatch(r"-?\d+(/\d+)?", str(data)):
        yield str(data)


def _texts(piece: Piece) -> tuple[str, ...]:
    return tuple(token.text for token in piece.tokens)


def _read(texts: tuple[str, ...]) -> Chain | None:
    try:
        return relations(texts)
    except (NoFormula, RecursionError, IndexError):
        return None
