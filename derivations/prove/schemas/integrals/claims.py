"""Equations with an integral in them: the integral by itself, with what it should be, and what a theorem asks for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import sympy as sp

from derivations.language.terms import NotExact, as_expression
from derivations.prove.schemas.integrals.antiderivatives import antiderivative
from derivations.prove.schemas.integrals.names import CLOSED, IMPROPER, LINE, bound_letter
from derivations.prove.schemas.integrals.pieces import without_steps
from derivations.prove.schemas.integrals.placed import evaluated, minus, placed, times


@dataclass(frozen=True)
class Claimed:
    """An integral over one variable, which is declared real and nothing else, and the value that it should have.

    written: the variable as it was written, of which an antiderivative speaks that is given; None if it is the same.
    """

    integrand: Any
    variable: Any
    low: Any
    high: Any
    value: Any
    written: Any = None


def claimed(left: Any, right: Any, assuming: Iterable[Any] = ()) -> Claimed:
    """The equation left = right, solved for its only integral; its variable is none of what else is spoken of."""
    if not all(isinstance(side, sp.Expr) and not side.has(sp.MatrixExpr) for side in (left, right)):
        raise NotExact(
            f"the sides of an equation with an integral are numbers, got {left} and {right}: give expressions"
        )
    gap = sp.expand(left - right, deep=False)
    nodes = gap.atoms(sp.Integral)
    if len(nodes) != 1:
        raise NotExact(f"{len(nodes)} integrals stand in one equation: state one at a time")
    (node,) = nodes
    if len(node.limits) != 1 or len(node.limits[0]) != 3 or not isinstance(node.function, sp.Expr):
        raise NotExact(f"{node} needs one variable with two ends: state iterated integrals one at a time")
    (written, low, high) = node.limits[0]
    letter = sp.Dummy()
    linear = sp.expand(gap.xreplace({node: letter}))
    slope = linear.coeff(letter, 1)
    if (linear - slope * letter).expand().has(letter) or slope == 0 or not slope.is_number:
        raise NotExact(f"the integral must stand with a number as its factor: state what {node} is by itself")
    free = {str(s) for e in (left, right, *assuming) for s in e.free_symbols}
    x = bound_letter(written, free, free | {str(s) for s in node.atoms(sp.Symbol)}) if str(written) in free else written
    integrand = placed(node.function, {written: x})
    return Claimed(without_steps(integrand), x, low, high, _value(left, right, node, slope), written)


def _value(left: Any, right: Any, node: Any, slope: Any) -> Any:
    """Return what the integral would be, where the sides have values: nothing of them is evaluated."""
    if left.has(node) and right.has(node):
        left, right = minus(left, right), sp.S.Zero
    elif right.has(node):
        left, right = right, left
    without = sp.S.Zero if left in (node, slope * node) else placed(left, {node: sp.S.Zero})
    whole = minus(right, without)
    return whole if slope == 1 else whole / slope if whole.is_Rational else times(1 / slope, whole)


def is_single(left: Any, right: Any) -> bool:
    """Check whether one integral stands in the equation, times a number."""
    try:
        claimed(left, right)
    except NotExact:
        return False
    return True


def uses(of: Claimed, given: Any = None) -> Iterator[tuple[str, dict[str, Any], Any]]:
    """Ways to show it: a theorem with its slots, and the value that it would then have."""
    primitive = antiderivative(evaluated(of.integrand), of.variable) if given is None else as_expression(given)
    if primitive is None:
        return
    if not isinstance(primitive, sp.Expr):
        raise NotExact(f"an antiderivative is an expression, got {primitive}: leave it out to have one sought")
    if given is not None and of.written is not None:
        primitive = placed(primitive, {of.written: of.variable})
    x = sp.Symbol(of.variable.name, real=True)
    f, F = (placed(e, {of.variable: x}) for e in (of.integrand, primitive))
    shared = {"integrand": f, "antiderivative": F, "variable": x, "value": of.value}
    shared |= {"low": of.low, "high": of.high}
    if of.low != -sp.oo and of.high != sp.oo:
        found = F.subs(x, of.high) - F.subs(x, of.low)
        yield CLOSED, shared, found
        yield LINE, shared, found
    limits = _limits(primitive, of)
    if limits is not None:
        yield IMPROPER, shared | {"low_limit": limits[0], "high_limit": limits[1]}, limits[1] - limits[0]


def _limits(primitive: Any, of: Claimed) -> tuple[Any, Any] | None:
    """Return what the antiderivative should tend to, as SymPy thinks; a theorem asks for a proof."""
    try:
        found = sp.limit(primitive, of.variable, of.low, "+"), sp.limit(primitive, of.variable, of.high, "-")
    except (NotImplementedError, ValueError, TypeError, AttributeError, RecursionError):
        return None
    bad = any(v.has(sp.oo, -sp.oo, sp.zoo, sp.nan, sp.I, sp.Limit, sp.AccumBounds) for v in found)
    return None if bad else found
