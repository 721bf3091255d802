"""Limits: a form that is continuous in small quantities shows the value, and another limit refutes one.

A proof names quantities that go to zero, writes the expression as a formula of them, and that formula is continuous
where they are zero (see `quantities`). Its value there is the limit. A limit is infinite where the expression is 1/d or
-1/d for a d > 0 that goes to zero. Where the expression has no value for some parameters nothing is said about these;
for one exact choice of the parameters it is shown that it has values however near the limit (see `near`).
"""

from __future__ import annotations

from derivations.recheck.core.balls import agrees_with_text, sign_at
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, part, shown, term
from derivations.recheck.core.statements import POINT_BITS, Setting, must_match, point, require_givens, setting, side
from derivations.recheck.core.terms import MINUS_ONE, ONE, ZERO, difference, free_in
from derivations.recheck.kinds.forms import placed, product_of_terms
from derivations.recheck.kinds.limits.near import require_values_near
from derivations.recheck.kinds.limits.quantities import Check, Quantities
from derivations.recheck.kinds.limits.towards import INFINITE, value_of, variables_of


def check_proof_of_limit(certificate: Data, check: Check) -> None:
    """The expression tends to the value, finite or not; `check` judges what this rests on."""
    statement, payload = certificate["statement"], certificate["payload"]
    value, small = value_of(statement), Quantities(statement, check)
    small.learn(part(payload, "facts", tuple, "the payload"))
    for step in part(payload, "steps", tuple, "the payload"):
        small.take(step)
    if value in INFINITE:
        below = small.small_form(payload.get("form"))
        sign = ONE if value == ("oo",) else MINUS_ONE
        small.require_equal(payload.get("identity"), small.expression, product_of_terms(sign, ("^", below, MINUS_ONE)))
    else:
        form = side(payload, "form")
        small.require_continuous(form)
        small.require_equal(payload.get("identity"), small.expression, small.in_variables(form))
        small.require_equal(payload.get("value"), placed(form, small.names, ZERO), value)
    require_values_near(small, part(payload, "near", dict, "the payload"))


def check_refutation_of_limit(certificate: Data, check: Check) -> None:
    """At an exact point of the parameters the expression tends to something else."""
    statement, payload = certificate["statement"], certificate["payload"]
    witness = part(payload, "witness", dict, "the payload")
    here = _at_point(statement, part(witness, "point", dict, "the witness"))
    nested = part(payload, "limit", dict, "the payload")
    inner = part(nested, "statement", dict, "the nested certificate 'limit'")
    other, claimed = value_of(inner), here["value"]
    must_match(inner, {**here, "value": other}, "nested certificate 'limit'")
    if check(nested) != "proved":
        raise Rejected("the nested certificate 'limit' must be proved")
    if other == claimed or not (other in INFINITE or claimed in INFINITE or _sign_between(other, claimed)):
        raise Rejected("the two limits do not certainly differ at the exact point")
    for key, value in (("left", other), ("right", claimed)):
        text = part(witness, key, str, "the witness")
        if not (text == value[0] if value in INFINITE else agrees_with_text(text, value, {}, POINT_BITS)):
            raise Rejected(f"the {key} side of the witness is not {shown(text)}")


def _sign_between(other: Term, claimed: Term) -> int | None:
    return sign_at(difference(other, claimed), {}, POINT_BITS)


def _at_point(statement: Data, given: Data) -> Data:
    """The statement with exact numbers for its parameters, which satisfy the hypotheses on them."""
    variables, where, value = variables_of(statement), setting(statement), value_of(statement)
    moving = tuple(r for r in where.assuming if free_in(r[1:]) & set(variables))
    fixed = tuple(r for r in where.assuming if r not in moving)
    towards = statement.get("towards", ())
    spoken = [side(statement, "expression"), *map(term, towards[1:]), *(() if value in INFINITE else (value,))]
    parameters = {symbol: told for symbol, told in where.symbols.items() if symbol not in variables}
    values = point(given, parameters, where.free(*spoken) - set(variables))
    require_givens(Setting(parameters, fixed), values)
    pairs = tuple((name, ("+", ZERO, ("q", given[name]))) for name in sorted(given))  # an exponent stays a formula

    def put(formula: Term) -> Term:
        return ("at", formula, pairs) if pairs and formula not in INFINITE else formula

    here = {
        "kind": "limit",
        "symbols": {variable: where.symbols[variable] for variable in variables},
        "assuming": tuple((r[0], put(r[1]), put(r[2])) for r in moving),
        "variables": statement["variables"],
        "expression": put(spoken[0]),
        "value": put(value),
    }
    return here | ({"towards": (towards[0], *map(put, towards[1:]))} if towards else {})
