"""An independent witness: the values of SymPy expressions by mpmath, and certificates that recheck has accepted."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import mpmath
import sympy as sp

from derivations.audit.ledger import plain
from derivations.prove import Certificate, Verdict
from derivations.recheck import check

DIGITS = 50
PRECISIONS = (100, 1000, 10_000)  # digits carried along; cancellation may eat many of them
FUNCTIONS: dict[Any, Any] = {
    sp.exp: mpmath.exp,
    sp.sinh: mpmath.sinh,
    sp.cosh: mpmath.cosh,
    sp.tanh: mpmath.tanh,
    sp.sin: mpmath.sin,
    sp.cos: mpmath.cos,
    sp.erf: mpmath.erf,
    sp.Abs: abs,
}


class NoValue(ArithmeticError):
    """The expression is not defined at the point, in real numbers."""


def strict(left: Any, right: Any = 0) -> Any:
    """left > right, of which SymPy evaluates nothing."""
    return sp.StrictGreaterThan(left, right, evaluate=False)


def weak(left: Any, right: Any = 0) -> Any:
    return sp.GreaterThan(left, right, evaluate=False)


def accepted(certificate: Certificate) -> Certificate:
    """The certificate, after recheck has accepted what is left of it in JSON."""
    check(plain(certificate))
    return certificate


def value(expression: Any, point: Mapping[str, Any]) -> Any:
    """The real value of an expression at a point, to fifty digits; roots are the non-negative real ones."""
    before = None
    for digits in PRECISIONS:
        with mpmath.workdps(digits):
            now = +_value(sp.sympify(expression, strict=True), point)
            if before is not None and abs(now - before) <= mpmath.mpf(10) ** -DIGITS * (1 + abs(now)):
                return now
        before = now
    raise NoValue(f"{expression} cancels too much at {point}")


def _value(e: Any, point: Mapping[str, Any]) -> Any:
    if isinstance(e, sp.Symbol):
        number = Fraction(str(point[e.name]))
        return mpmath.mpf(number.numerator) / number.denominator
    if isinstance(e, sp.Rational):
        return mpmath.mpf(int(e.p)) / int(e.q)
    if e is sp.pi:
        return +mpmath.pi
    if e is sp.E:
        return +mpmath.e
    parts = [_value(part, point) for part in e.args]
    if isinstance(e, sp.Add):
        return mpmath.fsum(parts)
    if isinstance(e, sp.Mul):
        return mpmath.fprod(parts)
    if isinstance(e, sp.Pow):
        return _power(e, *parts)
    if isinstance(e, sp.log):
        if parts[0] <= 0:
            raise NoValue(f"{e} at {point}")
        return mpmath.log(parts[0])
    return FUNCTIONS[type(e)](parts[0])


def _power(e: Any, base: Any, exponent: Any) -> Any:
    if (base == 0 and exponent < 0) or (base < 0 and not (e.exp.is_Rational and e.exp.is_Integer)):
        raise NoValue(f"{e} has no real value")
    return base**exponent


def differ(left: Any, right: Any, point: Mapping[str, Any]) -> bool:
    """Check whether two expressions certainly have different values at a point, by mpmath alone."""
    a, b = value(left, point), value(right, point)
    with mpmath.workdps(DIGITS):
        return bool(abs(a - b) > mpmath.mpf(10) ** (20 - DIGITS) * (1 + abs(a) + abs(b)))


def agree(left: Any, right: Any, point: Mapping[str, Any]) -> bool:
    return not differ(left, right, point)


def holds(relation: Any, point: Mapping[str, Any]) -> bool:
    """Check whether a hypothesis is satisfied at a point."""
    a, b = (value(side, point) for side in relation.args)
    match relation:
        case sp.Equality():
            return agree(*relation.args, point)
        case sp.Unequality():
            return differ(*relation.args, point)
        case sp.StrictGreaterThan():
            return bool(a > b)
        case sp.GreaterThan():
            return bool(a >= b)
        case sp.StrictLessThan():
            return bool(a < b)
    return bool(a <= b)


def confirm(certificate: Certificate, left: Any, right: Any, assuming: Any = ()) -> None:
    """A refutation is right: at its point the hypotheses hold, the two sides differ, and their values are as shown."""
    assert certificate.verdict is Verdict.REFUTED
    witness = certificate.witness
    assert witness is not None
    point = witness["point"]
    assert all(holds(relation, point) for relation in assuming)
    assert differ(left, right, point)
    with mpmath.workdps(DIGITS):
        for side, text in ((left, witness["left"]), (right, witness["right"])):
            number = sp.Rational(text)
            shown = mpmath.mpf(int(number.p)) / int(number.q)
            certain = min(25, sum(c.isdigit() for c in text) - 2) if "." in text else 25
            assert abs(shown - value(side, point)) <= mpmath.mpf(10) ** -certain * (1 + abs(shown))
