"""Roots, logarithms and exponents replaced by what a witness says they are, once that is shown.

The witness must have a value wherever the statement speaks, which an equality alone does not say; so its operations
are only those that always have one, or whose demands are among what is shown.
"""

from __future__ import annotations

from derivations.recheck.core.conditions import conditions, said_of
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, part, shown, term
from derivations.recheck.core.terms import HALF, TWO, carried_out, prepared, replaced, subterms
from derivations.recheck.kinds.rules.forms import only, rewritten

MAX_FACTORS = 40


def equal(statement: Data, left: Term, right: Term) -> Data:
    """An identity under the hypotheses of a statement."""
    head = {"symbols": statement["symbols"], "assuming": statement["assuming"]}
    return {"kind": "identity", **head, "left": left, "right": right}


def _without(statement: Data, old: Term, new: Term) -> Data:
    sides = [statement["left"], statement["right"], *(s for r in statement["assuming"] for s in r[1:])]
    if not any(old in subterms(prepared(s)) for s in sides):
        raise Rejected(f"{shown(old)} stands nowhere in the statement")
    return rewritten(statement, lambda formula: replaced(prepared(formula), old, new))


def demanded(statement: Data, formula: Term) -> list[Data]:
    """What must be shown so that a witness has a value: that what stands under a division or a root is fit for it."""
    if formula != carried_out(formula):
        raise Rejected(f"the witness {shown(formula)} holds a derivative or a substitution: write it out")
    return [
        said_of(statement, order, inner) for order, inner in conditions(formula, statement["symbols"], smooth=False)
    ]


def root_value(statement: Data, parameters: Data) -> list[Data]:
    """sqrt(u) = v: v^2 = u, v >= 0, and v has a value."""
    only(parameters, "root", "value")
    root, value = term(parameters["root"]), term(parameters["value"])
    if root[0] != "^" or root[2] != HALF:
        raise Rejected(f"{shown(root)} is no square root")
    return [
        equal(statement, ("^", value, TWO), root[1]),
        said_of(statement, ">=", value),
        *demanded(statement, value),
        _without(statement, root, value),
    ]


def logarithm_factors(statement: Data, parameters: Data) -> list[Data]:
    """log(u) = sum of m log(f): u = product of f^m, every f > 0, and has a value."""
    only(parameters, "log", "factors")
    log, factors = term(parameters["log"]), part(parameters, "factors", tuple, "the parameters")
    if log[0] != "log" or not 0 < len(factors) <= MAX_FACTORS:
        raise Rejected(f"{shown(log)} is no logarithm, or has no factors")
    for pair in factors:
        if not isinstance(pair, tuple) or len(pair) != 2 or term(pair[1])[0] != "q" or not term(pair[0]):
            raise Rejected(f"a factor must be a formula and a rational power, got {shown(pair)}")
    return [
        equal(statement, log[1], ("*", *[("^", f, m) for f, m in factors])),
        *[said_of(statement, ">", f) for f, _ in factors],
        *[needed for f, _ in factors for needed in demanded(statement, f)],
        _without(statement, log, ("+", *[("*", m, ("log", f)) for f, m in factors])),
    ]


def exponent_value(statement: Data, parameters: Data) -> list[Data]:
    """exp(u) = exp(v): u = v, and v has a value; that u has one is what the statement says itself."""
    only(parameters, "exp", "value")
    exponential, value = term(parameters["exp"]), term(parameters["value"])
    if exponential[0] != "exp":
        raise Rejected(f"{shown(exponential)} is no exponential")
    return [
        equal(statement, exponential[1], value),
        *demanded(statement, value),
        _without(statement, exponential, ("exp", value)),
    ]
