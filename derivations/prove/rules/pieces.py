"""Statements about functions that are given by pieces: one statement for each choice of pieces, all of which must hold.

sign(u) is 1, 0 or -1 as u > 0, u = 0 or u < 0; of a Piecewise the first piece holds whose condition does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import sympy as sp

from derivations.language.terms import NotExact, as_expression
from derivations.text.as_typed import placed

BY_PIECES = (sp.Piecewise, sp.sign, sp.Heaviside)
RATIONAL = (sp.Symbol, sp.Rational, sp.Add, sp.Mul)
MOST = 64
Choice = tuple[tuple[Any, ...], tuple[Any, ...]]  # conditions, expressions


def by_pieces(sides: Sequence[Any], assuming: Sequence[Any]) -> Iterator[tuple[list[Any], tuple[Any, ...]]]:
    """The sides of a statement for each choice of pieces, with all hypotheses; without what SymPy excludes.

    >>> x = sp.Symbol("x", positive=True)
    >>> list(by_pieces([sp.Piecewise((x, x < 2), (2, True)), 2], [x < 9]))
    [([x < 2, x < 9], (x, 2)), ([x >= 2, x < 9], (2, 2))]
    """
    count = len(sides)
    for conditions, found in pieces([*sides, *assuming]):
        supposed = [*conditions, *found[count:]]
        if sp.false not in supposed:
            yield [r for r in supposed if r is not sp.true], found[:count]


def near(expression: Any, variable: Any, point: Any, side: str) -> Any:
    """An expression with the pieces that hold where a variable comes close enough to a point from one side.

    >>> x = sp.Symbol("x", real=True)
    >>> near(sp.sign(x) + x, x, sp.S.Zero, "-"), near(sp.Heaviside(x**2 - x), x, sp.oo, "+")
    (x - 1, 1)
    """
    if not expression.has(*BY_PIECES):
        return expression
    close = sp.Dummy(positive=True)
    there = (
        1 / close if point is sp.oo else -1 / close if point is -sp.oo else point + (1 if side == "+" else -1) * close
    )
    for conditions, (found,) in pieces([expression]):
        told = [_holds_close(condition, variable, there, close) for condition in conditions]
        if None in told:
            raise NotExact(f"it is not known which piece of {expression} holds near {point}: state that piece alone")
        if all(told):
            return found
    raise NotExact(f"{expression} has no value near {point}: state the limit of something that has one")


def _holds_close(condition: Any, variable: Any, there: Any, close: Any) -> bool | None:
    """Check whether a rational relation holds for all small positive values of a symbol; None if unknown."""
    if condition in (sp.true, sp.false):
        return bool(condition)
    below = _denominators(condition.lhs) + _denominators(condition.rhs)
    if any(sp.cancel(part) == 0 for part in below):
        return None
    numerator, denominator = sp.fraction(sp.together((condition.lhs - condition.rhs).subs(variable, there)))
    if not all(part.is_polynomial(close) for part in (numerator, denominator)):
        return None
    lowest = [sp.Poly(part, close).EC() for part in (numerator, denominator)]
    holds = condition.func(lowest[0] * lowest[1], 0)
    return bool(holds) if holds in (sp.true, sp.false) else None


def pieces(expressions: Sequence[Any]) -> list[Choice]:
    """Every choice of pieces in some expressions, with the conditions under which it is the one.

    >>> x = sp.Symbol("x", real=True)
    >>> pieces([sp.sign(x)])
    [((x > 0,), (1,)), ((Eq(x, 0),), (0,)), ((x < 0,), (-1,))]
    """
    found = list(_choices((), tuple(map(as_expression, expressions))))
    if len(found) > MOST:
        raise NotExact(f"{len(found)} choices of pieces stand in the statement, and at most {MOST} are judged")
    return found


def _choices(conditions: tuple[Any, ...], expressions: tuple[Any, ...]) -> Iterator[Choice]:
    node = next((n for e in expressions for n in sp.postorder_traversal(e) if isinstance(n, BY_PIECES)), None)
    if node is None:
        yield conditions, expressions
        return
    for e in expressions:
        if any(bound.has(node) for bound in e.atoms(sp.Derivative, sp.Subs, sp.Integral)):
            raise NotExact(f"{node} stands under a derivative, a substitution or an integral: state each piece apart")
    for further, value in _values(node):
        yield from _choices((*conditions, *further), tuple(placed(e, {node: value}) for e in expressions))


def _values(node: Any) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """The conditions of every piece, those of earlier pieces denied, and its value."""
    if isinstance(node, sp.Piecewise):
        yield from _of_piecewise([(value, condition) for value, condition in node.args])
        return
    u = node.args[0]
    at_zero, below = (node.args[1], sp.S.Zero) if isinstance(node, sp.Heaviside) else (sp.S.Zero, sp.S.NegativeOne)
    for relation, value in ((sp.Gt, sp.S.One), (sp.Eq, at_zero), (sp.Lt, below)):
        yield (relation(u, 0, evaluate=not _denominators(u)),), value  # SymPy decides it only where u has a value


def _denominators(e: Any) -> list[Any]:
    """The parts by which a rational expression divides; for any other one zero, by which nothing is divided."""
    parts = [*sp.preorder_traversal(e)]
    if not all(isinstance(p, RATIONAL) or (p.is_Pow and p.exp.is_Integer) for p in parts):
        return [sp.S.Zero]
    return [p.base for p in parts if p.is_Pow and p.exp.is_negative]


def _of_piecewise(args: list[tuple[Any, Any]]) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if not args:
        return  # no piece holds there, so the expression has no value
    (value, condition), *rest = args
    if condition in (sp.true, True):
        yield (), value
    elif condition in (sp.false, False):
        yield from _of_piecewise(rest)
    elif isinstance(condition, sp.And):
        first, others = condition.args[0], sp.And(*condition.args[1:])
        yield from _where(first, [(value, others), *rest])
        yield from _where(sp.Not(first), rest)
    elif isinstance(condition, sp.Or):
        first, others = condition.args[0], sp.Or(*condition.args[1:])
        yield (first,), value
        yield from _where(sp.Not(first), [(value, others), *rest])
    elif isinstance(condition, sp.core.relational.Relational):
        yield (condition,), value
        yield from _where(sp.Not(condition), rest)
    else:
        raise NotExact(f"the condition {condition} of a piece is no relation: write it with <, <=, >, >=, Eq and Ne")


def _where(condition: Any, args: list[tuple[Any, Any]]) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """The pieces where a condition holds."""
    for conditions, value in _of_piecewise(args):
        yield (condition, *conditions), value
