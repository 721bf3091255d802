"""Equations with an integral in them: the integral by itself, with what it should be, and what a theorem asks for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import sympy as sp

from derivations.language.terms import NotExact, as_expression
from derivations.prove.schemas.integrals.antiderivatives import antiderivative, evaluated
from derivations.prove.schemas.integrals.names import CLOSED, IMPROPER, LINE, bound_letter
from derivations.prove.schemas.integrals.pieces import without_steps
from derivations.prove.stating import from_sympy
from derivations.text.as_typed import placed, times


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
    """An equation in which an integral stands by itself on one side, times a number at most, and none on the other.

    Its variable is made one of which nothing else speaks.
    """
    if not all(isinstance(side, sp.Expr) and not side.has(sp.MatrixExpr) for side in (left, right)):
        raise NotExact(
            f"the sides of an equation with an integral are numbers, got {left} and {right}: give expressions"
        )
    if right.has(sp.Integral):
        left, right = right, left
    node, factor = _with_factor(left)
    if node is None or right.has(sp.Integral):
        raise NotExact("one integral stands by itself on one side of an equation, times a number: state it so")
    if len(node.limits) != 1 or len(node.limits[0]) != 3 or not isinstance(node.function, sp.Expr):
        raise NotExact(f"{node} needs one variable with two ends: state iterated integrals one at a time")
    (written, low, high) = node.limits[0]
    free = {str(s) for e in (left, right, *assuming) for s in e.free_symbols}
    x = bound_letter(written, free, free | {str(s) for s in node.atoms(sp.Symbol)}) if str(written) in free else written
    value = right if factor == 1 else right / factor if right.is_Rational else times(1 / factor, right)
    return Claimed(without_steps(placed(node.function, {written: x})), x, low, high, value, written)


def _with_factor(side: Any) -> tuple[Any, Any]:
    """An integral that stands by itself, and the number before it; None for anything else."""
    *numbers, node = sorted(_factors(side), key=lambda part: isinstance(part, sp.Integral))
    factor = sp.prod(numbers) if all(n.is_Rational for n in numbers) else sp.S.Zero
    return node if isinstance(node, sp.Integral) and factor != 0 else None, factor


def _factors(side: Any) -> list[Any]:
    return [factor for part in side.args for factor in _factors(part)] if side.is_Mul else [side]


def is_single(left: Any, right: Any) -> bool:
    """Check whether one integral stands in the equation, times a number."""
    try:
        claimed(left, right)
    except NotExact:
        return False
    return True


def uses(of: Claimed, given: Any = None) -> Iterator[tuple[str, dict[str, Any], Any]]:
    """Ways to show it: a theorem with its slots, and the value that it would then have."""
    from_sympy(of.integrand)  # a function without an exact meaning is refused before SymPy looks for its integral
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
