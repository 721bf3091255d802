"""A printed formula, twice: verbatim LaTeX, and an unevaluated expression. Reading the LaTeX proves that they agree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy as sp

from derivations.language.show import plain
from derivations.language.sums import MisfitError, Sums
from derivations.language.terms import Term, from_sympy
from derivations.language.words import ShapeError, Words
from derivations.language.words.blocks import Blocks
from derivations.latex import Mismatch, Notation, NotThisKind, Reading, branches, links, read, same, to_words


@dataclass(frozen=True)
class Vocabulary:
    """How a paper writes: notations for scalars and for objects, and what letters and operators mean as objects.

    scalars: the notation of formulas in symbols. objects: the notation of formulas in words or sums.
    letters: the object of every symbol of the second notation. rules: meanings of operators, as `to_words` takes them.
    meanings: the SymPy symbol or expression of every name of the first notation, as `to_sympy` takes them.
    settle: brings objects to the letters in which claims are written, before they are compared.

    >>> from derivations.latex import Notation
    >>> Vocabulary(Notation(letters="a b")).scalars.letters
    'a b'
    """

    scalars: Notation
    objects: Notation | None = None
    letters: Mapping[str, Any] = field(default_factory=dict)
    rules: Mapping[str, Any] = field(default_factory=dict)
    settle: Any = None
    meanings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Transcription:
    """A formula of a source: its LaTeX, and its one or two sides as the author reads them.

    symbols: spellings that mean something else in this formula.

    >>> from derivations.latex import Notation
    >>> a, b = sp.symbols("a b")
    >>> formula = Transcription(r"a=2b", (a, 2 * b), Vocabulary(Notation(letters="a b")))
    >>> formula.notes(), formula.readable()
    ([], 'a = 2*b')
    """

    latex: str
    sides: tuple[Any, ...]
    vocabulary: Vocabulary
    letters: Mapping[str, Any] = field(default_factory=dict)
    symbols: Mapping[str, str] = field(default_factory=dict)  # spellings that mean something else in this formula

    @property
    def right(self) -> Any:
        """The last side."""
        return self.sides[-1] if self.sides else None

    def notes(self) -> list[str]:
        """Remarks of the reader; raises ValueError when the LaTeX says something else than the expression."""
        reading = self._reading
        if len(self.sides) == 1 and isinstance(self.sides[0], tuple) and self.sides[0][0] == reading.tree[0]:
            self._compare_scalars(reading.tree, self.sides[0])
        elif self.sides:
            printed = _sides(reading.tree, len(self.sides))
            compare = self._compare_objects if self._is_in_objects else self._compare_scalars
            for tree, side in zip(printed, self.sides, strict=True):
                compare(tree, side)
        return list(reading.notes)

    def _compare_scalars(self, tree: Term, side: Any) -> None:
        positive = [str(x.name) for x in _symbols(self.sides) if x.is_nonnegative]
        if isinstance(side, tuple) and side[0] == "pm":
            for branch, expression in zip(branches(tree), side[1:], strict=True):
                self._compare_scalars(branch, expression)
            return
        expected = side if isinstance(side, tuple) else from_sympy(side)
        if not same(_rates(tree), _rates(expected), frozenset(), positive):
            raise Mismatch(f"the LaTeX reads {plain(tree)}, the expression says {plain(expected)}")

    def _compare_objects(self, tree: Term, side: Any) -> None:
        letters = {**self.vocabulary.letters, **self.letters}
        try:
            meant = to_words(tree, letters, self.vocabulary.rules)
        except (NotThisKind, ShapeError, MisfitError) as trouble:
            raise Mismatch(f"the LaTeX reads {plain(tree)}, and {trouble}; the expression says {side!r}") from trouble
        settle = self.vocabulary.settle or (lambda objects: objects)
        if isinstance(meant, Fraction) or settle(meant) != settle(side):
            raise Mismatch(f"the LaTeX reads {plain(tree)}, which is {meant!r}; the expression says {side!r}")

    def readable(self) -> str:
        """The formula on one line, as it was understood."""
        return plain(self._reading.tree)

    @property
    def _is_in_objects(self) -> bool:
        return any(isinstance(side, Words | Blocks | Sums) for side in self.sides)

    @property
    def _reading(self) -> Reading:
        notation = (
            self.vocabulary.objects if self._is_in_objects and self.vocabulary.objects else self.vocabulary.scalars
        )
        return read(self.latex, notation.extended(dict(self.symbols)) if self.symbols else notation)


def _sides(tree: Term, count: int) -> tuple[Term, ...]:
    """The part of a formula that one expression stands for, or the two sides of its last equation."""
    if count == 1 and tree[0] not in ("=", "chain", "implies"):
        return (tree,)
    last = links(tree)[-1]
    while last[0] == "implies":
        last = links(last[2])[-1]
    return (last[2],) if count == 1 else (last[1], last[2])


def _symbols(sides: tuple[Any, ...]) -> set[sp.Symbol]:
    symbols: set[sp.Symbol] = set()
    for side in sides:
        if isinstance(side, sp.Basic):
            symbols |= side.free_symbols
        elif isinstance(side, tuple):
            symbols |= _symbols(side)
    return symbols


def _rates(tree: Any) -> Any:
    """Time derivatives of single symbols as symbols of their own: d/dt of h is written dh_dt."""
    if not isinstance(tree, tuple):
        return tree
    if tree[:1] == ("dt",) and tree[1][0] == "s":
        return ("s", f"d{tree[1][1]}_dt")
    return tuple(_rates(part) for part in tree)
