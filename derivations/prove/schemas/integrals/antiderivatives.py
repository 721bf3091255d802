"""Proposals for antiderivatives, which nobody has to trust: a theorem asks that their derivative is the integrand."""

from __future__ import annotations

import sys
from typing import Any

import sympy as sp
from sympy.integrals.manualintegrate import manualintegrate

MOST_DEGREE = 40
SEARCH = sys.modules[manualintegrate.__module__]
"""The module keeps what a search is about, and would refuse it later wherever one was interrupted."""


def evaluated(expression: Any) -> Any:
    """The expression as SymPy evaluates it: where the typed one has a value, this has the same."""
    return expression.func(*map(evaluated, expression.args)) if expression.args else expression


def antiderivative(f: Any, x: Any) -> Any | None:
    """A function whose derivative should be f, without integrals in it; None when none is found.

    >>> x = sp.Symbol("x", real=True)
    >>> antiderivative(x**2 * sp.exp(-(x**2)), x)
    -x*exp(-x**2)/2 + sqrt(pi)*erf(x)/4
    """
    if f.has(sp.Abs):  # such integrals are cut into pieces, and SymPy may look for an antiderivative without end
        return None
    by_ansatz = _sum_of_bells(sp.expand(f), x)
    if by_ansatz is not None:
        return by_ansatz
    SEARCH._integral_cache.clear()
    SEARCH._parts_u_cache.clear()
    try:
        found = manualintegrate(f, x)
    except (NotImplementedError, ValueError, TypeError, AttributeError, RecursionError):
        return None
    return None if found.has(sp.Integral) or not found.free_symbols <= f.free_symbols | {x} else _plain(found)


def _plain(found: Any) -> Any | None:
    """A Piecewise by parameters is taken at its general case, without the absolute values of complex logarithms."""
    for piece in found.atoms(sp.Piecewise):
        found = found.xreplace({piece: piece.args[0][0]})
    return None if found.has(sp.Piecewise) else found


def _sum_of_bells(f: Any, x: Any) -> Any | None:
    """Integrate a sum of polynomials times exp(of a polynomial of degree two): to such a sum, and error functions."""
    total = sp.S.Zero
    for summand in sp.Add.make_args(f):
        found = _bell(summand, x)
        if found is None:
            return None
        total += found
    return total


def _bell(summand: Any, x: Any) -> Any | None:
    coefficient, rest = summand.as_independent(x, as_Add=False)
    exponent, polynomial, others = sp.S.Zero, sp.S.One, []
    for factor in sp.Mul.make_args(rest):
        if isinstance(factor, sp.exp):
            exponent += factor.args[0]
        elif isinstance(factor, sp.erf | sp.sin | sp.cos):
            others.append(factor)
        else:
            polynomial *= factor
    if len(others) == 1:
        found = _with_another(polynomial, exponent, others[0], x)
        return None if found is None else coefficient * found
    if others:
        return None
    if not (polynomial.is_polynomial(x) and sp.expand(exponent).is_polynomial(x)):
        return None
    q = sp.Poly(sp.expand(exponent), x)
    p = sp.Poly(polynomial, x)
    if q.degree() > 2 or p.degree() > MOST_DEGREE:
        return None
    if q.degree() < 1:
        return coefficient * sp.exp(exponent) * p.integrate().as_expr()
    return coefficient * _by_parts(p, q, x)


def _with_another(polynomial: Any, exponent: Any, other: Any, x: Any) -> Any | None:
    """A polynomial times an error function, by parts; exp(a x) times a wave, both with straight arguments."""
    u = sp.expand(other.args[0])
    if not (u.is_polynomial(x) and sp.degree(u, x) == 1 and polynomial.is_polynomial(x)):
        return None
    if isinstance(other, sp.erf) and exponent == 0:
        whole = sp.Poly(polynomial, x).integrate().as_expr()
        rest = _sum_of_bells(sp.expand(whole * sp.diff(other, x)), x)
        return None if rest is None else whole * other - rest
    a, b = sp.diff(exponent, x), sp.diff(u, x)
    if isinstance(other, sp.erf) or polynomial != 1 or a.has(x) or a == 0:
        return None
    waves = a * sp.cos(u) + b * sp.sin(u) if isinstance(other, sp.cos) else a * sp.sin(u) - b * sp.cos(u)
    return sp.exp(exponent) * waves / (a**2 + b**2)


def _by_parts(p: Any, q: Any, x: Any) -> Any:
    """x^n exp(q) from the derivative of x^(n-1) exp(q), down to exp(q) itself."""
    slope, found, bell = q.diff(x), sp.S.Zero, sp.exp(q.as_expr())
    lead = slope.degree()
    while p != 0 and p.degree() >= lead:
        term = sp.Poly(x ** (p.degree() - lead), x) * (p.LC() / slope.LC())
        found += term.as_expr() * bell
        p = p - term.diff(x) - term * slope
    rest = p.as_expr()
    if lead == 0 or rest == 0:
        return found
    a, b, c = -q.coeff_monomial(x**2), q.coeff_monomial(x), q.coeff_monomial(1)
    root = sp.sqrt(a)
    whole = sp.sqrt(sp.pi) / (2 * root) * sp.exp(c + b**2 / (4 * a)) * sp.erf(root * x - b / (2 * root))
    return found + rest * whole
