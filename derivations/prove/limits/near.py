"""Points from which a limit is approached: hypotheses hold and the expression has values for all small variables."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice

from derivations.language.evaluate import Ball, ball, evaluate, has_value, precision
from derivations.language.normal import Field, Poly, prepared, to_fraction
from derivations.language.points import Values, holds, points
from derivations.language.terms import LEAVES, Term, children, fraction_of, subtract, symbols_in
from derivations.prove.certificate import Json

LADDER = ((Fraction(1, 10**30), 256), (Fraction(1, 10**60), 512), (Fraction(1, 10**300), 2048))
TRIES = 60
BITS = 256


def approach(statement: Json) -> Values | None:
    """A point from which the limit is approached, or None where none was found."""
    moving = set(statement["variables"])
    fixed = [r for r in statement["assuming"] if not symbols_in(("+", *r[1:])) & moving]
    candidates = islice(points({"symbols": statement["symbols"], "assuming": fixed}), TRIES)
    field = _field(statement)
    return next((point for point in candidates if approaches(statement, point, field)), None)


def approaches(statement: Json, point: Values, field: Field | None = None) -> bool:
    """Whether the variables can go to zero along the direction that a point gives them."""
    expression, variables = statement["expression"], set(statement["variables"])
    hypotheses = [tuple(r) for r in statement["assuming"]]
    ties = [r for r in hypotheses if symbols_in(("+", *r[1:])) & variables]
    for small, bits in LADDER:
        values = {name: value * small if name in variables else value for name, value in point.items()}
        if not all(holds(r, values) for r in hypotheses) or not has_value(expression, values, bits):
            return False
    field = field or _field(statement)
    if not all(r[0] != "=" and _fits(r[0], subtract(r[1], r[2]), variables, point, field) for r in ties):
        return False
    return all(_fits(r, base, variables, point, field) is not False for r, base in _demands(prepared(expression)))


def _field(statement: Json) -> Field:
    sides = [side for r in statement["assuming"] for side in tuple(r)[1:]]
    return Field.of([statement["expression"], *sides], statement["symbols"])


def _demands(term: Term) -> list[tuple[str, Term]]:
    """What a term asks of its parts to have a value: pairs of a relation to zero, and the part."""
    if term[0] in LEAVES:
        return []
    inner = [demand for child in children(term) for demand in _demands(child)]
    if term[0] == "log":
        return [*inner, (">", term[1])]
    if term[0] == "^" and term[2][0] == "q":
        exponent = fraction_of(term[2])
        inner += [("!=", term[1])] * (exponent < 0) + [(">=", term[1])] * (exponent.denominator != 1)
    return inner


def _fits(relation: str, term: Term, variables: set[str], point: Values, field: Field) -> bool | None:
    """Whether the lowest order in the variables has the sign; None where it cannot be read off."""
    numerator, denominator = field.fraction(prepared(term))
    orders = _by_order(numerator * denominator, variables, point, field)
    if orders is None:
        return None
    lowest = next((orders[k] for k in sorted(orders) if not orders[k].is_zero()), ball(Fraction(0)))
    if lowest.contains(0) and not lowest.is_zero():
        return None
    return bool({"!=": lowest != 0, ">": lowest > 0, ">=": lowest >= 0}[relation])


def _by_order(poly: Poly, variables: set[str], point: Values, field: Field) -> dict[int, Ball] | None:
    orders: dict[int, Ball] = {}
    with precision(BITS):
        for exponents, coefficient in poly.to_dict().items():
            order, value = 0, ball(to_fraction(coefficient))
            for generator, exponent in zip(field.generators, map(int, exponents), strict=False):
                if not exponent:
                    continue
                term = field.generator_term(generator)
                if generator[0] == "symbol" and generator[1] in variables:
                    order += exponent
                elif symbols_in(term) & variables:
                    return None
                value = value * evaluate(term, point) ** exponent
            orders[order] = orders.get(order, ball(Fraction(0))) + value
    return orders
