"""Averages of values and steps that Price's theorem gives, for symbols of their own: what derivations end in."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

from derivations.language.averages.monomials import (
    HALF,
    MINUS_HALF,
    Monomial,
    Part,
    factors_of,
    fields_of,
    monomial,
    plus,
    power,
    times,
)
from derivations.language.normal.conditions import placed
from derivations.language.terms import MINUS_ONE, ONE, ZERO, Term, children, derivative, rational, rebuild, substitute
from derivations.prove.averages.derivation import NotDerived, Rules, mixed_derivatives
from derivations.prove.averages.fields import TWO, Fields, of_statement
from derivations.prove.averages.obligations import Scope, certified
from derivations.prove.certificate import Certificate, Json, Verdict

TIME = "path"
Found = tuple[Certificate, dict[int, int], dict[str, Term]]


def fitting(of: Monomial, at: Fields) -> Found | None:
    """The proved average of this shape, which of its fields is which, and what its symbols stand for here."""
    fields = fields_of(of)
    parts = [part for _, part in of]
    if len(of) == 2 and all(part == Part(erfs=part.erfs[:1]) and part.erfs for part in parts):
        certificate = two_values()
        widths = {f"width2_{'abc'[k]}": part.erfs[0] for k, part in enumerate(parts)}
    elif len(of) in (2, 3) and all(part == Part(step=True) for part in parts):
        if not set(fields) <= at.definite:
            raise NotDerived(f"steps of the fields {fields} need a covariance that is positive definite")
        certificate, widths = steps(len(of)), {}
    elif len(of) == 1 and len(parts[0].erfs) == 2 and parts[0] == Part(erfs=parts[0].erfs):
        certificate, fields = two_values(), [fields[0], fields[0]]
        widths = {f"width2_{'ab'[k]}": parts[0].erfs[k] for k in range(2)}
    else:
        return None
    symbols = {_name(i, j): at[fields[i], fields[j]] for i in range(len(fields)) for j in range(i, len(fields))}
    return certificate, dict(enumerate(fields)), symbols | widths


def _name(i: int, j: int) -> str:
    return f"C_{'abc'[min(i, j)]}{'abc'[max(i, j)]}"


def _generic(count: int, variances: str, definite: list[int], factors: list[Any], right: Term, **symbols: Any) -> Json:
    places = range(count)
    named: dict[str, list[str]] = {}
    for i in places:
        for j in range(i, count):
            named[_name(i, j)] = [variances] if i == j else []
    return {
        "kind": "average",
        "symbols": dict(sorted((named | symbols).items())),
        "assuming": [],
        "fields": list("abc"[:count]),
        "covariance": [[("s", _name(i, j)) for j in places] for i in places],
        "definite": definite,
        "integrand": [[ONE, factors]],
        "right": right,
    }


def angle(covariance: Term, first: Term, second: Term) -> Term:
    """asin(covariance/sqrt(first second))."""
    return ("asin", times(covariance, power(first, MINUS_HALF), power(second, MINUS_HALF)))


@cache
def two_values() -> Certificate:
    """<erf(a/sqrt(2 w_a)) erf(b/sqrt(2 w_b))> = (2/pi) asin(C_ab/sqrt((w_a + C_aa)(w_b + C_bb)))."""
    w_a, w_b = ("s", "width2_a"), ("s", "width2_b")
    spread = [plus(w, ("s", _name(i, i))) for i, w in enumerate((w_a, w_b))]
    value = times(TWO, power(("pi",), MINUS_ONE), angle(("s", "C_ab"), *spread))
    widths = {"width2_a": ["positive"], "width2_b": ["positive"]}
    statement = _generic(2, "nonnegative", [], [["erf", 0, w_a], ["erf", 1, w_b]], value, **widths)
    return by_price(statement)


@cache
def steps(count: int) -> Certificate:
    """The probability that two or three fields are positive."""
    pairs = [
        angle(("s", _name(i, j)), ("s", _name(i, i)), ("s", _name(j, j))) for i, j in combinations(range(count), 2)
    ]
    share = power(times(rational(2 ** (count - 1)), ("pi",)), MINUS_ONE)
    value = plus(rational(f"1/{2**count}"), times(share, plus(*pairs)))
    statement = _generic(count, "positive", list(range(count)), [["step", i] for i in range(count)], value)
    return by_price(statement)


def by_price(statement: Json) -> Certificate:
    """A product whose average is known where its first field is independent of the others.

    statement: an average of one product, for covariances that are symbols.
    """
    fields = of_statement(statement)
    product = monomial(statement["integrand"][0][1])
    assert product is not None
    rules = Rules(fitting)
    group = [0]
    time: Term = ("s", TIME)
    on_path = fields.scaled(group, time)
    crossed = [(i, j) for i in group for j in range(len(statement["fields"])) if j not in group]
    moving = {_name(i, j): on_path[i, j] for i, j in crossed}
    value = substitute(statement["right"], moving)
    start, at_start = rules.derive(product, fields.scaled(group, ZERO))
    rate, speed = rules.sum(mixed_derivatives(product, fields, group), on_path)
    outer = Scope.of(statement)
    inner = outer.along(TIME, on_path)
    node = {
        "rule": "price",
        "group": group,
        "time": TIME,
        "value": value,
        "start": start,
        "rate": rate,
        "base": outer.identity(placed(value, {TIME}, ZERO), at_start),
        "derivative": inner.identity(tidy(derivative(value, TIME)), speed),
        "defined": inner.defined(value, ("D", value, TIME)),
    }
    derivation = [[factors_of(product), node]]
    found = placed(value, {TIME}, ONE)
    certificate = certified(statement, derivation, found, total=True)
    if certificate.verdict is not Verdict.PROVED:
        raise AssertionError(certificate.reason)
    return certificate


def tidy(term: Term) -> Term:
    """Squares of products as products of squares, and squares of roots without roots, wherever those have a value."""
    if not children(term):
        return term
    inner = tuple(map(tidy, children(term)))
    if term[0] != "^" or term[2] != TWO:
        return rebuild(term, inner)
    base = inner[0]
    return ("*", *map(_squared, base[1:])) if base[0] == "*" else _squared(base)


def _squared(base: Term) -> Term:
    if base[0] == "^" and base[2] in (HALF, MINUS_HALF):
        return base[1] if base[2] == HALF else ("^", base[1], MINUS_ONE)
    return ("^", base, TWO)
