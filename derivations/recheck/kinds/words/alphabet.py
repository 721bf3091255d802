"""The declared letters of a statement about matrices, and the arithmetic of sums of words in them.

A word is a tuple of (letter, turned) pairs. A term is (numbers, word): a sorted tuple of numbers, each a loop of
factors or the size of a dimension, that commute with everything, and one word that does not. Neighbours that are both
diagonal stand in alphabetical order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby, pairwise
from typing import Any, NamedTuple

from derivations.recheck.core.budget import spend
from derivations.recheck.core.errors import Rejected

Json = dict[str, Any]
Size = str | int
Factor = tuple[str, bool]
Word = tuple[Factor, ...]
Number = tuple[str, Word, str]  # ("loop", factors, "") from 1 to 1, ("trace", factors, ""), or ("dim", (), name)
Term = tuple[tuple[Number, ...], Word]
Sum = dict[Term, Fraction]

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
RATIONAL = re.compile(r"-?[0-9]{1,2000}(/[0-9]{1,2000})?", re.ASCII)
MAX_WORD = 1000  # factors of a word
STEP_WORK = 1000  # see `spend`
FLAGS = ("symmetric", "diagonal", "orthonormal_columns", "positive", "nonzero")
LETTER_KEYS = {"rows", "cols", *FLAGS, "commutes_with", "inverse_of", "equals"}


class Block(NamedTuple):
    """A sum with its shape."""

    rows: Size
    cols: Size
    terms: Sum


def require(condition: bool, complaint: str) -> None:
    if not condition:
        raise Rejected(complaint)


def exact(text: Any) -> Fraction:
    written = isinstance(text, str) and RATIONAL.fullmatch(text) is not None
    require(written, f"{text!r} is not an exact rational")
    return Fraction(text)


def accumulate(total: Sum, part: Sum, scale: Fraction | None = None) -> None:
    """total += scale * part, without the terms that cancel."""
    for term, coefficient in part.items():
        added = coefficient if scale is None else scale * coefficient
        before = total.get(term)
        value = added if before is None else before + added
        if value:
            total[term] = value
        else:
            total.pop(term, None)


class Alphabet:
    """The declared letters, and the arithmetic of sums of words in them."""

    def __init__(self, letters: Json) -> None:
        self.letters = letters
        self.dimensions: set[str] = set()
        self.diagonal = {name for name, data in letters.items() if "diagonal" in data}
        self.apart: dict[Word, Term] = {}
        for name, data in letters.items():
            require(NAME.fullmatch(name) is not None, f"{name!r} cannot name a letter")
            require(set(data) <= LETTER_KEYS, f"{name} is declared with unknown properties")
            self.note_size(data["rows"])
            self.note_size(data["cols"])
        for name in letters:
            self._check_declaration(name)

    def note_size(self, size: Any) -> None:
        """A dimension is the integer 1 or a name, which is remembered."""
        if type(size) is int and size == 1:
            return
        require(isinstance(size, str) and NAME.fullmatch(size) is not None, f"{size!r} is no dimension")
        self.dimensions.add(size)

    def _check_declaration(self, name: str) -> None:
        data = self.letters[name]
        shape = (data["rows"], data["cols"])
        for flag in FLAGS:
            require(flag not in data or data[flag] is True, f"{name}: {flag} is declared by true or not at all")
        square = any(k in data for k in ("symmetric", "diagonal", "commutes_with", "inverse_of"))
        require(not square or shape[0] == shape[1], f"{name} is not square, but is declared as if it were")
        require(shape == (1, 1) or not ("positive" in data or "nonzero" in data), f"{name} is not 1x1, but has a sign")
        for other in data.get("commutes_with", []):
            partner = (self.letters[other]["rows"], self.letters[other]["cols"])
            require(partner == shape, f"{name} cannot commute with {other}")

    @staticmethod
    def used(block: Block) -> set[str]:
        """The letters of a polynomial."""
        numbers = {n for scalars, _ in block.terms for _, loop, _ in scalars for n, _ in loop}
        return numbers | {n for _, word in block.terms for n, _ in word}

    # factors and words

    def own_transpose(self, name: str) -> bool:
        data = self.letters[name]
        return "symmetric" in data or "diagonal" in data or (data["rows"] == 1 and data["cols"] == 1)

    def factor(self, text: str) -> Factor:
        name = text[:-1] if text.endswith("'") else text
        require(name in self.letters, f"the letter {name!r} is not declared")
        return (name, text.endswith("'") and not self.own_transpose(name))

    def ends(self, factor: Factor) -> tuple[Size, Size]:
        data = self.letters[factor[0]]
        return (data["cols"], data["rows"]) if factor[1] else (data["rows"], data["cols"])

    def path(self, word: Word) -> list[Size]:
        """The dimensions through which a non-empty word passes."""
        require(len(word) <= MAX_WORD, f"a word has more than {MAX_WORD} factors")
        spend(len(word) * STEP_WORK)
        sizes: list[Size] = [self.ends(word[0])[0]]
        for factor in word:
            start, end = self.ends(factor)
            require(sizes[-1] == start, f"{factor[0]} does not fit where it stands")
            sizes.append(end)
        return sizes

    def turned(self, word: Word) -> Word:
        return tuple((n, not t and not self.own_transpose(n)) for n, t in word[::-1])

    def ordered(self, word: Word) -> Word:
        """The word with diagonal neighbours, which commute, in alphabetical order."""
        if len(word) < 2 or not self.diagonal:
            return word
        runs = groupby(word, key=lambda factor: factor[0] in self.diagonal)
        return tuple(f for commute, run in runs for f in (sorted(run) if commute else run))

    def loop(self, word: Word) -> Number:
        return ("loop", max(self.ordered(word), self.ordered(self.turned(word))), "")

    def term(self, numbers: tuple[Number, ...], word: Word) -> Term:
        """A term in normal form: what lies between two passages through dimension 1 joins the numbers."""
        if word not in self.apart:
            self.apart[word] = self._apart(word)
        spend(STEP_WORK)
        found, rest = self.apart[word]
        return tuple(sorted((*numbers, *found))), rest

    def _apart(self, word: Word) -> Term:
        """The numbers into which a word falls, and what remains of it."""
        if not word:
            return (), word
        ones = [i for i, size in enumerate(self.path(word)) if size == 1]
        found = tuple(self.loop(word[start:end]) for start, end in pairwise(ones))
        return found, self.ordered(word[: ones[0]] + word[ones[-1] :] if ones else word)

    def trace(self, word: Word, size: Size) -> tuple[Number, ...]:
        if not word:
            return () if size == 1 else (("dim", (), str(size)),)
        path = self.path(word)
        require(path[0] == path[-1], "the trace of a word that is not square")
        if 1 in path:
            start = path.index(1)
            return self.term((), word[start:] + word[:start])[0]
        spend(len(word) ** 2 * STEP_WORK)
        return (("trace", max(map(self.ordered, self._rotations(word))), ""),)

    def _rotations(self, word: Word) -> Iterator[Word]:
        """All ways to write the factors of a trace that tear no diagonal neighbours apart."""
        whole = all(name in self.diagonal for name, _ in word)
        for w in (word, self.turned(word)):
            for i in range(len(w)):
                if whole or w[i][0] not in self.diagonal or w[i - 1][0] not in self.diagonal:
                    yield w[i:] + w[:i]

    # sums

    def polynomial(self, data: Json) -> Block:
        """A polynomial in normal form, as data."""
        require(set(data) == {"shape", "terms"}, "a polynomial has exactly a shape and terms")
        rows, cols = data["shape"]
        self.note_size(rows)
        self.note_size(cols)
        terms: Sum = {}
        for coefficient, scalars, outer in data["terms"]:
            word = tuple(self.factor(f) for f in outer)
            numbers = tuple(n for s in scalars for n in self.number(s))
            sizes = self.path(word) if word else [rows, rows]
            require((sizes[0], sizes[-1]) == (rows, cols), "a term has another shape than its polynomial")
            accumulate(terms, {self.term(numbers, word): exact(coefficient)})
        return Block(rows, cols, terms)

    def number(self, scalar: list[str]) -> tuple[Number, ...]:
        require(bool(scalar), "an empty number")
        if scalar[0] == "dim(":
            require(len(scalar) == 2, "the size of one dimension")
            self.note_size(scalar[1])
            return (("dim", (), scalar[1]),)
        if scalar[0] == "tr(":
            word = tuple(self.factor(f) for f in scalar[1:])
            return self.trace(word, self.path(word)[0])
        word = tuple(self.factor(f) for f in scalar)
        sizes = self.path(word)
        require(sizes[0] == 1 and sizes[-1] == 1, "a number must be a 1x1 word")
        return self.term((), word)[0]

    @staticmethod
    def same_shape(a: Block, b: Block) -> None:
        require((a.rows, a.cols) == (b.rows, b.cols), "two sides differ in shape")

    def difference(self, a: Block, b: Block) -> Block:
        self.same_shape(a, b)
        terms = dict(a.terms)
        accumulate(terms, b.terms, Fraction(-1))
        return Block(a.rows, a.cols, terms)

    def product(self, a: Block, b: Block) -> Block:
        require(a.cols == b.rows, "a product of matrices that do not fit")
        terms: Sum = {}
        for (n1, w1), c1 in a.terms.items():
            for (n2, w2), c2 in b.terms.items():
                accumulate(terms, {self.term((*n1, *n2), w1 + w2): c1 * c2})
        return Block(a.rows, b.cols, terms)

    def transpose(self, a: Block) -> Block:
        return Block(a.cols, a.rows, {(numbers, self.turned(word)): c for (numbers, word), c in a.terms.items()})

    def traced(self, a: Block) -> Block:
        require(a.rows == a.cols != 1, "the trace of a number, or of a matrix that is not square")
        terms: Sum = {}
        for (numbers, word), c in a.terms.items():
            accumulate(terms, {self.term((*numbers, *self.trace(word, a.rows)), ()): c})
        return Block(1, 1, terms)

    def scaled(self, number: Block, a: Block) -> Block:
        """A 1x1 block times any block."""
        require((number.rows, number.cols) == (1, 1), "only a 1x1 factor multiplies like a number")
        terms: Sum = {}
        for (numbers, _), c in number.terms.items():
            for (others, word), d in a.terms.items():
                accumulate(terms, {self.term((*numbers, *others), word): c * d})
        return Block(a.rows, a.cols, terms)

    def letter(self, name: str) -> Block:
        require(name in self.letters, f"the letter {name!r} is not declared")
        data = self.letters[name]
        return Block(data["rows"], data["cols"], {self.term((), ((name, False),)): Fraction(1)})

    @staticmethod
    def unit(size: Size) -> Block:
        return Block(size, size, {((), ()): Fraction(1)})

    def single(self, factors: list[str], rows: Size) -> Block:
        """One word; an empty one is the identity of the given size."""
        if not factors:
            return self.unit(rows)
        word = tuple(self.factor(f) for f in factors)
        sizes = self.path(word)
        return Block(sizes[0], sizes[-1], {self.term((), word): Fraction(1)})
