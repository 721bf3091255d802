"""Rigorous evaluation of a term at an exact point: the value lies inside the returned ball."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from functools import lru_cache
from math import prod
from typing import Any

from flint import arb, ctx, fmpq

from derivations.language.terms import Term, carried_out, children, fraction_of
from derivations.text.work import spend

Ball = Any  # flint.arb
Rational = Any  # flint.fmpq
Point = Mapping[str, Fraction]
MOST_BITS = 400_000  # of a power that is computed exactly
PER_VALUE = 8  # units of work of each value, besides one for each part of its term
AT_ZERO = {"exp": 1, "cosh": 1, "cos": 1} | dict.fromkeys(("sinh", "tanh", "sin", "erf", "asin", "atan", "lambertw"), 0)


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Evaluates with so many bits inside a `with` block.

    >>> with precision(300):
    ...     evaluate(("pi",), {}).rel_accuracy_bits() > 290
    True
    """
    before = ctx.prec
    ctx.prec = bits
    try:
        yield
    finally:
        ctx.prec = before


def ball(value: Fraction) -> Ball:
    """An exact number as a ball of radius zero, up to the precision."""
    return arb(fmpq(value.numerator, value.denominator))


def evaluate(term: Term, point: Mapping[str, Any]) -> Ball:
    """The value of a term at a point, as a ball that certainly holds it.

    point: every free symbol with a fraction or a ball. A ball that is not finite means that the term has no value
    there, or that the precision (see `precision`) does not resolve it.

    >>> evaluate(("+", ("s", "x"), ("q", "1/2")), {"x": Fraction(1, 4)}) == arb("0.75")
    True
    """
    return _value(_counted(term), {k: ball(v) if isinstance(v, Fraction) else v for k, v in point.items()})


def _counted(term: Term) -> Term:
    """The term carried out, whose evaluation counts as work from now on."""
    plain, parts = _with_parts(term)
    spend(PER_VALUE + parts)
    return plain


@lru_cache(maxsize=1 << 12)
def _with_parts(term: Term) -> tuple[Term, int]:
    plain = carried_out(term)
    return plain, _parts(plain)


def _parts(term: Term) -> int:
    """How many parts a term has."""
    return 1 + sum(map(_parts, children(term)))


@lru_cache(maxsize=1 << 12)
def _number(term: Term, bits: int) -> Ball:
    """The ball of a number, at the precision that holds now."""
    return ball(fraction_of(term))


def _value(term: Term, point: Mapping[str, Ball]) -> Ball:
    match term[0]:
        case "s":
            return point[term[1]]
        case "q":
            return _number(term, ctx.prec)
        case "pi":
            return arb.pi()
        case "+":
            return sum((_value(part, point) for part in term[1:]), arb(0))
        case "*":
            return prod((_value(part, point) for part in term[1:]), start=arb(1))
        case "^":
            return _power(_value(term[1], point), term[2], point)
        case "abs":
            return abs(_value(term[1], point))
        case "relexp":
            return _value(term[1], point).hypgeom_1f1(1, 2)
        case "relexp1":
            return _value(term[1], point).hypgeom_1f1(2, 3) / 2
    return getattr(_value(term[1], point), term[0])()


def _power(base: Ball, exponent: Term, point: Mapping[str, Ball]) -> Ball:
    if exponent[0] != "q":
        return (base.log() * _value(exponent, point)).exp()
    e = fraction_of(exponent)
    if e.denominator == 1:
        return _whole_power(base, int(e))
    if base == 0:
        return arb(0) if e > 0 else arb.nan()
    return base.root(e.denominator) ** e.numerator if e.denominator > 2 else base.sqrt() ** e.numerator


def _whole_power(base: Ball, exponent: int) -> Ball:
    """A whole power by multiplication: python-flint's own power is undefined on balls that contain zero."""
    product = arb(1) if base.is_finite() else base  # log(-1)^0 has no value either
    for bit in bin(abs(exponent))[2:]:
        product = product * product * base if bit == "1" else product * product
    return product if exponent >= 0 else 1 / product


def value(term: Term, point: Mapping[str, Any], bits: int = 128) -> Ball | None:
    """The value as a ball, or None where there is none, or too few bits show one.

    >>> value(("log", ("s", "x")), {"x": Fraction(0)})
    """
    try:
        with precision(bits):
            found = evaluate(term, point)
    except (ZeroDivisionError, ValueError, OverflowError):
        return None
    return found if found.is_finite() else None


def has_value(term: Term, point: Mapping[str, Any], bits: int = 256) -> bool:
    """Return whether the term certainly has a value at a point, and so has everything that is differentiated in it."""
    try:
        with precision(bits):
            return bool(evaluate(term, point).is_finite()) and inside_has_values(term, point)
    except (ZeroDivisionError, ValueError):
        return False


def inside_has_values(term: Term, point: Mapping[str, Any]) -> bool:
    """Return whether everything under a "D" has values around the point: at -1, d log(x)/dx = 1/x is only a formula."""
    if carried_out(term) == term:
        return True
    if term[0] == "D":
        near = arb(0, arb(2) ** -ctx.prec)
        at = {x: ball(v) if isinstance(v, Fraction) else v for x, v in point.items() if x == term[2]}
        if not evaluate(term[1], {**point, **{x: v + near for x, v in at.items()}}).is_finite():
            return False
    if term[0] == "at":
        inner = {**point, **{name: evaluate(value, point) for name, value in term[2]}}
        if not all(inner[name].is_finite() for name, _ in term[2]):
            return False
        return all(inside_has_values(v, point) for _, v in term[2]) and inside_has_values(term[1], inner)
    return all(inside_has_values(c, point) for c in children(term))


def exact(term: Term, point: Point) -> Fraction | None:
    """The rational value at a rational point, or None where an irrational operation is met.

    >>> exact(("^", ("s", "x"), ("q", "1/2")), {"x": Fraction(9, 4)})
    Fraction(3, 2)
    """
    try:
        value = _exact(_counted(term), {name: _rational(number) for name, number in point.items()})
    except (ZeroDivisionError, _Irrational):
        return None
    return Fraction(int(value.p), int(value.q))


class _Irrational(Exception):
    pass


def _rational(number: Fraction) -> Rational:
    return fmpq(number.numerator, number.denominator)


@lru_cache(maxsize=1 << 12)
def _written(term: Term) -> Rational:
    return _rational(fraction_of(term))


def _exact(term: Term, point: Mapping[str, Rational]) -> Rational:
    match term[0]:
        case "s":
            return point[term[1]]
        case "q":
            return _written(term)
        case "+":
            return sum([_exact(part, point) for part in term[1:]], fmpq(0))
        case "*":
            return prod([_exact(part, point) for part in term[1:]], start=fmpq(1))
        case "abs":
            return abs(_exact(term[1], point))
        case "log" if _exact(term[1], point) == 1:
            return fmpq(0)
        case head if head in AT_ZERO and _exact(term[1], point) == 0:
            return fmpq(AT_ZERO[head])
        case "^" if term[2][0] == "q":
            return _exact_power(_exact(term[1], point), fraction_of(term[2]))
    raise _Irrational


def _exact_power(base: Rational, exponent: Fraction) -> Rational:
    if (abs(exponent.numerator) * base.height_bits()) > MOST_BITS:
        raise _Irrational
    if exponent.denominator == 1:
        return base ** int(exponent)
    if base < 0:
        raise _Irrational
    above, below = (_integer_root(int(part), exponent.denominator) for part in (base.p, base.q))
    return fmpq(above, below) ** exponent.numerator


def _integer_root(value: int, degree: int) -> int:
    guess = round(value ** (1 / degree)) if value < 2**1000 else 0
    if guess**degree != value:
        raise _Irrational
    return guess
