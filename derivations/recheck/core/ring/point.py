"""Refutations: at an exact point where all givens hold, the sides certainly do not have the stated relation."""

from __future__ import annotations

from flint import ctx

from derivations.recheck.core.balls import Undefined, agrees_with_text, require_inside_defined, value_at
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, part, require, shown
from derivations.recheck.core.statements import (
    Setting,
    Values,
    bits_of,
    point,
    relation_of,
    require_givens,
    setting,
    side,
)
from derivations.recheck.core.terms import difference

FAILS = {"=": lambda v: v != 0, ">": lambda v: v <= 0, ">=": lambda v: v < 0}
"""Of a number or a ball: whether it certainly does not have the relation to zero."""


def check_refutation(statement: Data, payload: Data) -> None:
    where, left, right = setting(statement), side(statement, "left"), side(statement, "right")
    fails = FAILS[relation_of(statement)]
    values, bits = witness_point(where, payload, left, right)
    gap = difference(left, right)
    try:
        gaps = [value_at(gap, values, b) for b in (bits, 2 * bits)]
    except Undefined:
        raise Rejected("a side is not defined at the exact point, so nothing is refuted there") from None
    with ctx.workprec(2 * bits):
        if not all(map(fails, gaps)):
            raise Rejected("the statement does not certainly fail at the exact point, so nothing is refuted there")


def witness_point(where: Setting, payload: Data, left: Term, right: Term) -> tuple[Values, int]:
    """The point of a refutation, where every given holds and the printed values are the values."""
    witness = part(payload, "witness", dict, "the payload")
    bits = bits_of(witness)
    values = point(part(witness, "point", dict, "the witness"), where.symbols, where.free(left, right))
    require_givens(where, values)
    for key, formula in (("left", left), ("right", right)):
        require_printed(part(witness, key, str, "the witness"), key, formula, values, bits)
    return values, bits


def require_printed(text: str, key: str, formula: Term, values: Values, bits: int) -> None:
    try:
        require_inside_defined(formula, values, bits)
        agrees = agrees_with_text(text, formula, values, bits)
    except Undefined:
        raise Rejected(f"the {key} side is not defined at the exact point, so nothing is refuted there") from None
    require(agrees, f"the {key} side is not {shown(text)} at the exact point")
