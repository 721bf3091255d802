"""Decides statements about Gaussian averages: each is derived line by line, its value compared with the right side.

{"kind": "average", "symbols": ..., "assuming": [...],
 "fields": [name, ...],                      the fields, of mean zero
 "covariance": [[term, ...], ...],           positive semidefinite
 "definite": [place, ...],                   fields whose covariance is positive definite
 "integrand": [[coefficient, factors], ...], products of factors of single fields, with terms as coefficients
 "given": {name: factors},                   averages under the same covariance that have a name
 "rate": name,                               how the average changes with a symbol, which moves no variance
 "right": term}

    ["power", i, n]       the n-th power of field i         ["step", i]    1 above zero, 0 below
    ["bell", i, w]        exp(-x^2/(2 w))                   ["ramp", i]    the field where it is positive, else 0
    ["erf", i, w]         erf(x/sqrt(2 w))                  ["point", i]   a point mass at zero
"""

from __future__ import annotations

from derivations.prove.averages.derivation import NoAverage, NotDerived, derivation_of
from derivations.prove.averages.obligations import certified
from derivations.prove.certificate import Certificate, Json, undecided
from derivations.recheck.core.budget import budget
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import normal
from derivations.recheck.core.table.averages import Average


def decide(statement: Json) -> Certificate:
    """PROVED when the derived value is the right side, REFUTED at an exact covariance, else OPEN."""
    with budget():  # the lines are applied with the checker's code, which counts its work
        try:
            average = Average(normal(statement))
        except Rejected as refusal:
            raise NoAverage(str(refusal)) from None
        try:
            return certified(statement, average, derivation_of(average))
        except (NotDerived, Rejected) as trouble:
            return undecided(statement, str(trouble))
