"""Integrals over closed intervals in balls, by midpoints of equal parts, and relations between them that fail.

On a part with the middle m and half of its width h the integral of f is 2 h f(m) + h^3 f''(z)/3 for some z in the part,
if f has a second derivative there, and so lies in the ball that f'' over the whole part gives. Balls that are finite
show that it has one: each root and logarithm in the formula of f'' has a value all over the part. Where it has none,
such as |x| at 0, the values of f over the part serve instead. No complex numbers, and no functions beyond the reals.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flint import arb, ctx

from derivations.recheck.core.balls import Ball, Undefined, enclosure
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, require
from derivations.recheck.core.ring.point import require_fails
from derivations.recheck.core.slots import require_by_themselves
from derivations.recheck.core.statements import point, require_givens, setting
from derivations.recheck.core.terms import carried_out, difference, free_in


def integrals_of(statement: Data) -> tuple[Data, str]:
    """The integrals for which letters stand in a statement, and their variable."""
    table, x = statement["integrals"], statement["variable"]
    for entry in table.values():
        is_closed = not (free_in(entry) & set(table) or free_in(entry[1:]) & {x} or x in table)
        require(is_closed, "integrals and their ends must not speak of what is bound")
    return table, x


def integral(entry: Data, variable: str, point: Mapping[str, Any], cells: int, bits: int) -> Ball:
    """A ball around the integral of a formula between two ends; `Undefined` where the formula may have no value."""
    f, low, high = entry
    bent = _bent(f, variable)
    start, width = (enclosure(formula, point, bits) for formula in (low, difference(high, low)))
    with ctx.workprec(bits):
        half = width / (2 * cells)
        whole = arb(0)
        for k in range(cells):
            middle = start + half * (2 * k + 1)
            everywhere = {**point, variable: middle + half * arb(0, 1)}
            piece = 2 * half * enclosure(f, everywhere, bits)
            try:
                finer = 2 * half * enclosure(f, {**point, variable: middle}, bits)
                finer += half**3 * enclosure(bent, everywhere, bits) / 3
                piece = finer if finer.rad() < piece.rad() else piece
            except Undefined:
                pass  # f has no second derivative here, and its values serve
            whole += piece
    return whole


def _bent(f: Term, x: str) -> Term:
    """The second derivative; log(-1), which has no value, for a function whose derivative is not known here."""
    try:
        return carried_out(("D", ("D", f, x), x))
    except Rejected:
        return ("log", ("q", "-1"))


def check_fails(statement: Data, payload: Data) -> None:
    """At the point the hypotheses hold, every integral has a value, and the sides compare otherwise than is stated."""
    where, left, right, order = setting(statement), *(statement[key] for key in ("left", "right", "relation"))
    table, x = integrals_of(statement)
    supposed = [formula for hypothesis in where.assuming for formula in hypothesis[1:]]
    is_bound = free_in([*supposed, left, right]) & {x} or free_in(supposed) & set(table)
    require(not is_bound, "a letter that the statement binds stands where it may not")
    require_by_themselves([*supposed, left, right], set(table))
    plain = all(where.symbols.get(letter) == () for letter in {x, *table})
    require(plain, "nothing is supposed of letters for integrals")
    witness, cells = payload["witness"], payload["cells"]
    asked = where.free(left, right, *(formula for entry in table.values() for formula in entry)) - {x, *table}
    values = point(witness["point"], set(where.symbols) - {x, *table}, asked)
    require_givens(where, values)
    known = {letter: integral(entry, x, values, cells, witness["bits"]) for letter, entry in table.items()}
    require_fails(witness, left, right, order, values | known)
