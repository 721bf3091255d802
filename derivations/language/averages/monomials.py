"""Integrands of Gaussian averages as data, multiplied out field by field, and how they are differentiated.

A monomial is a product of factors of single fields. As data it is a list of them:

    ["power", i, n]       the n-th power of field i         ["step", i]    1 above zero, 0 below
    ["bell", i, w]        exp(-x^2/(2 w))                   ["ramp", i]    the field where it is positive, else 0
    ["erf", i, w]         erf(x/sqrt(2 w))                  ["point", i]   a point mass at zero

Here all factors of one field are one `Part`: a ramp is the field times its step, a step times itself is the step, and a
point mass times something that vanishes at zero is nothing. An integrand is a sum of monomials with terms as
coefficients.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from derivations.language.terms import MINUS_ONE, ONE, ZERO, Term, rational
from derivations.text import DerivationError

Monomial = tuple[tuple[int, "Part"], ...]
Polynomial = dict[Monomial, Term]
HALF, MINUS_HALF = rational("1/2"), rational("-1/2")


class NoAverage(DerivationError):
    """A product that has no average: the message says which one and what to write instead."""


@dataclass(frozen=True)
class Part:
    """The factors of one field."""

    power: int = 0
    step: bool = False
    point: bool = False
    bells: tuple[Term, ...] = ()
    erfs: tuple[Term, ...] = ()


def plus(*terms: Term) -> Term:
    """A sum without terms that are literally zero."""
    rest = [t for t in terms if t != ZERO]
    return ("+", *rest) if len(rest) > 1 else rest[0] if rest else ZERO


def times(*terms: Term) -> Term:
    """A product without factors that are literally one; zero where a factor is."""
    if ZERO in terms:
        return ZERO
    rest = [t for t in terms if t != ONE]
    return ("*", *rest) if len(rest) > 1 else rest[0] if rest else ONE


def power(base: Term, exponent: Term) -> Term:
    return ONE if base == ONE else ("^", base, exponent)


def monomial(factors: Iterable[Any]) -> Monomial | None:
    """The product of factors given as data; None where a point mass meets something that vanishes there."""
    parts: dict[int, list[Any]] = {}
    for factor in factors:
        parts.setdefault(factor[1], []).append(factor)
    return of_parts({field: _joined(of) for field, of in parts.items()})


def _joined(factors: list[Any]) -> Part:
    kinds = [f[0] for f in factors]
    if kinds.count("point") > 1 or ("point" in kinds and ("step" in kinds or "ramp" in kinds)):
        raise NoAverage("a point mass times a step, or times itself, has no average: leave one of them out")
    ramps = kinds.count("ramp")
    return Part(
        power=sum(f[2] for f in factors if f[0] == "power") + ramps,
        step=ramps > 0 or "step" in kinds,
        point="point" in kinds,
        bells=tuple(sorted((f[2] for f in factors if f[0] == "bell"), key=repr)),
        erfs=tuple(sorted((f[2] for f in factors if f[0] == "erf"), key=repr)),
    )


def of_parts(parts: dict[int, Part]) -> Monomial | None:
    kept = []
    for field, part in sorted(parts.items()):
        if part.point and (part.power or part.erfs):
            return None
        found = Part(point=True) if part.point else part
        if found != Part():
            kept.append((field, found))
    return tuple(kept)


def factors_of(of: Monomial) -> list[list[Any]]:
    """The monomial as data again."""
    return [factor for field, part in of for factor in _factors(field, part)]


def _factors(field: int, part: Part) -> Iterator[list[Any]]:
    if part.power:
        yield ["power", field, part.power]
    for kind, widths in (("bell", part.bells), ("erf", part.erfs)):
        for width2 in widths:
            yield [kind, field, width2]
    for kind, there in (("step", part.step), ("point", part.point)):
        if there:
            yield [kind, field]


def derivative(of: Monomial, field: int) -> Polynomial:
    """d/d field, in the sense of distributions: the derivative of a step is a point mass."""
    parts = dict(of)
    part = parts[field]
    total: Polynomial = {}
    for coefficient, new in _pieces(part):
        add(total, of_parts({**parts, field: new}), coefficient)
    return total


def _pieces(part: Part) -> Iterator[tuple[Term, Part]]:
    """The product rule within one field: its power, its bells, its error functions, its step."""
    if part.power:
        yield rational(part.power), replace(part, power=part.power - 1)
    for width2 in part.bells:
        yield times(MINUS_ONE, power(width2, MINUS_ONE)), replace(part, power=part.power + 1)
    for k, width2 in enumerate(part.erfs):
        bells = tuple(sorted((*part.bells, width2), key=repr))
        yield erf_slope(width2), replace(part, bells=bells, erfs=(*part.erfs[:k], *part.erfs[k + 1 :]))
    if part.step:
        yield ONE, replace(part, step=False, point=True)
    if part.point:
        raise NoAverage("the derivative of a point mass is not among the factors here")


def erf_slope(width2: Term) -> Term:
    """The height of the bell that is the slope of erf(x/sqrt(2 width2)): sqrt(2/(pi width2))."""
    return times(power(rational(2), HALF), power(("pi",), MINUS_HALF), power(width2, MINUS_HALF))


def add(total: Polynomial, of: Monomial | None, coefficient: Term) -> None:
    if of is not None:
        total[of] = plus(total.get(of, ZERO), coefficient)


def polynomial(data: Iterable[Any]) -> Polynomial:
    """An integrand from its data: pairs of a coefficient and factors."""
    total: Polynomial = {}
    for coefficient, factors in data:
        add(total, monomial(factors), coefficient)
    return total


def without(of: Monomial, field: int) -> Monomial:
    """The monomial without any factor of a field."""
    return tuple((f, part) for f, part in of if f != field)


def lowered(of: Monomial, field: int) -> Monomial:
    """The monomial divided by a field."""
    parts = dict(of)
    parts[field] = replace(parts[field], power=parts[field].power - 1)
    found = of_parts(parts)
    assert found is not None
    return found


def fields_of(of: Monomial) -> list[int]:
    return [field for field, _ in of]


def is_odd(of: Monomial) -> bool:
    """Whether it changes sign when all fields do."""
    if any(part.step for _, part in of):
        return False
    return sum(part.power + len(part.erfs) for _, part in of) % 2 == 1


def steps_of(of: Monomial) -> set[int]:
    return {field for field, part in of if part.step}
