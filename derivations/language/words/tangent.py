"""A sufficient test on words of whether a rate keeps its letter what it is declared to be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from derivations.language.words.algebra import name_of

if TYPE_CHECKING:
    from derivations.language.words.core import Letter, Words


def left_behind(letter: Letter, rate: Words, partners: Iterable[Letter] = ()) -> str:
    """Return what is declared of the letter and not kept by the rate; empty where everything is kept.

    partners: letters that are declared to commute with it.

    >>> from derivations.language.words import Letter
    >>> S, K = Letter("S", "n", "n", symmetric=True), Letter("K", "n", "n")
    >>> left_behind(S, K), left_behind(S, K + K.T)
    ('is declared symmetric', '')
    """
    return next(_broken(letter, rate, [*letter.commutes_with, *partners]), "")


def _broken(letter: Letter, rate: Words, partners: list[Letter]) -> Iterator[str]:
    if letter.inverse_of is not None or letter.equals is not None:
        yield "moves with the words that define it"
    if letter.orthonormal_columns:
        yield "is declared to have orthonormal columns"
    if letter.shape == (1, 1):
        return
    if letter.diagonal and not is_diagonal(rate):
        yield "is declared diagonal"
    if letter.symmetric and not is_symmetric(rate):
        yield "is declared symmetric"
    factors = [(rate.letters[name_of(f)], f != name_of(f)) for _, outer in rate.terms for f in outer]
    if not all(_commute(factor, partner) and not turned for factor, turned in factors for partner in partners):
        yield "is declared to commute with other letters"


def is_diagonal(words: Words) -> bool:
    """Return whether every term is a product of diagonal letters."""
    return all(words.letters[name_of(f)].diagonal for _, outer in words.terms for f in outer)


def is_symmetric(words: Words) -> bool:
    """Return whether the normal form is its own transpose, or a sum of products of diagonal letters."""
    return words == words.T or is_diagonal(words)


def _commute(a: Letter, b: Letter) -> bool:
    """Return whether the declarations say that two letters commute."""
    if a.name == b.name or (a.diagonal and b.diagonal):
        return True
    inverse = any(x.inverse_of is not None and x.inverse_of == y for x, y in ((a, b), (b, a)))
    return inverse or any(y.name in {z.name for z in x.commutes_with} for x, y in ((a, b), (b, a)))
