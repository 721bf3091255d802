"""Values of formulas at exact points: rational numbers while there are any, and balls around what is irrational."""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping
from contextlib import suppress
from functools import reduce
from typing import Any

from flint import arb, ctx, fmpq, fmpz

from derivations.recheck.core.budget import spend
from derivations.recheck.core.load import MAX_DIGITS, MAX_EXPONENT, Rational, Term, rational, require, shown
from derivations.recheck.core.terms import HALF, TWO, carried_out, parts

Ball = Any  # flint.arb
Value = Any  # a rational number, or a ball around a number
Point = Mapping[str, Rational]

MAX_RESULT_BITS = 400_000
STEP_WORK, BIT_WORK, TRANSCENDENTAL_WORK = 1000, 10, 150  # see `spend`
EXACT_BITS = 64
ARITHMETIC = {"+": operator.add, "*": operator.mul}
_DECIMAL = re.compile(r"-?[0-9]{1,5000}(\.[0-9]{1,5000})?(e[+-]?[0-9]{1,100})?", re.ASCII)


class Undefined(Exception):
    """The formula has no value at the point, or balls cannot tell that it has one."""


def value_at(term: Term, point: Mapping[str, Any], bits: int) -> Value:
    """The value at a point of rationals or balls: a rational number, or a ball around one that may be irrational."""
    with ctx.workprec(bits):
        return _Values(point).of(carried_out(term))


def enclosure(term: Term, point: Mapping[str, Any], bits: int) -> Ball:
    """A ball around the value at a point of rationals or balls."""
    return plain_enclosure(carried_out(term), point, bits)


def plain_enclosure(term: Term, point: Mapping[str, Any], bits: int) -> Ball:
    """Return the same for a formula without "D" and "at"."""
    with ctx.workprec(bits):
        return arb(_Values(point).of(term))


def exact(term: Term, point: Point) -> Rational | None:
    """The rational value at a rational point, or None where there may be none."""
    with suppress(Undefined):
        value = value_at(term, point, EXACT_BITS)
        return None if isinstance(value, arb) else value
    return None


class _Values:
    """Values of formulas at one point; equal ones are evaluated once."""

    def __init__(self, point: Mapping[str, Any]) -> None:
        self.point = point
        self.known: dict[Term, Value] = {}

    def of(self, term: Term) -> Value:
        value = self.known.get(term)
        if value is None:
            value = self.known[term] = self._value(term)
            require(isinstance(value, arb) or _bits(value) <= MAX_RESULT_BITS, "an exact value is too long to compute")
            if isinstance(value, arb) and not value.is_finite():
                raise Undefined
        return value

    def _value(self, term: Term) -> Value:
        head, *inside = term
        spend(STEP_WORK)
        if head == "s":
            require(inside[0] in self.point, f"the point gives no value for the symbol {shown(inside[0])}")
            return self.point[inside[0]]
        if head == "q":
            return rational(inside[0])
        if head == "^":
            return self._power(*inside)
        values = [self.of(child) for child in inside]
        if head in ARITHMETIC:
            return reduce(lambda a, b: _joined(ARITHMETIC[head], a, b), values)
        return abs(values[0]) if head == "abs" else _function(head, *values)

    def _power(self, base: Term, exponent: Term) -> Value:
        if exponent == HALF and base[0] == "^" and base[2] == TWO:  # a square has no negative part
            return abs(self.of(base[1]))
        value = self.of(base)
        if exponent[0] != "q":
            return (arb(value).log() * self.of(exponent)).exp()
        e = rational(exponent[1])
        power = exact_power(value, e) if not isinstance(value, arb) else None
        return _power_of_ball(arb(value), int(e.p), int(e.q)) if power is None else power


def _joined(operation: Any, a: Value, b: Value) -> Value:
    """A sum or product; what two long fractions have in common is taken out, which takes longer than to multiply."""
    bits = ctx.prec if isinstance(a, arb) or isinstance(b, arb) else _bits(a) + _bits(b)
    spend(bits * BIT_WORK * (1 + bits // 10_000))
    return operation(a, b)


def _function(head: str, *values: Value) -> Value:
    """pi, or the value of a function: rational only where it is so at 0 or 1, whose balls have no radius."""
    spend(ctx.prec * TRANSCENDENTAL_WORK)
    ball = getattr(arb(values[0]), head)() if values else arb.pi()
    return ball.fmpq() if ball.is_exact() and values and values[0] in (0, 1) else ball


def _power_of_ball(base: Ball, above: int, below: int) -> Ball:
    """base^(above/below), by multiplication where a ball contains zero, on which python-flint's power has no value."""
    spend(ctx.prec * TRANSCENDENTAL_WORK)
    if below != 1:
        root = base.sqrt() if below == 2 else base.root(below)
        return arb(0) if base.is_zero() and above > 0 else root**above
    if above <= 0 or not base.contains(0):
        return base**above
    product = arb(1)
    for bit in bin(above)[2:]:
        product = product * product * base if bit == "1" else product * product
    return product


def exact_power(base: Rational, exponent: Rational) -> Rational | None:
    """base^exponent, when it is rational."""
    above, below = int(exponent.p), int(exponent.q)
    small = abs(above) <= MAX_EXPONENT and below <= MAX_EXPONENT
    require(small, f"the exponent {exponent} is beyond {MAX_EXPONENT}: such powers are not checked")
    if (base == 0 and above < 0) or (base < 0 and below != 1):
        raise Undefined
    root = base if below == 1 else fmpq(*(fmpz(part).root(below) for part in (base.p, base.q)))
    long = _bits(root) * abs(above) > MAX_RESULT_BITS
    require(not long, "an exact power at a point is too long to compute: choose a simpler point")
    return root**above if below == 1 or root**below == base else None


def _bits(value: Rational) -> int:
    return max(int(value.p).bit_length(), int(value.q).bit_length())


def require_inside_defined(term: Term, point: Mapping[str, Any], bits: int) -> None:
    """Require a value of all that is put in, and of what is differentiated on both sides of the point."""
    inside = parts(term)
    if term[0] == "at":
        for _, value in term[2]:
            require_inside_defined(value, point, bits)
        point = {**point, **{name: enclosure(value, point, bits) for name, value in term[2]}}
        inside = term[1:2]
    if term[0] == "D":
        with ctx.workprec(bits):
            around = {x: arb(point[x]) + arb(0, arb(2) ** -bits) for x in {term[2]} & point.keys()}
        enclosure(term[1], {**point, **around}, bits)
    for child in inside:
        require_inside_defined(child, point, bits)


# --- relations and printed values -------------------------------------------------------------------------------------


def sign_at(term: Term, point: Point, bits: int) -> int | None:
    """-1, 0 or 1 when the sign of the value is certain, else None."""
    value = value_at(term, point, bits)
    return 1 if value > 0 else -1 if value < 0 else None if isinstance(value, arb) else 0


def agrees_with_text(text: str, term: Term, point: Point, bits: int) -> bool:
    """Check that a value printed for people, exactly or in decimals, is the value, within what its decimals can say."""
    value = value_at(term, point, max(bits, 64))
    with ctx.workprec(max(bits, 64)):
        if re.fullmatch(rf"-?[0-9]{{1,{MAX_DIGITS}}}(/[0-9]{{1,{MAX_DIGITS}}})?", text, re.ASCII):
            claimed = rational(text)
            return bool(value.contains(claimed) if isinstance(value, arb) else claimed == value)
        ball = arb(value)
        slack = abs(ball.mid()) * arb("1e-12") + 16 * ball.rad()
        return _DECIMAL.fullmatch(text) is not None and bool(abs(arb(text).mid() - ball.mid()) <= slack)
