"""larger > smaller where both are positive and log(larger) > log(smaller)."""

from __future__ import annotations

from derivations.recheck.core.conditions import conditions, said_of
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, term
from derivations.recheck.core.terms import ONE, ZERO, difference
from derivations.recheck.kinds.rules.analysis.slope import product
from derivations.recheck.kinds.rules.forms import only


def logarithms(statement: Data, parameters: Data) -> list[Data]:
    """left - right = factor * (larger - smaller), both are positive, and so are their logarithms apart."""
    only(parameters, "factor", "larger", "smaller")
    if statement["kind"] != "sign":
        raise Rejected("logarithms of both sides show an inequality, and the statement is none")
    sides = [term(parameters[key]) for key in ("larger", "smaller")]
    needed = product(statement, term(parameters["factor"]), difference(*sides))
    for side in sides:
        needed += [said_of(statement, *c) for c in conditions(side, statement["symbols"], smooth=False)]
    bases: list[Term] = []
    compared = [_logarithm(side, bases) for side in sides]
    needed += [said_of(statement, ">", base) for base in bases]
    return [*needed, said_of(statement, statement["relation"], *compared)]


def _logarithm(formula: Term, bases: list[Term]) -> Term:
    """log(u v) = log(u) + log(v), log(u^k) = k log(u), log(exp(u)) = u; all that is left in logarithms is a base."""
    match formula:
        case ("exp", exponent):
            within: Term = exponent
            return within
        case ("*", *factors):
            return ("+", *[_logarithm(factor, bases) for factor in factors])
        case ("^", base, exponent):
            return ("*", exponent, _logarithm(base, bases))
    bases.append(formula)
    return ZERO if formula == ONE else ("log", formula)
