"""Limits: a continuous form or an expansion shows the value, and another limit refutes it."""

from __future__ import annotations

from derivations.recheck.core.balls import agrees_with_text, sign_at
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, part, shown
from derivations.recheck.core.statements import POINT_BITS, Setting, must_match, point, require, setting, side
from derivations.recheck.core.terms import ZERO, difference, free_in
from derivations.recheck.kinds.limits.continuity import check_another, check_diverges, check_proof_by_continuity
from derivations.recheck.kinds.limits.expanded import Verdict, check_proof_by_expansion
from derivations.recheck.kinds.limits.towards import INFINITE, towards_of, value_of, variables_of


def check_proof_of_limit(certificate: Data, verdict_of: Verdict) -> None:
    """The expression tends to the value; `verdict_of` checks certificates of the facts that this rests on."""
    if certificate["method"] == "expansion":
        check_proof_by_expansion(certificate["statement"], certificate["payload"], verdict_of)
    else:
        check_proof_by_continuity(certificate["statement"], certificate["payload"])


def check_refutation_of_limit(certificate: Data, verdict_of: Verdict) -> None:
    """The expression does not tend to the value, at least for some values of the parameters."""
    statement, payload = certificate["statement"], certificate["payload"]
    match certificate["method"]:
        case "another limit":
            check_another(statement, payload)
        case "another limit at a point":
            _check_another_at_a_point(statement, payload, verdict_of)
        case "diverges":
            check_diverges(statement, payload)
        case method:
            raise Rejected(f"no limit is refuted by the method {shown(method)}")


def _check_another_at_a_point(statement: Data, payload: Data, verdict_of: Verdict) -> None:
    """At an exact point of the parameters the expression tends to something else."""
    witness = part(payload, "witness", dict, "the payload")
    here = _at_point(statement, part(witness, "point", dict, "the witness"))
    nested = part(payload, "limit", dict, "the payload")
    inner = part(nested, "statement", dict, "the nested certificate 'limit'")
    other, claimed = value_of(inner), here["value"]
    must_match(inner, {**here, "value": other}, "nested certificate 'limit'")
    if nested.get("verdict") != "proved" or nested.get("method") != "expansion":
        raise Rejected("the nested certificate 'limit' must be proved by an expansion")
    check_proof_by_expansion(inner, part(nested, "payload", dict, "the nested certificate 'limit'"), verdict_of)
    if other == claimed or not (other in INFINITE or claimed in INFINITE or sign_at(*_gap(other, claimed))):
        raise Rejected("the two limits do not certainly differ at the exact point")
    for key, value in (("left", other), ("right", claimed)):
        text = part(witness, key, str, "the witness")
        if not (text == value[0] if value in INFINITE else agrees_with_text(text, value, {}, POINT_BITS)):
            raise Rejected(f"the {key} side of the witness is not {shown(text)}")


def _gap(other: Term, claimed: Term) -> tuple[Term, dict[str, object], int]:
    return difference(other, claimed), {}, POINT_BITS


def _at_point(statement: Data, given: Data) -> Data:
    """The statement with exact numbers for its parameters, which satisfy the hypotheses on them."""
    variables, where = variables_of(statement), setting(statement)
    if len(variables) != 1:
        raise Rejected("a limit at a point of its parameters has one variable")
    (variable,) = variables
    value, towards = value_of(statement), towards_of(statement)
    moving = [r for r in where.assuming if variable in free_in(r[1:])]
    fixed = tuple(r for r in where.assuming if r not in moving)
    spoken = [side(statement, "expression"), *towards[1:], *(() if value in INFINITE else (value,))]
    parameters = {symbol: told for symbol, told in where.symbols.items() if symbol != variable}
    values = point(given, parameters, where.free(*spoken) - {variable})
    require(Setting(parameters, fixed), values)
    pairs = tuple((name, ("+", ZERO, ("q", given[name]))) for name in sorted(given))  # an exponent stays a formula

    def put(formula: Term) -> Term:
        return ("at", formula, pairs) if pairs and formula not in INFINITE else formula

    here = {
        "kind": "limit",
        "symbols": {variable: where.symbols[variable]},
        "assuming": tuple((r[0], put(r[1]), put(r[2])) for r in moving),
        "variables": statement["variables"],
        "expression": put(spoken[0]),
        "value": put(value),
    }
    return here | ({"towards": (towards[0], *map(put, towards[1:]))} if "towards" in statement else {})
