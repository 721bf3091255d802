"""Signs that the form of a formula shows."""

from __future__ import annotations

from derivations.recheck.core.load import Data, Term, rational
from derivations.recheck.core.statements import Setting
from derivations.recheck.core.terms import MINUS_ONE, whole_exponent

STRICT, WEAK, UNKNOWN = 2, 1, 0


def _symbol_sign(where: Setting, formula: Term, symbol: Data) -> int:
    told = where.symbols.get(symbol, ()) if isinstance(symbol, str) else ()
    if formula == ("s", symbol):
        return STRICT if "positive" in told else WEAK if "nonnegative" in told else UNKNOWN
    if formula == ("*", MINUS_ONE, ("s", symbol)):
        return STRICT if "negative" in told else WEAK if "nonpositive" in told else UNKNOWN
    return UNKNOWN


def plain_sign(where: Setting, formula: Term) -> int:
    """The sign that a formula's form shows wherever it has a value."""
    head = formula[0]
    if head == "s":
        return _symbol_sign(where, formula, formula[1])
    if head == "q":
        value = rational(formula[1])
        return STRICT if value > 0 else WEAK if value == 0 else UNKNOWN
    if head in ("pi", "exp", "cosh"):
        return STRICT
    if head == "abs":
        return WEAK
    if head == "^" and formula[2][0] == "q":
        return _power_sign(where, formula)
    if head == "*" and len(formula) == 3 and formula[1] == MINUS_ONE and formula[2][0] == "s":
        return _symbol_sign(where, formula, formula[2][1])
    if head in ("+", "*"):
        signs = [plain_sign(where, child) for child in formula[1:]]
        if UNKNOWN in signs:
            return UNKNOWN
        return max(signs) if head == "+" else min(signs)
    return UNKNOWN


def _power_sign(where: Setting, formula: Term) -> int:
    base = plain_sign(where, formula[1])
    k = whole_exponent(formula)
    if base == STRICT or k == 0:
        return STRICT
    if k is None:
        return WEAK
    if k % 2 == 0:
        told = where.symbols.get(formula[1][1], ()) if formula[1][0] == "s" else ()
        return STRICT if {"negative", "nonzero"} & set(told) else WEAK
    return base
