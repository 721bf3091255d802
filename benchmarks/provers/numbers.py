"""Values of expressions in the plain form at points, with as many digits as mpmath is told to keep."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import mpmath as mp

from derivations.text import DerivationError
from derivations.text.plain import FUNCTIONS, Tree

Point = Mapping[str, Any]


class NoValue(DerivationError):
    """No real number stands here: outside of a domain, or too large to be computed."""


def value(tree: Tree, point: Point) -> Any:
    """The value of an expression; `NoValue` where it has none among the real numbers.

    >>> from derivations.text.plain import expression
    >>> str(value(expression("d(x^3, x) + int(s, s, 0, 2)"), {"x": mp.mpf(1)}))
    '5.0'
    """
    operation, *operands = tree
    if operation == "number":
        return mp.mpf(operands[0].numerator) / operands[0].denominator
    if operation == "name":
        return point[operands[0]] if operands[0] in point else CONSTANTS[operands[0]]()
    if operation in BINDERS:
        return _real(BINDERS[operation](point, *operands))
    if operation == "where":
        condition, first, second = operands
        return value(first if holds(condition, point) else second, point)
    return _applied(operation, [value(operand, point) for operand in operands])


def holds(relation: Tree, point: Point) -> bool:
    """Check whether a relation between values holds as it stands, up to no error at all."""
    compare, left, right = relation
    return bool(COMPARED[compare](value(left, point), value(right, point)))


def _applied(operation: str, values: list[Any]) -> Any:
    if operation in DOMAINS and not DOMAINS[operation](*values):
        raise NoValue
    try:
        return _real(OPERATIONS[operation](*values))
    except (ZeroDivisionError, OverflowError, ValueError, mp.libmp.NoConvergence):
        raise NoValue from None


def _real(found: Any) -> Any:
    if isinstance(found, mp.mpc):
        found = found.real if not found.imag else mp.nan
    if mp.isnan(found):
        raise NoValue
    return found


def _slope(point: Point, body: Tree, variable: Tree) -> Any:
    return mp.diff(lambda x: value(body, {**point, variable[1]: x}), point[variable[1]])


def _integral(point: Point, body: Tree, variable: Tree, low: Tree, high: Tree) -> Any:
    ends = [value(low, point), value(high, point)]
    inside = [x for x in BREAKS if ends[0] < x < ends[1]] if mp.isinf(ends[0]) or mp.isinf(ends[1]) else []
    return mp.quad(lambda x: value(body, {**point, variable[1]: x}), [ends[0], *inside, ends[1]])


def _at(point: Point, body: Tree, variable: Tree, where: Tree) -> Any:
    return value(body, {**point, variable[1]: value(where, point)})


def _power(base: Any, exponent: Any) -> Any:
    if base > 0 or (base == 0 and exponent > 0) or (base < 0 and exponent == int(exponent)):
        return base**exponent
    if exponent == 0:
        return mp.mpf(1)
    raise NoValue


BREAKS = [*(-(2.0**k) for k in range(6, -1, -1)), 0.0, *(2.0**k for k in range(7))]  # of an endless interval
BINDERS: dict[str, Callable[..., Any]] = {"d": _slope, "int": _integral, "at": _at}
CONSTANTS: dict[str, Callable[[], Any]] = {"pi": lambda: +mp.pi, "E": lambda: +mp.e, "oo": lambda: mp.inf}
COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "=": lambda a, b: a == b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
DOMAINS: dict[str, Callable[..., bool]] = {
    "log": lambda x: x > 0,
    "sqrt": lambda x: x >= 0,
    "asin": lambda x: abs(x) <= 1,
    "acos": lambda x: abs(x) <= 1,
    "acosh": lambda x: x >= 1,
    "atanh": lambda x: abs(x) < 1,
    "W": lambda x: x >= -mp.exp(-1),
}
OPERATIONS: dict[str, Callable[..., Any]] = {
    **{name: getattr(mp, name) for name in FUNCTIONS if hasattr(mp, name)},
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "^": _power,
    "neg": lambda a: -a,
    "abs": abs,
    "max": max,
    "min": min,
    "W": mp.lambertw,
}
