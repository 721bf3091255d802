"""Expressions with others put in, in which SymPy evaluates nothing: a statement is about what was typed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

MADE_UNEVALUATED = (sp.Add, sp.Mul, sp.Pow, sp.Function, sp.core.relational.Relational)


def placed(expression: Any, values: Mapping[Any, Any]) -> Any:
    """The expression with values in place of some of its parts; what has none of them stays as it is.

    >>> x, y = sp.symbols("x y", real=True)
    >>> placed(sp.Pow(sp.sqrt(x), 2, evaluate=False), {x: y})
    (sqrt(y))**2
    """
    if expression in values:
        return values[expression]
    old = expression.args
    new = [placed(each, values) for each in old]
    if all(a is b for a, b in zip(old, new, strict=True)):
        return expression
    unevaluated = {"evaluate": False} if isinstance(expression, MADE_UNEVALUATED) else {}
    return expression.func(*new, **unevaluated)


def evaluated(expression: Any) -> Any:
    """The expression as SymPy evaluates it, for proposals: where the typed one has a value, this has the same."""
    return expression.func(*map(evaluated, expression.args)) if expression.args else expression


def plus(*summands: Any) -> Any:
    """A sum as it stands."""
    return sp.Add(*summands, evaluate=False)


def times(*factors: Any) -> Any:
    """A product as it stands."""
    return sp.Mul(*factors, evaluate=False)


def minus(left: Any, right: Any) -> Any:
    """A difference as it stands, in which a right side that is zero is left out."""
    return left if right == 0 else plus(left, times(sp.S.NegativeOne, right))
