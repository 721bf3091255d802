"""An integral by itself: what theorems about its value ask for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy as sp

from derivations.language.terms import NotExact, as_expression
from derivations.prove.schemas.integrals.antiderivatives import antiderivative, evaluated
from derivations.prove.schemas.integrals.names import CLOSED, IMPROPER, LINE
from derivations.prove.stating import from_sympy
from derivations.text.as_typed import placed


@dataclass(frozen=True)
class Single:
    """An integral over one variable, which is declared real and nothing else.

    written: the variable as it was written, of which an antiderivative speaks that is given; None if it is the same.
    """

    integrand: Any
    variable: Any
    low: Any
    high: Any
    written: Any = None


def uses(of: Single, given: Any = None) -> Iterator[tuple[str, dict[str, Any], Any]]:
    """Ways to show it: a theorem with its slots, and the value that it would then have."""
    from_sympy(of.integrand)  # a function without an exact meaning is refused before SymPy looks for its integral
    primitive = antiderivative(evaluated(of.integrand), of.variable) if given is None else as_expression(given)
    if primitive is None:
        return
    if not isinstance(primitive, sp.Expr):
        raise NotExact(f"an antiderivative is an expression, got {primitive}: leave it out to have one sought")
    if given is not None and of.written is not None:
        primitive = placed(primitive, {of.written: of.variable})
    shared = {"integrand": of.integrand, "antiderivative": primitive, "variable": of.variable}
    shared |= {"low": of.low, "high": of.high}
    if of.low != -sp.oo and of.high != sp.oo:
        found = primitive.subs(of.variable, of.high) - primitive.subs(of.variable, of.low)
        yield CLOSED, shared, found
        yield LINE, shared, found
    limits = _limits(primitive, of)
    if limits is not None:
        yield IMPROPER, shared | {"low_limit": limits[0], "high_limit": limits[1]}, limits[1] - limits[0]


def _limits(primitive: Any, of: Single) -> tuple[Any, Any] | None:
    """Return what the antiderivative should tend to, as SymPy thinks; a theorem asks for a proof."""
    try:
        found = sp.limit(primitive, of.variable, of.low, "+"), sp.limit(primitive, of.variable, of.high, "-")
    except (NotImplementedError, ValueError, TypeError, AttributeError, RecursionError):
        return None
    bad = any(v.has(sp.oo, -sp.oo, sp.zoo, sp.nan, sp.I, sp.Limit, sp.AccumBounds) for v in found)
    return None if bad else found
