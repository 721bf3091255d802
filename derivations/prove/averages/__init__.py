"""Decides statements about Gaussian averages: the average is derived by rules, its value compared with the right side.

{"kind": "average", "symbols": ..., "assuming": [...],
 "fields": [name, ...],                      the fields, of mean zero
 "covariance": [[term, ...], ...],           positive semidefinite
 "definite": [place, ...],                   fields whose covariance is positive definite
 "integrand": [[coefficient, factors], ...], see `derivations.language.averages.monomials`
 "given": {name: factors},                   averages under the same covariance that have a name
 "right": term}
"""

from __future__ import annotations

from derivations.language.averages.monomials import monomial, polynomial
from derivations.prove.averages.derivation import NotDerived, Rules
from derivations.prove.averages.fields import of_statement
from derivations.prove.averages.lemmas import fitting
from derivations.prove.averages.obligations import certified
from derivations.prove.certificate import Certificate, Json, Verdict


def decide(statement: Json) -> Certificate:
    """PROVED when the derived value is the right side, REFUTED at an exact covariance, else OPEN."""
    fields = of_statement(statement)
    given = tuple((name, found) for name, of in statement.get("given", {}).items() if (found := monomial(of)))
    try:
        rules = Rules(fitting, given, fields)
        derivation, value = rules.sum(polynomial(statement["integrand"]), fields)
    except NotDerived as trouble:
        return Certificate(statement, Verdict.OPEN, "none", reason=str(trouble))
    return certified(statement, derivation, value, named=_of_numbers)


def _of_numbers(statement: Json) -> Certificate | None:
    """The average for a covariance in numbers, with the derived value as its right side."""
    fields = of_statement(statement)
    try:
        derivation, value = Rules(fitting).sum(polynomial(statement["integrand"]), fields)
    except NotDerived:
        return None
    return certified({**statement, "right": value}, derivation, value)
