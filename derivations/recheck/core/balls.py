"""Values of formulas at exact points: exactly where rational arithmetic reaches, else in balls that enclose them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from flint import arb, ctx, fmpq, fmpz

from derivations.recheck.core.budget import spend
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import MAX_DIGITS, MAX_EXPONENT, Rational, Term, rational, shown
from derivations.recheck.core.terms import carried_out, parts

Ball = Any  # flint.arb
Point = Mapping[str, Rational]

MAX_RESULT_BITS = 400_000
BALL_WORK, BIT_WORK, TRANSCENDENTAL_WORK = 1000, 10, 150  # see `spend`
ARITHMETIC = ("s", "q", "pi", "+", "*", "abs")
_DECIMAL = re.compile(r"-?[0-9]{1,5000}(\.[0-9]{1,5000})?(e[+-]?[0-9]{1,12})?", re.ASCII)
_WITH_RADIUS = re.compile(r"\[(?P<middle>\S+)? ?\+/- (?P<radius>\S+)\]", re.ASCII)
AT_ZERO = {
    "exp": 1,
    "cosh": 1,
    "cos": 1,
    "sinh": 0,
    "tanh": 0,
    "sin": 0,
    "erf": 0,
    "asin": 0,
    "atan": 0,
    "lambertw": 0,
    "abs": 0,
}


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
        balls = {name: value if isinstance(value, arb) else arb(value) for name, value in point.items()}
        return _Evaluation(balls).value(term)


class _Evaluation:
    """One point; equal subformulas are evaluated once."""

    def __init__(self, point: Mapping[str, Ball]) -> None:
        self.point = point
        self.known: dict[Term, Ball] = {}

    def value(self, term: Term) -> Ball:
        found = self.known.get(term)
        if found is None:
            spend(BALL_WORK + ctx.prec * (BIT_WORK if term[0] in ARITHMETIC else TRANSCENDENTAL_WORK))
            found = self._value(term)
            if not found.is_finite():
                raise Undefined
            self.known[term] = found
        return found

    def _value(self, term: Term) -> Ball:
        head = term[0]
        if head == "s":
            if term[1] not in self.point:
                raise Rejected(f"the point gives no value for the symbol {shown(term[1])}")
            return self.point[term[1]]
        if head == "q":
            return arb(rational(term[1]))
        if head == "pi":
            return arb.pi()
        if head == "^":
            return self._power(self.value(term[1]), term[2])
        inner = [self.value(child) for child in term[1:]]
        if head == "+":
            return sum(inner[1:], inner[0])
        if head == "*":
            product = inner[0]
            for factor in inner[1:]:
                product = product * factor
            return product
        return abs(inner[0]) if head == "abs" else getattr(inner[0], head)()

    def _power(self, base: Ball, exponent: Term) -> Ball:
        if exponent[0] != "q":
            return (base.log() * self.value(exponent)).exp()
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


def exact(term: Term, point: Point) -> Rational | None:
    """The rational value at a rational point, or None where irrational operations are met."""
    try:
        return _Exact(point).value(carried_out(term))
    except _Irrational:
        return None


class _Exact:
    def __init__(self, point: Point) -> None:
        self.point = point
        self.known: dict[Term, Rational] = {}

    def value(self, term: Term) -> Rational:
        found = self.known.get(term)
        if found is None:
            spend(BALL_WORK)
            found = self.known[term] = self._value(term)
            _spend_on(found, found)
            _require_short(found)
        return found

    def _value(self, term: Term) -> Rational:
        head = term[0]
        if head == "s":
            if term[1] not in self.point:
                raise Rejected(f"the point gives no value for the symbol {shown(term[1])}")
            return self.point[term[1]]
        if head == "q":
            return rational(term[1])
        if head == "pi":
            raise _Irrational
        if head == "^":
            if term[2][0] != "q":
                raise _Irrational
            return exact_power(self.value(term[1]), rational(term[2][1]))
        inner = [self.value(child) for child in term[1:]]
        if head in ("+", "*"):
            result = inner[0]
            for other in inner[1:]:
                _spend_on(result, other)
                result = result + other if head == "+" else result * other
                _require_short(result)
            return result
        if head == "abs":
            return abs(inner[0])
        if head == "log" and inner[0] == 1:
            return fmpq(0)
        if inner[0] == 0 and head in AT_ZERO:
            return fmpq(AT_ZERO[head])
        raise _Irrational


def _spend_on(a: Rational, b: Rational) -> None:
    """Work on two long fractions: what they have in common is taken out, which takes longer than to multiply."""
    bits = _bits(a) + _bits(b)
    spend(bits * BIT_WORK * (1 + bits // 10_000))


def _require_short(value: Rational) -> None:
    if _bits(value) > MAX_RESULT_BITS:
        raise Rejected("an exact value at a point is too long to compute with: choose a simpler point")


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
    """Whether a value printed for people is the value, within what its decimals can say."""
    value = exact(term, point)
    with ctx.workprec(max(bits, 64)):
        ball = arb(value) if value is not None else enclosure(term, point, max(bits, 64))
        if re.fullmatch(rf"-?[0-9]{{1,{MAX_DIGITS}}}(/[0-9]{{1,{MAX_DIGITS}}})?", text, re.ASCII):
            claimed = rational(text)
            return bool(claimed == value) if value is not None else bool(ball.contains(claimed))
        if _DECIMAL.fullmatch(text):
            slack = abs(ball.mid()) * arb("1e-12") + 16 * ball.rad()
            return bool(abs(arb(text).mid() - ball.mid()) <= slack)
        with_radius = _WITH_RADIUS.fullmatch(text)
        if with_radius:
            middle, radius = with_radius["middle"] or "0", with_radius["radius"]
            if _DECIMAL.fullmatch(middle) and _DECIMAL.fullmatch(radius):
                narrow = abs(ball.mid()) * arb("1e-12") + 16 * ball.rad()
                return bool(abs(arb(middle).mid() - ball.mid()) <= narrow)
    return False
