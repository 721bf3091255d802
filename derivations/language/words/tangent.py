"""Whether a rate keeps its letter what it is declared to be, as it stands: a sufficient test on words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from derivations.language.polynomials import add_to
from derivations.language.words.algebra import PRIME, Form, Forms, Polynomial, Word, monomial, name_of

if TYPE_CHECKING:
    from derivations.language.words.core import Letter, Words


def left_behind(letter: Letter, rate: Words, partners: Iterable[Letter] = ()) -> str:
    """What is declared of the letter and not kept by the rate; empty where everything is kept.

    partners: letters that are declared to commute with it.

    >>> from derivations.language.words import Letter
    >>> U = Letter("U", "n", "m", orthonormal_columns=True)
    >>> K = Letter("K", "m", "m")
    >>> left_behind(U, U), left_behind(U, U @ (K - K.T))
    ('is declared to have orthonormal columns', '')
    """
    return next(_broken(letter, rate, [*letter.commutes_with, *partners]), "")


def _broken(letter: Letter, rate: Words, partners: list[Letter]) -> Iterator[str]:
    if letter.inverse_of is not None or letter.equals is not None:
        yield "moves with the words that define it"
    if letter.shape == (1, 1):
        return
    if letter.diagonal and not is_diagonal(rate):
        yield "is declared diagonal"
    if letter.symmetric and not is_symmetric(rate):
        yield "is declared symmetric"
    if letter.orthonormal_columns and not _keeps_columns(letter, rate):
        yield "is declared to have orthonormal columns"
    factors = [rate.letters[name_of(f)] for _, outer in rate.terms for f in outer]
    if not all(_commute(factor, partner) for factor in factors for partner in partners):
        yield "is declared to commute with other letters"


def is_diagonal(words: Words) -> bool:
    """Whether every term is a product of diagonal letters."""
    return all(words.letters[name_of(f)].diagonal for _, outer in words.terms for f in outer)


def is_symmetric(words: Words) -> bool:
    """Whether the normal form is its own transpose, or a sum of products of diagonal letters."""
    return words == words.T or is_diagonal(words)


def _commute(a: Letter, b: Letter) -> bool:
    """Whether the declarations say that two letters commute."""
    if a.name == b.name or (a.diagonal and b.diagonal):
        return True
    inverse = any(x.inverse_of is not None and x.inverse_of == y for x, y in ((a, b), (b, a)))
    return inverse or any(y.name in {z.name for z in x.commutes_with} for x, y in ((a, b), (b, a)))


def _keeps_columns(letter: Letter, rate: Words) -> bool:
    """Whether U' R + R' U is zero once U' U is the identity, and U U' too for a square U."""
    turned = letter.T @ rate
    sides = turned + turned.T
    pairs = {(letter.name if letter.symmetric else letter.name + PRIME, letter.name)}
    if letter.rows == letter.cols:
        pairs |= {(second, first) for first, second in pairs}
    forms: Forms = {name: Form(x.rows, x.cols, x.symmetric) for name, x in sides.letters.items()}
    rest: Polynomial = {}
    for (scalars, outer), c in sides.terms.items():
        add_to(rest, {monomial(scalars, _contracted(outer, pairs), forms): c})
    return not rest


def _contracted(word: Word, pairs: set[tuple[str, str]]) -> Word:
    """The word without neighbours whose product is the identity."""
    for i, pair in enumerate(pairwise(word)):
        if pair in pairs:
            return _contracted(word[:i] + word[i + 2 :], pairs)
    return word
