"""Limits as small variables go to zero from above together: a continuous form gives the value, or another one."""

from __future__ import annotations

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, part, rational, shown
from derivations.recheck.core.point import check_refutation
from derivations.recheck.core.ring import Ring, check_proof
from derivations.recheck.core.ring.line import check_inequality
from derivations.recheck.core.statements import Setting, must_match, setting, side
from derivations.recheck.core.terms import MINUS_ONE, ZERO, carried_out, free, minus, prepared, whole_exponent
from derivations.recheck.kinds.limits.forms import STRICT, plain_sign
from derivations.recheck.kinds.limits.near import require_values_near
from derivations.recheck.kinds.limits.towards import variables_of

CONTINUOUS = ("+", "*", "exp", "sinh", "cosh", "tanh", "sin", "cos", "erf", "abs")


def check_proof_by_continuity(statement: Data, payload: Data) -> Ring:
    """expression = numerator/denominator, both continuous at zero, where the denominator does not vanish."""
    variables, expression, value = variables_of(statement), side(statement, "expression"), side(statement, "value")
    if "towards" in statement:
        raise Rejected("a continuous form is for variables that go to zero from above")
    setting(statement).free(expression, value)
    num, den = side(payload, "numerator"), side(payload, "denominator")
    for formula in (num, den):
        _require_continuous(carried_out(formula), frozenset(variables), setting(statement))
    zero = tuple((variable, ZERO) for variable in sorted(variables))
    num_at, den_at = ("at", num, zero), ("at", den, zero)
    equal = _nested(statement, payload, "identity", expression, ("*", num, ("^", den, MINUS_ONE)))
    knowledge = check_proof(equal[0], equal[1], domain=(expression,), alive=(den,))
    require_values_near(statement, part(payload, "near", dict, "the payload"), expression, variables, knowledge)
    at_zero = _nested(statement, payload, "value", num_at, ("*", value, den_at))
    check_proof(*at_zero)
    _check_nonzero(statement, payload, den_at)
    return knowledge


def _nested(statement: Data, payload: Data, key: str, left: Term, right: Term) -> tuple[Data, Data]:
    """Statement and payload of a nested identity that must be proved."""
    nested = part(payload, key, dict, "the payload")
    inner = part(nested, "statement", dict, f"the nested certificate '{key}'")
    must_match(inner, _shared(statement, "identity", left, right), f"nested certificate '{key}'")
    if nested.get("verdict") != "proved" or nested.get("method") != "normal form":
        raise Rejected(f"the nested certificate '{key}' must be proved by its normal form")
    return inner, part(nested, "payload", dict, f"the nested certificate '{key}'")


def _shared(statement: Data, kind: str, left: Term, right: Term) -> Data:
    return {
        "kind": kind,
        "symbols": statement["symbols"],
        "assuming": statement["assuming"],
        "left": left,
        "right": right,
    }


def _check_nonzero(statement: Data, payload: Data, den_at: Term) -> None:
    nested = part(payload, "nonzero", dict, "the payload")
    inner = part(nested, "statement", dict, "the nested certificate 'nonzero'")
    left = den_at if inner.get("left") == den_at else minus(den_at)
    must_match(inner, _shared(statement, "sign", left, ZERO) | {"relation": ">"}, "nested certificate 'nonzero'")
    check_inequality(nested)


def _require_continuous(formula: Term, variables: frozenset[str], where: Setting) -> None:
    """Built so that it is continuous where the variables are zero, if it has values near there."""
    if not free(formula) & variables:
        return
    head = formula[0]
    if head == "^":
        if formula[2][0] != "q" or not (rational(formula[2][1]) > 0 or whole_exponent(formula) == 0):
            raise Rejected(f"{shown(formula)} need not be continuous where the variables are zero")
        _require_continuous(formula[1], variables, where)
    elif head in CONTINUOUS or (head == "log" and _is_positive_at_zero(formula[1], variables, where)):
        for child in formula[1:]:
            _require_continuous(child, variables, where)
    elif head != "s":
        raise Rejected(f"{shown(formula)} need not be continuous where the variables are zero")


def _is_positive_at_zero(formula: Term, variables: frozenset[str], where: Setting) -> bool:
    at_zero = prepared(("at", formula, tuple((variable, ZERO) for variable in sorted(variables))))
    return plain_sign(where, at_zero) == STRICT


# --- refutation -------------------------------------------------------------------------------------------------------


def check_diverges(statement: Data, payload: Data) -> None:
    """1/expression tends to zero."""
    variables_of(statement)
    reciprocal = {**statement, "expression": ("^", side(statement, "expression"), MINUS_ONE), "value": ZERO}
    _check_limit(part(payload, "reciprocal", dict, "the payload"), reciprocal, "reciprocal")


def _check_limit(nested: Data, expected: Data, key: str) -> Ring:
    inner = part(nested, "statement", dict, f"the nested certificate '{key}'")
    must_match(inner, {k: v for k, v in expected.items() if k != "squares"}, f"nested certificate '{key}'")
    if nested.get("verdict") != "proved" or nested.get("method") != "continuity":
        raise Rejected(f"the nested certificate '{key}' must be proved by continuity")
    return check_proof_by_continuity(inner, part(nested, "payload", dict, f"the nested certificate '{key}'"))


def check_another(statement: Data, payload: Data) -> None:
    """The expression tends to another value, and an exact point tells the two apart."""
    nested = part(payload, "limit", dict, "the payload")
    other = side(part(nested, "statement", dict, "the nested certificate 'limit'"), "value")
    knowledge = _check_limit(nested, {**statement, "value": other}, "limit")
    value = side(statement, "value")
    differs = part(payload, "differs", dict, "the payload")
    inner = part(differs, "statement", dict, "the nested certificate 'differs'")
    sides = (other, value) if inner.get("left") == other else (value, other)
    must_match(inner, _shared(statement, "identity", *sides), "nested certificate 'differs'")
    if differs.get("verdict") != "refuted" or differs.get("method") != "exact point":
        raise Rejected("the nested certificate 'differs' must be refuted at an exact point")
    evidence = part(differs, "payload", dict, "the nested certificate 'differs'")
    check_refutation(inner, evidence)
    if payload.get("witness") != evidence["witness"]:
        raise Rejected("the witness of the limit is not the point at which the two values differ")
    variables = variables_of(statement)
    start = dict.fromkeys(variables, "1") | evidence["witness"]["point"]
    require_values_near(statement, start, side(statement, "expression"), variables, knowledge)
