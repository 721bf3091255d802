"""What holds arbitrarily near a limit: hypotheses that let the variables go to zero, expressions with values."""

from __future__ import annotations

from flint import arb, ctx, fmpq

from derivations.recheck.core.balls import Ball, Undefined, enclosure, require_inside_defined
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, shown
from derivations.recheck.core.ring import Ring
from derivations.recheck.core.ring.polynomials import Poly
from derivations.recheck.core.statements import POINT_BITS, Values, holds, point, require, setting
from derivations.recheck.core.terms import free, free_in, prepared, subterms, whole_exponent

LADDER = ((fmpq(1, 10**30), POINT_BITS), (fmpq(1, 10**60), 2 * POINT_BITS), (fmpq(1, 10**300), 2048))


def require_values_near(
    statement: Data, given: Data, expression: Term, variables: tuple[str, ...], knowledge: Ring
) -> None:
    """From the given point, with its variables made smaller and smaller, hypotheses hold and the expression has values.

    The lowest order of a polynomial in the variables says so for all small values; where roots or exponentials of the
    variables stand in it, three values far apart must do.
    """
    where = setting(statement)
    start = point(given, where.symbols, where.free(expression) | set(variables))
    for small, bits in LADDER:
        values = start | {variable: start[variable] * small for variable in variables}
        _require_hypotheses(where.assuming, variables, values)
        require(where, values)
        try:
            enclosure(expression, values, bits)
            require_inside_defined(expression, values, bits)
        except Undefined:
            raise Rejected("the expression has no values near the limit, so nothing is said about it there") from None
    for hypothesis in where.assuming:
        if free_in(hypothesis[1:]) & set(variables) and not _stays(hypothesis, variables, start, knowledge):
            raise Rejected(f"the hypothesis {shown(hypothesis)} keeps the variables from going to zero")
    for inner in subterms(prepared(expression)):
        if inner[0] == "log" or (inner[0] == "^" and inner[2][0] == "q" and (whole_exponent(inner) or -1) < 0):
            poly, relation = knowledge.asked(inner)
            if _fits(relation, knowledge, poly, variables, start) is False:
                raise Rejected(f"{shown(inner)} has no values near the limit, so nothing is said about it there")


def _require_hypotheses(assuming: tuple[Term, ...], variables: tuple[str, ...], values: Values) -> None:
    for hypothesis in assuming:
        moves = free_in(hypothesis[1:]) & set(variables)
        if moves and (hypothesis[0] == "=" or not holds(hypothesis, values)):
            raise Rejected(f"the hypothesis {shown(hypothesis)} keeps the variables from going to zero")


def _stays(hypothesis: Term, variables: tuple[str, ...], values: Values, knowledge: Ring) -> bool:
    """Whether a hypothesis holds for all small enough values."""
    field = knowledge
    num, den = field.difference(prepared(hypothesis[1]), prepared(hypothesis[2]))
    return _fits(hypothesis[0], field, field.polynomials.product(num, den), variables, values) is True


def _fits(relation: str, field: Ring, poly: Poly, variables: tuple[str, ...], values: Values) -> bool | None:
    """Whether the lowest order in the variables has the sign; None where it cannot be read off."""
    orders: dict[int, Ball] = {}
    with ctx.workprec(POINT_BITS):
        for exponents, coefficient in poly.to_dict().items():
            order, value = 0, arb(coefficient)
            for generator, exponent in zip(field.generators, map(int, exponents), strict=False):
                if not exponent:
                    continue
                formula = generator
                if generator[0] == "s" and generator[1] in variables:
                    order += exponent
                elif free(formula) & set(variables):
                    return None
                value = value * enclosure(formula, values, POINT_BITS) ** exponent
            orders[order] = orders.get(order, arb(0)) + value
    lowest = next((orders[k] for k in sorted(orders) if not orders[k].is_zero()), arb(0))
    if lowest.contains(0) and not lowest.is_zero():
        return None
    return bool({"!=": lowest != 0, ">": lowest > 0, ">=": lowest >= 0}[relation])
