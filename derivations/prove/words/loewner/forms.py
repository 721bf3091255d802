"""Matrices and numbers that are never negative, as data, and the polynomials that they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from derivations.language.polynomials import add_to
from derivations.language.words.algebra import (
    UNIT,
    Dimension,
    Forms,
    Formula,
    Polynomial,
    Shape,
    Word,
    monomial,
    order,
    product,
    traced,
    transposed,
    written_out,
)

Core = tuple[Any, ...]
"""("one",) the identity; ("order", k) hypothesis k; ("positive", name) a letter; ("rest", FORM) tr(K) I - K"""


class Sized(NamedTuple):
    """A polynomial in letters with its shape."""

    shape: Shape
    terms: Polynomial

    def written(self) -> Formula:
        return written_out(self.terms, self.shape)


@dataclass(frozen=True, eq=False)
class Form:
    """map' core map, which is positive semidefinite as the core is."""

    core: Core
    map: Sized

    def written(self) -> Formula:
        if self.map.terms == {UNIT: Fraction(1)} and self.map.shape[0] == self.map.shape[1]:
            core = core_written(self.core)
            return core[0] if core else ("I", self.map.shape[0]) if self.map.shape != (1, 1) else ("q", "1")
        of = self.map.written()
        return ("@", ("T", of), *core_written(self.core), of)


def core_written(core: Core) -> list[Formula]:
    """A core as a formula; the identity is not written."""
    match core:
        case ("positive", name):
            return [("L", name)]
        case ("rest", form):
            return [("rest", form.written())]
    return [] if core == ("one",) else [core]


@dataclass(frozen=True, eq=False)
class Factor:
    """A number that is never negative.

    "trace": the trace of a form. "pair": the trace of the product of two forms of one size. "gram": for two forms with
    one core H, tr(P' H P) tr(Q' H Q) - tr(P' H Q)^2.
    """

    kind: str
    forms: Sequence[Form]

    def written(self) -> Formula:
        forms = [form.written() for form in self.forms]
        if self.kind != "gram":
            return ("tr" if self.kind == "trace" else "pair", *forms)
        first, second = self.forms
        core = core_written(first.core) or [("I", first.map.shape[0]) if first.map.shape[0] != 1 else ("q", "1")]
        return ("gram", *core, first.map.written(), second.map.written())


@dataclass(frozen=True, eq=False)
class Term:
    """A positive number, times factors, times a form."""

    weight: Fraction
    factors: Sequence[Factor]
    form: Form

    def written(self) -> Formula:
        """The term as a formula that is never negative as it is built."""
        return ("*", ("q", str(self.weight)), *(factor.written() for factor in self.factors), self.form.written())


class Values:
    """The values of forms, factors and terms, over the letters and hypotheses of one statement."""

    def __init__(self, forms: Forms, orders: Sequence[Sized], strict: Sequence[bool]) -> None:
        self.forms, self.orders, self.strict = forms, orders, strict

    # arithmetic

    def word(self, word: Word, shape: Shape) -> Sized:
        return Sized(shape, {monomial((), word, self.forms): Fraction(1)})

    @staticmethod
    def unit(size: Dimension) -> Sized:
        return Sized((size, size), {UNIT: Fraction(1)})

    def times(self, a: Sized, b: Sized) -> Sized:
        """The matrix product, or that of a number with anything."""
        shape = b.shape if a.shape == (1, 1) else a.shape if b.shape == (1, 1) else (a.shape[0], b.shape[1])
        return Sized(shape, product(a.terms, b.terms, self.forms))

    def turned(self, a: Sized) -> Sized:
        return Sized((a.shape[1], a.shape[0]), transposed(a.terms, self.forms))

    def trace(self, a: Sized) -> Sized:
        return Sized((1, 1), traced(a.terms, a.shape[0], self.forms))

    @staticmethod
    def plus(a: Sized, b: Sized, scale: Fraction | None = None) -> Sized:
        total = dict(a.terms)
        add_to(total, b.terms, scale)
        return Sized(a.shape, total)

    # what is never negative

    def size(self, core: Core) -> Dimension | None:
        """The size of a core; the identity has any."""
        match core:
            case ("order", k):
                return self.orders[k].shape[0]
            case ("positive", _):
                return 1
            case ("rest", form):
                return form.map.shape[1]  # type: ignore[no-any-return]
        return None

    def is_strict(self, core: Core) -> bool:
        return core[0] in ("one", "positive") or (core[0] == "order" and self.strict[core[1]])

    def is_definite(self, term: Term) -> bool:
        """Check whether all that stands around the map of a term is positive."""
        one = self.unit(1)
        return self.is_strict(term.form.core) and all(
            factor.kind == "trace" and self.is_strict(form.core) and form.map == one
            for factor in term.factors
            for form in factor.forms
        )

    def between(self, core: Core, p: Sized, q: Sized) -> Sized:
        """p' core q."""
        left = self.turned(p)
        match core:
            case ("order", k):
                left = self.product(left, self.orders[k])
            case ("positive", name):
                left = self.product(left, self.word((name,), (1, 1)))
            case ("rest", form):
                inner = self.value(form)
                whole = self.times(self.trace(inner), self.unit(inner.shape[0]))
                left = self.product(left, self.plus(whole, inner, Fraction(-1)))
        return self.product(left, q)

    def product(self, a: Sized, b: Sized) -> Sized:
        """The matrix product, whatever the sizes are."""
        return Sized((a.shape[0], b.shape[1]), product(a.terms, b.terms, self.forms))

    def value(self, form: Form) -> Sized:
        return self.between(form.core, form.map, form.map)

    def number(self, factor: Factor) -> Sized:
        if factor.kind == "trace":
            return self.trace(self.value(factor.forms[0]))
        first, second = factor.forms
        if factor.kind == "pair":
            return self.trace(self.product(self.value(first), self.value(second)))
        mixed = self.trace(self.between(first.core, first.map, second.map))
        squares = (self.trace(self.value(form)) for form in factor.forms)
        return self.plus(self.times(*squares), self.times(mixed, mixed), Fraction(-1))

    def term(self, term: Term) -> Sized:
        total = Sized(self.value(term.form).shape, {})
        total = self.plus(total, self.value(term.form), term.weight)
        for factor in term.factors:
            total = self.times(self.number(factor), total)
        return total


def degree(terms: Mapping[Any, Any]) -> int:
    """The number of factors of the longest monomial."""
    return max((order(m)[0] for m in terms), default=0)
