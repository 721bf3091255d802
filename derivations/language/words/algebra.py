"""Arithmetic of noncommuting words over the rationals, on plain data.

A letter stands for a matrix whose dimensions are names ("n_h") or the integer 1; a factor is a letter's name, with a
prime when it is transposed ("D_y'"). A word is a product of factors. Wherever a product passes through dimension 1 it
falls apart: the 1x1 pieces are numbers, so they commute with everything and equal their own transposes. A monomial is
therefore (sorted scalars, outer word), and a polynomial maps monomials to rational coefficients; its shape is kept
beside it. An empty outer word is the number 1 or an identity matrix, as the shape says.

A scalar is a 1x1 word (stored as the smaller of itself and its transpose), or a trace ("tr(", ...factors) (stored as
the smallest of its rotations and their transposes), or the trace of an identity matrix ("dim(", name).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from derivations.language.polynomials import add_to
from derivations.text import DerivationError

Dimension = str | int
Shape = tuple[Dimension, Dimension]
Word = tuple[str, ...]
Monomial = tuple[tuple[Word, ...], Word]
Polynomial = dict[Monomial, Fraction]
Formula = Any  # nested tuples; `formulas.py` says which there are

TRACE, DIMENSION, PRIME = "tr(", "dim(", "'"
UNIT: Monomial = ((), ())


class ShapeError(DerivationError):
    """Matrices that do not fit together; the message says which and why."""


class Form(NamedTuple):
    """The properties of a letter that arithmetic needs."""

    rows: Dimension
    cols: Dimension
    symmetric: bool


Forms = Mapping[str, Form]


def by(shape: Sequence[Dimension]) -> str:
    """A shape for people: n_h x 1."""
    return f"{shape[0]} x {shape[1]}"


def name_of(factor: str) -> str:
    """The name of a factor's letter."""
    return factor.removesuffix(PRIME)


def shape_of_factor(factor: str, forms: Forms) -> Shape:
    """Rows and columns of a factor, which may be transposed."""
    if factor[-1] == PRIME:
        form = forms[factor[:-1]]
        return form.cols, form.rows
    form = forms[factor]
    return form.rows, form.cols


def flipped(factor: str, forms: Forms) -> str:
    """The transpose of one factor."""
    if factor[-1] == PRIME:
        return factor[:-1]
    return factor if forms[factor].symmetric else factor + PRIME


def transposed_word(word: Word, forms: Forms) -> Word:
    """The transpose of a product: its factors transposed, in the opposite order."""
    return tuple([flipped(f, forms) for f in word[::-1]])


def shape_of_word(word: Word, forms: Forms) -> Shape:
    """The shape of a non-empty word; neighbours that do not fit are refused."""
    for left, right in pairwise(word):
        a, b = shape_of_factor(left, forms), shape_of_factor(right, forms)
        if a[1] != b[0]:
            raise ShapeError(
                f"{left} is {by(a)} and {right} is {by(b)}: {a[1]} and {b[0]} differ, so they have no product"
            )
    return shape_of_factor(word[0], forms)[0], shape_of_factor(word[-1], forms)[1]


def boundaries(word: Word, forms: Forms) -> list[int]:
    """The places 0..len(word) at which a non-empty word passes through dimension 1."""
    ones = [i for i, factor in enumerate(word, 1) if shape_of_factor(factor, forms)[1] == 1]
    return [0, *ones] if shape_of_factor(word[0], forms)[0] == 1 else ones


def canonical_scalar(word: Word, forms: Forms) -> Word:
    """The smaller of a 1x1 word and its transpose, which are the same number."""
    return min(word, transposed_word(word, forms))


def fallen_apart(word: Word, forms: Forms) -> tuple[list[Word], Word]:
    """The 1x1 pieces of a word, and the outer word that remains."""
    if not word:
        return [], ()
    ones = boundaries(word, forms)
    if not ones:
        return [], word
    pieces = [canonical_scalar(word[i:j], forms) for i, j in pairwise(ones)]
    return pieces, word[: ones[0]] + word[ones[-1] :]


def trace_of_word(word: Word, dimension: Dimension, forms: Forms) -> list[Word]:
    """The scalars whose product is the trace of a square word."""
    if not word:
        return [] if dimension == 1 else [(DIMENSION, str(dimension))]
    ones = boundaries(word, forms)
    if ones:
        return fallen_apart(word[ones[0] :] + word[: ones[0]], forms)[0]
    back = transposed_word(word, forms)
    rotations = (w[i:] + w[:i] for w in (word, back) for i in range(len(word)))
    return [(TRACE, *min(rotations))]


def multiplied(a: Monomial, b: Monomial, forms: Forms) -> Monomial:
    """The product of two monomials."""
    pieces, outer = fallen_apart(a[1] + b[1], forms)
    return tuple(sorted((*a[0], *b[0], *pieces))), outer


def monomial(scalars: Iterable[Word], word: Word, forms: Forms) -> Monomial:
    """The monomial of already canonical scalars times any word."""
    return multiplied((tuple(scalars), ()), ((), word), forms)


def difference(left: Mapping[Monomial, Fraction], right: Mapping[Monomial, Fraction]) -> Polynomial:
    """left - right."""
    total = dict(left)
    add_to(total, right, Fraction(-1))
    return total


def product(a: Mapping[Monomial, Fraction], b: Mapping[Monomial, Fraction], forms: Forms) -> Polynomial:
    """The matrix product of two polynomials."""
    total: Polynomial = {}
    for m, c in a.items():
        for n, d in b.items():
            add_to(total, {multiplied(m, n, forms): c * d})
    return total


def transposed(a: Mapping[Monomial, Fraction], forms: Forms) -> Polynomial:
    """The transpose of every term."""
    return {(scalars, transposed_word(outer, forms)): c for (scalars, outer), c in a.items()}


def traced(a: Mapping[Monomial, Fraction], dimension: Dimension, forms: Forms) -> Polynomial:
    """The trace of every term of a square polynomial."""
    total: Polynomial = {}
    for (scalars, outer), c in a.items():
        scalar: Monomial = (tuple(sorted((*scalars, *trace_of_word(outer, dimension, forms)))), ())
        add_to(total, {scalar: c})
    return total


@lru_cache(maxsize=1 << 16)
def order(m: Monomial) -> tuple[int, Word, tuple[Word, ...]]:
    """Monomials compare by the number of factors, then the outer word, then the scalars, alphabetically."""
    scalars, outer = m
    return len(outer) + sum(len(s) - (s[0] in (TRACE, DIMENSION)) for s in scalars), outer, scalars


# --- normal forms as formulas -----------------------------------------------------------------------------------------


def written_out(terms: Polynomial, shape: Shape) -> Formula:
    """A polynomial as a formula: a sum of products."""
    parts = [_term_written_out(str(c), m, shape) for m, c in sorted(terms.items(), key=lambda t: order(t[0]))]
    return ("+", *parts) if len(parts) > 1 else parts[0] if parts else ("0", *shape)


def _term_written_out(coefficient: str, term: Monomial, shape: Shape) -> Formula:
    scalars, outer = term
    factors = [*map(scalar_written_out, scalars), *whole_written_out(outer, shape)]
    if coefficient != "1" or not factors:
        factors = [("q", coefficient), *factors]
    return together("*", factors)


def whole_written_out(outer: Word, shape: Shape) -> list[Formula]:
    """The word of a monomial, where it is not the number 1."""
    return [together("@", word_written_out(outer))] if outer else [("I", shape[0])] if shape != (1, 1) else []


def scalar_written_out(scalar: Word) -> Formula:
    """A 1x1 word, a trace or the size of a dimension."""
    if scalar[0] == DIMENSION:
        return ("tr", ("I", scalar[1]))
    word = together("@", word_written_out(scalar[1:] if scalar[0] == TRACE else scalar))
    return ("tr", word) if scalar[0] == TRACE else word


def word_written_out(word: Word) -> list[Formula]:
    return [("T", ("L", name_of(f))) if f.endswith(PRIME) else ("L", f) for f in word]


def together(head: str, parts: Sequence[Formula]) -> Formula:
    """One part alone, or all of them under a head."""
    return (head, *parts) if len(parts) > 1 else parts[0]
