"""Index notation, read as sums: entries of arrays, sums over printed indices, vectors whose index is not printed.

In W_{i} x_{s} both letters are vectors along the inputs, and nothing says so but the way they are used: `Indexed` keeps
such an unprinted index, and where two vectors meet in a product it is summed over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from derivations.language.sums import Index, Range, Sums, number, size, total
from derivations.language.sums.algebra import SIZE
from derivations.latex.fold import NotThisKind

Pairs = Iterable[tuple[Sums, Sums]]


@dataclass(frozen=True)
class Indexed:
    """Sums as they stand in a formula; a vector has one index that is not printed."""

    value: Sums
    unprinted: Index | None = None

    @property
    def T(self) -> Indexed:
        """Rows and columns are not told apart: a product of two vectors is a number either way."""
        return self

    def __add__(self, other: Any) -> Indexed:
        right = indexed(other)
        if right.unprinted != self.unprinted:
            raise NotThisKind(f"a vector and a number do not add up: ({self.value!r}) + ({right.value!r})")
        return Indexed(self.value + right.value, self.unprinted)

    __radd__ = __add__

    def __mul__(self, other: Any) -> Indexed:
        right = indexed(other)
        product = self.value * right.value
        if self.unprinted and right.unprinted:
            return Indexed(total(product, self.unprinted))
        return Indexed(product, self.unprinted or right.unprinted)

    __rmul__ = __matmul__ = __mul__


@dataclass(frozen=True)
class Moving(Indexed):
    """A quantity with the rate that stands for its time derivative; it is computed when it is asked for."""

    rate: Callable[[], Sums] = lambda: number(0)


def moving(value: Sums, rate: Callable[[], Sums], unprinted: Index | None = None) -> Moving:
    return Moving(value, unprinted, rate)


def time_derivative(of: Any, by: Any) -> Indexed:
    """The rule for d/dt of something that is `moving`; of anything else it is refused (`NotThisKind`)."""
    if not isinstance(of, Moving) or by != "t":
        raise NotThisKind(f"no rate is known for ({settled(of)!r}) in {by}")
    return Indexed(of.rate(), of.unprinted)


def indexed(value: Any) -> Indexed:
    """An object of a formula, or a number, with its index that is not printed."""
    if isinstance(value, Indexed):
        return value
    return Indexed(value if isinstance(value, Sums) else number(value))


def settled(value: Any) -> Any:
    """The sums of a formula that was read."""
    return value.value if isinstance(value, Indexed) else value


@dataclass(frozen=True)
class OverPrintedIndices:
    """The rule for a sum over indices as they are printed.

    known: the index of every printed letter. ranges: where an upper limit is the size of one of these, the sum runs
    over it, whatever range its letter has elsewhere. Refuses other limits (`NotThisKind`).

    >>> from derivations.language.sums import Array
    >>> K = Range("K")
    >>> rule = OverPrintedIndices({"k": K.index("k")}, [K])
    >>> settled(rule(indexed(Array("w", K)[K.index("k")]), ("k", Fraction(1), size(K))))
    sum_(k1) w[k1]
    """

    known: Mapping[str, Index]
    ranges: Iterable[Range]

    def __call__(self, body: Any, *bounds: tuple[str, Any, Any]) -> Indexed:
        summed = indexed(body)
        return Indexed(total(summed.value, *(self._index(*bound) for bound in bounds)), summed.unprinted)

    def _index(self, name: str, lower: Any, upper: Any) -> Index:
        if name not in self.known:
            raise NotThisKind(f"no index is declared that is printed as {name}")
        if lower not in (None, Fraction(1)):
            raise NotThisKind(f"the sum over {name} begins at {lower!r}, not at 1")
        if upper is None:
            return self.known[name]
        for of in self.ranges:
            if settled(upper) == size(of):
                return Index(self.known[name].name, of)
        raise NotThisKind(f"the sum over {name} ends at ({settled(upper)!r}), which is the size of no range")


def reciprocals(pairs: Mapping[str, Sums]) -> Callable[[Indexed], Indexed]:
    """The rule for a division: numbers, and products of sizes and scalars whose reciprocals have letters.

    pairs: the reciprocal's letter by the name of a range or of an array without indices.

    >>> from derivations.language.sums import Array
    >>> rule = reciprocals({"K": Array("per_unit").value})
    >>> settled(rule(2 * size(Range("K"))))
    1/2 per_unit
    """

    def rule(divisor: Any) -> Indexed:
        terms = list(indexed(divisor).value.terms.items())
        if len(terms) != 1 or terms[0][0][0]:
            raise NotThisKind(f"no letter is declared for the reciprocal of ({settled(divisor)!r})")
        (_, factors), coefficient = terms[0]
        product = indexed(1 / coefficient)
        for factor in factors:
            name = str(factor[1] if factor[0] == SIZE else factor[0])
            if name not in pairs:
                raise NotThisKind(f"no letter is declared for the reciprocal of {name}")
            product = product * pairs[name]
        return product

    return rule


def square_roots(pairs: Pairs) -> Callable[[Any, Any], Indexed]:
    """The rule for a power that is no whole number: square roots of certain sums have letters."""
    known = list(pairs)

    def rule(base: Any, exponent: Any) -> Indexed:
        for square, letter in known:
            if settled(base) == square and exponent == Fraction(1, 2):
                return Indexed(letter)
        raise NotThisKind(f"no letter is declared for ({settled(base)!r}) to the power of {exponent}")

    return rule


def values_at(table: Pairs, what: str) -> Callable[[Indexed], Indexed]:
    """The rule for a function that is known at certain arguments only, as entries of an array."""
    known = list(table)

    def rule(argument: Any) -> Indexed:
        for at, value in known:
            if settled(argument) == at:
                return Indexed(value)
        raise NotThisKind(f"{what} is not known at ({settled(argument)!r})")

    return rule
