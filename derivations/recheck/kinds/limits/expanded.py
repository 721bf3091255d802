"""Limits in one variable, read off an expansion that is computed here.

The certificate says how many terms are kept and in which scale of germs; it holds proofs of the signs of coefficients
that do not show them. The expansion says of the expression that it has values near the limit, and how far it is there
from a finite sum of products of powers of germs (see `scale` and `expansions`). If all that remains of the expression
minus the value goes to zero, the value is the limit; an infinite limit is shown by the sign of a term that grows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from derivations.recheck.core.balls import Undefined, enclosure, require_inside_defined
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, integer, part, shown
from derivations.recheck.core.statements import POINT_BITS, Setting, must_match, point, require, setting, side
from derivations.recheck.core.terms import ZERO, carried_out, difference, free, free_in, parts
from derivations.recheck.kinds.limits.constants import Constants
from derivations.recheck.kinds.limits.expansions import Arithmetic
from derivations.recheck.kinds.limits.functions import Expander, direction
from derivations.recheck.kinds.limits.scale import Scale
from derivations.recheck.kinds.limits.towards import INFINITE, towards_of, value_of, variables_of

Verdict = Callable[[Data], str]

MOST_ORDER = 20
SIGNS = {"positive": (1,), "negative": (-1,), "nonnegative": (0, 1), "nonpositive": (-1, 0), "nonzero": (-1, 1)}


def check_proof_by_expansion(statement: Data, payload: Data, verdict_of: Verdict) -> None:
    """The expression tends to the value, finite or not."""
    (variable,) = _only(variables_of(statement))
    where, expression, value = setting(statement), side(statement, "expression"), value_of(statement)
    where.free(expression, *(() if value in INFINITE else (value,)))
    fixed = tuple(r for r in where.assuming if variable not in free_in(r[1:]))
    ring = Constants(where.symbols, variable)
    for relation in fixed:
        ring.signs.suppose((relation[0], *map(carried_out, relation[1:])))
    for nested in part(payload, "facts", tuple, "the payload"):
        ring.signs.offer(*_fact(statement, fixed, nested, verdict_of))
    scale = Scale(ring, payload.get("logs"), payload.get("exponentials"))
    arithmetic = Arithmetic(ring, scale, integer(payload.get("order"), 1, MOST_ORDER, "the number of terms"))
    expander = Expander(arithmetic, variable, direction(arithmetic, ring, towards_of(statement)))
    _require_approach(statement, expander, variable)
    for inner in inside_derivatives(expression):
        expander.of(carried_out(inner))
    _require_limit(expander, carried_out(expression), value)
    require_parameters(statement, part(payload, "near", dict, "the payload"), variable)


def _only(variables: tuple[str, ...]) -> tuple[str, ...]:
    if len(variables) != 1:
        raise Rejected("an expansion is computed in one variable")
    return variables


def _fact(statement: Data, fixed: tuple[Term, ...], nested: Data, verdict_of: Verdict) -> tuple[Term, str]:
    """A proved relation between a formula of the parameters and zero."""
    if not isinstance(nested, dict):
        raise Rejected(f"a fact about coefficients must be a certificate, got {shown(nested)}")
    inner = part(nested, "statement", dict, "the certificate of a fact")
    left, kind = side(inner, "left"), inner.get("kind")
    shared = {"kind": kind, "symbols": statement["symbols"], "assuming": fixed, "left": left, "right": ZERO}
    if kind not in ("sign", "identity"):
        raise Rejected(f"a fact about coefficients must be an inequality or an identity, got {shown(kind)}")
    must_match(inner, shared | ({"relation": ">"} if kind == "sign" else {}), "certificate of a fact")
    if verdict_of(nested) != "proved":
        raise Rejected("a fact about coefficients must be proved")
    return carried_out(left), ">" if kind == "sign" else "="


def _require_approach(statement: Data, expander: Expander, variable: str) -> None:
    """What is assumed of the variable holds near the limit."""
    where = setting(statement)
    for told in where.symbols[variable]:
        if expander.arithmetic.sign(expander.of(("s", variable))) not in SIGNS[told]:
            raise Rejected(f"{variable} is declared {told}, and it is not so near the limit")
    for relation in where.assuming:
        if variable not in free_in(relation[1:]):
            continue
        left, right = map(carried_out, relation[1:])
        if relation[0] == "=":
            raise Rejected("a hypothesis ties the variable of the limit")
        gap = expander.of(difference(left, right))
        if gap.is_zero and relation[0] == ">=":
            continue
        if expander.arithmetic.sign(gap) not in ((-1, 1) if relation[0] == "!=" else (1,)):
            raise Rejected("a hypothesis does not hold near the limit, so nothing is said there")


def _require_limit(expander: Expander, expression: Term, value: Term) -> None:
    arithmetic, zero = expander.arithmetic, expander.scale.zero
    if value not in INFINITE:
        claimed = expander.ring.read(carried_out(value), given=True)
        gap = arithmetic.add(expander.of(expression), arithmetic.constant(-claimed))
        if not gap.is_zero and expander.scale.compare(gap.bound(), zero) <= 0:
            raise Rejected("the expansion of the expression minus the value does not go to zero")
        return
    found = expander.of(expression)
    if not found.terms or expander.scale.compare(found.bound(), zero) >= 0:
        raise Rejected("the first term of the expansion does not grow without bound")
    if arithmetic.sign(found) != (1 if value == ("oo",) else -1):
        raise Rejected("the expression grows towards the other infinity")


def inside_derivatives(formula: Term) -> Iterator[Term]:
    """What is differentiated, and what is put in, somewhere in a formula: these must have values as well."""
    if formula[0] == "D":
        yield formula[1]
        yield from inside_derivatives(formula[1])
    elif formula[0] == "at":
        yield from (inner for _, inner in formula[2])
        yield from (("at", inner, formula[2]) for inner in inside_derivatives(formula[1]))
        for _, replacement in formula[2]:
            yield from inside_derivatives(replacement)
    else:
        for child in parts(formula):
            yield from inside_derivatives(child)


def require_parameters(statement: Data, given: Data, variable: str) -> None:
    """Hypotheses on the parameters hold at a point, and whatever speaks of them alone has a value there."""
    where, expression, value = setting(statement), side(statement, "expression"), value_of(statement)
    spoken = [expression, *(side for r in where.assuming for side in r[1:]), *towards_of(statement)[1:]]
    spoken += [] if value in INFINITE else [value]
    parameters = free_in(spoken) - {variable}
    values = point({n: v for n, v in given.items() if n != variable}, where.symbols, parameters)
    fixed = [r for r in where.assuming if variable not in free_in(r[1:])]
    require(Setting(where.symbols, tuple(fixed)), values)
    for formula in (part_ for whole in spoken for part_ in _of_parameters(carried_out(whole), variable)):
        try:
            enclosure(formula, values, POINT_BITS)
            require_inside_defined(formula, values, POINT_BITS)
        except Undefined:
            raise Rejected("a part of the expression has no value for these parameters") from None


def _of_parameters(formula: Term, variable: str) -> Iterator[Term]:
    """The largest parts that do not speak of the variable."""
    if variable not in free(formula):
        yield formula
    else:
        for child in parts(formula):
            yield from _of_parameters(child, variable)
