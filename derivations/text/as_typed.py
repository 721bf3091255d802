"""Objects of SymPy with the very parts that they are given: nothing is evaluated, folded or left out.

A statement is about what was typed. What SymPy makes of it may have values where the typed formula has none: this is a
proposal at most, and is compared with the formula.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import is_
from typing import Any

import sympy as sp
from sympy.concrete.expr_with_limits import ExprWithLimits
from sympy.core.function import Application
from sympy.core.relational import Relational
from sympy.functions.elementary.piecewise import ExprCondPair

EVALUATED_IF_NOT_TOLD = (sp.Add, sp.Mul, sp.Pow, Application, Relational)
ALWAYS_FOLDED = (sp.Derivative, ExprWithLimits, ExprCondPair)


class Put(sp.Subs):  # type: ignore[misc]
    """A formula with others in place of letters: SymPy's own class carries this out to compare two of them."""

    def __new__(cls, formula: Any, letters: Any, values: Any) -> Any:
        return sp.Basic.__new__(cls, formula, sp.Tuple(*letters), sp.Tuple(*values))

    def _hashable_content(self) -> Any:
        return self.args


def made(kind: Any, *parts: Any) -> Any:
    """An object of a class of SymPy with these parts.

    >>> x = sp.Symbol("x", real=True)
    >>> made(sp.Pow, sp.sqrt(x), sp.Integer(2)), made(sp.Derivative, sp.pi, sp.Tuple(x, 1))
    ((sqrt(x))**2, Derivative(pi, x))
    """
    if issubclass(kind, sp.Piecewise):  # whose own constructor makes its pairs anew
        return Application.__new__(kind, *parts, evaluate=False)
    if issubclass(kind, ALWAYS_FOLDED):
        folded = sp.Basic.__new__(kind, *parts)
        if issubclass(kind, ExprWithLimits):
            folded.is_commutative = True
        return folded
    if issubclass(kind, sp.Subs):
        return Put(*parts)
    return kind(*parts, evaluate=False) if issubclass(kind, EVALUATED_IF_NOT_TOLD) else kind(*parts)


def placed(expression: Any, values: Mapping[Any, Any]) -> Any:
    """The expression with values in place of some of its parts; what has none of them stays as it is.

    >>> x, y = sp.symbols("x y", real=True)
    >>> placed(made(sp.Pow, sp.sqrt(x), sp.Integer(2)), {x: y})
    (sqrt(y))**2
    """
    if expression in values:
        return values[expression]
    old = expression.args
    new = [placed(each, values) for each in old]
    return expression if all(map(is_, old, new)) else made(expression.func, *new)


def plus(*summands: Any) -> Any:
    """A sum as it stands."""
    return made(sp.Add, *summands)


def times(*factors: Any) -> Any:
    """A product as it stands."""
    return made(sp.Mul, *factors)


def power(base: Any, exponent: Any) -> Any:
    """A power as it stands."""
    return made(sp.Pow, base, sp.sympify(exponent))


def minus(left: Any, right: Any) -> Any:
    """A difference as it stands, in which a right side that is zero is left out."""
    return left if right == 0 else plus(left, times(sp.S.NegativeOne, right))


def over(above: Any, below: Any) -> Any:
    """A quotient as it stands; a number divides at once."""
    return times(above, 1 / below if below.is_Rational and below != 0 else power(below, -1))
