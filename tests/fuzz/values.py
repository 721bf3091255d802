"""Values of SymPy expressions to sixty digits, by a few lines that share nothing with the provers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp
from mpmath import mp, mpf

DIGITS = 60
FUNCTIONS: dict[Any, Any] = {
    sp.exp: mp.exp,
    sp.sinh: mp.sinh,
    sp.cosh: mp.cosh,
    sp.tanh: mp.tanh,
    sp.sin: mp.sin,
    sp.cos: mp.cos,
    sp.erf: mp.erf,
    sp.Abs: abs,
    sp.atan: mp.atan,
    sp.asin: mp.asin,
    sp.acos: mp.acos,
    sp.tan: mp.tan,
    sp.cot: mp.cot,
    sp.asinh: mp.asinh,
    sp.acosh: mp.acosh,
    sp.atanh: mp.atanh,
    sp.coth: mp.coth,
    sp.sech: mp.sech,
    sp.csch: mp.csch,
    sp.sec: mp.sec,
    sp.csc: mp.csc,
    sp.erfc: mp.erfc,
    sp.LambertW: mp.lambertw,
    sp.digamma: mp.digamma,
}
FLAT = {sp.tanh: mp.sign, sp.erf: mp.sign, sp.atan: mp.atan}
"""Values that functions have at large numbers, up to no difference in doubles."""
WIDE = (sp.exp, sp.sinh, sp.cosh, sp.sin, sp.cos, sp.Abs, sp.sign)
LARGEST = mpf(10) ** 1000


class NoValue(Exception):
    """The expression has no real value at the point, or too large a one to compare."""


class TooLarge(NoValue):
    """It has a value, which is too large to compare."""


def value(expression: Any, point: Mapping[Any, Any], digits: int = DIGITS) -> Any:
    """The value at a point, roots and logarithms real ones; every part must have a value."""
    with mp.workdps(digits):
        found = _value(sp.sympify(expression), point)
        if not mp.isfinite(found):
            raise NoValue
        if abs(found) > mpf(10) ** 12:
            raise TooLarge(mp.sign(found))
        return found


def _value(e: Any, point: Mapping[Any, Any]) -> Any:
    if e.is_Symbol:
        given = point[e]
        return mpf(int(given.p)) / int(given.q) if isinstance(given, sp.Rational) else mpf(given)
    if e.is_Rational:
        return mpf(int(e.p)) / int(e.q)
    if e is sp.pi:
        return +mp.pi
    if e is sp.E:
        return mp.exp(1)
    if e.is_Add:
        return mp.fsum(_value(a, point) for a in e.args)
    if e.is_Mul:
        return mp.fprod(_value(a, point) for a in e.args)
    if isinstance(e, sp.Derivative):
        _value(e.expr, point)
        try:
            return _value(e.doit(), point)
        except NoValue:  # SymPy may write it with functions that are unknown here
            return _slope(e, point)
    if isinstance(e, sp.Subs):
        inner = dict(zip(e.variables, (_value(p, point) for p in e.point), strict=True))
        return _value(e.expr, {**point, **inner})
    if e.is_Pow:
        return _power(_value(e.base, point), e.exp, point)
    if isinstance(e, sp.log):
        inside = _value(e.args[0], point)
        if inside <= mpf(10) ** (-2 * mp.dps // 3):
            raise NoValue
        return mp.log(inside)
    if isinstance(e, sp.Piecewise):
        return _of_pieces(e.args, point)
    if isinstance(e, sp.Max | sp.Min):
        return (max if isinstance(e, sp.Max) else min)(_value(a, point) for a in e.args)
    return _of_function(type(e), _value(e.args[0], point))


def _of_pieces(pieces: Any, point: Mapping[Any, Any]) -> Any:
    for part, condition in pieces:
        if _is_so(condition, point):
            return _value(part, point)
    raise NoValue


def _is_so(condition: Any, point: Mapping[Any, Any]) -> bool:
    """Check whether a condition holds; sides that nearly meet are too near to tell."""
    if condition in (sp.true, sp.false):
        return bool(condition)
    left, right = (_value(side, point) for side in (condition.lhs, condition.rhs))
    if left != right and not differ(left, right):
        raise NoValue
    return {">": left > right, ">=": left >= right, "<": left < right, "<=": left <= right}[condition.rel_op]


def _of_function(function: Any, inside: Any) -> Any:
    if function in FLAT and abs(inside) > 10**5:
        return FLAT[function](inside)
    if abs(inside) > (LARGEST if function in WIDE else 10**4):
        raise NoValue
    if function is sp.sign:
        if inside != 0 and abs(inside) < mpf(10) ** (-2 * mp.dps // 3):
            raise NoValue
        return mp.sign(inside)
    if function not in FUNCTIONS:
        raise NoValue
    try:
        found = FUNCTIONS[function](inside)
    except (ValueError, ZeroDivisionError):
        raise NoValue from None
    if not mp.isfinite(found) or mp.im(found) != 0:
        raise NoValue
    return mp.re(found)


def _slope(e: Any, point: Mapping[Any, Any]) -> Any:
    """A first derivative as a difference of values, right to sixty digits or so."""
    ((variable, order),) = e.variable_count
    if order != 1 or e.expr.has(sp.Derivative):
        raise NoValue
    with mp.workdps(3 * DIGITS):
        here, step = _value(variable, point), mpf(10) ** -DIGITS
        return (_value(e.expr, {**point, variable: here + step}) - _value(e.expr, {**point, variable: here - step})) / (
            2 * step
        )


def _power(base: Any, exponent: Any, point: Mapping[Any, Any]) -> Any:
    if exponent.is_Integer:
        if int(exponent) < 0 and abs(base) < mpf(10) ** (-2 * mp.dps // 3):
            raise NoValue
        return base ** int(exponent)
    if base < 0 or (base < mpf(10) ** (-2 * mp.dps // 3) and not (exponent.is_Rational and exponent > 0)):
        raise NoValue
    return mp.power(base, _value(exponent, point))


def differ(left: Any, right: Any) -> bool:
    """Check whether two values differ by more than sixty digits can hide."""
    return bool(abs(left - right) > mpf(10) ** -30 * (1 + abs(left) + abs(right)))


def apart(left: Any, right: Any) -> bool:
    """Check that two values differ at all, however small they are, but for what rounding does to their last digits."""
    return bool(abs(left - right) > mpf(10) ** -50 * max(abs(left), abs(right)))
