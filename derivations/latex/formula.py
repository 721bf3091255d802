r"""A printed formula, read once: its sides are what its LaTeX says, and nobody types them a second time.

Formula(r"a=\frac{1}{2}b", vocabulary).right     b/2, from the LaTeX alone
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from types import FunctionType
from typing import Any

from derivations.language.show import plain
from derivations.language.sums import MisfitError
from derivations.language.terms import Term
from derivations.language.words import ShapeError
from derivations.latex.fold import NotThisKind, to_sympy, to_words
from derivations.latex.printed import Vocabulary
from derivations.latex.reader import Reading, read
from derivations.latex.tokens import PAIRS, RELATION_SIGNS, CannotRead, tokenise
from derivations.latex.tree import branches, links

RELATIONS = frozenset(("=", "!=", ">", ">=", ">>", "~", "propto", "to", "approx"))
OPENS, CLOSES = frozenset(PAIRS), frozenset(PAIRS.values())
UNREAD = (CannotRead, NotThisKind, ShapeError, MisfitError)


@dataclass(frozen=True)
class Formula:
    r"""The LaTeX of a source, and what it says in the words of a vocabulary.

    letters, meanings: what names mean in this formula only: objects (of words or sums), or SymPy expressions.
    symbols: spellings that have another name in this formula. scalars: read it among scalars, not among objects.
    upper: whether the upper or the lower signs of every plus-minus are meant; None where there is none.
    left_is: what the left side is, in words that a reader has to trust, where no statement says it.

    >>> import sympy as sp
    >>> from derivations.latex import Notation
    >>> a, b = sp.symbols("a b")
    >>> formula = Formula(r"a=2b", Vocabulary(Notation(letters="a b"), meanings={"a": a, "b": b}))
    >>> formula.left, formula.right, formula.readable()
    (a, 2*b, 'a = 2*b')
    """

    latex: str
    vocabulary: Vocabulary
    letters: Mapping[str, Any] = field(default_factory=dict)
    meanings: Mapping[str, Any] = field(default_factory=dict)
    symbols: Mapping[str, str] = field(default_factory=dict)
    scalars: bool = False
    upper: bool | None = None
    definitions: Mapping[str, str] = field(default_factory=dict)  # what was put in for names of this formula, as text
    left_is: str = ""

    # --- what it says -----------------------------------------------------------------------------------------------

    @property
    def relation(self) -> str:
        """What stands between the sides: "=", ">", "~" and so on; "" for a lone expression."""
        last = self._last
        return str(last[0]) if len(last) == 3 and last[0] in RELATIONS else ""

    @cached_property
    def left(self) -> Any:
        """The left side of the last printed relation, as SymPy expression, words, blocks or sums."""
        return self._meaning(self._last[1] if self.relation else self._last)

    @cached_property
    def right(self) -> Any:
        """The right side of the last printed relation; a lone expression is its own right side."""
        return self._meaning(self._last[2] if self.relation else self._last)

    @property
    def sides(self) -> tuple[Any, Any]:
        return self.left, self.right

    def links(self) -> list[Formula]:
        """The single relations of a chain a = b = c, each a formula of its own, in the order of printing."""
        members = at_relations(self.latex)
        texts = members[::2]
        signs = members[1::2]
        return [replace(self, latex=f"{a}{sign}{b}") for a, sign, b in zip(texts, signs, texts[1:], strict=False)]

    def branches(self) -> tuple[Formula, Formula]:
        """The formula with the upper signs of every plus-minus, and with the lower ones."""
        return replace(self, upper=True), replace(self, upper=False)

    def put(self, meanings: Mapping[Any, Any]) -> Formula:
        """The same formula with definitions put in: other meanings of some of its names.

        meanings: by the name in the notation, or by the symbol that has this name.
        """
        named = {str(name): meaning for name, meaning in meanings.items()}
        in_scalars = self._kind == "scalars"
        return replace(
            self,
            letters=self.letters if in_scalars else {**self.letters, **named},
            meanings={**self.meanings, **named} if in_scalars else self.meanings,
            definitions={**self.definitions, **_stands_for(named, set(_names(self._last)))},
        )

    def notes(self) -> list[str]:
        """Remarks of the reader, such as on a bracket too many; raises an error when the LaTeX cannot be read."""
        return list(self._understood.notes)

    def told(self) -> list[str]:
        """What stands for names of this formula that a definition was put in for, and for its left side."""
        told = [f"{name} stands for {meaning}" for name, meaning in self.definitions.items()]
        return [*told, f"the left side is read, in words alone, as {self.left_is}"] if self.left_is else told

    def readable(self) -> str:
        """The formula on one line, as it was understood."""
        return plain(self._understood.tree)

    @property
    def statements(self) -> int:
        """How many statements are printed, one below or beside the other: 1 for a single relation or chain."""
        tree = self._understood.tree
        return len(tree) - 1 if tree[0] == "and" else 1

    # --- reading ----------------------------------------------------------------------------------------------------

    @cached_property
    def _understood(self) -> Reading:
        """The tree alone: names that a definition introduces need no meaning for that."""
        reasons = []
        for kind in self._kinds:
            try:
                return self._read_as(kind)
            except UNREAD as reason:
                reasons.append(str(reason))
        raise NotThisKind(f"{self.latex!r} cannot be read here: {'; '.join(reasons)}")

    @property
    def _kinds(self) -> list[str]:
        """The notations that the vocabulary has, that of objects first."""
        return [
            kind
            for kind in ("objects", "scalars")
            if getattr(self.vocabulary, kind) is not None and not (kind == "objects" and self.scalars)
        ]

    def _read_as(self, kind: str) -> Reading:
        notation = getattr(self.vocabulary, kind)
        return read(self.latex, notation.extended(dict(self.symbols)) if self.symbols else notation)

    @cached_property
    def _read(self) -> tuple[str, Reading]:
        """Whether it speaks of objects or of scalars, and its tree: objects first, where all of it has a meaning."""
        reasons = []
        for kind in self._kinds:
            try:
                reading = self._read_as(kind)
                last = links(reading.tree)[-1]
                self._folded(kind, last[-1] if len(last) == 3 and last[0] in RELATIONS else last)
            except UNREAD as reason:
                reasons.append(str(reason))
            else:
                return kind, reading
        raise NotThisKind(f"{self.latex!r} has no meaning here: {'; '.join(reasons)}")

    @property
    def _kind(self) -> str:
        return self._read[0]

    @cached_property
    def _last(self) -> Term:
        last = links(self._read[1].tree)[-1]
        while last[0] == "implies":
            last = links(last[2])[-1]
        return last

    def _meaning(self, tree: Term) -> Any:
        return self._folded(self._kind, tree)

    def _folded(self, kind: str, tree: Term) -> Any:
        if self.upper is not None:
            tree = branches(tree)[not self.upper]
        if kind == "scalars":
            return to_sympy(tree, {**self.vocabulary.meanings, **self.meanings})
        meant = to_words(tree, {**self.vocabulary.letters, **self.letters}, self.vocabulary.rules)
        settle: Callable[[Any], Any] = self.vocabulary.settle or (lambda objects: objects)
        return meant if isinstance(meant, Fraction) else settle(meant)


def _stands_for(meanings: Mapping[str, Any], names: set[str]) -> dict[str, str]:
    """What some names mean, as text; a symbol of the same name is no news."""
    meant = {name: meanings[name] for name in sorted(names & set(meanings))}
    said = {
        name: "another function"
        if isinstance(meaning, FunctionType)
        else str(getattr(meaning, "value", meaning)).replace("**", "^")
        for name, meaning in meant.items()
    }
    return {name: text for name, text in said.items() if text != name}


def _names(tree: Any) -> Iterator[str]:
    """The names in a tree; a time derivative of one has a name of its own."""
    if isinstance(tree, tuple) and tree:
        if tree[0] in ("s", "call"):
            yield tree[1]
        if tree[0] == "dt" and tree[1][:1] == ("s",):
            yield f"d{tree[1][1]}_dt"
        for part in tree[1:]:
            yield from _names(part)


def at_relations(latex: str) -> list[str]:
    r"""The members of a chain and the signs between them, as they are written, signs at every second place.

    >>> at_relations(r"a = \frac{b=c}{2} \geq d,")
    ['a', '=', '\\frac{b=c}{2}', '\\geq', 'd']
    """
    depth, cuts = 0, []
    for token in tokenise(latex):
        if token.kind == "begin" or token.text in OPENS:
            depth += 1
        elif token.kind == "end" or token.text in CLOSES:
            depth -= 1
        elif depth == 0 and token.text in RELATION_SIGNS:
            cuts.append((token.at, token.at + len(token.spelled or token.text)))
    edges = [0, *(edge for cut in cuts for edge in cut), len(latex)]
    return [latex[a:b].strip(" ,.\n") for a, b in pairwise(edges)]
