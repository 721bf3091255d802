"""Refutations: at an exact point where all givens hold, the sides certainly do not have the stated relation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flint import ctx

from derivations.recheck.core.balls import Undefined, agrees_with_text, require_inside_defined, value_at
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, require, shown
from derivations.recheck.core.statements import point, relation_of, require_givens, setting
from derivations.recheck.core.terms import difference

FAILS = {"=": lambda v: v != 0, ">": lambda v: v <= 0, ">=": lambda v: v < 0}
"""Checks that a number or a ball certainly does not have a relation to zero."""


def check_refutation(statement: Data, payload: Data) -> None:
    where, left, right = setting(statement), statement["left"], statement["right"]
    values = point(payload["witness"]["point"], where.symbols, where.free(left, right))
    require_givens(where, values)
    require_fails(payload["witness"], left, right, relation_of(statement), values)


def require_fails(witness: Data, left: Term, right: Term, order: str, values: Mapping[str, Any]) -> None:
    """The printed values of two sides are their values at a point, and these certainly are not in the order."""
    bits, gap = witness["bits"], difference(left, right)
    try:
        for key, formula in (("left", left), ("right", right)):
            require_inside_defined(formula, values, bits)
            agrees = agrees_with_text(witness[key], formula, values, bits)
            require(agrees, f"the {key} side is not {shown(witness[key])} at the exact point")
        gaps = [value_at(gap, values, b) for b in (bits, 2 * bits)]
    except Undefined:
        raise Rejected("a side is not defined at the exact point, so nothing is refuted there") from None
    with ctx.workprec(2 * bits):
        fails = all(map(FAILS[order], gaps))
        require(fails, "the statement does not certainly fail at the exact point, so nothing is refuted there")
