"""A polynomial in letters as a sum of forms times factors: the search, as that for squares of polynomials."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from derivations.language.normal import to_fmpq, to_fraction
from derivations.language.polynomials import add_to
from derivations.language.words.algebra import Monomial, Polynomial
from derivations.prove.sign import gram
from derivations.prove.words.loewner.forms import Core, Factor, Form, Sized, Term, Values
from derivations.prove.words.rules import RuleBook

HALF = Fraction(1, 2)


class Normal:
    """Normal forms under the rules, each monomial reduced once, and a number for every monomial."""

    def __init__(self, book: RuleBook) -> None:
        self.book = book
        self.known: dict[tuple[Any, Monomial], Polynomial] = {}
        self.numbers: dict[Monomial, int] = {}

    def of(self, a: Sized) -> Sized:
        total: Polynomial = {}
        for m, c in a.terms.items():
            if (a.shape, m) not in self.known:
                self.known[a.shape, m] = self.book.reduce(a.shape, {m: Fraction(1)})[0]
            add_to(total, self.known[a.shape, m], c)
        return Sized(a.shape, total)

    def table(self, a: Sized) -> Table:
        """The coefficients by the numbers of their monomials."""
        terms = self.of(a).terms
        return Table({(self.numbers.setdefault(m, len(self.numbers)),): to_fmpq(c) for m, c in terms.items()})


class Table:
    """A polynomial in normal form, as the search for squares reads polynomials."""

    def __init__(self, entries: dict[tuple[int, ...], Any]) -> None:
        self.entries = entries

    def to_dict(self) -> dict[tuple[int, ...], Any]:
        return self.entries


class Map:
    """The factors on both sides of a core; maps of one shape add up."""

    def __init__(self, of: Sized) -> None:
        self.of = of

    def __add__(self, other: Map) -> Map:
        return Map(Values.plus(self.of, other.of))

    def __sub__(self, other: Map) -> Map:
        return Map(Values.plus(self.of, other.of, Fraction(-1)))

    def __mul__(self, number: Any) -> Map:
        return Map(Sized(self.of.shape, {m: to_fraction(number) * c for m, c in self.of.terms.items()}))


@dataclass(frozen=True)
class Context:
    """The surroundings of a form: factors, and whether its trace is taken."""

    factors: Sequence[Factor] = ()
    trace: bool = False


NOTHING = Context()


class Block:
    """A core, around which maps of one shape are chosen, and what stands outside of that."""

    def __init__(
        self, normal: Normal, values: Values, core: Core, maps: Sequence[Sized], outside: Context = NOTHING
    ) -> None:
        self.normal, self.values = normal, values
        self.core, self.maps = core, maps
        self.factors, self.trace = outside.factors, outside.trace
        self.number: Sized | None = None

    def __mul__(self, left: Map) -> _Half:
        return _Half(self, left)

    def between(self, left: Sized, right: Sized) -> Table:
        """The symmetric part of left' core right, with all that is around it."""
        values = self.values
        one, other = values.between(self.core, left, right), values.between(self.core, right, left)
        inner = Sized(one.shape, {m: HALF * c for m, c in values.plus(one, other).terms.items()})
        if self.trace:
            inner = values.trace(inner)
        if self.number is None:
            self.number = values.unit(1)
            for factor in self.factors:
                self.number = self.normal.of(values.times(self.number, values.number(factor)))
        return self.normal.table(values.times(self.number, inner))

    def term(self, weight: Fraction, of: Sized) -> Term:
        """The term that one square of the search stands for."""
        form = Form(self.core, of)
        if not self.trace:
            return Term(weight, self.factors, form)
        return Term(weight, [*self.factors, Factor("trace", [form])], Form(("one",), self.values.unit(1)))


class _Half:
    def __init__(self, block: Block, left: Map) -> None:
        self.block, self.left = block, left

    def __mul__(self, right: Map) -> Table:
        return self.block.between(self.left.of, right.of)


def decomposed(target: Sized, blocks: Sequence[Block], normal: Normal) -> list[Term] | None:
    """Terms that add up to the target, once all is in normal form; None if none are found."""
    wanted = normal.table(target)
    if not wanted.entries:
        return []
    from derivations.prove.sign.semidefinite import one_thread

    asked = [gram.Block(block, [Map(of) for of in block.maps]) for block in blocks]
    with one_thread():
        found = gram.squares(wanted, asked, lambda table: table, _is_unit)
    if found is None:
        return None
    return [blocks[j].term(weight, form.of) for j, weight, form in found]


def _is_unit(of: Any) -> bool:
    return set(of.of.terms) == {((), ())}
