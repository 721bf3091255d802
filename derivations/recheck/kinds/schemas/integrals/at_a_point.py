"""A relation between integrals that fails at an exact point: there balls around the integrals show it."""

from __future__ import annotations

from derivations.recheck.core.balls import enclosure, require_inside_defined
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, integer, part
from derivations.recheck.core.ring.point import FAILS, require_printed
from derivations.recheck.core.slots import require_by_themselves
from derivations.recheck.core.statements import bits_of, point, require_givens, setting, side
from derivations.recheck.core.terms import difference, free_in
from derivations.recheck.kinds.schemas.integrals.quadrature import MAX_CELLS, integral, integrals_of

STATED = {"kind", "form", "symbols", "assuming", "variable", "integrals", "relation", "left", "right"}


def check_fails(statement: Data, payload: Data) -> None:
    """At the point the hypotheses hold, every integral has a value, and the sides compare otherwise than is stated."""
    if statement.get("form") != "integrals" or set(statement) != STATED:
        raise Rejected("of what theorems conclude only a comparison of integrals is refuted, at an exact point")
    where, left, right = setting(statement), side(statement, "left"), side(statement, "right")
    fails = FAILS.get(part(statement, "relation", str, "the statement"))
    table, x = integrals_of(statement)
    supposed = [formula for hypothesis in where.assuming for formula in hypothesis[1:]]
    if free_in([*supposed, left, right]) & {x} or free_in(supposed) & set(table):
        raise Rejected("a letter that the statement binds stands where it may not")
    require_by_themselves([*supposed, left, right], set(table))
    if fails is None or any(statement["symbols"].get(letter) != () for letter in {x, *table}):
        raise Rejected("integrals are compared by =, > or >=, and nothing is supposed of letters for them")
    witness = part(payload, "witness", dict, "the payload")
    bits, cells = bits_of(witness), integer(part(payload, "cells", int, "the payload"), 1, MAX_CELLS, "the parts")
    asked = where.free(left, right, *(formula for entry in table.values() for formula in entry)) - {x, *table}
    values = point(part(witness, "point", dict, "the witness"), set(where.symbols) - {x, *table}, asked)
    require_givens(where, values)
    known = {**values, **{letter: integral(entry, x, values, cells, bits) for letter, entry in table.items()}}
    for key, formula in (("left", left), ("right", right)):
        require_printed(part(witness, key, str, "the witness"), key, formula, known, bits)
    gap = difference(left, right)
    require_inside_defined(gap, known, bits)
    if not fails(enclosure(gap, known, bits)):
        raise Rejected("balls do not show that the relation between integrals fails at the exact point")
