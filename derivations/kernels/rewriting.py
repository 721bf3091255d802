"""Other forms of a formula for floats: a quotient divided by its largest exponential, expm1 in the place of exp - 1.

A form is a proposal. Whoever uses it shows that it equals the formula.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import sympy as sp

from derivations.language.functions import expm1

MOST_TERMS = 60  # of a numerator or denominator, once expanded
Terms = list[tuple[Any, Any]]  # monomials, each with the exponent of its exponential


def forms(formula: Any) -> Iterator[Any]:
    """Forms of a formula that may do without overflow and cancellation, the most careful first.

    >>> s, t = sp.symbols("s t", positive=True)
    >>> next(forms(sp.exp(s * t) / (sp.exp(s * t) + 1)))
    1/(1 + exp(-s*t))
    """
    exponentials = sp.sympify(formula).replace(expm1, lambda x: sp.exp(x) - 1)
    plain = exponentials.rewrite([sp.sinh, sp.cosh, sp.tanh], sp.exp)
    for careful in (True, False):
        for split in (False, True):
            form = _quotient(plain, careful=careful, split=split)
            if form is not None and form != formula:
                yield form
    if (form := _with_expm1(sp.expand(plain))) != formula:
        yield form


def _quotient(formula: Any, *, careful: bool, split: bool) -> Any:
    """Numerator and denominator divided by the largest exponential; in two cases where its sign decides which it is."""
    above, below = (_terms(part) for part in sp.fraction(sp.together(formula)))
    if above is None or below is None:
        return None
    exponents = list(dict.fromkeys(u for _, u in [*below, *above]))
    of_below = list(dict.fromkeys(u for _, u in below))
    if largest := [u for u in of_below if all((u - other).is_nonnegative for other in of_below)]:
        return _divided(above, below, largest[0], careful=careful)
    if split and (ends := _ends(of_below)) is not None and len(exponents) >= 2:
        first, second = ends
        cases = [_divided(above, below, u, careful=careful) for u in (first, second)]
        return sp.Piecewise((cases[0], sp.factor_terms(first - second) >= 0), (cases[1], True))
    return None


def _ends(exponents: list[Any]) -> tuple[Any, Any] | None:
    """Two exponents between which all others lie, whatever their sizes."""
    for first, second in combinations(exponents, 2):
        shares = [sp.simplify((u - first) / (second - first)) for u in exponents]
        if all(share.is_Rational and 0 <= share <= 1 for share in shares):
            return first, second
    return None


def _terms(part: Any) -> Terms | None:
    """A sum as monomials times exponentials; None where it is too long, or exponentials stand deeper inside."""
    expanded = sp.powsimp(sp.expand(part), combine="exp")
    terms: Terms = []
    for term in sp.Add.make_args(expanded):
        factor_outside, exponent = sp.S.One, sp.S.Zero
        for factor in sp.Mul.make_args(term):
            if isinstance(factor, sp.exp):
                exponent += factor.args[0]
            elif factor.has(sp.exp):
                return None
            else:
                factor_outside *= factor
        terms.append((factor_outside, sp.expand(exponent)))
    return terms if len(terms) <= MOST_TERMS else None


def _divided(above: Terms, below: Terms, largest: Any, *, careful: bool) -> Any:
    joined = _with_expm1 if careful else _collected
    shift = [sp.Add(*(m * sp.exp(sp.expand(u - largest)) for m, u in part)) for part in (above, below)]
    return sp.Mul(_gathered(joined(shift[0])), sp.Pow(_gathered(joined(shift[1])), -1))


def _gathered(total: Any) -> Any:
    """A sum with a factor before each exponential, and common factors outside: (s - b) t loses less than s t - b t.

    >>> s, b, t = sp.symbols("s b t", positive=True)
    >>> _gathered(s * sp.exp(s * t - b * t) - b * sp.exp(s * t - b * t) + 1)
    (-b + s)*exp(t*(-b + s)) + 1
    """
    collected = sp.collect(total, sorted(total.atoms(sp.exp, expm1), key=str), sp.factor_terms, evaluate=False)
    inside = {e: e.func(sp.factor_terms(e.args[0])) for kind in collected for e in kind.atoms(sp.exp, expm1)}
    parts = [factor * kind.xreplace(inside) for kind, factor in collected.items()]
    return sp.Add(*parts, evaluate=not any(part.is_Add for part in parts))


def _collected(total: Any) -> Any:
    return sp.collect(sp.expand(total), sorted(total.atoms(sp.exp), key=str))


def _with_expm1(total: Any) -> Any:
    """A sum in which every m exp(u) - m is m expm1(u)."""
    terms = list(sp.Add.make_args(total))
    done: list[Any] = []
    while terms:
        term = terms.pop(0)
        factor, exponentials = term.as_independent(sp.exp, as_Add=False)
        partner = next((k for k, other in enumerate(terms) if other == -factor), None)
        if isinstance(exponentials, sp.exp) and partner is not None:
            terms.pop(partner)
            done.append(factor * expm1(exponentials.args[0]))
            continue
        opposite = next((k for k, o in enumerate(terms) if isinstance(-o / term, sp.exp)), None)
        if opposite is not None and not term.has(sp.exp):
            done.append(-term * expm1((-terms.pop(opposite) / term).args[0]))
            continue
        done.append(term)
    return sp.Add(*done)
