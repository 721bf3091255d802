"""Matrices of any size, written as noncommuting words over the exact rationals.

    D_h = Letter("D_h", "n_h", "n_x")
    dx = Letter("dx", "n_x", 1)
    representational_distance = norm2(D_h @ dx)

A `Letter` is declared once, with its dimensions (names, or the integer 1) and what is known of it. `Words` are
polynomials in letters, kept in a normal form in which 1x1 factors commute and equal their transposes; equal normal
forms are equal matrices, for every choice of the dimensions. What follows only from the declarations (an inverse, a
definition, orthonormal columns) is left to `derivations.prove.words`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from operator import add, matmul
from typing import Any

from derivations.language import show
from derivations.language.polynomials import NAME, Arithmetic, add_to, exact
from derivations.language.words.algebra import (
    DIMENSION,
    TRACE,
    UNIT,
    Dimension,
    Form,
    Forms,
    Monomial,
    Polynomial,
    Shape,
    ShapeError,
    Word,
    by,
    flipped,
    name_of,
    order,
    product,
    shape_of_factor,
    traced,
    transposed,
)
from derivations.language.words.tangent import left_behind

__all__ = [
    "Letter",
    "ShapeError",
    "Words",
    "along",
    "gradient",
    "identity",
    "mean",
    "norm2",
    "number",
    "substitute",
    "trace",
    "zero",
]


class Words(Arithmetic["Words"]):
    """A polynomial in letters with rational coefficients, every term of one shape; it stands for a matrix of any size.

    Add and subtract words of one shape, multiply them with `@`, transpose with `.T`, and scale with `*` by exact
    numbers or 1x1 words. Equal words are equal matrices. Refuses shapes that do not fit (`ShapeError`) and floats
    (`TypeError`).

    >>> A, x = Letter("A", "n", "n"), Letter("x", "n", 1)
    >>> (A @ x).T @ (A @ x)
    (x' A' A x)
    >>> (A @ x).shape, (A @ A - A @ A).terms
    (('n', 1), {})
    """

    def __init__(self, shape: Shape, terms: Mapping[Monomial, Fraction], letters: Mapping[str, Letter]) -> None:
        used = {name_of(f) for scalars, outer in terms for f in _factors(scalars, outer)}
        self.shape = shape
        self.terms: Polynomial = dict(terms)
        self.letters: dict[str, Letter] = {name: letters[name] for name in sorted(used)}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Words) and self.shape == other.shape and self.terms == other.terms

    def __hash__(self) -> int:
        return hash((self.shape, frozenset(self.terms.items())))

    def __repr__(self) -> str:
        return show.words(as_json(self))

    @property
    def T(self) -> Words:
        return Words((self.shape[1], self.shape[0]), transposed(self.terms, _forms(self)), self.letters)

    def __add__(self, other: object) -> Words:
        if not isinstance(other, Words):
            if self.shape != (1, 1) and exact(other) != 0:
                raise ShapeError(
                    f"({self!r}) + {other}: only 1x1 adds to a number; write identity(dimension) * {other}"
                )
            other = Words(self.shape, number(exact(other)).terms, {})
        if self.shape != other.shape:
            raise ShapeError(f"({self!r}) is {by(self.shape)} and ({other!r}) is {by(other.shape)}: they have no sum")
        total = dict(self.terms)
        add_to(total, other.terms)
        return Words(self.shape, total, _joined(self, other))

    def __matmul__(self, other: object) -> Words:
        if not isinstance(other, Words):
            return NotImplemented
        if self.shape[1] != other.shape[0]:
            hint = "; a 1x1 factor multiplies with *" if (1, 1) in (self.shape, other.shape) else ""
            both = f"({self!r}) is {by(self.shape)} and ({other!r}) is {by(other.shape)}"
            raise ShapeError(f"{both}: {self.shape[1]} and {other.shape[0]} differ, so they have no product{hint}")
        shape = (self.shape[0], other.shape[1])
        return Words(shape, product(self.terms, other.terms, _forms(self, other)), _joined(self, other))

    def __mul__(self, other: object) -> Words:
        if not isinstance(other, Words):
            return self._scaled(exact(other))
        if (1, 1) not in (self.shape, other.shape):
            raise ShapeError(f"({self!r}) * ({other!r}): * takes a number or a 1x1 factor; the matrix product is @")
        shape = other.shape if self.shape == (1, 1) else self.shape
        return Words(shape, product(self.terms, other.terms, _forms(self, other)), _joined(self, other))

    def __truediv__(self, other: object) -> Words:
        if isinstance(other, Words):
            raise ShapeError(f"division by ({other!r}): declare its inverse with inverse_of, and multiply by that")
        return self._scaled(1 / exact(other))

    def __pow__(self, exponent: object) -> Words:
        rows, cols = self.shape
        if rows != cols:
            raise ShapeError(f"({self!r}) is {by(self.shape)}: only square matrices have powers")
        if not isinstance(exponent, int) or exponent < 0:
            raise ShapeError(f"the exponent {exponent!r} is not a natural number: declare an inverse_of instead")
        return reduce(matmul, [self] * exponent, identity(rows))

    def _scaled(self, factor: Fraction) -> Words:
        return Words(self.shape, {m: factor * c for m, c in self.terms.items() if factor}, self.letters)


class Letter(Words):
    """One matrix: a name, two dimensions and what is known of it.

    rows, cols: names of dimensions, or the integer 1.
    inverse_of: a letter or square words; the inverse of a symmetric or diagonal letter is symmetric or diagonal too.
    equals: the words that define the letter.
    commutes_with: letters of the same square shape. Diagonal letters of one size always commute.
    positive, nonzero: of 1x1 letters only. Symmetric, diagonal and 1x1 letters equal their transposes.

    Refuses declarations that do not fit the shape (`ShapeError`).

    >>> S = Letter("S", "n", "n", symmetric=True)
    >>> S.T == S
    True
    >>> Letter("x", "n", 1, symmetric=True)
    Traceback (most recent call last):
    derivations.language.words.algebra.ShapeError: x is n x 1: only a square matrix can be declared so (symmetric)
    """

    def __init__(
        self,
        name: str,
        rows: Dimension,
        cols: Dimension,
        *,
        symmetric: bool = False,
        orthonormal_columns: bool = False,
        diagonal: bool = False,
        inverse_of: Words | None = None,
        equals: Words | None = None,
        positive: bool = False,
        nonzero: bool = False,
        commutes_with: Sequence[Letter] = (),
    ) -> None:
        if not NAME.fullmatch(name):
            raise ShapeError(f"{name!r} cannot name a letter: begin with a letter; then letters, digits, underscores")
        for dimension in (rows, cols):
            if dimension != 1 and not (isinstance(dimension, str) and NAME.fullmatch(dimension)):
                raise ShapeError(f"the dimension {dimension!r} of {name} must be a name or the integer 1")
        base = inverse_of if isinstance(inverse_of, Letter) else None
        self.name = name
        self.rows, self.cols = rows, cols
        self.orthonormal_columns: bool = orthonormal_columns
        self.diagonal: bool = diagonal or (base is not None and base.diagonal)
        self.symmetric: bool = (
            symmetric or self.diagonal or (rows == cols == 1) or (base is not None and base.symmetric)
        )
        self.inverse_of, self.equals = inverse_of, equals
        self.positive: bool = positive or (base is not None and base.positive)
        self.nonzero = nonzero
        self.commutes_with = tuple(commutes_with)
        self._check()
        word: Monomial = (((name,),), ()) if (rows, cols) == (1, 1) else ((), (name,))
        super().__init__((rows, cols), {word: Fraction(1)}, {name: self})

    def _check(self) -> None:
        shape = (self.rows, self.cols)
        square = [p for p in ("symmetric", "diagonal", "commutes_with") if getattr(self, p)]
        square += ["inverse_of"] if self.inverse_of is not None else []
        if self.rows != self.cols and square:
            raise ShapeError(f"{self.name} is {by(shape)}: only a square matrix can be declared so ({square[0]})")
        if (self.positive or self.nonzero) and shape != (1, 1):
            raise ShapeError(f"{self.name} is {by(shape)}: only a 1x1 letter can be positive or nonzero")
        if self.inverse_of is not None and self.equals is not None:
            raise ShapeError(f"{self.name} cannot be both an inverse and a definition")
        related = [w for w in (self.inverse_of, self.equals, *self.commutes_with) if w is not None]
        for other in related:
            if other.shape != shape:
                raise ShapeError(f"{self.name} is {by(shape)}, but ({other!r}) is {by(other.shape)}")

    def declared(self) -> dict[str, Any]:
        """The declaration as JSON; only what is true appears."""
        data: dict[str, Any] = {"rows": self.rows, "cols": self.cols}
        for flag in ("symmetric", "orthonormal_columns", "diagonal", "positive", "nonzero"):
            if getattr(self, flag):
                data[flag] = True
        if self.commutes_with:
            data["commutes_with"] = sorted(other.name for other in self.commutes_with)
        for link in ("inverse_of", "equals"):
            if getattr(self, link) is not None:
                data[link] = as_json(getattr(self, link))
        return data

    def related(self) -> list[Words]:
        return [w for w in (self.inverse_of, self.equals, *self.commutes_with) if w is not None]


def _factors(scalars: Iterable[Word], outer: Word) -> list[str]:
    inner = [f for s in scalars if s[0] != DIMENSION for f in s if f != TRACE]
    return [*inner, *outer]


def _joined(*parts: Words) -> dict[str, Letter]:
    letters: dict[str, Letter] = {}
    for part in parts:
        for name, letter in part.letters.items():
            known = letters.setdefault(name, letter)
            if known is not letter and known.declared() != letter.declared():
                raise ShapeError(f"two different letters are both called {name}: declare each letter once")
    return letters


def _forms(*parts: Words) -> Forms:
    return {name: Form(x.rows, x.cols, x.symmetric) for name, x in _joined(*parts).items()}


def as_json(words: Words) -> dict[str, Any]:
    """{"shape": [rows, cols], "terms": [[coefficient, [scalar words], outer word], ...]} in a fixed order."""
    ordered = sorted(words.terms.items(), key=lambda t: order(t[0]))
    return {"shape": list(words.shape), "terms": [[str(c), [list(s) for s in m[0]], list(m[1])] for m, c in ordered]}


def number(value: Fraction | int) -> Words:
    """An exact number as a 1x1 polynomial.

    >>> number(3) + number(-1)
    2
    """
    return Words((1, 1), {UNIT: exact(value)} if value else {}, {})


def identity(dimension: Dimension) -> Words:
    """The identity matrix of a dimension.

    >>> A = Letter("A", "n", "n")
    >>> identity("n") @ A == A
    True
    """
    return Words((dimension, dimension), {UNIT: Fraction(1)}, {})


def zero(rows: Dimension, cols: Dimension) -> Words:
    """The zero matrix of a shape.

    >>> A = Letter("A", "n", "n")
    >>> A - A == zero("n", "n")
    True
    """
    return Words((rows, cols), {}, {})


def norm2(vector: Words) -> Words:
    """The squared length of a column, v.T v; of any matrix, the sum of its squared entries, tr(v.T v).

    >>> norm2(Letter("x", "n", 1)), norm2(Letter("W", "n", "m"))
    ((x' x), tr(W W'))
    """
    square = vector.T @ vector
    return square if square.shape == (1, 1) else trace(square)


def trace(words: Words) -> Words:
    """The trace of square words, a 1x1 polynomial; other shapes are refused (`ShapeError`).

    >>> A, B = Letter("A", "n", "m"), Letter("B", "m", "n")
    >>> trace(A @ B) == trace(B @ A)
    True
    """
    rows, cols = words.shape
    if rows != cols:
        raise ShapeError(f"({words!r}) is {by(words.shape)}: only a square matrix has a trace")
    return Words((1, 1), traced(words.terms, rows, _forms(words)), words.letters)


def mean(values: Sequence[Words]) -> Words:
    """The average over a list of words of one shape; an empty list is refused (`ShapeError`).

    >>> a, b = Letter("a", 1, 1), Letter("b", 1, 1)
    >>> mean([a, b])
    1/2 a + 1/2 b
    """
    if not values:
        raise ShapeError("the mean of no values has no meaning")
    return reduce(add, values) / len(values)


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


def substitute(words: Words, values: Mapping[Letter, Words]) -> Words:
    """The words with letters replaced by words of the same shape, all at once; other shapes are refused (`ShapeError`).

    >>> A, B = Letter("A", "n", "n"), Letter("B", "n", "n")
    >>> substitute(A @ A.T, {A: A @ B})
    A B B' A'
    """
    table = {letter.name: value for letter, value in values.items()}
    for letter, value in values.items():
        if letter.shape != value.shape:
            raise ShapeError(f"{letter.name} is {by(letter.shape)}, but its value is {by(value.shape)}")
    return _mapped(words, lambda f: _factor(f, table.get(name_of(f), words.letters[name_of(f)])))


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
        if left := left_behind(letter, rate):
            raise ShapeError(f"{letter.name} {left}, but its rate ({rate!r}) leaves that, as it stands")
    return _moved(words, {letter.name: rate for letter, rate in flow.items()})


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


def gradient(scalar: Words, letter: Letter) -> Words:
    """The matrix of partial derivatives of a 1x1 polynomial by the letter's entries, in the letter's shape.

    Refuses polynomials that are not 1x1, and letters whose entries are not independent (`ShapeError`).

    >>> W, Y = Letter("W", "m", "n"), Letter("Y", "m", "n")
    >>> gradient(norm2(Y - W) / 2, W)
    W - Y
    """
    if scalar.shape != (1, 1):
        raise ShapeError(f"({scalar!r}) is {by(scalar.shape)}: only a 1x1 polynomial has a gradient")
    if letter.shape != (1, 1) and (letter.symmetric or letter.orthonormal_columns):
        raise ShapeError(f"the entries of {letter.name} are not independent: its gradient has no agreed meaning")
    direction = Letter(_unused_name(scalar, letter), *letter.shape)
    total = zero(*letter.shape)
    letters = _joined(scalar, direction, *_all_related(scalar))
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
    if letter.shape == (1, 1):
        return number(1)
    parts = [Words(shape_of_factor(f, forms), {((), (f,)): Fraction(1)}, letters) for f in after + before]
    around = _chain(parts) if parts else identity(letter.rows)
    turned = factor != name_of(factor) and flipped(factor, forms) == name_of(factor)
    return around if turned else around.T


def _all_related(words: Words) -> list[Words]:
    """Every words that the letters' declarations mention, directly or not."""
    collected: list[Words] = []
    waiting = list(words.letters.values())
    seen = set(words.letters)
    while waiting:
        for related in waiting.pop().related():
            collected.append(related)
            fresh = [x for name, x in related.letters.items() if name not in seen]
            seen.update(x.name for x in fresh)
            waiting.extend(fresh)
    return collected


def _unused_name(words: Words, letter: Letter) -> str:
    taken = {letter.name, *words.letters}.union(*(w.letters for w in _all_related(words)))
    name = "direction"
    while name in taken:
        name += "_"
    return name


def declarations(words: Iterable[Words]) -> dict[str, dict[str, Any]]:
    """The declarations of every letter that occurs, directly or through other declarations, sorted by name."""
    everything = [part for w in words for part in (w, *_all_related(w))]
    return {name: letter.declared() for name, letter in sorted(_joined(*everything).items())}
