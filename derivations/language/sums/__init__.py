"""Sums over indices of symbolic range, exact over the rationals.

    K, M = Range("K"), Range("M")                     # the numbers of students and teachers
    g_student, g_teacher = Array("g_student", K), Array("g_teacher", M)
    k, m = K.index("k"), M.index("m")
    error = total(g_teacher[m], m) - total(g_student[k], k)

`Sums` are formulas in entries of arrays, in Kronecker deltas and in sizes of ranges, under any number of sums. They
stay as they were written, derivatives included. In their normal form products are multiplied out and summed indices
have no names: equal normal forms are equal numbers, for every size of every range, all arrays and all values of the
free indices. What follows only from hypotheses (the weights of an average add up to
one) is left to `derivations.prove.sums`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial, reduce
from itertools import count
from operator import mul
from typing import Any

from derivations.language import show
from derivations.language.polynomials import NAME, Arithmetic, add_to, exact
from derivations.language.sums.algebra import DELTA, SIZE, UNIT, Factor, Polynomial, normal, replaced, times
from derivations.text import DerivationError
from derivations.text.doors import at_door, require_fields, shown

__all__ = ["Array", "Index", "MisfitError", "Range", "Sums", "delta", "derivative", "number", "size", "total"]

Formula = Any
"""A formula as nested tuples."""

NOTHING, ONCE = ("q", "0"), ("q", "1")
_OPENED = count()
"""Numbers for summed indices that are free for a while: a rate may be a derivative too, and must not meet them."""


class MisfitError(DerivationError):
    """Indices and arrays that do not fit together; the message says which and why."""


@dataclass(frozen=True)
class Range:
    """The values that an index runs through; how many there are is left open.

    >>> K = Range("K")
    >>> K.index("k")
    Index(name='k', range=Range(name='K'))
    """

    name: str

    def __post_init__(self) -> None:
        require_fields(self, MisfitError)
        _named(self.name, "a range")

    @at_door(MisfitError)
    def index(self, name: str) -> Index:
        return Index(name, self)


@dataclass(frozen=True)
class Index:
    """A free index until `total` sums over it."""

    name: str
    range: Range

    def __post_init__(self) -> None:
        require_fields(self, MisfitError)
        _named(self.name, "an index")


class Sums(Arithmetic["Sums"]):
    """A formula in entries of arrays, deltas and sizes, under any number of sums; its coefficients are exact
    rationals.

    Made by `Array`, `delta`, `size`, `number` and `total` from these; terms is their normal form, free the indices that
    are not summed over. Add, subtract, multiply and raise to whole powers; numbers count as constants. Equal sums are
    equal numbers, for all sizes of the ranges and all arrays. Refuses indices and arrays of one name with two meanings
    (`MisfitError`).

    >>> K = Range("K")
    >>> g, k = Array("g", K), K.index("k")
    >>> total(g[k], k) ** 2 - 1
    sum_(k1, k2) g[k1] g[k2] - 1
    """

    def __init__(
        self,
        terms: Polynomial | Callable[[], Polynomial],
        free: Mapping[str, Range],
        arrays: Mapping[str, Array],
        formula: Formula = None,
    ) -> None:
        """A formula with the indices and arrays that it mentions, and its normal form, or how to compute that."""
        self.mentioned_indices, self.mentioned_arrays = dict(free), dict(arrays)
        self._terms, self._formula = terms, formula
        if formula is None:
            self.mentioned_indices, self.mentioned_arrays = self.free, self.arrays

    @cached_property
    def terms(self) -> Polynomial:
        """The normal form: monomials with their coefficients."""
        return self._terms() if callable(self._terms) else dict(self._terms)

    @cached_property
    def free(self) -> dict[str, Range]:
        """The free indices of the normal form."""
        return {name: of for name, of in sorted(self.mentioned_indices.items()) if name in self._used}

    @cached_property
    def arrays(self) -> dict[str, Array]:
        """The arrays of the normal form."""
        return {name: array for name, array in sorted(self.mentioned_arrays.items()) if name in self._used}

    @cached_property
    def _used(self) -> set[Any]:
        return {p for _, factors in self.terms for f in factors if f[0] != SIZE for p in f}

    @cached_property
    def formula(self) -> Formula:
        """The formula as it was written: nothing is multiplied out, no derivative is taken."""
        return ("terms", *_ordered(self.terms)) if self._formula is None else self._formula

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sums) and self.terms == other.terms

    def __hash__(self) -> int:
        return hash(frozenset(self.terms.items()))

    def __repr__(self) -> str:
        return show.sums(as_json(self))

    def __add__(self, other: object) -> Sums:
        right = _sums(other)
        if NOTHING in (self.formula, right.formula):
            return right if self.formula == NOTHING else self
        formula = ("+", *_parts("+", self, right))
        return Sums(lambda: _added(self.terms, right.terms), free_indices(self, right), arrays_of(self, right), formula)

    def __mul__(self, other: object) -> Sums:
        right = _sums(other)
        if ONCE in (self.formula, right.formula):
            return right if self.formula == ONCE else self
        arrays, formula = arrays_of(self, right), ("*", *_parts("*", self, right))
        terms = lambda: times(self.terms, right.terms, _symmetric(arrays))  # noqa: E731
        return Sums(terms, free_indices(self, right), arrays, formula)

    def __truediv__(self, other: object) -> Sums:
        if isinstance(other, Sums):
            raise MisfitError(f"division by ({other!r}): give its reciprocal a name and state their product as 1")
        return self * (1 / exact(other))

    def __pow__(self, exponent: object) -> Sums:
        if not isinstance(exponent, int) or exponent < 0:
            raise MisfitError(f"the exponent {exponent!r} is not a natural number")
        if exponent < 2:
            return self if exponent else number(1)
        terms = lambda: reduce(mul, [self] * exponent).terms  # noqa: E731
        return Sums(terms, self.mentioned_indices, self.mentioned_arrays, ("^", self.formula, exponent))


def _parts(sign: str, *both: Sums) -> list[Formula]:
    """The terms or factors of two formulas side by side."""
    return [part for sums in both for part in (sums.formula[1:] if sums.formula[0] == sign else (sums.formula,))]


def _added(a: Polynomial, b: Polynomial) -> Polynomial:
    terms = dict(a)
    add_to(terms, b)
    return terms


@dataclass(frozen=True)
class Array:
    """Numbers with as many indices as there are ranges; a symmetric one has two, whose order does not matter.

    Indexing gives an entry as `Sums`; refused are indices of other ranges than the array's (`MisfitError`).

    >>> K = Range("K")
    >>> R, i, k = Array("R", K, K, symmetric=True), K.index("i"), K.index("k")
    >>> R[i, k] == R[k, i]
    True
    """

    name: str
    ranges: tuple[Range, ...]
    symmetric: bool = False

    @at_door(MisfitError)
    def __init__(self, name: str, *ranges: Range, symmetric: bool = False) -> None:
        _named(name, "an array")
        if name in (DELTA, SIZE):
            raise MisfitError(f"'{name}' has a meaning of its own: give the array another name")
        if symmetric and (len(ranges) != 2 or ranges[0] != ranges[1]):
            raise MisfitError(f"{name} cannot be symmetric: that needs two indices of one range")
        for key, value in (("name", name), ("ranges", ranges), ("symmetric", symmetric)):
            object.__setattr__(self, key, value)

    @at_door(MisfitError)
    def __getitem__(self, indices: Index | tuple[Index, ...]) -> Sums:
        places = indices if isinstance(indices, tuple) else (indices,)
        if tuple(p.range for p in places) != self.ranges:
            expected, given = (", ".join(r.name for r in rs) for rs in (self.ranges, [p.range for p in places]))
            raise MisfitError(f"{self.name} takes indices of the ranges ({expected}), got ({given})")
        factor: Factor = (self.name, *(p.name for p in places))
        terms: Polynomial = {normal((), [factor], _symmetric({self.name: self})): Fraction(1)}
        return Sums(terms, _ranges(places), {self.name: self}, ("A", *factor))

    @property
    def value(self) -> Sums:
        """The one number of an array without indices."""
        return self[()]

    def declared(self) -> dict[str, Any]:
        data: dict[str, Any] = {"ranges": [r.name for r in self.ranges]}
        return data | ({"symmetric": True} if self.symmetric else {})


@at_door(MisfitError)
def number(value: Any) -> Sums:
    """An exact value, a whole number or a fraction, as a constant polynomial.

    >>> number(2) * 3
    6
    """
    return Sums({UNIT: exact(value)} if exact(value) else {}, {}, {}, ("q", str(exact(value))))


@at_door(MisfitError)
def size(of: Range) -> Sums:
    """How many values an index of this range has.

    >>> K = Range("K")
    >>> total(number(1), K.index("k")) == size(K)
    True
    """
    return Sums({((), ((SIZE, of.name),)): Fraction(1)}, {}, {}, (SIZE, of.name))


@at_door(MisfitError)
def delta(a: Index, b: Index) -> Sums:
    """1 where the indices a and b have the same value, 0 elsewhere; indices of two ranges are refused (`MisfitError`).

    >>> K = Range("K")
    >>> g, i, k = Array("g", K), K.index("i"), K.index("k")
    >>> total(delta(i, k) * g[k], k)
    g[i]
    """
    if a.range != b.range:
        raise MisfitError(f"{a.name} runs through {a.range.name} and {b.name} through {b.range.name}: they never meet")
    factor: Factor = (DELTA, a.name, b.name)
    return Sums({normal((), [factor], frozenset()): Fraction(1)}, _ranges((a, b)), {}, factor)


@at_door(MisfitError)
def total(of: Sums, *over: Index) -> Sums:
    """The sum of a polynomial over indices, one after the other.

    >>> K = Range("K")
    >>> g, k = Array("g", K), K.index("k")
    >>> total(2 * g[k], k)
    2 sum_(k1) g[k1]
    """
    for index in over:
        _same_range(index.name, of.mentioned_indices.get(index.name, index.range), index.range)
        free = {n: r for n, r in of.mentioned_indices.items() if n != index.name}
        formula = ("sum", of.formula, index.name, index.range.name)
        of = Sums(partial(_summed, of, index), free, of.mentioned_arrays, formula)
    return of


def _summed(of: Sums, index: Index) -> Polynomial:
    terms: Polynomial = {}
    for (bound, factors), c in of.terms.items():
        summed = [replaced(f, {index.name: len(bound)}) for f in factors]
        add_to(terms, {normal((*bound, index.range.name), summed, _symmetric(of.arrays)): c})
    return terms


@at_door(MisfitError)
def derivative(of: Sums, rates: Mapping[Array, Callable[..., Sums]]) -> Sums:
    """The derivative of sums whose arrays change, by Leibniz's rule.

    rates: for each array that changes, a function of its indices, which gives the rate of that entry as `Sums`. Entries
    of all other arrays stand still. A rate with other free indices than its entry is refused (`MisfitError`).

    >>> K = Range("K")
    >>> g, w, k = Array("g", K), Array("w", K), K.index("k")
    >>> derivative(total(g[k] ** 2, k), {g: lambda i: w[i]})
    2 sum_(k1) g[k1] w[k1]
    """
    moving = {a: rate for a, rate in rates.items() if of.mentioned_arrays.get(a.name) == a}
    places = {a: _fresh_places(a, rate) for a, rate in moving.items()}
    written = {a: rate(*places[a]) for a, rate in moving.items()}
    for array, rate in written.items():
        if not isinstance(rate, Sums):
            raise MisfitError(f"the rate of {array.name} gives {shown(rate)}, which is no Sums: give 0 as number(0)")
        if array.symmetric and rate != moving[array](*reversed(places[array])):
            raise MisfitError(f"{array.name} is declared symmetric, but its rate ({rate!r}) is not, as it stands")
    own = [
        Sums({}, {n: r for n, r in w.mentioned_indices.items() if n not in {p.name for p in places[a]}}, {}, NOTHING)
        for a, w in written.items()
    ]
    formula = (
        "derivative",
        of.formula,
        tuple((a.name, tuple(p.name for p in places[a]), w.formula) for a, w in sorted(written.items(), key=_by_name)),
    )
    arrays = arrays_of(of, *written.values())
    return Sums(lambda: _moved(of, moving).terms, free_indices(of, *own), arrays, formula)


def _fresh_places(array: Array, rate: Callable[..., Sums]) -> tuple[Index, ...]:
    """Names for the indices of an entry that its rate does not use for others."""
    probe = rate(*(Index(f"summed_{next(_OPENED)}", of) for of in array.ranges))
    taken, name = _texts(getattr(probe, "formula", ())), "at"
    while any(text.startswith(f"{name}_") and text[len(name) + 1 :].isdigit() for text in taken):
        name += "_"
    return tuple(Index(f"{name}_{k + 1}", of) for k, of in enumerate(array.ranges))


def _texts(formula: Formula) -> set[str]:
    if isinstance(formula, str):
        return {formula}
    return set().union(*map(_texts, formula)) if isinstance(formula, tuple) else set()


def _by_name(item: tuple[Array, Sums]) -> str:
    return item[0].name


def _moved(of: Sums, rates: Mapping[Array, Callable[..., Sums]]) -> Sums:
    """Leibniz's rule: the sum over all factors of the term with that factor's rate in its place."""
    table = {array.name: rate for array, rate in rates.items()}
    ranges = {r.name: r for array in of.arrays.values() for r in array.ranges}
    result = number(0)
    for (bound, factors), c in of.terms.items():
        summed = [Index(f"summed_{next(_OPENED)}", ranges.get(name, Range(name))) for name in bound]
        opened = [replaced(f, {k: index.name for k, index in enumerate(summed)}) for f in factors]
        known = {**of.free, **{index.name: index.range for index in summed}}
        for at, f in enumerate(opened):
            if f[0] in table:
                rest = Sums({((), tuple(opened[:at] + opened[at + 1 :])): c}, known, of.arrays)
                moved = table[str(f[0])](*(Index(str(p), known[str(p)]) for p in f[1:]))
                result = result + total(rest * moved, *summed)
    return result


def as_json(sums: Sums) -> list[Any]:
    """[[coefficient, [range, ...], [[array, index, ...], ...]], ...] in a fixed order; a summed index is a number."""
    return [[c, list(bound), [list(f) for f in factors]] for c, bound, factors in _ordered(sums.terms)]


def as_written(sums: Sums) -> dict[str, Any]:
    """{"formula": nested tuples}: the formula as it was written; `formulas.py` says which there are."""
    return {"formula": sums.formula}


def _ordered(terms: Polynomial) -> list[Any]:
    return [(str(c), bound, factors) for (bound, factors), c in sorted(terms.items(), key=repr)]


def _sums(value: object) -> Sums:
    return value if isinstance(value, Sums) else number(value)


def _named(name: str, what: str) -> None:
    if not NAME.fullmatch(name):
        raise MisfitError(f"{name!r} cannot name {what}: begin with a letter; then letters, digits, underscores")


def _symmetric(arrays: Mapping[str, Array]) -> frozenset[str]:
    return frozenset(name for name, array in arrays.items() if array.symmetric)


def _ranges(indices: tuple[Index, ...]) -> dict[str, Range]:
    ranges: dict[str, Range] = {}
    for index in indices:
        _same_range(index.name, ranges.setdefault(index.name, index.range), index.range)
    return ranges


def _same_range(name: str, known: Range, given: Range) -> None:
    if known != given:
        raise MisfitError(f"the index {name} runs through {known.name} in one place and {given.name} in another")


def free_indices(*parts: Sums) -> dict[str, Range]:
    """The free indices of all parts with their ranges; one name has one range."""
    free: dict[str, Range] = {}
    for part in parts:
        for name, of in part.mentioned_indices.items():
            _same_range(name, free.setdefault(name, of), of)
    return free


def arrays_of(*parts: Sums) -> dict[str, Array]:
    """The arrays of all parts; one name has one meaning."""
    arrays: dict[str, Array] = {}
    for part in parts:
        for name, array in part.mentioned_arrays.items():
            if arrays.setdefault(name, array) != array:
                raise MisfitError(f"two different arrays are both called {name}: declare each array once")
    return arrays
