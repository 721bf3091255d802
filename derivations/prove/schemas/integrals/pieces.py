"""Integrals of functions given by pieces, such as |x|, max(x, 0) and steps: one integral between each two cuts."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import sympy as sp

from derivations.text.as_typed import made, minus, placed, plus, power, times

MOST_CUTS = 4


def without_steps(f: Any) -> Any:
    """The integrand without cases, signs, maxima and minima: |u| is left, and points at which a step jumps.

    >>> x = sp.Symbol("x", real=True)
    >>> without_steps(sp.Max(x, 0))
    x/2 + Abs(x)/2
    """
    changed = {node: _of_sizes(node) for node in f.atoms(sp.Piecewise, sp.sign, sp.Heaviside, sp.Max, sp.Min)}
    return placed(f, {node: new for node, new in changed.items() if new is not None})


def _of_sizes(node: Any) -> Any | None:
    if isinstance(node, sp.Piecewise):
        return _cases(node.args)
    inside = [without_steps(a) for a in node.args]
    if isinstance(node, sp.sign):
        return _step(inside[0])
    if isinstance(node, sp.Heaviside):
        return _half(plus(sp.S.One, _step(inside[0])))
    found, *others = sorted(inside, key=lambda each: (each == 0, sp.default_sort_key(each)))  # SymPy keeps a set
    for other in others:
        size = _half(made(sp.Abs, minus(found, other)))
        halves = [_half(each) for each in (found, other) if each != 0]
        found = plus(*halves, size if isinstance(node, sp.Max) else times(sp.S.NegativeOne, size))
    return found


def _half(of: Any) -> Any:
    return times(sp.S.Half, of)


def _step(of: Any) -> Any:
    return times(of, power(made(sp.Abs, of), -1))


def _cases(cases: Any) -> Any | None:
    """The first function where its condition holds, the others elsewhere; on the border nothing is said."""
    (f, condition), *rest = cases
    if condition is sp.true:
        return without_steps(f)
    if not rest or not isinstance(condition, sp.StrictGreaterThan | sp.GreaterThan | sp.StrictLessThan | sp.LessThan):
        return None
    otherwise = _cases(rest)
    if otherwise is None:
        return None
    step = _step(minus(condition.gts, condition.lts))
    here, elsewhere = _half(plus(sp.S.One, step)), _half(minus(sp.S.One, step))
    shares = [times(g, share) for g, share in ((without_steps(f), here), (otherwise, elsewhere)) if g != 0]
    return plus(*shares) if shares else times(sp.S.Zero, step)  # the condition is asked for a value, too


def cut(f: Any, x: Any, low: Any, high: Any) -> tuple[list[Any], list[Any]] | None:
    """Cuts between two ends, and the integrand between each two, where every |u| has a straight u.

    >>> x = sp.Symbol("x", real=True)
    >>> cut(sp.Abs(x), x, -sp.oo, sp.oo)
    ([0], [-x, x])
    """
    inside = sorted({node.args[0] for node in f.atoms(sp.Abs) if node.has(x)}, key=sp.default_sort_key)
    if not inside or any(not u.is_polynomial(x) or sp.degree(u, x) != 1 for u in inside):
        return None
    slopes = [sp.expand(u).coeff(x, 1) for u in inside]
    zeros = [sp.cancel(x - u / slope) for u, slope in zip(inside, slopes, strict=True)]
    cuts = sorted(
        {z for z in zeros if (z - low).is_extended_positive and (high - z).is_extended_positive},
        key=sp.default_sort_key,
    )
    if any(s.is_positive is None for s in slopes) or len(cuts) > MOST_CUTS or not cuts:
        return None
    if len(cuts) > 1:
        if not all(c.is_number for c in cuts):
            return None
        cuts = sorted(cuts)
    between = []
    for start, end in pairwise([low, *cuts, high]):
        signs = {}
        for u, slope, zero in zip(inside, slopes, zeros, strict=True):
            side = 1 if (start - zero).is_extended_nonnegative else -1 if (zero - end).is_extended_nonnegative else 0
            if not side:
                return None
            signs[sp.Abs(u)] = u * (side if slope.is_positive else -side)
        between.append(sp.expand(f.xreplace(signs)))
    return cuts, between
