"""A relation between integrals that fails at an exact point: there balls around the integrals show it."""

from __future__ import annotations

import re

from flint import arb, ctx

from derivations.recheck.core.balls import Ball, enclosure, require_inside_defined
from derivations.recheck.core.conditions import conditions
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, integer, name, part, shown
from derivations.recheck.core.slots import INFINITE, an_integral
from derivations.recheck.core.statements import bits_of, point, require, setting, side
from derivations.recheck.core.terms import carried_out, difference, free_in
from derivations.recheck.kinds.schemas.integrals.quadrature import integral, require_positive

MAX_CELLS = 5_000
DIGITS = r"-?[0-9]{1,60}(\.[0-9]{1,60})?(e[+-]?[0-9]{1,4})?"
PRINTED = re.compile(rf"{DIGITS}|\[({DIGITS} )?\+/- {DIGITS}\]", re.ASCII)
STATED = {"kind", "form", "symbols", "assuming", "variable", "integrals", "relation", "left", "right"}


def check_fails(certificate: Data) -> None:
    """At the point the hypotheses hold, every integral has a value, and the sides compare otherwise than is stated."""
    statement, payload = certificate["statement"], certificate["payload"]
    if set(statement) - {"rates"} != STATED or certificate["method"] != "exact point":
        raise Rejected("a comparison of integrals is refuted as it stands, at an exact point")
    where, left, right = setting(statement), side(statement, "left"), side(statement, "right")
    table, x = part(statement, "integrals", dict, "the statement"), name(statement["variable"])
    for letter, entry in table.items():
        an_integral(entry, f"the integral {shown(letter)}")
        if any(end in INFINITE for end in entry):
            raise Rejected("an integral without an end is not compared at a point")
    formulas = [formula for entry in table.values() for formula in entry]
    rates = part(statement, "rates", dict, "the statement") if "rates" in statement else {}
    bound = {x, *table, *rates}
    if len(bound) != 1 + len(table) + len(rates):
        raise Rejected("one letter of the statement stands for two things")
    ends = [end for _, *both in table.values() for end in both]
    supposed = [formula for hypothesis in where.assuming for formula in hypothesis[1:]]
    if free_in([*ends, *supposed, left, right]) & {x} or free_in([*formulas, *supposed]) & {*table, *rates}:
        raise Rejected("a letter that the statement binds stands where it may not")
    if any(statement["symbols"].get(letter) != () for letter in bound):
        raise Rejected("nothing may be told of the variable and of the letters of integrals")
    witness = part(payload, "witness", dict, "the payload")
    bits = bits_of(witness)
    cells = integer(part(payload, "cells", int, "the payload"), 1, MAX_CELLS, "the number of parts")
    known = {symbol: told for symbol, told in where.symbols.items() if symbol not in bound}
    values = point(part(witness, "point", dict, "the witness"), known, where.free(left, right, *formulas) - bound)
    require(where, values)
    inner = {**values, **{letter: integral(entry, x, values, cells, bits) for letter, entry in table.items()}}
    inner |= {rate: _rate(statement, told, values, cells, bits) for rate, told in rates.items()}
    for key, formula in (("left", left), ("right", right)):
        _require_printed(part(witness, key, str, "the witness"), enclosure(formula, inner, bits), bits)
    gap = difference(left, right)
    require_inside_defined(gap, inner, bits)
    if not _fails(statement["relation"], enclosure(gap, inner, bits)):
        raise Rejected("balls do not show that the relation between integrals fails at the exact point")


def _rate(statement: Data, told: Data, values: dict[str, Data], cells: int, bits: int) -> Ball:
    """The rate of an integral at the point, where its integrand and its ends are smooth."""
    letter, by = told if isinstance(told, tuple) and len(told) == 2 else ("", "")
    x = statement["variable"]
    if letter not in statement["integrals"] or by not in values:
        raise Rejected("a rate is that of one of the integrals by a symbol with a value")
    f, low, high = statement["integrals"][letter]
    smooth = [condition for _, condition in conditions(f, {}, smooth=True)]
    require_positive(smooth, statement["integrals"][letter], x, values, bits)
    for end in (low, high):
        for _, condition in conditions(end, {}, smooth=True):
            if not enclosure(condition, values, bits) > 0:
                raise Rejected("an end of an integral is not certainly smooth at the exact point")
    slope = carried_out(("D", f, by))
    inside = integral((slope, low, high), x, values, cells, bits)
    top, bottom = (("*", ("at", f, ((x, end),)), ("D", end, by)) for end in (high, low))
    with ctx.workprec(bits):
        return inside + enclosure(difference(top, bottom), values, bits)


def _fails(relation: str, gap: Ball) -> bool:
    if relation == "=":
        return not gap.contains(0)
    if relation not in (">", ">="):
        raise Rejected(f"integrals are compared by =, > or >=, got {shown(relation)}")
    return bool(gap < 0)


def _require_printed(text: str, value: Ball, bits: int) -> None:
    """The text is a number in the ball, as far as its own digits go."""
    with ctx.workprec(bits):
        if not PRINTED.fullmatch(text) or not arb(text).overlaps(value) or arb(text).rad() > 1 + abs(value).upper():
            raise Rejected(f"a side is not {shown(text)} at the exact point")
