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
from typing import Any, TypeVar

from derivations.language.show import plain
from derivations.language.sums import MisfitError
from derivations.language.terms import Term
from derivations.language.words import ShapeError
from derivations.latex.fold import NotThisKind, to_sympy, to_words
from derivations.latex.printed import Vocabulary
from derivations.latex.reader import Reading, read
from derivations.latex.tokens import CLOSING, KINDS, PAIRS, RELATION_SIGNS, Ambiguous, CannotRead, ambiguous, tokenise
from derivations.latex.tree import branches, nodes, printed_relations

T = TypeVar("T")
READ_AS = "the print can be read in several ways, and is read as "
PICKED = "of what is printed, relation %d alone is claimed"
INNER = "a product of two vectors without an index is their inner product, whichever is transposed"
RELATIONS = frozenset(("=", "!=", ">", ">=", ">>", "~", "propto", "to", "approx"))
GROUPING = frozenset(("{", "}", "(", ")", "[", "]", "/", r"\frac", r"\cdot", r"\times", "*"))
BORDERS = RELATION_SIGNS.keys() | {",", ";", ".", r"\\", r"\quad", r"\implies", r"\text{and}"}
UNREAD = (CannotRead, NotThisKind, ShapeError, MisfitError)


@dataclass(frozen=True)
class Formula:
    r"""The LaTeX of a source, and what it says in the words of a vocabulary.

    letters, meanings: what names mean in this formula only: objects (of words or sums), or SymPy expressions.
    symbols: spellings that have another name in this formula. scalars: read it among scalars, not among objects.
    upper: whether the upper or the lower signs of every plus-minus are meant; None where there is none.
    left_is: what the left side is, in words that a reader has to trust, where no statement says it.
    reads: the same in a spelling that can be read in one way only, where the print can be read in several.
    supposed: whether what is judged supposes it. pick: which of its relations is meant, counted from 0; None: all.

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
    reads: str = ""
    supposed: bool = False
    pick: int | None = None

    def __post_init__(self) -> None:
        texts = (self.latex, self.reads) if self.reads else ()
        if len({(symbols_in(text), divisions_in(text)) for text in texts}) > 1:
            raise CannotRead(
                f"{self.reads!r} is no reading of {self.latex!r}: only brackets, fractions and products may be written"
                " otherwise, and every sign must stand where the source has it"
            )

    # --- what it says -----------------------------------------------------------------------------------------------

    @property
    def relation(self) -> str:
        """Return what stands between the sides: "=", ">", "~" and so on; "" for a lone expression."""
        single = self._single
        return str(single[0]) if len(single) == 3 and single[0] in RELATIONS else ""

    @cached_property
    def left(self) -> Any:
        """The left side of the one relation, as SymPy expression, words, blocks or sums."""
        return self._meaning(self._single[1] if self.relation else self._single)

    @cached_property
    def right(self) -> Any:
        """The right side of the one relation; a lone expression is its own right side."""
        return self._meaning(self._single[2] if self.relation else self._single)

    @property
    def sides(self) -> tuple[Any, Any]:
        return self.left, self.right

    def relations(self) -> list[Formula]:
        """Every relation that is printed, as a formula that means this one alone; conditions are marked as supposed.

        One with a plus-minus is two: with the upper signs, and with the lower ones.
        """
        printed = self._printed(self._understood.tree)
        if self.pick is not None or len(printed) == 1:
            parts, trees = [self], [self._single]
        else:
            parts = [replace(self, pick=k, supposed=self.supposed or given) for k, (_, given) in enumerate(printed)]
            trees = [tree for tree, _ in printed]
        return [one for part, tree in zip(parts, trees, strict=True) for one in part._branches_of(tree)]

    def _printed(self, tree: Term) -> list[tuple[Term, bool]]:
        if any(node[:1] == ("chain",) and "implies" in node for node in nodes(tree)):
            raise ambiguous(self.latex, 0, "implications")
        parts = tree[1:] if tree[0] == "and" else ()
        heads = [part[0] for part in parts]
        if "=" in heads and any(map(is_bound, parts[heads.index("=") :])) and not is_joined(self.reads or self.latex):
            raise ambiguous(self.latex, 0, "condition")
        return printed_relations(tree)

    def _branches_of(self, tree: Term) -> tuple[Formula, ...]:
        upper, lower = branches(tree)
        return (self,) if self.upper is not None or upper == lower else self.branches()

    def links(self) -> list[Formula]:
        """The single relations of a chain a = b = c, each a formula of its own, in the order of printing."""
        if {"and", "or", "implies"} & {self._understood.tree[0], *self._understood.tree[2::2]}:
            raise NotThisKind(f"{self.latex!r} is no chain of relations: give each of its statements a part of its own")
        texts = [at_relations(text) for text in (self.latex, self.reads) if text]
        steps = [[f"{a}{sign}{b}" for a, sign, b in zip(m[::2], m[1::2], m[2::2], strict=False)] for m in texts]
        return [replace(self, latex=step[0], reads="".join(step[1:])) for step in zip(*steps, strict=True)]

    def branches(self) -> tuple[Formula, Formula]:
        """The formula with the upper signs of every plus-minus, and with the lower ones."""
        return replace(self, upper=True), replace(self, upper=False)

    @property
    def is_of_one_sign(self) -> bool:
        """Check whether a plus-minus stands on one side alone of a relation that is not only supposed.

        Such a relation may be meant with both signs, or with one of them.
        """
        meant = self._meant(self._understood.tree) if self.upper is None else []
        return any(len({branches(side)[0] == branches(side)[1] for side in single[1:]}) > 1 for single in meant)

    def put(self, meanings: Mapping[Any, Any]) -> Formula:
        """Return the same formula with definitions put in: other meanings of some of its names.

        meanings: by the name in the notation, or by the symbol that has this name.
        """
        named = {str(name): meaning for name, meaning in meanings.items()}
        in_scalars = self.kind == "scalars"
        return replace(
            self,
            letters=self.letters if in_scalars else {**self.letters, **named},
            meanings={**self.meanings, **named} if in_scalars else self.meanings,
            definitions={**self.definitions, **_stands_for(named, set(_names(self._read[1].tree)))},
        )

    def notes(self) -> list[str]:
        """Where the print can be read in several ways: how it is read; an error when the LaTeX cannot be read."""
        self.readable()
        return [f"{READ_AS}{self.reads}"] if self.reads else []

    def told(self) -> list[str]:
        """Return what stands for names of this formula that a definition was put in for, and how it is meant."""
        told = [f"{name} stands for {meaning}" for name, meaning in self.definitions.items()]
        told += [f"a superscript {mark} is a transpose" for mark in self.transposes()]
        meant = {**self.vocabulary.letters, **self.letters}
        has_vectors = any(getattr(meant.get(name), "unprinted", None) for name in _names(self._understood.tree))
        told += [INNER] * (has_vectors and self.kind == "objects")
        both = sorted({*_names(self._understood.tree)} & self._matrices) if self.scalars else []
        told += [f"{', '.join(both)} are numbers in it, and elsewhere matrices"] if both else []
        told += [] if self.pick is None else [PICKED % (self.pick + 1)]
        return [*told, "what is printed is supposed, not claimed"] if self.supposed else told

    def readable(self) -> str:
        """The formula on one line, as it was understood."""
        return "; ".join(plain(single) for single, _ in self._printed(self._understood.tree))

    def transposes(self) -> list[str]:
        """Letters of the notation that stand as a superscript and mean a transpose there."""
        texts = [token.text for token in tokenise(self.reads or self.latex)]
        marks = {texts[k + 2] for k in range(len(texts) - 3) if (texts[k], texts[k + 3]) == ("^", "}")}
        known = {mark for kind in self._kinds for mark in getattr(self.vocabulary, kind).transposes}
        return sorted(marks & known)

    # --- reading ----------------------------------------------------------------------------------------------------

    def _by_one_kind(self, attempt: Callable[[str], T], fails: str) -> T:
        """Return what an attempt gives for the first kind of notation for which it does not fail."""
        reasons = []
        for kind in self._kinds:
            try:
                return attempt(kind)
            except (ShapeError, MisfitError) as wrong:  # it is of this kind
                raise NotThisKind(f"{self.latex!r} {fails} here: {wrong}") from None
            except UNREAD as reason:
                reasons.append(str(reason))
        raise NotThisKind(f"{self.latex!r} {fails} here: {'; '.join(reasons)}")

    @cached_property
    def _understood(self) -> Reading:
        """The tree alone: names that a definition introduces need no meaning for that."""
        return self._by_one_kind(self._read_as, "cannot be read")

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
        notation = notation.extended(dict(self.symbols)) if self.symbols else notation
        if self.reads:
            try:
                read(self.latex, notation)
            except Ambiguous:
                return read(self.reads, notation)
            raise CannotRead(f"{self.latex!r} can be read in one way only: leave out how it is read")
        return read(self.latex, notation)

    @cached_property
    def _read(self) -> tuple[str, Reading]:
        """Check that it speaks of objects or of scalars, and its tree: objects first, where all of it has a meaning."""
        return self._by_one_kind(self._with_meaning, "has no meaning")

    def _with_meaning(self, kind: str) -> tuple[str, Reading]:
        reading = self._read_as(kind)
        if kind == "objects":
            self._require_numbers(reading.divisors)
        elif not self.scalars and (both := sorted(set(_names(reading.tree)) & self._matrices)):
            raise NotThisKind(f"{', '.join(both)} is a matrix as well: say scalars=True where the number is meant")
        for single in self._meant(reading.tree):
            right = single[-1] if len(single) == 3 and single[0] in RELATIONS else single
            self._folded(kind, branches(right)[0] if self.upper is None else right)
        return kind, reading

    @property
    def _matrices(self) -> set[str]:
        shapes = {name: getattr(meaning, "shape", (1, 1)) for name, meaning in self.vocabulary.letters.items()}
        return {name for name, shape in shapes.items() if shape != (1, 1)}

    def _require_numbers(self, divisors: tuple[Term, ...]) -> None:
        """Refuses a matrix that divides: from the left, or from the right."""
        for divisor in divisors:
            try:
                shape = getattr(self._folded("objects", divisor), "shape", (1, 1))
            except UNREAD:
                continue
            if shape != (1, 1):
                raise ambiguous(self.latex, 0, "matrix below", below=plain(divisor))

    @property
    def tree(self) -> Term:
        """The whole formula as it is read."""
        return self._understood.tree

    @property
    def kind(self) -> str:
        """Check whether it is read among "scalars" or among "objects"."""
        return self._read[0]

    def _meant(self, tree: Term) -> list[Term]:
        """The relations that are asserted, or the one that is picked."""
        printed = self._printed(tree)
        return [printed[self.pick][0]] if self.pick is not None else [single for single, given in printed if not given]

    @cached_property
    def _single(self) -> Term:
        meant = self._meant(self._read[1].tree)
        if len(meant) != 1:
            raise NotThisKind(
                f"{self.latex!r} prints {len(meant)} relations, and has no two sides: take one of relations(), or claim"
                " each of them as a link or a part of its own"
            )
        return meant[0]

    def _meaning(self, tree: Term) -> Any:
        return self._folded(self.kind, tree)

    def _folded(self, kind: str, tree: Term) -> Any:
        tree = tree if self.upper is None else branches(tree)[not self.upper]
        if kind == "scalars":
            return to_sympy(tree, {**self.vocabulary.meanings, **self.meanings})
        for name in _transposed(tree):
            if getattr(self.vocabulary.letters.get(name), "shape", None) == (1, 1):
                raise NotThisKind(f"{name}: a scalar has no transpose; is T meant as an exponent?")
        meant = to_words(tree, {**self.vocabulary.letters, **self.letters}, self.vocabulary.rules)
        settle: Callable[[Any], Any] = self.vocabulary.settle or (lambda objects: objects)
        return meant if isinstance(meant, Fraction) else settle(meant)


def _stands_for(meanings: Mapping[str, Any], names: set[str]) -> dict[str, str]:
    """Return what some names mean, as text; a symbol of the same name is no news."""
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
    for node in nodes(tree):
        match node:
            case ("s" | "call", name, *_):
                yield name
            case ("dt", ("s", name), by):
                yield f"d{name}_d{by}"


def _transposed(tree: Any) -> Iterator[str]:
    """The names that a transpose is taken of."""
    return (node[1][1] for node in nodes(tree) if node[:1] == ("T",) and node[1][0] == "s")


def is_bound(tree: Term) -> bool:
    """Check whether a relation keeps a letter above or below a letter or a number, as conditions do."""
    return tree[0] in (">", ">=", "!=") and {side[0] for side in tree[1:]} <= {"s", "q"}


def is_joined(latex: str) -> bool:
    return any(token.text in KINDS["joining"] for token in tokenise(latex))


def symbols_in(latex: str) -> str:
    r"""All that is printed but brackets and signs of products and fractions: two readings of a print have it in common.

    >>> symbols_in(r"a/2b") == symbols_in(r"\frac{a}{2}b")
    True
    """
    return "".join(token.text for token in tokenise(latex) if token.text not in GROUPING)


def is_part(latex: str, whole: str) -> bool:
    r"""Check whether relations, or sides of them, stand in a print from a beginning to an end.

    >>> is_part("a=b", "x>a=b, c=d"), is_part("a=b", "a=b+c"), is_part("b", "a=2b")
    (True, False, False)
    """
    part, signs = ([token.text for token in tokenise(text.strip(" ,.\n"))[:-1]] for text in (latex, whole))
    places = [k for k in range(len(signs)) if signs[k : k + len(part)] == part]
    around = [(signs[k - 1 : k], signs[k + len(part) : k + len(part) + 1]) for k in places]
    return any({*before, *after} <= BORDERS for before, after in around)


def divisions_in(latex: str) -> int:
    """How many fractions and slashes are printed, which two readings of a print have in common, too."""
    return sum(token.text in ("/", r"\frac") for token in tokenise(latex))


def at_relations(latex: str) -> list[str]:
    r"""The members of a chain and the signs between them, as they are written, signs at every second place.

    >>> at_relations(r"a = \frac{b=c}{2} \geq d,")
    ['a', '=', '\\frac{b=c}{2}', '\\geq', 'd']
    """
    depth, cuts = 0, []
    for token in tokenise(latex):
        if token.kind == "begin" or token.text in PAIRS:
            depth += 1
        elif token.kind == "end" or token.text in CLOSING:
            depth -= 1
        elif depth == 0 and token.text in RELATION_SIGNS:
            cuts.append((token.at, token.at + len(token.spelled or token.text)))
    edges = [0, *(edge for cut in cuts for edge in cut), len(latex)]
    return [latex[a:b].strip(" ,.\n") for a, b in pairwise(edges)]
