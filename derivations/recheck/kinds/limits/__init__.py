"""Limits: a form that is continuous in small quantities shows the value, and another limit refutes one.

A proof names quantities that go to zero, writes the expression as a formula of them, and that formula is continuous
where they are zero (see `quantities`). Its value there is the limit. A limit is infinite where the expression is 1/d or
-1/d for a d > 0 that goes to zero. Where the expression has no value for some parameters nothing is said about these;
for one exact choice of the parameters it is shown that it has values however near the limit (see `near`).
"""

from __future__ import annotations

from derivations.recheck.core.balls import agrees_with_text, sign_at
from derivations.recheck.core.errors import well_formed
from derivations.recheck.core.load import Data, Term, part, require, shown, term
from derivations.recheck.core.statements import POINT_BITS, Setting, must_match, point, require_givens, setting, side
from derivations.recheck.core.terms import MINUS_ONE, ONE, ZERO, difference, free_in
from derivations.recheck.kinds.forms import product_of_terms
from derivations.recheck.kinds.limits.near import require_values_near
from derivations.recheck.kinds.limits.quantities import Check, Quantities
from derivations.recheck.kinds.limits.towards import INFINITE, value_of, variables_of


def check_proof_of_limit(certificate: Data, check: Check) -> None:
    """The expression tends to the value, finite or not; `check` judges what this rests on."""
    with well_formed("the certificate of a limit"):
        payload, small = certificate["payload"], Quantities(certificate["statement"], check)
        small.learn(part(payload, "facts", tuple, "the payload"))
        for step in part(payload, "steps", tuple, "the payload"):
            small.take(step)
        finite = small.value not in INFINITE
        if finite:
            form = side(payload, "form")
            for key in ("identity", "value"):  # neither supposes more, before what they show is compared
                small.supposed(payload[key], small.symbols)
            require(small.continuous(form), f"{shown(form)} need not be continuous where the quantities are zero")
        else:
            sign = ONE if small.value == ("oo",) else MINUS_ONE
            form = product_of_terms(sign, ("^", small.small_form(payload["form"]), MINUS_ONE))
        small.require_equal(payload["identity"], small.expression, small.in_variables(form))
        if finite:
            small.require_equal(payload["value"], small.at_zero(form), small.value)
        require_values_near(small, part(payload, "near", dict, "the payload"))


def check_refutation_of_limit(certificate: Data, check: Check) -> None:
    """At an exact point of the parameters the expression tends to something else."""
    with well_formed("the certificate of a limit"):
        nested, witness = (part(certificate["payload"], key, dict, "the payload") for key in ("limit", "witness"))
        here, other = _at_point(certificate["statement"], witness["point"]), value_of(nested["statement"])
        must_match(nested["statement"], {**here, "value": other}, "nested certificate 'limit'")
        require(check(nested) == "proved", "the nested certificate 'limit' must be proved")
        claimed, infinite = here["value"], other in INFINITE or here["value"] in INFINITE
        differ = other != claimed and (infinite or sign_at(difference(other, claimed), {}, POINT_BITS))
        require(differ, "the two limits do not certainly differ at the exact point")
        for key, value in (("left", other), ("right", claimed)):
            text = part(witness, key, str, "the witness")
            same = text == value[0] if value in INFINITE else agrees_with_text(text, value, {}, POINT_BITS)
            require(same, f"the {key} side of the witness is not {shown(text)}")


def _at_point(statement: Data, given: Data) -> Data:
    """The statement with exact numbers for its parameters, which satisfy the hypotheses on them."""
    variables, where, value = variables_of(statement), setting(statement), value_of(statement)
    moving = tuple(r for r in where.assuming if free_in(r[1:]) & set(variables))
    fixed = tuple(r for r in where.assuming if r not in moving)
    head, *ends = statement.get("towards", ("",))
    spoken = [side(statement, "expression"), *map(term, ends), *(() if value in INFINITE else (value,))]
    parameters = {symbol: told for symbol, told in where.symbols.items() if symbol not in variables}
    values = point(given, parameters, where.free(*spoken) - set(variables))
    require_givens(Setting(parameters, fixed), values)
    pairs = tuple((name, ("+", ZERO, ("q", given[name]))) for name in sorted(given))  # an exponent stays a formula

    def put(formula: Term) -> Term:
        return ("at", formula, pairs) if pairs and formula not in INFINITE else formula

    return {
        "kind": "limit",
        "symbols": {variable: where.symbols[variable] for variable in variables},
        "assuming": tuple((r[0], put(r[1]), put(r[2])) for r in moving),
        "variables": statement["variables"],
        "expression": put(spoken[0]),
        "value": put(value),
        **({"towards": (head, *map(put, ends))} if head else {}),
    }
