"""Steps of digamma, the logarithmic derivative of the gamma function: digamma(u + 1) = digamma(u) + 1/u."""

from __future__ import annotations

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, term
from derivations.recheck.core.terms import MINUS_ONE, difference, replaced
from derivations.recheck.kinds.rules.forms import inside_out, only, rewritten
from derivations.recheck.kinds.rules.linear import linear

MAX_STEPS = 20


def steps_of_digamma(statement: Data, parameters: Data) -> list[Data]:
    """digamma(u + n) = digamma(u) + 1/u + ... + 1/(u + n - 1), where digamma(u) stands on a side and so has a value.

    Then u is no whole number from zero down, and no denominator vanishes.
    """
    only(parameters, "upper", "lower")
    upper, lower = term(parameters["upper"]), term(parameters["lower"])
    sides = set(inside_out([statement["left"], statement["right"], *(s for r in statement["assuming"] for s in r[1:])]))
    if ("digamma", upper) not in sides or ("digamma", lower) not in sides:
        raise Rejected("digamma of both arguments must stand in the statement")
    gap = linear(difference(upper, lower))
    if set(gap) != {()} or gap[()].q != 1 or not 0 < gap[()] <= MAX_STEPS:
        raise Rejected(f"one argument of digamma must be 1 to {MAX_STEPS} whole steps above the other")
    sum_of_all: Term = ("+", ("digamma", lower))
    for k in range(int(gap[()].p)):
        sum_of_all += (("^", ("+", lower, ("q", str(k))), MINUS_ONE),)
    return [rewritten(statement, lambda formula: replaced(formula, ("digamma", upper), sum_of_all))]
