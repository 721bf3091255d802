"""Derivatives along a flow, gradients, and letters replaced by something else.

Each stays in the formula as it was written; what it comes to is computed in the normal form only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import reduce
from operator import matmul

from derivations.language.words.algebra import (
    DIMENSION,
    TRACE,
    UNIT,
    Form,
    Forms,
    Polynomial,
    ShapeError,
    Word,
    by,
    flipped,
    name_of,
    order,
    shape_of_factor,
)
from derivations.language.words.core import (
    Letter,
    Words,
    all_related,
    bound_in,
    identity,
    joined,
    merged,
    number,
    trace,
    zero,
)
from derivations.language.words.tangent import is_symmetric, left_behind
from derivations.text.doors import at_door


def _chain(parts: Iterable[Words]) -> Words:
    """The product of one or more words."""
    return reduce(matmul, parts)


def _scalar(scalar: Word, replaced: Callable[[str], Words]) -> Words:
    if scalar[0] == DIMENSION:
        return Words((1, 1), {((scalar,), ()): Fraction(1)}, {})
    return trace(_chain(map(replaced, scalar[1:]))) if scalar[0] == TRACE else _chain(map(replaced, scalar))


def _mapped(words: Words, replaced: Callable[[str], Words]) -> Words:
    total = zero(*words.shape)
    for (scalars, outer), coefficient in sorted(words.terms.items(), key=lambda t: order(t[0])):
        term = _chain(map(replaced, outer)) if outer else Words(words.shape, {UNIT: Fraction(1)}, {})
        for scalar in scalars:
            term = _scalar(scalar, replaced) * term
        total = total + coefficient * term
    return total


def _factor(factor: str, letter: Words) -> Words:
    return letter.T if factor != name_of(factor) else letter


@at_door(ShapeError)
def substitute(words: Words, values: Mapping[Letter, Words]) -> Words:
    """The words with letters replaced by words of the same shape, all at once, other letters as they are.

    Refuses values of another shape, values of symmetric letters that are not symmetric as they stand, and words with
    letters that are defined by replaced ones, but stay (`ShapeError`).

    >>> A, B = Letter("A", "n", "n"), Letter("B", "n", "n")
    >>> substitute(A @ A.T, {A: A @ B})
    A B B' A'
    """
    for letter, value in values.items():
        if letter.shape != value.shape:
            raise ShapeError(f"{letter.name} is {by(letter.shape)}, but its value is {by(value.shape)}")
        if letter.symmetric and letter.name in words.mentioned and not is_symmetric(value):
            raise ShapeError(f"{letter.name} is declared symmetric, but its value ({value!r}) is not, as it stands")
    table = {x.name: value for x, value in values.items() if x.name in words.mentioned}
    if not table:
        return words
    stay = {name: x for name, x in words.mentioned.items() if name not in table}
    if left := [name for name, x in stay.items() if table.keys() & joined(*all_related(x)).keys()]:
        raise ShapeError(f"{', '.join(left)} would stay, defined by what is replaced: give it a value as well")
    gone = {name: x for name, x in words.mentioned.items() if name in table}
    letters = merged([stay, *(value.mentioned for value in table.values())])
    bound = merged([gone, words.bound, *(value.bound for value in table.values())])
    formula = ("at", words.formula, tuple(sorted((name, value.formula) for name, value in table.items())))
    return Words(words.shape, lambda: _replaced(words, table), letters, formula, bound)


def _replaced(words: Words, table: Mapping[str, Words]) -> Polynomial:
    return _mapped(words, lambda f: _factor(f, table.get(name_of(f), words.letters[name_of(f)]))).terms


@at_door(ShapeError)
def along(words: Words, flow: Mapping[Letter, Words]) -> Words:
    """The time derivative of words whose letters move as the flow says; all other letters stand still.

    flow: letters with their rates, words of the letter's shape. Defined letters move with their definitions, and
    inverses by d(A^-1) = -A^-1 dA A^-1, so neither has a rate of its own. Refuses a rate of another shape, and one that
    leaves what its letter is declared to be: symmetric, diagonal, with orthonormal columns, commuting with others.

    >>> W, S = Letter("W", "m", "n"), Letter("S", "m", "n")
    >>> along(W.T @ W, {W: S})
    S' W + W' S
    """
    for letter, rate in flow.items():
        if letter.shape != rate.shape:
            raise ShapeError(f"{letter.name} is {by(letter.shape)}, but its rate is {by(rate.shape)}")
        others = joined(words, *all_related(words), *flow.values()).values()
        if left := left_behind(letter, rate, [other for other in others if letter in other.commutes_with]):
            raise ShapeError(f"{letter.name} {left}, but its rate ({rate!r}) leaves that, as it stands")
    rates = {letter.name: rate for letter, rate in flow.items()}
    moving = [words, *all_related(words)]
    used = {name: rate for name, rate in rates.items() if any(name in part.mentioned for part in moving)}
    letters = joined(*moving, *used.values())
    formula = ("along", words.formula, tuple(sorted((name, rate.formula) for name, rate in used.items())))
    terms = lambda: _moved(words, dict(used)).terms  # noqa: E731
    return Words(words.shape, terms, letters, formula, bound_in(words, *used.values()))


def _moved(words: Words, rates: dict[str, Words]) -> Words:
    total = zero(*words.shape)
    for (scalars, outer), coefficient in sorted(words.terms.items(), key=lambda t: order(t[0])):
        for i, scalar in enumerate(scalars):
            rest = Words(words.shape, {(scalars[:i] + scalars[i + 1 :], outer): coefficient}, words.letters)
            total = total + _moved_word(scalar, words, rates, scalar[0] == TRACE) * rest
        if outer:
            rest = Words((1, 1), {(scalars, ()): coefficient}, words.letters)
            total = total + rest * _moved_word(outer, words, rates, False)
    return total


def _moved_word(word: Word, words: Words, rates: dict[str, Words], traces: bool) -> Words:
    """Leibniz's rule on one word: the sum over its factors of the word with that factor's rate in its place."""
    if word[0] == DIMENSION:
        return number(0)
    factors = word[1:] if traces else word
    parts = [_factor(f, words.letters[name_of(f)]) for f in factors]
    total = zero(parts[0].shape[0], parts[-1].shape[1])
    for i, f in enumerate(factors):
        rate = _factor(f, _rate(words.letters[name_of(f)], rates))
        if rate.terms:
            total = total + _chain([*parts[:i], rate, *parts[i + 1 :]])
    return trace(total) if traces else total


def _rate(letter: Letter, rates: dict[str, Words]) -> Words:
    if letter.name not in rates:
        if letter.equals is not None:
            rates[letter.name] = _moved(letter.equals, rates)
        elif letter.inverse_of is not None:
            rates[letter.name] = -(letter @ _moved(letter.inverse_of, rates) @ letter)
        else:
            rates[letter.name] = zero(*letter.shape)
    return rates[letter.name]


@at_door(ShapeError)
def gradient(scalar: Words, letter: Letter) -> Words:
    """The matrix of partial derivatives of a 1x1 polynomial, `scalar`, by the letter's entries, in the letter's shape.

    Refuses polynomials that are not 1x1, and letters whose entries are not independent (`ShapeError`).

    >>> from derivations.language.words.core import norm2
    >>> W, Y = Letter("W", "m", "n"), Letter("Y", "m", "n")
    >>> gradient(norm2(Y - W) / 2, W)
    W - Y
    """
    if scalar.shape != (1, 1):
        raise ShapeError(f"({scalar!r}) is {by(scalar.shape)}: only a 1x1 polynomial has a gradient")
    letters = joined(scalar, letter, *all_related(scalar))
    commuting = {
        name for x in letters.values() if x.commutes_with for name in (x.name, *(y.name for y in x.commutes_with))
    }
    bound = letter.orthonormal_columns or (letter.symmetric and letter.shape != (1, 1))
    if bound or letter.name in commuting:
        raise ShapeError(f"the entries of {letter.name} are not independent: its gradient has no agreed meaning")
    formula = ("gradient", scalar.formula, letter.name)
    return Words(letter.shape, lambda: _gradient(scalar, letter).terms, letters, formula, scalar.bound)


def _gradient(scalar: Words, letter: Letter) -> Words:
    """Return what multiplies a direction in the derivative along that direction."""
    direction = Letter(_unused_name(scalar, letter), *letter.shape)
    total = zero(*letter.shape)
    letters = joined(scalar, direction, *all_related(scalar))
    moved = _moved(scalar, {letter.name: direction})
    for (scalars, _), coefficient in sorted(moved.terms.items(), key=lambda t: order(t[0])):
        places = [(i, j) for i, s in enumerate(scalars) for j, f in enumerate(s) if name_of(f) == direction.name]
        i, position = places[0]
        rest = Words((1, 1), {(scalars[:i] + scalars[i + 1 :], ()): coefficient}, letters)
        total = total + rest * _cofactor(scalars[i], position, letter, letters)
    return total


def _cofactor(word: Word, position: int, letter: Letter, letters: Mapping[str, Letter]) -> Words:
    """G with tr(G.T E) equal to the scalar word, in which the direction E stands at the position."""
    factor = word[position]
    cyclic = word[0] == TRACE
    forms: Forms = {name: Form(x.rows, x.cols, x.symmetric) for name, x in letters.items()}
    before, after = word[1 if cyclic else 0 : position], word[position + 1 :]
    parts = [Words(shape_of_factor(f, forms), {((), (f,)): Fraction(1)}, letters) for f in after + before]
    around = _chain(parts) if parts else identity(letter.rows)
    turned = factor != name_of(factor) and flipped(factor, forms) == name_of(factor)
    return around if turned else around.T


def _unused_name(words: Words, letter: Letter) -> str:
    taken = {letter.name, *words.mentioned, *words.letters}.union(*(w.mentioned for w in all_related(words)))
    name = "direction"
    while name in taken:
        name += "_"
    return name
