"""Values of formulas at exact points: exactly where rational arithmetic reaches, else in balls that enclose them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import reduce
from typing import Any

from flint import arb, ctx, fmpq, fmpz

from derivations.recheck.core.budget import spend
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import MAX_DIGITS, MAX_EXPONENT, Rational, Term, rational, shown
from derivations.recheck.core.terms import HALF, TWO, carried_out, parts

Ball = Any  # flint.arb
Point = Mapping[str, Rational]

MAX_RESULT_BITS = 400_000
BALL_WORK, BIT_WORK, TRANSCENDENTAL_WORK = 1000, 10, 150  # see `spend`
ARITHMETIC = ("s", "q", "pi", "+", "*", "abs")
_DECIMAL = re.compile(r"-?[0-9]{1,5000}(\.[0-9]{1,5000})?(e[+-]?[0-9]{1,12})?", re.ASCII)


class Undefined(Exception):
    """The formula has no value at the point, or balls cannot tell that it has one."""


class _Irrational(Exception):
    """Rational arithmetic does not reach the value."""


def enclosure(term: Term, point: Mapping[str, Any], bits: int) -> Ball:
    """A ball around the value at a point of rationals or balls."""
    return plain_enclosure(carried_out(term), point, bits)


def plain_enclosure(term: Term, point: Mapping[str, Any], bits: int) -> Ball:
    """The same for a formula without "D" and "at"."""
    with ctx.workprec(bits):
        return _Balls({name: value if isinstance(value, arb) else arb(value) for name, value in point.items()}).of(term)


def exact(term: Term, point: Point) -> Rational | None:
    """The rational value at a rational point, or None where irrational operations are met."""
    try:
        return _Rationals(point).of(carried_out(term))
    except _Irrational:
        return None


class _Values:
    """Values of formulas at one point; equal ones are evaluated once."""

    def __init__(self, point: Mapping[str, Any]) -> None:
        self.point = point
        self.known: dict[Term, Any] = {}

    def of(self, term: Term) -> Any:
        value = self.known.get(term)
        if value is None:
            value = self.known[term] = self._value(term)
        return value

    def _value(self, term: Term) -> Any:
        head = term[0]
        if head == "s":
            if term[1] not in self.point:
                raise Rejected(f"the point gives no value for the symbol {shown(term[1])}")
            return self.point[term[1]]
        if head == "q":
            return rational(term[1])
        if head == "^":
            return self.power(self.of(term[1]), term[2])
        values = [self.of(child) for child in term[1:]]
        if head in ("+", "*"):
            return reduce(self.plus if head == "+" else self.times, values)
        return abs(values[0]) if head == "abs" else self.function(head, *values)

    def plus(self, a: Any, b: Any) -> Any:
        return a + b

    def times(self, a: Any, b: Any) -> Any:
        return a * b

    def power(self, base: Any, exponent: Term) -> Any:
        raise NotImplementedError

    def function(self, head: str, *values: Any) -> Any:
        """pi, or the value of a function."""
        return getattr(values[0], head)() if values else arb.pi()


class _Balls(_Values):
    """Balls around the values."""

    def _value(self, term: Term) -> Ball:
        spend(BALL_WORK + ctx.prec * (BIT_WORK if term[0] in ARITHMETIC else TRANSCENDENTAL_WORK))
        around_zero = term[0] == "^" and term[2] == HALF and term[1][0] == "^" and term[1][2] == TWO
        ball = abs(self.of(term[1][1])) if around_zero else arb(super()._value(term))  # a square has no negative part
        if not ball.is_finite():
            raise Undefined
        return ball

    def power(self, base: Ball, exponent: Term) -> Ball:
        if exponent[0] != "q":
            return (base.log() * self.of(exponent)).exp()
        e = rational(exponent[1])
        above, below = int(e.p), int(e.q)
        if below == 1:
            return _whole_power(base, above)
        if base.is_zero() and above > 0:
            return arb(0)
        root = base.sqrt() if below == 2 else base.root(below)
        return root**above


def _whole_power(base: Ball, exponent: int) -> Ball:
    """By multiplication where the ball contains zero, on which python-flint's own power has no value."""
    if exponent <= 0 or not base.contains(0):
        return base**exponent
    product = arb(1)
    for bit in bin(exponent)[2:]:
        product = product * product * base if bit == "1" else product * product
    return product


class _Rationals(_Values):
    """Rational values."""

    def _value(self, term: Term) -> Rational:
        spend(BALL_WORK)
        value = super()._value(term)
        if isinstance(value, arb):
            raise _Irrational
        _spend_on(value, value)
        return _short(value)

    def plus(self, a: Rational, b: Rational) -> Rational:
        _spend_on(a, b)
        return _short(a + b)

    def times(self, a: Rational, b: Rational) -> Rational:
        _spend_on(a, b)
        return _short(a * b)

    def power(self, base: Rational, exponent: Term) -> Rational:
        if exponent[0] != "q":
            raise _Irrational
        return exact_power(base, rational(exponent[1]))

    def function(self, head: str, *values: Rational) -> Rational:
        """Functions have rational values at 0 and 1 alone, and balls around these have no radius."""
        ball = super().function(head, *map(arb, values)) if values and values[0] in (0, 1) else None
        if ball is None or not ball.is_exact():
            raise _Irrational
        return ball.fmpq()


def require_inside_defined(term: Term, point: Mapping[str, Any], bits: int) -> None:
    """What is differentiated must itself have a value, though its derivative may have one without it (log at -1)."""
    head = term[0]
    if head == "D":
        enclosure(term[1], point, bits)
    if head == "at":
        for _, replacement in term[2]:
            require_inside_defined(replacement, point, bits)
        inner = {**point, **{name: enclosure(value, point, bits) for name, value in term[2]}}
        require_inside_defined(term[1], inner, bits)
    else:
        for child in parts(term):
            require_inside_defined(child, point, bits)


def _spend_on(a: Rational, b: Rational) -> None:
    """Work on two long fractions: what they have in common is taken out, which takes longer than to multiply."""
    bits = _bits(a) + _bits(b)
    spend(bits * BIT_WORK * (1 + bits // 10_000))


def _short(value: Rational) -> Rational:
    if _bits(value) > MAX_RESULT_BITS:
        raise Rejected("an exact value at a point is too long to compute with: choose a simpler point")
    return value


def _bits(value: Rational) -> int:
    return max(int(value.p).bit_length(), int(value.q).bit_length())


def exact_power(base: Rational, exponent: Rational) -> Rational:
    """base^exponent, when it is rational."""
    above, below = int(exponent.p), int(exponent.q)
    if abs(above) > MAX_EXPONENT or below > MAX_EXPONENT:
        raise Rejected(f"the exponent {exponent} is beyond {MAX_EXPONENT}: such powers are not checked")
    if base == 0 and above < 0:
        raise Undefined
    if below != 1:
        if base < 0:
            raise Undefined
        base = fmpq(_root(base.p, below), _root(base.q, below))
    if _bits(base) * abs(above) > MAX_RESULT_BITS:
        raise Rejected("an exact power at a point is too long to compute: choose a simpler point")
    return base**above


def _root(value: Any, degree: int) -> Any:
    root = fmpz(value).root(degree)
    if root**degree != value:
        raise _Irrational
    return root


# --- relations and printed values -------------------------------------------------------------------------------------


def sign_at(term: Term, point: Point, bits: int) -> int | None:
    """-1, 0 or 1 when the sign of the value is certain, else None."""
    value = exact(term, point)
    if value is None:
        value = enclosure(term, point, bits)
        return 1 if value > 0 else -1 if value < 0 else None
    return int(value > 0) - int(value < 0)


def agrees_with_text(text: str, term: Term, point: Point, bits: int) -> bool:
    """Whether a value printed for people, exactly or in decimals, is the value, within what its decimals can say."""
    value = exact(term, point)
    with ctx.workprec(max(bits, 64)):
        ball = arb(value) if value is not None else enclosure(term, point, max(bits, 64))
        if re.fullmatch(rf"-?[0-9]{{1,{MAX_DIGITS}}}(/[0-9]{{1,{MAX_DIGITS}}})?", text, re.ASCII):
            claimed = rational(text)
            return bool(claimed == value) if value is not None else bool(ball.contains(claimed))
        slack = abs(ball.mid()) * arb("1e-12") + 16 * ball.rad()
        return _DECIMAL.fullmatch(text) is not None and bool(abs(arb(text).mid() - ball.mid()) <= slack)
