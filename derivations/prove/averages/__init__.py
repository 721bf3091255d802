"""Decides statements about Gaussian averages: the average is derived by rules, its value compared with the right side.

{"kind": "average", "symbols": ..., "assuming": [...],
 "fields": [name, ...],                      the fields, of mean zero
 "covariance": [[term, ...], ...],           positive semidefinite
 "definite": [place, ...],                   fields whose covariance is positive definite
 "integrand": [[coefficient, factors], ...], see `derivations.language.averages.monomials`
 "given": {name: factors},                   averages under the same covariance that have a name
 "rate": name,                               how the average changes with a symbol, which moves no variance
 "right": term}
"""

from __future__ import annotations

from derivations.language.averages.monomials import Polynomial, factors_of, fields_of, monomial, polynomial
from derivations.language.terms import symbols_in
from derivations.prove.averages.derivation import NotDerived, Rules, along_path, require_definite
from derivations.prove.averages.fields import Fields, of_statement
from derivations.prove.averages.lemmas import fitting
from derivations.prove.averages.obligations import certified
from derivations.prove.certificate import Certificate, Json, Verdict


def decide(statement: Json) -> Certificate:
    """PROVED when the derived value is the right side, REFUTED at an exact covariance, else OPEN."""
    fields = of_statement(statement)
    given = tuple((name, found) for name, of in statement.get("given", {}).items() if (found := monomial(of)))
    try:
        rules = Rules(fitting, given, fields)
        derivation, value = rules.sum(averaged(statement, fields), fields)
    except NotDerived as trouble:
        return Certificate(statement, Verdict.OPEN, "none", reason=str(trouble))
    return certified(statement, derivation, value, named=_of_numbers)


def averaged(statement: Json, fields: Fields) -> Polynomial:
    """What is averaged: the integrand, or what its average changes by, which Price's theorem says."""
    of = polynomial(statement["integrand"])
    if "rate" not in statement:
        return of
    time = statement["rate"]
    places = range(len(statement["fields"]))
    widths = [f[2] for product in of for f in factors_of(product) if f[0] in ("bell", "erf")]
    if any(time in symbols_in(fields[i, i]) for i in places) or any(
        time in symbols_in(c) for c in (*of.values(), *widths)
    ):
        raise NotDerived(f"{time} moves a variance, a width or a coefficient, and only covariances may move")
    for product in of:
        require_definite(fields, set(fields_of(product)), product)
    return along_path(of, fields, time)


def _of_numbers(statement: Json) -> Certificate | None:
    """The average for a covariance in numbers, with the derived value as its right side."""
    fields = of_statement(statement)
    try:
        derivation, value = Rules(fitting).sum(polynomial(statement["integrand"]), fields)
    except NotDerived:
        return None
    return certified({**statement, "right": value}, derivation, value)
