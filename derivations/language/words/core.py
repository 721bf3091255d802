"""Letters, and the formulas that are made of them, with their normal form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from operator import add
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
    name_of,
    order,
    product,
    traced,
    transposed,
    written_out,
)
from derivations.text.doors import at_door

Formula = Any
"""A formula as nested tuples; `formulas.py` says which there are."""


NONE: Mapping[str, Letter] = {}


class Words(Arithmetic["Words"]):
    """A formula in letters with rational coefficients, every term of one shape; it stands for a matrix of any size.

    Add and subtract words of one shape, multiply them with `@`, transpose with `.T`, and scale with `*` by exact
    numbers or 1x1 words. Equal words are equal matrices. Made from letters (`bound`: see `substitute`). Refuses shapes
    that do not fit (`ShapeError`) and floats (`Inexact`).

    >>> A, x = Letter("A", "n", "n"), Letter("x", "n", 1)
    >>> (A @ x).T @ (A @ x)
    (x' A' A x)
    >>> (A @ x).shape, (A @ A - A @ A).terms
    (('n', 1), {})
    """

    def __init__(
        self,
        shape: Shape,
        terms: Polynomial | Callable[[], Polynomial],
        letters: Mapping[str, Letter],
        formula: Formula = None,
        bound: Mapping[str, Letter] = NONE,
    ) -> None:
        """The formula with the letters that it speaks of, and its normal form, or a way to compute that when asked.

        bound: letters in whose place the formula puts something else.
        """
        self.shape = shape
        self.mentioned, self.bound = letters, bound
        self._terms = terms
        self._formula = formula

    @cached_property
    def terms(self) -> Polynomial:
        """The normal form: monomials with their coefficients. Derivatives are taken, products multiplied out."""
        return self._terms() if callable(self._terms) else self._terms

    @cached_property
    def letters(self) -> dict[str, Letter]:
        """The letters of the normal form."""
        used = {name_of(f) for scalars, outer in self.terms for f in factors_of(scalars, outer)}
        return {name: self.mentioned[name] for name in sorted(used)}

    @cached_property
    def formula(self) -> Formula:
        """The formula as it was written: nothing is multiplied out, no derivative is taken."""
        return written_out(self.terms, self.shape) if self._formula is None else self._formula

    def is_zero(self) -> bool:
        """Return whether the formula is written as the zero matrix."""
        return bool(self.formula[0] == "0")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Words) and self.shape == other.shape and self.terms == other.terms

    def __hash__(self) -> int:
        return hash((self.shape, frozenset(self.terms.items())))

    def __repr__(self) -> str:
        return show.words(as_json(self))

    @property
    def T(self) -> Words:
        shape = (self.shape[1], self.shape[0])
        if self.shape == (1, 1) or self.formula[0] == "I":
            return self
        if self.is_zero():
            return zero(*shape)
        formula = self.formula[1] if self.formula[0] == "T" else ("T", self.formula)
        return Words(shape, lambda: transposed(self.terms, forms_of(self)), self.mentioned, formula, self.bound)

    def __add__(self, other: object) -> Words:
        if not isinstance(other, Words):
            if exact(other) == 0:
                return self
            if self.shape != (1, 1):
                raise ShapeError(
                    f"({self!r}) + {other}: only 1x1 adds to a number; write identity(dimension) * {other}"
                )
            other = number(exact(other))
        if self.shape != other.shape:
            raise ShapeError(f"({self!r}) is {by(self.shape)} and ({other!r}) is {by(other.shape)}: they have no sum")
        letters, bound = joined(self, other), bound_in(self, other)
        if self.is_zero() or other.is_zero():
            return other if self.is_zero() else self
        formula = ("+", *_parts("+", self, other))
        return Words(self.shape, lambda: _added(self.terms, other.terms), letters, formula, bound)

    def __matmul__(self, other: object) -> Words:
        if not isinstance(other, Words):
            return NotImplemented
        if self.shape[1] != other.shape[0]:
            hint = "; a 1x1 factor multiplies with *" if (1, 1) in (self.shape, other.shape) else ""
            both = f"({self!r}) is {by(self.shape)} and ({other!r}) is {by(other.shape)}"
            raise ShapeError(f"{both}: {self.shape[1]} and {other.shape[0]} differ, so they have no product{hint}")
        return self._times(other, (self.shape[0], other.shape[1]), "@")

    def __mul__(self, other: object) -> Words:
        if not isinstance(other, Words):
            return self._scaled(exact(other))
        if (1, 1) not in (self.shape, other.shape):
            raise ShapeError(f"({self!r}) * ({other!r}): * takes a number or a 1x1 factor; the matrix product is @")
        return self._times(other, other.shape if self.shape == (1, 1) else self.shape, "*")

    def _times(self, other: Words, shape: Shape, sign: str) -> Words:
        letters = joined(self, other)
        if self.is_zero() or other.is_zero():
            return zero(*shape)
        for one, factor in ((self, other), (other, self)):
            if one.formula[0] == "I" and sign == "@":
                return factor
        terms = lambda: product(self.terms, other.terms, forms_of(self, other))  # noqa: E731
        return Words(shape, terms, letters, (sign, *_parts(sign, self, other)), bound_in(self, other))

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
        if exponent < 2 or self.is_zero():
            return self if exponent else identity(rows)
        terms = lambda: reduce(lambda a, b: product(a, b, forms_of(self)), [self.terms] * exponent)  # noqa: E731
        return Words(self.shape, terms, self.mentioned, ("^", self.formula, exponent), self.bound)

    def __ge__(self, other: Words | int) -> Order:
        return Order(">=", self, beside(other, self))

    def __gt__(self, other: Words | int) -> Order:
        return Order(">", self, beside(other, self))

    def __le__(self, other: Words | int) -> Order:
        return Order(">=", beside(other, self), self)

    def __lt__(self, other: Words | int) -> Order:
        return Order(">", beside(other, self), self)

    def _scaled(self, factor: Fraction) -> Words:
        if not factor or self.is_zero():
            return zero(*self.shape)
        whole, rest = _number_before(self.formula)
        whole *= factor
        formula = ("q", str(whole)) if rest is None else _with_number(whole, rest)
        terms = lambda: {m: factor * c for m, c in self.terms.items()}  # noqa: E731
        return Words(self.shape, terms, self.mentioned, formula, self.bound)


def beside(value: Words | int, other: Words) -> Words:
    """A side as words; the number 0 stands for the zero matrix of the other side's shape."""
    if isinstance(value, Words):
        return value
    return zero(*other.shape) if value == 0 else number(value)


def _added(a: Polynomial, b: Polynomial) -> Polynomial:
    total = dict(a)
    add_to(total, b)
    return total


def _parts(sign: str, *both: Words) -> list[Formula]:
    """The terms or factors of two formulas side by side."""
    return [part for words in both for part in (words.formula[1:] if words.formula[0] == sign else (words.formula,))]


def _number_before(formula: Formula) -> tuple[Fraction, Formula | None]:
    """The number before a formula, and the formula without it, which is None for a number itself."""
    if formula[0] == "q":
        return Fraction(formula[1]), None
    if formula[0] == "*" and formula[1][0] == "q":
        rest = formula[2:]
        return Fraction(formula[1][1]), rest[0] if len(rest) == 1 else ("*", *rest)
    return Fraction(1), formula


def _with_number(number: Fraction, rest: Formula) -> Formula:
    """A formula with another number before it."""
    return rest if number == 1 else ("*", ("q", str(number)), *(rest[1:] if rest[0] == "*" else (rest,)))


@dataclass(frozen=True)
class Order:
    """left - right is symmetric, and positive semidefinite (">=") or definite (">"); for numbers, the usual order.

    >>> from derivations.language.words import Letter
    >>> A, B = Letter("A", "n", "n"), Letter("B", "n", "n")
    >>> B < A, A >= 0
    (A > B, A >= 0)
    """

    relation: str
    left: Words
    right: Words

    def __post_init__(self) -> None:
        if self.left.shape != self.right.shape or self.left.shape[0] != self.left.shape[1]:
            sides = f"({self.left!r}) is {by(self.left.shape)} and ({self.right!r}) is {by(self.right.shape)}"
            raise ShapeError(f"{sides}: only square matrices of one size, and numbers, have an order")

    def __bool__(self) -> bool:
        raise TypeError(f"whether {self!r} holds is decided by prove.loewner: state each inequality by itself")

    def __repr__(self) -> str:
        return f"{self.left!r} {self.relation} {self.right!r}"


class Letter(Words):
    """One matrix: a name, two dimensions and what is known of it.

    rows, cols: names of dimensions, or the integer 1; what is an inverse or has a definition has the shape of that.
    orthonormal_columns: whether its columns have length one and are orthogonal, so that X.T @ X is the identity.
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

    @at_door(ShapeError)
    def __init__(
        self,
        name: str,
        rows: Dimension | None = None,
        cols: Dimension | None = None,
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
        like = equals if inverse_of is None else inverse_of
        shape = like.shape if rows is None and cols is None and like is not None else (rows, cols)
        self.name = name
        self.rows, self.cols = rows, cols = _dimension(name, shape[0]), _dimension(name, shape[1])
        base = inverse_of if isinstance(inverse_of, Letter) else None
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
        super().__init__((rows, cols), {word: Fraction(1)}, {name: self}, ("L", name))

    @property
    def T(self) -> Words:
        return self if self.symmetric else super().T

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
                data[link] = as_written(getattr(self, link))
        return data

    def related(self) -> list[Words]:
        return [w for w in (self.inverse_of, self.equals, *self.commutes_with) if w is not None]


def _dimension(name: str, size: Dimension | None) -> Dimension:
    if size is None or (size != 1 and not (isinstance(size, str) and NAME.fullmatch(size))):
        raise ShapeError(f"the dimension {size!r} of {name} must be a name or the integer 1")
    return size


def letters(declared: str, **known: Any) -> Any:
    """Return letters of which the same is known, each declared with its shape: several as a tuple.

    declared: as in "U: n x m, x: n, rate": a column has one dimension, and a number none; what is an inverse or has a
    definition has the shape of that. known: what `Letter` takes.

    >>> U, x, rate = letters("U: n x m, x: n, rate")
    >>> U.shape, x.shape, rate.shape
    (('n', 'm'), ('n', 1), (1, 1))
    >>> S = letters("S: n x n", symmetric=True)
    >>> letters("S_inv", inverse_of=S).shape
    ('n', 'n')
    """
    made = [_declared(one, known) for one in declared.split(",")]
    return made[0] if len(made) == 1 else tuple(made)


def _declared(text: str, known: Mapping[str, Any]) -> Letter:
    name, _, shape = (part.strip() for part in text.partition(":"))
    dimensions: list[Dimension] = [1 if size == "1" else size for size in shape.split(" x ")] if shape else []
    if len(dimensions) > 2:
        raise ShapeError(f"{text.strip()!r} has {len(dimensions)} dimensions: give two, or one for a column")
    if not dimensions and {"inverse_of", "equals"} & {*known}:
        return Letter(name, **known)
    return Letter(name, *dimensions, *[1] * (2 - len(dimensions)), **known)


def factors_of(scalars: Iterable[Word], outer: Word) -> list[str]:
    inner = [f for s in scalars if s[0] != DIMENSION for f in s if f != TRACE]
    return [*inner, *outer]


def joined(*parts: Words) -> Mapping[str, Letter]:
    """The letters that formulas speak of; one name has one meaning."""
    return merged([part.mentioned for part in parts])


def bound_in(*parts: Words) -> Mapping[str, Letter]:
    """The letters in whose place the formulas put something else."""
    return merged([part.bound for part in parts])


def merged(tables: Sequence[Mapping[str, Letter]]) -> Mapping[str, Letter]:
    """One table of letters; two letters of one name are refused (`ShapeError`)."""
    first = tables[0] if tables else NONE
    if all(table is first or not table for table in tables):
        return first
    letters: dict[str, Letter] = {}
    for table in tables:
        for name, letter in table.items():
            known = letters.setdefault(name, letter)
            if known is not letter and known.declared() != letter.declared():
                raise ShapeError(f"two different letters are both called {name}: declare each letter once")
    return letters


def forms_of(*parts: Words) -> Forms:
    return {name: Form(x.rows, x.cols, x.symmetric) for name, x in joined(*parts).items()}


def as_json(words: Words) -> dict[str, Any]:
    """{"shape": [rows, cols], "terms": [[coefficient, [scalar words], outer word], ...]} in a fixed order."""
    ordered = sorted(words.terms.items(), key=lambda t: order(t[0]))
    return {"shape": list(words.shape), "terms": [[str(c), [list(s) for s in m[0]], list(m[1])] for m, c in ordered]}


def as_written(words: Words) -> dict[str, Any]:
    """{"shape": [rows, cols], "formula": nested tuples}: the formula as it was written."""
    return {"shape": list(words.shape), "formula": words.formula}


@at_door(ShapeError)
def number(value: Fraction | int) -> Words:
    """An exact number as a 1x1 polynomial. value: an integer or a Fraction; a float is refused (`Inexact`).

    >>> number(3) + number(-1)
    2
    """
    return Words((1, 1), {UNIT: exact(value)}, {}, ("q", str(exact(value)))) if value else zero(1, 1)


@at_door(ShapeError)
def identity(dimension: Dimension) -> Words:
    """The identity matrix of a dimension.

    >>> A = Letter("A", "n", "n")
    >>> identity("n") @ A == A
    True
    """
    if _dimension("an identity matrix", dimension) == 1:
        return number(1)
    return Words((dimension, dimension), {UNIT: Fraction(1)}, {}, ("I", dimension))


@at_door(ShapeError)
def zero(rows: Dimension, cols: Dimension) -> Words:
    """The zero matrix of a shape; rows, cols: names of dimensions, or the integer 1.

    >>> A = Letter("A", "n", "n")
    >>> A - A == zero("n", "n")
    True
    """
    rows, cols = _dimension("a zero matrix", rows), _dimension("a zero matrix", cols)
    return Words((rows, cols), {}, {}, ("0", rows, cols))


@at_door(ShapeError)
def norm2(vector: Words) -> Words:
    """The squared length of a column `vector`, v.T v; of any matrix, the sum of its squared entries, tr(v.T v).

    >>> norm2(Letter("x", "n", 1)), norm2(Letter("W", "n", "m"))
    ((x' x), tr(W W'))
    """
    if vector.is_zero():
        return zero(1, 1)

    def squared() -> Polynomial:
        square = vector.T @ vector
        return square.terms if square.shape == (1, 1) else trace(square).terms

    return Words((1, 1), squared, vector.mentioned, ("norm2", vector.formula), vector.bound)


@at_door(ShapeError)
def trace(words: Words) -> Words:
    """The trace of square words, a 1x1 polynomial; other shapes are refused (`ShapeError`).

    >>> A, B = Letter("A", "n", "m"), Letter("B", "m", "n")
    >>> trace(A @ B) == trace(B @ A)
    True
    """
    rows, cols = words.shape
    if rows != cols:
        raise ShapeError(f"({words!r}) is {by(words.shape)}: only a square matrix has a trace")
    if rows == 1 or words.is_zero():
        return words if rows == 1 else zero(1, 1)
    terms = lambda: traced(words.terms, rows, forms_of(words))  # noqa: E731
    return Words((1, 1), terms, words.mentioned, ("tr", words.formula), words.bound)


@at_door(ShapeError)
def mean(values: Sequence[Words]) -> Words:
    """The average over `values`, a list of words of one shape; an empty list is refused (`ShapeError`).

    >>> a, b = Letter("a", 1, 1), Letter("b", 1, 1)
    >>> mean([a, b])
    1/2 a + 1/2 b
    """
    if not values:
        raise ShapeError("the mean of no values has no meaning: give at least one word")
    return reduce(add, values) / len(values)


def all_related(*words: Words) -> list[Words]:
    """Every formula that the letters' declarations mention, directly or not."""
    collected: list[Words] = []
    waiting = [x for w in words for table in (w.mentioned, w.bound) for x in table.values()]
    seen = {x.name for x in waiting}
    while waiting:
        for related in waiting.pop().related():
            collected.append(related)
            letters = {**related.mentioned, **related.bound}
            fresh = [x for name, x in letters.items() if name not in seen]
            seen.update(x.name for x in fresh)
            waiting.extend(fresh)
    return collected


def declarations(words: Iterable[Words]) -> dict[str, dict[str, Any]]:
    """The declarations of every letter that occurs, directly or through other declarations, sorted by name."""
    everything = [part for w in words for part in (w, *all_related(w))]
    tables = [table for part in everything for table in (part.mentioned, part.bound)]
    return {name: letter.declared() for name, letter in sorted(merged(tables).items())}
