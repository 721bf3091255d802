"""Sums over indices of symbolic range, exact over the rationals.

    K, M = Range("K"), Range("M")                     # the numbers of students and teachers
    g_student, g_teacher = Array("g_student", K), Array("g_teacher", M)
    k, m = K.index("k"), M.index("m")
    error = total(g_teacher[m], m) - total(g_student[k], k)

`Sums` are polynomials in entries of arrays, in Kronecker deltas and in sizes of ranges, under any number of sums. In
their normal form summed indices have no names: equal normal forms are equal numbers, for every size of every range,
all arrays and all values of the free indices. What follows only from hypotheses (the weights of an average add up to
one) is left to `derivations.prove.sums`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import count
from operator import mul
from typing import Any

from derivations.language import show
from derivations.language.polynomials import NAME, Arithmetic, add_to, exact
from derivations.language.sums.algebra import DELTA, SIZE, UNIT, Factor, Polynomial, normal, replaced, times
from derivations.text import DerivationError

__all__ = ["Array", "Index", "MisfitError", "Range", "Sums", "delta", "derivative", "number", "size", "total"]

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
        _named(self.name, "a range")

    def index(self, name: str) -> Index:
        return Index(name, self)


@dataclass(frozen=True)
class Index:
    """A free index until `total` sums over it."""

    name: str
    range: Range

    def __post_init__(self) -> None:
        _named(self.name, "an index")


class Sums(Arithmetic["Sums"]):
    """A polynomial in entries of arrays, deltas and sizes, under any number of sums; its coefficients are exact
    rationals.

    Add, subtract, multiply and raise to whole powers; numbers count as constants. Equal sums are equal numbers, for all
    sizes of the ranges and all arrays. Refuses indices and arrays of one name with two meanings (`MisfitError`).

    >>> K = Range("K")
    >>> g, k = Array("g", K), K.index("k")
    >>> total(g[k], k) ** 2 - 1
    sum_(k1, k2) g[k1] g[k2] - 1
    """

    def __init__(self, terms: Mapping[Any, Fraction], free: Mapping[str, Range], arrays: Mapping[str, Array]) -> None:
        used = {p for _, factors in terms for f in factors if f[0] != SIZE for p in f}
        self.terms: Polynomial = dict(terms)
        self.free = {name: free[name] for name in sorted(free) if name in used}
        self.arrays = {name: arrays[name] for name in sorted(arrays) if name in used}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sums) and self.terms == other.terms

    def __hash__(self) -> int:
        return hash(frozenset(self.terms.items()))

    def __repr__(self) -> str:
        return show.sums(as_json(self))

    def __add__(self, other: object) -> Sums:
        right = _sums(other)
        terms = dict(self.terms)
        add_to(terms, right.terms)
        return Sums(terms, free_indices(self, right), arrays_of(self, right))

    def __mul__(self, other: object) -> Sums:
        right = _sums(other)
        arrays = arrays_of(self, right)
        return Sums(times(self.terms, right.terms, _symmetric(arrays)), free_indices(self, right), arrays)

    def __truediv__(self, other: object) -> Sums:
        if isinstance(other, Sums):
            raise MisfitError(f"division by ({other!r}): give its reciprocal a name and state their product as 1")
        return self * (1 / exact(other))

    def __pow__(self, exponent: object) -> Sums:
        if not isinstance(exponent, int) or exponent < 0:
            raise MisfitError(f"the exponent {exponent!r} is not a natural number")
        return reduce(mul, [self] * exponent, number(1))


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

    def __init__(self, name: str, *ranges: Range, symmetric: bool = False) -> None:
        _named(name, "an array")
        if name in (DELTA, SIZE):
            raise MisfitError(f"'{name}' has a meaning of its own: give the array another name")
        if symmetric and (len(ranges) != 2 or ranges[0] != ranges[1]):
            raise MisfitError(f"{name} cannot be symmetric: that needs two indices of one range")
        for key, value in (("name", name), ("ranges", ranges), ("symmetric", symmetric)):
            object.__setattr__(self, key, value)

    def __getitem__(self, indices: Index | tuple[Index, ...]) -> Sums:
        places = indices if isinstance(indices, tuple) else (indices,)
        if tuple(p.range for p in places) != self.ranges:
            expected, given = (", ".join(r.name for r in rs) for rs in (self.ranges, [p.range for p in places]))
            raise MisfitError(f"{self.name} takes indices of the ranges ({expected}), got ({given})")
        factor: Factor = (self.name, *(p.name for p in places))
        return Sums(
            {normal((), [factor], _symmetric({self.name: self})): Fraction(1)}, _ranges(places), {self.name: self}
        )

    @property
    def value(self) -> Sums:
        """The one number of an array without indices."""
        return self[()]

    def declared(self) -> dict[str, Any]:
        data: dict[str, Any] = {"ranges": [r.name for r in self.ranges]}
        return data | ({"symmetric": True} if self.symmetric else {})


def number(value: Any) -> Sums:
    """An exact number as a constant polynomial.

    >>> number(2) * 3
    6
    """
    return Sums({UNIT: exact(value)} if exact(value) else {}, {}, {})


def size(of: Range) -> Sums:
    """How many values an index of this range has.

    >>> K = Range("K")
    >>> total(number(1), K.index("k")) == size(K)
    True
    """
    return Sums({((), ((SIZE, of.name),)): Fraction(1)}, {}, {})


def delta(a: Index, b: Index) -> Sums:
    """1 where both indices have the same value, 0 elsewhere; indices of two ranges are refused (`MisfitError`).

    >>> K = Range("K")
    >>> g, i, k = Array("g", K), K.index("i"), K.index("k")
    >>> total(delta(i, k) * g[k], k)
    g[i]
    """
    if a.range != b.range:
        raise MisfitError(f"{a.name} runs through {a.range.name} and {b.name} through {b.range.name}: they never meet")
    return Sums({normal((), [(DELTA, a.name, b.name)], frozenset()): Fraction(1)}, _ranges((a, b)), {})


def total(of: Sums, *over: Index) -> Sums:
    """The sum over indices, one after the other.

    >>> K = Range("K")
    >>> g, k = Array("g", K), K.index("k")
    >>> total(2 * g[k], k)
    2 sum_(k1) g[k1]
    """
    for index in over:
        _same_range(index.name, of.free.get(index.name, index.range), index.range)
        terms: Polynomial = {}
        for (bound, factors), c in of.terms.items():
            summed = [replaced(f, {index.name: len(bound)}) for f in factors]
            add_to(terms, {normal((*bound, index.range.name), summed, _symmetric(of.arrays)): c})
        of = Sums(terms, {n: r for n, r in of.free.items() if n != index.name}, of.arrays)
    return of


def derivative(of: Sums, rates: Mapping[Array, Callable[..., Sums]]) -> Sums:
    """The derivative of sums whose arrays change, by Leibniz's rule.

    rates: for each array that changes, a function of its indices, which gives the rate of that entry as `Sums`. Entries
    of all other arrays stand still.

    >>> K = Range("K")
    >>> g, w, k = Array("g", K), Array("w", K), K.index("k")
    >>> derivative(total(g[k] ** 2, k), {g: lambda i: w[i]})
    2 sum_(k1) g[k1] w[k1]
    """
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
    ordered = sorted(sums.terms.items(), key=repr)
    return [[str(c), list(bound), [list(f) for f in factors]] for (bound, factors), c in ordered]


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
        for name, of in part.free.items():
            _same_range(name, free.setdefault(name, of), of)
    return free


def arrays_of(*parts: Sums) -> dict[str, Array]:
    """The arrays of all parts; one name has one meaning."""
    arrays: dict[str, Array] = {}
    for part in parts:
        for name, array in part.arrays.items():
            if arrays.setdefault(name, array) != array:
                raise MisfitError(f"two different arrays are both called {name}: declare each array once")
    return arrays
